/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that between them have every mark, scale, annotation and awkward text.  The numbers
 * are made up by formulas, so that the same figure comes out everywhere.  For tests alone.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/figure.h"

typedef struct {
    const char *name; /* of its files */
    FmFigure *(*build)(const char *language); /* "en" or "ko" */
    bool is_hostile; /* set in fonts of the system, or against the laws: never the same twice */
} GalleryEntry;

extern const GalleryEntry gallery[];
extern const unsigned n_gallery;
