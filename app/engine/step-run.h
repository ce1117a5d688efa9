/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs one step: threads, start, rows, stop, results.  Control thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "engine/io-thread.h"
#include "engine/row-merge.h"
#include "engine/run-context.h"
#include "engine/step.h"
#include "engine/stop-rule.h"

G_BEGIN_DECLS

/* A step while it runs.  Shared by step-run.c, step-watch.c and step-report.c. */
typedef struct {
    FmRunContext *run;
    const FmStep *step;
    const FmPhase *phase;
    const FmBackend *backend;
    FmBackendTarget **targets; /* one a stream */
    FmIoThread *threads;
    unsigned n_threads;
    FmLoopControl *control;
    _Atomic uint64_t start; /* first tick, see FmIoThread */
    double ns_per_tick; /* best estimate so far */
    bool virtual_time;
    FmClockPair start_pair;
    uint64_t region_bytes; /* all streams: what one pass covers */

    FmRowMerge merge;
    FmStopState *stop_state; /* NULL = only what the loops end by themselves */
    const char *stop_reason; /* what the judge or the user said; NULL = the loops ended */
    GArray *ticks; /* rows not emitted yet */
    uint64_t (*cpu_states)[2]; /* of the CPUs used, for plat_cpu_busy_permille() */

    uint64_t counters_read; /* of the device, when the step began */
    uint64_t counters_written;
    bool has_counters;
    uint64_t interrupts; /* of the drive's I/O queues, when the step began */
    bool has_interrupts;
    bool told_drain; /* that I/Os keep the step from its end */
} FmStepRun;

/*
 * Runs @step and fills @result.  Returns false when the plan can't go on: the result's
 * outcome says why.
 */
bool fm_step_run(FmRunContext *run, const FmStep *step, FmStepResult *result);

/* step-watch.c: follows the loops to the end of their windows, emitting rows.
 * Returns the worst state of things: COMPLETE, STOPPED or FAILED. */
FmOutcome fm_step_watch(FmStepRun *step);
/* Gives what is still in flight a moment, so that it gets into the drive's counters. */
void fm_step_settle(FmStepRun *step, int64_t ms);
/*
 * Waits for what is still in flight; the run is stuck when some of it never comes back.
 * With @heeds_stop false is returned as soon as the user says stop meanwhile.
 */
bool fm_step_drain(FmStepRun *step, bool heeds_stop);

/* step-report.c */
void fm_step_report_begin(FmStepRun *step);
void fm_step_report_end(FmStepRun *step, FmStepResult *result);
/* A step that was not possible here, or could not be set up: a row with its sentence. */
void fm_step_report_unrun(FmRunContext *run, const FmStep *step, FmOutcome outcome,
                          const FmMessage *reason);

G_END_DECLS
