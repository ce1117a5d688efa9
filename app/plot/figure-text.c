/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure for those who read it: title, tables of its numbers as people write them, and what is
 * noted about them.  Long series are told in spans, since nobody hears 432,000 rows; the CSV has
 * them all.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/export.h"

#include "plot/decimate.h"
#include "plot/value-text.h"

#include "base/label.h"
#include "base/language.h"
#include "base/text-table.h"

#include <glib/gi18n.h>
#include <math.h>

enum {
    MANY_SAMPLES = 200, /* from here on in spans */
    N_SPANS = 50,
    MAX_OUTLIERS = 10,
};

typedef struct {
    const char *language;
    const FmPanel *panel;
    FmTextTable *table;
    bool has_series;
    bool has_spread;
    bool has_label;
    bool has_note;
} Writer;

static void
append_line(GString *out, const char *text)
{
    if (text != NULL && *text != '\0') {
        g_string_append_printf(out, "%s\n", text);
    }
}

/* --- Points ------------------------------------------------------------------------ */

static char *
dup_place(const FmAxis *axis, double value)
{
    if (axis->scale == FM_SCALE_CATEGORY && axis->categories != NULL && value >= 0 &&
        value < g_strv_length(axis->categories)) {
        return g_strdup(axis->categories[(unsigned)value]);
    }
    return fm_value_dup(axis->unit, value);
}

static char *
dup_range(FmUnit unit, double low, double high)
{
    if (isnan(low) || isnan(high)) {
        return g_strdup("");
    }
    g_autofree char *from = fm_value_dup(unit, low);
    g_autofree char *to = fm_value_dup(unit, high);
    return g_strdup_printf("%s – %s", from, to);
}

static char *
dup_number(const FmAxis *axis, const FmPoint *point)
{
    char *text = dup_place(axis, point->y);
    if (!point->is_doubtful) {
        return text;
    }
    g_autofree char *plain = text;
    return g_strdup_printf("(%s)", plain);
}

static void
add_row(const Writer *writer, const FmSeries *series, const FmPoint *point)
{
    const char *label = series->label != NULL ? series->label : "";

    fm_text_table_begin_row(writer->table);
    if (writer->has_series) {
        fm_text_table_take_cell(writer->table, g_strdup(label));
    }
    fm_text_table_take_cell(writer->table, dup_place(&writer->panel->x, point->x));
    fm_text_table_take_cell(writer->table, dup_number(&writer->panel->y, point));
    if (writer->has_spread) {
        fm_text_table_take_cell(writer->table,
                                dup_range(writer->panel->y.unit, point->lo, point->hi));
    }
    if (writer->has_label) {
        fm_text_table_take_cell(writer->table, g_strdup(point->label ? point->label : ""));
    }
    if (writer->has_note) {
        fm_text_table_take_cell(writer->table, g_strdup(point->note ? point->note : ""));
    }
}

static bool
is_told_in_spans(const FmSeries *series)
{
    bool is_sorted = series->mark == FM_MARK_SAMPLES || series->mark == FM_MARK_STEP;
    return is_sorted && series->points->len > MANY_SAMPLES;
}

/* Median and range of equal spans of x. */
static void
add_spans(const Writer *writer, const FmSeries *series)
{
    const GArray *points = series->points;
    double from = g_array_index(points, FmPoint, 0).x;
    double to = g_array_index(points, FmPoint, points->len - 1).x;
    double edges[N_SPANS + 1];
    FmPixelColumn columns[N_SPANS];

    for (unsigned i = 0; i <= N_SPANS; i++) {
        edges[i] = i < N_SPANS ? from + (to - from) * i / N_SPANS : to;
    }
    fm_decimate(points, edges, columns, N_SPANS);
    for (unsigned i = 0; i < N_SPANS; i++) {
        FmPoint span = {.x = edges[i], .y = columns[i].median};
        span.lo = columns[i].min;
        span.hi = columns[i].max;
        add_row(writer, series, &span);
    }
}

static gint
compare_largest_cb(gconstpointer a, gconstpointer b)
{
    double first = ((const FmPoint *)a)->y, second = ((const FmPoint *)b)->y;

    return first > second ? -1 : first < second;
}

static void
add_outliers(const Writer *writer, const FmSeries *series)
{
    g_autoptr(GArray) outliers = g_array_copy(series->density->outliers);

    g_array_sort(outliers, compare_largest_cb);
    for (unsigned i = 0; i < MIN(outliers->len, (unsigned)MAX_OUTLIERS); i++) {
        add_row(writer, series, &g_array_index(outliers, FmPoint, i));
    }
}

static void
look_at_points(Writer *writer, const FmSeries *series)
{
    for (unsigned i = 0; i < series->points->len; i++) {
        const FmPoint *point = &g_array_index(series->points, FmPoint, i);
        writer->has_spread = writer->has_spread || !isnan(point->lo);
        writer->has_label = writer->has_label || point->label != NULL;
        writer->has_note = writer->has_note || point->note != NULL;
    }
}

static void
look_at_series(Writer *writer)
{
    for (unsigned i = 0; i < writer->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(writer->panel->series, i);
        bool is_named = series->label != NULL && *series->label != '\0';
        writer->has_series = writer->has_series || (writer->panel->series->len > 1 && is_named);
        writer->has_spread = writer->has_spread || is_told_in_spans(series);
        look_at_points(writer, series);
    }
}

static const char *
get_axis_title(const FmAxis *axis, const char *fallback)
{
    return axis->title != NULL ? axis->title : fallback;
}

static void
add_columns(const Writer *writer)
{
    const char *language = writer->language;
    FmTextTable *table = writer->table;

    if (writer->has_series) {
        fm_text_table_add_column(table, fm_language_translate(language, N_("Series")), 0);
    }
    fm_text_table_add_column(table, get_axis_title(&writer->panel->x, ""), 0);
    if (writer->panel->x.scale == FM_SCALE_CATEGORY) {
        fm_text_table_align_left(table);
    }
    fm_text_table_add_column(
        table, get_axis_title(&writer->panel->y, fm_language_translate(language, N_("Value"))), 0);
    if (writer->has_spread) {
        fm_text_table_add_column(table, fm_language_translate(language, N_("Range")), 0);
    }
    if (writer->has_label) {
        fm_text_table_add_column(table, fm_language_translate(language, N_("Label")), 0);
        fm_text_table_align_left(table);
    }
    if (writer->has_note) {
        fm_text_table_add_column(table, fm_language_translate(language, N_("Note")), 0);
        fm_text_table_align_left(table);
    }
}

/* What a table does not show: that it tells less than there is, and notes. */
static void
append_remarks(const Writer *writer, const FmSeries *series, GString *out)
{
    bool is_named = series->label != NULL && *series->label != '\0';
    const char *label = is_named ? series->label : get_axis_title(&writer->panel->y, "");

    if (is_told_in_spans(series)) {
        g_autofree char *count = fm_label_dup_grouped(series->points->len);
        g_autofree char *remark = g_strdup_printf(
            fm_language_translate(writer->language,
                                  N_("%s: %s samples, shown as median and range of equal spans")),
            label, count);
        append_line(out, remark);
    }
    if (series->density != NULL) {
        g_autofree char *count = fm_label_dup_grouped(series->density->n);
        g_autofree char *remark = g_strdup_printf(
            fm_language_translate(writer->language, N_("%s: %s I/Os; the largest are shown")),
            label, count);
        append_line(out, remark);
    }
    append_line(out, series->note);
}

static void
append_annotation(const Writer *writer, const FmAnnotation *annotation, GString *out)
{
    const FmAxis *x = &writer->panel->x;
    const FmAxis *y = &writer->panel->y;
    g_autofree char *first = NULL;
    g_autofree char *second = NULL;

    switch (annotation->kind) {
    case FM_ANNOTATION_BAND_X:
        first = dup_place(x, annotation->x0);
        second = dup_place(x, annotation->x1);
        break;
    case FM_ANNOTATION_BRACKET:
        first = dup_place(y, annotation->y0);
        second = dup_place(y, annotation->y1);
        break;
    case FM_ANNOTATION_RULE_Y:
        first = dup_place(y, annotation->y0);
        break;
    case FM_ANNOTATION_RULE_X:
    case FM_ANNOTATION_CALLOUT:
    default:
        first = dup_place(x, annotation->x0);
        break;
    }
    g_string_append_printf(out, "%s: %s%s%s\n", annotation->text != NULL ? annotation->text : "",
                           first, second != NULL ? " – " : "", second != NULL ? second : "");
}

static void
append_plot(const FmFigure *figure, const FmPanel *panel, GString *out)
{
    g_autoptr(FmTextTable) table = fm_text_table_new();
    Writer writer = {.language = figure->language, .panel = panel, .table = table};

    look_at_series(&writer);
    add_columns(&writer);
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(panel->series, i);
        if (series->density != NULL) {
            add_outliers(&writer, series);
        }
        if (is_told_in_spans(series)) {
            add_spans(&writer, series);
            continue;
        }
        for (unsigned k = 0; k < series->points->len; k++) {
            add_row(&writer, series, &g_array_index(series->points, FmPoint, k));
        }
    }
    fm_text_table_print(table, 0, out);
    for (unsigned i = 0; i < panel->series->len; i++) {
        append_remarks(&writer, g_ptr_array_index(panel->series, i), out);
    }
    for (unsigned i = 0; i < panel->annotations->len; i++) {
        append_annotation(&writer, &g_array_index(panel->annotations, FmAnnotation, i), out);
    }
}

/* --- Tables ------------------------------------------------------------------------ */

/* The number of a reason, which is added when it is new. */
static unsigned
number_reason(GPtrArray *reasons, char *reason)
{
    guint index;

    if (!g_ptr_array_find_with_equal_func(reasons, reason, g_str_equal, &index)) {
        index = reasons->len;
        g_ptr_array_add(reasons, reason);
    }
    return index + 1;
}

/* "1412 · 345k IOPS · 23 µs", "(88.1)", "– [1]". */
static char *
dup_cell(const FmCell *cell, GPtrArray *reasons)
{
    const char *text = cell->text != NULL ? cell->text : FM_LABEL_UNKNOWN;
    GString *out = g_string_new(NULL);

    g_string_append_printf(out, cell->is_doubtful ? "(%s)" : "%s", text);
    if (cell->detail != NULL) {
        g_string_append_printf(out, " · %s", cell->detail);
    }
    if (cell->reason != NULL) {
        g_string_append_printf(out, " [%u]", number_reason(reasons, cell->reason));
    }
    return g_string_free(out, FALSE);
}

static void
append_table(const FmTable *figures, GString *out)
{
    g_autoptr(FmTextTable) table = fm_text_table_new();
    g_autoptr(GPtrArray) reasons = g_ptr_array_new();

    for (unsigned i = 0; i < figures->columns->len; i++) {
        const FmColumn *column = &g_array_index(figures->columns, FmColumn, i);
        bool has_unit = column->unit != NULL && *column->unit != '\0';
        g_autofree char *head =
            g_strconcat(column->title != NULL ? column->title : "", has_unit ? ", " : "",
                        has_unit ? column->unit : "", NULL);
        fm_text_table_add_column(table, head, 0);
        if (column->is_text) {
            fm_text_table_align_left(table);
        }
    }
    for (unsigned i = 0; i < figures->cells->len; i++) {
        if (i % figures->columns->len == 0) {
            fm_text_table_begin_row(table);
        }
        const FmCell *cell = &g_array_index(figures->cells, FmCell, i);
        fm_text_table_take_cell(table, dup_cell(cell, reasons));
    }
    fm_text_table_print(table, 0, out);
    for (unsigned i = 0; i < reasons->len; i++) {
        g_string_append_printf(out, "[%u] %s\n", i + 1, (char *)g_ptr_array_index(reasons, i));
    }
}

/* --- The whole -------------------------------------------------------------------- */

char *
fm_export_figure_text(const FmFigure *figure)
{
    g_return_val_if_fail(figure != NULL, NULL);

    GString *out = g_string_new(NULL);
    append_line(out, figure->title);
    append_line(out, figure->subtitle);
    append_line(out, figure->watermark);
    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = g_ptr_array_index(figure->panels, i);
        g_string_append_c(out, '\n');
        append_line(out, panel->title);
        if (panel->table != NULL) {
            append_table(panel->table, out);
        } else {
            append_plot(figure, panel, out);
        }
    }
    g_string_append_c(out, '\n');
    for (unsigned i = 0; i < figure->footnotes->len; i++) {
        append_line(out, g_ptr_array_index(figure->footnotes, i));
    }
    append_line(out, figure->caption);
    return g_string_free(out, FALSE);
}
