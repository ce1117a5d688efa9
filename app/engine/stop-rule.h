/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges from the 100 ms rows whether a step may end: steady state by rules A, B, C
 * (METHODOLOGY 2.6), caps by passes and by time.  All three rules are always
 * evaluated and reported; the chosen one ends the step.  Plain time, bytes and passes
 * are ended exactly by the hot loop itself.  Our rules are not fio's, even where A
 * uses its formula.  Reporter thread only; no allocation after new().
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/plan.h"
#include "model/tick.h"

G_BEGIN_DECLS

typedef struct FmStopState FmStopState;

/* The variable that has to settle: bandwidth for sequential streams, IOPS else. */
typedef enum {
    FM_STEADY_BANDWIDTH,
    FM_STEADY_IOPS,
} FmSteadyVariable;

enum {
    FM_STEADY_WINDOW = 30, /* A, B: one-second means in the window */
    FM_STEADY_B_EVALUATIONS = 30, /* B: so many windows in a row must pass */
    FM_STEADY_ROUNDS = 5, /* C: one-minute rounds in the window */
    FM_STEADY_MAX_ROUNDS = 25, /* C: gives up after so many */
};

/* Where a rule stands.  The numbers are of the window in which it first passed, else
 * of the latest one; NaN while there was no full window. */
typedef struct {
    bool passed;
    int64_t at_ns; /* end of that window; 0 while not passed */
    double passes; /* region coverages by then; 0 while not passed */
    double mean; /* bytes/s or I/Os/s over the window */
    double slope; /* of that, per second (A, B) or per round (C) */
    double range; /* C: max - min of the rounds; NaN for A and B */
} FmSteadyResult;

/* @region_bytes is what one pass covers, all streams together. */
FmStopState *fm_stop_state_new(const FmStopRule *rule, FmSteadyVariable variable,
                               uint64_t region_bytes);
void fm_stop_state_free(FmStopState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmStopState, fm_stop_state_free)

/*
 * Takes the next row of the measured part.  Returns NULL, or what ends the step:
 * "steady" or "cap".  Windows begin after rule->steady_after_passes; a pause begins
 * them anew, because the drive has used it to recover.  RAMP and PARTIAL rows are
 * ignored.
 */
const char *fm_stop_state_update(FmStopState *state, const FmTick *tick);

/* How often the region was covered: by writes, or by reads where nothing is written. */
double fm_stop_state_get_passes(const FmStopState *state);

/* State of rule 'A', 'B' or 'C'. */
FmSteadyResult fm_stop_state_get(const FmStopState *state, char rule);

/*
 * The tests of one window, on @n one-second means (A, B) or one-minute rounds (C), n
 * >= 2.  Slope by ordinary least squares against 0, 1, 2 ...; a mean of 0 is never
 * steady.  B here is the drift of one window; the state asks for 30 of them in a row.
 */
bool fm_steady_a(const double *values, unsigned n, double *slope, double *mean);
bool fm_steady_b(const double *values, unsigned n, double *slope, double *mean);
bool fm_steady_c(const double *rounds, unsigned n, double *slope, double *range, double *mean);

G_END_DECLS
