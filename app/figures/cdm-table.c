/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * T8, the CrystalDiskMark-style result table (METHODOLOGY 8, DESIGN 5.5.1): the best of the
 * repetitions large, as that program scores; what it hides, small and as a whisker.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/cdm-rows.h"

#include "base/error.h"
#include "base/label.h"
#include "base/text.h"

#include <math.h>

static const char *
say_name(const FmBuilder *builder)
{
    return fm_say(builder, "CrystalDiskMark-style result");
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    g_autoptr(GArray) pairs = fm_cdm_pairs_new(builder);

    if (pairs->len > 0) {
        fm_builder_add_entry(entries, g_strdup("T8"), g_strdup(say_name(builder)), false);
    }
}

/* "6,676 IOPS · 1198.20 µs · median 6999.87". */
static char *
dup_detail(const FmBuilder *builder, const FmCdmRow *row)
{
    g_autofree char *latency = fm_label_dup_microseconds(row->score.lowest_mean_ns, 2);
    g_autofree char *iops = isfinite(row->score.best_iops)
                                ? fm_label_dup_grouped((uint64_t)(row->score.best_iops + 0.5))
                                : g_strdup(FM_LABEL_UNKNOWN);
    if (row->n_results < 2) {
        return g_strdup_printf("%s IOPS · %s", iops, latency);
    }
    g_autofree char *median = fm_label_dup_cdm(row->score.median, FM_CDM_PANEL_MB);
    return g_strdup_printf(fm_say(builder, "%s IOPS · %s · median %s"), iops, latency, median);
}

static void
add_cell(const FmBuilder *builder, FmTable *table, const FmCdmRow *row)
{
    if (row == NULL || row->n_results == 0) {
        FmCell *cell = fm_table_add_cell(table, NAN, NULL);
        if (row != NULL && row->problem != NULL) {
            cell->reason = fm_builder_dup_message(builder, row->problem);
        }
        return;
    }
    char *text = fm_label_dup_cdm(row->score.best, FM_CDM_PANEL_MB);
    FmCell *cell = fm_table_add_cell(table, row->score.best, text);
    cell->detail = dup_detail(builder, row);
    if (row->n_results > 1) {
        cell->lo = row->score.min;
        cell->hi = row->score.max;
    }
}

static void
fill_table(const FmBuilder *builder, FmTable *table, const GArray *pairs)
{
    bool has_mix = fm_cdm_pairs_have(pairs, FM_CDM_MIX);
    FmColumn columns[] = {
        {.title = g_strdup(fm_say(builder, "Test")), .is_text = true},
        {.title = g_strdup(fm_say(builder, "Read")), .has_bar = true, .role = FM_ROLE_READ},
        {.title = g_strdup(fm_say(builder, "Write")), .has_bar = true, .role = FM_ROLE_WRITE},
        {.title = g_strdup(fm_say(builder, "Mix")), .has_bar = true, .role = FM_ROLE_MUTED},
    };
    static const FmCdmGroup groups[] = {FM_CDM_READ, FM_CDM_READ, FM_CDM_WRITE, FM_CDM_MIX};

    for (guint i = 0; i < G_N_ELEMENTS(columns); i++) {
        if (i > 0 && !fm_cdm_pairs_have(pairs, groups[i])) {
            g_free(columns[i].title);
            continue;
        }
        columns[i].unit = i > 0 ? g_strdup("MB/s") : NULL;
        columns[i].value_unit = i > 0 ? FM_UNIT_BYTES_PER_SECOND : FM_UNIT_NUMBER;
        fm_table_add_column(table, columns[i]);
    }
    for (guint i = 0; i < pairs->len; i++) {
        const FmCdmPair *pair = &g_array_index(pairs, FmCdmPair, i);
        fm_table_add_cell(table, NAN, g_strdup(pair->name));
        for (guint k = FM_CDM_READ; k <= (has_mix ? FM_CDM_MIX : FM_CDM_WRITE); k++) {
            if (fm_cdm_pairs_have(pairs, (FmCdmGroup)k)) {
                add_cell(builder, table, pair->rows[k]);
            }
        }
    }
}

static char *
dup_alt_text(const FmBuilder *builder, const GArray *pairs)
{
    GString *text = g_string_new(fm_say(builder, "A table of throughput by test."));

    for (guint i = 0; i < pairs->len; i++) {
        const FmCdmPair *pair = &g_array_index(pairs, FmCdmPair, i);
        const FmCdmRow *read = pair->rows[FM_CDM_READ];
        const FmCdmRow *write = pair->rows[FM_CDM_WRITE];
        bool is_whole =
            read != NULL && write != NULL && read->n_results > 0 && write->n_results > 0;
        if (!is_whole) {
            continue;
        }
        g_autofree char *read_rate = fm_say_rate(builder, read->score.best);
        g_autofree char *write_rate = fm_say_rate(builder, write->score.best);
        g_string_append_c(text, ' ');
        g_string_append_printf(text, fm_say(builder, "%s: %s read, %s written."), pair->name,
                               read_rate, write_rate);
    }
    return g_string_free(text, FALSE);
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    g_autoptr(GArray) pairs = fm_cdm_pairs_new(builder);

    if (pairs->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Table T8 needs a CrystalDiskMark-style test, and this run has none");
        return NULL;
    }
    FmFigure *figure = fm_builder_start(builder, "T8", "cdm-table");
    figure->shape = FM_SHAPE_TABLE;
    fm_builder_set_title(builder, figure, say_name(builder),
                         fm_cdm_pairs_dup_finding(builder, pairs));
    fm_builder_add_subtitle(figure, g_strdup(fm_say(builder, "MB/s, best run")));
    fm_cdm_pairs_add_conditions(builder, figure, pairs);
    fill_table(builder, fm_panel_add_table(fm_figure_add_panel(figure, NULL)), pairs);
    fm_cdm_pairs_add_footnotes(builder, figure, pairs);
    figure->alt_text = dup_alt_text(builder, pairs);
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_cdm_table = {.prefix = "T8", .list = list, .build = build};
