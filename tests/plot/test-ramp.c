/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * More is always darker on paper, and lighter on the dark: in every theme, for every role.
 */
#include "plot/ramp.h"

#include <math.h>

enum { N = 64 };

static void
assert_ramp(const FmTheme *theme, FmRole role)
{
    FmColor colors[N];
    fm_ramp_fill(theme, role, colors, N);
    double paper = fm_color_get_lightness(theme->paper);
    double ink = fm_color_get_lightness(theme->ink);
    double direction = ink > paper ? 1 : -1;
    double step =
        (fm_color_get_lightness(colors[N - 1]) - fm_color_get_lightness(colors[0])) / (N - 1);

    g_assert_cmpfloat(fabs(fm_color_get_lightness(colors[N - 1]) - ink), <, 1);
    /* One I/O is seen. */
    g_assert_cmpfloat(fabs(fm_color_get_lightness(colors[0]) - paper), >, 20);
    for (unsigned i = 1; i < N; i++) {
        double difference =
            fm_color_get_lightness(colors[i]) - fm_color_get_lightness(colors[i - 1]);
        g_assert_cmpfloat(difference * direction, >, 0);
        g_assert_cmpfloat(fabs(difference - step), <, 0.75);
    }
}

static void
test_even(void)
{
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (gsize i = 0; i < G_N_ELEMENTS(themes); i++) {
        for (unsigned role = 0; role < FM_N_ROLES; role++) {
            assert_ramp(themes[i], (FmRole)role);
        }
    }
}

/* The middle is the role's own colour, or nearly. */
static void
test_passes_the_role(void)
{
    FmColor colors[N];
    FmColor role = fm_theme_light()->roles[FM_ROLE_READ].color;
    double nearest = INFINITY;

    fm_ramp_fill(fm_theme_light(), FM_ROLE_READ, colors, N);
    for (unsigned i = 0; i < N; i++) {
        double distance = fabs(colors[i].red - role.red) + fabs(colors[i].green - role.green) +
                          fabs(colors[i].blue - role.blue);
        nearest = MIN(nearest, distance);
    }
    g_assert_cmpfloat(nearest, <, 0.05);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/ramp/lightness-rises-in-even-steps", test_even);
    g_test_add_func("/plot/ramp/passes-the-colour-of-the-role", test_passes_the_role);
    return g_test_run();
}
