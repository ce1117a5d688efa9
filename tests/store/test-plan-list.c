/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a newcomer looks for comes first, and nothing is left out.
 */
#include "store/plan-list.h"

#include "store/plan-files.h"

#include <glib/gstdio.h>

static void
test_quick_comes_first_and_groups_stay_together(void)
{
    g_autoptr(GPtrArray) entries = fm_plan_list_load();
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    FmPlanGroup last = FM_PLAN_GROUP_OWN;

    g_assert_cmpuint(entries->len, ==, files->len);
    g_assert_cmpstr(((FmPlanEntry *)g_ptr_array_index(entries, 0))->id, ==, "quick");
    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        g_assert_no_error(entry->error);
        g_assert_cmpint(entry->group, >=, last);
        last = entry->group;
    }
    g_assert_cmpint(last, ==, FM_PLAN_GROUP_LATER);
}

static void
test_what_needs_a_drive_is_for_later(void)
{
    g_autoptr(GPtrArray) entries = fm_plan_list_load();

    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        bool is_possible = entry->plan->needs == 0 && fm_plan_has_file_form(entry->plan);
        g_assert_cmpint(entry->group == FM_PLAN_GROUP_LATER, ==, !is_possible);
    }
}

static void
test_a_broken_plan_hides_no_other(void)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-plans-XXXXXX", NULL);
    g_autofree char *good = g_build_filename(folder, "good.json", NULL);
    g_autofree char *bad = g_build_filename(folder, "bad.json", NULL);
    const char *text = "{\"fathom-plan\": 1, \"id\": \"good\", \"name\": \"Good\", \"file-size\": "
                       "\"16MiB\", \"phases\": [{\"kind\": \"rest\", \"id\": \"r\", \"time\": "
                       "\"1s\"}]}";

    g_file_set_contents(good, text, -1, NULL);
    g_file_set_contents(bad, "{", -1, NULL);
    g_setenv("FATHOM_PLAN_DIR", folder, TRUE);
    g_autoptr(GPtrArray) entries = fm_plan_list_load();
    g_unsetenv("FATHOM_PLAN_DIR");
    g_assert_cmpuint(entries->len, ==, 2);
    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        g_assert_cmpint(entry->plan != NULL, ==, g_str_equal(entry->id, "good"));
        g_assert_cmpint(entry->error != NULL, ==, g_str_equal(entry->id, "bad"));
    }
    g_assert_cmpint(g_remove(good), ==, 0);
    g_assert_cmpint(g_remove(bad), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/store/plan-list/quick-comes-first-and-groups-stay-together",
                    test_quick_comes_first_and_groups_stay_together);
    g_test_add_func("/store/plan-list/what-needs-a-drive-is-for-later",
                    test_what_needs_a_drive_is_for_later);
    g_test_add_func("/store/plan-list/a-broken-plan-hides-no-other",
                    test_a_broken_plan_hides_no_other);
    return g_test_run();
}
