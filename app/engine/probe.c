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
        g_set_error(error, FM_ERROR, plat_status_fold(-completion.result),
                    "a first read was refused: %s", plat_status_text(-completion.result));
    } else if (n < 0) {
        g_set_error(error, FM_ERROR, plat_status_fold(-n), "the queue broke at a first read: %s",
                    plat_status_text(-n));
    } else if (n == 1) {
        g_set_error(error, FM_ERROR, FM_ERROR_IO, "a first read of %u bytes moved %d", length,
                    completion.result);
    } else {
        g_set_error(error, FM_ERROR, FM_ERROR_IO, "a first read did not come back in a second");
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
    g_set_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED, "“%s” can't be used on “%s”: %s", wanted,
                run->options->target->path, refusal->message);
    return false;
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
            if (run->backend_notes->len > 0) {
                fm_run_note(run, "fallback", -1, "I/O goes through “%s” (%s), not through %s",
                            (*next)->name, (*next)->summary, run->backend_notes->str);
            }
            return true;
        }
        if (g_error_matches(refusal, FM_ERROR, FM_ERROR_GONE)) {
            /* The file was removed meanwhile; no other backend will find it. */
            g_propagate_error(error, g_steal_pointer(&refusal));
            return false;
        }
        g_string_append_printf(run->backend_notes, "%s%s: %s",
                               run->backend_notes->len > 0 ? "; " : "", (*next)->name,
                               refusal->message);
    }
    g_set_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED, "No way to do I/O on “%s” works here: %s",
                run->path, run->backend_notes->str);
    return false;
}
