/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the drivers share while a plan is walked: the path so far, what enclosing
 * drivers have set, who judges the results.  Internal to driver*.c; control thread
 * only.  Everything here is a stack that follows the recursion over the tree, so its
 * depth is the tree's and a long sweep costs no memory.
 */
#pragma once

#include <glib.h>

#include "engine/driver.h"

G_BEGIN_DECLS

typedef enum {
    FM_SETTING_PARAMETER, /* a value of a sweep or a search */
    FM_SETTING_TIME, /* length of measured steps, ns */
    FM_SETTING_RATE, /* percent of @peak */
    FM_SETTING_NUMBER, /* which run this is; changes nothing in the step */
} FmSettingKind;

typedef struct {
    FmSettingKind kind;
    const char *name; /* key in FmStep.parameters; static */
    uint64_t value;
    FmParameter parameter; /* PARAMETER only */
    const char *target; /* id of the streams or rests it is meant for; NULL = all; borrowed */
    double peak; /* RATE: I/Os per second */
} FmSetting;

/* The rest between the iterations of a driver; lives in the driver's frame. */
typedef struct {
    int64_t between_ns;
    gsize path_length; /* of the driver's own path */
    uint64_t n_done; /* when the driver began */
} FmRest;

typedef struct FmJudge FmJudge;

/* Hears the result of every step below it; drivers embed one as first member. */
struct FmJudge {
    FmJudge *outer;
    gsize path_length; /* of the path that all judged steps share */
    bool takes_failures; /* a promise not kept is a judgement, not the end */
    /* Whether the step at @cell (path below the shared part) has to run again; NULL = yes. */
    bool (*wants)(FmJudge *judge, const char *cell);
    void (*hear)(FmJudge *judge, const char *cell, const FmStep *step, const FmStepResult *result);
};

typedef struct {
    const FmPlan *plan;
    const FmDriverActions *actions;
    GString *path;
    GArray *settings; /* of FmSetting, outermost first */
    FmJudge *judges; /* innermost first */
    bool discard; /* inside a warm-up */
    FmMessage *skip_reason; /* inside a phase that is skipped: nothing runs; else NULL */
    unsigned next_number;
    uint64_t n_done; /* steps and other phases that really ran */

    const FmRest *rest_due; /* before whatever runs next; NULL = none */

    FmOutcome outcome; /* why the walk ended early */
    GError *error;
} FmWalk;

/* --- driver.c: the walk.  All return false when the plan is over. ----------------- */

bool fm_walk_phase(FmWalk *walk, const FmPhase *phase);
bool fm_walk_children(FmWalk *walk, const FmPhase *phase);
/* Ends the plan with @outcome; takes @error.  Returns false. */
bool fm_walk_end(FmWalk *walk, FmOutcome outcome, GError *error);

/* Appends "/@part"; the returned length is given to pop. */
gsize fm_walk_push(FmWalk *walk, const char *part);
void fm_walk_pop(FmWalk *walk, gsize length);
void fm_walk_judge_push(FmWalk *walk, FmJudge *judge);
void fm_walk_judge_pop(FmWalk *walk);

/* Settings are a stack: what was set last is unset first. */
void fm_walk_set(FmWalk *walk, FmSettingKind kind, const char *name, uint64_t value);
void fm_walk_set_parameter(FmWalk *walk, FmParameter parameter, const char *target, uint64_t value);
void fm_walk_set_rate(FmWalk *walk, uint64_t percent, double peak);
void fm_walk_unset(FmWalk *walk);

FmRest fm_walk_rest_begin(const FmWalk *walk, const FmPhase *phase);
/* Makes the rest due, if anything has run since its driver began. */
void fm_walk_rest_plan(FmWalk *walk, const FmRest *rest);
/* Drops a rest that nothing has followed; before the driver returns. */
void fm_walk_rest_drop(FmWalk *walk, const FmRest *rest);
/* Takes the rest that is due. */
bool fm_walk_rest_take(FmWalk *walk);

/* An EVALUATION; @extra ("{sv}" entries) may be NULL and is taken. */
void fm_walk_evaluate(FmWalk *walk, const char *kind, const char *path, GVariantDict *extra);
void fm_walk_skip(FmWalk *walk, const char *path, const FmMessage *reason);

/* --- driver-step.c ---------------------------------------------------------------- */

/* Whether @setting is meant for the stream or rest called @id. */
bool fm_setting_is_for(const FmSetting *setting, const char *id);
/* A MEASURE or PRECONDITION phase. */
bool fm_walk_step(FmWalk *walk, const FmPhase *phase);
/* What counts as the speed of a step: bytes/s where all streams are sequential, I/Os/s
 * else.  0 when nothing was done. */
double fm_step_rate(const FmStep *step, const FmStepResult *result);

/* --- The drivers ------------------------------------------------------------------ */

bool fm_walk_sweep(FmWalk *walk, const FmPhase *phase);
bool fm_walk_repeat(FmWalk *walk, const FmPhase *phase);
bool fm_walk_bisect(FmWalk *walk, const FmPhase *phase);
bool fm_walk_rate_curve(FmWalk *walk, const FmPhase *phase);

/* How often a REPEAT runs at least and at most, warm-ups not counted. */
void fm_repeat_bounds(const FmPhase *phase, unsigned *least, unsigned *most);

G_END_DECLS
