/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loop instantiated over submit() and reap().  Runs on the I/O thread that
 * owns the queue.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/loop-generic.h"

#include "platform/platform-io.h"

#include <errno.h>

enum {
    RETRY_NS = 50 * 1000 * 1000, /* a queue that takes nothing is asked again after this */
};

/* The state between the loop and the vtable: requests of one round, completions not yet
 * counted. */
typedef struct {
    const FmBackend *backend;
    FmQueue *queue;
    FmLoopClock clock;
    FmIo ios[FM_LOOP_MAX_BATCH];
    unsigned n_ios;
    FmCompletion completions[FM_MAX_IN_FLIGHT];
    uint8_t ops[FM_MAX_IN_FLIGHT]; /* per slot */
    unsigned n_completions;
    unsigned next;
} GenericQueue;

static inline uint64_t
generic_now(GenericQueue *generic)
{
    switch (generic->clock) {
    case FM_LOOP_CLOCK_BACKEND:
        return generic->backend->now(generic->queue);
    case FM_LOOP_CLOCK_MONOTONIC:
        return (uint64_t)plat_clock_monotonic_ns();
    case FM_LOOP_CLOCK_COUNTER:
    default:
        return plat_counter();
    }
}

static inline void
generic_put(GenericQueue *generic, FmIo io)
{
    generic->ops[io.slot] = io.op;
    generic->ios[generic->n_ios++] = io;
}

/* Submits all that was put.  A backend that can't take all of it at once gets the rest
 * when it has given something back, which is kept for the loop. */
static void
generic_submit(GenericQueue *generic, FmLoop *loop)
{
    unsigned taken = 0;

    while (taken < generic->n_ios) {
        int n =
            generic->backend->submit(generic->queue, generic->ios + taken, generic->n_ios - taken);
        if (n < 0 && n != -EAGAIN && n != -EINTR && n != -EBUSY) {
            fm_loop_fail(loop, -n);
            return;
        }
        if (n > 0) {
            taken += (unsigned)n;
            continue;
        }
        int reaped =
            generic->backend->reap(generic->queue, generic->completions + generic->n_completions, 1,
                                   FM_MAX_IN_FLIGHT - generic->n_completions, RETRY_NS);
        generic->n_completions += (unsigned)MAX(reaped, 0);
        if (atomic_load_explicit(&loop->control->abandon, memory_order_relaxed)) {
            return;
        }
    }
    generic->n_ios = 0;
}

/* Waits no longer than to the next boundary, so that virtual clocks make their rows
 * and a queue that can't be interrupted comes back. */
static int64_t
time_to_next_event(GenericQueue *generic, const FmLoop *loop)
{
    const int64_t longest = 50 * 1000 * 1000;

    if (generic->clock != FM_LOOP_CLOCK_BACKEND) {
        return longest;
    }
    uint64_t now = generic->backend->now(generic->queue);
    if (loop->next_event == UINT64_MAX) {
        return longest;
    }
    return loop->next_event > now ? (int64_t)(loop->next_event - now) : 0;
}

static void
generic_enter(GenericQueue *generic, FmLoop *loop, unsigned min)
{
    generic->n_completions = 0;
    generic->next = 0;
    if (generic->n_ios > 0) {
        generic_submit(generic, loop);
    }
    if (generic->n_completions > 0) {
        return;
    }
    int n = generic->backend->reap(generic->queue, generic->completions, min, FM_LOOP_MAX_BATCH,
                                   min > 0 ? time_to_next_event(generic, loop) : 0);
    if (n >= 0) {
        generic->n_completions = (unsigned)n;
    } else if (n != -EAGAIN && n != -EINTR && n != -EBUSY && n != -ETIME) {
        fm_loop_fail(loop, -n);
    }
}

static inline bool
generic_next(GenericQueue *generic, FmLoopDone *done)
{
    if (generic->next == generic->n_completions) {
        return false;
    }
    const FmCompletion *completion = &generic->completions[generic->next++];
    done->tag = completion->slot | (uint32_t)generic->ops[completion->slot] << 16;
    done->result = completion->result;
    return true;
}

#define FM_LOOP_FUNCTION run_generic
#define FM_LOOP_QUEUE GenericQueue
#define FM_LOOP_NOW(q) generic_now(q)
#define FM_LOOP_PUT(q, features, op_, slot_, offset_, length_, buffer_)                            \
    generic_put(q, (FmIo){.offset = (offset_),                                                     \
                          .buffer = (op_) >= FM_OP_TRIM ? NULL : (buffer_),                        \
                          .length = (op_) == FM_OP_FLUSH ? 0 : (length_),                          \
                          .slot = (uint16_t)(slot_),                                               \
                          .op = (uint8_t)(op_),                                                    \
                          .sync = ((features)&FM_LOOP_SYNC) != 0 && (op_) == FM_OP_WRITE})
#define FM_LOOP_ENTER(q, loop, min) generic_enter(q, loop, min)
#define FM_LOOP_NEXT(q, done) generic_next(q, &(done))
#define FM_LOOP_REAPED(q)

static void run_generic(GenericQueue *queue, FmLoop *loop);

#include "engine/hot-loop.h"

void
fm_loop_run_generic(const FmBackend *backend, FmQueue *queue, FmLoop *loop, FmLoopClock clock)
{
    GenericQueue generic = {.backend = backend, .queue = queue, .clock = clock};

    run_generic(&generic, loop);
}
