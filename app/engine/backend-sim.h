/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the engine must know of the model drive besides the vtable: its virtual clock.
 *
 * The clock moves only inside reap(), when every live queue of the target waits, and
 * then to the earliest instant any of them waits for; only one queue runs at a time,
 * the one whose instant has come (ties by thread index).  So runs are exactly
 * repeatable with any number of threads.  What follows from it:
 *
 *  - No queue moves before all n_threads of them exist.
 *  - A queue that is neither in reap() nor freed holds the time for all others: a
 *    thread that is done frees its queue before it waits for the others.
 *  - reap() with @min 0 takes no time; polling with it never sees the clock move.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "platform/backend.h"

G_BEGIN_DECLS

/* The virtual instant in ns; it starts at 0 when the target is opened.  Any thread. */
uint64_t fm_sim_now(FmBackendTarget *target);

/* Lets idle time pass, as a rest does; the drive uses it as a real one would.  No queue
 * may be in reap() meanwhile. */
void fm_sim_advance(FmBackendTarget *target, uint64_t ns);

/* Bytes of the model drive: what FmOpenOptions.size 0 stands for. */
uint64_t fm_sim_get_capacity(FmBackendTarget *target);

/* Bytes in the drive's fast cache now.  No queue may be running. */
uint64_t fm_sim_get_cached(FmBackendTarget *target);

G_END_DECLS
