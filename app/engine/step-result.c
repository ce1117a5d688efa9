/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Life of a step's result.  Any thread, one at a time.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step.h"

void
fm_step_result_clear(FmStepResult *result)
{
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        fm_hist_clear(&result->latency_ns[op]);
    }
    g_clear_pointer(&result->reason, fm_message_unref);
}
