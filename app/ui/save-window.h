/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window that asks how a figure, or all of a run, is to be saved.  It saves nothing:
 * "accepted" comes when the user goes on, and the options are remembered.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/save-options.h"

G_BEGIN_DECLS

#define FM_TYPE_SAVE_WINDOW (fm_save_window_get_type())
G_DECLARE_FINAL_TYPE(FmSaveWindow, fm_save_window, FM, SAVE_WINDOW, GtkWindow)

/* @title says what is saved. */
FmSaveWindow *fm_save_window_new(GtkWindow *parent, const char *title);
FmSaveOptions fm_save_window_get_options(FmSaveWindow *window);

/* The rows alone, added to a form of the preferences: changes are remembered at once. */
void fm_save_rows_add(GtkWidget *form);

/* What was chosen last. */
FmSaveOptions fm_save_options_load(void);
void fm_save_options_store(const FmSaveOptions *options);

G_END_DECLS
