/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * drives: what is built in and where it is mounted.  Reads only what the system tells
 * anybody.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/label.h"
#include "cli/cli.h"
#include "platform/platform.h"

#include <glib/gi18n.h>

static const char *
or_null(const char *text)
{
    return text != NULL && *text != '\0' ? text : NULL;
}

/* jansson takes valid UTF-8 only; drives call themselves anything. */
static json_t *
string_or_null(const char *text)
{
    g_autofree char *valid = or_null(text) != NULL ? g_utf8_make_valid(text, -1) : NULL;

    return valid != NULL ? json_string(valid) : json_null();
}

static json_t *
mounts_to_json(const FmDriveInfo *drive)
{
    json_t *array = json_array();

    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        json_t *object = json_object();
        json_object_set_new(object, "path", string_or_null(mount->path));
        json_object_set_new(object, "file-system", string_or_null(mount->file_system));
        json_object_set_new(object, "read-only", json_boolean(mount->read_only));
        json_array_append_new(array, object);
    }
    return array;
}

static void
add_fact_cb(const char *name, const char *text, bool known, gpointer user_data)
{
    json_object_set_new((json_t *)user_data, name, known ? string_or_null(text) : json_null());
}

static void
print_json(GPtrArray *drives)
{
    json_t *array = json_array();

    for (guint i = 0; i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, i);
        json_t *object = json_object();
        json_t *facts = json_object();
        json_object_set_new(object, "node", string_or_null(drive->node));
        json_object_set_new(object, "model", string_or_null(drive->model));
        json_object_set_new(object, "serial", string_or_null(drive->serial));
        json_object_set_new(object, "firmware", string_or_null(drive->firmware));
        json_object_set_new(object, "bus", string_or_null(drive->bus));
        json_object_set_new(object, "size",
                            drive->size > 0 ? json_integer((json_int_t)drive->size) : json_null());
        json_object_set_new(object, "logical-block", json_integer(drive->logical_block));
        json_object_set_new(object, "physical-block", json_integer(drive->physical_block));
        json_object_set_new(object, "rotational", json_boolean(drive->rotational));
        json_object_set_new(object, "removable", json_boolean(drive->removable));
        json_object_set_new(object, "read-only", json_boolean(drive->read_only));
        json_object_set_new(object, "mounts", mounts_to_json(drive));
        fm_facts_foreach(drive->facts, add_fact_cb, facts);
        json_object_set_new(object, "facts", facts);
        json_array_append_new(array, object);
    }
    fm_cli_print_json(array);
}

static char *
dup_mounts(const FmDriveInfo *drive)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", mount->path);
        if (mount->read_only) {
            g_string_append_printf(text, " (%s)", _("read-only"));
        }
    }
    return text->len > 0 ? g_strdup(text->str) : NULL;
}

static void
print_table(GPtrArray *drives)
{
    static const char *const headings[] = {N_("Drive"), N_("Model"),    N_("Bus"),
                                           N_("Size"),  N_("Firmware"), N_("Mounted at")};
    g_autoptr(FmTable) table = fm_table_new(G_N_ELEMENTS(headings));

    for (gsize i = 0; i < G_N_ELEMENTS(headings); i++) {
        fm_table_add(table, _(headings[i]));
    }
    for (guint i = 0; i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, i);
        g_autofree char *size = drive->size > 0 ? fm_label_dup_capacity(drive->size, true) : NULL;
        g_autofree char *mounts = dup_mounts(drive);
        fm_table_add(table, drive->node);
        fm_table_add(table, or_null(drive->model));
        fm_table_add(table, or_null(drive->bus));
        fm_table_add(table, size);
        fm_table_add(table, or_null(drive->firmware));
        fm_table_add(table, mounts);
    }
    fm_table_print(table);
}

static int
run_drives(const FmCommand *command, int argc, char **argv)
{
    gboolean is_json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &is_json, N_("Print JSON"), NULL},
        {NULL},
    };
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autoptr(GPtrArray) drives = plat_drives();
    if (is_json) {
        print_json(drives);
    } else if (drives->len == 0) {
        g_print("%s\n", _("The system tells of no drive."));
    } else {
        print_table(drives);
    }
    return FM_EXIT_OK;
}

const FmCommand fm_command_drives = {
    .name = "drives",
    .summary = N_("lists the drives of this machine and where they are mounted"),
    .examples = {{"drives", N_("All drives as a table.")},
                 {"drives --json", N_("Everything that is known about them, for scripts.")}},
    .run = run_drives,
};
