/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything that a run recorded about itself as rows of name and value: a list model of
 * FmFactRow.  Needs no display.  Main thread.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "model/run.h"

G_BEGIN_DECLS

#define FM_TYPE_FACT_ROW (fm_fact_row_get_type())
G_DECLARE_FINAL_TYPE(FmFactRow, fm_fact_row, FM, FACT_ROW, GObject)

/* Begins a section: only the name means anything. */
bool fm_fact_row_is_heading(FmFactRow *row);
const char *fm_fact_row_get_name(FmFactRow *row);
/* For what is not known the reason, in brackets. */
const char *fm_fact_row_get_value(FmFactRow *row);

/* Run, drive, target, machine, notes, damage.  Owned by the caller. */
GListModel *fm_fact_list_new(const FmRun *run);
/* The same as lines "name: value".  Caller frees. */
char *fm_fact_list_dup_text(GListModel *list);

G_END_DECLS
