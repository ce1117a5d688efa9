/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a figure with the pointer, zooming, and what may be left out of it.
 */
#include "plot/layout.h"

#include <math.h>
#include <string.h>

static FmFigure *
make_figure(void)
{
    FmFigure *figure = fm_figure_new("F10", "fill", "en");
    figure->title = g_strdup("The finding");
    figure->subtitle = g_strdup("The measure");
    figure->caption = g_strdup("The provenance");
    figure->watermark = g_strdup("simulated");
    for (unsigned i = 0; i < 2; i++) {
        FmPanel *panel = fm_figure_add_panel(figure, NULL);
        panel->shares_x = i == 1;
        fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
        fm_axis_set(&panel->y, i == 0 ? "Throughput" : "Latency",
                    i == 0 ? FM_UNIT_BYTES_PER_SECOND : FM_UNIT_SECONDS, FM_SCALE_LINEAR);
        FmSeries *series = fm_panel_add_series(panel, "drive", FM_ROLE_SERIES_1, FM_MARK_LINE);
        for (unsigned j = 0; j <= 100; j++) {
            fm_series_add(series, j, j == 50 ? NAN : i == 0 ? 1e6 * (1 + j) : 1e-6 * (1 + j));
        }
    }
    return figure;
}

static void
test_reading_finds_the_mark(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);

    for (unsigned panel = 0; panel < 2; panel++) {
        for (unsigned i = 0; i <= 100; i += 10) {
            FmReading reading;
            bool is_there = fm_layout_locate(layout, panel, 0, i, &reading);
            g_assert_cmpint(is_there, ==, i != 50);
            if (!is_there) {
                continue;
            }
            FmReading found = fm_layout_read(layout, reading.mark_x, reading.mark_y);
            g_assert_true(found.is_inside);
            g_assert_cmpuint(found.panel, ==, panel);
            g_assert_cmpuint(found.point, ==, i);
            g_assert_cmpfloat_with_epsilon(found.x, i, 0.01);
        }
    }
    FmReading outside = fm_layout_read(layout, 1, 1);
    g_assert_false(outside.is_inside);
}

/* Of very many samples only those near the pointer are looked at: the same one is found. */
static void
test_reading_finds_one_of_many_samples(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F10", "fill", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_SAMPLES);
    for (unsigned i = 0; i < 50000; i++) {
        bool is_gap = i > 20000 && i < 30000;
        fm_series_add(series, i * 0.1, is_gap ? NAN : 1e9 + (i % 7) * 1e6);
    }
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    static const unsigned points[] = {0, 777, 19999, 40000, 49999};

    for (unsigned i = 0; i < G_N_ELEMENTS(points); i++) {
        FmReading wanted;
        g_assert_true(fm_layout_locate(layout, 0, 0, points[i], &wanted));
        FmReading found = fm_layout_read(layout, wanted.mark_x, wanted.mark_y);
        g_assert_true(found.series == series);
        g_assert_cmpfloat(fabs(found.mark_x - wanted.mark_x), <, 0.1);
    }
    /* In the middle of a gap there is nothing near, and so nothing is said. */
    FmReading gap;
    g_assert_true(fm_layout_locate(layout, 0, 0, 0, &gap));
    gap = fm_layout_read(layout, gap.panel_left + gap.panel_width / 2, gap.mark_y);
    g_assert_null(gap.series);
}

/* A step that was cut after its first 100 ms has one sample. */
static void
test_a_lone_sample_is_a_dot(void)
{
    static const struct {
        double values[5];
        unsigned n;
        const char *drawn;
    } rows[] = {
        {{1e9}, 1, "samples “” 1 of 1"},
        {{1e9, NAN, 1e9, NAN, 1e9}, 5, "samples “” 3 of 5"},
        {{1e9, 1e9, NAN, 1e9, NAN}, 5, "samples “” 1 of 5"},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(FmFigure) figure = fm_figure_new("F10", "fill", "en");
        FmPanel *panel = fm_figure_add_panel(figure, NULL);
        fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
        fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
        FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_SAMPLES);
        for (unsigned j = 0; j < rows[i].n; j++) {
            fm_series_add(series, 1 + j, rows[i].values[j]);
        }
        g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
        g_autofree char *dump = fm_layout_dump(layout);
        g_test_message("%s", dump);
        g_assert_nonnull(strstr(dump, rows[i].drawn));
    }
}

static void
test_reading_says_value_and_unit(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    FmReading reading;

    g_assert_true(fm_layout_locate(layout, 0, 0, 90, &reading));
    g_autofree char *text = fm_layout_dup_reading(layout, &reading);
    g_assert_nonnull(strstr(text, "drive"));
    g_assert_nonnull(strstr(text, "0:01:30"));
    g_assert_nonnull(strstr(text, "91.0"));
    g_assert_nonnull(strstr(text, "MB/s"));
}

static void
test_zoom_shows_what_was_dragged_over(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    FmReading low;
    FmReading high;
    FmView view;

    g_assert_true(fm_layout_locate(layout, 0, 0, 20, &low));
    g_assert_true(fm_layout_locate(layout, 0, 0, 40, &high));
    const double from[] = {low.mark_x, low.mark_y};
    const double to[] = {high.mark_x, high.mark_y};
    const double here[] = {low.mark_x + 1, low.mark_y + 1};
    g_assert_false(fm_layout_zoom(layout, from, here, &view));
    g_assert_true(fm_layout_zoom(layout, from, to, &view));
    g_assert_cmpfloat_with_epsilon(view.x.min, 20, 0.01);
    g_assert_cmpfloat_with_epsilon(view.x.max, 40, 0.01);
    g_assert_cmpfloat_with_epsilon(view.y.max, 41e6, 1e4);

    FmLayoutOptions options = {.view = &view};
    g_autoptr(FmLayout) near = fm_layout_new(figure, &options);
    FmReading reading;
    g_assert_true(fm_layout_locate(near, 0, 0, 30, &reading));
    g_assert_false(fm_layout_locate(near, 0, 0, 90, &reading));
    /* What is out of sight is not read. */
    reading =
        fm_layout_read(near, reading.panel_left + reading.panel_width - 1, reading.panel_top + 1);
    g_assert_true(!reading.series || reading.point <= 41);
}

static void
test_moving_keeps_the_middle(void)
{
    static const double nowhere[] = {0, 0};
    static const double right[] = {0.5, 0};
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    FmView view;

    fm_layout_move(layout, 0.5, nowhere, &view);
    g_assert_cmpfloat_with_epsilon((view.x.min + view.x.max) / 2, 50, 1);
    g_assert_cmpfloat_with_epsilon(view.x.max - view.x.min, 50, 1);
    fm_layout_move(layout, 1, right, &view);
    g_assert_cmpfloat_with_epsilon((view.x.min + view.x.max) / 2, 100, 2);
}

static void
test_bars_begin_at_zero_whatever_is_asked(void)
{
    static const char *const names[] = {"a", "b", NULL};
    const FmView view = {.x = {.min = NAN, .max = NAN},
                         .y = {.min = 5e8, .max = 9e8, .is_toggled = true}};
    g_autoptr(FmFigure) figure = fm_figure_new("F01", "bars", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = g_strdupv((GStrv)names);
    fm_axis_set(&panel->y, NULL, FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_BAR);
    fm_series_add(series, 0, 8e8);
    fm_series_add(series, 1, 9e8);
    const FmLayoutOptions options = {.view = &view};
    g_autoptr(FmLayout) layout = fm_layout_new(figure, &options);
    g_autofree char *dump = fm_layout_dump(layout);

    g_assert_nonnull(strstr(dump, "y linear 0 9e+08"));
}

static void
test_what_may_be_hidden_is(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    const FmLayoutOptions bare = {.hide_title = true, .hide_caption = true};
    g_autoptr(FmLayout) whole = fm_layout_new(figure, NULL);
    g_autoptr(FmLayout) hidden = fm_layout_new(figure, &bare);
    g_autofree char *all = fm_layout_dump(whole);
    g_autofree char *rest = fm_layout_dump(hidden);

    g_assert_nonnull(strstr(all, "The finding"));
    g_assert_nonnull(strstr(all, "The measure"));
    g_assert_nonnull(strstr(all, "The provenance"));
    g_assert_null(strstr(rest, "The finding"));
    g_assert_null(strstr(rest, "The measure"));
    g_assert_null(strstr(rest, "The provenance"));
    g_assert_nonnull(strstr(rest, "simulated")); /* can't be */
}

static void
test_too_small_says_so(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    const FmLayoutOptions small = {.width = 200, .height = 40};
    g_autoptr(FmLayout) layout = fm_layout_new(figure, &small);
    g_autofree char *dump = fm_layout_dump(layout);

    g_assert_nonnull(strstr(dump, "No room"));
    g_assert_null(strstr(dump, "panel"));
    FmReading reading = fm_layout_read(layout, 100, 20);
    g_assert_false(reading.is_inside);
}

static void
test_texts_are_black_on_white_and_the_other_way_round(void)
{
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (unsigned i = 0; i < G_N_ELEMENTS(themes); i++) {
        g_assert_true(fm_theme_by_name(themes[i]->name) == themes[i]);
        g_assert_cmpint(themes[i]->paper.red > 0.5, ==, i != 1);
        g_assert_cmpint(themes[i]->ink.red > 0.5, ==, i == 1);
    }
    g_assert_null(fm_theme_by_name("sepia"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/layout/reading-finds-the-mark", test_reading_finds_the_mark);
    g_test_add_func("/plot/layout/reading-finds-one-of-many-samples",
                    test_reading_finds_one_of_many_samples);
    g_test_add_func("/plot/layout/a-lone-sample-is-a-dot", test_a_lone_sample_is_a_dot);
    g_test_add_func("/plot/layout/reading-says-value-and-unit", test_reading_says_value_and_unit);
    g_test_add_func("/plot/layout/zoom-shows-what-was-dragged-over",
                    test_zoom_shows_what_was_dragged_over);
    g_test_add_func("/plot/layout/moving-keeps-the-middle", test_moving_keeps_the_middle);
    g_test_add_func("/plot/layout/bars-begin-at-zero-whatever-is-asked",
                    test_bars_begin_at_zero_whatever_is_asked);
    g_test_add_func("/plot/layout/what-may-be-hidden-is", test_what_may_be_hidden_is);
    g_test_add_func("/plot/layout/too-small-says-so", test_too_small_says_so);
    g_test_add_func("/plot/layout/texts-are-black-on-white-and-the-other-way-round",
                    test_texts_are_black_on_white_and_the_other_way_round);
    return g_test_run();
}
