/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Controls write the settings and never read them again: nobody else changes them while the
 * window is open.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/preferences-window.h"

#include "store/library.h"
#include "ui/form.h"
#include "ui/save-window.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    SPACING = 12,
    MARGIN = 18,
    WIDTH = 480,
};

static const char *const appearance_titles[] = {N_("As the system"), N_("Light"), N_("Dark"), NULL};

static const char *const language_titles[] = {N_("As the window"), "English", "한국어", NULL};
static const char *const languages[] = {"", "en", "ko"};

/* --- Figures and looks ------------------------------------------------------------------- */

static void
appearance_cb(GtkDropDown *choice, GParamSpec *pspec, FmSettings *settings)
{
    fm_settings_set_appearance(settings, (FmAppearance)gtk_drop_down_get_selected(choice));
}

static void
language_cb(GtkDropDown *choice, GParamSpec *pspec, FmSettings *settings)
{
    fm_settings_set_figure_language(settings, languages[gtk_drop_down_get_selected(choice)]);
}

static void
review_cb(GtkCheckButton *check, FmSettings *settings)
{
    fm_settings_set_review(settings, gtk_check_button_get_active(check));
}

static void
notify_cb(GtkCheckButton *check, FmSettings *settings)
{
    fm_settings_set_notify(settings, gtk_check_button_get_active(check));
}

static guint
find_language(FmSettings *settings)
{
    g_autofree char *language = fm_settings_dup_figure_language(settings);

    for (guint i = 0; i < G_N_ELEMENTS(languages); i++) {
        if (g_strcmp0(language, languages[i]) == 0) {
            return i;
        }
    }
    return 0;
}

static void
add_heading(GtkWidget *form, const char *title)
{
    GtkWidget *label = gtk_label_new(title);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_add_css_class(label, "heading");
    fm_form_add_wide(form, label);
}

static void
add_looks(GtkWidget *form, FmSettings *settings)
{
    GtkWidget *appearance = fm_form_add_choice(form, _("_Appearance"), appearance_titles);
    GtkWidget *language = fm_form_add_choice(form, _("_Language of figures"), language_titles);
    GtkWidget *review = fm_form_add_check(form, _("Figures as in published _reviews"));
    GtkWidget *notify = fm_form_add_check(form, _("_Notify when a run has ended"));

    gtk_widget_set_tooltip_text(
        review, _("Names as titles and axes as reviews have them; without it, titles say what was "
                  "found."));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(appearance), fm_settings_get_appearance(settings));
    gtk_drop_down_set_selected(GTK_DROP_DOWN(language), find_language(settings));
    gtk_check_button_set_active(GTK_CHECK_BUTTON(review), fm_settings_get_review(settings));
    gtk_check_button_set_active(GTK_CHECK_BUTTON(notify), fm_settings_get_notify(settings));
    g_signal_connect_object(appearance, "notify::selected", G_CALLBACK(appearance_cb), settings, 0);
    g_signal_connect_object(language, "notify::selected", G_CALLBACK(language_cb), settings, 0);
    g_signal_connect_object(review, "toggled", G_CALLBACK(review_cb), settings, 0);
    g_signal_connect_object(notify, "toggled", G_CALLBACK(notify_cb), settings, 0);
}

/* --- Library ----------------------------------------------------------------------------- */

static void
show_library_cb(GtkButton *button)
{
    g_autofree char *path = fm_library_dir();
    g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);

    gtk_show_uri(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(button))), uri, GDK_CURRENT_TIME);
}

static GtkWidget *
new_library(void)
{
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *label = gtk_label_new(NULL);
    GtkWidget *button = gtk_button_new_with_mnemonic(_("_Show folder"));
    g_autofree char *path = fm_library_dir();
    g_autofree char *shown = g_filename_display_name(path);

    gtk_label_set_text(GTK_LABEL(label), shown);
    gtk_label_set_selectable(GTK_LABEL(label), TRUE);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_MIDDLE);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_widget_set_tooltip_text(label, shown);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_box_append(GTK_BOX(row), label);
    gtk_box_append(GTK_BOX(row), button);
    g_signal_connect(button, "clicked", G_CALLBACK(show_library_cb), NULL);
    return row;
}

/* --- Window ------------------------------------------------------------------------------ */

static gboolean
close_cb(GtkWidget *window, GVariant *arguments, gpointer user_data)
{
    gtk_window_close(GTK_WINDOW(window));
    return TRUE;
}

/* As high as it needs to be, unless the screen is lower. */
static GtkWidget *
new_scroller(GtkWidget *form)
{
    GtkWidget *scroller = gtk_scrolled_window_new();

    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), form);
    return scroller;
}

GtkWidget *
fm_preferences_window_new(FmApplication *application)
{
    FmSettings *settings = fm_application_get_settings(application);
    GtkWidget *window = gtk_window_new();
    GtkWidget *form = fm_form_new();
    GtkEventController *keys = gtk_shortcut_controller_new();

    gtk_widget_set_margin_top(form, MARGIN);
    gtk_widget_set_margin_bottom(form, MARGIN);
    gtk_widget_set_margin_start(form, MARGIN);
    gtk_widget_set_margin_end(form, MARGIN);
    add_heading(form, _("Looks"));
    add_looks(form, settings);
    add_heading(form, _("Figures when saved or copied"));
    fm_save_rows_add(form);
    add_heading(form, _("Folder of runs"));
    fm_form_add_wide(form, new_library());
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                         gtk_callback_action_new(close_cb, NULL, NULL)));
    gtk_widget_add_controller(window, keys);
    gtk_window_set_title(GTK_WINDOW(window), _("Preferences"));
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, -1);
    gtk_window_set_child(GTK_WINDOW(window), new_scroller(form));
    return window;
}
