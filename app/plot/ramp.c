/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ramp is walked in sRGB and read off where the lightness is the wanted one: mixing alone
 * would spend half of its steps on the first fifth of the lightness.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/ramp.h"

#include <math.h>

enum { N_STEPS = 512 }; /* of the walk; a step is less than half an L* */

/* How far from paper the faintest colour is: one I/O has to be seen. */
static const double floor_share = 0.3;

static double
linearize(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

double
fm_color_get_lightness(FmColor color)
{
    double y = 0.2126729 * linearize(color.red) + 0.7151522 * linearize(color.green) +
               0.0721750 * linearize(color.blue);

    return y > 216.0 / 24389 ? 116 * cbrt(y) - 16 : y * 24389 / 27;
}

/* @share 0 = paper, 0.5 = the role, 1 = ink. */
static FmColor
walk(const FmTheme *theme, FmColor middle, double share)
{
    return share < 0.5 ? fm_color_mix(theme->paper, middle, share * 2)
                       : fm_color_mix(middle, theme->ink, share * 2 - 1);
}

void
fm_ramp_fill(const FmTheme *theme, FmRole role, FmColor *colors, unsigned n)
{
    FmColor middle = theme->roles[role].color;
    double paper = fm_color_get_lightness(theme->paper);
    double ink = fm_color_get_lightness(theme->ink);
    double first = paper + (ink - paper) * floor_share;
    double direction = ink > paper ? 1 : -1;
    unsigned step = 0;

    for (unsigned i = 0; i < n; i++) {
        double wanted = first + (ink - first) * i / (n - 1);
        while (step < N_STEPS &&
               (fm_color_get_lightness(walk(theme, middle, (double)step / N_STEPS)) - wanted) *
                       direction <
                   0) {
            step++;
        }
        colors[i] = walk(theme, middle, (double)step / N_STEPS);
    }
}
