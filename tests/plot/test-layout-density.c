/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Density in a figure: a single I/O is seen, at its place, whatever the size, zoom or scale; in
 * vector files the cells are one image.
 */
#include "plot/export.h"
#include "plot/layout.h"

#include <cairo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double edges[4] = {0, 1e-6, 60, 1};

static FmFigure *
make_figure(unsigned n_x, unsigned n_y)
{
    FmFigure *figure = fm_figure_new("F4", "ios", "en");
    figure->subtitle = g_strdup("log scale");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    FmSeries *series = fm_panel_add_series(panel, "Read", FM_ROLE_READ, FM_MARK_DENSITY);
    series->density = fm_density_new(n_x, n_y, edges, true);
    return figure;
}

static FmDensity *
get_density(FmFigure *figure)
{
    const FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    return ((FmSeries *)g_ptr_array_index(panel->series, 0))->density;
}

/* A million at 100 µs and one at (@x, @y), which is none of the largest. */
static FmFigure *
make_haystack(double x, double y)
{
    FmFigure *figure = make_figure(420, 160);
    FmDensity *density = get_density(figure);

    fm_density_add(density, x, y);
    for (unsigned i = 0; i < 1000000; i++) {
        fm_density_add(density, (i % 6000) / 100.0, i % 5000 == 0 ? 0.9 : 1e-4);
    }
    return figure;
}

typedef struct {
    FmLayout *layout;
    cairo_surface_t *image;
} Drawing;

static void
drawing_clear(Drawing *drawing)
{
    fm_layout_free(drawing->layout);
    cairo_surface_destroy(drawing->image);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Drawing, drawing_clear)

static Drawing
draw(FmFigure *figure, const FmLayoutOptions *options)
{
    Drawing drawing = {.layout = fm_layout_new(figure, options)};
    drawing.image = cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                               (int)ceil(fm_layout_get_width(drawing.layout)) * 2,
                                               (int)ceil(fm_layout_get_height(drawing.layout)) * 2);
    cairo_t *cr = cairo_create(drawing.image);
    cairo_scale(cr, 2, 2);
    fm_layout_draw(drawing.layout, cr);
    cairo_destroy(cr);
    cairo_surface_flush(drawing.image);
    return drawing;
}

/* Where (@x, @y) is, in points, found by asking the layout what is at a place. */
static void
find_place(const FmLayout *layout, double x, double y, double place[2])
{
    double nearest[2] = {INFINITY, INFINITY};
    double width = fm_layout_get_width(layout), height = fm_layout_get_height(layout);

    for (double at = 0; at < MAX(width, height); at += 0.25) {
        FmReading across = fm_layout_read(layout, at, height / 2);
        FmReading down = fm_layout_read(layout, width / 2, at);
        if (across.is_inside && fabs(across.x - x) < nearest[0]) {
            nearest[0] = fabs(across.x - x);
            place[0] = at;
        }
        if (down.is_inside && fabs(log(down.y / y)) < nearest[1]) {
            nearest[1] = fabs(log(down.y / y));
            place[1] = at;
        }
    }
}

/* Whether anything blue is within a cell of @place; grid and text have no colour. */
static bool
is_blue(const Drawing *drawing, const double place[2])
{
    const unsigned char *data = cairo_image_surface_get_data(drawing->image);
    int stride = cairo_image_surface_get_stride(drawing->image);

    for (int y = (int)(place[1] * 2) - 6; y <= (int)(place[1] * 2) + 6; y++) {
        for (int x = (int)(place[0] * 2) - 6; x <= (int)(place[0] * 2) + 6; x++) {
            const unsigned char *pixel = data + y * stride + x * 4;
            if (pixel[0] - pixel[2] > 40) {
                return true;
            }
        }
    }
    return false;
}

static void
assert_seen(const FmLayoutOptions *options, double x, double y)
{
    g_autoptr(FmFigure) figure = make_haystack(x, y);
    g_auto(Drawing) drawing = draw(figure, options);
    double place[2] = {0, 0};

    find_place(drawing.layout, x, y, place);
    g_assert_true(is_blue(&drawing, place));
    /* And not everywhere. */
    find_place(drawing.layout, x - 5, y, place);
    g_assert_false(is_blue(&drawing, place));
    g_autofree char *problem = fm_layout_check(drawing.layout);
    g_assert_cmpstr(problem, ==, NULL);
}

static void
test_single_is_seen(void)
{
    assert_seen(NULL, 31.4, 7e-3);
    assert_seen(NULL, 31.4, 7e-6);
}

static void
test_single_is_seen_on_the_dark(void)
{
    FmLayoutOptions options = {.theme = fm_theme_dark()};

    assert_seen(&options, 31.4, 7e-3);
}

static void
test_single_is_seen_at_any_size(void)
{
    static const double sizes[][2] = {{354, 240}, {1400, 900}, {260, 200}};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        FmLayoutOptions options = {.width = sizes[i][0], .height = sizes[i][1]};
        assert_seen(&options, 31.4, 7e-3);
    }
}

static void
test_single_is_seen_near_by(void)
{
    FmView view = fm_view_whole;
    view.x.min = 25;
    view.x.max = 33;
    view.y.min = 1e-3;
    view.y.max = 1e-2;
    FmLayoutOptions options = {.view = &view};

    assert_seen(&options, 31.4, 7e-3);
}

static void
test_single_is_seen_on_another_scale(void)
{
    FmView view = fm_view_whole;
    view.y.is_toggled = true;
    FmLayoutOptions options = {.view = &view};

    assert_seen(&options, 31.4, 0.45);
}

/* Also what lies above the grid. */
static void
test_largest_are_points(void)
{
    g_autoptr(FmFigure) figure = make_figure(10, 10);
    fm_density_add(get_density(figure), 31.4, 3);
    g_auto(Drawing) drawing = draw(figure, NULL);
    double place[2] = {0, 0};

    find_place(drawing.layout, 31.4, 3, place);
    g_assert_true(is_blue(&drawing, place));
}

static unsigned
count_words(const char *text, const char *word)
{
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++) {
        n++;
    }
    return n;
}

static void
test_is_one_image(void)
{
    g_autoptr(FmFigure) figure = make_haystack(31.4, 7e-3);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) svg = fm_export_figure(figure, FM_FORMAT_SVG, NULL, &error);
    g_assert_no_error(error);
    gsize size;
    const char *data = g_bytes_get_data(svg, &size);
    g_autofree char *text = g_strndup(data, size);

    g_assert_cmpuint(count_words(text, "<image "), ==, 2); /* and the key's */
    g_assert_cmpuint(size, <, 400000);
}

static void
test_key_counts(void)
{
    g_autoptr(FmFigure) figure = make_figure(420, 160);
    for (unsigned i = 0; i < 12345; i++) {
        fm_density_add(get_density(figure), 30.01, 1e-4);
    }
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    g_autofree char *dump = fm_layout_dump(layout);

    g_assert_nonnull(strstr(dump, "“12,345 I/Os per cell”"));
    g_assert_nonnull(strstr(dump, "series density “Read” 1 of 0"));
}

static void
test_reading_counts(void)
{
    g_autoptr(FmFigure) figure = make_figure(10, 6);
    FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    FmSeries *line = fm_panel_add_series(panel, "P50", FM_ROLE_MUTED, FM_MARK_LINE);
    fm_series_add(line, 0, 1e-4);
    fm_series_add(line, 30, 1e-4);
    for (unsigned i = 0; i < 1234; i++) {
        fm_density_add(get_density(figure), 33, 2e-3);
    }
    g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
    double place[2] = {0, 0};

    find_place(layout, 33, 2e-3, place);
    FmReading cell = fm_layout_read(layout, place[0], place[1]);
    g_autofree char *said = fm_layout_dup_reading(layout, &cell);
    g_assert_nonnull(strstr(said, "1,234 I/Os here"));
    find_place(layout, 30, 1e-4, place);
    FmReading near_line = fm_layout_read(layout, place[0] + 2, place[1] - 2);
    g_assert_true(near_line.series == line);
}

static void
test_nothing(void)
{
    g_autoptr(FmFigure) figure = make_figure(420, 160);
    g_auto(Drawing) drawing = draw(figure, NULL);
    g_autofree char *dump = fm_layout_dump(drawing.layout);

    g_assert_null(strstr(dump, "per cell"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/plot/layout-density/" path, test)
    ADD("single-io-is-seen", test_single_is_seen);
    ADD("single-io-is-seen-on-the-dark", test_single_is_seen_on_the_dark);
    ADD("single-io-is-seen-at-any-size", test_single_is_seen_at_any_size);
    ADD("single-io-is-seen-near-by", test_single_is_seen_near_by);
    ADD("single-io-is-seen-on-another-scale", test_single_is_seen_on_another_scale);
    ADD("largest-are-points", test_largest_are_points);
    ADD("is-one-image-in-vector-files", test_is_one_image);
    ADD("key-says-what-colours-mean", test_key_counts);
    ADD("reading-counts-the-cell", test_reading_counts);
    ADD("nothing-is-harmless", test_nothing);
#undef ADD
    return g_test_run();
}
