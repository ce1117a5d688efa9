/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a run is, in words of the user's language.  Terminal and window say the same.
 * Callers free what they get.
 */
#pragma once

#include <glib.h>

#include "model/run.h"

G_BEGIN_DECLS

/* The plan's name in the user's language where the plan itself tells it, else its id; NULL where
 * neither is known. */
char *fm_run_text_dup_plan(const FmRun *run);

/* "step 3 of 24"; a plan that searches has no last number. */
char *fm_run_text_dup_position(const FmRun *run);

/* What @step is called. */
char *fm_run_text_dup_step_name(const FmRunStep *step);

/* "RND 4k Read · QD32", the same in every language: what its first stream does; NULL where
 * that is not known. */
char *fm_run_text_dup_workload(const FmRunStep *step);

/* What goes on where nothing is measured: "paused", "writing the test file: 40 %",
 * "resting"; NULL while a step is. */
char *fm_run_text_dup_activity(const FmRun *run);

G_END_DECLS
