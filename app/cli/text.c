/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables and values as a terminal shows them.  A Hangul syllable is two columns wide,
 * so cells are padded by width, never by characters.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/text-table.h"
#include "base/text.h"
#include "cli/cli.h"
#include "platform/process.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

struct FmCliTable {
    unsigned n_columns;
    unsigned elastic; /* column that gives way; @n_columns = none */
    GPtrArray *cells; /* of char *, row by row */
};

unsigned
fm_cli_get_width(const char *text)
{
    unsigned width = 0;

    for (const char *p = text; *p != '\0'; p = g_utf8_next_char(p)) {
        gunichar c = g_utf8_get_char(p);
        if (!g_unichar_iszerowidth(c)) {
            width += g_unichar_iswide(c) ? 2 : 1;
        }
    }
    return width;
}

unsigned
fm_cli_get_columns(void)
{
    return plat_process_get_columns(STDOUT_FILENO);
}

char *
fm_cli_dup_first_sentence(const char *text)
{
    const char *end = strstr(text, ". ");

    return end != NULL ? g_strndup(text, (gsize)(end + 1 - text)) : g_strdup(text);
}

char *
fm_cli_dup_date(int64_t wall_us)
{
    if (wall_us <= 0) {
        return g_strdup(_("unknown"));
    }
    g_autoptr(GDateTime) date = g_date_time_new_from_unix_local(wall_us / G_USEC_PER_SEC);
    return date != NULL ? g_date_time_format(date, "%Y-%m-%d %H:%M") : g_strdup(_("unknown"));
}

FmCliTable *
fm_cli_table_new(unsigned n_columns)
{
    FmCliTable *table = g_new0(FmCliTable, 1);

    table->n_columns = n_columns;
    table->elastic = n_columns;
    table->cells = g_ptr_array_new_with_free_func(g_free);
    return table;
}

void
fm_cli_table_free(FmCliTable *table)
{
    if (table != NULL) {
        g_ptr_array_unref(table->cells);
        g_free(table);
    }
}

void
fm_cli_table_add(FmCliTable *table, const char *text)
{
    g_ptr_array_add(table->cells, fm_text_dup_printable(text != NULL ? text : "–"));
}

void
fm_table_set_elastic(FmCliTable *table, unsigned column)
{
    g_return_if_fail(column + 1 < table->n_columns);

    table->elastic = column;
}

static const char *
get_cell(const FmCliTable *table, unsigned row, unsigned column)
{
    return (const char *)g_ptr_array_index(table->cells, row * table->n_columns + column);
}

/* Widths of all columns, the blanks after them included; the last one is 0. */
static unsigned *
dup_widths(const FmCliTable *table, unsigned n_rows)
{
    unsigned *widths = g_new0(unsigned, table->n_columns);

    for (unsigned row = 0; row < n_rows; row++) {
        for (unsigned column = 0; column + 1 < table->n_columns; column++) {
            unsigned width = fm_cli_get_width(get_cell(table, row, column)) + 2;
            widths[column] = MAX(widths[column], width);
        }
    }
    return widths;
}

/* Of the words between blanks. */
static unsigned
get_widest_word(const char *text)
{
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    unsigned widest = 0;

    for (char **word = words; *word != NULL; word++) {
        widest = MAX(widest, fm_cli_get_width(*word));
    }
    return widest;
}

/* Narrows the elastic column so that the last one keeps its words whole within @columns. */
static void
squeeze(const FmCliTable *table, unsigned *widths, unsigned n_rows, unsigned columns)
{
    enum { MIN_ELASTIC = 12 };
    unsigned needed = 0;

    if (columns == 0 || table->elastic == table->n_columns) {
        return;
    }
    for (unsigned row = 0; row < n_rows; row++) {
        needed = MAX(needed, get_widest_word(get_cell(table, row, table->n_columns - 1)));
    }
    for (unsigned column = 0; column + 1 < table->n_columns; column++) {
        needed += widths[column];
    }
    unsigned *width = &widths[table->elastic];
    if (needed > columns && *width > MIN_ELASTIC) {
        *width = MAX(*width - MIN(needed - columns, *width), MIN_ELASTIC);
    }
}

/* @text, with "…" for its middle where it is wider than @width. */
static char *
dup_without_middle(const char *text, unsigned width)
{
    const char *head = text;
    const char *tail = text + strlen(text);
    unsigned head_width = (width - 1) / 2;
    unsigned tail_width = width - 1 - head_width;

    if (fm_cli_get_width(text) <= width) {
        return g_strdup(text);
    }
    for (unsigned taken = 0; head < tail; head = g_utf8_next_char(head)) {
        taken += g_unichar_iswide(g_utf8_get_char(head)) ? 2 : 1;
        if (taken > head_width) {
            break;
        }
    }
    for (unsigned taken = 0; tail > head;) {
        const char *previous = g_utf8_prev_char(tail);
        taken += g_unichar_iswide(g_utf8_get_char(previous)) ? 2 : 1;
        if (taken > tail_width) {
            break;
        }
        tail = previous;
    }
    return g_strdup_printf("%.*s…%s", (int)(head - text), text, tail);
}

static void
append_cell(GString *out, const char *cell, unsigned width)
{
    g_autofree char *shown = dup_without_middle(cell, width - 2);

    g_string_append_printf(out, "%s%*s", shown, (int)(width - fm_cli_get_width(shown)), "");
}

char *
fm_cli_table_format(const FmCliTable *table, unsigned columns)
{
    /* Less than this is no column to read in: such a terminal breaks the lines itself. */
    enum { MIN_WRAPPED = 20 };
    unsigned n_rows = table->cells->len / table->n_columns;
    g_autofree unsigned *widths = dup_widths(table, n_rows);
    GString *text = g_string_new(NULL);
    unsigned indent = 0;

    squeeze(table, widths, n_rows, columns);
    for (unsigned column = 0; column + 1 < table->n_columns; column++) {
        indent += widths[column];
    }
    for (unsigned row = 0; row < n_rows; row++) {
        for (unsigned column = 0; column + 1 < table->n_columns; column++) {
            append_cell(text, get_cell(table, row, column), widths[column]);
        }
        fm_text_append_wrapped(text, get_cell(table, row, table->n_columns - 1), indent,
                               indent + MIN_WRAPPED <= columns ? columns : 0);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

void
fm_cli_table_print(const FmCliTable *table)
{
    g_autofree char *text = fm_cli_table_format(table, fm_cli_get_columns());

    g_print("%s", text);
}
