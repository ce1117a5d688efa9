/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The windows of the primary menu: preferences, keyboard shortcuts, about.  Main thread.
 */
#pragma once

#include "ui/application.h"

G_BEGIN_DECLS

/* Adds app.preferences, app.shortcuts and app.about with their keys. */
void fm_app_windows_add_actions(FmApplication *application);

G_END_DECLS
