/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs in which things go wrong: a failed I/O is never a fast I/O, a drive that hangs
 * does not keep Stop or Pause from being acknowledged, and what was measured before is
 * kept.
 */
#include "engine-bench.h"
#include "model/frame.h"

#include <pthread.h>
#include <string.h>

/* A step whose I/Os never come back is left behind on purpose: the kernel may still write
 * into its buffers. */
const char *__lsan_default_suppressions(void);
const char *__tsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
    return "leak:run_step\nleak:io_thread_cb\n";
}

const char *
__tsan_default_suppressions(void)
{
    return "thread:fm_io_thread_start\n";
}

/* Frames with the time at which each came. */
typedef struct {
    GByteArray *bytes;
    gint64 ended_us; /* PHASE_END */
    _Atomic bool began; /* PHASE_BEGIN */
    uint32_t sequence;
} Record;

static void
record_cb(gpointer user_data, FmFrameKind kind, const void *payload, gsize length)
{
    Record *record = user_data;

    fm_frame_encode(record->bytes, kind, record->sequence++, payload, length);
    if (kind == FM_FRAME_PHASE_BEGIN) {
        record->began = true;
    }
    if (kind == FM_FRAME_PHASE_END) {
        record->ended_us = g_get_monotonic_time();
    }
}

static FmRun *
run_fault(const Bench *bench, const char *faults, FmOutcome expected)
{
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    FmEngineOptions options = {.backend = "fault:null", .backend_options = faults};

    return bench_run(bench, target, options, expected);
}

static void
test_failed_io_ends_the_step(void)
{
    static const struct {
        const char *faults;
        const char *in_reason;
    } cases[] = {
        {"eio-after=500", "Input/output error"},
        {"error=28,every=300", "No space left on device"},
        {"error=5@offset:1048576+65536", "Input/output error"},
        {"short=1,every=200", "moved only"},
        {"gone-after=400", "moved only 0 bytes"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(Bench) bench = bench_new();
        bench->step->stop.time_ns = 30 * SECOND;
        g_autoptr(FmRun) run = run_fault(bench, cases[i].faults, FM_OUTCOME_FAILED);
        const FmRunStep *step = bench_step(run, 0);
        g_assert_cmpstr(step->outcome, ==, "failed");
        g_assert_cmpstr(step->ended_by, ==, "error");
        g_assert_cmpuint(step->errors, >, 0);
        g_assert_nonnull(strstr(fm_message_get_text(step->reason), cases[i].in_reason));
        g_assert_nonnull(strstr(fm_message_get_text(step->reason), "offset"));
        g_assert_cmpuint(run->notes->len, >, 0);
    }
}

static void
test_delays_are_in_the_latency(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop = (FmStopRule){.bytes = 200 * 4096};
    bench->stream->in_flight = 1;
    g_autoptr(FmRun) run = run_fault(bench, "delay-us=2000", FM_OUTCOME_COMPLETE);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpuint(step->ios[FM_OP_READ], ==, 200);
    g_assert_cmpuint(step->latency_sum_ns[FM_OP_READ], >=, 200 * 2000000ull);
}

/* --- After the window --------------------------------------------------------- */

/* What was asked for in the window and fails after it is a failed I/O of the step. */
static void
test_late_error_fails_the_step(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop.time_ns = SECOND / 5;
    bench->stream->in_flight = 1;
    g_autoptr(FmRun) run = run_fault(bench, "delay-us=300000,error=5", FM_OUTCOME_FAILED);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpstr(step->outcome, ==, "failed");
    g_assert_cmpuint(step->ios[FM_OP_READ], ==, 0);
    g_assert_cmpuint(step->errors, ==, 1);
    g_assert_nonnull(strstr(fm_message_get_text(step->reason), "Input/output error"));
}

static void
test_lost_io_fails_the_step(void)
{
    g_autoptr(Bench) bench = bench_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    FmEngineOptions options = {
        .backend = "fault:null", .backend_options = "hang-after=1000", .patience_ms = 100};
    bench->step->stop.time_ns = SECOND / 5;
    g_autoptr(FmRun) run = bench_run(bench, target, options, FM_OUTCOME_FAILED);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpstr(step->outcome, ==, "failed");
    g_assert_nonnull(strstr(fm_message_get_text(step->reason), "never came back"));
    g_assert_cmpuint(step->ios[FM_OP_READ], >, 0);
}

/* --- Hanging ------------------------------------------------------------------ */

typedef struct {
    FmEngine *engine;
    Record *record;
    gint64 asked_us;
    bool pauses;
} Hand;

static void *
ask_cb(void *data)
{
    Hand *hand = data;

    while (!hand->record->began) {
        g_usleep(1000);
    }
    g_usleep(500000);
    hand->asked_us = g_get_monotonic_time();
    if (hand->pauses) {
        fm_engine_pause(hand->engine);
        g_usleep(300000);
    }
    fm_engine_stop(hand->engine);
    return NULL;
}

/* Stop comes half a second after the begin, in a window of @window_ns or behind it. */
static void
check_hang(const char *faults, int64_t window_ns, bool pauses)
{
    g_autoptr(Bench) bench = bench_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    g_autoptr(FmRun) run = fm_run_new();
    Record record = {.bytes = g_byte_array_new()};
    FmEngineOptions options = {
        .plan = &bench->plan,
        .target = target,
        .backend = "fault:null",
        .backend_options = faults,
        .patience_ms = 1500,
        .sink = {.emit = record_cb, .user_data = &record},
    };
    bench->step->stop.time_ns = window_ns;
    FmEngine *engine = fm_engine_new(&options);
    Hand hand = {.engine = engine, .record = &record, .pauses = pauses};
    pthread_t thread;

    g_assert_cmpint(pthread_create(&thread, NULL, ask_cb, &hand), ==, 0);
    FmOutcome outcome = fm_engine_run(engine, NULL);
    pthread_join(thread, NULL);

    gint64 end_ms = (record.ended_us - hand.asked_us) / 1000 - (pauses ? 300 : 0);
    g_test_message("%s: results after %d ms", faults, (int)end_ms);
    g_assert_cmpint(outcome, ==, FM_OUTCOME_STOPPED);
    /* The promise is 100 ms; a busy test machine gets some more. */
    g_assert_cmpint(end_ms, <, 1000);
    g_assert_true(fm_engine_is_stuck(engine));
    g_assert_true(fm_run_read(run, record.bytes->data, record.bytes->len, NULL));
    const FmRunStep *step = bench_step(run, 0);
    g_assert_cmpuint(step->ios[FM_OP_READ], >, 0);
    g_autoptr(FmMessage) complaint = fm_run_step_check(step);
    g_assert_cmpstr(fm_message_get_text(complaint), ==, "");
    /* Slots in which nothing completed are there, as zero rows. */
    g_assert_cmpuint(step->ticks->len, >=, 3);
    g_assert_cmpstr(step->outcome, ==, "stopped");
    const FmTick *last = &g_array_index(step->ticks, FmTick, step->ticks->len - 2);
    g_assert_cmpuint(last->read_ios, ==, 0);
    g_byte_array_unref(record.bytes);
    fm_engine_free(engine);
}

static void
test_stop_answers_while_io_hangs(void)
{
    check_hang("hang-after=1000", 60 * SECOND, false);
    check_hang("hang-after=1000,stuck-until-wake", 60 * SECOND, false);
}

/* The window is over, but not the step: an I/O of it is still on its way. */
static void
test_stop_answers_while_the_end_hangs(void)
{
    check_hang("hang-after=1000,stuck-until-wake", 3 * SECOND / 10, false);
}

static void
test_pause_answers_while_io_hangs(void)
{
    check_hang("hang-after=1000,stuck-until-wake", 60 * SECOND, true);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/faults/failed-io-ends-the-step", test_failed_io_ends_the_step);
    g_test_add_func("/engine/faults/delays-are-in-the-latency", test_delays_are_in_the_latency);
    g_test_add_func("/engine/faults/late-error-fails-the-step", test_late_error_fails_the_step);
    g_test_add_func("/engine/faults/lost-io-fails-the-step", test_lost_io_fails_the_step);
    g_test_add_func("/engine/faults/stop-answers-while-io-hangs", test_stop_answers_while_io_hangs);
    g_test_add_func("/engine/faults/stop-answers-while-the-end-hangs",
                    test_stop_answers_while_the_end_hangs);
    g_test_add_func("/engine/faults/pause-answers-while-io-hangs",
                    test_pause_answers_while_io_hangs);
    return g_test_run();
}
