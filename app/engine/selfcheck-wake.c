/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thread waits for I/O that never was submitted, the control thread wakes it.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/selfcheck-wake.h"

#include "base/error.h"
#include "base/waiter.h"
#include "engine/selfcheck-mover.h"

#include <pthread.h>
#include <stdatomic.h>

#define MS_NS G_GINT64_CONSTANT(1000000)

enum {
    N_TRIES = 5,
    QUIET_MS = 20, /* time for the thread to fall asleep */
    LONGEST_MS = 1000, /* a wait nobody ended */
};

typedef struct {
    const FmSelfcheckOptions *options;
    const FmBackend *backend;
    FmWaiter ready; /* the queue is there, or will never be */
    GError *error;

    /* --- any thread */
    _Atomic(FmQueue *) queue;
    _Atomic int64_t returned_ns; /* end of the last wait; 0 = waiting */
    _Atomic bool called; /* wake() is being called */
    _Atomic bool stop;
} Waiting;

/* Waits until called, or for as long as may be; a wait may also end early for nothing. */
static void
wait_once(Waiting *waiting, FmQueue *queue)
{
    FmCompletion completion = {0};
    int64_t limit_ms = waiting->backend->wake != NULL ? LONGEST_MS : QUIET_MS;
    int64_t end = plat_clock_monotonic_ns() + limit_ms * MS_NS;
    int64_t left = limit_ms * MS_NS;

    do {
        waiting->backend->reap(queue, &completion, 1, 1, left);
        left = end - plat_clock_monotonic_ns();
    } while (left > 0 && !atomic_load(&waiting->called));
}

static void *
wait_thread(void *data)
{
    Waiting *waiting = data;
    g_auto(FmMover) mover = {0};

    if (!fm_mover_open(&mover, waiting->options, waiting->backend, &waiting->error)) {
        fm_waiter_wake(&waiting->ready);
        return NULL;
    }
    atomic_store(&waiting->queue, mover.queue);
    fm_waiter_wake(&waiting->ready);

    while (!atomic_load(&waiting->stop)) {
        if (atomic_load(&waiting->returned_ns) != 0) {
            plat_clock_sleep_until(plat_clock_monotonic_ns() + MS_NS);
            continue;
        }
        wait_once(waiting, mover.queue);
        atomic_store(&waiting->returned_ns, plat_clock_monotonic_ns());
    }
    return NULL;
}

/* Lets the thread wait once; how late it was. */
static int64_t
try_once(Waiting *waiting)
{
    int64_t begin = plat_clock_monotonic_ns();
    int64_t due = begin + QUIET_MS * MS_NS;
    int64_t returned = 0;

    atomic_store(&waiting->called, false);
    atomic_store(&waiting->returned_ns, 0);
    plat_clock_sleep_until(due);
    if (waiting->backend->wake != NULL) {
        due = plat_clock_monotonic_ns();
        atomic_store(&waiting->called, true);
        waiting->backend->wake(atomic_load(&waiting->queue));
    }
    while ((returned = atomic_load(&waiting->returned_ns)) == 0) {
        plat_clock_sleep_until(plat_clock_monotonic_ns() + MS_NS / 10);
    }
    return MAX(returned - due, 0);
}

bool
fm_selfcheck_wake(const FmSelfcheckOptions *options, const FmBackend *backend, FmWakeResult *result,
                  GError **error)
{
    Waiting waiting = {.options = options, .backend = backend, .returned_ns = 1};
    pthread_t thread;

    fm_waiter_init(&waiting.ready);
    int status = pthread_create(&thread, NULL, wait_thread, &waiting);
    if (status != 0) {
        fm_waiter_clear(&waiting.ready);
        fm_error_set_errno(error, status, "A thread could not be started");
        return false;
    }

    fm_waiter_sleep(&waiting.ready, -1);
    *result = (FmWakeResult){.was_woken = backend->wake != NULL};
    bool is_open = atomic_load(&waiting.queue) != NULL;
    for (unsigned i = 0; i < N_TRIES && is_open && result->late_ns < LONGEST_MS * MS_NS / 2; i++) {
        result->late_ns = MAX(result->late_ns, try_once(&waiting));
    }
    atomic_store(&waiting.stop, true);
    pthread_join(thread, NULL);
    fm_waiter_clear(&waiting.ready);
    if (waiting.error != NULL) {
        g_propagate_error(error, waiting.error);
        return false;
    }
    return true;
}
