/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probing.  A read, not a write: on some file systems a polled write succeeds where
 * every polled read is refused (ENGINE 1.5).
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/probe.h"

#include "base/error.h"
#include "engine/backends.h"

#define PROBE_TIMEOUT_NS ((int64_t)1000 * 1000 * 1000)

/* One read of one block; what the backend says when it fails. */
static bool
read_one_block(const FmBackend *backend, FmQueue *queue, void *buffer, uint32_t length,
               GError **error)
{
    FmIo io = {.buffer = buffer, .length = length, .op = FM_OP_READ};
    FmCompletion completion;

    int taken = backend->submit(queue, &io, 1);
    int n = taken > 0 ? backend->reap(queue, &completion, 1, 1, PROBE_TIMEOUT_NS) : taken;
    if (n == 1 && completion.result == (int32_t)length) {
        return true;
    }
    if (n == 1 && completion.result < 0) {
        g_autoptr(FmMessage) reason = fm_message_new_words(plat_status_text(-completion.result));
        fm_error_set(error, plat_status_fold(-completion.result), "a first read was refused: %p",
                     reason);
    } else if (n < 0) {
        g_autoptr(FmMessage) reason = fm_message_new_words(plat_status_text(-n));
        fm_error_set(error, plat_status_fold(-n), "the queue broke at a first read: %p", reason);
    } else if (n == 1) {
        fm_error_set(error, FM_ERROR_IO, "a first read of %u bytes moved %d", length,
                     completion.result);
    } else {
        fm_error_set(error, FM_ERROR_IO, "a first read did not come back in a second");
    }
    return false;
}

static bool
try_backend(FmRunContext *run, const FmBackend *backend, GError **error)
{
    g_autoptr(GError) local = NULL;
    FmOpenOptions options = {
        .path = run->path,
        .file_descriptor = -1,
        .size = run->size,
        .block_size = run->block_size,
        .writable = true,
        .buffered = run->direct_refused,
    };
    FmIoMemory memory;

    FmBackendTarget *target = backend->open(&options, error);
    if (target == NULL) {
        return false;
    }
    if (!plat_io_memory_new(&memory, run->block_size, error)) {
        backend->close(target);
        return false;
    }
    FmQueueOptions queue_options = {
        .depth = 1,
        .pool = memory.data,
        .pool_size = run->block_size,
        .max_length = run->block_size,
        .ops = 1u << FM_OP_READ,
        .n_threads = 1,
    };
    bool works = false;
    FmQueue *queue = backend->queue_new(target, &queue_options, error);
    if (queue != NULL) {
        works = read_one_block(backend, queue, memory.data, run->block_size, error);
        backend->queue_free(queue);
    }
    plat_io_memory_free(&memory);
    backend->close(target);
    return works;
}

bool
fm_probe_wanted_backend(FmRunContext *run, GError **error)
{
    const char *wanted = run->options->backend;
    g_autoptr(GError) refusal = NULL;

    if (wanted == NULL) {
        return true;
    }
    run->backend = fm_backend_parse(wanted, &run->below, error);
    /* What a filter does to a read is its own business. */
    if (run->backend == NULL || run->below != NULL || try_backend(run, run->backend, &refusal)) {
        return run->backend != NULL;
    }
    g_autoptr(FmMessage) reason = fm_error_dup_message(refusal);
    fm_error_set(error, FM_ERROR_UNSUPPORTED, "“%s” can't be used on “%s”: %p", wanted,
                 run->options->target->path, reason);
    return false;
}

/* Adds what @backend said to what the others said before. */
static void
keep_refusal(FmRunContext *run, const FmBackend *backend, const GError *refusal)
{
    g_autoptr(FmMessage) reason = fm_error_dup_message(refusal);
    g_autoptr(FmMessage) before = run->refusals;

    run->refusals = before == NULL ? fm_message_new("%s: %p", backend->name, reason)
                                   : fm_message_new("%p; %s: %p", before, backend->name, reason);
    run->usual_was_refused = run->usual_was_refused || (backend->caps & FM_CAP_POLLED) == 0;
}

/*
 * Most drives have no poll queues, so that is the way of things and told as a decision;
 * that a usual backend was refused is a fallback people should know of.  Either way the
 * mode and the reasons stand with every step.
 */
static void
tell_choice(FmRunContext *run)
{
    if (run->refusals != NULL) {
        g_autoptr(FmMessage) summary = fm_message_new_words(run->backend->summary);
        fm_run_note(run, run->usual_was_refused ? "fallback" : "decision", -1,
                    "I/O goes through “%s” (%p), not through %p", run->backend->name, summary,
                    run->refusals);
    }
}

bool
fm_probe_backend(FmRunContext *run, GError **error)
{
    if (run->backend != NULL) {
        return true;
    }
    for (const FmBackend *const *next = fm_backend_probe_order(); *next != NULL; next++) {
        g_autoptr(GError) refusal = NULL;
        if ((*next)->caps & FM_CAP_SQPOLL) {
            continue; /* costs a second CPU and hides the submission: only when asked for */
        }
        if (try_backend(run, *next, &refusal)) {
            run->backend = *next;
            tell_choice(run);
            return true;
        }
        if (g_error_matches(refusal, FM_ERROR, FM_ERROR_GONE)) {
            /* The file was removed meanwhile; no other backend will find it. */
            g_propagate_error(error, g_steal_pointer(&refusal));
            return false;
        }
        keep_refusal(run, *next, refusal);
    }
    fm_error_set(error, FM_ERROR_UNSUPPORTED, "No way to do I/O on “%s” works here: %p", run->path,
                 run->refusals);
    return false;
}
