/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bands, rules, brackets, callouts and the labels of marks.  Texts look for a free place near
 * what they speak of; one that finds none is left out rather than put over another.  The notes
 * at the top of the plot are in layout-notes.c.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include <math.h>

enum {
    CALLOUT_WIDTH = 130,
    N_DIRECTIONS = 8,
};

static const FmAnnotation *
get_annotation(const FmPanelBox *box, unsigned index)
{
    return &g_array_index(box->panel->annotations, FmAnnotation, index);
}

static bool
has_text(const FmAnnotation *annotation)
{
    return annotation->text && *annotation->text;
}

static FmColor
get_role_color(const FmLayout *layout, const FmAnnotation *annotation)
{
    return layout->theme->roles[annotation->role].color;
}

/* --- Bands and rules -------------------------------------------------------------- */

static void
add_band(FmLayout *layout, const FmPanelBox *box, const FmAnnotation *annotation)
{
    const FmScale *scale = &box->x;
    double from = CLAMP(fm_scale_map(scale, annotation->x0), 0, 1);
    double to = CLAMP(fm_scale_map(scale, annotation->x1), 0, 1);
    FmColor fill = fm_color_mix(layout->theme->paper, get_role_color(layout, annotation), 0.12);
    const FmRect *plot = &box->plot;

    if (!(to > from)) {
        return;
    }
    FmRect rect = box->panel->is_horizontal ? (FmRect){plot->x, plot->y + from * plot->height,
                                                       plot->width, (to - from) * plot->height}
                                            : (FmRect){plot->x + from * plot->width, plot->y,
                                                       (to - from) * plot->width, plot->height};
    fm_scene_add_rect(layout->scene, rect, fill);
    if (from > 0 && !box->panel->is_horizontal) {
        fm_scene_add_rule(layout->scene, (FmPlace){rect.x, rect.y},
                          (FmPlace){rect.x, rect.y + rect.height},
                          (FmStroke){.color = layout->theme->paper, .width = FM_LINE_RULE});
    }
}

void
fm_layout_add_bands(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->annotations->len; i++) {
        const FmAnnotation *annotation = get_annotation(box, i);
        if (annotation->kind == FM_ANNOTATION_BAND_X) {
            add_band(layout, box, annotation);
        }
    }
}

static void
add_rule(FmLayout *layout, const FmPanelBox *box, const FmAnnotation *annotation)
{
    static const double dash[] = {4, 3};
    bool is_x = annotation->kind == FM_ANNOTATION_RULE_X;
    bool is_down = is_x != box->panel->is_horizontal;
    const FmScale *scale = is_x ? &box->x : &box->y;
    double at = fm_scale_map(scale, is_x ? annotation->x0 : annotation->y0);
    const FmRect *plot = &box->plot;

    if (!(at >= 0 && at <= 1)) {
        return;
    }
    double x = plot->x + at * plot->width;
    bool is_from_top = scale == &box->x;
    double y = plot->y + (is_from_top ? at : 1 - at) * plot->height;
    double top = box->panel->is_horizontal ? plot->y - 2 : plot->y;
    FmPlace from = is_down ? (FmPlace){x, top} : (FmPlace){plot->x, y};
    FmPlace to =
        is_down ? (FmPlace){x, plot->y + plot->height} : (FmPlace){plot->x + plot->width, y};
    fm_scene_add_rule(layout->scene, from, to,
                      (FmStroke){.color = get_role_color(layout, annotation),
                                 .width = FM_LINE_RULE,
                                 .dash = dash,
                                 .n_dash = G_N_ELEMENTS(dash)});
}

/* --- Finding a place -------------------------------------------------------------- */

void
fm_box_add_ink(FmPanelBox *box, FmPlace place)
{
    if (!isnan(place.x) && !isnan(place.y)) {
        g_array_append_val(box->ink, place);
    }
}

/* How much of the data a text would cover. */
static unsigned
count_ink(const FmPanelBox *box, const FmRect *rect)
{
    unsigned n = 0;
    for (unsigned i = 0; i < box->ink->len; i++) {
        const FmPlace *place = &g_array_index(box->ink, FmPlace, i);
        n += place->x >= rect->x && place->x <= rect->x + rect->width && place->y >= rect->y &&
             place->y <= rect->y + rect->height;
    }
    for (unsigned i = 0; i < box->bars->len; i++) {
        n += fm_rect_intersects(&g_array_index(box->bars, FmBar, i).rect, rect) ? 20 : 0;
    }
    return n;
}

static bool
is_in_plot(const FmPanelBox *box, const FmRect *rect)
{
    const FmRect *plot = &box->plot;
    return rect->x >= plot->x + 1 && rect->y >= plot->y + 1 &&
           rect->x + rect->width <= plot->x + plot->width - 1 &&
           rect->y + rect->height <= plot->y + plot->height - 1;
}

/* Around @at at one of @distances; the place that covers least.  False = none is free. */
static bool
find_place(const FmLayout *layout, const FmPanelBox *box, FmPlace at, const double *distances,
           FmRect *rect)
{
    static const double directions[N_DIRECTIONS][2] = {
        {0.8, -0.8}, {0.8, 0.8}, {-0.8, -0.8}, {-0.8, 0.8}, {0, -1}, {0, 1}, {1, 0}, {-1, 0}};
    unsigned best = G_MAXUINT;
    FmRect found = *rect;

    for (; *distances > 0; distances++) {
        for (unsigned i = 0; i < N_DIRECTIONS; i++) {
            double dx = directions[i][0];
            double dy = directions[i][1];
            FmRect candidate = *rect;
            candidate.x = at.x + dx * *distances -
                          (dx < 0   ? rect->width
                           : dx > 0 ? 0
                                    : rect->width / 2);
            candidate.y = at.y + dy * *distances -
                          (dy < 0   ? rect->height
                           : dy > 0 ? 0
                                    : rect->height / 2);
            if (!is_in_plot(box, &candidate) || fm_scene_is_taken(layout->scene, &candidate)) {
                continue;
            }
            unsigned cost = count_ink(box, &candidate) * 4 + i / 2 + (unsigned)(*distances / 12);
            if (cost < best) {
                best = cost;
                found = candidate;
            }
        }
    }
    *rect = found;
    return best != G_MAXUINT;
}

/* --- Brackets, callouts, labels --------------------------------------------------- */

static void
add_bracket(FmLayout *layout, const FmPanelBox *box, const FmAnnotation *annotation)
{
    FmPlace from = fm_box_place(box, annotation->x0, annotation->y0);
    FmPlace to = fm_box_place(box, annotation->x0, annotation->y1);
    FmStroke stroke = {.color = layout->theme->ink, .width = FM_LINE_RULE};

    if (isnan(from.x + from.y + to.x + to.y)) {
        return;
    }
    bool is_flat = box->panel->is_horizontal;
    double dx = is_flat ? 0 : 3;
    double dy = is_flat ? 3 : 0;
    const FmPlace places[] = {from,
                              to,
                              {from.x - dx, from.y - dy},
                              {from.x + dx, from.y + dy},
                              {to.x - dx, to.y - dy},
                              {to.x + dx, to.y + dy}};
    fm_scene_add_segments(layout->scene, places, G_N_ELEMENTS(places), stroke);
    if (!has_text(annotation)) {
        return;
    }
    static const double distances[] = {6, 12, 0};
    g_autoptr(FmText) text =
        fm_layout_wrap_text(layout, annotation->text, FM_SIZE_TICK, CALLOUT_WIDTH, 2);
    FmRect rect = {0, 0, fm_text_get_width(text), fm_text_get_height(text)};
    FmPlace middle = {(from.x + to.x) / 2, (from.y + to.y) / 2};
    if (find_place(layout, box, middle, distances, &rect)) {
        fm_scene_add_text(layout->scene, g_steal_pointer(&text), rect.x, rect.y,
                          (FmTextLook){.kind = "note",
                                       .color = layout->theme->ink,
                                       .halo = &layout->theme->paper});
    }
}

static void
add_callout(FmLayout *layout, const FmPanelBox *box, const FmAnnotation *annotation)
{
    static const double distances[] = {16, 28, 44, 64, 0};
    FmPlace at = fm_box_place(box, annotation->x0, annotation->y0);

    if (isnan(at.x + at.y) || !has_text(annotation)) {
        return;
    }
    g_autoptr(FmText) text =
        fm_layout_wrap_text(layout, annotation->text, FM_SIZE_TICK, CALLOUT_WIDTH, 3);
    FmRect rect = {0, 0, fm_text_get_width(text), fm_text_get_height(text)};
    if (!find_place(layout, box, at, distances, &rect)) {
        return;
    }
    FmPlace near = {CLAMP(at.x, rect.x, rect.x + rect.width),
                    CLAMP(at.y, rect.y, rect.y + rect.height)};
    FmColor color = fm_color_mix(get_role_color(layout, annotation), layout->theme->ink, 0.25);
    fm_scene_add_rule(layout->scene, at, near,
                      (FmStroke){.color = layout->theme->axis, .width = 0.75});
    fm_scene_add_text(layout->scene, g_steal_pointer(&text), rect.x, rect.y,
                      (FmTextLook){.kind = "note", .color = color, .halo = &layout->theme->paper});
}

static void
add_mark_label(FmLayout *layout, const FmPanelBox *box, const FmSeries *series,
               const FmPoint *point)
{
    static const double distances[] = {4.5, 8, 0};
    FmPlace at = fm_box_place(box, point->x, point->y);

    if (isnan(at.x + at.y)) {
        return;
    }
    g_autoptr(FmText) text =
        fm_layout_wrap_text(layout, point->label, FM_SIZE_CAPTION, CALLOUT_WIDTH, 1);
    FmRect rect = {0, 0, fm_text_get_width(text), fm_text_get_height(text)};
    if (find_place(layout, box, at, distances, &rect)) {
        fm_scene_add_text(layout->scene, g_steal_pointer(&text), rect.x, rect.y,
                          (FmTextLook){.kind = "mark",
                                       .color = fm_box_get_color(layout, box, series),
                                       .halo = &layout->theme->paper});
    }
}

static void
add_mark_labels(FmLayout *layout, const FmPanelBox *box)
{
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < box->panel->series->len; i++) {
            const FmSeries *series = g_ptr_array_index(box->panel->series, i);
            if (series->mark == FM_MARK_BAR || series->is_emphasised == (pass == 1)) {
                continue;
            }
            for (unsigned j = 0; j < series->points->len; j++) {
                const FmPoint *point = &g_array_index(series->points, FmPoint, j);
                if (point->label && *point->label) {
                    add_mark_label(layout, box, series, point);
                }
            }
        }
    }
}

void
fm_layout_add_rules(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->annotations->len; i++) {
        const FmAnnotation *annotation = get_annotation(box, i);
        if (annotation->kind == FM_ANNOTATION_RULE_X || annotation->kind == FM_ANNOTATION_RULE_Y) {
            add_rule(layout, box, annotation);
        }
    }
}

void
fm_layout_add_annotations(FmLayout *layout, FmPanelBox *box)
{
    fm_layout_add_notes(layout, box);
    for (unsigned i = 0; i < box->panel->annotations->len; i++) {
        const FmAnnotation *annotation = get_annotation(box, i);
        if (annotation->kind == FM_ANNOTATION_BRACKET) {
            add_bracket(layout, box, annotation);
        } else if (annotation->kind == FM_ANNOTATION_CALLOUT) {
            add_callout(layout, box, annotation);
        }
    }
    add_mark_labels(layout, box);
}
