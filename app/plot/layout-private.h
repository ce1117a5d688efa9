/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files layout*.c share: the layout itself, a panel in place, sizes.  For them alone.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "plot/layout.h"
#include "plot/scale.h"
#include "plot/scene.h"
#include "plot/text.h"

G_BEGIN_DECLS

/* Text sizes in points (DESIGN 5.3). */
#define FM_SIZE_TITLE 15.0
#define FM_SIZE_SUBTITLE 11.0
#define FM_SIZE_LABEL 10.0
#define FM_SIZE_TICK 9.5
#define FM_SIZE_CAPTION 8.5

/* Line widths. */
#define FM_LINE_DATA 1.75
#define FM_LINE_CONTEXT 1.25
#define FM_LINE_RULE 1.0
#define FM_LINE_GRID 0.5
#define FM_POINT_RADIUS 2.2

#define FM_STRIP_ROW 16.0 /* height of a panel's title */

/* A text at the right of a panel, at the height of what it names. */
typedef struct {
    char *string;
    FmText *text; /* set once the width is known */
    FmColor color;
    double at; /* height wanted for its middle, in points */
    double y; /* its top, solved */
    bool has_leader;
} FmSideLabel;

/* A bar in place. */
typedef struct {
    unsigned series;
    unsigned point;
    unsigned category;
    unsigned slot; /* among the bars of the category */
    bool has_value;
    FmRect rect;
} FmBar;

typedef struct {
    const FmPanel *panel;
    unsigned column;
    unsigned row;
    FmExtent x_extent;
    FmExtent y_extent;
    FmScale x; /* of panel->x, wherever it lies */
    FmScale y;
    FmRect outer;
    FmRect plot;
    bool has_x_labels; /* false between panels that share x */
    bool has_emphasis;
    bool has_legend; /* above the plot, since labels at the lines don't fit */
    bool had_legend; /* in the pass before */
    double headroom; /* points at the top for titles of bands and rules */
    double head_height; /* strip title, legend, unit */
    double foot_height;
    unsigned category_lines; /* of names below the plot */
    double gutter; /* left of the plot */
    double side; /* right of it */
    GArray *side_labels; /* of FmSideLabel */
    GPtrArray *tick_texts; /* of FmText, one for each tick of the vertical axis; taken by drawing */
    GArray *bars; /* of FmBar */
    GArray *ink; /* of FmPlace: where data are drawn, for texts to keep clear of */
    GArray *drawn; /* of unsigned: points drawn of each series */
} FmPanelBox;

struct FmLayout {
    FmFigure *figure;
    const FmTheme *theme;
    FmView view;
    double width;
    double height;
    bool hide_title;
    bool hide_caption;
    bool has_room;
    bool wants_all_rows; /* of tables, while that is tried */
    bool has_common_legend; /* one for all panels */
    bool is_terse; /* no room for titles of axes */
    FmRect legend; /* where the common one is */
    FmScene *scene;
    GHashTable *text_widths; /* of tables: what was measured once */
    GPtrArray *reasons; /* of char *, of the figure: footnotes of tables, numbered from 1 */
    FmRect body; /* what the panels share */
    FmPanelBox *boxes;
    unsigned n_boxes;
};

/* --- layout.c ---------------------------------------------------------------------- */

FmText *fm_layout_set_text(const FmLayout *layout, const char *string, double size);
/* Broken at @width into at most @max_lines. */
FmText *fm_layout_wrap_text(const FmLayout *layout, const char *string, double size, double width,
                            unsigned max_lines);

/* --- layout-frame.c: what stands around the panels --------------------------------- */

enum {
    FM_FRAME_LEVELS = 6, /* from all of it to none */
};

/* Sets layout->body to what title, subtitle, footnotes and caption leave; false = nothing. */
bool fm_layout_measure_frame(FmLayout *layout, unsigned level);
void fm_layout_add_frame(FmLayout *layout, unsigned level);
double fm_layout_get_frame_height(FmLayout *layout);
double fm_layout_get_margin(const FmLayout *layout);
void fm_layout_place_watermark(FmLayout *layout, const FmRect *plot);
void fm_layout_place_watermark_above(FmLayout *layout, const FmRect *plot);
void fm_layout_say_no_room(FmLayout *layout);

/* --- layout-box.c: a panel and its scales ------------------------------------------ */

void fm_layout_init_boxes(FmLayout *layout);
void fm_layout_clear_boxes(FmLayout *layout);
bool fm_panel_has_bars(const FmPanel *panel);
/* The scale of the axis that lies, or of the one that stands, for the size of box->plot. */
void fm_layout_make_scale(FmLayout *layout, FmPanelBox *box, bool is_flat);
/* The axis that lies, and the one that stands. */
const FmAxis *fm_box_get_flat_axis(const FmPanelBox *box);
const FmAxis *fm_box_get_upright_axis(const FmPanelBox *box);
const FmScale *fm_box_get_flat_scale(const FmPanelBox *box);
const FmScale *fm_box_get_upright_scale(const FmPanelBox *box);
/* Where a value is, in points; NaN where it has no place. */
FmPlace fm_box_place(const FmPanelBox *box, double x, double y);

/* --- layout-panel.c: where panels are and how large -------------------------------- */

/* Sizes, scales and ticks; false when a panel gets too small or the highest plot is lower than
 * @min_height. */
bool fm_layout_place_panels(FmLayout *layout, double min_height);
void fm_layout_add_common_legend(FmLayout *layout);
/* What the panels want when nothing else decides: tables grow with their rows. */
double fm_layout_get_natural_body_height(FmLayout *layout);

/* --- layout-axis.c ----------------------------------------------------------------- */

/* The panel's title. */
void fm_layout_add_strip(FmLayout *layout, const FmPanelBox *box);
void fm_layout_add_grid(FmLayout *layout, FmPanelBox *box);
void fm_layout_add_axes(FmLayout *layout, FmPanelBox *box);

/* --- layout-series.c, -bars.c, -samples.c ------------------------------------------------ */

/* The colour of a series, stepped back where another one is emphasised. */
FmColor fm_box_get_color(const FmLayout *layout, const FmPanelBox *box, const FmSeries *series);
/* What series are drawn inside of. */
FmRect fm_box_get_clip(const FmPanelBox *box);
/* Dash and marker. */
FmRoleStyle fm_box_get_style(const FmLayout *layout, const FmPanelBox *box, const FmSeries *series);
double fm_box_get_line_width(const FmPanelBox *box, const FmSeries *series);
void fm_layout_add_series(FmLayout *layout, FmPanelBox *box);
void fm_layout_add_bars(FmLayout *layout, FmPanelBox *box);
/* Bars of one series that have a value. */
unsigned fm_box_count_bars(const FmPanelBox *box, unsigned series);
void fm_layout_add_bar_texts(FmLayout *layout, FmPanelBox *box);

/* Whether a series has more samples than the plot has columns; and drawing it so: returns how many
 * lines it took. */
bool fm_layout_has_columns(const FmPanelBox *box, const FmSeries *series);
unsigned fm_layout_add_samples(FmLayout *layout, FmPanelBox *box, const FmSeries *series);

/* --- layout-density.c -------------------------------------------------------------- */

bool fm_box_has_density(const FmPanelBox *box);
/* Returns how many cells hold something. */
unsigned fm_layout_add_density(FmLayout *layout, FmPanelBox *box, const FmSeries *series);
/* The largest as points, over all lines. */
void fm_layout_add_outliers(FmLayout *layout, FmPanelBox *box);
/* Over the plot: what the colours mean. */
void fm_layout_add_density_key(FmLayout *layout, FmPanelBox *box);

/* --- layout-notes.c ----------------------------------------------------------------- */

/* Points at the top of the plot that titles of bands and rules take. */
double fm_layout_measure_notes(FmLayout *layout, const FmPanelBox *box);
void fm_layout_add_notes(FmLayout *layout, FmPanelBox *box);

/* --- layout-annotate.c ------------------------------------------------------------- */

void fm_layout_add_bands(FmLayout *layout, FmPanelBox *box);
void fm_layout_add_rules(FmLayout *layout, FmPanelBox *box);
void fm_layout_add_annotations(FmLayout *layout, FmPanelBox *box);
void fm_box_add_ink(FmPanelBox *box, FmPlace place);

/* --- layout-table.c ---------------------------------------------------------------- */

/* Fills layout->reasons. */
void fm_layout_collect_reasons(FmLayout *layout);
/* "¹²": the mark of a footnote.  Caller frees. */
char *fm_layout_dup_mark(unsigned number);
/* With all details; 0 = not at that width. */
double fm_layout_get_table_height(FmLayout *layout, const FmTable *table, double width);
/* Whether at least some rows fit; all of them where layout->wants_all_rows. */
bool fm_layout_can_hold_table(FmLayout *layout, const FmTable *table, const FmRect *rect);
/* Into box->plot. */
void fm_layout_add_table(FmLayout *layout, FmPanelBox *box);

/* --- layout-legend.c --------------------------------------------------------------- */

/* Whether all panels have the same series, so that one legend serves them all. */
bool fm_layout_wants_common_legend(const FmLayout *layout);
/* Fills box->side_labels and box->side, or sets has_legend. */
void fm_layout_choose_labels(FmLayout *layout, FmPanelBox *box);
double fm_layout_get_legend_height(FmLayout *layout, const FmPanelBox *box, double width);
void fm_layout_add_legend(FmLayout *layout, const FmPanelBox *box, FmRect where);
void fm_layout_add_side_labels(FmLayout *layout, FmPanelBox *box);

G_END_DECLS
