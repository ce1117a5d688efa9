/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes and frees the plain structs of platform.h; the same on every system.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

FmMountInfo *
fm_mount_info_new(const char *path, const char *file_system, bool read_only)
{
    FmMountInfo *mount = g_new0(FmMountInfo, 1);
    mount->path = g_strdup(path);
    mount->file_system = g_strdup(file_system);
    mount->read_only = read_only;
    return mount;
}

void
fm_mount_info_free(FmMountInfo *mount)
{
    if (mount == NULL) {
        return;
    }
    g_free(mount->path);
    g_free(mount->file_system);
    g_free(mount);
}

FmDriveInfo *
fm_drive_info_new(void)
{
    FmDriveInfo *drive = g_new0(FmDriveInfo, 1);
    drive->node = g_strdup("");
    drive->model = g_strdup("");
    drive->serial = g_strdup("");
    drive->firmware = g_strdup("");
    drive->bus = g_strdup("");
    drive->mounts = g_ptr_array_new_with_free_func((GDestroyNotify)fm_mount_info_free);
    drive->facts = fm_facts_new();
    return drive;
}

void
fm_drive_info_free(FmDriveInfo *drive)
{
    if (drive == NULL) {
        return;
    }
    g_free(drive->node);
    g_free(drive->model);
    g_free(drive->serial);
    g_free(drive->firmware);
    g_free(drive->bus);
    g_ptr_array_unref(drive->mounts);
    fm_facts_free(drive->facts);
    g_free(drive);
}

static void
set_text(FmFacts *facts, const char *name, const char *text)
{
    if (text[0] != '\0') {
        fm_facts_set_string(facts, name, text);
    } else {
        fm_facts_set_unknown(facts, name, "the drive does not tell");
    }
}

static void
set_number(FmFacts *facts, const char *name, uint64_t value)
{
    if (value != 0) {
        fm_facts_set_uint(facts, name, value);
    } else {
        fm_facts_set_unknown(facts, name, "the system does not tell");
    }
}

static FmFacts *
drive_to_facts(const FmDriveInfo *drive)
{
    FmFacts *facts = fm_facts_new();
    fm_facts_merge(facts, drive->facts);
    set_text(facts, "drive.node", drive->node);
    set_text(facts, "drive.model", drive->model);
    set_text(facts, "drive.serial", drive->serial);
    set_text(facts, "drive.firmware", drive->firmware);
    set_text(facts, "drive.bus", drive->bus);
    set_number(facts, "drive.size-bytes", drive->size);
    set_number(facts, "drive.logical-block", drive->logical_block);
    set_number(facts, "drive.physical-block", drive->physical_block);
    fm_facts_set_bool(facts, "drive.rotational", drive->rotational);
    fm_facts_set_bool(facts, "drive.removable", drive->removable);
    fm_facts_set_bool(facts, "drive.read-only", drive->read_only);
    return facts;
}

/* Facts of the drive with this number, from 2, under names of its own. */
static FmFacts *
rename_facts(const FmFacts *facts, guint number)
{
    g_autoptr(GVariant) dictionary = g_variant_ref_sink(fm_facts_to_variant(facts));
    GVariantDict renamed;
    GVariantIter iter;
    const char *name;
    GVariant *value;
    g_variant_dict_init(&renamed, NULL);
    g_variant_iter_init(&iter, dictionary);
    while (g_variant_iter_next(&iter, "{&sv}", &name, &value)) {
        bool of_drive = g_str_has_prefix(name, "drive.");
        g_autofree char *other = of_drive ? g_strdup_printf("drive-%u.%s", number, name + 6)
                                          : g_strdup_printf("drive-%u.%s", number, name);
        g_variant_dict_insert_value(&renamed, other, value);
        g_variant_unref(value);
    }
    g_autoptr(GVariant) all = g_variant_ref_sink(g_variant_dict_end(&renamed));
    return fm_facts_from_variant(all);
}

FmFacts *
fm_drives_to_facts(const GPtrArray *drives)
{
    FmFacts *facts = fm_facts_new();
    fm_facts_set_uint(facts, "drive.count", drives->len);
    for (guint i = 0; i < drives->len; i++) {
        g_autoptr(FmFacts) one = drive_to_facts((const FmDriveInfo *)drives->pdata[i]);
        g_autoptr(FmFacts) renamed = i > 0 ? rename_facts(one, i + 1) : NULL;
        fm_facts_merge(facts, renamed != NULL ? renamed : one);
    }
    return facts;
}
