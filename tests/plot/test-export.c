/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as files: sizes, what is written about them, and that the same figure is the same file.
 */
#include "plot/export.h"

#include "base/error.h"

#include <glib/gstdio.h>
#include <string.h>

static FmFigure *
make_figure(void)
{
    FmFigure *figure = fm_figure_new("F80", "tail-latency", "en");
    figure->title = g_strdup("Tails & <markup> 꼬리");
    figure->subtitle = g_strdup("Latency");
    figure->caption = g_strdup("Model drive \xff");
    figure->alt_text = g_strdup("One line that rises.");
    figure->run_id = g_strdup("3f2a9c1e");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, "drive", FM_ROLE_SERIES_1, FM_MARK_LINE);
    for (unsigned i = 0; i < 20; i++) {
        fm_series_add(series, i, i * 1e8);
    }
    return figure;
}

/* Width and height in the head of a PNG. */
static void
get_png_size(GBytes *png, unsigned size[2])
{
    gsize length = 0;
    const guint8 *data = g_bytes_get_data(png, &length);

    g_assert_cmpuint(length, >, 24);
    g_assert_cmpmem(data, 8, "\x89PNG\r\n\x1a\n", 8);
    for (unsigned i = 0; i < 2; i++) {
        const guint8 *p = data + 16 + 4 * i;
        size[i] = (unsigned)p[0] << 24 | (unsigned)p[1] << 16 | (unsigned)p[2] << 8 | p[3];
    }
}

static bool
has_bytes(GBytes *bytes, const char *wanted)
{
    gsize length = 0;
    const char *data = g_bytes_get_data(bytes, &length);
    return memmem(data, length, wanted, strlen(wanted)) != NULL;
}

static void
test_png_has_the_size_asked_for(void)
{
    static const struct {
        FmExportOptions options;
        unsigned width;
        unsigned height;
    } cases[] = {
        {{0}, 1440, 810},
        {{.scale = 1}, 720, 405},
        {{.scale = 3}, 2160, 1215},
        {{.preset = FM_PRESET_WIDE}, 3579, 1797},
        {{.preset = FM_PRESET_TAIL}, 3875, 2094},
        {{.preset = FM_PRESET_OLD}, 1000, 500},
        {{.width_px = 320, .height_px = 200}, 320, 200},
        {{.width_px = 1, .height_px = 1}, 1, 1},
        {{.width_px = 20000, .height_px = 1}, 20000, 1},
    };
    g_autoptr(FmFigure) figure = make_figure();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(GBytes) png = fm_export_figure(figure, FM_FORMAT_PNG, &cases[i].options, &error);
        g_assert_no_error(error);
        unsigned size[2];
        get_png_size(png, size);
        g_assert_cmpuint(size[0], ==, cases[i].width);
        g_assert_cmpuint(size[1], ==, cases[i].height);
    }
}

static void
test_sizes_nobody_can_have_are_refused(void)
{
    static const FmExportOptions cases[] = {
        {.width_px = 0, .height_px = 100},
        {.width_px = 100, .height_px = 0},
        {.width_px = 20001, .height_px = 100},
        {.width_px = 100, .height_px = 20001},
    };
    g_autoptr(FmFigure) figure = make_figure();

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        for (unsigned format = FM_FORMAT_PNG; format <= FM_FORMAT_PDF; format++) {
            g_autoptr(GError) error = NULL;
            g_autoptr(GBytes) bytes = fm_export_figure(figure, (FmFormat)format, &cases[i], &error);
            g_assert_null(bytes);
            g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
        }
    }
}

/* 1.6 GB of pixels are refused; the same as lines are no more than any other figure. */
static void
test_huge_figures_are_vectors(void)
{
    const FmExportOptions huge = {.width_px = 20000, .height_px = 20000};
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) png = fm_export_figure(figure, FM_FORMAT_PNG, &huge, &error);

    g_assert_null(png);
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_autoptr(GBytes) svg = fm_export_figure(figure, FM_FORMAT_SVG, &huge, NULL);
    g_assert_nonnull(svg);
}

static void
test_files_say_what_they_show(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(GBytes) png = fm_export_figure(figure, FM_FORMAT_PNG, NULL, NULL);
    g_autoptr(GBytes) svg = fm_export_figure(figure, FM_FORMAT_SVG, NULL, NULL);
    g_autoptr(GBytes) pdf = fm_export_figure(figure, FM_FORMAT_PDF, NULL, NULL);

    g_assert_true(has_bytes(png, "Tails & <markup> 꼬리"));
    g_assert_true(has_bytes(png, "One line that rises."));
    g_assert_true(has_bytes(png, "3f2a9c1e"));
    g_assert_true(has_bytes(svg, "<title>Tails &amp; &lt;markup&gt; 꼬리</title>"));
    g_assert_true(has_bytes(svg, "<desc>One line that rises.</desc>"));
    g_assert_true(has_bytes(svg, "3f2a9c1e"));
    gsize length = 0;
    g_assert_true(memcmp(g_bytes_get_data(pdf, &length), "%PDF-", 5) == 0);
    g_assert_cmpuint(length, >, 1000);
}

static void
test_same_figure_is_same_file(void)
{
    for (unsigned format = FM_FORMAT_PNG; format <= FM_FORMAT_PDF; format++) {
        g_autoptr(FmFigure) first = make_figure();
        g_autoptr(FmFigure) second = make_figure();
        g_autoptr(GBytes) one = fm_export_figure(first, (FmFormat)format, NULL, NULL);
        g_autoptr(GBytes) two = fm_export_figure(second, (FmFormat)format, NULL, NULL);
        g_assert_true(g_bytes_equal(one, two));
    }
}

static void
test_svg_is_well_formed(void)
{
    static const GMarkupParser parser = {NULL};
    g_autoptr(FmFigure) figure = make_figure();
    g_autoptr(GBytes) svg = fm_export_figure(figure, FM_FORMAT_SVG, NULL, NULL);
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    const char *data = g_bytes_get_data(svg, &length);

    g_assert_true(g_markup_parse_context_parse(context, data, (gssize)length, &error));
    g_assert_no_error(error);
    g_assert_true(g_markup_parse_context_end_parse(context, &error));
}

/* --- Files ------------------------------------------------------------------------ */

static void
test_failed_write_leaves_the_old_file(void)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-export-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "figure.png", NULL);
    g_autofree char *lost = g_build_filename(folder, "nowhere", "figure.png", NULL);
    g_autofree char *odd = g_build_filename(folder, "figure.jpeg", NULL);
    g_autoptr(FmFigure) figure = make_figure();
    const FmExportOptions too_large = {.width_px = 30000, .height_px = 10};
    g_autoptr(GError) error = NULL;
    GStatBuf before;
    GStatBuf after;

    g_assert_true(fm_export_figure_to_file(figure, path, NULL, &error));
    g_assert_no_error(error);
    g_assert_cmpint(g_stat(path, &before), ==, 0);
    g_assert_false(fm_export_figure_to_file(figure, path, &too_large, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_clear_error(&error);
    g_assert_cmpint(g_stat(path, &after), ==, 0);
    g_assert_cmpint(before.st_size, ==, after.st_size);
    g_assert_false(fm_export_figure_to_file(figure, lost, NULL, &error));
    g_assert_nonnull(strstr(error->message, "nowhere"));
    g_clear_error(&error);
    g_assert_false(fm_export_figure_to_file(figure, odd, NULL, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);

    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0); /* so there is nothing half written in it */
}

static void
test_names_go_both_ways(void)
{
    for (unsigned i = 0; i < FM_N_PRESETS; i++) {
        FmPreset preset;
        g_assert_true(fm_preset_from_name(fm_preset_name((FmPreset)i), &preset));
        g_assert_cmpuint(preset, ==, i);
    }
    for (unsigned i = 0; i < FM_N_FORMATS; i++) {
        g_autofree char *path = g_strconcat("a.b/c.", fm_format_name((FmFormat)i), NULL);
        FmFormat format;
        g_assert_true(fm_format_from_path(path, &format));
        g_assert_cmpuint(format, ==, i);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/export/png-has-the-size-asked-for", test_png_has_the_size_asked_for);
    g_test_add_func("/plot/export/sizes-nobody-can-have-are-refused",
                    test_sizes_nobody_can_have_are_refused);
    g_test_add_func("/plot/export/huge-figures-are-vectors", test_huge_figures_are_vectors);
    g_test_add_func("/plot/export/files-say-what-they-show", test_files_say_what_they_show);
    g_test_add_func("/plot/export/same-figure-is-same-file", test_same_figure_is_same_file);
    g_test_add_func("/plot/export/svg-is-well-formed", test_svg_is_well_formed);
    g_test_add_func("/plot/export/failed-write-leaves-the-old-file",
                    test_failed_write_leaves_the_old_file);
    g_test_add_func("/plot/export/names-go-both-ways", test_names_go_both_ways);
    return g_test_run();
}
