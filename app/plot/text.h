/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of figures: set in the bundled face alone, through fontconfig and FreeType, without
 * hinting and rounding, so that every size, file format and system gets the same widths.  Fonts
 * of the system are read only for characters that the face lacks, which is user text.
 *
 * Pango is not for several threads at once; a lock in here makes it so.  Any thread.
 */
#pragma once

#include <cairo.h>
#include <glib.h>
#include <stdbool.h>

#include "plot/theme.h"

G_BEGIN_DECLS

typedef enum {
    FM_ALIGN_LEFT,
    FM_ALIGN_CENTER,
    FM_ALIGN_RIGHT,
} FmAlign;

typedef struct {
    double size; /* points */
    bool is_bold;
    FmAlign align; /* of the lines among each other */
    double width; /* lines are broken at this; 0 = never */
    unsigned max_lines; /* then an ellipsis; 0 = any number.  Needs a width. */
    const char *language; /* NULL = "en" */
} FmTextStyle;

/* Where the folder "fonts" is: what platform/ found, told by a program before its first text. */
void fm_text_set_data_dir(const char *folder);

/* Text that has been set.  Never changes. */
typedef struct FmText FmText;

/* @text is plain; what is not UTF-8 and control characters are shown as such. */
FmText *fm_text_new(const char *text, const FmTextStyle *style);
void fm_text_free(FmText *text);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmText, fm_text_free)

/* Advance width of the widest line and height of all lines. */
double fm_text_get_width(const FmText *text);
double fm_text_get_height(const FmText *text);
/* From the top to the baseline of the first line. */
double fm_text_get_baseline(const FmText *text);
unsigned fm_text_get_n_lines(const FmText *text);
/* Whether something had to be left out. */
bool fm_text_is_cut(const FmText *text);
/* What it says, whole. */
const char *fm_text_get_string(const FmText *text);

/* Draws with the left top at (@x, @y); @halo is drawn around the letters, NULL = none. */
void fm_text_draw(const FmText *text, cairo_t *cr, const double at[2], FmColor color,
                  const FmColor *halo);

/* Width of @string in one line; for deciding before setting. */
double fm_text_measure(const char *string, const FmTextStyle *style);

/* What is wrong with the fonts, for a log or a page about the program; NULL = nothing.  Static. */
const char *fm_text_get_problem(void);

G_END_DECLS
