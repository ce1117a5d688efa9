/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure as something GTK can paint: laid out when first asked for, drawn once into a
 * picture for each size, scale factor, theme and view, and from then on only shown.  Never
 * draws more than it must and never reads anything but the figure.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "plot/layout.h"

G_BEGIN_DECLS

#define FM_TYPE_FIGURE_PAINTABLE (fm_figure_paintable_get_type())
G_DECLARE_FINAL_TYPE(FmFigurePaintable, fm_figure_paintable, FM, FIGURE_PAINTABLE, GObject)

FmFigurePaintable *fm_figure_paintable_new(void);

/* NULL paints nothing.  Takes a reference. */
void fm_figure_paintable_set_figure(FmFigurePaintable *paintable, FmFigure *figure);
FmFigure *fm_figure_paintable_get_figure(FmFigurePaintable *paintable);
void fm_figure_paintable_set_theme(FmFigurePaintable *paintable, const FmTheme *theme);
const FmTheme *fm_figure_paintable_get_theme(FmFigurePaintable *paintable);
void fm_figure_paintable_set_view(FmFigurePaintable *paintable, const FmView *view);
const FmView *fm_figure_paintable_get_view(FmFigurePaintable *paintable);
/* Device pixels of one pixel of the screen: 1, 2. */
void fm_figure_paintable_set_scale_factor(FmFigurePaintable *paintable, int scale_factor);

/* Pixels of one point where the figure is @width pixels wide: text grows with the figure, but
 * not without end. */
double fm_figure_paintable_get_scale(FmFigurePaintable *paintable, int width);
/* Height in pixels that fits @width. */
int fm_figure_paintable_get_natural_height(FmFigurePaintable *paintable, int width);

/* The layout that is shown at that size in pixels; owned by the paintable until something
 * changes.  NULL without a figure or without room. */
const FmLayout *fm_figure_paintable_get_layout(FmFigurePaintable *paintable, int width, int height);

/* Gives back the memory of what is not seen; it is made again when it is. */
void fm_figure_paintable_drop(FmFigurePaintable *paintable);
/* How often something was drawn, for tests. */
unsigned fm_figure_paintable_get_n_drawn(FmFigurePaintable *paintable);

G_END_DECLS
