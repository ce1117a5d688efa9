/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where labels at the ends of lines go when they would stand on each other (DESIGN 5.4).  Works on
 * numbers alone.  Pure; any thread may call it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
    double wanted; /* points, of the middle: where its line ends; finite */
    double height; /* with the space it wants to the next one */
    double placed; /* result: the middle */
    bool needs_leader; /* result: moved so far that a line must lead to it */
} FmLineLabel;

/*
 * Places all labels between @top and @bottom with the least sum of squared moves; none overlap,
 * and they stay in the order of their wanted places (of equal ones, as given).  False, and nothing
 * is placed, when they do not fit: then a legend is needed.
 */
bool fm_labels_place(FmLineLabel *labels, unsigned n, double top, double bottom);

G_END_DECLS
