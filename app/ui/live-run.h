/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run that the window watches: a session with its host and the run as its frames fold
 * up.  Starting and looking for runs happen in a thread of their own; everything else, and
 * every signal, on the main thread.  "changed" comes at most twice a second, and only
 * when there is something new; a change of state comes at once.  Freeing it leaves the run
 * alone: the host owns it.
 */
#pragma once

#include <glib-object.h>
#include <stdbool.h>

#include "host/session.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef enum {
    FM_LIVE_NONE, /* no run is watched; get_error() may say why none could be started */
    FM_LIVE_STARTING, /* a host is being started or reached */
    FM_LIVE_RUNNING,
    FM_LIVE_PAUSED,
    FM_LIVE_STOPPING, /* asked to stop; the run ends in order */
    FM_LIVE_ENDED, /* by itself, on request, or because it was lost: get_error() */
} FmLiveState;

#define FM_TYPE_LIVE_RUN (fm_live_run_get_type())
G_DECLARE_FINAL_TYPE(FmLiveRun, fm_live_run, FM, LIVE_RUN, GObject)

/* Signals: "changed"; "ended" once for each run, after the "changed" that shows its end. */
FmLiveRun *fm_live_run_new(void);

/* Takes @request.  Nothing happens while a run is watched that is not over. */
void fm_live_run_start(FmLiveRun *live, FmSessionRequest *request);
/* Looks for the newest run in progress of this user and watches it; quietly when there is
 * none or one is watched already. */
void fm_live_run_attach(FmLiveRun *live);

void fm_live_run_pause(FmLiveRun *live);
void fm_live_run_resume(FmLiveRun *live);
void fm_live_run_stop(FmLiveRun *live);

FmLiveState fm_live_run_get_state(FmLiveRun *live);
/* A run that is not over is watched or being started. */
bool fm_live_run_is_active(FmLiveRun *live);
/* What came so far, or NULL; the same object until the next run, longer as it goes on. */
const FmRun *fm_live_run_get_run(FmLiveRun *live);
/* Counts the runs that were watched, so that a viewer notices another one. */
unsigned fm_live_run_get_serial(FmLiveRun *live);
/* Why there is no run, or how it was lost; NULL when all is well. */
const GError *fm_live_run_get_error(FmLiveRun *live);
/* Where the run is kept, or NULL. */
const char *fm_live_run_get_output(FmLiveRun *live);
/* Time left; -1 = not known. */
gint64 fm_live_run_get_left_ns(FmLiveRun *live);

G_END_DECLS
