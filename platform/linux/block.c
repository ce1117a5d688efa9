/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Block devices and what they stand on, read from sysfs.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/block.h"

#include "platform/linux/sysfs.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 16, /* real stacks have five levels; ends a tree that points at itself */
};

void
plat_block_free(FmBlock *block)
{
    if (block == NULL) {
        return;
    }
    g_free(block->name);
    g_free(block->directory);
    g_free(block->kind);
    g_free(block->detail);
    g_ptr_array_unref(block->below);
    g_free(block);
}

static char *
dup_device_mapper_kind(const char *directory)
{
    g_autofree char *uuid = plat_sysfs_read(directory, "dm/uuid");
    if (uuid != NULL && g_str_has_prefix(uuid, "CRYPT-")) {
        return g_strdup("crypt");
    }
    if (uuid != NULL && g_str_has_prefix(uuid, "LVM-")) {
        return g_strdup("lvm");
    }
    return g_strdup("dm");
}

static bool
has(const char *directory, const char *name)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    return g_file_test(path, G_FILE_TEST_EXISTS);
}

static void
classify(FmBlock *block)
{
    const char *directory = block->directory;
    if (has(directory, "partition")) {
        block->kind = g_strdup("partition");
    } else if (has(directory, "dm")) {
        block->kind = dup_device_mapper_kind(directory);
        block->detail = plat_sysfs_read(directory, "dm/name");
    } else if (has(directory, "md")) {
        block->kind = g_strdup("md");
        block->detail = plat_sysfs_read(directory, "md/level");
    } else if (g_str_has_prefix(block->name, "loop")) {
        block->kind = g_strdup("loop");
        block->detail = plat_sysfs_read(directory, "loop/backing_file");
    } else {
        block->kind = g_strdup("disk");
    }
}

static FmBlock *block_new_at(const char *link, unsigned depth);

static void
add_below(FmBlock *block, unsigned depth)
{
    if (strcmp(block->kind, "partition") == 0) {
        g_autofree char *parent = g_path_get_dirname(block->directory);
        FmBlock *disk = block_new_at(parent, depth);
        if (disk != NULL) {
            g_ptr_array_add(block->below, disk);
        }
        return;
    }
    g_autofree char *slaves = g_build_filename(block->directory, "slaves", NULL);
    g_auto(GStrv) names = plat_sysfs_list(slaves);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *link = g_build_filename(slaves, *name, NULL);
        FmBlock *slave = block_new_at(link, depth);
        if (slave != NULL) {
            g_ptr_array_add(block->below, slave);
        }
    }
}

static FmBlock *
block_new_at(const char *link, unsigned depth)
{
    g_autofree char *directory = realpath(link, NULL);
    if (directory == NULL || depth > DEEPEST) {
        return NULL;
    }
    FmBlock *block = g_new0(FmBlock, 1);
    block->name = g_path_get_basename(directory);
    block->directory = g_steal_pointer(&directory);
    block->below = g_ptr_array_new_with_free_func((GDestroyNotify)plat_block_free);
    classify(block);
    add_below(block, depth + 1);
    return block;
}

FmBlock *
plat_block_new(const char *name)
{
    g_autofree char *link = plat_sysfs_path("class/block/%s", name);
    return block_new_at(link, 0);
}

FmBlock *
plat_block_new_from_number(unsigned major, unsigned minor)
{
    g_autofree char *link = plat_sysfs_path("dev/block/%u:%u", major, minor);
    return block_new_at(link, 0);
}

static void
add_named(GPtrArray *blocks, const char *name)
{
    FmBlock *block = plat_block_new(name);
    if (block != NULL) {
        g_ptr_array_add(blocks, block);
    }
}

/* btrfs hides its devices behind a number of its own; sysfs lists them by file system. */
static bool
add_btrfs_devices(GPtrArray *blocks, const char *name)
{
    g_autofree char *root = plat_sysfs_path("fs/btrfs");
    g_auto(GStrv) systems = plat_sysfs_list(root);
    for (char **system = systems; *system != NULL; system++) {
        g_autofree char *devices = g_build_filename(root, *system, "devices", NULL);
        g_auto(GStrv) members = plat_sysfs_list(devices);
        if (!g_strv_contains((const char *const *)members, name)) {
            continue;
        }
        for (char **member = members; *member != NULL; member++) {
            add_named(blocks, *member);
        }
        return true;
    }
    return false;
}

static void
add_from_source(GPtrArray *blocks, const FmMount *mount)
{
    if (!g_str_has_prefix(mount->source, "/dev/")) {
        return;
    }
    g_autofree char *node = realpath(mount->source, NULL);
    g_autofree char *name = g_path_get_basename(node != NULL ? node : mount->source);
    if (strcmp(mount->type, "btrfs") == 0 && add_btrfs_devices(blocks, name)) {
        return;
    }
    add_named(blocks, name);
}

static const FmMount *
find_upper(const FmMount *mount, const GPtrArray *mounts)
{
    g_autofree char *upper = plat_mount_dup_option(mount, "upperdir");
    if (upper == NULL || !g_path_is_absolute(upper)) {
        return NULL;
    }
    const FmMount *below = plat_mounts_find_path(mounts, upper);
    return below != mount && below != NULL && strcmp(below->type, "overlay") != 0 ? below : NULL;
}

GPtrArray *
plat_block_list_of_mount(const FmMount *mount, const GPtrArray *mounts)
{
    GPtrArray *blocks = g_ptr_array_new_with_free_func((GDestroyNotify)plat_block_free);
    if (strcmp(mount->type, "overlay") == 0) {
        mount = find_upper(mount, mounts);
    }
    if (mount == NULL) {
        return blocks;
    }
    if (mount->major == 0) {
        add_from_source(blocks, mount);
        return blocks;
    }
    FmBlock *block = plat_block_new_from_number(mount->major, mount->minor);
    if (block != NULL) {
        g_ptr_array_add(blocks, block);
    }
    return blocks;
}

void
plat_block_collect_drives(const FmBlock *block, GPtrArray *names)
{
    if (block->below->len == 0) {
        if (!g_ptr_array_find_with_equal_func(names, block->name, g_str_equal, NULL)) {
            g_ptr_array_add(names, g_strdup(block->name));
        }
        return;
    }
    for (guint i = 0; i < block->below->len; i++) {
        plat_block_collect_drives((const FmBlock *)block->below->pdata[i], names);
    }
}

static void
describe(const FmBlock *block, GString *text)
{
    g_string_append(text, block->name);
    bool plain = strcmp(block->kind, "disk") == 0 || strcmp(block->kind, "partition") == 0;
    if (!plain && block->detail != NULL) {
        g_string_append_printf(text, " (%s %s)", block->kind, block->detail);
    } else if (!plain) {
        g_string_append_printf(text, " (%s)", block->kind);
    }
    for (guint i = 0; i < block->below->len; i++) {
        g_string_append(text, i == 0 ? " on " : " and ");
        describe((const FmBlock *)block->below->pdata[i], text);
    }
}

char *
plat_block_describe(const FmBlock *block)
{
    GString *text = g_string_new(NULL);
    describe(block, text);
    return g_string_free(text, FALSE);
}

const FmBlock *
plat_block_find_kind(const FmBlock *block, const char *kind)
{
    if (strcmp(block->kind, kind) == 0) {
        return block;
    }
    const FmBlock *found = NULL;
    for (guint i = 0; i < block->below->len && found == NULL; i++) {
        found = plat_block_find_kind((const FmBlock *)block->below->pdata[i], kind);
    }
    return found;
}
