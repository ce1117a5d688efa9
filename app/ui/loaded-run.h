/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that was read from a file, with the figures it can be shown as.  Nobody changes it any
 * more, so it is shared by the window and by the threads that build its figures.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "figures/figures.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef struct FmLoadedRun FmLoadedRun;

FmLoadedRun *fm_loaded_run_ref(FmLoadedRun *loaded);
void fm_loaded_run_unref(FmLoadedRun *loaded);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmLoadedRun, fm_loaded_run_unref)

const FmRun *fm_loaded_run_get_run(const FmLoadedRun *loaded);
const char *fm_loaded_run_get_path(const FmLoadedRun *loaded);
/* Of FmFigureEntry. */
const GPtrArray *fm_loaded_run_get_entries(const FmLoadedRun *loaded);
/* Somebody wrote the file when it was read. */
bool fm_loaded_run_is_busy(const FmLoadedRun *loaded);

/* How figures are built: what the settings say.  The language is owned. */
typedef struct {
    char *language;
    bool is_review;
} FmFigureChoice;

void fm_figure_choice_clear(FmFigureChoice *choice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmFigureChoice, fm_figure_choice_clear)
/* Of the running program; English or the window's language where nothing is set. */
FmFigureChoice fm_figure_choice_load(void);

/* Reads @path in a thread. */
void fm_loaded_run_read_async(const char *path, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer user_data);
FmLoadedRun *fm_loaded_run_read_finish(GAsyncResult *result, GError **error);

/* Builds the figure called @id in a thread. */
void fm_loaded_run_build_async(FmLoadedRun *loaded, const char *id, GCancellable *cancellable,
                               GAsyncReadyCallback callback, gpointer user_data);
FmFigure *fm_loaded_run_build_finish(GAsyncResult *result, GError **error);
/* The same at once, in any thread. */
FmFigure *fm_loaded_run_build(const FmLoadedRun *loaded, const char *id, GError **error);

G_END_DECLS
