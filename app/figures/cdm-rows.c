/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds the rows of the CrystalDiskMark-style part of a run and what they have to tell.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/cdm-rows.h"

#include "base/units.h"

#include <math.h>
#include <string.h>

static void
clear_pair(gpointer data)
{
    FmCdmPair *pair = data;

    g_free(pair->name);
}

static bool
is_cdm_row(const FmBuilder *builder, const FmCdmRow *row)
{
    const char *id = builder->run->plan_id;

    return g_strcmp0(row->workload, "C-CDM") == 0 || (id != NULL && g_str_has_prefix(id, "cdm-"));
}

/* The pair @row belongs to: of its name, and without a row of its kind yet. */
static FmCdmPair *
get_pair(GArray *pairs, const FmCdmRow *row)
{
    g_autofree char *name = fm_cdm_row_dup_name(row);

    for (guint i = 0; i < pairs->len; i++) {
        FmCdmPair *pair = &g_array_index(pairs, FmCdmPair, i);
        if (strcmp(pair->name, name) == 0 && pair->rows[row->group] == NULL) {
            return pair;
        }
    }
    FmCdmPair pair = {.name = g_steal_pointer(&name)};
    g_array_append_val(pairs, pair);
    return &g_array_index(pairs, FmCdmPair, pairs->len - 1);
}

GArray *
fm_cdm_pairs_new(const FmBuilder *builder)
{
    GArray *pairs = g_array_new(FALSE, TRUE, sizeof(FmCdmPair));

    g_array_set_clear_func(pairs, clear_pair);
    for (guint i = 0; i < builder->table->rows->len; i++) {
        const FmCdmRow *row = builder->table->rows->pdata[i];
        if (is_cdm_row(builder, row)) {
            get_pair(pairs, row)->rows[row->group] = row;
        }
    }
    return pairs;
}

bool
fm_cdm_pairs_have(const GArray *pairs, FmCdmGroup group)
{
    for (guint i = 0; i < pairs->len; i++) {
        if (g_array_index(pairs, FmCdmPair, i).rows[group] != NULL) {
            return true;
        }
    }
    return false;
}

/* --- The finding ------------------------------------------------------------------- */

/* The fastest sequential row of @group, or NULL. */
static const FmCdmRow *
find_fastest(const GArray *pairs, FmCdmGroup group)
{
    const FmCdmRow *fastest = NULL;

    for (guint i = 0; i < pairs->len; i++) {
        const FmCdmRow *row = g_array_index(pairs, FmCdmPair, i).rows[group];
        if (row != NULL && !row->is_random && row->n_results > 0 &&
            (fastest == NULL || row->score.best > fastest->score.best)) {
            fastest = row;
        }
    }
    return fastest;
}

/* The 4k read with one I/O at a time: what a desktop feels. */
static const FmCdmRow *
find_single_read(const GArray *pairs)
{
    for (guint i = 0; i < pairs->len; i++) {
        const FmCdmRow *row = g_array_index(pairs, FmCdmPair, i).rows[FM_CDM_READ];
        if (row != NULL && row->is_random && row->block == 4096 && row->depth == 1 &&
            row->threads == 1 && row->n_results > 0) {
            return row;
        }
    }
    return NULL;
}

/* "99.9 % of 4k reads within 184 µs", by the highest percentile up to P99.9 that the samples
 * allow; NULL when there is none. */
static char *
dup_tail(const FmBuilder *builder, const FmCdmRow *row)
{
    g_auto(FmLatencyPool) pool = {0};

    fm_cdm_row_get_latency(row, FM_OP_READ, &pool);
    FmPercentiles latency = fm_latency_pool_get_percentiles(&pool);
    for (int i = FM_P99_9; i >= FM_P50; i--) {
        if (latency.n > 0 && latency.values[i].is_sufficient) {
            g_autofree char *share = fm_say_share(builder, (FmPercentileIndex)i);
            g_autofree char *time = fm_say_latency(builder, (double)latency.values[i].ns);
            return g_strdup_printf(fm_say(builder, "%s of 4k reads within %s"), share, time);
        }
    }
    return NULL;
}

char *
fm_cdm_pairs_dup_finding(const FmBuilder *builder, const GArray *pairs)
{
    const FmCdmRow *read = find_fastest(pairs, FM_CDM_READ);
    const FmCdmRow *write = find_fastest(pairs, FM_CDM_WRITE);
    const FmCdmRow *single = find_single_read(pairs);
    g_autofree char *read_rate = read != NULL ? fm_say_rate(builder, read->score.best) : NULL;
    g_autofree char *write_rate = write != NULL ? fm_say_rate(builder, write->score.best) : NULL;
    g_autofree char *tail = single != NULL ? dup_tail(builder, single) : NULL;
    g_autofree char *rates = NULL;

    if (read != NULL && write != NULL) {
        rates =
            g_strdup_printf(fm_say(builder, "%s sequential read, %s write"), read_rate, write_rate);
    } else if (read != NULL) {
        rates = g_strdup_printf(fm_say(builder, "%s sequential read"), read_rate);
    } else if (write != NULL) {
        rates = g_strdup_printf(fm_say(builder, "%s sequential write"), write_rate);
    }
    if (rates != NULL && tail != NULL) {
        return g_strdup_printf("%s; %s", rates, tail);
    }
    return rates != NULL ? g_steal_pointer(&rates) : g_steal_pointer(&tail);
}

/* --- Conditions -------------------------------------------------------------------- */

void
fm_cdm_pairs_add_conditions(const FmBuilder *builder, FmFigure *figure, const GArray *pairs)
{
    unsigned least = G_MAXUINT;
    unsigned most = 0;
    int64_t measured_ns = 0;

    for (guint i = 0; i < pairs->len * FM_N_CDM_GROUPS; i++) {
        const FmCdmRow *row =
            g_array_index(pairs, FmCdmPair, i / FM_N_CDM_GROUPS).rows[i % FM_N_CDM_GROUPS];
        if (row == NULL || row->n_results == 0) {
            continue;
        }
        least = MIN(least, row->n_results);
        most = MAX(most, row->n_results);
        measured_ns = ((const FmRunStep *)row->steps->pdata[0])->measured_ns;
    }
    if (most == 0) {
        return;
    }
    fm_builder_add_subtitle(figure, fm_builder_dup_runs_of(builder, least, most, measured_ns));
    if (builder->run->target_size > 0) {
        g_autofree char *size = fm_units_dup_size(builder->run->target_size);
        fm_builder_add_subtitle(figure, g_strdup_printf(fm_say(builder, "within %s"), size));
    }
}

void
fm_cdm_pairs_add_footnotes(const FmBuilder *builder, FmFigure *figure, const GArray *pairs)
{
    for (guint i = 0; i < pairs->len * FM_N_CDM_GROUPS; i++) {
        const FmCdmRow *row =
            g_array_index(pairs, FmCdmPair, i / FM_N_CDM_GROUPS).rows[i % FM_N_CDM_GROUPS];
        if (row != NULL) {
            fm_builder_note_row(builder, figure, row);
        }
    }
    fm_builder_add_footnote(figure, g_strdup(fm_say(builder, "CDM-style: our own engine with "
                                                             "CrystalDiskMark's rows and rules, "
                                                             "not CrystalDiskMark.")));
}
