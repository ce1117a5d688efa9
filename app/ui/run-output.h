/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run on its way out of the window: as text in the clipboard, as CSV, JSON or text in a file,
 * all its figures in a folder.  Work is done in threads and can be cancelled; every end is told
 * in one sentence.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "ui/loaded-run.h"

G_BEGIN_DECLS

/* @work: cancels what goes on, and @sentence is what it is at; NULL = it is over. */
typedef void (*FmRunTold)(GtkWidget *widget, const char *sentence, bool is_error,
                          GCancellable *work);

typedef struct {
    GtkWidget *widget; /* whose window and clipboard are used */
    FmLoadedRun *loaded;
    FmRunTold told;
} FmRunOutput;

typedef enum {
    FM_RUN_TABLE, /* as CrystalDiskMark lays it out, or the summary */
    FM_RUN_SUMMARY,
    FM_RUN_FACTS,
    FM_RUN_CSV,
    FM_RUN_JSON,
    FM_N_RUN_FORMS,
} FmRunForm;

void fm_run_copy(const FmRunOutput *output, FmRunForm form);
/* Asks where. */
void fm_run_save(const FmRunOutput *output, FmRunForm form);
/* Asks how and where. */
void fm_run_save_figures(const FmRunOutput *output);

/* @run in that form; needs no display.  Caller frees; NULL with @error. */
char *fm_run_dup_form(const FmRun *run, FmRunForm form, GError **error);

G_END_DECLS
