/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window: tool bar, sidebar, pages, status line (DESIGN 6.2).  It only shows what the
 * application owns; closing it ends nothing but the view.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/application.h"

G_BEGIN_DECLS

/* Names of pages, for fm_window_show_page() and the action "win.page". */
#define FM_PAGE_DRIVES "drives"
#define FM_PAGE_PLAN "plan"
#define FM_PAGE_RUN "run"
#define FM_PAGE_RESULTS "results"

#define FM_TYPE_WINDOW (fm_window_get_type())
G_DECLARE_FINAL_TYPE(FmWindow, fm_window, FM, WINDOW, GtkApplicationWindow)

GtkWidget *fm_window_new(FmApplication *application);

/* Shows the page called @name and moves the focus into it. */
void fm_window_show_page(FmWindow *window, const char *name);

/* Opens the run file @path on the Results page, which answers to the action "results.open". */
void fm_window_open_run(FmWindow *window, const char *path);

/* Second line of a page in the sidebar, such as "3 present"; NULL = none. */
void fm_window_set_page_detail(FmWindow *window, const char *name, const char *detail);

/* What the Export button offers: the page that is shown sets it; NULL = nothing. */
void fm_window_set_export_menu(FmWindow *window, GMenuModel *menu);

G_END_DECLS
