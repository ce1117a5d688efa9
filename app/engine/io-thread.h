/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One I/O thread of a step: pins itself, touches its memory, makes its queue, waits
 * for the common start, runs its loop and frees its queue.  Started and joined by the
 * control thread.
 */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/loop-setup.h"
#include "engine/loop.h"
#include "platform/backend.h"
#include "platform/platform-io.h"

G_BEGIN_DECLS

typedef enum {
    FM_IO_THREAD_PREPARING,
    FM_IO_THREAD_READY,
    FM_IO_THREAD_FAILED, /* see error */
    FM_IO_THREAD_ENDED,
} FmIoThreadState;

typedef struct {
    /* --- decided before the start, read only */
    const FmBackend *backend;
    FmBackendTarget *target;
    FmLoopSetup setup; /* pool is filled in by the thread */
    uint32_t ops; /* bit per FmOp */
    unsigned index; /* among all threads of the step ... */
    unsigned n_threads; /* ... and how many there are */
    int cpu; /* to be pinned to; -1 = not pinned */
    uint64_t ramp_ticks;
    uint64_t window_ticks; /* UINT64_MAX = no limit */
    double ticks_per_slot;
    _Atomic uint64_t *start; /* shared: 0 = wait, UINT64_MAX = do not start, else the first tick */

    /* --- by the thread until READY, then read only */
    FmLoop *loop;
    GVariant *description; /* of the queue; may be NULL */
    FmIoMemory memory;
    GError *error;
    bool pinned;
    uint64_t wake_id;

    /* --- by the thread, read after ENDED */
    uint64_t preemptions;

    /* --- any thread */
    _Atomic uint32_t state; /* FmIoThreadState */
    pthread_mutex_t lock; /* keeps the queue alive while somebody wakes it */
    FmQueue *queue; /* valid from READY to ENDED; protected by lock for wake() */
    pthread_t thread;
    bool started;

    /* --- control thread: rows delivered when we last looked */
    uint64_t reminder;
} FmIoThread;

/* Starts the thread.  False with @error when the system has no more threads. */
bool fm_io_thread_start(FmIoThread *thread, GError **error);

/* Gets it out of a wait in the kernel or the backend. */
void fm_io_thread_wake(FmIoThread *thread);

bool fm_io_thread_is(const FmIoThread *thread, FmIoThreadState state);

/* Joins an ended thread and frees what it made. */
void fm_io_thread_clear(FmIoThread *thread);

G_END_DECLS
