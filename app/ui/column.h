/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps its child from growing wider than is good to read, and in the middle of what is
 * left.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FM_TYPE_COLUMN (fm_column_get_type())
G_DECLARE_FINAL_TYPE(FmColumn, fm_column, FM, COLUMN, GtkWidget)

/* @max_width in pixels. */
GtkWidget *fm_column_new(int max_width, GtkWidget *child);

G_END_DECLS
