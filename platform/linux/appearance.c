/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the desktop portal for its colour scheme and follows it.  Never waits: without a bus
 * or a portal nothing is ever told.  Main thread of the window.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include <gio/gio.h>
#include <string.h>

#define PORTAL_NAME "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_SETTINGS "org.freedesktop.portal.Settings"
#define NAMESPACE "org.freedesktop.appearance"
#define KEY "color-scheme"

enum { PREFERS_DARK = 1 }; /* 0 = no preference, 2 = light */

typedef struct {
    FmAppearanceCallback changed;
    gpointer user_data;
} Watch;

static void
tell(const Watch *watch, GVariant *value)
{
    g_autoptr(GVariant) inner = g_variant_ref(value);

    /* Read() wraps the value twice, the signal once. */
    while (g_variant_is_of_type(inner, G_VARIANT_TYPE_VARIANT)) {
        GVariant *next = g_variant_get_variant(inner);
        g_variant_unref(inner);
        inner = next;
    }
    if (g_variant_is_of_type(inner, G_VARIANT_TYPE_UINT32)) {
        watch->changed(g_variant_get_uint32(inner) == PREFERS_DARK, watch->user_data);
    }
}

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GVariant) reply =
        g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, NULL);

    if (reply != NULL) {
        g_autoptr(GVariant) value = g_variant_get_child_value(reply, 0);
        tell((const Watch *)user_data, value);
    }
}

static void
setting_changed_cb(GDBusConnection *bus, const char *sender, const char *path,
                   const char *interface, const char *signal, GVariant *parameters,
                   gpointer user_data)
{
    const char *name;
    const char *key;
    g_autoptr(GVariant) value = NULL;

    g_variant_get(parameters, "(&s&sv)", &name, &key, &value);
    if (strcmp(name, NAMESPACE) == 0 && strcmp(key, KEY) == 0) {
        tell((const Watch *)user_data, value);
    }
}

static void
connected_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    GDBusConnection *bus = g_bus_get_finish(result, NULL);

    if (bus == NULL) {
        return;
    }
    /* The watch and this reference last as long as the program. */
    g_dbus_connection_signal_subscribe(bus, PORTAL_NAME, PORTAL_SETTINGS, "SettingChanged",
                                       PORTAL_PATH, NAMESPACE, G_DBUS_SIGNAL_FLAGS_NONE,
                                       setting_changed_cb, user_data, NULL);
    g_dbus_connection_call(bus, PORTAL_NAME, PORTAL_PATH, PORTAL_SETTINGS, "Read",
                           g_variant_new("(ss)", NAMESPACE, KEY), G_VARIANT_TYPE("(v)"),
                           G_DBUS_CALL_FLAGS_NONE, -1, NULL, read_cb, user_data);
}

void
plat_appearance_watch(FmAppearanceCallback changed, gpointer user_data)
{
    Watch *watch = g_new0(Watch, 1);

    watch->changed = changed;
    watch->user_data = user_data;
    g_bus_get(G_BUS_TYPE_SESSION, NULL, connected_cb, watch);
}
