/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Series of many thousand points are crossed in some hundred steps; what is between is for
 * the fine step, for the zoom and for the data table.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-reader.h"

#include <math.h>

enum { STEPS_ACROSS = 200 };

static const FmSeries *
get_series(const FmFigure *figure, unsigned panel, unsigned series)
{
    const FmPanel *shown = g_ptr_array_index(figure->panels, panel);

    return g_ptr_array_index(shown->series, series);
}

/* The first point from @point on, @by after @by, that is on screen. */
static bool
find_point(const FmFigure *figure, const FmLayout *layout, FmFigureReader *at, long by,
           FmReading *reading)
{
    const FmSeries *series = get_series(figure, at->panel, at->series);
    long n_points = series->points->len;

    for (long point = at->point; point >= 0 && point < n_points; point += by) {
        if (fm_layout_locate(layout, at->panel, at->series, (unsigned)point, reading)) {
            at->point = (unsigned)point;
            return true;
        }
    }
    return false;
}

static bool
step_point(FmFigureReader *at, const FmFigure *figure, const FmLayout *layout,
           const FmReaderMove *move, FmReading *reading)
{
    const FmSeries *series = get_series(figure, at->panel, at->series);
    long n_points = series->points->len;
    long by = move->is_fine ? 1 : MAX(n_points / STEPS_ACROSS, 1);

    by = move->step == FM_READER_PREVIOUS ? -by : by;
    long point = at->point + by;
    if (point < 0 || point >= n_points) {
        return false;
    }
    at->point = (unsigned)point;
    return find_point(figure, layout, at, by, reading);
}

/* The next series of this panel or of the one beside it; false at the end. */
static bool
next_series(FmFigureReader *at, const FmFigure *figure, int by)
{
    long series = (long)at->series + by;
    long panel = at->panel;

    for (;;) {
        const FmPanel *shown = g_ptr_array_index(figure->panels, (guint)panel);
        if (series >= 0 && series < (long)shown->series->len) {
            at->panel = (unsigned)panel;
            at->series = (unsigned)series;
            return true;
        }
        panel += by;
        if (panel < 0 || panel >= (long)figure->panels->len) {
            return false;
        }
        shown = g_ptr_array_index(figure->panels, (guint)panel);
        series = by > 0 ? 0 : (long)shown->series->len - 1;
    }
}

/* The point of the series that is nearest to @x among those on screen. */
static bool
find_nearest(FmFigureReader *at, const FmFigure *figure, const FmLayout *layout, double x,
             FmReading *reading)
{
    const FmSeries *series = get_series(figure, at->panel, at->series);
    double distance = INFINITY;
    bool is_found = false;

    for (guint i = 0; i < series->points->len; i++) {
        double from = fabs(g_array_index(series->points, FmPoint, i).x - x);
        FmReading candidate;
        if (from < distance && fm_layout_locate(layout, at->panel, at->series, i, &candidate)) {
            distance = from;
            at->point = i;
            *reading = candidate;
            is_found = true;
        }
    }
    return is_found;
}

static bool
step_series(FmFigureReader *at, const FmFigure *figure, const FmLayout *layout,
            const FmReaderMove *move, FmReading *reading)
{
    int by = move->step == FM_READER_PREVIOUS_SERIES ? -1 : 1;
    const FmSeries *series = get_series(figure, at->panel, at->series);
    double x = g_array_index(series->points, FmPoint, at->point).x;

    while (next_series(at, figure, by)) {
        if (find_nearest(at, figure, layout, x, reading)) {
            return true;
        }
    }
    return false;
}

/* Where reading begins. */
static bool
begin(FmFigureReader *at, const FmFigure *figure, const FmLayout *layout, bool from_right,
      FmReading *reading)
{
    *at = (FmFigureReader){.series = 0};
    if (figure->panels->len == 0) {
        return false;
    }
    /* One before the first, so that the loop looks at every series. */
    FmFigureReader next = *at;
    const FmPanel *first = g_ptr_array_index(figure->panels, 0);
    bool has_series = first->series->len > 0 || next_series(&next, figure, 1);
    while (has_series) {
        const FmSeries *series = get_series(figure, next.panel, next.series);
        next.point = from_right && series->points->len > 0 ? series->points->len - 1 : 0;
        if (find_point(figure, layout, &next, from_right ? -1 : 1, reading)) {
            *at = next;
            return true;
        }
        has_series = next_series(&next, figure, 1);
    }
    return false;
}

/* The figure may be another one since the last step. */
static bool
is_place(const FmFigureReader *at, const FmFigure *figure)
{
    if (!at->is_active || at->panel >= figure->panels->len) {
        return false;
    }
    const FmPanel *panel = g_ptr_array_index(figure->panels, at->panel);
    return at->series < panel->series->len &&
           at->point < get_series(figure, at->panel, at->series)->points->len;
}

bool
fm_figure_reader_step(FmFigureReader *reader, const FmFigure *figure, const FmLayout *layout,
                      const FmReaderMove *move, FmReading *reading)
{
    FmFigureReader at = *reader;
    bool is_found;

    if (!is_place(reader, figure)) {
        is_found = begin(&at, figure, layout, move->step == FM_READER_PREVIOUS, reading);
    } else if (move->step == FM_READER_PREVIOUS || move->step == FM_READER_NEXT) {
        is_found = step_point(&at, figure, layout, move, reading);
    } else {
        is_found = step_series(&at, figure, layout, move, reading);
    }
    if (is_found) {
        at.is_active = true;
        *reader = at;
    }
    return is_found;
}
