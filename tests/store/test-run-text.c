/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a step does is named alike in every language, and left out where it is not known; plans
 * are called what the reader calls them.
 */
#include "store/run-text.h"

#include "model/plan-hash.h"
#include "store/plan-files.h"

#include <glib.h>

static void
test_workload_of_the_first_stream(void)
{
    static const struct {
        const char *pattern;
        uint64_t block;
        uint32_t read_share;
        unsigned in_flight;
        const char *expected;
    } rows[] = {
        {"random", 4096, 10000, 32, "RND 4k Read · QD32"},
        {"random", 4096, 8000, 1, "RND 4k R80:W20 · QD1"},
        {"sequential", 131072, 0, 8, "SEQ 128k Write · QD8"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        FmBlockShare block = {.size = rows[i].block};
        FmRunStream stream = {.pattern = (char *)rows[i].pattern, .n_blocks = 1};
        FmRunStep step = {.label = (char *)"of the plan", .streams = &stream, .n_streams = 1};
        stream.blocks = &block;
        stream.op_share[FM_OP_READ] = rows[i].read_share;
        step.in_flight = rows[i].in_flight;
        g_autofree char *text = fm_run_text_dup_workload(&step);
        g_assert_cmpstr(text, ==, rows[i].expected);
    }
}

static void
test_unknown_workload_is_none(void)
{
    FmRunStep without_streams = {.in_flight = 1};
    FmRunStream stream = {.pattern = (char *)"random"};
    FmRunStep without_blocks = {.in_flight = 1, .streams = &stream, .n_streams = 1};

    g_assert_null(fm_run_text_dup_workload(&without_streams));
    g_assert_null(fm_run_text_dup_workload(&without_blocks));
}

static void
assert_plan(const FmRun *run, const char *language, const char *expected)
{
    g_setenv("LANGUAGE", language, TRUE);
    g_autofree char *name = fm_run_text_dup_plan(run);
    g_assert_cmpstr(name, ==, expected);
}

static void
test_plan_in_the_language_of_the_reader(void)
{
    g_autoptr(FmRun) run = fm_run_new();
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = fm_plan_files_load("quick", NULL, &error);

    g_assert_no_error(error);
    assert_plan(run, "en", NULL);
    run->plan_id = g_strdup("quick");
    assert_plan(run, "ko", "quick");
    run->plan_name = g_strdup("Quick");
    assert_plan(run, "ko", "Quick");
    run->plan_text = fm_plan_dup_canonical(plan);
    assert_plan(run, "en", "Quick");
    assert_plan(run, "ko", "빠른 측정");
    g_free(run->plan_text);
    run->plan_text = g_strdup("{");
    assert_plan(run, "ko", "Quick");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/store/run-text/workload-of-the-first-stream",
                    test_workload_of_the_first_stream);
    g_test_add_func("/store/run-text/unknown-workload-is-none", test_unknown_workload_is_none);
    g_test_add_func("/store/run-text/plan-in-the-language-of-the-reader",
                    test_plan_in_the_language_of_the_reader);
    return g_test_run();
}
