/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which line is which: labels at the lines' ends where they fit, else a legend above the plot.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/labels.h"

#include <math.h>

enum {
    SIDE_GAP = 8, /* between the end of a line and its label */
    KEY_WIDTH = 22,
    KEY_GAP = 5,
    ITEM_GAP = 16,
    LEGEND_LINE = 15,
    LEGEND_FOOT = 5,
};

static bool
is_curve(const FmSeries *series)
{
    return series->mark == FM_MARK_LINE || series->mark == FM_MARK_STEP ||
           series->mark == FM_MARK_SAMPLES;
}

/* The key of a density names it. */
static bool
has_label(const FmSeries *series)
{
    return series->label && *series->label && series->mark != FM_MARK_DENSITY;
}

static unsigned
count_labels(const FmPanel *panel)
{
    unsigned n = 0;
    for (unsigned i = 0; i < panel->series->len; i++) {
        n += has_label(g_ptr_array_index(panel->series, i));
    }
    return n;
}

/* --- Common legend ---------------------------------------------------------------- */

static bool
has_same_series(const FmPanel *a, const FmPanel *b)
{
    if (a->series->len != b->series->len) {
        return false;
    }
    for (unsigned i = 0; i < a->series->len; i++) {
        const FmSeries *first = g_ptr_array_index(a->series, i);
        const FmSeries *second = g_ptr_array_index(b->series, i);
        if (first->role != second->role || first->mark != second->mark ||
            g_strcmp0(first->label, second->label) != 0) {
            return false;
        }
    }
    return true;
}

bool
fm_layout_wants_common_legend(const FmLayout *layout)
{
    if (layout->n_boxes < 2 || count_labels(layout->boxes[0].panel) < 2) {
        return false;
    }
    for (unsigned i = 1; i < layout->n_boxes; i++) {
        if (!has_same_series(layout->boxes[0].panel, layout->boxes[i].panel)) {
            return false;
        }
    }
    return true;
}

/* --- Labels at the ends ----------------------------------------------------------- */

/* The last point that is seen, as shares of the plot; false = none. */
static bool
find_end(const FmLayout *layout, const FmPanelBox *box, const FmSeries *series, FmPlace *end)
{
    double min = isfinite(layout->view.x.min) ? layout->view.x.min : box->x_extent.min;
    double max = isfinite(layout->view.x.max) ? layout->view.x.max : box->x_extent.max;

    for (unsigned i = series->points->len; i-- > 0;) {
        const FmPoint *point = &g_array_index(series->points, FmPoint, i);
        double at = fm_scale_map(&box->y, point->y);
        if (point->x <= max && at >= 0 && at <= 1) {
            end->x = max > min ? (point->x - min) / (max - min) : 1;
            end->y = at;
            return true;
        }
    }
    return false;
}

/* Labels stand at the right only if the lines end there. */
static bool
ends_at_the_right(const FmLayout *layout, const FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        FmPlace end;
        if (!has_label(series)) {
            continue;
        }
        if (!is_curve(series) || box->panel->is_horizontal) {
            return false;
        }
        if (find_end(layout, box, series, &end) && end.x < 0.85) {
            return false;
        }
    }
    return true;
}

static void
collect_side_labels(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        FmPlace end;
        if (!has_label(series) || !find_end(layout, box, series, &end)) {
            continue;
        }
        FmSideLabel label = {
            .string = g_strdup(series->label),
            .color = fm_box_get_color(layout, box, series),
            .at = box->plot.y + (1 - end.y) * box->plot.height,
        };
        g_array_append_val(box->side_labels, label);
    }
}

/* Rules across the plot are named at its right as lines are. */
static void
collect_rule_labels(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; !box->panel->is_horizontal && i < box->panel->annotations->len; i++) {
        const FmAnnotation *annotation = &g_array_index(box->panel->annotations, FmAnnotation, i);
        double at = fm_scale_map(&box->y, annotation->y0);
        if (annotation->kind == FM_ANNOTATION_RULE_Y && annotation->text && at >= 0 && at <= 1) {
            FmSideLabel label = {
                .string = g_strdup(annotation->text),
                .color = layout->theme->roles[annotation->role].color,
                .at = box->plot.y + (1 - at) * box->plot.height,
            };
            g_array_append_val(box->side_labels, label);
        }
    }
}

static void
clear_side_labels(FmPanelBox *box)
{
    for (unsigned i = 0; i < box->side_labels->len; i++) {
        FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, i);
        g_free(label->string);
        fm_text_free(label->text);
    }
    g_array_set_size(box->side_labels, 0);
}

static void
set_side_texts(FmLayout *layout, FmPanelBox *box)
{
    double widest = MIN(box->outer.width * 0.28, 170);

    for (unsigned i = 0; i < box->side_labels->len; i++) {
        FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, i);
        label->text = fm_layout_wrap_text(layout, label->string, FM_SIZE_LABEL, widest, 2);
        box->side = MAX(box->side, fm_text_get_width(label->text) + SIDE_GAP);
    }
}

/* Half a label may stand over the corners of the plot. */
static bool
solve_side_labels(FmPanelBox *box)
{
    unsigned n = box->side_labels->len;
    g_autofree FmLineLabel *solved = g_new0(FmLineLabel, MAX(n, 1u));

    for (unsigned i = 0; i < n; i++) {
        const FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, i);
        solved[i].wanted = label->at;
        solved[i].height = fm_text_get_height(label->text) + 0.5;
    }
    double top = box->plot.y - 6;
    double bottom = box->plot.y + box->plot.height + 3; /* numbers begin a point below */
    if (!fm_labels_place(solved, n, top, bottom)) {
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, i);
        label->y = solved[i].placed - fm_text_get_height(label->text) / 2;
        label->has_leader = solved[i].needs_leader;
    }
    return true;
}

enum {
    MIN_LABELLED_WIDTH = 200, /* below, labels would take the plot's place */
};

void
fm_layout_choose_labels(FmLayout *layout, FmPanelBox *box)
{
    bool can_label = !layout->has_common_legend && !box->has_legend &&
                     count_labels(box->panel) > 0 && box->outer.width > MIN_LABELLED_WIDTH &&
                     ends_at_the_right(layout, box);

    clear_side_labels(box);
    box->side = 10; /* half of the last number below */
    if (can_label) {
        collect_side_labels(layout, box);
    }
    collect_rule_labels(layout, box);
    set_side_texts(layout, box);
    if (!solve_side_labels(box)) {
        clear_side_labels(box);
        box->side = 10;
        can_label = false;
    }
    if (!can_label && !layout->has_common_legend && count_labels(box->panel) > 0) {
        box->has_legend = true;
    }
}

void
fm_layout_add_side_labels(FmLayout *layout, FmPanelBox *box)
{
    double right = box->plot.x + box->plot.width;

    for (unsigned i = 0; i < box->side_labels->len; i++) {
        FmSideLabel *label = &g_array_index(box->side_labels, FmSideLabel, i);
        FmColor text_color = fm_color_mix(label->color, layout->theme->ink, 0.2);
        double middle = label->y + fm_text_get_height(label->text) / 2;
        if (label->has_leader) {
            fm_scene_add_rule(layout->scene, (FmPlace){right + 1, label->at},
                              (FmPlace){right + SIDE_GAP - 2, middle},
                              (FmStroke){.color = label->color, .width = FM_LINE_GRID});
        }
        fm_scene_add_text(layout->scene, g_steal_pointer(&label->text), right + SIDE_GAP, label->y,
                          (FmTextLook){.kind = "label", .color = text_color});
    }
}

/* --- Legend ----------------------------------------------------------------------- */

static double
get_key_width(const FmSeries *series)
{
    return is_curve(series) ? KEY_WIDTH : series->mark == FM_MARK_BAR ? 12 : 8;
}

/* As the marks themselves are drawn: open where the values are doubtful. */
static bool
is_all_doubtful(const FmSeries *series)
{
    for (guint i = 0; i < series->points->len; i++) {
        if (!g_array_index(series->points, FmPoint, i).is_doubtful) {
            return false;
        }
    }
    return series->points->len > 0;
}

static void
add_key(FmLayout *layout, const FmPanelBox *box, const FmSeries *series, FmPlace at)
{
    FmRoleStyle style = fm_box_get_style(layout, box, series);
    FmColor color = fm_box_get_color(layout, box, series);

    double width = get_key_width(series);

    if (series->mark == FM_MARK_BAR) {
        fm_scene_add_rect(layout->scene, (FmRect){at.x, at.y - 4, width, 8}, color);
        return;
    }
    if (is_curve(series)) {
        fm_scene_add_rule(
            layout->scene, at, (FmPlace){at.x + width, at.y},
            (FmStroke){
                .color = color, .width = FM_LINE_DATA, .dash = style.dash, .n_dash = style.n_dash});
    }
    if (series->mark != FM_MARK_SAMPLES && series->mark != FM_MARK_STEP) {
        fm_scene_add_marker(layout->scene, (FmPlace){at.x + width / 2, at.y},
                            (FmMarkerLook){.shape = style.marker,
                                           .color = color,
                                           .paper = layout->theme->paper,
                                           .radius = FM_POINT_RADIUS,
                                           .is_open = is_all_doubtful(series)});
    }
}

/* Flows the items into lines; returns the height. */
static double
flow_legend(FmLayout *layout, const FmPanelBox *box, FmRect where, bool is_drawn)
{
    double x = where.x;
    double y = where.y;

    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        if (!has_label(series)) {
            continue;
        }
        double key_width = get_key_width(series);
        double widest = where.width - key_width - KEY_GAP;
        g_autoptr(FmText) text =
            fm_layout_wrap_text(layout, series->label, FM_SIZE_LABEL, widest, 1);
        double width = key_width + KEY_GAP + fm_text_get_width(text);
        if (x > where.x && x + width > where.x + where.width) {
            x = where.x;
            y += LEGEND_LINE;
        }
        if (is_drawn) {
            add_key(layout, box, series, (FmPlace){x, y + LEGEND_LINE / 2.0 - 1});
            fm_scene_add_text(layout->scene, g_steal_pointer(&text), x + key_width + KEY_GAP, y,
                              (FmTextLook){.kind = "legend", .color = layout->theme->ink});
        }
        x += width + ITEM_GAP;
    }
    return y - where.y + LEGEND_LINE + LEGEND_FOOT;
}

double
fm_layout_get_legend_height(FmLayout *layout, const FmPanelBox *box, double width)
{
    return flow_legend(layout, box, (FmRect){0, 0, width, 0}, false);
}

void
fm_layout_add_legend(FmLayout *layout, const FmPanelBox *box, FmRect where)
{
    flow_legend(layout, box, where, true);
}
