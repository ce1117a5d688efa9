/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run file plus the bytes it has not taken yet.
 */
#define G_LOG_DOMAIN "fathom"

#include "host/journal.h"

#include "base/error.h"
#include "store/run-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

enum {
    /* What an interrupted run may lose at most. */
    FLUSH_INTERVAL_MS = 5000,
    FLUSH_SIZE = 1024 * 1024,
    /* Kept in memory when there is no place on disk left at all. */
    MAX_TAIL = 64 * 1024 * 1024,
};

struct FmJournal {
    FmRunFile *file; /* NULL = closed, or no place is left */
    char *path; /* where the frames before @tail are; NULL = nowhere */
    char *fallback; /* NULL = already used */
    int descriptor; /* for reading @path */
    GByteArray *tail; /* what was appended since the last flush */
    uint64_t flushed; /* position of the first byte of @tail */
    uint64_t written; /* of a file that is closed */
    uint32_t sequence;
    gint64 flush_us; /* monotonic time of the last flush */
};

static void
reopen(FmJournal *journal)
{
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
    }
    journal->descriptor = g_open(journal->path, O_RDONLY | O_CLOEXEC, 0);
}

static void
close_file(FmJournal *journal)
{
    if (journal->file != NULL) {
        journal->written = fm_run_file_get_written(journal->file);
        fm_run_file_close(g_steal_pointer(&journal->file), NULL);
    }
}

FmJournal *
fm_journal_new(const char *path, const char *fallback, GError **error)
{
    FmRunFile *file = fm_run_file_open(path, false, error);
    if (file == NULL) {
        return NULL;
    }
    FmJournal *journal = g_new0(FmJournal, 1);
    journal->file = file;
    journal->path = g_strdup(path);
    journal->fallback = g_strdup(fallback);
    journal->descriptor = -1;
    journal->tail = g_byte_array_new();
    journal->flush_us = g_get_monotonic_time();
    reopen(journal);
    return journal;
}

void
fm_journal_free(FmJournal *journal)
{
    if (journal == NULL) {
        return;
    }
    close_file(journal);
    if (journal->descriptor >= 0) {
        close(journal->descriptor);
    }
    g_byte_array_unref(journal->tail);
    g_free(journal->path);
    g_free(journal->fallback);
    g_free(journal);
}

void
fm_journal_append(FmJournal *journal, FmFrameKind kind, const void *payload, gsize length)
{
    guint before = journal->tail->len;

    fm_frame_encode(journal->tail, kind, journal->sequence++, payload, length);
    if (journal->file != NULL) {
        fm_run_file_append(journal->file, journal->tail->data + before,
                           journal->tail->len - before);
    } else if (journal->tail->len > MAX_TAIL) {
        guint excess = journal->tail->len - MAX_TAIL / 2;
        g_byte_array_remove_range(journal->tail, 0, excess);
        journal->flushed += excess;
    }
}

static void
forget_tail(FmJournal *journal)
{
    journal->flushed += journal->tail->len;
    if (journal->tail->len > FLUSH_SIZE) {
        g_byte_array_unref(journal->tail);
        journal->tail = g_byte_array_new();
    }
    g_byte_array_set_size(journal->tail, 0);
}

/* Goes on at the fallback after @cause; tells what became of the run. */
static void
move(FmJournal *journal, const GError *cause, GError **error)
{
    g_autofree char *next = g_steal_pointer(&journal->fallback);
    g_autoptr(FmMessage) why = fm_error_dup_message(cause);
    g_autoptr(GError) lower = NULL;

    if (next != NULL && fm_run_file_move(journal->file, next, &lower)) {
        fm_error_set(error, cause->code, "%p; the run goes on in “%s”", why, next);
        g_free(journal->path);
        journal->path = g_steal_pointer(&next);
        reopen(journal);
        forget_tail(journal);
        return;
    }
    g_autoptr(FmMessage) problem =
        lower != NULL ? fm_error_dup_message(lower) : fm_message_new("none is left");
    fm_error_set(error, cause->code,
                 "%p; the run goes on, but no other place takes it (%p), so it is kept only up to "
                 "here",
                 why, problem);
    close_file(journal);
}

bool
fm_journal_flush(FmJournal *journal, bool durable, GError **error)
{
    g_autoptr(GError) lower = NULL;

    journal->flush_us = g_get_monotonic_time();
    if (journal->file == NULL) {
        return true;
    }
    if (!fm_run_file_flush(journal->file, durable, &lower)) {
        move(journal, lower, error);
        return false;
    }
    forget_tail(journal);
    return true;
}

bool
fm_journal_tick(FmJournal *journal, GError **error)
{
    bool is_due = journal->tail->len > 0 &&
                  (journal->tail->len > FLUSH_SIZE ||
                   g_get_monotonic_time() - journal->flush_us > FLUSH_INTERVAL_MS * 1000);

    return !is_due || fm_journal_flush(journal, false, error);
}

bool
fm_journal_close(FmJournal *journal, GError **error)
{
    bool is_kept = fm_journal_flush(journal, true, error);

    close_file(journal);
    return is_kept;
}

void
fm_journal_discard(FmJournal *journal)
{
    close_file(journal);
    if (journal->path != NULL) {
        g_unlink(journal->path);
        g_clear_pointer(&journal->path, g_free);
    }
}

const char *
fm_journal_get_path(const FmJournal *journal)
{
    return journal->path;
}

uint64_t
fm_journal_get_length(const FmJournal *journal)
{
    return journal->flushed + journal->tail->len;
}

uint64_t
fm_journal_get_written(const FmJournal *journal)
{
    return journal->file != NULL ? fm_run_file_get_written(journal->file) : journal->written;
}

gssize
fm_journal_read(FmJournal *journal, uint64_t position, void *buffer, gsize size)
{
    if (position >= journal->flushed) {
        gsize offset = (gsize)(position - journal->flushed);
        gsize n = MIN(size, journal->tail->len - offset);
        if (n == 0) {
            return 0; /* an empty tail has no data to point at */
        }
        memcpy(buffer, journal->tail->data + offset, n);
        return (gssize)n;
    }
    gsize wanted = (gsize)MIN((uint64_t)size, journal->flushed - position);
    gssize n =
        journal->descriptor < 0 ? -1 : pread(journal->descriptor, buffer, wanted, (off_t)position);
    return n > 0 ? n : -1;
}
