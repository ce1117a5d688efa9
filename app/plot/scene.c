/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of what is drawn, and drawing it.  Drawing changes nothing, so the same scene gives
 * the same picture on every surface.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/scene.h"

#include <math.h>

typedef enum {
    ITEM_TEXT,
    ITEM_LINE,
    ITEM_SEGMENTS,
    ITEM_AREA,
    ITEM_RECT,
    ITEM_FRAME,
    ITEM_MARKER,
    ITEM_IMAGE,
} ItemKind;

typedef struct {
    ItemKind kind;
    unsigned clip; /* index + 1 into clips; 0 = none */
    FmRect rect;
    FmStroke stroke;
    FmPlace *places;
    unsigned n_places;
    FmText *text;
    const char *text_kind;
    FmColor halo;
    bool has_halo;
    bool is_ground;
    FmMarkerLook marker;
    cairo_surface_t *image;
} Item;

struct FmScene {
    GArray *items; /* of Item */
    GArray *clips; /* of FmRect */
    unsigned clip; /* of what comes next */
};

static void
clear_item_cb(gpointer data)
{
    Item *item = data;

    g_free(item->places);
    fm_text_free(item->text);
    g_clear_pointer(&item->image, cairo_surface_destroy);
}

FmScene *
fm_scene_new(void)
{
    FmScene *scene = g_new0(FmScene, 1);
    scene->items = g_array_new(FALSE, TRUE, sizeof(Item));
    g_array_set_clear_func(scene->items, clear_item_cb);
    scene->clips = g_array_new(FALSE, FALSE, sizeof(FmRect));
    return scene;
}

void
fm_scene_free(FmScene *scene)
{
    if (scene) {
        g_array_unref(scene->items);
        g_array_unref(scene->clips);
        g_free(scene);
    }
}

/* --- Adding ----------------------------------------------------------------------- */

void
fm_scene_set_clip(FmScene *scene, const FmRect *clip)
{
    if (clip) {
        g_array_append_vals(scene->clips, clip, 1);
    }
    scene->clip = clip ? scene->clips->len : 0;
}

static Item *
add_item(FmScene *scene, ItemKind kind)
{
    g_array_set_size(scene->items, scene->items->len + 1);
    Item *item = &g_array_index(scene->items, Item, scene->items->len - 1);
    item->kind = kind;
    item->clip = scene->clip;
    return item;
}

void
fm_scene_add_text(FmScene *scene, FmText *text, double x, double y, FmTextLook look)
{
    Item *item = add_item(scene, ITEM_TEXT);
    item->text = text;
    item->text_kind = look.kind;
    item->rect = (FmRect){x, y, fm_text_get_width(text), fm_text_get_height(text)};
    item->stroke.color = look.color;
    item->has_halo = look.halo != NULL;
    item->is_ground = look.is_ground;
    if (look.halo) {
        item->halo = *look.halo;
    }
}

static void
add_places(FmScene *scene, ItemKind kind, const FmPlace *places, unsigned n, FmStroke stroke)
{
    if (n > 0) {
        Item *item = add_item(scene, kind);
        item->places = g_memdup2(places, n * sizeof *places);
        item->n_places = n;
        item->stroke = stroke;
    }
}

void
fm_scene_add_line(FmScene *scene, const FmPlace *places, unsigned n, FmStroke stroke)
{
    add_places(scene, ITEM_LINE, places, n, stroke);
}

void
fm_scene_add_segments(FmScene *scene, const FmPlace *places, unsigned n, FmStroke stroke)
{
    add_places(scene, ITEM_SEGMENTS, places, n & ~1u, stroke);
}

void
fm_scene_add_rule(FmScene *scene, FmPlace from, FmPlace to, FmStroke stroke)
{
    const FmPlace places[] = {from, to};
    add_places(scene, ITEM_SEGMENTS, places, 2, stroke);
}

void
fm_scene_add_area(FmScene *scene, const FmPlace *places, unsigned n, FmColor color)
{
    add_places(scene, ITEM_AREA, places, n, (FmStroke){.color = color});
}

void
fm_scene_add_rect(FmScene *scene, FmRect rect, FmColor color)
{
    Item *item = add_item(scene, ITEM_RECT);
    item->rect = rect;
    item->stroke.color = color;
}

void
fm_scene_add_frame(FmScene *scene, FmRect rect, FmStroke stroke)
{
    Item *item = add_item(scene, ITEM_FRAME);
    item->rect = rect;
    item->stroke = stroke;
}

void
fm_scene_add_marker(FmScene *scene, FmPlace at, FmMarkerLook look)
{
    Item *item = add_item(scene, ITEM_MARKER);
    item->rect = (FmRect){at.x, at.y, 0, 0};
    item->marker = look;
}

void
fm_scene_add_image(FmScene *scene, cairo_surface_t *image, FmRect rect)
{
    Item *item = add_item(scene, ITEM_IMAGE);
    item->image = image;
    item->rect = rect;
}

bool
fm_scene_is_taken(const FmScene *scene, const FmRect *rect)
{
    for (unsigned i = 0; i < scene->items->len; i++) {
        const Item *item = &g_array_index(scene->items, Item, i);
        if (item->kind == ITEM_TEXT && !item->is_ground && fm_rect_intersects(&item->rect, rect)) {
            return true;
        }
    }
    return false;
}

/* --- Drawing ---------------------------------------------------------------------- */

static void
set_color(cairo_t *cr, FmColor color)
{
    cairo_set_source_rgb(cr, color.red, color.green, color.blue);
}

static void
set_stroke(cairo_t *cr, const FmStroke *stroke)
{
    set_color(cr, stroke->color);
    cairo_set_line_width(cr, stroke->width);
    cairo_set_dash(cr, stroke->dash, stroke->dash ? (int)stroke->n_dash : 0, 0);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
}

static void
draw_line(cairo_t *cr, const Item *item)
{
    bool is_down = false;

    set_stroke(cr, &item->stroke);
    if (!item->stroke.dash) {
        cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    }
    for (unsigned i = 0; i < item->n_places; i++) {
        const FmPlace *place = &item->places[i];
        if (isnan(place->x) || isnan(place->y)) {
            is_down = false;
        } else if (is_down) {
            cairo_line_to(cr, place->x, place->y);
        } else {
            cairo_move_to(cr, place->x, place->y);
            is_down = true;
        }
    }
    cairo_stroke(cr);
}

static void
draw_segments(cairo_t *cr, const Item *item)
{
    set_stroke(cr, &item->stroke);
    for (unsigned i = 0; i + 1 < item->n_places; i += 2) {
        cairo_move_to(cr, item->places[i].x, item->places[i].y);
        cairo_line_to(cr, item->places[i + 1].x, item->places[i + 1].y);
    }
    cairo_stroke(cr);
}

static void
draw_area(cairo_t *cr, const Item *item)
{
    for (unsigned i = 0; i < item->n_places; i++) {
        cairo_line_to(cr, item->places[i].x, item->places[i].y);
    }
    cairo_close_path(cr);
    set_color(cr, item->stroke.color);
    cairo_fill(cr);
}

static void
trace_polygon(cairo_t *cr, const Item *item, const double (*corners)[2], unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        cairo_line_to(cr, item->rect.x + corners[i][0] * item->marker.radius,
                      item->rect.y + corners[i][1] * item->marker.radius);
    }
    cairo_close_path(cr);
}

/* The outlines cover about the same area, so that no series looks louder for its shape. */
static void
trace_marker(cairo_t *cr, const Item *item)
{
    static const double square[][2] = {{-.9, -.9}, {.9, -.9}, {.9, .9}, {-.9, .9}};
    static const double up[][2] = {{0, -1.25}, {1.15, .8}, {-1.15, .8}};
    static const double down[][2] = {{0, 1.25}, {1.15, -.8}, {-1.15, -.8}};
    static const double diamond[][2] = {{0, -1.3}, {1.3, 0}, {0, 1.3}, {-1.3, 0}};
    double x = item->rect.x;
    double y = item->rect.y;
    double r = item->marker.radius;

    switch (item->marker.shape) {
    case FM_MARKER_SQUARE:
        trace_polygon(cr, item, square, 4);
        break;
    case FM_MARKER_UP:
        trace_polygon(cr, item, up, 3);
        break;
    case FM_MARKER_DOWN:
        trace_polygon(cr, item, down, 3);
        break;
    case FM_MARKER_DIAMOND:
        trace_polygon(cr, item, diamond, 4);
        break;
    case FM_MARKER_CROSS:
        cairo_move_to(cr, x - r, y - r);
        cairo_line_to(cr, x + r, y + r);
        cairo_move_to(cr, x - r, y + r);
        cairo_line_to(cr, x + r, y - r);
        break;
    case FM_MARKER_PLUS:
        cairo_move_to(cr, x - 1.2 * r, y);
        cairo_line_to(cr, x + 1.2 * r, y);
        cairo_move_to(cr, x, y - 1.2 * r);
        cairo_line_to(cr, x, y + 1.2 * r);
        break;
    case FM_MARKER_CIRCLE:
    case FM_MARKER_RING:
    default:
        cairo_new_sub_path(cr);
        cairo_arc(cr, x, y, r, 0, 2 * G_PI);
    }
}

/* A rim of paper keeps markers apart from the lines they stand on. */
static void
draw_marker(cairo_t *cr, const Item *item)
{
    const FmMarkerLook *look = &item->marker;
    bool is_stroke = look->shape == FM_MARKER_CROSS || look->shape == FM_MARKER_PLUS;

    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_MITER);
    trace_marker(cr, item);
    set_color(cr, look->paper);
    cairo_set_line_width(cr, is_stroke ? 3.2 : look->is_open ? 2.6 : 1.5);
    cairo_stroke_preserve(cr);
    if (!is_stroke) {
        set_color(cr, look->is_open || look->shape == FM_MARKER_RING ? look->paper : look->color);
        cairo_fill_preserve(cr);
    }
    if (is_stroke || look->is_open || look->shape == FM_MARKER_RING) {
        set_color(cr, look->color);
        cairo_set_line_width(cr, 1.3);
        cairo_stroke_preserve(cr);
    }
    cairo_new_path(cr);
}

static bool
is_vector(cairo_t *cr)
{
    cairo_surface_type_t type = cairo_surface_get_type(cairo_get_target(cr));
    return type == CAIRO_SURFACE_TYPE_PDF || type == CAIRO_SURFACE_TYPE_SVG;
}

/* Each pixel as a square of many: who shows a PDF or an SVG blurs the edges of pixels, whatever
 * it is told, and so blurs less. */
static cairo_surface_t *
enlarge(cairo_surface_t *image)
{
    enum { FACTOR = 4 };
    cairo_surface_t *large = cairo_image_surface_create(
        CAIRO_FORMAT_ARGB32, cairo_image_surface_get_width(image) * FACTOR,
        cairo_image_surface_get_height(image) * FACTOR);
    cairo_t *cr = cairo_create(large);
    cairo_scale(cr, FACTOR, FACTOR);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_paint(cr);
    cairo_destroy(cr);
    return large;
}

static void
draw_image(cairo_t *cr, const Item *item)
{
    cairo_surface_t *image =
        is_vector(cr) ? enlarge(item->image) : cairo_surface_reference(item->image);
    int width = cairo_image_surface_get_width(image);
    int height = cairo_image_surface_get_height(image);

    if (width <= 0 || height <= 0) {
        cairo_surface_destroy(image);
        return;
    }
    cairo_save(cr);
    cairo_translate(cr, item->rect.x, item->rect.y);
    cairo_scale(cr, item->rect.width / width, item->rect.height / height);
    cairo_set_source_surface(cr, image, 0, 0);
    cairo_surface_destroy(image);
    cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr, 0, 0, width, height);
    cairo_fill(cr);
    cairo_restore(cr);
}

static void
draw_item(const Item *item, cairo_t *cr)
{
    const double at[] = {item->rect.x, item->rect.y};

    cairo_new_path(cr);
    switch (item->kind) {
    case ITEM_TEXT:
        fm_text_draw(item->text, cr, at, item->stroke.color, item->has_halo ? &item->halo : NULL);
        break;
    case ITEM_LINE:
        draw_line(cr, item);
        break;
    case ITEM_SEGMENTS:
        draw_segments(cr, item);
        break;
    case ITEM_AREA:
        draw_area(cr, item);
        break;
    case ITEM_RECT:
    case ITEM_FRAME:
        cairo_rectangle(cr, item->rect.x, item->rect.y, item->rect.width, item->rect.height);
        if (item->kind == ITEM_RECT) {
            set_color(cr, item->stroke.color);
            cairo_fill(cr);
        } else {
            set_stroke(cr, &item->stroke);
            cairo_stroke(cr);
        }
        break;
    case ITEM_MARKER:
        draw_marker(cr, item);
        break;
    case ITEM_IMAGE:
        draw_image(cr, item);
        break;
    }
}

void
fm_scene_draw(const FmScene *scene, cairo_t *cr)
{
    cairo_save(cr);
    for (unsigned i = 0; i < scene->items->len; i++) {
        const Item *item = &g_array_index(scene->items, Item, i);
        if (item->clip == 0) {
            draw_item(item, cr);
            continue;
        }
        const FmRect *clip = &g_array_index(scene->clips, FmRect, item->clip - 1);
        cairo_save(cr);
        cairo_rectangle(cr, clip->x, clip->y, clip->width, clip->height);
        cairo_clip(cr);
        draw_item(item, cr);
        cairo_restore(cr);
    }
    cairo_restore(cr);
}

/* --- For tests -------------------------------------------------------------------- */

/* The same in every locale, and never "-0.00". */
static void
dump_number(GString *out, double value)
{
    char text[64];
    g_ascii_formatd(text, sizeof text, "%.2f", value);
    g_string_append_printf(out, " %s", g_str_equal(text, "-0.00") ? "0.00" : text);
}

void
fm_scene_dump(const FmScene *scene, GString *out)
{
    for (unsigned i = 0; i < scene->items->len; i++) {
        const Item *item = &g_array_index(scene->items, Item, i);
        if (item->kind == ITEM_TEXT) {
            g_string_append(out, item->text_kind);
            dump_number(out, item->rect.x);
            dump_number(out, item->rect.y);
            dump_number(out, item->rect.width);
            dump_number(out, item->rect.height);
            g_string_append_printf(out, " “%s”%s\n", fm_text_get_string(item->text),
                                   fm_text_is_cut(item->text) ? " cut" : "");
        }
    }
}

static bool
is_outside(const FmRect *rect, double width, double height)
{
    static const double slack = 0.01;
    return rect->x < -slack || rect->y < -slack || rect->x + rect->width > width + slack ||
           rect->y + rect->height > height + slack;
}

static char *
find_neighbour(const FmScene *scene, unsigned index)
{
    const Item *item = &g_array_index(scene->items, Item, index);

    for (unsigned i = index + 1; i < scene->items->len; i++) {
        const Item *other = &g_array_index(scene->items, Item, i);
        if (other->kind == ITEM_TEXT && !other->is_ground &&
            fm_rect_intersects(&item->rect, &other->rect)) {
            return g_strdup_printf("The %s “%s” and the %s “%s” overlap", item->text_kind,
                                   fm_text_get_string(item->text), other->text_kind,
                                   fm_text_get_string(other->text));
        }
    }
    return NULL;
}

char *
fm_scene_check(const FmScene *scene, double width, double height)
{
    for (unsigned i = 0; i < scene->items->len; i++) {
        const Item *item = &g_array_index(scene->items, Item, i);
        if (item->kind != ITEM_TEXT) {
            continue;
        }
        if (is_outside(&item->rect, width, height)) {
            return g_strdup_printf("The %s “%s” leaves the figure", item->text_kind,
                                   fm_text_get_string(item->text));
        }
        char *found = item->is_ground ? NULL : find_neighbour(scene, i);
        if (found) {
            return found;
        }
    }
    return NULL;
}
