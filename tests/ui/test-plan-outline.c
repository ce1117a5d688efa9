/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan does, in words: every built-in plan can be told, and drivers are one row with
 * what they drive.
 */
#include "ui/plan-outline.h"

#include "model/plan-reader.h"
#include "store/plan-list.h"

/* A plan with @phases; none of the tests cares for the rest of it. */
static FmPlan *
read_plan(const char *phases)
{
    g_autofree char *text = g_strdup_printf("{\"fathom-plan\": 1, \"id\": \"p\", \"name\": \"P\", "
                                            "\"file-size\": \"16MiB\", \"phases\": [%s]}",
                                            phases);
    FmPlanSource source = {.text = text, .length = -1, .origin = "p.json"};
    g_autoptr(GError) error = NULL;
    FmPlan *plan = fm_plan_read(&source, NULL, &error);

    g_assert_no_error(error);
    return plan;
}

#define STREAM                                                                                     \
    "\"streams\": [{\"read\": \"100%\", \"pattern\": \"random\", \"block\": \"4KiB\", "            \
    "\"in-flight\": 32}]"
#define MEASURE "{\"kind\": \"measure\", " STREAM ", \"stop\": {\"time\": \"5s\"}}"

static void
test_a_phase_says_what_and_how_long(void)
{
    static const struct {
        const char *phases;
        const char *title;
        const char *what;
        const char *time;
    } cases[] = {
        {"{\"kind\": \"measure\", \"id\": \"a\", \"label\": \"Reads\", " STREAM
         ", \"stop\": {\"time\": \"5s\"}}",
         "Reads", "RND 4k Read · QD32", "5 s"},
        {"{\"kind\": \"measure\", \"id\": \"a\", " STREAM ", \"stop\": {\"time\": \"90s\"}}", "a",
         "RND 4k Read · QD32", "0:01:30"},
        {"{\"kind\": \"repeat\", \"id\": \"a\", \"label\": \"R\", \"count\": 3, \"discard\": 1, "
         "\"phases\": [" MEASURE "]}",
         "R", "RND 4k Read · QD32 · 3 runs + 1 warm-up", "5 s each"},
        {"{\"kind\": \"sweep\", \"id\": \"a\", \"label\": \"S\", \"axes\": [{\"vary\": "
         "\"in-flight\", \"values\": [1, 2, 4]}], \"phases\": [" MEASURE "]}",
         "S", "RND 4k Read · QD 1, 2, 4", "5 s each"},
        {"{\"kind\": \"rest\", \"id\": \"a\", \"time\": \"2s\"}", "Rest", "", "2 s"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmPlan) plan = read_plan(cases[i].phases);
        g_autoptr(GPtrArray) rows = fm_plan_outline(plan);
        g_assert_cmpuint(rows->len, ==, 2); /* the test file comes first */
        const FmOutlineRow *row = (const FmOutlineRow *)g_ptr_array_index(rows, 1);
        g_assert_cmpstr(row->title, ==, cases[i].title);
        g_assert_cmpstr(row->what, ==, cases[i].what);
        g_assert_cmpstr(row->time, ==, cases[i].time);
        g_assert_false(row->is_heading);
    }
}

static void
test_a_group_is_a_heading_with_its_rows_deeper(void)
{
    g_autoptr(FmPlan) plan =
        read_plan("{\"kind\": \"group\", \"id\": \"g\", \"label\": \"G\", \"between\": \"2s\", "
                  "\"phases\": [{\"kind\": \"rest\", \"id\": \"a\", \"time\": \"1s\"}, "
                  "{\"kind\": \"rest\", \"id\": \"b\", \"time\": \"1s\"}]}");
    g_autoptr(GPtrArray) rows = fm_plan_outline(plan);

    g_assert_cmpuint(rows->len, ==, 4);
    const FmOutlineRow *heading = (const FmOutlineRow *)g_ptr_array_index(rows, 1);
    const FmOutlineRow *below = (const FmOutlineRow *)g_ptr_array_index(rows, 2);
    g_assert_true(heading->is_heading);
    g_assert_cmpstr(heading->what, ==, "2 s of rest between");
    g_assert_cmpuint(below->depth, ==, heading->depth + 1);
}

static void
test_every_plan_can_be_told(void)
{
    g_autoptr(GPtrArray) entries = fm_plan_list_load();

    for (guint i = 0; i < entries->len; i++) {
        const FmPlanEntry *entry = (const FmPlanEntry *)g_ptr_array_index(entries, i);
        g_autoptr(GPtrArray) rows = fm_plan_outline(entry->plan);
        g_assert_cmpuint(rows->len, >, 0);
        g_assert_cmpuint(rows->len, <=, FM_OUTLINE_MAX_ROWS + 1);
        for (guint j = 0; j < rows->len; j++) {
            const FmOutlineRow *row = (const FmOutlineRow *)g_ptr_array_index(rows, j);
            g_assert_cmpstr(row->title, !=, "");
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/plan-outline/a-phase-says-what-and-how-long",
                    test_a_phase_says_what_and_how_long);
    g_test_add_func("/ui/plan-outline/a-group-is-a-heading-with-its-rows-deeper",
                    test_a_group_is_a_heading_with_its_rows_deeper);
    g_test_add_func("/ui/plan-outline/every-plan-can-be-told", test_every_plan_can_be_told);
    return g_test_run();
}
