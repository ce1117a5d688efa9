/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds plans and reads their text.  The built-in ones are a resource of the program, so
 * that it works from the build tree, installed and unpacked without knowing where it is.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/plan-files.h"

#include "base/error.h"
#include "base/text.h"
#include "model/plan-reader.h"
#include "store/plans-resource.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#define PLAN_SUFFIX ".json"
#define RESOURCE_FOLDER "/fathom/plans/"

enum { MAX_PLAN_BYTES = 4 * 1024 * 1024 };

void
fm_plan_file_free(FmPlanFile *file)
{
    if (file == NULL) {
        return;
    }
    g_free(file->id);
    g_free(file->path);
    g_free(file);
}

static void
plan_file_free_cb(gpointer data)
{
    fm_plan_file_free(data);
}

/* Folders that hold plans of the user, the strongest first.  Caller frees. */
static char **
user_folders(void)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_autofree char *config = g_build_filename(g_get_user_config_dir(), "fathom", "plans", NULL);
    g_autofree char *data = g_build_filename(g_get_user_data_dir(), "fathom", "plans", NULL);
    const char *override = g_getenv("FATHOM_PLAN_DIR");
    g_strv_builder_add_many(builder, config, data, NULL);
    if (override != NULL && override[0] != '\0') {
        g_strv_builder_add(builder, override);
    }
    return g_strv_builder_end(builder);
}

static bool
uses_resource(void)
{
    const char *override = g_getenv("FATHOM_PLAN_DIR");
    return override == NULL || override[0] == '\0';
}

/* --- List ------------------------------------------------------------------------------ */

static bool
has_id(const GPtrArray *files, const char *id)
{
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = files->pdata[i];
        if (strcmp(file->id, id) == 0) {
            return true;
        }
    }
    return false;
}

/* Adds the plan in the file @name; @folder NULL = inside the program. */
static void
add_name(GPtrArray *files, const char *folder, const char *name)
{
    if (!g_str_has_suffix(name, PLAN_SUFFIX) || name[0] == '.') {
        return;
    }
    g_autofree char *id = g_strndup(name, strlen(name) - strlen(PLAN_SUFFIX));
    if (has_id(files, id)) {
        return;
    }
    FmPlanFile *file = g_new0(FmPlanFile, 1);
    file->id = g_steal_pointer(&id);
    file->path = folder != NULL ? g_build_filename(folder, name, NULL) : NULL;
    g_ptr_array_add(files, file);
}

static int
compare_files_cb(gconstpointer a, gconstpointer b)
{
    const FmPlanFile *left = *(const FmPlanFile *const *)a;
    const FmPlanFile *right = *(const FmPlanFile *const *)b;
    return strcmp(left->id, right->id);
}

GPtrArray *
fm_plan_files_list(void)
{
    GPtrArray *files = g_ptr_array_new_with_free_func(plan_file_free_cb);
    g_auto(GStrv) folders = user_folders();
    for (char **folder = folders; *folder != NULL; folder++) {
        g_autoptr(GDir) dir = g_dir_open(*folder, 0, NULL);
        for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
            add_name(files, *folder, name);
        }
    }
    if (uses_resource()) {
        g_auto(GStrv) names = g_resource_enumerate_children(
            fm_plans_get_resource(), RESOURCE_FOLDER, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
        for (char **name = names; name != NULL && *name != NULL; name++) {
            add_name(files, NULL, *name);
        }
    }
    g_ptr_array_sort(files, compare_files_cb);
    return files;
}

/* --- Load ------------------------------------------------------------------------------- */

/* A sentence about @path for what GIO said of it. */
static void
set_read_error(GError **error, const char *path, const GError *reason)
{
    g_autofree char *shown = fm_text_dup_printable(path);

    if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_NOT_FOUND)) {
        fm_error_set(error, FM_ERROR_INVALID, "There is no file “%s” to read a plan from", shown);
    } else if (g_error_matches(reason, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” is a folder, not a plan; the plan comes first, then the folder", shown);
    } else {
        g_autoptr(FmMessage) why = fm_error_dup_message(reason);
        fm_error_set(error, FM_ERROR_INVALID, "The plan “%s” can't be read: %p", shown, why);
    }
}

/* The whole text of a file that is not absurdly large.  Caller frees. */
static char *
read_file(const char *path, GError **error)
{
    g_autofree char *shown = fm_text_dup_printable(path);
    g_autoptr(GFile) file = g_file_new_for_path(path);
    g_autoptr(GError) reason = NULL;
    g_autoptr(GFileInputStream) stream = g_file_read(file, NULL, &reason);
    if (stream == NULL) {
        set_read_error(error, path, reason);
        return NULL;
    }
    g_autofree char *text = g_malloc(MAX_PLAN_BYTES + 1);
    gsize length = 0;
    if (!g_input_stream_read_all(G_INPUT_STREAM(stream), text, MAX_PLAN_BYTES + 1, &length, NULL,
                                 &reason)) {
        set_read_error(error, path, reason);
        return NULL;
    }
    if (length > MAX_PLAN_BYTES || memchr(text, '\0', length) != NULL) {
        fm_error_set(error, FM_ERROR_INVALID, "The file “%s” is not a plan", shown);
        return NULL;
    }
    return g_strndup(text, length);
}

static char *
read_resource(const char *id, GError **error)
{
    g_autofree char *path = g_strconcat(RESOURCE_FOLDER, id, PLAN_SUFFIX, NULL);
    g_autoptr(GBytes) bytes = NULL;
    if (uses_resource()) {
        bytes = g_resource_lookup_data(fm_plans_get_resource(), path, G_RESOURCE_LOOKUP_FLAGS_NONE,
                                       NULL);
    }
    if (bytes == NULL) {
        g_autofree char *shown = fm_text_dup_printable(id);
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no plan “%s”; “fathom-cli plans” lists them, and a file is written "
                     "“./NAME”",
                     shown);
        return NULL;
    }
    gsize length;
    const char *text = g_bytes_get_data(bytes, &length);
    return g_strndup(text, length);
}

/* Path of the plan @id if @folder holds it, else NULL.  Caller frees. */
static char *
find_in(const char *folder, const char *id)
{
    g_autofree char *name = g_strconcat(id, PLAN_SUFFIX, NULL);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS) ? g_steal_pointer(&path) : NULL;
}

/* Text of the plan @id, looked for in @beside (or NULL) first.  Caller frees. */
static char *
look_up(const char *id, const char *beside, GError **error)
{
    g_auto(GStrv) folders = user_folders();
    g_autofree char *path = beside != NULL ? find_in(beside, id) : NULL;
    for (char **folder = folders; path == NULL && *folder != NULL; folder++) {
        path = find_in(*folder, id);
    }
    return path != NULL ? read_file(path, error) : read_resource(id, error);
}

static char *
look_up_cb(const char *id, gpointer user_data, GError **error)
{
    return look_up(id, user_data, error);
}

FmPlan *
fm_plan_files_load(const char *id_or_path, const char *const *settings, GError **error)
{
    bool is_path = strpbrk(id_or_path, G_DIR_SEPARATOR_S "/") != NULL ||
                   g_str_has_suffix(id_or_path, PLAN_SUFFIX);
    g_autofree char *beside = is_path ? g_path_get_dirname(id_or_path) : NULL;
    g_autofree char *base =
        is_path ? g_path_get_basename(id_or_path) : g_strconcat(id_or_path, PLAN_SUFFIX, NULL);
    g_autofree char *origin = fm_text_dup_printable(base);
    g_autofree char *text =
        is_path ? read_file(id_or_path, error) : look_up(id_or_path, NULL, error);
    if (text == NULL) {
        return NULL;
    }
    FmPlanSource source = {
        .text = text,
        .length = -1,
        .origin = origin,
        .lookup = look_up_cb,
        .user_data = beside,
    };
    return fm_plan_read(&source, settings, error);
}
