/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the tree of phases and adapts: sweep, repeat until RSE or steady, bisect, rate
 * curve, skip.  It decides what runs next; running and resting is done by the actions
 * it is given, so that every driver can be tested without I/O.  Control thread only.
 */
#pragma once

#include <glib.h>

#include "engine/engine.h"
#include "engine/step.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    /*
     * Runs one step and fills @result (initialised to zero by the driver).  Returns
     * false when the plan is over, whatever the step was for: @result->outcome says
     * why (STOPPED; FAILED by an I/O error).  FAILED with true is a promise that was
     * not kept, such as a least rate: a search takes it as a rejection, anything else
     * ends the plan.  SKIPPED with true is what turned out not to be possible.
     */
    bool (*run_step)(gpointer user_data, const FmStep *step, FmStepResult *result);
    /* A step that was not possible here: to be recorded with its sentence, not run. */
    void (*skip_step)(gpointer user_data, const FmStep *step, const FmMessage *reason);
    /*
     * REST, IDLE, SETTLE, TRIM, PURGE, EXTERNAL, and the rests between steps (@phase
     * NULL).  @rest_ns is the phase's, or what a sweep has set.  Anything but COMPLETE
     * and SKIPPED ends the plan with that outcome; FAILED sets @error.
     */
    FmOutcome (*run_other)(gpointer user_data, const char *path, const FmPhase *phase,
                           int64_t rest_ns, GError **error);
    /* An EVALUATION frame; takes the floating a{sv}. */
    void (*evaluate)(gpointer user_data, GVariant *dictionary);
    gpointer user_data;

    uint32_t needs; /* FmNeed bits that can be met; a plan with others is refused */

    /* What skip conditions look at. */
    FmTargetKind target_kind;
    uint64_t target_size; /* 0 = has none */
    uint32_t block_size; /* unit of direct I/O */
    bool can_trim;
    bool has_cache_step; /* an earlier fill found the boundary of a cache */
    unsigned cores;
} FmDriverActions;

/*
 * Runs @plan to its end.  Returns COMPLETE, or the outcome of the step that ended
 * it, with @error set for FAILED and REFUSED.  A step that fails is kept, marked, and
 * ends the plan; a skipped one does not.
 */
FmOutcome fm_driver_run(const FmPlan *plan, const FmDriverActions *actions, GError **error);

/* How many steps a plan will run at least and at most, for progress and cost; skipped
 * ones count where they leave a row.  @max is UINT_MAX where a search is open-ended. */
void fm_driver_count_steps(const FmPlan *plan, unsigned *min, unsigned *max);

G_END_DECLS
