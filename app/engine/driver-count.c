/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How many steps a plan makes, without running it.  Pure arithmetic; any thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver-walk.h"

typedef struct {
    unsigned min;
    unsigned max; /* UINT_MAX = open-ended */
} Range;

static unsigned
multiply(unsigned a, unsigned b)
{
    uint64_t product = (uint64_t)a * b;
    return product > UINT_MAX || (a == UINT_MAX && b > 0) ? UINT_MAX : (unsigned)product;
}

static unsigned
add(unsigned a, unsigned b)
{
    return a > UINT_MAX - b ? UINT_MAX : a + b;
}

static Range count_phase(const FmPhase *phase);

static Range
count_children(const FmPhase *phase)
{
    Range sum = {0, 0};
    for (guint i = 0; i < phase->children->len; i++) {
        Range range = count_phase(phase->children->pdata[i]);
        sum.min = add(sum.min, range.min);
        sum.max = add(sum.max, range.max);
    }
    return sum;
}

/* Spans beyond the target are left out, so only what always fits is certain. */
static Range
count_sweep(const FmPhase *phase)
{
    Range range = count_children(phase);
    for (unsigned i = 0; i < phase->n_axes; i++) {
        bool all_fit = phase->axes[i].parameter != FM_PARAMETER_REGION_SIZE;
        range.min = all_fit ? multiply(range.min, phase->axes[i].n_values) : 0;
        range.max = multiply(range.max, phase->axes[i].n_values);
    }
    return range;
}

static Range
count_kind(const FmPhase *phase)
{
    Range range = {0, 0};
    unsigned least = 0;
    unsigned most = 0;

    switch (phase->kind) {
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
        return (Range){1, 1};
    case FM_PHASE_REST:
    case FM_PHASE_IDLE:
    case FM_PHASE_SETTLE:
    case FM_PHASE_PURGE:
    case FM_PHASE_TRIM:
    case FM_PHASE_EXTERNAL:
        return range;
    case FM_PHASE_GROUP:
        return count_children(phase);
    case FM_PHASE_SWEEP:
        return count_sweep(phase);
    case FM_PHASE_REPEAT:
        range = count_children(phase);
        fm_repeat_bounds(phase, &least, &most);
        return (Range){multiply(range.min, phase->discard + least),
                       multiply(range.max, phase->discard + most)};
    case FM_PHASE_BISECT:
        range = count_children(phase);
        return (Range){range.min, range.max > 0 ? UINT_MAX : 0};
    case FM_PHASE_RATE_CURVE:
        range = count_children(phase);
        return (Range){multiply(range.min, 1 + phase->n_rate_percents),
                       multiply(range.max, 1 + phase->n_rate_percents)};
    }
    g_assert_not_reached();
}

static Range
count_phase(const FmPhase *phase)
{
    Range range = count_kind(phase);
    if (phase->skip_if != FM_SKIP_NEVER) {
        range.min = 0;
    }
    return range;
}

void
fm_driver_count_steps(const FmPlan *plan, unsigned *min, unsigned *max)
{
    Range range = count_phase(plan->root);
    *min = range.min;
    *max = range.max;
}
