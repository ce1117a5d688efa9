/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watching a run from a terminal: folds its frames, shows progress on standard error,
 * turns Ctrl-C into what the command wants it to mean.  Main thread.
 */
#pragma once

#include <stdbool.h>

#include "host/session.h"
#include "model/run-forecast.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef enum {
    FM_FOLLOW_STOP, /* Ctrl-C stops the run; once more leaves it to end by itself */
    FM_FOLLOW_LEAVE, /* Ctrl-C leaves the run alone */
} FmFollowInterrupt;

typedef struct FmFollow FmFollow;

/* From here on Ctrl-C is kept for the run.  Call it before a run is started, so that no
 * instant is left in which Ctrl-C ends this program and leaves the run. */
FmFollow *fm_follow_new(FmFollowInterrupt interrupt);
void fm_follow_free(FmFollow *follow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmFollow, fm_follow_free)

/* Follows @session to the end of the run or until the user leaves, and returns the exit
 * code.  Once. */
int fm_follow_watch(FmFollow *follow, FmSession *session);
/* What was seen; lives as long as @follow. */
const FmRun *fm_follow_get_run(const FmFollow *follow);
/* The user left before the end. */
bool fm_follow_has_left(const FmFollow *follow);

/* Prints the table of results and where they are kept. */
void fm_follow_show_result(FmSession *session, const FmRun *run);

/* Exit code of an END outcome ("complete", ...). */
int fm_follow_get_exit_code(const char *outcome);

/* One line about where @run is: step, name, speed, time left (not with a NULL @forecast).
 * Caller frees. */
char *fm_follow_dup_progress(const FmRun *run, FmRunForecast *forecast);

G_END_DECLS
