/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run from end to end: look at the target, make the test file, find a backend, walk
 * the plan, take everything away again.  The caller's thread is the control thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/engine.h"

#include "base/error.h"
#include "engine/backend-sim.h"
#include "engine/backends.h"
#include "engine/driver.h"
#include "engine/guard.h"
#include "engine/probe.h"
#include "engine/run-context.h"
#include "engine/step-run.h"
#include "engine/test-file.h"
#include "model/plan-cost.h"
#include "platform/platform.h"

#include <limits.h>
#include <string.h>
#include <time.h>

enum {
    NULL_BLOCK = 512,
    BASE_LINE_MS = 250, /* of the clock calibration, at least */
    QUIET_POLL_MS = 200,
    SETTLED_MS = 1000, /* the drive's counters must stand still this long */
};

#define NULL_SIZE ((uint64_t)1 << 30)
#define IDLE_LIMIT_NS ((int64_t)30 * 60 * 1000 * 1000 * 1000)

struct FmEngine {
    FmEngineOptions options;
    FmRunContext run;
    FmTestFile *file; /* NULL = the target is no folder */
    int64_t fill_began_ns;
    int64_t fill_told_ns;
};

const char *
fm_outcome_name(FmOutcome outcome)
{
    static const char *const names[] = {
        [FM_OUTCOME_COMPLETE] = "complete", [FM_OUTCOME_STOPPED] = "stopped",
        [FM_OUTCOME_FAILED] = "failed",     [FM_OUTCOME_REFUSED] = "refused",
        [FM_OUTCOME_SKIPPED] = "skipped",
    };

    g_return_val_if_fail((unsigned)outcome < G_N_ELEMENTS(names), "failed");
    return names[outcome];
}

FmEngine *
fm_engine_new(const FmEngineOptions *options)
{
    FmEngine *engine = g_new0(FmEngine, 1);

    engine->options = *options;
    engine->run.options = &engine->options;
    engine->run.seed = options->plan->seed;
    plat_clock_init();
    plat_wake_init();
    engine->run.clock = plat_clock_pair();
    return engine;
}

void
fm_engine_free(FmEngine *engine)
{
    if (engine == NULL) {
        return;
    }
    g_clear_pointer(&engine->file, fm_test_file_free);
    if (engine->run.sim_target != NULL && !engine->run.stuck) {
        engine->run.backend->close(engine->run.sim_target);
    }
    fm_message_unref(engine->run.refusals);
    fm_message_unref(engine->run.told_fallback);
    g_free(engine->run.path);
    g_free(engine);
}

void
fm_engine_pause(FmEngine *engine)
{
    atomic_store(&engine->run.pause_requested, true);
}

void
fm_engine_resume(FmEngine *engine)
{
    atomic_store(&engine->run.pause_requested, false);
}

void
fm_engine_stop(FmEngine *engine)
{
    atomic_store(&engine->run.stop_requested, true);
}

bool
fm_engine_is_stuck(const FmEngine *engine)
{
    return engine->run.stuck;
}

/* --- Facts -------------------------------------------------------------------- */

static void
emit_environment(FmEngine *engine)
{
    g_autoptr(FmFacts) facts = plat_environment();

    fm_run_emit(&engine->run, FM_FRAME_ENVIRONMENT, fm_facts_to_variant(facts));
}

static void
emit_target(FmEngine *engine)
{
    static const char *const kinds[] = {
        [FM_TARGET_FOLDER] = "folder", [FM_TARGET_FILE] = "file",   [FM_TARGET_DEVICE] = "device",
        [FM_TARGET_NULL] = "null",     [FM_TARGET_MODEL] = "model",
    };
    const FmTarget *target = engine->options.target;
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "kind", "s", kinds[target->kind]);
    g_variant_dict_insert(&dict, "path", "s", target->path);
    g_variant_dict_insert(&dict, "size", "t", engine->run.size);
    g_variant_dict_insert(&dict, "free", "t", target->free_bytes);
    g_variant_dict_insert(&dict, "block-size", "u", engine->run.block_size);
    g_variant_dict_insert(&dict, "verdict", "s", fm_verdict_name(target->verdict));
    fm_message_insert(&dict, "verdict-reason", target->verdict_reason);
    g_variant_dict_insert(&dict, "file", "s",
                          engine->file != NULL ? fm_test_file_get_path(engine->file) : "");
    g_variant_dict_insert_value(&dict, "facts", fm_facts_to_variant(target->facts));
    fm_run_emit(&engine->run, FM_FRAME_TARGET, g_variant_dict_end(&dict));
}

/* What the plan was thought to take, to be compared with what it took. */
static void
add_expectations(const FmEngine *engine, GVariantDict *dict)
{
    const FmPlan *plan = engine->options.plan;
    FmTargetKind kind = engine->options.target->kind;
    FmCostBasis basis = {
        .target_size = engine->run.size,
        .block_size = engine->run.block_size,
        .is_file = kind == FM_TARGET_FOLDER || kind == FM_TARGET_FILE,
    };
    FmPlanCost cost = fm_plan_cost(plan, &basis);
    unsigned min_steps = 0;
    unsigned max_steps = 0;

    fm_driver_count_steps(plan, &min_steps, &max_steps);
    g_variant_dict_insert(dict, "expected-ns", "x", (gint64)cost.time_ns);
    g_variant_dict_insert(dict, "expected-bytes-written", "t", (guint64)cost.bytes_written);
    g_variant_dict_insert(dict, "min-steps", "u", (guint32)min_steps);
    if (max_steps != UINT_MAX) {
        g_variant_dict_insert(dict, "max-steps", "u", (guint32)max_steps);
    }
}

static void
emit_plan(FmEngine *engine)
{
    const FmPlan *plan = engine->options.plan;
    const char *const none[] = {NULL};
    const char *const *settings =
        engine->options.settings != NULL ? engine->options.settings : none;
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "id", "s", plan->id);
    g_variant_dict_insert(&dict, "name", "s", plan->name);
    g_variant_dict_insert(&dict, "hash", "s", plan->hash);
    g_variant_dict_insert(&dict, "plan", "s", plan->canonical);
    g_variant_dict_insert(&dict, "settings", "^as", settings);
    g_variant_dict_insert(&dict, "seed", "t", plan->seed);
    g_variant_dict_insert(&dict, "wall", "x", g_get_real_time());
    add_expectations(engine, &dict);
    fm_run_emit(&engine->run, FM_FRAME_PLAN, g_variant_dict_end(&dict));
}

/* --- Targets ------------------------------------------------------------------ */

/* Size of the own file: what the plan says, of what there is room for. */
static uint64_t
find_file_size(const FmEngine *engine, uint64_t room)
{
    FmExtent size = engine->options.plan->file_size;

    return size.relative ? fm_extent_resolve(size, room, 4096) : size.value;
}

/* A real backend would take the name of a model for a path. */
static bool
check_artificial(const FmRunContext *run, bool model, GError **error)
{
    const FmBackend *bottom = run->below != NULL ? run->below : run->backend;
    const char *fitting = model ? "sim" : "null";

    if (strcmp(bottom->name, fitting) == 0) {
        return true;
    }
    fm_error_set(error, FM_ERROR_INVALID,
                 "The backend “%s” is not for “%s”; leave it out, or name a folder", bottom->name,
                 run->options->target->path);
    return false;
}

static bool
open_artificial(FmEngine *engine, GError **error)
{
    FmRunContext *run = &engine->run;
    const FmTarget *target = engine->options.target;
    bool model = target->kind == FM_TARGET_MODEL;
    const char *wanted = engine->options.backend;

    run->backend = fm_backend_parse(wanted != NULL ? wanted
                                    : model        ? "sim"
                                                   : "null",
                                    &run->below, error);
    if (run->backend == NULL || !check_artificial(run, model, error)) {
        return false;
    }
    run->path = g_strdup(target->path);
    run->block_size = NULL_BLOCK;
    run->size = find_file_size(engine, NULL_SIZE);
    run->size = run->size > 0 ? run->size : NULL_SIZE;
    FmOpenOptions options = {
        .path = run->path,
        .file_descriptor = -1,
        .size = model ? 0 : run->size,
        .block_size = run->block_size,
        .writable = true,
        .options = engine->options.backend_options,
        .below = run->below,
    };
    run->sim_target = run->backend->open(&options, error);
    if (run->sim_target == NULL) {
        return false;
    }
    if (fm_backend_get_caps(run->backend, run->below) & FM_CAP_VIRTUAL_TIME) {
        FmBackendTarget *bottom = fm_backend_get_bottom(run->backend, run->sim_target);
        uint64_t capacity = fm_sim_get_capacity(bottom);
        bool whole = !fm_plan_has_file_form(engine->options.plan);
        run->size = whole ? capacity : MIN(run->size, capacity);
    }
    return true;
}

/* Tells how far the filling of the test file is, four times a second at most. */
static bool
fill_progress_cb(gpointer user_data, uint64_t done, uint64_t total)
{
    FmEngine *engine = user_data;
    int64_t now = plat_clock_monotonic_ns();

    if (now - engine->fill_told_ns > 250000000 && done > 0) {
        double fraction = (double)done / (double)total;
        double passed = (double)(now - engine->fill_began_ns);
        GVariantDict dict;
        engine->fill_told_ns = now;
        g_variant_dict_init(&dict, NULL);
        g_variant_dict_insert(&dict, "kind", "s", "progress");
        g_autoptr(FmMessage) text = fm_message_new("writing the test file");
        fm_message_insert(&dict, "text", text);
        g_variant_dict_insert(&dict, "fraction", "d", fraction);
        g_variant_dict_insert(&dict, "remaining-ns", "x",
                              (gint64)(passed / fraction * (1 - fraction)));
        fm_run_emit(&engine->run, FM_FRAME_NOTE, g_variant_dict_end(&dict));
    }
    while (atomic_load(&engine->run.pause_requested) && !atomic_load(&engine->run.stop_requested)) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return !atomic_load(&engine->run.stop_requested);
}

static bool
is_wanted_cb(gpointer user_data)
{
    FmEngine *engine = user_data;

    return !atomic_load(&engine->run.stop_requested);
}

static bool
open_file(FmEngine *engine, GError **error)
{
    FmRunContext *run = &engine->run;
    FmTarget *target = engine->options.target;

    if (!fm_plan_has_file_form(engine->options.plan)) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "The plan “%s” needs a whole drive and has no form for a file",
                     engine->options.plan->id);
        return false;
    }
    FmGuardOptions guard = {
        .size = find_file_size(engine, target->free_bytes),
        .keep_free = engine->options.keep_free,
        .allow_buffered = engine->options.allow_buffered,
        .may_go_on = is_wanted_cb,
        .user_data = engine,
    };
    bool allowed = fm_guard_check_file(target, &guard, error);
    run->size = target->size;
    run->block_size = target->block_size;
    if (!allowed) {
        return false;
    }
    FmTestFileOptions options = {
        .size = target->size,
        .seed = run->seed,
        .data = engine->options.plan->file_data,
        .progress = fill_progress_cb,
        .user_data = engine,
    };
    engine->file = fm_test_file_new(target, &options, error);
    if (engine->file == NULL) {
        return false;
    }
    run->path = g_strdup(fm_test_file_get_path(engine->file));
    run->direct_refused = !fm_test_file_is_direct(engine->file);
    return fm_probe_wanted_backend(run, error);
}

static bool
fill_file(FmEngine *engine, GError **error)
{
    engine->fill_began_ns = plat_clock_monotonic_ns();
    engine->fill_told_ns = engine->fill_began_ns;
    if (!fm_test_file_fill(engine->file, error)) {
        return false;
    }
    fm_test_file_add_facts(engine->file, engine->options.target->facts);
    return fm_guard_check_stored(engine->options.target, engine->options.allow_buffered, error);
}

static bool
open_target(FmEngine *engine, GError **error)
{
    switch (engine->options.target->kind) {
    case FM_TARGET_NULL:
    case FM_TARGET_MODEL:
        return open_artificial(engine, error);
    case FM_TARGET_FOLDER:
    case FM_TARGET_FILE:
        return open_file(engine, error);
    case FM_TARGET_DEVICE:
    default:
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” is a raw device; this version tests files and folders only",
                     engine->options.target->path);
        return false;
    }
}

/* --- Between the steps -------------------------------------------------------- */

static void
evaluate_rest(FmEngine *engine, const char *path, int64_t planned_ns, int64_t actual_ns)
{
    GVariantDict dict;

    g_variant_dict_init(&dict, NULL);
    g_variant_dict_insert(&dict, "kind", "s", "rest");
    g_variant_dict_insert(&dict, "path", "s", path != NULL ? path : "");
    g_variant_dict_insert(&dict, "planned-ns", "x", (gint64)planned_ns);
    g_variant_dict_insert(&dict, "actual-ns", "x", (gint64)actual_ns);
    fm_run_emit(&engine->run, FM_FRAME_EVALUATION, g_variant_dict_end(&dict));
}

/* Waits until the drive's own counters have stood still for @quiet_ns; gives up after
 * @limit_ns.  A model drive is quiet when nobody asks it anything. */
static bool
wait_quiet(FmEngine *engine, int64_t quiet_ns, int64_t limit_ns)
{
    FmRunContext *run = &engine->run;
    uint64_t before[2] = {0};
    int64_t began = fm_run_now_ns(run);
    int64_t quiet_since = began;

    if (run->sim_target != NULL || !plat_target_counters(run->path, &before[0], &before[1])) {
        return fm_run_rest(run, quiet_ns);
    }
    for (;;) {
        uint64_t now[2] = {0};
        if (!fm_run_rest(run, (int64_t)QUIET_POLL_MS * 1000000)) {
            return false;
        }
        int64_t at = fm_run_now_ns(run);
        bool known = plat_target_counters(run->path, &now[0], &now[1]);
        if (!known || now[0] != before[0] || now[1] != before[1]) {
            quiet_since = at;
            before[0] = now[0];
            before[1] = now[1];
        }
        if (at - quiet_since >= quiet_ns) {
            return true;
        }
        if (at - began >= limit_ns) {
            fm_run_note(run, "warning", -1, "the drive did not become quiet in %.0f s; going on",
                        (double)limit_ns / 1e9);
            return true;
        }
    }
}

static FmOutcome
run_other_cb(gpointer user_data, const char *path, const FmPhase *phase, int64_t rest_ns,
             GError **error)
{
    FmEngine *engine = user_data;
    FmPhaseKind kind = phase != NULL ? phase->kind : FM_PHASE_REST;
    int64_t began = fm_run_now_ns(&engine->run);
    bool goes_on = true;

    switch (kind) {
    case FM_PHASE_REST:
        goes_on = fm_run_rest(&engine->run, rest_ns);
        break;
    case FM_PHASE_IDLE:
        goes_on = wait_quiet(engine, rest_ns, IDLE_LIMIT_NS);
        break;
    case FM_PHASE_SETTLE:
        goes_on = wait_quiet(engine, (int64_t)SETTLED_MS * 1000000, rest_ns);
        break;
    default:
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "A phase of kind “%s” is not possible on this target",
                     fm_phase_kind_name(kind));
        return FM_OUTCOME_FAILED;
    }
    evaluate_rest(engine, path, rest_ns, fm_run_now_ns(&engine->run) - began);
    return goes_on ? FM_OUTCOME_COMPLETE : FM_OUTCOME_STOPPED;
}

static bool
run_step_cb(gpointer user_data, const FmStep *step, FmStepResult *result)
{
    FmEngine *engine = user_data;

    if (atomic_load(&engine->run.stop_requested)) {
        result->outcome = FM_OUTCOME_STOPPED;
        return false;
    }
    return fm_step_run(&engine->run, step, result);
}

static void
skip_step_cb(gpointer user_data, const FmStep *step, const FmMessage *reason)
{
    FmEngine *engine = user_data;

    fm_step_report_unrun(&engine->run, step, FM_OUTCOME_SKIPPED, reason);
}

static void
evaluate_cb(gpointer user_data, GVariant *dictionary)
{
    FmEngine *engine = user_data;

    fm_run_emit(&engine->run, FM_FRAME_EVALUATION, dictionary);
}

/* --- The run ------------------------------------------------------------------ */

/* The longer the base line of the clock, the smaller its error: 250 ms keep it below a
 * microsecond a second even before the first step refines it. */
static void
wait_for_base_line(FmEngine *engine)
{
    int64_t end = engine->run.clock.ns + (int64_t)BASE_LINE_MS * 1000000;

    while (plat_clock_monotonic_ns() < end && !atomic_load(&engine->run.stop_requested)) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
}

static FmOutcome
walk_plan(FmEngine *engine, GError **error)
{
    FmRunContext *run = &engine->run;
    FmTargetKind kind = engine->options.target->kind;
    /* A model or nothing at all is a whole drive, with nobody's data on it. */
    bool is_artificial = kind == FM_TARGET_MODEL || kind == FM_TARGET_NULL;
    FmDriverActions actions = {
        .run_step = run_step_cb,
        .skip_step = skip_step_cb,
        .run_other = run_other_cb,
        .evaluate = evaluate_cb,
        .user_data = engine,
        .needs = is_artificial ? FM_NEED_RAW_DEVICE : 0,
        .target_kind = kind,
        .target_size = run->size,
        .block_size = run->block_size,
        .can_trim = (fm_backend_get_caps(run->backend, run->below) & FM_CAP_TRIM) != 0,
        .cores = plat_cpu_count_cores(),
    };

    return fm_driver_run(engine->options.plan, &actions, error);
}

/* @is_open: a file that does not fit is refused, a volume that fills up is a failure. */
static FmOutcome
outcome_of(const GError *error, bool is_open)
{
    switch (error->code) {
    case FM_ERROR_CANCELLED:
        return FM_OUTCOME_STOPPED;
    case FM_ERROR_NO_SPACE:
        return is_open ? FM_OUTCOME_FAILED : FM_OUTCOME_REFUSED;
    case FM_ERROR_IO:
    case FM_ERROR_GONE:
        return FM_OUTCOME_FAILED;
    default:
        return FM_OUTCOME_REFUSED;
    }
}

FmOutcome
fm_engine_run(FmEngine *engine, GError **error)
{
    g_autoptr(GError) local = NULL;

    emit_environment(engine);
    bool is_open = open_target(engine, &local);
    emit_target(engine);
    emit_plan(engine);
    bool is_ready = is_open;
    if (is_open && engine->file != NULL) {
        is_ready = fill_file(engine, &local) && fm_probe_backend(&engine->run, &local);
        emit_target(engine);
    }
    if (!is_ready) {
        FmOutcome outcome = outcome_of(local, is_open);
        g_propagate_error(error, g_steal_pointer(&local));
        return outcome;
    }
    wait_for_base_line(engine);
    FmOutcome outcome = walk_plan(engine, error);
    g_clear_pointer(&engine->file, fm_test_file_free);
    return outcome;
}
