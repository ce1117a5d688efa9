/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Repeats: a plain count, until the relative standard error of the last three runs is
 * small (METHODOLOGY 2.8), or until the last five are steady (rule C).  Warm-ups come
 * first and are never judged.  Control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver-walk.h"
#include "engine/stop-rule.h"

#include <math.h>
#include <string.h>

enum {
    RSE_RUNS = 3,
};

/* One step of the repeated part over its runs: 19.1.9 counts per cell, not per set. */
typedef struct {
    double rates[FM_STEADY_ROUNDS]; /* the last runs, oldest first */
    unsigned n_rates;
    unsigned n_runs;
    bool settled;
} Cell;

typedef struct {
    FmJudge judge;
    FmWalk *walk;
    const FmPhase *phase;
    GHashTable *cells; /* path below the run -> Cell */
    unsigned least;
    unsigned most;
    bool steady;
} Repeat;

static double
median_of_three(const double *v)
{
    return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
}

/* Standard error of three values in percent of their mean; NaN where that is 0. */
static double
relative_error(const double *v)
{
    double mean = (v[0] + v[1] + v[2]) / RSE_RUNS;
    double squares = 0;
    for (unsigned i = 0; i < RSE_RUNS; i++) {
        squares += (v[i] - mean) * (v[i] - mean);
    }
    return mean > 0 ? 100 * sqrt(squares / (RSE_RUNS - 1)) / sqrt(RSE_RUNS) / mean : NAN;
}

static void
judge_rse(Repeat *self, Cell *cell, const FmStep *step)
{
    const double *last = cell->rates + cell->n_rates - RSE_RUNS;
    double rse = relative_error(last);
    cell->settled = rse < self->phase->until_rse;

    GVariantDict extra;
    g_variant_dict_init(&extra, NULL);
    g_variant_dict_insert(&extra, "step", "u", step->number);
    g_variant_dict_insert(&extra, "accepted", "b", cell->settled);
    g_variant_dict_insert(&extra, "value", "d", median_of_three(last));
    if (!isnan(rse)) {
        g_variant_dict_insert(&extra, "rse-percent", "d", rse);
    }
    if (!cell->settled && cell->n_runs >= self->most) {
        g_autoptr(FmMessage) reason =
            fm_message_new("still not repeatable after %u runs", cell->n_runs);
        fm_message_insert(&extra, "reason", reason);
    }
    fm_walk_evaluate(self->walk, "rse", step->path, &extra);
}

static void
judge_steady(Repeat *self, const Cell *cell, const FmStep *step)
{
    double slope = 0;
    double range = 0;
    double mean = 0;
    self->steady = fm_steady_c(cell->rates, cell->n_rates, &slope, &range, &mean);

    GVariantDict extra;
    g_variant_dict_init(&extra, NULL);
    g_variant_dict_insert(&extra, "step", "u", step->number);
    g_variant_dict_insert(&extra, "rule", "s", "C");
    g_variant_dict_insert(&extra, "accepted", "b", self->steady);
    g_variant_dict_insert(&extra, "value", "d", mean);
    g_variant_dict_insert(&extra, "slope", "d", slope);
    g_variant_dict_insert(&extra, "range", "d", range);
    if (!self->steady && cell->n_runs >= self->most) {
        g_autoptr(FmMessage) reason = fm_message_new("not steady after %u runs", cell->n_runs);
        fm_message_insert(&extra, "reason", reason);
    }
    fm_walk_evaluate(self->walk, "steady", step->path, &extra);
}

static void
hear(FmJudge *judge, const char *path, const FmStep *step, const FmStepResult *result)
{
    Repeat *self = (Repeat *)judge;
    if (self->walk->discard || step->phase->kind != FM_PHASE_MEASURE) {
        return;
    }

    Cell *cell = g_hash_table_lookup(self->cells, path);
    if (cell == NULL) {
        cell = g_new0(Cell, 1);
        g_hash_table_insert(self->cells, g_strdup(path), cell);
    }
    if (cell->n_rates == G_N_ELEMENTS(cell->rates)) {
        memmove(cell->rates, cell->rates + 1, sizeof cell->rates - sizeof *cell->rates);
        cell->n_rates--;
    }
    cell->rates[cell->n_rates++] = fm_step_rate(step, result);
    cell->n_runs++;

    if (self->phase->until_rse > 0 && cell->n_runs >= self->least) {
        judge_rse(self, cell, step);
    }
    if (self->phase->until_steady != NULL && cell->n_rates == FM_STEADY_ROUNDS &&
        strcmp(self->phase->until_steady, path) == 0) {
        judge_steady(self, cell, step);
    }
}

static bool
wants(FmJudge *judge, const char *path)
{
    const Repeat *self = (const Repeat *)judge;
    const Cell *cell = g_hash_table_lookup(self->cells, path);

    return cell == NULL || !cell->settled || self->phase->until_steady != NULL;
}

static bool
is_settled(const Repeat *self)
{
    if (self->phase->until_rse > 0) {
        GHashTableIter iter;
        gpointer cell = NULL;
        g_hash_table_iter_init(&iter, self->cells);
        while (g_hash_table_iter_next(&iter, NULL, &cell)) {
            if (!((const Cell *)cell)->settled) {
                return false;
            }
        }
    }
    return self->phase->until_steady == NULL || self->steady;
}

/* One run; @name is "run" or "warm-up". */
static bool
run_once(Repeat *self, const FmRest *rest, const char *name, unsigned number)
{
    FmWalk *walk = self->walk;
    char part[32];
    g_snprintf(part, sizeof part, "%s=%u", name, number);

    fm_walk_rest_plan(walk, rest);
    gsize length = fm_walk_push(walk, part);
    fm_walk_set(walk, FM_SETTING_NUMBER, name, number);
    fm_walk_judge_push(walk, &self->judge);
    bool go_on = fm_walk_children(walk, self->phase);
    fm_walk_judge_pop(walk);
    fm_walk_unset(walk);
    fm_walk_pop(walk, length);
    return go_on;
}

/* A run in which nothing ran (all of it was skipped, or has settled) is the last. */
static bool
run_all(Repeat *self, const FmRest *rest)
{
    FmWalk *walk = self->walk;
    bool outer_discard = walk->discard;

    walk->discard = true;
    for (unsigned i = 1; i <= self->phase->discard && walk->skip_reason == NULL; i++) {
        uint64_t n_done = walk->n_done;
        if (!run_once(self, rest, "warm-up", i)) {
            return false;
        }
        if (walk->n_done == n_done) {
            break;
        }
    }
    walk->discard = outer_discard;

    for (unsigned i = 1; i <= self->most; i++) {
        uint64_t n_done = walk->n_done;
        if (!run_once(self, rest, "run", i)) {
            return false;
        }
        if (walk->n_done == n_done || (i >= self->least && i < self->most && is_settled(self))) {
            break;
        }
    }
    return true;
}

bool
fm_walk_repeat(FmWalk *walk, const FmPhase *phase)
{
    Repeat self = {
        .judge = {.hear = hear, .wants = wants},
        .walk = walk,
        .phase = phase,
        .cells = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free),
    };
    fm_repeat_bounds(phase, &self.least, &self.most);

    FmRest rest = fm_walk_rest_begin(walk, phase);
    bool go_on = run_all(&self, &rest);
    fm_walk_rest_drop(walk, &rest);
    g_hash_table_unref(self.cells);
    return go_on;
}

void
fm_repeat_bounds(const FmPhase *phase, unsigned *least, unsigned *most)
{
    bool adapts = phase->until_rse > 0 || phase->until_steady != NULL;

    *least = MAX(phase->count, 1);
    if (phase->until_rse > 0) {
        *least = MAX(*least, RSE_RUNS);
    }
    if (phase->until_steady != NULL) {
        *least = MAX(*least, FM_STEADY_ROUNDS);
    }
    *most = adapts ? MAX(*least, phase->max_count) : *least;
}
