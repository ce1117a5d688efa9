/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A driver whose only child has no name of its own is one row with it: "RND 4k Read · QD 1,
 * 2, 4 · 3 times".
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/plan-outline.h"

#include "base/label.h"
#include "base/message.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <string.h>

#define SEPARATOR " · "

enum {
    MAX_LISTED = 8, /* values of a sweep that are written out */
};

/* The rows so far. */
typedef struct {
    GPtrArray *rows;
    unsigned n_left_out;
} Outline;

/* What the drivers above a step add to its row. */
typedef struct {
    GString *what;
    unsigned varied; /* bits of FmParameter: a stream's own values don't count */
    bool is_each; /* the time is that of one of several */
} Modifiers;

static void
row_free_cb(gpointer data)
{
    FmOutlineRow *row = (FmOutlineRow *)data;

    g_free(row->title);
    g_free(row->what);
    g_free(row->time);
    g_free(row);
}

/* Takes @title, @what and @time; NULL is "". */
static FmOutlineRow *
add_row(Outline *outline, unsigned depth, char *title, char *what, char *time)
{
    FmOutlineRow *row = g_new0(FmOutlineRow, 1);

    row->depth = depth;
    row->title = title != NULL ? title : g_strdup("");
    row->what = what != NULL ? what : g_strdup("");
    row->time = time != NULL ? time : g_strdup("");
    if (outline->rows->len < FM_OUTLINE_MAX_ROWS) {
        g_ptr_array_add(outline->rows, row);
        return row;
    }
    outline->n_left_out++;
    row_free_cb(row);
    return NULL;
}

static void
append_part(GString *text, const char *part)
{
    if (*part != '\0') {
        g_string_append_printf(text, "%s%s", text->len > 0 ? SEPARATOR : "", part);
    }
}

/* --- Times and sizes ------------------------------------------------------------------------ */

char *
fm_outline_dup_time(int64_t ns)
{
    double seconds = (double)ns / 1e9;

    if (ns <= 0) {
        return g_strdup("");
    }
    if (seconds < 60) {
        g_autofree char *digits = fm_label_dup_significant(seconds, 3);
        char *point = strchr(digits, '.');
        if (point != NULL) {
            char *end = digits + strlen(digits);
            while (end[-1] == '0') {
                *--end = '\0';
            }
            if (end[-1] == '.') {
                end[-1] = '\0';
            }
        }
        return g_strdup_printf(_("%s s"), digits);
    }
    return fm_label_dup_clock(ns);
}

static char *
dup_number(double value)
{
    char buffer[G_ASCII_DTOSTR_BUF_SIZE];

    return g_strdup(g_ascii_formatd(buffer, sizeof(buffer), "%g", value));
}

static char *
dup_stop(const FmStopRule *stop)
{
    g_autoptr(GString) text = g_string_new(NULL);

    if (stop->time_ns > 0) {
        g_autofree char *time = fm_outline_dup_time(stop->time_ns);
        append_part(text, time);
    }
    if (stop->bytes > 0) {
        g_autofree char *size = fm_label_dup_capacity(stop->bytes, true);
        append_part(text, size);
    }
    if (stop->passes > 0) {
        g_autofree char *number = dup_number(stop->passes);
        g_autofree char *passes = g_strdup_printf(_("%s × the region"), number);
        append_part(text, passes);
    }
    if (stop->steady) {
        append_part(text, _("until steady"));
    }
    return g_strdup(text->str);
}

/* --- Streams and parameters ------------------------------------------------------------------- */

static bool
is_varied(const Modifiers *modifiers, FmParameter parameter)
{
    return (modifiers->varied & 1u << parameter) != 0;
}

/* "RND 4k Read" without what is varied: pattern, block, direction. */
static char *
dup_workload(const FmStream *stream, const Modifiers *modifiers)
{
    bool is_random =
        stream->pattern != FM_PATTERN_SEQUENTIAL && stream->pattern != FM_PATTERN_STRIDED;
    g_autofree char *whole =
        fm_label_dup_workload(is_random, stream->blocks[0].size, stream->op_share[FM_OP_READ]);
    g_auto(GStrv) words = g_strsplit(whole, " ", 3);
    g_autoptr(GString) text = g_string_new(words[0]);

    if (stream->n_blocks > 1) {
        g_string_append_printf(text, " %s", _("mixed block sizes"));
    } else if (!is_varied(modifiers, FM_PARAMETER_BLOCK_SIZE)) {
        g_string_append_printf(text, " %s", words[1]);
    }
    if (!is_varied(modifiers, FM_PARAMETER_READ_SHARE)) {
        g_string_append_printf(text, " %s", words[2]);
    }
    return g_strdup(text->str);
}

static char *
dup_stream(const FmStream *stream, const Modifiers *modifiers)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autofree char *workload = dup_workload(stream, modifiers);

    append_part(text, workload);
    if (!is_varied(modifiers, FM_PARAMETER_IN_FLIGHT)) {
        g_autofree char *depth = g_strdup_printf("QD%u", stream->in_flight);
        append_part(text, depth);
    }
    if (stream->threads > 1 && !is_varied(modifiers, FM_PARAMETER_THREADS)) {
        g_autofree char *threads = g_strdup_printf(_("%u threads"), stream->threads);
        append_part(text, threads);
    }
    if (stream->sync) {
        append_part(text, _("each write durable"));
    }
    if (stream->buffered) {
        append_part(text, _("through the cache"));
    }
    return g_strdup(text->str);
}

static char *
dup_streams(const FmPhase *phase, const Modifiers *modifiers)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (unsigned i = 0; i < phase->n_streams; i++) {
        g_autofree char *stream = dup_stream(&phase->streams[i], modifiers);
        g_string_append_printf(text, "%s%s", i > 0 ? " + " : "", stream);
    }
    return g_strdup(text->str);
}

static char *
dup_value(FmParameter parameter, uint64_t value)
{
    switch (parameter) {
    case FM_PARAMETER_IN_FLIGHT:
    case FM_PARAMETER_THREADS:
        return g_strdup_printf("%" G_GUINT64_FORMAT, value);
    case FM_PARAMETER_READ_SHARE:
        return g_strdup_printf("%u%%", (unsigned)(value / 100));
    case FM_PARAMETER_BLOCK_SIZE:
        return fm_label_dup_block(value);
    case FM_PARAMETER_REGION_SIZE:
        return value == FM_REGION_WHOLE ? g_strdup(_("all")) : fm_label_dup_capacity(value, true);
    case FM_PARAMETER_REST_TIME:
        return fm_outline_dup_time((int64_t)value);
    }
    g_return_val_if_reached(NULL);
}

static const char *
get_parameter_name(FmParameter parameter)
{
    static const char *const names[] = {
        [FM_PARAMETER_IN_FLIGHT] = N_("QD"),       [FM_PARAMETER_THREADS] = N_("threads"),
        [FM_PARAMETER_READ_SHARE] = N_("reads"),   [FM_PARAMETER_BLOCK_SIZE] = N_("block"),
        [FM_PARAMETER_REGION_SIZE] = N_("region"), [FM_PARAMETER_REST_TIME] = N_("rest"),
    };

    return _(names[parameter]);
}

/* "QD 1, 2, 4"; long ones lose their middle. */
static char *
dup_axis(const FmSweepAxis *axis)
{
    g_autoptr(GString) text = g_string_new(get_parameter_name(axis->parameter));

    for (unsigned i = 0; i < axis->n_values; i++) {
        if (axis->n_values > MAX_LISTED && i == MAX_LISTED - 2) {
            g_string_append(text, ", …");
            i = axis->n_values - 1;
        }
        g_autofree char *value = dup_value(axis->parameter, axis->values[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? ", " : " ", value);
    }
    return g_strdup(text->str);
}

/* --- Drivers -------------------------------------------------------------------------------- */

/* "2 runs + 1 warm-up". */
static void
modify_by_repeat(Modifiers *modifiers, const FmPhase *phase)
{
    g_autoptr(GString) text = g_string_new(NULL);

    if (phase->max_count > phase->count) {
        g_string_append_printf(text, _("%u to %u runs, until they agree"), phase->count,
                               phase->max_count);
    } else if (phase->count == 1) {
        g_string_append(text, _("1 run"));
    } else {
        g_string_append_printf(text, _("%u runs"), phase->count);
    }
    if (phase->discard == 1) {
        g_string_append_printf(text, " + %s", _("1 warm-up"));
    } else if (phase->discard > 1) {
        g_string_append(text, " + ");
        g_string_append_printf(text, _("%u warm-ups"), phase->discard);
    }
    append_part(modifiers->what, text->str);
}

static void
modify(Modifiers *modifiers, const FmPhase *phase)
{
    modifiers->is_each = true;
    switch (phase->kind) {
    case FM_PHASE_SWEEP:
        for (unsigned i = 0; i < phase->n_axes; i++) {
            g_autofree char *axis = dup_axis(&phase->axes[i]);
            append_part(modifiers->what, axis);
            modifiers->varied |= 1u << phase->axes[i].parameter;
        }
        break;
    case FM_PHASE_REPEAT:
        modify_by_repeat(modifiers, phase);
        break;
    case FM_PHASE_BISECT: {
        g_autofree char *limit = dup_value(phase->search, phase->search_limit);
        g_autofree char *search = g_strdup_printf(_("search for the largest %s up to %s"),
                                                  get_parameter_name(phase->search), limit);
        append_part(modifiers->what, search);
        modifiers->varied |= 1u << phase->search;
        break;
    }
    case FM_PHASE_RATE_CURVE:
        append_part(modifiers->what, _("as fast as possible, then at set rates"));
        break;
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
    case FM_PHASE_REST:
    case FM_PHASE_IDLE:
    case FM_PHASE_SETTLE:
    case FM_PHASE_PURGE:
    case FM_PHASE_TRIM:
    case FM_PHASE_EXTERNAL:
    case FM_PHASE_GROUP:
        break;
    }
}

/* --- Phases --------------------------------------------------------------------------------- */

/* What a phase is called where its plan gives it no name. */
static const char *
get_kind_title(const FmPhase *phase)
{
    static const char *const titles[] = {
        [FM_PHASE_MEASURE] = N_("Measure"),
        [FM_PHASE_PRECONDITION] = N_("Precondition"),
        [FM_PHASE_REST] = N_("Rest"),
        [FM_PHASE_IDLE] = N_("Wait until nothing else is going on"),
        [FM_PHASE_SETTLE] = N_("Let writes reach the drive"),
        [FM_PHASE_PURGE] = N_("Purge the drive"),
        [FM_PHASE_TRIM] = N_("Trim"),
        [FM_PHASE_EXTERNAL] = N_("Something outside Fathom"),
        [FM_PHASE_GROUP] = N_("Group"),
        [FM_PHASE_SWEEP] = N_("Sweep"),
        [FM_PHASE_REPEAT] = N_("Repeat"),
        [FM_PHASE_BISECT] = N_("Search"),
        [FM_PHASE_RATE_CURVE] = N_("Rate curve"),
    };

    return _(titles[phase->kind]);
}

static char *
dup_title(const FmPhase *phase, const char *fallback)
{
    const char *label =
        phase->label != NULL ? fm_message_choose(phase->label, phase->label_ko) : fallback;

    return label != NULL && *label != '\0' ? fm_text_dup_printable(label)
                                           : g_strdup(get_kind_title(phase));
}

static char *
dup_leaf_what(const FmPhase *phase, const Modifiers *modifiers)
{
    if (phase->kind == FM_PHASE_EXTERNAL && phase->instruction != NULL) {
        return fm_text_dup_printable(fm_message_choose(phase->instruction, phase->instruction_ko));
    }
    return dup_streams(phase, modifiers);
}

static char *
dup_leaf_time(const FmPhase *phase)
{
    bool moves_data = phase->kind == FM_PHASE_MEASURE || phase->kind == FM_PHASE_PRECONDITION;
    g_autofree char *time = NULL;

    if (moves_data) {
        return dup_stop(&phase->stop);
    }
    time = fm_outline_dup_time(phase->rest_ns);
    return phase->kind == FM_PHASE_SETTLE && *time != '\0' ? g_strdup_printf(_("at most %s"), time)
                                                           : g_steal_pointer(&time);
}

static void add_phase(Outline *outline, const FmPhase *phase, unsigned depth);

static void
add_children(Outline *outline, const FmPhase *phase, unsigned depth)
{
    for (guint i = 0; i < phase->children->len; i++) {
        add_phase(outline, (const FmPhase *)g_ptr_array_index(phase->children, i), depth);
    }
}

/* A row with the children of @inner below it. */
static void
add_heading(Outline *outline, const FmPhase *inner, FmOutlineRow *row, unsigned depth)
{
    if (inner->between_ns > 0 && inner->children->len > 1) {
        g_autofree char *time = fm_outline_dup_time(inner->between_ns);
        g_autofree char *between = g_strdup_printf(_("%s of rest between"), time);
        g_autofree char *old = row->what;
        row->what = *old != '\0' ? g_strjoin(SEPARATOR, old, between, NULL) : g_strdup(between);
    }
    row->is_heading = true;
    add_children(outline, inner, depth + 1);
}

static void
fill_leaf(const FmPhase *leaf, const Modifiers *modifiers, FmOutlineRow *row)
{
    g_autoptr(GString) what = g_string_new(NULL);
    g_autofree char *own = dup_leaf_what(leaf, modifiers);
    g_autofree char *time = dup_leaf_time(leaf);

    append_part(what, own);
    append_part(what, modifiers->what->str);
    g_free(row->what);
    row->what = g_strdup(what->str);
    g_free(row->time);
    row->time =
        modifiers->is_each && *time != '\0' ? g_strdup_printf(_("%s each"), time) : g_strdup(time);
}

static bool
is_driver(const FmPhase *phase)
{
    return phase->kind == FM_PHASE_SWEEP || phase->kind == FM_PHASE_REPEAT ||
           phase->kind == FM_PHASE_BISECT || phase->kind == FM_PHASE_RATE_CURVE;
}

/* Goes down through drivers to what they drive: that is one row with them. */
static void
add_phase(Outline *outline, const FmPhase *phase, unsigned depth)
{
    Modifiers modifiers = {.what = g_string_new(NULL)};
    const FmPhase *inner = phase;
    const FmPhase *named = phase;

    while (is_driver(inner)) {
        modify(&modifiers, inner);
        if (inner->children->len != 1) {
            break;
        }
        inner = (const FmPhase *)g_ptr_array_index(inner->children, 0);
        named = named->label == NULL && inner->label != NULL ? inner : named;
    }
    bool moves_data = inner->n_streams > 0 || inner->children != NULL;
    FmOutlineRow *row = add_row(outline, depth, dup_title(named, moves_data ? phase->id : NULL),
                                g_strdup(modifiers.what->str), NULL);
    if (row == NULL) {
        outline->n_left_out += inner->children != NULL ? inner->children->len : 0;
    } else if (inner->children != NULL) {
        add_heading(outline, inner, row, depth);
    } else {
        fill_leaf(inner, &modifiers, row);
    }
    g_string_free(modifiers.what, TRUE);
}

static void
add_test_file(Outline *outline, const FmPlan *plan)
{
    if (!fm_plan_has_file_form(plan) || plan->file_size.relative) {
        return;
    }
    g_autofree char *size = fm_label_dup_capacity(plan->file_size.value, true);
    add_row(outline, 0, g_strdup(_("Test file")), g_strdup_printf(_("%s are written first"), size),
            NULL);
}

GPtrArray *
fm_plan_outline(const FmPlan *plan)
{
    Outline outline = {.rows = g_ptr_array_new_with_free_func(row_free_cb)};

    add_test_file(&outline, plan);
    add_children(&outline, plan->root, 0);
    if (outline.n_left_out > 0) {
        FmOutlineRow *last = g_new0(FmOutlineRow, 1);
        last->title = g_strdup_printf(_("and %u more"), outline.n_left_out);
        last->what = g_strdup("");
        last->time = g_strdup("");
        g_ptr_array_add(outline.rows, last);
    }
    return outline.rows;
}
