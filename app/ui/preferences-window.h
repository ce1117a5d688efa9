/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user may prefer.  Every change holds at once.  Main thread.
 */
#pragma once

#include "ui/application.h"

G_BEGIN_DECLS

GtkWidget *fm_preferences_window_new(FmApplication *application);

G_END_DECLS
