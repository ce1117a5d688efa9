/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record of every I/O of a step, without disturbing it: an I/O thread appends to
 * chunks of memory that were touched before the start and hands full ones to the
 * writer; when no chunk is free it stops logging and says from which I/O on, it never
 * waits (ENGINE section 3).  On virtual time it does wait: nobody is disturbed there.
 */
#pragma once

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
    FM_IO_LOG_CHUNK = 64 * 1024, /* entries: 1 MiB */
};

/* 16 bytes.  Ticks; the writer converts. */
typedef struct {
    /* Since the start of the window on the clock of the step, which stands still during a
     * pause; below 0 in the ramp.  The low 2 bits hold the op: a quarter of a nanosecond at
     * 4 GHz is lost. */
    int64_t completed_at;
    uint64_t latency; /* UINT64_MAX = end mark */
} FmIoLogEntry;

typedef struct FmIoLog {
    /* --- I/O thread */
    FmIoLogEntry *next;
    FmIoLogEntry *end;
    FmIoLogEntry **chunks;
    unsigned n_chunks;
    bool wait_if_full; /* virtual time */
    uint64_t logged; /* entries in full chunks */
    uint64_t dropped; /* I/Os not logged because the writer was behind */
    /* --- handed over; each written by one side */
    _Alignas(128) _Atomic uint64_t filled;
    _Alignas(128) _Atomic uint64_t drained;
} FmIoLog;

/* A log of at most @n_chunks (a power of two) chunks. */
FmIoLog *fm_io_log_new(unsigned n_chunks, bool wait_if_full);
void fm_io_log_free(FmIoLog *log);

/* A chunk is full.  Cold. */
void fm_io_log_turn(FmIoLog *log);
/* Empties the log: the ramp is over. */
void fm_io_log_restart(FmIoLog *log);
/* After the loop: hands over the last, partly filled chunk. */
void fm_io_log_finish(FmIoLog *log);

/* Writer's side: the oldest full chunk, or NULL; then gives it back. */
const FmIoLogEntry *fm_io_log_peek(FmIoLog *log, unsigned *n_entries);
void fm_io_log_release(FmIoLog *log);
bool fm_io_log_is_half_full(const FmIoLog *log);

static inline void
fm_io_log_add(FmIoLog *log, uint64_t since_start, uint64_t latency, unsigned op)
{
    if (__builtin_expect(log->next == log->end, 0)) {
        fm_io_log_turn(log);
        if (log->next == log->end) {
            return;
        }
    }
    log->next->completed_at = (int64_t)((since_start & ~(uint64_t)3) | op);
    log->next->latency = latency;
    log->next++;
}

G_END_DECLS
