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

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/percentiles/set-is-the-displayed-one", test_set);
    g_test_add_func("/analysis/percentiles/values-are-nanoseconds-of-any-clock", test_clock);
    g_test_add_func("/analysis/percentiles/nothing-is-unknown", test_empty);
    g_test_add_func("/analysis/percentiles/step-gives-those-of-its-ops", test_step);
    return g_test_run();
}
