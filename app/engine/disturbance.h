/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether somebody else kept the drive busy while a step ran, told from its own counters.
 * Pure; any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/target.h"

G_BEGIN_DECLS

/* Bytes in both directions. */
typedef struct {
    uint64_t read;
    uint64_t written;
} FmTraffic;

/*
 * Whether what the kernel counts for the drive is what was asked of the file system: one
 * drive, direct I/O that was proved, nothing in between that packs, copies or mirrors.
 */
bool fm_disturbance_is_comparable(const FmTarget *target);

/* What @counted holds beyond @own. */
uint64_t fm_disturbance_get_foreign(const FmTraffic *own, const FmTraffic *counted);

/*
 * More than 2 % of our own traffic and more than 1 MiB: what a file system writes about
 * itself, and the run file where it lies on the same drive, stay well below that.
 */
bool fm_disturbance_is_notable(const FmTraffic *own, uint64_t foreign);

G_END_DECLS
