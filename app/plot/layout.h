/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure put in place for one size, theme and view, and drawn.  Screen, PNG, SVG and PDF
 * differ only in the surface.  Laying out measures text; drawing does not change anything, so a
 * layout may be drawn again and again.  A layout belongs to one thread at a time.
 */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"
#include "plot/theme.h"

G_BEGIN_DECLS

/* What a reader changed about one axis: zoom, lin/log.  Starts as {NaN, NaN, as the figure}. */
typedef struct {
    double min; /* NaN = as the figure has it */
    double max;
    bool is_toggled; /* linear <-> log10 */
} FmAxisView;

typedef struct {
    FmAxisView x; /* of all panels */
    FmAxisView y; /* of the panel @panel only, or of all that share its scale */
    unsigned panel;
} FmView;

extern const FmView fm_view_whole; /* nothing changed */

typedef struct {
    double width; /* points; 0 = natural */
    double height; /* 0 = natural for that width */
    const FmTheme *theme; /* NULL = light */
    const FmView *view; /* NULL = whole; copied */
    bool hide_title; /* title and subtitle */
    bool hide_caption;
} FmLayoutOptions;

typedef struct FmLayout FmLayout;

/* Never fails: a figure without room is drawn as a sentence that says so.  Takes a reference. */
FmLayout *fm_layout_new(FmFigure *figure, const FmLayoutOptions *options);
void fm_layout_free(FmLayout *layout);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmLayout, fm_layout_free)

double fm_layout_get_width(const FmLayout *layout);
double fm_layout_get_height(const FmLayout *layout);

/* Draws on @cr, whose user space is points with the origin at the top left. */
void fm_layout_draw(const FmLayout *layout, cairo_t *cr);

/*
 * Everything that was placed, one line each: panels, axes with limits, ticks and their labels,
 * text boxes, series with the number of points drawn.  Two decimals; stable, for tests.  Caller
 * frees.
 */
char *fm_layout_dump(const FmLayout *layout);

/* Two text boxes that intersect, or one that leaves the surface, as a sentence; NULL = fine. */
char *fm_layout_check(const FmLayout *layout);

/* --- Reading and zooming ------------------------------------------------------------ */

typedef struct {
    bool is_inside; /* of a panel with axes; else nothing below means anything */
    unsigned panel;
    double x; /* what the pointer is at, in the units of the axes */
    double y;
    const FmSeries
        *series; /* nearest, or NULL when there is none, or none near by over a density */
    unsigned point; /* its index in series->points */
    double mark_x; /* where that point is drawn */
    double mark_y;
    double panel_left; /* the rectangle of the panel, for a cross-hair */
    double panel_top;
    double panel_width;
    double panel_height;
} FmReading;

/* What is at (@x, @y) points. */
FmReading fm_layout_read(const FmLayout *layout, double x, double y);
/* The same of one point, for reading with the keyboard: @point of @series of @panel.  False when
 * there is none or it is not on screen. */
bool fm_layout_locate(const FmLayout *layout, unsigned panel, unsigned series, unsigned point,
                      FmReading *reading);
/* The values of a reading for people: "QD4 · 1412 MB/s · 184 µs".  Caller frees. */
char *fm_layout_dup_reading(const FmLayout *layout, const FmReading *reading);

/* The view that shows what lies between two corners; false when they are in no panel with axes or
 * too near to each other. */
bool fm_layout_zoom(const FmLayout *layout, const double from[2], const double to[2], FmView *view);
/* @factor < 1 goes nearer, keeping the middle; @shift moves by shares of what is seen (x, y). */
void fm_layout_move(const FmLayout *layout, double factor, const double shift[2], FmView *view);

G_END_DECLS
