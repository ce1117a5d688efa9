/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fold: what each kind of frame adds to a run (frames.md).  Frames are hostile
 * input here: wrong types are unknown values, contradictions are noted as damage, and
 * nothing takes more than time and memory linear in what came.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/run.h"

#include "base/error.h"
#include "model/tick.h"

#include <math.h>

/* --- Typed look-ups: absent or of another type leaves the value as it is --------- */

static void
take_string(GVariant *dictionary, const char *key, char **value)
{
    const char *text;

    if (g_variant_lookup(dictionary, key, "&s", &text)) {
        g_free(*value);
        *value = g_strdup(text);
    }
}

static void
take_message(GVariant *dictionary, const char *key, FmMessage **value)
{
    FmMessage *message = fm_message_lookup(dictionary, key);

    if (message != NULL) {
        fm_message_unref(*value);
        *value = message;
    }
}

static void
take_strings(GVariant *dictionary, const char *key, GStrv *value)
{
    GStrv texts;

    if (g_variant_lookup(dictionary, key, "^as", &texts)) {
        g_strfreev(*value);
        *value = texts;
    }
}

static void
take_bool(GVariant *dictionary, const char *key, bool *value)
{
    gboolean is_true;

    if (g_variant_lookup(dictionary, key, "b", &is_true)) {
        *value = is_true;
    }
}

static void
take_int(GVariant *dictionary, const char *key, int64_t *value)
{
    g_variant_lookup(dictionary, key, "x", value);
}

static void
take_uint(GVariant *dictionary, const char *key, uint64_t *value)
{
    g_variant_lookup(dictionary, key, "t", value);
}

static void
take_per_op(GVariant *dictionary, const char *key, uint64_t values[FM_N_OPS])
{
    g_autoptr(GVariant) array = g_variant_lookup_value(dictionary, key, G_VARIANT_TYPE("at"));

    for (gsize i = 0; array != NULL && i < MIN(g_variant_n_children(array), FM_N_OPS); i++) {
        g_variant_get_child(array, i, "t", &values[i]);
    }
}

static void
take_facts(GVariant *dictionary, FmFacts *facts)
{
    g_autoptr(FmFacts) more = fm_facts_from_variant(dictionary);

    fm_facts_merge(facts, more);
}

static void
take_facts_of(GVariant *dictionary, const char *key, FmFacts *facts)
{
    g_autoptr(GVariant) value = g_variant_lookup_value(dictionary, key, G_VARIANT_TYPE_VARDICT);

    if (value != NULL) {
        take_facts(value, facts);
    }
}

/* --- The run as a whole ---------------------------------------------------------- */

static void
add_hello(FmRun *run, GVariant *dictionary)
{
    if (run->hello != NULL && g_variant_equal(run->hello, dictionary)) {
        return;
    }
    if (run->n_sessions == 0 || run->session_has_begun) {
        run->n_sessions++;
        run->session_has_begun = false;
        run->ended = false;
        g_clear_pointer(&run->outcome, g_free);
        g_clear_pointer(&run->reason, fm_message_unref);
    }
    g_clear_pointer(&run->hello, g_variant_unref);
    run->hello = g_variant_ref(dictionary);
    take_string(dictionary, "version", &run->version);
}

static void
add_target(FmRun *run, GVariant *dictionary)
{
    take_string(dictionary, "kind", &run->target_kind);
    take_string(dictionary, "path", &run->target_path);
    take_string(dictionary, "file", &run->test_file);
    take_string(dictionary, "verdict", &run->verdict);
    take_message(dictionary, "verdict-reason", &run->verdict_reason);
    take_uint(dictionary, "size", &run->target_size);
    g_variant_lookup(dictionary, "block-size", "u", &run->block_size);
    take_facts_of(dictionary, "facts", run->target);
}

static void
add_plan(FmRun *run, GVariant *dictionary)
{
    run->session_has_begun = true;
    take_string(dictionary, "id", &run->plan_id);
    take_string(dictionary, "name", &run->plan_name);
    take_string(dictionary, "hash", &run->plan_hash);
    take_string(dictionary, "plan", &run->plan_text);
    take_strings(dictionary, "settings", &run->settings);
    take_int(dictionary, "expected-ns", &run->expected_ns);
    take_uint(dictionary, "expected-bytes-written", &run->expected_bytes_written);
    g_variant_lookup(dictionary, "min-steps", "u", &run->min_steps);
    g_variant_lookup(dictionary, "max-steps", "u", &run->max_steps);
    take_uint(dictionary, "seed", &run->seed);
    if (run->wall_us == 0) {
        take_int(dictionary, "wall", &run->wall_us);
    }
}

static void
add_note(FmRun *run, GVariant *dictionary)
{
    g_autofree char *kind = NULL;
    guint32 step;

    take_string(dictionary, "kind", &kind);
    if (g_strcmp0(kind, "progress") == 0) {
        double fraction = NAN;
        run->remaining_ns = -1;
        g_variant_lookup(dictionary, "fraction", "d", &fraction);
        run->progress = fraction >= 0 && fraction <= 1 ? fraction : NAN;
        take_int(dictionary, "remaining-ns", &run->remaining_ns);
        return;
    }

    FmRunNote *note = g_new0(FmRunNote, 1);
    note->kind = kind != NULL ? g_steal_pointer(&kind) : g_strdup("log");
    note->text = fm_message_lookup(dictionary, "text");
    if (note->text == NULL) {
        note->text = fm_message_new_words("");
    }
    note->step = FM_RUN_NO_STEP;
    if (g_variant_lookup(dictionary, "step", "u", &step) && step <= G_MAXINT) {
        note->step = (int)step;
    }
    note->details = g_variant_ref(dictionary);
    g_ptr_array_add(run->notes, note);
}

static void
add_end(FmRun *run, GVariant *dictionary)
{
    run->ended = true;
    take_string(dictionary, "outcome", &run->outcome);
    take_message(dictionary, "reason", &run->reason);
    take_int(dictionary, "wall", &run->end_wall_us);
    if (run->outcome == NULL) {
        fm_run_add_damage(run, "The end of the run does not tell its outcome");
    }
}

/* --- Steps ----------------------------------------------------------------------- */

static void
fold_stream(GVariant *dictionary, FmRunStream *stream)
{
    g_autoptr(GVariant) shares =
        g_variant_lookup_value(dictionary, "op-share", G_VARIANT_TYPE("au"));
    g_autoptr(GVariant) blocks =
        g_variant_lookup_value(dictionary, "blocks", G_VARIANT_TYPE("a(uu)"));

    take_string(dictionary, "id", &stream->id);
    take_string(dictionary, "pattern", &stream->pattern);
    take_string(dictionary, "data", &stream->data);
    g_variant_lookup(dictionary, "in-flight", "u", &stream->in_flight);
    g_variant_lookup(dictionary, "threads", "u", &stream->threads);
    take_uint(dictionary, "region-offset", &stream->region_offset);
    take_uint(dictionary, "region-size", &stream->region_size);
    take_bool(dictionary, "sync", &stream->sync);
    take_bool(dictionary, "buffered", &stream->buffered);
    for (gsize i = 0; shares != NULL && i < MIN(g_variant_n_children(shares), FM_N_OPS); i++) {
        g_variant_get_child(shares, i, "u", &stream->op_share[i]);
    }
    if (blocks != NULL) {
        stream->n_blocks = (unsigned)g_variant_n_children(blocks);
        stream->blocks = g_new0(FmBlockShare, stream->n_blocks);
    }
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        g_variant_get_child(blocks, i, "(uu)", &stream->blocks[i].size, &stream->blocks[i].weight);
    }
}

static void
fold_streams(FmRun *run, FmRunStep *step, GVariant *dictionary)
{
    g_autoptr(GVariant) streams =
        g_variant_lookup_value(dictionary, "streams", G_VARIANT_TYPE("aa{sv}"));

    if (streams == NULL) {
        return;
    }
    gsize n_streams = g_variant_n_children(streams);
    if (n_streams > FM_RUN_MAX_STREAMS) {
        fm_run_add_damage(run, "Step %u has more streams than can be", step->number);
        n_streams = FM_RUN_MAX_STREAMS;
    }
    step->n_streams = (unsigned)n_streams;
    step->streams = g_new0(FmRunStream, n_streams);
    for (gsize i = 0; i < n_streams; i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(streams, i);
        fold_stream(child, &step->streams[i]);
        step->in_flight += step->streams[i].in_flight;
        step->threads += step->streams[i].threads;
    }
}

static void
add_phase_begin(FmRun *run, GVariant *dictionary)
{
    guint32 number;

    run->session_has_begun = true;
    if (!g_variant_lookup(dictionary, "step", "u", &number)) {
        fm_run_add_damage(run, "A step began without its number");
        return;
    }
    unsigned session = run->n_sessions > 0 ? run->n_sessions - 1 : 0;
    const FmRunStep *same = fm_run_get_step(run, number);
    if (same != NULL && same->session == session) {
        if (!g_variant_equal(same->begin, dictionary)) {
            fm_run_add_damage(run, "Step %u began twice", number);
        }
        return;
    }

    FmRunStep *step = fm_run_step_new();
    step->number = number;
    step->session = session;
    step->begin = g_variant_ref(dictionary);
    take_string(dictionary, "path", &step->path);
    take_string(dictionary, "kind", &step->kind);
    take_string(dictionary, "label", &step->label);
    take_string(dictionary, "workload", &step->workload);
    take_string(dictionary, "backend", &step->backend);
    take_string(dictionary, "mode", &step->mode);
    take_bool(dictionary, "discard", &step->discard);
    take_facts_of(dictionary, "backend-facts", step->backend_facts);
    take_int(dictionary, "ramp-ns", &step->ramp_ns);
    take_int(dictionary, "start-ns", &step->start_ns);
    take_int(dictionary, "wall", &step->wall_us);
    take_uint(dictionary, "ns-per-tick-numerator", &step->ns_per_tick_numerator);
    take_uint(dictionary, "ns-per-tick-denominator", &step->ns_per_tick_denominator);
    g_autoptr(GVariant) parameters =
        g_variant_lookup_value(dictionary, "parameters", G_VARIANT_TYPE_VARDICT);
    if (parameters != NULL) {
        g_variant_unref(step->parameters);
        step->parameters = g_steal_pointer(&parameters);
    }
    fold_streams(run, step, dictionary);
    g_ptr_array_add(run->steps, step);
    g_hash_table_insert(run->by_number, GUINT_TO_POINTER(number), step);
}

static void
fold_disturbance(FmRunStep *step, GVariant *dictionary)
{
    uint64_t bytes = UINT64_MAX;

    take_bool(dictionary, "disturbed", &step->is_disturbed);
    take_uint(dictionary, "foreign-bytes", &bytes);
    if (bytes <= INT64_MAX) {
        step->foreign_bytes = (int64_t)bytes;
    }
}

static void
add_phase_end(FmRun *run, GVariant *dictionary)
{
    guint32 number;
    FmRunStep *step = NULL;

    if (g_variant_lookup(dictionary, "step", "u", &number)) {
        step = fm_run_get_step(run, number);
    }
    if (step == NULL) {
        fm_run_add_damage(run, "A step ended that had not begun");
        return;
    }
    if (step->ended) {
        if (!g_variant_equal(step->end, dictionary)) {
            fm_run_add_damage(run, "Step %u ended twice", number);
        }
        return;
    }

    step->ended = true;
    step->end = g_variant_ref(dictionary);
    take_string(dictionary, "outcome", &step->outcome);
    take_message(dictionary, "reason", &step->reason);
    take_string(dictionary, "ended-by", &step->ended_by);
    take_int(dictionary, "measured-ns", &step->measured_ns);
    take_int(dictionary, "wall", &step->end_wall_us);
    take_per_op(dictionary, "ios", step->ios);
    take_per_op(dictionary, "bytes", step->bytes);
    take_per_op(dictionary, "latency-sum-ns", step->latency_sum_ns);
    take_uint(dictionary, "errors", &step->errors);
    take_int(dictionary, "cpu-ns", &step->cpu_ns);
    g_variant_lookup(dictionary, "in-flight-mean", "d", &step->in_flight_mean);
    take_bool(dictionary, "host-limited", &step->host_limited);
    take_message(dictionary, "host-limited-reason", &step->host_limited_reason);
    fold_disturbance(step, dictionary);
}

/* --- Rows and histograms --------------------------------------------------------- */

/* Ramp rows come before measured ones; each of the two has its own clock. */
static int
compare_ticks(const FmTick *a, const FmTick *b)
{
    bool a_is_ramp = (a->flags & FM_TICK_RAMP) != 0;
    bool b_is_ramp = (b->flags & FM_TICK_RAMP) != 0;

    if (a_is_ramp != b_is_ramp) {
        return a_is_ramp ? -1 : 1;
    }
    return a->end_ns < b->end_ns ? -1 : a->end_ns > b->end_ns;
}

static void
insert_tick(FmRun *run, FmRunStep *step, const FmTick *tick)
{
    guint at = step->ticks->len;

    while (at > 0) {
        int order = compare_ticks(&g_array_index(step->ticks, FmTick, at - 1), tick);
        if (order == 0) {
            return;
        }
        if (order < 0) {
            break;
        }
        if (step->ticks->len - at >= FM_RUN_LATE_ROWS) {
            fm_run_add_damage(run, "A row of step %u came too late and was left out", step->number);
            return;
        }
        at--;
    }
    g_array_insert_vals(step->ticks, at, tick, 1);
}

static void
add_ticks(FmRun *run, const FmFrame *frame)
{
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(FmTick));
    g_autoptr(GError) error = NULL;
    uint32_t number;

    if (!fm_tick_decode(frame, &number, rows, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_run_add_damage(run, "%p", reason);
        return;
    }
    FmRunStep *step = fm_run_get_step(run, number);
    if (step == NULL) {
        fm_run_add_damage(run, "Rows came of step %u, which had not begun", number);
        return;
    }
    for (guint i = 0; i < rows->len; i++) {
        insert_tick(run, step, &g_array_index(rows, FmTick, i));
    }
}

static bool
is_same_key(const FmHistKey *a, const FmHistKey *b)
{
    return a->stream == b->stream && a->op == b->op && a->measure == b->measure;
}

/* One clock a step: ticks of different clocks must not be merged. */
static bool
accept_clock(FmRunStep *step, const FmHistKey *key)
{
    if (step->ns_per_tick_numerator == 0 || step->ns_per_tick_denominator == 0) {
        step->ns_per_tick_numerator = key->ns_per_tick_numerator;
        step->ns_per_tick_denominator = key->ns_per_tick_denominator;
    }
    return step->ns_per_tick_numerator == key->ns_per_tick_numerator &&
           step->ns_per_tick_denominator == key->ns_per_tick_denominator;
}

static void
add_histogram(FmRun *run, const FmFrame *frame)
{
    g_autoptr(GError) error = NULL;
    FmHistKey key;

    if (!fm_hist_check(frame, &key, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_run_add_damage(run, "%p", reason);
        return;
    }
    FmRunStep *step = fm_run_get_step(run, key.step);
    if (step == NULL || key.measure > 1 ||
        (key.stream >= FM_RUN_MAX_STREAMS && key.stream != FM_HIST_ALL_STREAMS) ||
        !accept_clock(step, &key)) {
        fm_run_add_damage(run, "A histogram belongs to no step that is known (%u)", key.step);
        return;
    }

    for (guint i = 0; i < step->histograms->len; i++) {
        const FmRunHistogram *histogram = g_ptr_array_index(step->histograms, i);
        if (is_same_key(&histogram->key, &key)) {
            g_ptr_array_remove_index(step->histograms, i);
            break;
        }
    }
    FmRunHistogram *histogram = g_new(FmRunHistogram, 1);
    histogram->key = key;
    histogram->payload = g_bytes_ref(frame->payload);
    g_ptr_array_add(step->histograms, histogram);
}

static void
add_log(FmRun *run, const FmFrame *frame)
{
    g_autoptr(GError) error = NULL;
    FmLatencyLogKey key;
    gsize n_ios;

    if (!fm_latency_log_check(frame, &key, &n_ios, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_run_add_damage(run, "%p", reason);
        return;
    }
    FmRunStep *step = fm_run_get_step(run, key.step);
    if (step == NULL) {
        fm_run_add_damage(run, "Logged I/Os came of step %u, which had not begun", key.step);
        return;
    }
    step->has_log = step->has_log || n_ios > 0;
}

/* --- Dispatch -------------------------------------------------------------------- */

static void
add_dictionary(FmRun *run, FmFrameKind kind, GVariant *dictionary)
{
    switch ((unsigned)kind) {
    case FM_FRAME_HELLO:
        add_hello(run, dictionary);
        break;
    case FM_FRAME_ENVIRONMENT:
        take_facts(dictionary, run->environment);
        break;
    case FM_FRAME_DRIVE:
        take_facts(dictionary, run->drive);
        break;
    case FM_FRAME_TARGET:
        add_target(run, dictionary);
        break;
    case FM_FRAME_PLAN:
        add_plan(run, dictionary);
        break;
    case FM_FRAME_PHASE_BEGIN:
        add_phase_begin(run, dictionary);
        break;
    case FM_FRAME_EVALUATION:
        g_ptr_array_add(run->evaluations, g_variant_ref(dictionary));
        break;
    case FM_FRAME_NOTE:
        add_note(run, dictionary);
        break;
    case FM_FRAME_PHASE_END:
        add_phase_end(run, dictionary);
        break;
    case FM_FRAME_USER_NOTE:
        take_string(dictionary, "text", &run->user_text);
        take_strings(dictionary, "tags", &run->tags);
        break;
    case FM_FRAME_END:
        add_end(run, dictionary);
        break;
    default:
        break;
    }
}

/* Kinds whose payload is a dictionary that a run keeps; SMART and VALUE have no readers in a run
 * yet. */
static bool
has_dictionary(FmFrameKind kind)
{
    return kind >= FM_FRAME_HELLO && kind <= FM_FRAME_END && kind != FM_FRAME_TICK &&
           kind != FM_FRAME_HISTOGRAM && kind != FM_FRAME_LATENCY_LOG && kind != FM_FRAME_SMART &&
           kind != FM_FRAME_VALUE;
}

void
fm_run_add_frame(FmRun *run, const FmFrame *frame)
{
    if (frame->kind == FM_FRAME_TICK) {
        add_ticks(run, frame);
        return;
    }
    if (frame->kind == FM_FRAME_HISTOGRAM) {
        add_histogram(run, frame);
        return;
    }
    if (frame->kind == FM_FRAME_LATENCY_LOG) {
        add_log(run, frame);
        return;
    }
    if (!has_dictionary(frame->kind)) {
        return;
    }

    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) dictionary = fm_frame_get_variant(frame, &error);
    if (dictionary == NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_run_add_damage(run, "%p", reason);
        return;
    }
    add_dictionary(run, frame->kind, dictionary);
}
