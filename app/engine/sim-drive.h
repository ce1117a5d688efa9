/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a model drive behaves: a request that arrives at one instant is over at another,
 * and leaves the drive in another state.  A pure function of the model, the seed and
 * what was asked before; it knows no clock of its own and no threads.  Whoever holds it
 * must pass instants that never go back.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "engine/sim-model.h"
#include "platform/backend.h"

G_BEGIN_DECLS

typedef struct FmSimDrive FmSimDrive;

/* Keeps @model, which must live as long. */
FmSimDrive *fm_sim_drive_new(const FmSimModel *model, uint64_t seed);
void fm_sim_drive_free(FmSimDrive *drive);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmSimDrive, fm_sim_drive_free)

/* The instant, in ns and after @now, at which @io that arrives at @now is over. */
uint64_t fm_sim_drive_request(FmSimDrive *drive, const FmIo *io, uint64_t now);

/* Bytes in the fast cache, after what idling until @now has given back. */
uint64_t fm_sim_drive_get_cached(FmSimDrive *drive, uint64_t now);

G_END_DECLS
