/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a laid out figure is made of: texts, lines, areas, markers and images at places in
 * points, drawn in the order they were added.  Knows nothing of axes and values.  One thread at
 * a time.
 */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

#include "plot/text.h"
#include "plot/theme.h"

G_BEGIN_DECLS

typedef struct {
    double x;
    double y;
    double width;
    double height;
} FmRect;

typedef struct {
    double x; /* NaN in either = a gap in a line */
    double y;
} FmPlace;

static inline bool
fm_rect_intersects(const FmRect *a, const FmRect *b)
{
    return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height &&
           b->y < a->y + a->height;
}

typedef struct {
    FmColor color;
    double width;
    const double *dash; /* static, or as long as the scene; NULL = solid */
    unsigned n_dash;
} FmStroke;

typedef struct FmScene FmScene;

FmScene *fm_scene_new(void);
void fm_scene_free(FmScene *scene);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmScene, fm_scene_free)

/* What is added from here on is drawn inside @clip only; NULL = everywhere. */
void fm_scene_set_clip(FmScene *scene, const FmRect *clip);

/* What a text is for: the first word of its line in a dump. */
typedef struct {
    const char *kind; /* "title", "tick", "label" ...; static */
    FmColor color;
    const FmColor *halo; /* copied; NULL = none */
    bool is_ground; /* a watermark: other text may stand on it */
} FmTextLook;

/* Takes @text and puts its left top at (@x, @y). */
void fm_scene_add_text(FmScene *scene, FmText *text, double x, double y, FmTextLook look);
/* A line through @n places. */
void fm_scene_add_line(FmScene *scene, const FmPlace *places, unsigned n, FmStroke stroke);
/* Lines of two places each. */
void fm_scene_add_segments(FmScene *scene, const FmPlace *places, unsigned n, FmStroke stroke);
/* One straight line. */
void fm_scene_add_rule(FmScene *scene, FmPlace from, FmPlace to, FmStroke stroke);
/* A filled polygon. */
void fm_scene_add_area(FmScene *scene, const FmPlace *places, unsigned n, FmColor color);
void fm_scene_add_rect(FmScene *scene, FmRect rect, FmColor color);
/* The outline of a rectangle. */
void fm_scene_add_frame(FmScene *scene, FmRect rect, FmStroke stroke);

typedef struct {
    FmMarker shape;
    FmColor color;
    FmColor paper; /* inside open ones, and the rim around all */
    double radius;
    bool is_open;
} FmMarkerLook;

void fm_scene_add_marker(FmScene *scene, FmPlace at, FmMarkerLook look);
/* Takes @image and stretches it over @rect without smoothing. */
void fm_scene_add_image(FmScene *scene, cairo_surface_t *image, FmRect rect);

/* Whether @rect would stand on a text that is there already. */
bool fm_scene_is_taken(const FmScene *scene, const FmRect *rect);

void fm_scene_draw(const FmScene *scene, cairo_t *cr);
/* One line for every text, in the order they were added. */
void fm_scene_dump(const FmScene *scene, GString *out);
/* The first two texts that intersect, or one that leaves (0, 0) .. (@width, @height), as a
 * sentence; NULL = fine. */
char *fm_scene_check(const FmScene *scene, double width, double height);

G_END_DECLS
