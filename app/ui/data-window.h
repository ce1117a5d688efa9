/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plotted numbers of a figure as a table in a window of its own.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "plot/figure.h"

G_BEGIN_DECLS

#define FM_TYPE_DATA_WINDOW (fm_data_window_get_type())
G_DECLARE_FINAL_TYPE(FmDataWindow, fm_data_window, FM, DATA_WINDOW, GtkWindow)

/* Shares @figure. */
GtkWidget *fm_data_window_new(GtkWindow *parent, FmFigure *figure);

G_END_DECLS
