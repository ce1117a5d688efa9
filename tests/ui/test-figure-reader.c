/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading with the keyboard goes from point to point, passes over what is not there or not on
 * screen, and comes to every series.
 */
#include "ui/figure-reader.h"

#include "demo-figure.h"

#include <math.h>

typedef struct {
    FmFigure *figure;
    FmLayout *layout;
    FmFigureReader reader;
    FmReading reading;
} Case;

static void
set_up(Case *c, gconstpointer data)
{
    c->figure = fm_demo_figure_new_lines();
    c->layout = fm_layout_new(c->figure, &(FmLayoutOptions){.width = 720});
    c->reader = (FmFigureReader){0};
}

static void
tear_down(Case *c, gconstpointer data)
{
    fm_layout_free(c->layout);
    fm_figure_unref(c->figure);
}

static bool
step(Case *c, FmReaderStep where)
{
    return fm_figure_reader_step(&c->reader, c->figure, c->layout, &(FmReaderMove){where, false},
                                 &c->reading);
}

static void
test_points(Case *c, gconstpointer data)
{
    for (unsigned i = 0; i < 5; i++) {
        g_assert_true(step(c, FM_READER_NEXT));
        g_assert_cmpuint(c->reading.point, ==, i);
        g_assert_cmpstr(c->reading.series->label, ==, "Read");
    }
    g_assert_false(step(c, FM_READER_NEXT));
    g_assert_cmpuint(c->reader.point, ==, 4);
    g_assert_true(step(c, FM_READER_PREVIOUS));
    g_assert_cmpuint(c->reading.point, ==, 3);
}

static void
test_from_the_right(Case *c, gconstpointer data)
{
    g_assert_true(step(c, FM_READER_PREVIOUS));
    g_assert_cmpuint(c->reading.point, ==, 4);
}

static void
test_series(Case *c, gconstpointer data)
{
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_true(step(c, FM_READER_NEXT_SERIES));
    g_assert_cmpstr(c->reading.series->label, ==, "Write");
    g_assert_cmpuint(c->reading.point, ==, 1);
    /* The third has no value. */
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_cmpuint(c->reading.point, ==, 3);
    g_assert_false(step(c, FM_READER_NEXT_SERIES));
    g_assert_true(step(c, FM_READER_PREVIOUS_SERIES));
    g_assert_cmpstr(c->reading.series->label, ==, "Read");
    g_assert_cmpuint(c->reading.point, ==, 3);
}

static void
test_zoomed(Case *c, gconstpointer data)
{
    FmView view = fm_view_whole;

    view.x.min = 2.5;
    view.x.max = 4.5;
    fm_layout_free(c->layout);
    c->layout = fm_layout_new(c->figure, &(FmLayoutOptions){.width = 720, .view = &view});
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_cmpuint(c->reading.point, ==, 2);
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_false(step(c, FM_READER_NEXT));
    g_assert_cmpuint(c->reading.point, ==, 3);
}

static void
test_mark_is_where_the_pointer_finds_it(Case *c, gconstpointer data)
{
    g_assert_true(step(c, FM_READER_NEXT));
    g_assert_true(step(c, FM_READER_NEXT));
    FmReading pointed = fm_layout_read(c->layout, c->reading.mark_x, c->reading.mark_y);
    g_assert_true(pointed.series == c->reading.series);
    g_assert_cmpuint(pointed.point, ==, c->reading.point);
    g_autofree char *by_key = fm_layout_dup_reading(c->layout, &c->reading);
    g_autofree char *by_pointer = fm_layout_dup_reading(c->layout, &pointed);
    g_assert_cmpstr(by_key, ==, by_pointer);
}

static void
test_other_figure(Case *c, gconstpointer data)
{
    g_autoptr(FmFigure) other = fm_demo_figure_new_samples(10);

    g_assert_true(step(c, FM_READER_PREVIOUS));
    c->reader.series = 1;
    g_autoptr(FmLayout) layout = fm_layout_new(other, &(FmLayoutOptions){.width = 720});
    g_assert_true(fm_figure_reader_step(&c->reader, other, layout,
                                        &(FmReaderMove){FM_READER_NEXT, false}, &c->reading));
    g_assert_cmpuint(c->reading.point, ==, 0);
    g_assert_false(fm_layout_locate(layout, 1, 0, 0, &c->reading));
    g_assert_false(fm_layout_locate(layout, 0, 0, 10, &c->reading));
    g_assert_false(fm_layout_locate(layout, 2, 0, 0, &c->reading));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/ui/figure-reader/" path, Case, NULL, set_up, test, tear_down)
    ADD("points-follow-each-other", test_points);
    ADD("reading-may-begin-at-the-right", test_from_the_right);
    ADD("series-follow-each-other-at-the-same-place", test_series);
    ADD("what-is-not-on-screen-is-passed-over", test_zoomed);
    ADD("keyboard-and-pointer-read-the-same", test_mark_is_where_the_pointer_finds_it);
    ADD("another-figure-begins-anew", test_other_figure);
#undef ADD
    return g_test_run();
}
