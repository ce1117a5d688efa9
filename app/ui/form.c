/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Forms of two columns, names to the left.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/form.h"

#include <glib/gi18n.h>

enum {
    SPACING = 12,
    SMALL_SPACING = 6,
    MARGIN = 18,
};

static int
get_next_row(GtkWidget *form)
{
    int n_rows = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(form), "n-rows"));

    g_object_set_data(G_OBJECT(form), "n-rows", GINT_TO_POINTER(n_rows + 1));
    return n_rows;
}

GtkWidget *
fm_form_new(void)
{
    GtkWidget *grid = gtk_grid_new();

    gtk_grid_set_row_spacing(GTK_GRID(grid), SPACING);
    gtk_grid_set_column_spacing(GTK_GRID(grid), SPACING);
    return grid;
}

void
fm_form_name_choice(GtkWidget *choice, const char *name)
{
    /* The focus goes to the button inside, which has no text of its own. */
    GtkWidget *button = gtk_widget_get_first_child(choice);

    gtk_accessible_update_property(GTK_ACCESSIBLE(choice), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
fm_form_add(GtkWidget *form, const char *title, GtkWidget *control)
{
    GtkWidget *label = gtk_label_new_with_mnemonic(title);
    int row = get_next_row(form);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), control);
    gtk_widget_set_hexpand(control, TRUE);
    gtk_accessible_update_relation(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                   label, NULL, -1);
    if (GTK_IS_DROP_DOWN(control)) {
        fm_form_name_choice(control, gtk_label_get_text(GTK_LABEL(label)));
    }
    gtk_grid_attach(GTK_GRID(form), label, 0, row, 1, 1);
    gtk_grid_attach(GTK_GRID(form), control, 1, row, 1, 1);
}

void
fm_form_add_wide(GtkWidget *form, GtkWidget *control)
{
    gtk_grid_attach(GTK_GRID(form), control, 0, get_next_row(form), 2, 1);
}

GtkWidget *
fm_form_add_choice(GtkWidget *form, const char *title, const char *const *choices)
{
    GtkStringList *list = gtk_string_list_new(NULL);

    for (gsize i = 0; choices[i] != NULL; i++) {
        gtk_string_list_append(list, _(choices[i]));
    }
    GtkWidget *control = gtk_drop_down_new(G_LIST_MODEL(list), NULL);
    fm_form_add(form, title, control);
    return control;
}

GtkWidget *
fm_form_add_check(GtkWidget *form, const char *title)
{
    /* A label of its own would be read with the mark of its mnemonic. */
    GtkWidget *control = gtk_check_button_new();
    GtkWidget *label = gtk_label_new_with_mnemonic(title);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_mnemonic_widget(GTK_LABEL(label), control);
    gtk_check_button_set_child(GTK_CHECK_BUTTON(control), label);
    gtk_accessible_update_relation(GTK_ACCESSIBLE(control), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                   label, NULL, -1);
    gtk_grid_attach(GTK_GRID(form), control, 1, get_next_row(form), 1, 1);
    return control;
}

GtkWidget *
fm_form_add_entry(GtkWidget *form, const char *title, const char *text)
{
    GtkWidget *control = gtk_entry_new();

    gtk_editable_set_text(GTK_EDITABLE(control), text);
    gtk_entry_set_activates_default(GTK_ENTRY(control), TRUE);
    fm_form_add(form, title, control);
    return control;
}

GtkWidget *
fm_form_add_error(GtkWidget *form)
{
    GtkWidget *label =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_ALERT, NULL);

    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_max_width_chars(GTK_LABEL(label), 40);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "error");
    gtk_widget_set_visible(label, FALSE);
    fm_form_add_wide(form, label);
    return label;
}

void
fm_form_set_error(GtkWidget *label, const char *sentence)
{
    gtk_label_set_text(GTK_LABEL(label), sentence != NULL ? sentence : "");
    gtk_widget_set_visible(label, sentence != NULL);
}

static gboolean
close_cb(GtkWidget *window, GVariant *arguments, gpointer user_data)
{
    gtk_window_destroy(GTK_WINDOW(window));
    return TRUE;
}

void
fm_form_fill_window(GtkWindow *window, GtkWidget *content, const char *accept, GCallback accept_cb)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, MARGIN);
    GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SMALL_SPACING);
    GtkWidget *cancel_button = gtk_button_new_with_mnemonic(_("_Cancel"));
    GtkWidget *accept_button = gtk_button_new_with_mnemonic(accept);
    GtkEventController *keys = gtk_shortcut_controller_new();

    gtk_box_append(GTK_BOX(box), content);
    gtk_widget_set_vexpand(content, TRUE);
    gtk_widget_set_halign(buttons, GTK_ALIGN_END);
    gtk_box_append(GTK_BOX(buttons), cancel_button);
    gtk_box_append(GTK_BOX(buttons), accept_button);
    gtk_box_append(GTK_BOX(box), buttons);
    gtk_widget_set_margin_top(box, MARGIN);
    gtk_widget_set_margin_bottom(box, MARGIN);
    gtk_widget_set_margin_start(box, MARGIN);
    gtk_widget_set_margin_end(box, MARGIN);
    gtk_widget_add_css_class(accept_button, "suggested-action");
    g_signal_connect_swapped(cancel_button, "clicked", G_CALLBACK(gtk_window_destroy), window);
    g_signal_connect_swapped(accept_button, "clicked", accept_cb, window);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                         gtk_callback_action_new(close_cb, NULL, NULL)));
    gtk_widget_add_controller(GTK_WIDGET(window), keys);
    gtk_window_set_child(window, box);
    gtk_window_set_default_widget(window, accept_button);
}
