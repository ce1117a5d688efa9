/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of the plan are laid out once.  From then on the step that runs is the fixed
 * point: what lies behind it no longer matters, its own end is taken from its rows, and what
 * lies ahead takes as long as planned, steps that end by an amount as much longer or
 * shorter as those before them did.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/run-forecast.h"

#include "model/plan-cost.h"
#include "model/plan-reader.h"
#include "model/tick.h"

#include <string.h>

/* Speeds that are further off than this were no speeds. */
static const double MAX_FACTOR = 1000;

struct FmRunForecast {
    GArray *steps; /* of FmStepCost */
    GHashTable *by_path; /* path -> index + 1 */
    int64_t total_ns;

    /* Bytes of one step's rows so far: each row is counted once. */
    const FmRunStep *counted;
    guint n_rows;
    uint64_t bytes;
};

FmRunForecast *
fm_run_forecast_new(const FmRun *run)
{
    g_autoptr(FmPlan) plan =
        run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL;
    bool is_file =
        g_strcmp0(run->target_kind, "folder") == 0 || g_strcmp0(run->target_kind, "file") == 0;
    FmCostBasis basis = {.target_size = run->target_size,
                         .block_size = run->block_size,
                         .is_file = is_file,
                         .is_filled = true};

    if (plan == NULL) {
        return NULL;
    }
    FmRunForecast *forecast = g_new0(FmRunForecast, 1);
    forecast->total_ns = fm_plan_cost(plan, &basis).time_ns;
    forecast->steps = fm_plan_cost_list(plan, &basis);
    forecast->by_path = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < forecast->steps->len; i++) {
        FmStepCost *step = &g_array_index(forecast->steps, FmStepCost, i);
        g_hash_table_insert(forecast->by_path, step->path, GUINT_TO_POINTER(i + 1));
    }
    return forecast;
}

void
fm_run_forecast_free(FmRunForecast *forecast)
{
    if (forecast == NULL) {
        return;
    }
    g_hash_table_unref(forecast->by_path);
    g_array_unref(forecast->steps);
    g_free(forecast);
}

/* What was planned for @step; NULL = nobody knew of it. */
static const FmStepCost *
find_planned(const FmRunForecast *forecast, const FmRunStep *step)
{
    gpointer found = step->path != NULL ? g_hash_table_lookup(forecast->by_path, step->path) : NULL;
    guint index = GPOINTER_TO_UINT(found);

    return index > 0 ? &g_array_index(forecast->steps, FmStepCost, index - 1) : NULL;
}

static int64_t
end_of(const FmStepCost *step)
{
    return step->begin_ns + step->time_ns;
}

/* How many times longer than planned the steps took that end by an amount. */
static double
find_factor(const FmRunForecast *forecast, const FmRun *run)
{
    double planned = 0;
    double taken = 0;

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = (const FmRunStep *)g_ptr_array_index(run->steps, i);
        const FmStepCost *cost = find_planned(forecast, step);
        if (cost != NULL && cost->bytes > 0 && g_strcmp0(step->outcome, "complete") == 0) {
            planned += (double)cost->time_ns;
            taken += (double)(step->ramp_ns + step->measured_ns);
        }
    }
    return planned > 0 && taken > 0 ? CLAMP(taken / planned, 1 / MAX_FACTOR, MAX_FACTOR) : 1;
}

/* From the end of @last (NULL = from the beginning) to that of the plan. */
static int64_t
find_ahead(const FmRunForecast *forecast, const FmStepCost *last, double factor)
{
    const FmStepCost *first = (const FmStepCost *)(const void *)forecast->steps->data;
    guint next = last != NULL ? (guint)(last - first) + 1 : 0;
    int64_t ahead = MAX(forecast->total_ns - (last != NULL ? end_of(last) : 0), 0);
    double correction = 0;

    for (guint i = next; factor != 1 && i < forecast->steps->len; i++) {
        double time = (double)first[i].time_ns;
        double corrected = MIN(time * factor, (double)first[i].limit_ns);
        correction += first[i].bytes > 0 ? corrected - time : 0;
    }
    return ahead + (int64_t)CLAMP(correction, -(double)ahead, 9e18 - (double)ahead);
}

/* Bytes that the measured and other rows of @step tell. */
static uint64_t
count_bytes(FmRunForecast *forecast, const FmRunStep *step)
{
    if (forecast->counted != step || forecast->n_rows > step->ticks->len) {
        forecast->counted = step;
        forecast->n_rows = 0;
        forecast->bytes = 0;
    }
    for (; forecast->n_rows < step->ticks->len; forecast->n_rows++) {
        const FmTick *tick = &g_array_index(step->ticks, FmTick, forecast->n_rows);
        forecast->bytes +=
            (tick->flags & FM_TICK_RAMP) == 0 ? tick->read.bytes + tick->write.bytes : 0;
    }
    return forecast->bytes;
}

/* Time of @step so far, by its rows: the clock of a paused step stands still. */
static int64_t
find_passed(const FmRunStep *step)
{
    if (step->ticks->len == 0) {
        return 0;
    }
    const FmTick *tick = &g_array_index(step->ticks, FmTick, step->ticks->len - 1);
    return (int64_t)tick->end_ns + ((tick->flags & FM_TICK_RAMP) != 0 ? 0 : step->ramp_ns);
}

/* What the running @step still needs. */
static int64_t
find_left_of_step(FmRunForecast *forecast, const FmRunStep *step, const FmStepCost *cost,
                  double factor)
{
    int64_t passed = find_passed(step);
    double whole = (double)cost->time_ns;

    if (cost->bytes > 0) {
        uint64_t bytes = count_bytes(forecast, step);
        double measured = (double)MAX(passed - step->ramp_ns, 0);
        whole = bytes > 0
                    ? (double)step->ramp_ns + measured * MAX((double)cost->bytes / (double)bytes, 1)
                    : whole * factor;
        whole = MIN(whole, (double)cost->limit_ns);
    }
    return (int64_t)CLAMP(whole - (double)passed, 0, 9e18);
}

/* The rest after @cost, as far as it is over at @now_us. */
static int64_t
find_rested(const FmRunForecast *forecast, const FmRunStep *step, const FmStepCost *cost,
            int64_t now_us)
{
    const FmStepCost *first = (const FmStepCost *)(const void *)forecast->steps->data;
    bool is_last = cost + 1 == first + forecast->steps->len;
    int64_t gap = (is_last ? forecast->total_ns : cost[1].begin_ns) - end_of(cost);

    if (step->end_wall_us == 0 || now_us < step->end_wall_us) {
        return 0;
    }
    return MIN(gap, MIN(now_us - step->end_wall_us, INT64_MAX / 1000) * 1000);
}

int64_t
fm_run_forecast_get_left_ns(FmRunForecast *forecast, const FmRun *run, int64_t now_us)
{
    const FmRunStep *step = NULL;
    const FmStepCost *cost = NULL;
    double factor = find_factor(forecast, run);

    if (run->ended) {
        return 0;
    }
    /* The last one that was planned: a search or a repeat may be doing more. */
    for (guint i = run->steps->len; i > 0 && cost == NULL; i--) {
        step = (const FmRunStep *)g_ptr_array_index(run->steps, i - 1);
        cost = find_planned(forecast, step);
    }
    int64_t ahead = find_ahead(forecast, cost, factor);
    bool is_newest = cost != NULL && step == g_ptr_array_index(run->steps, run->steps->len - 1);
    if (!is_newest) {
        return ahead;
    }
    if (!step->ended) {
        int64_t left = find_left_of_step(forecast, step, cost, factor);
        return left > INT64_MAX - ahead ? INT64_MAX : left + ahead;
    }
    return MAX(ahead - find_rested(forecast, step, cost, now_us), 0);
}
