/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Told by the newest step and the last notes of the run.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/run-text.h"

#include "base/label.h"
#include "base/message.h"
#include "base/text.h"
#include "model/plan-reader.h"
#include "model/run-progress.h"

#include <glib/gi18n.h>
#include <math.h>

char *
fm_run_text_dup_plan(const FmRun *run)
{
    g_autoptr(FmPlan) plan =
        run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL;
    const char *name = run->plan_name != NULL ? run->plan_name : run->plan_id;

    if (plan != NULL) {
        name = fm_message_choose(name, plan->name_ko);
    }
    return name != NULL ? fm_text_dup_printable(name) : NULL;
}

char *
fm_run_text_dup_position(const FmRun *run)
{
    if (run->max_steps == run->min_steps && run->max_steps > 0) {
        return g_strdup_printf(_("step %u of %u"), run->steps->len, run->max_steps);
    }
    return g_strdup_printf(_("step %u"), run->steps->len);
}

char *
fm_run_text_dup_step_name(const FmRunStep *step)
{
    bool has_label = step->label != NULL && *step->label != '\0';

    return fm_text_dup_printable(has_label ? step->label : step->path);
}

char *
fm_run_text_dup_workload(const FmRunStep *step)
{
    if (step->n_streams == 0 || step->streams[0].n_blocks == 0) {
        return NULL;
    }
    const FmRunStream *stream = &step->streams[0];
    bool is_random = g_strcmp0(stream->pattern, "sequential") != 0;
    g_autofree char *workload =
        fm_label_dup_workload(is_random, stream->blocks[0].size, stream->op_share[FM_OP_READ]);
    return g_strdup_printf("%s · QD%u", workload, step->in_flight);
}

char *
fm_run_text_dup_activity(const FmRun *run)
{
    if (fm_run_is_paused(run)) {
        return g_strdup(_("paused"));
    }
    if (run->steps->len > 0) {
        const FmRunStep *step = run->steps->pdata[run->steps->len - 1];
        /* Ended, and no other step has begun: the last speed is not the drive's now. */
        return step->ended ? g_strdup(_("resting")) : NULL;
    }
    /* Before the first step the test file is being written. */
    return isfinite(run->progress)
               ? g_strdup_printf(_("writing the test file: %.0f %%"), run->progress * 100)
               : g_strdup(_("preparing"));
}
