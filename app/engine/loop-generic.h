/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hot loop over the plain backend contract, for backends without a loop of their
 * own and for clocks other than the cycle counter.
 */
#pragma once

#include "engine/loop.h"
#include "platform/backend.h"

/*
 * Runs @loop on @queue to the end of its window and drains it.  @coarse takes time
 * from the monotonic clock instead of the cycle counter; backends with a virtual
 * clock always give their own.  I/O thread; the queue must be made by it.
 */
void fm_loop_run_generic(const FmBackend *backend, FmQueue *queue, FmLoop *loop, bool coarse);
