/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The error domain and the fold from errno.  Any thread may call it.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"

#include <errno.h>
#include <stdarg.h>

GQuark
fm_error_quark(void)
{
    return g_quark_from_static_string("fm-error-quark");
}

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

void
fm_error_set_errno(GError **error, int os_code, const char *format, ...)
{
    if (error == NULL) {
        return;
    }

    va_list arguments;
    va_start(arguments, format);
    g_autofree char *what = g_strdup_vprintf(format, arguments);
    va_end(arguments);

    g_set_error(error, FM_ERROR, (int)fm_error_from_errno(os_code), "%s: %s", what,
                g_strerror(os_code));
}
