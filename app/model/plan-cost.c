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
    RSE_RUNS = 3, /* METHODOLOGY 2.8 and, for rule C, 2.6: fewer can't be judged */
    STEADY_RUNS = 5,
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
    GArray *steps; /* of FmStepCost; NULL = nobody wants a list */
    GString *path; /* as the driver makes it; only with a list */
    double at_s; /* when what is walked next begins; set by whoever walks into it */
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

/* Doubles beyond the integers (hostile plans) become the largest one. */
static uint64_t
to_integer(double value)
{
    return value < 9e18 ? (uint64_t)(value + 0.5) : UINT64_C(9000000000000000000);
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

static double
written_share(const Walk *walk, const FmStream *stream)
{
    uint64_t swept = setting(walk, FM_PARAMETER_READ_SHARE, stream->id, UINT64_MAX);
    double share = swept != UINT64_MAX ? (double)(FM_SHARE_WHOLE - swept)
                                       : (double)stream->op_share[FM_OP_WRITE];
    return share / FM_SHARE_WHOLE;
}

/* How long one I/O of @stream takes on an idle drive, its bytes not counted. */
static double
mean_latency_s(const Walk *walk, const FmStream *stream)
{
    double written = written_share(walk, stream);
    double write_ns = stream->sync ? FM_COST_DURABLE_NS : FM_COST_WRITE_NS;

    if (stream->flush_every > 0) {
        write_ns += (double)FM_COST_DURABLE_NS / stream->flush_every;
    }
    return (written * write_ns + (1 - written) * FM_COST_READ_NS) / NS_PER_S;
}

static double
depth_of(const Walk *walk, const FmStream *stream)
{
    return (double)setting(walk, FM_PARAMETER_IN_FLIGHT, stream->id, stream->in_flight);
}

/* What @stream moves when it may use @part of the target's speed. */
static double
stream_rate(const Walk *walk, const FmStream *stream, double part)
{
    double block = mean_block(walk, stream);
    double bandwidth = (double)walk->basis.bytes_per_second;
    const FmPacing *pacing = &stream->pacing;
    double one_s = mean_latency_s(walk, stream) + block / bandwidth;
    double rate = MIN(bandwidth, (double)walk->basis.ios_per_second * block) * part;
    rate = MIN(rate, depth_of(walk, stream) * block / one_s);
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

/* Streams share the target by their depth. */
static Rate
step_rate(const Walk *walk, const FmPhase *phase)
{
    Rate sum = {0};
    double depth = 0;
    for (unsigned i = 0; i < phase->n_streams; i++) {
        depth += depth_of(walk, &phase->streams[i]);
    }
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        double rate = stream_rate(walk, stream, depth_of(walk, stream) / depth);
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

/* @limit_s, @bytes: G_MAXDOUBLE = none. */
static void
list_step(Walk *walk, double time_s, double limit_s, double bytes)
{
    if (walk->steps == NULL) {
        return;
    }
    FmStepCost step = {
        .path = g_strdup(walk->path->str),
        .begin_ns = (int64_t)to_integer(walk->at_s * NS_PER_S),
        .time_ns = (int64_t)to_integer(time_s * NS_PER_S),
        .limit_ns = limit_s < G_MAXDOUBLE ? (int64_t)to_integer(limit_s * NS_PER_S) : INT64_MAX,
        .bytes = bytes < G_MAXDOUBLE ? to_integer(bytes) : 0,
    };
    g_array_append_val(walk->steps, step);
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
    list_step(walk, ramp_s + time_s, limit_s < G_MAXDOUBLE ? ramp_s + limit_s : G_MAXDOUBLE,
              stop->steady ? G_MAXDOUBLE : bytes);
    return (Cost){
        .time_s = ramp_s + time_s + FM_COST_STEP_NS / NS_PER_S,
        .time_is_open = stop->steady,
        .bytes = (ramp_s + longest_s) * rate.written_per_second,
        .bytes_is_estimate = !is_exact && rate.written_per_second > 0,
    };
}

/* --- Drivers --------------------------------------------------------------------------- */

/* Appends "/@part"; the returned length is given to pop. */
static gsize
push(Walk *walk, const char *part)
{
    gsize length = walk->path != NULL ? walk->path->len : 0;

    if (walk->path != NULL && part != NULL) {
        g_string_append_printf(walk->path, "%s%s", length > 0 ? "/" : "", part);
    }
    return length;
}

static void
pop(Walk *walk, gsize length)
{
    if (walk->path != NULL) {
        g_string_truncate(walk->path, length);
    }
}

/* Puts @more behind @sum, with @between_s where both of them take time: what is skipped has
 * no rest around it. */
static void
append(Cost *sum, Cost more, double between_s)
{
    if (sum->time_s > 0 && more.time_s > 0) {
        sum->time_s += between_s;
    }
    add(sum, more);
}

/* When what follows @sum begins, in something that began at @begin_s. */
static double
next_begin(double begin_s, const Cost *sum, double between_s)
{
    return begin_s + sum->time_s + (sum->time_s > 0 ? between_s : 0);
}

static Cost
cost_of_children(Walk *walk, const FmPhase *phase, double between_s)
{
    Cost sum = {0};
    double begin_s = walk->at_s;
    for (guint i = 0; i < phase->children->len; i++) {
        const FmPhase *child = phase->children->pdata[i];
        walk->at_s = next_begin(begin_s, &sum, between_s);
        gsize length = push(walk, child->id);
        append(&sum, cost_of(walk, child), between_s);
        pop(walk, length);
    }
    return sum;
}

/* The step of a search or curve for @time_ns, @times times. */
static Cost
cost_of_runs(Walk *walk, const FmPhase *step, int64_t time_ns, double times)
{
    FmPhase timed = *step;
    Walk unlisted = {.basis = walk->basis, .settings = walk->settings};
    timed.stop = (FmStopRule){.time_ns = time_ns};
    Cost cost = cost_of_step(&unlisted, &timed);
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

/* The iterations of a driver all take as long as its first one, so the others are only
 * walked to be listed. */
typedef struct {
    const char *(*name)(const FmPhase *phase, unsigned index, char part[32]);
    const FmPhase *phase;
    const FmPhase *child; /* NULL = all children of @phase */
    unsigned n;
    double between_s;
} Iterations;

static Cost
cost_of_iteration(Walk *walk, const Iterations *all, unsigned index, double at_s)
{
    char part[32];
    walk->at_s = at_s;
    gsize length = push(walk, all->name(all->phase, index, part));
    gsize inner = push(walk, all->child != NULL ? all->child->id : NULL);
    Cost cost =
        all->child != NULL ? cost_of(walk, all->child) : cost_of_children(walk, all->phase, 0);
    pop(walk, inner);
    pop(walk, length);
    return cost;
}

/* What one iteration costs. */
static Cost
walk_iterations(Walk *walk, const Iterations *all)
{
    double begin_s = walk->at_s;
    Cost one = cost_of_iteration(walk, all, 0, begin_s);
    double apart_s = one.time_s > 0 ? one.time_s + all->between_s : 0;
    for (unsigned i = 1; i < all->n && walk->steps != NULL; i++) {
        cost_of_iteration(walk, all, i, begin_s + i * apart_s);
    }
    return one;
}

/* @one @n times with the rests between them. */
static double
time_of(const Cost *one, unsigned n, double between_s)
{
    return one->time_s > 0 ? one->time_s * n + between_s * (n - 1) : 0;
}

static const char *
name_rate(const FmPhase *phase, unsigned index, char part[32])
{
    if (index == 0) {
        return "peak";
    }
    g_snprintf(part, 32, "rate=%u%%", phase->rate_percents[index - 1]);
    return part;
}

/* One uncapped step, then one per rate; above the peak no more is written than there. */
static Cost
cost_of_one_curve(Walk *walk, const FmPhase *phase, const FmPhase *child)
{
    Iterations all = {
        .name = name_rate, .phase = phase, .child = child, .n = 1 + phase->n_rate_percents};
    Cost sum = walk_iterations(walk, &all);
    double percents = 100;
    for (unsigned i = 0; i < phase->n_rate_percents; i++) {
        percents += MIN(phase->rate_percents[i], 100);
    }
    sum.time_s = time_of(&sum, all.n, 0);
    sum.bytes *= percents / 100;
    return sum;
}

static Cost
cost_of_curve(Walk *walk, const FmPhase *phase)
{
    Cost sum = {0};
    double begin_s = walk->at_s;
    for (guint i = 0; i < phase->children->len; i++) {
        walk->at_s = begin_s + sum.time_s;
        add(&sum, cost_of_one_curve(walk, phase, phase->children->pdata[i]));
    }
    return sum;
}

/* Runs of a repeat at least, warm-ups not counted. */
static unsigned
count_least(const FmPhase *phase)
{
    unsigned least = MAX(phase->count, 1);
    least = phase->until_rse > 0 ? MAX(least, RSE_RUNS) : least;
    return phase->until_steady != NULL ? MAX(least, STEADY_RUNS) : least;
}

static const char *
name_run(const FmPhase *phase, unsigned index, char part[32])
{
    if (index < phase->discard) {
        g_snprintf(part, 32, "warm-up=%u", index + 1);
    } else {
        g_snprintf(part, 32, "run=%u", index + 1 - phase->discard);
    }
    return part;
}

static Cost
cost_of_repeat(Walk *walk, const FmPhase *phase)
{
    unsigned least = count_least(phase);
    unsigned most = MAX(least, phase->max_count);
    Iterations all = {
        .name = name_run,
        .phase = phase,
        .n = phase->discard + least,
        .between_s = (double)phase->between_ns / NS_PER_S,
    };
    Cost cost = walk_iterations(walk, &all);
    cost.time_s = time_of(&cost, all.n, all.between_s);
    cost.bytes *= phase->discard + most;
    cost.time_is_open |= most > least;
    return cost;
}

static Cost
cost_of_axes(Walk *walk, const FmPhase *phase, unsigned axis)
{
    if (axis == phase->n_axes) {
        return cost_of_children(walk, phase, 0);
    }
    Cost sum = {0};
    double begin_s = walk->at_s;
    double between_s = (double)phase->between_ns / NS_PER_S;
    const FmSweepAxis *swept = &phase->axes[axis];
    Setting set = {.axis = swept, .outer = walk->settings};
    for (unsigned i = 0; i < swept->n_values; i++) {
        bool is_region = swept->parameter == FM_PARAMETER_REGION_SIZE;
        set.value = swept->values[i];
        if (is_region && set.value != FM_REGION_WHOLE && set.value > walk->basis.target_size) {
            continue;
        }
        g_autofree char *part =
            walk->path != NULL ? fm_parameter_format(swept->parameter, set.value) : NULL;
        walk->settings = &set;
        walk->at_s = next_begin(begin_s, &sum, between_s);
        gsize length = push(walk, part);
        append(&sum, cost_of_axes(walk, phase, axis + 1), between_s);
        pop(walk, length);
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

static Walk
begin_walk(const FmPlan *plan, const FmCostBasis *basis)
{
    Walk walk = {.basis = *basis};
    if (walk.basis.target_size == 0) {
        walk.basis.target_size = plan->file_size.relative ? 0 : plan->file_size.value;
    }
    if (walk.basis.bytes_per_second == 0) {
        walk.basis.bytes_per_second = FM_COST_BYTES_PER_SECOND;
    }
    if (walk.basis.ios_per_second == 0) {
        walk.basis.ios_per_second = FM_COST_IOS_PER_SECOND;
    }
    return walk;
}

FmPlanCost
fm_plan_cost(const FmPlan *plan, const FmCostBasis *basis)
{
    Walk walk = begin_walk(plan, basis);
    Cost cost = cost_of(&walk, plan->root);
    if (basis->is_file && !basis->is_filled) {
        bool is_relative = plan->file_size.relative;
        uint64_t fill = is_relative ? walk.basis.target_size : plan->file_size.value;
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

static void
step_cost_clear_cb(gpointer data)
{
    g_free(((FmStepCost *)data)->path);
}

GArray *
fm_plan_cost_list(const FmPlan *plan, const FmCostBasis *basis)
{
    Walk walk = begin_walk(plan, basis);
    walk.steps = g_array_new(FALSE, FALSE, sizeof(FmStepCost));
    g_array_set_clear_func(walk.steps, step_cost_clear_cb);
    walk.path = g_string_new(NULL);
    cost_of(&walk, plan->root);
    g_string_free(walk.path, TRUE);
    return walk.steps;
}
