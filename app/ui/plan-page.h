/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page where a plan is chosen and set: the list of plans, and of the chosen one what it
 * costs, what stands in its way, its options and what it will do.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/application.h"

G_BEGIN_DECLS

#define FM_TYPE_PLAN_PAGE (fm_plan_page_get_type())
G_DECLARE_FINAL_TYPE(FmPlanPage, fm_plan_page, FM, PLAN_PAGE, GtkWidget)

GtkWidget *fm_plan_page_new(FmApplication *application);

G_END_DECLS
