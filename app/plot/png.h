/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pixels as a PNG file in memory, with what belongs to a published picture: its density and
 * texts that say what it is.  Any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    const char *key; /* "Title": Latin-1, 1 to 79 characters */
    const char *text; /* UTF-8; NULL = left out */
} FmPngText;

typedef struct {
    double pixels_per_inch;
    const FmPngText *texts;
    unsigned n_texts;
} FmPngOptions;

/* @image is opaque CAIRO_FORMAT_RGB24.  NULL when memory or the library fails. */
GBytes *fm_png_encode(cairo_surface_t *image, const FmPngOptions *options, GError **error);

G_END_DECLS
