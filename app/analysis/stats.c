/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain loops over doubles; a step has 3000 samples and a fill a few hundred thousand,
 * so copying for a sort is nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include "analysis/stats.h"

#include "model/tick.h"

#include <math.h>
#include <stdlib.h>

const double fm_stats_weights_2025_11[3] = {0.80, 0.15, 0.05};
const double fm_stats_weights_2025_06[3] = {0.70, 0.20, 0.10};

double
fm_stats_min(const double *values, gsize n)
{
    double min = NAN;
    for (gsize i = 0; i < n; i++) {
        min = fmin(min, values[i]);
    }
    return min;
}

double
fm_stats_max(const double *values, gsize n)
{
    double max = NAN;
    for (gsize i = 0; i < n; i++) {
        max = fmax(max, values[i]);
    }
    return max;
}

double
fm_stats_mean(const double *values, gsize n)
{
    double sum = 0;
    for (gsize i = 0; i < n; i++) {
        sum += values[i];
    }
    return n > 0 ? sum / (double)n : NAN;
}

double
fm_stats_deviation(const double *values, gsize n)
{
    if (n < 2) {
        return NAN;
    }
    double mean = fm_stats_mean(values, n);
    double squares = 0;
    for (gsize i = 0; i < n; i++) {
        squares += (values[i] - mean) * (values[i] - mean);
    }
    return sqrt(squares / (double)(n - 1));
}

static int
compare_values_cb(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

double
fm_stats_quantile(const double *values, gsize n, double p)
{
    if (n == 0) {
        return NAN;
    }
    g_autofree double *sorted = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare_values_cb);

    double position = (double)(n - 1) * CLAMP(p, 0.0, 1.0);
    gsize below = (gsize)position;
    if (below + 1 >= n) {
        return sorted[n - 1];
    }
    return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
}

double
fm_stats_median(const double *values, gsize n)
{
    return fm_stats_quantile(values, n, 0.5);
}

double
fm_stats_geometric_mean(const double *values, gsize n)
{
    double logarithms = 0;
    for (gsize i = 0; i < n; i++) {
        if (!(values[i] > 0)) {
            return NAN;
        }
        logarithms += log(values[i]);
    }
    return n > 0 ? exp(logarithms / (double)n) : NAN;
}

double
fm_stats_rse(const double *values, gsize n)
{
    enum { LAST = 3 };
    if (n < LAST) {
        return NAN;
    }
    const double *last = values + n - LAST;
    return 100 * fm_stats_deviation(last, LAST) / sqrt(LAST) / fm_stats_mean(last, LAST);
}

double
fm_stats_difference(double reference, double value)
{
    return reference != 0 ? 100 * (value - reference) / reference : NAN;
}

GArray *
fm_stats_new_series(const GArray *ticks, FmStatsSeries series)
{
    const uint16_t unusable = FM_TICK_RAMP | FM_TICK_PARTIAL | FM_TICK_PAUSED;
    GArray *rates = g_array_new(FALSE, FALSE, sizeof(double));

    for (guint i = 0; i < ticks->len; i++) {
        const FmTick *tick = &g_array_index(ticks, FmTick, i);
        if ((tick->flags & unusable) != 0) {
            continue;
        }
        double amount =
            series == FM_STATS_SERIES_BYTES
                ? (double)tick->read.bytes + (double)tick->write.bytes
                : (double)tick->read_ios + tick->write_ios + tick->trim_ios + tick->flush_ios;
        double rate = amount * 1000 / FM_TICK_INTERVAL_MS;
        g_array_append_val(rates, rate);
    }
    return rates;
}

static double
get_consistency(const double *samples, gsize n)
{
    double mean = fm_stats_mean(samples, n);
    return mean > 0 ? 100 * fm_stats_quantile(samples, n, 0.001) / mean : NAN;
}

static double
get_bottom(const double *samples, gsize n)
{
    return fm_stats_quantile(samples, n, 0.01);
}

static FmStatsBoth
compute_both(const double *samples, gsize n, double (*compute)(const double *samples, gsize n))
{
    g_autofree double *full = g_new(double, n);
    gsize n_full = 0;
    for (gsize i = 0; i < n; i++) {
        if (samples[i] != 0) {
            full[n_full++] = samples[i];
        }
    }
    return (FmStatsBoth){
        .kept = compute(samples, n),
        .n_kept = n,
        .dropped = compute(full, n_full),
        .n_dropped = n_full,
    };
}

FmStatsBoth
fm_stats_consistency(const double *samples, gsize n)
{
    return compute_both(samples, n, get_consistency);
}

FmStatsBoth
fm_stats_bottom(const double *samples, gsize n)
{
    return compute_both(samples, n, get_bottom);
}

double
fm_stats_weighted(const double rates[3], const double weights[3])
{
    return rates[0] * weights[0] + rates[1] * weights[1] + rates[2] * weights[2];
}

unsigned
fm_stats_saturation(const unsigned *depths, const double *rates, gsize n)
{
    const double share = 0.97;
    double enough = share * fm_stats_max(rates, n);
    unsigned smallest = 0;

    for (gsize i = 0; i < n; i++) {
        if (rates[i] >= enough && (smallest == 0 || depths[i] < smallest)) {
            smallest = depths[i];
        }
    }
    return smallest;
}

double
fm_stats_in_flight(double iops, double mean_latency_ns)
{
    return iops * mean_latency_ns / 1e9;
}

bool
fm_stats_is_depth_off(double in_flight, unsigned asked)
{
    const double tolerance = 0.02;
    return fabs(in_flight - asked) > tolerance * asked;
}
