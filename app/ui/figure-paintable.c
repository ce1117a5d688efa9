/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two things are kept: the layout of the last size and the picture made of it.  Cairo draws
 * in memory, as it does for PNG, so that screen and file are the same lines.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-paintable.h"

#include <math.h>

enum {
    NATURAL_WIDTH = 720, /* points: DESIGN 5.3 */
    MAX_PIXELS = 16384, /* a side of a picture; wider windows show it enlarged */
};

#define MAX_SCALE 1.5 /* pixels a point: a 15 pt title is then 22 px high */

struct _FmFigurePaintable {
    GObject parent_instance;
    FmFigure *figure;
    const FmTheme *theme;
    FmView view;
    int scale_factor;

    FmLayout *layout;
    int layout_width; /* pixels it was made for */
    int layout_height; /* 0 = natural */
    cairo_surface_t *picture;
    int picture_width; /* pixels of the screen */
    int picture_height;
    unsigned n_drawn;
};

/* --- Layout ------------------------------------------------------------------------------ */

static void
drop_picture(FmFigurePaintable *paintable)
{
    g_clear_pointer(&paintable->picture, cairo_surface_destroy);
}

static void
drop_layout(FmFigurePaintable *paintable)
{
    drop_picture(paintable);
    g_clear_pointer(&paintable->layout, fm_layout_free);
}

static void
changed(FmFigurePaintable *paintable)
{
    drop_layout(paintable);
    gdk_paintable_invalidate_contents(GDK_PAINTABLE(paintable));
}

double
fm_figure_paintable_get_scale(FmFigurePaintable *paintable, int width)
{
    return CLAMP((double)width / NATURAL_WIDTH, 1, MAX_SCALE);
}

/* Makes the layout for that size in pixels; @height 0 = natural. */
static void
lay_out(FmFigurePaintable *paintable, int width, int height)
{
    double scale = fm_figure_paintable_get_scale(paintable, width);

    drop_layout(paintable);
    paintable->layout = fm_layout_new(paintable->figure, &(FmLayoutOptions){
                                                             .width = width / scale,
                                                             .height = height / scale,
                                                             .theme = paintable->theme,
                                                             .view = &paintable->view,
                                                         });
    paintable->layout_width = width;
    paintable->layout_height = height;
}

static int
get_pixel_height(FmFigurePaintable *paintable)
{
    double scale = fm_figure_paintable_get_scale(paintable, paintable->layout_width);

    return (int)ceil(fm_layout_get_height(paintable->layout) * scale - 0.01);
}

const FmLayout *
fm_figure_paintable_get_layout(FmFigurePaintable *paintable, int width, int height)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), NULL);
    if (paintable->figure == NULL || width <= 0 || height <= 0) {
        return NULL;
    }
    bool fits = paintable->layout != NULL && paintable->layout_width == width &&
                (paintable->layout_height == height || get_pixel_height(paintable) == height);
    if (!fits) {
        lay_out(paintable, width, height);
    }
    return paintable->layout;
}

int
fm_figure_paintable_get_natural_height(FmFigurePaintable *paintable, int width)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), 0);
    if (paintable->figure == NULL || width <= 0) {
        return 0;
    }
    if (paintable->layout == NULL || paintable->layout_width != width ||
        paintable->layout_height != 0) {
        lay_out(paintable, width, 0);
    }
    return get_pixel_height(paintable);
}

/* --- Drawing ----------------------------------------------------------------------------- */

static cairo_surface_t *
draw(FmFigurePaintable *paintable, int width, int height)
{
    const FmLayout *layout = fm_figure_paintable_get_layout(paintable, width, height);
    double scale = fm_figure_paintable_get_scale(paintable, width);
    double density = MIN(paintable->scale_factor, (double)MAX_PIXELS / MAX(width, height));
    int n_x = (int)lround(width * density);
    int n_y = (int)lround(height * density);

    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, n_x, n_y);
    if (layout == NULL || cairo_surface_status(surface) != CAIRO_STATUS_SUCCESS) {
        cairo_surface_destroy(surface);
        return NULL;
    }
    cairo_t *cr = cairo_create(surface);
    cairo_scale(cr, scale * density, scale * density);
    fm_layout_draw(layout, cr);
    cairo_destroy(cr);
    cairo_surface_flush(surface);
    paintable->n_drawn++;
    g_debug("figure %s is drawn at %d x %d", paintable->figure->id, n_x, n_y);

    cairo_surface_set_device_scale(surface, (double)n_x / width, (double)n_y / height);
    return surface;
}

static void
snapshot(GdkPaintable *object, GdkSnapshot *gdk_snapshot, double width, double height)
{
    FmFigurePaintable *paintable = FM_FIGURE_PAINTABLE(object);
    int columns = (int)lround(width);
    int rows = (int)lround(height);

    if (paintable->figure == NULL || columns <= 0 || rows <= 0) {
        return;
    }
    if (paintable->picture == NULL || paintable->picture_width != columns ||
        paintable->picture_height != rows) {
        g_clear_pointer(&paintable->picture, cairo_surface_destroy);
        paintable->picture = draw(paintable, columns, rows);
        paintable->picture_width = columns;
        paintable->picture_height = rows;
    }
    if (paintable->picture != NULL) {
        /* Not as a texture: the software renderer of GTK 4.8 converts those to floating point
         * and back for every frame, 50 ns a pixel. */
        cairo_t *cr = gtk_snapshot_append_cairo(
            GTK_SNAPSHOT(gdk_snapshot), &GRAPHENE_RECT_INIT(0, 0, (float)columns, (float)rows));
        cairo_set_source_surface(cr, paintable->picture, 0, 0);
        cairo_paint(cr);
        cairo_destroy(cr);
    }
}

static int
get_intrinsic_width(GdkPaintable *object)
{
    return FM_FIGURE_PAINTABLE(object)->figure != NULL ? NATURAL_WIDTH : 0;
}

static int
get_intrinsic_height(GdkPaintable *object)
{
    return fm_figure_paintable_get_natural_height(FM_FIGURE_PAINTABLE(object), NATURAL_WIDTH);
}

static void
paintable_init(GdkPaintableInterface *interface)
{
    interface->snapshot = snapshot;
    interface->get_intrinsic_width = get_intrinsic_width;
    interface->get_intrinsic_height = get_intrinsic_height;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(FmFigurePaintable, fm_figure_paintable, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(GDK_TYPE_PAINTABLE, paintable_init))

/* --- Object ------------------------------------------------------------------------------ */

static void
fm_figure_paintable_finalize(GObject *object)
{
    FmFigurePaintable *paintable = FM_FIGURE_PAINTABLE(object);

    drop_layout(paintable);
    g_clear_pointer(&paintable->figure, fm_figure_unref);
    G_OBJECT_CLASS(fm_figure_paintable_parent_class)->finalize(object);
}

static void
fm_figure_paintable_class_init(FmFigurePaintableClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = fm_figure_paintable_finalize;
}

static void
fm_figure_paintable_init(FmFigurePaintable *paintable)
{
    paintable->theme = fm_theme_light();
    paintable->view = fm_view_whole;
    paintable->scale_factor = 1;
}

FmFigurePaintable *
fm_figure_paintable_new(void)
{
    return g_object_new(FM_TYPE_FIGURE_PAINTABLE, NULL);
}

void
fm_figure_paintable_set_figure(FmFigurePaintable *paintable, FmFigure *figure)
{
    g_return_if_fail(FM_IS_FIGURE_PAINTABLE(paintable));
    if (paintable->figure == figure) {
        return;
    }
    drop_layout(paintable);
    g_clear_pointer(&paintable->figure, fm_figure_unref);
    paintable->figure = figure != NULL ? fm_figure_ref(figure) : NULL;
    changed(paintable);
}

FmFigure *
fm_figure_paintable_get_figure(FmFigurePaintable *paintable)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), NULL);
    return paintable->figure;
}

void
fm_figure_paintable_set_theme(FmFigurePaintable *paintable, const FmTheme *theme)
{
    g_return_if_fail(FM_IS_FIGURE_PAINTABLE(paintable));
    if (paintable->theme != theme) {
        paintable->theme = theme;
        changed(paintable);
    }
}

const FmTheme *
fm_figure_paintable_get_theme(FmFigurePaintable *paintable)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), NULL);
    return paintable->theme;
}

static bool
is_same_limit(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool
is_same_axis(const FmAxisView *a, const FmAxisView *b)
{
    return is_same_limit(a->min, b->min) && is_same_limit(a->max, b->max) &&
           a->is_toggled == b->is_toggled;
}

void
fm_figure_paintable_set_view(FmFigurePaintable *paintable, const FmView *view)
{
    g_return_if_fail(FM_IS_FIGURE_PAINTABLE(paintable));
    const FmView *old = &paintable->view;

    if (is_same_axis(&old->x, &view->x) && is_same_axis(&old->y, &view->y) &&
        old->panel == view->panel) {
        return;
    }
    paintable->view = *view;
    changed(paintable);
}

const FmView *
fm_figure_paintable_get_view(FmFigurePaintable *paintable)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), NULL);
    return &paintable->view;
}

void
fm_figure_paintable_set_scale_factor(FmFigurePaintable *paintable, int scale_factor)
{
    g_return_if_fail(FM_IS_FIGURE_PAINTABLE(paintable));
    if (paintable->scale_factor != scale_factor) {
        paintable->scale_factor = scale_factor;
        drop_picture(paintable);
        gdk_paintable_invalidate_contents(GDK_PAINTABLE(paintable));
    }
}

void
fm_figure_paintable_drop(FmFigurePaintable *paintable)
{
    g_return_if_fail(FM_IS_FIGURE_PAINTABLE(paintable));
    drop_layout(paintable);
}

unsigned
fm_figure_paintable_get_n_drawn(FmFigurePaintable *paintable)
{
    g_return_val_if_fail(FM_IS_FIGURE_PAINTABLE(paintable), 0);
    return paintable->n_drawn;
}
