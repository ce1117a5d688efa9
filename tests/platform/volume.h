/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Real file systems for tests, on loop devices over images of our own.  Everything is
 * mounted in a mount namespace of the test process, so that the kernel unmounts and
 * detaches it all when the process ends, however it ends.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
    char *root; /* temporary folder that holds all of it */
    GPtrArray *points; /* mount points, to be unmounted in reverse order */
    char *group; /* control group of volumes_slow_down(), or NULL */
    const char *images; /* where images are made; @root at first */
} Volumes;

/* False when this process may not mount; the test is marked as skipped then. */
bool volumes_set_up(Volumes *volumes);
void volumes_tear_down(Volumes *volumes);

/*
 * Makes an image of @mib MiB, a file system on it with @mkfs ("mkfs.ext4 -q"), and mounts it.
 * @direct: the loop device does direct I/O.  Returns the mount point, which the caller frees, or
 * NULL with the test marked as skipped when the tool or the kernel can't.
 */
char *volumes_add(Volumes *volumes, unsigned mib, const char *mkfs, const char *options,
                  bool direct);
/* Mounts anything else; NULL as above. */
char *volumes_mount(Volumes *volumes, const char *type, const char *source, const char *options);

/*
 * Lets this process and its children do only @iops I/Os a second on the drive below
 * @point, by a control group of the block layer (version 1 "blkio", or version 2 where
 * "io" is handed out).  False with the test marked as skipped when there is none.
 * volumes_tear_down() ends it.
 */
bool volumes_slow_down(Volumes *volumes, const char *point, unsigned iops);

/* Runs a command line; whether it ended well. */
bool volumes_run(const char *format, ...) G_GNUC_PRINTF(1, 2);

/* Number of entries in a folder, "lost+found" not counted. */
unsigned volumes_count_files(const char *folder);

G_END_DECLS
