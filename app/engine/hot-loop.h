/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loop, once, as a template.  A backend that lives on a ring of its own
 * includes this file after defining how a request is put into the ring and how a
 * completion is taken out; everybody else runs the instantiation over submit() and
 * reap() in loop-generic.c.  Including it is the one thing of engine/ that a platform
 * backend may do.
 *
 * To define before the include:
 *   FM_LOOP_FUNCTION  name of the function to make: void f(FM_LOOP_QUEUE *, FmLoop *)
 *   FM_LOOP_QUEUE     type of the queue
 *   FM_LOOP_NOW(q)    the clock, in ticks
 *   FM_LOOP_PUT(q, features, op, slot, offset, length, buffer)
 *                     queues one request; there is always room
 *   FM_LOOP_ENTER(q, loop, min)
 *                     submits what was put, waits for @min completions (0 = does not
 *                     wait) or a wake-up
 *   FM_LOOP_NEXT(q, done)
 *                     takes one completion out into an FmLoopDone, or is false
 *   FM_LOOP_REAPED(q) all completions of this round were taken
 *
 * What an iteration costs is what the program is judged by: one system call, one
 * clock read a request and one a reap, no division, no lock, no allocation.  A
 * completion is stamped once per reap, because that is when all of them became
 * visible to us; a request is stamped as it is queued.  The latency is therefore
 * queued-to-reaped and includes the submission (ENGINE 2.5).
 *
 * A reap never waits for more than one completion: making batches fuller would add
 * the wait to the latency of the first.  While slots are free we do not wait at all,
 * so that the queue fills up to its depth.
 */
#include <stdatomic.h>

#include "engine/buffers.h"
#include "engine/loop.h"
#include "engine/pattern.h"

#define FM_LIKELY(x) __builtin_expect(!!(x), 1)
#define FM_UNLIKELY(x) __builtin_expect(!!(x), 0)

#define FM_LOOP_PASTE_(a, b) a##b
#define FM_LOOP_PASTE(a, b) FM_LOOP_PASTE_(a, b)
#define FM_LOOP_LOCAL(name) FM_LOOP_PASTE(FM_LOOP_FUNCTION, name)

/* What is the same for every request of the usual loops; lives in registers. */
typedef struct {
    unsigned op;
    uint32_t length;
    FmLoopOp *stats;
} FM_LOOP_LOCAL(_fixed);

/* Draws one request and puts it into the queue. */
static inline __attribute__((always_inline)) void
FM_LOOP_LOCAL(_issue)(FM_LOOP_QUEUE *queue, FmLoop *loop, FM_LOOP_LOCAL(_fixed) fixed,
                      unsigned slot, const uint32_t features)
{
    unsigned op = fixed.op;
    uint32_t length = fixed.length;

    uint64_t draw = fm_pattern_draw(loop, features);
    if (features & (FM_LOOP_MIXED_OPS | FM_LOOP_MIXED_LENGTHS)) {
        fm_pattern_choose(loop, features, draw, &op, &length);
    }
    uint64_t offset = fm_pattern_next(loop, features, draw, op, &length);
    uint8_t *buffer = loop->pool + slot * loop->slot_stride;
    FmLoopSlot *state = &loop->slots[slot];

    if ((features & FM_LOOP_STAMPED) &&
        ((features & FM_LOOP_MIXED_OPS) == 0 || op == FM_OP_WRITE)) {
        fm_buffer_stamp(buffer, length, loop->stamp_step, offset, &loop->stamp);
    }
    if (features & FM_LOOP_MIXED_LENGTHS) {
        loop->slot_length[slot] = length;
    }
    state->offset = offset;
    FM_LOOP_PUT(queue, features, op, slot, offset, length, buffer);
    state->queued_at = FM_LOOP_NOW(queue);
}

/* Counts one completion that was reaped at @now. */
static inline __attribute__((always_inline)) void
FM_LOOP_LOCAL(_complete)(FmLoop *loop, FM_LOOP_LOCAL(_fixed) fixed, FmLoopDone done, uint64_t now,
                         const uint32_t features)
{
    unsigned slot = done.tag & 0xffff;
    unsigned op = fixed.op;
    uint32_t length = fixed.length;
    FmLoopOp *stats = fixed.stats;

    if (features & FM_LOOP_MIXED_OPS) {
        op = done.tag >> 16;
        stats = &loop->ops[op];
    }
    if (features & FM_LOOP_MIXED_LENGTHS) {
        length = loop->slot_length[slot];
    }
    bool moves = (features & FM_LOOP_ODD_OPS) == 0 || op < FM_OP_TRIM;
    if (FM_UNLIKELY(done.result != (moves ? (int32_t)length : 0))) {
        fm_loop_error(loop, op, slot, done.result);
        return;
    }
    uint64_t latency = now - loop->slots[slot].queued_at;
    stats->bins[fm_hist_bin(latency, FM_HIST_PHASE_BITS)]++;
    stats->ios++;
    stats->sum += latency;
    if (FM_UNLIKELY(latency > stats->max)) {
        stats->max = latency;
    }
    if (FM_UNLIKELY(latency < stats->min)) {
        stats->min = latency;
    }
    if (features & FM_LOOP_MIXED_LENGTHS) {
        stats->bytes += length;
    }
    if (features & FM_LOOP_LOGGED) {
        fm_io_log_add(loop->log, now - loop->window_start, latency, op);
    }
}

/* After the window: nothing is submitted any more, what comes back is only counted
 * as traffic.  Ends when all is back or the control gives up on it. */
static void
FM_LOOP_LOCAL(_drain)(FM_LOOP_QUEUE *queue, FmLoop *loop, unsigned in_flight)
{
    FmLoopDone done;

    for (;;) {
        /* The first round takes what was reaped when the window closed. */
        while (FM_LOOP_NEXT(queue, done)) {
            fm_loop_count_drained(loop, done);
            in_flight--;
        }
        FM_LOOP_REAPED(queue);
        atomic_store_explicit(&loop->outstanding, in_flight, memory_order_relaxed);
        if (in_flight == 0 || atomic_load_explicit(&loop->control->abandon, memory_order_relaxed)) {
            break;
        }
        FM_LOOP_ENTER(queue, loop, 1);
    }
    atomic_store_explicit(&loop->state, FM_LOOP_DONE, memory_order_release);
}

static inline __attribute__((always_inline)) void
FM_LOOP_LOCAL(_body)(FM_LOOP_QUEUE *queue, FmLoop *loop, const uint32_t features)
{
    FmLoopControl *control = loop->control;
    uint16_t *free_slots = loop->free_slots;
    const FM_LOOP_LOCAL(_fixed) fixed = {loop->op, loop->length, &loop->ops[loop->op]};
    const unsigned depth = loop->depth;
    const unsigned batch = loop->batch;
    unsigned n_free = depth;
    bool open = true;

    while (open) {
        uint32_t command = atomic_load_explicit(&control->command, memory_order_relaxed);
        unsigned n = n_free < batch ? n_free : batch;

        if (FM_UNLIKELY(command != FM_COMMAND_RUN)) {
            if (command == FM_COMMAND_STOP) {
                fm_loop_close(loop, FM_LOOP_NOW(queue));
                break;
            }
            if (n_free == depth) {
                fm_loop_wait_paused(loop);
                continue;
            }
            n = 0;
        }
        if (FM_UNLIKELY(n > loop->remaining)) {
            n = (unsigned)loop->remaining;
        }
        loop->remaining -= n;
        for (unsigned i = 0; i < n; i++) {
            FM_LOOP_LOCAL(_issue)(queue, loop, fixed, free_slots[--n_free], features);
        }

        FM_LOOP_ENTER(queue, loop, n_free == 0 || n == 0 ? 1 : 0);

        uint64_t now = FM_LOOP_NOW(queue);
        if (FM_UNLIKELY(now >= loop->next_event) && command == FM_COMMAND_RUN &&
            !fm_loop_event(loop, now)) {
            break;
        }

        FmLoopDone done;
        while (FM_LOOP_NEXT(queue, done)) {
            free_slots[n_free++] = (uint16_t)done.tag;
            FM_LOOP_LOCAL(_complete)(loop, fixed, done, now, features);
        }
        FM_LOOP_REAPED(queue);

        if (FM_UNLIKELY(loop->remaining == 0) && n_free == depth) {
            fm_loop_close(loop, now);
            open = false;
        }
    }
    FM_LOOP_LOCAL(_drain)(queue, loop, depth - n_free);
}

void
FM_LOOP_FUNCTION(FM_LOOP_QUEUE *queue, FmLoop *loop)
{
    /* The combinations that make up nearly all workloads are compiled without the
     * branches they do not need; every other one runs the same source with them. */
    switch (loop->features) {
    case 0:
        FM_LOOP_LOCAL(_body)(queue, loop, 0);
        break;
    case FM_LOOP_STAMPED:
        FM_LOOP_LOCAL(_body)(queue, loop, FM_LOOP_STAMPED);
        break;
    case FM_LOOP_MIXED_OPS | FM_LOOP_STAMPED:
        FM_LOOP_LOCAL(_body)(queue, loop, FM_LOOP_MIXED_OPS | FM_LOOP_STAMPED);
        break;
    case FM_LOOP_SEQUENTIAL:
        FM_LOOP_LOCAL(_body)(queue, loop, FM_LOOP_SEQUENTIAL);
        break;
    case FM_LOOP_SEQUENTIAL | FM_LOOP_STAMPED:
        FM_LOOP_LOCAL(_body)(queue, loop, FM_LOOP_SEQUENTIAL | FM_LOOP_STAMPED);
        break;
    default:
        FM_LOOP_LOCAL(_body)(queue, loop, loop->features);
        break;
    }
}
