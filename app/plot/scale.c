/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits and mapping.  The limits come from the view, then from the figure, then from the data;
 * each of them may be nonsense, and then the next one holds.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/scale.h"

#include <math.h>

enum {
    GUTTER_POINTS = 20,
};

/* Beyond this, differences and products of limits overflow. */
#define HUGE_LIMIT 1e150

const FmExtent fm_extent_empty = {
    .min = INFINITY,
    .max = -INFINITY,
    .min_positive = INFINITY,
    .max_below_one = -INFINITY,
};

void
fm_extent_add(FmExtent *extent, double value)
{
    if (!isfinite(value)) {
        return;
    }
    value = CLAMP(value, -HUGE_LIMIT, HUGE_LIMIT);
    extent->min = MIN(extent->min, value);
    extent->max = MAX(extent->max, value);
    if (value > 0) {
        extent->min_positive = MIN(extent->min_positive, MAX(value, 1 / HUGE_LIMIT));
    } else {
        extent->has_zero = true;
    }
    if (value < 1) {
        extent->max_below_one = MAX(extent->max_below_one, value);
    } else {
        extent->has_one = true;
    }
}

void
fm_extent_merge(FmExtent *extent, const FmExtent *other)
{
    extent->min = MIN(extent->min, other->min);
    extent->max = MAX(extent->max, other->max);
    extent->min_positive = MIN(extent->min_positive, other->min_positive);
    extent->max_below_one = MAX(extent->max_below_one, other->max_below_one);
    extent->has_zero |= other->has_zero;
    extent->has_one |= other->has_one;
}

/* --- Mapping ---------------------------------------------------------------------- */

double
fm_scale_transform(FmScaleKind kind, double value)
{
    switch (kind) {
    case FM_SCALE_LOG10:
        return log10(value);
    case FM_SCALE_LOG2:
        return log2(value);
    case FM_SCALE_NINES:
        return -log10(1 - value);
    case FM_SCALE_LINEAR:
    case FM_SCALE_CATEGORY:
    default:
        return value;
    }
}

static double
transform_back(FmScaleKind kind, double value)
{
    switch (kind) {
    case FM_SCALE_LOG10:
        return pow(10, value);
    case FM_SCALE_LOG2:
        return exp2(value);
    case FM_SCALE_NINES:
        return 1 - pow(10, -value);
    case FM_SCALE_LINEAR:
    case FM_SCALE_CATEGORY:
    default:
        return value;
    }
}

static bool
is_log(FmScaleKind kind)
{
    return kind == FM_SCALE_LOG10 || kind == FM_SCALE_LOG2;
}

/* Whether the scale has a place for @value at all. */
static bool
is_mappable(FmScaleKind kind, double value)
{
    if (!isfinite(value)) {
        return false;
    }
    if (is_log(kind)) {
        return value > 0;
    }
    return kind == FM_SCALE_NINES ? value < 1 : true;
}

double
fm_scale_map(const FmScale *scale, double value)
{
    if (is_log(scale->kind) && value <= 0) {
        return value == 0 && scale->zero_gutter > 0 ? scale->zero_gutter * 0.35 : NAN;
    }
    if (scale->kind == FM_SCALE_NINES && value >= 1) {
        return scale->max_gutter > 0 ? 1 - scale->max_gutter * 0.35 : NAN;
    }
    if (!is_mappable(scale->kind, value)) {
        return NAN;
    }
    double low = fm_scale_transform(scale->kind, scale->min);
    double high = fm_scale_transform(scale->kind, scale->max);
    double share = (fm_scale_transform(scale->kind, value) - low) / (high - low);
    /* The gutters are for 0 and 1 alone; what is beyond the limits is beyond the axis. */
    if (scale->zero_gutter > 0 && share < -1e-9) {
        return share;
    }
    if (scale->max_gutter > 0 && share > 1 + 1e-9) {
        return share;
    }
    return scale->zero_gutter + share * (1 - scale->zero_gutter - scale->max_gutter);
}

double
fm_scale_unmap(const FmScale *scale, double at)
{
    if (scale->zero_gutter > 0 && at < scale->zero_gutter * 0.7) {
        return 0;
    }
    if (scale->max_gutter > 0 && at > 1 - scale->max_gutter * 0.7) {
        return 1;
    }
    double low = fm_scale_transform(scale->kind, scale->min);
    double high = fm_scale_transform(scale->kind, scale->max);
    double share = (at - scale->zero_gutter) / (1 - scale->zero_gutter - scale->max_gutter);
    return transform_back(scale->kind, low + CLAMP(share, -10, 10) * (high - low));
}

/* --- Limits ----------------------------------------------------------------------- */

/* Ends with the data, or with a tick that is just beyond; from 0, with room for the last mark. */
static void
limit_near_data(FmScale *scale, const FmScaleSpec *spec, double min, double max)
{
    double step = fm_scale_choose_step(spec->axis->unit, max - min, spec->length / spec->gap);
    double slack = (max - min) * 0.02;
    double below = floor(min / step) * step;
    double above = ceil(max / step) * step;

    scale->min = min - below < slack ? below : min;
    scale->max = above - max < slack ? above : max + (spec->is_from_zero ? slack : 0);
}

static void
limit_linear(FmScale *scale, const FmScaleSpec *spec)
{
    const FmExtent *extent = spec->extent;
    bool is_empty = !(extent->min <= extent->max);
    double min = is_empty ? 0 : extent->min;
    double max = is_empty ? 1 : extent->max;

    if (is_empty) {
        scale->min = 0;
        scale->max = 1;
        return;
    }
    if (spec->is_from_zero) {
        min = MIN(min, 0);
        max = MAX(max, 0);
    }
    if (!(max - min > fabs(max) * 1e-9)) {
        double pad = max == 0 ? 1 : fabs(max) * 0.1;
        min = spec->is_from_zero && min >= 0 ? 0 : min - pad;
        max += pad;
    } else if (!spec->is_nice) {
        limit_near_data(scale, spec, min, max);
        return;
    }
    double headroom = CLAMP(spec->headroom, 0, 0.6);
    double range = (max - min) / (1 - MAX(headroom, 0.02));
    double step = fm_scale_choose_step(spec->axis->unit, range, spec->length / spec->gap);
    bool is_zero_based = min == 0;
    scale->step = step;
    scale->min = is_zero_based || !spec->is_nice ? min : floor(min / step + 1e-9) * step;
    scale->max = ceil((min + range) / step - 1e-9) * step;
    if (min >= 0 && scale->min < 0) {
        scale->min = 0;
    }
    /* Percentages end at 100 unless there are more. */
    if (spec->axis->unit == FM_UNIT_SHARE && max <= 1 && scale->max > 1 && headroom == 0) {
        scale->max = 1;
    }
    scale->max = scale->max > scale->min ? scale->max : scale->min + 1;
}

/* To fifths of a decade, so that neighbours share most of a grid but nothing is wasted. */
static void
limit_log(FmScale *scale, const FmScaleSpec *spec)
{
    const FmExtent *extent = spec->extent;
    bool is_empty = !(extent->min_positive <= extent->max);
    double min = is_empty ? 1 : extent->min_positive;
    double max = is_empty ? 100 : MAX(extent->max, min);
    double per_unit = scale->kind == FM_SCALE_LOG2 ? 2 : 5;
    double low = fm_scale_transform(scale->kind, min);
    double high = fm_scale_transform(scale->kind, max);

    high += (high - low) * CLAMP(spec->headroom, 0, 0.6) / (1 - CLAMP(spec->headroom, 0, 0.6));
    if (scale->kind == FM_SCALE_LOG2 && high > low) {
        scale->min = min;
        scale->max = transform_back(scale->kind, high);
        return;
    }
    low = floor(low * per_unit - 0.15) / per_unit;
    high = ceil(high * per_unit + 0.15) / per_unit;
    if (high - low < 1 / per_unit / 2) {
        low -= 1 / per_unit;
        high += 1 / per_unit;
    }
    scale->min = transform_back(scale->kind, low);
    scale->max = transform_back(scale->kind, high);
}

static void
limit_nines(FmScale *scale, const FmScaleSpec *spec)
{
    double top = spec->extent->max_below_one;
    double high = top > 0 ? fm_scale_transform(FM_SCALE_NINES, top) : 1;
    high = CLAMP(ceil(high * 5 - 0.1) / 5, 1, 15);
    scale->min = 0;
    scale->max = transform_back(FM_SCALE_NINES, high);
}

static void
limit_categories(FmScale *scale, const FmScaleSpec *spec)
{
    GStrv names = spec->axis->categories;
    unsigned n = names ? g_strv_length(names) : 1;
    scale->min = -0.5;
    scale->max = MAX(n, 1u) - 0.5;
}

static void
limit_from_data(FmScale *scale, const FmScaleSpec *spec)
{
    switch (scale->kind) {
    case FM_SCALE_LOG10:
    case FM_SCALE_LOG2:
        limit_log(scale, spec);
        break;
    case FM_SCALE_NINES:
        limit_nines(scale, spec);
        break;
    case FM_SCALE_CATEGORY:
        limit_categories(scale, spec);
        break;
    case FM_SCALE_LINEAR:
    default:
        limit_linear(scale, spec);
    }
}

/* Takes over limits that this kind of scale can have, and that are apart. */
static void
limit_by_hand(FmScale *scale, double min, double max)
{
    double low = is_mappable(scale->kind, min) && fabs(min) <= HUGE_LIMIT ? min : scale->min;
    double high = is_mappable(scale->kind, max) && fabs(max) <= HUGE_LIMIT ? max : scale->max;
    double from = fm_scale_transform(scale->kind, low);
    double to = fm_scale_transform(scale->kind, high);

    if (to - from > 1e-9 * MAX(fabs(from), fabs(to)) && (low != scale->min || high != scale->max)) {
        scale->step = 0;
        scale->min = low;
        scale->max = high;
    }
}

void
fm_scale_init(FmScale *scale, const FmScaleSpec *spec)
{
    const FmAxisView *view = spec->view;

    *scale = (FmScale){.kind = spec->axis->scale, .unit = spec->axis->unit, .unit_text = ""};
    scale->ticks = g_array_new(FALSE, TRUE, sizeof(FmTick));
    if (view->is_toggled && !spec->axis->is_scale_fixed) {
        scale->kind = scale->kind == FM_SCALE_LINEAR  ? FM_SCALE_LOG10
                      : scale->kind == FM_SCALE_LOG10 ? FM_SCALE_LINEAR
                                                      : scale->kind;
    }
    limit_from_data(scale, spec);
    if (scale->kind != FM_SCALE_CATEGORY) {
        limit_by_hand(scale, spec->axis->min, spec->axis->max);
        limit_by_hand(scale, view->min, view->max);
    }
    double gutter = MIN(GUTTER_POINTS / MAX(spec->length, 1), 0.25);
    bool is_zoomed = isfinite(view->min);
    if (is_log(scale->kind) && spec->extent->has_zero && !is_zoomed) {
        scale->zero_gutter = gutter;
    }
    if (scale->kind == FM_SCALE_NINES && spec->extent->has_one && !isfinite(view->max)) {
        scale->max_gutter = gutter;
    }
    fm_scale_add_ticks(scale, spec);
}

void
fm_scale_clear(FmScale *scale)
{
    if (scale->ticks) {
        for (unsigned i = 0; i < scale->ticks->len; i++) {
            g_free(g_array_index(scale->ticks, FmTick, i).label);
        }
        g_array_unref(scale->ticks);
    }
    *scale = (FmScale){0};
}
