/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The palette against what was measured when it was chosen (DESIGN 5.3): colours that nobody
 * confuses, that a grey printer keeps apart and that stand out from the paper.
 */
#include "color-distance.h"

#include <math.h>
#include <string.h>

/* --- The measures themselves ---------------------------------------------------------- */

/* Pairs of Sharma, Wu and Dalal 2005, table 1: each has a trap that implementations fall into. */
static void
test_distance(void)
{
    static const struct {
        Lab first;
        Lab second;
        double distance;
    } pairs[] = {
        {{50, 2.6772, -79.7751}, {50, 0, -82.7485}, 2.0425},
        {{50, -1.3802, -84.2814}, {50, 0, -82.7485}, 1.0000},
        {{50, 0, 0}, {50, -1, 2}, 2.3669},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0009}, 7.1792},
        {{50, 2.49, -0.001}, {50, -2.49, 0.0011}, 7.2195},
        {{50, 2.5, 0}, {50, 0, -2.5}, 4.3065},
        {{50, 2.5, 0}, {73, 25, -18}, 27.1492},
        {{50, 2.5, 0}, {58, 24, 15}, 19.4535},
        {{60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}, 1.2644},
        {{22.7233, 20.0904, -46.6940}, {23.0331, 14.9730, -42.5619}, 2.0373},
        {{90.8027, -2.0831, 1.4410}, {91.1528, -1.6435, 0.0447}, 1.4441},
        {{2.0776, 0.0795, -1.1350}, {0.9033, -0.0636, -0.5514}, 0.9082},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_assert_cmpfloat_with_epsilon(lab_get_distance(pairs[i].first, pairs[i].second),
                                       pairs[i].distance, 1e-4);
        g_assert_cmpfloat_with_epsilon(lab_get_distance(pairs[i].second, pairs[i].first),
                                       pairs[i].distance, 1e-4);
    }
}

static void
test_contrast(void)
{
    FmColor black = {0, 0, 0}, white = {1, 1, 1}, grey = {0x76 / 255.0, 0x76 / 255.0, 0x76 / 255.0};

    g_assert_cmpfloat_with_epsilon(color_get_contrast(black, white), 21, 1e-6);
    g_assert_cmpfloat_with_epsilon(color_get_contrast(grey, white), 4.54, 0.01);
    g_assert_cmpfloat_with_epsilon(lab_from_color(white, VISION_NORMAL).lightness, 100, 1e-3);
    g_assert_cmpfloat_with_epsilon(lab_from_color(white, VISION_DEUTERANOPE).lightness, 100, 0.1);
}

/* --- The palette ------------------------------------------------------------------- */

typedef struct {
    double normal; /* least distance of any two */
    double blind; /* the same, of the worst of three */
    double grey; /* least step of lightness */
    double contrast; /* least against paper */
} Measures;

static void
measure_pair(FmColor first, FmColor second, Measures *measures)
{
    for (unsigned vision = 0; vision < N_VISIONS; vision++) {
        Lab a = lab_from_color(first, vision), b = lab_from_color(second, vision);
        double *least = vision == VISION_NORMAL ? &measures->normal : &measures->blind;
        *least = MIN(*least, lab_get_distance(a, b));
        if (vision == VISION_NORMAL) {
            measures->grey = MIN(measures->grey, fabs(a.lightness - b.lightness));
        }
    }
}

static Measures
measure(const FmTheme *theme, unsigned n)
{
    Measures measures = {INFINITY, INFINITY, INFINITY, INFINITY};

    for (unsigned i = 0; i < n; i++) {
        FmColor color = theme->roles[FM_ROLE_SERIES_1 + i].color;
        measures.contrast = MIN(measures.contrast, color_get_contrast(color, theme->paper));
        for (unsigned k = 0; k < i; k++) {
            measure_pair(theme->roles[FM_ROLE_SERIES_1 + k].color, color, &measures);
        }
    }
    g_test_message("%s, %u series: normal %.2f, colour-blind %.2f, grey %.2f, contrast %.2f",
                   theme->name, n, measures.normal, measures.blind, measures.grey,
                   measures.contrast);
    return measures;
}

static void
assert_limits(const FmTheme *theme, unsigned n, Measures limits)
{
    Measures measures = measure(theme, n);

    g_assert_cmpfloat(measures.normal, >=, limits.normal);
    g_assert_cmpfloat(measures.blind, >=, limits.blind);
    g_assert_cmpfloat(measures.grey, >=, limits.grey);
    g_assert_cmpfloat(measures.contrast, >=, limits.contrast);
}

static void
test_five(void)
{
    assert_limits(fm_theme_light(), 5, (Measures){23.6, 18.4, 9, 3.0});
    assert_limits(fm_theme_print(), 5, (Measures){23.6, 18.4, 9, 3.0});
    assert_limits(fm_theme_dark(), 5, (Measures){19.6, 12.6, 4.2, 4.6});
}

/*
 * Eight can't be as far apart as five: seven steps of 9 L* do not fit between black and the
 * lightest colour that white paper carries (L* 61).  These are the best three that a search found
 * beside the five; dash, marker and label do the rest.
 */
static void
test_eight(void)
{
    assert_limits(fm_theme_light(), 8, (Measures){18.1, 14.0, 4.1, 3.0});
    assert_limits(fm_theme_print(), 8, (Measures){18.1, 14.0, 4.1, 3.0});
    assert_limits(fm_theme_dark(), 8, (Measures){17.9, 12.1, 2.6, 4.6});
}

/* A line of the figure must not pass for an axis or a caption. */
static void
test_is_no_ink(void)
{
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (gsize i = 0; i < G_N_ELEMENTS(themes); i++) {
        for (unsigned k = 0; k < 8; k++) {
            FmColor color = themes[i]->roles[FM_ROLE_SERIES_1 + k].color;
            Lab lab = lab_from_color(color, VISION_NORMAL);
            Lab ink = lab_from_color(themes[i]->ink, VISION_NORMAL);
            Lab muted = lab_from_color(themes[i]->muted, VISION_NORMAL);
            g_assert_cmpfloat(lab_get_distance(lab, ink), >=, 12);
            g_assert_cmpfloat(lab_get_distance(lab, muted), >=, 12);
        }
    }
}

static bool
has_same_dash(const FmRoleStyle *a, const FmRoleStyle *b)
{
    return a->n_dash == b->n_dash &&
           (a->n_dash == 0 || memcmp(a->dash, b->dash, a->n_dash * sizeof(double)) == 0);
}

static void
test_second_cues(void)
{
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (gsize i = 0; i < G_N_ELEMENTS(themes); i++) {
        for (unsigned k = 0; k < 8; k++) {
            const FmRoleStyle *style = &themes[i]->roles[FM_ROLE_SERIES_1 + k];
            for (unsigned j = 0; j < k; j++) {
                const FmRoleStyle *other = &themes[i]->roles[FM_ROLE_SERIES_1 + j];
                g_assert_cmpint(style->marker, !=, other->marker);
                g_assert_false(has_same_dash(style, other));
            }
        }
        const FmRoleStyle *roles = themes[i]->roles;
        g_assert_cmpint(roles[FM_ROLE_READ].marker, !=, roles[FM_ROLE_WRITE].marker);
        g_assert_false(has_same_dash(&roles[FM_ROLE_READ], &roles[FM_ROLE_WRITE]));
        g_assert_cmpint(roles[FM_ROLE_GOOD].marker, !=, roles[FM_ROLE_BAD].marker);
    }
}

static void
test_text_is_readable(void)
{
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (gsize i = 0; i < G_N_ELEMENTS(themes); i++) {
        g_assert_cmpfloat(color_get_contrast(themes[i]->ink, themes[i]->paper), >=, 12);
        g_assert_cmpfloat(color_get_contrast(themes[i]->muted, themes[i]->paper), >=, 4.5);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/palette/distance-is-ciede2000", test_distance);
    g_test_add_func("/plot/palette/contrast-is-wcag", test_contrast);
    g_test_add_func("/plot/palette/five-keep-their-limits", test_five);
    g_test_add_func("/plot/palette/eight-keep-theirs", test_eight);
    g_test_add_func("/plot/palette/is-no-ink", test_is_no_ink);
    g_test_add_func("/plot/palette/dash-and-marker-repeat-it", test_second_cues);
    g_test_add_func("/plot/palette/text-is-readable", test_text_is_readable);
    return g_test_run();
}
