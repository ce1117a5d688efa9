/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Walks the phases as the driver will and adds up what they take at an assumed speed.
 * Counts are exact; what depends on the drive is an estimate and says so.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-cost.h"

#define NS_PER_S 1e9

enum {
    PURGE_S = 60, /* formats take seconds to minutes; marked open */
    TRIM_S = 5,
    STEADY_WINDOW_S = 30, /* METHODOLOGY 2.6: the shortest time any rule needs */
};

/* One value a sweep has set, and those set outside it. */
typedef struct Setting {
    const FmSweepAxis *axis;
    uint64_t value;
    const struct Setting *outer;
} Setting;

typedef struct {
    double time_s;
    double bytes;
    bool time_is_open;
    bool bytes_is_estimate;
} Cost;

typedef struct {
    FmCostBasis basis;
    const Setting *settings; /* innermost first */
} Walk;

static Cost cost_of(Walk *walk, const FmPhase *phase);

static void
add(Cost *sum, Cost more)
{
    sum->time_s += more.time_s;
    sum->bytes += more.bytes;
    sum->time_is_open |= more.time_is_open;
    sum->bytes_is_estimate |= more.bytes_is_estimate;
}

static uint64_t
setting(const Walk *walk, FmParameter parameter, const char *id, uint64_t own)
{
    for (const Setting *set = walk->settings; set != NULL; set = set->outer) {
        if (set->axis->parameter == parameter &&
            (set->axis->target == NULL || g_strcmp0(set->axis->target, id) == 0)) {
            return set->value;
        }
    }
    return own;
}

/* --- One step ------------------------------------------------------------------------ */

typedef struct {
    double bytes_per_second;
    double written_per_second;
} Rate;

static double
mean_block(const Walk *walk, const FmStream *stream)
{
    double bytes = 0;
    double weights = 0;
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        bytes += (double)stream->blocks[i].size * stream->blocks[i].weight;
        weights += stream->blocks[i].weight;
    }
    uint64_t swept = setting(walk, FM_PARAMETER_BLOCK_SIZE, stream->id, 0);
    return swept != 0 ? (double)swept : bytes / weights;
}

/* What @stream moves when it may use @part of the target's speed. */
static double
stream_rate(const Walk *walk, const FmStream *stream, double part)
{
    double block = mean_block(walk, stream);
    const FmPacing *pacing = &stream->pacing;
    double rate =
        MIN((double)walk->basis.bytes_per_second, (double)walk->basis.ios_per_second * block) *
        part;
    if (pacing->bytes_per_second > 0) {
        rate = MIN(rate, pacing->bytes_per_second);
    }
    if (pacing->ios_per_second > 0) {
        rate = MIN(rate, pacing->ios_per_second * block);
    }
    if (pacing->gap_every > 0) {
        double burst = pacing->gap_every * block;
        rate = burst / (burst / rate + (double)pacing->gap_ns / NS_PER_S);
    }
    return rate;
}

static double
written_share(const Walk *walk, const FmStream *stream)
{
    uint64_t swept = setting(walk, FM_PARAMETER_READ_SHARE, stream->id, UINT64_MAX);
    double share = swept != UINT64_MAX ? (double)(FM_SHARE_WHOLE - swept)
                                       : (double)stream->op_share[FM_OP_WRITE];
    return share / FM_SHARE_WHOLE;
}

/* Streams share the target by their depth. */
static Rate
step_rate(const Walk *walk, const FmPhase *phase)
{
    Rate sum = {0};
    double depth = 0;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        depth += phase->streams[i].in_flight;
    }
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        double rate = stream_rate(walk, stream, stream->in_flight / depth);
        sum.bytes_per_second += rate;
        sum.written_per_second += rate * written_share(walk, stream);
    }
    return sum;
}

/* Bytes of the regions of all streams: one pass. */
static double
step_region(const Walk *walk, const FmPhase *phase)
{
    uint64_t target = walk->basis.target_size;
    double bytes = 0;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        uint64_t offset = fm_extent_resolve(stream->region_offset, target, 1);
        uint64_t size = fm_extent_resolve(stream->region_size, target, 1);
        size = setting(walk, FM_PARAMETER_REGION_SIZE, stream->id, size);
        bytes += (double)MIN(size, target - offset);
    }
    return bytes;
}

static Cost
cost_of_step(Walk *walk, const FmPhase *phase)
{
    const FmStopRule *stop = &phase->stop;
    Rate rate = step_rate(walk, phase);
    double region = step_region(walk, phase);
    double limit_s = stop->time_ns > 0 ? (double)stop->time_ns / NS_PER_S : G_MAXDOUBLE;
    double bytes = stop->bytes > 0 ? (double)stop->bytes : G_MAXDOUBLE;
    if (stop->passes > 0) {
        bytes = MIN(bytes, stop->passes * region);
    }
    double time_s = MIN(limit_s, bytes / rate.bytes_per_second);
    double longest_s = time_s;
    if (stop->steady) {
        double first_s = stop->steady_after_passes * region / rate.bytes_per_second;
        double cap_s = (double)stop->cap_time_ns / NS_PER_S;
        if (stop->cap_passes > 0) {
            cap_s = MIN(cap_s, stop->cap_passes * region / rate.bytes_per_second);
        }
        longest_s = MIN(longest_s, cap_s);
        time_s = MIN(longest_s, first_s + STEADY_WINDOW_S);
    }
    double ramp_s = (double)phase->ramp_ns / NS_PER_S;
    /* What ends by its amount alone writes that amount, however long it takes. */
    bool is_exact = stop->time_ns == 0 && !stop->steady && phase->ramp_ns == 0;
    return (Cost){
        .time_s = ramp_s + time_s,
        .time_is_open = stop->steady,
        .bytes = (ramp_s + longest_s) * rate.written_per_second,
        .bytes_is_estimate = !is_exact && rate.written_per_second > 0,
    };
}

/* --- Drivers --------------------------------------------------------------------------- */

static Cost
cost_of_children(Walk *walk, const FmPhase *phase, double between_s)
{
    Cost sum = {0};
    for (guint i = 0; i < phase->children->len; i++) {
        Cost cost = cost_of(walk, phase->children->pdata[i]);
        cost.time_s += i > 0 ? between_s : 0;
        add(&sum, cost);
    }
    return sum;
}

/* The step of a search or curve for @time_ns, @times times. */
static Cost
cost_of_runs(Walk *walk, const FmPhase *step, int64_t time_ns, double times)
{
    FmPhase timed = *step;
    timed.stop = (FmStopRule){.time_ns = time_ns};
    Cost cost = cost_of_step(walk, &timed);
    cost.time_s *= times;
    cost.bytes *= times;
    return cost;
}

/* METHODOLOGY 7.4: doubling to the limit, halving, and one round of confirmations. */
static Cost
cost_of_bisect(Walk *walk, const FmPhase *phase)
{
    const FmPhase *step = phase->children->pdata[0];
    unsigned n_doublings = 1;
    for (uint64_t depth = phase->search_start; depth < phase->search_limit; depth *= 2) {
        n_doublings++;
    }
    unsigned n_halvings = 0;
    for (uint64_t gap = phase->search_limit / 2; gap > 1; gap /= 2) {
        n_halvings++;
    }
    Cost sum = cost_of_runs(walk, step, phase->search_time_ns[0], n_doublings);
    add(&sum, cost_of_runs(walk, step, phase->search_time_ns[1], n_halvings));
    add(&sum, cost_of_runs(walk, step, phase->search_time_ns[2], phase->confirmations));
    sum.time_is_open = true;
    return sum;
}

/* One uncapped step, then one per rate; above the peak no more is written than there. */
static Cost
cost_of_curve(Walk *walk, const FmPhase *phase)
{
    Cost peak = cost_of(walk, phase->children->pdata[0]);
    Cost sum = peak;
    for (unsigned i = 0; i < phase->n_rate_percents; i++) {
        Cost cost = peak;
        cost.time_s += (double)phase->between_ns / NS_PER_S;
        cost.bytes *= MIN(phase->rate_percents[i], 100) / 100.0;
        add(&sum, cost);
    }
    return sum;
}

static Cost
cost_of_repeat(Walk *walk, const FmPhase *phase)
{
    double between_s = (double)phase->between_ns / NS_PER_S;
    unsigned n_runs = phase->discard + phase->count;
    Cost cost = cost_of_children(walk, phase, 0);
    cost.time_s = cost.time_s * n_runs + between_s * (n_runs - 1);
    cost.bytes *= phase->discard + phase->max_count;
    cost.time_is_open |= phase->max_count > phase->count;
    return cost;
}

static Cost
cost_of_axes(Walk *walk, const FmPhase *phase, unsigned axis)
{
    if (axis == phase->n_axes) {
        return cost_of_children(walk, phase, 0);
    }
    Cost sum = {0};
    const FmSweepAxis *swept = &phase->axes[axis];
    Setting set = {.axis = swept, .outer = walk->settings};
    for (unsigned i = 0; i < swept->n_values; i++) {
        bool is_region = swept->parameter == FM_PARAMETER_REGION_SIZE;
        set.value = swept->values[i];
        if (is_region && set.value != FM_REGION_WHOLE && set.value > walk->basis.target_size) {
            continue;
        }
        walk->settings = &set;
        Cost cost = cost_of_axes(walk, phase, axis + 1);
        cost.time_s += sum.time_s > 0 ? (double)phase->between_ns / NS_PER_S : 0;
        add(&sum, cost);
        walk->settings = set.outer;
    }
    return sum;
}

static bool
is_skipped(const Walk *walk, const FmPhase *phase)
{
    switch (phase->skip_if) {
    case FM_SKIP_FILE_TARGET:
        return walk->basis.is_file;
    case FM_SKIP_RAW_TARGET:
        return !walk->basis.is_file;
    case FM_SKIP_BELOW_SIZE:
        return walk->basis.target_size < phase->skip_value;
    case FM_SKIP_BLOCK_TOO_SMALL:
        for (unsigned i = 0; i < phase->n_streams; i++) {
            if (mean_block(walk, &phase->streams[i]) < walk->basis.block_size) {
                return true;
            }
        }
        return false;
    case FM_SKIP_NO_TRIM:
    case FM_SKIP_NO_CACHE_STEP:
    case FM_SKIP_NEVER:
        return false;
    }
    g_return_val_if_reached(false);
}

static Cost
cost_of(Walk *walk, const FmPhase *phase)
{
    double rest_s = (double)phase->rest_ns / NS_PER_S;
    if (is_skipped(walk, phase)) {
        return (Cost){0};
    }
    switch (phase->kind) {
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
        return cost_of_step(walk, phase);
    case FM_PHASE_REST:
        rest_s =
            (double)setting(walk, FM_PARAMETER_REST_TIME, phase->id, phase->rest_ns) / NS_PER_S;
        return (Cost){.time_s = rest_s};
    case FM_PHASE_SETTLE:
        return (Cost){.time_s = rest_s};
    case FM_PHASE_IDLE:
        return (Cost){.time_s = rest_s, .time_is_open = true};
    case FM_PHASE_PURGE:
        return (Cost){.time_s = PURGE_S, .time_is_open = true};
    case FM_PHASE_TRIM:
        return (Cost){.time_s = TRIM_S};
    case FM_PHASE_EXTERNAL:
        return (Cost){.time_is_open = true};
    case FM_PHASE_GROUP:
        return cost_of_children(walk, phase, (double)phase->between_ns / NS_PER_S);
    case FM_PHASE_SWEEP:
        return cost_of_axes(walk, phase, 0);
    case FM_PHASE_REPEAT:
        return cost_of_repeat(walk, phase);
    case FM_PHASE_BISECT:
        return cost_of_bisect(walk, phase);
    case FM_PHASE_RATE_CURVE:
        return cost_of_curve(walk, phase);
    }
    g_return_val_if_reached((Cost){0});
}

/* Doubles beyond the integers (hostile plans) become the largest one. */
static uint64_t
to_integer(double value)
{
    return value < 9e18 ? (uint64_t)(value + 0.5) : UINT64_C(9000000000000000000);
}

FmPlanCost
fm_plan_cost(const FmPlan *plan, const FmCostBasis *basis)
{
    Walk walk = {.basis = *basis};
    uint64_t file_size = plan->file_size.relative ? 0 : plan->file_size.value;
    if (walk.basis.target_size == 0) {
        walk.basis.target_size = file_size;
    }
    if (walk.basis.bytes_per_second == 0) {
        walk.basis.bytes_per_second = FM_COST_BYTES_PER_SECOND;
    }
    if (walk.basis.ios_per_second == 0) {
        walk.basis.ios_per_second = FM_COST_IOS_PER_SECOND;
    }
    Cost cost = cost_of(&walk, plan->root);
    if (basis->is_file) {
        uint64_t fill = plan->file_size.relative ? walk.basis.target_size : file_size;
        cost.bytes += (double)fill;
        cost.time_s += (double)fill / (double)walk.basis.bytes_per_second;
    }
    return (FmPlanCost){
        .time_ns = (int64_t)to_integer(cost.time_s * NS_PER_S),
        .time_is_open = cost.time_is_open,
        .bytes_written = to_integer(cost.bytes),
        .bytes_is_estimate = cost.bytes_is_estimate,
    };
}
