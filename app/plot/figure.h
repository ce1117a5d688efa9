/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure as data: what is to be seen, not how (DESIGN 5.2).  Values are in SI units (bytes
 * per second, seconds, I/Os per second, degrees Celsius, shares of 1); there are no pixels
 * here and no colours but roles.  Figures are built once and then only read, so any number of
 * layouts, exports and widgets may share one by reference.
 *
 * Text is UTF-8 in the language the figure was built for and may hold anything a user or a
 * drive put there; it is never markup.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

enum {
    FM_FIGURE_MAX_SERIES = 8, /* of one panel; more become small multiples */
    FM_FIGURE_MAX_ANNOTATIONS = 3, /* of one panel; segments found by an analysis are bands and
                                      count as one */
    FM_DENSITY_MAX_OUTLIERS = 200,
};

/* What a thing means; the theme gives it colour, dash and marker. */
typedef enum {
    FM_ROLE_SERIES_1, /* a drive or another equal among equals, kept through a whole report */
    FM_ROLE_SERIES_2,
    FM_ROLE_SERIES_3,
    FM_ROLE_SERIES_4,
    FM_ROLE_SERIES_5,
    FM_ROLE_SERIES_6,
    FM_ROLE_SERIES_7,
    FM_ROLE_SERIES_8,
    FM_ROLE_READ,
    FM_ROLE_WRITE,
    FM_ROLE_GOOD,
    FM_ROLE_BAD,
    FM_ROLE_MUTED,
    FM_N_ROLES,
} FmRole;

typedef enum {
    FM_UNIT_NUMBER,
    FM_UNIT_BYTES_PER_SECOND, /* MB/s, GB/s: decimal */
    FM_UNIT_IOPS,
    FM_UNIT_SECONDS, /* ns .. s as fits */
    FM_UNIT_CLOCK, /* seconds as h:mm:ss */
    FM_UNIT_BYTES, /* GB: decimal */
    FM_UNIT_BINARY_BYTES, /* GiB: spans and regions */
    FM_UNIT_SHARE, /* 0 .. 1 as percent */
    FM_UNIT_CELSIUS,
} FmUnit;

typedef enum {
    FM_SCALE_LINEAR,
    FM_SCALE_LOG10,
    FM_SCALE_LOG2, /* queue depths, spans */
    FM_SCALE_NINES, /* shares of 1: -log10(1 - p) */
    FM_SCALE_CATEGORY, /* 0, 1, 2 ...: places of @categories */
} FmScaleKind;

typedef struct {
    char *title; /* "Throughput"; the unit is written by the scale */
    FmUnit unit;
    FmScaleKind scale;
    double min; /* NaN = from the data; bars always begin at 0 */
    double max;
    GStrv categories; /* FM_SCALE_CATEGORY only */
    bool is_scale_fixed; /* lin/log must not be toggled: the law of the figure */
} FmAxis;

typedef enum {
    FM_MARK_LINE, /* straight between points; with `lo` and `hi` also their spread */
    FM_MARK_STEP,
    FM_MARK_SAMPLES, /* a time series with more points than columns: min-max hairline and median */
    FM_MARK_POINT,
    FM_MARK_BAR, /* on a category axis; carries its value as text */
    FM_MARK_INTERVAL, /* from lo to hi with a mark at y */
    FM_MARK_STEM, /* a dot on a stem: percentiles for articles */
    FM_MARK_DENSITY, /* uses `density`, not points */
} FmMark;

/*
 * One value.  NaN in y is a gap: nothing was measured there.  A value that is not possible is
 * a gap with a reason in `note`.
 */
typedef struct {
    double x;
    double y;
    double lo; /* NaN = no spread */
    double hi;
    bool is_doubtful; /* too few samples: drawn dashed, open or in brackets */
    char *label; /* text at the mark ("QD4", "1412 MB/s"); NULL = none, bars write y */
    char *note; /* why there is no value, or what to know about it; NULL */
} FmPoint;

typedef struct FmDensityRows FmDensityRows;

/* Counts of very many (x, y): cells of equal size in scaled coordinates. */
typedef struct {
    unsigned n_x;
    unsigned n_y;
    double x_min; /* edges of the grid, in the unit of the axis */
    double x_max;
    double y_min; /* above 0 on a log axis, where rows are equal in log10 */
    double y_max;
    bool is_y_log;
    uint64_t *counts; /* n_x * n_y, row by row from y_min */
    uint64_t n; /* all that were added, also those outside */
    uint64_t n_outside;
    GArray *outliers; /* of FmPoint without text: the largest y between x_min and x_max, also above
                         y_max; at most FM_DENSITY_MAX_OUTLIERS, in no order */
    FmDensityRows *rows; /* how fm_density_add() finds a row; private */
} FmDensity;

typedef struct {
    char *label; /* at the line's end, in tables and CSV */
    FmRole role;
    FmMark mark;
    bool is_emphasised; /* the drive under test; the rest steps back when any is */
    GArray *points; /* of FmPoint; never NULL */
    FmDensity *density; /* FM_MARK_DENSITY only, owned */
    char *note; /* footnote: "905P: not possible, no TRIM"; NULL */
} FmSeries;

typedef enum {
    FM_ANNOTATION_BAND_X, /* x0 .. x1, titled in place: a cache segment */
    FM_ANNOTATION_RULE_X, /* x0: a knee, the entry into steady state */
    FM_ANNOTATION_RULE_Y, /* y0: a mean, a pass line, a spec limit */
    FM_ANNOTATION_BRACKET, /* (x0, y0) .. (x0, y1): a difference */
    FM_ANNOTATION_CALLOUT, /* at (x0, y0): at most eight words */
} FmAnnotationKind;

typedef struct {
    FmAnnotationKind kind;
    FmRole role;
    double x0;
    double x1;
    double y0;
    double y1;
    char *text;
} FmAnnotation;

/* --- Tables: a panel without axes ------------------------------------------------- */

typedef struct {
    char *title;
    char *unit; /* written once in the head; NULL */
    FmUnit value_unit; /* of the cells' values: what files of numbers say */
    bool is_text; /* to the left; numbers stand to the right with tabular figures */
    bool has_bar; /* a thin bar behind each number, scaled to the column's largest */
    FmRole role; /* of the bar */
} FmColumn;

typedef struct {
    double value; /* NaN = none */
    char *text; /* as shown; NULL = "–" */
    char *detail; /* second line, muted: "IOPS · µs"; NULL */
    char *reason; /* of what is not possible: becomes a footnote; NULL */
    double lo; /* whisker of the bar; NaN = none */
    double hi;
    bool is_doubtful;
} FmCell;

typedef struct {
    GArray *columns; /* of FmColumn */
    GArray *cells; /* of FmCell, row by row, columns->len each */
    unsigned n_rows;
} FmTable;

/* --- Panels and figures ------------------------------------------------------------ */

typedef struct {
    char *title; /* strip above; NULL when the figure has one panel */
    FmAxis x;
    FmAxis y;
    bool is_horizontal; /* categories run down, values to the right */
    bool shares_x; /* with the panel above it: no labels of its own between */
    double weight; /* share of the height among the panels of its column; 1 */
    GPtrArray *series; /* of FmSeries; never NULL */
    GArray *annotations; /* of FmAnnotation; never NULL */
    FmTable *table; /* instead of all above but the title; NULL */
} FmPanel;

/* Sizes of the natural form in points, 1 pt = 1 px at 1x (DESIGN 5.3). */
typedef enum {
    FM_SHAPE_FULL, /* 720 x 405 */
    FM_SHAPE_HALF, /* 354 x 240 */
    FM_SHAPE_TALL, /* 720 x 560 */
    FM_SHAPE_TABLE, /* 720 x what the rows need */
} FmShape;

typedef struct {
    gatomicrefcount ref_count;
    char *id; /* "F80", "T8": METHODOLOGY 13 and 14 */
    char *name; /* part of file names: "tail-latency" */
    char *title; /* the finding, or the name in the review preset */
    char *subtitle; /* measure, unit, conditions; says "log scale" where one is */
    char *caption; /* provenance, one paragraph */
    char *alt_text; /* what a person who does not see it needs to know, in sentences */
    char *language; /* "en", "ko": of its text and numbers */
    char *run_id; /* for the metadata of files */
    char *watermark; /* "simulated"; can't be switched off; NULL */
    FmShape shape;
    unsigned n_columns; /* of the panel grid; 1 */
    GPtrArray *panels; /* of FmPanel; never NULL */
    GPtrArray *footnotes; /* of char *; never NULL */
    unsigned n_remarks; /* so many of them at the end are about single steps */
} FmFigure;

/* @id, @name and @language are copied; everything else is filled in by the builder, with
 * g_strdup() and the calls below, and belongs to the figure. */
FmFigure *fm_figure_new(const char *id, const char *name, const char *language);
FmFigure *fm_figure_ref(FmFigure *figure);
void fm_figure_unref(FmFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmFigure, fm_figure_unref)

FmPanel *fm_figure_add_panel(FmFigure *figure, const char *title);
/* All of an axis at once; limits begin as NaN. */
void fm_axis_set(FmAxis *axis, const char *title, FmUnit unit, FmScaleKind scale);
FmSeries *fm_panel_add_series(FmPanel *panel, const char *label, FmRole role, FmMark mark);
void fm_panel_add_annotation(FmPanel *panel, FmAnnotation annotation); /* takes the text */
/* Adds a point without spread; the returned one may be filled in further until the next call. */
FmPoint *fm_series_add(FmSeries *series, double x, double y);

FmTable *fm_panel_add_table(FmPanel *panel);
/* All columns before the first cell.  Takes the text. */
void fm_table_add_column(FmTable *table, FmColumn column);
/* Cells come row by row, from left to right.  Takes the text. */
FmCell *fm_table_add_cell(FmTable *table, double value, char *text);

/*
 * A grid for I/Os from (x_min, y_min) to (x_max, y_max), given in @edges in this order; the upper
 * edges belong to the last cells.  Adding one costs nanoseconds; 45 million are nothing to fear.
 */
FmDensity *fm_density_new(unsigned n_x, unsigned n_y, const double edges[4], bool is_y_log);
void fm_density_add(FmDensity *density, double x, double y);
/* I/Os of the cell that (@x, @y) is in. */
uint64_t fm_density_get_count(const FmDensity *density, double x, double y);
void fm_density_free(FmDensity *density);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmDensity, fm_density_free)

/*
 * The laws of DESIGN 5.2, checked when a figure is finished: bars from 0, no more than eight
 * series and three annotations in a panel, panels of equal axes (small multiples) with equal
 * limits, log10 scales named in the subtitle ("log", "로그"), drive roles or op roles but never
 * both, a drive with one role throughout, callouts of at most eight words, values their scale can
 * show (on log10 also 0, on nines also 1: the maximum), samples in order, tables of whole rows.
 * Returns NULL, or a sentence about the first law that is broken: a mistake of ours, never of the
 * data.  Caller frees.
 */
char *fm_figure_check(const FmFigure *figure);

G_END_DECLS
