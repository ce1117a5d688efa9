/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T13, percentiles of every workload at QD1 (METHODOLOGY 14; microseconds with two decimals, as
 * the old reviews had them).
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/error.h"
#include "base/label.h"

#include <math.h>

static const FmPercentileIndex shown[] = {FM_P50, FM_P90, FM_P99, FM_P99_9, FM_P99_99, FM_P99_999};

enum { LEAST_SHOWN = 3 }; /* percentiles that have a column in any case */

static const char *
say_name(const FmBuilder *builder)
{
    return fm_say(builder, "Latency percentiles at QD1");
}

/* Rows of one name differ in nothing a table could show: the one with the most I/Os stands for
 * them, since its tail is known best. */
static double
count_ios(const FmCdmRow *row)
{
    double n = 0;

    for (guint i = 0; i < row->steps->len; i++) {
        const FmRunStep *step = row->steps->pdata[i];
        for (unsigned op = 0; op < FM_N_OPS; op++) {
            n += (double)step->ios[op];
        }
    }
    return n;
}

static bool
is_alike(const FmCdmRow *a, const FmCdmRow *b)
{
    return a->block == b->block && a->read_share == b->read_share && a->is_random == b->is_random;
}

/* Of const FmCdmRow, in table order. */
static GPtrArray *
choose_rows(const FmBuilder *builder)
{
    enum { MAX_ROWS = 16 };
    GPtrArray *rows = g_ptr_array_new();

    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        if (fm_row_get_depth(row) != 1 || row->n_results == 0 || row->block == 0) {
            continue;
        }
        guint at = 0;
        while (at < rows->len && !is_alike(rows->pdata[at], row)) {
            at++;
        }
        if (at == rows->len && rows->len < MAX_ROWS) {
            g_ptr_array_add(rows, (gpointer)row);
        } else if (at < rows->len && count_ios(row) > count_ios(rows->pdata[at])) {
            rows->pdata[at] = (gpointer)row;
        }
    }
    return rows;
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    g_autoptr(GPtrArray) rows = choose_rows(builder);

    if (rows->len > 0) {
        fm_builder_add_entry(entries, g_strdup("T13"), g_strdup(say_name(builder)), false);
    }
}

/* --- Building ---------------------------------------------------------------------- */

static void
add_column(FmTable *table, const char *title, const char *unit, bool is_text)
{
    fm_table_add_column(table,
                        (FmColumn){.title = g_strdup(title),
                                   .unit = g_strdup(unit),
                                   .value_unit = unit != NULL ? FM_UNIT_SECONDS : FM_UNIT_NUMBER,
                                   .is_text = is_text});
}

static char *
dup_microseconds(const FmBuilder *builder, double ns)
{
    if (builder->options->is_review) {
        return g_strdup_printf("%" G_GUINT64_FORMAT,
                               fm_label_latency_us((uint64_t)ns, FM_LABEL_REVIEW));
    }
    return fm_label_dup_decimal(ns / 1000, 2);
}

static FmPercentiles
get_latency(const FmCdmRow *row)
{
    g_auto(FmLatencyPool) pool = {0};

    fm_cdm_row_get_latency(row, FM_N_OPS, &pool);
    return fm_latency_pool_get_percentiles(&pool);
}

/* How many of the displayed percentiles any row has samples for. */
static gsize
count_columns(const FmBuilder *builder, const FmPercentiles *latencies, guint n_rows)
{
    gsize n = builder->options->is_review ? G_N_ELEMENTS(shown) : LEAST_SHOWN;

    for (guint i = 0; i < n_rows; i++) {
        while (n < G_N_ELEMENTS(shown) && latencies[i].n > 0 &&
               latencies[i].values[shown[n]].is_sufficient) {
            n++;
        }
    }
    return n;
}

/* Returns whether all percentiles have enough samples. */
static bool
add_row(const FmBuilder *builder, FmTable *table, const FmCdmRow *row, const FmPercentiles *given)
{
    FmPercentiles latency = *given;
    gsize n_shown = table->columns->len - 3;
    bool is_enough = true;

    fm_table_add_cell(table, NAN, fm_builder_dup_workload(builder, row));
    fm_table_add_cell(table, (double)latency.n, fm_say_count(latency.n));
    for (gsize i = 0; i < n_shown; i++) {
        const FmPercentile *percentile = &latency.values[shown[i]];
        bool is_shown = latency.n > 0 && (percentile->is_sufficient || builder->options->is_review);
        FmCell *cell =
            fm_table_add_cell(table, is_shown ? (double)percentile->ns / 1e9 : NAN,
                              is_shown ? dup_microseconds(builder, (double)percentile->ns) : NULL);
        cell->is_doubtful = is_shown && !percentile->is_sufficient;
        is_enough = is_enough && percentile->is_sufficient;
    }
    fm_table_add_cell(table, (double)latency.max_ns / 1e9,
                      latency.n > 0 ? fm_label_dup_decimal((double)latency.max_ns / 1000, 2)
                                    : NULL);
    return is_enough;
}

/* "P99.9 from 17.9 µs (RND 4k Write) to 84 µs (RND 4k Read)" would be two findings; the first is
 * what a reader looks for: the read that everything waits for. */
static char *
dup_finding(const FmBuilder *builder, const GPtrArray *rows)
{
    for (guint i = 0; i < rows->len; i++) {
        const FmCdmRow *row = rows->pdata[i];
        if (!row->is_random || row->group != FM_CDM_READ || row->block != 4096) {
            continue;
        }
        FmPercentiles latency = get_latency(row);
        const FmPercentile *tail = &latency.values[FM_P99_9];
        if (latency.n == 0 || !tail->is_sufficient) {
            return NULL;
        }
        g_autofree char *typical = fm_say_latency(builder, (double)latency.values[FM_P50].ns);
        g_autofree char *late = fm_say_latency(builder, (double)tail->ns);
        return g_strdup_printf(fm_say(builder, "A 4k read takes %s, one in a thousand over %s"),
                               typical, late);
    }
    return NULL;
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    g_autoptr(GPtrArray) rows = choose_rows(builder);
    bool is_enough = true;

    if (rows->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Table T13 needs a step at QD1, and this run has none");
        return NULL;
    }
    g_autofree FmPercentiles *latencies = g_new0(FmPercentiles, rows->len);
    for (guint i = 0; i < rows->len; i++) {
        latencies[i] = get_latency(rows->pdata[i]);
    }
    gsize n_shown = count_columns(builder, latencies, rows->len);
    FmFigure *figure = fm_builder_start(builder, "T13", "percentiles");
    figure->shape = FM_SHAPE_TABLE;
    fm_builder_set_title(builder, figure, say_name(builder), dup_finding(builder, rows));
    fm_builder_add_subtitle(figure,
                            g_strdup(fm_say(builder, "every I/O, queued to reaped, in µs")));

    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_column(table, fm_say(builder, "Workload"), NULL, true);
    add_column(table, "n", NULL, false);
    for (gsize i = 0; i < n_shown; i++) {
        add_column(table, fm_percentile_name(shown[i]), "µs", false);
    }
    add_column(table, fm_say(builder, "max"), "µs", false);
    for (guint i = 0; i < rows->len; i++) {
        is_enough = add_row(builder, table, rows->pdata[i], &latencies[i]) && is_enough;
        fm_builder_note_row(builder, figure, rows->pdata[i]);
    }
    if (!is_enough) {
        fm_builder_add_footnote(
            figure, g_strdup(builder->options->is_review
                                 ? fm_say(builder, "In brackets: fewer than ten I/Os lie beyond.")
                                 : fm_say(builder, "–: too few samples; fewer than ten I/Os lie "
                                                   "beyond that percentile.")));
    }
    figure->alt_text = g_strdup(fm_say(builder, "A table of latency percentiles by workload."));
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_percentile_table = {.prefix = "T13", .list = list, .build = build};
