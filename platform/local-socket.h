/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The per-user local socket between a run host and its viewers.  Implemented once per
 * system (link-time twins).  Only app/host links this.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

G_BEGIN_DECLS

/*
 * The address for a socket called @name in @dir: there, or, where that is too long for
 * an address of this system, in a new private folder with a short name.  Caller frees.
 */
char *plat_socket_choose_path(const char *dir, const char *name, GError **error);

/* A non-blocking listening socket that only this user can reach. */
GSocket *plat_socket_listen(const char *path, GError **error);

/* FM_ERROR_GONE when nobody listens (any more). */
GSocketConnection *plat_socket_connect(const char *path, GError **error);

/* Whether the process at the other end is this user's or the system's. */
bool plat_socket_is_peer_allowed(GSocket *socket);

/* Removes what choose_path(@dir) and listen(@path) made. */
void plat_socket_remove(const char *dir, const char *path);

G_END_DECLS
