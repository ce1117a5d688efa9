/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the tree of phases and adapts: sweep, repeat until RSE, bisect, rate curve,
 * skip.  It decides what runs next; running and resting is done by the actions it is
 * given, so that every driver can be tested without I/O.  Control thread only.
 */
#pragma once

#include <glib.h>

#include "engine/engine.h"
#include "engine/step.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    /* Runs one step and fills @result (initialised to zero by the driver).  Returns
     * false to end the plan: @result->outcome says why. */
    bool (*run_step)(gpointer user_data, const FmStep *step, FmStepResult *result);
    /* REST, IDLE, SETTLE, TRIM, PURGE, EXTERNAL, and the rests between steps
     * (@phase NULL, @rest_ns set).  Returns false to end the plan. */
    bool (*run_other)(gpointer user_data, const char *path, const FmPhase *phase, int64_t rest_ns);
    /* An EVALUATION frame; takes the floating a{sv}. */
    void (*evaluate)(gpointer user_data, GVariant *dictionary);
    gpointer user_data;

    /* What skip conditions look at. */
    FmTargetKind target_kind;
    uint64_t target_size;
    uint32_t block_size;
    bool can_trim;
    unsigned cores;
} FmDriverActions;

/*
 * Runs @plan to its end.  Returns COMPLETE, or the outcome of the step that ended
 * it.  A step that fails (I/O error) is kept and marked and ends the plan; a skipped
 * one does not.
 */
FmOutcome fm_driver_run(const FmPlan *plan, const FmDriverActions *actions, GError **error);

/* How many steps a plan will run at least and at most, for progress and cost.
 * @max is UINT_MAX where a search is open-ended. */
void fm_driver_count_steps(const FmPlan *plan, unsigned *min, unsigned *max);

G_END_DECLS
