/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the window remembers comes back, and a broken file costs nothing but the memory.
 */
#include "ui/settings.h"

#include <glib/gstdio.h>

typedef struct {
    char *folder;
    char *path;
} Place;

static void
set_up(Place *place, gconstpointer data)
{
    place->folder = g_dir_make_tmp("fathom-settings-XXXXXX", NULL);
    place->path = g_build_filename(place->folder, "sub", "settings.ini", NULL);
}

static void
tear_down(Place *place, gconstpointer data)
{
    g_autofree char *sub = g_path_get_dirname(place->path);

    g_remove(place->path);
    g_rmdir(sub);
    g_assert_cmpint(g_rmdir(place->folder), ==, 0);
    g_free(place->path);
    g_free(place->folder);
}

static void
test_what_was_set_comes_back(Place *place, gconstpointer data)
{
    const char *const options[] = {"size=64MiB", "text=a;b\\c=d", NULL};
    FmSettings *settings = fm_settings_new(place->path);

    fm_settings_set_appearance(settings, FM_APPEARANCE_DARK);
    fm_settings_set_review(settings, false);
    fm_settings_set_plan(settings, "./my plan=1.json");
    fm_settings_set_plan_options(settings, "./my plan=1.json", options);
    fm_settings_set_target(settings, "/mnt/x y", "M S", "/mnt");
    fm_settings_set_window(settings, 800, 600, true);
    g_object_unref(settings); /* writes what is not written yet */

    settings = fm_settings_new(place->path);
    g_autofree char *plan = fm_settings_dup_plan(settings);
    g_auto(GStrv) read = fm_settings_dup_plan_options(settings, "./my plan=1.json");
    g_auto(FmSavedTarget) saved = {0};
    int width;
    int height;
    bool is_maximised;
    g_assert_cmpint(fm_settings_get_appearance(settings), ==, FM_APPEARANCE_DARK);
    g_assert_false(fm_settings_get_review(settings));
    g_assert_cmpstr(plan, ==, "./my plan=1.json");
    g_assert_cmpstrv(read, options);
    g_assert_true(fm_settings_get_target(settings, &saved));
    g_assert_cmpstr(saved.path, ==, "/mnt/x y");
    g_assert_cmpstr(saved.drive, ==, "M S");
    g_assert_cmpstr(saved.mount, ==, "/mnt");
    g_assert_true(fm_settings_get_window(settings, &width, &height, &is_maximised));
    g_assert_cmpint(width, ==, 800);
    g_assert_cmpint(height, ==, 600);
    g_assert_true(is_maximised);
    g_object_unref(settings);
}

static void
check_defaults(FmSettings *settings)
{
    g_auto(FmSavedTarget) saved = {0};
    int width;
    int height;
    bool is_maximised;

    g_assert_cmpint(fm_settings_get_appearance(settings), ==, FM_APPEARANCE_SYSTEM);
    g_assert_true(fm_settings_get_review(settings));
    g_assert_true(fm_settings_get_notify(settings));
    g_assert_true(fm_settings_get_sidebar(settings));
    g_assert_null(fm_settings_dup_plan(settings));
    g_assert_false(fm_settings_get_target(settings, &saved));
    g_assert_false(fm_settings_get_window(settings, &width, &height, &is_maximised));
}

static void
test_nonsense_counts_as_not_there(Place *place, gconstpointer data)
{
    static const char *const texts[] = {
        "",
        "no key file",
        "[window]\nappearance=purple\nwidth=-3\nheight=99999999\nsidebar=perhaps\n",
    };
    g_autofree char *sub = g_path_get_dirname(place->path);

    g_assert_cmpint(g_mkdir(sub, 0700), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_true(g_file_set_contents(place->path, texts[i], -1, NULL));
        g_autoptr(FmSettings) settings = fm_settings_new(place->path);
        check_defaults(settings);
    }
}

static void
changed_cb(FmSettings *settings, const char *setting, gpointer user_data)
{
    g_string_append((GString *)user_data, setting);
}

static void
test_a_change_is_told_by_name(Place *place, gconstpointer data)
{
    g_autoptr(FmSettings) settings = fm_settings_new(place->path);
    g_autoptr(GString) told = g_string_new(NULL);

    g_signal_connect(settings, "changed::" FM_SETTING_REVIEW, G_CALLBACK(changed_cb), told);
    fm_settings_set_notify(settings, false);
    g_assert_cmpstr(told->str, ==, "");
    fm_settings_set_review(settings, false);
    g_assert_cmpstr(told->str, ==, FM_SETTING_REVIEW);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add("/ui/settings/what-was-set-comes-back", Place, NULL, set_up,
               test_what_was_set_comes_back, tear_down);
    g_test_add("/ui/settings/nonsense-counts-as-not-there", Place, NULL, set_up,
               test_nonsense_counts_as_not_there, tear_down);
    g_test_add("/ui/settings/a-change-is-told-by-name", Place, NULL, set_up,
               test_a_change_is_told_by_name, tear_down);
    return g_test_run();
}
