/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts for a bug report come from a thread, a moment after the window.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/about-window.h"

#include "ui/debug-info.h"

#include <glib/gi18n.h>

enum {
    SPACING = 12,
    MARGIN = 18,
    ICON_SIZE = 96,
    WIDTH = 480,
    HEIGHT = 520,
};

static GtkWidget *
new_line(const char *text, const char *css_class)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_justify(GTK_LABEL(label), GTK_JUSTIFY_CENTER);
    if (css_class != NULL) {
        gtk_widget_add_css_class(label, css_class);
    }
    return label;
}

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GtkTextBuffer) buffer = GTK_TEXT_BUFFER(user_data);
    g_autofree char *text = fm_debug_info_read_finish(result);

    gtk_text_buffer_set_text(buffer, text, -1);
}

static void
copy_cb(GtkWidget *button, GtkTextBuffer *buffer)
{
    GtkTextIter begin;
    GtkTextIter end;

    gtk_text_buffer_get_bounds(buffer, &begin, &end);
    g_autofree char *text = gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
    gdk_clipboard_set_text(gtk_widget_get_clipboard(button), text);
    gtk_button_set_label(GTK_BUTTON(button), _("Copied"));
}

static GtkWidget *
new_debug_info(void)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    GtkWidget *scroll = gtk_scrolled_window_new();
    GtkWidget *view = gtk_text_view_new();
    GtkWidget *copy = gtk_button_new_with_mnemonic(_("_Copy"));
    GtkTextBuffer *buffer = gtk_text_view_get_buffer(GTK_TEXT_VIEW(view));

    gtk_text_view_set_editable(GTK_TEXT_VIEW(view), FALSE);
    gtk_text_view_set_accepts_tab(GTK_TEXT_VIEW(view), FALSE);
    gtk_text_view_set_wrap_mode(GTK_TEXT_VIEW(view), GTK_WRAP_WORD_CHAR);
    gtk_text_view_set_left_margin(GTK_TEXT_VIEW(view), SPACING);
    gtk_text_view_set_top_margin(GTK_TEXT_VIEW(view), SPACING);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("For bug reports"), -1);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), view);
    gtk_scrolled_window_set_has_frame(GTK_SCROLLED_WINDOW(scroll), TRUE);
    gtk_widget_set_vexpand(scroll, TRUE);
    gtk_widget_set_halign(copy, GTK_ALIGN_END);
    gtk_box_append(GTK_BOX(box), new_line(_("For bug reports"), "heading"));
    gtk_box_append(GTK_BOX(box), scroll);
    gtk_box_append(GTK_BOX(box), copy);
    g_signal_connect_object(copy, "clicked", G_CALLBACK(copy_cb), buffer, 0);
    fm_debug_info_read_async(read_cb, g_object_ref(buffer));
    return box;
}

static gboolean
close_cb(GtkWidget *window, GVariant *arguments, gpointer user_data)
{
    gtk_window_close(GTK_WINDOW(window));
    return TRUE;
}

GtkWidget *
fm_about_window_new(FmApplication *application)
{
    GtkWidget *window = gtk_window_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    GtkWidget *icon = gtk_image_new_from_icon_name(FM_APPLICATION_ID);
    GtkEventController *keys = gtk_shortcut_controller_new();

    gtk_image_set_pixel_size(GTK_IMAGE(icon), ICON_SIZE);
    gtk_widget_set_margin_top(box, MARGIN);
    gtk_widget_set_margin_bottom(box, MARGIN);
    gtk_widget_set_margin_start(box, MARGIN);
    gtk_widget_set_margin_end(box, MARGIN);
    gtk_box_append(GTK_BOX(box), icon);
    gtk_box_append(GTK_BOX(box), new_line("Fathom " FM_VERSION, "page-title"));
    gtk_box_append(GTK_BOX(box),
                   new_line(_("Benchmarks of drives, to be trusted and published"), NULL));
    gtk_box_append(GTK_BOX(box),
                   new_line(_("Free software under the GNU General Public License, version 3 or "
                              "later; it comes without any warranty."),
                            "muted"));
    gtk_box_append(GTK_BOX(box), new_debug_info());
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                         gtk_callback_action_new(close_cb, NULL, NULL)));
    gtk_widget_add_controller(window, keys);
    gtk_window_set_title(GTK_WINDOW(window), _("About Fathom"));
    gtk_window_set_modal(GTK_WINDOW(window), TRUE);
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
    gtk_window_set_child(GTK_WINDOW(window), box);
    return window;
}
