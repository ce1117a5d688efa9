/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Searches the largest value whose steps keep latency limits: doubling, bisecting,
 * confirming, as OCP BootBench does (METHODOLOGY 7.3, 7.4).  Control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "engine/driver-walk.h"

typedef enum {
    STAGE_DOUBLE,
    STAGE_BISECT,
    STAGE_CONFIRM,
} Stage;

typedef struct {
    FmJudge judge;
    FmWalk *walk;
    const FmPhase *phase;
    uint64_t value; /* that is being tried */

    /* What the last run said. */
    bool heard; /* false: nothing ran, it was not possible */
    bool failed; /* ended with an error, as opposed to being too slow */
    bool accepted;
    double rate; /* reads per second */
} Bisect;

/* NULL, or what is wrong with the result.  Caller frees. */
static FmMessage *
find_rejection(const FmPhase *phase, const FmStepResult *result)
{
    const FmHist *reads = &result->latency_ns[FM_OP_READ];

    if (result->outcome != FM_OUTCOME_COMPLETE) {
        return result->reason != NULL ? fm_message_ref(result->reason)
                                      : fm_message_new("the step failed");
    }
    if (result->errors > 0) {
        return fm_message_new("%ju I/Os failed", result->errors);
    }
    if (reads->bins == NULL || reads->count == 0) {
        return fm_message_new("nothing was read");
    }
    for (unsigned i = 0; i < phase->n_limits; i++) {
        const FmLatencyLimit *limit = &phase->limits[i];
        uint64_t latency_ns = fm_hist_get_percentile(reads, limit->per_billion);
        if (latency_ns > (uint64_t)limit->limit_ns) {
            return fm_message_new("%u of 1000000000 reads took up to %ju ns, the limit is %jd ns",
                                  limit->per_billion, latency_ns, limit->limit_ns);
        }
    }
    return NULL;
}

static void
hear(FmJudge *judge, const char *cell, const FmStep *step, const FmStepResult *result)
{
    Bisect *self = (Bisect *)judge;
    if (step->phase->kind != FM_PHASE_MEASURE) {
        return;
    }

    g_autoptr(FmMessage) rejection = find_rejection(self->phase, result);
    self->heard = true;
    self->failed = self->failed || result->outcome != FM_OUTCOME_COMPLETE || result->errors > 0;
    self->accepted = self->accepted && rejection == NULL;
    self->rate = result->measured_ns > 0
                     ? (double)result->ios[FM_OP_READ] * 1e9 / (double)result->measured_ns
                     : 0;

    GVariantDict extra;
    g_variant_dict_init(&extra, NULL);
    g_variant_dict_insert(&extra, "step", "u", step->number);
    g_variant_dict_insert(&extra, fm_parameter_name(self->phase->search), "t", self->value);
    g_variant_dict_insert(&extra, "accepted", "b", rejection == NULL);
    g_variant_dict_insert(&extra, "value", "d", self->rate);
    if (rejection != NULL) {
        fm_message_insert(&extra, "reason", rejection);
    }
    fm_walk_evaluate(self->walk, "search", step->path, &extra);
}

/* Tries @value; @number counts confirmations.  Returns false when the plan is over. */
static bool
try_value(Bisect *self, uint64_t value, Stage stage, unsigned number)
{
    FmWalk *walk = self->walk;
    const FmPhase *phase = self->phase;
    guint n_settings = walk->settings->len;
    g_autofree char *part = fm_parameter_format(phase->search, value);
    gsize length = fm_walk_push(walk, part);

    fm_walk_set_parameter(walk, phase->search, phase->search_target, value);
    if (stage == STAGE_CONFIRM) {
        char confirm[32];
        g_snprintf(confirm, sizeof confirm, "confirm=%u", number);
        fm_walk_push(walk, confirm);
        fm_walk_set(walk, FM_SETTING_NUMBER, "confirm", number);
    }
    if (phase->search_time_ns[stage] > 0) {
        fm_walk_set(walk, FM_SETTING_TIME, "time", (uint64_t)phase->search_time_ns[stage]);
    }

    self->value = value;
    self->heard = false;
    self->failed = false;
    self->accepted = true;
    self->rate = 0;
    fm_walk_judge_push(walk, &self->judge);
    bool go_on = fm_walk_children(walk, phase);
    fm_walk_judge_pop(walk);
    self->accepted = self->accepted && self->heard;

    g_array_set_size(walk->settings, n_settings);
    fm_walk_pop(walk, length);
    return go_on;
}

/* The result of the search; @value 0 = none. */
static bool
conclude(Bisect *self, uint64_t value, double rate, const char *rule)
{
    GVariantDict extra;
    g_variant_dict_init(&extra, NULL);
    g_variant_dict_insert(&extra, "accepted", "b", value > 0);
    g_variant_dict_insert(&extra, "rule", "s", rule);
    if (value > 0) {
        g_variant_dict_insert(&extra, fm_parameter_name(self->phase->search), "t", value);
        g_variant_dict_insert(&extra, "value", "d", rate);
    } else {
        g_autoptr(FmMessage) reason = fm_message_new("cannot meet the latency limits");
        fm_message_insert(&extra, "reason", reason);
    }
    fm_walk_evaluate(self->walk, "search", self->walk->path->str, &extra);
    return true;
}

/* From @value downwards: the first that is accepted every time; its slowest run counts. */
static bool
confirm_downwards(Bisect *self, uint64_t value)
{
    const FmPhase *phase = self->phase;

    for (; value >= phase->search_start && value > 0; value--) {
        double slowest = G_MAXDOUBLE;
        unsigned n = 0;
        do {
            if (!try_value(self, value, STAGE_CONFIRM, n + 1)) {
                return false;
            }
            slowest = MIN(slowest, self->rate);
        } while (self->accepted && ++n < phase->confirmations);
        if (self->accepted) {
            return conclude(self, value, slowest, "slowest of the confirming runs");
        }
    }
    return conclude(self, 0, 0, "limits");
}

/* Between @low, which was accepted, and @high, which was not. */
static bool
bisect(Bisect *self, uint64_t low, uint64_t high)
{
    while (high - low > 1) {
        uint64_t middle = low + (high - low) / 2;
        if (!try_value(self, middle, STAGE_BISECT, 0)) {
            return false;
        }
        if (self->accepted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return self->accepted ? conclude(self, low, self->rate, "single run")
                          : confirm_downwards(self, low);
}

bool
fm_walk_bisect(FmWalk *walk, const FmPhase *phase)
{
    Bisect self = {
        .judge = {.hear = hear, .takes_failures = true},
        .walk = walk,
        .phase = phase,
    };

    uint64_t low = phase->search_start - 1;
    for (uint64_t value = phase->search_start;; value = MIN(value * 2, phase->search_limit)) {
        if (!try_value(&self, value, STAGE_DOUBLE, 0)) {
            return false;
        }
        if (!self.heard && value == phase->search_start) {
            return true; /* not possible here at all, which the step has said */
        }
        if (self.failed && value < 2 * phase->search_start) {
            GError *error = NULL;
            fm_error_set(&error, FM_ERROR_IO, "Search %s ended with an error at its first value",
                         walk->path->str);
            return fm_walk_end(walk, FM_OUTCOME_FAILED, error);
        }
        if (!self.accepted) {
            return low < phase->search_start ? conclude(&self, 0, 0, "limits")
                                             : bisect(&self, low, value);
        }
        if (value >= phase->search_limit) {
            return conclude(&self, value, self.rate, "limit of the search");
        }
        low = value;
    }
}
