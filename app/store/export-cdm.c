/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The column layout of CrystalDiskMark's text export, so that everything that reads
 * those files reads ours, and our own name on top, so that nobody takes one for the
 * other (METHODOLOGY 8).  Rows without a result are dashes: that program prints 0.000
 * for "not run", which readers have taken for the best latency ever.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "store/export.h"

#include "analysis/cdm.h"
#include "base/error.h"
#include "base/json.h"
#include "base/label.h"
#include "base/text.h"
#include "base/units.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

static const char rule[] =
    "------------------------------------------------------------------------------\n";

/* --- Which runs --------------------------------------------------------------------- */

/* The root object of the plan's canonical text, or NULL. */
static json_t *
parse_plan(const FmRun *run)
{
    if (run->plan_text == NULL) {
        return NULL;
    }
    return fm_json_parse(run->plan_text, strlen(run->plan_text), "plan", NULL);
}

static bool
is_cdm_plan(const FmRun *run, const json_t *plan)
{
    const char *workload = json_string_value(json_object_get(plan, "workload"));

    return g_strcmp0(workload, "C-CDM") == 0 ||
           (run->plan_id != NULL && g_str_has_prefix(run->plan_id, "cdm-"));
}

/* --- Rows --------------------------------------------------------------------------- */

/* A number in CrystalDiskMark's form, or a dash in its place. */
static char *
dup_number(double value, FmCdmForm form)
{
    return isfinite(value) ? fm_label_dup_cdm(value, form) : g_strdup("        -");
}

static void
append_row(GString *out, const FmCdmRow *row)
{
    bool is_mib = row->block >= 1024 * 1024 && row->block % (1024 * 1024) == 0;
    g_autofree char *rate = dup_number(row->score.best, FM_CDM_TEXT_MB);
    g_autofree char *iops = dup_number(row->score.best_iops, FM_CDM_TEXT_IOPS);
    g_autofree char *latency = dup_number(row->score.lowest_mean_ns, FM_CDM_TEXT_US);

    g_string_append_printf(out, "  %s %4u%s (Q=%3u, T=%2u): %s MB/s [%s IOPS] <%s us>\n",
                           row->is_random ? "RND" : "SEQ",
                           is_mib ? row->block / (1024 * 1024) : row->block / 1024,
                           is_mib ? "MiB" : "KiB", row->depth, row->threads, rate, iops, latency);
}

static void
append_section(GString *out, const FmCdmTable *table, FmCdmGroup group)
{
    bool is_first = true;

    for (guint i = 0; i < table->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(table->rows, i);
        if (row->group != group) {
            continue;
        }
        if (is_first && group == FM_CDM_MIX) {
            unsigned reads = (row->read_share + 50) / 100;
            g_string_append_printf(out, "\n[Mix] Read %u%%/Write %u%%\n", reads, 100 - reads);
        } else if (is_first) {
            g_string_append(out, group == FM_CDM_READ ? "\n[Read]\n" : "\n[Write]\n");
        }
        is_first = false;
        append_row(out, row);
    }
}

/* What that layout has no column for. */
static void
append_problems(GString *out, const FmCdmTable *table)
{
    for (guint i = 0; i < table->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(table->rows, i);
        if (row->problem != NULL) {
            g_autofree char *name = fm_cdm_row_dup_name(row);
            g_autofree char *problem = fm_text_dup_printable(fm_message_get_text(row->problem));
            g_string_append_printf(out, "* %s: %s\n", name, problem);
        }
        if (row->is_disturbed) {
            g_autofree char *name = fm_cdm_row_dup_name(row);
            g_string_append_printf(out, "* %s: %s\n", name,
                                   _("other programs used the drive meanwhile"));
        }
    }
}

/* --- Footer ------------------------------------------------------------------------- */

static void
append_footer_line(GString *out, const char *key, const char *text)
{
    g_autofree char *printable = fm_text_dup_printable(text);

    g_string_append_printf(out, "%7s: %s\n", key, printable);
}

static void
append_test(GString *out, const FmRun *run, const FmCdmTable *table)
{
    g_autofree char *size = fm_units_dup_size(run->target_size);
    unsigned n_results = 0;

    for (guint i = 0; i < table->rows->len; i++) {
        const FmCdmRow *row = g_ptr_array_index(table->rows, i);
        n_results = MAX(n_results, row->n_results);
    }
    g_autofree char *text =
        g_strdup_printf("%s (x%u) [%s]", run->target_size > 0 ? size : "-", n_results,
                        run->target_path != NULL ? run->target_path : "-");
    append_footer_line(out, "Test", text);
}

/* What CrystalDiskMark leaves out, and a forum asks for first. */
static void
append_drive(GString *out, const FmRun *run)
{
    const char *model = fm_facts_get_string(run->drive, "drive.model");
    uint64_t size;

    if (model == NULL) {
        return;
    }
    if (!fm_facts_get_uint(run->drive, "drive.size-bytes", &size)) {
        append_footer_line(out, "Drive", model);
        return;
    }
    g_autofree char *capacity = fm_label_dup_capacity(size, true);
    g_autofree char *text = g_strdup_printf("%s [%s]", model, capacity);
    append_footer_line(out, "Drive", text);
}

/* How the numbers came about, where CrystalDiskMark has "[Admin]". */
static void
append_mode(GString *out, const FmRun *run)
{
    const FmRunStep *step = run->steps->len > 0 ? g_ptr_array_index(run->steps, 0) : NULL;
    bool has_mode = step != NULL && step->backend != NULL && step->mode != NULL;
    g_autofree char *text =
        g_strdup_printf("%s%s%s, %s%s", has_mode ? step->backend : "unknown", has_mode ? " " : "",
                        has_mode ? step->mode : "", run->verdict != NULL ? run->verdict : "unknown",
                        g_strcmp0(run->target_kind, "model") == 0 ? ", SIMULATED" : "");

    append_footer_line(out, "Mode", text);
}

/* Length of the repetitions of the first row that was scored. */
static double
get_measured_seconds(const FmRun *run)
{
    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        if (step->ended && !step->discard && g_strcmp0(step->outcome, "complete") == 0) {
            return (double)step->measured_ns / 1e9;
        }
    }
    return NAN;
}

static void
append_time(GString *out, const FmRun *run, const json_t *plan)
{
    double seconds = get_measured_seconds(run);
    g_autofree char *measured = fm_label_dup_decimal(seconds, seconds < 1 ? 1 : 0);
    const char *between = json_string_value(json_object_get(plan, "between"));
    int64_t interval_ns = 0;

    if (between != NULL && !fm_units_parse_duration(between, &interval_ns, NULL)) {
        interval_ns = 0;
    }
    g_autofree char *text =
        plan != NULL ? g_strdup_printf("Measure %s sec / Interval %" G_GINT64_FORMAT " sec",
                                       measured, interval_ns / (1000 * 1000 * 1000))
                     : g_strdup_printf("Measure %s sec", measured);
    append_footer_line(out, "Time", text);
}

static void
append_date(GString *out, const FmRun *run)
{
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(run->wall_us / G_USEC_PER_SEC);
    g_autoptr(GDateTime) time = utc != NULL ? g_date_time_to_local(utc) : NULL;

    if (run->wall_us <= 0 || time == NULL) {
        append_footer_line(out, "Date", "-");
        return;
    }
    g_autofree char *text = g_strdup_printf(
        "%04d/%02d/%02d %d:%02d:%02d", g_date_time_get_year(time), g_date_time_get_month(time),
        g_date_time_get_day_of_month(time), g_date_time_get_hour(time),
        g_date_time_get_minute(time), g_date_time_get_second(time));
    append_footer_line(out, "Date", text);
}

static void
append_os(GString *out, const FmRun *run)
{
    const char *name = fm_facts_get_string(run->environment, "os.name");
    const char *kernel = fm_facts_get_string(run->environment, "kernel.release");
    g_autofree char *text =
        g_strdup_printf("%s [%s]", name != NULL ? name : "-", kernel != NULL ? kernel : "-");

    append_footer_line(out, "OS", text);
}

/* --- The whole ---------------------------------------------------------------------- */

char *
fm_export_cdm(const FmRun *run, GError **error)
{
    json_auto_t *plan = parse_plan(run);
    g_autoptr(FmCdmTable) table = fm_cdm_table_new(run);

    if (!is_cdm_plan(run, plan) || table->rows->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Only runs of the cdm plans fit CrystalDiskMark's layout, and this one ran "
                     "“%s”; “--format text” shows it",
                     run->plan_id != NULL ? run->plan_id : "?");
        return NULL;
    }

    GString *out = g_string_new(rule);
    g_autofree char *version = fm_text_dup_printable(run->version != NULL ? run->version : "-");
    g_string_append_printf(out, "Fathom %s\n", version);
    g_string_append(out,
                    "CDM-style: our own engine in CrystalDiskMark's layout, not CrystalDiskMark\n");
    g_string_append(out, rule);
    g_string_append(out, "* MB/s = 1,000,000 bytes/s\n* KB = 1000 bytes, KiB = 1024 bytes\n");
    g_string_append(out, "* best of the repetitions; latency: lowest of their averages\n");
    append_problems(out, table);
    append_section(out, table, FM_CDM_READ);
    append_section(out, table, FM_CDM_WRITE);
    append_section(out, table, FM_CDM_MIX);
    g_string_append_c(out, '\n');
    append_footer_line(out, "Profile", run->plan_name != NULL ? run->plan_name : run->plan_id);
    append_drive(out, run);
    append_test(out, run, table);
    append_mode(out, run);
    append_time(out, run, plan);
    append_date(out, run);
    append_os(out, run);
    return g_string_free(out, FALSE);
}
