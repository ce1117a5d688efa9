/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loop over the plain backend contract, for backends without a loop of their
 * own and for clocks other than the cycle counter.
 */
#pragma once

#include "engine/loop.h"
#include "platform/backend.h"

/* Which clock a loop lives by. */
typedef enum {
    FM_LOOP_CLOCK_COUNTER,
    FM_LOOP_CLOCK_MONOTONIC, /* where there is no trustworthy counter */
    FM_LOOP_CLOCK_BACKEND, /* the backend's own: virtual time */
} FmLoopClock;

/*
 * Runs @loop on @queue to the end of its window and drains it.  I/O thread; the queue
 * must be made by it.
 */
void fm_loop_run_generic(const FmBackend *backend, FmQueue *queue, FmLoop *loop, FmLoopClock clock);
