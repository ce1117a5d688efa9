/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries are key files: they are small, and written whole under a new name, so that
 * a reader never meets half of one.  Main thread of host or viewer.
 */
#define G_LOG_DOMAIN "fathom"

#include "host/run-entry.h"

#include "base/error.h"
#include "platform/local-socket.h"
#include "platform/platform.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
    /* A socket without an entry is a host that is just starting, unless it is older. */
    STARTING_SECONDS = 60,
};

#define ENTRY_SUFFIX ".run"
#define SOCKET_SUFFIX ".sock"
#define GROUP "run"

void
fm_session_info_free(FmSessionInfo *info)
{
    if (info == NULL) {
        return;
    }
    g_free(info->id);
    g_free(info->plan_id);
    g_free(info->target);
    g_free(info->output);
    g_free(info->socket);
    g_strfreev(info->drives);
    g_free(info);
}

char *
fm_run_entry_dir(GError **error)
{
    g_autofree char *state = plat_state_dir();
    g_autofree char *dir = g_build_filename(state, "runs", NULL);

    if (g_mkdir_with_parents(dir, 0700) != 0) {
        fm_error_set_errno(error, errno,
                           "The folder “%s” for what is in progress can't be made (XDG_STATE_HOME "
                           "may name another place)",
                           dir);
        return NULL;
    }
    if (g_chmod(dir, 0700) != 0) {
        fm_error_set_errno(error, errno, "The folder “%s” can't be kept private", dir);
        return NULL;
    }
    return g_steal_pointer(&dir);
}

char *
fm_run_entry_new_id(const char *dir)
{
    /* No vowels and no look-alikes: ids are read aloud and typed. */
    static const char letters[] = "bcdfghjkmnpqrstvwxz23456789";

    while (true) {
        char id[7] = {0};
        for (unsigned i = 0; i < sizeof id - 1; i++) {
            id[i] = letters[g_random_int_range(0, (gint32)sizeof letters - 1)];
        }
        g_autofree char *name = g_strconcat(id, ENTRY_SUFFIX, NULL);
        g_autofree char *path = g_build_filename(dir, name, NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
            return g_strdup(id);
        }
    }
}

GSocket *
fm_run_entry_listen(const char *dir, const char *id, char **path, GError **error)
{
    g_autofree char *name = g_strconcat(id, SOCKET_SUFFIX, NULL);

    *path = plat_socket_choose_path(dir, name, error);
    return *path != NULL ? plat_socket_listen(*path, error) : NULL;
}

static char *
entry_path(const char *dir, const char *id)
{
    g_autofree char *name = g_strconcat(id, ENTRY_SUFFIX, NULL);
    return g_build_filename(dir, name, NULL);
}

bool
fm_run_entry_write(const char *dir, const FmSessionInfo *info, GError **error)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *path = entry_path(dir, info->id);

    g_key_file_set_string(file, GROUP, "plan", info->plan_id);
    g_key_file_set_string(file, GROUP, "target", info->target);
    g_key_file_set_string(file, GROUP, "output", info->output);
    g_key_file_set_string(file, GROUP, "socket", info->socket);
    g_key_file_set_string_list(file, GROUP, "drives", (const char *const *)info->drives,
                               g_strv_length(info->drives));
    g_key_file_set_int64(file, GROUP, "wall", info->wall_us);
    g_key_file_set_uint64(file, GROUP, "pid", info->pid);
    g_autoptr(GError) lower = NULL;
    if (!g_key_file_save_to_file(file, path, &lower)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        fm_error_set(error, FM_ERROR_IO, "The run can't be listed in “%s”: %p", dir, reason);
        return false;
    }
    return true;
}

void
fm_run_entry_remove(const char *dir, const char *id, const char *socket)
{
    g_autofree char *path = entry_path(dir, id);

    /* The entry first: an entry without a socket looks like a killed host. */
    g_unlink(path);
    plat_socket_remove(dir, socket);
}

/* --- Listing ---------------------------------------------------------------------- */

static FmSessionInfo *
read_entry(const char *dir, const char *id)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    g_autofree char *path = entry_path(dir, id);

    if (!g_key_file_load_from_file(file, path, G_KEY_FILE_NONE, NULL)) {
        return NULL;
    }
    FmSessionInfo *info = g_new0(FmSessionInfo, 1);
    info->id = g_strdup(id);
    info->plan_id = g_key_file_get_string(file, GROUP, "plan", NULL);
    info->target = g_key_file_get_string(file, GROUP, "target", NULL);
    info->output = g_key_file_get_string(file, GROUP, "output", NULL);
    info->socket = g_key_file_get_string(file, GROUP, "socket", NULL);
    info->drives = g_key_file_get_string_list(file, GROUP, "drives", NULL, NULL);
    info->wall_us = g_key_file_get_int64(file, GROUP, "wall", NULL);
    info->pid = (guint)g_key_file_get_uint64(file, GROUP, "pid", NULL);
    if (info->drives == NULL) {
        info->drives = g_new0(char *, 1);
    }
    if (info->plan_id == NULL || info->target == NULL || info->output == NULL ||
        info->socket == NULL) {
        g_clear_pointer(&info, fm_session_info_free);
    }
    return info;
}

/* True when nobody listens on @socket any more; a host that is only busy lives. */
static bool
is_dead(const char *socket)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GSocketConnection) connection = plat_socket_connect(socket, &error);

    return connection == NULL && g_error_matches(error, FM_ERROR, FM_ERROR_GONE);
}

/* A host that was killed before its worker said a word leaves a file without a run. */
static void
remove_if_empty(const char *path)
{
    GStatBuf status;

    if (g_lstat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0) {
        g_unlink(path);
    }
}

static void
add_entry(GPtrArray *runs, const char *dir, const char *id)
{
    FmSessionInfo *info = read_entry(dir, id);

    if (info == NULL) {
        g_autofree char *path = entry_path(dir, id);
        g_unlink(path);
    } else if (is_dead(info->socket)) {
        remove_if_empty(info->output);
        fm_run_entry_remove(dir, id, info->socket);
        fm_session_info_free(info);
    } else {
        g_ptr_array_add(runs, info);
    }
}

/* A socket without an entry: left by a host that was killed at its very start or end. */
static void
clean_socket(const char *dir, const char *name)
{
    g_autofree char *id = g_strndup(name, strlen(name) - strlen(SOCKET_SUFFIX));
    g_autofree char *entry = entry_path(dir, id);
    g_autofree char *path = g_build_filename(dir, name, NULL);
    GStatBuf status;

    if (g_file_test(entry, G_FILE_TEST_EXISTS) || g_lstat(path, &status) != 0) {
        return;
    }
    gint64 age = g_get_real_time() / G_USEC_PER_SEC - (gint64)status.st_mtime;
    if (age > STARTING_SECONDS && is_dead(path)) {
        g_unlink(path);
    }
}

static int
compare_wall(gconstpointer a, gconstpointer b)
{
    const FmSessionInfo *left = *(const FmSessionInfo *const *)a;
    const FmSessionInfo *right = *(const FmSessionInfo *const *)b;

    return (left->wall_us > right->wall_us) - (left->wall_us < right->wall_us);
}

GPtrArray *
fm_run_entry_list(const char *dir)
{
    GPtrArray *runs = g_ptr_array_new_with_free_func((GDestroyNotify)fm_session_info_free);
    g_autoptr(GDir) folder = g_dir_open(dir, 0, NULL);
    const char *name;

    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        if (g_str_has_suffix(name, ENTRY_SUFFIX)) {
            g_autofree char *id = g_strndup(name, strlen(name) - strlen(ENTRY_SUFFIX));
            add_entry(runs, dir, id);
        } else if (g_str_has_suffix(name, SOCKET_SUFFIX)) {
            clean_socket(dir, name);
        }
    }
    plat_test_files_clean();
    g_ptr_array_sort(runs, compare_wall);
    return runs;
}
