/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as files.  Files are written beside their final name and renamed, so that a full
 * disk leaves the old one.  Blocks; any thread, one figure on as many threads as wanted.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/layout.h"

G_BEGIN_DECLS

/* Sizes as reviews publish them (METHODOLOGY 19.2.11), in pixels of the PNG. */
typedef enum {
    FM_PRESET_NATURAL, /* the figure's shape at `scale` */
    FM_PRESET_WIDE, /* 3579 x 1797 */
    FM_PRESET_TAIL, /* 3875 x 2094 */
    FM_PRESET_CDM, /* 3524 x 2093 */
    FM_PRESET_BARS, /* 2985 x (312 + 178 a bar) */
    FM_PRESET_OLD, /* 1000 x 500 */
    FM_N_PRESETS,
} FmPreset;

/* "natural", "wide" ...; static. */
const char *fm_preset_name(FmPreset preset);
bool fm_preset_from_name(const char *name, FmPreset *preset);

typedef struct {
    const FmTheme *theme; /* NULL = print */
    const FmView *view; /* NULL = whole */
    FmPreset preset;
    double scale; /* pixels per point of a natural PNG: 1 .. 3; 0 = 2 */
    unsigned width_px; /* with height_px: a size of one's own; 0 = by preset */
    unsigned height_px;
    bool hide_title;
    bool hide_caption;
} FmExportOptions;

typedef enum {
    FM_FORMAT_PNG,
    FM_FORMAT_SVG,
    FM_FORMAT_PDF,
    FM_FORMAT_CSV, /* the plotted numbers */
    FM_N_FORMATS,
} FmFormat;

const char *fm_format_name(FmFormat format);
/* By the ending of a file name. */
bool fm_format_from_path(const char *path, FmFormat *format);

/*
 * The figure as bytes.  Title, alt text and run id are in the metadata; no time of making, so
 * the same figure is the same file.  FM_ERROR_INVALID when the size is 0 or above 20000 px.
 */
GBytes *fm_export_figure(FmFigure *figure, FmFormat format, const FmExportOptions *options,
                         GError **error);
bool fm_export_figure_to_file(FmFigure *figure, const char *path, const FmExportOptions *options,
                              GError **error);
/* The plotted numbers, RFC 4180, SI units, unknown is empty, reasons in a column. */
char *fm_export_figure_csv(const FmFigure *figure);
/* The same as aligned plain text, for the clipboard and for screen readers. */
char *fm_export_figure_text(const FmFigure *figure);

G_END_DECLS
