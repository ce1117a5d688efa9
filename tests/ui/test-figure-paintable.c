/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The paintable draws once for what it shows, again only for something else, and hands out
 * the layout of what is on screen.  Needs no display: textures in memory are enough.
 */
#include "ui/figure-paintable.h"

#include "demo-figure.h"

#include <math.h>

static void
paint(FmFigurePaintable *paintable, int width, int height)
{
    g_autoptr(GtkSnapshot) snapshot = gtk_snapshot_new();

    gdk_paintable_snapshot(GDK_PAINTABLE(paintable), snapshot, width, height);
    g_autoptr(GskRenderNode) node = gtk_snapshot_to_node(snapshot);
    g_assert_nonnull(node);
}

static void
test_draws_once(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    g_autoptr(FmFigurePaintable) paintable = fm_figure_paintable_new();
    FmView zoomed = fm_view_whole;

    fm_figure_paintable_set_figure(paintable, figure);
    paint(paintable, 720, 405);
    paint(paintable, 720, 405);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 1);
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 2);
    fm_figure_paintable_set_theme(paintable, fm_theme_light());
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 2);
    fm_figure_paintable_set_theme(paintable, fm_theme_dark());
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 3);
    fm_figure_paintable_set_scale_factor(paintable, 2);
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 4);
    fm_figure_paintable_set_view(paintable, &zoomed);
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 4);
    zoomed.x.min = 2;
    fm_figure_paintable_set_view(paintable, &zoomed);
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 5);
    fm_figure_paintable_drop(paintable);
    paint(paintable, 800, 450);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 6);
}

static void
test_nothing_is_fine(void)
{
    g_autoptr(FmFigurePaintable) paintable = fm_figure_paintable_new();
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    g_autoptr(GtkSnapshot) snapshot = gtk_snapshot_new();

    gdk_paintable_snapshot(GDK_PAINTABLE(paintable), snapshot, 100, 100);
    g_assert_null(fm_figure_paintable_get_layout(paintable, 100, 100));
    g_assert_cmpint(fm_figure_paintable_get_natural_height(paintable, 100), ==, 0);
    fm_figure_paintable_set_figure(paintable, figure);
    gdk_paintable_snapshot(GDK_PAINTABLE(paintable), snapshot, 0, 0);
    g_assert_null(fm_figure_paintable_get_layout(paintable, 0, 10));
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 0);
}

static void
test_layout_is_what_is_shown(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    g_autoptr(FmFigurePaintable) paintable = fm_figure_paintable_new();

    fm_figure_paintable_set_figure(paintable, figure);
    /* Text grows with the figure up to half as much again, then there is more room. */
    g_assert_cmpfloat(fm_figure_paintable_get_scale(paintable, 360), ==, 1);
    g_assert_cmpfloat(fm_figure_paintable_get_scale(paintable, 1080), ==, 1.5);
    g_assert_cmpfloat(fm_figure_paintable_get_scale(paintable, 3000), ==, 1.5);
    int height = fm_figure_paintable_get_natural_height(paintable, 1080);
    const FmLayout *layout = fm_figure_paintable_get_layout(paintable, 1080, height);
    g_assert_cmpfloat_with_epsilon(fm_layout_get_width(layout), 720, 1e-9);
    g_assert_cmpfloat_with_epsilon(fm_layout_get_height(layout), 405, 1);
    g_assert_true(fm_figure_paintable_get_layout(paintable, 1080, height) == layout);
    layout = fm_figure_paintable_get_layout(paintable, 720, 300);
    g_assert_cmpfloat_with_epsilon(fm_layout_get_height(layout), 300, 1e-9);
}

static void
test_speed_is_told(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_samples(432000);
    g_autoptr(FmFigurePaintable) paintable = fm_figure_paintable_new();

    fm_figure_paintable_set_figure(paintable, figure);
    gint64 begin_us = g_get_monotonic_time();
    fm_figure_paintable_get_layout(paintable, 1120, 720);
    gint64 laid_out_us = g_get_monotonic_time();
    paint(paintable, 1120, 720);
    gint64 drawn_us = g_get_monotonic_time();
    paint(paintable, 1120, 720);
    gint64 end_us = g_get_monotonic_time();
    g_test_message("432,000 samples at 1120 x 720: layout %.1f ms, drawing %.1f ms, again %.2f ms",
                   (double)(laid_out_us - begin_us) / 1e3, (double)(drawn_us - laid_out_us) / 1e3,
                   (double)(end_us - drawn_us) / 1e3);
    g_assert_cmpuint(fm_figure_paintable_get_n_drawn(paintable), ==, 1);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    gtk_init_check(); /* for render nodes; that there is no display does not matter */
#define ADD(path, test) g_test_add_func("/ui/figure-paintable/" path, test)
    ADD("draws-once-for-what-it-shows", test_draws_once);
    ADD("nothing-to-show-is-fine", test_nothing_is_fine);
    ADD("layout-is-the-one-on-screen", test_layout_is_what_is_shown);
    ADD("long-runs-are-drawn-fast", test_speed_is_told);
#undef ADD
    return g_test_run();
}
