/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The suspend lock against a logind of our own on a private bus: taken with our name
 * and reason, held as long as the inhibitor, and no trouble where there is no logind.
 */
#include "platform/platform.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <unistd.h>

/* Filled by the connection's own thread before it answers. */
typedef struct {
    int lock; /* the end that is handed out */
    char *what;
    char *who;
    char *why;
    char *mode;
} Login;

/* A filter sees messages on a thread of GDBus, so it can answer while the call under
 * test blocks this one. */
static GDBusMessage *
answer_cb(GDBusConnection *bus, GDBusMessage *message, gboolean incoming, gpointer user_data)
{
    Login *login = (Login *)user_data;
    if (!incoming || g_strcmp0(g_dbus_message_get_member(message), "Inhibit") != 0) {
        return message;
    }
    g_autoptr(GUnixFDList) descriptors = g_unix_fd_list_new();
    g_autoptr(GDBusMessage) reply = g_dbus_message_new_method_reply(message);
    g_variant_get(g_dbus_message_get_body(message), "(ssss)", &login->what, &login->who,
                  &login->why, &login->mode);
    g_unix_fd_list_append(descriptors, login->lock, NULL);
    close(login->lock);
    g_dbus_message_set_body(reply, g_variant_new("(h)", 0));
    g_dbus_message_set_unix_fd_list(reply, descriptors);
    g_dbus_connection_send_message(bus, reply, G_DBUS_SEND_MESSAGE_FLAGS_NONE, NULL, NULL);
    g_object_unref(message);
    return NULL;
}

static GDBusConnection *
start_login(const char *address, Login *login)
{
    GError *error = NULL;
    GDBusConnection *bus =
        g_dbus_connection_new_for_address_sync(address,
                                               G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                   G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                               NULL, NULL, &error);
    g_assert_no_error(error);
    g_dbus_connection_add_filter(bus, answer_cb, login, NULL);
    g_autoptr(GVariant) owned = g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
        g_variant_new("(su)", "org.freedesktop.login1", 0), NULL, G_DBUS_CALL_FLAGS_NONE, -1, NULL,
        &error);
    g_assert_no_error(error);
    return bus;
}

static void
test_lock(gconstpointer data)
{
    int ends[2];
    char byte;
    Login login = {0};
    g_assert_true(g_unix_open_pipe(ends, FD_CLOEXEC, NULL));
    g_assert_true(g_unix_set_fd_nonblocking(ends[0], TRUE, NULL));
    login.lock = ends[1];
    g_autoptr(GDBusConnection) bus = start_login((const char *)data, &login);

    FmInhibitor *inhibitor = plat_inhibit("Measuring a drive");
    g_assert_nonnull(inhibitor);
    g_assert_cmpstr(login.what, ==, "sleep:idle");
    g_assert_cmpstr(login.who, ==, "Fathom");
    g_assert_cmpstr(login.why, ==, "Measuring a drive");
    g_assert_cmpstr(login.mode, ==, "block");

    g_assert_true(g_dbus_connection_close_sync(bus, NULL, NULL));
    g_assert_cmpint(read(ends[0], &byte, 1), ==, -1); /* we hold the other end */
    plat_inhibit_release(inhibitor);
    g_assert_cmpint(read(ends[0], &byte, 1), ==, 0);
    close(ends[0]);
    g_free(login.what);
    g_free(login.who);
    g_free(login.why);
    g_free(login.mode);
}

static void
test_no_login(void)
{
    g_assert_null(plat_inhibit("Measuring a drive"));
    plat_inhibit_release(NULL);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *daemon = g_find_program_in_path("dbus-daemon");
    if (daemon == NULL) {
        g_print("1..0 # SKIP dbus-daemon is not installed\n");
        return 0;
    }
    GTestDBus *bus = g_test_dbus_new(G_TEST_DBUS_NONE);
    g_test_dbus_up(bus);
    g_setenv("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address(bus), TRUE);
    g_test_add_func("/platform/inhibit/nobody-to-ask-is-no-trouble", test_no_login);
    g_test_add_data_func("/platform/inhibit/lock-is-held-until-released",
                         g_test_dbus_get_bus_address(bus), test_lock);
    int code = g_test_run();
    g_test_dbus_stop(bus); /* not down(): the shared connection is GLib's to keep */
    g_object_unref(bus);
    return code;
}
