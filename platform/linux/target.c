/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Examines a target before anything is written, and reads the counters of the drives
 * below it.  The only thing it ever writes is a nameless file of a few bytes.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include "base/error.h"
#include "platform/linux/direct-unit.h"
#include "platform/linux/fs-facts.h"
#include "platform/linux/place.h"
#include "platform/linux/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* File systems that are windows into the kernel. */
static const char *const kernel_types[] = {
    "proc",      "sysfs",  "cgroup", "cgroup2",     "devpts",     "securityfs", "debugfs",
    "tracefs",   "bpf",    "pstore", "efivarfs",    "mqueue",     "configfs",   "fusectl",
    "selinuxfs", "autofs", "nsfs",   "binfmt_misc", "rpc_pipefs", NULL,
};

static bool
find_kind(const FmPlace *place, FmTargetKind *kind, GError **error)
{
    mode_t mode = place->status.stx_mode;
    if (g_strv_contains(kernel_types, plat_place_get_type(place))) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” belongs to the kernel (%s); choose a folder on a drive", place->path,
                     plat_place_get_type(place));
        return false;
    }
    if (S_ISDIR(mode)) {
        *kind = FM_TARGET_FOLDER;
    } else if (S_ISREG(mode)) {
        *kind = FM_TARGET_FILE;
    } else if (S_ISBLK(mode)) {
        *kind = FM_TARGET_DEVICE;
    } else {
        fm_error_set(error, FM_ERROR_INVALID, "“%s” is neither a folder nor a file nor a drive",
                     place->path);
        return false;
    }
    return true;
}

static bool
check_writable(const FmPlace *place, FmTargetKind kind, GError **error)
{
    if ((place->system.f_flags & ST_RDONLY) != 0) {
        fm_error_set(error, FM_ERROR_DENIED,
                     "“%s” is mounted read-only; choose a place that can be written", place->path);
        return false;
    }
    int wanted = kind == FM_TARGET_FOLDER ? R_OK | W_OK | X_OK : R_OK | W_OK;
    if (faccessat(AT_FDCWD, place->path, wanted, AT_EACCESS) != 0) {
        fm_error_set_errno(error, errno, "You may not write to “%s”", place->path);
        return false;
    }
    return true;
}

static void
examine_device(FmTarget *target, const FmPlace *place)
{
    g_autoptr(FmBlock) block =
        plat_block_new_from_number(place->status.stx_rdev_major, place->status.stx_rdev_minor);
    uint64_t value;
    if (block == NULL) {
        return;
    }
    if (plat_sysfs_read_uint(block->directory, "size", &value)) {
        target->size = value * 512;
    }
    if (plat_sysfs_read_uint(block->directory, "queue/logical_block_size", &value)) {
        target->block_size = (uint32_t)value;
    }
    g_autofree char *stack = plat_block_describe(block);
    fm_facts_set_string(target->facts, "stack.description", stack);
}

/* What can be told before a single byte is moved. */
static void
judge_memory(FmTarget *target, const FmPlace *place)
{
    bool loop_in_memory = false;
    fm_facts_get_bool(target->facts, "stack.loop-memory", &loop_in_memory);
    if (plat_place_is_memory(place)) {
        target->verdict_reason =
            fm_message_new("This is memory (%s), not a drive.", plat_place_get_type(place));
    } else if (loop_in_memory) {
        target->verdict_reason =
            fm_message_new("This is memory, not a drive: the loop device's file lies in memory.");
    }
    if (target->verdict_reason != NULL) {
        target->verdict = FM_VERDICT_MEMORY;
    }
}

static bool
examine_files(FmTarget *target, const FmPlace *place, GError **error)
{
    plat_fs_add_facts(target->facts, place);
    target->free_bytes = plat_fs_get_free(target->facts, place);
    judge_memory(target, place);
    if (target->kind == FM_TARGET_FOLDER) {
        return plat_direct_unit_probe(place->path, target->facts, &target->block_size, error);
    }
    target->size = place->status.stx_size;
    target->block_size = plat_direct_unit_of_file(place->path, target->facts);
    return true;
}

FmTarget *
plat_target_examine(const char *path, GError **error)
{
    g_autoptr(FmPlace) place = plat_place_new(path, error);
    FmTargetKind kind;
    if (place == NULL || !find_kind(place, &kind, error)) {
        return NULL;
    }
    g_autoptr(FmTarget) target = fm_target_new(kind, place->path);
    if (kind == FM_TARGET_DEVICE) {
        examine_device(target, place);
        return g_steal_pointer(&target);
    }
    if (!check_writable(place, kind, error) || !examine_files(target, place, error)) {
        return NULL;
    }
    return g_steal_pointer(&target);
}

/* --- Counters ----------------------------------------------------------------- */

enum {
    STAT_READ_SECTORS = 2, /* Documentation/block/stat.rst; sectors of 512 bytes */
    STAT_WRITE_SECTORS = 6,
};

static bool
add_counters(const char *drive, uint64_t *read_bytes, uint64_t *written_bytes)
{
    g_autofree char *path = plat_sysfs_path("class/block/%s/stat", drive);
    g_autofree char *text = plat_sysfs_read(path, NULL);
    if (text == NULL) {
        return false;
    }
    uint64_t fields[STAT_WRITE_SECTORS + 1];
    char *next = text;
    for (gsize i = 0; i < G_N_ELEMENTS(fields); i++) {
        char *end = NULL;
        fields[i] = g_ascii_strtoull(next, &end, 10);
        if (end == next) {
            return false;
        }
        next = end;
    }
    *read_bytes += fields[STAT_READ_SECTORS] * 512;
    *written_bytes += fields[STAT_WRITE_SECTORS] * 512;
    return true;
}

bool
plat_target_counters(const char *path, uint64_t *read_bytes, uint64_t *written_bytes)
{
    g_autoptr(FmPlace) place = plat_place_new(path, NULL);
    if (place == NULL) {
        return false;
    }
    g_autoptr(GPtrArray) drives = plat_place_list_drives(place);
    *read_bytes = 0;
    *written_bytes = 0;
    bool complete = drives->len > 0;
    for (guint i = 0; i < drives->len; i++) {
        complete =
            add_counters((const char *)drives->pdata[i], read_bytes, written_bytes) && complete;
    }
    return complete;
}

static bool
find_number(const char *text, const char *label, uint64_t *value)
{
    const char *line = strstr(text, label);
    if (line == NULL) {
        return false;
    }
    *value = g_ascii_strtoull(line + strlen(label), NULL, 10);
    return true;
}

bool
plat_process_counters(uint64_t *read_bytes, uint64_t *written_bytes)
{
    g_autofree char *path = plat_proc_path("self/io");
    g_autofree char *text = plat_sysfs_read(path, NULL);
    /* The new lines are blanks here; "cancelled_write_bytes:" must not be meant. */
    return text != NULL && find_number(text, " read_bytes:", read_bytes) &&
           find_number(text, " write_bytes:", written_bytes);
}
