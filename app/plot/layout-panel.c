/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grid of panels: how large their plots are once all text beside them is measured.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include <math.h>

enum {
    ROW_GAP = 10,
    COLUMN_GAP = 14,
    MIN_PLOT_WIDTH = 60,
    MIN_PLOT_HEIGHT = 20,
    UNIT_ROW = 20,
    TICK_ROW = 15,
    TITLE_ROW = 14,
    CATEGORY_LINE = 12,
    PLOT_BY_TABLE = 200, /* height of a plot in a figure that is a table */
};

/* --- Sizes ------------------------------------------------------------------------ */

/* Whether the next panel below draws no labels of x because this one's stand for both, or the
 * other way round: labels stand under the lowest of those that share. */
static bool
is_joined_below(const FmLayout *layout, unsigned index)
{
    unsigned below = index + MAX(layout->figure->n_columns, 1u);
    return below < layout->n_boxes && layout->boxes[below].panel->shares_x;
}

/* Names below the plot take a second line where one is too short; the plot's width is not known
 * yet, but it is seldom less than three quarters. */
static unsigned
count_category_lines(FmLayout *layout, const FmPanelBox *box)
{
    GStrv names = fm_box_get_flat_axis(box)->categories;
    unsigned n = names ? g_strv_length(names) : 0;
    FmTextStyle style = {.size = FM_SIZE_TICK, .language = layout->figure->language};

    for (unsigned i = 0; i < n; i++) {
        if (fm_text_measure(names[i], &style) > box->outer.width * 0.75 / n - 4) {
            return 2;
        }
    }
    return 1;
}

static void
measure_heights(FmLayout *layout, FmPanelBox *box)
{
    if (box->panel->table) {
        box->head_height = box->panel->title ? FM_STRIP_ROW : 0;
        box->foot_height = 0;
        return;
    }
    const FmAxis *flat = fm_box_get_flat_axis(box);
    const FmAxis *upright = fm_box_get_upright_axis(box);
    bool has_unit_row = upright->scale != FM_SCALE_CATEGORY;

    box->head_height = box->panel->title ? FM_STRIP_ROW : 0;
    if (box->has_legend) {
        box->head_height += fm_layout_get_legend_height(layout, box, box->outer.width);
    }
    box->head_height += has_unit_row ? UNIT_ROW : upright->title ? TITLE_ROW : 2;
    if (fm_panel_has_bars(box->panel) && !box->panel->is_horizontal) {
        box->headroom = MAX(box->headroom, 16);
    }
    if (box->panel->is_horizontal && box->headroom > 0) {
        box->head_height += 12; /* texts of rules stand over the plot */
    }
    box->has_x_labels = !is_joined_below(layout, (unsigned)(box - layout->boxes));
    box->foot_height = 4;
    if (box->has_x_labels) {
        box->foot_height =
            TICK_ROW + (flat->title && *flat->title && !layout->is_terse ? TITLE_ROW : 0);
        if (flat->scale == FM_SCALE_CATEGORY) {
            box->category_lines = count_category_lines(layout, box);
            box->foot_height += (box->category_lines - 1) * CATEGORY_LINE;
        }
    }
}

static void
set_tick_texts(FmLayout *layout, FmPanelBox *box)
{
    const FmScale *scale = fm_box_get_upright_scale(box);
    bool is_category = scale->kind == FM_SCALE_CATEGORY;
    double widest = is_category ? box->outer.width * 0.36 : box->outer.width * 0.5;
    double slot = box->plot.height / MAX(scale->ticks->len, 1u);
    unsigned max_lines = is_category ? (unsigned)CLAMP(slot / 12, 1, 3) : 1;

    g_ptr_array_set_size(box->tick_texts, 0);
    box->gutter = 0;
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        FmText *text = NULL;
        if (tick->label && *tick->label) {
            text = fm_layout_wrap_text(layout, tick->label, FM_SIZE_TICK, widest, max_lines);
            box->gutter = MAX(box->gutter, fm_text_get_width(text));
        }
        g_ptr_array_add(box->tick_texts, text);
    }
    if (!is_category && *scale->unit_text) {
        g_autoptr(FmText) unit = fm_layout_set_text(layout, scale->unit_text, FM_SIZE_TICK);
        box->gutter = MAX(box->gutter, fm_text_get_width(unit));
    }
    box->gutter += 6;
}

static double
get_weight(const FmPanel *panel)
{
    return panel->weight > 0 ? panel->weight : 1;
}

/* What the panels of a column share: the height without what stands above and below them. */
typedef struct {
    double rest;
    double tables; /* what they want of it */
    double weights; /* of the plots, which share what is left */
} Share;

static Share
measure_column(FmLayout *layout, unsigned column, double x, double width)
{
    Share share = {.rest = layout->body.height + ROW_GAP};

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        if (box->column != column) {
            continue;
        }
        box->outer = (FmRect){x, 0, width, 0};
        measure_heights(layout, box);
        share.rest -= box->head_height + box->foot_height + ROW_GAP;
        if (box->panel->table) {
            share.tables += fm_layout_get_table_height(layout, box->panel->table, width);
        } else {
            share.weights += get_weight(box->panel);
        }
    }
    return share;
}

/* Tables get what they want, but beside plots no more than half. */
static double
get_share(FmLayout *layout, const FmPanelBox *box, const Share *share)
{
    double tables = MIN(share->tables, share->weights > 0 ? share->rest / 2 : share->rest);

    if (box->panel->table) {
        double wanted = fm_layout_get_table_height(layout, box->panel->table, box->outer.width);
        return share->tables > 0 ? wanted * tables / share->tables : 0;
    }
    return (share->rest - tables) * get_weight(box->panel) / share->weights;
}

static bool
is_high_enough(FmLayout *layout, const FmPanelBox *box)
{
    return box->panel->table ? fm_layout_can_hold_table(layout, box->panel->table, &box->plot)
                             : box->plot.height >= MIN_PLOT_HEIGHT;
}

static bool
place_column(FmLayout *layout, unsigned column, double x, double width)
{
    Share share = measure_column(layout, column, x, width);
    double y = layout->body.y;

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        if (box->column != column) {
            continue;
        }
        double height = get_share(layout, box, &share);
        box->outer.y = y;
        box->outer.height = box->head_height + height + box->foot_height;
        box->plot = (FmRect){x, y + box->head_height, width, height};
        y += box->outer.height + ROW_GAP;
        if (!is_high_enough(layout, box)) {
            return false;
        }
    }
    return true;
}

static double
get_column_width(const FmLayout *layout, double width)
{
    unsigned n_columns = MIN(MAX(layout->figure->n_columns, 1u), MAX(layout->n_boxes, 1u));
    return (width - (n_columns - 1) * COLUMN_GAP) / n_columns;
}

double
fm_layout_get_natural_body_height(FmLayout *layout)
{
    double width = get_column_width(layout, layout->width - 2 * fm_layout_get_margin(layout));
    double height = -ROW_GAP;
    double row_height = 0;

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        const FmPanelBox *box = &layout->boxes[i];
        const FmTable *table = box->panel->table;
        double title = box->panel->title ? FM_STRIP_ROW : 0;
        double wanted = table ? fm_layout_get_table_height(layout, table, width) : PLOT_BY_TABLE;
        row_height = MAX(box->column == 0 ? 0 : row_height, title + wanted);
        bool is_last = i + 1 == layout->n_boxes || layout->boxes[i + 1].column == 0;
        height += is_last ? row_height + ROW_GAP : 0;
    }
    return MAX(height, 0);
}

/* The plots of a column begin and end at the same x. */
static bool
align_column(FmLayout *layout, unsigned column)
{
    double gutter = 0;
    double side = 0;

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        if (box->column == column && !box->panel->table) {
            fm_layout_make_scale(layout, box, false);
            set_tick_texts(layout, box);
            fm_layout_choose_labels(layout, box);
            gutter = MAX(gutter, box->gutter);
            side = MAX(side, box->side);
        }
    }
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        if (box->column == column && !box->panel->table) {
            box->gutter = gutter;
            box->plot.x = box->outer.x + gutter;
            box->plot.width = box->outer.width - gutter - side;
            if (box->plot.width < MIN_PLOT_WIDTH) {
                return false;
            }
            fm_layout_make_scale(layout, box, true);
        }
    }
    return true;
}

static bool
place_columns(FmLayout *layout)
{
    unsigned n_columns = MIN(MAX(layout->figure->n_columns, 1u), MAX(layout->n_boxes, 1u));
    double width = get_column_width(layout, layout->body.width);

    for (unsigned column = 0; column < n_columns; column++) {
        double x = layout->body.x + column * (width + COLUMN_GAP);
        if (!place_column(layout, column, x, width) || !align_column(layout, column)) {
            return false;
        }
    }
    return true;
}

static bool
is_high_enough_for(const FmLayout *layout, double min_height)
{
    double highest = 0;
    bool has_plots = false;

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        if (!layout->boxes[i].panel->table) {
            highest = MAX(highest, layout->boxes[i].plot.height);
            has_plots = true;
        }
    }
    return !has_plots || highest >= min_height;
}

static void
make_common_legend(FmLayout *layout)
{
    layout->has_common_legend = fm_layout_wants_common_legend(layout);
    if (layout->has_common_legend) {
        layout->legend = layout->body;
        double height = fm_layout_get_legend_height(layout, &layout->boxes[0], layout->body.width);
        layout->body.y += height;
        layout->body.height -= height;
    }
}

void
fm_layout_add_common_legend(FmLayout *layout)
{
    if (layout->has_common_legend) {
        fm_layout_add_legend(layout, &layout->boxes[0], layout->legend);
    }
}

/* Whether the last pass found that a panel needs a legend or room for notes. */
static bool
wants_more(FmLayout *layout)
{
    bool wants = false;

    for (unsigned i = 0; i < layout->n_boxes; i++) {
        FmPanelBox *box = &layout->boxes[i];
        double headroom = fm_layout_measure_notes(layout, box);
        wants |= box->has_legend != box->had_legend || headroom > box->headroom + 0.5;
        box->had_legend = box->has_legend;
        box->headroom = MAX(box->headroom, headroom);
    }
    return wants;
}

bool
fm_layout_place_panels(FmLayout *layout, double min_height)
{
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        layout->boxes[i].has_legend = false;
        layout->boxes[i].had_legend = false;
        layout->boxes[i].headroom = 0;
    }
    make_common_legend(layout);
    /* Legends and notes that turn out to be needed take height, which may make more of them
     * needed; nothing changes its mind back. */
    for (unsigned pass = 0; pass < 4; pass++) {
        if (!place_columns(layout)) {
            return false;
        }
        if (!wants_more(layout)) {
            return is_high_enough_for(layout, min_height);
        }
    }
    return false;
}
