/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each window is made when it is asked for.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/app-windows.h"

#include "ui/about-window.h"
#include "ui/preferences-window.h"
#include "ui/shortcuts-window.h"

static void
show_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    static const struct {
        const char *action;
        GtkWidget *(*make)(FmApplication *application);
    } windows[] = {
        {"preferences", fm_preferences_window_new},
        {"shortcuts", fm_shortcuts_window_new},
        {"about", fm_about_window_new},
    };
    GtkApplication *application = GTK_APPLICATION(user_data);
    GtkWindow *parent = gtk_application_get_active_window(application);

    for (gsize i = 0; i < G_N_ELEMENTS(windows); i++) {
        if (g_str_equal(g_action_get_name(G_ACTION(action)), windows[i].action)) {
            GtkWidget *window = windows[i].make(FM_APPLICATION(application));
            gtk_window_set_transient_for(GTK_WINDOW(window), parent);
            gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
            gtk_window_present(GTK_WINDOW(window));
        }
    }
}

void
fm_app_windows_add_actions(FmApplication *application)
{
    static const GActionEntry entries[] = {
        {.name = "preferences", .activate = show_cb},
        {.name = "shortcuts", .activate = show_cb},
        {.name = "about", .activate = show_cb},
    };
    static const char *const preferences_keys[] = {"<Control>comma", NULL};
    static const char *const shortcuts_keys[] = {"<Control>question", "F1", NULL};
    GtkApplication *gtk = GTK_APPLICATION(application);

    g_action_map_add_action_entries(G_ACTION_MAP(application), entries, G_N_ELEMENTS(entries),
                                    application);
    gtk_application_set_accels_for_action(gtk, "app.preferences", preferences_keys);
    gtk_application_set_accels_for_action(gtk, "app.shortcuts", shortcuts_keys);
}
