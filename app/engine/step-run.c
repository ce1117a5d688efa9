/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting a step up and taking it down.  Everything is allocated, touched and opened
 * before the first tick; nothing of it happens while the loops run.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step-run.h"

#include "base/error.h"
#include "engine/backends.h"
#include "engine/loop-setup.h"
#include "platform/platform.h"

#include <string.h>
#include <time.h>

enum {
    START_DELAY_NS = 2000000, /* from "go" to the first tick */
};

/* --- Which backend ----------------------------------------------------------- */

static uint32_t
list_ops(const FmStream *stream)
{
    uint32_t ops = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        ops |= stream->op_share[op] > 0 ? 1u << op : 0;
    }
    return stream->flush_every > 0 ? ops | 1u << FM_OP_FLUSH : ops;
}

/* What is tried when @backend can't run a step: the next in order, unless the user has
 * chosen.  SQPOLL costs a second CPU and is only used when asked for. */
static const FmBackend *
find_next_backend(const FmRunContext *run, const FmBackend *backend)
{
    const FmBackend *const *next = fm_backend_probe_order();

    if (run->options->backend != NULL || run->sim_target != NULL) {
        return NULL;
    }
    while (*next != NULL && *next != backend) {
        next++;
    }
    do {
        next += *next != NULL;
    } while (*next != NULL && ((*next)->caps & FM_CAP_SQPOLL));
    return *next;
}

static FmBackendTarget *
open_target(FmStepRun *step, const FmStream *stream, GError **error)
{
    FmRunContext *run = step->run;

    if (run->sim_target != NULL) {
        return run->sim_target;
    }
    FmOpenOptions options = {
        .path = run->path,
        .file_descriptor = -1,
        .size = run->size,
        .block_size = run->block_size,
        .writable = (list_ops(stream) & ~(1u << FM_OP_READ)) != 0,
        .buffered = stream->buffered || (run->options->allow_buffered && run->direct_refused),
        .options = run->options->backend_options,
        .below = run->below,
    };
    return step->backend->open(&options, error);
}

/* --- Threads ------------------------------------------------------------------ */

/* How many I/Os thread @index of the step may issue.  Bytes are shared out evenly among
 * the threads of all streams; passes are each thread's own part of the region. */
static uint64_t
find_quota(const FmStepRun *step, unsigned index, const FmLoopSetup *setup)
{
    const FmStopRule *stop = &step->phase->stop;
    uint64_t quota = UINT64_MAX;

    if (stop->bytes > 0) {
        uint64_t ios = (uint64_t)((double)stop->bytes / fm_stream_mean_block(setup->stream));
        uint64_t mine = ios / step->n_threads;
        quota = MAX(mine + (index < ios % step->n_threads), 1);
    }
    if (stop->passes > 0) {
        quota = MIN(quota, fm_loop_pass_quota(setup, stop->passes));
    }
    return quota;
}

/* The driver has skipped what does not fit; past it, a mistake would write elsewhere. */
static void
find_region(FmStepRun *step, const FmStream *stream, FmLoopSetup *setup)
{
    FmRunContext *run = step->run;
    uint64_t unit = run->block_size;
    uint64_t base = fm_extent_resolve(stream->region_offset, run->size, unit);
    uint64_t size = fm_extent_resolve(stream->region_size, run->size, unit);

    setup->region_base = base;
    setup->region_size = MIN(size, run->size - MIN(base, run->size));
    g_assert(setup->region_size / fm_stream_max_block(stream) >= setup->n_threads);
}

static uint64_t
to_ticks(const FmStepRun *step, int64_t ns)
{
    return (uint64_t)((double)ns / step->ns_per_tick + 0.5);
}

/* Whether the rows decide when the step ends. */
static bool
is_judged(const FmStopRule *stop)
{
    return stop->steady || stop->cap_passes > 0 || stop->cap_time_ns > 0;
}

static bool
prepare_stream(FmStepRun *step, unsigned stream_index, unsigned *next, GError **error)
{
    FmRunContext *run = step->run;
    const FmStream *stream = &step->phase->streams[stream_index];
    unsigned n = fm_stream_threads(stream, plat_cpu_count_cores());
    FmLoopSetup setup = {
        .stream = stream,
        .stream_index = stream_index,
        .n_threads = n,
        .block_size = run->block_size,
        .seed = run->seed + step->step->number,
        .logged = step->phase->log_ios,
        .virtual_time = step->virtual_time,
        .judged = is_judged(&step->phase->stop),
        .control = step->control,
    };

    find_region(step, stream, &setup);
    step->region_bytes += setup.region_size;
    step->targets[stream_index] = open_target(step, stream, error);
    if (step->targets[stream_index] == NULL) {
        return false;
    }
    for (unsigned i = 0; i < n; i++) {
        FmIoThread *thread = &step->threads[*next];
        setup.thread = i;
        setup.depth = fm_stream_thread_depth(stream, i, n);
        setup.quota = find_quota(step, *next, &setup);
        *thread = (FmIoThread){
            .backend = step->backend,
            .target = step->targets[stream_index],
            .setup = setup,
            .ops = list_ops(stream),
            .index = *next,
            .n_threads = step->n_threads,
            .cpu = step->virtual_time ? -1 : plat_cpu_choose(*next, step->n_threads, -1),
            .ramp_ticks = to_ticks(step, step->phase->ramp_ns),
            .window_ticks = step->phase->stop.time_ns > 0
                                ? to_ticks(step, step->phase->stop.time_ns)
                                : UINT64_MAX,
            .ticks_per_slot = 1e6 * FM_TICK_INTERVAL_MS / step->ns_per_tick,
            .start = &step->start,
        };
        (*next)++;
    }
    return true;
}

static bool
start_threads(FmStepRun *step, GError **error)
{
    for (unsigned i = 0; i < step->n_threads; i++) {
        if (!fm_io_thread_start(&step->threads[i], error)) {
            return false;
        }
    }
    for (unsigned i = 0; i < step->n_threads; i++) {
        FmIoThread *thread = &step->threads[i];
        while (fm_io_thread_is(thread, FM_IO_THREAD_PREPARING)) {
            nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
        }
        if (fm_io_thread_is(thread, FM_IO_THREAD_FAILED)) {
            g_propagate_error(error, g_steal_pointer(&thread->error));
            return false;
        }
    }
    return true;
}

/* --- Clock -------------------------------------------------------------------- */

/* Ticks to nanoseconds from the whole run so far: the longer the base line, the
 * better. */
static void
calibrate(FmStepRun *step)
{
    FmRunContext *run = step->run;

    step->virtual_time = fm_backend_get_caps(run->backend, run->below) & FM_CAP_VIRTUAL_TIME;
    step->ns_per_tick = 1;
    if (step->virtual_time || !plat_clock_has_counter()) {
        return;
    }
    FmClockPair now = plat_clock_pair();
    step->ns_per_tick = (double)(now.ns - run->clock.ns) / (double)(now.ticks - run->clock.ticks);
}

static void
go(FmStepRun *step)
{
    uint64_t first;

    if (step->virtual_time) {
        first = MAX((uint64_t)fm_run_now_ns(step->run), 1);
    } else {
        step->start_pair = plat_clock_pair();
        first = step->start_pair.ticks + to_ticks(step, START_DELAY_NS);
    }
    /* Release: everything above is visible to the threads that see the tick. */
    atomic_store_explicit(&step->start, first, memory_order_release);
}

/* --- The step ----------------------------------------------------------------- */

static void
init_step(FmStepRun *step, FmRunContext *run, const FmStep *what, const FmBackend *backend)
{
    *step = (FmStepRun){.run = run, .step = what, .phase = what->phase, .backend = backend};
    step->control = g_aligned_alloc0(1, sizeof *step->control, FM_CACHE_BLOCK);
    step->ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    step->targets = g_new0(FmBackendTarget *, MAX(step->phase->n_streams, 1));
    calibrate(step);
    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        step->n_threads += fm_stream_threads(&step->phase->streams[i], plat_cpu_count_cores());
    }
    step->threads = g_new0(FmIoThread, MAX(step->n_threads, 1));
    step->cpu_states = g_malloc0_n(MAX(step->n_threads, 1), sizeof *step->cpu_states);
}

static void
clear_step(FmStepRun *step)
{
    uint64_t waiting = 0;

    /* Threads that never started are told not to. */
    atomic_compare_exchange_strong(&step->start, &waiting, UINT64_MAX);
    for (unsigned i = 0; i < step->n_threads; i++) {
        fm_io_thread_clear(&step->threads[i]);
    }
    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        if (step->targets[i] != NULL && step->targets[i] != step->run->sim_target) {
            step->backend->close(step->targets[i]);
        }
    }
    g_clear_pointer(&step->stop_state, fm_stop_state_free);
    fm_row_merge_clear(&step->merge);
    g_array_unref(step->ticks);
    g_free(step->cpu_states);
    g_free(step->threads);
    g_free(step->targets);
    g_aligned_free(step->control);
}

/* On the real clock a pause may stretch the ramp, so its slots can't be counted before. */
static uint64_t
count_ramp_slots(const FmStepRun *step)
{
    const int64_t slot_ns = (int64_t)FM_TICK_INTERVAL_MS * 1000000;
    int64_t ramp_ns = step->phase->ramp_ns;

    if (ramp_ns > 0 && !step->virtual_time) {
        return FM_ROW_MERGE_OPEN_RAMP;
    }
    return (uint64_t)((ramp_ns + slot_ns - 1) / slot_ns);
}

static bool
prepare_step(FmStepRun *step, GError **error)
{
    const FmStopRule *stop = &step->phase->stop;
    unsigned next = 0;

    for (unsigned i = 0; i < step->phase->n_streams; i++) {
        if (!prepare_stream(step, i, &next, error)) {
            return false;
        }
    }
    if (!start_threads(step, error)) {
        return false;
    }
    FmLoop **loops = g_new(FmLoop *, step->n_threads);
    for (unsigned i = 0; i < step->n_threads; i++) {
        loops[i] = step->threads[i].loop;
    }
    fm_row_merge_init(&step->merge, loops, step->n_threads, step->ns_per_tick,
                      count_ramp_slots(step));
    if (is_judged(stop)) {
        bool sequential = step->phase->streams[0].pattern == FM_PATTERN_SEQUENTIAL;
        step->stop_state = fm_stop_state_new(
            stop, sequential ? FM_STEADY_BANDWIDTH : FM_STEADY_IOPS, step->region_bytes);
    }
    step->has_counters =
        step->run->sim_target == NULL &&
        plat_target_counters(step->run->path, &step->counters_read, &step->counters_written);
    step->has_interrupts =
        step->run->sim_target == NULL && plat_target_interrupts(step->run->path, &step->interrupts);
    return true;
}

/* An I/O that was queued in the window and failed or never came back after it belongs to
 * the step all the same. */
static FmOutcome
judge_drain(FmStepRun *step, FmOutcome outcome)
{
    if (!step->run->stuck &&
        atomic_load_explicit(&step->control->failed, memory_order_relaxed) == 0) {
        return outcome;
    }
    step->stop_reason = "error";
    return FM_OUTCOME_FAILED;
}

/* Says which backend takes the step instead, once for the same reason. */
static void
tell_fallback(FmStepRun *step, const FmBackend *next, const GError *refusal)
{
    FmRunContext *run = step->run;
    g_autoptr(FmMessage) reason = fm_error_dup_message(refusal);
    g_autoptr(FmMessage) text =
        fm_message_new("I/O of this kind goes through “%s” instead of “%s”: %p", next->name,
                       step->backend->name, reason);

    if (strcmp(fm_message_get_text(text), fm_message_get_text(run->told_fallback)) != 0) {
        fm_run_note(run, "fallback", step->step->number, "%p", text);
        fm_message_unref(run->told_fallback);
        run->told_fallback = g_steal_pointer(&text);
    }
}

/* Prepares the step on the run's backend, or on the next one that can do what it asks
 * for: a polled queue takes neither TRIM nor blocks the drive has to split. */
static bool
set_up_step(FmStepRun *step, FmRunContext *run, const FmStep *what, GError **error)
{
    const FmBackend *backend = run->backend;
    g_autoptr(GError) refusal = NULL;

    for (;;) {
        init_step(step, run, what, backend);
        g_clear_error(&refusal);
        if (prepare_step(step, &refusal)) {
            return true;
        }
        backend = refusal->code == FM_ERROR_UNSUPPORTED ? find_next_backend(run, backend) : NULL;
        if (backend == NULL) {
            g_propagate_error(error, g_steal_pointer(&refusal));
            return false;
        }
        tell_fallback(step, backend, refusal);
        clear_step(step);
    }
}

bool
fm_step_run(FmRunContext *run, const FmStep *what, FmStepResult *result)
{
    g_autoptr(GError) error = NULL;
    FmStepRun step;

    if (!set_up_step(&step, run, what, &error)) {
        result->outcome =
            error->code == FM_ERROR_UNSUPPORTED ? FM_OUTCOME_SKIPPED : FM_OUTCOME_FAILED;
        result->reason = fm_error_dup_message(error);
        result->ended_by = "error";
        fm_step_report_unrun(run, what, result->outcome, result->reason);
        clear_step(&step);
        return result->outcome == FM_OUTCOME_SKIPPED;
    }
    fm_step_report_begin(&step);
    go(&step);
    result->outcome = fm_step_watch(&step);
    /*
     * The end of a step waits for its last I/O, 36 s at most: what was asked for in the window
     * and fails after it makes the step a failed one, and a result that was told can't be
     * taken back.  Whoever says stop, even while we wait, has what was measured at once, as
     * a step that was stopped and not as one that is complete.
     */
    bool is_drained = result->outcome != FM_OUTCOME_STOPPED && fm_step_drain(&step, true);
    if (is_drained) {
        result->outcome = judge_drain(&step, result->outcome);
    } else if (result->outcome == FM_OUTCOME_COMPLETE) {
        result->outcome = FM_OUTCOME_STOPPED;
    }
    fm_step_report_end(&step, result);
    if (!is_drained) {
        fm_step_drain(&step, false);
    }
    if (run->stuck) {
        /* Buffers and queues of I/Os that never came back stay where they are: the
         * kernel may still write into them.  The process ends after the run. */
        return false;
    }
    clear_step(&step);
    return result->outcome == FM_OUTCOME_COMPLETE;
}
