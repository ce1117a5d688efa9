/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * PNG by libpng: 24 bits, no alpha.  Filter and level are those that take a third of the time
 * of the library's defaults on figures and give smaller files, since rows of figures repeat.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/png.h"

#include "base/error.h"

#include <png.h>

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    COMPRESSION_LEVEL = 6,
};

static void
write_cb(png_structp png, png_bytep data, size_t length)
{
    g_byte_array_append(png_get_io_ptr(png), data, (guint)length);
}

static void
flush_cb(png_structp png)
{
}

static void
warn_cb(png_structp png, const char *message)
{
    g_debug("PNG: %s", message);
}

static void
fail_cb(png_structp png, const char *message)
{
    g_debug("PNG: %s", message);
    png_longjmp(png, 1);
}

static void
put_texts(png_structp png, png_infop info, const FmPngOptions *options)
{
    for (unsigned i = 0; i < options->n_texts; i++) {
        const FmPngText *entry = &options->texts[i];
        if (entry->text) {
            png_text text = {
                .compression = PNG_ITXT_COMPRESSION_NONE,
                .key = (char *)entry->key,
                .text = (char *)entry->text,
                .itxt_length = strlen(entry->text),
            };
            png_set_text(png, info, &text, 1);
        }
    }
}

static void
put_rows(png_structp png, cairo_surface_t *image, png_bytep row)
{
    const unsigned char *data = cairo_image_surface_get_data(image);
    int width = cairo_image_surface_get_width(image);
    int height = cairo_image_surface_get_height(image);
    int stride = cairo_image_surface_get_stride(image);

    for (int y = 0; y < height; y++) {
        const uint32_t *pixels =
            (const uint32_t *)(const void *)(data + (size_t)y * (size_t)stride);
        png_bytep out = row;
        for (int x = 0; x < width; x++) {
            *out++ = (png_byte)(pixels[x] >> 16);
            *out++ = (png_byte)(pixels[x] >> 8);
            *out++ = (png_byte)pixels[x];
        }
        png_write_row(png, row);
    }
}

/* libpng leaves by longjmp when it fails: nothing in here owns anything. */
static bool
encode(png_structp png, png_infop info, cairo_surface_t *image, const FmPngOptions *options,
       png_bytep row)
{
    if (setjmp(png_jmpbuf(png))) {
        return false;
    }
    png_set_IHDR(png, info, (png_uint_32)cairo_image_surface_get_width(image),
                 (png_uint_32)cairo_image_surface_get_height(image), 8, PNG_COLOR_TYPE_RGB,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_compression_level(png, COMPRESSION_LEVEL);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_uint_32 per_meter = (png_uint_32)(options->pixels_per_inch / 0.0254 + 0.5);
    png_set_pHYs(png, info, per_meter, per_meter, PNG_RESOLUTION_METER);
    put_texts(png, info, options);
    png_write_info(png, info);
    put_rows(png, image, row);
    png_write_end(png, info);
    return true;
}

GBytes *
fm_png_encode(cairo_surface_t *image, const FmPngOptions *options, GError **error)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, fail_cb, warn_cb);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    g_autofree png_bytep row = g_malloc((size_t)cairo_image_surface_get_width(image) * 3 + 1);
    bool is_done = false;

    cairo_surface_flush(image);
    if (info) {
        png_set_write_fn(png, bytes, write_cb, flush_cb);
        is_done = encode(png, info, image, options, row);
    }
    png_destroy_write_struct(&png, &info);
    if (!is_done) {
        fm_error_set(error, FM_ERROR_IO, "The picture could not be made into a PNG file");
        return NULL;
    }
    return g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
}
