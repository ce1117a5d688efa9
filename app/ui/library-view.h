/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of saved runs with its filter.  Main thread.
 *
 * Signals: "open" (char *: path of the run that was activated), "selected" when other rows are.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/library-model.h"

G_BEGIN_DECLS

#define FM_TYPE_LIBRARY_VIEW (fm_library_view_get_type())
G_DECLARE_FINAL_TYPE(FmLibraryView, fm_library_view, FM, LIBRARY_VIEW, GtkWidget)

GtkWidget *fm_library_view_new(FmLibraryModel *model);

/* Paths of the selected rows, in their order; caller frees. */
GStrv fm_library_view_dup_selected(FmLibraryView *view);
/* The run @by rows below @path as the list is sorted and filtered now, or NULL; caller frees. */
char *fm_library_view_dup_neighbour(FmLibraryView *view, const char *path, int by);
/* Not the widget's own grab_focus: Tab would begin there and miss what comes before. */
void fm_library_view_focus_list(FmLibraryView *view);
void fm_library_view_focus_filter(FmLibraryView *view);

G_END_DECLS
