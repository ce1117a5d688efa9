/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The displayed percentiles of one row as dots on stems: the form for articles, whose readers do
 * not know scales of nines (DESIGN 5.5.8).
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/error.h"

#include <math.h>

static char *
dup_name(const FmBuilder *builder, const FmCdmRow *row, unsigned op)
{
    g_autofree char *name = fm_builder_dup_row_name(builder, row);

    if (op == FM_N_OPS || row->group != FM_CDM_MIX) {
        return g_strdup_printf(fm_say(builder, "Latency percentiles, %s"), name);
    }
    g_autofree char *both = g_strdup_printf("%s, %s", name, fm_say_op(builder, op));
    return g_strdup_printf(fm_say(builder, "Latency percentiles, %s"), both);
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        unsigned ops = fm_row_get_ops(row);
        /* One entry a row: of a mix the combined population, which is its statistic. */
        bool is_mixed = (ops & (ops - 1)) != 0;
        unsigned op = is_mixed ? FM_N_OPS : (unsigned)g_bit_nth_lsf(ops, -1);
        if (ops != 0) {
            fm_builder_add_entry(entries, g_strdup_printf("stems:%s/%s", row->path, fm_op_key(op)),
                                 dup_name(builder, row, op), true);
        }
    }
}

/* --- Building ---------------------------------------------------------------------- */

/* Percentiles with enough samples, and the maximum. */
static unsigned
count_places(const FmBuilder *builder, const FmPercentiles *latency)
{
    unsigned n = 0;

    while (n < FM_P99_99999 && (latency->values[n].is_sufficient ||
                                (builder->options->is_review && n <= FM_P99_9999))) {
        n++;
    }
    return n;
}

static void
fill(const FmBuilder *builder, FmPanel *panel, const FmPercentiles *latency, FmRole role)
{
    unsigned n = count_places(builder, latency);
    GStrvBuilder *names = g_strv_builder_new();
    FmSeries *series = fm_panel_add_series(panel, NULL, role, FM_MARK_STEM);

    for (unsigned i = 0; i <= n; i++) {
        bool is_max = i == n;
        double ns = (double)(is_max ? latency->max_ns : latency->values[i].ns);
        g_strv_builder_add(names, is_max ? fm_say(builder, "max")
                                         : fm_percentile_name((FmPercentileIndex)i));
        FmPoint *point = fm_series_add(series, i, MAX(ns, 1) / 1e9);
        point->label = fm_say_latency(builder, ns);
        point->is_doubtful = is_max || !latency->values[i].is_sufficient;
    }
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = g_strv_builder_end(names);
    g_strv_builder_unref(names);
    fm_axis_set(&panel->y, fm_say(builder, "Latency"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
}

/* "The slowest in 1,000 take 12 times the median". */
static char *
dup_finding(const FmBuilder *builder, const FmPercentiles *latency)
{
    const FmPercentile *tail = &latency->values[FM_P99_9];
    double median = (double)latency->values[FM_P50].ns;

    if (!tail->is_sufficient || median <= 0) {
        return NULL;
    }
    double ratio = (double)tail->ns / median;
    g_autofree char *number = g_strdup_printf(ratio < 10 ? "%.1f" : "%.0f", ratio);
    g_autofree char *typical = fm_say_latency(builder, median);
    return g_strdup_printf(fm_say(builder, "Half within %s; one in a thousand takes %s times that"),
                           typical, number);
}

static char *
dup_alt_text(const FmBuilder *builder, const char *name, const FmPercentiles *latency)
{
    GString *text = g_string_new(name);

    g_string_append_c(text, '.');
    for (unsigned i = 0; i < count_places(builder, latency); i++) {
        g_autofree char *time = fm_say_latency(builder, (double)latency->values[i].ns);
        g_string_append_printf(text, " %s: %s.", fm_percentile_name((FmPercentileIndex)i), time);
    }
    return g_string_free(text, FALSE);
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    const FmCdmRow *row;
    unsigned op;
    g_auto(FmLatencyPool) pool = {0};

    if (!fm_builder_parse_row_key(builder, key, &row, &op)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no row “%s” in this run; a row is the path of a step without its "
                     "repetition, and /read, /write or /all",
                     key);
        return NULL;
    }
    fm_cdm_row_get_latency(row, op, &pool);
    FmPercentiles latency = fm_latency_pool_get_percentiles(&pool);
    if (latency.n == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED, "Nothing was measured of “%s” in this run", key);
        return NULL;
    }
    g_autofree char *id = g_strdup_printf("stems:%s", key);
    g_autofree char *name = dup_name(builder, row, op);
    g_autofree char *n = fm_say_count(latency.n);
    bool is_write = op == FM_OP_WRITE || row->group == FM_CDM_WRITE;
    FmFigure *figure = fm_builder_start(builder, id, "percentiles");
    fm_builder_set_title(builder, figure, name, dup_finding(builder, &latency));
    fm_builder_add_subtitle(figure,
                            g_strdup(fm_say(builder, "every I/O, queued to reaped, log scale")));
    fm_builder_add_subtitle(figure, g_strdup_printf("n = %s", n));
    fill(builder, fm_figure_add_panel(figure, NULL), &latency,
         is_write ? FM_ROLE_WRITE : FM_ROLE_READ);
    fm_builder_note_row(builder, figure, row);
    figure->alt_text = dup_alt_text(builder, name, &latency);
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_percentile_stems = {.prefix = "stems", .list = list, .build = build};
