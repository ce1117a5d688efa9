/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From places back to values: what a pointer is at, and views for zooming and moving.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout.h"

#include "plot/layout-private.h"
#include "plot/value-text.h"

#include "base/label.h"
#include "base/language.h"

#include <glib/gi18n.h>
#include <math.h>

enum {
    EDGE_SLACK = 4,
    NEAR = 6,
    MIN_DRAG = 6, /* points; less is a click */
    READ_REACH = 40, /* points sideways that samples are looked for */
};

static bool
is_in_plot(const FmPanelBox *box, double x, double y)
{
    const FmRect *plot = &box->plot;
    return !box->panel->table && x >= plot->x - EDGE_SLACK && y >= plot->y - EDGE_SLACK &&
           x <= plot->x + plot->width + EDGE_SLACK && y <= plot->y + plot->height + EDGE_SLACK;
}

static const FmPanelBox *
find_box(const FmLayout *layout, double x, double y)
{
    for (unsigned i = 0; layout->has_room && i < layout->n_boxes; i++) {
        if (is_in_plot(&layout->boxes[i], x, y)) {
            return &layout->boxes[i];
        }
    }
    return NULL;
}

/* Shares of the plot along x and y of the panel, whichever way it lies. */
static void
get_shares(const FmPanelBox *box, double x, double y, double shares[2])
{
    double flat = CLAMP((x - box->plot.x) / box->plot.width, 0, 1);
    double down = CLAMP((y - box->plot.y) / box->plot.height, 0, 1);

    shares[0] = box->panel->is_horizontal ? down : flat;
    shares[1] = box->panel->is_horizontal ? flat : 1 - down;
}

/* --- Nearest ---------------------------------------------------------------------- */

static void
note_nearest(FmReading *reading, const FmSeries *series, unsigned point, FmPlace place)
{
    reading->series = series;
    reading->point = point;
    reading->mark_x = place.x;
    reading->mark_y = place.y;
}

static void
find_nearest_bar(const FmPanelBox *box, const double at[2], FmReading *reading)
{
    double best = INFINITY;

    for (unsigned i = 0; i < box->bars->len; i++) {
        const FmBar *bar = &g_array_index(box->bars, FmBar, i);
        double middle_x = bar->rect.x + bar->rect.width / 2;
        double middle_y = bar->rect.y + bar->rect.height / 2;
        bool is_flat = box->panel->is_horizontal;
        double distance = is_flat ? fabs(at[1] - middle_y) : fabs(at[0] - middle_x);
        if (distance < best) {
            FmPlace end = is_flat ? (FmPlace){bar->rect.x + bar->rect.width, middle_y}
                                  : (FmPlace){middle_x, bar->rect.y};
            best = distance;
            note_nearest(reading, g_ptr_array_index(box->panel->series, bar->series), bar->point,
                         end);
        }
    }
}

/* Index of the first sample at or behind @x. */
static unsigned
find_sample(const FmSeries *series, double x)
{
    unsigned low = 0;
    unsigned high = series->points->len;

    while (low < high) {
        unsigned middle = low + (high - low) / 2;
        if (g_array_index(series->points, FmPoint, middle).x < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The points worth looking at: samples are in order, and may be half a million. */
static void
find_range(const FmPanelBox *box, const FmSeries *series, const double at[2], unsigned range[2])
{
    range[0] = 0;
    range[1] = series->points->len;
    if (series->mark != FM_MARK_SAMPLES || box->panel->is_horizontal) {
        return;
    }
    double share = (at[0] - box->plot.x) / box->plot.width;
    double reach = READ_REACH / box->plot.width;
    unsigned first = find_sample(series, fm_scale_unmap(&box->x, share - reach));
    unsigned last = find_sample(series, fm_scale_unmap(&box->x, share + reach));
    if (first < last) {
        range[0] = first;
        range[1] = last;
    }
}

static void
find_nearest_in(const FmPanelBox *box, const FmSeries *series, const double at[2],
                FmReading *reading, double *best)
{
    /* Sideways counts more than up and down: a reader follows a line along x. */
    bool is_curve = series->mark != FM_MARK_POINT && series->mark != FM_MARK_INTERVAL;
    double weight = is_curve && box->x.kind != FM_SCALE_NINES ? 0.25 : 1;
    unsigned range[2];

    find_range(box, series, at, range);
    for (unsigned i = range[0]; i < range[1]; i++) {
        const FmPoint *point = &g_array_index(series->points, FmPoint, i);
        FmPlace place = fm_box_place(box, point->x, point->y);
        double dx = place.x - at[0];
        double dy = (place.y - at[1]) * weight;
        double distance = dx * dx + dy * dy;
        if (distance < *best && is_in_plot(box, place.x, place.y)) {
            *best = distance;
            note_nearest(reading, series, i, place);
        }
    }
}

static void
find_nearest_point(const FmPanelBox *box, const double at[2], FmReading *reading)
{
    double best = INFINITY;

    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        if (series->mark != FM_MARK_BAR) {
            find_nearest_in(box, series, at, reading, &best);
        }
    }
}

/* What is at @at, without looking for a mark. */
static FmReading
begin_reading(const FmLayout *layout, const FmPanelBox *box, const double at[2])
{
    double shares[2];
    get_shares(box, at[0], at[1], shares);

    return (FmReading){
        .is_inside = true,
        .panel = (unsigned)(box - layout->boxes),
        .x = fm_scale_unmap(&box->x, shares[0]),
        .y = fm_scale_unmap(&box->y, shares[1]),
        .panel_left = box->plot.x,
        .panel_top = box->plot.y,
        .panel_width = box->plot.width,
        .panel_height = box->plot.height,
    };
}

FmReading
fm_layout_read(const FmLayout *layout, double x, double y)
{
    const FmPanelBox *box = find_box(layout, x, y);
    if (!box) {
        return (FmReading){0};
    }
    const double at[] = {x, y};
    FmReading reading = begin_reading(layout, box, at);
    if (box->bars->len > 0) {
        find_nearest_bar(box, at, &reading);
    } else {
        find_nearest_point(box, at, &reading);
    }
    /* Over cells a line is read only where it is pointed at. */
    if (fm_box_has_density(box) && hypot(reading.mark_x - x, reading.mark_y - y) > NEAR) {
        reading.series = NULL;
    }
    return reading;
}

static bool
locate_bar(const FmPanelBox *box, unsigned series, unsigned point, FmPlace *place)
{
    for (unsigned i = 0; i < box->bars->len; i++) {
        const FmBar *bar = &g_array_index(box->bars, FmBar, i);
        if (bar->series == series && bar->point == point) {
            bool is_flat = box->panel->is_horizontal;
            *place = (FmPlace){bar->rect.x + bar->rect.width / (is_flat ? 1 : 2),
                               bar->rect.y + (is_flat ? bar->rect.height / 2 : 0)};
            return true;
        }
    }
    return false;
}

bool
fm_layout_locate(const FmLayout *layout, unsigned panel, unsigned series, unsigned point,
                 FmReading *reading)
{
    if (!layout->has_room || panel >= layout->n_boxes) {
        return false;
    }
    const FmPanelBox *box = &layout->boxes[panel];
    if (box->panel->table || series >= box->panel->series->len) {
        return false;
    }
    const FmSeries *shown = g_ptr_array_index(box->panel->series, series);
    FmPlace place = {NAN, NAN};
    if (point >= shown->points->len) {
        return false;
    }
    if (shown->mark == FM_MARK_BAR) {
        locate_bar(box, series, point, &place);
    } else {
        const FmPoint *value = &g_array_index(shown->points, FmPoint, point);
        place = fm_box_place(box, value->x, value->y);
    }
    if (!isfinite(place.x) || !isfinite(place.y) || !is_in_plot(box, place.x, place.y)) {
        return false;
    }
    *reading = begin_reading(layout, box, (double[]){place.x, place.y});
    note_nearest(reading, shown, point, place);
    return true;
}

/* --- Saying it -------------------------------------------------------------------- */

static void
append_part(GString *out, const char *part)
{
    if (part && *part) {
        g_string_append(out, out->len > 0 ? " · " : "");
        g_string_append(out, part);
    }
}

static void
append_value(GString *out, const FmAxis *axis, double value)
{
    if (axis->scale == FM_SCALE_CATEGORY) {
        GStrv names = axis->categories;
        double index = round(value);
        if (names && index >= 0 && index < g_strv_length(names)) {
            append_part(out, names[(unsigned)index]);
        }
        return;
    }
    g_autofree char *text = fm_value_dup(axis->unit, value);
    append_part(out, text);
}

static void
append_spread(GString *out, const FmAxis *axis, const FmPoint *point)
{
    if (isfinite(point->lo) && isfinite(point->hi)) {
        g_autofree char *low = fm_value_dup(axis->unit, point->lo);
        g_autofree char *high = fm_value_dup(axis->unit, point->hi);
        g_string_append_printf(out, " (%s – %s)", low, high);
    }
}

/* Of the cells there. */
static void
append_counts(GString *out, const FmLayout *layout, const FmPanel *panel, const FmReading *reading)
{
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(panel->series, i);
        if (series->density) {
            uint64_t n = fm_density_get_count(series->density, reading->x, reading->y);
            g_autofree char *number = fm_label_dup_grouped(n);
            g_autofree char *part = g_strdup_printf(
                fm_language_translate(layout->figure->language, N_("%s I/Os here")), number);
            append_part(out, part);
        }
    }
}

char *
fm_layout_dup_reading(const FmLayout *layout, const FmReading *reading)
{
    GString *out = g_string_new(NULL);

    if (!reading->is_inside || reading->panel >= layout->n_boxes) {
        return g_string_free(out, FALSE);
    }
    const FmPanel *panel = layout->boxes[reading->panel].panel;
    if (!reading->series || reading->point >= reading->series->points->len) {
        append_value(out, &panel->x, reading->x);
        append_value(out, &panel->y, reading->y);
        append_counts(out, layout, panel, reading);
        return g_string_free(out, FALSE);
    }
    const FmPoint *point = &g_array_index(reading->series->points, FmPoint, reading->point);
    append_part(out, reading->series->label);
    if (g_strcmp0(point->label, reading->series->label) != 0) {
        append_part(out, point->label);
    }
    append_value(out, &panel->x, point->x);
    append_value(out, &panel->y, point->y);
    append_spread(out, &panel->y, point);
    append_part(out, point->note);
    return g_string_free(out, FALSE);
}

/* --- Views ------------------------------------------------------------------------ */

/* Limits of @scale from share @low to share @high, where it can be zoomed. */
static void
set_view(FmAxisView *view, const FmScale *scale, double low, double high)
{
    if (scale->kind == FM_SCALE_CATEGORY) {
        return;
    }
    double min = fm_scale_unmap(scale, MIN(low, high));
    double max = fm_scale_unmap(scale, MAX(low, high));
    bool is_log = scale->kind == FM_SCALE_LOG10 || scale->kind == FM_SCALE_LOG2;
    view->min = is_log && min <= 0 ? NAN : min;
    view->max = scale->kind == FM_SCALE_NINES && max >= 1 ? NAN : max;
}

bool
fm_layout_zoom(const FmLayout *layout, const double from[2], const double to[2], FmView *view)
{
    const FmPanelBox *box = find_box(layout, from[0], from[1]);
    double first[2];
    double second[2];

    if (!box || (fabs(from[0] - to[0]) < MIN_DRAG && fabs(from[1] - to[1]) < MIN_DRAG)) {
        return false;
    }
    *view = layout->view;
    view->panel = (unsigned)(box - layout->boxes);
    get_shares(box, from[0], from[1], first);
    get_shares(box, to[0], to[1], second);
    /* A drag along one axis zooms that one alone. */
    if (fabs(first[0] - second[0]) > 0.02) {
        set_view(&view->x, &box->x, first[0], second[0]);
    }
    if (fabs(first[1] - second[1]) > 0.02) {
        set_view(&view->y, &box->y, first[1], second[1]);
    }
    return true;
}

void
fm_layout_move(const FmLayout *layout, double factor, const double shift[2], FmView *view)
{
    *view = layout->view;
    if (!layout->has_room || layout->view.panel >= layout->n_boxes || !(factor > 0)) {
        return;
    }
    const FmPanelBox *box = &layout->boxes[layout->view.panel];
    if (box->panel->table) {
        return;
    }
    double half = CLAMP(factor, 0.01, 100) / 2;
    set_view(&view->x, &box->x, 0.5 + shift[0] - half, 0.5 + shift[0] + half);
    set_view(&view->y, &box->y, 0.5 + shift[1] - half, 0.5 + shift[1] + half);
}
