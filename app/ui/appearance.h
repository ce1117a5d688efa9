/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Light or dark: as the settings say, else as the desktop does.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "ui/settings.h"

G_BEGIN_DECLS

/* Follows @settings and the desktop for as long as the program runs.  Once, after GTK is
 * there. */
void fm_appearance_follow(FmSettings *settings);

/* What is shown now.  GtkSettings:gtk-application-prefer-dark-theme tells of changes. */
bool fm_appearance_is_dark(void);

G_END_DECLS
