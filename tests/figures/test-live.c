/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live figure: the newest step with a row, its newest minutes, and what it costs.
 */
#include "figures-fixture.h"

#include "figures/figures.h"
#include "run-fixture.h"

#include <math.h>
#include <string.h>

/* A run whose only step has @n_ramp ramp rows and @n rows. */
static FmRun *
make_run(guint n_ramp, guint n)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep spec = {.path = "a", .n_ios = 10, .in_flight = 4, .is_cut = true};

    fm_run_fixture_add_head(fixture, "live");
    fm_run_fixture_add_step(fixture, &spec);
    FmRun *run = fm_run_fixture_fold(fixture);
    FmRunStep *step = run->steps->pdata[0];
    step->ramp_ns = (int64_t)n_ramp * 100000000;
    g_array_set_size(step->ticks, 0);
    for (guint i = 0; i < n_ramp + n; i++) {
        bool is_ramp = i < n_ramp;
        FmTick tick = {
            .end_ns = (uint64_t)(is_ramp ? i + 1 : i + 1 - n_ramp) * 100000000,
            .read = {.bytes = 4096000, .latency_sum_ns = 80000000, .latency_max_ns = 400000 + i},
            .read_ios = 1000,
            .temperature_dc = FM_TEMPERATURE_UNKNOWN,
            .flags = is_ramp ? FM_TICK_RAMP : 0,
        };
        g_array_append_val(step->ticks, tick);
    }
    return run;
}

static const FmSeries *
get_series(const FmFigure *figure, guint panel, guint series)
{
    return ((const FmPanel *)figure->panels->pdata[panel])->series->pdata[series];
}

static const FmPoint *
get_point(const FmSeries *series, guint index)
{
    return &g_array_index(series->points, FmPoint, index);
}

static void
test_nothing_yet(void)
{
    g_autoptr(FmRun) run = fm_run_new();
    g_autoptr(FmRun) begun = make_run(0, 0);

    g_assert_null(fm_figures_build_live(run, NULL));
    g_assert_null(fm_figures_build_live(begun, NULL));
}

static void
test_short_step(void)
{
    g_autoptr(FmRun) run = make_run(5, 20);
    FmFigureOptions options = {.language = "en"};
    g_autoptr(FmFigure) figure = fm_figures_build_live(run, &options);
    g_autofree char *broken = fm_figure_check(figure);

    g_assert_null(broken);
    g_assert_cmpstr(figure->title, ==, "RND 4k Read QD4");
    g_assert_null(strstr(figure->subtitle, "the last"));
    /* The ramp is another series, and time goes on over its end. */
    const FmSeries *ramp = get_series(figure, 0, 0);
    const FmSeries *read = get_series(figure, 0, 1);
    g_assert_cmpint(ramp->role, ==, FM_ROLE_MUTED);
    g_assert_cmpuint(ramp->points->len, ==, 5);
    g_assert_cmpuint(read->points->len, ==, 20);
    g_assert_cmpfloat_with_epsilon(get_point(ramp, 4)->x, 0.5, 1e-9);
    g_assert_cmpfloat_with_epsilon(get_point(read, 0)->x, 0.6, 1e-9);
    g_assert_cmpfloat(get_point(read, 0)->y, ==, 10000);
    const FmPanel *latency = figure->panels->pdata[1];
    g_assert_cmpuint(latency->series->len, ==, 2);
    g_assert_cmpfloat_with_epsilon(get_point(get_series(figure, 1, 1), 0)->y, 80e-6, 1e-9);
}

/* Hours of rows: the newest five minutes, said so, at a bounded cost. */
static void
test_long_step(void)
{
    enum { ROWS = 432000, SHOWN = FM_FIGURES_LIVE_SECONDS * 10 };
    g_autoptr(FmRun) run = make_run(0, ROWS);
    FmFigureOptions options = {.language = "ko"};
    g_autoptr(FmFigure) figure = fm_figures_build_live(run, &options);
    g_autofree char *broken = fm_figure_check(figure);
    const FmSeries *read = get_series(figure, 0, 0);

    g_assert_null(broken);
    g_assert_nonnull(strstr(figure->subtitle, "최근 0:05:00"));
    g_assert_cmpuint(read->points->len, ==, SHOWN);
    g_assert_cmpfloat_with_epsilon(get_point(read, SHOWN - 1)->x, ROWS / 10.0, 1e-6);

    gint64 begin = g_get_monotonic_time();
    for (unsigned i = 0; i < 20; i++) {
        g_autoptr(FmFigure) again = fm_figures_build_live(run, &options);
    }
    g_test_message("%.0f µs a live figure of %d rows",
                   (double)(g_get_monotonic_time() - begin) / 20, ROWS);
}

/* The step that just began has no row yet: the one before is still the newest. */
static void
test_newest(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    FmRunStep *last = run->steps->pdata[run->steps->len - 1];
    g_autoptr(FmFigure) with = fm_figures_build_live(run, NULL);

    g_assert_cmpstr(with->title, ==, "SEQ 128k Write QD8");
    g_array_set_size(last->ticks, 0);
    g_autoptr(FmFigure) without = fm_figures_build_live(run, NULL);
    g_assert_cmpstr(without->title, ==, "RND 4k R50:W50 QD1");
}

static void
test_watermark(void)
{
    g_autoptr(FmRun) run = figures_fixture_new_simulated();
    g_autoptr(FmFigure) figure = fm_figures_build_live(run, NULL);

    g_assert_cmpstr(figure->watermark, ==, "simulated");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    figures_fixture_bind_catalogues();
    g_test_add_func("/figures/live/no-row-no-figure", test_nothing_yet);
    g_test_add_func("/figures/live/ramp-is-muted-and-time-goes-on", test_short_step);
    g_test_add_func("/figures/live/long-step-shows-its-newest-minutes", test_long_step);
    g_test_add_func("/figures/live/newest-step-with-a-row-is-shown", test_newest);
    g_test_add_func("/figures/live/model-is-marked", test_watermark);
    return g_test_run();
}
