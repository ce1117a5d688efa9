/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Brings the rows of all loops of a step together on the one 100 ms grid.  A slot is
 * complete when every loop has delivered it, has skipped it, or is closed.  Control
 * thread only.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "engine/loop.h"
#include "model/tick.h"

G_BEGIN_DECLS

typedef struct {
    FmLoop **loops;
    unsigned n_loops;
    double ns_per_tick;
    bool in_ramp;
    uint64_t n_ramp_slots;
    uint64_t index; /* of the slot that is being put together */
    FmTick building;
    bool *has; /* per loop: its row is in @building ... */
    bool *held; /* ... and not given back yet */
} FmRowMerge;

/* The ramp takes no slot, or a number, or FM_ROW_MERGE_OPEN_RAMP: until all loops have left
 * it.  On virtual time the number must be given, because a loop that is out of the ramp
 * waits for its row to be taken while the others need its turn to get there. */
#define FM_ROW_MERGE_OPEN_RAMP UINT64_MAX

void fm_row_merge_init(FmRowMerge *merge, FmLoop **loops, unsigned n_loops, double ns_per_tick,
                       uint64_t n_ramp_slots);
void fm_row_merge_clear(FmRowMerge *merge);

/*
 * Makes the next complete row.  Returns false when it is not complete yet.  The row
 * that completed it is given back by fm_row_merge_release(): on virtual time its loop
 * waits until then, so that the slot can be judged before time goes on.
 */
bool fm_row_merge_next(FmRowMerge *merge, FmTick *tick);
void fm_row_merge_release(FmRowMerge *merge);

G_END_DECLS
