/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table for each panel, chosen above it where there are several.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/data-window.h"

#include "plot/export.h"
#include "ui/data-table.h"
#include "ui/figure-output.h"
#include "ui/form.h"

#include <glib/gi18n.h>

enum {
    WIDTH = 640,
    HEIGHT = 480,
    SPACING = 6,
};

struct _FmDataWindow {
    GtkWindow parent_instance;
    FmFigure *figure;
    GtkDropDown *panels;
    GtkColumnView *table;
    GtkLabel *told;
};

G_DEFINE_FINAL_TYPE(FmDataWindow, fm_data_window, GTK_TYPE_WINDOW)

/* --- Cells ------------------------------------------------------------------------------- */

static void
setup_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
    GtkWidget *label = gtk_label_new(NULL);
    bool is_text = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(factory), "is-text"));

    gtk_label_set_xalign(GTK_LABEL(label), is_text ? 0 : 1);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void
bind_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer column)
{
    g_autofree char *text =
        fm_data_row_dup_text(gtk_list_item_get_item(item), GPOINTER_TO_UINT(column));

    gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(item)), text);
}

static void
add_column(FmDataWindow *window, FmDataTable *table, unsigned number)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();
    gpointer data = GUINT_TO_POINTER(number);

    g_object_set_data(G_OBJECT(factory), "is-text",
                      GINT_TO_POINTER(fm_data_table_is_text(table, number)));
    g_signal_connect(factory, "setup", G_CALLBACK(setup_cb), data);
    g_signal_connect(factory, "bind", G_CALLBACK(bind_cb), data);
    g_autoptr(GtkColumnViewColumn) column =
        gtk_column_view_column_new(fm_data_table_get_title(table, number), factory);
    gtk_column_view_column_set_resizable(column, TRUE);
    gtk_column_view_column_set_expand(column, TRUE);
    gtk_column_view_append_column(window->table, column);
}

static void
show_panel(FmDataWindow *window, unsigned panel)
{
    FmDataTable *table = fm_data_table_new(window->figure, panel);
    GListModel *columns = gtk_column_view_get_columns(window->table);

    gtk_column_view_set_model(window->table, NULL);
    while (g_list_model_get_n_items(columns) > 0) {
        g_autoptr(GtkColumnViewColumn) column = g_list_model_get_item(columns, 0);
        gtk_column_view_remove_column(window->table, column);
    }
    for (unsigned i = 0; i < fm_data_table_get_n_columns(table); i++) {
        add_column(window, table, i);
    }
    g_autoptr(GtkSelectionModel) selection =
        GTK_SELECTION_MODEL(gtk_single_selection_new(G_LIST_MODEL(table)));
    gtk_column_view_set_model(window->table, selection);
}

/* --- Events ------------------------------------------------------------------------------ */

static void
panel_cb(FmDataWindow *window)
{
    show_panel(window, gtk_drop_down_get_selected(window->panels));
}

static void
copy_cb(FmDataWindow *window)
{
    g_autofree char *csv = fm_export_figure_csv(window->figure);

    fm_clipboard_set_text(GTK_WIDGET(window), "text/csv", csv);
    gtk_label_set_text(window->told, _("The plotted numbers are in the clipboard."));
}

static gboolean
close_cb(GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
    gtk_window_close(GTK_WINDOW(widget));
    return TRUE;
}

/* --- Window ------------------------------------------------------------------------------ */

static void
fm_data_window_finalize(GObject *object)
{
    g_clear_pointer(&FM_DATA_WINDOW(object)->figure, fm_figure_unref);
    G_OBJECT_CLASS(fm_data_window_parent_class)->finalize(object);
}

static void
fm_data_window_class_init(FmDataWindowClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->finalize = fm_data_window_finalize;
    gtk_widget_class_add_binding(widget_class, GDK_KEY_Escape, 0, close_cb, NULL);
    gtk_widget_class_add_binding(widget_class, GDK_KEY_w, GDK_CONTROL_MASK, close_cb, NULL);
}

static void
fm_data_window_init(FmDataWindow *window)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *scroll = gtk_scrolled_window_new();
    GtkWidget *copy = gtk_button_new_with_mnemonic(_("_Copy as CSV"));

    window->panels = GTK_DROP_DOWN(gtk_drop_down_new(NULL, NULL));
    window->table = GTK_COLUMN_VIEW(gtk_column_view_new(NULL));
    window->told =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, "xalign", 0.0,
                     "hexpand", TRUE, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
    fm_form_name_choice(GTK_WIDGET(window->panels), _("Panel"));
    gtk_accessible_update_property(GTK_ACCESSIBLE(window->table), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Plotted numbers"), -1);
    gtk_column_view_set_show_row_separators(window->table, TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), GTK_WIDGET(window->table));
    gtk_widget_set_vexpand(scroll, TRUE);
    gtk_widget_add_css_class(row, "toolbar");
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(window->panels));
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(window->told));
    gtk_box_append(GTK_BOX(row), copy);
    gtk_box_append(GTK_BOX(box), row);
    gtk_box_append(GTK_BOX(box), scroll);
    g_signal_connect_swapped(copy, "clicked", G_CALLBACK(copy_cb), window);
    gtk_window_set_child(GTK_WINDOW(window), box);
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
}

static void
list_panels(FmDataWindow *window)
{
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    guint n_panels = window->figure->panels->len;

    for (guint i = 0; i < n_panels; i++) {
        const FmPanel *panel = g_ptr_array_index(window->figure->panels, i);
        const char *title = panel->title != NULL ? panel->title : panel->y.title;
        gtk_string_list_append(names, title != NULL ? title : "");
    }
    gtk_drop_down_set_model(window->panels, G_LIST_MODEL(names));
    gtk_widget_set_visible(GTK_WIDGET(window->panels), n_panels > 1);
    g_signal_connect_swapped(window->panels, "notify::selected", G_CALLBACK(panel_cb), window);
    if (n_panels > 0) {
        panel_cb(window);
    }
}

GtkWidget *
fm_data_window_new(GtkWindow *parent, FmFigure *figure)
{
    const char *title = figure->title != NULL ? figure->title : figure->id;
    FmDataWindow *window = g_object_new(FM_TYPE_DATA_WINDOW, "transient-for", parent, "title",
                                        title, "destroy-with-parent", TRUE, NULL);

    window->figure = fm_figure_ref(figure);
    list_panels(window);
    gtk_widget_grab_focus(GTK_WIDGET(window->table));
    return GTK_WIDGET(window);
}
