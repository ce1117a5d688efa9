/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Column views of text cells: one way to make a column for all lists of the window.
 * Main thread.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

G_BEGIN_DECLS

/* The text of a cell of @item; caller frees. */
typedef char *(*FmCellText)(gpointer item, unsigned column);

typedef struct {
    const char *title;
    FmCellText text;
    bool (*is_heading)(gpointer item); /* rows that begin a section; NULL = none */
    unsigned column; /* handed to @text */
    bool is_number; /* to the right, tabular */
    bool expands;
    int width_chars; /* at least; 0 = as it comes */
} FmTextColumn;

GtkColumnViewColumn *fm_table_view_add_column(GtkColumnView *view, const FmTextColumn *column);

/* An empty view in a scrolled window, and the view in it. */
GtkWidget *fm_table_view_new(const char *label);
GtkColumnView *fm_table_view_get(GtkWidget *scroll);

G_END_DECLS
