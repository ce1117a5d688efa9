/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells are made once for a row and kept: a histogram takes a millisecond to read.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/step-list.h"

#include "analysis/percentiles.h"
#include "base/label.h"
#include "base/text.h"
#include "ui/run-summary.h"

#include <glib/gi18n.h>
#include <math.h>

struct _FmStepRow {
    GObject parent_instance;
    FmLoadedRun *loaded;
    const FmRunStep *step;
    char *cells[FM_N_STEP_COLUMNS]; /* all NULL until one is asked for */
};

G_DEFINE_FINAL_TYPE(FmStepRow, fm_step_row, G_TYPE_OBJECT)

static const char *const titles[FM_N_STEP_COLUMNS] = {
    [FM_STEP_NUMBER] = N_("Step"),   [FM_STEP_NAME] = N_("What"),    [FM_STEP_MEGABYTES] = "MB/s",
    [FM_STEP_IOPS] = "IOPS",         [FM_STEP_MEAN] = N_("Mean µs"), [FM_STEP_P50] = "P50 µs",
    [FM_STEP_P99] = "P99 µs",        [FM_STEP_P99_9] = "P99.9 µs",   [FM_STEP_MAX] = N_("Max µs"),
    [FM_STEP_ERRORS] = N_("Errors"), [FM_STEP_ENDED] = N_("Ended"),
};

const char *
fm_step_column_get_title(FmStepColumn column)
{
    return _(titles[column]);
}

bool
fm_step_column_is_text(FmStepColumn column)
{
    return column == FM_STEP_NAME || column == FM_STEP_ENDED;
}

static void
fm_step_row_finalize(GObject *object)
{
    FmStepRow *row = FM_STEP_ROW(object);

    for (int i = 0; i < FM_N_STEP_COLUMNS; i++) {
        g_free(row->cells[i]);
    }
    g_clear_pointer(&row->loaded, fm_loaded_run_unref);
    G_OBJECT_CLASS(fm_step_row_parent_class)->finalize(object);
}

static void
fm_step_row_class_init(FmStepRowClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = fm_step_row_finalize;
}

static void
fm_step_row_init(FmStepRow *row)
{
}

/* --- Cells ------------------------------------------------------------------------------- */

static char *
dup_microseconds(double ns)
{
    double us = ns / 1000;

    return fm_label_dup_decimal(us, us < 1000 ? 2 : us < 10000 ? 1 : 0);
}

static char *
dup_percentile(const FmPercentiles *percentiles, FmPercentileIndex index)
{
    const FmPercentile *value = &percentiles->values[index];

    return dup_microseconds(percentiles->n > 0 && value->is_sufficient ? (double)value->ns : NAN);
}

static char *
dup_name(const FmRunStep *step)
{
    const char *name = step->label != NULL ? step->label : step->path;
    g_autofree char *text = step->label != NULL && step->path != NULL
                                ? g_strdup_printf("%s (%s)", step->label, step->path)
                                : g_strdup(name != NULL ? name : "");

    return fm_text_dup_printable(text);
}

static char *
dup_ended(const FmRunStep *step)
{
    g_autofree char *reason = fm_run_summary_dup_sentence(step->end, "reason");

    if (!step->ended) {
        return g_strdup(_("cut off"));
    }
    const char *outcome = fm_run_summary_get_outcome(step->outcome);
    return reason != NULL ? g_strdup_printf("%s: %s", outcome, reason) : g_strdup(outcome);
}

static void
fill_rates(FmStepRow *row)
{
    const FmRunStep *step = row->step;
    double seconds = step->ended && step->measured_ns > 0 ? (double)step->measured_ns / 1e9 : NAN;
    double bytes = 0;
    double ios = 0;
    double latency_ns = 0;

    for (int op = 0; op < FM_N_OPS; op++) {
        bytes += (double)step->bytes[op];
        ios += (double)step->ios[op];
        latency_ns += (double)step->latency_sum_ns[op];
    }
    row->cells[FM_STEP_MEGABYTES] = fm_label_dup_decimal(bytes / seconds / 1e6, 2);
    row->cells[FM_STEP_IOPS] = fm_label_dup_decimal(ios / seconds, 0);
    row->cells[FM_STEP_MEAN] = dup_microseconds(ios > 0 && step->ended ? latency_ns / ios : NAN);
}

static void
fill(FmStepRow *row)
{
    const FmRunStep *step = row->step;
    FmPercentiles percentiles = {0};

    fm_percentiles_of_step(step, FM_N_OPS, &percentiles);
    row->cells[FM_STEP_NUMBER] = g_strdup_printf("%u", step->number);
    row->cells[FM_STEP_NAME] = dup_name(step);
    fill_rates(row);
    row->cells[FM_STEP_P50] = dup_percentile(&percentiles, FM_P50);
    row->cells[FM_STEP_P99] = dup_percentile(&percentiles, FM_P99);
    row->cells[FM_STEP_P99_9] = dup_percentile(&percentiles, FM_P99_9);
    row->cells[FM_STEP_MAX] =
        dup_microseconds(percentiles.n > 0 ? (double)percentiles.max_ns : NAN);
    row->cells[FM_STEP_ERRORS] =
        step->ended ? fm_label_dup_grouped(step->errors) : g_strdup(FM_LABEL_UNKNOWN);
    row->cells[FM_STEP_ENDED] = dup_ended(step);
}

const char *
fm_step_row_get_text(FmStepRow *row, FmStepColumn column)
{
    g_return_val_if_fail(FM_IS_STEP_ROW(row), NULL);
    if (row->cells[FM_STEP_NUMBER] == NULL) {
        fill(row);
    }
    return row->cells[column];
}

GListModel *
fm_step_list_new(FmLoadedRun *loaded)
{
    GListStore *list = g_list_store_new(FM_TYPE_STEP_ROW);
    const GPtrArray *steps = fm_loaded_run_get_run(loaded)->steps;

    for (guint i = 0; i < steps->len; i++) {
        g_autoptr(FmStepRow) row = g_object_new(FM_TYPE_STEP_ROW, NULL);
        row->loaded = fm_loaded_run_ref(loaded);
        row->step = g_ptr_array_index(steps, i);
        g_list_store_append(list, row);
    }
    return G_LIST_MODEL(list);
}
