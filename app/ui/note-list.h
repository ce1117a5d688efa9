/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run has noted so far, newest last, growing while it goes on.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/run.h"

G_BEGIN_DECLS

#define FM_TYPE_NOTE_LIST (fm_note_list_get_type())
G_DECLARE_FINAL_TYPE(FmNoteList, fm_note_list, FM, NOTE_LIST, GtkWidget)

GtkWidget *fm_note_list_new(void);

/* Adds the notes that are new; out of sight while there is none. */
void fm_note_list_update(FmNoteList *list, const FmRun *run);
/* Another run follows. */
void fm_note_list_clear(FmNoteList *list);

G_END_DECLS
