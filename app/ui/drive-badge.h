/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What may be done with a drive, in words and with a shape, and why.  This version tests
 * files only, so no drive is ever in danger; the badge says what that means for each.
 * Pure.
 */
#pragma once

#include <glib.h>

#include "platform/platform.h"

G_BEGIN_DECLS

typedef enum {
    FM_BADGE_SYSTEM, /* the running system is on it */
    FM_BADGE_MOUNTED,
    FM_BADGE_READ_ONLY, /* it, or all that is mounted of it */
    FM_BADGE_NOT_MOUNTED, /* nothing that a file could be written to */
} FmBadge;

FmBadge fm_badge_of_drive(const FmDriveInfo *drive);
/* Name of an icon that says it without colour. */
const char *fm_badge_get_icon(FmBadge badge);
/* "System drive – file test only".  Caller frees. */
char *fm_badge_dup_text(FmBadge badge, const FmDriveInfo *drive);
/* One sentence for each reason; never empty.  Caller frees. */
char **fm_badge_dup_reasons(FmBadge badge, const FmDriveInfo *drive);

G_END_DECLS
