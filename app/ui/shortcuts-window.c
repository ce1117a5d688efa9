/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One table.  Where an action has a key of the application, that key is shown, so that the two
 * can't disagree.  Not GTK's own shortcuts window: it does not scroll, and on a screen of 640 x
 * 480 its pages do not fit.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/shortcuts-window.h"

#include <glib/gi18n.h>
#include <stdbool.h>

enum {
    SPACING = 6,
    WIDE_SPACING = 24,
    MARGIN = 18,
    WIDTH = 460,
    HEIGHT = 560,
};

typedef struct {
    const char *title;
    const char *keys; /* or the action that has them */
} Shortcut;

typedef struct {
    const char *title;
    Shortcut shortcuts[14];
} Group;

static const Group groups[] = {
    {N_("Runs"),
     {
         {N_("Run"), "app.run"},
         {N_("Pause or resume"), "app.pause"},
         {N_("Stop"), "app.stop"},
         {N_("Choose a folder"), "app.choose-folder"},
         {N_("Open a run or plan"), "app.open"},
     }},
    {N_("Window"),
     {
         {N_("Drives"), "win.page::drives"},
         {N_("Test plan"), "win.page::plan"},
         {N_("Run"), "win.page::run"},
         {N_("Results"), "win.page::results"},
         {N_("Next page"), "win.next-page(true)"},
         {N_("Next part of the window"), "win.next-pane(true)"},
         {N_("Sidebar"), "win.sidebar"},
         {N_("Preferences"), "app.preferences"},
         {N_("Keyboard shortcuts"), "app.shortcuts"},
         {N_("Close the window"), "window.close"},
         {N_("Quit"), "app.quit"},
     }},
    {N_("Results"),
     {
         {N_("Filter runs"), "<Control>f"},
         {N_("Open the selected run"), "Return"},
         {N_("Back to all runs"), "<Alt>Left"},
         {N_("Previous run"), "<Alt>Up"},
         {N_("Next run"), "<Alt>Down"},
         {N_("Rename"), "F2"},
         {N_("Save the note"), "<Control>Return"},
     }},
    {N_("Figures"),
     {
         {N_("Read point by point"), "Left Right"},
         {N_("Read every single point"), "<Control>Left <Control>Right"},
         {N_("Other series"), "Up Down"},
         {N_("Zoom in"), "plus"},
         {N_("Zoom out"), "minus"},
         {N_("Show all"), "0 Home"},
         {N_("Move what is seen"), "<Shift>Left <Shift>Right <Shift>Up <Shift>Down"},
         {N_("Logarithmic y axis"), "<Control>l"},
         {N_("Copy image"), "<Control>c"},
         {N_("Copy data as CSV"), "<Control><Shift>c"},
         {N_("Save as…"), "<Control>s"},
         {N_("Show data table"), "<Control>t"},
         {N_("Menu of the figure"), "<Shift>F10 Menu"},
     }},
};

static bool
is_action(const char *keys)
{
    return g_str_has_prefix(keys, "app.") || g_str_has_prefix(keys, "win.") ||
           g_str_has_prefix(keys, "window.");
}

/* NULL for an action that has no keys. */
static char *
dup_keys(FmApplication *application, const char *keys)
{
    if (!is_action(keys)) {
        return g_strdup(keys);
    }
    g_auto(GStrv) accelerators =
        gtk_application_get_accels_for_action(GTK_APPLICATION(application), keys);
    return accelerators[0] != NULL ? g_strjoinv(" ", accelerators) : NULL;
}

/* Every choice of keys, such as "0" or "Home", is a label of its own; two in a row, since the
 * window is to fit a screen of 640 pixels. */
static GtkWidget *
new_keys(const char *keys)
{
    GtkWidget *grid = gtk_grid_new();
    g_auto(GStrv) choices = g_strsplit(keys, " ", -1);

    for (int i = 0; choices[i] != NULL; i++) {
        GtkWidget *label = gtk_shortcut_label_new(choices[i]);
        gtk_widget_set_halign(label, GTK_ALIGN_END);
        gtk_grid_attach(GTK_GRID(grid), label, i % 2, i / 2, 1, 1);
    }
    gtk_grid_set_column_spacing(GTK_GRID(grid), WIDE_SPACING);
    gtk_grid_set_row_spacing(GTK_GRID(grid), SPACING);
    gtk_widget_set_halign(grid, GTK_ALIGN_END);
    return grid;
}

static void
add_shortcut(GtkWidget *grid, FmApplication *application, const Shortcut *shortcut, int row)
{
    g_autofree char *keys = dup_keys(application, shortcut->keys);

    if (keys == NULL) {
        return;
    }
    GtkWidget *title = gtk_label_new(_(shortcut->title));
    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_widget_set_hexpand(title, TRUE);
    gtk_grid_attach(GTK_GRID(grid), title, 0, row, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), new_keys(keys), 1, row, 1, 1);
}

static GtkWidget *
new_group(FmApplication *application, const Group *group)
{
    GtkWidget *grid = gtk_grid_new();
    GtkWidget *title = gtk_label_new(_(group->title));
    int row = 0;

    gtk_grid_set_row_spacing(GTK_GRID(grid), SPACING);
    gtk_grid_set_column_spacing(GTK_GRID(grid), WIDE_SPACING);
    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_widget_add_css_class(title, "heading");
    gtk_grid_attach(GTK_GRID(grid), title, 0, row++, 2, 1);
    for (const Shortcut *one = group->shortcuts; one->title != NULL; one++) {
        add_shortcut(grid, application, one, row++);
    }
    return grid;
}

static gboolean
close_cb(GtkWidget *window, GVariant *arguments, gpointer user_data)
{
    gtk_window_close(GTK_WINDOW(window));
    return TRUE;
}

GtkWidget *
fm_shortcuts_window_new(FmApplication *application)
{
    GtkWidget *window = gtk_window_new();
    GtkWidget *scroll = gtk_scrolled_window_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, MARGIN);
    GtkEventController *keys = gtk_shortcut_controller_new();

    for (gsize i = 0; i < G_N_ELEMENTS(groups); i++) {
        gtk_box_append(GTK_BOX(box), new_group(application, &groups[i]));
    }
    gtk_widget_set_margin_top(box, MARGIN);
    gtk_widget_set_margin_bottom(box, MARGIN);
    gtk_widget_set_margin_start(box, MARGIN);
    gtk_widget_set_margin_end(box, MARGIN);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroll), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroll), box);
    gtk_shortcut_controller_add_shortcut(
        GTK_SHORTCUT_CONTROLLER(keys),
        gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0),
                         gtk_callback_action_new(close_cb, NULL, NULL)));
    gtk_widget_add_controller(window, keys);
    gtk_window_set_title(GTK_WINDOW(window), _("Keyboard shortcuts"));
    gtk_window_set_default_size(GTK_WINDOW(window), WIDTH, HEIGHT);
    gtk_window_set_child(GTK_WINDOW(window), scroll);
    return window;
}
