/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be done with a drive follows from where it is mounted, and there is always a
 * reason.
 */
#include "ui/drive-badge.h"

#include <stdbool.h>
#include <string.h>

static void
test_mounts_decide(void)
{
    static const struct {
        const char *mounts[4]; /* "-" in front: read-only */
        bool is_read_only;
        FmBadge badge;
        const char *text;
    } cases[] = {
        {{NULL}, false, FM_BADGE_NOT_MOUNTED, "Not mounted – no test in this version"},
        {{"/", NULL}, false, FM_BADGE_SYSTEM, "System drive – file test only"},
        {{"/data", "/boot/efi", NULL}, false, FM_BADGE_SYSTEM, "System drive – file test only"},
        {{"/home", NULL}, false, FM_BADGE_MOUNTED, "Mounted: /home – file test only"},
        {{"/a", "/b", NULL}, false, FM_BADGE_MOUNTED, "Mounted – file test only"},
        {{"/a", "-/b", NULL}, false, FM_BADGE_MOUNTED, "Mounted – file test only"},
        {{"-/media/cd", NULL}, false, FM_BADGE_READ_ONLY, "Read-only – no test possible"},
        {{"/media/x", NULL}, true, FM_BADGE_READ_ONLY, "Read-only – no test possible"},
        {{"/m\n\t<b>", NULL}, false, FM_BADGE_MOUNTED, NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        FmDriveInfo *drive = fm_drive_info_new();
        drive->read_only = cases[i].is_read_only;
        for (gsize j = 0; cases[i].mounts[j] != NULL; j++) {
            bool is_locked = cases[i].mounts[j][0] == '-';
            g_ptr_array_add(
                drive->mounts,
                fm_mount_info_new(cases[i].mounts[j] + (is_locked ? 1 : 0), "ext4", is_locked));
        }
        FmBadge badge = fm_badge_of_drive(drive);
        g_autofree char *text = fm_badge_dup_text(badge, drive);
        g_auto(GStrv) reasons = fm_badge_dup_reasons(badge, drive);
        g_assert_cmpint(badge, ==, cases[i].badge);
        if (cases[i].text != NULL) {
            g_assert_cmpstr(text, ==, cases[i].text);
        }
        g_assert_null(strpbrk(text, "\n\t"));
        g_assert_nonnull(reasons[0]);
        g_assert_nonnull(fm_badge_get_icon(badge));
        fm_drive_info_free(drive);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/drive-badge/mounts-decide", test_mounts_decide);
    return g_test_run();
}
