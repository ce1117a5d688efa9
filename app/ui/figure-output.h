/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure on its way out of the window: clipboard and files.  Images are made in a thread of
 * their own, so that the window never waits; what came of it is told in one sentence.
 * Main thread.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

#include "plot/layout.h"
#include "ui/save-options.h"

G_BEGIN_DECLS

/* @sentence says what was done, or with @is_error why not. */
typedef void (*FmFigureTold)(GtkWidget *widget, const char *sentence, bool is_error);

typedef struct {
    GtkWidget *widget; /* whose window and clipboard are used; told about it while it lives */
    FmFigure *figure;
    const FmView *view; /* NULL = whole */
    const char *stem; /* of file names: "2026-08-22-quick-Samsung"; NULL = the figure's alone */
    FmFigureTold told;
} FmFigureOutput;

/* As a PNG in the form that was saved last. */
void fm_figure_copy_image(const FmFigureOutput *output);
/* The plotted numbers as CSV. */
void fm_figure_copy_data(const FmFigureOutput *output);
/* The same as aligned text. */
void fm_figure_copy_text(const FmFigureOutput *output);
/* Asks how and where, and saves. */
void fm_figure_save(const FmFigureOutput *output);

/* "stem-F80-tail-latency.png".  Caller frees. */
char *fm_figure_dup_file_name(const FmFigure *figure, const char *stem, FmFormat format);
/* Where a figure goes that is to be saved as @path: the format is what the ending says; a name
 * without one gets that of @format, unless there is such a file, which nobody was asked about:
 * NULL with FM_ERROR_UNSAFE.  Caller frees. */
char *fm_figure_dup_path(const char *path, FmFormat format, GError **error);
/* Gives a clipboard @text under its own type and as plain text. */
void fm_clipboard_set_text(GtkWidget *widget, const char *mime_type, const char *text);

G_END_DECLS
