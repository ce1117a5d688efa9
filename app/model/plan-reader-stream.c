/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams and stop rules of a plan, and whether they can be run as written: also with
 * every value that an enclosing sweep or search may put into them.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader-private.h"

#include "base/units.h"
#include "model/plan-names.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_WEIGHT = 1000000,
    MAX_COUNTER = 1000000000, /* I/Os between flushes or gaps */
    MAX_PASSES = 1000,
};

static const FmExtent whole_target = {.relative = true, .value = 1000000};

/* --- What enclosing drivers vary ---------------------------------------------------- */

/*
 * The innermost axis that varies @parameter of the stream @id, or NULL.  Axes outside it
 * are overruled, but count as used.
 */
static const FmAxisUse *
find_axis(FmPlanReader *reader, FmParameter parameter, const char *id)
{
    const FmAxisUse *found = NULL;
    for (guint i = 0; i < reader->reading->axes->len; i++) {
        FmAxisUse *use = reader->reading->axes->pdata[i];
        if (use->axis->parameter == parameter &&
            (use->axis->target == NULL || g_strcmp0(use->axis->target, id) == 0)) {
            use->is_used = true;
            found = use;
        }
    }
    return found;
}

/* Checks one pair of depth and threads; a stream's own @threads may be 0 = automatic. */
static void
check_threads(FmPlanReader *reader, uint64_t in_flight, uint64_t threads)
{
    if (threads > 0 && in_flight % threads != 0) {
        fm_reader_fail(reader, "A depth of %ju cannot be shared evenly by %ju threads.", in_flight,
                       threads);
    }
}

static void
check_depths(FmPlanReader *reader, const FmStream *stream)
{
    const FmAxisUse *depths = find_axis(reader, FM_PARAMETER_IN_FLIGHT, stream->id);
    const FmAxisUse *threads = find_axis(reader, FM_PARAMETER_THREADS, stream->id);
    uint64_t own_depth = stream->in_flight;
    uint64_t own_threads = stream->threads;
    const uint64_t *depth_values = depths != NULL ? depths->axis->values : &own_depth;
    const uint64_t *thread_values = threads != NULL ? threads->axis->values : &own_threads;
    unsigned n_depths = depths != NULL ? depths->axis->n_values : 1;
    unsigned n_threads = threads != NULL ? threads->axis->n_values : 1;

    for (unsigned i = 0; i < n_threads; i++) {
        if (depths != NULL && depths->is_range && thread_values[i] > 1) {
            fm_reader_fail(reader, "A search over the depth needs streams without “threads”.");
        }
        for (unsigned j = 0; j < n_depths; j++) {
            check_threads(reader, depth_values[j], thread_values[i]);
        }
    }
}

/* The largest value of @parameter that the stream @id may run with. */
static uint64_t
largest(FmPlanReader *reader, FmParameter parameter, const char *id, uint64_t own)
{
    const FmAxisUse *use = find_axis(reader, parameter, id);
    uint64_t found = use != NULL ? 0 : own;
    for (unsigned i = 0; use != NULL && i < use->axis->n_values; i++) {
        found = MAX(found, use->axis->values[i]);
    }
    return found;
}

/* --- Parts of a stream ---------------------------------------------------------------- */

static void
read_shares(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    uint32_t sum = 0;
    int rest = -1;
    for (int op = 0; op < FM_N_OPS; op++) {
        const char *name = fm_op_name((FmOp)op);
        const char *text = json_string_value(json_object_get(object, name));
        if (g_strcmp0(text, "rest") == 0) {
            if (rest >= 0) {
                fm_reader_fail_at(reader, name, "Only one share can be “rest”.");
            }
            rest = op;
            continue;
        }
        stream->op_share[op] =
            fm_reader_share(reader, object, name, (FmRange){.maximum = FM_SHARE_WHOLE});
        sum += stream->op_share[op];
    }
    if (rest >= 0 && sum <= FM_SHARE_WHOLE) {
        stream->op_share[rest] = FM_SHARE_WHOLE - sum;
        sum = FM_SHARE_WHOLE;
    }
    if (sum != FM_SHARE_WHOLE) {
        g_autofree char *shown = fm_units_dup_percent(sum * FM_SHARE_STEP);
        fm_reader_fail(reader, "The shares of this stream add up to %s, not to 100%%.", shown);
    }
    if (find_axis(reader, FM_PARAMETER_READ_SHARE, stream->id) != NULL &&
        stream->op_share[FM_OP_READ] + stream->op_share[FM_OP_WRITE] != FM_SHARE_WHOLE) {
        fm_reader_fail(reader, "A sweep over “read” needs streams that only read and write.");
    }
}

static const FmRange block_range = {.minimum = FM_MIN_BLOCK, .maximum = FM_MAX_BLOCK};

static void
check_multiple(FmPlanReader *reader, uint64_t bytes)
{
    if (bytes % FM_MIN_BLOCK != 0) {
        fm_reader_fail(reader, "This must be a multiple of %d bytes.", FM_MIN_BLOCK);
    }
}

static int
compare_blocks_cb(const void *a, const void *b)
{
    const FmBlockShare *left = a;
    const FmBlockShare *right = b;
    return left->size < right->size ? -1 : left->size > right->size;
}

/* {"4KiB": 60, "64KiB": 40}: by size, so that the same mix is the same plan. */
static void
read_block_mix(FmPlanReader *reader, const json_t *mix, FmStream *stream)
{
    if (!json_is_object(mix) || json_object_size(mix) == 0 ||
        json_object_size(mix) > FM_PLAN_MAX_BLOCKS) {
        fm_reader_fail(reader, "“blocks” must be an object of 1 to %d sizes and their weights.",
                       FM_PLAN_MAX_BLOCKS);
        return;
    }
    const char *key;
    json_t *value;
    stream->blocks = g_new0(FmBlockShare, json_object_size(mix));
    json_object_foreach((json_t *)mix, key, value)
    {
        gsize mark = fm_reader_enter(reader, key);
        json_auto_t *size = json_string(key);
        FmRange weights = {.fallback = 1, .minimum = 1, .maximum = MAX_WEIGHT};
        FmBlockShare *block = &stream->blocks[stream->n_blocks++];
        block->size = (uint32_t)fm_reader_value_size(reader, size, block_range);
        check_multiple(reader, block->size);
        block->weight = (uint32_t)fm_reader_value_count(reader, value, weights);
        fm_reader_leave(reader, mark);
    }
    qsort(stream->blocks, stream->n_blocks, sizeof *stream->blocks, compare_blocks_cb);
    for (unsigned i = 1; i < stream->n_blocks; i++) {
        if (stream->blocks[i].size == stream->blocks[i - 1].size) {
            fm_reader_fail(reader, "One size stands here twice.");
        }
    }
}

static void
read_blocks(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    const json_t *single = json_object_get(object, "block");
    const json_t *mix = json_object_get(object, "blocks");
    if ((single == NULL) == (mix == NULL)) {
        fm_reader_fail(reader, "A stream needs either “block” or “blocks”.");
        return;
    }
    gsize mark = fm_reader_enter(reader, single != NULL ? "block" : "blocks");
    if (single != NULL) {
        stream->blocks = g_new0(FmBlockShare, 1);
        stream->n_blocks = 1;
        stream->blocks[0].weight = 1;
        stream->blocks[0].size = (uint32_t)fm_reader_value_size(reader, single, block_range);
        check_multiple(reader, stream->blocks[0].size);
    } else {
        read_block_mix(reader, mix, stream);
    }
    find_axis(reader, FM_PARAMETER_BLOCK_SIZE, stream->id);
    fm_reader_leave(reader, mark);
}

static void
read_depth(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    FmRange depths = {.minimum = 1, .maximum = FM_MAX_IN_FLIGHT};
    FmRange threads = {.minimum = 1, .maximum = FM_MAX_THREADS};
    bool has_total = json_object_get(object, "in-flight") != NULL;
    bool has_per_thread = json_object_get(object, "per-thread") != NULL;

    if (has_total == has_per_thread) {
        fm_reader_fail(reader, "A stream needs either “in-flight” or “per-thread”.");
        return;
    }
    stream->threads = (unsigned)fm_reader_count(reader, object, "threads", threads);
    if (has_total) {
        stream->in_flight = (unsigned)fm_reader_count(reader, object, "in-flight", depths);
        return;
    }
    if (stream->threads == 0) {
        fm_reader_fail(reader, "“per-thread” needs “threads” beside it.");
        return;
    }
    stream->in_flight =
        stream->threads * (unsigned)fm_reader_count(reader, object, "per-thread", depths);
    if (stream->in_flight > FM_MAX_IN_FLIGHT) {
        fm_reader_fail_at(reader, "per-thread",
                          "All threads together keep %u I/Os in flight; %d "
                          "are possible.",
                          stream->in_flight, FM_MAX_IN_FLIGHT);
    }
}

static void
read_pattern(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    if (json_object_get(object, "pattern") == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "pattern");
    }
    stream->pattern = (FmPattern)fm_reader_word(reader, object, "pattern", fm_names_pattern, 0);

    bool has_random = json_object_get(object, "random") != NULL;
    if (has_random != (stream->pattern == FM_PATTERN_MIXED)) {
        fm_reader_fail_key(reader, has_random ? "random" : "pattern",
                           "“random” and the pattern “mixed” go together.");
    }
    FmRange shares = {.minimum = 1, .maximum = FM_SHARE_WHOLE - 1};
    stream->random_share = fm_reader_share(reader, object, "random", shares);

    bool has_stride = json_object_get(object, "stride") != NULL;
    if (has_stride != (stream->pattern == FM_PATTERN_STRIDED)) {
        fm_reader_fail_key(reader, has_stride ? "stride" : "pattern",
                           "“stride” and the pattern “strided” go together.");
    }
    FmRange strides = {.minimum = FM_MIN_BLOCK, .maximum = UINT64_C(1) << 40};
    stream->stride = fm_reader_size(reader, object, "stride", strides);
    gsize mark = fm_reader_enter(reader, "stride");
    check_multiple(reader, stream->stride);
    fm_reader_leave(reader, mark);
}

static void
check_pattern(FmPlanReader *reader, const FmStream *stream)
{
    bool needs_one_size =
        stream->pattern == FM_PATTERN_PERMUTATION || stream->pattern == FM_PATTERN_STRIDED;
    if (needs_one_size && stream->n_blocks > 1) {
        fm_reader_fail_at(reader, "blocks", "The pattern “%s” needs a single block size.",
                          fm_pattern_name(stream->pattern));
    }
    uint64_t block = stream->blocks[stream->n_blocks - 1].size;
    if (stream->pattern == FM_PATTERN_STRIDED &&
        stream->stride < largest(reader, FM_PARAMETER_BLOCK_SIZE, stream->id, block)) {
        fm_reader_fail_at(reader, "stride", "The stride is smaller than the block.");
    }
}

static void
read_region(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    FmExtent start = {0};
    stream->region_offset = fm_reader_extent(reader, object, "offset", start);
    FmExtent rest = whole_target;
    if (stream->region_offset.relative) {
        rest.value -= stream->region_offset.value;
    }
    stream->region_size = fm_reader_extent(reader, object, "region", rest);
    if (stream->region_size.value == 0) {
        fm_reader_fail(reader, "The region of this stream is empty.");
    }
    if (stream->region_offset.relative && stream->region_size.relative &&
        stream->region_offset.value + stream->region_size.value > whole_target.value) {
        fm_reader_fail_at(reader, "region", "The region reaches beyond the end of the target.");
    }
    find_axis(reader, FM_PARAMETER_REGION_SIZE, stream->id);
}

static void
read_pacing(FmPlanReader *reader, const json_t *object, FmPacing *pacing)
{
    static const char *const keys[] = {
        "ios-per-second",
        "bytes-per-second",
        "arrival",
        "least-bytes-per-second",
        "gap-every",
        "gap",
        NULL,
    };
    const json_t *value = json_object_get(object, "pacing");
    if (value == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "pacing");
    if (fm_reader_check_object(reader, value, keys, fm_message_new("Pacing"))) {
        FmRange rates = {.maximum = UINT64_C(1) << 40};
        FmRange counts = {.maximum = MAX_COUNTER};
        pacing->ios_per_second = fm_reader_number(reader, value, "ios-per-second", 1e9);
        pacing->bytes_per_second = (double)fm_reader_size(reader, value, "bytes-per-second", rates);
        pacing->least_bytes_per_second =
            (double)fm_reader_size(reader, value, "least-bytes-per-second", rates);
        pacing->arrival = (FmArrival)fm_reader_word(reader, value, "arrival", fm_names_arrival, 0);
        pacing->gap_every = (unsigned)fm_reader_count(reader, value, "gap-every", counts);
        pacing->gap_ns =
            fm_reader_time(reader, value, "gap", (FmRange){.maximum = FM_PLAN_MAX_TIME});
        if ((pacing->gap_every == 0) != (pacing->gap_ns == 0)) {
            fm_reader_fail(reader, "“gap-every” and “gap” go together.");
        }
        if (pacing->ios_per_second > 0 && pacing->bytes_per_second > 0) {
            fm_reader_fail(reader, "A stream has one rate, in I/Os or in bytes.");
        }
    }
    fm_reader_leave(reader, mark);
}

static void
read_data(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    stream->data = (FmDataKind)fm_reader_word(reader, object, "data", fm_names_data, 0);
    FmRange shares = {.maximum = FM_SHARE_WHOLE};
    stream->compressible_share = fm_reader_share(reader, object, "compressible", shares);
    bool has_share = json_object_get(object, "compressible") != NULL;
    if (has_share != (stream->data == FM_DATA_COMPRESSIBLE)) {
        fm_reader_fail_key(reader, has_share ? "compressible" : "data",
                           "“compressible” and the data “compressible” go together.");
    }
}

static void
read_stream(FmPlanReader *reader, const json_t *object, FmStream *stream)
{
    static const char *const keys[] = {
        "id",         "read",   "write",        "trim",   "flush",     "pattern",
        "random",     "stride", "block",        "blocks", "in-flight", "threads",
        "per-thread", "offset", "region",       "sync",   "buffered",  "flush-every",
        "pacing",     "data",   "compressible", NULL,
    };
    if (!fm_reader_check_object(reader, object, keys, fm_message_new("A stream"))) {
        return;
    }
    stream->id = fm_reader_dup_id(reader, object, "id");
    if (stream->id == NULL) {
        stream->id = g_strdup("main");
    }
    read_shares(reader, object, stream);
    read_pattern(reader, object, stream);
    read_blocks(reader, object, stream);
    read_depth(reader, object, stream);
    read_region(reader, object, stream);
    read_pacing(reader, object, &stream->pacing);
    read_data(reader, object, stream);
    stream->sync = fm_reader_switch(reader, object, "sync");
    stream->buffered = fm_reader_switch(reader, object, "buffered");
    stream->flush_every =
        (unsigned)fm_reader_count(reader, object, "flush-every", (FmRange){.maximum = MAX_COUNTER});
    if (reader->error == NULL) {
        check_depths(reader, stream);
        check_pattern(reader, stream);
    }
}

/* --- Streams of a phase, and how it ends --------------------------------------------- */

static void
check_together(FmPlanReader *reader, const FmPhase *phase)
{
    uint64_t in_flight = 0;
    uint64_t threads = 0;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        uint64_t own_threads = MAX(stream->threads, 1);
        in_flight += largest(reader, FM_PARAMETER_IN_FLIGHT, stream->id, stream->in_flight);
        threads += largest(reader, FM_PARAMETER_THREADS, stream->id, own_threads);
        for (unsigned j = 0; j < i; j++) {
            if (g_strcmp0(stream->id, phase->streams[j].id) == 0) {
                fm_reader_fail(reader, "Two streams are called “%s”; give each its own “id”.",
                               stream->id);
            }
        }
    }
    if (in_flight > FM_MAX_IN_FLIGHT || threads > FM_MAX_THREADS) {
        fm_reader_fail(reader,
                       "All streams together may keep %d I/Os in flight on %d threads, not more.",
                       FM_MAX_IN_FLIGHT, FM_MAX_THREADS);
    }
}

void
fm_reader_streams(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    const json_t *array = fm_reader_array(reader, object, "streams", 1, FM_PLAN_MAX_STREAMS);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "streams");
    phase->streams = g_new0(FmStream, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array) && reader->error == NULL; i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        read_stream(reader, json_array_get(array, i), &phase->streams[phase->n_streams++]);
        fm_reader_leave(reader, inner);
    }
    if (reader->error == NULL) {
        check_together(reader, phase);
    }
    fm_reader_leave(reader, mark);
}

static void
read_steady(FmPlanReader *reader, const json_t *object, FmStopRule *stop)
{
    static const char *const rules[] = {"A", "B", "C", NULL};
    stop->steady = json_object_get(object, "steady") != NULL;
    stop->steady_rule = rules[fm_reader_word(reader, object, "steady", rules, 0)][0];
    stop->steady_after_passes = fm_reader_number(reader, object, "after-passes", MAX_PASSES);
    stop->cap_passes = fm_reader_number(reader, object, "cap-passes", MAX_PASSES);
    stop->cap_time_ns =
        fm_reader_time(reader, object, "cap-time", (FmRange){.maximum = FM_PLAN_MAX_TIME});
    if (!stop->steady) {
        stop->steady_rule = '\0';
        if (stop->steady_after_passes > 0 || stop->cap_passes > 0 || stop->cap_time_ns > 0) {
            fm_reader_fail(reader, "“after-passes” and caps need “steady”.");
        }
        return;
    }
    /* METHODOLOGY 19.2.3: 23 times the capacity at 20 MB/s would be 53 days. */
    if (stop->cap_time_ns == 0) {
        fm_reader_fail(reader, "A steady state may never come: “cap-time” is missing here.");
    }
}

FmStopRule
fm_reader_stop(FmPlanReader *reader, const json_t *object)
{
    static const char *const keys[] = {
        "time", "bytes", "passes", "steady", "after-passes", "cap-passes", "cap-time", NULL,
    };
    FmStopRule stop = {0};
    const json_t *value = json_object_get(object, "stop");
    if (value == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "stop");
        return stop;
    }
    gsize mark = fm_reader_enter(reader, "stop");
    if (fm_reader_check_object(reader, value, keys, fm_message_new("A stop rule"))) {
        stop.time_ns =
            fm_reader_time(reader, value, "time", (FmRange){.maximum = FM_PLAN_MAX_TIME});
        stop.bytes = fm_reader_size(reader, value, "bytes", (FmRange){.maximum = FM_PLAN_MAX_SIZE});
        stop.passes = fm_reader_number(reader, value, "passes", MAX_PASSES);
        read_steady(reader, value, &stop);
        if (stop.time_ns == 0 && stop.bytes == 0 && !(stop.passes > 0) && !stop.steady) {
            fm_reader_fail(reader, "Nothing would end this step.");
        }
    }
    fm_reader_leave(reader, mark);
    return stop;
}
