/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a page shows when it has nothing else to show, or when something went wrong: one
 * sentence and at most one button.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FM_TYPE_STATE_PAGE (fm_state_page_get_type())
G_DECLARE_FINAL_TYPE(FmStatePage, fm_state_page, FM, STATE_PAGE, GtkWidget)

GtkWidget *fm_state_page_new(void);

/* @icon NULL = none. */
void fm_state_page_set(FmStatePage *page, const char *icon, const char *sentence);
/* A button that does @action, such as "app.choose-folder" or "win.page::drives"; @label NULL = no
 * button. */
void fm_state_page_set_action(FmStatePage *page, const char *label, const char *action);

G_END_DECLS
