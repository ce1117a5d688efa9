/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges from the 100 ms rows whether a step may end: steady state by rules A, B, C
 * (METHODOLOGY 2.6), caps by passes and by time.  All three rules are always
 * evaluated; the chosen one ends the step.  Plain time, bytes and passes are ended
 * exactly by the hot loop itself.  Reporter thread only; no allocation after init.
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

typedef struct {
    bool passed;
    int64_t at_ns; /* when it first held */
    double passes; /* region coverages written by then */
    double mean; /* bytes/s or I/Os/s over the passing window */
    double slope; /* per second (A, B) or per round (C) */
    double range; /* C: max - min of the rounds */
} FmSteadyResult;

FmStopState *fm_stop_state_new(const FmStopRule *rule, FmSteadyVariable variable,
                               uint64_t region_bytes);
void fm_stop_state_free(FmStopState *state);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmStopState, fm_stop_state_free)

/* Takes one row of the measured part; rows flagged PAUSED or PARTIAL are ignored.
 * Returns NULL, or what ends the step: "steady" or "cap". */
const char *fm_stop_state_update(FmStopState *state, const FmTick *tick);

/* State of rule 'A', 'B' or 'C'. */
FmSteadyResult fm_stop_state_get(const FmStopState *state, char rule);

/*
 * The rules themselves, on @n one-second means (A, B: n = 30) or one-minute rounds
 * (C: n = 5).  Slope by ordinary least squares against 0, 1, 2 ...
 */
bool fm_steady_a(const double *values, unsigned n, double *slope, double *mean);
bool fm_steady_b(const double *values, unsigned n, double *slope, double *mean);
bool fm_steady_c(const double *rounds, unsigned n, double *slope, double *range, double *mean);

G_END_DECLS
