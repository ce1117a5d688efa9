/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lays out tables of text.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/text-table.h"

#include <stdbool.h>

enum { GAP = 2 };

typedef struct {
    char *title;
    unsigned rank;
    bool is_left;
} Column;

typedef struct {
    char *heading; /* else NULL and */
    GPtrArray *cells;
} Row;

struct FmTextTable {
    GPtrArray *columns;
    GPtrArray *rows;
};

static void
column_free(gpointer data)
{
    Column *column = data;

    g_free(column->title);
    g_free(column);
}

static void
row_free(gpointer data)
{
    Row *row = data;

    g_free(row->heading);
    g_ptr_array_unref(row->cells);
    g_free(row);
}

FmTextTable *
fm_text_table_new(void)
{
    FmTextTable *table = g_new0(FmTextTable, 1);

    table->columns = g_ptr_array_new_with_free_func(column_free);
    table->rows = g_ptr_array_new_with_free_func(row_free);
    return table;
}

void
fm_text_table_free(FmTextTable *table)
{
    if (table == NULL) {
        return;
    }
    g_ptr_array_unref(table->columns);
    g_ptr_array_unref(table->rows);
    g_free(table);
}

void
fm_text_table_add_column(FmTextTable *table, const char *title, unsigned rank)
{
    Column *column = g_new0(Column, 1);

    column->title = g_strdup(title);
    column->rank = rank;
    column->is_left = table->columns->len == 0;
    g_ptr_array_add(table->columns, column);
}

void
fm_text_table_align_left(FmTextTable *table)
{
    Column *column = g_ptr_array_index(table->columns, table->columns->len - 1);

    column->is_left = true;
}

void
fm_text_table_begin_row(FmTextTable *table)
{
    Row *row = g_new0(Row, 1);

    row->cells = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(table->rows, row);
}

void
fm_text_table_take_cell(FmTextTable *table, char *text)
{
    const Row *row = g_ptr_array_index(table->rows, table->rows->len - 1);

    g_ptr_array_add(row->cells, text);
}

void
fm_text_table_add_heading(FmTextTable *table, const char *text)
{
    fm_text_table_begin_row(table);
    Row *row = g_ptr_array_index(table->rows, table->rows->len - 1);
    row->heading = g_strdup(text);
}

unsigned
fm_text_width(const char *text)
{
    unsigned width = 0;

    for (; *text != '\0'; text = g_utf8_next_char(text)) {
        gunichar character = g_utf8_get_char(text);
        if (!g_unichar_iszerowidth(character)) {
            width += g_unichar_iswide(character) ? 2 : 1;
        }
    }
    return width;
}

void
fm_text_append_wrapped(GString *out, const char *text, unsigned indent, unsigned columns)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    unsigned place = indent;

    for (char **word = words; *word != NULL; word++) {
        unsigned width = fm_text_width(*word);
        if (word == words) {
            place += width;
        } else if (columns > 0 && place + 1 + width > columns) {
            g_string_append_printf(out, "\n%*s", (int)indent, "");
            place = indent + width;
        } else {
            g_string_append_c(out, ' ');
            place += 1 + width;
        }
        g_string_append(out, *word);
    }
}

/* Widths of all columns; 0 = dropped. */
static unsigned *
measure(const FmTextTable *table)
{
    unsigned *widths = g_new0(unsigned, table->columns->len);

    for (guint i = 0; i < table->columns->len; i++) {
        const Column *column = g_ptr_array_index(table->columns, i);
        widths[i] = MAX(fm_text_width(column->title), 1);
        for (guint k = 0; k < table->rows->len; k++) {
            const Row *row = g_ptr_array_index(table->rows, k);
            if (i < row->cells->len) {
                widths[i] = MAX(widths[i], fm_text_width(g_ptr_array_index(row->cells, i)));
            }
        }
    }
    return widths;
}

static unsigned
total_width(const FmTextTable *table, const unsigned *widths)
{
    unsigned total = 0;

    for (guint i = 0; i < table->columns->len; i++) {
        total += widths[i] > 0 ? widths[i] + GAP : 0;
    }
    return total > GAP ? total - GAP : 0;
}

/* Drops the column of the highest rank; false when none may go. */
static bool
drop_one(const FmTextTable *table, unsigned *widths)
{
    guint worst = 0;
    unsigned rank = 0;

    for (guint i = 0; i < table->columns->len; i++) {
        const Column *column = g_ptr_array_index(table->columns, i);
        if (widths[i] > 0 && column->rank > rank) {
            rank = column->rank;
            worst = i;
        }
    }
    if (rank == 0) {
        return false;
    }
    widths[worst] = 0;
    return true;
}

static void
print_cell(GString *line, const Column *column, const char *text, unsigned width)
{
    unsigned missing = width - MIN(width, fm_text_width(text));

    g_string_append_printf(line, "%*s", column->is_left ? 0 : (int)missing, "");
    g_string_append(line, text);
    g_string_append_printf(line, "%*s", GAP + (column->is_left ? (int)missing : 0), "");
}

/* Without blanks at the end. */
static void
end_line(GString *line, GString *out)
{
    while (line->len > 0 && line->str[line->len - 1] == ' ') {
        g_string_truncate(line, line->len - 1);
    }
    g_string_append(out, line->str);
    g_string_append_c(out, '\n');
    g_string_truncate(line, 0);
}

void
fm_text_table_print(const FmTextTable *table, unsigned width, GString *out)
{
    g_autofree unsigned *widths = measure(table);
    g_autoptr(GString) line = g_string_new(NULL);

    while (width > 0 && total_width(table, widths) > width && drop_one(table, widths)) {
    }
    for (guint i = 0; i < table->columns->len; i++) {
        const Column *column = g_ptr_array_index(table->columns, i);
        if (widths[i] > 0) {
            print_cell(line, column, column->title, widths[i]);
        }
    }
    end_line(line, out);
    for (guint k = 0; k < table->rows->len; k++) {
        const Row *row = g_ptr_array_index(table->rows, k);
        if (row->heading != NULL) {
            g_string_append(line, row->heading);
        }
        for (guint i = 0; i < MIN(row->cells->len, table->columns->len); i++) {
            if (widths[i] > 0) {
                print_cell(line, g_ptr_array_index(table->columns, i),
                           g_ptr_array_index(row->cells, i), widths[i]);
            }
        }
        end_line(line, out);
    }
}
