/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One run: what to know about it, its figures, its steps as a table, all facts, and the
 * user's note.  Reads the file in a thread.  Main thread.
 *
 * Signals: "loaded" when a run is there or could not be read; "noted" (char *: path).
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/loaded-run.h"

G_BEGIN_DECLS

#define FM_TYPE_RUN_VIEW (fm_run_view_get_type())
G_DECLARE_FINAL_TYPE(FmRunView, fm_run_view, FM, RUN_VIEW, GtkWidget)

GtkWidget *fm_run_view_new(void);

/* Reads the run at @path, also when it is the one that is shown.  NULL leaves it. */
void fm_run_view_open(FmRunView *view, const char *path);
/* What was asked for last, or NULL. */
const char *fm_run_view_get_path(FmRunView *view);
/* When, how it ended, what it amounts to; "" while nothing is shown.  Caller frees. */
char *fm_run_view_dup_subtitle(FmRunView *view);
/* What is shown; NULL while it is read and when that failed. */
FmLoadedRun *fm_run_view_get_loaded(FmRunView *view);

G_END_DECLS
