/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time series with more samples than columns: every column shows all that was in it, from the
 * smallest to the largest sample, as a hairline in a tint, and the medians are the line.  No
 * stall and no spike disappears, however many samples there are.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/decimate.h"

#include <math.h>

/* Points: one pixel at twice the natural size, where most figures are published. */
#define COLUMN_WIDTH 0.5

/* The first and one past the last sample that can be seen. */
static void
find_visible(const FmPanelBox *box, const FmSeries *series, unsigned range[2])
{
    range[0] = 0;
    range[1] = series->points->len;
    while (range[0] < range[1] &&
           !(g_array_index(series->points, FmPoint, range[0]).x >= box->x.min)) {
        range[0]++;
    }
    while (range[1] > range[0] &&
           !(g_array_index(series->points, FmPoint, range[1] - 1).x <= box->x.max)) {
        range[1]--;
    }
}

/* Samples are in order by law; other lines may turn back. */
static bool
is_in_order(const FmSeries *series)
{
    for (unsigned i = 1; series->mark != FM_MARK_SAMPLES && i < series->points->len; i++) {
        if (!(g_array_index(series->points, FmPoint, i - 1).x <=
              g_array_index(series->points, FmPoint, i).x)) {
            return false;
        }
    }
    return true;
}

bool
fm_layout_has_columns(const FmPanelBox *box, const FmSeries *series)
{
    unsigned range[2];

    if (box->x.kind != FM_SCALE_LINEAR || box->panel->is_horizontal) {
        return false;
    }
    find_visible(box, series, range);
    return range[1] - range[0] > box->plot.width / COLUMN_WIDTH && is_in_order(series);
}

static double
place_y(const FmPanelBox *box, double value)
{
    double at = fm_scale_map(&box->y, value);
    return box->plot.y + (1 - CLAMP(at, -0.5, 1.5)) * box->plot.height;
}

typedef struct {
    GArray *lines; /* of FmPlace, two each */
    GArray *medians; /* of FmPlace, NaN = gap */
} Collected;

static void
collect_column(const FmPanelBox *box, const FmPixelColumn *column, double x, Collected *out)
{
    static const FmPlace gap = {NAN, NAN};

    if (column->has_gap) {
        g_array_append_val(out->medians, gap);
    }
    if (column->n == 0 || isnan(place_y(box, column->median))) {
        return;
    }
    FmPlace low = {x, place_y(box, column->min)};
    FmPlace high = {x, place_y(box, column->max)};
    FmPlace middle = {x, place_y(box, column->median)};
    if (isnan(low.y)) {
        low.y = box->plot.y + box->plot.height; /* below all that the scale can show */
    }
    if (fabs(low.y - high.y) > 0.1) {
        g_array_append_val(out->lines, low);
        g_array_append_val(out->lines, high);
    }
    g_array_append_val(out->medians, middle);
}

unsigned
fm_layout_add_samples(FmLayout *layout, FmPanelBox *box, const FmSeries *series)
{
    unsigned n_columns = (unsigned)ceil(box->plot.width / COLUMN_WIDTH);
    g_autofree double *edges = g_new(double, n_columns + 1);
    g_autofree FmPixelColumn *columns = g_new0(FmPixelColumn, n_columns);
    Collected out = {
        .lines = g_array_new(FALSE, FALSE, sizeof(FmPlace)),
        .medians = g_array_new(FALSE, FALSE, sizeof(FmPlace)),
    };
    double range = box->x.max - box->x.min;

    for (unsigned i = 0; i <= n_columns; i++) {
        edges[i] = i == n_columns ? box->x.max : box->x.min + range * i / n_columns;
    }
    fm_decimate(series->points, edges, columns, n_columns);
    for (unsigned i = 0; i < n_columns; i++) {
        double x = box->plot.x + (i + 0.5) / n_columns * box->plot.width;
        collect_column(box, &columns[i], x, &out);
    }

    FmColor color = fm_box_get_color(layout, box, series);
    FmColor tint = fm_color_mix(color, layout->theme->paper, 0.55);
    unsigned n_drawn = out.lines->len + out.medians->len;
    fm_scene_add_segments(layout->scene, (const FmPlace *)out.lines->data, out.lines->len,
                          (FmStroke){.color = tint, .width = COLUMN_WIDTH * 1.1});
    fm_scene_add_line(layout->scene, (const FmPlace *)out.medians->data, out.medians->len,
                      (FmStroke){.color = color, .width = FM_LINE_CONTEXT});
    for (unsigned i = 0; i < out.medians->len; i += 4) {
        fm_box_add_ink(box, g_array_index(out.medians, FmPlace, i));
    }
    for (unsigned i = 0; i < out.lines->len; i += 4) {
        fm_box_add_ink(box, g_array_index(out.lines, FmPlace, i));
    }
    g_array_unref(out.lines);
    g_array_unref(out.medians);
    return n_drawn;
}
