/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One stop for Tab in a list box: its selected row.  GTK 4.8 makes every row a stop, and
 * choosing is what a stop does there; the arrow keys choose here.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* For a list that selects. */
void fm_list_focus_set_up(GtkListBox *list);
/* After rows came, went or were filtered. */
void fm_list_focus_update(GtkListBox *list);

G_END_DECLS
