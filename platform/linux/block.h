/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices and what they stand on: a partition on a disk, LVM on dm-crypt on a
 * partition, RAID on several, a loop device on a file.  All from sysfs; nothing is
 * opened.  Any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/linux/mounts.h"

G_BEGIN_DECLS

typedef struct {
    char *name; /* the kernel's: "dm-0" */
    char *directory; /* in sysfs, without symbolic links */
    char *kind; /* "disk", "partition", "crypt", "lvm", "dm", "md", "loop" */
    char *detail; /* device mapper name, RAID level or backing file; NULL = none */
    GPtrArray *below; /* owned FmBlock; empty for a drive */
} FmBlock;

/* NULL when the kernel knows no such device. */
FmBlock *plat_block_new(const char *name);
FmBlock *plat_block_new_from_number(unsigned major, unsigned minor);
void plat_block_free(FmBlock *block);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmBlock, plat_block_free)

/*
 * The block devices a file system lies on, topmost first.  Several for btrfs; that of
 * the upper folder for overlay, found through @mounts.  Empty when there are none
 * (memory, network).  Owned FmBlock, never NULL.
 */
GPtrArray *plat_block_list_of_mount(const FmMount *mount, const GPtrArray *mounts);

/* Adds the names of the drives at the bottom to @names, each once. */
void plat_block_collect_drives(const FmBlock *block, GPtrArray *names);

/* "dm-1 (lvm vg-root) on dm-0 (crypt luks) on nvme0n1p3 on nvme0n1". */
char *plat_block_describe(const FmBlock *block);

/* The first in the tree of this kind, or NULL. */
const FmBlock *plat_block_find_kind(const FmBlock *block, const char *kind);

G_END_DECLS
