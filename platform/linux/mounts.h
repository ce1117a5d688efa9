/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mount table of this process (mountinfo, proc(5)).  Read once into a list; a line
 * that does not parse is left out.  Any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
    uint64_t id; /* what statx calls the mount id */
    unsigned major;
    unsigned minor;
    char *root; /* which folder of the file system is mounted */
    char *point;
    char *type;
    char *source;
    char *options; /* of the mount and of the file system, in one comma list */
    bool read_only;
} FmMount;

/* Owned FmMount in the order of the table.  Never NULL. */
GPtrArray *plat_mounts_read(void);
GPtrArray *plat_mounts_parse(const char *text);

/* The mount with this id; the one that holds @path on a device; NULL when none does. */
const FmMount *plat_mounts_find_id(const GPtrArray *mounts, uint64_t id);
const FmMount *plat_mounts_find_path(const GPtrArray *mounts, const char *path);

/* Value of "name=value" in the options ("" for a bare "name"), or NULL.  Free it. */
char *plat_mount_dup_option(const FmMount *mount, const char *name);

G_END_DECLS
