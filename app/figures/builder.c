/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words, names of rows and steps, and what has to be said below figures.  Strings of the run may
 * hold anything; they are made printable before they go into a figure.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/label.h"
#include "base/language.h"
#include "base/text.h"
#include "figures/step-panels.h"
#include "model/plan-reader.h"

#include <math.h>
#include <string.h>

void
fm_builder_init(FmBuilder *builder, const FmRun *run, const FmFigureOptions *options)
{
    static const FmFigureOptions defaults = {.language = "en"};

    *builder = (FmBuilder){
        .run = run,
        .options = options != NULL ? options : &defaults,
        .table = fm_cdm_table_new_without_latency(run),
        .plan = run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL,
    };
}

void
fm_builder_clear(FmBuilder *builder)
{
    g_clear_pointer(&builder->table, fm_cdm_table_free);
    g_clear_pointer(&builder->plan, fm_plan_free);
}

void
fm_builder_add_entry(GPtrArray *entries, char *id, char *title, bool is_detail)
{
    FmFigureEntry *entry = g_new(FmFigureEntry, 1);

    *entry = (FmFigureEntry){.id = id, .title = title, .is_detail = is_detail};
    g_ptr_array_add(entries, entry);
}

/* --- Words and numbers ------------------------------------------------------------- */

const char *
fm_say(const FmBuilder *builder, const char *text)
{
    return fm_language_translate(builder->options->language, text);
}

bool
fm_builder_is_korean(const FmBuilder *builder)
{
    return g_strcmp0(builder->options->language, "ko") == 0;
}

char *
fm_builder_dup_message(const FmBuilder *builder, const FmMessage *message)
{
    g_autofree char *text = fm_message_dup_in(message, builder->options->language);

    return fm_text_dup_printable(text);
}

char *
fm_say_count(uint64_t n)
{
    return fm_label_dup_grouped(n);
}

char *
fm_say_rate(const FmBuilder *builder, double bytes_per_second)
{
    static const FmLabelStyle published = {FM_LABEL_REVIEW, true};
    double megabytes = bytes_per_second / 1e6;

    if (builder->options->is_review && megabytes >= 100) {
        return fm_label_dup_throughput(bytes_per_second, published);
    }
    if (!isfinite(megabytes) || megabytes < 100) {
        return fm_label_dup_megabytes(bytes_per_second, megabytes < 10 ? 2 : 1);
    }
    g_autofree char *number = fm_label_dup_grouped((uint64_t)(megabytes + 0.5));
    return g_strconcat(number, " MB/s", NULL);
}

char *
fm_say_iops(const FmBuilder *builder, double iops)
{
    return fm_label_dup_iops(iops);
}

char *
fm_say_latency(const FmBuilder *builder, double ns)
{
    static const FmLabelStyle published = {FM_LABEL_REVIEW, true};

    if (builder->options->is_review && isfinite(ns)) {
        return fm_label_dup_tail((uint64_t)(ns + 0.5), published);
    }
    return fm_label_dup_figure(ns, FM_QUANTITY_TIME);
}

char *
fm_say_exact_latency(double ns)
{
    return fm_label_dup_figure(ns, FM_QUANTITY_TIME);
}

char *
fm_say_share(const FmBuilder *builder, FmPercentileIndex index)
{
    const char *name = fm_percentile_name(index);

    /* Names are "P99.9"; what a sentence needs is the number. */
    return g_strdup_printf(fm_say(builder, "%s %%"), name + 1);
}

char *
fm_say_clock(double seconds)
{
    static const double most = 9e9; /* what an int64_t of ns holds */

    return fm_label_dup_clock((int64_t)(CLAMP(seconds, 0, most) * 1e9));
}

char *
fm_say_duration(const FmBuilder *builder, double seconds)
{
    if (seconds >= 120) {
        return fm_say_clock(seconds);
    }
    g_autofree char *number = fm_label_dup_decimal(
        seconds < 1 ? seconds * 1000 : seconds, seconds >= 1 && seconds != floor(seconds) ? 1 : 0);
    return g_strdup_printf(seconds < 1 ? fm_say(builder, "%s ms") : fm_say(builder, "%s s"),
                           number);
}

const char *
fm_say_op(const FmBuilder *builder, unsigned op)
{
    switch (op) {
    case FM_OP_READ:
        return fm_say(builder, "reads");
    case FM_OP_WRITE:
        return fm_say(builder, "writes");
    case FM_OP_TRIM:
        return fm_say(builder, "trims");
    case FM_OP_FLUSH:
        return fm_say(builder, "flushes");
    default:
        return fm_say(builder, "I/Os");
    }
}

/* --- Rows and steps ---------------------------------------------------------------- */

bool
fm_row_is_iops(const FmCdmRow *row)
{
    return row->is_random;
}

unsigned
fm_row_get_depth(const FmCdmRow *row)
{
    const FmRunStep *step = row->steps->len > 0 ? row->steps->pdata[0] : NULL;

    return step != NULL ? step->in_flight : row->depth * row->threads;
}

/* The phase with the id of @path's first part, or NULL. */
static const FmPhase *
find_section(const FmBuilder *builder, const char *path)
{
    const GPtrArray *phases = builder->plan != NULL ? builder->plan->root->children : NULL;
    gsize length = strcspn(path, "/");

    for (guint i = 0; phases != NULL && i < phases->len; i++) {
        const FmPhase *phase = phases->pdata[i];
        if (phase->id != NULL && strlen(phase->id) == length &&
            strncmp(phase->id, path, length) == 0) {
            return phase;
        }
    }
    return NULL;
}

char *
fm_builder_dup_section(const FmBuilder *builder, const char *path)
{
    const FmPhase *phase = find_section(builder, path);
    const char *label = phase != NULL ? phase->label : NULL;

    if (phase != NULL && fm_builder_is_korean(builder) && phase->label_ko != NULL) {
        label = phase->label_ko;
    }
    g_autofree char *id = g_strndup(path, strcspn(path, "/"));
    return fm_text_dup_printable(label != NULL ? label : id);
}

char *
fm_builder_dup_workload(const FmBuilder *builder, const FmCdmRow *row)
{
    if (row->block == 0) {
        return row->label != NULL ? fm_text_dup_printable(row->label)
                                  : fm_builder_dup_section(builder, row->path);
    }
    return fm_label_dup_workload(row->is_random, row->block, row->read_share);
}

/* Without what tells rows of one name apart. */
static char *
dup_plain_name(const FmBuilder *builder, const FmCdmRow *row)
{
    g_autofree char *workload = fm_builder_dup_workload(builder, row);

    return g_strdup_printf("%s QD%u", workload, fm_row_get_depth(row));
}

char *
fm_builder_dup_row_name(const FmBuilder *builder, const FmCdmRow *row)
{
    g_autofree char *name = dup_plain_name(builder, row);

    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *other = builder->table->rows->pdata[i];
        /* Cheap first: names are made of these. */
        if (other == row || other->block != row->block || other->read_share != row->read_share ||
            other->is_random != row->is_random ||
            fm_row_get_depth(other) != fm_row_get_depth(row)) {
            continue;
        }
        g_autofree char *section = fm_builder_dup_section(builder, row->path);
        return g_strdup_printf("%s (%s)", name, section);
    }
    return g_steal_pointer(&name);
}

/* "SEQ 128k Write QD8 (Fill)" of steps that are in no row: preconditioning, warm-ups. */
static char *
dup_step_label(const FmBuilder *builder, const FmRunStep *step)
{
    g_autofree char *name = fm_step_dup_name(step);
    g_autofree char *label =
        step->label != NULL && *step->label != '\0'
            ? fm_text_dup_printable(step->label)
            : fm_builder_dup_section(builder, step->path != NULL ? step->path : "?");

    return name != NULL ? g_strdup_printf("%s (%s)", name, label) : g_steal_pointer(&label);
}

static bool
is_step_of_row(const FmCdmRow *row, const FmRunStep *step)
{
    return g_ptr_array_find(row->steps, step, NULL);
}

char *
fm_builder_dup_step_name(const FmBuilder *builder, const FmRunStep *step)
{
    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        if (!is_step_of_row(row, step)) {
            continue;
        }
        g_autofree char *name = fm_builder_dup_row_name(builder, row);
        const char *last = strrchr(step->path, '/');
        last = last != NULL ? last + 1 : step->path;
        if (row->n_results < 2 || !g_str_has_prefix(last, "run=")) {
            return g_steal_pointer(&name);
        }
        return g_strdup_printf(fm_say(builder, "%s, run %s"), name, last + strlen("run="));
    }
    return dup_step_label(builder, step);
}

const FmCdmRow *
fm_builder_find_row(const FmBuilder *builder, const char *path)
{
    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        if (strcmp(row->path, path) == 0) {
            return row;
        }
    }
    return NULL;
}

const FmRunStep *
fm_builder_find_step(const FmBuilder *builder, const char *path)
{
    for (guint i = builder->run->steps->len; i > 0; i--) {
        const FmRunStep *step = builder->run->steps->pdata[i - 1];
        if (g_strcmp0(step->path, path) == 0) {
            return step;
        }
    }
    return NULL;
}

unsigned
fm_row_get_ops(const FmCdmRow *row)
{
    unsigned ops = 0;

    for (guint i = 0; i < row->steps->len; i++) {
        const FmRunStep *step = row->steps->pdata[i];
        for (unsigned op = 0; op < FM_N_OPS; op++) {
            ops |= step->ios[op] > 0 ? 1u << op : 0;
        }
    }
    return ops;
}

const char *
fm_op_key(unsigned op)
{
    return op < FM_N_OPS ? fm_op_name((FmOp)op) : "all";
}

bool
fm_builder_parse_row_key(const FmBuilder *builder, const char *key, const FmCdmRow **row,
                         unsigned *op)
{
    const char *last = strrchr(key, '/');

    if (last == NULL) {
        return false;
    }
    for (*op = 0; *op <= FM_N_OPS && strcmp(fm_op_key(*op), last + 1) != 0; (*op)++) {
    }
    g_autofree char *path = g_strndup(key, (gsize)(last - key));
    *row = fm_builder_find_row(builder, path);
    return *op <= FM_N_OPS && *row != NULL;
}

/* --- Figures ----------------------------------------------------------------------- */

/* Numbers of a model, of no drive or of injected faults must never pass for a drive's. */
static char *
dup_watermark(const FmBuilder *builder)
{
    const FmRun *run = builder->run;

    if (g_strcmp0(run->target_kind, "null") == 0) {
        return g_strdup(fm_say(builder, "simulated: no drive"));
    }
    if (g_strcmp0(run->target_kind, "model") == 0) {
        return g_strdup(fm_say(builder, "simulated"));
    }
    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = run->steps->pdata[i];
        if (g_strcmp0(step->backend, "sim") == 0 || g_strcmp0(step->backend, "null") == 0) {
            return g_strdup(fm_say(builder, "simulated"));
        }
        if (g_strcmp0(step->backend, "fault") == 0) {
            return g_strdup(fm_say(builder, "simulated faults"));
        }
    }
    return NULL;
}

/* Knows a run again: the plan's hash and the instant it began. */
static char *
dup_run_id(const FmRun *run)
{
    g_autofree char *plan = fm_text_dup_printable(run->plan_id != NULL ? run->plan_id : "");
    g_autofree char *hash = fm_text_dup_printable(run->plan_hash != NULL ? run->plan_hash : "");

    g_autofree char *start = g_utf8_substring(hash, 0, MIN(g_utf8_strlen(hash, -1), 8));

    return g_strdup_printf("%s@%s/%" G_GINT64_FORMAT, plan, start, run->wall_us);
}

FmFigure *
fm_builder_start(const FmBuilder *builder, const char *id, const char *name)
{
    FmFigure *figure = fm_builder_start_bare(builder, id, name);

    figure->caption = fm_builder_dup_caption(builder);
    return figure;
}

FmFigure *
fm_builder_start_bare(const FmBuilder *builder, const char *id, const char *name)
{
    const char *language = builder->options->language;
    FmFigure *figure = fm_figure_new(id, name, language != NULL ? language : "en");

    figure->run_id = dup_run_id(builder->run);
    figure->watermark = dup_watermark(builder);
    return figure;
}

void
fm_builder_set_title(const FmBuilder *builder, FmFigure *figure, const char *name, char *finding)
{
    g_autofree char *owned = finding;
    bool is_plain = builder->options->is_review || builder->options->is_live || owned == NULL;

    g_free(figure->title);
    figure->title = is_plain ? g_strdup(name) : g_steal_pointer(&owned);
    /* What the title does not name, the subtitle does. */
    if (!is_plain) {
        fm_builder_add_subtitle(figure, g_strdup(name));
    }
}

void
fm_builder_add_subtitle(FmFigure *figure, char *part)
{
    g_autofree char *owned = part;

    if (owned == NULL || *owned == '\0') {
        return;
    }
    char *old = figure->subtitle;
    bool is_first = old == NULL || *old == '\0';
    figure->subtitle = is_first ? g_strdup(owned) : g_strconcat(old, " · ", owned, NULL);
    g_free(old);
}

/* True when @sentence is new; else it is freed. */
static bool
is_new_footnote(const FmFigure *figure, char *sentence)
{
    if (g_ptr_array_find_with_equal_func(figure->footnotes, sentence, g_str_equal, NULL)) {
        g_free(sentence);
        return false;
    }
    return true;
}

void
fm_builder_add_footnote(FmFigure *figure, char *sentence)
{
    if (is_new_footnote(figure, sentence)) {
        unsigned place = figure->footnotes->len - figure->n_remarks;
        g_ptr_array_insert(figure->footnotes, (int)place, sentence);
    }
}

/* About one step.  What is about the whole figure stands before, and is never left out. */
static void
add_remark(FmFigure *figure, char *sentence)
{
    if (is_new_footnote(figure, sentence)) {
        g_ptr_array_add(figure->footnotes, sentence);
        figure->n_remarks++;
    }
}

/* Remarks are many where a whole run was disturbed; that some are left out is said. */
static void
fold_remarks(const FmBuilder *builder, FmFigure *figure)
{
    enum { MAX_FOOTNOTES = 6 };
    unsigned n_others = figure->footnotes->len - figure->n_remarks;
    unsigned most = MAX_FOOTNOTES - MIN(n_others, MAX_FOOTNOTES - 1);

    if (figure->n_remarks <= most) {
        return;
    }
    unsigned n_kept = most - 1;
    unsigned n_left_out = figure->n_remarks - n_kept;
    g_ptr_array_set_size(figure->footnotes, (int)(n_others + n_kept));
    g_ptr_array_add(
        figure->footnotes,
        g_strdup_printf(fm_say(builder, "Remarks on single steps left out here: %u."), n_left_out));
    figure->n_remarks = most;
}

/* What is to be known about some steps of one name, each said once. */
typedef struct {
    uint64_t errors;
    int64_t foreign_bytes;
    bool is_host_limited;
    bool is_buffered;
} Remarks;

static void
gather_remarks(Remarks *remarks, const FmRunStep *step)
{
    remarks->errors += step->errors;
    remarks->is_host_limited = remarks->is_host_limited || step->host_limited;
    if (step->is_disturbed && step->foreign_bytes > 0) {
        remarks->foreign_bytes += MIN(step->foreign_bytes, INT64_MAX / 65536);
    }
    for (unsigned i = 0; i < step->n_streams; i++) {
        remarks->is_buffered = remarks->is_buffered || step->streams[i].buffered;
    }
}

static void
add_remarks(const FmBuilder *builder, FmFigure *figure, const char *name, const Remarks *remarks)
{
    if (remarks->errors > 0) {
        g_autofree char *n = fm_say_count(remarks->errors);
        add_remark(figure,
                   g_strdup_printf(fm_say(builder, "%s: %s I/Os failed; they count as no result."),
                                   name, n));
    }
    if (remarks->is_host_limited) {
        add_remark(figure,
                   g_strdup_printf(
                       fm_say(builder, "%s: limited by the computer, not by the drive."), name));
    }
    if (remarks->is_buffered) {
        add_remark(figure, g_strdup_printf(
                               fm_say(builder, "%s: written through the system's cache."), name));
    }
    if (remarks->foreign_bytes > 0) {
        g_autofree char *amount = fm_label_dup_capacity((uint64_t)remarks->foreign_bytes, true);
        add_remark(figure,
                   g_strdup_printf(fm_say(builder, "%s: disturbed; others moved %s over the drive "
                                                   "meanwhile."),
                                   name, amount));
    }
}

void
fm_builder_note_step(const FmBuilder *builder, FmFigure *figure, const FmRunStep *step)
{
    g_autofree char *name = fm_builder_dup_step_name(builder, step);
    Remarks remarks = {0};

    gather_remarks(&remarks, step);
    add_remarks(builder, figure, name, &remarks);
}

void
fm_builder_note_row(const FmBuilder *builder, FmFigure *figure, const FmCdmRow *row)
{
    g_autofree char *name = fm_builder_dup_row_name(builder, row);
    Remarks remarks = {0};

    /* Where there is no result at all, its place in the figure has the reason. */
    if (row->problem != NULL && row->n_results > 0) {
        g_autofree char *problem = fm_builder_dup_message(builder, row->problem);
        const char *end = g_str_has_suffix(problem, ".") ? "" : ".";
        add_remark(figure, g_strdup_printf("%s: %s%s", name, problem, end));
    }
    for (guint i = 0; i < row->steps->len; i++) {
        gather_remarks(&remarks, row->steps->pdata[i]);
    }
    add_remarks(builder, figure, name, &remarks);
}

char *
fm_builder_dup_runs_of(const FmBuilder *builder, unsigned n_least, unsigned n_most,
                       int64_t measured_ns)
{
    g_autofree char *length = fm_say_duration(builder, round((double)measured_ns / 1e8) / 10);

    if (n_most <= 1) {
        return g_strdup_printf(fm_say(builder, "single run of %s"), length);
    }
    g_autofree char *runs = fm_builder_dup_runs(builder, n_least, n_most);
    return g_strdup_printf(fm_say(builder, "%s of %s"), runs, length);
}

char *
fm_builder_dup_runs(const FmBuilder *builder, unsigned n_least, unsigned n_most)
{
    if (n_most <= 1) {
        return g_strdup(fm_say(builder, "single run"));
    }
    return n_least == n_most
               ? g_strdup_printf(fm_say(builder, "n = %u runs"), n_most)
               : g_strdup_printf(fm_say(builder, "n = %u to %u runs"), n_least, n_most);
}

/* What holds for all figures of a run. */
static void
note_run(const FmBuilder *builder, FmFigure *figure)
{
    const FmRun *run = builder->run;

    if (g_strcmp0(run->verdict, "may-be-cached") == 0) {
        fm_builder_add_footnote(
            figure, g_strdup(fm_say(builder, "Something before the drive may have kept data: these "
                                             "may be the numbers of a cache.")));
    }
    if (g_strcmp0(run->verdict, "memory") == 0) {
        fm_builder_add_footnote(figure,
                                g_strdup(fm_say(builder, "The target is memory, not a drive.")));
    }
    if (builder->options->is_live) {
        return;
    }
    if (!run->ended) {
        fm_builder_add_footnote(
            figure, g_strdup(fm_say(builder, "The run has no end: it goes on or was cut off.")));
    } else if (g_strcmp0(run->outcome, "complete") != 0) {
        fm_builder_add_footnote(
            figure,
            g_strdup(fm_say(builder, "The run did not end as planned: what is shown is what was "
                                     "measured until then.")));
    }
    if (run->damaged) {
        fm_builder_add_footnote(
            figure, g_strdup(fm_say(builder, "A part of the run file could not be read.")));
    }
}

FmFigure *
fm_builder_finish(const FmBuilder *builder, FmFigure *figure)
{
    note_run(builder, figure);
    fold_remarks(builder, figure);
    g_autofree char *broken = fm_figure_check(figure);
    if (broken != NULL) {
        g_warning("Figure %s breaks a law: %s", figure->id, broken);
    }
    return figure;
}
