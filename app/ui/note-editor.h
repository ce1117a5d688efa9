/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's own note and tags of a run, to be read and changed.  What was written is saved on
 * request and when the run is left, so that nothing typed is lost.  Main thread.
 *
 * Signal: "saved" (char *: path).
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/loaded-run.h"

G_BEGIN_DECLS

#define FM_TYPE_NOTE_EDITOR (fm_note_editor_get_type())
G_DECLARE_FINAL_TYPE(FmNoteEditor, fm_note_editor, FM, NOTE_EDITOR, GtkWidget)

GtkWidget *fm_note_editor_new(void);
/* Saves what was changed of the run before.  NULL = none. */
void fm_note_editor_set_run(FmNoteEditor *editor, FmLoadedRun *loaded);

G_END_DECLS
