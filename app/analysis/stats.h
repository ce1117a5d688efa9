/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statistics of samples and the derived metrics of METHODOLOGY 2.5.  Pure functions of
 * finite numbers; a result that does not exist (a mean of nothing) is NaN, never 0.  Any
 * thread may call them.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
    /* Below this many samples a consistency is a minimum over a mean and is called so. */
    FM_STATS_CONSISTENCY_MIN = 1000,
};

/* --- Any values ----------------------------------------------------------------- */

double fm_stats_min(const double *values, gsize n);
double fm_stats_max(const double *values, gsize n);
double fm_stats_mean(const double *values, gsize n);
/* Of a sample (n - 1); NaN below two values. */
double fm_stats_deviation(const double *values, gsize n);
/* Interpolated between order statistics, Hyndman-Fan type 7; @p is 0 .. 1 and the values
 * may have any order. */
double fm_stats_quantile(const double *values, gsize n, double p);
double fm_stats_median(const double *values, gsize n);
/* NaN unless all values are above 0. */
double fm_stats_geometric_mean(const double *values, gsize n);
/* Relative standard error of the last three values in percent; NaN below three. */
double fm_stats_rse(const double *values, gsize n);
/* How much larger @value is than @reference, in percent of the reference. */
double fm_stats_difference(double reference, double value);

/* --- Samples of the 100 ms grid -------------------------------------------------- */

typedef enum {
    FM_STATS_SERIES_BYTES, /* bytes per second, both directions */
    FM_STATS_SERIES_IOPS, /* I/Os per second, all ops */
} FmStatsSeries;

/*
 * Rates of the slots of the measured part, of FmTick rows as FmRunStep has them: without
 * the ramp, without a last slot that was cut, without slots in which the step was paused.
 * Slots in which nothing completed are 0.  An array of double, to be unreffed.
 */
GArray *fm_stats_new_series(const GArray *ticks, FmStatsSeries series);

/*
 * A metric computed twice, because fio writes no row for a slot in which nothing
 * completed (METHODOLOGY 19.1.19): over all slots, and over the ones that were not
 * empty, which is what published reviews show.
 */
typedef struct {
    double kept;
    gsize n_kept;
    double dropped;
    gsize n_dropped; /* samples left after dropping */
} FmStatsBoth;

/* What 99.9 % of the samples reach, in percent of the mean. */
FmStatsBoth fm_stats_consistency(const double *samples, gsize n);
/* What 99 % of the samples reach. */
FmStatsBoth fm_stats_bottom(const double *samples, gsize n);

/* --- Over queue depths ----------------------------------------------------------- */

/* Throughput at QD 1, 2 and 4 as one number: weights of the method's edition 2025-11 and
 * of 2025-06. */
extern const double fm_stats_weights_2025_11[3];
extern const double fm_stats_weights_2025_06[3];
double fm_stats_weighted(const double rates[3], const double weights[3]);

/* Smallest of @depths whose rate reaches 97 % of the largest; 0 when there is none. */
unsigned fm_stats_saturation(const unsigned *depths, const double *rates, gsize n);

/* I/Os in flight by Little's law from the MEAN latency; a median does not do. */
double fm_stats_in_flight(double iops, double mean_latency_ns);
/* Whether the depth that was kept is more than 2 % away from the one asked for. */
bool fm_stats_is_depth_off(double in_flight, unsigned asked);

G_END_DECLS
