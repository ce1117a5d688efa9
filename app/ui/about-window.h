/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Name, version and licence, and what to paste into a bug report.  Main thread.
 */
#pragma once

#include "ui/application.h"

G_BEGIN_DECLS

GtkWidget *fm_about_window_new(FmApplication *application);

G_END_DECLS
