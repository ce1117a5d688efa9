/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More samples than pixel columns: what each column shows, so that no stall and no spike
 * disappears (DESIGN 5.4).  Pure; any thread may call it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

/* The samples of one pixel column. */
typedef struct {
    unsigned n; /* that have a value; with none the three below are NaN */
    double min;
    double max;
    double median; /* exact; of an even number the mean of the middle two */
    bool has_gap; /* something was not measured here: no line runs through */
} FmPixelColumn;

/*
 * @points, whose x never falls, into @n_columns columns.  Column i is what lies from edges[i] up
 * to edges[i + 1], the last one with its upper edge; the @n_columns + 1 edges rise, in the unit of
 * x, so any scale will do.  What lies outside is left out.
 */
void fm_decimate(const GArray *points, const double *edges, FmPixelColumn *columns,
                 unsigned n_columns);

G_END_DECLS
