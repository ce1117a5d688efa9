/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least a GTK program with a window can be: what ours is measured against, on the same
 * machine in the same minute.  Main thread only.
 */
#include <gtk/gtk.h>

static void
activate_cb(GtkApplication *application, gpointer data)
{
    GtkWidget *window = gtk_application_window_new(application);

    gtk_window_set_title(GTK_WINDOW(window), "Empty");
    gtk_window_set_titlebar(GTK_WINDOW(window), gtk_header_bar_new());
    gtk_window_set_default_size(GTK_WINDOW(window), 1120, 720);
    gtk_window_present(GTK_WINDOW(window));
}

int
main(int argc, char **argv)
{
    g_autoptr(GtkApplication) application =
        gtk_application_new("io.github.fathom.Empty", G_APPLICATION_NON_UNIQUE);

    g_signal_connect(application, "activate", G_CALLBACK(activate_cb), NULL);
    return g_application_run(G_APPLICATION(application), argc, argv);
}
