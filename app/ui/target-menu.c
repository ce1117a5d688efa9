/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two sections; the first is filled anew when drives come or go.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/target-menu.h"

#include "base/text.h"

#include <glib/gi18n.h>

/* Underscores in names are no mnemonics. */
static char *
dup_plain_label(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "_", -1);

    return g_strjoinv("__", parts);
}

static void
add_drive(GMenu *places, const FmDriveRow *row)
{
    g_autofree char *name = fm_drive_dup_name(row->info);

    for (guint i = 0; i < row->mounts->len; i++) {
        const FmDriveMount *mount = (const FmDriveMount *)row->mounts->pdata[i];
        if (mount->folder == NULL) {
            continue;
        }
        g_autofree char *folder = fm_text_dup_printable(mount->folder);
        g_autofree char *text = g_strdup_printf("%s – %s", name, folder);
        g_autofree char *label = dup_plain_label(text);
        g_autoptr(GMenuItem) item = g_menu_item_new(label, NULL);
        g_menu_item_set_action_and_target(item, "app.target", "s", mount->folder);
        g_menu_append_item(places, item);
    }
}

static void
drives_changed_cb(FmDriveList *drives, gpointer user_data)
{
    GMenu *places = G_MENU(user_data);
    GPtrArray *rows = fm_drive_list_get(drives);

    g_menu_remove_all(places);
    for (guint i = 0; rows != NULL && i < rows->len; i++) {
        add_drive(places, (const FmDriveRow *)rows->pdata[i]);
    }
}

GMenuModel *
fm_target_menu_new(FmDriveList *drives)
{
    GMenu *menu = g_menu_new();
    g_autoptr(GMenu) places = g_menu_new();
    g_autoptr(GMenu) others = g_menu_new();

    g_menu_append(others, _("Choose _Folder…"), "app.choose-folder");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(places));
    g_menu_append_section(menu, NULL, G_MENU_MODEL(others));
    g_signal_connect_object(drives, "changed", G_CALLBACK(drives_changed_cb), places, 0);
    drives_changed_cb(drives, places);
    return G_MENU_MODEL(menu);
}
