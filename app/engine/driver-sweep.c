/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: every combination of the values of some axes, the first axis slowest.
 * Control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver-walk.h"

/* Active-range spans are listed up to the largest drives; a smaller one has fewer. */
static bool
value_fits(FmWalk *walk, FmParameter parameter, uint64_t value)
{
    uint64_t size = walk->actions->target_size;

    if (parameter != FM_PARAMETER_REGION_SIZE || value == FM_REGION_WHOLE || size == 0 ||
        value <= size) {
        return true;
    }

    g_autoptr(FmMessage) reason = fm_message_new("the target has only %ju bytes", size);
    fm_walk_skip(walk, walk->path->str, reason);
    return false;
}

static bool
walk_axis(FmWalk *walk, const FmPhase *phase, const FmRest *rest, unsigned index)
{
    if (index == phase->n_axes) {
        fm_walk_rest_plan(walk, rest);
        return fm_walk_children(walk, phase);
    }

    const FmSweepAxis *axis = &phase->axes[index];
    bool go_on = true;
    for (unsigned i = 0; i < axis->n_values && go_on; i++) {
        g_autofree char *part = fm_parameter_format(axis->parameter, axis->values[i]);
        gsize length = fm_walk_push(walk, part);
        if (value_fits(walk, axis->parameter, axis->values[i])) {
            fm_walk_set_parameter(walk, axis->parameter, axis->target, axis->values[i]);
            go_on = walk_axis(walk, phase, rest, index + 1);
            fm_walk_unset(walk);
        }
        fm_walk_pop(walk, length);
    }
    return go_on;
}

bool
fm_walk_sweep(FmWalk *walk, const FmPhase *phase)
{
    FmRest rest = fm_walk_rest_begin(walk, phase);

    bool go_on = walk_axis(walk, phase, &rest, 0);
    fm_walk_rest_drop(walk, &rest);
    return go_on;
}
