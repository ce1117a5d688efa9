/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The histogram against exact sorting: ranks, edges, resolution, extremes.
 */
#include "base/hist.h"
#include "base/rng.h"

#include <math.h>
#include <stdlib.h>

static void
test_bins_tile(void)
{
    static const unsigned bits[] = {FM_HIST_INTERVAL_BITS, FM_HIST_PHASE_BITS};

    for (gsize i = 0; i < G_N_ELEMENTS(bits); i++) {
        unsigned last = fm_hist_bin(UINT64_MAX, bits[i]);
        g_assert_cmpuint(fm_hist_bin_lower(0, bits[i]), ==, 0);
        g_assert_cmpuint(fm_hist_bin_upper(last, bits[i]), ==, UINT64_MAX);
        for (unsigned index = 0; index <= last; index++) {
            uint64_t lower = fm_hist_bin_lower(index, bits[i]);
            uint64_t upper = fm_hist_bin_upper(index, bits[i]);
            g_assert_cmpuint(fm_hist_bin(lower, bits[i]), ==, index);
            g_assert_cmpuint(fm_hist_bin(upper, bits[i]), ==, index);
            g_assert_cmpuint((upper - lower) << bits[i], <=, lower);
            if (index < last) {
                g_assert_cmpuint(fm_hist_bin_lower(index + 1, bits[i]), ==, upper + 1);
            }
        }
        g_auto(FmHist) hist = {0};
        fm_hist_init(&hist, bits[i]);
        g_assert_cmpuint(hist.n_bins, ==, last + 1);
    }
}

static int
compare_values_cb(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* A long-tailed mixture from 100 ns to minutes. */
static uint64_t
draw_latency(FmRng *rng)
{
    uint64_t value = 100 + fm_rng_below(rng, 100000);
    unsigned tail = (unsigned)fm_rng_below(rng, 100);
    return tail == 0 ? value << fm_rng_below(rng, 20) : value;
}

static void
test_percentiles_match_sorting(void)
{
    enum { N = 30000 };
    static const uint32_t percentiles[] = {1,         1000000,   10000000,  250000000, 500000000,
                                           900000000, 990000000, 999000000, 999900000, 999999999};
    g_autofree uint64_t *values = g_new(uint64_t, N);
    g_auto(FmHist) hist = {0};
    FmRng rng;

    fm_rng_init(&rng, 1);
    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    for (unsigned i = 0; i < N; i++) {
        values[i] = draw_latency(&rng);
        fm_hist_record(&hist, values[i]);
    }
    qsort(values, N, sizeof *values, compare_values_cb);

    for (gsize i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        uint64_t rank = ((uint64_t)N * percentiles[i] + 999999999) / 1000000000;
        uint64_t exact = values[MAX(rank, 1) - 1];
        uint64_t found = fm_hist_get_percentile(&hist, percentiles[i]);
        g_assert_cmpuint(found, >=, exact);
        g_assert_cmpfloat((double)(found - exact), <=, (double)exact / 1024);
    }
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 1000000000), ==, values[N - 1]);
}

static void
test_rank_is_exact(void)
{
    static const struct {
        unsigned n;
        uint32_t per_billion;
        uint64_t value; /* of 1..n, so the rank itself */
    } cases[] = {
        {100, 990000000, 99},   {100, 990000001, 100}, {100, 10000000, 1}, {100, 1, 1},
        {3, 500000000, 2},      {4, 500000000, 2},     {1, 1, 1},          {10, 999999999, 10},
        {1000, 999000000, 999},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(FmHist) hist = {0};
        fm_hist_init(&hist, FM_HIST_PHASE_BITS);
        for (unsigned value = 1; value <= cases[i].n; value++) {
            fm_hist_record(&hist, value);
        }
        g_assert_cmpuint(fm_hist_get_percentile(&hist, cases[i].per_billion), ==, cases[i].value);
    }
}

static void
test_rank_survives_huge_counts(void)
{
    g_auto(FmHist) hist = {0};
    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    fm_hist_record(&hist, 1);
    fm_hist_record(&hist, 2);
    /* 2^62 I/Os times 10^9 does not fit into 64 bits. */
    hist.bins[1] = hist.bins[2] = 1ull << 61;
    hist.count = 1ull << 62;

    g_assert_cmpuint(fm_hist_get_percentile(&hist, 500000000), ==, 1);
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 500000001), ==, 2);
}

static void
test_edges_are_clamped(void)
{
    g_auto(FmHist) hist = {0};
    fm_hist_init(&hist, FM_HIST_INTERVAL_BITS);
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 500000000), ==, 0);
    g_assert_true(isnan(fm_hist_get_mean(&hist)));
    g_assert_true(isnan(fm_hist_get_deviation(&hist)));

    fm_hist_record(&hist, 1000001);
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 1), ==, 1000001);
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 500000000), ==, 1000001);
    g_assert_cmpfloat(fm_hist_get_mean(&hist), ==, 1000001.0);
    g_assert_true(isnan(fm_hist_get_deviation(&hist)));

    fm_hist_record(&hist, 1000001);
    g_assert_cmpfloat(fm_hist_get_deviation(&hist), ==, 0.0);

    fm_hist_record(&hist, UINT64_MAX);
    g_assert_cmpuint(fm_hist_get_percentile(&hist, 1000000000), ==, UINT64_MAX);
    g_assert_cmpuint(hist.min, ==, 1000001);
}

static void
test_deviation(void)
{
    g_auto(FmHist) hist = {0};
    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    fm_hist_record(&hist, 100);
    fm_hist_record(&hist, 102);
    fm_hist_record(&hist, 104);
    g_assert_cmpfloat(fm_hist_get_mean(&hist), ==, 102.0);
    g_assert_cmpfloat_with_epsilon(fm_hist_get_deviation(&hist), 2.0, 1e-12);
}

static void
test_merge_and_rebin_keep_everything(void)
{
    g_auto(FmHist) whole = {0};
    g_auto(FmHist) even = {0};
    g_auto(FmHist) odd = {0};
    g_auto(FmHist) direct = {0};
    g_auto(FmHist) coarse = {0};
    FmRng rng;

    fm_rng_init(&rng, 2);
    fm_hist_init(&whole, FM_HIST_PHASE_BITS);
    fm_hist_init(&even, FM_HIST_PHASE_BITS);
    fm_hist_init(&odd, FM_HIST_PHASE_BITS);
    fm_hist_init(&direct, FM_HIST_INTERVAL_BITS);
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t value = draw_latency(&rng);
        fm_hist_record(&whole, value);
        fm_hist_record(i % 2 == 0 ? &even : &odd, value);
        fm_hist_record(&direct, value);
    }

    fm_hist_merge(&even, &odd);
    g_assert_cmpmem(even.bins, even.n_bins * sizeof *even.bins, whole.bins,
                    whole.n_bins * sizeof *whole.bins);
    g_assert_cmpuint(even.sum, ==, whole.sum);
    g_assert_cmpuint(even.min, ==, whole.min);
    g_assert_cmpuint(even.max, ==, whole.max);

    fm_hist_rebin(&whole, FM_HIST_INTERVAL_BITS, &coarse);
    g_assert_cmpmem(coarse.bins, coarse.n_bins * sizeof *coarse.bins, direct.bins,
                    direct.n_bins * sizeof *direct.bins);
    g_assert_cmpuint(coarse.count, ==, direct.count);
    g_assert_cmpuint(coarse.sum, ==, direct.sum);

    fm_hist_reset(&even);
    g_assert_cmpuint(even.count, ==, 0);
    g_assert_cmpuint(even.min, ==, UINT64_MAX);
    g_assert_cmpuint(fm_hist_get_percentile(&even, 500000000), ==, 0);
}

static void
test_rescale(void)
{
    g_auto(FmHist) ticks = {0};
    g_auto(FmHist) ns = {0};
    g_auto(FmHist) same = {0};
    g_auto(FmHist) scaled = {0};
    g_auto(FmHist) huge = {0};
    FmRng rng;

    fm_rng_init(&rng, 5);
    fm_hist_init(&ticks, FM_HIST_PHASE_BITS);
    fm_hist_init(&ns, FM_HIST_PHASE_BITS);
    for (unsigned i = 0; i < 5000; i++) {
        uint64_t value = draw_latency(&rng);
        fm_hist_record(&ns, value);
        fm_hist_record(&ticks, value * 3);
    }

    fm_hist_rescale(&ticks, 1, FM_HIST_PHASE_BITS, &same);
    g_assert_cmpmem(same.bins, same.n_bins * sizeof *same.bins, ticks.bins,
                    ticks.n_bins * sizeof *ticks.bins);
    fm_hist_rescale(&ticks, 1.0 / 3, FM_HIST_PHASE_BITS, &scaled);
    g_assert_cmpuint(scaled.count, ==, ns.count);
    g_assert_cmpuint(scaled.sum, ==, ns.sum);
    g_assert_cmpuint(scaled.min, ==, ns.min);
    g_assert_cmpuint(scaled.max, ==, ns.max);
    for (uint32_t p = 100000000; p < 1000000000; p += 100000000) {
        double exact = (double)fm_hist_get_percentile(&ns, p);
        g_assert_cmpfloat_with_epsilon((double)fm_hist_get_percentile(&scaled, p), exact,
                                       exact / 512);
    }
    fm_hist_rescale(&ticks, 1e30, FM_HIST_PHASE_BITS, &huge);
    g_assert_cmpuint(fm_hist_get_percentile(&huge, 500000000), ==, UINT64_MAX);
}

static void
test_sufficiency(void)
{
    static const struct {
        uint64_t count;
        uint32_t per_billion;
        bool is_sufficient;
    } cases[] = {
        {19, 500000000, false},      {20, 500000000, true},         {9999, 999000000, false},
        {10000, 999000000, true},    {6400000, 999990000, true},    {6400000, 999999000, false},
        {10000000, 999999000, true}, {9999999, 999999000, false},   {0, 1000000000, false},
        {1, 1000000000, true},       {UINT64_MAX, 999999999, true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(fm_hist_is_sufficient(cases[i].count, cases[i].per_billion), ==,
                        cases[i].is_sufficient);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/hist/bins-tile-the-whole-range", test_bins_tile);
    g_test_add_func("/base/hist/percentiles-match-sorting", test_percentiles_match_sorting);
    g_test_add_func("/base/hist/rank-is-exact", test_rank_is_exact);
    g_test_add_func("/base/hist/rank-survives-huge-counts", test_rank_survives_huge_counts);
    g_test_add_func("/base/hist/edges-are-clamped-to-extremes", test_edges_are_clamped);
    g_test_add_func("/base/hist/deviation-is-of-a-sample", test_deviation);
    g_test_add_func("/base/hist/merge-and-rebin-keep-everything",
                    test_merge_and_rebin_keep_everything);
    g_test_add_func("/base/hist/rescaling-moves-values-and-keeps-counts", test_rescale);
    g_test_add_func("/base/hist/ten-samples-above-are-sufficient", test_sufficiency);
    return g_test_run();
}
