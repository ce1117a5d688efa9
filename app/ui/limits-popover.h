/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A popover with the limits of the axes of a figure, to be typed.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/figure-canvas.h"

G_BEGIN_DECLS

#define FM_TYPE_LIMITS_POPOVER (fm_limits_popover_get_type())
G_DECLARE_FINAL_TYPE(FmLimitsPopover, fm_limits_popover, FM, LIMITS_POPOVER, GtkPopover)

/* Shows and changes the view of @canvas, which must live longer. */
GtkWidget *fm_limits_popover_new(FmFigureCanvas *canvas);

G_END_DECLS
