/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain nodes in the colours of the figure, on whole pixels; the figure below is not drawn
 * again for them.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-overlay.h"

#include <math.h>

enum {
    MARK_SIZE = 9, /* pixels */
    TIP_PADDING = 6,
    TIP_GAP = 10,
    TIP_RADIUS = 3,
    TIP_LINES = 2,
};

static GdkRGBA
get_color(FmColor color, double alpha)
{
    return (GdkRGBA){(float)color.red, (float)color.green, (float)color.blue, (float)alpha};
}

/* Boxes are x, y, width, height. */
static void
append_box(GtkSnapshot *snapshot, const double box[4], const GdkRGBA *color)
{
    gtk_snapshot_append_color(
        snapshot, color,
        &GRAPHENE_RECT_INIT((float)box[0], (float)box[1], (float)box[2], (float)box[3]));
}

static void
append_frame(GtkSnapshot *snapshot, const double box[4], double radius, const GdkRGBA *color)
{
    GskRoundedRect outline;

    gsk_rounded_rect_init_from_rect(
        &outline, &GRAPHENE_RECT_INIT((float)box[0], (float)box[1], (float)box[2], (float)box[3]),
        (float)radius);
    gtk_snapshot_append_border(snapshot, &outline, (float[4]){1, 1, 1, 1},
                               (GdkRGBA[4]){*color, *color, *color, *color});
}

void
fm_figure_overlay_snapshot_drag(const FmFigureOverlay *overlay, GtkSnapshot *snapshot,
                                const double from[2], const double to[2])
{
    GdkRGBA fill = get_color(overlay->theme->ink, 0.08);
    GdkRGBA line = get_color(overlay->theme->ink, 0.6);
    const double box[4] = {
        floor(MIN(from[0], to[0])),
        floor(MIN(from[1], to[1])),
        ceil(fabs(to[0] - from[0])),
        ceil(fabs(to[1] - from[1])),
    };

    append_box(snapshot, box, &fill);
    append_frame(snapshot, box, 0, &line);
}

static PangoLayout *
set_words(const FmFigureOverlay *overlay, const char *text)
{
    PangoLayout *words = gtk_widget_create_pango_layout(overlay->widget, text);
    double room = MAX(overlay->width - 4 * TIP_PADDING, 1);
    int width;

    pango_layout_get_pixel_size(words, &width, NULL);
    if (width > room) {
        pango_layout_set_width(words, (int)(room * PANGO_SCALE));
        pango_layout_set_ellipsize(words, PANGO_ELLIPSIZE_END);
        pango_layout_set_height(words, -TIP_LINES);
    }
    return words;
}

/* Beside the mark at (@x, @y), to its right and above where there is room. */
static void
snapshot_tip(const FmFigureOverlay *overlay, GtkSnapshot *snapshot, PangoLayout *words, double x,
             double y)
{
    GdkRGBA fill = get_color(overlay->theme->paper, 0.94);
    GdkRGBA line = get_color(overlay->theme->axis, 1);
    GdkRGBA ink = get_color(overlay->theme->ink, 1);
    int width;
    int height;

    pango_layout_get_pixel_size(words, &width, &height);
    double box[4] = {x + TIP_GAP, y - TIP_GAP - height - 2 * TIP_PADDING, width + 2 * TIP_PADDING,
                     height + 2 * TIP_PADDING};
    if (box[0] + box[2] > overlay->left + overlay->width) {
        box[0] = MAX(x - TIP_GAP - box[2], overlay->left);
    }
    if (box[1] < 0) {
        box[1] = y + TIP_GAP;
    }
    box[0] = round(box[0]);
    box[1] = round(box[1]);
    append_box(snapshot, box, &fill);
    append_frame(snapshot, box, TIP_RADIUS, &line);
    gtk_snapshot_save(snapshot);
    gtk_snapshot_translate(
        snapshot, &GRAPHENE_POINT_INIT((float)box[0] + TIP_PADDING, (float)box[1] + TIP_PADDING));
    gtk_snapshot_append_layout(snapshot, words, &ink);
    gtk_snapshot_restore(snapshot);
}

void
fm_figure_overlay_snapshot_reading(const FmFigureOverlay *overlay, GtkSnapshot *snapshot,
                                   const FmReading *reading, const char *text)
{
    GdkRGBA line = get_color(overlay->theme->muted, 0.8);
    GdkRGBA ink = get_color(overlay->theme->ink, 1);
    double scale = overlay->scale;

    if (reading->series == NULL) {
        return;
    }
    double x = round(overlay->left + reading->mark_x * scale);
    double y = round(reading->mark_y * scale);
    const double upright[4] = {x, reading->panel_top * scale, 1, reading->panel_height * scale};
    const double flat[4] = {overlay->left + reading->panel_left * scale, y,
                            reading->panel_width * scale, 1};
    const double mark[4] = {x - MARK_SIZE / 2, y - MARK_SIZE / 2, MARK_SIZE, MARK_SIZE};
    append_box(snapshot, upright, &line);
    append_box(snapshot, flat, &line);
    append_frame(snapshot, mark, MARK_SIZE / 2.0, &ink);
    if (text != NULL && *text != '\0') {
        g_autoptr(PangoLayout) words = set_words(overlay, text);
        snapshot_tip(overlay, snapshot, words, x, y);
    }
}
