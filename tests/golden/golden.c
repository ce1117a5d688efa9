/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares line by line, so that a failure says where.
 */
#include "golden.h"

#include <string.h>

bool
golden_is_updating(void)
{
    return g_strcmp0(g_getenv("FM_GOLDEN_UPDATE"), "1") == 0;
}

char *
golden_dup_path(const char *folder, const char *name)
{
    return g_build_filename(g_getenv("G_TEST_SRCDIR"), "golden", folder, name, NULL);
}

void
golden_check(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = golden_dup_path(folder, name);
    g_autofree char *expected = NULL;
    g_autoptr(GError) error = NULL;

    if (golden_is_updating()) {
        g_file_set_contents(path, text, -1, &error);
        g_assert_no_error(error);
        return;
    }
    g_file_get_contents(path, &expected, NULL, &error);
    g_assert_no_error(error);
    g_auto(GStrv) wanted = g_strsplit(expected, "\n", -1);
    g_auto(GStrv) found = g_strsplit(text, "\n", -1);
    for (unsigned i = 0; wanted[i] != NULL && found[i] != NULL; i++) {
        if (strcmp(wanted[i], found[i]) != 0) {
            g_test_message("%s:%u: expected: %s", name, i + 1, wanted[i]);
            g_test_message("%s:%u: found:    %s", name, i + 1, found[i]);
            g_test_fail();
            return;
        }
    }
    g_assert_cmpuint(g_strv_length(found), ==, g_strv_length(wanted));
}
