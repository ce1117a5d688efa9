/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes plans: every value in its one exact spelling, defaults left out.  A default of
 * the reader may therefore never change within one version of the format.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-hash.h"

#include "base/json.h"
#include "base/units.h"
#include "model/plan-names.h"
#include "model/plan-reader-private.h"

/* What is written: all, or only what changes I/O. */
typedef enum {
    WRITE_ALL,
    WRITE_IDENTITY,
} Extent;

/* --- Values ------------------------------------------------------------------------------ */

static void
put(json_t *object, const char *key, json_t *value)
{
    json_object_set_new(object, key, value);
}

static json_t *
text_taken(char *text)
{
    json_t *json = json_string(text);
    g_free(text);
    return json;
}

static json_t *
size_json(uint64_t bytes)
{
    return text_taken(fm_units_dup_size(bytes));
}

static json_t *
time_json(int64_t time_ns)
{
    return text_taken(fm_units_dup_duration(time_ns));
}

static json_t *
share_json(uint32_t per_ten_thousand)
{
    return text_taken(fm_units_dup_percent(per_ten_thousand * FM_SHARE_STEP));
}

static json_t *
extent_json(FmExtent extent)
{
    return extent.relative ? text_taken(fm_units_dup_percent((uint32_t)extent.value))
                           : size_json(extent.value);
}

static void
put_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL) {
        put(object, key, json_string(text));
    }
}

static void
put_label(json_t *object, const char *key, const char *english, const char *korean)
{
    if (korean == NULL) {
        put_text(object, key, english);
        return;
    }
    json_t *label = json_object();
    put_text(label, "en", english);
    put_text(label, "ko", korean);
    put(object, key, label);
}

static void
put_time(json_t *object, const char *key, int64_t time_ns)
{
    if (time_ns != 0) {
        put(object, key, time_json(time_ns));
    }
}

static void
put_size(json_t *object, const char *key, uint64_t bytes)
{
    if (bytes != 0) {
        put(object, key, size_json(bytes));
    }
}

static void
put_count(json_t *object, const char *key, uint64_t count)
{
    if (count != 0) {
        put(object, key, json_integer((json_int_t)count));
    }
}

static void
put_number(json_t *object, const char *key, double number)
{
    if (number > 0) {
        put(object, key, json_real(number));
    }
}

static void
put_share(json_t *object, const char *key, uint32_t share)
{
    if (share != 0) {
        put(object, key, share_json(share));
    }
}

static void
put_true(json_t *object, const char *key, bool value)
{
    if (value) {
        put(object, key, json_true());
    }
}

static void
put_word(json_t *object, const char *key, const char *const *names, unsigned value)
{
    if (value != 0) {
        put(object, key, json_string(names[value]));
    }
}

/* --- Streams ------------------------------------------------------------------------------ */

static void
put_blocks(json_t *object, const FmStream *stream)
{
    if (stream->n_blocks == 1) {
        put(object, "block", size_json(stream->blocks[0].size));
        return;
    }
    json_t *mix = json_object();
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        g_autofree char *size = fm_units_dup_size(stream->blocks[i].size);
        put(mix, size, json_integer(stream->blocks[i].weight));
    }
    put(object, "blocks", mix);
}

static void
put_pacing(json_t *object, const FmPacing *pacing)
{
    json_t *json = json_object();
    put_number(json, "ios-per-second", pacing->ios_per_second);
    put_size(json, "bytes-per-second", (uint64_t)pacing->bytes_per_second);
    put_size(json, "least-bytes-per-second", (uint64_t)pacing->least_bytes_per_second);
    put_word(json, "arrival", fm_names_arrival, pacing->arrival);
    put_count(json, "gap-every", pacing->gap_every);
    put_time(json, "gap", pacing->gap_ns);
    if (json_object_size(json) > 0) {
        json_object_set(object, "pacing", json);
    }
    json_decref(json);
}

static json_t *
stream_json(const FmStream *stream)
{
    json_t *object = json_object();
    put_text(object, "id", stream->id);
    for (int op = 0; op < FM_N_OPS; op++) {
        put_share(object, fm_op_name((FmOp)op), stream->op_share[op]);
    }
    put_text(object, "pattern", fm_pattern_name(stream->pattern));
    put_share(object, "random", stream->random_share);
    put_size(object, "stride", stream->stride);
    put_blocks(object, stream);
    put_count(object, "in-flight", stream->in_flight);
    put_count(object, "threads", stream->threads);
    if (stream->region_offset.value != 0) {
        put(object, "offset", extent_json(stream->region_offset));
    }
    put(object, "region", extent_json(stream->region_size));
    put_true(object, "sync", stream->sync);
    put_true(object, "buffered", stream->buffered);
    put_count(object, "flush-every", stream->flush_every);
    put_pacing(object, &stream->pacing);
    put_word(object, "data", fm_names_data, stream->data);
    if (stream->data == FM_DATA_COMPRESSIBLE) {
        put(object, "compressible", share_json(stream->compressible_share));
    }
    return object;
}

static void
put_stop(json_t *object, const FmStopRule *stop)
{
    const char rule[] = {stop->steady_rule, '\0'};
    json_t *json = json_object();
    put_time(json, "time", stop->time_ns);
    put_size(json, "bytes", stop->bytes);
    put_number(json, "passes", stop->passes);
    put_text(json, "steady", stop->steady ? rule : NULL);
    put_number(json, "after-passes", stop->steady_after_passes);
    put_number(json, "cap-passes", stop->cap_passes);
    put_time(json, "cap-time", stop->cap_time_ns);
    put(object, "stop", json);
}

static void
put_step(json_t *object, const FmPhase *phase)
{
    json_t *streams = json_array();
    for (unsigned i = 0; i < phase->n_streams; i++) {
        json_array_append_new(streams, stream_json(&phase->streams[i]));
    }
    put(object, "streams", streams);
    put_time(object, "ramp", phase->ramp_ns);
    put_stop(object, &phase->stop);
    put_true(object, "log-ios", phase->log_ios);
}

/* --- Drivers -------------------------------------------------------------------------------- */

static json_t *
axis_value_json(FmParameter parameter, uint64_t value)
{
    switch (parameter) {
    case FM_PARAMETER_IN_FLIGHT:
    case FM_PARAMETER_THREADS:
        return json_integer((json_int_t)value);
    case FM_PARAMETER_READ_SHARE:
        return share_json((uint32_t)value);
    case FM_PARAMETER_REGION_SIZE:
        return value == FM_REGION_WHOLE ? json_string("all") : size_json(value);
    case FM_PARAMETER_BLOCK_SIZE:
        return size_json(value);
    case FM_PARAMETER_REST_TIME:
        return time_json((int64_t)value);
    }
    g_return_val_if_reached(NULL);
}

static void
put_axes(json_t *object, const FmPhase *phase)
{
    json_t *axes = json_array();
    for (unsigned i = 0; i < phase->n_axes; i++) {
        const FmSweepAxis *axis = &phase->axes[i];
        json_t *json = json_object();
        json_t *values = json_array();
        for (unsigned j = 0; j < axis->n_values; j++) {
            json_array_append_new(values, axis_value_json(axis->parameter, axis->values[j]));
        }
        put_text(json, "vary", fm_parameter_name(axis->parameter));
        put_text(json, "of", axis->target);
        put(json, "values", values);
        json_array_append_new(axes, json);
    }
    put(object, "axes", axes);
}

static void
put_repeat(json_t *object, const FmPhase *phase)
{
    put_count(object, "count", phase->count);
    if (phase->until_rse > 0 || phase->until_steady != NULL) {
        put_count(object, "max-count", phase->max_count);
    }
    put_count(object, "discard", phase->discard);
    put_share(object, "until-rse", (uint32_t)(phase->until_rse * 100 + 0.5));
    put_text(object, "until-steady", phase->until_steady);
}

static void
put_bisect(json_t *object, const FmPhase *phase)
{
    put_text(object, "vary", fm_parameter_name(phase->search));
    put_text(object, "of", phase->search_target);
    put_count(object, "start", phase->search_start);
    put_count(object, "limit", phase->search_limit);
    put_count(object, "confirmations", phase->confirmations);
    json_t *times = json_array();
    for (unsigned i = 0; i < G_N_ELEMENTS(phase->search_time_ns); i++) {
        json_array_append_new(times, time_json(phase->search_time_ns[i]));
    }
    put(object, "times", times);
    json_t *limits = json_array();
    for (unsigned i = 0; i < phase->n_limits; i++) {
        json_t *limit = json_object();
        uint32_t per_million = phase->limits[i].per_billion / 1000;
        put(limit, "percentile", text_taken(fm_units_dup_percent(per_million)));
        put(limit, "latency", time_json(phase->limits[i].limit_ns));
        json_array_append_new(limits, limit);
    }
    put(object, "limits", limits);
}

static void
put_curve(json_t *object, const FmPhase *phase)
{
    json_t *percents = json_array();
    for (unsigned i = 0; i < phase->n_rate_percents; i++) {
        json_array_append_new(percents, share_json(phase->rate_percents[i] * 100));
    }
    put(object, "percents", percents);
}

/* --- Phases ----------------------------------------------------------------------------------- */

static json_t *phase_json(const FmPhase *phase, const FmPhase *parent, Extent extent);

static void
put_children(json_t *object, const FmPhase *phase, Extent extent)
{
    json_t *children = json_array();
    for (guint i = 0; i < phase->children->len; i++) {
        json_array_append_new(children, phase_json(phase->children->pdata[i], phase, extent));
    }
    put(object, "phases", children);
}

static void
put_own(json_t *object, const FmPhase *phase, Extent extent)
{
    switch (phase->kind) {
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
        put_step(object, phase);
        break;
    case FM_PHASE_REST:
    case FM_PHASE_IDLE:
    case FM_PHASE_SETTLE:
        put(object, "time", time_json(phase->rest_ns));
        break;
    case FM_PHASE_TRIM:
        put(object, "offset", extent_json(phase->trim_offset));
        put(object, "region", extent_json(phase->trim_size));
        break;
    case FM_PHASE_EXTERNAL:
        if (extent == WRITE_ALL) {
            put_label(object, "instruction", phase->instruction, phase->instruction_ko);
        }
        break;
    case FM_PHASE_SWEEP:
        put_axes(object, phase);
        break;
    case FM_PHASE_REPEAT:
        put_repeat(object, phase);
        break;
    case FM_PHASE_BISECT:
        put_bisect(object, phase);
        break;
    case FM_PHASE_RATE_CURVE:
        put_curve(object, phase);
        break;
    case FM_PHASE_PURGE:
    case FM_PHASE_GROUP:
        break;
    }
}

/* For people only; what a phase has from its parent is not said again. */
static void
put_phase_texts(json_t *object, const FmPhase *phase, const FmPhase *parent)
{
    bool is_own = phase->id != NULL || g_strcmp0(phase->label, parent->label) != 0 ||
                  g_strcmp0(phase->label_ko, parent->label_ko) != 0;
    if (is_own) {
        put_label(object, "label", phase->label, phase->label_ko);
    }
    if (g_strcmp0(phase->workload, parent->workload) != 0) {
        put_text(object, "workload", phase->workload);
    }
}

static json_t *
phase_json(const FmPhase *phase, const FmPhase *parent, Extent extent)
{
    json_t *object = json_object();
    put_text(object, "kind", fm_phase_kind_name(phase->kind));
    put_text(object, "id", phase->id);
    if (extent == WRITE_ALL) {
        put_phase_texts(object, phase, parent);
    }
    put_word(object, "skip-if", fm_names_skip, phase->skip_if);
    if (phase->skip_if == FM_SKIP_BELOW_SIZE) {
        put(object, "skip-value", size_json(phase->skip_value));
    }
    put_own(object, phase, extent);
    put_time(object, "between", phase->between_ns);
    if (phase->children != NULL) {
        put_children(object, phase, extent);
    }
    return object;
}

static void
put_names(json_t *object, const FmPlan *plan)
{
    put_text(object, "id", plan->id);
    put_label(object, "name", plan->name, plan->name_ko);
    put_label(object, "summary", plan->summary, plan->summary_ko);
    put_text(object, "edition", plan->edition);
    put_text(object, "workload", plan->workload);
    json_t *needs = json_array();
    for (unsigned bit = 0; fm_names_need[bit] != NULL; bit++) {
        if ((plan->needs & 1u << bit) != 0) {
            json_array_append_new(needs, json_string(fm_names_need[bit]));
        }
    }
    put(object, "needs", needs);
}

static char *
write_plan(const FmPlan *plan, Extent extent)
{
    json_auto_t *object = json_object();
    put(object, "fathom-plan", json_integer(FM_PLAN_VERSION));
    if (extent == WRITE_ALL) {
        put_names(object, plan);
    }
    put(object, "seed", text_taken(g_strdup_printf("%" G_GUINT64_FORMAT, plan->seed)));
    if (plan->file_size.value != 0) {
        put(object, "file-size", extent_json(plan->file_size));
    }
    put_word(object, "file-data", fm_names_data, plan->file_data);
    put_time(object, "between", plan->root->between_ns);
    put_children(object, plan->root, extent);
    return fm_json_dup_canonical(object);
}

char *
fm_plan_dup_canonical(const FmPlan *plan)
{
    return write_plan(plan, WRITE_ALL);
}

void
fm_plan_fill_hash(FmPlan *plan)
{
    g_autofree char *identity = write_plan(plan, WRITE_IDENTITY);
    g_autofree char *hash = g_compute_checksum_for_string(G_CHECKSUM_SHA256, identity, -1);
    g_strlcpy(plan->hash, hash, sizeof plan->hash);
}
