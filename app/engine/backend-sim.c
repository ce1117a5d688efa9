/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model drive on a virtual clock: hours take seconds.  It keeps no data (reads leave
 * buffers as they are), and whatever comes from it must be marked as simulated.  The
 * drive is in sim-drive.c; this file has the queues and the clock they share.
 *
 * A queue that is alone touches everything without a lock.  With several, the one that
 * has the turn owns drive and clock, and the turn is handed on under the mutex.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/backend-sim.h"

#include "base/error.h"
#include "engine/backend-filter.h"
#include "engine/backends.h"
#include "engine/sim-drive.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <pthread.h>
#include <stdatomic.h>

typedef struct {
    uint64_t at;
    int32_t result;
    uint16_t slot;
} Pending;

struct FmBackendTarget {
    FmSimModel *model;
    uint64_t seed;
    uint64_t size;
    uint32_t block_size;
    bool writable;

    /* --- the queue that has the turn; the clock may be read by any thread */
    FmSimDrive *drive;
    _Atomic uint64_t now;

    /* --- protected by mutex */
    pthread_mutex_t mutex;
    FmQueue *queues; /* live ones, by thread index */
    FmQueue *turn; /* the one that runs; NULL = none */
    unsigned n_live;
    unsigned n_joined; /* since the target last had no queue */
    unsigned n_expected;
};

struct FmQueue {
    FmBackendTarget *target;
    unsigned depth;
    bool alone;
    bool has_turn; /* never set where it is alone */
    /* Requests in flight by the instant they are over; a ring, the earliest at @head.
     * Nearly every new one belongs at its end. */
    Pending *pending;
    unsigned mask;
    unsigned head;
    unsigned tail;

    /* --- any thread */
    _Atomic bool woken;

    /* --- protected by target->mutex */
    pthread_cond_t changed; /* got the turn, or woken */
    FmQueue *next;
    unsigned thread_index;
    bool waiting;
    uint64_t wake_at;
};

static bool
set_option(const char *key, const char *value, gpointer user_data)
{
    FmBackendTarget *target = user_data;

    return g_str_equal(key, "seed") && fm_filter_parse_number(value, &target->seed);
}

static void
sim_close(FmBackendTarget *target)
{
    fm_sim_drive_free(target->drive);
    fm_sim_model_free(target->model);
    pthread_mutex_destroy(&target->mutex);
    g_free(target);
}

static FmBackendTarget *
sim_open(const FmOpenOptions *options, GError **error)
{
    FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    pthread_mutex_init(&target->mutex, NULL);
    target->model = fm_sim_model_load(options->path, error);
    if (!target->model ||
        !fm_filter_parse_options("sim", options->options, set_option, target, error)) {
        sim_close(target);
        return NULL;
    }
    if (options->size > target->model->capacity) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "The model drive “%s” holds %ju bytes, fewer than were asked for",
                     options->path, target->model->capacity);
        sim_close(target);
        return NULL;
    }
    target->size = options->size ? options->size : target->model->capacity;
    target->block_size = options->block_size ? options->block_size : 512;
    target->writable = options->writable;
    target->drive = fm_sim_drive_new(target->model, target->seed);
    return target;
}

/* Gives the turn to the queue whose instant comes first, once all of them wait.  With
 * the mutex held. */
static void
pass_turn(FmBackendTarget *target)
{
    FmQueue *first = NULL;

    if (target->turn || target->n_joined < target->n_expected) {
        return;
    }
    for (FmQueue *queue = target->queues; queue; queue = queue->next) {
        if (!queue->waiting) {
            return;
        }
        if (!first || queue->wake_at < first->wake_at) {
            first = queue;
        }
    }
    /* UINT64_MAX: it waits for somebody to wake it, not for an instant. */
    if (!first || first->wake_at == UINT64_MAX) {
        return;
    }
    if (first->wake_at > target->now) {
        target->now = first->wake_at;
    }
    target->turn = first;
    pthread_cond_signal(&first->changed);
}

static bool
take_woken(FmQueue *queue)
{
    return atomic_load_explicit(&queue->woken, memory_order_relaxed) &&
           atomic_exchange_explicit(&queue->woken, false, memory_order_acquire);
}

/*
 * Gives the turn back until @at has come.  Returns whether the turn is ours again;
 * false: woken before.
 */
static bool
wait_turn(FmQueue *queue, uint64_t at)
{
    FmBackendTarget *target = queue->target;
    bool woken = false;

    pthread_mutex_lock(&target->mutex);
    if (target->turn == queue) {
        target->turn = NULL;
    }
    queue->waiting = true;
    queue->wake_at = at;
    pass_turn(target);
    while (target->turn != queue && !(woken = take_woken(queue))) {
        pthread_cond_wait(&queue->changed, &target->mutex);
    }
    queue->waiting = false;
    pthread_mutex_unlock(&target->mutex);
    queue->has_turn = !woken;
    return !woken;
}

/* Makes sure that this queue may touch the drive. */
static bool
has_turn(FmQueue *queue)
{
    return queue->alone || queue->has_turn || wait_turn(queue, fm_sim_now(queue->target));
}

/* Lets the clock come to @at; false: woken before. */
static bool
wait_until(FmQueue *queue, uint64_t at)
{
    if (take_woken(queue)) {
        return false;
    }
    if (!queue->alone || at == UINT64_MAX) {
        return wait_turn(queue, at);
    }
    atomic_store_explicit(&queue->target->now, at, memory_order_relaxed);
    return true;
}

static FmQueue *
sim_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    FmQueue *queue = g_new0(FmQueue, 1);
    unsigned capacity = 1;

    while (capacity < options->depth) {
        capacity *= 2;
    }
    queue->target = target;
    queue->depth = options->depth;
    queue->alone = options->n_threads <= 1;
    queue->pending = g_new0(Pending, capacity);
    queue->mask = capacity - 1;
    queue->thread_index = options->thread_index;
    pthread_cond_init(&queue->changed, NULL);

    pthread_mutex_lock(&target->mutex);
    FmQueue **place = &target->queues;
    while (*place && (*place)->thread_index <= queue->thread_index) {
        place = &(*place)->next;
    }
    queue->next = *place;
    *place = queue;
    if (target->n_live++ == 0) {
        target->n_joined = 0;
        target->n_expected = options->n_threads;
    }
    target->n_joined++;
    pass_turn(target);
    pthread_mutex_unlock(&target->mutex);
    return queue;
}

static void
sim_queue_free(FmQueue *queue)
{
    FmBackendTarget *target = queue->target;

    pthread_mutex_lock(&target->mutex);
    FmQueue **place = &target->queues;
    while (*place != queue) {
        place = &(*place)->next;
    }
    *place = queue->next;
    target->n_live--;
    if (target->turn == queue) {
        target->turn = NULL;
    }
    pass_turn(target);
    pthread_mutex_unlock(&target->mutex);

    pthread_cond_destroy(&queue->changed);
    g_free(queue->pending);
    g_free(queue);
}

/* What a real drive would say at once: nothing is simulated for these. */
static int32_t
check_request(const FmBackendTarget *target, const FmIo *io)
{
    if (io->op == FM_OP_FLUSH) {
        return 0;
    }
    if (io->op != FM_OP_READ && !target->writable) {
        return -EBADF;
    }
    if (io->length == 0 || (io->offset | io->length) % target->block_size != 0) {
        return -EINVAL;
    }
    if (io->offset >= target->size || io->length > target->size - io->offset) {
        return io->op == FM_OP_READ ? 0 : -ENOSPC;
    }
    return io->op == FM_OP_TRIM ? 0 : (int32_t)io->length;
}

static void
insert(FmQueue *queue, Pending new)
{
    unsigned at = queue->tail++;

    while (at != queue->head && queue->pending[(at - 1) & queue->mask].at > new.at) {
        queue->pending[at & queue->mask] = queue->pending[(at - 1) & queue->mask];
        at--;
    }
    queue->pending[at & queue->mask] = new;
}

static int
sim_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    FmBackendTarget *target = queue->target;

    n = MIN(n, queue->depth - (queue->tail - queue->head));
    if (n == 0 || !has_turn(queue)) {
        return 0;
    }

    uint64_t now = fm_sim_now(target);
    for (unsigned i = 0; i < n; i++) {
        int32_t result = check_request(target, &ios[i]);
        bool refused = result < 0 || (result == 0 && ios[i].op == FM_OP_READ);
        uint64_t end = refused ? now : fm_sim_drive_request(target->drive, &ios[i], now);
        insert(queue, (Pending){.at = end, .result = result, .slot = ios[i].slot});
    }
    return (int)n;
}

static unsigned
take_ready(FmQueue *queue, FmCompletion *completions, unsigned max)
{
    uint64_t now = fm_sim_now(queue->target);
    unsigned n = 0;

    while (n < max && queue->head != queue->tail) {
        const Pending *first = &queue->pending[queue->head & queue->mask];
        if (first->at > now) {
            break;
        }
        completions[n++] = (FmCompletion){.result = first->result, .slot = first->slot};
        queue->head++;
    }
    return n;
}

static int
sim_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t timeout_ns)
{
    min = MIN(min, max);
    if (!has_turn(queue)) {
        return 0;
    }

    unsigned n = take_ready(queue, completions, max);
    if (n >= min) {
        return (int)n;
    }
    unsigned missing = min - n;
    uint64_t until = timeout_ns < 0 ? UINT64_MAX : fm_sim_now(queue->target) + (uint64_t)timeout_ns;
    if (queue->tail - queue->head >= missing) {
        until = MIN(until, queue->pending[(queue->head + missing - 1) & queue->mask].at);
    }
    if (wait_until(queue, until)) {
        n += take_ready(queue, completions + n, max - n);
    }
    return (int)n;
}

static void
sim_wake(FmQueue *queue)
{
    pthread_mutex_lock(&queue->target->mutex);
    atomic_store_explicit(&queue->woken, true, memory_order_release);
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->target->mutex);
}

static uint64_t
sim_now(FmQueue *queue)
{
    return fm_sim_now(queue->target);
}

static GVariant *
sim_describe(FmQueue *queue)
{
    GVariantDict facts;

    g_variant_dict_init(&facts, NULL);
    g_variant_dict_insert(&facts, "queue.mode", "s", "model");
    g_variant_dict_insert(&facts, "sim.model", "s", queue->target->model->name);
    g_variant_dict_insert(&facts, "sim.summary", "s", queue->target->model->summary);
    g_variant_dict_insert(&facts, "sim.seed", "t", queue->target->seed);
    return g_variant_dict_end(&facts);
}

uint64_t
fm_sim_now(FmBackendTarget *target)
{
    return atomic_load_explicit(&target->now, memory_order_relaxed);
}

void
fm_sim_advance(FmBackendTarget *target, uint64_t ns)
{
    pthread_mutex_lock(&target->mutex);
    target->now += ns;
    pthread_mutex_unlock(&target->mutex);
}

uint64_t
fm_sim_get_capacity(FmBackendTarget *target)
{
    return target->model->capacity;
}

uint64_t
fm_sim_get_cached(FmBackendTarget *target)
{
    return fm_sim_drive_get_cached(target->drive, fm_sim_now(target));
}

const FmBackend fm_backend_sim = {
    .name = "sim",
    .summary = N_("A model drive on a virtual clock: simulated, never measured"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_DEPTH | FM_CAP_VIRTUAL_TIME,
    .open = sim_open,
    .close = sim_close,
    .queue_new = sim_queue_new,
    .queue_free = sim_queue_free,
    .submit = sim_submit,
    .reap = sim_reap,
    .wake = sim_wake,
    .now = sim_now,
    .describe = sim_describe,
};
