/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chunks of the per-I/O log and their hand-over.  The I/O thread fills, the writer
 * drains; each index is written by one side.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/io-log.h"

#include <string.h>

FmIoLog *
fm_io_log_new(unsigned n_chunks, bool wait_if_full)
{
    FmIoLog *log = g_aligned_alloc0(1, sizeof *log, _Alignof(FmIoLog));

    g_assert(n_chunks >= 2 && (n_chunks & (n_chunks - 1)) == 0);
    log->n_chunks = n_chunks;
    log->wait_if_full = wait_if_full;
    log->chunks = g_new(FmIoLogEntry *, n_chunks);
    for (unsigned i = 0; i < n_chunks; i++) {
        log->chunks[i] = g_new(FmIoLogEntry, FM_IO_LOG_CHUNK);
        memset(log->chunks[i], 0xff, sizeof(FmIoLogEntry) * FM_IO_LOG_CHUNK);
    }
    fm_io_log_restart(log);
    return log;
}

void
fm_io_log_free(FmIoLog *log)
{
    if (log == NULL) {
        return;
    }
    for (unsigned i = 0; i < log->n_chunks; i++) {
        g_free(log->chunks[i]);
    }
    g_free(log->chunks);
    g_aligned_free(log);
}

static FmIoLogEntry *
current_chunk(FmIoLog *log)
{
    uint64_t filled = atomic_load_explicit(&log->filled, memory_order_relaxed);
    return log->chunks[filled & (log->n_chunks - 1)];
}

void
fm_io_log_restart(FmIoLog *log)
{
    /* Chunks handed over during the ramp belong to the writer; it skips what lies
     * before the window by its time.  Only the open chunk is emptied. */
    log->next = current_chunk(log);
    log->end = log->next + FM_IO_LOG_CHUNK;
    log->logged = 0;
    log->dropped = 0;
}

static bool
has_room(const FmIoLog *log, uint64_t filled)
{
    /* Acquire: the writer is done with the chunk we would fill next. */
    return filled + 1 - atomic_load_explicit(&log->drained, memory_order_acquire) < log->n_chunks;
}

void
fm_io_log_turn(FmIoLog *log)
{
    uint64_t filled = atomic_load_explicit(&log->filled, memory_order_relaxed);

    while (!has_room(log, filled)) {
        if (!log->wait_if_full) {
            log->dropped++;
            return;
        }
        g_thread_yield();
    }
    if (log->dropped > 0) {
        /* A log with a hole would mislead: once cut, it stays cut. */
        log->dropped++;
        return;
    }
    log->logged += FM_IO_LOG_CHUNK;
    /* Release: the entries are written before the chunk is handed over. */
    atomic_store_explicit(&log->filled, filled + 1, memory_order_release);
    log->next = current_chunk(log);
    log->end = log->next + FM_IO_LOG_CHUNK;
}

void
fm_io_log_finish(FmIoLog *log)
{
    FmIoLogEntry *chunk = current_chunk(log);
    unsigned n = (unsigned)(log->next - chunk);

    log->logged += n;
    /* The writer tells the last chunk by its end mark. */
    if (n < FM_IO_LOG_CHUNK) {
        chunk[n].latency = UINT64_MAX;
    }
    atomic_fetch_add_explicit(&log->filled, 1, memory_order_release);
    log->next = NULL;
    log->end = NULL;
}

const FmIoLogEntry *
fm_io_log_peek(FmIoLog *log, unsigned *n_entries)
{
    uint64_t drained = atomic_load_explicit(&log->drained, memory_order_relaxed);

    if (atomic_load_explicit(&log->filled, memory_order_acquire) == drained) {
        return NULL;
    }
    const FmIoLogEntry *chunk = log->chunks[drained & (log->n_chunks - 1)];
    unsigned n = 0;
    while (n < FM_IO_LOG_CHUNK && chunk[n].latency != UINT64_MAX) {
        n++;
    }
    *n_entries = n;
    return chunk;
}

void
fm_io_log_release(FmIoLog *log)
{
    atomic_fetch_add_explicit(&log->drained, 1, memory_order_release);
}

bool
fm_io_log_is_half_full(const FmIoLog *log)
{
    uint64_t drained = atomic_load_explicit(&log->drained, memory_order_relaxed);

    return (atomic_load_explicit(&log->filled, memory_order_acquire) - drained) * 2 > log->n_chunks;
}
