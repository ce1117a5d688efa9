/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells are labels; what they say is asked for when a row comes into view.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/table-view.h"

static void
setup_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    const FmTextColumn *column = user_data;
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label), column->is_number ? 1 : 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_label_set_width_chars(GTK_LABEL(label), column->width_chars);
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void
bind_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    const FmTextColumn *column = user_data;
    GtkWidget *label = gtk_list_item_get_child(item);
    g_autofree char *text = column->text(gtk_list_item_get_item(item), column->column);

    gtk_label_set_text(GTK_LABEL(label), text);
    gtk_widget_set_tooltip_text(label, column->expands ? text : NULL);
    if (column->is_heading != NULL && column->is_heading(gtk_list_item_get_item(item))) {
        gtk_widget_add_css_class(label, "heading");
    } else {
        gtk_widget_remove_css_class(label, "heading");
    }
}

GtkColumnViewColumn *
fm_table_view_add_column(GtkColumnView *view, const FmTextColumn *column)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    FmTextColumn *own = g_memdup2(column, sizeof *column);

    own->title = NULL; /* the caller's, and not needed any more */
    g_object_set_data_full(G_OBJECT(factory), "column", own, g_free);
    g_signal_connect(factory, "setup", G_CALLBACK(setup_cb), own);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_cb), own);
    g_autoptr(GtkColumnViewColumn) made = gtk_column_view_column_new(column->title, factory);
    gtk_column_view_column_set_resizable(made, TRUE);
    gtk_column_view_column_set_expand(made, column->expands);
    gtk_column_view_append_column(view, made);
    return made;
}

GtkWidget *
fm_table_view_new(const char *label)
{
    GtkWidget *scroll = gtk_scrolled_window_new();
    GtkWidget *view = gtk_column_view_new(NULL);

    gtk_column_view_set_show_row_separators(GTK_COLUMN_VIEW(view), TRUE);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), view);
    gtk_widget_set_vexpand(scroll, TRUE);
    return scroll;
}

GtkColumnView *
fm_table_view_get(GtkWidget *scroll)
{
    return GTK_COLUMN_VIEW(gtk_scrolled_window_get_child(GTK_SCROLLED_WINDOW(scroll)));
}
