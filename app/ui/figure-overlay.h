/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is drawn over a figure while somebody works with it: the rectangle of a zoom, and
 * cross-hair and words of a reading.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "plot/layout.h"

G_BEGIN_DECLS

/* Where the figure is in its widget. */
typedef struct {
    GtkWidget *widget; /* for the font */
    const FmTheme *theme;
    double left; /* pixels */
    double width;
    double scale; /* pixels a point */
} FmFigureOverlay;

/* @from and @to are corners in pixels of the widget. */
void fm_figure_overlay_snapshot_drag(const FmFigureOverlay *overlay, GtkSnapshot *snapshot,
                                     const double from[2], const double to[2]);
/* @text is written beside the mark. */
void fm_figure_overlay_snapshot_reading(const FmFigureOverlay *overlay, GtkSnapshot *snapshot,
                                        const FmReading *reading, const char *text);

G_END_DECLS
