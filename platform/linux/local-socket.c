/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unix domain sockets in a folder of mode 0700; the peer's user id is checked as well,
 * since folders can be opened up.  Main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/local-socket.h"

#include "base/error.h"

#include <errno.h>
#include <gio/gunixsocketaddress.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 32,
    CONNECT_TIMEOUT_S = 5,
    /* Longest path an address can hold, with its terminating zero. */
    MAX_PATH_SIZE = sizeof(((struct sockaddr_un *)NULL)->sun_path),
};

/* Not below $TMPDIR, which may be as long as what it replaces. */
#define SHORT_DIR "/tmp/fathom-"

char *
plat_socket_choose_path(const char *dir, const char *name, GError **error)
{
    g_autofree char *path = g_build_filename(dir, name, NULL);
    if (strlen(path) < MAX_PATH_SIZE) {
        return g_steal_pointer(&path);
    }
    g_autofree char *short_dir = g_strdup(SHORT_DIR "XXXXXX");
    if (g_mkdtemp_full(short_dir, 0700) == NULL) {
        fm_error_set_errno(error, errno, "No folder for the run's socket can be made in /tmp");
        return NULL;
    }
    return g_build_filename(short_dir, name, NULL);
}

GSocket *
plat_socket_listen(const char *path, GError **error)
{
    g_autoptr(GError) lower = NULL;
    g_autoptr(GSocketAddress) address = g_unix_socket_address_new(path);
    g_autoptr(GSocket) socket =
        g_socket_new(G_SOCKET_FAMILY_UNIX, G_SOCKET_TYPE_STREAM, G_SOCKET_PROTOCOL_DEFAULT, &lower);

    if (socket != NULL) {
        g_socket_set_listen_backlog(socket, BACKLOG);
    }
    if (socket == NULL || !g_socket_bind(socket, address, FALSE, &lower) ||
        !g_socket_listen(socket, &lower)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        fm_error_set(error, FM_ERROR_IO, "The socket “%s” can't be made: %p", path, reason);
        return NULL;
    }
    g_chmod(path, 0600);
    g_socket_set_blocking(socket, FALSE);
    return g_steal_pointer(&socket);
}

GSocketConnection *
plat_socket_connect(const char *path, GError **error)
{
    if (strlen(path) >= MAX_PATH_SIZE) {
        fm_error_set(error, FM_ERROR_GONE, "“%s” is no socket of a run", path);
        return NULL;
    }
    g_autoptr(GError) lower = NULL;
    g_autoptr(GSocketClient) client = g_socket_client_new();
    g_autoptr(GSocketAddress) address = g_unix_socket_address_new(path);

    g_socket_client_set_timeout(client, CONNECT_TIMEOUT_S);
    GSocketConnection *connection =
        g_socket_client_connect(client, G_SOCKET_CONNECTABLE(address), NULL, &lower);
    if (connection == NULL) {
        bool is_gone = g_error_matches(lower, G_IO_ERROR, G_IO_ERROR_CONNECTION_REFUSED) ||
                       g_error_matches(lower, G_IO_ERROR, G_IO_ERROR_NOT_FOUND);
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        fm_error_set(error, is_gone ? FM_ERROR_GONE : FM_ERROR_IO,
                     "The run host behind “%s” doesn't answer: %p", path, reason);
        return NULL;
    }
    /* The time-out was for connecting; frames may be far apart. */
    g_socket_set_timeout(g_socket_connection_get_socket(connection), 0);
    return connection;
}

bool
plat_socket_is_peer_allowed(GSocket *socket)
{
    g_autoptr(GCredentials) credentials = g_socket_get_credentials(socket, NULL);
    if (credentials == NULL) {
        return false;
    }
    uid_t user = g_credentials_get_unix_user(credentials, NULL);
    return user == geteuid() || user == 0;
}

void
plat_socket_remove(const char *dir, const char *path)
{
    g_autofree char *parent = g_path_get_dirname(path);

    if (strcmp(parent, dir) == 0) {
        g_unlink(path);
    } else if (g_str_has_prefix(parent, SHORT_DIR)) {
        g_unlink(path);
        g_rmdir(parent);
    }
}
