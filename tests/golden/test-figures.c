/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every kind of figure of a run, as it is laid out: held against text files in both languages and
 * presets, and without two texts that touch at sizes that reviews, windows and accidents have.
 */
#include "figures-fixture.h"
#include "golden.h"

#include "figures/figures.h"
#include "plot/layout.h"

#include <string.h>

/* One of each kind; those of single rows all look alike. */
static const char *const ids[] = {
    "T8",
    "F01",
    "F02",
    "F80",
    "T11",
    "T13",
    "overview",
    "time:fill/long",
    "density:fill/long",
    "F80:tail/r70w30/all",
    "stems:tail/read/read",
};

static const struct {
    const char *name;
    FmFigureOptions options;
} kinds[] = {
    {"en", {.language = "en", .read_log = figures_fixture_read_log}},
    {"ko", {.language = "ko", .read_log = figures_fixture_read_log}},
    {"review", {.language = "en", .is_review = true, .read_log = figures_fixture_read_log}},
};

static FmFigure *
build(const FmRun *run, const char *id, const FmFigureOptions *options)
{
    g_autoptr(GError) error = NULL;
    FmFigure *figure = fm_figures_build(run, id, options, &error);

    g_assert_no_error(error);
    return figure;
}

static void
test_layouts(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();

    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
            g_autoptr(FmFigure) figure = build(run, ids[i], &kinds[k].options);
            g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
            g_autofree char *dump = fm_layout_dump(layout);
            g_autofree char *name = g_strdup_printf("%s-%s.txt", ids[i], kinds[k].name);
            g_strdelimit(name, ":/", '_');
            golden_check("figures", name, dump);
        }
    }
}

/* --- No two texts touch ----------------------------------------------------------- */

static void
check_sizes(FmFigure *figure, const char *what)
{
    static const double sizes[][2] = {{0, 0},   {354, 240}, {720, 361.5},
                                      {500, 0}, {200, 120}, {1600, 500}};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        FmLayoutOptions options = {.width = sizes[i][0], .height = sizes[i][1]};
        g_autoptr(FmLayout) layout = fm_layout_new(figure, &options);
        g_autofree char *found = fm_layout_check(layout);
        if (found != NULL) {
            g_test_message("%s of %s, %g × %g: %s", figure->id, what, sizes[i][0], sizes[i][1],
                           found);
            g_test_fail();
        }
    }
}

static void
check_run(const FmRun *run, const char *what)
{
    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        for (gsize k = 0; k < G_N_ELEMENTS(kinds); k++) {
            g_autoptr(FmFigure) figure = build(run, ids[i], &kinds[k].options);
            check_sizes(figure, what);
        }
    }
}

static void
test_no_texts_touch(void)
{
    g_autoptr(FmRun) run = figures_fixture_new_simulated();

    check_run(run, "a plain run");
}

static void
test_hostile(void)
{
    g_autoptr(FmRun) run = figures_fixture_new_hostile();

    check_run(run, "a hostile run");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    figures_fixture_bind_catalogues();
    g_test_add_func("/golden/figures/layouts-are-as-before", test_layouts);
    g_test_add_func("/golden/figures/no-texts-touch", test_no_texts_touch);
    g_test_add_func("/golden/figures/no-hostile-texts-touch", test_hostile);
    return g_test_run();
}
