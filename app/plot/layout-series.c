/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines, steps, points, intervals and stems.  Lines are straight between points; where a value
 * is missing they break, and where it is doubtful they are dashed.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include <math.h>

FmColor
fm_box_get_color(const FmLayout *layout, const FmPanelBox *box, const FmSeries *series)
{
    FmColor color = layout->theme->roles[series->role].color;
    bool steps_back = box->has_emphasis && !series->is_emphasised;
    return steps_back ? fm_color_mix(color, layout->theme->paper, 0.4) : color;
}

static bool
is_curve(const FmSeries *series)
{
    return series->mark == FM_MARK_LINE || series->mark == FM_MARK_STEP ||
           series->mark == FM_MARK_SAMPLES;
}

FmRoleStyle
fm_box_get_style(const FmLayout *layout, const FmPanelBox *box, const FmSeries *series)
{
    FmRoleStyle style = layout->theme->roles[series->role];
    unsigned n_curves = 0;

    for (unsigned i = 0; i < box->panel->series->len; i++) {
        n_curves += is_curve(g_ptr_array_index(box->panel->series, i));
    }
    /* Dashes tell lines apart; a line on its own has more to show without. */
    if (n_curves == 1 && !layout->has_common_legend) {
        style.dash = NULL;
    }
    return style;
}

double
fm_box_get_line_width(const FmPanelBox *box, const FmSeries *series)
{
    if (fm_box_has_density(box)) {
        return FM_LINE_CONTEXT;
    }
    if (box->has_emphasis) {
        return series->is_emphasised ? FM_LINE_DATA * 1.3 : FM_LINE_CONTEXT;
    }
    return FM_LINE_DATA;
}

/* Markers and thick lines at the edge of the plot are not cut in half. */
FmRect
fm_box_get_clip(const FmPanelBox *box)
{
    static const double slack = 4;
    const FmRect *plot = &box->plot;
    return (FmRect){plot->x - slack, plot->y - slack, plot->width + 2 * slack,
                    plot->height + 2 * slack};
}

typedef struct {
    FmLayout *layout;
    FmPanelBox *box;
    const FmSeries *series;
    FmColor color;
    FmRoleStyle style;
    unsigned n_drawn;
} Painter;

static const FmPoint *
get_point(const Painter *painter, unsigned index)
{
    return &g_array_index(painter->series->points, FmPoint, index);
}

static bool
is_place(FmPlace place)
{
    return !isnan(place.x) && !isnan(place.y);
}

enum {
    MAX_MARKERS = 60, /* more on one line hide it */
    INK_STEP = 4, /* points between the places a line is known to pass */
    MAX_INK = 20000,
};

/* --- Lines ------------------------------------------------------------------------ */

static void
add_ink(FmPanelBox *box, FmPlace from, FmPlace to)
{
    double length = hypot(to.x - from.x, to.y - from.y);
    unsigned n = (unsigned)CLAMP(length / INK_STEP, 1, 400);

    for (unsigned i = 0; i < n && box->ink->len < MAX_INK; i++) {
        double share = (double)i / n;
        fm_box_add_ink(
            box, (FmPlace){from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share});
    }
}

/* Doubtful stretches are those that lead to or from a doubtful point. */
static GArray *
collect_line(const Painter *painter, bool is_doubtful)
{
    GArray *places = g_array_new(FALSE, FALSE, sizeof(FmPlace));
    const FmPlace gap = {NAN, NAN};
    bool is_step = painter->series->mark == FM_MARK_STEP;
    FmPlace previous = gap;
    bool was_doubtful = false;

    for (unsigned i = 0; i < painter->series->points->len; i++) {
        const FmPoint *point = get_point(painter, i);
        FmPlace place = fm_box_place(painter->box, point->x, point->y);
        bool is_this = (point->is_doubtful || was_doubtful) == is_doubtful;
        if (is_place(previous) && is_place(place) && is_this) {
            FmPlace corner = {place.x, previous.y};
            g_array_append_val(places, previous);
            if (is_step) {
                g_array_append_val(places, corner);
            }
            g_array_append_val(places, place);
            add_ink(painter->box, previous, place);
        } else {
            g_array_append_val(places, gap);
        }
        previous = place;
        was_doubtful = point->is_doubtful;
    }
    return places;
}

/* Paper on both sides, so that a line is seen over cells of any colour. */
static void
add_rim(Painter *painter)
{
    FmStroke stroke = {
        .color = painter->layout->theme->paper,
        .width = fm_box_get_line_width(painter->box, painter->series) + 2,
    };

    for (unsigned is_doubtful = 0; is_doubtful < 2; is_doubtful++) {
        g_autoptr(GArray) places = collect_line(painter, is_doubtful == 1);
        fm_scene_add_line(painter->layout->scene, (const FmPlace *)places->data, places->len,
                          stroke);
    }
}

static void
add_line(Painter *painter)
{
    static const double dash_doubtful[] = {1.5, 3};
    FmScene *scene = painter->layout->scene;
    FmStroke stroke = {
        .color = painter->color,
        .width = fm_box_get_line_width(painter->box, painter->series),
        .dash = painter->style.dash,
        .n_dash = painter->style.n_dash,
    };
    if (fm_box_has_density(painter->box)) {
        add_rim(painter);
    }
    g_autoptr(GArray) sure = collect_line(painter, false);
    g_autoptr(GArray) doubtful = collect_line(painter, true);

    fm_scene_add_line(scene, (const FmPlace *)sure->data, sure->len, stroke);
    stroke.color = fm_color_mix(painter->color, painter->layout->theme->paper, 0.35);
    stroke.dash = dash_doubtful;
    stroke.n_dash = G_N_ELEMENTS(dash_doubtful);
    fm_scene_add_line(scene, (const FmPlace *)doubtful->data, doubtful->len, stroke);
}

/* --- Marks ------------------------------------------------------------------------ */

static void
add_marker(Painter *painter, const FmPoint *point)
{
    FmPlace place = fm_box_place(painter->box, point->x, point->y);
    if (!is_place(place)) {
        return;
    }
    bool is_beyond = painter->box->y.kind == FM_SCALE_NINES && point->y >= 1;
    FmMarkerLook look = {
        .shape = painter->style.marker,
        .color = painter->color,
        .paper = painter->layout->theme->paper,
        .radius = FM_POINT_RADIUS * (painter->series->is_emphasised ? 1.25 : 1),
        .is_open = point->is_doubtful || is_beyond,
    };
    fm_scene_add_marker(painter->layout->scene, place, look);
    fm_box_add_ink(painter->box, place);
    painter->n_drawn++;
}

/* A line needs two points: what stands alone between gaps is a dot, or it would not be seen. */
static void
add_lone_points(Painter *painter)
{
    unsigned n = painter->series->points->len;
    FmPlace before = {NAN, NAN};

    for (unsigned i = 0; i < n; i++) {
        const FmPoint *point = get_point(painter, i);
        FmPlace place = fm_box_place(painter->box, point->x, point->y);
        FmPlace after = {NAN, NAN};
        if (i + 1 < n) {
            const FmPoint *next = get_point(painter, i + 1);
            after = fm_box_place(painter->box, next->x, next->y);
        }
        if (!is_place(before) && !is_place(after)) {
            add_marker(painter, point);
        }
        before = place;
    }
}

/* From lo to hi, with caps as wide as the marker. */
static void
add_spread(Painter *painter, const FmPoint *point, double width, double cap)
{
    FmPlace low = fm_box_place(painter->box, point->x, point->lo);
    FmPlace high = fm_box_place(painter->box, point->x, point->hi);
    if (!is_place(low) || !is_place(high)) {
        return;
    }
    bool is_flat = painter->box->panel->is_horizontal;
    double dx = is_flat ? 0 : cap;
    double dy = is_flat ? cap : 0;
    const FmPlace places[] = {
        low,
        high,
        {low.x - dx, low.y - dy},
        {low.x + dx, low.y + dy},
        {high.x - dx, high.y - dy},
        {high.x + dx, high.y + dy},
    };
    fm_scene_add_segments(painter->layout->scene, places, G_N_ELEMENTS(places),
                          (FmStroke){.color = painter->color, .width = width});
}

static void
add_stem(Painter *painter, const FmPoint *point)
{
    FmPlace top = fm_box_place(painter->box, point->x, point->y);
    const FmRect *plot = &painter->box->plot;
    bool is_flat = painter->box->panel->is_horizontal;
    FmPlace foot = is_flat ? (FmPlace){plot->x, top.y} : (FmPlace){top.x, plot->y + plot->height};

    if (is_place(top)) {
        fm_scene_add_rule(painter->layout->scene, foot, top,
                          (FmStroke){.color = painter->color, .width = FM_LINE_RULE});
    }
}

static void
add_marks(Painter *painter)
{
    unsigned n = painter->series->points->len;
    FmMark mark = painter->series->mark;
    bool is_line = mark == FM_MARK_LINE || mark == FM_MARK_STEP;
    bool is_over_cells = fm_box_has_density(painter->box);

    if (is_line && (n > MAX_MARKERS || mark == FM_MARK_STEP || is_over_cells)) {
        painter->n_drawn = n;
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        const FmPoint *point = get_point(painter, i);
        bool is_interval = mark == FM_MARK_INTERVAL;
        if (mark == FM_MARK_STEM) {
            add_stem(painter, point);
        }
        add_spread(painter, point, is_interval ? FM_LINE_DATA : FM_LINE_RULE * 0.9,
                   is_interval ? 3 : 2);
        add_marker(painter, point);
    }
}

static void
paint_series(FmLayout *layout, FmPanelBox *box, unsigned index)
{
    const FmSeries *series = g_ptr_array_index(box->panel->series, index);
    Painter painter = {
        .layout = layout,
        .box = box,
        .series = series,
        .color = fm_box_get_color(layout, box, series),
        .style = fm_box_get_style(layout, box, series),
    };
    bool is_line = series->mark == FM_MARK_LINE || series->mark == FM_MARK_SAMPLES;
    if (series->density) {
        painter.n_drawn = fm_layout_add_density(layout, box, series);
    } else if (is_line && fm_layout_has_columns(box, series)) {
        painter.n_drawn = fm_layout_add_samples(layout, box, series);
    } else if (series->mark == FM_MARK_LINE || series->mark == FM_MARK_STEP ||
               series->mark == FM_MARK_SAMPLES) {
        add_line(&painter);
        if (series->mark == FM_MARK_SAMPLES) {
            add_lone_points(&painter);
        }
    }
    if (series->mark != FM_MARK_SAMPLES && series->mark != FM_MARK_BAR &&
        series->mark != FM_MARK_DENSITY) {
        add_marks(&painter);
    }
    if (series->mark == FM_MARK_BAR) {
        painter.n_drawn = fm_box_count_bars(box, index);
    }
    g_array_index(box->drawn, unsigned, index) = painter.n_drawn;
}

void
fm_layout_add_series(FmLayout *layout, FmPanelBox *box)
{
    FmRect clip = fm_box_get_clip(box);
    unsigned n = box->panel->series->len;

    g_array_set_size(box->drawn, n);
    fm_scene_set_clip(layout->scene, &clip);
    /* What is emphasised lies on top. */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < n; i++) {
            const FmSeries *series = g_ptr_array_index(box->panel->series, i);
            if (series->is_emphasised == (pass == 1)) {
                paint_series(layout, box, i);
            }
        }
    }
    fm_scene_set_clip(layout->scene, NULL);
}
