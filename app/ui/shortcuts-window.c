/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GTK's shortcuts window can only be filled by a builder, so the table below is written as
 * the builder's XML first.  Where an action has a key of the application, that key is shown,
 * so that the two can't disagree.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/shortcuts-window.h"

#include <glib/gi18n.h>
#include <stdbool.h>

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

static char *
dup_keys(FmApplication *application, const char *keys)
{
    if (!is_action(keys)) {
        return g_strdup(keys);
    }
    g_auto(GStrv) accelerators =
        gtk_application_get_accels_for_action(GTK_APPLICATION(application), keys);

    return accelerators[0] != NULL ? g_strjoinv(" ", accelerators) : g_strdup(keys);
}

static void
append_shortcut(GString *xml, FmApplication *application, const Shortcut *shortcut)
{
    g_autofree char *keys = dup_keys(application, shortcut->keys);

    if (is_action(keys)) {
        return; /* no page or action of that name in this program */
    }
    g_autofree char *escaped =
        g_markup_printf_escaped("<child><object class=\"GtkShortcutsShortcut\">"
                                "<property name=\"title\">%s</property>"
                                "<property name=\"accelerator\">%s</property>"
                                "</object></child>",
                                _(shortcut->title), keys);
    g_string_append(xml, escaped);
}

static char *
dup_xml(FmApplication *application)
{
    g_autoptr(GString) xml =
        g_string_new("<interface><object class=\"GtkShortcutsWindow\" id=\"window\">"
                     "<property name=\"modal\">1</property>"
                     "<child><object class=\"GtkShortcutsSection\">"
                     "<property name=\"section-name\">all</property>");

    for (gsize i = 0; i < G_N_ELEMENTS(groups); i++) {
        g_autofree char *head =
            g_markup_printf_escaped("<child><object class=\"GtkShortcutsGroup\">"
                                    "<property name=\"title\">%s</property>",
                                    _(groups[i].title));
        g_string_append(xml, head);
        for (const Shortcut *one = groups[i].shortcuts; one->title != NULL; one++) {
            append_shortcut(xml, application, one);
        }
        g_string_append(xml, "</object></child>");
    }
    g_string_append(xml, "</object></child></object></interface>");
    return g_string_free(g_steal_pointer(&xml), FALSE);
}

GtkWidget *
fm_shortcuts_window_new(FmApplication *application)
{
    g_autofree char *xml = dup_xml(application);
    g_autoptr(GtkBuilder) builder = gtk_builder_new_from_string(xml, -1);

    return GTK_WIDGET(gtk_builder_get_object(builder, "window"));
}
