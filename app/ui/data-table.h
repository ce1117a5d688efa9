/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plotted numbers of one panel as a list of rows, made while they are looked at: what a
 * reader who does not see the figure reads instead.  A list model of FmDataRow; needs no
 * display.  Main thread.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "plot/figure.h"

G_BEGIN_DECLS

#define FM_TYPE_DATA_ROW (fm_data_row_get_type())
G_DECLARE_FINAL_TYPE(FmDataRow, fm_data_row, FM, DATA_ROW, GObject)

#define FM_TYPE_DATA_TABLE (fm_data_table_get_type())
G_DECLARE_FINAL_TYPE(FmDataTable, fm_data_table, FM, DATA_TABLE, GObject)

/* Shares @figure. */
FmDataTable *fm_data_table_new(FmFigure *figure, unsigned panel);

unsigned fm_data_table_get_n_columns(FmDataTable *table);
/* "Throughput (MB/s)". */
const char *fm_data_table_get_title(FmDataTable *table, unsigned column);
/* Words, to be set to the left; numbers stand to the right. */
bool fm_data_table_is_text(FmDataTable *table, unsigned column);

/* The cell; "–" where there is no value.  Caller frees. */
char *fm_data_row_dup_text(FmDataRow *row, unsigned column);

G_END_DECLS
