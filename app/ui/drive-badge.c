/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Told from where a drive is mounted.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/drive-badge.h"

#include "base/text.h"

#include <glib/gi18n.h>
#include <stdbool.h>
#include <string.h>

/* Mount points of the system itself, and what is there. */
static const struct {
    const char *path;
    const char *what;
} system_mounts[] = {
    {"/", N_("The running system is on it (“/”).")},
    {"/usr", N_("The running system is on it (“/usr”).")},
    {"/var", N_("The running system is on it (“/var”).")},
    {"/boot", N_("The machine starts from it (“/boot”).")},
    {"/boot/efi", N_("The machine starts from it (“/boot/efi”).")},
    {"/efi", N_("The machine starts from it (“/efi”).")},
};

static const char *
find_system_reason(const char *path)
{
    for (gsize i = 0; i < G_N_ELEMENTS(system_mounts); i++) {
        if (strcmp(path, system_mounts[i].path) == 0) {
            return _(system_mounts[i].what);
        }
    }
    return NULL;
}

FmBadge
fm_badge_of_drive(const FmDriveInfo *drive)
{
    bool is_system = false;
    bool is_writable = false;

    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        is_system = is_system || find_system_reason(mount->path) != NULL;
        is_writable = is_writable || !mount->read_only;
    }
    if (drive->read_only || (drive->mounts->len > 0 && !is_writable)) {
        return FM_BADGE_READ_ONLY;
    }
    if (is_system) {
        return FM_BADGE_SYSTEM;
    }
    return drive->mounts->len > 0 ? FM_BADGE_MOUNTED : FM_BADGE_NOT_MOUNTED;
}

const char *
fm_badge_get_icon(FmBadge badge)
{
    static const char *const icons[] = {
        [FM_BADGE_SYSTEM] = "changes-prevent-symbolic",
        [FM_BADGE_MOUNTED] = "folder-symbolic",
        [FM_BADGE_READ_ONLY] = "action-unavailable-symbolic",
        [FM_BADGE_NOT_MOUNTED] = "dialog-question-symbolic",
    };

    return icons[badge];
}

char *
fm_badge_dup_text(FmBadge badge, const FmDriveInfo *drive)
{
    switch (badge) {
    case FM_BADGE_SYSTEM:
        return g_strdup(_("System drive – file test only"));
    case FM_BADGE_MOUNTED: {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, 0);
        if (drive->mounts->len > 1) {
            return g_strdup(_("Mounted – file test only"));
        }
        g_autofree char *path = fm_text_dup_printable(mount->path);
        return g_strdup_printf(_("Mounted: %s – file test only"), path);
    }
    case FM_BADGE_READ_ONLY:
        return g_strdup(_("Read-only – no test possible"));
    case FM_BADGE_NOT_MOUNTED:
        return g_strdup(_("Not mounted – no test in this version"));
    }
    g_return_val_if_reached(NULL);
}

static void
add_mount_reasons(GPtrArray *reasons, const FmDriveInfo *drive)
{
    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        const char *system = find_system_reason(mount->path);
        g_autofree char *path = fm_text_dup_printable(mount->path);
        if (system != NULL) {
            g_ptr_array_add(reasons, g_strdup(system));
        } else {
            g_ptr_array_add(reasons, g_strdup_printf(_("Its files are in use at “%s”."), path));
        }
    }
}

char **
fm_badge_dup_reasons(FmBadge badge, const FmDriveInfo *drive)
{
    g_autoptr(GPtrArray) reasons = g_ptr_array_new();

    add_mount_reasons(reasons, drive);
    switch (badge) {
    case FM_BADGE_SYSTEM:
    case FM_BADGE_MOUNTED:
        g_ptr_array_add(reasons, g_strdup(_("Fathom makes a file of its own there, tests in it and "
                                            "removes it; nothing else on the drive is touched.")));
        break;
    case FM_BADGE_READ_ONLY:
        g_ptr_array_add(reasons, g_strdup(_("Every test writes a file first, and here nothing can "
                                            "be written.")));
        break;
    case FM_BADGE_NOT_MOUNTED:
        g_ptr_array_add(reasons,
                        g_strdup(_("It has no mounted file system to make a test file in; tests of "
                                   "whole drives are not in this version.")));
        break;
    }
    g_ptr_array_add(reasons, NULL);
    return (char **)g_ptr_array_steal(reasons, NULL);
}
