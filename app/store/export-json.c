/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as JSON.  Steps are written one after the other, and their rows by hand, because
 * a day of rows as jansson objects would take half a gigabyte.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/export.h"

#include "analysis/percentiles.h"
#include "base/json.h"
#include "model/plan.h"
#include "model/tick.h"
#include "store/digits.h"
#include "store/json-variant.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

enum {
    FORMAT_VERSION = 1,
    DUMP_FLAGS = JSON_INDENT(1) | JSON_REAL_PRECISION(15),
};

static void
put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

/* --- The run ---------------------------------------------------------------------- */

static json_t *
json_from_strings(const char *const *texts)
{
    json_t *array = json_array();

    for (; texts != NULL && *texts != NULL; texts++) {
        json_array_append_new(array, fm_json_text(*texts));
    }
    return array;
}

static json_t *
plan_json(const FmRun *run)
{
    json_t *plan = json_object();
    json_t *text = NULL;

    if (run->plan_text != NULL) {
        text = fm_json_parse(run->plan_text, strlen(run->plan_text), "plan", NULL);
    }
    put(plan, "id", fm_json_text(run->plan_id));
    put(plan, "name", fm_json_text(run->plan_name));
    put(plan, "hash", fm_json_text(run->plan_hash));
    put(plan, "settings", json_from_strings((const char *const *)run->settings));
    put(plan, "seed", fm_json_count(run->seed));
    put(plan, "expected-ns", fm_json_integer(run->expected_ns));
    put(plan, "expected-bytes-written", fm_json_count(run->expected_bytes_written));
    put(plan, "plan", text != NULL ? text : fm_json_text(run->plan_text));
    return plan;
}

/* Exports are in English everywhere. */
static json_t *
message_json(const FmMessage *message)
{
    return fm_json_text(message != NULL ? fm_message_get_text(message) : NULL);
}

static json_t *
target_json(const FmRun *run)
{
    json_t *target = json_object();

    put(target, "kind", fm_json_text(run->target_kind));
    put(target, "path", fm_json_text(run->target_path));
    put(target, "size", run->target_size > 0 ? fm_json_count(run->target_size) : json_null());
    put(target, "block-size", run->block_size > 0 ? json_integer(run->block_size) : json_null());
    put(target, "verdict", fm_json_text(run->verdict));
    put(target, "verdict-reason", message_json(run->verdict_reason));
    put(target, "facts", fm_json_facts(run->target));
    return target;
}

static json_t *
notes_json(const FmRun *run)
{
    json_t *notes = json_array();

    for (guint i = 0; i < run->notes->len; i++) {
        const FmRunNote *note = g_ptr_array_index(run->notes, i);
        json_array_append_new(notes, fm_json_variant(note->details));
    }
    return notes;
}

static json_t *
evaluations_json(const FmRun *run)
{
    json_t *evaluations = json_array();

    for (guint i = 0; i < run->evaluations->len; i++) {
        json_array_append_new(evaluations, fm_json_variant(g_ptr_array_index(run->evaluations, i)));
    }
    return evaluations;
}

static json_t *
damage_json(const FmRun *run)
{
    json_t *damage = json_array();

    for (guint i = 0; i < run->damage->len; i++) {
        json_array_append_new(damage, message_json(g_ptr_array_index(run->damage, i)));
    }
    return damage;
}

static json_t *
run_json(const FmRun *run)
{
    json_t *object = json_object();
    json_t *user = json_object();

    put(user, "text", fm_json_text(run->user_text));
    put(user, "tags", json_from_strings((const char *const *)run->tags));
    put(object, "format", json_string("fathom-run"));
    put(object, "format-version", json_integer(FORMAT_VERSION));
    put(object, "version", fm_json_text(run->version));
    put(object, "sessions", json_integer(run->n_sessions));
    put(object, "started", fm_json_time(run->wall_us));
    put(object, "ended", fm_json_time(run->end_wall_us));
    put(object, "outcome", fm_json_text(run->outcome));
    put(object, "reason", message_json(run->reason));
    put(object, "damage", damage_json(run));
    put(object, "plan", plan_json(run));
    put(object, "target", target_json(run));
    put(object, "drive", fm_json_facts(run->drive));
    put(object, "environment", fm_json_facts(run->environment));
    put(object, "user-note", user);
    put(object, "notes", notes_json(run));
    put(object, "evaluations", evaluations_json(run));
    return object;
}

/* --- Steps ------------------------------------------------------------------------ */

static json_t *
stream_json(const FmRunStream *stream)
{
    json_t *object = json_object();
    json_t *shares = json_object();
    json_t *blocks = json_array();

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (stream->op_share[op] > 0) {
            put(shares, fm_op_name((FmOp)op), json_integer(stream->op_share[op]));
        }
    }
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        json_array_append_new(blocks,
                              json_pack("{s:I, s:I}", "size", (json_int_t)stream->blocks[i].size,
                                        "weight", (json_int_t)stream->blocks[i].weight));
    }
    put(object, "id", fm_json_text(stream->id));
    put(object, "op-share", shares);
    put(object, "pattern", fm_json_text(stream->pattern));
    put(object, "blocks", blocks);
    put(object, "in-flight", json_integer(stream->in_flight));
    put(object, "threads", json_integer(stream->threads));
    put(object, "region-offset", fm_json_count(stream->region_offset));
    put(object, "region-size", fm_json_count(stream->region_size));
    put(object, "sync", json_boolean(stream->sync));
    put(object, "buffered", json_boolean(stream->buffered));
    put(object, "data", fm_json_text(stream->data));
    return object;
}

static json_t *
percentiles_json(const FmPercentiles *percentiles)
{
    json_t *array = json_array();

    for (unsigned i = 0; i < FM_N_PERCENTILES; i++) {
        const FmPercentile *value = &percentiles->values[i];
        json_t *object = json_object();
        put(object, "percent", fm_json_number(value->per_billion / 1e7));
        put(object, "ns", fm_json_ns(value->ns));
        put(object, "sufficient", json_boolean(value->is_sufficient));
        json_array_append_new(array, object);
    }
    return array;
}

/* Bins by index, in clock ticks, so that nothing is lost. */
static json_t *
histogram_json(const FmRunStep *step, const FmHist *hist)
{
    json_t *object = json_object();
    json_t *bins = json_object();

    for (unsigned i = 0; i < hist->n_bins; i++) {
        if (hist->bins[i] > 0) {
            char index[16];
            g_snprintf(index, sizeof index, "%u", i);
            put(bins, index, fm_json_count(hist->bins[i]));
        }
    }
    put(object, "bits-per-octave", json_integer(hist->bits));
    put(object, "ns-per-tick-numerator", fm_json_count(step->ns_per_tick_numerator));
    put(object, "ns-per-tick-denominator", fm_json_count(step->ns_per_tick_denominator));
    put(object, "sum-ticks", fm_json_count(hist->sum));
    put(object, "bins", bins);
    return object;
}

static json_t *
latency_json(const FmRunStep *step, unsigned op)
{
    FmPercentiles percentiles;
    g_auto(FmHist) hist = {0};

    if (!fm_percentiles_of_step(step, op, &percentiles) || percentiles.n == 0) {
        return json_null();
    }
    json_t *object = json_object();
    put(object, "count", fm_json_count(percentiles.n));
    put(object, "min-ns", fm_json_ns(percentiles.min_ns));
    put(object, "mean-ns", fm_json_number(percentiles.mean_ns));
    put(object, "deviation-ns", fm_json_number(percentiles.deviation_ns));
    put(object, "percentiles", percentiles_json(&percentiles));
    put(object, "max-ns", fm_json_ns(percentiles.max_ns));
    if (op < FM_N_OPS && fm_run_step_get_latency(step, op, &hist)) {
        put(object, "histogram", histogram_json(step, &hist));
    }
    return object;
}

static json_t *
result_json(const FmRunStep *step, unsigned op, uint64_t ios, uint64_t bytes)
{
    json_t *object = json_object();
    double seconds = (double)step->measured_ns / 1e9;

    put(object, "ios", fm_json_count(ios));
    put(object, "bytes", fm_json_count(bytes));
    put(object, "bytes-per-second", fm_json_number(seconds > 0 ? (double)bytes / seconds : NAN));
    put(object, "iops", fm_json_number(seconds > 0 ? (double)ios / seconds : NAN));
    put(object, "latency", latency_json(step, op));
    return object;
}

/* What was done, by op; "all" where there is more than one. */
static json_t *
results_json(const FmRunStep *step)
{
    json_t *results = json_object();
    uint64_t ios = 0;
    uint64_t bytes = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (step->ios[op] > 0) {
            put(results, fm_op_name((FmOp)op),
                result_json(step, op, step->ios[op], step->bytes[op]));
            ios += step->ios[op];
            bytes += step->bytes[op];
        }
    }
    if (json_object_size(results) > 1) {
        put(results, "all", result_json(step, FM_N_OPS, ios, bytes));
    }
    return results;
}

/* What PHASE_END told; keys that a newer writer added are kept in "end". */
static void
put_end(json_t *object, const FmRunStep *step)
{
    g_autoptr(FmMessage) check = fm_run_step_check(step);

    put(object, "outcome", fm_json_text(step->outcome));
    put(object, "reason", message_json(step->reason));
    put(object, "ended-by", fm_json_text(step->ended_by));
    put(object, "measured-ns", fm_json_integer(step->measured_ns));
    put(object, "errors", fm_json_count(step->errors));
    put(object, "cpu-ns", step->cpu_ns >= 0 ? fm_json_integer(step->cpu_ns) : json_null());
    put(object, "in-flight-mean", fm_json_number(step->in_flight_mean));
    put(object, "host-limited", json_boolean(step->host_limited));
    put(object, "host-limited-reason", message_json(step->host_limited_reason));
    bool is_told = step->foreign_bytes >= 0;
    put(object, "disturbed", is_told ? json_boolean(step->is_disturbed) : json_null());
    put(object, "foreign-bytes",
        is_told ? fm_json_count((uint64_t)step->foreign_bytes) : json_null());
    put(object, "results", results_json(step));
    put(object, "disagreement", message_json(check));
    put(object, "end", fm_json_variant(step->end));
}

/* Histograms beside those of "results": of single streams, and response times. */
static json_t *
more_histograms_json(const FmRunStep *step)
{
    json_t *array = json_array();

    for (guint i = 0; i < step->histograms->len; i++) {
        const FmRunHistogram *histogram = g_ptr_array_index(step->histograms, i);
        FmFrame frame = {.version = 1, .payload = histogram->payload};
        FmHistKey key;
        g_auto(FmHist) hist = {0};
        if ((histogram->key.stream == FM_HIST_ALL_STREAMS && histogram->key.measure == 0) ||
            !fm_hist_decode(&frame, &key, &hist, NULL)) {
            continue;
        }
        json_t *object = histogram_json(step, &hist);
        bool is_all = key.stream == FM_HIST_ALL_STREAMS;
        put(object, "stream", is_all ? json_null() : json_integer(key.stream));
        put(object, "op", json_string(key.op < FM_N_OPS ? fm_op_name((FmOp)key.op) : "all"));
        put(object, "measure", json_string(key.measure == 0 ? "latency" : "response"));
        put(object, "count", fm_json_count(hist.count));
        json_array_append_new(array, object);
    }
    return array;
}

/* What PHASE_BEGIN tells that FmRunStep has no field for. */
static void
put_begin(json_t *object, const FmRunStep *step)
{
    static const char *const keys[] = {"stop", "cpus"};

    for (gsize i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_autoptr(GVariant) value = g_variant_lookup_value(step->begin, keys[i], NULL);
        put(object, keys[i], fm_json_variant(value));
    }
    put(object, "ramp-ns", fm_json_integer(step->ramp_ns));
}

static json_t *
step_json(const FmRunStep *step)
{
    json_t *object = json_object();
    json_t *streams = json_array();

    for (unsigned i = 0; i < step->n_streams; i++) {
        json_array_append_new(streams, stream_json(&step->streams[i]));
    }
    put(object, "step", json_integer(step->number));
    put(object, "session", json_integer(step->session));
    put(object, "path", fm_json_text(step->path));
    put(object, "kind", fm_json_text(step->kind));
    put(object, "label", fm_json_text(step->label));
    put(object, "workload", fm_json_text(step->workload));
    put(object, "parameters", fm_json_variant(step->parameters));
    put(object, "discard", json_boolean(step->discard));
    put(object, "started", fm_json_time(step->wall_us));
    put(object, "backend", fm_json_text(step->backend));
    put(object, "mode", fm_json_text(step->mode));
    put(object, "backend-facts", fm_json_facts(step->backend_facts));
    put(object, "in-flight", json_integer(step->in_flight));
    put(object, "threads", json_integer(step->threads));
    put(object, "streams", streams);
    put_begin(object, step);
    put(object, "more-histograms", more_histograms_json(step));
    put(object, "has-ended", json_boolean(step->ended));
    if (step->ended) {
        put_end(object, step);
    }
    return object;
}

/* --- Writing ---------------------------------------------------------------------- */

/* Appends the members of @object without its braces, and frees it. */
static void
append_members(GString *out, json_t *object)
{
    char *text = json_dumps(object, DUMP_FLAGS | JSON_EMBED);

    g_string_append(out, text != NULL ? g_strstrip(text) : "");
    free(text);
    json_decref(object);
}

static const char tick_columns[] =
    "[\"end-ns\", \"flags\", \"read-ios\", \"read-bytes\", \"read-latency-sum-ns\", "
    "\"read-latency-max-ns\", \"write-ios\", \"write-bytes\", \"write-latency-sum-ns\", "
    "\"write-latency-max-ns\", \"trim-ios\", \"flush-ios\", \"errors\", \"temperature-dc\", "
    "\"cpu-permille\"]";

static void
append_number(GString *out, uint64_t value)
{
    g_string_append_len(out, ", ", 2);
    fm_digits_append(out, value);
}

static void
append_direction(GString *out, uint32_t ios, const FmTickDirection *direction)
{
    append_number(out, ios);
    append_number(out, direction->bytes);
    append_number(out, direction->latency_sum_ns);
    append_number(out, direction->latency_max_ns);
}

/* Flags as letters: ramp, partial, Paused, late. */
static void
append_tick(GString *out, const FmTick *tick)
{
    g_string_append_c(out, '[');
    fm_digits_append(out, tick->end_ns);
    g_string_append(out, ", \"");
    g_string_append(out, (tick->flags & FM_TICK_RAMP) != 0 ? "r" : "");
    g_string_append(out, (tick->flags & FM_TICK_PARTIAL) != 0 ? "p" : "");
    g_string_append(out, (tick->flags & FM_TICK_PAUSED) != 0 ? "P" : "");
    g_string_append(out, (tick->flags & FM_TICK_LATE) != 0 ? "l" : "");
    g_string_append_c(out, '"');
    append_direction(out, tick->read_ios, &tick->read);
    append_direction(out, tick->write_ios, &tick->write);
    append_number(out, tick->trim_ios);
    append_number(out, tick->flush_ios);
    append_number(out, tick->errors);
    if (tick->temperature_dc == FM_TEMPERATURE_UNKNOWN) {
        g_string_append(out, ", null");
    } else {
        g_string_append_printf(out, ", %d", tick->temperature_dc);
    }
    if (tick->cpu_permille == FM_CPU_UNKNOWN) {
        g_string_append(out, ", null");
    } else {
        append_number(out, tick->cpu_permille);
    }
    g_string_append_c(out, ']');
}

static void
append_step(GString *out, const FmRunStep *step)
{
    g_string_append(out, "{\n ");
    append_members(out, step_json(step));
    g_string_append(out, ",\n \"ticks\": {\n  \"columns\": ");
    g_string_append(out, tick_columns);
    g_string_append(out, ",\n  \"rows\": [");
    for (guint i = 0; i < step->ticks->len; i++) {
        g_string_append(out, i == 0 ? "\n   " : ",\n   ");
        append_tick(out, &g_array_index(step->ticks, FmTick, i));
    }
    g_string_append(out, "\n  ]\n }\n}");
}

char *
fm_export_json(const FmRun *run, GError **error)
{
    GString *out = g_string_new("{\n ");

    append_members(out, run_json(run));
    g_string_append(out, ",\n \"steps\": [");
    for (guint i = 0; i < run->steps->len; i++) {
        g_string_append(out, i == 0 ? "\n" : ",\n");
        append_step(out, g_ptr_array_index(run->steps, i));
    }
    g_string_append(out, "\n ]\n}\n");
    return g_string_free(out, FALSE);
}
