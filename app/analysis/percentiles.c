/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the displayed set out of a histogram.  Ranks are found among ticks and only the
 * results become nanoseconds, so the clock's scale can't move a rank.
 */
#define G_LOG_DOMAIN "fathom"

#include "analysis/percentiles.h"

#include <math.h>

static const struct {
    uint32_t per_billion;
    const char *name;
} displayed[FM_N_PERCENTILES] = {
    [FM_P50] = {500000000, "P50"},           [FM_P90] = {900000000, "P90"},
    [FM_P99] = {990000000, "P99"},           [FM_P99_9] = {999000000, "P99.9"},
    [FM_P99_99] = {999900000, "P99.99"},     [FM_P99_999] = {999990000, "P99.999"},
    [FM_P99_9999] = {999999000, "P99.9999"}, [FM_P99_99999] = {999999900, "P99.99999"},
};

const char *
fm_percentile_name(FmPercentileIndex index)
{
    g_return_val_if_fail((unsigned)index < FM_N_PERCENTILES, NULL);
    return displayed[index].name;
}

/* To the nearest nanosecond, and never beyond what 64 bits hold. */
static uint64_t
to_ns(uint64_t ticks, uint64_t numerator, uint64_t denominator)
{
    unsigned __int128 ns = ((unsigned __int128)ticks * numerator + denominator / 2) / denominator;
    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

FmPercentiles
fm_percentiles_compute(const FmHist *hist, uint64_t numerator, uint64_t denominator)
{
    g_return_val_if_fail(numerator > 0 && denominator > 0, (FmPercentiles){0});

    double ns_per_tick = (double)numerator / (double)denominator;
    FmPercentiles result = {
        .n = hist->count,
        .min_ns = hist->count > 0 ? to_ns(hist->min, numerator, denominator) : 0,
        .max_ns = to_ns(hist->max, numerator, denominator),
        .mean_ns = fm_hist_get_mean(hist) * ns_per_tick,
        .deviation_ns = fm_hist_get_deviation(hist) * ns_per_tick,
    };
    for (unsigned i = 0; i < FM_N_PERCENTILES; i++) {
        uint32_t per_billion = displayed[i].per_billion;
        result.values[i] = (FmPercentile){
            .per_billion = per_billion,
            .ns = to_ns(fm_hist_get_percentile(hist, per_billion), numerator, denominator),
            .is_sufficient = fm_hist_is_sufficient(hist->count, per_billion),
        };
    }
    return result;
}

bool
fm_percentiles_of_step(const FmRunStep *step, unsigned op, FmPercentiles *percentiles)
{
    g_auto(FmLatencyPool) pool = {0};

    fm_latency_pool_add(&pool, step, op);
    *percentiles = fm_latency_pool_get_percentiles(&pool);
    return pool.hist.bins != NULL;
}

/* --- Several steps as one population ---------------------------------------------- */

/* Takes the bins of @given. */
static void
add_hist(FmLatencyPool *pool, const FmRunStep *step, FmHist *given)
{
    g_auto(FmHist) hist = *given;
    *given = (FmHist){0};

    /* A file may claim any clock; without a usable one ticks are taken for nanoseconds, as
     * fm_run_step_ticks_to_ns() does. */
    bool has_clock = step->ns_per_tick_numerator > 0 && step->ns_per_tick_denominator > 0;
    uint64_t numerator = has_clock ? step->ns_per_tick_numerator : 1;
    uint64_t denominator = has_clock ? step->ns_per_tick_denominator : 1;
    if (pool->hist.bins == NULL) {
        *pool = (FmLatencyPool){hist, numerator, denominator};
        hist = (FmHist){0};
        return;
    }
    if (hist.bits == pool->hist.bits && numerator == pool->numerator &&
        denominator == pool->denominator) {
        fm_hist_merge(&pool->hist, &hist);
        return;
    }
    g_auto(FmHist) scaled = {0};
    double factor = (double)numerator / (double)denominator;
    factor *= (double)pool->denominator / (double)pool->numerator;
    fm_hist_rescale(&hist, factor, pool->hist.bits, &scaled);
    fm_hist_merge(&pool->hist, &scaled);
}

void
fm_latency_pool_add(FmLatencyPool *pool, const FmRunStep *step, unsigned op)
{
    FmHist hist;

    if (fm_run_step_get_latency(step, op, &hist)) {
        add_hist(pool, step, &hist);
    }
}

void
fm_latency_pool_add_stream(FmLatencyPool *pool, const FmRunStep *step, unsigned stream, unsigned op)
{
    FmHist hist;

    if (fm_run_step_get_stream_latency(step, stream, op, &hist)) {
        add_hist(pool, step, &hist);
    }
}

void
fm_latency_pool_clear(FmLatencyPool *pool)
{
    fm_hist_clear(&pool->hist);
    *pool = (FmLatencyPool){0};
}

FmPercentiles
fm_latency_pool_get_percentiles(const FmLatencyPool *pool)
{
    if (pool->hist.bins == NULL) {
        return (FmPercentiles){.mean_ns = NAN, .deviation_ns = NAN};
    }
    return fm_percentiles_compute(&pool->hist, pool->numerator, pool->denominator);
}

static void
add_quantile(GArray *curve, double share, double ns)
{
    FmQuantile quantile = {share, ns};
    g_array_append_val(curve, quantile);
}

GArray *
fm_latency_pool_new_curve(const FmLatencyPool *pool, unsigned per_decade)
{
    const FmHist *hist = &pool->hist;
    GArray *curve = g_array_new(FALSE, FALSE, sizeof(FmQuantile));
    if (hist->bins == NULL || hist->count == 0) {
        return curve;
    }

    double ns_per_tick = (double)pool->numerator / (double)pool->denominator;
    double n = (double)hist->count;
    double least = (double)hist->min * ns_per_tick;
    double most = (double)hist->max * ns_per_tick;
    uint64_t seen = 0;
    unsigned next = 1;
    add_quantile(curve, 0, least);
    /* One walk over the bins; each gives all marks of the scale whose rank lies in it. */
    for (unsigned i = 0; i < hist->n_bins && seen < hist->count; i++) {
        seen += hist->bins[i];
        double upper = (double)fm_hist_bin_upper(i, hist->bits) * ns_per_tick;
        for (;; next++) {
            double share = 1 - pow(10, -(double)next / per_decade);
            if (hist->bins[i] == 0 || share >= 1 - 1 / n || ceil(share * n) > (double)seen) {
                break;
            }
            add_quantile(curve, share, CLAMP(upper, least, most));
        }
    }
    if (hist->count > 1) {
        add_quantile(curve, 1 - 1 / n, most);
    }
    return curve;
}
