/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A viewer's side of a running run: start a host, find hosts, attach, send commands,
 * receive frames.  Everything runs on the caller's main context.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "model/frame.h"

G_BEGIN_DECLS

typedef struct {
    char *plan_text; /* canonical JSON of the resolved plan */
    char *plan_id;
    GStrv settings; /* as the user gave them, for the record */
    char *target; /* absolute path, "null" or "sim:MODEL" */
    char *backend; /* NULL = best */
    char *backend_options;
    char *output; /* run file, absolute; NULL = in the library */
    char *drive; /* model, for the name of the run file; NULL = unknown */
    bool allow_buffered;
    bool allow_shared; /* other runs may be on the same drive, at the price of both results */
    guint64 keep_free; /* G_MAXUINT64 = the default reserve */
} FmSessionRequest;

typedef struct {
    char *id;
    char *plan_id;
    char *target;
    char *output;
    char *socket;
    GStrv drives; /* names of those below the target; empty where there are none */
    gint64 wall_us;
    guint pid;
} FmSessionInfo;

void fm_session_info_free(FmSessionInfo *info);

typedef struct FmSession FmSession;

/*
 * Spawns a run host that survives this process and its terminal; attaches to it.
 * Whether the run itself can begin is told by its frames; an error here means that
 * there is no run at all.
 */
FmSession *fm_session_start(const FmSessionRequest *request, GError **error);
/* Runs in progress of this user, of FmSessionInfo, oldest first.  Dead entries are
 * removed on the way, with the stray test files their runs left behind. */
GPtrArray *fm_session_list(void);
/* Attaches to a run by id (NULL = the only one).  All frames so far come first. */
FmSession *fm_session_attach(const char *id, GError **error);
void fm_session_free(FmSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmSession, fm_session_free)

const char *fm_session_get_id(const FmSession *session);
/* Where the run is kept now: it moves when the place for results is full. */
const char *fm_session_get_output(const FmSession *session);

typedef void (*FmSessionFrameCallback)(FmSession *session, const FmFrame *frame,
                                       gpointer user_data);
/* @error NULL = the run is over: END came.  The session may be freed in both. */
typedef void (*FmSessionClosedCallback)(FmSession *session, const GError *error,
                                        gpointer user_data);

/* True when the run file asked for does not hold the whole run: it had to go on elsewhere, or
 * no place took the rest. */
bool fm_session_has_lost_place(const FmSession *session);

void fm_session_watch(FmSession *session, FmSessionFrameCallback frame,
                      FmSessionClosedCallback closed, gpointer user_data);
/* FM_FRAME_PAUSE, RESUME or STOP.  The run acknowledges with a NOTE of kind "decision" whose
 * `request` is the number returned here. */
guint64 fm_session_command(FmSession *session, FmFrameKind command);

G_END_DECLS
