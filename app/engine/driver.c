/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk over a plan: order, paths, rests between steps, what is skipped, and the
 * end.  What a single step is made of is in driver-step.c; each driver has a file of
 * its own.  No I/O; control thread only.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver.h"

#include "base/error.h"
#include "engine/driver-walk.h"

bool
fm_walk_end(FmWalk *walk, FmOutcome outcome, GError *error)
{
    walk->outcome = outcome;
    walk->error = error;
    return false;
}

gsize
fm_walk_push(FmWalk *walk, const char *part)
{
    gsize length = walk->path->len;
    if (length > 0) {
        g_string_append_c(walk->path, '/');
    }
    g_string_append(walk->path, part);
    return length;
}

void
fm_walk_pop(FmWalk *walk, gsize length)
{
    g_string_truncate(walk->path, length);
}

void
fm_walk_judge_push(FmWalk *walk, FmJudge *judge)
{
    judge->outer = walk->judges;
    judge->path_length = walk->path->len;
    walk->judges = judge;
}

void
fm_walk_judge_pop(FmWalk *walk)
{
    walk->judges = walk->judges->outer;
}

/* --- Settings ----------------------------------------------------------------------- */

void
fm_walk_set(FmWalk *walk, FmSettingKind kind, const char *name, uint64_t value)
{
    FmSetting setting = {.kind = kind, .name = name, .value = value};
    g_array_append_val(walk->settings, setting);
}

void
fm_walk_set_parameter(FmWalk *walk, FmParameter parameter, const char *target, uint64_t value)
{
    FmSetting setting = {
        .kind = FM_SETTING_PARAMETER,
        .name = fm_parameter_name(parameter),
        .value = value,
        .parameter = parameter,
        .target = target,
    };
    g_array_append_val(walk->settings, setting);
}

void
fm_walk_set_rate(FmWalk *walk, uint64_t percent, double peak)
{
    FmSetting setting = {
        .kind = FM_SETTING_RATE, .name = "rate-percent", .value = percent, .peak = peak};
    g_array_append_val(walk->settings, setting);
}

void
fm_walk_unset(FmWalk *walk)
{
    g_array_set_size(walk->settings, walk->settings->len - 1);
}

/* --- Rests between steps ------------------------------------------------------------ */

FmRest
fm_walk_rest_begin(const FmWalk *walk, const FmPhase *phase)
{
    return (FmRest){
        .between_ns = phase->between_ns, .path_length = walk->path->len, .n_done = walk->n_done};
}

/*
 * Whether anything follows, and is not skipped, is only known when it is reached.  So
 * a rest is made due here and taken by the next phase that really runs.
 */
void
fm_walk_rest_plan(FmWalk *walk, const FmRest *rest)
{
    if (rest->between_ns > 0 && walk->n_done > rest->n_done) {
        walk->rest_due = rest;
    }
}

void
fm_walk_rest_drop(FmWalk *walk, const FmRest *rest)
{
    if (walk->rest_due == rest) {
        walk->rest_due = NULL;
    }
}

static bool
run_other(FmWalk *walk, const char *path, const FmPhase *phase, int64_t rest_ns)
{
    const FmDriverActions *actions = walk->actions;
    GError *error = NULL;
    FmOutcome outcome = actions->run_other(actions->user_data, path, phase, rest_ns, &error);

    if (outcome == FM_OUTCOME_COMPLETE || outcome == FM_OUTCOME_SKIPPED) {
        g_clear_error(&error);
        return true;
    }
    return fm_walk_end(walk, outcome, error);
}

bool
fm_walk_rest_take(FmWalk *walk)
{
    const FmRest *rest = walk->rest_due;
    if (rest == NULL) {
        return true;
    }

    g_autofree char *path = g_strndup(walk->path->str, rest->path_length);
    walk->rest_due = NULL;
    return run_other(walk, path, NULL, rest->between_ns);
}

/* --- Evaluations and skipping ------------------------------------------------------ */

void
fm_walk_evaluate(FmWalk *walk, const char *kind, const char *path, GVariantDict *extra)
{
    GVariantDict plain;
    if (extra == NULL) {
        g_variant_dict_init(&plain, NULL);
        extra = &plain;
    }

    g_variant_dict_insert(extra, "kind", "s", kind);
    g_variant_dict_insert(extra, "path", "s", path);
    walk->actions->evaluate(walk->actions->user_data, g_variant_dict_end(extra));
}

void
fm_walk_skip(FmWalk *walk, const char *path, const FmMessage *reason)
{
    GVariantDict extra;
    g_variant_dict_init(&extra, NULL);
    fm_message_insert(&extra, "reason", reason);
    fm_walk_evaluate(walk, "skip", path, &extra);
}

/* The smallest block of @stream, or what a sweep around it has set. */
static uint32_t
smallest_block(const FmWalk *walk, const FmStream *stream)
{
    uint32_t smallest = UINT32_MAX;
    for (unsigned i = 0; i < stream->n_blocks; i++) {
        smallest = MIN(smallest, stream->blocks[i].size);
    }
    for (guint i = 0; i < walk->settings->len; i++) {
        const FmSetting *setting = &g_array_index(walk->settings, FmSetting, i);
        if (setting->kind == FM_SETTING_PARAMETER &&
            setting->parameter == FM_PARAMETER_BLOCK_SIZE &&
            fm_setting_is_for(setting, stream->id)) {
            smallest = (uint32_t)setting->value;
        }
    }
    return smallest;
}

/* Whether a stream below has blocks smaller than the target's.  What a sweep below
 * decides is left to its steps. */
static bool
has_small_block(const FmWalk *walk, const FmPhase *phase)
{
    for (unsigned i = 0; i < phase->n_axes; i++) {
        if (phase->axes[i].parameter == FM_PARAMETER_BLOCK_SIZE) {
            return false;
        }
    }
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        if (!stream->buffered && smallest_block(walk, stream) < walk->actions->block_size) {
            return true;
        }
    }
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        if (has_small_block(walk, phase->children->pdata[i])) {
            return true;
        }
    }
    return false;
}

/* The sentence why @phase is not for this target; NULL = it is.  Caller frees. */
static FmMessage *
find_skip_reason(const FmWalk *walk, const FmPhase *phase)
{
    const FmDriverActions *actions = walk->actions;
    bool is_file =
        actions->target_kind == FM_TARGET_FOLDER || actions->target_kind == FM_TARGET_FILE;

    switch (phase->skip_if) {
    case FM_SKIP_NEVER:
        break;
    case FM_SKIP_FILE_TARGET:
        return is_file ? fm_message_new("not meant for a file") : NULL;
    case FM_SKIP_RAW_TARGET:
        return is_file ? NULL : fm_message_new("not meant for a whole drive");
    case FM_SKIP_BLOCK_TOO_SMALL:
        return has_small_block(walk, phase)
                   ? fm_message_new("not possible on a %u B LBA", actions->block_size)
                   : NULL;
    case FM_SKIP_BELOW_SIZE:
        return actions->target_size < phase->skip_value
                   ? fm_message_new("needs %ju bytes, the target has %ju", phase->skip_value,
                                    actions->target_size)
                   : NULL;
    case FM_SKIP_NO_TRIM:
        return actions->can_trim ? NULL : fm_message_new("the target cannot trim");
    case FM_SKIP_NO_CACHE_STEP:
        return actions->has_cache_step ? NULL
                                       : fm_message_new("no earlier fill found a cache boundary");
    }

    if (phase->kind == FM_PHASE_TRIM && !actions->can_trim) {
        return fm_message_new("the target cannot trim");
    }
    return NULL;
}

/* --- Phases that do one thing, and those that only order others ---------------------- */

static bool
walk_other(FmWalk *walk, const FmPhase *phase)
{
    if (walk->skip_reason != NULL) {
        return true;
    }

    int64_t rest_ns = phase->rest_ns;
    for (guint i = 0; phase->kind == FM_PHASE_REST && i < walk->settings->len; i++) {
        const FmSetting *setting = &g_array_index(walk->settings, FmSetting, i);
        if (setting->kind == FM_SETTING_PARAMETER && setting->parameter == FM_PARAMETER_REST_TIME &&
            fm_setting_is_for(setting, phase->id)) {
            rest_ns = (int64_t)setting->value;
        }
    }

    if (!fm_walk_rest_take(walk)) {
        return false;
    }
    walk->n_done++;
    return run_other(walk, walk->path->str, phase, rest_ns);
}

bool
fm_walk_children(FmWalk *walk, const FmPhase *phase)
{
    for (guint i = 0; i < phase->children->len; i++) {
        if (!fm_walk_phase(walk, phase->children->pdata[i])) {
            return false;
        }
    }
    return true;
}

static bool
walk_group(FmWalk *walk, const FmPhase *phase)
{
    FmRest rest = fm_walk_rest_begin(walk, phase);
    for (guint i = 0; i < phase->children->len; i++) {
        fm_walk_rest_plan(walk, &rest);
        if (!fm_walk_phase(walk, phase->children->pdata[i])) {
            return false;
        }
    }
    fm_walk_rest_drop(walk, &rest);
    return true;
}

static bool
walk_kind(FmWalk *walk, const FmPhase *phase)
{
    switch (phase->kind) {
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
        return fm_walk_step(walk, phase);
    case FM_PHASE_REST:
    case FM_PHASE_IDLE:
    case FM_PHASE_SETTLE:
    case FM_PHASE_PURGE:
    case FM_PHASE_TRIM:
    case FM_PHASE_EXTERNAL:
        return walk_other(walk, phase);
    case FM_PHASE_GROUP:
        return walk_group(walk, phase);
    case FM_PHASE_SWEEP:
        return fm_walk_sweep(walk, phase);
    case FM_PHASE_REPEAT:
        return fm_walk_repeat(walk, phase);
    case FM_PHASE_BISECT:
        return fm_walk_bisect(walk, phase);
    case FM_PHASE_RATE_CURVE:
        return fm_walk_rate_curve(walk, phase);
    }
    g_assert_not_reached();
}

/* A plan may hold one branch for files and one for drives: the other one is no result.
 * What was asked for and is not possible is one, and keeps its rows. */
static bool
leaves_rows(const FmPhase *phase)
{
    return phase->skip_if != FM_SKIP_FILE_TARGET && phase->skip_if != FM_SKIP_RAW_TARGET;
}

bool
fm_walk_phase(FmWalk *walk, const FmPhase *phase)
{
    bool is_root = phase == walk->plan->root;
    gsize length = is_root || phase->id == NULL ? walk->path->len : fm_walk_push(walk, phase->id);

    bool go_on = true;
    g_autoptr(FmMessage) reason = walk->skip_reason == NULL ? find_skip_reason(walk, phase) : NULL;
    if (reason != NULL) {
        fm_walk_skip(walk, walk->path->str, reason);
        walk->skip_reason = reason;
    }
    if (reason == NULL || leaves_rows(phase)) {
        go_on = walk_kind(walk, phase);
    }
    if (reason != NULL) {
        walk->skip_reason = NULL;
    }
    fm_walk_pop(walk, length);
    return go_on;
}

/* --- The whole ---------------------------------------------------------------------- */

/* Refuses what this version or target can't do, before anything has run. */
static bool
check_needs(const FmPlan *plan, uint32_t met, GError **error)
{
    g_autoptr(GString) list = g_string_new(NULL);
    for (uint32_t unmet = plan->needs & ~met; unmet != 0; unmet &= unmet - 1) {
        const char *name = fm_need_name((FmNeed)(unmet & -unmet));
        g_string_append_printf(list, "%s%s", list->len > 0 ? ", " : "", name);
    }
    if (list->len == 0) {
        return true;
    }

    fm_error_set(error, FM_ERROR_UNSUPPORTED, "Plan %s needs what is not available here: %s",
                 plan->id, list->str);
    return false;
}

FmOutcome
fm_driver_run(const FmPlan *plan, const FmDriverActions *actions, GError **error)
{
    if (!check_needs(plan, actions->needs, error)) {
        return FM_OUTCOME_REFUSED;
    }

    FmWalk walk = {
        .plan = plan,
        .actions = actions,
        .path = g_string_new(NULL),
        .settings = g_array_new(FALSE, FALSE, sizeof(FmSetting)),
        .outcome = FM_OUTCOME_COMPLETE,
    };
    fm_walk_phase(&walk, plan->root);

    g_string_free(walk.path, TRUE);
    g_array_unref(walk.settings);
    if (walk.error != NULL) {
        g_propagate_error(error, walk.error);
    }
    return walk.outcome;
}
