/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Grids, axes and what is written at them.  The unit stands once: over the numbers of the
 * upright axis, after the last number of the other one.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/value-text.h"

#include <math.h>

enum {
    UNIT_RISE = 8, /* of the unit's foot over the plot, so that it clears half a number */
    NAME_RISE = 4, /* at most, of the first name over the plot */
    TICK_GAP = 6, /* between the numbers and the plot */
    LABEL_GAP = 7, /* between two numbers in a row */
    SHORT_NAME = 40, /* points; longer ones are names, which are cut rather than dropped */
};

/* --- Grid ------------------------------------------------------------------------- */

static void
add_grid_line(FmLayout *layout, const FmPanelBox *box, const FmTick *tick, bool is_flat)
{
    const FmRect *plot = &box->plot;
    double x = plot->x + tick->at * plot->width;
    bool is_down = fm_box_get_upright_scale(box) == &box->x;
    double y = plot->y + (is_down ? tick->at : 1 - tick->at) * plot->height;
    FmStroke stroke = {
        .color = tick->label ? layout->theme->grid : layout->theme->sub_grid,
        .width = FM_LINE_GRID,
    };

    if (is_flat) {
        fm_scene_add_rule(layout->scene, (FmPlace){x, plot->y},
                          (FmPlace){x, plot->y + plot->height}, stroke);
    } else {
        fm_scene_add_rule(layout->scene, (FmPlace){plot->x, y}, (FmPlace){plot->x + plot->width, y},
                          stroke);
    }
}

static void
add_grid_of(FmLayout *layout, const FmPanelBox *box, const FmScale *scale, bool is_flat)
{
    if (scale->kind == FM_SCALE_CATEGORY) {
        return;
    }
    /* Labelled lines over the others. */
    for (unsigned pass = 0; pass < 2; pass++) {
        for (unsigned i = 0; i < scale->ticks->len; i++) {
            const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
            if ((tick->label != NULL) == (pass == 1)) {
                add_grid_line(layout, box, tick, is_flat);
            }
        }
    }
}

void
fm_layout_add_grid(FmLayout *layout, FmPanelBox *box)
{
    add_grid_of(layout, box, fm_box_get_flat_scale(box), true);
    add_grid_of(layout, box, fm_box_get_upright_scale(box), false);
}

/* --- The upright axis ------------------------------------------------------------- */

static void
add_upright_labels(FmLayout *layout, FmPanelBox *box)
{
    const FmScale *scale = fm_box_get_upright_scale(box);
    const FmRect *plot = &box->plot;
    bool is_down = scale == &box->x;

    for (unsigned i = 0; i < scale->ticks->len && i < box->tick_texts->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        FmText *text = g_steal_pointer(&box->tick_texts->pdata[i]);
        if (!text) {
            continue;
        }
        double middle = plot->y + (is_down ? tick->at : 1 - tick->at) * plot->height;
        double height = fm_text_get_height(text);
        double top = MAX(middle - height / 2, is_down ? plot->y - NAME_RISE : 0);
        FmRect rect = {plot->x - TICK_GAP - fm_text_get_width(text), top, fm_text_get_width(text),
                       height};
        if (fm_scene_is_taken(layout->scene, &rect)) {
            fm_text_free(text);
            continue;
        }
        bool is_category = scale->kind == FM_SCALE_CATEGORY;
        fm_scene_add_text(
            layout->scene, text, rect.x, rect.y,
            (FmTextLook){.kind = "tick",
                         .color = is_category ? layout->theme->ink : layout->theme->muted});
    }
}

void
fm_layout_add_strip(FmLayout *layout, const FmPanelBox *box)
{
    if (box->panel->title) {
        FmText *strip =
            fm_layout_wrap_text(layout, box->panel->title, FM_SIZE_LABEL, box->outer.width, 1);
        fm_scene_add_text(layout->scene, strip, box->outer.x, box->outer.y,
                          (FmTextLook){.kind = "strip", .color = layout->theme->ink});
    }
}

static void
add_head(FmLayout *layout, const FmPanelBox *box)
{
    const FmAxis *axis = fm_box_get_upright_axis(box);
    const FmScale *scale = fm_box_get_upright_scale(box);
    const FmTheme *theme = layout->theme;
    double y = box->plot.y - UNIT_RISE;
    double right = box->outer.x + box->outer.width;

    if (scale->kind != FM_SCALE_CATEGORY && *scale->unit_text) {
        FmText *unit = fm_layout_set_text(layout, scale->unit_text, FM_SIZE_TICK);
        double x = box->plot.x - TICK_GAP - fm_text_get_width(unit);
        fm_scene_add_text(layout->scene, unit, x, y - fm_text_get_height(unit),
                          (FmTextLook){.kind = "unit", .color = theme->muted});
    }
    if (axis->title && *axis->title) {
        double x = scale->kind == FM_SCALE_CATEGORY ? box->outer.x : box->plot.x;
        FmText *title = fm_layout_wrap_text(layout, axis->title, FM_SIZE_LABEL, right - x, 1);
        bool is_names = scale->kind == FM_SCALE_CATEGORY;
        double lift = scale->kind == FM_SCALE_CATEGORY ? -UNIT_RISE + NAME_RISE : 0;
        fm_scene_add_text(layout->scene, title, x,
                          y - lift - fm_text_get_height(title) + (is_names ? 0 : 0.4),
                          (FmTextLook){.kind = "axis-title", .color = theme->muted});
    }
    fm_layout_add_strip(layout, box);
    if (box->has_legend) {
        double top = box->outer.y + (box->panel->title ? FM_STRIP_ROW : 0);
        fm_layout_add_legend(layout, box, (FmRect){box->outer.x, top, box->outer.width, 0});
    }
}

/* --- The flat axis ---------------------------------------------------------------- */

/* A number centred on its tick, with @unit hanging to the right; dropped where it would touch
 * another. */
static void
add_flat_label(FmLayout *layout, const FmPanelBox *box, const FmTick *tick, const char *unit)
{
    const FmRect *plot = &box->plot;
    g_autoptr(FmText) number = fm_layout_set_text(layout, tick->label, FM_SIZE_TICK);
    g_autofree char *string =
        *unit ? g_strconcat(tick->label, "\u2009", unit, NULL) : g_strdup(tick->label);
    g_autoptr(FmText) text = fm_layout_set_text(layout, string, FM_SIZE_TICK);
    double width = fm_text_get_width(text);
    double x = plot->x + tick->at * plot->width - fm_text_get_width(number) / 2;
    double right = box->outer.x + box->outer.width;

    x = MAX(MIN(x, right - width), box->outer.x);
    FmRect wide = {x, plot->y + plot->height + 4, width + LABEL_GAP, fm_text_get_height(text)};
    /* The first one, which may carry the unit, gives way to the 0 of the other axis. */
    if (tick->at < 1e-6 && fm_scene_is_taken(layout->scene, &wide)) {
        x = plot->x;
        wide.x = x;
    }
    if (width > box->outer.width || fm_scene_is_taken(layout->scene, &wide)) {
        return;
    }
    fm_scene_add_text(layout->scene, g_steal_pointer(&text), x, wide.y,
                      (FmTextLook){.kind = "tick", .color = layout->theme->muted});
}

static void
add_flat_category(FmLayout *layout, const FmPanelBox *box, const FmTick *tick, double slot)
{
    const FmRect *plot = &box->plot;
    double width = slot - 4;
    if (width < 8) {
        return;
    }
    FmText *text = NULL;
    FmTextStyle style = {.size = FM_SIZE_TICK,
                         .align = FM_ALIGN_CENTER,
                         .width = width,
                         .max_lines = box->category_lines,
                         .language = layout->figure->language};
    text = fm_text_new(tick->label, &style);
    double x = plot->x + tick->at * plot->width - fm_text_get_width(text) / 2;
    fm_scene_add_text(layout->scene, text, x, plot->y + plot->height + 4,
                      (FmTextLook){.kind = "tick", .color = layout->theme->ink});
}

/* Every how many-th of short names has room: "99.9" is dropped rather than cut to "99". */
static unsigned
choose_stride(FmLayout *layout, const FmScale *scale, double slot)
{
    FmTextStyle style = {.size = FM_SIZE_TICK, .language = layout->figure->language};
    double widest = 0;

    for (unsigned i = 0; i < scale->ticks->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        double width = tick->label ? fm_text_measure(tick->label, &style) : 0;
        if (width > SHORT_NAME) {
            return 1;
        }
        widest = MAX(widest, width);
    }
    return (unsigned)CLAMP(ceil((widest + 4) / MAX(slot, 1)), 1, 100);
}

static void
add_flat_labels(FmLayout *layout, const FmPanelBox *box)
{
    const FmScale *scale = fm_box_get_flat_scale(box);
    const char *unit = scale->unit_text;
    double slot = box->plot.width / MAX(scale->ticks->len, 1u);
    bool is_category = scale->kind == FM_SCALE_CATEGORY;
    unsigned stride = is_category ? choose_stride(layout, scale, slot) : 1;

    /* From the last one, which carries the unit, to the first. */
    for (unsigned i = scale->ticks->len; i-- > 0;) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        if (!tick->label || !*tick->label) {
            continue;
        }
        if (is_category && i % stride == 0) {
            add_flat_category(layout, box, tick, slot * stride);
        } else if (!is_category) {
            add_flat_label(layout, box, tick, unit);
            unit = "";
        }
    }
}

static void
add_flat_title(FmLayout *layout, const FmPanelBox *box)
{
    const FmAxis *axis = fm_box_get_flat_axis(box);
    if (!axis->title || !*axis->title || layout->is_terse) {
        return;
    }
    FmText *title = fm_layout_wrap_text(layout, axis->title, FM_SIZE_LABEL, box->outer.width, 1);
    double width = fm_text_get_width(title);
    double x = box->plot.x + (box->plot.width - width) / 2;
    x = MAX(MIN(x, box->outer.x + box->outer.width - width), box->outer.x);
    double y = box->outer.y + box->outer.height - fm_text_get_height(title);
    fm_scene_add_text(layout->scene, title, x, y,
                      (FmTextLook){.kind = "axis-title", .color = layout->theme->muted});
}

/* The line that bars and areas stand on. */
static void
add_base_line(FmLayout *layout, const FmPanelBox *box)
{
    const FmRect *plot = &box->plot;
    FmStroke stroke = {.color = layout->theme->axis, .width = layout->theme->hairline};
    double bottom = plot->y + plot->height;

    if (box->panel->is_horizontal) {
        fm_scene_add_rule(layout->scene, (FmPlace){plot->x, plot->y}, (FmPlace){plot->x, bottom},
                          stroke);
    } else {
        fm_scene_add_rule(layout->scene, (FmPlace){plot->x, bottom},
                          (FmPlace){plot->x + plot->width, bottom}, stroke);
    }
}

/* An empty plot says that it is meant to be. */
static void
add_no_data(FmLayout *layout, const FmPanelBox *box)
{
    const FmRect *plot = &box->plot;
    const char *words = fm_word(FM_WORD_NO_DATA, layout->figure->language);
    FmText *text = fm_layout_wrap_text(layout, words, FM_SIZE_LABEL, plot->width, 1);
    fm_scene_add_text(layout->scene, text, plot->x + (plot->width - fm_text_get_width(text)) / 2,
                      plot->y + (plot->height - fm_text_get_height(text)) / 2,
                      (FmTextLook){.kind = "no-data", .color = layout->theme->muted});
}

void
fm_layout_add_axes(FmLayout *layout, FmPanelBox *box)
{
    if (!(box->x_extent.min <= box->x_extent.max) || box->panel->series->len == 0) {
        add_no_data(layout, box);
    }
    add_base_line(layout, box);
    add_upright_labels(layout, box);
    add_head(layout, box);
    if (box->has_x_labels) {
        add_flat_labels(layout, box);
        add_flat_title(layout, box);
    }
}
