/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Following a step while it runs: rows out, judge asked, requests from outside
 * carried out, threads in the kernel reminded that time passes.  Control thread; it
 * must never block.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/step-run.h"

#include "engine/step-log.h"
#include "model/frame.h"

#include <time.h>

enum {
    POLL_NS = 10000000, /* how often we look in real time */
    DRAIN_PATIENCE_S = 35, /* longer than the 30 s after which drivers give up on a command */
    DRAIN_NOTICE_MS = 500, /* then people are told what we wait for */
    ABANDON_GRACE_MS = 1000, /* for a loop to notice that it is to give up */
    ROWS_PER_FRAME = 10,
    SUSPEND_MS = 1000, /* less is the difference of two clock reads on a busy machine */
};

static void
look_again_soon(const FmStepRun *step)
{
    if (step->virtual_time) {
        g_thread_yield();
    } else {
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
}

static void
wake_all(FmStepRun *step)
{
    for (unsigned i = 0; i < step->n_threads; i++) {
        fm_io_thread_wake(&step->threads[i]);
    }
}

static bool
all_loops_are(const FmStepRun *step, FmLoopState state)
{
    for (unsigned i = 0; i < step->n_threads; i++) {
        if (atomic_load_explicit(&step->merge.loops[i]->state, memory_order_acquire) <
            (uint32_t)state) {
            return false;
        }
    }
    return true;
}

/* --- Rows --------------------------------------------------------------------- */

static void
emit_rows(FmStepRun *step)
{
    if (step->ticks->len == 0) {
        return;
    }
    GByteArray *payload = g_byte_array_new();
    const FmSink *sink = &step->run->options->sink;

    fm_tick_encode(payload, step->step->number, (const FmTick *)(void *)step->ticks->data,
                   step->ticks->len);
    sink->emit(sink->user_data, FM_FRAME_TICK, payload->data, payload->len);
    g_byte_array_unref(payload);
    g_array_set_size(step->ticks, 0);
    if (step->virtual_time && sink->wait != NULL) {
        sink->wait(sink->user_data);
    }
}

static uint16_t
measure_cpu(FmStepRun *step)
{
    unsigned sum = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < step->n_threads; i++) {
        uint16_t busy = plat_cpu_busy_permille(step->threads[i].cpu, step->cpu_states[i]);
        if (busy != FM_CPU_UNKNOWN) {
            sum += busy;
            n++;
        }
    }
    return n > 0 ? (uint16_t)(sum / n) : FM_CPU_UNKNOWN;
}

static void
stop_loops(FmStepRun *step, const char *reason)
{
    if (step->stop_reason == NULL) {
        step->stop_reason = reason;
    }
    atomic_store_explicit(&step->control->command, FM_COMMAND_STOP, memory_order_release);
    wake_all(step);
}

/* Takes what rows there are.  Returns whether there was any. */
static bool
take_rows(FmStepRun *step)
{
    FmTick tick;
    bool any = false;

    while (fm_row_merge_next(&step->merge, &tick)) {
        any = true;
        if (!step->virtual_time) {
            tick.cpu_permille = measure_cpu(step);
        }
        g_array_append_val(step->ticks, tick);
        if (step->stop_state != NULL && step->stop_reason == NULL) {
            const char *reason = fm_stop_state_update(step->stop_state, &tick);
            if (reason != NULL) {
                stop_loops(step, reason);
            }
        }
        fm_row_merge_release(&step->merge);
        if (step->ticks->len >= (step->virtual_time ? 10 * ROWS_PER_FRAME : ROWS_PER_FRAME)) {
            emit_rows(step);
        }
    }
    if (any && !step->virtual_time) {
        emit_rows(step); /* a viewer wants to see them as they come */
    }
    return any;
}

/* --- Requests from outside ---------------------------------------------------- */

static uint64_t
now_ticks(const FmStepRun *step)
{
    if (step->virtual_time || !plat_clock_has_counter()) {
        return (uint64_t)fm_run_now_ns(step->run);
    }
    return plat_counter();
}

/* Resuming before all of them stand still would leave some with the time of the others.
 * A virtual clock stands still by itself, and there one may wait for another's turn. */
static bool
must_stay_paused(const FmStepRun *step)
{
    return atomic_load(&step->run->pause_requested) ||
           (!step->virtual_time && !all_loops_are(step, FM_LOOP_PAUSED));
}

static void
pause_step(FmStepRun *step)
{
    FmRunContext *run = step->run;
    FmLoopControl *control = step->control;
    uint64_t began = now_ticks(step);

    atomic_store_explicit(&control->command, FM_COMMAND_PAUSE, memory_order_release);
    wake_all(step);
    while (must_stay_paused(step) && !atomic_load(&run->stop_requested) &&
           !all_loops_are(step, FM_LOOP_CLOSED)) {
        take_rows(step);
        nanosleep(&(struct timespec){.tv_nsec = POLL_NS}, NULL);
    }
    /* The clock of the step stood still from the request on, also while requests in
     * flight drained: their completions are in the slot in which the pause began. */
    uint64_t paused = now_ticks(step) - began;
    atomic_fetch_add_explicit(&control->pause_ticks, paused, memory_order_release);
    uint32_t command = FM_COMMAND_PAUSE;
    atomic_compare_exchange_strong(&control->command, &command, FM_COMMAND_RUN);
}

/* --- Watching ----------------------------------------------------------------- */

/* Loops that wait in the kernel make no rows; a signal lets them. */
static void
remind_overdue(FmStepRun *step, uint64_t *reminded_at)
{
    uint64_t now = now_ticks(step);
    uint64_t slot = (uint64_t)step->threads[0].ticks_per_slot;

    if (now - *reminded_at < slot) {
        return;
    }
    *reminded_at = now;
    for (unsigned i = 0; i < step->n_threads; i++) {
        FmLoop *loop = step->merge.loops[i];
        uint64_t delivered = atomic_load_explicit(&loop->rows.head, memory_order_relaxed);
        FmIoThread *thread = &step->threads[i];
        if (thread->reminder == delivered) {
            fm_io_thread_wake(thread);
        }
        thread->reminder = delivered;
    }
}

/* A suspended machine measures nothing: the step is over (ENGINE 8.4). */
static bool
was_suspended(FmStepRun *step, int64_t suspended_before)
{
    if (step->virtual_time ||
        plat_clock_suspended_ns() - suspended_before < (int64_t)SUSPEND_MS * 1000000) {
        return false;
    }
    if (step->stop_reason == NULL) {
        fm_run_note(step->run, "error", step->step->number,
                    "The machine was suspended during this step, so it measured nothing.");
    }
    return true;
}

FmOutcome
fm_step_watch(FmStepRun *step)
{
    FmRunContext *run = step->run;
    uint64_t reminded_at = now_ticks(step);
    int64_t suspended = plat_clock_suspended_ns();
    bool stopping = false;

    while (!all_loops_are(step, FM_LOOP_CLOSED)) {
        if (atomic_load(&run->stop_requested)) {
            stopping = true;
            stop_loops(step, "stop");
        } else if (atomic_load(&run->pause_requested)) {
            pause_step(step);
        }
        if (was_suspended(step, suspended)) {
            atomic_store_explicit(&step->control->failed, 1, memory_order_relaxed);
        }
        if (atomic_load_explicit(&step->control->failed, memory_order_relaxed)) {
            stop_loops(step, "error");
        }
        fm_step_log_relieve(step);
        if (!take_rows(step)) {
            look_again_soon(step);
        }
        if (!step->virtual_time) {
            remind_overdue(step, &reminded_at);
        }
    }
    take_rows(step);
    emit_rows(step);
    if (atomic_load_explicit(&step->control->failed, memory_order_relaxed)) {
        step->stop_reason = "error";
        return FM_OUTCOME_FAILED;
    }
    return stopping ? FM_OUTCOME_STOPPED : FM_OUTCOME_COMPLETE;
}

static unsigned
count_outstanding(const FmStepRun *step)
{
    unsigned n = 0;

    for (unsigned i = 0; i < step->n_threads; i++) {
        n += atomic_load_explicit(&step->merge.loops[i]->outstanding, memory_order_relaxed);
    }
    return n;
}

static bool
all_ended(const FmStepRun *step)
{
    for (unsigned i = 0; i < step->n_threads; i++) {
        if (!fm_io_thread_is(&step->threads[i], FM_IO_THREAD_ENDED)) {
            return false;
        }
    }
    return true;
}

/* Waits until all threads have ended, @ms have passed, or, if that @heeds_stop, the user says
 * stop. */
static bool
wait_ended(FmStepRun *step, int64_t ms, bool heeds_stop)
{
    int64_t deadline = plat_clock_monotonic_ns() + ms * 1000000;

    while (!all_ended(step) && plat_clock_monotonic_ns() < deadline &&
           !(heeds_stop && atomic_load(&step->run->stop_requested))) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    return all_ended(step);
}

void
fm_step_settle(FmStepRun *step, int64_t ms)
{
    wait_ended(step, ms, false);
}

static void
tell_drain(FmStepRun *step)
{
    if (!step->told_drain) {
        step->told_drain = true;
        fm_run_note(step->run, "progress", step->step->number,
                    "waiting for %u I/Os that the drive has not finished", count_outstanding(step));
    }
}

bool
fm_step_drain(FmStepRun *step, bool heeds_stop)
{
    FmRunContext *run = step->run;
    int64_t patience_ms = run->options->patience_ms > 0 ? run->options->patience_ms
                                                        : (int64_t)DRAIN_PATIENCE_S * 1000;

    if (wait_ended(step, DRAIN_NOTICE_MS, heeds_stop)) {
        return true;
    }
    tell_drain(step);
    if (wait_ended(step, patience_ms, heeds_stop)) {
        return true;
    }
    if (heeds_stop && atomic_load(&run->stop_requested)) {
        return false;
    }
    unsigned lost = count_outstanding(step);
    atomic_store(&step->control->abandon, 1);
    wake_all(step);
    if (!wait_ended(step, ABANDON_GRACE_MS, false) || lost > 0) {
        fm_run_note(run, "error", step->step->number,
                    "%u I/Os never came back; the drive or its driver hangs", lost);
        run->stuck = true;
    }
    return true;
}
