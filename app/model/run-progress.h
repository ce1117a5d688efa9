/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a run that is going on stands: how fast it is and how long it has taken; how much is
 * left, see run-forecast.h.  Pure; the thread that owns the run.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/run.h"

G_BEGIN_DECLS

typedef struct {
    double bytes_per_second;
    double ios_per_second;
} FmRunSpeed;

/* What @step did over the last second of its rows; false when there is none yet. */
bool fm_run_step_get_speed(const FmRunStep *step, FmRunSpeed *speed);

/* Time on the run's own clock since its first step began; 0 before that. */
int64_t fm_run_get_passed_ns(const FmRun *run);

/* The last word of the run on it was that it is paused. */
bool fm_run_is_paused(const FmRun *run);
/* The last word was that it ends, whoever asked for it. */
bool fm_run_is_stopping(const FmRun *run);

G_END_DECLS
