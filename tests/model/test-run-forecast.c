/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time that a run still takes, at instants chosen by hand: two steps that end by time
 * and two that end by an amount, with rests between them.
 */
#include "model/run-forecast.h"

#include "model/plan-cost.h"
#include "model/plan-reader.h"
#include "model/tick.h"
#include "run-fixture.h"

#define MS INT64_C(1000000)
#define S INT64_C(1000000000)
#define STEP ((int64_t)FM_COST_STEP_NS)

/* 1 GB at the assumed 1 GB/s takes 1 s. */
static const char plan_text[] =
    "{'fathom-plan': 1, 'id': 'p', 'name': 'P', 'file-size': '2GB', 'between': '10s', 'phases': ["
    "{'kind': 'measure', 'id': 'a', 'ramp': '1s', 'stop': {'time': '4s'}, 'streams': [{'read': "
    "'100%', 'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]},"
    "{'kind': 'measure', 'id': 'b', 'stop': {'bytes': '1GB'}, 'streams': [{'read': '100%',"
    "'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]},"
    "{'kind': 'measure', 'id': 'c', 'stop': {'bytes': '2GB', 'time': '5s'}, 'streams': [{'read': "
    "'100%', 'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]},"
    "{'kind': 'measure', 'id': 'd', 'stop': {'time': '3s'}, 'streams': [{'read': '100%',"
    "'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]}]}";

static FmRun *
begin_run(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    g_autofree char *json = g_strdelimit(g_strdup(plan_text), "'", '"');
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = fm_plan_read_canonical(json, &error);

    g_assert_no_error(error);
    fm_run_fixture_add_head(fixture, "p");
    fm_run_fixture_add(fixture, FM_FRAME_TARGET,
                       g_variant_new_parsed("{'kind': <'folder'>, 'size': <uint64 2000000000>}"));
    fm_run_fixture_add(fixture, FM_FRAME_PLAN,
                       g_variant_new_parsed("{'id': <'p'>, 'plan': <%s>}", plan->canonical));
    return fm_run_fixture_fold(fixture);
}

/* A step of @run that has just begun. */
static FmRunStep *
begin_step(FmRun *run, const char *path, int64_t ramp_ns)
{
    FmRunStep *step = fm_run_step_new();

    g_free(step->path);
    step->path = g_strdup(path);
    step->number = run->steps->len;
    step->ramp_ns = ramp_ns;
    g_ptr_array_add(run->steps, step);
    return step;
}

static void
add_row(FmRunStep *step, int64_t end_ns, uint64_t bytes, bool is_ramp)
{
    FmTick tick = {
        .end_ns = (uint64_t)end_ns, .read = {.bytes = bytes}, .flags = is_ramp ? FM_TICK_RAMP : 0};

    g_array_append_val(step->ticks, tick);
}

/* Ends it at 1000 s of the wall clock. */
static void
end_step(FmRunStep *step, int64_t measured_ns)
{
    step->ended = true;
    g_free(step->outcome);
    step->outcome = g_strdup("complete");
    step->measured_ns = measured_ns;
    step->end_wall_us = 1000 * G_USEC_PER_SEC;
}

static void
assert_left(FmRunForecast *forecast, const FmRun *run, int64_t after_s, int64_t left_ns)
{
    int64_t now_us = (1000 + after_s) * G_USEC_PER_SEC;
    int64_t left = fm_run_forecast_get_left_ns(forecast, run, now_us);

    g_test_message("%.6f s left, wanted %.6f", (double)left / 1e9, (double)left_ns / 1e9);
    g_assert_cmpint(ABS(left - left_ns), <=, 100);
}

static void
test_steps_and_rests(void)
{
    g_autoptr(FmRun) run = begin_run();
    g_autoptr(FmRunForecast) forecast = fm_run_forecast_new(run);

    g_assert_nonnull(forecast);
    assert_left(forecast, run, 0, (5 + 1 + 2 + 3 + 30) * S + 4 * STEP);
    FmRunStep *first = begin_step(run, "a", S);
    assert_left(forecast, run, 0, 41 * S + 4 * STEP);
    add_row(first, 500 * MS, 1, true);
    assert_left(forecast, run, 0, 41 * S + 4 * STEP - 500 * MS);
    add_row(first, 2 * S, 1, false);
    assert_left(forecast, run, 0, 38 * S + 4 * STEP);
    end_step(first, 4 * S);
    /* The rest passes by the wall clock, and no further than it is long. */
    assert_left(forecast, run, 0, 36 * S + 4 * STEP);
    assert_left(forecast, run, 7, 29 * S + 4 * STEP);
    assert_left(forecast, run, 60, 26 * S + 3 * STEP);
    assert_left(forecast, run, -60, 36 * S + 4 * STEP);
    run->ended = true;
    assert_left(forecast, run, 0, 0);
}

/* A drive ten times slower than thought. */
static void
test_measured_speed(void)
{
    g_autoptr(FmRun) run = begin_run();
    g_autoptr(FmRunForecast) forecast = fm_run_forecast_new(run);

    end_step(begin_step(run, "a", S), 4 * S);
    FmRunStep *second = begin_step(run, "b", 0);
    assert_left(forecast, run, 0, 26 * S + 3 * STEP);
    /* A fifth in 2 s: 8 s more, and the 25 s behind it. */
    add_row(second, 1 * S, 100000000, false);
    add_row(second, 2 * S, 100000000, false);
    assert_left(forecast, run, 0, 33 * S + 3 * STEP);
    /* The next one would take 20 s, but stops after 5. */
    end_step(second, 10 * S);
    assert_left(forecast, run, 0, (10 + 5 + 10 + 3) * S + 3 * STEP);
}

/* Steps that nobody could know of stand for nothing; the known one before them counts. */
static void
test_unknown_steps(void)
{
    g_autoptr(FmRun) run = begin_run();
    g_autoptr(FmRunForecast) forecast = fm_run_forecast_new(run);

    begin_step(run, "elsewhere", 0);
    assert_left(forecast, run, 0, 41 * S + 4 * STEP);
    end_step(begin_step(run, "a", S), 4 * S);
    begin_step(run, "a/again", 0);
    assert_left(forecast, run, 5, 36 * S + 4 * STEP);
}

static void
test_nothing_known(void)
{
    g_autoptr(FmRun) run = fm_run_new();

    g_assert_null(fm_run_forecast_new(run));
    run->plan_text = g_strdup("{");
    g_assert_null(fm_run_forecast_new(run));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/run-forecast/time-passes-in-steps-and-rests", test_steps_and_rests);
    g_test_add_func("/model/run-forecast/amounts-take-as-long-as-measured", test_measured_speed);
    g_test_add_func("/model/run-forecast/unknown-steps-change-nothing", test_unknown_steps);
    g_test_add_func("/model/run-forecast/without-a-plan-there-is-none", test_nothing_known);
    return g_test_run();
}
