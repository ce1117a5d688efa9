/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Results page: the library of runs, and the run that was opened from it or from a file
 * made elsewhere.  Main thread.
 *
 * Actions: results.open (path), back, previous, next, rename, trash, show-in-folder, and those
 * of the Export menu.
 */
#pragma once

#include "ui/application.h"

G_BEGIN_DECLS

#define FM_TYPE_RESULTS_PAGE (fm_results_page_get_type())
G_DECLARE_FINAL_TYPE(FmResultsPage, fm_results_page, FM, RESULTS_PAGE, GtkWidget)

GtkWidget *fm_results_page_new(FmApplication *application);

G_END_DECLS
