/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far apart two colours look: to everybody, to people with the three kinds of colour
 * blindness, on a grey printer and against paper.
 */
#pragma once

#include "plot/theme.h"

typedef enum {
    VISION_NORMAL,
    VISION_PROTANOPE, /* Machado, Oliveira and Fernandes 2009, full severity */
    VISION_DEUTERANOPE,
    VISION_TRITANOPE,
    N_VISIONS,
} Vision;

typedef struct {
    double lightness; /* CIE 1976 L*, D65 */
    double a;
    double b;
} Lab;

Lab lab_from_color(FmColor color, Vision vision);
/* CIEDE2000. */
double lab_get_distance(Lab first, Lab second);
/* WCAG 2: 1 .. 21. */
double color_get_contrast(FmColor first, FmColor second);
