/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Minimum, maximum and exact median of each pixel column in one pass over the samples, which are
 * many: half a day of 0.1 s rows is redrawn while somebody drags.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/decimate.h"

#include <math.h>

static void
swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* The middle one of the first, middle and last value: splits sorted input in halves. */
static double
choose_pivot(const double *values, gsize low, gsize high)
{
    double a = values[low], b = values[low + (high - low) / 2], c = values[high];

    return MAX(MIN(a, b), MIN(MAX(a, b), c));
}

/* Hoare's selection: afterwards values[rank] is where sorting would put it, nothing before it is
 * larger and nothing behind it smaller.  Equal values, which idle drives have many of, cost no
 * more than others. */
static void
select_rank(double *values, gsize n, gsize rank)
{
    gsize low = 0, high = n - 1;

    while (low < high) {
        double pivot = choose_pivot(values, low, high);
        gsize i = low, k = high;
        while (true) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[k] > pivot) {
                k--;
            }
            if (i >= k) {
                break;
            }
            swap(&values[i++], &values[k--]);
        }
        if (rank <= k) {
            high = k;
        } else {
            low = k + 1;
        }
    }
}

static double
get_median(double *values, gsize n)
{
    gsize middle = n / 2;
    select_rank(values, n, middle);
    if (n % 2 == 1) {
        return values[middle];
    }

    double below = values[0];
    for (gsize i = 1; i < middle; i++) {
        below = MAX(below, values[i]);
    }
    return below + (values[middle] - below) / 2;
}

/* Reuses @scratch, an array of double, from column to column. */
static FmPixelColumn
summarize(const FmPoint *points, gsize n_points, GArray *scratch)
{
    FmPixelColumn column = {.min = NAN, .max = NAN, .median = NAN};

    g_array_set_size(scratch, (guint)n_points);
    double *values = (double *)(void *)scratch->data;
    for (gsize i = 0; i < n_points; i++) {
        double y = points[i].y;
        if (isnan(y)) {
            column.has_gap = true;
            continue;
        }
        values[column.n++] = y;
        /* False with NaN, so that the first value replaces it. */
        column.min = y >= column.min ? column.min : y;
        column.max = y <= column.max ? column.max : y;
    }
    if (column.n > 0) {
        column.median = get_median(values, column.n);
    }
    return column;
}

void
fm_decimate(const GArray *points, const double *edges, FmPixelColumn *columns, unsigned n_columns)
{
    const FmPoint *all = (const FmPoint *)(const void *)points->data;
    g_autoptr(GArray) scratch = g_array_new(FALSE, FALSE, sizeof(double));

    gsize at = 0;
    while (at < points->len && all[at].x < edges[0]) {
        at++;
    }
    for (unsigned i = 0; i < n_columns; i++) {
        gsize begin = at;
        bool is_last = i == n_columns - 1;
        double upper = edges[i + 1];
        while (at < points->len && (all[at].x < upper || (is_last && all[at].x == upper))) {
            at++;
        }
        columns[i] = summarize(all + begin, at - begin, scratch);
    }
}
