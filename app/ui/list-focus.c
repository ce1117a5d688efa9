/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows that can't have the focus are passed over.  The new row gets it before the old one
 * loses it, so that it never leaves the list in between.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/list-focus.h"

#include <stdbool.h>

/* The selected row, or the first one that is seen. */
static GtkListBoxRow *
find_stop(GtkListBox *list)
{
    GtkListBoxRow *selected = gtk_list_box_get_selected_row(list);
    GtkListBoxRow *row;

    if (selected != NULL && gtk_widget_get_child_visible(GTK_WIDGET(selected))) {
        return selected;
    }
    for (int i = 0; (row = gtk_list_box_get_row_at_index(list, i)) != NULL; i++) {
        if (gtk_widget_get_child_visible(GTK_WIDGET(row))) {
            return row;
        }
    }
    return NULL;
}

void
fm_list_focus_update(GtkListBox *list)
{
    GtkListBoxRow *stop = find_stop(list);
    bool has_focus = gtk_widget_get_focus_child(GTK_WIDGET(list)) != NULL;
    GtkListBoxRow *row;

    if (stop != NULL) {
        gtk_widget_set_can_focus(GTK_WIDGET(stop), TRUE);
        if (has_focus && !gtk_widget_has_focus(GTK_WIDGET(stop))) {
            gtk_widget_grab_focus(GTK_WIDGET(stop));
        }
    }
    for (int i = 0; (row = gtk_list_box_get_row_at_index(list, i)) != NULL; i++) {
        if (row != stop) {
            gtk_widget_set_can_focus(GTK_WIDGET(row), FALSE);
        }
    }
}

static void
selected_cb(GtkListBox *list, GtkListBoxRow *row, gpointer user_data)
{
    fm_list_focus_update(list);
}

void
fm_list_focus_set_up(GtkListBox *list)
{
    g_signal_connect(list, "row-selected", G_CALLBACK(selected_cb), NULL);
    fm_list_focus_update(list);
}
