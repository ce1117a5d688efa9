/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of text that changes while a run goes on.  A GtkLabel has the whole window laid
 * out anew for every change, which is most of what the window costs beside a measurement;
 * this one keeps the place it was given and ends in dots where that is too small.
 */
#pragma once

#include <gtk/gtk.h>
#include <stdbool.h>

G_BEGIN_DECLS

GtkWidget *fm_live_label_new(const char *text, const char *css_class);

/* False when it says so already; then nothing is done. */
bool fm_live_label_set(GtkWidget *label, const char *text);

G_END_DECLS
