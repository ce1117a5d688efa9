/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A backend that moves nothing: every request is complete at the next reap().  It
 * shows what the harness itself costs.  It never reads, writes or checks anything, so
 * its numbers are never those of a drive.  A queue is used by one thread; wake() by any.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/waiter.h"
#include "engine/backends.h"

#include <glib/gi18n.h>

struct FmBackendTarget {
    uint64_t size;
};

struct FmQueue {
    FmCompletion *waiting; /* taken and not yet reaped, oldest at @head */
    unsigned mask;
    unsigned depth;
    unsigned head;
    unsigned tail;
    FmWaiter waiter;
};

static FmBackendTarget *
null_open(const FmOpenOptions *options, GError **error)
{
    FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    target->size = options->size;
    return target;
}

static void
null_close(FmBackendTarget *target)
{
    g_free(target);
}

static FmQueue *
null_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    FmQueue *queue = g_new0(FmQueue, 1);
    unsigned capacity = 1;

    while (capacity < options->depth) {
        capacity *= 2;
    }
    queue->waiting = g_new0(FmCompletion, capacity);
    queue->mask = capacity - 1;
    queue->depth = options->depth;
    fm_waiter_init(&queue->waiter);
    return queue;
}

static void
null_queue_free(FmQueue *queue)
{
    fm_waiter_clear(&queue->waiter);
    g_free(queue->waiting);
    g_free(queue);
}

static int
null_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    unsigned room = queue->depth - (queue->tail - queue->head);

    if (n > room) {
        n = room;
    }
    for (unsigned i = 0; i < n; i++) {
        FmCompletion *completion = &queue->waiting[queue->tail++ & queue->mask];
        completion->slot = ios[i].slot;
        completion->result = ios[i].op <= FM_OP_WRITE ? (int32_t)ios[i].length : 0;
    }
    return (int)n;
}

static int
null_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t timeout_ns)
{
    unsigned ready = queue->tail - queue->head;
    unsigned n = ready < max ? ready : max;

    for (unsigned i = 0; i < n; i++) {
        completions[i] = queue->waiting[queue->head++ & queue->mask];
    }
    if (n < min) {
        fm_waiter_sleep(&queue->waiter, timeout_ns);
    }
    return (int)n;
}

static void
null_wake(FmQueue *queue)
{
    fm_waiter_wake(&queue->waiter);
}

static GVariant *
null_describe(FmQueue *queue)
{
    GVariantDict facts;

    g_variant_dict_init(&facts, NULL);
    g_variant_dict_insert(&facts, "queue.mode", "s", "none");
    g_variant_dict_insert(&facts, "queue.depth", "u", queue->depth);
    return g_variant_dict_end(&facts);
}

const FmBackend fm_backend_null = {
    .name = "null",
    .summary = N_("Moves nothing: what the program itself costs"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_DEPTH | FM_CAP_NO_DEVICE,
    .open = null_open,
    .close = null_close,
    .queue_new = null_queue_new,
    .queue_free = null_queue_free,
    .submit = null_submit,
    .reap = null_reap,
    .wake = null_wake,
    .describe = null_describe,
};
