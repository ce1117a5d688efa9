/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a concrete step of a phase that moves data: a copy with everything applied
 * that enclosing drivers have set, checked against what the target can do at all; has
 * it run, and tells the drivers what came out.  Control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "engine/driver-walk.h"

/* --- Applying what drivers have set ------------------------------------------------- */

bool
fm_setting_is_for(const FmSetting *setting, const char *id)
{
    return setting->target == NULL || g_strcmp0(setting->target, id) == 0;
}

static void
apply_parameter(FmStream *stream, FmParameter parameter, uint64_t value)
{
    switch (parameter) {
    case FM_PARAMETER_IN_FLIGHT:
        stream->in_flight = (unsigned)value;
        break;
    case FM_PARAMETER_THREADS:
        stream->threads = (unsigned)value;
        break;
    case FM_PARAMETER_READ_SHARE:
        stream->op_share[FM_OP_READ] = (uint32_t)value;
        stream->op_share[FM_OP_WRITE] = FM_SHARE_WHOLE - (uint32_t)value;
        stream->op_share[FM_OP_TRIM] = 0;
        stream->op_share[FM_OP_FLUSH] = 0;
        break;
    case FM_PARAMETER_BLOCK_SIZE:
        stream->blocks[0] = (FmBlockShare){.size = (uint32_t)value, .weight = 1};
        stream->n_blocks = 1;
        break;
    case FM_PARAMETER_REGION_SIZE:
        stream->region_size = value == FM_REGION_WHOLE
                                  ? (FmExtent){.relative = true, .value = 1000000}
                                  : (FmExtent){.value = value};
        break;
    case FM_PARAMETER_REST_TIME: /* of rests, not of streams */
        break;
    }
}

/* Streams that were held to a rate of their own keep it; the others share the curve's
 * by their depth.  0 % is an idle probe of one I/O per second (ENGINE 8.3). */
static void
apply_rate(FmPhase *phase, const FmSetting *setting)
{
    uint64_t in_flight = 0;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        in_flight += fm_pacing_is_used(&phase->streams[i].pacing) ? 0 : phase->streams[i].in_flight;
    }

    double rate = setting->value == 0 ? 1 : setting->peak * (double)setting->value / 100;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        FmStream *stream = &phase->streams[i];
        if (!fm_pacing_is_used(&stream->pacing)) {
            stream->pacing.ios_per_second = rate * stream->in_flight / (double)in_flight;
            stream->pacing.percent_of_peak = (uint32_t)setting->value;
        }
    }
}

static void
apply_setting(FmPhase *phase, const FmSetting *setting)
{
    switch (setting->kind) {
    case FM_SETTING_PARAMETER:
        for (unsigned i = 0; i < phase->n_streams; i++) {
            if (fm_setting_is_for(setting, phase->streams[i].id)) {
                apply_parameter(&phase->streams[i], setting->parameter, setting->value);
            }
        }
        break;
    case FM_SETTING_TIME:
        if (phase->kind == FM_PHASE_MEASURE) {
            phase->stop.time_ns = (int64_t)setting->value;
        }
        break;
    case FM_SETTING_RATE:
        apply_rate(phase, setting);
        break;
    case FM_SETTING_NUMBER:
        break;
    }
}

static FmPhase *
build_phase(const FmWalk *walk, const FmPhase *phase)
{
    FmPhase *copy = fm_phase_copy(phase);

    for (guint i = 0; i < walk->settings->len; i++) {
        apply_setting(copy, &g_array_index(walk->settings, FmSetting, i));
    }
    for (unsigned i = 0; i < copy->n_streams; i++) {
        copy->streams[i].threads = fm_stream_threads(&copy->streams[i], walk->actions->cores);
    }
    return copy;
}

static GVariant *
build_parameters(const FmWalk *walk)
{
    GVariantDict parameters;
    g_variant_dict_init(&parameters, NULL);

    for (guint i = 0; i < walk->settings->len; i++) {
        const FmSetting *setting = &g_array_index(walk->settings, FmSetting, i);
        if (setting->kind != FM_SETTING_TIME) {
            g_variant_dict_insert(&parameters, setting->name, "t", setting->value);
        }
        if (setting->kind == FM_SETTING_RATE) {
            g_variant_dict_insert(&parameters, "peak-ios-per-second", "d", setting->peak);
        }
    }
    return g_variant_ref_sink(g_variant_dict_end(&parameters));
}

/* --- What can't be done ------------------------------------------------------------- */

/* NULL, or why blocks of @stream don't fit.  Caller frees. */
static FmMessage *
find_block_problem(const FmDriverActions *actions, const FmStream *stream)
{
    uint32_t unit = MAX(actions->block_size, 1);
    uint32_t largest = 0;

    for (unsigned i = 0; i < stream->n_blocks; i++) {
        largest = MAX(largest, stream->blocks[i].size);
        if (!stream->buffered && stream->blocks[i].size % unit != 0) {
            return fm_message_new("blocks of %u B are not possible on a %u B LBA",
                                  stream->blocks[i].size, unit);
        }
    }
    if (stream->pattern == FM_PATTERN_STRIDED && !stream->buffered && stream->stride % unit != 0) {
        return fm_message_new("a stride of %ju B is not possible on a %u B LBA", stream->stride,
                              unit);
    }

    if (actions->target_size == 0) {
        return NULL;
    }
    uint64_t offset = fm_extent_resolve(stream->region_offset, actions->target_size, unit);
    uint64_t size = fm_extent_resolve(stream->region_size, actions->target_size, unit);
    uint64_t room = actions->target_size - MIN(offset, actions->target_size);
    if (MIN(size, room) / largest < stream->threads) {
        return stream->threads == 1
                   ? fm_message_new("the region is smaller than one block of %u B", largest)
                   : fm_message_new("the region has no block of %u B for each of %u threads",
                                    largest, stream->threads);
    }
    return NULL;
}

/* NULL, or the sentence why the step can't be run on this target.  Caller frees. */
static FmMessage *
find_problem(const FmDriverActions *actions, const FmPhase *phase)
{
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        if (stream->op_share[FM_OP_TRIM] > 0 && !actions->can_trim) {
            return fm_message_new("the target cannot trim");
        }
        if (stream->in_flight % stream->threads != 0) {
            return fm_message_new("%u threads cannot share %u I/Os in flight", stream->threads,
                                  stream->in_flight);
        }
        FmMessage *problem = find_block_problem(actions, stream);
        if (problem != NULL) {
            return problem;
        }
    }
    return NULL;
}

/* --- Running ------------------------------------------------------------------------ */

double
fm_step_rate(const FmStep *step, const FmStepResult *result)
{
    if (result->measured_ns <= 0) {
        return 0;
    }

    bool sequential = true;
    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        sequential = sequential && step->phase->streams[i].pattern == FM_PATTERN_SEQUENTIAL;
    }
    uint64_t sum = 0;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        sum += op == FM_OP_FLUSH ? 0 : sequential ? result->bytes[op] : result->ios[op];
    }
    return (double)sum * 1e9 / (double)result->measured_ns;
}

/* Path of the step below what @judge's steps share. */
static const char *
cell_of(const FmWalk *walk, const FmJudge *judge)
{
    const char *cell = walk->path->str + judge->path_length;
    return *cell == '/' ? cell + 1 : cell;
}

static bool
is_wanted(const FmWalk *walk)
{
    for (FmJudge *judge = walk->judges; judge != NULL; judge = judge->outer) {
        if (judge->wants != NULL && !judge->wants(judge, cell_of(walk, judge))) {
            return false;
        }
    }
    return true;
}

static bool
run_step(FmWalk *walk, const FmStep *step)
{
    const FmDriverActions *actions = walk->actions;
    g_auto(FmStepResult) result = {0};
    bool go_on = actions->run_step(actions->user_data, step, &result);
    bool is_taken = false;

    if (result.outcome == FM_OUTCOME_SKIPPED) {
        g_autoptr(FmMessage) reason =
            result.reason != NULL ? fm_message_ref(result.reason) : fm_message_new("not possible");
        fm_walk_skip(walk, step->path, reason);
        return go_on || fm_walk_end(walk, FM_OUTCOME_STOPPED, NULL);
    }
    walk->n_done++;
    for (FmJudge *judge = walk->judges; judge != NULL && go_on; judge = judge->outer) {
        if (result.outcome == FM_OUTCOME_COMPLETE || judge->takes_failures) {
            judge->hear(judge, cell_of(walk, judge), step, &result);
            is_taken = is_taken || judge->takes_failures;
        }
    }
    if (go_on && (result.outcome == FM_OUTCOME_COMPLETE || is_taken)) {
        return true;
    }

    GError *error = NULL;
    if (result.outcome == FM_OUTCOME_FAILED || result.outcome == FM_OUTCOME_REFUSED) {
        g_autoptr(FmMessage) reason =
            result.reason != NULL ? fm_message_ref(result.reason) : fm_message_new("failed");
        fm_error_set(&error, FM_ERROR_IO, "Step %s: %p", step->path, reason);
    }
    return fm_walk_end(walk, result.outcome, error);
}

bool
fm_walk_step(FmWalk *walk, const FmPhase *phase)
{
    if (!is_wanted(walk)) {
        return true;
    }

    g_autoptr(FmPhase) concrete = build_phase(walk, phase);
    g_autoptr(GVariant) parameters = build_parameters(walk);
    g_autoptr(FmMessage) problem =
        walk->skip_reason == NULL ? find_problem(walk->actions, concrete) : NULL;
    FmStep step = {
        .number = walk->next_number,
        .path = walk->path->str,
        .phase = concrete,
        .parameters = parameters,
        .discard = walk->discard,
    };

    if (problem != NULL) {
        fm_walk_skip(walk, step.path, problem);
    }
    if (problem != NULL || walk->skip_reason != NULL) {
        walk->next_number++;
        walk->actions->skip_step(walk->actions->user_data, &step,
                                 problem != NULL ? problem : walk->skip_reason);
        return true;
    }

    if (!fm_walk_rest_take(walk)) {
        return false;
    }
    walk->next_number++;
    return run_step(walk, &step);
}
