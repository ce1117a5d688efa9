/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All plans to choose from, grouped, with what each takes; a field narrows them down.  They
 * are read in a thread when it is made.  Choosing one tells the choice.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/choice.h"

G_BEGIN_DECLS

#define FM_TYPE_PLAN_BROWSER (fm_plan_browser_get_type())
G_DECLARE_FINAL_TYPE(FmPlanBrowser, fm_plan_browser, FM, PLAN_BROWSER, GtkWidget)

GtkWidget *fm_plan_browser_new(FmChoice *choice);

/* "≈ 1:22 · 23 GB written": what @cost means in one line.  Caller frees. */
char *fm_plan_cost_dup_line(const FmPlanCost *cost);

G_END_DECLS
