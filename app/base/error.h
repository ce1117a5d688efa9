/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one error domain of the program.  Set-up code and everything above the
 * engine reports through GError with these codes; the hot path never does (it
 * counts native status codes instead).  Messages are one sentence that names the
 * object and the reason, in English; translation happens where they are shown.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FM_ERROR (fm_error_quark())

/*
 * FM_ERROR_DENIED       the system or a policy did not permit it
 * FM_ERROR_BUSY         in use by somebody else; may work later
 * FM_ERROR_GONE         the object vanished or changed its identity
 * FM_ERROR_UNSAFE       refused by us: it could destroy data or mislead
 * FM_ERROR_UNSUPPORTED  this system, drive or file system cannot do it
 * FM_ERROR_IO           the medium or the transport failed
 * FM_ERROR_NO_SPACE     device full, quota used up or file-size limit reached
 * FM_ERROR_PROTOCOL     a frame, file or peer broke the agreed format
 * FM_ERROR_INVALID      what the user or a plan asked for makes no sense
 * FM_ERROR_CANCELLED    stopped on request
 */
typedef enum {
    FM_ERROR_DENIED,
    FM_ERROR_BUSY,
    FM_ERROR_GONE,
    FM_ERROR_UNSAFE,
    FM_ERROR_UNSUPPORTED,
    FM_ERROR_IO,
    FM_ERROR_NO_SPACE,
    FM_ERROR_PROTOCOL,
    FM_ERROR_INVALID,
    FM_ERROR_CANCELLED,
} FmErrorCode;

/* Returns the quark of FM_ERROR. */
GQuark fm_error_quark(void);

/*
 * Folds a POSIX errno (positive) into one of our codes.  Unknown ones become
 * FM_ERROR_IO, so that a failure is never mistaken for success.
 */
FmErrorCode fm_error_from_errno(int os_code);

/*
 * Sets @error to "<what happened to what>: <reason of the system>".  @format
 * names the object; the reason of @os_code is appended in the C locale's wording.
 */
void fm_error_set_errno(GError **error, int os_code, const char *format, ...) G_GNUC_PRINTF(3, 4);

G_END_DECLS
