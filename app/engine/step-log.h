/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The per-I/O log of a step on its way out.  Control thread.
 */
#pragma once

#include "engine/step-run.h"

/* While the step runs: emits what was handed over where a log is half full. */
void fm_step_log_relieve(FmStepRun *step);

/* After the window: emits the rest, and says where a log was cut off. */
void fm_step_log_finish(FmStepRun *step);
