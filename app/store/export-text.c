/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as a table for people at a terminal: facts above, one line a row with its tail
 * latency, what there is to know about it below.  Words are translated, numbers and
 * what the run itself says are not.  Strings of the run may hold anything, so none
 * reaches the terminal unescaped.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/export.h"

#include "analysis/cdm.h"
#include "analysis/stats.h"
#include "base/label.h"
#include "base/text-table.h"
#include "base/text.h"
#include "base/units.h"
#include "model/plan-reader.h"
#include "store/run-text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* What rows need an explanation for, as letters in the last column. */
typedef enum {
    FLAG_PROBLEM = 1 << 0,
    FLAG_HOST_LIMITED = 1 << 1,
    FLAG_DEPTH_OFF = 1 << 2,
    FLAG_DISTURBED = 1 << 4,
    FLAG_FEW_SAMPLES = 1 << 3, /* has no letter: the dashes say it */
} Flag;

/* --- Facts ------------------------------------------------------------------------- */

typedef struct {
    GString *text;
    unsigned columns; /* of the terminal; 0 = any */
} Output;

static void
append_line(const Output *out, const char *name, const char *text)
{
    enum { NAME_WIDTH = 10 };
    g_autofree char *printable = fm_text_dup_printable(text);
    unsigned width = fm_text_width(name);
    unsigned n_blanks = width < NAME_WIDTH ? NAME_WIDTH - width : 1;

    g_string_append_printf(out->text, "%s%*s", name, (int)n_blanks, "");
    fm_text_append_wrapped(out->text, printable, width + n_blanks, out->columns);
    g_string_append_c(out->text, '\n');
}

/* @text behind a mark of its own, and never more than the terminal is wide. */
static void
append_printable(const Output *out, const char *begin, const char *text)
{
    g_autofree char *printable = fm_text_dup_printable(text);

    g_string_append(out->text, begin);
    fm_text_append_wrapped(out->text, printable, fm_text_width(begin), out->columns);
    g_string_append_c(out->text, '\n');
}

static void
append_message(const Output *out, const char *begin, const FmMessage *message)
{
    g_autofree char *text = fm_message_dup_local(message);

    append_printable(out, begin, text);
}

/* Joins what is known with ", ". */
static void
append_known(GString *text, const char *part)
{
    if (part != NULL && *part != '\0') {
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", part);
    }
}

static void
append_drive(const Output *out, const FmRun *run)
{
    g_autoptr(GString) text = g_string_new(NULL);
    uint64_t size;

    append_known(text, fm_facts_get_string(run->drive, "drive.model"));
    append_known(text, fm_facts_get_string(run->drive, "drive.firmware"));
    if (fm_facts_get_uint(run->drive, "drive.size-bytes", &size)) {
        g_autofree char *capacity = fm_label_dup_capacity(size, true);
        append_known(text, capacity);
    }
    append_known(text, fm_facts_get_string(run->drive, "drive.bus"));
    if (text->len == 0) {
        append_known(text, fm_facts_get_string(run->target, "stack.description"));
    }
    append_line(out, _("Drive"), text->len > 0 ? text->str : _("unknown"));
}

static void
append_target(const Output *out, const FmRun *run)
{
    g_autoptr(GString) text = g_string_new(run->target_path);

    append_known(text, fm_facts_get_string(run->target, "fs.type"));
    /* Nothing has no size: that one is only the range of the offsets. */
    if (run->target_size > 0 && g_strcmp0(run->target_kind, "null") != 0) {
        g_autofree char *size = fm_units_dup_size(run->target_size);
        append_known(text, size);
    }
    append_line(out, _("Target"), text->len > 0 ? text->str : _("unknown"));
}

static const char *
translate_verdict(const char *verdict)
{
    static const struct {
        const char *name;
        const char *text;
    } verdicts[] = {
        {"direct", N_("direct: the numbers are the drive's")},
        {"may-be-cached", N_("may be cached: something before the drive may keep data")},
        {"memory", N_("this is memory, not a drive")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(verdicts); i++) {
        if (g_strcmp0(verdict, verdicts[i].name) == 0) {
            return _(verdicts[i].text);
        }
    }
    return _("unknown: nothing proves that the drive did the work");
}

static void
append_verdict(const Output *out, const FmRun *run)
{
    /* Numbers of a model or of the harness must never pass for a drive's. */
    if (g_strcmp0(run->target_kind, "model") == 0) {
        append_line(out, _("Verdict"), _("SIMULATED: a model drive, not a real one"));
        return;
    }
    if (g_strcmp0(run->target_kind, "null") == 0) {
        append_line(out, _("Verdict"), _("no drive: what the program itself costs"));
        return;
    }
    g_autoptr(GString) text = g_string_new(translate_verdict(run->verdict));
    g_autofree char *reason = fm_message_dup_local(run->verdict_reason);
    if (*reason != '\0') {
        g_string_append_printf(text, " (%s)", reason);
    }
    append_line(out, _("Verdict"), text->str);
}

/* Bytes that @step wrote, its ramp and what was on the way at its end included. */
static uint64_t
get_written(const FmRunStep *step)
{
    g_autoptr(GVariant) outside =
        step->end != NULL ? g_variant_lookup_value(step->end, "outside-bytes", G_VARIANT_TYPE("at"))
                          : NULL;
    gsize n_ops = 0;
    const uint64_t *bytes =
        outside != NULL ? g_variant_get_fixed_array(outside, &n_ops, sizeof *bytes) : NULL;

    return step->bytes[FM_OP_WRITE] + (n_ops > FM_OP_WRITE ? bytes[FM_OP_WRITE] : 0);
}

/* Bytes of the test file: all of them before the first step begins. */
static uint64_t
get_filled(const FmRun *run)
{
    if (run->steps->len > 0) {
        return run->target_size;
    }
    return isfinite(run->progress) ? (uint64_t)(run->progress * (double)run->target_size) : 0;
}

/* What the run cost the drive.  A simulated drive or none has nothing to lose. */
static void
append_written(const Output *out, const FmRun *run)
{
    bool is_folder = g_strcmp0(run->target_kind, "folder") == 0;
    uint64_t written = is_folder ? get_filled(run) : 0;

    if (g_strcmp0(run->target_kind, "model") == 0 || g_strcmp0(run->target_kind, "null") == 0) {
        return;
    }
    for (guint i = 0; i < run->steps->len; i++) {
        written += get_written(g_ptr_array_index(run->steps, i));
    }
    g_autofree char *capacity = fm_label_dup_capacity(written, true);
    g_autofree char *text =
        is_folder ? g_strdup_printf(_("%s, the test file included"), capacity) : NULL;
    append_line(out, _("Written"), text != NULL ? text : capacity);
}

/* Backends and modes that were used, each once. */
static void
append_engine(const Output *out, const FmRun *run)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < run->steps->len && g_hash_table_size(seen) < 4; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        char *name = g_strdup_printf("%s %s", step->backend != NULL ? step->backend : "?",
                                     step->mode != NULL ? step->mode : "?");
        if (!g_hash_table_contains(seen, name)) {
            append_known(text, name);
        }
        g_hash_table_add(seen, name);
    }
    append_line(out, _("Engine"), text->len > 0 ? text->str : _("unknown"));
}

static void
append_system(const Output *out, const FmRun *run)
{
    g_autoptr(GString) text = g_string_new(NULL);

    append_known(text, fm_facts_get_string(run->environment, "os.name"));
    append_known(text, fm_facts_get_string(run->environment, "kernel.release"));
    append_known(text, fm_facts_get_string(run->environment, "cpu.model"));
    append_line(out, _("System"), text->len > 0 ? text->str : _("unknown"));
}

static const char *
translate_outcome(const FmRun *run)
{
    static const struct {
        const char *name;
        const char *text;
    } outcomes[] = {
        {"complete", N_("complete")},
        {"stopped", N_("stopped on request")},
        {"failed", N_("failed")},
        {"refused", N_("refused")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(outcomes); i++) {
        if (g_strcmp0(run->outcome, outcomes[i].name) == 0) {
            return _(outcomes[i].text);
        }
    }
    return run->outcome != NULL ? run->outcome : _("not ended: running or cut off");
}

static void
append_state(const Output *out, const FmRun *run)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(run->wall_us / G_USEC_PER_SEC);
    g_autoptr(GString) text = g_string_new(NULL);

    if (run->wall_us > 0 && time != NULL) {
        g_string_append_printf(text, "%04d-%02d-%02dT%02d:%02d:%02dZ", g_date_time_get_year(time),
                               g_date_time_get_month(time), g_date_time_get_day_of_month(time),
                               g_date_time_get_hour(time), g_date_time_get_minute(time),
                               g_date_time_get_second(time));
    }
    append_known(text, translate_outcome(run));
    g_autofree char *reason = fm_message_dup_local(run->reason);
    if (*reason != '\0') {
        g_string_append_printf(text, ": %s", reason);
    }
    append_line(out, _("Run"), text->str);
}

static void
append_facts(const Output *out, const FmRun *run)
{
    g_autofree char *name = fm_run_text_dup_plan(run);
    g_autofree char *version = fm_text_dup_printable(run->version != NULL ? run->version : "?");

    g_string_append_printf(out->text, "Fathom %s – %s\n", version,
                           name != NULL ? name : _("unknown"));
    append_drive(out, run);
    append_target(out, run);
    append_verdict(out, run);
    append_engine(out, run);
    append_system(out, run);
    append_state(out, run);
    append_written(out, run);
    g_string_append_c(out->text, '\n');
}

/* --- The table --------------------------------------------------------------------- */

static const FmPercentileIndex shown[] = {FM_P50, FM_P99, FM_P99_9};

static void
add_columns(FmTextTable *table)
{
    /* Ranks: what a narrow terminal can do without first. */
    fm_text_table_add_column(table, "", 0);
    fm_text_table_add_column(table, "MB/s", 0);
    fm_text_table_add_column(table, _("median"), 8);
    fm_text_table_add_column(table, "±%", 9);
    fm_text_table_add_column(table, "IOPS", 0);
    fm_text_table_add_column(table, _("mean"), 4);
    for (gsize i = 0; i < G_N_ELEMENTS(shown); i++) {
        fm_text_table_add_column(table, fm_percentile_name(shown[i]), 0);
    }
    fm_text_table_add_column(table, _("max"), 3);
    fm_text_table_add_column(table, "n", 6);
    fm_text_table_add_column(table, _("depth"), 5);
    fm_text_table_add_column(table, _("CPU ns"), 7);
    fm_text_table_add_column(table, "", 0);
}

/* Microseconds with as many digits as mean something. */
static char *
dup_latency(double ns)
{
    double us = ns / 1000;

    return fm_label_dup_decimal(us, us < 1000 ? 2 : us < 10000 ? 1 : 0);
}

/* Half the distance from the slowest to the fastest repetition, in percent. */
static char *
dup_spread(const FmCdmRow *row)
{
    double spread = (row->score.max - row->score.min) / row->score.median * 50;

    return fm_label_dup_decimal(row->n_results > 1 ? spread : NAN, 1);
}

static char *
dup_flags(unsigned flags)
{
    return g_strdup_printf("%s%s%s%s", (flags & FLAG_PROBLEM) != 0 ? "!" : "",
                           (flags & FLAG_HOST_LIMITED) != 0 ? "h" : "",
                           (flags & FLAG_DEPTH_OFF) != 0 ? "d" : "",
                           (flags & FLAG_DISTURBED) != 0 ? "o" : "");
}

/* How rows are told apart where a plan ran more than one block of them. */
typedef struct {
    GPtrArray *sections; /* of char *, ids of the plan's top phases; NULL = one block */
    bool has_mixes; /* the share of reads stands in the row, not above it */
} Layout;

static char *
dup_section(const char *path)
{
    const char *slash = strchr(path, '/');

    return slash != NULL ? g_strndup(path, (gsize)(slash - path)) : g_strdup(path);
}

/* Two rows would have one name: the blocks they are in must tell them apart. */
static bool
has_twins(const FmCdmTable *cdm)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

    for (guint i = 0; i < cdm->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(cdm->rows, i);
        g_autofree char *name = fm_cdm_row_dup_name(row);
        char *key = g_strdup_printf("%u %u %s", (unsigned)row->group, row->read_share, name);
        if (!g_hash_table_add(seen, key)) {
            return true;
        }
    }
    return false;
}

/* The blocks in the order they ran. */
static GPtrArray *
list_sections(const FmRun *run)
{
    GPtrArray *sections = g_ptr_array_new_with_free_func(g_free);

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        g_autofree char *section = step->path != NULL ? dup_section(step->path) : NULL;
        if (section != NULL &&
            !g_ptr_array_find_with_equal_func(sections, section, g_str_equal, NULL)) {
            g_ptr_array_add(sections, g_steal_pointer(&section));
        }
    }
    return sections;
}

static Layout
get_layout(const FmRun *run, const FmCdmTable *cdm)
{
    Layout layout = {.sections = has_twins(cdm) ? list_sections(run) : NULL};
    uint32_t share = 0;

    for (guint i = 0; i < cdm->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(cdm->rows, i);
        if (row->group == FM_CDM_MIX) {
            layout.has_mixes = layout.has_mixes || (share != 0 && share != row->read_share);
            share = row->read_share;
        }
    }
    return layout;
}

/* What the plan calls the block; its id where it has no name. */
static char *
dup_section_title(const FmPlan *plan, const char *section)
{
    const GPtrArray *phases = plan != NULL ? plan->root->children : NULL;

    for (guint i = 0; phases != NULL && i < phases->len; i++) {
        const FmPhase *phase = g_ptr_array_index(phases, i);
        if (g_strcmp0(phase->id, section) == 0 && phase->label != NULL) {
            return fm_text_dup_printable(phase->label);
        }
    }
    return fm_text_dup_printable(section);
}

static unsigned
get_read_percent(const FmCdmRow *row)
{
    return (row->read_share + 50) / 100;
}

static char *
dup_name(const FmCdmRow *row, const Layout *layout)
{
    char *name = fm_cdm_row_dup_name(row);

    if (row->group != FM_CDM_MIX || !layout->has_mixes) {
        return name;
    }
    g_autofree char *owned = name;
    return g_strdup_printf("%s R%u:W%u", owned, get_read_percent(row), 100 - get_read_percent(row));
}

static unsigned
add_row(FmTextTable *table, const FmCdmRow *row, const Layout *layout)
{
    bool has_latency = row->n_results > 0 && row->latency.n > 0;
    unsigned flags = 0;

    if (row->problem != NULL) {
        flags |= FLAG_PROBLEM;
    }
    if (row->is_host_limited) {
        flags |= FLAG_HOST_LIMITED;
    }
    if (row->is_disturbed) {
        flags |= FLAG_DISTURBED;
    }
    if (isfinite(row->in_flight) &&
        fm_stats_is_depth_off(row->in_flight, row->depth * row->threads)) {
        flags |= FLAG_DEPTH_OFF;
    }
    fm_text_table_begin_row(table);
    fm_text_table_take_cell(table, dup_name(row, layout));
    fm_text_table_take_cell(table, fm_label_dup_decimal(row->score.best / 1e6, 2));
    fm_text_table_take_cell(table, fm_label_dup_decimal(row->score.median / 1e6, 2));
    fm_text_table_take_cell(table, dup_spread(row));
    fm_text_table_take_cell(table, fm_label_dup_decimal(row->score.best_iops, 0));
    fm_text_table_take_cell(table, dup_latency(row->score.lowest_mean_ns));
    for (gsize i = 0; i < G_N_ELEMENTS(shown); i++) {
        const FmPercentile *value = &row->latency.values[shown[i]];
        bool is_shown = has_latency && value->is_sufficient;
        fm_text_table_take_cell(table, dup_latency(is_shown ? (double)value->ns : NAN));
        flags |= has_latency && !is_shown ? FLAG_FEW_SAMPLES : 0;
    }
    fm_text_table_take_cell(table, dup_latency(has_latency ? (double)row->latency.max_ns : NAN));
    fm_text_table_take_cell(table, has_latency
                                       ? g_strdup_printf("%" G_GUINT64_FORMAT, row->latency.n)
                                       : g_strdup(FM_LABEL_UNKNOWN));
    fm_text_table_take_cell(table, fm_label_dup_decimal(row->in_flight, 1));
    fm_text_table_take_cell(table, fm_label_dup_decimal(row->cpu_ns_per_io, 0));
    fm_text_table_take_cell(table, dup_flags(flags));
    return flags;
}

static char *
dup_group(const FmCdmRow *row, const Layout *layout)
{
    if (row->group == FM_CDM_MIX && layout->has_mixes) {
        return g_strdup(_("[Mix]"));
    }
    if (row->group == FM_CDM_MIX) {
        return g_strdup_printf(_("[Mix] %u%% reads, %u%% writes"), get_read_percent(row),
                               100 - get_read_percent(row));
    }
    return g_strdup(row->group == FM_CDM_READ ? _("[Read]") : _("[Write]"));
}

/* The rows of @section, or all of them with NULL.  Returns their flags together. */
static unsigned
add_rows(FmTextTable *table, const FmCdmTable *cdm, const char *section, const Layout *layout)
{
    g_autofree char *group = NULL;
    unsigned flags = 0;

    for (guint i = 0; i < cdm->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(cdm->rows, i);
        g_autofree char *own = dup_section(row->path);
        if (section != NULL && strcmp(own, section) != 0) {
            continue;
        }
        char *name = dup_group(row, layout);
        if (g_strcmp0(name, group) != 0) {
            fm_text_table_add_heading(table, name);
        }
        g_free(group);
        group = name;
        flags |= add_row(table, row, layout);
    }
    return flags;
}

/* Returns the flags of all rows together. */
static unsigned
append_table(const Output *out, const FmRun *run, const FmCdmTable *cdm, const Layout *layout)
{
    g_autoptr(FmTextTable) table = fm_text_table_new();
    g_autoptr(FmPlan) plan =
        run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL;
    unsigned flags = 0;

    add_columns(table);
    if (layout->sections == NULL) {
        flags = add_rows(table, cdm, NULL, layout);
    }
    for (guint i = 0; layout->sections != NULL && i < layout->sections->len; i++) {
        const char *section = g_ptr_array_index(layout->sections, i);
        g_autofree char *title = dup_section_title(plan, section);
        fm_text_table_add_heading(table, "");
        fm_text_table_add_heading(table, title);
        flags |= add_rows(table, cdm, section, layout);
    }
    fm_text_table_print(table, out->columns, out->text);
    return flags;
}

/* --- Below it ---------------------------------------------------------------------- */

static void
append_legend(const Output *out, unsigned flags)
{
    g_string_append_c(out->text, '\n');
    append_printable(out, "",
                     _("Latency in microseconds. MB/s and IOPS: best repetition; median and ±%: of "
                       "all MB/s; mean: lowest; rest: all together. n: I/Os counted; depth: I/Os "
                       "in flight on average; CPU ns: processor time per I/O."));
    if ((flags & FLAG_FEW_SAMPLES) != 0) {
        append_printable(out, "–  ",
                         _("too few samples: fewer than ten lie above that percentile"));
    }
    if ((flags & FLAG_DEPTH_OFF) != 0) {
        append_printable(out, "d  ", _("the depth was more than 2 percent off what was asked"));
    }
}

/* Which row others disturbed, and by how much. */
static void
append_disturbance(const Output *out, const FmCdmRow *row, const char *name)
{
    g_autofree char *bytes =
        row->foreign_bytes >= 0 ? fm_label_dup_capacity((uint64_t)row->foreign_bytes, true) : NULL;
    g_autofree char *what =
        g_strdup_printf(_("the drive also moved %s for other programs meanwhile"),
                        bytes != NULL ? bytes : _("an unknown amount"));
    g_autofree char *text = g_strdup_printf("%s: %s", name, what);

    append_printable(out, "o  ", text);
}

static void
append_row_sentences(const Output *out, const FmCdmTable *table, const Layout *layout)
{
    for (guint i = 0; i < table->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(table->rows, i);
        g_autofree char *name = dup_name(row, layout);
        if (row->problem != NULL) {
            g_autofree char *problem = fm_message_dup_local(row->problem);
            g_autofree char *text = g_strdup_printf("%s: %s", name, problem);
            append_printable(out, "!  ", text);
        }
        if (row->is_host_limited) {
            g_autofree char *reason = fm_message_dup_local(row->host_limited_reason);
            g_autofree char *text = g_strdup_printf(
                "%s: %s", name,
                *reason != '\0' ? reason : _("this computer, not the drive, set the limit"));
            append_printable(out, "h  ", text);
        }
        if (row->is_disturbed) {
            append_disturbance(out, row, name);
        }
    }
}

static void
append_disagreements(const Output *out, const FmRun *run)
{
    for (guint i = 0; i < run->steps->len; i++) {
        g_autoptr(FmMessage) sentence = fm_run_step_check(g_ptr_array_index(run->steps, i));
        if (sentence != NULL) {
            append_message(out, "!  ", sentence);
        }
    }
    for (guint i = 0; i < run->damage->len; i++) {
        append_message(out, "!  ", g_ptr_array_index(run->damage, i));
    }
}

static const char *
translate_note_kind(const char *kind)
{
    static const char *const kinds[] = {N_("error"), N_("warning"), N_("fallback"), N_("decision")};

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (g_strcmp0(kind, kinds[i]) == 0) {
            return _(kinds[i]);
        }
    }
    return kind;
}

/* Notes as they came; the log of the worker is for dump, as is what is too much. */
static void
append_notes(const Output *out, const FmRun *run)
{
    enum { MAX_NOTES = 40 };
    unsigned n_notes = 0;

    for (guint i = 0; i < run->notes->len; i++) {
        const FmRunNote *note = g_ptr_array_index(run->notes, i);
        if (g_strcmp0(note->kind, "log") == 0 || n_notes++ >= MAX_NOTES) {
            continue;
        }
        g_autofree char *said = fm_message_dup_local(note->text);
        g_autofree char *text = g_strdup_printf("%s: %s", translate_note_kind(note->kind), said);
        if (n_notes == 1) {
            g_string_append_printf(out->text, "\n%s\n", _("Notes"));
        }
        append_printable(out, "   ", text);
    }
    if (n_notes > MAX_NOTES) {
        g_string_append(out->text, "   ");
        g_string_append_printf(out->text, _("... and %u more"), n_notes - MAX_NOTES);
        g_string_append_c(out->text, '\n');
    }
    if (run->user_text != NULL && run->user_text[0] != '\0') {
        g_string_append_c(out->text, '\n');
        append_printable(out, "", run->user_text);
    }
}

char *
fm_export_text(const FmRun *run, unsigned columns, GError **error)
{
    g_autoptr(FmCdmTable) table = fm_cdm_table_new(run);
    const Output out = {.text = g_string_new(NULL), .columns = columns};

    append_facts(&out, run);
    if (table->rows->len == 0) {
        append_printable(&out, "",
                         run->steps->len > 0
                             ? _("Nothing was scored: the steps only prepared the drive.")
                             : _("Nothing was measured."));
    } else {
        Layout layout = get_layout(run, table);
        append_legend(&out, append_table(&out, run, table, &layout));
        append_row_sentences(&out, table, &layout);
        g_clear_pointer(&layout.sections, g_ptr_array_unref);
    }
    append_disagreements(&out, run);
    append_notes(&out, run);
    return g_string_free(out.text, FALSE);
}
