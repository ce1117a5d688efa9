/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One thread waits for a time-out or for another thread's word: how backends without
 * a kernel queue sleep in reap() and are woken.  A word nobody waited for is kept and
 * ends the next wait.
 */
#pragma once

#include <glib.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    /* --- protected by mutex */
    bool woken;
} FmWaiter;

void fm_waiter_init(FmWaiter *waiter);
void fm_waiter_clear(FmWaiter *waiter);

/* Any thread: ends the wait that is going on, or the next one. */
void fm_waiter_wake(FmWaiter *waiter);

/* Absolute instant @timeout_ns from now for fm_waiter_wait_locked(); negative = never. */
struct timespec fm_waiter_deadline(int64_t timeout_ns);

/*
 * With the mutex held: waits until @changed is signalled, the deadline (NULL = none)
 * passes or somebody woke.  Returns false in the last two cases; the word is used up.
 */
bool fm_waiter_wait_locked(FmWaiter *waiter, const struct timespec *deadline);

/* Sleeps for @timeout_ns (negative = for ever) or until woken. */
void fm_waiter_sleep(FmWaiter *waiter, int64_t timeout_ns);

G_END_DECLS
