/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run on disk: an append-only stream of frames.  The writer buffers and flushes at
 * least every 10 s and at the end of a step, so that a crash loses little.  Used by
 * the run host only.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/frame.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef struct FmRunFile FmRunFile;

/* Creates @path (never overwrites) or, with @append, repairs a cut-off end and goes
 * on behind it. */
FmRunFile *fm_run_file_open(const char *path, bool append, GError **error);
/* Appends one encoded frame (header included).  Errors are sticky and reported by
 * this and every later flush: what was flushed before stays readable. */
void fm_run_file_append(FmRunFile *file, const void *frame, gsize length);
/* Writes out what is buffered; @durable also asks the drive to keep it. */
bool fm_run_file_flush(FmRunFile *file, bool durable, GError **error);
/* Flushes if the last flush is more than 10 s ago. */
bool fm_run_file_tick(FmRunFile *file, GError **error);
/* Bytes this file has written so far: the host's own share of the traffic. */
guint64 fm_run_file_get_written(const FmRunFile *file);
/*
 * Goes on in a new file at @path, which must not exist: copies what was written and adds
 * what could not be.  For a results folder that is full or gone; clears the error.
 */
bool fm_run_file_move(FmRunFile *file, const char *path, GError **error);
/* Flushes durably and frees @file, also on error. */
bool fm_run_file_close(FmRunFile *file, GError **error);

/* Reads a whole run.  A cut-off or damaged end is no error: see FmRun. */
FmRun *fm_run_file_load(const char *path, GError **error);

G_END_DECLS
