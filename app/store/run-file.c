/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing and reading run files.  Nothing that was written is ever changed; only an
 * incomplete frame at the end is cut off, because everything after it would be lost to
 * simple readers.  Host's main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/run-file.h"

#include "base/error.h"
#include "model/little-endian.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <unistd.h>

enum {
    CHUNK_SIZE = 1024 * 1024,
    MAX_BUFFERED = 1024 * 1024,
    /* Kept for another place after an error; more is lost. */
    MAX_KEPT = 64 * 1024 * 1024,
    OFFSET_KIND = 4,
};

struct FmRunFile {
    char *path;
    int descriptor;
    guint64 size; /* bytes of whole frames in the file */
    guint64 written; /* bytes written by us, to all places */
    GByteArray *pending;
    GError *failure; /* first error; sticky */
};

/* --- Descriptors ----------------------------------------------------------------- */

static bool
set_open_error(GError **error, int code, const char *path)
{
    g_autofree char *name = g_filename_display_name(path);

    if (code == EEXIST) {
        fm_error_set(error, FM_ERROR_UNSAFE,
                     "There is a file “%s” already, and a run never overwrites one", name);
    } else {
        fm_error_set_errno(error, code, "The run file “%s” can't be opened", name);
    }
    return false;
}

/* The lock belongs to the open file, not to the process: it goes when the descriptor
 * does, also in a crash, and other descriptors of this process do not release it. */
static bool
lock(int descriptor, const char *path, GError **error)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};

    if (fcntl(descriptor, F_OFD_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN)) {
        /* Some network file systems have no locks; that must not stop a run. */
        return true;
    }
    g_autofree char *name = g_filename_display_name(path);
    fm_error_set(error, FM_ERROR_BUSY, "The run file “%s” is being written by another process",
                 name);
    return false;
}

static int
create(const char *path, GError **error)
{
    int descriptor = g_open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);

    if (descriptor < 0) {
        set_open_error(error, errno, path);
        return -1;
    }
    if (!lock(descriptor, path, error)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

/* Bytes read at @offset, 0 at the end, -1 with errno. */
static gssize
read_at(int descriptor, void *buffer, gsize size, guint64 offset)
{
    gssize n;

    do {
        n = pread(descriptor, buffer, size, (off_t)offset);
    } while (n < 0 && errno == EINTR);
    return n;
}

/* Writes all of it at @offset; false with errno. */
static bool
write_at(int descriptor, const uint8_t *bytes, gsize length, guint64 offset)
{
    while (length > 0) {
        gssize n = pwrite(descriptor, bytes, length, (off_t)offset);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n <= 0) {
            errno = n == 0 ? ENOSPC : errno;
            return false;
        }
        bytes += n;
        offset += (guint64)n;
        length -= (gsize)n;
    }
    return true;
}

static bool
is_regular(int descriptor)
{
    GStatBuf status;

    return fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

/* --- Reading --------------------------------------------------------------------- */

/* Pushes the whole file through @reader and calls @each after every chunk. */
static bool
read_through(int descriptor, FmFrameReader *reader, void (*each)(FmFrameReader *, gpointer),
             gpointer user_data)
{
    g_autofree uint8_t *chunk = g_malloc(CHUNK_SIZE);
    guint64 offset = 0;

    for (;;) {
        gssize n = read_at(descriptor, chunk, CHUNK_SIZE, offset);
        if (n < 0) {
            return false;
        }
        if (n == 0) {
            break;
        }
        fm_frame_reader_push(reader, chunk, (gsize)n);
        each(reader, user_data);
        offset += (guint64)n;
    }
    fm_frame_reader_end(reader);
    each(reader, user_data);
    return true;
}

typedef struct {
    FmRun *run;
    uint64_t n_frames;
    FmRunFilePart part; /* may be NULL */
    gpointer user_data;
} Folding;

static void
fold_cb(FmFrameReader *reader, gpointer user_data)
{
    Folding *folding = user_data;

    folding->n_frames += fm_run_add_all(folding->run, reader);
    if (folding->part != NULL && folding->n_frames > 0) {
        folding->part(folding->run, folding->user_data);
    }
}

FmRun *
fm_run_file_load(const char *path, GError **error)
{
    return fm_run_file_load_in_parts(path, NULL, NULL, error);
}

/* Opens @path and pushes it through @reader. */
static bool
read_file(const char *path, FmFrameReader *reader, void (*each)(FmFrameReader *, gpointer),
          gpointer user_data, GError **error)
{
    /* Not to wait for a writer of a pipe; regular files do not care. */
    int descriptor = g_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);

    if (descriptor < 0) {
        set_open_error(error, errno, path);
        return false;
    }
    bool is_file = is_regular(descriptor);
    bool is_read = is_file && read_through(descriptor, reader, each, user_data);
    int code = errno;
    close(descriptor);
    if (!is_read && is_file) {
        g_autofree char *name = g_filename_display_name(path);
        fm_error_set_errno(error, code, "The run file “%s” can't be read", name);
        return false;
    }
    return true;
}

FmRun *
fm_run_file_load_in_parts(const char *path, FmRunFilePart part, gpointer user_data, GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(FmRun) run = fm_run_new();
    Folding folding = {.run = run, .part = part, .user_data = user_data};

    if (!read_file(path, reader, fold_cb, &folding, error)) {
        return NULL;
    }
    if (folding.n_frames == 0) {
        g_autofree char *name = g_filename_display_name(path);
        fm_error_set(error, FM_ERROR_PROTOCOL, "The file “%s” holds no readable part of a run",
                     name);
        return NULL;
    }
    return g_steal_pointer(&run);
}

typedef struct {
    unsigned step;
    FmRunFileLog each;
    gpointer user_data;
    GArray *ios; /* of FmLoggedIo */
} Logging;

static void
take_frame(const Logging *logging, const FmFrame *frame)
{
    FmLatencyLogKey key;
    gsize n_ios;
    guint32 number;

    if (frame->kind == FM_FRAME_PHASE_BEGIN) {
        g_autoptr(GVariant) begin = fm_frame_get_variant(frame, NULL);
        if (begin != NULL && g_variant_lookup(begin, "step", "u", &number) &&
            number == logging->step) {
            logging->each(NULL, 0, logging->user_data);
        }
        return;
    }
    if (frame->kind != FM_FRAME_LATENCY_LOG || !fm_latency_log_check(frame, &key, &n_ios, NULL) ||
        key.step != logging->step) {
        return;
    }
    g_array_set_size(logging->ios, 0);
    if (fm_latency_log_decode(frame, &key, logging->ios, NULL) && logging->ios->len > 0) {
        logging->each((const FmLoggedIo *)(gconstpointer)logging->ios->data, logging->ios->len,
                      logging->user_data);
    }
}

static void
log_cb(FmFrameReader *reader, gpointer user_data)
{
    for (;;) {
        g_auto(FmFrame) frame = {0};
        FmFrameReadStatus status = fm_frame_reader_pop(reader, &frame);
        if (status == FM_FRAME_READ_MORE) {
            return;
        }
        if (status == FM_FRAME_READ_OK) {
            take_frame(user_data, &frame);
        }
    }
}

bool
fm_run_file_read_log(const char *path, unsigned step, FmRunFileLog each, gpointer user_data,
                     GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(GArray) ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo));
    Logging logging = {step, each, user_data, ios};

    return read_file(path, reader, log_cb, &logging, error);
}

bool
fm_run_file_is_run(const char *path)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_auto(FmFrame) frame = {0};
    uint8_t head[4096];
    int descriptor = g_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    gssize n = -1;

    if (descriptor < 0) {
        return false;
    }
    if (is_regular(descriptor)) {
        n = read_at(descriptor, head, sizeof head, 0);
    }
    close(descriptor);
    fm_frame_reader_push(reader, head, n > 0 ? (gsize)n : 0);
    return fm_frame_reader_pop(reader, &frame) == FM_FRAME_READ_OK;
}

bool
fm_run_file_is_busy(const char *path)
{
    int descriptor = g_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};

    if (descriptor < 0) {
        return false;
    }
    bool is_busy = fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
    close(descriptor);
    return is_busy;
}

/* --- Opening --------------------------------------------------------------------- */

static void
discard_cb(FmFrameReader *reader, gpointer user_data)
{
    FmFrameReadStatus status;

    do {
        g_auto(FmFrame) frame = {0};
        status = fm_frame_reader_pop(reader, &frame);
    } while (status != FM_FRAME_READ_MORE);
}

/* Cuts off what is behind the last good frame.  A file without any is left alone, unless
 * it is empty: a crash right after its creation. */
static bool
repair(FmRunFile *file, GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autofree char *name = g_filename_display_name(file->path);
    GStatBuf status;

    if (!is_regular(file->descriptor) ||
        !read_through(file->descriptor, reader, discard_cb, NULL) ||
        fstat(file->descriptor, &status) != 0) {
        fm_error_set_errno(error, errno, "The run file “%s” can't be read", name);
        return false;
    }
    file->size = fm_frame_reader_get_good_offset(reader);
    if (file->size == 0 && status.st_size > 0) {
        fm_error_set(error, FM_ERROR_PROTOCOL,
                     "The file “%s” holds no readable part of a run, so nothing is added to it",
                     name);
        return false;
    }
    if (file->size < (guint64)status.st_size &&
        ftruncate(file->descriptor, (off_t)file->size) != 0) {
        fm_error_set_errno(error, errno, "The incomplete end of “%s” can't be cut off", name);
        return false;
    }
    return true;
}

static void
run_file_free(FmRunFile *file)
{
    if (file->descriptor >= 0) {
        close(file->descriptor);
    }
    g_byte_array_unref(file->pending);
    g_clear_error(&file->failure);
    g_free(file->path);
    g_free(file);
}

static int
open_existing(const char *path, GError **error)
{
    int descriptor = g_open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0);

    if (descriptor < 0) {
        set_open_error(error, errno, path);
        return -1;
    }
    if (!lock(descriptor, path, error)) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

FmRunFile *
fm_run_file_open(const char *path, bool append, GError **error)
{
    int descriptor = append ? open_existing(path, error) : create(path, error);

    if (descriptor < 0) {
        return NULL;
    }
    FmRunFile *file = g_new0(FmRunFile, 1);
    file->descriptor = descriptor;
    file->path = g_strdup(path);
    file->pending = g_byte_array_new();
    if (append && !repair(file, error)) {
        run_file_free(file);
        return NULL;
    }
    return file;
}

/* --- Writing --------------------------------------------------------------------- */

static void
fail(FmRunFile *file, int code)
{
    g_autofree char *name = g_filename_display_name(file->path);

    if (code == ENOSPC || code == EDQUOT || code == EFBIG) {
        g_autoptr(FmMessage) reason = fm_message_new_errno(code);
        fm_error_set(&file->failure, FM_ERROR_NO_SPACE,
                     "The run file “%s” can't grow beyond %ju bytes (%p); what was written so far "
                     "is kept",
                     name, file->size, reason);
        return;
    }
    fm_error_set_errno(&file->failure, code, "The run file “%s” can't be written", name);
}

static void
write_pending(FmRunFile *file)
{
    if (file->failure != NULL || file->pending->len == 0) {
        return;
    }
    if (!write_at(file->descriptor, file->pending->data, file->pending->len, file->size)) {
        fail(file, errno);
        /* The file ends with a whole frame again; if this fails, readers see a cut end. */
        if (ftruncate(file->descriptor, (off_t)file->size) != 0) {
            g_debug("an incomplete frame stays at the end of %s", file->path);
        }
        return;
    }
    file->size += file->pending->len;
    file->written += file->pending->len;
    g_byte_array_set_size(file->pending, 0);
}

void
fm_run_file_append(FmRunFile *file, const void *frame, gsize length)
{
    g_return_if_fail(length >= FM_FRAME_HEADER_SIZE);

    if (file->failure != NULL && file->pending->len + length > MAX_KEPT) {
        return;
    }
    g_byte_array_append(file->pending, frame, (guint)length);
    unsigned kind = fm_get_le16((const uint8_t *)frame + OFFSET_KIND);
    if (kind == FM_FRAME_PHASE_END || kind == FM_FRAME_END || file->pending->len >= MAX_BUFFERED) {
        write_pending(file);
    }
}

/* Somebody removed the file: what is written still has a descriptor, but no name. */
static void
check_name(FmRunFile *file)
{
    GStatBuf status;
    GStatBuf named;

    /* Both, since some file systems count no names. */
    if (file->failure == NULL && fstat(file->descriptor, &status) == 0 && status.st_nlink == 0 &&
        g_lstat(file->path, &named) != 0 && errno == ENOENT) {
        g_autofree char *name = g_filename_display_name(file->path);
        fm_error_set(&file->failure, FM_ERROR_GONE, "The run file “%s” was removed", name);
    }
}

bool
fm_run_file_flush(FmRunFile *file, bool durable, GError **error)
{
    write_pending(file);
    check_name(file);
    if (file->failure == NULL && durable && g_fsync(file->descriptor) != 0) {
        fail(file, errno);
    }
    if (file->failure != NULL) {
        g_propagate_error(error, g_error_copy(file->failure));
        return false;
    }
    return true;
}

guint64
fm_run_file_get_written(const FmRunFile *file)
{
    return file->written;
}

/* Copies the frames in the file to @descriptor. */
static bool
copy_written(const FmRunFile *file, int descriptor)
{
    g_autofree uint8_t *chunk = g_malloc(CHUNK_SIZE);

    for (guint64 offset = 0; offset < file->size;) {
        gsize size = (gsize)MIN(CHUNK_SIZE, file->size - offset);
        gssize n = read_at(file->descriptor, chunk, size, offset);
        if (n <= 0) {
            errno = n == 0 ? EIO : errno;
            return false;
        }
        if (!write_at(descriptor, chunk, (gsize)n, offset)) {
            return false;
        }
        offset += (guint64)n;
    }
    return true;
}

bool
fm_run_file_move(FmRunFile *file, const char *path, GError **error)
{
    g_autofree char *name = g_filename_display_name(path);
    int descriptor = create(path, error);

    if (descriptor < 0) {
        return false;
    }
    if (!copy_written(file, descriptor) ||
        !write_at(descriptor, file->pending->data, file->pending->len, file->size)) {
        fm_error_set_errno(error, errno, "The run can't be copied to “%s”", name);
        close(descriptor);
        g_unlink(path);
        return false;
    }

    close(file->descriptor);
    file->descriptor = descriptor;
    g_free(file->path);
    file->path = g_strdup(path);
    g_clear_error(&file->failure);
    file->written += file->size + file->pending->len;
    file->size += file->pending->len;
    g_byte_array_set_size(file->pending, 0);
    return true;
}

bool
fm_run_file_close(FmRunFile *file, GError **error)
{
    bool is_kept = fm_run_file_flush(file, true, error);

    run_file_free(file);
    return is_kept;
}
