/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast, how far and whether paused: told by rows and notes alone.
 */
#include "model/run-progress.h"

#include "run-fixture.h"

static FmRun *
build_run(const FmFixtureStep *step, const char *const *decisions)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_head(fixture, "quick");
    if (step != NULL) {
        fm_run_fixture_add_step(fixture, step);
    }
    for (; decisions != NULL && *decisions != NULL; decisions++) {
        g_autofree char *note =
            g_strdup_printf("{'kind': <'decision'>, 'text': <'%s'>}", *decisions);
        fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, note);
    }
    return fm_run_fixture_fold(fixture);
}

static void
test_speed_is_that_of_the_last_second(void)
{
    const FmFixtureStep step = {.block = 4096, .n_ios = 20000, .latency_us = 100};
    g_autoptr(FmRun) run = build_run(&step, NULL);
    FmRunSpeed speed;

    g_assert_true(fm_run_step_get_speed(fm_run_get_step(run, 0), &speed));
    g_assert_cmpfloat(speed.ios_per_second, >, 0);
    g_assert_cmpfloat_with_epsilon(speed.bytes_per_second, speed.ios_per_second * 4096, 1);
    g_assert_cmpint(fm_run_get_passed_ns(run), >, 0);
}

static void
test_a_run_without_steps_has_taken_no_time(void)
{
    g_autoptr(FmRun) run = build_run(NULL, NULL);

    g_assert_cmpint(fm_run_get_passed_ns(run), ==, 0);
}

static void
test_the_last_decision_counts(void)
{
    static const struct {
        const char *decisions[4];
        bool is_paused;
        bool is_stopping;
    } cases[] = {
        {{NULL}, false, false},
        {{"paused on request", NULL}, true, false},
        {{"paused on request", "took the fast path", NULL}, true, false},
        {{"paused on request", "resumed on request", NULL}, false, false},
        {{"paused on request", "stopping on request", NULL}, false, true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRun) run = build_run(NULL, cases[i].decisions);
        g_assert_cmpint(fm_run_is_paused(run), ==, cases[i].is_paused);
        g_assert_cmpint(fm_run_is_stopping(run), ==, cases[i].is_stopping);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/run-progress/speed-is-that-of-the-last-second",
                    test_speed_is_that_of_the_last_second);
    g_test_add_func("/model/run-progress/a-run-without-steps-has-taken-no-time",
                    test_a_run_without_steps_has_taken_no_time);
    g_test_add_func("/model/run-progress/the-last-decision-counts", test_the_last_decision_counts);
    return g_test_run();
}
