/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No I/O is lost or counted in a wrong cell, and the slowest survive by themselves.
 */
#include "plot/figure.h"

#include <math.h>
#include <stdlib.h>

static const double latencies[4] = {0, 1e-6, 60, 10}; /* x_min, y_min, x_max, y_max */

static uint64_t
get_count(const FmDensity *density, unsigned column, unsigned row)
{
    return density->counts[(gsize)row * density->n_x + column];
}

static uint64_t
sum_counts(const FmDensity *density)
{
    uint64_t sum = 0;
    for (gsize i = 0; i < (gsize)density->n_x * density->n_y; i++) {
        sum += density->counts[i];
    }
    return sum;
}

static void
test_linear_cells(void)
{
    static const double edges[4] = {10, -5, 20, 5};
    g_autoptr(FmDensity) density = fm_density_new(10, 5, edges, false);

    fm_density_add(density, 10, -5); /* the lower edges */
    fm_density_add(density, 20, 5); /* the upper edges */
    fm_density_add(density, 12.5, 0);
    fm_density_add(density, 12.9, 0.9);
    g_assert_cmpuint(get_count(density, 0, 0), ==, 1);
    g_assert_cmpuint(get_count(density, 9, 4), ==, 1);
    g_assert_cmpuint(get_count(density, 2, 2), ==, 2);
    g_assert_cmpuint(density->n, ==, 4);
    g_assert_cmpuint(density->n_outside, ==, 0);
    g_assert_cmpuint(fm_density_get_count(density, 12.1, 0.1), ==, 2);
    g_assert_cmpuint(fm_density_get_count(density, 20, 5), ==, 1);
    g_assert_cmpuint(fm_density_get_count(density, 13.1, 0.1), ==, 0);
    g_assert_cmpuint(fm_density_get_count(density, 20.1, 5), ==, 0);
    g_assert_cmpuint(fm_density_get_count(density, NAN, 5), ==, 0);
}

/* The row by definition; numbers nearer to an edge than rounding are left out. */
static bool
find_log_row(double y, unsigned n_y, unsigned *row)
{
    double place = n_y * log10(y / latencies[1]) / log10(latencies[3] / latencies[1]);

    *row = (unsigned)floor(place);
    return fabs(place - round(place)) > 1e-9;
}

static void
test_log_rows(void)
{
    static const unsigned heights[] = {1, 7, 240, 5000};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);

    for (gsize i = 0; i < G_N_ELEMENTS(heights); i++) {
        g_autoptr(FmDensity) density = fm_density_new(1, heights[i], latencies, true);
        g_autofree uint64_t *expected = g_new0(uint64_t, heights[i]);
        for (unsigned n = 0; n < 20000; n++) {
            double y = latencies[1] * pow(10, g_rand_double_range(random, 0, 7));
            unsigned row;
            if (find_log_row(y, heights[i], &row)) {
                fm_density_add(density, 30, y);
                expected[row]++;
            }
        }
        fm_density_add(density, 30, latencies[1]);
        fm_density_add(density, 30, latencies[3]);
        expected[0]++;
        expected[heights[i] - 1]++;
        for (unsigned row = 0; row < heights[i]; row++) {
            g_assert_cmpuint(density->counts[row], ==, expected[row]);
        }
    }
}

static void
test_counts_what_is_outside(void)
{
    static const double points[][2] = {
        {-1, 1e-3}, {61, 1e-3}, {NAN, 1e-3}, {30, NAN},       {30, 0},
        {30, 1e-9}, {30, 11},   {30, -1},    {30, -INFINITY}, {30, INFINITY},
    };
    g_autoptr(FmDensity) density = fm_density_new(100, 100, latencies, true);

    for (gsize i = 0; i < G_N_ELEMENTS(points); i++) {
        fm_density_add(density, points[i][0], points[i][1]);
    }
    fm_density_add(density, 30, 1e-3);
    g_assert_cmpuint(density->n, ==, G_N_ELEMENTS(points) + 1);
    g_assert_cmpuint(density->n_outside, ==, G_N_ELEMENTS(points));
    g_assert_cmpuint(sum_counts(density), ==, 1);
}

static int
compare_descending(const void *a, const void *b)
{
    double difference = *(const double *)b - *(const double *)a;
    return (difference > 0) - (difference < 0);
}

static int
compare_points_cb(gconstpointer a, gconstpointer b)
{
    return compare_descending(&((const FmPoint *)a)->y, &((const FmPoint *)b)->y);
}

static void
assert_outliers_of(double *values, unsigned n)
{
    g_autoptr(FmDensity) density = fm_density_new(600, 240, latencies, true);
    for (unsigned i = 0; i < n; i++) {
        fm_density_add(density, i % 60, values[i]);
    }

    unsigned n_expected = MIN(n, (unsigned)FM_DENSITY_MAX_OUTLIERS);
    g_assert_cmpuint(density->outliers->len, ==, n_expected);
    g_array_sort(density->outliers, compare_points_cb);
    qsort(values, n, sizeof(double), compare_descending);
    for (unsigned i = 0; i < n_expected; i++) {
        g_assert_cmpfloat(g_array_index(density->outliers, FmPoint, i).y, ==, values[i]);
    }
}

static void
test_keeps_the_largest(void)
{
    enum { N = 30000 };
    g_autofree double *values = g_new(double, N);
    g_autoptr(GRand) random = g_rand_new_with_seed(2);

    for (unsigned i = 0; i < N; i++) {
        values[i] = exp(-g_rand_double_range(random, 0, 14));
    }
    assert_outliers_of(values, N);
    assert_outliers_of(values, N); /* falling */
    for (unsigned i = 0; i < N; i++) {
        values[i] = 1e-5 * (i + 1); /* rising */
    }
    assert_outliers_of(values, N);
    for (unsigned i = 0; i < N; i++) {
        values[i] = 1e-4; /* one like the other */
    }
    assert_outliers_of(values, N);
    assert_outliers_of(values, 7);
}

static void
test_above_the_grid_is_an_outlier(void)
{
    g_autoptr(FmDensity) density = fm_density_new(10, 10, latencies, true);

    fm_density_add(density, 30, 25);
    fm_density_add(density, 99, 25);
    g_assert_cmpuint(density->n_outside, ==, 2);
    g_assert_cmpuint(density->outliers->len, ==, 1);
    g_assert_cmpfloat(g_array_index(density->outliers, FmPoint, 0).y, ==, 25);
}

/* How long 45 million take is printed and not judged: meson test -v shows it.  The tests add
 * fewer; -m perf adds all. */
static void
test_many(void)
{
    unsigned n = g_test_perf() ? 45000000 : 1000000;
    g_autoptr(FmDensity) density = fm_density_new(480, 240, latencies, true);
    uint64_t state = 1;

    g_test_timer_start();
    for (unsigned i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        fm_density_add(density, 60.0 * i / n, 5e-5 + (double)(state >> 40) * 1e-10);
    }
    double seconds = g_test_timer_elapsed();
    g_test_minimized_result(seconds, "%u I/Os in %.3f s, %.1f ns each", n, seconds,
                            seconds / n * 1e9);
    g_assert_cmpuint(sum_counts(density), ==, n);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/density/linear-cells-hold-their-edges", test_linear_cells);
    g_test_add_func("/plot/density/log-rows-are-those-of-a-logarithm", test_log_rows);
    g_test_add_func("/plot/density/counts-what-is-outside", test_counts_what_is_outside);
    g_test_add_func("/plot/density/keeps-the-largest", test_keeps_the_largest);
    g_test_add_func("/plot/density/above-the-grid-is-an-outlier",
                    test_above_the_grid_is_an_outlier);
    g_test_add_func("/plot/density/counts-every-one-of-many", test_many);
    return g_test_run();
}
