/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that nobody would make, of random marks, texts and sizes: laying out and drawing them
 * neither fails nor lets texts touch or leave the figure.  The seeds are fixed.
 */
#include "base/rng.h"
#include "plot/layout.h"

#include <cairo.h>
#include <math.h>

enum {
    N_FIGURES = 80,
};

static unsigned
draw_below(FmRng *rng, unsigned limit)
{
    return (unsigned)(fm_rng_next(rng) % limit);
}

static char *
dup_words(FmRng *rng, unsigned max_words)
{
    static const char *const words[] = {"a",
                                        "QD4",
                                        "throughput",
                                        "처리량",
                                        "Solidigm P44 Pro",
                                        "µs",
                                        "지연시간을",
                                        "1412 MB/s",
                                        "Ω≈√∫",
                                        "·",
                                        "[4kB]",
                                        "extraordinarily-unbreakable-compound-word"};
    GString *out = g_string_new(NULL);
    unsigned n = draw_below(rng, max_words + 1);

    for (unsigned i = 0; i < n; i++) {
        g_string_append(out, i > 0 ? " " : "");
        g_string_append(out, words[draw_below(rng, G_N_ELEMENTS(words))]);
    }
    return g_string_free(out, FALSE);
}

static double
draw_value(FmRng *rng, FmScaleKind kind)
{
    double share = (double)draw_below(rng, 1001) / 1000;

    if (draw_below(rng, 40) == 0) {
        return NAN;
    }
    switch (kind) {
    case FM_SCALE_LOG10:
    case FM_SCALE_LOG2:
        return draw_below(rng, 30) == 0 ? 0 : pow(10, share * 8 - 6);
    case FM_SCALE_NINES:
        return 1 - pow(10, -share * 6);
    case FM_SCALE_CATEGORY:
        return draw_below(rng, 5);
    case FM_SCALE_LINEAR:
    default:
        return share * pow(10, draw_below(rng, 4));
    }
}

static void
set_axis(FmRng *rng, FmAxis *axis, bool may_be_category)
{
    g_autofree char *title = dup_words(rng, 4);
    FmScaleKind kind = (FmScaleKind)draw_below(rng, may_be_category ? 5 : 4);

    fm_axis_set(axis, title, (FmUnit)draw_below(rng, FM_UNIT_CELSIUS + 1), kind);
    if (kind == FM_SCALE_CATEGORY) {
        axis->categories = g_new0(char *, 6);
        for (unsigned i = 0; i < 5; i++) {
            axis->categories[i] = dup_words(rng, 5);
        }
    }
}

static void
add_series(FmRng *rng, FmPanel *panel)
{
    static const FmMark marks[] = {FM_MARK_LINE,  FM_MARK_STEP,     FM_MARK_SAMPLES,
                                   FM_MARK_POINT, FM_MARK_INTERVAL, FM_MARK_STEM};
    g_autofree char *label = dup_words(rng, 4);
    bool is_bar = panel->x.scale == FM_SCALE_CATEGORY;
    FmMark mark = is_bar ? FM_MARK_BAR : marks[draw_below(rng, G_N_ELEMENTS(marks))];
    FmSeries *series = fm_panel_add_series(panel, label, (FmRole)draw_below(rng, FM_N_ROLES), mark);
    unsigned n = draw_below(rng, 4) == 0 ? 3000 : draw_below(rng, 12);

    series->is_emphasised = draw_below(rng, 5) == 0;
    for (unsigned i = 0; i < (is_bar ? 5 : n); i++) {
        double x = is_bar ? i : draw_value(rng, panel->x.scale);
        FmPoint *point = fm_series_add(series, x, draw_value(rng, panel->y.scale));
        point->is_doubtful = draw_below(rng, 6) == 0;
        if (draw_below(rng, 3) == 0) {
            point->lo = draw_value(rng, panel->y.scale);
            point->hi = draw_value(rng, panel->y.scale);
        }
        if (n < 20 && draw_below(rng, 3) == 0) {
            point->label = dup_words(rng, 2);
        }
    }
}

static void
add_panel(FmRng *rng, FmFigure *figure)
{
    g_autofree char *title = dup_words(rng, 4);
    FmPanel *panel = fm_figure_add_panel(figure, draw_below(rng, 2) == 0 ? title : NULL);

    set_axis(rng, &panel->x, true);
    set_axis(rng, &panel->y, false);
    panel->is_horizontal = panel->x.scale == FM_SCALE_CATEGORY && draw_below(rng, 2) == 0;
    panel->shares_x = draw_below(rng, 3) == 0;
    panel->weight = 1 + draw_below(rng, 3);
    for (unsigned i = draw_below(rng, FM_FIGURE_MAX_SERIES); i > 0; i--) {
        add_series(rng, panel);
    }
    for (unsigned i = draw_below(rng, 5); i > 0; i--) {
        FmAnnotation annotation = {
            .kind = (FmAnnotationKind)draw_below(rng, FM_ANNOTATION_CALLOUT + 1),
            .role = (FmRole)draw_below(rng, FM_N_ROLES),
            .x0 = draw_value(rng, panel->x.scale),
            .x1 = draw_value(rng, panel->x.scale),
            .y0 = draw_value(rng, panel->y.scale),
            .y1 = draw_value(rng, panel->y.scale),
            .text = dup_words(rng, 8),
        };
        fm_panel_add_annotation(panel, annotation);
    }
}

static FmFigure *
make_figure(FmRng *rng)
{
    FmFigure *figure = fm_figure_new("F0", "random", draw_below(rng, 2) == 0 ? "en" : "ko");

    figure->title = dup_words(rng, 16);
    figure->subtitle = dup_words(rng, 20);
    figure->caption = dup_words(rng, 60);
    figure->watermark = draw_below(rng, 4) == 0 ? dup_words(rng, 2) : NULL;
    figure->shape = (FmShape)draw_below(rng, FM_SHAPE_TALL + 1);
    figure->n_columns = 1 + draw_below(rng, 3);
    for (unsigned i = draw_below(rng, 6); i > 0; i--) {
        add_panel(rng, figure);
    }
    for (unsigned i = draw_below(rng, 3); i > 0; i--) {
        g_ptr_array_add(figure->footnotes, dup_words(rng, 12));
    }
    return figure;
}

static void
draw_layout(const FmLayout *layout)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 300, 200);
    cairo_t *cr = cairo_create(image);

    cairo_scale(cr, 300 / fm_layout_get_width(layout), 200 / fm_layout_get_height(layout));
    fm_layout_draw(layout, cr);
    g_assert_cmpint(cairo_status(cr), ==, CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_destroy(image);
}

static void
test_random_figures_are_harmless(void)
{
    for (unsigned i = 0; i < N_FIGURES; i++) {
        FmRng rng;
        fm_rng_init(&rng, i);
        g_autoptr(FmFigure) figure = make_figure(&rng);
        FmLayoutOptions options = {
            .width = draw_below(&rng, 3) == 0 ? 0 : 100 + draw_below(&rng, 1200),
            .height = draw_below(&rng, 3) == 0 ? 0 : 60 + draw_below(&rng, 800),
        };
        g_autoptr(FmLayout) layout = fm_layout_new(figure, &options);
        g_autofree char *found = fm_layout_check(layout);
        if (found) {
            g_test_message("figure %u, %g × %g: %s", i, options.width, options.height, found);
            if (g_test_verbose()) {
                g_autofree char *dump = fm_layout_dump(layout);
                g_test_message("%s", dump);
            }
            g_test_fail();
        }
        if (i % 6 == 0) {
            draw_layout(layout);
        }
        FmReading reading = fm_layout_read(layout, draw_below(&rng, 700), draw_below(&rng, 400));
        g_autofree char *text = fm_layout_dup_reading(layout, &reading);
        g_assert_nonnull(text);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/golden/random/figures-are-harmless", test_random_figures_are_harmless);
    return g_test_run();
}
