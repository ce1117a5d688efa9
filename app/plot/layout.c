/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laying out: from a figure and a size to a scene.  This file only calls the others in turn:
 * first what stands around the panels, then the panels, then what is in them.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout.h"

#include "plot/layout-private.h"

#include <math.h>

const FmView fm_view_whole = {
    .x = {.min = NAN, .max = NAN},
    .y = {.min = NAN, .max = NAN},
};

static const double natural_sizes[][2] = {
    [FM_SHAPE_FULL] = {720, 405},
    [FM_SHAPE_HALF] = {354, 240},
    [FM_SHAPE_TALL] = {720, 560},
    [FM_SHAPE_TABLE] = {720, 405},
};

static FmTextStyle
get_style(const FmLayout *layout, double size)
{
    return (FmTextStyle){
        .size = size,
        .is_bold = size >= FM_SIZE_TITLE,
        .language = layout->figure->language,
    };
}

FmText *
fm_layout_set_text(const FmLayout *layout, const char *string, double size)
{
    FmTextStyle style = get_style(layout, size);
    return fm_text_new(string, &style);
}

FmText *
fm_layout_wrap_text(const FmLayout *layout, const char *string, double size, double width,
                    unsigned max_lines)
{
    FmTextStyle style = get_style(layout, size);
    style.width = MAX(width, 1);
    style.max_lines = max_lines;
    return fm_text_new(string, &style);
}

static void
add_panel(FmLayout *layout, FmPanelBox *box)
{
    if (!box->panel->table) {
        fm_layout_add_bands(layout, box);
    }
    if (layout->figure->watermark && !fm_box_has_density(box)) {
        fm_layout_place_watermark(layout, &box->plot);
    }
    if (box->panel->table) {
        fm_layout_add_strip(layout, box);
        fm_layout_add_table(layout, box);
        return;
    }
    fm_layout_add_grid(layout, box);
    fm_layout_add_bars(layout, box);
    fm_layout_add_series(layout, box);
    fm_layout_add_outliers(layout, box);
    if (layout->figure->watermark && fm_box_has_density(box)) {
        fm_layout_place_watermark_above(layout, &box->plot);
    }
    fm_layout_add_rules(layout, box);
    fm_layout_add_axes(layout, box);
    fm_layout_add_density_key(layout, box);
    fm_layout_add_bar_texts(layout, box);
    fm_layout_add_side_labels(layout, box);
    fm_layout_add_annotations(layout, box);
}

static void
choose_size(FmLayout *layout, const FmLayoutOptions *options)
{
    const double *natural = natural_sizes[layout->figure->shape];

    layout->width = options->width > 0 ? options->width : natural[0];
    if (options->height > 0) {
        layout->height = options->height;
    } else {
        layout->height = natural[1] * MAX(layout->width / natural[0], 0.5);
    }
}

static bool
has_tables(const FmLayout *layout)
{
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        if (layout->boxes[i].panel->table) {
            return true;
        }
    }
    return false;
}

/* Tries with less and less text around the panels, down to @n_levels, until they have room. */
static bool
place_within(FmLayout *layout, unsigned n_levels)
{
    static const double min_heights[FM_FRAME_LEVELS] = {90, 64, 48, 38, 24, 0};

    for (unsigned level = 0; level < n_levels; level++) {
        layout->is_terse = level >= 3;
        if (fm_layout_measure_frame(layout, level) &&
            fm_layout_place_panels(layout, min_heights[level])) {
            fm_layout_add_frame(layout, level);
            return true;
        }
    }
    return false;
}

/* Rows of a table are dearer than lines of a caption, but not than all of it. */
static bool
place(FmLayout *layout)
{
    enum { N_WITH_CAPTION = 3 };

    layout->wants_all_rows = has_tables(layout);
    if (layout->wants_all_rows && place_within(layout, N_WITH_CAPTION)) {
        return true;
    }
    layout->wants_all_rows = false;
    return place_within(layout, FM_FRAME_LEVELS);
}

FmLayout *
fm_layout_new(FmFigure *figure, const FmLayoutOptions *options)
{
    static const FmLayoutOptions defaults = {0};
    FmLayout *layout = g_new0(FmLayout, 1);

    options = options ? options : &defaults;
    layout->figure = fm_figure_ref(figure);
    layout->theme = options->theme ? options->theme : fm_theme_light();
    layout->view = options->view ? *options->view : fm_view_whole;
    layout->hide_title = options->hide_title;
    layout->hide_caption = options->hide_caption;
    layout->scene = fm_scene_new();
    layout->reasons = g_ptr_array_new();
    layout->text_widths = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    choose_size(layout, options);

    fm_layout_init_boxes(layout);
    fm_layout_collect_reasons(layout);
    if (figure->shape == FM_SHAPE_TABLE && !(options->height > 0)) {
        layout->height =
            ceil(fm_layout_get_frame_height(layout) + fm_layout_get_natural_body_height(layout));
    }
    layout->has_room = place(layout);
    if (!layout->has_room) {
        fm_layout_say_no_room(layout);
        return layout;
    }
    fm_layout_add_common_legend(layout);
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        add_panel(layout, &layout->boxes[i]);
    }
    return layout;
}

void
fm_layout_free(FmLayout *layout)
{
    if (layout) {
        fm_layout_clear_boxes(layout);
        fm_scene_free(layout->scene);
        g_ptr_array_unref(layout->reasons);
        g_hash_table_unref(layout->text_widths);
        fm_figure_unref(layout->figure);
        g_free(layout);
    }
}

double
fm_layout_get_width(const FmLayout *layout)
{
    return layout->width;
}

double
fm_layout_get_height(const FmLayout *layout)
{
    return layout->height;
}

void
fm_layout_draw(const FmLayout *layout, cairo_t *cr)
{
    FmColor paper = layout->theme->paper;

    cairo_save(cr);
    cairo_rectangle(cr, 0, 0, layout->width, layout->height);
    cairo_clip(cr);
    cairo_set_source_rgb(cr, paper.red, paper.green, paper.blue);
    cairo_paint(cr);
    fm_scene_draw(layout->scene, cr);
    cairo_restore(cr);
}
