/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four large numbers of a run that goes on, and the temperature where it is known.  What is
 * not known is "–".  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "model/run.h"

G_BEGIN_DECLS

#define FM_TYPE_LIVE_NUMBERS (fm_live_numbers_get_type())
G_DECLARE_FINAL_TYPE(FmLiveNumbers, fm_live_numbers, FM, LIVE_NUMBERS, GtkWidget)

GtkWidget *fm_live_numbers_new(void);

/* Speeds are those of the last second of the newest step while it goes on; latencies come at the
 * end of a step and are those of the last one that ended. */
void fm_live_numbers_update(FmLiveNumbers *numbers, const FmRun *run, bool is_active);

G_END_DECLS
