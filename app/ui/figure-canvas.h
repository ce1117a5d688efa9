/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The part of a figure view that shows the figure and is pointed at: reading by pointer and
 * keyboard, zoom, and how often a live figure may be painted.  What can be done with a figure
 * beyond looking is figure-view.h.  Main thread.
 *
 * Signals: "reading" (char *: what is read, or NULL), "view-changed", "menu" (double x, double
 * y: where a context menu was asked for).
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "plot/layout.h"
#include "ui/figure-paintable.h"

G_BEGIN_DECLS

enum { FM_FIGURE_LIVE_INTERVAL_MS = 250 }; /* never more than 4 Hz: DESIGN 6.1 */

#define FM_TYPE_FIGURE_CANVAS (fm_figure_canvas_get_type())
G_DECLARE_FINAL_TYPE(FmFigureCanvas, fm_figure_canvas, FM, FIGURE_CANVAS, GtkWidget)

GtkWidget *fm_figure_canvas_new(void);

/* NULL = none.  A live one waits until it may be painted and nobody reads the old one. */
void fm_figure_canvas_set_figure(FmFigureCanvas *canvas, FmFigure *figure);
/* What is shown. */
FmFigure *fm_figure_canvas_get_figure(FmFigureCanvas *canvas);
FmFigurePaintable *fm_figure_canvas_get_paintable(FmFigureCanvas *canvas);

/* The figure is replaced again and again by a newer state of the same. */
void fm_figure_canvas_set_live(FmFigureCanvas *canvas, bool is_live);
/* A newer figure waits because the old one is being read. */
bool fm_figure_canvas_is_frozen(FmFigureCanvas *canvas);
/* Takes the room there is instead of the figure's own shape. */
void fm_figure_canvas_set_fills(FmFigureCanvas *canvas, bool fills);

const FmView *fm_figure_canvas_get_view(FmFigureCanvas *canvas);
void fm_figure_canvas_set_view(FmFigureCanvas *canvas, const FmView *view);

G_END_DECLS
