/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run of a MEASURE or PRECONDITION phase with all parameters decided.  Internal
 * to the engine: the driver makes steps, step.c runs them, the driver judges the
 * results.
 */
#pragma once

#include <glib.h>

#include "base/hist.h"
#include "base/message.h"
#include "engine/engine.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    unsigned number;
    const char *path; /* "read/seq1m-q8t1/run=2" */
    const FmPhase *phase; /* parameters applied */
    GVariant *parameters; /* a{sv}: what drivers have set */
    bool discard; /* a warm-up: run and recorded, never scored */
} FmStep;

typedef struct {
    FmOutcome outcome;
    FmMessage *reason; /* sentence for FAILED, SKIPPED; else NULL */
    const char *ended_by; /* static: "time", "bytes", "passes", "steady", "cap", "stop", "error" */
    int64_t measured_ns;
    uint64_t ios[FM_N_OPS];
    uint64_t bytes[FM_N_OPS];
    uint64_t errors;
    FmHist latency_ns[FM_N_OPS]; /* bins NULL where the op did not occur */
} FmStepResult;

void fm_step_result_clear(FmStepResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmStepResult, fm_step_result_clear)

G_END_DECLS
