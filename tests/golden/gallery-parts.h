/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures of the gallery that have a file of their own.
 */
#pragma once

#include "plot/figure.h"

/* gallery-tables.c */
FmFigure *gallery_build_scores(const char *language);
FmFigure *gallery_build_depths(const char *language);
FmFigure *gallery_build_long_words(const char *language);

/* gallery-density.c */
FmFigure *gallery_build_ios(const char *language);
FmFigure *gallery_build_few_ios(const char *language);
