/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's folder and our own programs.  The folder is private to the user.  Tests, whose
 * programs lie deeper in the build folder, set FATHOM_PROGRAM_DIR.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include "config.h"

#include <glib/gstdio.h>
#include <unistd.h>

char *
plat_state_dir(void)
{
    char *folder = g_build_filename(g_get_user_state_dir(), "fathom", NULL);
    if (g_mkdir_with_parents(folder, 0700) != 0) {
        /* The first use reports what is wrong, with the name of the file. */
        g_debug("the folder %s can't be made", folder);
    }
    return folder;
}

char *
plat_find_program(const char *name)
{
    const char *forced = g_getenv("FATHOM_PROGRAM_DIR");
    if (forced != NULL) {
        return g_build_filename(forced, name, NULL);
    }
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    if (self != NULL) {
        g_autofree char *folder = g_path_get_dirname(self);
        char *beside = g_build_filename(folder, name, NULL);
        if (g_file_test(beside, G_FILE_TEST_IS_EXECUTABLE)) {
            return beside;
        }
        g_free(beside);
    }
    return g_build_filename(FM_LIBEXEC_DIR, name, NULL);
}
