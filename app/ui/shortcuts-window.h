/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All keys, in one window.  Main thread.
 */
#pragma once

#include "ui/application.h"

G_BEGIN_DECLS

GtkWidget *fm_shortcuts_window_new(FmApplication *application);

G_END_DECLS
