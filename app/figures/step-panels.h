/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step over time as panels that share their x axis: throughput, latency, temperature.  For
 * the figure of a finished step and for the live one.  Private to figures/.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "figures/builder.h"

G_BEGIN_DECLS

/* Which rows of a step are shown. */
typedef struct {
    const FmRunStep *step;
    guint first; /* rows before this one are left out */
    bool has_ramp; /* the ramp too, muted; x then counts from its start */
} FmStepWindow;

/* Whether MB/s or IOPS is what a person compares. */
bool fm_step_is_iops(const FmRunStep *step);
/* "RND 4k Read QD32", from what runs rather than from the plan; NULL when there is no such name.
 * Caller frees. */
char *fm_step_dup_name(const FmRunStep *step);

/* Adds the panels that the rows can fill. */
void fm_step_panels_add(const FmBuilder *builder, FmFigure *figure, const FmStepWindow *window);

G_END_DECLS
