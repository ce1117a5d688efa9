/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One panel in place: what its data reach, which others share its scales, its scales, and where a
 * value is.  How large it is, is decided in layout-panel.c.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include <math.h>

/* --- Data ------------------------------------------------------------------------- */

static void
extend_by_density(FmPanelBox *box, const FmDensity *density)
{
    fm_extent_add(&box->x_extent, density->x_min);
    fm_extent_add(&box->x_extent, density->x_max);
    fm_extent_add(&box->y_extent, density->y_min);
    fm_extent_add(&box->y_extent, density->y_max);
    for (unsigned i = 0; density->outliers && i < density->outliers->len; i++) {
        fm_extent_add(&box->y_extent, g_array_index(density->outliers, FmPoint, i).y);
    }
}

static void
extend_by_series(FmPanelBox *box, const FmSeries *series)
{
    for (unsigned i = 0; i < series->points->len; i++) {
        const FmPoint *point = &g_array_index(series->points, FmPoint, i);
        fm_extent_add(&box->x_extent, point->x);
        fm_extent_add(&box->y_extent, point->y);
        fm_extent_add(&box->y_extent, point->lo);
        fm_extent_add(&box->y_extent, point->hi);
    }
    if (series->density) {
        extend_by_density(box, series->density);
    }
}

/* A pass line above all bars has to be seen; a band does not make the axis longer. */
static void
extend_by_annotation(FmPanelBox *box, const FmAnnotation *annotation)
{
    if (annotation->kind == FM_ANNOTATION_RULE_Y || annotation->kind == FM_ANNOTATION_BRACKET) {
        fm_extent_add(&box->y_extent, annotation->y0);
    }
    if (annotation->kind == FM_ANNOTATION_BRACKET) {
        fm_extent_add(&box->y_extent, annotation->y1);
    }
}

bool
fm_panel_has_bars(const FmPanel *panel)
{
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(panel->series, i);
        if (series->mark == FM_MARK_BAR) {
            return true;
        }
    }
    return false;
}

static void
init_box(FmLayout *layout, unsigned index)
{
    FmPanelBox *box = &layout->boxes[index];
    unsigned n_columns = MAX(layout->figure->n_columns, 1u);

    box->panel = g_ptr_array_index(layout->figure->panels, index);
    box->column = index % n_columns;
    box->row = index / n_columns;
    box->x_extent = fm_extent_empty;
    box->y_extent = fm_extent_empty;
    box->side_labels = g_array_new(FALSE, TRUE, sizeof(FmSideLabel));
    box->tick_texts = g_ptr_array_new_with_free_func((GDestroyNotify)fm_text_free);
    box->bars = g_array_new(FALSE, TRUE, sizeof(FmBar));
    box->ink = g_array_new(FALSE, FALSE, sizeof(FmPlace));
    box->drawn = g_array_new(FALSE, TRUE, sizeof(unsigned));
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        extend_by_series(box, series);
        box->has_emphasis |= series->is_emphasised;
    }
    for (unsigned i = 0; i < box->panel->annotations->len; i++) {
        extend_by_annotation(box, &g_array_index(box->panel->annotations, FmAnnotation, i));
    }
}

static bool
is_same_axis(const FmAxis *a, const FmAxis *b)
{
    if (a->unit != b->unit || a->scale != b->scale || g_strcmp0(a->title, b->title) != 0) {
        return false;
    }
    if (a->categories && b->categories) {
        return g_strv_equal((const char *const *)a->categories, (const char *const *)b->categories);
    }
    return !a->categories && !b->categories;
}

/* Small multiples share their scales (DESIGN 5.2). */
static void
share_extents(FmLayout *layout)
{
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        for (unsigned j = 0; j < layout->n_boxes; j++) {
            FmPanelBox *other = &layout->boxes[j];
            if (is_same_axis(&box->panel->x, &other->panel->x)) {
                fm_extent_merge(&box->x_extent, &other->x_extent);
            }
            if (is_same_axis(&box->panel->y, &other->panel->y)) {
                fm_extent_merge(&box->y_extent, &other->y_extent);
            }
        }
    }
}

void
fm_layout_init_boxes(FmLayout *layout)
{
    layout->n_boxes = layout->figure->panels->len;
    layout->boxes = g_new0(FmPanelBox, MAX(layout->n_boxes, 1u));
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        init_box(layout, i);
    }
    share_extents(layout);
}

void
fm_layout_clear_boxes(FmLayout *layout)
{
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        fm_scale_clear(&box->x);
        fm_scale_clear(&box->y);
        for (unsigned j = 0; j < box->side_labels->len; j++) {
            FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, j);
            g_free(label->string);
            fm_text_free(label->text);
        }
        g_array_unref(box->side_labels);
        g_ptr_array_unref(box->tick_texts);
        g_array_unref(box->bars);
        g_array_unref(box->ink);
        g_array_unref(box->drawn);
    }
    g_clear_pointer(&layout->boxes, g_free);
    layout->n_boxes = 0;
}

/* --- Axes ------------------------------------------------------------------------- */

const FmAxis *
fm_box_get_flat_axis(const FmPanelBox *box)
{
    return box->panel->is_horizontal ? &box->panel->y : &box->panel->x;
}

const FmAxis *
fm_box_get_upright_axis(const FmPanelBox *box)
{
    return box->panel->is_horizontal ? &box->panel->x : &box->panel->y;
}

const FmScale *
fm_box_get_flat_scale(const FmPanelBox *box)
{
    return box->panel->is_horizontal ? &box->y : &box->x;
}

const FmScale *
fm_box_get_upright_scale(const FmPanelBox *box)
{
    return box->panel->is_horizontal ? &box->x : &box->y;
}

FmPlace
fm_box_place(const FmPanelBox *box, double x, double y)
{
    const FmRect *plot = &box->plot;
    double across = fm_scale_map(&box->x, x);
    double along = fm_scale_map(&box->y, y);

    if (box->panel->is_horizontal) {
        return (FmPlace){plot->x + along * plot->width, plot->y + across * plot->height};
    }
    return (FmPlace){plot->x + across * plot->width, plot->y + (1 - along) * plot->height};
}

/* --- Scales ----------------------------------------------------------------------- */

static const FmAxisView whole_axis = {.min = NAN, .max = NAN};

/* The view of y is of one panel and those that share its scale.  Bars begin at 0, also for
 * readers. */
static FmAxisView
get_y_view(const FmLayout *layout, const FmPanelBox *box)
{
    unsigned index = layout->view.panel;
    FmAxisView view = whole_axis;
    if (index < layout->n_boxes && is_same_axis(&layout->boxes[index].panel->y, &box->panel->y)) {
        view = layout->view.y;
    }
    if (fm_panel_has_bars(box->panel)) {
        view.min = NAN;
        view.is_toggled = false;
    }
    return view;
}

/* Rates, counts and shares mean something against 0; temperatures and dates do not. */
static bool
begins_at_zero(const FmPanelBox *box, const FmAxis *axis)
{
    if (axis == &box->panel->y && fm_panel_has_bars(box->panel)) {
        return true;
    }
    return axis->unit != FM_UNIT_CELSIUS && axis->unit != FM_UNIT_CLOCK &&
           (axis == &box->panel->y || axis->unit == FM_UNIT_BYTES_PER_SECOND ||
            axis->unit == FM_UNIT_IOPS);
}

void
fm_layout_make_scale(FmLayout *layout, FmPanelBox *box, bool is_flat)
{
    bool is_x = is_flat != box->panel->is_horizontal;
    const FmAxis *axis = is_x ? &box->panel->x : &box->panel->y;
    FmAxisView view = is_x ? layout->view.x : get_y_view(layout, box);
    FmScale *scale = is_x ? &box->x : &box->y;
    FmScaleSpec spec = {
        .axis = axis,
        .extent = is_x ? &box->x_extent : &box->y_extent,
        .view = &view,
        .length = is_flat ? box->plot.width : box->plot.height,
        .gap = is_flat ? 64 : CLAMP(box->plot.height / 3, 15, 34),
        .headroom = is_flat ? 0 : box->headroom / MAX(box->plot.height, 1),
        .is_from_zero = begins_at_zero(box, axis),
        .is_nice = !is_x,
        .language = layout->figure->language,
    };
    fm_scale_clear(scale);
    fm_scale_init(scale, &spec);
}
