/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of the run that is watched: where it is, how fast it is, what it noted, and how
 * it ended.  Nothing on it moves by itself, and it changes at most twice a second:
 * it shares the processor with what is measured.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/application.h"

G_BEGIN_DECLS

#define FM_TYPE_RUN_PAGE (fm_run_page_get_type())
G_DECLARE_FINAL_TYPE(FmRunPage, fm_run_page, FM, RUN_PAGE, GtkWidget)

GtkWidget *fm_run_page_new(FmApplication *application);

G_END_DECLS
