/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One drive on the Drives page: what it is, what may be done with it, and the places on it
 * to choose from.  Updated in place, so that focus and what is unfolded stay.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/choice.h"
#include "ui/drive-list.h"

G_BEGIN_DECLS

#define FM_TYPE_DRIVE_CARD (fm_drive_card_get_type())
G_DECLARE_FINAL_TYPE(FmDriveCard, fm_drive_card, FM, DRIVE_CARD, GtkWidget)

/* @group: the check buttons of all cards are one group; any one of them, or NULL. */
GtkWidget *fm_drive_card_new(FmChoice *choice, GtkCheckButton *group);

/* Shows @row, which may go away after the call. */
void fm_drive_card_update(FmDriveCard *card, const FmDriveRow *row);
/* Marks the place that is chosen, if it is on this drive. */
void fm_drive_card_update_choice(FmDriveCard *card);

/* "node serial" of the drive it shows: the same drive in the same place. */
const char *fm_drive_card_get_key(FmDriveCard *card);
char *fm_drive_row_dup_key(const FmDriveRow *row);

G_END_DECLS
