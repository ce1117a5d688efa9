/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as tables for spreadsheets and scripts (RFC 4180).  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/export.h"

#include "analysis/percentiles.h"
#include "model/plan.h"
#include "model/tick.h"
#include "store/digits.h"

#include <math.h>
#include <string.h>

#define LINE_END "\r\n"

/* --- Fields ----------------------------------------------------------------------- */

/* Every field is followed by a comma; the last one's becomes the end of the line. */
static void
end_line(GString *out)
{
    g_string_truncate(out, out->len - 1);
    g_string_append(out, LINE_END);
}

static void
add_text(GString *out, const char *text)
{
    if (text == NULL) {
        g_string_append_c(out, ',');
        return;
    }
    if (strpbrk(text, ",\"\r\n") == NULL) {
        g_string_append(out, text);
    } else {
        g_string_append_c(out, '"');
        for (; *text != '\0'; text++) {
            if (*text == '"') {
                g_string_append_c(out, '"');
            }
            g_string_append_c(out, *text);
        }
        g_string_append_c(out, '"');
    }
    g_string_append_c(out, ',');
}

static void
add_count(GString *out, uint64_t value)
{
    fm_digits_append(out, value);
    g_string_append_c(out, ',');
}

/* Empty where it is not a finite number. */
static void
add_decimal(GString *out, double value, unsigned decimals)
{
    fm_digits_append_decimal(out, value, decimals);
    g_string_append_c(out, ',');
}

/* --- One row a step and op ------------------------------------------------------- */

static const char result_head[] =
    "step,session,path,kind,label,workload,parameters,discard,op,pattern,block_bytes,in_flight,"
    "threads,backend,mode,verdict,outcome,ended_by,seconds,ios,bytes,mb_per_s,iops,mean_us,"
    "deviation_us,"
    "min_us,p50_us,p90_us,p99_us,p99_9_us,p99_99_us,p99_999_us,p99_9999_us,p99_99999_us,max_us,"
    "in_flight_mean,cpu_ns_per_io,errors,host_limited,disturbed,foreign_bytes,note" LINE_END;

/* "in-flight=8;run=2". */
static char *
dup_parameters(const FmRunStep *step)
{
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < g_variant_n_children(step->parameters); i++) {
        g_autoptr(GVariant) value = NULL;
        const char *name;
        g_variant_get_child(step->parameters, i, "{&sv}", &name, &value);
        g_autofree char *printed = g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)
                                       ? g_variant_dup_string(value, NULL)
                                       : g_variant_print(value, FALSE);
        g_string_append_printf(text, "%s%s=%s", i > 0 ? ";" : "", name, printed);
    }
    return g_string_free(text, FALSE);
}

/* The pattern of all streams, or "mixed". */
static const char *
get_pattern(const FmRunStep *step)
{
    const char *pattern = step->n_streams > 0 ? step->streams[0].pattern : NULL;

    for (unsigned i = 1; i < step->n_streams; i++) {
        if (g_strcmp0(step->streams[i].pattern, pattern) != 0) {
            return "mixed";
        }
    }
    return pattern;
}

static void
add_setup(GString *out, const FmRun *run, const FmRunStep *step, const char *op)
{
    g_autofree char *parameters = dup_parameters(step);
    uint32_t block = fm_run_step_get_block(step);

    add_count(out, step->number);
    add_count(out, step->session);
    add_text(out, step->path);
    add_text(out, step->kind);
    add_text(out, step->label);
    add_text(out, step->workload);
    add_text(out, parameters);
    add_text(out, step->discard ? "1" : "0");
    add_text(out, op);
    add_text(out, get_pattern(step));
    if (block > 0) {
        add_count(out, block);
    } else {
        add_text(out, NULL);
    }
    add_count(out, step->in_flight);
    add_count(out, step->threads);
    add_text(out, step->backend);
    add_text(out, step->mode);
    /* In every row: a row that is copied elsewhere still says that it is memory's. */
    add_text(out, run->verdict);
    add_text(out, step->ended ? step->outcome : "cut off");
    add_text(out, step->ended_by);
}

static void
add_latency(GString *out, const FmRunStep *step, unsigned op)
{
    FmPercentiles percentiles;
    bool is_known = fm_percentiles_of_step(step, op, &percentiles) && percentiles.n > 0;

    add_decimal(out, is_known ? percentiles.mean_ns / 1000 : NAN, 3);
    add_decimal(out, is_known ? percentiles.deviation_ns / 1000 : NAN, 3);
    add_decimal(out, is_known ? (double)percentiles.min_ns / 1000 : NAN, 3);
    for (unsigned i = 0; i < FM_N_PERCENTILES; i++) {
        bool is_shown = is_known && percentiles.values[i].is_sufficient;
        add_decimal(out, is_shown ? (double)percentiles.values[i].ns / 1000 : NAN, 3);
    }
    add_decimal(out, is_known ? (double)percentiles.max_ns / 1000 : NAN, 3);
}

static uint64_t
add_up(const uint64_t counts[FM_N_OPS])
{
    uint64_t sum = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        sum += counts[op];
    }
    return sum;
}

/* Empty where it can't be told. */
static void
add_disturbance(GString *out, const FmRunStep *step)
{
    if (step->foreign_bytes < 0) {
        add_text(out, NULL);
        add_text(out, NULL);
        return;
    }
    add_text(out, step->is_disturbed ? "1" : "0");
    add_count(out, (uint64_t)step->foreign_bytes);
}

/* The row of @op; FM_N_OPS = of all together. */
static void
add_result(GString *out, const FmRun *run, const FmRunStep *step, unsigned op)
{
    double seconds = step->ended && step->measured_ns > 0 ? (double)step->measured_ns / 1e9 : NAN;
    uint64_t all = add_up(step->ios);
    uint64_t ios = op < FM_N_OPS ? step->ios[op] : all;
    uint64_t bytes = op < FM_N_OPS ? step->bytes[op] : add_up(step->bytes);

    add_setup(out, run, step, op < FM_N_OPS ? fm_op_name((FmOp)op) : "all");
    add_decimal(out, seconds, 6);
    add_count(out, ios);
    add_count(out, bytes);
    add_decimal(out, (double)bytes / 1e6 / seconds, 3);
    add_decimal(out, (double)ios / seconds, 3);
    add_latency(out, step, op);
    add_decimal(out, step->in_flight_mean, 3);
    add_decimal(out, step->cpu_ns >= 0 && all > 0 ? (double)step->cpu_ns / (double)all : NAN, 1);
    add_count(out, step->errors);
    add_text(out, step->host_limited ? "1" : "0");
    add_disturbance(out, step);
    bool has_reason = *fm_message_get_text(step->reason) != '\0';
    add_text(out, fm_message_get_text(has_reason ? step->reason : step->host_limited_reason));
    end_line(out);
}

static void
add_step(GString *out, const FmRun *run, const FmRunStep *step)
{
    unsigned n_ops = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (step->ios[op] > 0) {
            add_result(out, run, step, op);
            n_ops++;
        }
    }
    /* A step in which nothing completed keeps its line. */
    if (n_ops != 1) {
        add_result(out, run, step, FM_N_OPS);
    }
}

char *
fm_export_csv(const FmRun *run, GError **error)
{
    GString *out = g_string_new(result_head);

    for (guint i = 0; i < run->steps->len; i++) {
        add_step(out, run, g_ptr_array_index(run->steps, i));
    }
    return g_string_free(out, FALSE);
}

/* --- The 100 ms rows ------------------------------------------------------------- */

static const char tick_head[] =
    "step,session,path,end_s,ramp,partial,paused,late,read_ios,read_bytes,read_latency_mean_us,"
    "read_latency_max_us,write_ios,write_bytes,write_latency_mean_us,write_latency_max_us,"
    "trim_ios,flush_ios,errors,temperature_c,cpu_percent" LINE_END;

static void
add_direction(GString *out, uint32_t ios, const FmTickDirection *direction)
{
    add_count(out, ios);
    add_count(out, direction->bytes);
    add_decimal(out, ios > 0 ? (double)direction->latency_sum_ns / ios / 1000 : NAN, 3);
    add_decimal(out, ios > 0 ? (double)direction->latency_max_ns / 1000 : NAN, 3);
}

static void
add_tick(GString *out, const FmRunStep *step, const FmTick *tick)
{
    static const unsigned flags[] = {FM_TICK_RAMP, FM_TICK_PARTIAL, FM_TICK_PAUSED, FM_TICK_LATE};

    add_count(out, step->number);
    add_count(out, step->session);
    add_text(out, step->path);
    add_decimal(out, (double)tick->end_ns / 1e9, 6);
    for (gsize i = 0; i < G_N_ELEMENTS(flags); i++) {
        add_text(out, (tick->flags & flags[i]) != 0 ? "1" : "0");
    }
    add_direction(out, tick->read_ios, &tick->read);
    add_direction(out, tick->write_ios, &tick->write);
    add_count(out, tick->trim_ios);
    add_count(out, tick->flush_ios);
    add_count(out, tick->errors);
    add_decimal(
        out, tick->temperature_dc != FM_TEMPERATURE_UNKNOWN ? tick->temperature_dc / 10.0 : NAN, 1);
    add_decimal(out, tick->cpu_permille != FM_CPU_UNKNOWN ? tick->cpu_permille / 10.0 : NAN, 1);
    end_line(out);
}

void
fm_export_take_ticks(GString *out, FmRun *run, bool is_whole)
{
    for (guint i = 0; i < run->steps->len; i++) {
        FmRunStep *step = g_ptr_array_index(run->steps, i);
        bool is_open = !is_whole && i + 1 == run->steps->len;
        /* Rows of the last step may still come late, or twice. */
        guint n_kept = is_open ? MIN(step->ticks->len, (guint)FM_RUN_LATE_ROWS + 1) : 0;
        guint n_taken = step->ticks->len - n_kept;
        for (guint k = 0; k < n_taken; k++) {
            add_tick(out, step, &g_array_index(step->ticks, FmTick, k));
        }
        g_array_remove_range(step->ticks, 0, n_taken);
    }
}

const char *
fm_export_get_ticks_head(void)
{
    return tick_head;
}
