/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scales: from values to shares of an axis' length and back, with limits and ticks (DESIGN
 * 5.4).  Whatever the data hold (nothing, one value, NaN, 1e300), limits are finite, different
 * and in order, and there are at most FM_SCALE_MAX_TICKS ticks.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"
#include "plot/layout.h"

G_BEGIN_DECLS

enum {
    FM_SCALE_MAX_TICKS = 200,
};

/* What the data of an axis reach. */
typedef struct {
    double min;
    double max;
    double min_positive; /* for logarithms */
    double max_below_one; /* for nines */
    bool has_zero; /* or less */
    bool has_one; /* or more */
} FmExtent;

extern const FmExtent fm_extent_empty;
/* Anything but finite numbers is passed over. */
void fm_extent_add(FmExtent *extent, double value);
void fm_extent_merge(FmExtent *extent, const FmExtent *other);

typedef struct {
    double value;
    double at; /* share of the length */
    char *label; /* NULL = a line of the sub-grid */
} FmTick;

typedef struct {
    const FmAxis *axis;
    const FmExtent *extent;
    const FmAxisView *view;
    double length; /* points */
    double gap; /* points that a label needs along the axis, with its distance */
    double headroom; /* share of the length to keep free at the upper end */
    bool is_from_zero; /* bars, and rates over time */
    bool is_nice; /* ends on ticks where it may: value axes; else it ends with the data */
    const char *language;
} FmScaleSpec;

typedef struct {
    FmScaleKind kind;
    FmUnit unit;
    double min; /* limits, in the unit of the axis */
    double max;
    double zero_gutter; /* share of the length for 0 on a log axis */
    double max_gutter; /* and for 1 on a nines axis */
    GArray *ticks; /* of FmTick, ascending */
    double step; /* of a linear axis whose limits came from the data; else 0 */
    const char *unit_text; /* once, after the last tick; "" = none */
} FmScale;

void fm_scale_init(FmScale *scale, const FmScaleSpec *spec);
void fm_scale_clear(FmScale *scale);

/* 0 .. 1 inside the limits, beyond them outside; NaN where the scale has no place for it. */
double fm_scale_map(const FmScale *scale, double value);
double fm_scale_unmap(const FmScale *scale, double at);

/* --- Between scale.c and ticks.c ------------------------------------------------- */

/* In logarithms, nines or plain. */
double fm_scale_transform(FmScaleKind kind, double value);
void fm_scale_add_ticks(FmScale *scale, const FmScaleSpec *spec);
/* The step of a linear axis with labels every @gap points. */
double fm_scale_choose_step(FmUnit unit, double range, double n_steps);

G_END_DECLS
