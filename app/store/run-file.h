/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run on disk: an append-only stream of frames.  What is written is whole frames, so
 * that a crash at any instant leaves a readable run; the writer holds a lock on the
 * file, so that everybody can tell a running run from one that was cut off.  Used by
 * the run host only; reading is for all.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/frame.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef struct FmRunFile FmRunFile;

/*
 * Creates @path (never overwrites) or, with @append, cuts off an incomplete end and goes
 * on behind it.  FM_ERROR_BUSY when another process writes it; FM_ERROR_PROTOCOL when it
 * is no run, which is then left as it is.
 */
FmRunFile *fm_run_file_open(const char *path, bool append, GError **error);

/*
 * Appends one encoded frame (header included).  The end of a step or of the run, and
 * 4 MiB, are written at once; the rest waits for fm_run_file_flush(), which the host
 * calls at least every 10 s.  Errors are sticky and reported by the next flush and every
 * later one.  Whoever writes must ignore SIGXFSZ.
 */
void fm_run_file_append(FmRunFile *file, const void *frame, gsize length);
/* Writes out what is buffered; @durable also asks the drive to keep it. */
bool fm_run_file_flush(FmRunFile *file, bool durable, GError **error);
/* Bytes this file has written so far: the host's own share of the traffic. */
guint64 fm_run_file_get_written(const FmRunFile *file);
/*
 * Goes on in a new file at @path, which must not exist: copies what was written and adds
 * what could not be.  For a results folder that is full or gone; clears the error.
 */
bool fm_run_file_move(FmRunFile *file, const char *path, GError **error);
/* Flushes durably and frees @file, also on error. */
bool fm_run_file_close(FmRunFile *file, GError **error);

/* Whether @path is a file that begins like a run. */
bool fm_run_file_is_run(const char *path);
/* Reads a whole run.  A cut-off or damaged end is no error: see FmRun. */
FmRun *fm_run_file_load(const char *path, GError **error);

/* Called after each part of a file that was read; may take rows out of @run. */
typedef void (*FmRunFilePart)(FmRun *run, gpointer user_data);
/* The same for runs of days, whose rows need not be held all at once. */
FmRun *fm_run_file_load_in_parts(const char *path, FmRunFilePart part, gpointer user_data,
                                 GError **error);
/* Some of the I/Os that a step logged; @ios is NULL where the step began anew in a resumed run and
 * what came before does not count. */
typedef void (*FmRunFileLog)(const FmLoggedIo *ios, gsize n_ios, gpointer user_data);
/* Hands all I/Os that step @step logged to @each, a chunk at a time: there may be 45 million. */
bool fm_run_file_read_log(const char *path, unsigned step, FmRunFileLog each, gpointer user_data,
                          GError **error);

/* Whether some process holds @path open for writing. */
bool fm_run_file_is_busy(const char *path);

G_END_DECLS
