/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plotted numbers for spreadsheets and scripts (RFC 4180): one row a point, a cell of a grid
 * that holds something, or a row of a table; columns with the titles of the axes and units that
 * are not folded.  Panels of equal axes share columns.  No value is rounded and no locale is asked.
 * Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/export.h"

#include "base/language.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define LINE_END "\r\n"

/* --- A sheet: heads, and the row that is being filled ------------------------------- */

enum { NO_COLUMN = G_MAXUINT }; /* what is written there is dropped */

typedef struct {
    GPtrArray *heads; /* of char * */
    GPtrArray *cells; /* of GString *, as many */
    GString *out;
} Sheet;

static void
free_cell_cb(gpointer data)
{
    g_string_free(data, TRUE);
}

/* The column of that title behind @from, which is made when there is none.  Takes @head. */
static unsigned
find_column(Sheet *sheet, char *head, unsigned from)
{
    g_autofree char *owned = head;

    for (unsigned i = from; i < sheet->heads->len; i++) {
        if (strcmp(g_ptr_array_index(sheet->heads, i), head) == 0) {
            return i;
        }
    }
    g_ptr_array_add(sheet->heads, g_steal_pointer(&owned));
    g_ptr_array_add(sheet->cells, g_string_new(NULL));
    return sheet->heads->len - 1;
}

static void
set_text(Sheet *sheet, unsigned column, const char *text)
{
    if (column != NO_COLUMN) {
        g_string_assign(g_ptr_array_index(sheet->cells, column), text != NULL ? text : "");
    }
}

/* Empty where it is no finite number.  Most are whole, bytes per second as they are, and need no
 * search for the shortest text. */
static void
set_number(Sheet *sheet, unsigned column, double value)
{
    static const double max_whole = 1e15; /* 15 digits */

    if (!isfinite(value) || column == NO_COLUMN) {
        return;
    }
    if (value == floor(value) && fabs(value) < max_whole) {
        g_string_printf(g_ptr_array_index(sheet->cells, column), "%" G_GINT64_FORMAT,
                        (int64_t)value);
        return;
    }
    g_autofree char *text = fm_text_dup_double(value);
    set_text(sheet, column, text);
}

/* Edges of cells come from logarithms, whose last digits differ from system to system. */
static void
set_edge(Sheet *sheet, unsigned column, double value)
{
    char text[G_ASCII_DTOSTR_BUF_SIZE];

    set_text(sheet, column, g_ascii_formatd(text, sizeof text, "%.9g", value));
}

static void
set_count(Sheet *sheet, unsigned column, uint64_t count)
{
    g_autofree char *text = g_strdup_printf("%" G_GUINT64_FORMAT, count);
    set_text(sheet, column, text);
}

static void
append_field(GString *out, const char *text)
{
    if (strpbrk(text, ",\"\r\n") == NULL) {
        g_string_append(out, text);
        return;
    }
    g_string_append_c(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"') {
            g_string_append_c(out, '"');
        }
        g_string_append_c(out, *text);
    }
    g_string_append_c(out, '"');
}

static void
write_heads(const Sheet *sheet)
{
    for (unsigned i = 0; i < sheet->heads->len; i++) {
        g_string_append(sheet->out, i > 0 ? "," : "");
        append_field(sheet->out, g_ptr_array_index(sheet->heads, i));
    }
    g_string_append(sheet->out, LINE_END);
}

/* And begins the next one. */
static void
write_row(const Sheet *sheet)
{
    for (unsigned i = 0; i < sheet->cells->len; i++) {
        GString *cell = g_ptr_array_index(sheet->cells, i);
        g_string_append(sheet->out, i > 0 ? "," : "");
        append_field(sheet->out, cell->str);
        g_string_truncate(cell, 0);
    }
    g_string_append(sheet->out, LINE_END);
}

/* --- Columns ---------------------------------------------------------------------- */

static const char *const unit_names[] = {
    [FM_UNIT_NUMBER] = NULL,      [FM_UNIT_BYTES_PER_SECOND] = "B/s",
    [FM_UNIT_IOPS] = "IOPS",      [FM_UNIT_SECONDS] = "s",
    [FM_UNIT_CLOCK] = "s",        [FM_UNIT_BYTES] = "B",
    [FM_UNIT_BINARY_BYTES] = "B", [FM_UNIT_SHARE] = "share of 1",
    [FM_UNIT_CELSIUS] = "°C",
};

/* "Latency (s)", "Latency low (s)". */
static char *
dup_head(const char *title, const char *suffix, FmUnit unit)
{
    const char *name = unit_names[unit];
    bool has_unit = name != NULL && g_strcmp0(title, name) != 0;

    return g_strconcat(title != NULL ? title : "", suffix, has_unit ? " (" : "",
                       has_unit ? name : "", has_unit ? ")" : "", NULL);
}

/* Where a panel's numbers go.  `low` and `high` are edges of a spread or of a cell. */
typedef struct {
    unsigned x;
    unsigned x_low;
    unsigned x_high;
    unsigned y;
    unsigned y_low;
    unsigned y_high;
    unsigned count;
    unsigned *fields; /* of a table: FIELDS for each column */
} PanelColumns;

enum { FIELD_VALUE, FIELD_LOW, FIELD_HIGH, FIELD_DOUBTFUL, FIELD_DETAIL, FIELD_REASON, N_FIELDS };

static bool
has_density(const FmPanel *panel)
{
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(panel->series, i);
        if (series->density != NULL) {
            return true;
        }
    }
    return false;
}

static unsigned
add_axis(Sheet *sheet, const FmAxis *axis, const char *suffix, unsigned from)
{
    const char *fallback = axis->scale == FM_SCALE_CATEGORY ? "category" : "value";
    const char *title = axis->title != NULL ? axis->title : fallback;
    return find_column(sheet, dup_head(title, suffix, axis->unit), from);
}

static PanelColumns
add_panel_columns(Sheet *sheet, const FmPanel *panel, unsigned from)
{
    PanelColumns columns = {.count = NO_COLUMN};

    columns.x = add_axis(sheet, &panel->x, "", from);
    unsigned last = columns.x;
    if (has_density(panel)) {
        columns.x_low = add_axis(sheet, &panel->x, " low", last + 1);
        columns.x_high = last = add_axis(sheet, &panel->x, " high", columns.x_low + 1);
    }
    columns.y = add_axis(sheet, &panel->y, "", last + 1);
    columns.y_low = add_axis(sheet, &panel->y, " low", columns.y + 1);
    columns.y_high = add_axis(sheet, &panel->y, " high", columns.y_low + 1);
    if (has_density(panel)) {
        columns.count = find_column(sheet, g_strdup("count"), columns.y_high + 1);
    }
    return columns;
}

static bool
is_filled(const FmCell *cell, unsigned field)
{
    switch (field) {
    case FIELD_LOW:
        return isfinite(cell->lo);
    case FIELD_HIGH:
        return isfinite(cell->hi);
    case FIELD_DOUBTFUL:
        return cell->is_doubtful;
    case FIELD_DETAIL:
        return cell->detail != NULL;
    case FIELD_REASON:
        return cell->reason != NULL;
    default:
        return true;
    }
}

static const FmCell *
get_cell(const FmTable *table, unsigned row, unsigned column)
{
    return &g_array_index(table->cells, FmCell, row * table->columns->len + column);
}

static bool
has_field(const FmTable *table, unsigned column, unsigned field)
{
    for (unsigned row = 0; row < table->n_rows; row++) {
        if (is_filled(get_cell(table, row, column), field)) {
            return true;
        }
    }
    return field == FIELD_VALUE;
}

/* Only fields that any row fills. */
static PanelColumns
add_table_columns(Sheet *sheet, const FmTable *table, unsigned from)
{
    static const char *const suffixes[N_FIELDS] = {
        [FIELD_VALUE] = "",         [FIELD_LOW] = " low",
        [FIELD_HIGH] = " high",     [FIELD_DOUBTFUL] = " doubtful",
        [FIELD_DETAIL] = " detail", [FIELD_REASON] = " reason",
    };
    PanelColumns columns = {.fields = g_new(unsigned, (gsize)table->columns->len *N_FIELDS)};

    for (unsigned i = 0; i < table->columns->len; i++) {
        const FmColumn *column = &g_array_index(table->columns, FmColumn, i);
        for (unsigned field = 0; field < N_FIELDS; field++) {
            if (!has_field(table, i, field)) {
                columns.fields[i * N_FIELDS + field] = NO_COLUMN;
                continue;
            }
            bool is_number = !column->is_text && field <= FIELD_HIGH;
            FmUnit unit = is_number ? column->value_unit : FM_UNIT_NUMBER;
            unsigned at = find_column(sheet, dup_head(column->title, suffixes[field], unit), from);
            columns.fields[i * N_FIELDS + field] = at;
            from = at + 1;
        }
    }
    return columns;
}

/* --- Rows ------------------------------------------------------------------------- */

/* Columns around those, as far as the figure has something to say in them. */
typedef struct {
    unsigned panel;
    unsigned series;
    unsigned label;
    unsigned doubtful;
    unsigned note;
    unsigned watermark;
} CommonColumns;

typedef struct {
    const FmFigure *figure;
    Sheet *sheet;
    const FmPanel *panel;
    unsigned panel_number;
    const FmSeries *series; /* NULL in tables */
    PanelColumns columns;
    CommonColumns common;
} Writer;

static void
end_row(const Writer *writer)
{
    const FmPanel *panel = writer->panel;

    if (panel->title != NULL) {
        set_text(writer->sheet, writer->common.panel, panel->title);
    } else {
        set_count(writer->sheet, writer->common.panel, writer->panel_number);
    }
    if (writer->series != NULL) {
        set_text(writer->sheet, writer->common.series, writer->series->label);
    }
    set_text(writer->sheet, writer->common.watermark, writer->figure->watermark);
    write_row(writer->sheet);
}

static void
set_place(const Writer *writer, const FmAxis *axis, unsigned column, double value)
{
    if (axis->scale == FM_SCALE_CATEGORY && axis->categories != NULL && value >= 0 &&
        value < g_strv_length(axis->categories)) {
        set_text(writer->sheet, column, axis->categories[(unsigned)value]);
    } else {
        set_number(writer->sheet, column, value);
    }
}

/* @more, if any, comes before the point's own note. */
static void
write_point(const Writer *writer, const FmPoint *point, const char *more)
{
    Sheet *sheet = writer->sheet;

    set_place(writer, &writer->panel->x, writer->columns.x, point->x);
    set_place(writer, &writer->panel->y, writer->columns.y, point->y);
    set_number(sheet, writer->columns.y_low, point->lo);
    set_number(sheet, writer->columns.y_high, point->hi);
    set_text(sheet, writer->common.label, point->label);
    set_text(sheet, writer->common.doubtful, point->is_doubtful ? "1" : "0");
    if (more != NULL && point->note != NULL) {
        g_autofree char *both = g_strconcat(more, "; ", point->note, NULL);
        set_text(sheet, writer->common.note, both);
    } else {
        set_text(sheet, writer->common.note, more != NULL ? more : point->note);
    }
    end_row(writer);
}

/* Edge @i of the rows. */
static double
get_row_edge(const FmDensity *density, unsigned i)
{
    double share = (double)i / density->n_y;

    return density->is_y_log ? density->y_min * pow(density->y_max / density->y_min, share)
                             : density->y_min + (density->y_max - density->y_min) * share;
}

static void
write_count(const Writer *writer, const FmDensity *density, unsigned column, unsigned row)
{
    Sheet *sheet = writer->sheet;
    double width = (density->x_max - density->x_min) / density->n_x;
    double left = density->x_min + column * width;
    double low = get_row_edge(density, row);
    double high = get_row_edge(density, row + 1);

    set_edge(sheet, writer->columns.x, left + width / 2);
    set_edge(sheet, writer->columns.x_low, left);
    set_edge(sheet, writer->columns.x_high, left + width);
    set_edge(sheet, writer->columns.y,
             density->is_y_log ? sqrt(low * high) : low + (high - low) / 2);
    set_edge(sheet, writer->columns.y_low, low);
    set_edge(sheet, writer->columns.y_high, high);
    set_count(sheet, writer->columns.count, density->counts[(gsize)row * density->n_x + column]);
    end_row(writer);
}

static gint
compare_slowest_cb(gconstpointer a, gconstpointer b)
{
    const FmPoint *first = a, *second = b;

    if (first->y != second->y) {
        return first->y > second->y ? -1 : 1;
    }
    return (first->x > second->x) - (first->x < second->x);
}

/* The counts add up to all I/Os; the largest follow once more by themselves. */
static void
write_density(const Writer *writer, const FmDensity *density)
{
    const char *language = writer->figure->language;

    for (unsigned row = 0; row < density->n_y; row++) {
        for (unsigned column = 0; column < density->n_x; column++) {
            if (density->counts[(gsize)row * density->n_x + column] > 0) {
                write_count(writer, density, column, row);
            }
        }
    }
    if (density->n_outside > 0) {
        set_count(writer->sheet, writer->columns.count, density->n_outside);
        set_text(writer->sheet, writer->common.note,
                 fm_language_translate(language, N_("outside the figure")));
        end_row(writer);
    }
    g_autoptr(GArray) outliers = g_array_copy(density->outliers);
    g_array_sort(outliers, compare_slowest_cb);
    const char *note = fm_language_translate(language, N_("one of the largest, counted above"));
    for (unsigned i = 0; i < outliers->len; i++) {
        write_point(writer, &g_array_index(outliers, FmPoint, i), note);
    }
}

static void
write_series(const Writer *writer)
{
    const FmSeries *series = writer->series;

    for (unsigned i = 0; i < series->points->len; i++) {
        const FmPoint *point = &g_array_index(series->points, FmPoint, i);
        write_point(writer, point, i == 0 ? series->note : NULL);
    }
    if (series->density != NULL) {
        write_density(writer, series->density);
    }
    if (series->points->len == 0 && series->note != NULL) {
        set_text(writer->sheet, writer->common.note, series->note);
        end_row(writer);
    }
}

static void
set_field(Sheet *sheet, unsigned at, const FmColumn *column, const FmCell *cell, unsigned field)
{
    switch (field) {
    case FIELD_VALUE:
        if (column->is_text) {
            set_text(sheet, at, cell->text);
        } else {
            set_number(sheet, at, cell->value);
        }
        break;
    case FIELD_LOW:
        set_number(sheet, at, cell->lo);
        break;
    case FIELD_HIGH:
        set_number(sheet, at, cell->hi);
        break;
    case FIELD_DOUBTFUL:
        set_text(sheet, at, cell->is_doubtful ? "1" : "0");
        break;
    case FIELD_DETAIL:
        set_text(sheet, at, cell->detail);
        break;
    case FIELD_REASON:
    default:
        set_text(sheet, at, cell->reason);
        break;
    }
}

static void
write_table(const Writer *writer)
{
    const FmTable *table = writer->panel->table;

    for (unsigned row = 0; row < table->n_rows; row++) {
        for (unsigned i = 0; i < table->columns->len; i++) {
            const FmColumn *column = &g_array_index(table->columns, FmColumn, i);
            for (unsigned field = 0; field < N_FIELDS; field++) {
                unsigned at = writer->columns.fields[i * N_FIELDS + field];
                set_field(writer->sheet, at, column, get_cell(table, row, i), field);
            }
        }
        end_row(writer);
    }
}

static void
write_panel(Writer *writer)
{
    if (writer->panel->table != NULL) {
        write_table(writer);
        return;
    }
    for (unsigned i = 0; i < writer->panel->series->len; i++) {
        writer->series = g_ptr_array_index(writer->panel->series, i);
        write_series(writer);
    }
    writer->series = NULL;
}

/* --- The whole -------------------------------------------------------------------- */

static bool
has_axes(const FmFigure *figure)
{
    for (unsigned i = 0; i < figure->panels->len; i++) {
        if (((const FmPanel *)g_ptr_array_index(figure->panels, i))->table == NULL) {
            return true;
        }
    }
    return false;
}

static unsigned
add_column(Sheet *sheet, const char *head, bool is_wanted)
{
    return is_wanted ? find_column(sheet, g_strdup(head), sheet->heads->len) : NO_COLUMN;
}

static void
add_panels(Sheet *sheet, const FmFigure *figure, PanelColumns *columns)
{
    unsigned from = sheet->heads->len;

    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = g_ptr_array_index(figure->panels, i);
        columns[i] = panel->table != NULL ? add_table_columns(sheet, panel->table, from)
                                          : add_panel_columns(sheet, panel, from);
    }
}

char *
fm_export_figure_csv(const FmFigure *figure)
{
    g_return_val_if_fail(figure != NULL, NULL);

    Sheet sheet = {
        .heads = g_ptr_array_new_with_free_func(g_free),
        .cells = g_ptr_array_new_with_free_func(free_cell_cb),
        .out = g_string_new(NULL),
    };
    /* These heads stay English: they are keys.  Titles of axes are in the figure's language. */
    bool is_plot = has_axes(figure);
    CommonColumns common;
    common.panel = add_column(&sheet, "panel", figure->panels->len > 1);
    common.series = add_column(&sheet, "series", is_plot);
    g_autofree PanelColumns *columns = g_new0(PanelColumns, figure->panels->len);
    add_panels(&sheet, figure, columns);
    common.label = add_column(&sheet, "label", is_plot);
    common.doubtful = add_column(&sheet, "doubtful", is_plot);
    common.note = add_column(&sheet, "note", is_plot);
    common.watermark = add_column(&sheet, "watermark", figure->watermark != NULL);

    Writer writer = {figure, &sheet, .common = common};
    write_heads(&sheet);
    for (unsigned i = 0; i < figure->panels->len; i++) {
        writer.panel = g_ptr_array_index(figure->panels, i);
        writer.panel_number = i + 1;
        writer.columns = columns[i];
        write_panel(&writer);
        g_free(columns[i].fields);
    }
    g_ptr_array_unref(sheet.heads);
    g_ptr_array_unref(sheet.cells);
    return g_string_free(sheet.out, FALSE);
}
