/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a run as rows of text cells: a list model of FmStepRow.  What has to be worked
 * out of a histogram is worked out when the row is looked at.  Needs no display.  Main thread.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "ui/loaded-run.h"

G_BEGIN_DECLS

typedef enum {
    FM_STEP_NUMBER,
    FM_STEP_NAME,
    FM_STEP_MEGABYTES,
    FM_STEP_IOPS,
    FM_STEP_MEAN,
    FM_STEP_P50,
    FM_STEP_P99,
    FM_STEP_P99_9,
    FM_STEP_MAX,
    FM_STEP_ERRORS,
    FM_STEP_ENDED,
    FM_N_STEP_COLUMNS,
} FmStepColumn;

#define FM_TYPE_STEP_ROW (fm_step_row_get_type())
G_DECLARE_FINAL_TYPE(FmStepRow, fm_step_row, FM, STEP_ROW, GObject)

/* "MB/s"; static. */
const char *fm_step_column_get_title(FmStepColumn column);
bool fm_step_column_is_text(FmStepColumn column);
/* "–" for what is not known.  Owned by the row. */
const char *fm_step_row_get_text(FmStepRow *row, FmStepColumn column);

/* Shares @loaded.  Owned by the caller. */
GListModel *fm_step_list_new(FmLoadedRun *loaded);

G_END_DECLS
