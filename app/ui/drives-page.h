/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page where a place to test is chosen: every drive with its mounted file systems, and
 * any folder.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/application.h"

G_BEGIN_DECLS

#define FM_TYPE_DRIVES_PAGE (fm_drives_page_get_type())
G_DECLARE_FINAL_TYPE(FmDrivesPage, fm_drives_page, FM, DRIVES_PAGE, GtkWidget)

GtkWidget *fm_drives_page_new(FmApplication *application);

G_END_DECLS
