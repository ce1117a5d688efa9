/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The displayed set: which ranks, in nanoseconds of any clock, and when they are worth
 * showing.
 */
#include "analysis/percentiles.h"
#include "run-fixture.h"

#include <math.h>
#include <string.h>

static void
test_set(void)
{
    static const struct {
        FmPercentileIndex index;
        const char *name;
        uint32_t per_billion;
        uint64_t ns; /* of the values 1 .. 1000 */
        bool is_sufficient;
    } cases[] = {
        {FM_P50, "P50", 500000000, 500, true},
        {FM_P90, "P90", 900000000, 900, true},
        {FM_P99, "P99", 990000000, 990, true},
        {FM_P99_9, "P99.9", 999000000, 999, false},
        {FM_P99_99, "P99.99", 999900000, 1000, false},
        {FM_P99_999, "P99.999", 999990000, 1000, false},
        {FM_P99_9999, "P99.9999", 999999000, 1000, false},
        {FM_P99_99999, "P99.99999", 999999900, 1000, false},
    };
    g_auto(FmHist) hist = {0};

    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    for (unsigned value = 1; value <= 1000; value++) {
        fm_hist_record(&hist, value);
    }
    FmPercentiles percentiles = fm_percentiles_compute(&hist, 1, 1);
    g_assert_cmpuint(G_N_ELEMENTS(cases), ==, FM_N_PERCENTILES);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const FmPercentile *percentile = &percentiles.values[cases[i].index];
        g_assert_cmpstr(fm_percentile_name(cases[i].index), ==, cases[i].name);
        g_assert_cmpuint(percentile->per_billion, ==, cases[i].per_billion);
        g_assert_cmpuint(percentile->ns, ==, cases[i].ns);
        g_assert_cmpint(percentile->is_sufficient, ==, cases[i].is_sufficient);
    }
    g_assert_cmpuint(percentiles.n, ==, 1000);
    g_assert_cmpuint(percentiles.min_ns, ==, 1);
    g_assert_cmpuint(percentiles.max_ns, ==, 1000);
    g_assert_cmpfloat(percentiles.mean_ns, ==, 500.5);
}

static void
test_clock(void)
{
    g_auto(FmHist) hist = {0};
    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    fm_hist_record(&hist, 3000);
    fm_hist_record(&hist, 3000);
    fm_hist_record(&hist, 6001);

    FmPercentiles percentiles = fm_percentiles_compute(&hist, 1, 3);
    g_assert_cmpuint(percentiles.min_ns, ==, 1000);
    g_assert_cmpuint(percentiles.max_ns, ==, 2000);
    g_assert_cmpuint(percentiles.values[FM_P90].ns, ==, 2000);
    g_assert_cmpfloat_with_epsilon(percentiles.mean_ns, 12001.0 / 9, 1e-9);
    g_assert_cmpuint(fm_percentiles_compute(&hist, UINT64_MAX, 1).max_ns, ==, UINT64_MAX);

    /* To the nearest: 2 ticks of a third are 0.67 ns. */
    fm_hist_reset(&hist);
    fm_hist_record(&hist, 2);
    g_assert_cmpuint(fm_percentiles_compute(&hist, 1, 3).max_ns, ==, 1);
}

static void
test_empty(void)
{
    g_auto(FmHist) hist = {0};
    fm_hist_init(&hist, FM_HIST_PHASE_BITS);

    FmPercentiles percentiles = fm_percentiles_compute(&hist, 1, 1);
    g_assert_cmpuint(percentiles.n, ==, 0);
    g_assert_cmpuint(percentiles.min_ns, ==, 0);
    g_assert_true(isnan(percentiles.mean_ns));
    g_assert_true(isnan(percentiles.deviation_ns));
    for (unsigned i = 0; i < FM_N_PERCENTILES; i++) {
        g_assert_false(percentiles.values[i].is_sufficient);
    }
}

static void
test_step(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 5000, .write_share = 3000};
    fm_run_fixture_add_step(fixture, &step);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    FmRunStep *folded = run->steps->pdata[0];
    FmPercentiles all;
    FmPercentiles reads;
    FmPercentiles none;

    g_assert_true(fm_percentiles_of_step(folded, FM_N_OPS, &all));
    g_assert_true(fm_percentiles_of_step(folded, FM_OP_READ, &reads));
    g_assert_cmpuint(all.n, ==, 5000);
    g_assert_cmpuint(reads.n, ==, folded->ios[FM_OP_READ]);
    g_assert_cmpuint(all.values[FM_P50].ns, >, 72000);
    g_assert_cmpuint(all.values[FM_P50].ns, <, 104000);

    none.n = 7;
    g_assert_false(fm_percentiles_of_step(folded, FM_OP_TRIM, &none));
    g_assert_cmpuint(none.n, ==, 0);
    g_assert_true(isnan(none.mean_ns));

    /* A file may claim a clock that stands still. */
    folded->ns_per_tick_denominator = 0;
    g_assert_true(fm_percentiles_of_step(folded, FM_N_OPS, &all));
    g_assert_cmpuint(all.values[FM_P50].ns, >, 3 * 72000);
}

/* Two steps of different clocks are one population on the first one's. */
static void
test_pool(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    g_auto(FmLatencyPool) pool = {0};
    FmFixtureStep step = {.n_ios = 3000, .path = "a"};

    fm_run_fixture_add_step(fixture, &step);
    step.number = 1;
    step.path = "b";
    fm_run_fixture_add_step(fixture, &step);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    FmRunStep *second = run->steps->pdata[1];
    g_assert_cmpuint(fm_latency_pool_get_percentiles(&pool).n, ==, 0);
    g_autoptr(GArray) nothing = fm_latency_pool_new_curve(&pool, 10);
    g_assert_cmpuint(nothing->len, ==, 0);

    fm_latency_pool_add(&pool, run->steps->pdata[0], FM_N_OPS);
    FmPercentiles one = fm_latency_pool_get_percentiles(&pool);
    FmPercentiles alone;
    g_assert_true(fm_percentiles_of_step(second, FM_N_OPS, &alone));
    /* Twice as long a tick, so all of it is twice as late. */
    second->ns_per_tick_numerator *= 2;
    fm_latency_pool_add(&pool, second, FM_N_OPS);
    FmPercentiles both = fm_latency_pool_get_percentiles(&pool);
    g_assert_cmpuint(both.n, ==, 2 * one.n);
    g_assert_cmpuint(both.min_ns, ==, one.min_ns);
    g_assert_cmpfloat_with_epsilon((double)both.max_ns / (double)alone.max_ns, 2, 0.01);
    g_assert_cmpfloat_with_epsilon(both.mean_ns / (one.mean_ns + 2 * alone.mean_ns), 0.5, 0.01);
    fm_latency_pool_add(&pool, second, FM_OP_TRIM);
    g_assert_cmpuint(fm_latency_pool_get_percentiles(&pool).n, ==, both.n);
}

static void
test_curve(void)
{
    g_auto(FmLatencyPool) pool = {.numerator = 1, .denominator = 2};

    fm_hist_init(&pool.hist, FM_HIST_PHASE_BITS);
    for (unsigned value = 1; value <= 1000; value++) {
        fm_hist_record(&pool.hist, value);
    }
    g_autoptr(GArray) curve = fm_latency_pool_new_curve(&pool, 1);
    static const FmQuantile expected[] = {{0, 0.5}, {0.9, 450}, {0.99, 495}, {0.999, 500}};
    g_assert_cmpuint(curve->len, ==, G_N_ELEMENTS(expected));
    for (guint i = 0; i < curve->len; i++) {
        const FmQuantile *quantile = &g_array_index(curve, FmQuantile, i);
        g_assert_cmpfloat_with_epsilon(quantile->share, expected[i].share, 1e-12);
        g_assert_cmpfloat(quantile->ns, ==, expected[i].ns);
    }

    /* Never falls, and agrees with the percentiles it passes through. */
    g_autoptr(GArray) fine = fm_latency_pool_new_curve(&pool, 40);
    for (guint i = 1; i < fine->len; i++) {
        g_assert_cmpfloat(g_array_index(fine, FmQuantile, i).ns, >=,
                          g_array_index(fine, FmQuantile, i - 1).ns);
        g_assert_cmpfloat(g_array_index(fine, FmQuantile, i).share, >,
                          g_array_index(fine, FmQuantile, i - 1).share);
    }
    FmPercentiles latency = fm_latency_pool_get_percentiles(&pool);
    g_assert_cmpfloat(g_array_index(fine, FmQuantile, 80).ns, ==,
                      (double)latency.values[FM_P99].ns);

    /* One I/O has a place but no line. */
    fm_hist_reset(&pool.hist);
    fm_hist_record(&pool.hist, 7);
    g_autoptr(GArray) single = fm_latency_pool_new_curve(&pool, 40);
    g_assert_cmpuint(single->len, ==, 1);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/percentiles/set-is-the-displayed-one", test_set);
    g_test_add_func("/analysis/percentiles/values-are-nanoseconds-of-any-clock", test_clock);
    g_test_add_func("/analysis/percentiles/nothing-is-unknown", test_empty);
    g_test_add_func("/analysis/percentiles/step-gives-those-of-its-ops", test_step);
    g_test_add_func("/analysis/percentiles/steps-of-other-clocks-are-one-population", test_pool);
    g_test_add_func("/analysis/percentiles/curve-goes-from-the-minimum-to-the-last-io", test_curve);
    return g_test_run();
}
