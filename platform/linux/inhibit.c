/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks logind not to suspend while a run is on.  The lock is a descriptor: it ends
 * with the process, however that ends.  Host only; the worker links no D-Bus.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <unistd.h>

enum {
    ANSWER_TIMEOUT_MS = 2000, /* a run does not wait for a hanging bus */
};

struct FmInhibitor {
    int lock;
};

/* The descriptor of the lock, or -1. */
static int
take_lock(GDBusConnection *bus, const char *why)
{
    g_autoptr(GUnixFDList) descriptors = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) reply = g_dbus_connection_call_with_unix_fd_list_sync(
        bus, "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager",
        "Inhibit", g_variant_new("(ssss)", "sleep:idle", "Fathom", why, "block"),
        G_VARIANT_TYPE("(h)"), G_DBUS_CALL_FLAGS_NONE, ANSWER_TIMEOUT_MS, NULL, &descriptors, NULL,
        &error);
    if (reply == NULL) {
        g_debug("no suspend lock: %s", error->message);
        return -1;
    }
    int handle;
    g_variant_get(reply, "(h)", &handle);
    return descriptors != NULL ? g_unix_fd_list_get(descriptors, handle, NULL) : -1;
}

FmInhibitor *
plat_inhibit(const char *why)
{
    g_autoptr(GDBusConnection) bus = g_bus_get_sync(G_BUS_TYPE_SYSTEM, NULL, NULL);
    if (bus == NULL) {
        return NULL;
    }
    int lock = take_lock(bus, why);
    if (lock < 0) {
        return NULL;
    }
    FmInhibitor *inhibitor = g_new0(FmInhibitor, 1);
    inhibitor->lock = lock;
    return inhibitor;
}

void
plat_inhibit_release(FmInhibitor *inhibitor)
{
    if (inhibitor == NULL) {
        return;
    }
    close(inhibitor->lock);
    g_free(inhibitor);
}
