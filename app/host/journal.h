/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames of a run as the host keeps them: what was flushed lies in the run file,
 * the last seconds in memory.  Viewers are fed from it by position, so that one who
 * is hours behind costs the run nothing.  When the run file can't be written any
 * more, the run moves to a second place.  Host's main thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"

G_BEGIN_DECLS

typedef struct FmJournal FmJournal;

/* Creates the run file @path; @fallback is the file to go on in when that fails later. */
FmJournal *fm_journal_new(const char *path, const char *fallback, GError **error);
void fm_journal_free(FmJournal *journal);

/* Adds a frame, counted anew. */
void fm_journal_append(FmJournal *journal, FmFrameKind kind, const void *payload, gsize length);

/*
 * Writes out what waits.  False when the run file failed: @error says what happened and
 * where the run goes on (or that it can't be kept); told once for each place.
 */
bool fm_journal_flush(FmJournal *journal, bool durable, GError **error);
/* The same if the last flush is long ago or much waits. */
bool fm_journal_tick(FmJournal *journal, GError **error);
/* Flushes for good.  Reading still works. */
bool fm_journal_close(FmJournal *journal, GError **error);
/* Closes and removes the run file: nothing was done that is worth keeping. */
void fm_journal_discard(FmJournal *journal);

/* Where the run is now; NULL = it could not be kept. */
const char *fm_journal_get_path(const FmJournal *journal);
/* Bytes of all frames so far. */
uint64_t fm_journal_get_length(const FmJournal *journal);
/* Bytes this host has written to disk for the run. */
uint64_t fm_journal_get_written(const FmJournal *journal);

/* Copies frames from @position on; returns bytes copied, 0 at the end, -1 when they
 * can't be read any more. */
gssize fm_journal_read(FmJournal *journal, uint64_t position, void *buffer, gsize size);

G_END_DECLS
