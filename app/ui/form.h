/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small forms: a grid of named controls and the buttons of a window that asks something.  What
 * every dialog of ours has in common, so that they look and speak alike.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

GtkWidget *fm_form_new(void);

/* All append one row.  @title may have a mnemonic; it names the control for screen readers.
 * Choices are translated here. */
GtkWidget *fm_form_add_choice(GtkWidget *form, const char *title, const char *const *choices);
GtkWidget *fm_form_add_check(GtkWidget *form, const char *title);
GtkWidget *fm_form_add_entry(GtkWidget *form, const char *title, const char *text);
/* What a screen reader calls a list of choices. */
void fm_form_name_choice(GtkWidget *choice, const char *name);
/* Any other control beside its name. */
void fm_form_add(GtkWidget *form, const char *title, GtkWidget *control);
/* One over the whole width. */
void fm_form_add_wide(GtkWidget *form, GtkWidget *control);

/* A place for a sentence about what went wrong; empty and out of sight at first. */
GtkWidget *fm_form_add_error(GtkWidget *form);
void fm_form_set_error(GtkWidget *label, const char *sentence);

/*
 * Makes @window a dialog of @content with Cancel and @accept.  @accept_cb is called with the
 * window (swapped); Escape closes, Return accepts.
 */
void fm_form_fill_window(GtkWindow *window, GtkWidget *content, const char *accept,
                         GCallback accept_cb);

G_END_DECLS
