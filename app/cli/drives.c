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

static json_t *
mounts_to_json(const FmDriveInfo *drive)
{
    json_t *array = json_array();

    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        json_t *object = json_object();
        json_object_set_new(object, "path", fm_cli_json_text(mount->path));
        json_object_set_new(object, "file-system", fm_cli_json_text(mount->file_system));
        json_object_set_new(object, "read-only", json_boolean(mount->read_only));
        json_array_append_new(array, object);
    }
    return array;
}

static void
add_fact_cb(const char *name, const char *text, bool known, gpointer user_data)
{
    json_object_set_new((json_t *)user_data, name, known ? fm_cli_json_text(text) : json_null());
}

static json_t *
to_json(gconstpointer item)
{
    const FmDriveInfo *drive = (const FmDriveInfo *)item;
    json_t *object = json_object();
    json_t *facts = json_object();

    json_object_set_new(object, "node", fm_cli_json_text(drive->node));
    json_object_set_new(object, "model", fm_cli_json_text(drive->model));
    json_object_set_new(object, "serial", fm_cli_json_text(drive->serial));
    json_object_set_new(object, "firmware", fm_cli_json_text(drive->firmware));
    json_object_set_new(object, "bus", fm_cli_json_text(drive->bus));
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
    return object;
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
add_row(FmCliTable *table, gconstpointer item)
{
    const FmDriveInfo *drive = (const FmDriveInfo *)item;
    g_autofree char *size = drive->size > 0 ? fm_label_dup_capacity(drive->size, true) : NULL;
    g_autofree char *mounts = dup_mounts(drive);

    fm_cli_table_add(table, drive->node);
    fm_cli_table_add(table, or_null(drive->model));
    fm_cli_table_add(table, or_null(drive->bus));
    fm_cli_table_add(table, size);
    fm_cli_table_add(table, or_null(drive->firmware));
    fm_cli_table_add(table, mounts);
}

static int
run_drives(const FmCommand *command, int argc, char **argv)
{
    static const char *const headings[] = {N_("Drive"),    N_("Model"),      N_("Bus"), N_("Size"),
                                           N_("Firmware"), N_("Mounted at"), NULL};
    const FmListing listing = {
        .load = plat_drives,
        .none = N_("The system tells of no drive."),
        .headings = headings,
        .elastic = 1,
        .add_row = add_row,
        .to_json = to_json,
    };

    return fm_cli_list(command, &listing, argc, argv);
}

const FmCommand fm_command_drives = {
    .name = "drives",
    .summary = N_("lists the drives of this machine and where they are mounted"),
    .examples = {{"drives", N_("All drives as a table.")},
                 {"drives --json", N_("Everything that is known about them, for scripts.")}},
    .run = run_drives,
};
