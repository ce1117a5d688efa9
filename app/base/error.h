/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The one error domain of the program.  Set-up code and everything above the
 * engine reports through GError with these codes; the hot path never does (it
 * counts native status codes instead).  Messages are one sentence that names the
 * object and the reason, in English; translation happens where they are shown, from the
 * FmMessage that every such error keeps.  So they are made by the functions below and
 * never by g_set_error() or g_prefix_error().
 */
#pragma once

#include <glib.h>

#include "base/message.h"

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

/* Sets @error to a sentence; see message.h for what @format may hold. */
void fm_error_set(GError **error, FmErrorCode code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* The same with a message that is there already; it stays the caller's. */
void fm_error_set_message(GError **error, FmErrorCode code, FmMessage *message);

/*
 * Sets @error to "<what happened to what>: <reason of the system>".  @format
 * names the object; the reason is fm_message_new_errno() of @os_code.
 */
void fm_error_set_errno(GError **error, int os_code, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* What the C locale says of an errno, without asking the system, whose wording follows the
 * locale of the process. */
FmMessage *fm_message_new_errno(int os_code);

/* The sentence of any error; of other domains it is verbatim.  Caller owns it. */
FmMessage *fm_error_dup_message(const GError *error);
/* The sentence of any error in the user's language.  Only where it is shown. */
char *fm_error_dup_local(const GError *error);

G_END_DECLS
