/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rate curves: one uncapped step gives the peak, then the same step is held to percents
 * of it (ENGINE 8.3).  Decides the rates only; holding them is the hot loop's work.
 * Control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver-walk.h"

typedef struct {
    FmJudge judge;
    bool heard;
    double peak; /* I/Os per second */
} Curve;

static void
hear(FmJudge *judge, const char *cell, const FmStep *step, const FmStepResult *result)
{
    Curve *self = (Curve *)judge;
    if (step->phase->kind != FM_PHASE_MEASURE || result->measured_ns <= 0) {
        return;
    }

    uint64_t ios = 0;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        ios += op == FM_OP_FLUSH ? 0 : result->ios[op];
    }
    self->heard = true;
    self->peak = (double)ios * 1e9 / (double)result->measured_ns;
}

static bool
walk_peak(FmWalk *walk, const FmPhase *child, Curve *self)
{
    gsize length = fm_walk_push(walk, "peak");
    fm_walk_judge_push(walk, &self->judge);
    bool go_on = fm_walk_phase(walk, child);
    fm_walk_judge_pop(walk);

    if (go_on && self->heard) {
        GVariantDict extra;
        g_variant_dict_init(&extra, NULL);
        g_variant_dict_insert(&extra, "value", "d", self->peak);
        g_autoptr(FmMessage) reason = fm_message_new("rate that the percents are of");
        fm_message_insert(&extra, "reason", reason);
        fm_walk_evaluate(walk, "decision", walk->path->str, &extra);
    }
    fm_walk_pop(walk, length);
    return go_on;
}

static bool
walk_rate(FmWalk *walk, const FmPhase *child, uint32_t percent, double peak)
{
    char part[32];
    g_snprintf(part, sizeof part, "rate=%u%%", percent);

    gsize length = fm_walk_push(walk, part);
    fm_walk_set_rate(walk, percent, peak);
    bool go_on = fm_walk_phase(walk, child);
    fm_walk_unset(walk);
    fm_walk_pop(walk, length);
    return go_on;
}

/* Each child is a curve of its own. */
bool
fm_walk_rate_curve(FmWalk *walk, const FmPhase *phase)
{
    for (guint i = 0; i < phase->children->len; i++) {
        const FmPhase *child = phase->children->pdata[i];
        Curve self = {.judge = {.hear = hear}};
        if (!walk_peak(walk, child, &self)) {
            return false;
        }
        for (unsigned j = 0; j < phase->n_rate_percents && self.peak > 0; j++) {
            if (!walk_rate(walk, child, phase->rate_percents[j], self.peak)) {
                return false;
            }
        }
    }
    return true;
}
