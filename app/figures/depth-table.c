/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T11, one workload by queue depth: rate, the displayed percentiles and consistency of every
 * depth that a sweep went through (METHODOLOGY 14, 2.5).
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "analysis/stats.h"
#include "base/error.h"
#include "base/label.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

#define DEPTH_PART "in-flight="

/* Rows that differ in nothing but their depth. */
typedef struct {
    char *path; /* without the depth */
    GPtrArray *rows; /* of const FmCdmRow, as they ran */
} Sweep;

static void
sweep_free(gpointer data)
{
    Sweep *sweep = data;

    g_free(sweep->path);
    g_ptr_array_unref(sweep->rows);
    g_free(sweep);
}

/* @path without its depth; NULL when it has none. */
static char *
dup_sweep_path(const char *path)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);
    GString *out = g_string_new(NULL);
    bool is_swept = false;

    for (char **part = parts; *part != NULL; part++) {
        if (g_str_has_prefix(*part, DEPTH_PART)) {
            is_swept = true;
            continue;
        }
        g_string_append_printf(out, "%s%s", out->len > 0 ? "/" : "", *part);
    }
    char *text = g_string_free(out, FALSE);
    if (!is_swept) {
        g_clear_pointer(&text, g_free);
    }
    return text;
}

static Sweep *
find_sweep(GPtrArray *sweeps, const char *path)
{
    for (guint i = 0; i < sweeps->len; i++) {
        Sweep *sweep = sweeps->pdata[i];
        if (strcmp(sweep->path, path) == 0) {
            return sweep;
        }
    }
    return NULL;
}

/* Of Sweep: all workloads that were measured at two depths or more. */
static GPtrArray *
collect_sweeps(const FmBuilder *builder)
{
    GPtrArray *sweeps = g_ptr_array_new_with_free_func(sweep_free);

    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        g_autofree char *path = dup_sweep_path(row->path);
        if (path == NULL) {
            continue;
        }
        Sweep *sweep = find_sweep(sweeps, path);
        if (sweep == NULL) {
            sweep = g_new(Sweep, 1);
            *sweep = (Sweep){g_steal_pointer(&path), g_ptr_array_new()};
            g_ptr_array_add(sweeps, sweep);
        }
        g_ptr_array_add(sweep->rows, (gpointer)row);
    }
    for (guint i = sweeps->len; i > 0; i--) {
        if (((const Sweep *)sweeps->pdata[i - 1])->rows->len < 2) {
            g_ptr_array_remove_index(sweeps, i - 1);
        }
    }
    return sweeps;
}

static char *
dup_name(const FmBuilder *builder, const Sweep *sweep)
{
    g_autofree char *workload = fm_builder_dup_workload(builder, sweep->rows->pdata[0]);

    return g_strdup_printf(fm_say(builder, "%s by queue depth"), workload);
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    /* A grid of depths and mixes has a table for each mix: those are details. */
    enum { MANY = 8 };
    g_autoptr(GPtrArray) sweeps = collect_sweeps(builder);

    for (guint i = 0; i < sweeps->len; i++) {
        const Sweep *sweep = sweeps->pdata[i];
        bool is_detail = sweeps->len > MANY && sweep->rows->len < 4;
        fm_builder_add_entry(entries, g_strdup_printf("T11:%s", sweep->path),
                             dup_name(builder, sweep), is_detail);
    }
}

/* --- Numbers ----------------------------------------------------------------------- */

/* What comes from no bin: means and the slowest I/O. */
static char *
dup_exact_microseconds(double ns)
{
    double us = ns / 1000;

    return us < 10000 ? fm_label_dup_decimal(us, us < 1000 ? 2 : 1)
                      : fm_label_dup_grouped((uint64_t)(us + 0.5));
}

static char *
dup_microseconds(const FmBuilder *builder, double ns)
{
    if (builder->options->is_review && isfinite(ns)) {
        return fm_label_dup_grouped(fm_label_latency_us((uint64_t)(ns + 0.5), FM_LABEL_REVIEW));
    }
    return dup_exact_microseconds(ns);
}

/* Rates of all slots of all repetitions. */
static GArray *
collect_samples(const FmCdmRow *row)
{
    GArray *all = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < row->steps->len; i++) {
        const FmRunStep *step = row->steps->pdata[i];
        g_autoptr(GArray) samples = fm_stats_new_series(
            step->ticks, fm_row_is_iops(row) ? FM_STATS_SERIES_IOPS : FM_STATS_SERIES_BYTES);
        g_array_append_vals(all, samples->data, samples->len);
    }
    return all;
}

/* What the table learns while it is filled. */
typedef struct {
    bool has_too_few; /* samples for a percentile */
    gsize least_slots; /* of all consistencies */
    GString *others; /* consistencies by the other rule, where they differ */
} Findings;

static void
add_consistency(const FmBuilder *builder, FmTable *table, const FmCdmRow *row, Findings *findings)
{
    g_autoptr(GArray) samples = collect_samples(row);

    if (row->is_random && fm_row_get_depth(row) == 1) {
        FmCell *cell = fm_table_add_cell(table, NAN, NULL);
        cell->reason = g_strdup(fm_say(builder, "Random I/O at QD1 has no consistency here: its "
                                                "tail latency tells more."));
        return;
    }
    if (samples->len == 0) {
        fm_table_add_cell(table, NAN, NULL);
        return;
    }
    FmStatsBoth both =
        fm_stats_consistency((const double *)(gconstpointer)samples->data, samples->len);
    double shown = builder->options->is_review ? both.dropped : both.kept;
    fm_table_add_cell(table, shown / 100, fm_label_dup_decimal(shown, 1));
    findings->least_slots = MIN(findings->least_slots, samples->len);
    if (fabs(both.kept - both.dropped) >= 0.05) {
        double other = builder->options->is_review ? both.kept : both.dropped;
        g_autofree char *number = fm_label_dup_decimal(other, 1);
        g_string_append_printf(findings->others, "%sQD%u %s %%",
                               findings->others->len > 0 ? ", " : "", fm_row_get_depth(row),
                               number);
    }
}

/* --- The table --------------------------------------------------------------------- */

/* The highest percentile that any depth has samples for. */
static int
find_last_percentile(const FmPercentiles *latencies, gsize n)
{
    int last = FM_P99;

    for (gsize i = 0; i < n; i++) {
        for (int k = FM_P99; k < FM_P99_99999; k++) {
            if (latencies[i].n > 0 && latencies[i].values[k].is_sufficient) {
                last = MAX(last, k);
            }
        }
    }
    return last;
}

static void
add_column(FmTable *table, const char *title, const char *unit, FmUnit value_unit)
{
    fm_table_add_column(
        table,
        (FmColumn){.title = g_strdup(title), .unit = g_strdup(unit), .value_unit = value_unit});
}

static void
add_columns(const FmBuilder *builder, FmTable *table, int last)
{
    add_column(table, "QD", NULL, FM_UNIT_NUMBER);
    add_column(table, fm_say(builder, "Throughput"), "MB/s", FM_UNIT_BYTES_PER_SECOND);
    add_column(table, "IOPS", NULL, FM_UNIT_IOPS);
    add_column(table, "P50", "µs", FM_UNIT_SECONDS);
    add_column(table, fm_say(builder, "mean"), "µs", FM_UNIT_SECONDS);
    for (int i = FM_P99; i <= last; i++) {
        add_column(table, fm_percentile_name((FmPercentileIndex)i), "µs", FM_UNIT_SECONDS);
    }
    add_column(table, fm_say(builder, "max"), "µs", FM_UNIT_SECONDS);
    add_column(table, fm_say(builder, "Consistency"), "%", FM_UNIT_SHARE);
}

static void
add_percentile(const FmBuilder *builder, FmTable *table, const FmPercentile *percentile,
               Findings *findings)
{
    bool is_shown = percentile->is_sufficient || builder->options->is_review;
    char *text = is_shown ? dup_microseconds(builder, (double)percentile->ns) : NULL;
    FmCell *cell = fm_table_add_cell(table, is_shown ? (double)percentile->ns / 1e9 : NAN, text);

    cell->is_doubtful = is_shown && !percentile->is_sufficient;
    findings->has_too_few = findings->has_too_few || !percentile->is_sufficient;
}

static void
add_row(const FmBuilder *builder, FmTable *table, const FmCdmRow *row, const FmPercentiles *latency,
        Findings *findings)
{
    unsigned depth = fm_row_get_depth(row);
    unsigned n_percentiles = table->columns->len - 7;

    fm_table_add_cell(table, depth, g_strdup_printf("%u", depth));
    if (row->n_results == 0 || latency->n == 0) {
        for (guint i = 1; i < table->columns->len; i++) {
            FmCell *cell = fm_table_add_cell(table, NAN, NULL);
            cell->reason = i == 1 && row->problem != NULL
                               ? fm_builder_dup_message(builder, row->problem)
                               : NULL;
        }
        return;
    }
    FmCell *rate = fm_table_add_cell(table, row->score.median,
                                     fm_label_dup_decimal(row->score.median / 1e6, 1));
    if (row->n_results > 1) {
        rate->lo = row->score.min;
        rate->hi = row->score.max;
    }
    double iops = row->block > 0 ? row->score.median / row->block : NAN;
    fm_table_add_cell(table, iops,
                      isfinite(iops) ? fm_label_dup_grouped((uint64_t)(iops + 0.5)) : NULL);
    add_percentile(builder, table, &latency->values[FM_P50], findings);
    fm_table_add_cell(table, latency->mean_ns / 1e9, dup_exact_microseconds(latency->mean_ns));
    for (unsigned i = 0; i < n_percentiles; i++) {
        add_percentile(builder, table, &latency->values[FM_P99 + i], findings);
    }
    fm_table_add_cell(table, (double)latency->max_ns / 1e9,
                      dup_exact_microseconds((double)latency->max_ns));
    add_consistency(builder, table, row, findings);
}

/* --- What it tells ----------------------------------------------------------------- */

/* "7,000 MB/s from QD8 on", "900k IOPS at QD64, and still rising". */
static char *
dup_finding(const FmBuilder *builder, const Sweep *sweep)
{
    gsize n = sweep->rows->len;
    g_autofree unsigned *depths = g_new(unsigned, n);
    g_autofree double *rates = g_new(double, n);
    gsize n_good = 0;
    gsize best = 0;
    const FmCdmRow *first = sweep->rows->pdata[0];

    for (gsize i = 0; i < n; i++) {
        const FmCdmRow *row = sweep->rows->pdata[i];
        if (row->n_results == 0) {
            continue;
        }
        depths[n_good] = fm_row_get_depth(row);
        rates[n_good] = row->score.median;
        best = rates[n_good] > rates[best] ? n_good : best;
        n_good++;
    }
    if (n_good < 2) {
        return NULL;
    }
    bool is_iops = fm_row_is_iops(first) && first->block > 0;
    g_autofree char *most = is_iops ? fm_say_iops(builder, rates[best] / first->block)
                                    : fm_say_rate(builder, rates[best]);
    unsigned saturation = fm_stats_saturation(depths, rates, n_good);
    unsigned deepest = 0;
    bool stays = true;
    for (gsize i = 0; i < n_good; i++) {
        deepest = MAX(deepest, depths[i]);
        stays = stays && (depths[i] < saturation || rates[i] >= 0.97 * rates[best]);
    }
    if (saturation == deepest) {
        return g_strdup_printf(fm_say(builder, "%s at QD%u, and still rising"), most, saturation);
    }
    return stays ? g_strdup_printf(fm_say(builder, "%s from QD%u on"), most, saturation)
                 : g_strdup_printf(fm_say(builder, "%s at QD%u, less beyond"), most, depths[best]);
}

static void
add_notes(const FmBuilder *builder, FmFigure *figure, const Sweep *sweep, const Findings *findings)
{
    for (guint i = 0; i < sweep->rows->len; i++) {
        fm_builder_note_row(builder, figure, sweep->rows->pdata[i]);
    }
    if (findings->has_too_few) {
        const char *text = builder->options->is_review
                               ? fm_say(builder, "In brackets: fewer than ten I/Os lie beyond.")
                               : fm_say(builder, "–: too few samples; fewer than ten I/Os lie "
                                                 "beyond that percentile.");
        fm_builder_add_footnote(figure, g_strdup(text));
    }
    if (findings->least_slots < FM_STATS_CONSISTENCY_MIN) {
        fm_builder_add_footnote(
            figure,
            g_strdup_printf(fm_say(builder, "Consistency is min/avg here: %u slots of 100 ms, "
                                            "where %d make a 99.9th percentile."),
                            (unsigned)findings->least_slots, (int)FM_STATS_CONSISTENCY_MIN));
    }
}

/* Both rules for slots in which nothing completed are named (METHODOLOGY 19.1.19). */
static void
add_other_rule(const FmBuilder *builder, FmFigure *figure, const GString *others)
{
    if (others->len > 0) {
        fm_builder_add_footnote(
            figure,
            g_strdup_printf(builder->options->is_review
                                ? fm_say(builder, "Consistency leaves out slots in which nothing "
                                                  "completed; with them it is %s.")
                                : fm_say(builder, "Consistency counts slots in which nothing "
                                                  "completed; without them it is %s."),
                            others->str));
    }
}

static char *
dup_alt_text(const FmBuilder *builder, const Sweep *sweep)
{
    g_autofree char *name = dup_name(builder, sweep);
    GString *text = g_string_new(NULL);

    g_string_append_printf(text, fm_say(builder, "A table: %s."), name);
    for (guint i = 0; i < sweep->rows->len; i++) {
        const FmCdmRow *row = sweep->rows->pdata[i];
        if (row->n_results == 0) {
            continue;
        }
        g_autofree char *rate = fm_say_rate(builder, row->score.median);
        g_string_append_printf(text, " QD%u: %s.", fm_row_get_depth(row), rate);
    }
    return g_string_free(text, FALSE);
}

static void
add_subtitle(const FmBuilder *builder, FmFigure *figure, const Sweep *sweep)
{
    const FmCdmRow *first = sweep->rows->pdata[0];
    unsigned least = G_MAXUINT;
    unsigned most = 0;

    fm_builder_add_subtitle(figure, g_strdup(fm_say(builder, "latency in µs")));
    for (guint i = 0; i < sweep->rows->len; i++) {
        const FmCdmRow *row = sweep->rows->pdata[i];
        least = MIN(least, row->n_results);
        most = MAX(most, row->n_results);
    }
    const FmRunStep *step = first->steps->len > 0 ? first->steps->pdata[0] : NULL;
    fm_builder_add_subtitle(
        figure, step != NULL ? fm_builder_dup_runs_of(builder, least, most, step->measured_ns)
                             : fm_builder_dup_runs(builder, least, most));
}

static FmFigure *
build_sweep(const FmBuilder *builder, const Sweep *sweep)
{
    guint n = sweep->rows->len;
    g_autofree FmPercentiles *latencies = g_new0(FmPercentiles, n);
    g_autofree char *id = g_strdup_printf("T11:%s", sweep->path);
    g_autofree char *name = dup_name(builder, sweep);
    g_autoptr(GString) others = g_string_new(NULL);
    Findings findings = {.least_slots = G_MAXSIZE, .others = others};

    for (guint i = 0; i < n; i++) {
        g_auto(FmLatencyPool) pool = {0};
        fm_cdm_row_get_latency(sweep->rows->pdata[i], FM_N_OPS, &pool);
        latencies[i] = fm_latency_pool_get_percentiles(&pool);
    }
    FmFigure *figure = fm_builder_start(builder, id, "queue-depth");
    figure->shape = FM_SHAPE_TABLE;
    fm_builder_set_title(builder, figure, name, dup_finding(builder, sweep));
    add_subtitle(builder, figure, sweep);
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_columns(builder, table, find_last_percentile(latencies, n));
    for (guint i = 0; i < n; i++) {
        add_row(builder, table, sweep->rows->pdata[i], &latencies[i], &findings);
    }
    add_notes(builder, figure, sweep, &findings);
    add_other_rule(builder, figure, others);
    figure->alt_text = dup_alt_text(builder, sweep);
    return fm_builder_finish(builder, figure);
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    g_autoptr(GPtrArray) sweeps = collect_sweeps(builder);
    const Sweep *sweep = *key != '\0'       ? find_sweep(sweeps, key)
                         : sweeps->len == 1 ? sweeps->pdata[0]
                                            : NULL;

    if (sweeps->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Table T11 needs a workload at several queue depths, and this run has none");
        return NULL;
    }
    if (sweep == NULL) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no workload “%s” by queue depth in this run; there is “T11:%s”", key,
                     ((const Sweep *)sweeps->pdata[0])->path);
        return NULL;
    }
    return build_sweep(builder, sweep);
}

const FmFigureKind fm_figure_depth_table = {.prefix = "T11", .list = list, .build = build};
