/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Turning the loops' raw entries into LATENCY_LOG frames: ticks to nanoseconds, 16
 * bytes to 8.  Entries stay in memory as long as there is room, so that a step of up
 * to two million I/Os a thread is not disturbed by writing them out at all.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step-log.h"

#include "model/frame.h"

static uint64_t
to_us(const FmStepRun *step, const FmIoLogEntry *entry)
{
    return (uint64_t)((double)entry->completed_at * step->ns_per_tick / 1000);
}

/* Packs one entry relative to @base_us; false when its time does not fit any more. */
static bool
pack(const FmStepRun *step, const FmIoLogEntry *entry, uint64_t base_us, uint64_t *word)
{
    const uint64_t max_latency = (1ull << FM_LOG_LATENCY_BITS) - 1;
    const uint64_t max_time = (1ull << FM_LOG_TIME_BITS) - 1;
    uint64_t time_us = to_us(step, entry) - base_us;
    uint64_t latency_ns = (uint64_t)((double)entry->latency * step->ns_per_tick);

    if (time_us > max_time) {
        return false;
    }
    *word =
        fm_latency_log_pack(MIN(latency_ns, max_latency), time_us, (FmOp)(entry->completed_at & 3));
    return true;
}

static void
emit_words(FmStepRun *step, uint32_t stream, uint64_t base_us, const GArray *words)
{
    GByteArray *payload = g_byte_array_new();
    const FmSink *sink = &step->run->options->sink;

    const FmLatencyLogKey key = {
        .step = step->step->number,
        .stream = stream,
        .base_ns = base_us * 1000,
    };
    fm_latency_log_encode(payload, &key, (const uint64_t *)(void *)words->data, words->len);
    sink->emit(sink->user_data, FM_FRAME_LATENCY_LOG, payload->data, payload->len);
    g_byte_array_unref(payload);
}

static void
emit_chunk(FmStepRun *step, const FmIoThread *thread, const FmIoLogEntry *entries, unsigned n)
{
    g_autoptr(GArray) words = g_array_sized_new(FALSE, FALSE, sizeof(uint64_t), n);
    uint64_t base_us = 0;

    for (unsigned i = 0; i < n; i++) {
        uint64_t word;
        if (entries[i].completed_at < 0) {
            continue; /* of the ramp */
        }
        if (words->len == 0 || !pack(step, &entries[i], base_us, &word)) {
            if (words->len > 0) {
                emit_words(step, thread->setup.stream_index, base_us, words);
                g_array_set_size(words, 0);
            }
            base_us = to_us(step, &entries[i]);
            pack(step, &entries[i], base_us, &word);
        }
        g_array_append_val(words, word);
    }
    if (words->len > 0) {
        emit_words(step, thread->setup.stream_index, base_us, words);
    }
}

static void
emit_log(FmStepRun *step, FmIoThread *thread)
{
    FmIoLog *log = thread->loop->log;
    const FmIoLogEntry *entries;
    unsigned n;

    while ((entries = fm_io_log_peek(log, &n)) != NULL) {
        emit_chunk(step, thread, entries, n);
        fm_io_log_release(log);
    }
}

void
fm_step_log_relieve(FmStepRun *step)
{
    for (unsigned i = 0; step->phase->log_ios && i < step->n_threads; i++) {
        if (fm_io_log_is_half_full(step->threads[i].loop->log)) {
            emit_log(step, &step->threads[i]);
        }
    }
}

void
fm_step_log_finish(FmStepRun *step)
{
    for (unsigned i = 0; step->phase->log_ios && i < step->n_threads; i++) {
        FmIoLog *log = step->threads[i].loop->log;
        emit_log(step, &step->threads[i]);
        if (log->dropped > 0) {
            fm_run_note(step->run, "warning", step->step->number,
                        "the record of single I/Os is cut off after I/O number %ju", log->logged);
        }
    }
}
