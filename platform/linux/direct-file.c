/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening the target of a run past the page cache, and trimming it.  Never creates or
 * truncates anything: making the file is the engine's.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/direct-file.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * A descriptor that shares nothing with the given one where the system permits it.  A
 * process that was handed a descriptor but may not open the object itself gets a
 * duplicate: its O_DIRECT then also holds for the original, which only the guard has.
 */
static int
reopen(int descriptor, int flags)
{
    char link[64];

    g_snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    int own = open(link, flags);
    if (own >= 0 || (errno != EACCES && errno != EPERM && errno != ENOENT)) {
        return own;
    }

    int given = fcntl(descriptor, F_GETFL);
    bool may_write = given >= 0 && (given & O_ACCMODE) == O_RDWR;
    if (given < 0 || ((flags & O_ACCMODE) == O_RDWR && !may_write)) {
        errno = EACCES;
        return -1;
    }
    own = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (own >= 0 && fcntl(own, F_SETFL, (given & ~O_DIRECT) | (flags & O_DIRECT)) != 0) {
        int status = errno;
        close(own);
        errno = status;
        return -1;
    }
    return own;
}

bool
plat_direct_file_open(FmDirectFile *file, const FmOpenOptions *options, GError **error)
{
    int flags =
        O_CLOEXEC | (options->writable ? O_RDWR : O_RDONLY) | (options->buffered ? 0 : O_DIRECT);
    struct stat about = {0};

    file->descriptor = options->file_descriptor >= 0
                           ? reopen(options->file_descriptor, flags)
                           : open(options->path, flags | O_NOFOLLOW | O_NOCTTY);
    if (file->descriptor < 0 && errno == EINVAL && !options->buffered) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” can't be opened past the page cache: its file system has no direct I/O",
                     options->path);
        return false;
    }
    if (file->descriptor < 0) {
        fm_error_set_errno(error, errno, "“%s” can't be opened", options->path);
        return false;
    }
    if (fstat(file->descriptor, &about) != 0) {
        fm_error_set_errno(error, errno, "“%s” can't be examined", options->path);
        plat_direct_file_close(file);
        return false;
    }
    file->is_block = S_ISBLK(about.st_mode);
    file->writable = options->writable;
    file->direct = !options->buffered;
    return true;
}

void
plat_direct_file_close(FmDirectFile *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
        file->descriptor = -1;
    }
}

int
plat_direct_file_trim(const FmDirectFile *file, uint64_t offset, uint64_t length)
{
    if (!file->writable) {
        return -EBADF;
    }
    if (file->is_block) {
        uint64_t range[2] = {offset, length};
        return ioctl(file->descriptor, BLKDISCARD, range) == 0 ? 0 : -errno;
    }
    int status = fallocate(file->descriptor, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                           (off_t)offset, (off_t)length);
    return status == 0 ? 0 : -errno;
}
