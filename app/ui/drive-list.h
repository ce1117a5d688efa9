/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drives of this machine as pages show them, read in a thread and read anew when
 * something is plugged in, pulled or mounted.  "changed" says that fm_drive_list_get() may
 * read differently.  Main thread.
 */
#pragma once

#include <glib-object.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/platform.h"

G_BEGIN_DECLS

/* A mounted file system with what was found out about it. */
typedef struct {
    char *path; /* mount point */
    char *file_system;
    char *folder; /* where this user may test on it, or NULL */
    uint64_t size; /* bytes; 0 = unknown */
    uint64_t free_bytes;
    bool read_only;
} FmDriveMount;

typedef struct {
    FmDriveInfo *info;
    GPtrArray *mounts; /* of FmDriveMount, in order of paths */
} FmDriveRow;

#define FM_TYPE_DRIVE_LIST (fm_drive_list_get_type())
G_DECLARE_FINAL_TYPE(FmDriveList, fm_drive_list, FM, DRIVE_LIST, GObject)

FmDriveList *fm_drive_list_new(void);

/* Reads them again. */
void fm_drive_list_refresh(FmDriveList *list);
/* Rows of FmDriveRow, mounted and real ones first; NULL until they were read once.  As long as
 * the next "changed". */
GPtrArray *fm_drive_list_get(FmDriveList *list);

/* What a user calls @drive: its model, else what it is.  Caller frees. */
char *fm_drive_dup_name(const FmDriveInfo *drive);
/* "NVMe", "USB" ... for a bus, "" when it is not known. */
const char *fm_drive_get_bus_name(const FmDriveInfo *drive);

G_END_DECLS
