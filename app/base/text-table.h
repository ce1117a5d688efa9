/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table of text cells for a terminal or other text of equal places: columns as wide as their
 * widest cell, the first to the left and the others to the right, dropped by rank where the
 * terminal is too narrow.  Hangul and other wide characters take two places.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct FmTextTable FmTextTable;

FmTextTable *fm_text_table_new(void);
void fm_text_table_free(FmTextTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmTextTable, fm_text_table_free)

/* Adds a column.  Those of the highest @rank go first when there is no room; 0 stays. */
void fm_text_table_add_column(FmTextTable *table, const char *title, unsigned rank);
/* The column that was added last stands to the left. */
void fm_text_table_align_left(FmTextTable *table);
/* Begins a row; its cells follow in the order of the columns. */
void fm_text_table_begin_row(FmTextTable *table);
/* Takes @text. */
void fm_text_table_take_cell(FmTextTable *table, char *text);
/* A line of its own between rows, such as the name of a group. */
void fm_text_table_add_heading(FmTextTable *table, const char *text);

/* Appends the table, at most @width places wide if the columns allow (0 = any). */
void fm_text_table_print(const FmTextTable *table, unsigned width, GString *out);

/* Places that @text takes on a terminal. */
unsigned fm_text_width(const char *text);

/*
 * Appends @text, which starts at place @indent of its line.  Words that would pass place
 * @columns (0 = any) begin a new line there; what is too long for a line stays whole.
 */
void fm_text_append_wrapped(GString *out, const char *text, unsigned indent, unsigned columns);

G_END_DECLS
