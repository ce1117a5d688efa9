/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gallery as it is laid out, held against text files, and a few of its figures as they are
 * drawn, held against pictures.  With FM_GOLDEN_UPDATE=1 in the environment the files are made
 * anew instead: look at the pictures and at the difference before committing them.
 */
#include "gallery.h"
#include "golden.h"

#include "plot/export.h"
#include "plot/layout.h"

#include <cairo.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char *const languages[] = {"en", "ko"};

/* --- Texts ------------------------------------------------------------------------ */

static void
test_layouts_are_as_before(gconstpointer data)
{
    const GalleryEntry *entry = data;

    for (unsigned i = 0; i < G_N_ELEMENTS(languages); i++) {
        g_autoptr(FmFigure) figure = entry->build(languages[i]);
        g_autoptr(FmLayout) layout = fm_layout_new(figure, NULL);
        g_autofree char *dump = fm_layout_dump(layout);
        g_autofree char *name = g_strdup_printf("%s-%s.txt", entry->name, languages[i]);
        golden_check("files", name, dump);
    }
}

static void
test_figures_keep_the_laws(gconstpointer data)
{
    const GalleryEntry *entry = data;
    g_autoptr(FmFigure) figure = entry->build("en");
    g_autofree char *broken = fm_figure_check(figure);

    if (broken) {
        g_test_message("%s", broken);
        g_test_fail();
    }
}

/* --- No two texts touch ----------------------------------------------------------- */

typedef struct {
    double width;
    double height;
} Size;

static void
check_sizes(FmFigure *figure, const char *what, const FmTheme *theme)
{
    static const Size sizes[] = {
        {0, 0},     {720, 405},  {354, 240}, {720, 560}, {720, 361.5},
        {320, 200}, {4000, 300}, {1, 1},     {20000, 1}, {100, 900},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(sizes); i++) {
        FmLayoutOptions options = {
            .width = sizes[i].width, .height = sizes[i].height, .theme = theme};
        g_autoptr(FmLayout) layout = fm_layout_new(figure, &options);
        g_autofree char *found = fm_layout_check(layout);
        if (found) {
            g_test_message("%s, %s, %g × %g: %s", what, theme->name, sizes[i].width,
                           sizes[i].height, found);
            g_test_fail();
        }
    }
}

static void
test_no_texts_touch(gconstpointer data)
{
    const GalleryEntry *entry = data;
    const FmTheme *themes[] = {fm_theme_light(), fm_theme_dark(), fm_theme_print()};

    for (unsigned i = 0; i < G_N_ELEMENTS(languages); i++) {
        g_autoptr(FmFigure) figure = entry->build(languages[i]);
        for (unsigned j = 0; j < G_N_ELEMENTS(themes); j++) {
            check_sizes(figure, entry->name, themes[j]);
        }
    }
}

/* --- Other formats ---------------------------------------------------------------- */

static void
test_svg_is_well_formed(gconstpointer data)
{
    static const GMarkupParser parser = {NULL};
    const GalleryEntry *entry = data;
    g_autoptr(FmFigure) figure = entry->build("ko");
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) svg = fm_export_figure(figure, FM_FORMAT_SVG, NULL, &error);
    g_assert_no_error(error);
    g_autoptr(GMarkupParseContext) context = g_markup_parse_context_new(&parser, 0, NULL, NULL);
    gsize length = 0;
    const char *text = g_bytes_get_data(svg, &length);

    g_markup_parse_context_parse(context, text, (gssize)length, &error);
    g_assert_no_error(error);
    g_markup_parse_context_end_parse(context, &error);
    g_assert_no_error(error);
}

/* --- Pictures --------------------------------------------------------------------- */

static cairo_status_t
read_cb(void *closure, unsigned char *data, unsigned length)
{
    GByteArray *bytes = closure;
    if (length > bytes->len) {
        return CAIRO_STATUS_READ_ERROR;
    }
    memcpy(data, bytes->data, length);
    g_byte_array_remove_range(bytes, 0, length);
    return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
decode(GBytes *png)
{
    g_autoptr(GByteArray) bytes = g_bytes_unref_to_array(g_bytes_ref(png));
    return cairo_image_surface_create_from_png_stream(read_cb, bytes);
}

/* Share of pixels that differ visibly; 1 when the sizes do. */
static double
compare_pixels(cairo_surface_t *a, cairo_surface_t *b)
{
    int width = cairo_image_surface_get_width(a);
    int height = cairo_image_surface_get_height(a);
    int stride = cairo_image_surface_get_stride(a);
    unsigned n_different = 0;

    if (width != cairo_image_surface_get_width(b) || height != cairo_image_surface_get_height(b) ||
        stride != cairo_image_surface_get_stride(b)) {
        return 1;
    }
    for (int y = 0; y < height; y++) {
        const unsigned char *first = cairo_image_surface_get_data(a) + y * stride;
        const unsigned char *second = cairo_image_surface_get_data(b) + y * stride;
        for (int x = 0; x < width * 4; x += 4) {
            int difference = 0;
            for (int channel = 0; channel < 3; channel++) {
                difference = MAX(difference, abs(first[x + channel] - second[x + channel]));
            }
            n_different += difference > 48;
        }
    }
    return (double)n_different / ((double)width * height);
}

typedef struct {
    const char *name;
    const char *language;
    const char *theme;
} Picture;

static const Picture pictures[] = {
    {"fill", "en", "light"}, {"boot", "ko", "dark"},    {"tail", "en", "print"},
    {"ios", "en", "light"},  {"scores", "ko", "light"},
};

static void
test_picture_is_as_before(gconstpointer data)
{
    const Picture *picture = data;
    FmExportOptions options = {.scale = 1, .theme = fm_theme_by_name(picture->theme)};
    g_autofree char *name =
        g_strdup_printf("%s-%s-%s.png", picture->name, picture->language, picture->theme);
    g_autofree char *path = golden_dup_path("files", name);
    g_autoptr(FmFigure) figure = NULL;
    g_autoptr(GError) error = NULL;

    for (unsigned i = 0; i < n_gallery; i++) {
        if (strcmp(gallery[i].name, picture->name) == 0) {
            figure = gallery[i].build(picture->language);
        }
    }
    if (golden_is_updating()) {
        fm_export_figure_to_file(figure, path, &options, &error);
        g_assert_no_error(error);
        return;
    }
    g_autoptr(GBytes) png = fm_export_figure(figure, FM_FORMAT_PNG, &options, &error);
    g_assert_no_error(error);
    cairo_surface_t *found = decode(png);
    cairo_surface_t *expected = cairo_image_surface_create_from_png(path);
    g_assert_cmpint(cairo_surface_status(expected), ==, CAIRO_STATUS_SUCCESS);
    g_assert_cmpfloat(compare_pixels(found, expected), <, 0.001);
    cairo_surface_destroy(found);
    cairo_surface_destroy(expected);
}

/* --- The gallery itself ----------------------------------------------------------- */

static void
test_gallery_has_everything(void)
{
    unsigned marks = 0;
    unsigned scales = 0;
    unsigned annotations = 0;

    for (unsigned i = 0; i < n_gallery; i++) {
        g_autoptr(FmFigure) figure = gallery[i].build("en");
        for (unsigned j = 0; j < figure->panels->len; j++) {
            const FmPanel *panel = g_ptr_array_index(figure->panels, j);
            scales |= 1u << panel->x.scale | 1u << panel->y.scale;
            for (unsigned k = 0; k < panel->series->len; k++) {
                marks |= 1u << ((const FmSeries *)g_ptr_array_index(panel->series, k))->mark;
            }
            for (unsigned k = 0; k < panel->annotations->len; k++) {
                annotations |= 1u << g_array_index(panel->annotations, FmAnnotation, k).kind;
            }
        }
    }
    g_assert_cmphex(marks | 1u << FM_MARK_DENSITY, ==, (2u << FM_MARK_DENSITY) - 1);
    g_assert_cmphex(scales, ==, (2u << FM_SCALE_CATEGORY) - 1);
    g_assert_cmphex(annotations, ==, (2u << FM_ANNOTATION_CALLOUT) - 1);
}

static void
add_for_entry(const char *claim, const GalleryEntry *entry, GTestDataFunc test)
{
    g_autofree char *path = g_strdup_printf("/golden/%s/%s", entry->name, claim);
    g_test_add_data_func(path, entry, test);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/golden/gallery-has-everything", test_gallery_has_everything);
    for (unsigned i = 0; i < n_gallery; i++) {
        add_for_entry("no-texts-touch", &gallery[i], test_no_texts_touch);
        add_for_entry("svg-is-well-formed", &gallery[i], test_svg_is_well_formed);
        if (!gallery[i].is_hostile) {
            add_for_entry("layout-is-as-before", &gallery[i], test_layouts_are_as_before);
            add_for_entry("keeps-the-laws", &gallery[i], test_figures_keep_the_laws);
        }
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(pictures); i++) {
        g_autofree char *path =
            g_strdup_printf("/golden/%s/picture-is-as-before", pictures[i].name);
        g_test_add_data_func(path, &pictures[i], test_picture_is_as_before);
    }
    return g_test_run();
}
