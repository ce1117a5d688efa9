/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain blocking calls: the reference every other backend is tested against.  With
 * one request in flight submit() carries it out in the calling thread; with more, a
 * pool of one thread per request does, so that the depth is real.  The pool is why
 * this backend locks on every I/O, and why only its QD1 numbers are worth quoting.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "base/waiter.h"
#include "platform/linux/backends.h"
#include "platform/linux/direct-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

enum { STACK_BYTES = 64 * 1024 };

struct FmBackendTarget {
    FmDirectFile file;
};

struct FmQueue {
    const FmDirectFile *file;
    unsigned depth;
    unsigned n_threads; /* 0 = no pool, I/O in submit() */
    pthread_t *threads;
    pthread_cond_t work; /* with done.mutex */
    FmWaiter done; /* changed = a request is complete */

    /* --- protected by done.mutex; without a pool only one thread comes here */
    unsigned in_flight; /* taken and not yet returned by reap() */
    FmIo *waiting; /* ring of @depth requests nobody has begun */
    unsigned head;
    unsigned n_waiting;
    FmCompletion *finished; /* oldest first */
    unsigned n_finished;
    bool closing;
};

static FmBackendTarget *
sync_open(const FmOpenOptions *options, GError **error)
{
    g_autofree FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    if (!plat_direct_file_open(&target->file, options, error)) {
        return NULL;
    }
    return g_steal_pointer(&target);
}

static void
sync_close(FmBackendTarget *target)
{
    plat_direct_file_close(&target->file);
    g_free(target);
}

/* Carries one request out and returns its result. */
static int32_t
perform(const FmDirectFile *file, const FmIo *io)
{
    struct iovec part = {.iov_base = io->buffer, .iov_len = io->length};
    ssize_t result = -1;

    switch ((FmOp)io->op) {
    case FM_OP_READ:
        result = pread(file->descriptor, io->buffer, io->length, (off_t)io->offset);
        break;
    case FM_OP_WRITE:
        result = io->sync ? pwritev2(file->descriptor, &part, 1, (off_t)io->offset, RWF_DSYNC)
                          : pwrite(file->descriptor, io->buffer, io->length, (off_t)io->offset);
        break;
    case FM_OP_TRIM:
        return plat_direct_file_trim(file, io->offset, io->length);
    case FM_OP_FLUSH:
        result = fdatasync(file->descriptor);
        break;
    }
    return result < 0 ? -errno : (int32_t)result;
}

static void *
pool_thread(void *data)
{
    FmQueue *queue = data;

    pthread_mutex_lock(&queue->done.mutex);
    while (true) {
        while (queue->n_waiting == 0 && !queue->closing) {
            pthread_cond_wait(&queue->work, &queue->done.mutex);
        }
        if (queue->closing) {
            break;
        }
        FmIo io = queue->waiting[queue->head];
        queue->head = (queue->head + 1) % queue->depth;
        queue->n_waiting--;
        pthread_mutex_unlock(&queue->done.mutex);

        int32_t result = perform(queue->file, &io);

        pthread_mutex_lock(&queue->done.mutex);
        queue->finished[queue->n_finished++] = (FmCompletion){.result = result, .slot = io.slot};
        pthread_cond_signal(&queue->done.changed);
    }
    pthread_mutex_unlock(&queue->done.mutex);
    return NULL;
}

/* Starts a thread per request in flight; fewer where the system refuses more. */
static int
start_pool(FmQueue *queue)
{
    pthread_attr_t attributes;
    int status = 0;

    queue->threads = g_new0(pthread_t, queue->depth);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    while (status == 0 && queue->n_threads < queue->depth) {
        status = pthread_create(&queue->threads[queue->n_threads], &attributes, pool_thread, queue);
        queue->n_threads += status == 0;
    }
    pthread_attr_destroy(&attributes);
    return queue->n_threads > 0 ? 0 : status;
}

static void
sync_queue_free(FmQueue *queue)
{
    pthread_mutex_lock(&queue->done.mutex);
    queue->closing = true;
    pthread_cond_broadcast(&queue->work);
    pthread_mutex_unlock(&queue->done.mutex);
    for (unsigned i = 0; i < queue->n_threads; i++) {
        pthread_join(queue->threads[i], NULL);
    }
    pthread_cond_destroy(&queue->work);
    fm_waiter_clear(&queue->done);
    g_free(queue->threads);
    g_free(queue->waiting);
    g_free(queue->finished);
    g_free(queue);
}

static FmQueue *
sync_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    FmQueue *queue = g_new0(FmQueue, 1);

    queue->file = &target->file;
    queue->depth = options->depth;
    queue->waiting = g_new0(FmIo, options->depth);
    queue->finished = g_new0(FmCompletion, options->depth);
    fm_waiter_init(&queue->done);
    pthread_cond_init(&queue->work, NULL);

    int status = options->depth > 1 ? start_pool(queue) : 0;
    if (status != 0) {
        fm_error_set_errno(error, status, "No thread can be started for a queue of %u requests",
                           options->depth);
        sync_queue_free(queue);
        return NULL;
    }
    return queue;
}

static int
sync_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    if (queue->n_threads == 0) {
        if (n == 0 || queue->in_flight > 0) {
            return 0;
        }
        queue->finished[queue->n_finished++] =
            (FmCompletion){.result = perform(queue->file, ios), .slot = ios->slot};
        queue->in_flight++;
        return 1;
    }

    pthread_mutex_lock(&queue->done.mutex);
    n = MIN(n, queue->depth - queue->in_flight);
    for (unsigned i = 0; i < n; i++) {
        queue->waiting[(queue->head + queue->n_waiting++) % queue->depth] = ios[i];
        pthread_cond_signal(&queue->work);
    }
    queue->in_flight += n;
    pthread_mutex_unlock(&queue->done.mutex);
    return (int)n;
}

static int
sync_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t timeout_ns)
{
    min = MIN(min, max);
    pthread_mutex_lock(&queue->done.mutex);
    if (queue->n_finished < min) {
        struct timespec deadline = fm_waiter_deadline(timeout_ns);
        while (queue->n_finished < min &&
               fm_waiter_wait_locked(&queue->done, timeout_ns < 0 ? NULL : &deadline)) {
        }
    }

    unsigned n = MIN(queue->n_finished, max);
    for (unsigned i = 0; i < n; i++) {
        completions[i] = queue->finished[i];
    }
    queue->n_finished -= n;
    for (unsigned i = 0; i < queue->n_finished; i++) {
        queue->finished[i] = queue->finished[i + n];
    }
    queue->in_flight -= n;
    pthread_mutex_unlock(&queue->done.mutex);
    return (int)n;
}

static void
sync_wake(FmQueue *queue)
{
    fm_waiter_wake(&queue->done);
}

static GVariant *
sync_describe(FmQueue *queue)
{
    GVariantDict facts;

    g_variant_dict_init(&facts, NULL);
    g_variant_dict_insert(&facts, "queue.direct", "b", queue->file->direct);
    g_variant_dict_insert(&facts, "queue.mode", "s", "threads");
    g_variant_dict_insert(&facts, "queue.depth", "u", queue->depth);
    g_variant_dict_insert(&facts, "queue.threads", "u", queue->n_threads);
    if (queue->n_threads > 0 && queue->n_threads < queue->depth) {
        g_variant_dict_insert(&facts, "queue.fallbacks", "s",
                              "the system permits fewer threads than requests in flight");
    }
    return g_variant_dict_end(&facts);
}

const FmBackend plat_backend_sync = {
    .name = "sync",
    .summary = N_("Blocking system calls, one thread per request in flight"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_DEPTH,
    .open = sync_open,
    .close = sync_close,
    .queue_new = sync_queue_new,
    .queue_free = sync_queue_free,
    .submit = sync_submit,
    .reap = sync_reap,
    .wake = sync_wake,
    .describe = sync_describe,
};
