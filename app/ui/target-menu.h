/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The menu of places to test: what drives there are now, and any folder.  Follows the list
 * of drives.  Main thread.
 */
#pragma once

#include <gio/gio.h>

#include "ui/drive-list.h"

G_BEGIN_DECLS

/* Items do "app.target" and "app.choose-folder".  Lives no longer than @drives. */
GMenuModel *fm_target_menu_new(FmDriveList *drives);

G_END_DECLS
