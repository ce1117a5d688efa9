/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error domain, the fold from errno and the words for it.  Any thread may call it.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdarg.h>
#include <string.h>

/* What GLib keeps beside code and message. */
typedef struct {
    FmMessage *message; /* NULL only while it is being set */
} FmErrorPrivate;

static void
fm_error_private_init(FmErrorPrivate *private)
{
    g_assert(private != NULL);
    private->message = NULL;
}

static void
fm_error_private_copy(const FmErrorPrivate *source, FmErrorPrivate *copy)
{
    g_assert(source != NULL && copy != NULL);
    copy->message = fm_message_ref(source->message);
}

static void
fm_error_private_clear(FmErrorPrivate *private)
{
    g_assert(private != NULL);
    fm_message_unref(private->message);
}

G_DEFINE_EXTENDED_ERROR(FmError, fm_error)

FmErrorCode
fm_error_from_errno(int os_code)
{
    switch (os_code) {
    case EACCES:
    case EPERM:
    case EROFS:
        return FM_ERROR_DENIED;
    case EBUSY:
    case EAGAIN:
    case ETXTBSY:
        return FM_ERROR_BUSY;
    case ENOENT:
    case ENODEV:
    case ENXIO:
    case ESTALE:
        return FM_ERROR_GONE;
    case EOPNOTSUPP:
    case ENOSYS:
        return FM_ERROR_UNSUPPORTED;
    case ENOSPC:
    case EFBIG:
#ifdef EDQUOT
    case EDQUOT:
#endif
        return FM_ERROR_NO_SPACE;
    case EPROTO:
        return FM_ERROR_PROTOCOL;
    case EINVAL:
    case ENAMETOOLONG:
    case ENOTDIR:
    case EISDIR:
        return FM_ERROR_INVALID;
    case ECANCELED:
    case EINTR:
        return FM_ERROR_CANCELLED;
    default:
        return FM_ERROR_IO;
    }
}

/* The C library's English, so that what the platform says is found here too. */
static const struct {
    int os_code;
    const char *words;
} reasons[] = {
    {EPERM, N_("Operation not permitted")},
    {ENOENT, N_("No such file or directory")},
    {EINTR, N_("Interrupted system call")},
    {EIO, N_("Input/output error")},
    {ENXIO, N_("No such device or address")},
    {EBADF, N_("Bad file descriptor")},
    {EAGAIN, N_("Resource temporarily unavailable")},
    {ENOMEM, N_("Cannot allocate memory")},
    {EACCES, N_("Permission denied")},
    {EBUSY, N_("Device or resource busy")},
    {EEXIST, N_("File exists")},
    {EXDEV, N_("Invalid cross-device link")},
    {ENODEV, N_("No such device")},
    {ENOTDIR, N_("Not a directory")},
    {EISDIR, N_("Is a directory")},
    {EINVAL, N_("Invalid argument")},
    {ENFILE, N_("Too many open files in system")},
    {EMFILE, N_("Too many open files")},
    {ETXTBSY, N_("Text file busy")},
    {EFBIG, N_("File too large")},
    {ENOSPC, N_("No space left on device")},
    {EROFS, N_("Read-only file system")},
    {EPIPE, N_("Broken pipe")},
    {ENAMETOOLONG, N_("File name too long")},
    {ENOSYS, N_("Function not implemented")},
    {ELOOP, N_("Too many levels of symbolic links")},
    {EPROTO, N_("Protocol error")},
    {EOVERFLOW, N_("Value too large for defined data type")},
    {EOPNOTSUPP, N_("Operation not supported")},
    {ECONNREFUSED, N_("Connection refused")},
    {ECONNRESET, N_("Connection reset by peer")},
    {ETIMEDOUT, N_("Connection timed out")},
    {ECANCELED, N_("Operation canceled")},
#ifdef ENODATA
    {ENODATA, N_("No data available")},
#endif
#ifdef EDQUOT
    {EDQUOT, N_("Disk quota exceeded")},
#endif
#ifdef ESTALE
    {ESTALE, N_("Stale file handle")},
#endif
#ifdef EREMOTEIO
    {EREMOTEIO, N_("Remote I/O error")},
#endif
};

FmMessage *
fm_message_new_errno(int os_code)
{
    for (gsize i = 0; i < G_N_ELEMENTS(reasons); i++) {
        if (reasons[i].os_code == os_code) {
            return fm_message_new_words(reasons[i].words);
        }
    }
    return fm_message_new("System error %d", os_code);
}

void
fm_error_set_message(GError **error, FmErrorCode code, FmMessage *message)
{
    if (error == NULL) {
        return;
    }
    g_set_error_literal(error, FM_ERROR, (int)code, fm_message_get_text(message));
    FmErrorPrivate *private = fm_error_get_private(*error);
    g_assert(private != NULL);
    private->message = fm_message_ref(message);
}

void
fm_error_set(GError **error, FmErrorCode code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autoptr(FmMessage) message = fm_message_new_valist(format, arguments);
    va_end(arguments);
    fm_error_set_message(error, code, message);
}

void
fm_error_set_errno(GError **error, int os_code, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    g_autoptr(FmMessage) what = fm_message_new_valist(format, arguments);
    va_end(arguments);
    g_autoptr(FmMessage) reason = fm_message_new_errno(os_code);
    fm_error_set(error, fm_error_from_errno(os_code), "%p: %p", what, reason);
}

FmMessage *
fm_error_dup_message(const GError *error)
{
    const FmErrorPrivate *private = error->domain == FM_ERROR ? fm_error_get_private(error) : NULL;
    FmMessage *message = private != NULL ? private->message : NULL;

    /* Somebody else may have changed the text. */
    if (message != NULL && strcmp(fm_message_get_text(message), error->message) == 0) {
        return fm_message_ref(message);
    }
    return fm_message_new_verbatim(error->message);
}

char *
fm_error_dup_local(const GError *error)
{
    g_autoptr(FmMessage) message = fm_error_dup_message(error);

    return fm_message_dup_local(message);
}
