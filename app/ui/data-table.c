/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows are only a pair of numbers (series, point), so that a panel of 432,000 points costs
 * nothing until somebody scrolls through it.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/data-table.h"

#include "base/label.h"
#include "ui/axis-unit.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

typedef enum {
    COLUMN_SERIES,
    COLUMN_X,
    COLUMN_Y,
    COLUMN_LOW,
    COLUMN_HIGH,
    COLUMN_COUNT,
    COLUMN_NOTE,
    COLUMN_CELL, /* and those behind it: columns of a table */
} ColumnKind;

typedef struct {
    ColumnKind kind;
    unsigned cell; /* COLUMN_CELL only */
    char *title;
    bool is_text;
} Column;

struct _FmDataTable {
    GObject parent_instance;
    FmFigure *figure;
    const FmPanel *panel;
    GArray *columns; /* of Column */
    GArray *begins; /* of guint: first row of each series, then the number of all rows */
    GPtrArray *cells; /* of GArray of guint or NULL: cells of a density that hold anything */
};

struct _FmDataRow {
    GObject parent_instance;
    FmDataTable *table;
    unsigned series;
    unsigned point;
};

/* --- Rows -------------------------------------------------------------------------------- */

G_DEFINE_FINAL_TYPE(FmDataRow, fm_data_row, G_TYPE_OBJECT)

static void
fm_data_row_dispose(GObject *object)
{
    g_clear_object(&FM_DATA_ROW(object)->table);
    G_OBJECT_CLASS(fm_data_row_parent_class)->dispose(object);
}

static void
fm_data_row_class_init(FmDataRowClass *klass)
{
    G_OBJECT_CLASS(klass)->dispose = fm_data_row_dispose;
}

static void
fm_data_row_init(FmDataRow *row)
{
}

static char *
dup_number(FmUnit unit, double value)
{
    return isfinite(value) ? fm_axis_unit_dup_text(unit, value) : g_strdup(FM_LABEL_UNKNOWN);
}

static char *
dup_on_axis(const FmAxis *axis, double value)
{
    if (axis->scale != FM_SCALE_CATEGORY || axis->categories == NULL) {
        return dup_number(axis->unit, value);
    }
    guint n_categories = g_strv_length(axis->categories);
    bool is_one = value >= 0 && lround(value) < (long)n_categories;
    return g_strdup(is_one ? axis->categories[lround(value)] : FM_LABEL_UNKNOWN);
}

static char *
dup_table_cell(const FmTable *table, unsigned row, unsigned column)
{
    const FmCell *cell = &g_array_index(table->cells, FmCell, row * table->columns->len + column);
    const char *text = cell->text != NULL ? cell->text : FM_LABEL_UNKNOWN;

    if (cell->reason != NULL) {
        return g_strdup_printf("%s (%s)", text, cell->reason);
    }
    return cell->detail != NULL ? g_strdup_printf("%s (%s)", text, cell->detail) : g_strdup(text);
}

/* The middle of cell @number of a density, and what it holds. */
static FmPoint
get_cell(const FmDensity *density, unsigned number, uint64_t *count)
{
    unsigned column = number % density->n_x;
    unsigned row = number / density->n_x;
    double share = (row + 0.5) / density->n_y;
    double low = density->is_y_log ? log10(density->y_min) : density->y_min;
    double high = density->is_y_log ? log10(density->y_max) : density->y_max;
    double y = low + share * (high - low);

    *count = density->counts[number];
    return (FmPoint){
        .x = density->x_min + (column + 0.5) / density->n_x * (density->x_max - density->x_min),
        .y = density->is_y_log ? pow(10, y) : y,
        .lo = NAN,
        .hi = NAN,
    };
}

static FmPoint
get_point(const FmDataRow *row, uint64_t *count)
{
    const FmSeries *series = g_ptr_array_index(row->table->panel->series, row->series);
    GArray *cells = g_ptr_array_index(row->table->cells, row->series);

    *count = 0;
    if (cells != NULL) {
        return get_cell(series->density, g_array_index(cells, guint, row->point), count);
    }
    return g_array_index(series->points, FmPoint, row->point);
}

/* What to know about a point: its own text, and that it is doubtful. */
static char *
dup_note(const FmPoint *point)
{
    g_autoptr(GString) text = g_string_new(point->note);

    if (point->label != NULL) {
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", point->label);
    }
    if (point->is_doubtful) {
        g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "", _("too few samples"));
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

char *
fm_data_row_dup_text(FmDataRow *row, unsigned number)
{
    g_return_val_if_fail(FM_IS_DATA_ROW(row), NULL);
    const FmPanel *panel = row->table->panel;
    const Column *column = &g_array_index(row->table->columns, Column, number);

    if (column->kind == COLUMN_CELL) {
        return dup_table_cell(panel->table, row->point, column->cell);
    }
    uint64_t count;
    FmPoint point = get_point(row, &count);
    const FmSeries *series = g_ptr_array_index(panel->series, row->series);
    switch (column->kind) {
    case COLUMN_SERIES:
        return g_strdup(series->label != NULL ? series->label : "");
    case COLUMN_X:
        return dup_on_axis(&panel->x, point.x);
    case COLUMN_Y:
        return dup_on_axis(&panel->y, point.y);
    case COLUMN_LOW:
        return dup_number(panel->y.unit, point.lo);
    case COLUMN_HIGH:
        return dup_number(panel->y.unit, point.hi);
    case COLUMN_COUNT:
        return g_strdup_printf("%" G_GUINT64_FORMAT, count);
    case COLUMN_NOTE:
        return dup_note(&point);
    case COLUMN_CELL:
        break;
    }
    return g_strdup("");
}

/* --- The list ---------------------------------------------------------------------------- */

static GType
get_item_type(GListModel *model)
{
    return FM_TYPE_DATA_ROW;
}

static guint
get_n_items(GListModel *model)
{
    FmDataTable *table = FM_DATA_TABLE(model);

    return g_array_index(table->begins, guint, table->begins->len - 1);
}

static gpointer
get_item(GListModel *model, guint position)
{
    FmDataTable *table = FM_DATA_TABLE(model);
    guint series = 0;

    if (position >= get_n_items(model)) {
        return NULL;
    }
    while (position >= g_array_index(table->begins, guint, series + 1)) {
        series++;
    }
    FmDataRow *row = g_object_new(FM_TYPE_DATA_ROW, NULL);
    row->table = g_object_ref(table);
    row->series = series;
    row->point = position - g_array_index(table->begins, guint, series);
    return row;
}

static void
list_model_init(GListModelInterface *interface)
{
    interface->get_item_type = get_item_type;
    interface->get_n_items = get_n_items;
    interface->get_item = get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE(FmDataTable, fm_data_table, G_TYPE_OBJECT,
                              G_IMPLEMENT_INTERFACE(G_TYPE_LIST_MODEL, list_model_init))

static void
clear_column(gpointer data)
{
    g_free(((Column *)data)->title);
}

static void
fm_data_table_finalize(GObject *object)
{
    FmDataTable *table = FM_DATA_TABLE(object);

    g_array_unref(table->columns);
    g_array_unref(table->begins);
    g_ptr_array_unref(table->cells);
    g_clear_pointer(&table->figure, fm_figure_unref);
    G_OBJECT_CLASS(fm_data_table_parent_class)->finalize(object);
}

static void
fm_data_table_class_init(FmDataTableClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = fm_data_table_finalize;
}

static void
free_cells(gpointer cells)
{
    g_clear_pointer((GArray **)&cells, g_array_unref);
}

static void
fm_data_table_init(FmDataTable *table)
{
    table->columns = g_array_new(FALSE, FALSE, sizeof(Column));
    g_array_set_clear_func(table->columns, clear_column);
    table->begins = g_array_new(FALSE, FALSE, sizeof(guint));
    table->cells = g_ptr_array_new_with_free_func(free_cells);
}

/* --- Making one -------------------------------------------------------------------------- */

static void
add_column(FmDataTable *table, ColumnKind kind, char *title, bool is_text)
{
    Column column = {.kind = kind, .title = title, .is_text = is_text};

    g_array_append_val(table->columns, column);
}

static char *
dup_axis_title(const FmAxis *axis)
{
    const char *title = axis->title != NULL ? axis->title : "";
    const char *symbol = fm_axis_unit_get_symbol(axis->unit);

    if (axis->scale == FM_SCALE_CATEGORY || *symbol == '\0') {
        return g_strdup(title);
    }
    return *title != '\0' ? g_strdup_printf("%s (%s)", title, symbol) : g_strdup(symbol);
}

typedef struct {
    bool has_spread;
    bool has_notes;
    bool has_counts;
} Contents;

/* A word about any point is worth a column. */
static Contents
look_at(const FmPanel *panel)
{
    Contents contents = {0};

    for (guint i = 0; i < panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(panel->series, i);
        contents.has_counts = contents.has_counts || series->density != NULL;
        for (guint j = 0; j < series->points->len; j++) {
            const FmPoint *point = &g_array_index(series->points, FmPoint, j);
            contents.has_spread = contents.has_spread || isfinite(point->lo) || isfinite(point->hi);
            contents.has_notes = contents.has_notes || point->note != NULL ||
                                 point->label != NULL || point->is_doubtful;
        }
    }
    return contents;
}

static void
add_panel_columns(FmDataTable *table)
{
    const FmPanel *panel = table->panel;
    Contents contents = look_at(panel);

    add_column(table, COLUMN_SERIES, g_strdup(_("Series")), true);
    add_column(table, COLUMN_X, dup_axis_title(&panel->x), panel->x.scale == FM_SCALE_CATEGORY);
    add_column(table, COLUMN_Y, dup_axis_title(&panel->y), panel->y.scale == FM_SCALE_CATEGORY);
    if (contents.has_spread) {
        add_column(table, COLUMN_LOW, g_strdup(_("Lowest")), false);
        add_column(table, COLUMN_HIGH, g_strdup(_("Highest")), false);
    }
    if (contents.has_counts) {
        add_column(table, COLUMN_COUNT, g_strdup(_("I/Os")), false);
    }
    if (contents.has_notes) {
        add_column(table, COLUMN_NOTE, g_strdup(_("Note")), true);
    }
}

static GArray *
list_full_cells(const FmDensity *density)
{
    GArray *cells = g_array_new(FALSE, FALSE, sizeof(guint));

    for (guint i = 0; i < density->n_x * density->n_y; i++) {
        if (density->counts[i] > 0) {
            g_array_append_val(cells, i);
        }
    }
    return cells;
}

static void
add_panel_rows(FmDataTable *table)
{
    guint begin = 0;

    for (guint i = 0; i < table->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(table->panel->series, i);
        GArray *cells = series->density != NULL ? list_full_cells(series->density) : NULL;
        g_array_append_val(table->begins, begin);
        begin += cells != NULL ? cells->len : series->points->len;
        g_ptr_array_add(table->cells, cells);
    }
    g_array_append_val(table->begins, begin);
}

static void
add_table(FmDataTable *table, const FmTable *shown)
{
    guint zero = 0;

    for (guint i = 0; i < shown->columns->len; i++) {
        const FmColumn *from = &g_array_index(shown->columns, FmColumn, i);
        const char *title = from->title != NULL ? from->title : "";
        Column column = {
            .kind = COLUMN_CELL,
            .cell = i,
            .title = from->unit != NULL ? g_strdup_printf("%s (%s)", title, from->unit)
                                        : g_strdup(title),
            .is_text = from->is_text,
        };
        g_array_append_val(table->columns, column);
    }
    g_array_append_val(table->begins, zero);
    g_array_append_val(table->begins, shown->n_rows);
}

FmDataTable *
fm_data_table_new(FmFigure *figure, unsigned panel)
{
    g_return_val_if_fail(figure != NULL && panel < figure->panels->len, NULL);
    FmDataTable *table = g_object_new(FM_TYPE_DATA_TABLE, NULL);

    table->figure = fm_figure_ref(figure);
    table->panel = g_ptr_array_index(figure->panels, panel);
    if (table->panel->table != NULL) {
        add_table(table, table->panel->table);
    } else {
        add_panel_columns(table);
        add_panel_rows(table);
    }
    return table;
}

unsigned
fm_data_table_get_n_columns(FmDataTable *table)
{
    g_return_val_if_fail(FM_IS_DATA_TABLE(table), 0);
    return table->columns->len;
}

const char *
fm_data_table_get_title(FmDataTable *table, unsigned column)
{
    g_return_val_if_fail(FM_IS_DATA_TABLE(table), NULL);
    return g_array_index(table->columns, Column, column).title;
}

bool
fm_data_table_is_text(FmDataTable *table, unsigned column)
{
    g_return_val_if_fail(FM_IS_DATA_TABLE(table), false);
    return g_array_index(table->columns, Column, column).is_text;
}
