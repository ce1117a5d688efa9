/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The contract between the engine and whatever moves the bytes.
 *
 * A backend opens a target and gives queues.  A queue belongs to the one thread that
 * made it: the same thread submits, reaps and frees it.  Rules every backend keeps
 * (tests/conformance runs one body over all of them):
 *
 *  1. It never stamps time.  The engine reads the clock when it queues a request and
 *     once when it reaps a batch.
 *  2. It never retries, splits, merges, reorders for its own benefit or hides a
 *     result.  A completion carries the status of its own request: bytes moved, or a
 *     negative native status code.
 *  3. submit() takes all requests it can and returns how many; 0..n.  A request that
 *     is taken completes exactly once.
 *  4. reap() waits for @min completions or @timeout_ns (negative: for ever), returns
 *     at most @max, and returns early (fewer, maybe 0) when wake() was called or a
 *     signal came.  A wake() nobody waited for ends the next wait.  With @min 0 it
 *     never blocks.  It also waits with nothing in flight: that is how pacing sleeps.
 *     A negative return of submit() or reap() is a native status code: the queue itself
 *     is broken, not a request.
 *  5. Buffers and the FmIo array belong to the caller; a buffer is in use from
 *     submit() until its completion was returned.
 *  6. Nothing allocates or locks between queue_new() and queue_free(), except where
 *     the backend's summary says so (the thread pool of "sync").
 *
 * An optional run() holds the hot loop instantiated on the backend's own ring
 * (engine/hot-loop.h); without it the engine uses submit() and reap().
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/op.h"

G_BEGIN_DECLS

/* What a backend can do.  The vtable is frozen; extras are bits. */
typedef enum {
    FM_CAP_TRIM = 1 << 0,
    FM_CAP_FLUSH = 1 << 1,
    FM_CAP_DSYNC = 1 << 2, /* durable writes per request */
    FM_CAP_POLLED = 1 << 3, /* completions found by polling the device */
    FM_CAP_SQPOLL = 1 << 4, /* a kernel thread submits */
    FM_CAP_FIXED_BUFFERS = 1 << 5, /* buffers registered once */
    FM_CAP_DEPTH = 1 << 6, /* one thread can keep more than one I/O in flight */
    FM_CAP_NO_DEVICE = 1 << 7, /* null: nothing is read or written */
    FM_CAP_VIRTUAL_TIME = 1 << 8, /* sim: now() is not the machine's clock */
} FmCapability;

/* One request.  The engine fills it, the backend only reads it. */
typedef struct {
    uint64_t offset;
    void *buffer; /* NULL for trim and flush */
    uint32_t length;
    uint16_t slot; /* below depth, unique in flight; comes back in the completion */
    uint8_t op; /* FmOp */
    bool sync; /* write: durable before it completes */
} FmIo;

typedef struct {
    int32_t result; /* bytes moved (0 for trim and flush), or negative native status code */
    uint16_t slot;
} FmCompletion;

typedef struct FmBackend FmBackend;
typedef struct FmBackendTarget FmBackendTarget; /* an open target; defined by each backend */
typedef struct FmQueue FmQueue; /* defined by each backend */
struct FmLoop;

typedef struct {
    const char *path; /* file or device; a model name for sim */
    int file_descriptor; /* already open and checked by the guard; -1 = open @path */
    uint64_t size; /* bytes that may be touched */
    uint32_t block_size; /* logical block, bytes */
    bool writable;
    bool buffered; /* through the page cache */
    /* Backend's own "key=value,..." (sim, fault, record), or NULL.  A filter keeps
     * what is before the first ';' and hands the rest to the one below. */
    const char *options;
    const FmBackend *below; /* filters (fault, record): what they wrap; else NULL */
} FmOpenOptions;

typedef struct {
    unsigned depth; /* most requests in flight on this queue */
    void *pool; /* page aligned, for registration; every buffer lies in it.  NULL = none */
    size_t pool_size;
    uint32_t max_length; /* bytes of the longest request; 0 = one block */
    uint32_t ops; /* bit per FmOp that will be submitted */
    bool sync; /* some writes will be durable */
    unsigned thread_index; /* 0.., for pinning SQPOLL threads and for sim's clock */
    unsigned n_threads; /* queues that will run at the same time */
} FmQueueOptions;

struct FmBackend {
    const char *name; /* stable: stored in runs ("uring-polled") */
    const char *summary; /* one English sentence */
    uint32_t caps; /* FmCapability bits it can have at best */

    FmBackendTarget *(*open)(const FmOpenOptions *options, GError **error);
    void (*close)(FmBackendTarget *target);

    FmQueue *(*queue_new)(FmBackendTarget *target, const FmQueueOptions *options, GError **error);
    void (*queue_free)(FmQueue *queue);

    int (*submit)(FmQueue *queue, const FmIo *ios, unsigned n);
    int (*reap)(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
                int64_t timeout_ns);

    /* Any thread: makes a waiting reap() return soon.  NULL where reap() always
     * keeps its time-out. */
    void (*wake)(FmQueue *queue);

    /* Clock of a backend with FM_CAP_VIRTUAL_TIME, in ns; else NULL. */
    uint64_t (*now)(FmQueue *queue);

    /* Optional instantiated hot loop; same semantics as the generic one. */
    void (*run)(FmQueue *queue, struct FmLoop *loop);

    /* Facts about an open queue for the run record: "flags", "registered buffers",
     * step-downs and their reasons.  A floating a{sv}; NULL = nothing to say. */
    GVariant *(*describe)(FmQueue *queue);
};

/*
 * The backends of this build, best first, NULL-terminated.  platform/ provides the
 * system's own; the engine adds null, sim, fault and record.
 */
const FmBackend *const *plat_backends(void);

G_END_DECLS
