/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Columns against what sorting says, and the promise that no spike is lost.
 */
#include "plot/decimate.h"

#include <math.h>
#include <stdlib.h>

enum { N_COLUMNS = 640, N_SAMPLES = 432000 };

static FmSeries *
add_series(FmFigure *figure)
{
    return fm_panel_add_series(fm_figure_add_panel(figure, NULL), "x", FM_ROLE_READ,
                               FM_MARK_SAMPLES);
}

/* Equal columns from @from to @to. */
static double *
make_edges(unsigned n, double from, double to)
{
    double *edges = g_new(double, n + 1);
    for (unsigned i = 0; i <= n; i++) {
        edges[i] = from + (to - from) * i / n;
    }
    return edges;
}

static int
compare(const void *a, const void *b)
{
    double first = *(const double *)a, second = *(const double *)b;
    return (first > second) - (first < second);
}

/* Column @i as a person would work it out. */
static FmPixelColumn
work_out(const GArray *points, double from, double to, bool is_last)
{
    FmPixelColumn column = {.min = NAN, .max = NAN, .median = NAN};
    g_autofree double *values = g_new(double, points->len);

    for (unsigned i = 0; i < points->len; i++) {
        const FmPoint *point = &g_array_index(points, FmPoint, i);
        if (point->x < from || point->x > to || (point->x == to && !is_last)) {
            continue;
        }
        if (isnan(point->y)) {
            column.has_gap = true;
        } else {
            values[column.n++] = point->y;
        }
    }
    if (column.n == 0) {
        return column;
    }
    qsort(values, column.n, sizeof(double), compare);
    column.min = values[0];
    column.max = values[column.n - 1];
    column.median = (values[(column.n - 1) / 2] + values[column.n / 2]) / 2;
    return column;
}

static bool
is_same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) < 1e-12;
}

static void
assert_as_worked_out(const GArray *points, const double *edges, unsigned n)
{
    g_autofree FmPixelColumn *columns = g_new(FmPixelColumn, n);
    fm_decimate(points, edges, columns, n);
    for (unsigned i = 0; i < n; i++) {
        FmPixelColumn expected = work_out(points, edges[i], edges[i + 1], i == n - 1);
        g_assert_cmpuint(columns[i].n, ==, expected.n);
        g_assert_true(columns[i].has_gap == expected.has_gap);
        g_assert_true(is_same(columns[i].min, expected.min));
        g_assert_true(is_same(columns[i].max, expected.max));
        g_assert_true(is_same(columns[i].median, expected.median));
    }
}

static void
test_random(void)
{
    g_autoptr(GRand) random = g_rand_new_with_seed(1);

    for (unsigned round = 0; round < 200; round++) {
        g_autoptr(FmFigure) figure = fm_figure_new("F", "f", "en");
        FmSeries *series = add_series(figure);
        unsigned n = (unsigned)g_rand_int_range(random, 0, 300);
        int n_values = g_rand_int_range(random, 1, 50);
        double x = -5;
        for (unsigned i = 0; i < n; i++) {
            x += g_rand_int_range(random, 0, 3) * 0.25; /* also equal ones, also on edges */
            double y = g_rand_int_range(random, 0, n_values) / 8.0;
            fm_series_add(series, x, g_rand_int_range(random, 0, 20) == 0 ? NAN : y);
        }
        unsigned n_columns = (unsigned)g_rand_int_range(random, 1, 40);
        g_autofree double *edges = make_edges(n_columns, 0, 40);
        assert_as_worked_out(series->points, edges, n_columns);
    }
}

static void
test_log_columns(void)
{
    static const double edges[] = {1, 10, 100, 1000};
    g_autoptr(FmFigure) figure = fm_figure_new("F", "f", "en");
    FmSeries *series = add_series(figure);
    for (unsigned i = 0; i <= 1000; i++) {
        fm_series_add(series, i, i % 7);
    }
    FmPixelColumn columns[3];

    fm_decimate(series->points, edges, columns, 3);
    g_assert_cmpuint(columns[0].n, ==, 9);
    g_assert_cmpuint(columns[1].n, ==, 90);
    g_assert_cmpuint(columns[2].n, ==, 901);
    assert_as_worked_out(series->points, edges, 3);
}

static void
test_nothing(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F", "f", "en");
    g_autofree double *edges = make_edges(3, 0, 3);
    FmPixelColumn columns[3];

    fm_decimate(add_series(figure)->points, edges, columns, 3);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpuint(columns[i].n, ==, 0);
        g_assert_true(isnan(columns[i].min) && isnan(columns[i].max) && isnan(columns[i].median));
        g_assert_false(columns[i].has_gap);
    }
}

/* Half a day of 0.1 s rows around 1 GB/s. */
static FmSeries *
add_long_run(FmFigure *figure)
{
    FmSeries *series = add_series(figure);
    uint64_t state = 1;

    for (unsigned i = 0; i < N_SAMPLES; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        fm_series_add(series, i * 0.1, 1e9 + (double)(state >> 40));
    }
    return series;
}

static void
test_spike_survives(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F", "f", "en");
    FmSeries *series = add_long_run(figure);
    g_autofree double *edges = make_edges(N_COLUMNS, 0, N_SAMPLES * 0.1);
    g_autofree FmPixelColumn *columns = g_new(FmPixelColumn, N_COLUMNS);
    g_autoptr(GRand) random = g_rand_new_with_seed(3);

    for (unsigned round = 0; round < 20; round++) {
        unsigned at = (unsigned)g_rand_int_range(random, 0, N_SAMPLES);
        at = round == 0 ? 0 : round == 1 ? N_SAMPLES - 1 : at;
        bool is_stall = round % 2 == 1;
        FmPoint *point = &g_array_index(series->points, FmPoint, at);
        double kept = point->y;
        point->y = is_stall ? 0 : 9e9;
        fm_decimate(series->points, edges, columns, N_COLUMNS);
        unsigned n_found = 0;
        for (unsigned i = 0; i < N_COLUMNS; i++) {
            bool is_found = is_stall ? columns[i].min == 0 : columns[i].max == 9e9;
            n_found += is_found ? 1 : 0;
            g_assert_true(!is_found || (edges[i] <= point->x && point->x < edges[i + 1]));
        }
        g_assert_cmpuint(n_found, ==, 1);
        point->y = kept;
    }
}

/* Printed, not judged: other programs run beside it. */
static void
test_many(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F", "f", "en");
    FmSeries *series = add_long_run(figure);
    g_autofree double *edges = make_edges(N_COLUMNS, 0, N_SAMPLES * 0.1);
    g_autofree FmPixelColumn *columns = g_new(FmPixelColumn, N_COLUMNS);
    double best = G_MAXDOUBLE;

    for (unsigned round = 0; round < 10; round++) {
        g_test_timer_start();
        fm_decimate(series->points, edges, columns, N_COLUMNS);
        best = MIN(best, g_test_timer_elapsed());
    }
    g_test_minimized_result(best, "%d samples in %.1f ms", N_SAMPLES, best * 1000);

    uint64_t n = 0;
    for (unsigned i = 0; i < N_COLUMNS; i++) {
        n += columns[i].n;
    }
    g_assert_cmpuint(n, ==, N_SAMPLES);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/decimate/columns-are-as-sorting-says", test_random);
    g_test_add_func("/plot/decimate/columns-may-be-of-any-width", test_log_columns);
    g_test_add_func("/plot/decimate/nothing-is-nothing", test_nothing);
    g_test_add_func("/plot/decimate/every-spike-survives", test_spike_survives);
    g_test_add_func("/plot/decimate/counts-every-one-of-many", test_many);
    return g_test_run();
}
