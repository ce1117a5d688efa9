/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steady state and caps (METHODOLOGY 2.6, 19.2.3).  Rows become one-second means and
 * one-minute rounds; every full second is judged by A and B, every full minute by C.
 * Each window is summed afresh: thirty additions a second cost nothing, and a 53 day
 * preconditioning gathers no rounding error.  Reporter thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/stop-rule.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_PER_SECOND = 1000 / FM_TICK_INTERVAL_MS,
    SECONDS_PER_ROUND = 60,
};

struct FmStopState {
    FmStopRule rule;
    FmSteadyVariable variable;
    uint64_t region_bytes;

    uint64_t read_bytes;
    uint64_t written_bytes;
    const char *ended_by;

    /* The second and the round that are being filled. */
    double second_sum;
    unsigned second_rows;
    double round_sum;
    unsigned round_seconds;

    double seconds[FM_STEADY_WINDOW]; /* oldest first */
    unsigned n_seconds;
    unsigned b_in_a_row;
    double rounds[FM_STEADY_ROUNDS];
    unsigned n_rounds;
    unsigned rounds_in_all;

    FmSteadyResult a;
    FmSteadyResult b;
    FmSteadyResult c;
};

/* Least-squares slope against 0, 1, 2 ...; centred, so that large values cancel well. */
static double
fit_slope(const double *values, unsigned n, double *mean)
{
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += values[i];
    }
    *mean = sum / n;

    double middle = (n - 1) / 2.0;
    double xx = 0;
    double xy = 0;
    for (unsigned i = 0; i < n; i++) {
        xx += (i - middle) * (i - middle);
        xy += (i - middle) * (values[i] - *mean);
    }

    return xy / xx;
}

bool
fm_steady_a(const double *values, unsigned n, double *slope, double *mean)
{
    g_assert(n >= 2);

    *slope = fit_slope(values, n, mean);
    return *mean > 0 && fabs(*slope) < 0.10 * *mean;
}

bool
fm_steady_b(const double *values, unsigned n, double *slope, double *mean)
{
    g_assert(n >= 2);

    *slope = fit_slope(values, n, mean);
    return *mean > 0 && fabs(*slope) * (n - 1) <= 0.10 * *mean;
}

bool
fm_steady_c(const double *rounds, unsigned n, double *slope, double *range, double *mean)
{
    g_assert(n >= 2);

    *slope = fit_slope(rounds, n, mean);
    double min = rounds[0];
    double max = rounds[0];
    for (unsigned i = 1; i < n; i++) {
        min = fmin(min, rounds[i]);
        max = fmax(max, rounds[i]);
    }
    *range = max - min;

    return *mean > 0 && *range <= 0.20 * *mean && fabs(*slope) * (n - 1) <= 0.10 * *mean;
}

/* Appends to a window of @size, dropping the oldest value of a full one. */
static void
window_push(double *window, unsigned *n, unsigned size, double value)
{
    if (*n == size) {
        memmove(window, window + 1, (size - 1) * sizeof *window);
        --*n;
    }
    window[(*n)++] = value;
}

static void
windows_restart(FmStopState *state)
{
    state->second_sum = 0;
    state->second_rows = 0;
    state->round_sum = 0;
    state->round_seconds = 0;
    state->n_seconds = 0;
    state->b_in_a_row = 0;
    state->n_rounds = 0;
}

static void
mark_passed(const FmStopState *state, FmSteadyResult *result, const FmTick *tick)
{
    result->passed = true;
    result->at_ns = (int64_t)tick->end_ns;
    result->passes = fm_stop_state_get_passes(state);
}

static void
judge_second(FmStopState *state, const FmTick *tick)
{
    if (state->n_seconds < FM_STEADY_WINDOW) {
        return;
    }

    double slope = 0;
    double mean = 0;
    bool a = fm_steady_a(state->seconds, state->n_seconds, &slope, &mean);
    bool b = fm_steady_b(state->seconds, state->n_seconds, &slope, &mean);
    state->b_in_a_row = b ? state->b_in_a_row + 1 : 0;

    if (!state->a.passed) {
        state->a.slope = slope;
        state->a.mean = mean;
        if (a) {
            mark_passed(state, &state->a, tick);
        }
    }
    if (!state->b.passed) {
        state->b.slope = slope;
        state->b.mean = mean;
        if (state->b_in_a_row >= FM_STEADY_B_EVALUATIONS) {
            mark_passed(state, &state->b, tick);
        }
    }
}

static void
judge_round(FmStopState *state, const FmTick *tick)
{
    FmSteadyResult *c = &state->c;

    if (state->n_rounds < FM_STEADY_ROUNDS || c->passed ||
        state->rounds_in_all > FM_STEADY_MAX_ROUNDS) {
        return;
    }
    if (fm_steady_c(state->rounds, state->n_rounds, &c->slope, &c->range, &c->mean)) {
        mark_passed(state, c, tick);
    }
}

/* Adds the row to the second; a full second to the windows. */
static void
windows_add(FmStopState *state, const FmTick *tick)
{
    state->second_sum += state->variable == FM_STEADY_BANDWIDTH
                             ? (double)(tick->read.bytes + tick->write.bytes)
                             : (double)tick->read_ios + tick->write_ios + tick->trim_ios;
    if (++state->second_rows < ROWS_PER_SECOND) {
        return;
    }

    double second = state->second_sum;
    state->second_sum = 0;
    state->second_rows = 0;
    window_push(state->seconds, &state->n_seconds, FM_STEADY_WINDOW, second);
    judge_second(state, tick);

    state->round_sum += second;
    if (++state->round_seconds < SECONDS_PER_ROUND) {
        return;
    }

    double round = state->round_sum / SECONDS_PER_ROUND;
    state->round_sum = 0;
    state->round_seconds = 0;
    state->rounds_in_all++;
    window_push(state->rounds, &state->n_rounds, FM_STEADY_ROUNDS, round);
    judge_round(state, tick);
}

static const char *
judge_end(const FmStopState *state, const FmTick *tick)
{
    const FmStopRule *rule = &state->rule;

    if (rule->steady && fm_stop_state_get(state, rule->steady_rule).passed) {
        return "steady";
    }
    if (rule->cap_passes > 0 && fm_stop_state_get_passes(state) >= rule->cap_passes) {
        return "cap";
    }
    if (rule->cap_time_ns > 0 && tick->end_ns >= (uint64_t)rule->cap_time_ns) {
        return "cap";
    }
    if (rule->steady && rule->steady_rule == 'C' && state->rounds_in_all >= FM_STEADY_MAX_ROUNDS) {
        return "cap";
    }

    return NULL;
}

FmStopState *
fm_stop_state_new(const FmStopRule *rule, FmSteadyVariable variable, uint64_t region_bytes)
{
    g_assert(!rule->steady || (rule->steady_rule >= 'A' && rule->steady_rule <= 'C'));
    g_assert(region_bytes > 0);

    FmStopState *state = g_new0(FmStopState, 1);
    state->rule = *rule;
    state->variable = variable;
    state->region_bytes = region_bytes;
    state->a = (FmSteadyResult){.mean = NAN, .slope = NAN, .range = NAN};
    state->b = state->a;
    state->c = state->a;
    return state;
}

void
fm_stop_state_free(FmStopState *state)
{
    g_free(state);
}

const char *
fm_stop_state_update(FmStopState *state, const FmTick *tick)
{
    if ((tick->flags & (FM_TICK_RAMP | FM_TICK_PARTIAL)) != 0 || state->ended_by != NULL) {
        return state->ended_by;
    }

    bool started = fm_stop_state_get_passes(state) >= state->rule.steady_after_passes;
    state->read_bytes += tick->read.bytes;
    state->written_bytes += tick->write.bytes;

    if ((tick->flags & FM_TICK_PAUSED) != 0) {
        windows_restart(state);
    } else if (started) {
        windows_add(state, tick);
    }

    state->ended_by = judge_end(state, tick);
    return state->ended_by;
}

double
fm_stop_state_get_passes(const FmStopState *state)
{
    uint64_t covered = state->written_bytes > 0 ? state->written_bytes : state->read_bytes;

    return (double)covered / (double)state->region_bytes;
}

FmSteadyResult
fm_stop_state_get(const FmStopState *state, char rule)
{
    switch (rule) {
    case 'A':
        return state->a;
    case 'B':
        return state->b;
    case 'C':
        return state->c;
    default:
        g_assert_not_reached();
    }
}
