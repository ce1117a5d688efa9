/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All figures of a run below each other.  Each is built, in a thread and one at a time, when
 * it comes into view; what is far out of view is not kept drawn.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/loaded-run.h"

G_BEGIN_DECLS

#define FM_TYPE_FIGURE_LIST (fm_figure_list_get_type())
G_DECLARE_FINAL_TYPE(FmFigureList, fm_figure_list, FM, FIGURE_LIST, GtkWidget)

GtkWidget *fm_figure_list_new(void);
/* A button that jumps to one of the figures, for whoever shows the list; out of sight where there
 * are few. */
GtkWidget *fm_figure_list_get_jump(FmFigureList *list);
/* NULL = none. */
void fm_figure_list_set_run(FmFigureList *list, FmLoadedRun *loaded);

G_END_DECLS
