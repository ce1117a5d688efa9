/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks at a path and at what lies below it.  Writes nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/place.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static char *
make_absolute(const char *path)
{
    if (g_path_is_absolute(path)) {
        return g_strdup(path);
    }
    /* ".." is left to the kernel: after a symbolic link it is not the word before it. */
    g_autofree char *here = g_get_current_dir();
    return g_build_filename(here, path, NULL);
}

/* A link to a folder is how people name their disks; a link to a file could lead the
 * writes anywhere. */
static bool
refuse_link(const char *path, GError **error)
{
    struct stat link;
    struct stat target;
    if (lstat(path, &link) != 0 || !S_ISLNK(link.st_mode) || stat(path, &target) != 0 ||
        S_ISDIR(target.st_mode)) {
        return false;
    }
    g_autofree char *where = g_file_read_link(path, NULL);
    fm_error_set(error, FM_ERROR_UNSAFE,
                 "“%s” is a symbolic link to “%s”; only the real name of a file is accepted", path,
                 where != NULL ? where : "?");
    return true;
}

/* Where the kernel does not number mounts (before 5.8), the longest path decides. */
static const FmMount *
find_mount(const FmPlace *place)
{
    if ((place->status.stx_mask & STATX_MNT_ID) != 0) {
        return plat_mounts_find_id(place->mounts, place->status.stx_mnt_id);
    }
    g_autofree char *link = g_strdup_printf("/proc/self/fd/%d", place->descriptor);
    g_autofree char *real = g_file_read_link(link, NULL);
    return real != NULL ? plat_mounts_find_path(place->mounts, real) : NULL;
}

FmPlace *
plat_place_new(const char *path, GError **error)
{
    g_autoptr(FmPlace) place = g_new0(FmPlace, 1);
    place->path = make_absolute(path);
    place->mounts = plat_mounts_read();
    place->descriptor = -1;
    if (refuse_link(place->path, error)) {
        return NULL;
    }
    place->descriptor = open(place->path, O_PATH | O_CLOEXEC);
    if (place->descriptor < 0 ||
        statx(place->descriptor, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_MNT_ID,
              &place->status) != 0 ||
        fstatfs(place->descriptor, &place->system) != 0) {
        fm_error_set_errno(error, errno, "The target “%s” can't be examined", path);
        return NULL;
    }
    place->mount = find_mount(place);
    place->blocks = place->mount != NULL
                        ? plat_block_list_of_mount(place->mount, place->mounts)
                        : g_ptr_array_new_with_free_func((GDestroyNotify)plat_block_free);
    return g_steal_pointer(&place);
}

void
plat_place_free(FmPlace *place)
{
    if (place == NULL) {
        return;
    }
    if (place->descriptor >= 0) {
        close(place->descriptor);
    }
    g_free(place->path);
    g_clear_pointer(&place->blocks, g_ptr_array_unref);
    g_clear_pointer(&place->mounts, g_ptr_array_unref);
    g_free(place);
}

const char *
plat_place_get_type(const FmPlace *place)
{
    return place->mount != NULL ? place->mount->type : "";
}

GPtrArray *
plat_place_list_drives(const FmPlace *place)
{
    GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < place->blocks->len; i++) {
        plat_block_collect_drives((const FmBlock *)place->blocks->pdata[i], names);
    }
    return names;
}

static bool
is_memory_system(const struct statfs *system)
{
    switch ((unsigned long)system->f_type) {
    case TMPFS_MAGIC:
    case RAMFS_MAGIC:
    case HUGETLBFS_MAGIC:
        return true;
    default:
        return false;
    }
}

static bool
is_memory_drive(const char *name)
{
    return g_str_has_prefix(name, "zram") ||
           (g_str_has_prefix(name, "ram") && g_ascii_isdigit(name[3]));
}

bool
plat_place_is_memory(const FmPlace *place)
{
    if (is_memory_system(&place->system)) {
        return true;
    }
    g_autoptr(GPtrArray) drives = plat_place_list_drives(place);
    for (guint i = 0; i < drives->len; i++) {
        if (!is_memory_drive((const char *)drives->pdata[i])) {
            return false;
        }
    }
    return drives->len > 0;
}

bool
plat_place_get_flags(const FmPlace *place, unsigned *flags)
{
    int value = 0;
    int descriptor = open(place->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    bool known = ioctl(descriptor, FS_IOC_GETFLAGS, &value) == 0;
    close(descriptor);
    *flags = (unsigned)value;
    return known;
}
