/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waiting with a time-out that can be cut short.  Plain pthreads, because
 * ThreadSanitizer does not see through GLib's (ENGINE 11.3).  Never used where a
 * kernel queue can wait by itself.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/waiter.h"

#include <errno.h>
#include <time.h>

enum { NS_PER_S = 1000 * 1000 * 1000 };

void
fm_waiter_init(FmWaiter *waiter)
{
    pthread_condattr_t attributes;

    pthread_mutex_init(&waiter->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&waiter->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    waiter->woken = false;
}

void
fm_waiter_clear(FmWaiter *waiter)
{
    pthread_cond_destroy(&waiter->changed);
    pthread_mutex_destroy(&waiter->mutex);
}

void
fm_waiter_wake(FmWaiter *waiter)
{
    pthread_mutex_lock(&waiter->mutex);
    waiter->woken = true;
    pthread_cond_broadcast(&waiter->changed);
    pthread_mutex_unlock(&waiter->mutex);
}

struct timespec
fm_waiter_deadline(int64_t timeout_ns)
{
    struct timespec deadline = {0};

    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_sec += (time_t)(timeout_ns / NS_PER_S);
    deadline.tv_nsec += (long)(timeout_ns % NS_PER_S);
    if (deadline.tv_nsec >= NS_PER_S) {
        deadline.tv_sec++;
        deadline.tv_nsec -= NS_PER_S;
    }
    return deadline;
}

bool
fm_waiter_wait_locked(FmWaiter *waiter, const struct timespec *deadline)
{
    int status = 0;

    if (!waiter->woken) {
        status = deadline ? pthread_cond_timedwait(&waiter->changed, &waiter->mutex, deadline)
                          : pthread_cond_wait(&waiter->changed, &waiter->mutex);
    }
    bool go_on = status != ETIMEDOUT && !waiter->woken;
    waiter->woken = false;
    return go_on;
}

void
fm_waiter_sleep(FmWaiter *waiter, int64_t timeout_ns)
{
    struct timespec deadline = fm_waiter_deadline(timeout_ns);

    pthread_mutex_lock(&waiter->mutex);
    while (fm_waiter_wait_locked(waiter, timeout_ns < 0 ? NULL : &deadline)) {
    }
    pthread_mutex_unlock(&waiter->mutex);
}
