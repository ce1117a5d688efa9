/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The vectors of METHODOLOGY 15.3 and the edges around them.
 */
#include "analysis/stats.h"
#include "model/tick.h"

#include <math.h>

#define PRECISION 1e-9

static double *
make_ramp(gsize n, double first)
{
    double *values = g_new(double, n);
    for (gsize i = 0; i < n; i++) {
        values[i] = first + (double)i;
    }
    return values;
}

static void
test_basics(void)
{
    static const double values[] = {104, 100, 102, 110};

    g_assert_cmpfloat(fm_stats_min(values, 4), ==, 100);
    g_assert_cmpfloat(fm_stats_max(values, 4), ==, 110);
    g_assert_cmpfloat(fm_stats_mean(values, 4), ==, 104);
    g_assert_cmpfloat(fm_stats_median(values, 4), ==, 103);
    g_assert_cmpfloat(fm_stats_median(values, 3), ==, 102);
    g_assert_cmpfloat(fm_stats_deviation(values, 3), ==, 2);
    g_assert_cmpfloat_with_epsilon(fm_stats_difference(1116.75, 1037.41), -7.104545, 1e-6);
    g_assert_cmpfloat_with_epsilon(fm_stats_difference(100, 106.5), 6.5, PRECISION);
}

static void
test_nothing_is_unknown(void)
{
    static const double one[] = {5};
    static const double bad[] = {2, 0, 8};

    g_assert_true(isnan(fm_stats_min(NULL, 0)));
    g_assert_true(isnan(fm_stats_max(NULL, 0)));
    g_assert_true(isnan(fm_stats_mean(NULL, 0)));
    g_assert_true(isnan(fm_stats_median(NULL, 0)));
    g_assert_true(isnan(fm_stats_quantile(NULL, 0, 0.5)));
    g_assert_true(isnan(fm_stats_deviation(one, 1)));
    g_assert_true(isnan(fm_stats_rse(bad, 2)));
    g_assert_true(isnan(fm_stats_geometric_mean(NULL, 0)));
    g_assert_true(isnan(fm_stats_geometric_mean(bad, 3)));
    g_assert_true(isnan(fm_stats_difference(0, 1)));
    g_assert_true(isnan(fm_stats_consistency(NULL, 0).kept));
    g_assert_true(isnan(fm_stats_bottom(NULL, 0).dropped));
}

static void
test_quantile(void)
{
    g_autofree double *ten = make_ramp(10, 1);
    static const double shuffled[] = {3, 1, 10, 7, 5, 4, 2, 9, 8, 6};
    static const struct {
        double p;
        double value;
    } cases[] = {{0, 1}, {0.1, 1.9}, {0.5, 5.5}, {0.25, 3.25}, {0.999, 9.991}, {1, 10}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpfloat_with_epsilon(fm_stats_quantile(ten, 10, cases[i].p), cases[i].value,
                                       PRECISION);
        g_assert_cmpfloat_with_epsilon(fm_stats_quantile(shuffled, 10, cases[i].p), cases[i].value,
                                       PRECISION);
    }
    g_assert_cmpfloat(fm_stats_quantile(ten, 1, 0.7), ==, 1);
}

static void
test_rse(void)
{
    static const double values[] = {1, 900, 100, 102, 104};
    static const double equal[] = {7, 7, 7};

    g_assert_cmpfloat_with_epsilon(fm_stats_rse(values, 5), 200 / sqrt(3) / 102, PRECISION);
    g_assert_cmpfloat_with_epsilon(fm_stats_rse(values, 5), 1.132, 5e-4);
    g_assert_cmpfloat(fm_stats_rse(equal, 3), ==, 0);
    g_assert_true(isnan(fm_stats_rse(values, 2)));
}

static void
test_geometric_mean(void)
{
    static const double values[] = {1, 4, 16};
    g_assert_cmpfloat_with_epsilon(fm_stats_geometric_mean(values, 3), 4, PRECISION);
}

static void
test_consistency(void)
{
    static const struct {
        gsize n_slow; /* of 50 */
        gsize n_empty;
        double kept;
        double dropped;
    } cases[] = {
        {3, 0, 100, 100},
        {4, 0, 50.0333556, 50.0333556},
        /* Three stalls are the 0.1 % that may be slow; a fourth is what is reported. */
        {0, 3, 100, 100},
        {0, 4, 0, 100},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        double samples[3000];
        for (gsize j = 0; j < 3000; j++) {
            samples[j] = j < cases[i].n_slow ? 50 : 100;
            samples[j] = j < cases[i].n_empty ? 0 : samples[j];
        }
        FmStatsBoth both = fm_stats_consistency(samples, 3000);
        g_assert_cmpfloat_with_epsilon(both.kept, cases[i].kept, 1e-1);
        g_assert_cmpfloat_with_epsilon(both.dropped, cases[i].dropped, 1e-1);
        g_assert_cmpuint(both.n_kept, ==, 3000);
        g_assert_cmpuint(both.n_dropped, ==, 3000 - cases[i].n_empty);
    }

    /* Exactly: 99.95 of 99.95, and 50 of 99.9333. */
    double samples[3000];
    for (gsize j = 0; j < 3000; j++) {
        samples[j] = j < 3 ? 50 : 100;
    }
    g_assert_cmpfloat_with_epsilon(fm_stats_consistency(samples, 3000).kept, 100, PRECISION);
    samples[3] = 50;
    g_assert_cmpfloat_with_epsilon(fm_stats_consistency(samples, 3000).kept,
                                   100 * 50 / (299800.0 / 3000), 0.04);
}

static void
test_bottom(void)
{
    g_autofree double *rising = make_ramp(1001, 0);
    FmStatsBoth both = fm_stats_bottom(rising, 1001);

    g_assert_cmpfloat_with_epsilon(both.kept, 10, PRECISION);
    g_assert_cmpfloat_with_epsilon(both.dropped, 1 + 999 * 0.01, PRECISION);
    g_assert_cmpuint(both.n_kept, ==, 1001);
    g_assert_cmpuint(both.n_dropped, ==, 1000);
}

static void
test_series(void)
{
    static const FmTick rows[] = {
        {.read = {.bytes = 5}, .read_ios = 1, .flags = FM_TICK_RAMP},
        {.read = {.bytes = 4096}, .write = {.bytes = 8192}, .read_ios = 1, .write_ios = 2},
        {.flags = 0},
        {.read = {.bytes = 1}, .read_ios = 9, .flags = FM_TICK_PAUSED},
        {.read = {.bytes = 1000},
         .read_ios = 3,
         .trim_ios = 4,
         .flush_ios = 5,
         .flags = FM_TICK_LATE},
        {.read = {.bytes = 7}, .read_ios = 7, .flags = FM_TICK_PARTIAL},
    };
    static const double bytes[] = {122880, 0, 10000};
    static const double iops[] = {30, 0, 120};
    g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    g_array_append_vals(ticks, rows, G_N_ELEMENTS(rows));

    g_autoptr(GArray) byte_rates = fm_stats_new_series(ticks, FM_STATS_SERIES_BYTES);
    g_autoptr(GArray) io_rates = fm_stats_new_series(ticks, FM_STATS_SERIES_IOPS);
    g_assert_cmpmem(byte_rates->data, byte_rates->len * sizeof(double), bytes, sizeof bytes);
    g_assert_cmpmem(io_rates->data, io_rates->len * sizeof(double), iops, sizeof iops);
}

static void
test_depths(void)
{
    static const double rates[] = {200, 300, 500};
    static const unsigned depths[] = {1, 2, 4, 8, 16};
    static const double throughput[] = {600, 1358, 1400, 1390, 1300};
    static const double falling[] = {100, 96, 90, 80, 70};

    g_assert_cmpfloat_with_epsilon(fm_stats_weighted(rates, fm_stats_weights_2025_11), 230,
                                   PRECISION);
    g_assert_cmpfloat_with_epsilon(fm_stats_weighted(rates, fm_stats_weights_2025_06), 250,
                                   PRECISION);
    g_assert_cmpuint(fm_stats_saturation(depths, throughput, 5), ==, 2);
    g_assert_cmpuint(fm_stats_saturation(depths, throughput, 2), ==, 2);
    g_assert_cmpuint(fm_stats_saturation(depths, falling, 5), ==, 1);
    g_assert_cmpuint(fm_stats_saturation(depths, throughput, 0), ==, 0);
}

static void
test_little(void)
{
    g_assert_cmpfloat_with_epsilon(fm_stats_in_flight(100000, 320000), 32, PRECISION);
    g_assert_false(fm_stats_is_depth_off(32, 32));
    g_assert_false(fm_stats_is_depth_off(31.4, 32));
    g_assert_true(fm_stats_is_depth_off(31.3, 32));
    g_assert_true(fm_stats_is_depth_off(32.7, 32));
    g_assert_true(fm_stats_is_depth_off(4.9, 4));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/stats/basics-are-exact", test_basics);
    g_test_add_func("/analysis/stats/nothing-is-unknown-not-zero", test_nothing_is_unknown);
    g_test_add_func("/analysis/stats/quantile-is-type-7", test_quantile);
    g_test_add_func("/analysis/stats/rse-is-of-the-last-three", test_rse);
    g_test_add_func("/analysis/stats/geometric-mean-needs-positive-values", test_geometric_mean);
    g_test_add_func("/analysis/stats/consistency-with-and-without-stalls", test_consistency);
    g_test_add_func("/analysis/stats/bottom-is-a-percentile", test_bottom);
    g_test_add_func("/analysis/stats/series-has-whole-measured-slots-only", test_series);
    g_test_add_func("/analysis/stats/depths-are-weighted-and-saturate", test_depths);
    g_test_add_func("/analysis/stats/little-allows-two-percent", test_little);
    return g_test_run();
}
