/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's folder, and where our own programs, data and translations are: in the build
 * tree, in an installation wherever it was moved to, or where it was configured to be.  The
 * user's folder is private.  Tests, whose programs lie deeper in the build folder, set
 * FATHOM_PROGRAM_DIR.  Any thread.
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

/* The folder of the running program, or what stands for it in tests. */
static char *
dup_own_folder(void)
{
    const char *forced = g_getenv("FATHOM_PROGRAM_DIR");
    if (forced != NULL) {
        return g_strdup(forced);
    }
    g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
    return self != NULL ? g_path_get_dirname(self) : NULL;
}

/* The first of @places that is there, below @folder and made absolute; NULL = none. */
static char *
find_below(const char *folder, const char *const *places, GFileTest test)
{
    for (; folder != NULL && *places != NULL; places++) {
        g_autofree char *path = g_build_filename(folder, *places, NULL);
        if (g_file_test(path, test)) {
            return g_canonicalize_filename(path, NULL);
        }
    }
    return NULL;
}

char *
plat_find_program(const char *name)
{
    g_autofree char *folder = dup_own_folder();
    g_autofree char *moved = g_build_filename("..", "libexec", "fathom", name, NULL);
    const char *const places[] = {name, moved, NULL};
    char *path = find_below(folder, places, G_FILE_TEST_IS_EXECUTABLE);

    if (path == NULL && g_getenv("FATHOM_PROGRAM_DIR") != NULL) {
        path = g_build_filename(folder, name, NULL);
    }
    return path != NULL ? path : g_build_filename(FM_LIBEXEC_DIR, name, NULL);
}

char *
plat_find_data_dir(void)
{
    static const char *const places[] = {"resources", "../share/fathom", "../../share/fathom",
                                         NULL};
    const char *forced = g_getenv("FATHOM_DATA_DIR");
    if (forced != NULL) {
        return g_strdup(forced);
    }
    g_autofree char *folder = dup_own_folder();
    char *path = find_below(folder, places, G_FILE_TEST_IS_DIR);
    return path != NULL ? path : g_strdup(FM_DATA_DIR);
}

char *
plat_find_locale_dir(void)
{
    static const char *const places[] = {"po", "../share/locale", NULL};
    const char *forced = g_getenv("FATHOM_LOCALE_DIR");
    if (forced != NULL) {
        return g_strdup(forced);
    }
    g_autofree char *folder = dup_own_folder();
    char *path = find_below(folder, places, G_FILE_TEST_IS_DIR);
    return path != NULL ? path : g_strdup(FM_LOCALE_DIR);
}
