/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The displayed set of latency percentiles (METHODOLOGY 2.3, 19.2.6) from a histogram of
 * clock ticks, in nanoseconds.  Pure; any thread may call it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "model/run.h"

G_BEGIN_DECLS

enum { FM_N_PERCENTILES = 8 };

/* The index of each in the set; the names count nines after the dot. */
typedef enum {
    FM_P50,
    FM_P90,
    FM_P99,
    FM_P99_9,
    FM_P99_99,
    FM_P99_999,
    FM_P99_9999,
    FM_P99_99999,
} FmPercentileIndex;

typedef struct {
    uint32_t per_billion;
    uint64_t ns;
    /* At least ten samples lie above.  If not, the value is shown as doubtful, with n, or
     * as dashes; in the review preset it is shown like any other. */
    bool is_sufficient;
} FmPercentile;

typedef struct {
    uint64_t n; /* 0: nothing else here means anything */
    uint64_t min_ns;
    uint64_t max_ns;
    double mean_ns; /* NaN when empty */
    double deviation_ns; /* NaN below two values */
    FmPercentile values[FM_N_PERCENTILES];
} FmPercentiles;

/* One tick is @numerator / @denominator ns; 1 / 1 for a histogram that is in ns already. */
FmPercentiles fm_percentiles_compute(const FmHist *hist, uint64_t numerator, uint64_t denominator);

/* The same for one op of a step, or all of them with FM_N_OPS.  False, and n = 0, when the
 * run holds no histogram of it. */
bool fm_percentiles_of_step(const FmRunStep *step, unsigned op, FmPercentiles *percentiles);

/* "P50", "P99.999"; static. */
const char *fm_percentile_name(FmPercentileIndex index);

/* --- Several steps as one population ---------------------------------------------- */

/* Begins zeroed; on the clock of the first step that was added. */
typedef struct {
    FmHist hist; /* bins are NULL while empty */
    uint64_t numerator;
    uint64_t denominator;
} FmLatencyPool;

/* Adds one op of a step, or all of them with FM_N_OPS.  A resumed run may have calibrated its clock
 * anew: what comes later is converted to the clock of the first. */
void fm_latency_pool_add(FmLatencyPool *pool, const FmRunStep *step, unsigned op);
/* The same of one of several streams. */
void fm_latency_pool_add_stream(FmLatencyPool *pool, const FmRunStep *step, unsigned stream,
                                unsigned op);
void fm_latency_pool_clear(FmLatencyPool *pool);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmLatencyPool, fm_latency_pool_clear)

/* n = 0 when nothing was added. */
FmPercentiles fm_latency_pool_get_percentiles(const FmLatencyPool *pool);

/* One point of a distribution: @share of all I/Os took no longer than @ns. */
typedef struct {
    double share; /* 0 at the minimum; below 1 */
    double ns;
} FmQuantile;

/*
 * The whole distribution as FmQuantile, in steps of 1/@per_decade of -log10(1 - share): from the
 * minimum to the last single I/O, which has the share 1 - 1/n and is the maximum.  Empty when
 * nothing was added; to be unreffed.
 */
GArray *fm_latency_pool_new_curve(const FmLatencyPool *pool, unsigned per_decade);

G_END_DECLS
