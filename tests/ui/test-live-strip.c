/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a run is in its plan: the steps of a driver are one thing, and what comes next is
 * only told where it is certain.
 */
#include "ui/live-strip.h"

#include "model/plan-reader.h"
#include "run-fixture.h"
#include <stdbool.h>

#define MEASURE                                                                                    \
    "{\"kind\": \"measure\", \"stop\": {\"time\": \"1s\"}, \"streams\": [{\"read\": \"100%\", "    \
    "\"pattern\": \"random\", \"block\": \"4KiB\", \"in-flight\": 1}]}"
#define NAMED(id, label)                                                                           \
    "{\"kind\": \"measure\", \"id\": \"" id "\", \"label\": \"" label "\", \"stop\": {\"time\": "  \
    "\"1s\"}, \"streams\": [{\"read\": \"100%\", \"pattern\": \"random\", \"block\": \"4KiB\", "   \
    "\"in-flight\": 1}]}"

static const char plan_text[] =
    "{\"fathom-plan\": 1, \"id\": \"p\", \"name\": \"P\", \"file-size\": \"16MiB\", \"phases\": ["
    "{\"kind\": \"group\", \"id\": \"g\", \"label\": \"G\", \"phases\": ["
    "{\"kind\": \"repeat\", \"id\": \"a\", \"label\": \"A\", \"count\": 2, \"phases\": [" MEASURE
    "]}, " NAMED(
        "b",
        "B") "]}, "
             "{\"kind\": \"repeat\", \"id\": \"r\", \"label\": \"R\", \"count\": 2, \"phases\": ["
             "{\"kind\": \"group\", \"id\": \"h\", \"phases\": [" NAMED("c", "C") ", " NAMED(
                 "d", "D") "]}"
                           "]}]}";

/* A run of the plan with ended steps at @paths, the last one still going on. */
static FmRun *
build_run(const char *const *paths)
{
    FmPlanSource source = {.text = plan_text, .length = -1, .origin = "p.json"};
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = fm_plan_read(&source, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_head(fixture, "p");
    for (unsigned i = 0; paths[i] != NULL; i++) {
        FmFixtureStep step = {.number = i,
                              .path = paths[i],
                              .block = 4096,
                              .n_ios = 10,
                              .latency_us = 100,
                              .is_cut = paths[i + 1] == NULL};
        fm_run_fixture_add_step(fixture, &step);
    }
    FmRun *run = fm_run_fixture_fold(fixture);
    g_free(run->plan_text);
    run->plan_text = g_strdup(plan->canonical);
    return run;
}

static void
test_says_what_was_is_and_comes(void)
{
    static const struct {
        const char *paths[5];
        const char *done;
        const char *now;
        const char *next;
    } cases[] = {
        {{NULL}, NULL, NULL, "G · A"},
        {{"g/a/run=1", NULL}, NULL, "G · A", "G · B"},
        {{"g/a/run=1", "g/a/run=2", NULL}, NULL, "G · A", "G · B"},
        {{"g/a/run=1", "g/a/run=2", "g/b", NULL}, "G · A", "G · B", "C"},
        /* After C comes D, after D perhaps C again: nothing is told inside a loop. */
        {{"g/b", "r/run=1/h/c", NULL}, "G · B", "C", NULL},
        {{"r/run=1/h/c", "r/run=1/h/d", NULL}, "C", "D", NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRun) run = build_run(cases[i].paths);
        g_autoptr(FmLiveSequence) sequence = fm_live_sequence_new(run);
        g_auto(FmLiveStrip) strip = fm_live_strip_build(sequence, run);
        g_assert_cmpstr(strip.done, ==, cases[i].done);
        g_assert_cmpstr(strip.now, ==, cases[i].now);
        g_assert_cmpstr(strip.next, ==, cases[i].next);
    }
}

static void
test_a_step_of_no_plan_keeps_its_own_name(void)
{
    const char *const paths[] = {"x/y", "somewhere/else", NULL};
    g_autoptr(FmRun) run = build_run(paths);
    g_auto(FmLiveStrip) strip = fm_live_strip_build(NULL, run);

    g_assert_nonnull(strip.now);
    g_assert_null(strip.next);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/live-strip/says-what-was-is-and-comes", test_says_what_was_is_and_comes);
    g_test_add_func("/ui/live-strip/a-step-of-no-plan-keeps-its-own-name",
                    test_a_step_of_no_plan_keeps_its_own_name);
    return g_test_run();
}
