/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A path looked at once: what it is, on which file system, by which mount, on which
 * block devices.  Everything about a target starts here, so that all of it is about
 * the same object even if the path changes meanwhile.  Any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/statfs.h>

#include "platform/linux/block.h"
#include "platform/linux/mounts.h"

G_BEGIN_DECLS

typedef struct {
    char *path; /* absolute */
    int descriptor; /* O_PATH */
    struct statx status;
    struct statfs system;
    GPtrArray *mounts; /* owned FmMount */
    const FmMount *mount; /* in @mounts; NULL = not in this process's table */
    GPtrArray *blocks; /* owned FmBlock the file system lies on; may be empty */
} FmPlace;

/* Looks at @path.  A symbolic link is followed only to a folder: FM_ERROR_UNSAFE. */
FmPlace *plat_place_new(const char *path, GError **error);
void plat_place_free(FmPlace *place);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmPlace, plat_place_free)

/* Type of the file system as the mount table calls it; "" = unknown. */
const char *plat_place_get_type(const FmPlace *place);

/* Whether files here are kept in memory only: the file system, or all drives below. */
bool plat_place_is_memory(const FmPlace *place);

/* Names of the drives at the bottom, each once. */
GPtrArray *plat_place_list_drives(const FmPlace *place);

/* The inode flags (ioctl_iflags(2)) of the place, false when it has none. */
bool plat_place_get_flags(const FmPlace *place, unsigned *flags);

G_END_DECLS
