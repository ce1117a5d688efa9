/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting the interrupts of a drive's I/O queues.  Internal to platform/linux, apart
 * from plat_target_interrupts() of platform.h.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Adds the interrupts of @controller's I/O queues ("nvme0": its "nvme0q1", "nvme0q2",
 * ..., not the admin queue) in the text of /proc/interrupts.  False = it has no line. */
bool plat_interrupts_add(const char *text, const char *controller, uint64_t *count);

/* "nvme0" of "nvme0n1" and of the path device "nvme0c1n1"; NULL for other drives. */
char *plat_interrupts_controller(const char *drive);

G_END_DECLS
