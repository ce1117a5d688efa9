/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one widget that shows a figure, wherever there is one: a canvas to look at, read and
 * zoom, and a row of what can be done with it.  Follows the light or dark of its window.
 * For screen readers an image with title and description; its numbers are a table away.
 * Main thread.
 *
 * Actions: figure.copy-image, copy-data, copy-text, save, show-data, show-limits, reset,
 * log-x, log-y.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

#define FM_TYPE_FIGURE_VIEW (fm_figure_view_get_type())
G_DECLARE_FINAL_TYPE(FmFigureView, fm_figure_view, FM, FIGURE_VIEW, GtkWidget)

GtkWidget *fm_figure_view_new(void);

/* NULL = none.  Takes a reference. */
void fm_figure_view_set_figure(FmFigureView *view, FmFigure *figure);
/* What is shown, or NULL. */
FmFigure *fm_figure_view_get_figure(FmFigureView *view);

/* The figure is set again and again while a run goes on: at most 4 are painted a second, and
 * none while somebody reads. */
void fm_figure_view_set_live(FmFigureView *view, bool is_live);
/* Takes the room there is, instead of the figure's own shape. */
void fm_figure_view_set_fills(FmFigureView *view, bool fills);
/* Of file names: what the figure is of.  NULL = nothing. */
void fm_figure_view_set_stem(FmFigureView *view, const char *stem);
/* A sentence in place of a figure. */
void fm_figure_view_set_message(FmFigureView *view, const char *sentence);

/* Gives back what is kept for painting; it is made again when it is seen. */
void fm_figure_view_drop(FmFigureView *view);

G_END_DECLS
