/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a step says of itself: PHASE_BEGIN, histograms, the per-I/O log, PHASE_END.
 * The keys are those of model/frames.md.  Control thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step-run.h"

#include "engine/disturbance.h"
#include "engine/step-log.h"
#include "engine/step-mode.h"
#include "model/frame.h"
#include "platform/platform.h"

#include <string.h>

enum {
    ERRORS_NOTED = 10, /* as notes of their own; all are counted by code */
    MAX_ERROR_CODES = 32,
    SETTLE_MS = 80, /* what comes back this soon after the window still gets into the counters */
    BUSY_PERMILLE = 950, /* a CPU this busy is what limits the result */
};

/* More interrupts per I/O than this and it was not polled. */
static const double MAX_POLLED_INTERRUPTS = 0.5;

/* --- Small builders ----------------------------------------------------------- */

static void
add(GVariantBuilder *builder, const char *key, GVariant *value)
{
    g_variant_builder_add(builder, "{sv}", key, value);
}

static void
add_string(GVariantBuilder *builder, const char *key, const char *text)
{
    add(builder, key, g_variant_new_string(text != NULL ? text : ""));
}

static GVariant *
per_op(const uint64_t values[FM_N_OPS])
{
    return g_variant_new_fixed_array(G_VARIANT_TYPE_UINT64, values, FM_N_OPS, sizeof values[0]);
}

/* --- Beginning ---------------------------------------------------------------- */

static GVariant *
describe_stream(FmStepRun *step, unsigned index)
{
    static const char *const data_names[] = {[FM_DATA_RANDOM] = "random",
                                             [FM_DATA_ZERO] = "zero",
                                             [FM_DATA_COMPRESSIBLE] = "compressible"};
    const FmStream *stream = &step->phase->streams[index];
    GVariantBuilder builder;
    GVariantBuilder blocks;
    const FmLoopSetup *setup = NULL;

    for (unsigned i = 0; i < step->n_threads && setup == NULL; i++) {
        if (step->threads[i].setup.stream_index == index) {
            setup = &step->threads[i].setup;
        }
    }
    g_variant_builder_init(&blocks, G_VARIANT_TYPE("a(uu)"));
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        g_variant_builder_add(&blocks, "(uu)", stream->blocks[i].size, stream->blocks[i].weight);
    }
    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    add_string(&builder, "id", stream->id);
    add(&builder, "op-share",
        g_variant_new_fixed_array(G_VARIANT_TYPE_UINT32, stream->op_share, FM_N_OPS,
                                  sizeof stream->op_share[0]));
    add_string(&builder, "pattern", fm_pattern_name(stream->pattern));
    add(&builder, "blocks", g_variant_builder_end(&blocks));
    add(&builder, "in-flight", g_variant_new_uint32(stream->in_flight));
    add(&builder, "threads", g_variant_new_uint32(setup->n_threads));
    add(&builder, "region-offset", g_variant_new_uint64(setup->region_base));
    add(&builder, "region-size", g_variant_new_uint64(setup->region_size));
    add(&builder, "sync", g_variant_new_boolean(stream->sync));
    add(&builder, "buffered", g_variant_new_boolean(stream->buffered || step->run->direct_refused));
    add_string(&builder, "data", data_names[stream->data]);
    return g_variant_builder_end(&builder);
}

static GVariant *
describe_streams(FmStepRun *step)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("aa{sv}"));
    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        g_variant_builder_add_value(&builder, describe_stream(step, i));
    }
    return g_variant_builder_end(&builder);
}

static GVariant *
describe_stop(const FmStopRule *stop)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    if (stop->time_ns > 0) {
        add(&builder, "time-ns", g_variant_new_int64(stop->time_ns));
    }
    if (stop->bytes > 0) {
        add(&builder, "bytes", g_variant_new_uint64(stop->bytes));
    }
    if (stop->passes > 0) {
        add(&builder, "passes", g_variant_new_double(stop->passes));
    }
    if (stop->steady) {
        const char rule[2] = {stop->steady_rule, '\0'};
        add_string(&builder, "steady", rule);
    }
    return g_variant_builder_end(&builder);
}

/* What the queue of @thread says itself, else what kind of backend it is. */
static const char *
get_thread_mode(const FmStepRun *step, const FmIoThread *thread)
{
    const FmBackend *backend = step->run->below != NULL ? step->run->below : step->backend;
    const char *text = NULL;

    if (thread->description != NULL &&
        g_variant_lookup(thread->description, "queue.mode", "&s", &text)) {
        return text; /* lives as long as the description */
    }
    if (backend->caps & FM_CAP_NO_DEVICE) {
        return "none";
    }
    if (backend->caps & FM_CAP_VIRTUAL_TIME) {
        return "model";
    }
    return strcmp(backend->name, "sync") == 0 ? "threads" : "interrupt";
}

static char *
find_mode(const FmStepRun *step)
{
    g_autofree const char **modes = g_new(const char *, step->n_threads);

    for (unsigned i = 0; i < step->n_threads; i++) {
        modes[i] = get_thread_mode(step, &step->threads[i]);
    }
    return fm_step_mode_dup(modes, step->n_threads);
}

static GVariant *
describe_queue(FmStepRun *step)
{
    GVariantDict facts;
    unsigned pinned = 0;
    bool locked = true;
    bool huge = true;

    g_variant_dict_init(&facts, step->threads[0].description);
    for (unsigned i = 0; i < step->n_threads; i++) {
        pinned += step->threads[i].pinned;
        locked = locked && step->threads[i].memory.locked;
        huge = huge && step->threads[i].memory.huge;
    }
    g_variant_dict_insert(&facts, "threads.pinned", "t", (guint64)pinned);
    g_variant_dict_insert(&facts, "memory.locked", "b", (gboolean)locked);
    g_variant_dict_insert(&facts, "memory.huge-pages", "b", (gboolean)huge);
    if (step->virtual_time) {
        g_variant_dict_insert(&facts, "clock", "s", "virtual");
    } else if (plat_clock_has_counter()) {
        g_variant_dict_insert(&facts, "clock", "s", "cycle counter");
    } else {
        g_variant_dict_insert(&facts, "clock", "s", "monotonic (coarse)");
        g_variant_dict_insert(&facts, "clock.reason", "s", plat_clock_get_reason());
    }
    if (step->run->refusals != NULL) {
        g_variant_dict_insert(&facts, "backend.refused", "s",
                              fm_message_get_text(step->run->refusals));
    }
    return g_variant_dict_end(&facts);
}

static GVariant *
describe_cpus(FmStepRun *step)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("au"));
    for (unsigned i = 0; i < step->n_threads; i++) {
        if (step->threads[i].pinned) {
            g_variant_builder_add(&builder, "u", (guint32)step->threads[i].cpu);
        }
    }
    return g_variant_builder_end(&builder);
}

/* Which step it is and what it was to be. */
static void
add_identity(GVariantBuilder *builder, const FmStep *step)
{
    const FmPhase *phase = step->phase;
    g_autoptr(GVariant) none =
        g_variant_ref_sink(g_variant_new_array(G_VARIANT_TYPE("{sv}"), NULL, 0));

    add(builder, "step", g_variant_new_uint32(step->number));
    add_string(builder, "path", step->path);
    add_string(builder, "kind", fm_phase_kind_name(phase->kind));
    add_string(builder, "label", phase->label);
    add_string(builder, "workload", phase->workload);
    add(builder, "parameters", step->parameters != NULL ? step->parameters : none);
    add(builder, "discard", g_variant_new_boolean(step->discard));
    add(builder, "wall", g_variant_new_int64(g_get_real_time()));
}

/* Said once a run, not once a step. */
static void
warn_crowded(FmStepRun *step)
{
    FmRunContext *run = step->run;

    if (!run->told_crowded && !step->virtual_time && step->threads[0].cpu < 0) {
        run->told_crowded = true;
        fm_run_note(run, "warning", step->step->number,
                    "There are more I/O threads (%u) than CPUs, so latency includes the wait for "
                    "a CPU.",
                    step->n_threads);
    }
}

void
fm_step_report_begin(FmStepRun *step)
{
    g_autofree char *mode = find_mode(step);
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    add_identity(&builder, step->step);
    add(&builder, "streams", describe_streams(step));
    add_string(&builder, "backend", step->backend->name);
    add_string(&builder, "mode", mode);
    add(&builder, "backend-facts", describe_queue(step));
    add(&builder, "cpus", describe_cpus(step));
    add(&builder, "ramp-ns", g_variant_new_int64(step->phase->ramp_ns));
    add(&builder, "stop", describe_stop(&step->phase->stop));
    add(&builder, "start-ns", g_variant_new_int64(fm_run_now_ns(step->run)));
    fm_run_emit(step->run, FM_FRAME_PHASE_BEGIN, g_variant_builder_end(&builder));
    warn_crowded(step);
}

/* --- End ---------------------------------------------------------------------- */

/* Everything the loops counted, brought together. */
typedef struct {
    uint64_t ios[FM_N_OPS];
    uint64_t bytes[FM_N_OPS];
    uint64_t latency_sum_ns[FM_N_OPS];
    uint64_t outside_bytes[FM_N_OPS];
    uint64_t outside_ios[FM_N_OPS];
    uint64_t errors;
    uint64_t preemptions;
    int64_t cpu_ns;
    int64_t busiest_ns;
    int64_t measured_ns;
    int64_t clock_residual_ns;
    int fail_code;
    FmHist hist[FM_N_OPS]; /* ticks; bins NULL where the op did not occur */
} StepTotals;

static void
merge_hist(FmHist *sum, const FmHist *one)
{
    if (one->bins == NULL) {
        return;
    }
    if (sum->bins == NULL) {
        fm_hist_init(sum, FM_HIST_PHASE_BITS);
    }
    fm_hist_merge(sum, one);
}

/* The step's own conversion, from the pairs at its two ends. */
static void
finish_clock(FmStepRun *step, StepTotals *totals)
{
    if (step->virtual_time || !plat_clock_has_counter()) {
        return;
    }
    FmClockPair end = plat_clock_pair();
    double ticks = (double)(end.ticks - step->start_pair.ticks);
    int64_t real = end.ns - step->start_pair.ns;

    totals->clock_residual_ns = real - (int64_t)(ticks * step->ns_per_tick);
}

static void
add_loop(StepTotals *totals, const FmStepRun *step, const FmIoThread *thread)
{
    const FmLoop *loop = thread->loop;
    int64_t measured =
        (int64_t)((double)(loop->window_end - loop->window_start) * step->ns_per_tick + 0.5);

    /* A thread that still drains may write these; a stuck one does not any more. */
    bool is_final = fm_io_thread_is(thread, FM_IO_THREAD_ENDED) || step->run->stuck;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        totals->ios[op] += loop->ops[op].ios;
        totals->bytes[op] += fm_loop_op_bytes(loop, op);
        totals->latency_sum_ns[op] += (uint64_t)((double)loop->ops[op].sum * step->ns_per_tick);
        totals->outside_ios[op] += loop->ramp[op].ios + (is_final ? loop->drain[op].ios : 0);
        totals->outside_bytes[op] += loop->ramp[op].bytes + (is_final ? loop->drain[op].bytes : 0);
        merge_hist(&totals->hist[op], &loop->hist[op]);
    }
    totals->errors += is_final ? loop->n_errors : 0;
    totals->preemptions += is_final ? thread->preemptions : 0;
    totals->cpu_ns += loop->cpu_ns;
    totals->busiest_ns = MAX(totals->busiest_ns, loop->cpu_ns);
    totals->measured_ns = MAX(totals->measured_ns, measured);
    totals->fail_code = totals->fail_code != 0 ? totals->fail_code : loop->fail_code;
}

static void
emit_hist(FmStepRun *step, uint32_t stream, unsigned op, const FmHist *hist)
{
    const double denominator = 1e9;
    FmHistKey key = {
        .step = step->step->number,
        .stream = stream,
        .op = op,
        .ns_per_tick_numerator = (uint64_t)(step->ns_per_tick * denominator + 0.5),
        .ns_per_tick_denominator = (uint64_t)denominator,
    };
    GByteArray *payload = g_byte_array_new();
    const FmSink *sink = &step->run->options->sink;

    fm_hist_encode(payload, &key, hist);
    sink->emit(sink->user_data, FM_FRAME_HISTOGRAM, payload->data, payload->len);
    g_byte_array_unref(payload);
}

/* One histogram an op of the whole step, and one a stream where there are several. */
static void
emit_hists(FmStepRun *step, const StepTotals *totals)
{
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (totals->hist[op].bins != NULL) {
            emit_hist(step, UINT32_MAX, op, &totals->hist[op]);
        }
    }
    for (unsigned stream = 0; step->phase->n_streams > 1 && stream < step->phase->n_streams;
         stream++) {
        for (unsigned op = 0; op < FM_N_OPS; op++) {
            g_auto(FmHist) sum = {0};
            for (unsigned i = 0; i < step->n_threads; i++) {
                if (step->threads[i].setup.stream_index == stream) {
                    merge_hist(&sum, &step->threads[i].loop->hist[op]);
                }
            }
            if (sum.bins != NULL) {
                emit_hist(step, stream, op, &sum);
            }
        }
    }
}

static GVariant *
count_error_codes(FmStepRun *step)
{
    struct {
        int code;
        uint64_t count;
    } codes[MAX_ERROR_CODES];
    unsigned n = 0;
    GVariantBuilder builder;

    for (unsigned i = 0; i < step->n_threads; i++) {
        const FmLoop *loop = step->merge.loops[i];
        for (unsigned j = 0; j < loop->n_errors_kept; j++) {
            int code = loop->errors[j].result < 0 ? -loop->errors[j].result : 0;
            unsigned k = 0;
            while (k < n && codes[k].code != code) {
                k++;
            }
            if (k == n && n < MAX_ERROR_CODES) {
                codes[n].code = code;
                codes[n++].count = 0;
            }
            codes[MIN(k, MAX_ERROR_CODES - 1)].count++;
        }
    }
    g_variant_builder_init(&builder, G_VARIANT_TYPE("a(its)"));
    for (unsigned k = 0; k < n; k++) {
        g_variant_builder_add(&builder, "(its)", codes[k].code, codes[k].count,
                              codes[k].code == 0 ? "short transfer"
                                                 : plat_status_text(codes[k].code));
    }
    return g_variant_builder_end(&builder);
}

static FmMessage *
describe_error(const FmLoopError *failure)
{
    g_autoptr(FmMessage) op = fm_message_new_words(fm_op_name((FmOp)failure->op));

    if (failure->result < 0) {
        g_autoptr(FmMessage) reason = fm_message_new_words(plat_status_text(-failure->result));
        return fm_message_new("%p of %u bytes at offset %ju failed: %p", op, failure->length,
                              failure->offset, reason);
    }
    return fm_message_new("%p of %u bytes at offset %ju moved only %d bytes", op, failure->length,
                          failure->offset, failure->result);
}

/* Notes of the first errors.  Returns the sentence of the very first, or NULL. */
static FmMessage *
note_errors(FmStepRun *step)
{
    g_autoptr(FmMessage) first = NULL;
    unsigned noted = 0;

    for (unsigned i = 0; i < step->n_threads; i++) {
        const FmLoop *loop = step->merge.loops[i];
        for (unsigned j = 0; j < loop->n_errors_kept && noted < ERRORS_NOTED; j++, noted++) {
            const FmLoopError *failure = &loop->errors[j];
            g_autoptr(FmMessage) text = describe_error(failure);
            GVariantBuilder builder;
            g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
            add_string(&builder, "kind", "error");
            fm_message_add(&builder, "text", text);
            add(&builder, "step", g_variant_new_uint32(step->step->number));
            add(&builder, "code", g_variant_new_int32(failure->result < 0 ? -failure->result : 0));
            add(&builder, "offset", g_variant_new_uint64(failure->offset));
            add_string(&builder, "op", fm_op_name((FmOp)failure->op));
            fm_run_emit(step->run, FM_FRAME_NOTE, g_variant_builder_end(&builder));
            if (first == NULL) {
                first = g_steal_pointer(&text);
            }
        }
    }
    return g_steal_pointer(&first);
}

/* Whether others used the drive meanwhile.  Only of a step that went well: what was on the
 * way when it was cut off may be in one account and not in the other. */
static void
add_disturbance(FmStepRun *step, const StepTotals *totals, const FmTraffic *counted,
                GVariantBuilder *builder)
{
    FmTraffic own = {
        .read = totals->bytes[FM_OP_READ] + totals->outside_bytes[FM_OP_READ],
        .written = totals->bytes[FM_OP_WRITE] + totals->outside_bytes[FM_OP_WRITE],
    };
    uint64_t foreign = fm_disturbance_get_foreign(&own, counted);

    if (totals->errors == 0 && fm_disturbance_is_comparable(step->run->options->target)) {
        add(builder, "disturbed", g_variant_new_boolean(fm_disturbance_is_notable(&own, foreign)));
        add(builder, "foreign-bytes", g_variant_new_uint64(foreign));
    }
}

static void
add_counters(FmStepRun *step, const StepTotals *totals, FmOutcome outcome, GVariantBuilder *builder)
{
    FmTraffic counted = {0};

    if (!step->has_counters ||
        !plat_target_counters(step->run->path, &counted.read, &counted.written)) {
        return;
    }
    counted.read -= step->counters_read;
    counted.written -= step->counters_written;
    add(builder, "counter-read-bytes", g_variant_new_uint64(counted.read));
    add(builder, "counter-written-bytes", g_variant_new_uint64(counted.written));
    if (outcome == FM_OUTCOME_COMPLETE) {
        add_disturbance(step, totals, &counted, builder);
    }
}

/* Proof of polling (ENGINE 1.5): a polled drive sends next to no interrupts. */
static void
add_interrupts(FmStepRun *step, const StepTotals *totals, GVariantBuilder *builder)
{
    g_autofree char *mode = find_mode(step);
    uint64_t now = 0;
    uint64_t ios = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        ios += totals->ios[op] + totals->outside_ios[op];
    }
    if (!step->has_interrupts || ios == 0 || !plat_target_interrupts(step->run->path, &now)) {
        return;
    }
    double per_io = (double)(now - step->interrupts) / (double)ios;
    add(builder, "interrupts-per-io", g_variant_new_double(per_io));
    if (strstr(mode, "polled") != NULL && per_io > MAX_POLLED_INTERRUPTS) {
        fm_run_note(step->run, "warning", step->step->number,
                    "polling was asked for, but the drive sent %.2f interrupts per I/O: this was "
                    "not polled",
                    per_io);
    }
}

/* Whether the machine rather than the drive set the result (PEERS B1): a thread that
 * sleeps while it waits was nevertheless busy all the time. */
static void
add_host_limit(FmStepRun *step, const StepTotals *totals, GVariantBuilder *builder)
{
    g_autofree char *mode = find_mode(step);
    bool sleeps = strcmp(mode, "interrupt") == 0 || strcmp(mode, "threads") == 0;
    bool limited = sleeps && totals->measured_ns > 0 &&
                   totals->busiest_ns * 1000 > totals->measured_ns * BUSY_PERMILLE;

    add(builder, "host-limited", g_variant_new_boolean(limited));
    g_autoptr(FmMessage) reason =
        limited ? fm_message_new("an I/O thread was busy more than %d %% of the time",
                                 BUSY_PERMILLE / 10)
                : NULL;
    fm_message_add(builder, "host-limited-reason", reason);
}

static const char *
find_ended_by(const FmStepRun *step)
{
    const FmStopRule *stop = &step->phase->stop;

    if (step->stop_reason != NULL) {
        return step->stop_reason;
    }
    for (unsigned i = 0; i < step->n_threads; i++) {
        if (step->merge.loops[i]->remaining > 0) {
            return "time";
        }
    }
    return stop->bytes > 0 ? "bytes" : "passes";
}

static int64_t
find_paused_ns(const FmStepRun *step)
{
    uint64_t ticks = atomic_load_explicit(&step->control->pause_ticks, memory_order_relaxed);

    return (int64_t)((double)ticks * step->ns_per_tick + 0.5);
}

static void
emit_end(FmStepRun *step, const StepTotals *totals, const FmStepResult *result)
{
    GVariantBuilder builder;
    double latency = 0;
    unsigned expected = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        latency += (double)totals->latency_sum_ns[op];
    }
    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        expected += step->phase->streams[i].in_flight;
    }
    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    add(&builder, "step", g_variant_new_uint32(step->step->number));
    add_string(&builder, "outcome", fm_outcome_name(result->outcome));
    fm_message_add(&builder, "reason", result->reason);
    add_string(&builder, "ended-by", result->ended_by);
    add(&builder, "wall", g_variant_new_int64(g_get_real_time()));
    add(&builder, "measured-ns", g_variant_new_int64(totals->measured_ns));
    add(&builder, "ios", per_op(totals->ios));
    add(&builder, "bytes", per_op(totals->bytes));
    add(&builder, "latency-sum-ns", per_op(totals->latency_sum_ns));
    add(&builder, "outside-ios", per_op(totals->outside_ios));
    add(&builder, "outside-bytes", per_op(totals->outside_bytes));
    add(&builder, "errors", g_variant_new_uint64(totals->errors));
    add(&builder, "error-codes", count_error_codes(step));
    if (!step->virtual_time) {
        add(&builder, "cpu-ns", g_variant_new_int64(totals->cpu_ns));
        add(&builder, "context-switches", g_variant_new_uint64(totals->preemptions));
        add(&builder, "clock-residual-ns", g_variant_new_int64(totals->clock_residual_ns));
    }
    if (totals->measured_ns > 0) {
        add(&builder, "in-flight-mean",
            g_variant_new_double(latency / (double)totals->measured_ns));
    }
    add(&builder, "paused-ns", g_variant_new_int64(find_paused_ns(step)));
    add(&builder, "expected-in-flight", g_variant_new_uint32(expected));
    add_host_limit(step, totals, &builder);
    add_counters(step, totals, result->outcome, &builder);
    add_interrupts(step, totals, &builder);
    fm_run_emit(step->run, FM_FRAME_PHASE_END, g_variant_builder_end(&builder));
}

static void
emit_steady(FmStepRun *step)
{
    for (const char *rule = "ABC"; step->stop_state != NULL && *rule != '\0'; rule++) {
        FmSteadyResult state = fm_stop_state_get(step->stop_state, *rule);
        const char name[2] = {*rule, '\0'};
        GVariantBuilder builder;
        g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
        add_string(&builder, "kind", "steady");
        add_string(&builder, "path", step->step->path);
        add(&builder, "step", g_variant_new_uint32(step->step->number));
        add_string(&builder, "rule", name);
        add(&builder, "accepted", g_variant_new_boolean(state.passed));
        add(&builder, "at-ns", g_variant_new_int64(state.at_ns));
        add(&builder, "passes", g_variant_new_double(state.passes));
        add(&builder, "value", g_variant_new_double(state.mean));
        add(&builder, "slope", g_variant_new_double(state.slope));
        add(&builder, "range", g_variant_new_double(state.range));
        fm_run_emit(step->run, FM_FRAME_EVALUATION, g_variant_builder_end(&builder));
    }
}

/* The driver judges in nanoseconds.  Converting a bin adds at most one more bin width
 * of rounding; minimum, maximum and sum stay exact. */
static void
convert_hist(const FmHist *ticks, double ns_per_tick, FmHist *ns)
{
    fm_hist_init(ns, ticks->bits);
    for (unsigned i = 0; i < ticks->n_bins; i++) {
        if (ticks->bins[i] > 0) {
            uint64_t upper = MIN(fm_hist_bin_upper(i, ticks->bits), ticks->max);
            uint64_t value = (uint64_t)((double)upper * ns_per_tick);
            ns->bins[fm_hist_bin(value, ns->bits)] += ticks->bins[i];
        }
    }
    ns->count = ticks->count;
    ns->sum = (uint64_t)((double)ticks->sum * ns_per_tick);
    ns->min = ticks->count > 0 ? (uint64_t)((double)ticks->min * ns_per_tick) : UINT64_MAX;
    ns->max = (uint64_t)((double)ticks->max * ns_per_tick);
}

static void
fill_result(FmStepRun *step, const StepTotals *totals, FmStepResult *result)
{
    result->ended_by = find_ended_by(step);
    result->measured_ns = totals->measured_ns;
    result->errors = totals->errors;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        result->ios[op] = totals->ios[op];
        result->bytes[op] = totals->bytes[op];
        if (totals->hist[op].bins != NULL) {
            convert_hist(&totals->hist[op], step->ns_per_tick, &result->latency_ns[op]);
        }
    }
    if (result->outcome == FM_OUTCOME_FAILED) {
        result->reason = note_errors(step);
        if (result->reason == NULL && totals->fail_code != 0) {
            g_autoptr(FmMessage) why = fm_message_new_words(plat_status_text(totals->fail_code));
            result->reason = fm_message_new("the queue broke: %p", why);
        }
        if (result->reason == NULL && step->run->stuck) {
            result->reason = fm_message_new("I/Os never came back; the drive or its driver hangs");
        }
    }
}

/* Sum of histogram bins = completed I/Os = counters; anything else is our own bug and
 * must not become a result (ENGINE rule 4). */
static void
check_counts(FmStepRun *step, const StepTotals *totals, FmStepResult *result)
{
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        const FmHist *hist = &totals->hist[op];
        uint64_t sum = 0;
        for (unsigned i = 0; hist->bins != NULL && i < hist->n_bins; i++) {
            sum += hist->bins[i];
        }
        if (sum != totals->ios[op]) {
            result->outcome = FM_OUTCOME_FAILED;
            fm_message_unref(result->reason);
            result->reason = fm_message_new("the histogram of “%s” holds %ju I/Os, but %ju were "
                                            "counted: this is a bug in Fathom",
                                            fm_op_name((FmOp)op), sum, totals->ios[op]);
            fm_run_note(step->run, "error", step->step->number, "%p", result->reason);
        }
    }
}

void
fm_step_report_end(FmStepRun *step, FmStepResult *result)
{
    StepTotals totals = {0};

    fm_step_settle(step, SETTLE_MS);
    finish_clock(step, &totals);
    for (unsigned i = 0; i < step->n_threads; i++) {
        add_loop(&totals, step, &step->threads[i]);
    }
    fill_result(step, &totals, result);
    check_counts(step, &totals, result);
    emit_hists(step, &totals);
    fm_step_log_finish(step);
    emit_steady(step);
    emit_end(step, &totals, result);
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        fm_hist_clear(&totals.hist[op]);
    }
}

void
fm_step_report_unrun(FmRunContext *run, const FmStep *step, FmOutcome outcome,
                     const FmMessage *reason)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    add_identity(&builder, step);
    fm_run_emit(run, FM_FRAME_PHASE_BEGIN, g_variant_builder_end(&builder));

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    add(&builder, "step", g_variant_new_uint32(step->number));
    add_string(&builder, "outcome", fm_outcome_name(outcome));
    fm_message_add(&builder, "reason", reason);
    add(&builder, "wall", g_variant_new_int64(g_get_real_time()));
    fm_run_emit(run, FM_FRAME_PHASE_END, g_variant_builder_end(&builder));
}
