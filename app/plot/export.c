/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as files.  A size in pixels never makes a figure of its own: the natural figure is
 * scaled, so that text, lines and margins keep their proportions at any size.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "plot/export.h"

#include "plot/png.h"

#include "base/error.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>

#include <errno.h>
#include <math.h>
#include <string.h>

enum {
    MAX_PIXELS = 20000, /* a side */
    FULL_WIDTH = 720, /* points that a preset is wide */
    BARS_BASE = 312,
    BARS_EACH = 178,
};

/* A gigabyte of pixels; both sides at their most would take 1.6. */
#define MAX_AREA (16384.0 * 16384.0)

static const struct {
    const char *name;
    unsigned width;
    unsigned height;
} presets[FM_N_PRESETS] = {
    [FM_PRESET_NATURAL] = {"natural", 0, 0},      [FM_PRESET_WIDE] = {"wide", 3579, 1797},
    [FM_PRESET_TAIL] = {"tail", 3875, 2094},      [FM_PRESET_CDM] = {"cdm", 3524, 2093},
    [FM_PRESET_BARS] = {"bars", 2985, BARS_BASE}, [FM_PRESET_OLD] = {"old", 1000, 500},
};

static const char *const format_names[FM_N_FORMATS] = {
    [FM_FORMAT_PNG] = "png",
    [FM_FORMAT_SVG] = "svg",
    [FM_FORMAT_PDF] = "pdf",
    [FM_FORMAT_CSV] = "csv",
};

const char *
fm_preset_name(FmPreset preset)
{
    return presets[preset].name;
}

bool
fm_preset_from_name(const char *name, FmPreset *preset)
{
    for (unsigned i = 0; i < FM_N_PRESETS; i++) {
        if (g_ascii_strcasecmp(presets[i].name, name) == 0) {
            *preset = (FmPreset)i;
            return true;
        }
    }
    return false;
}

const char *
fm_format_name(FmFormat format)
{
    return format_names[format];
}

bool
fm_format_from_path(const char *path, FmFormat *format)
{
    const char *dot = strrchr(path, '.');

    for (unsigned i = 0; dot && i < FM_N_FORMATS; i++) {
        if (g_ascii_strcasecmp(format_names[i], dot + 1) == 0) {
            *format = (FmFormat)i;
            return true;
        }
    }
    return false;
}

/* --- Sizes ------------------------------------------------------------------------ */

typedef struct {
    FmLayout *layout;
    double scale; /* pixels per point */
    int width_px;
    int height_px;
} Sheet;

static void
sheet_clear(Sheet *sheet)
{
    g_clear_pointer(&sheet->layout, fm_layout_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Sheet, sheet_clear)

/* Bars as the published figures have them: each needs its height. */
static unsigned
count_bars(const FmFigure *figure)
{
    unsigned n = 0;
    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = g_ptr_array_index(figure->panels, i);
        for (unsigned j = 0; j < panel->series->len; j++) {
            const FmSeries *series = g_ptr_array_index(panel->series, j);
            n += series->mark == FM_MARK_BAR ? series->points->len : 0;
        }
    }
    return MAX(n, 1u);
}

static bool
choose_pixels(FmFigure *figure, const FmExportOptions *options, double pixels[2], GError **error)
{
    pixels[0] = presets[options->preset].width;
    pixels[1] = presets[options->preset].height;
    if (options->preset == FM_PRESET_BARS) {
        pixels[1] += MIN(BARS_EACH * (double)count_bars(figure), MAX_PIXELS - BARS_BASE);
    }
    if (options->width_px == 0 && options->height_px == 0) {
        return true;
    }
    if (options->width_px == 0 || options->height_px == 0 || options->width_px > MAX_PIXELS ||
        options->height_px > MAX_PIXELS) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "A figure of %u × %u pixels can't be made: each side may have 1 to %d",
                     options->width_px, options->height_px, MAX_PIXELS);
        return false;
    }
    pixels[0] = options->width_px;
    pixels[1] = options->height_px;
    return true;
}

static FmLayout *
lay_out(FmFigure *figure, const FmExportOptions *options, double width, double height)
{
    FmLayoutOptions layout_options = {
        .width = width,
        .height = height,
        .theme = options->theme ? options->theme : fm_theme_print(),
        .view = options->view,
        .hide_title = options->hide_title,
        .hide_caption = options->hide_caption,
    };
    return fm_layout_new(figure, &layout_options);
}

/* What the figure needs at least: a table all its rows, a plot the flattest form that is one. */
static double
get_full_height(FmFigure *figure, const FmExportOptions *options)
{
    static const double full_height = 300;

    if (figure->shape != FM_SHAPE_TABLE) {
        return full_height;
    }
    g_autoptr(FmLayout) layout = lay_out(figure, options, FULL_WIDTH, 0);
    return fm_layout_get_height(layout);
}

/* Pixels per point that make the figure as wide as a natural one, or as high where that is less;
 * never below 1, where text can't be read any more. */
static double
choose_scale(FmFigure *figure, const FmExportOptions *options, const double pixels[2])
{
    double full_height = get_full_height(figure, options);
    return MAX(MIN(pixels[0] / FULL_WIDTH, pixels[1] / full_height), 1);
}

static bool
make_sheet(Sheet *sheet, FmFigure *figure, const FmExportOptions *options, GError **error)
{
    double pixels[2];
    if (!choose_pixels(figure, options, pixels, error)) {
        return false;
    }
    if (pixels[0] > 0) {
        sheet->scale = choose_scale(figure, options, pixels);
        sheet->layout =
            lay_out(figure, options, pixels[0] / sheet->scale, pixels[1] / sheet->scale);
        sheet->width_px = (int)pixels[0];
        sheet->height_px = (int)pixels[1];
        return true;
    }
    sheet->scale = options->scale > 0 ? CLAMP(options->scale, 1, 3) : 2;
    sheet->layout = lay_out(figure, options, 0, 0);
    double height = fm_layout_get_height(sheet->layout) * sheet->scale;
    sheet->width_px = (int)(fm_layout_get_width(sheet->layout) * sheet->scale + 0.5);
    sheet->height_px = (int)(height + 0.5);
    if (height > MAX_PIXELS) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "The figure would be %d pixels high; %d is the most: take a smaller scale",
                     sheet->height_px, MAX_PIXELS);
        return false;
    }
    return true;
}

/* --- PNG -------------------------------------------------------------------------- */

static GBytes *
export_png(FmFigure *figure, const FmExportOptions *options, GError **error)
{
    g_auto(Sheet) sheet = {0};
    if (!make_sheet(&sheet, figure, options, error)) {
        return NULL;
    }
    if ((double)sheet.width_px * sheet.height_px > MAX_AREA) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "A picture of %d × %d pixels is too large: take a vector format, or fewer",
                     sheet.width_px, sheet.height_px);
        return NULL;
    }
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_RGB24, sheet.width_px, sheet.height_px);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        fm_error_set(error, FM_ERROR_INVALID, "There is no memory for a figure of %d × %d pixels",
                     sheet.width_px, sheet.height_px);
        cairo_surface_destroy(image);
        return NULL;
    }
    cairo_t *cr = cairo_create(image);
    cairo_scale(cr, sheet.width_px / fm_layout_get_width(sheet.layout),
                sheet.height_px / fm_layout_get_height(sheet.layout));
    fm_layout_draw(sheet.layout, cr);
    cairo_destroy(cr);

    const FmPngText texts[] = {
        {"Title", figure->title},           {"Description", figure->alt_text},
        {"Source", figure->run_id},         {"Comment", figure->caption},
        {"Software", "Fathom " FM_VERSION},
    };
    const FmPngOptions png = {
        .pixels_per_inch = 72 * sheet.scale,
        .texts = texts,
        .n_texts = G_N_ELEMENTS(texts),
    };
    GBytes *bytes = fm_png_encode(image, &png, error);
    cairo_surface_destroy(image);
    return bytes;
}

/* --- SVG and PDF ------------------------------------------------------------------ */

static cairo_status_t
append_cb(void *closure, const unsigned char *data, unsigned length)
{
    g_byte_array_append(closure, data, length);
    return CAIRO_STATUS_SUCCESS;
}

static GBytes *
draw_vector(FmLayout *layout, cairo_surface_t *surface, GByteArray *bytes, GError **error)
{
    cairo_t *cr = cairo_create(surface);
    fm_layout_draw(layout, cr);
    cairo_show_page(cr);
    cairo_destroy(cr);
    cairo_surface_finish(surface);
    cairo_status_t status = cairo_surface_status(surface);
    cairo_surface_destroy(surface);
    if (status != CAIRO_STATUS_SUCCESS) {
        fm_error_set(error, FM_ERROR_IO, "The figure could not be drawn: %s",
                     cairo_status_to_string(status));
        g_byte_array_unref(bytes);
        return NULL;
    }
    return g_byte_array_free_to_bytes(bytes);
}

static void
append_element(GString *out, const char *name, const char *text)
{
    if (text) {
        g_autofree char *valid = g_utf8_make_valid(text, -1);
        g_autofree char *escaped = g_markup_escape_text(valid, -1);
        g_string_append_printf(out, "<%s>%s</%s>\n", name, escaped, name);
    }
}

/* Cairo numbers its surfaces through the whole life of the process: here they begin at 1 again,
 * so that the same figure is the same file. */
static GBytes *
renumber_surfaces(GBytes *svg)
{
    static const char word[] = "surface";
    gsize length = 0;
    const char *data = g_bytes_get_data(svg, &length);
    const char *end = data + length;
    g_autoptr(GHashTable) numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    GString *out = g_string_sized_new(length);

    while (data < end) {
        const char *found = g_strstr_len(data, end - data, word);
        const char *digits = found ? found + strlen(word) : end;
        g_string_append_len(out, data, digits - data);
        data = digits;
        while (data < end && g_ascii_isdigit(*data)) {
            data++;
        }
        if (data > digits) {
            char *old = g_strndup(digits, (gsize)(data - digits));
            gpointer number = g_hash_table_lookup(numbers, old);
            number = number ? number : GUINT_TO_POINTER(g_hash_table_size(numbers) + 1);
            g_string_append_printf(out, "%u", GPOINTER_TO_UINT(number));
            g_hash_table_insert(numbers, old, number);
        }
    }
    return g_string_free_to_bytes(out);
}

/* Cairo writes no texts about the picture: they go right behind its first tag. */
static GBytes *
describe_svg(GBytes *svg, const FmFigure *figure)
{
    gsize length = 0;
    const char *data = g_bytes_get_data(svg, &length);
    const char *tag = g_strstr_len(data, (gssize)length, "<svg");
    const char *end = tag ? memchr(tag, '>', length - (gsize)(tag - data)) : NULL;
    if (!end) {
        return g_bytes_ref(svg);
    }
    GString *out = g_string_new_len(data, end + 1 - data);
    g_string_append_c(out, '\n');
    append_element(out, "title", figure->title);
    append_element(out, "desc", figure->alt_text);
    append_element(out, "metadata", figure->run_id);
    g_string_append_len(out, end + 1, (gssize)(length - (gsize)(end + 1 - data)));
    return g_string_free_to_bytes(out);
}

static GBytes *
export_svg(FmFigure *figure, const FmExportOptions *options, GError **error)
{
    g_auto(Sheet) sheet = {0};
    if (!make_sheet(&sheet, figure, options, error)) {
        return NULL;
    }
    GByteArray *bytes = g_byte_array_new();
    cairo_surface_t *surface = cairo_svg_surface_create_for_stream(
        append_cb, bytes, fm_layout_get_width(sheet.layout), fm_layout_get_height(sheet.layout));
    cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX);
    g_autoptr(GBytes) drawn = draw_vector(sheet.layout, surface, bytes, error);
    if (!drawn) {
        return NULL;
    }
    g_autoptr(GBytes) svg = renumber_surfaces(drawn);
    return describe_svg(svg, figure);
}

static void
set_metadata(cairo_surface_t *surface, cairo_pdf_metadata_t key, const char *text)
{
    if (text && *text) {
        g_autofree char *valid = g_utf8_make_valid(text, -1);
        cairo_pdf_surface_set_metadata(surface, key, valid);
    }
}

static GBytes *
export_pdf(FmFigure *figure, const FmExportOptions *options, GError **error)
{
    /* The same figure is the same file, so there is no time of making. */
    static const char no_time[] = "2000-01-01T00:00:00Z";
    g_auto(Sheet) sheet = {0};
    if (!make_sheet(&sheet, figure, options, error)) {
        return NULL;
    }
    GByteArray *bytes = g_byte_array_new();
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(
        append_cb, bytes, fm_layout_get_width(sheet.layout), fm_layout_get_height(sheet.layout));
    set_metadata(surface, CAIRO_PDF_METADATA_TITLE, figure->title);
    set_metadata(surface, CAIRO_PDF_METADATA_SUBJECT, figure->alt_text);
    set_metadata(surface, CAIRO_PDF_METADATA_KEYWORDS, figure->run_id);
    set_metadata(surface, CAIRO_PDF_METADATA_CREATOR, "Fathom " FM_VERSION);
    set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, no_time);
    set_metadata(surface, CAIRO_PDF_METADATA_MOD_DATE, no_time);
    return draw_vector(sheet.layout, surface, bytes, error);
}

/* --- Both ------------------------------------------------------------------------- */

GBytes *
fm_export_figure(FmFigure *figure, FmFormat format, const FmExportOptions *options, GError **error)
{
    static const FmExportOptions defaults = {0};

    options = options ? options : &defaults;
    switch (format) {
    case FM_FORMAT_SVG:
        return export_svg(figure, options, error);
    case FM_FORMAT_PDF:
        return export_pdf(figure, options, error);
    case FM_FORMAT_CSV: {
        char *csv = fm_export_figure_csv(figure);
        return g_bytes_new_take(csv, strlen(csv));
    }
    case FM_FORMAT_PNG:
    case FM_N_FORMATS:
    default:
        return export_png(figure, options, error);
    }
}

bool
fm_export_figure_to_file(FmFigure *figure, const char *path, const FmExportOptions *options,
                         GError **error)
{
    FmFormat format;
    if (!fm_format_from_path(path, &format)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "The file “%s” can't be written: its name has to end in .png, .svg, .pdf or "
                     ".csv",
                     path);
        return false;
    }
    g_autoptr(GBytes) bytes = fm_export_figure(figure, format, options, error);
    if (!bytes) {
        return false;
    }
    gsize length = 0;
    const char *data = g_bytes_get_data(bytes, &length);
    g_autoptr(GError) reason = NULL;
    if (!g_file_set_contents_full(path, data, (gssize)length, G_FILE_SET_CONTENTS_CONSISTENT, 0666,
                                  &reason)) {
        FmErrorCode code =
            g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_NOSPC)   ? FM_ERROR_NO_SPACE
            : g_error_matches(reason, G_FILE_ERROR, G_FILE_ERROR_ACCES) ? FM_ERROR_DENIED
                                                                        : FM_ERROR_IO;
        g_autoptr(FmMessage) why = fm_error_dup_message(reason);
        fm_error_set(error, code, "The file “%s” could not be written: %p", path, why);
        return false;
    }
    return true;
}
