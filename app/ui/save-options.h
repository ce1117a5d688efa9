/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How figures are saved: what a user chose last, the same for one figure and for all of a
 * run.  Plain data.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/export.h"

G_BEGIN_DECLS

typedef struct {
    FmFormat format;
    FmPreset preset;
    unsigned scale; /* 1 .. 3, of the natural size */
    const FmTheme *theme;
    bool has_title;
    bool has_caption;
} FmSaveOptions;

/* PNG of natural size at 2x, as printed, with everything. */
FmSaveOptions fm_save_options_default(void);
FmExportOptions fm_save_options_to_export(const FmSaveOptions *options, const FmView *view);

/* "png wide 2 print title caption" and back, for settings; what is not understood keeps its
 * default.  Caller frees. */
char *fm_save_options_dup_text(const FmSaveOptions *options);
FmSaveOptions fm_save_options_parse(const char *text);

G_END_DECLS
