/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where our own programs, data and translations are found: in a build tree, under a prefix,
 * under a prefix that was moved, and where they were configured to be.
 */
#include "platform/platform.h"

#include "config.h"

#include <glib/gstdio.h>

/* Removes a tree that this test made. */
static void
remove_tree(const char *path)
{
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
    const char *name = NULL;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        remove_tree(child);
    }
    g_remove(path);
}

typedef struct {
    const char *claim;
    const char *made[4]; /* folders, and programs, which end in their name */
    const char *programs; /* where the running program stands */
    const char *worker; /* NULL = as configured */
    const char *data;
    const char *locale;
} Place;

static const Place places[] = {
    {"build-tree",
     {"b/fathom-worker", "b/resources/", "b/po/"},
     "b",
     "b/fathom-worker",
     "b/resources",
     "b/po"},
    {"prefix",
     {"opt/bin/", "opt/libexec/fathom/fathom-worker", "opt/share/fathom/", "opt/share/locale/"},
     "opt/bin",
     "opt/libexec/fathom/fathom-worker",
     "opt/share/fathom",
     "opt/share/locale"},
    {"worker-of-a-prefix",
     {"opt/libexec/fathom/fathom-worker", "opt/share/fathom/"},
     "opt/libexec/fathom",
     "opt/libexec/fathom/fathom-worker",
     "opt/share/fathom",
     NULL},
    {"nothing-beside", {"elsewhere/"}, "elsewhere", "elsewhere/fathom-worker", NULL, NULL},
};

static void
make(const char *root, const char *name)
{
    g_autofree char *path = g_build_filename(root, name, NULL);

    if (g_str_has_suffix(name, "/")) {
        g_assert_cmpint(g_mkdir_with_parents(path, 0700), ==, 0);
        return;
    }
    g_autofree char *folder = g_path_get_dirname(path);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    g_assert_true(g_file_set_contents_full(path, "", 0, G_FILE_SET_CONTENTS_NONE, 0700, NULL));
}

static void
check(const char *root, char *found, const char *expected, const char *configured)
{
    g_autofree char *path =
        expected != NULL ? g_build_filename(root, expected, NULL) : g_strdup(configured);

    g_assert_cmpstr(found, ==, path);
    g_free(found);
}

static void
test_place(gconstpointer data)
{
    const Place *place = data;
    g_autofree char *root = g_dir_make_tmp("fathom-dirs-XXXXXX", NULL);
    g_autofree char *programs = g_build_filename(root, place->programs, NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(place->made) && place->made[i] != NULL; i++) {
        make(root, place->made[i]);
    }
    g_setenv("FATHOM_PROGRAM_DIR", programs, TRUE);
    g_unsetenv("FATHOM_DATA_DIR");
    g_unsetenv("FATHOM_LOCALE_DIR");
    check(root, plat_find_program("fathom-worker"), place->worker, NULL);
    check(root, plat_find_data_dir(), place->data, FM_DATA_DIR);
    check(root, plat_find_locale_dir(), place->locale, FM_LOCALE_DIR);
    remove_tree(root);
}

static void
test_environment_wins(void)
{
    g_setenv("FATHOM_DATA_DIR", "/d", TRUE);
    g_setenv("FATHOM_LOCALE_DIR", "/l", TRUE);
    g_autofree char *data = plat_find_data_dir();
    g_autofree char *locale = plat_find_locale_dir();
    g_assert_cmpstr(data, ==, "/d");
    g_assert_cmpstr(locale, ==, "/l");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_strconcat("/platform/dirs/finds/", places[i].claim, NULL);
        g_test_add_data_func(path, &places[i], test_place);
    }
    g_test_add_func("/platform/dirs/environment-wins", test_environment_wins);
    return g_test_run();
}
