/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes and frees the plain structs of platform.h; the same on every system.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

FmMountInfo *
fm_mount_info_new(const char *path, const char *file_system, bool read_only)
{
    FmMountInfo *mount = g_new0(FmMountInfo, 1);
    mount->path = g_strdup(path);
    mount->file_system = g_strdup(file_system);
    mount->read_only = read_only;
    return mount;
}

void
fm_mount_info_free(FmMountInfo *mount)
{
    if (mount == NULL) {
        return;
    }
    g_free(mount->path);
    g_free(mount->file_system);
    g_free(mount);
}

FmDriveInfo *
fm_drive_info_new(void)
{
    FmDriveInfo *drive = g_new0(FmDriveInfo, 1);
    drive->node = g_strdup("");
    drive->model = g_strdup("");
    drive->serial = g_strdup("");
    drive->firmware = g_strdup("");
    drive->bus = g_strdup("");
    drive->mounts = g_ptr_array_new_with_free_func((GDestroyNotify)fm_mount_info_free);
    drive->facts = fm_facts_new();
    return drive;
}

void
fm_drive_info_free(FmDriveInfo *drive)
{
    if (drive == NULL) {
        return;
    }
    g_free(drive->node);
    g_free(drive->model);
    g_free(drive->serial);
    g_free(drive->firmware);
    g_free(drive->bus);
    g_ptr_array_unref(drive->mounts);
    fm_facts_free(drive->facts);
    g_free(drive);
}
