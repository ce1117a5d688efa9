/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Colour measures after Sharma, Wu and Dalal 2005 (CIEDE2000), Machado et al. 2009 and WCAG 2.
 * Pure.
 */
#include "color-distance.h"

#include <math.h>

static const double degree = G_PI / 180;

/* --- Into L*a*b* ------------------------------------------------------------------ */

static const double matrices[N_VISIONS][3][3] = {
    [VISION_NORMAL] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
    [VISION_PROTANOPE] = {{0.152286, 1.052583, -0.204868},
                          {0.114503, 0.786281, 0.099216},
                          {-0.003882, -0.048116, 1.051998}},
    [VISION_DEUTERANOPE] = {{0.367322, 0.860646, -0.227968},
                            {0.280085, 0.672501, 0.047413},
                            {-0.011820, 0.042940, 0.968881}},
    [VISION_TRITANOPE] = {{1.255528, -0.076749, -0.178779},
                          {-0.078411, 0.930809, 0.147602},
                          {0.004733, 0.691367, 0.303900}},
};

static double
linearize(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

static double
compress(double t)
{
    return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

Lab
lab_from_color(FmColor color, Vision vision)
{
    double linear[3] = {linearize(color.red), linearize(color.green), linearize(color.blue)};
    double seen[3];
    for (unsigned i = 0; i < 3; i++) {
        const double *row = matrices[vision][i];
        seen[i] = CLAMP(row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2], 0, 1);
    }
    double x = 0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2];
    double y = 0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2];
    double z = 0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2];
    double fx = compress(x / 0.95047);
    double fy = compress(y);
    double fz = compress(z / 1.08883);
    return (Lab){116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)};
}

/* --- Distance --------------------------------------------------------------------- */

static double
get_hue(double a, double b)
{
    double hue = a == 0 && b == 0 ? 0 : atan2(b, a) / degree;
    return hue < 0 ? hue + 360 : hue;
}

/* From @first to @second the shorter way round. */
static double
subtract_hues(double first, double second)
{
    double difference = second - first;
    if (difference > 180) {
        return difference - 360;
    }
    return difference < -180 ? difference + 360 : difference;
}

static double
average_hues(double first, double second)
{
    double sum = first + second;
    if (fabs(first - second) <= 180) {
        return sum / 2;
    }
    return sum < 360 ? (sum + 360) / 2 : (sum - 360) / 2;
}

static double
get_chroma_bend(double chroma)
{
    return sqrt(pow(chroma, 7) / (pow(chroma, 7) + pow(25, 7)));
}

double
lab_get_distance(Lab first, Lab second)
{
    double chroma = (hypot(first.a, first.b) + hypot(second.a, second.b)) / 2;
    double stretch = 1 + 0.5 * (1 - get_chroma_bend(chroma));
    double chroma1 = hypot(first.a * stretch, first.b);
    double chroma2 = hypot(second.a * stretch, second.b);
    double hue1 = get_hue(first.a * stretch, first.b);
    double hue2 = get_hue(second.a * stretch, second.b);
    bool has_hues = chroma1 * chroma2 > 0;
    double hue = has_hues ? average_hues(hue1, hue2) : hue1 + hue2;
    double turn = has_hues ? subtract_hues(hue1, hue2) : 0;

    double delta_l = second.lightness - first.lightness;
    double delta_c = chroma2 - chroma1;
    double delta_h = 2 * sqrt(chroma1 * chroma2) * sin(turn / 2 * degree);
    double lightness = (first.lightness + second.lightness) / 2 - 50;
    double mean_c = (chroma1 + chroma2) / 2;
    double t = 1 - 0.17 * cos((hue - 30) * degree) + 0.24 * cos(2 * hue * degree) +
               0.32 * cos((3 * hue + 6) * degree) - 0.20 * cos((4 * hue - 63) * degree);
    double rotation =
        -sin(60 * exp(-pow((hue - 275) / 25, 2)) * degree) * 2 * get_chroma_bend(mean_c);
    double l = delta_l / (1 + 0.015 * lightness * lightness / sqrt(20 + lightness * lightness));
    double c = delta_c / (1 + 0.045 * mean_c);
    double h = delta_h / (1 + 0.015 * mean_c * t);
    return sqrt(l * l + c * c + h * h + rotation * c * h);
}

double
color_get_contrast(FmColor first, FmColor second)
{
    double luminances[2];
    const FmColor *colors[2] = {&first, &second};

    for (unsigned i = 0; i < 2; i++) {
        luminances[i] = 0.2126 * linearize(colors[i]->red) + 0.7152 * linearize(colors[i]->green) +
                        0.0722 * linearize(colors[i]->blue);
    }
    double lighter = MAX(luminances[0], luminances[1]);
    double darker = MIN(luminances[0], luminances[1]);
    return (lighter + 0.05) / (darker + 0.05);
}
