/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run host leaves in the user's state folder so that viewers find it: a
 * socket and an entry that says what runs behind it.  An entry exists only while its
 * socket listens; one that nobody answers belongs to a host that was killed, and
 * whoever meets it cleans up after it.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "host/session.h"

G_BEGIN_DECLS

/* The folder of entries, created with mode 0700; NULL with @error set. */
char *fm_run_entry_dir(GError **error);

/* Six letters and digits that no other entry has. */
char *fm_run_entry_new_id(const char *dir);

/* A listening socket for run @id; @path gets its address, which the caller frees. */
GSocket *fm_run_entry_listen(const char *dir, const char *id, char **path, GError **error);

/* Writes or replaces the entry of @info. */
bool fm_run_entry_write(const char *dir, const FmSessionInfo *info, GError **error);

/* Removes the entry and its socket. */
void fm_run_entry_remove(const char *dir, const char *id, const char *socket);

/* Living runs, of FmSessionInfo; cleans up after dead ones. */
GPtrArray *fm_run_entry_list(const char *dir);

G_END_DECLS
