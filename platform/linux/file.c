/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Our own test file on Linux.  Never follows a link, never opens a file of others for
 * writing, never truncates one that exists.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform-file.h"

#include "base/error.h"
#include "platform/linux/file-journal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

enum {
    EXTENTS_AT_ONCE = 256,
};

struct FmFile {
    char *path;
    int descriptor;
    bool is_direct;
    bool is_no_cow;
    dev_t device;
    ino_t inode;
    FmJournalEntry entry;
};

/* --- Making ------------------------------------------------------------------- */

/* From the kernel: a generator of the process repeats itself after a fork. */
static uint64_t
draw_name_bits(void)
{
    uint64_t bits;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits) {
        bits = (uint64_t)g_random_int() << 32 | g_random_int();
    }
    return bits;
}

static char *
make_path(const char *folder)
{
    g_autofree char *name =
        g_strdup_printf("fathom-test-%016" G_GINT64_MODIFIER "x.dat", draw_name_bits());
    g_autofree char *absolute = g_path_is_absolute(folder) ? g_strdup(folder) : NULL;
    if (absolute == NULL) {
        g_autofree char *here = g_get_current_dir();
        absolute = g_build_filename(here, folder, NULL);
    }
    return g_build_filename(absolute, name, NULL);
}

static bool
try_no_cow(int descriptor)
{
    int flags = 0;
    if (ioctl(descriptor, FS_IOC_GETFLAGS, &flags) != 0) {
        return false;
    }
    flags |= FS_NOCOW_FL;
    return ioctl(descriptor, FS_IOC_SETFLAGS, &flags) == 0;
}

/* File systems without direct I/O refuse the flag; the verdict will say so. */
static bool
try_direct(int descriptor)
{
    int flags = fcntl(descriptor, F_GETFL);
    return flags >= 0 && fcntl(descriptor, F_SETFL, flags | O_DIRECT) == 0;
}

static void
file_free(FmFile *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    g_free(file->path);
    g_free(file);
}

static void
identify(FmFile *file, const struct stat *status)
{
    file->device = status->st_dev;
    file->inode = status->st_ino;
    file->is_direct = try_direct(file->descriptor);
    plat_journal_complete(&file->entry, file->path, status);
}

FmFile *
plat_file_create(const char *folder, bool no_cow, GError **error)
{
    FmFile *file = g_new0(FmFile, 1);
    file->path = make_path(folder);
    if (!plat_journal_begin(&file->entry, file->path)) {
        g_debug("no journal entry for %s", file->path);
    }
    file->descriptor =
        open(file->path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);
    struct stat status;
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
        fm_error_set_errno(error, errno, "No test file can be made in “%s”", folder);
        plat_journal_end(&file->entry);
        file_free(file);
        return NULL;
    }
    file->is_no_cow = no_cow && try_no_cow(file->descriptor);
    g_autofree char *name = g_path_get_basename(file->path);
    if (fsetxattr(file->descriptor, FM_FILE_MARK, name, strlen(name), 0) != 0) {
        g_debug("no mark on %s", file->path); /* the journal alone knows it then */
    }
    identify(file, &status);
    return file;
}

FmFile *
plat_file_open_own(const char *path, GError **error)
{
    FmFile *file = g_new0(FmFile, 1);
    struct stat status;
    file->path = g_strdup(path);
    file->entry.descriptor = -1;
    file->descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
        fm_error_set_errno(error, errno, "The test file “%s” can't be opened", path);
        file_free(file);
        return NULL;
    }
    if (!plat_journal_knows(path, &status)) {
        fm_error_set(error, FM_ERROR_UNSAFE, "“%s” is not a test file of Fathom", path);
        file_free(file);
        return NULL;
    }
    if (!plat_journal_begin(&file->entry, path)) {
        g_debug("no journal entry for %s", path);
    }
    identify(file, &status);
    return file;
}

const char *
plat_file_get_path(const FmFile *file)
{
    return file->path;
}

int
plat_file_get_descriptor(const FmFile *file)
{
    return file->descriptor;
}

bool
plat_file_is_direct(const FmFile *file)
{
    return file->is_direct;
}

bool
plat_file_is_no_cow(const FmFile *file)
{
    return file->is_no_cow;
}

bool
plat_file_is_journaled(const FmFile *file)
{
    return file->entry.descriptor >= 0;
}

/* --- Filling ------------------------------------------------------------------ */

static uint64_t
get_stored_bytes(int descriptor)
{
    struct stat status;
    return fstat(descriptor, &status) == 0 ? (uint64_t)status.st_blocks * 512 : 0;
}

/*
 * btrfs writes into reserved space in place and uncompressed, once: that would hide
 * what the user's setting does, so nothing is reserved there.
 */
static bool
can_reserve(int descriptor)
{
    struct statfs system;
    return fstatfs(descriptor, &system) == 0 && (unsigned long)system.f_type != BTRFS_SUPER_MAGIC;
}

int
plat_file_allocate(FmFile *file, uint64_t size, uint64_t *reserved)
{
    *reserved = 0;
    if (ftruncate(file->descriptor, (off_t)size) != 0) {
        return errno == EFBIG ? 0 : errno;
    }
    if (!can_reserve(file->descriptor)) {
        return 0;
    }
    int status = fallocate(file->descriptor, 0, 0, (off_t)size) == 0 ? 0 : errno;
    *reserved = get_stored_bytes(file->descriptor);
    return status == EOPNOTSUPP || status == ENOSYS ? 0 : status;
}

/* Moving nothing without an error is an error, or a loop around it would never end. */
static int64_t
moved_or_error(ssize_t n)
{
    if (n == 0) {
        return -EIO;
    }
    return n > 0 ? n : -errno;
}

int64_t
plat_file_write(FmFile *file, const void *buffer, size_t length, uint64_t offset)
{
    ssize_t n = pwrite(file->descriptor, buffer, length, (off_t)offset);
    return moved_or_error(n);
}

int64_t
plat_file_read(FmFile *file, void *buffer, size_t length, uint64_t offset)
{
    ssize_t n = pread(file->descriptor, buffer, length, (off_t)offset);
    return moved_or_error(n);
}

int
plat_file_sync(FmFile *file)
{
    return fsync(file->descriptor) == 0 ? 0 : errno;
}

/* --- Extents ------------------------------------------------------------------ */

typedef struct {
    struct fiemap head;
    struct fiemap_extent extents[EXTENTS_AT_ONCE];
} ExtentMap;

static void
count_extent(FmFileExtents *extents, const struct fiemap_extent *extent, uint64_t *mapped)
{
    extents->extents++;
    if ((extent->fe_flags & FIEMAP_EXTENT_UNWRITTEN) == 0) {
        *mapped += extent->fe_length;
    }
    if ((extent->fe_flags & FIEMAP_EXTENT_ENCODED) != 0) {
        extents->compressed_bytes += extent->fe_length;
    }
}

static bool
map_extents(int descriptor, uint64_t size, FmFileExtents *extents)
{
    g_autofree ExtentMap *map = g_new0(ExtentMap, 1);
    uint64_t mapped = 0;
    uint64_t at = 0;
    bool last = false;
    memset(extents, 0, sizeof *extents);
    while (!last && at < size) {
        map->head.fm_start = at;
        map->head.fm_length = size - at;
        map->head.fm_flags = 0;
        map->head.fm_extent_count = EXTENTS_AT_ONCE;
        if (ioctl(descriptor, FS_IOC_FIEMAP, &map->head) != 0) {
            return false;
        }
        unsigned n = map->head.fm_mapped_extents;
        for (unsigned i = 0; i < n; i++) {
            count_extent(extents, &map->extents[i], &mapped);
            at = map->extents[i].fe_logical + map->extents[i].fe_length;
        }
        last = n == 0 || (map->extents[n - 1].fe_flags & FIEMAP_EXTENT_LAST) != 0;
    }
    extents->unwritten_bytes = mapped < size ? size - mapped : 0;
    return true;
}

bool
plat_file_get_extents(const FmFile *file, FmFileExtents *extents)
{
    struct stat status;
    return fstat(file->descriptor, &status) == 0 &&
           map_extents(file->descriptor, (uint64_t)status.st_size, extents);
}

/* --- Closing and judging ------------------------------------------------------ */

/* Only the file that was opened goes, even if somebody put another in its place. */
static void
remove_file(const FmFile *file)
{
    struct stat status;
    if (lstat(file->path, &status) == 0 && status.st_dev == file->device &&
        status.st_ino == file->inode && unlink(file->path) != 0) {
        g_debug("%s can't be removed: %s", file->path, g_strerror(errno));
    }
}

void
plat_file_close(FmFile *file, bool keep)
{
    if (file == NULL) {
        return;
    }
    if (!keep) {
        remove_file(file);
    }
    plat_journal_end(&file->entry);
    file_free(file);
}

bool
plat_file_is_own(const char *path, uint64_t *unwritten)
{
    struct stat status;
    FmFileExtents extents = {0};
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    bool own = fstat(descriptor, &status) == 0 && plat_journal_knows(path, &status);
    if (unwritten != NULL) {
        bool known = map_extents(descriptor, (uint64_t)status.st_size, &extents);
        *unwritten = known ? extents.unwritten_bytes : 0;
    }
    close(descriptor);
    return own;
}
