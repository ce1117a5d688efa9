/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colours, sizes and lines of figures (DESIGN 5.3): one struct, three instances.  Read only;
 * any thread may use it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

typedef struct {
    double red; /* sRGB, 0 .. 1 */
    double green;
    double blue;
} FmColor;

typedef enum {
    FM_MARKER_CIRCLE,
    FM_MARKER_SQUARE,
    FM_MARKER_UP,
    FM_MARKER_DIAMOND,
    FM_MARKER_DOWN,
    FM_MARKER_CROSS,
    FM_MARKER_PLUS,
    FM_MARKER_RING,
} FmMarker;

/* How a role looks; the second cues say the same without colour. */
typedef struct {
    FmColor color;
    const double *dash; /* lengths in points; NULL = solid */
    unsigned n_dash;
    FmMarker marker;
} FmRoleStyle;

typedef struct {
    const char *name; /* "light", "dark", "print" */
    FmColor ink;
    FmColor paper;
    FmColor muted; /* text of second rank */
    FmColor axis;
    FmColor grid;
    FmColor sub_grid;
    double hairline; /* points */
    FmRoleStyle roles[FM_N_ROLES];
} FmTheme;

const FmTheme *fm_theme_light(void);
const FmTheme *fm_theme_dark(void);
const FmTheme *fm_theme_print(void);
/* By name; NULL when there is none of that name. */
const FmTheme *fm_theme_by_name(const char *name);

/* @share of @b in @a, in sRGB. */
FmColor fm_color_mix(FmColor a, FmColor b, double share);

G_END_DECLS
