/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs through the engine: on a model drive in virtual time, on the null backend
 * and on a real file.  What the frames say is folded and must add up.
 */
#include "engine-bench.h"
#include "platform/platform.h"

#include <glib/gstdio.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static FmRun *
run_model(const Bench *bench, const char *model)
{
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_MODEL, model);
    return bench_run(bench, target, (FmEngineOptions){0}, FM_OUTCOME_COMPLETE);
}

/* --- Model drive -------------------------------------------------------------- */

static void
test_model_rate(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop.time_ns = 10 * SECOND;
    g_autoptr(FmRun) run = run_model(bench, "ideal");
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpstr(step->outcome, ==, "complete");
    g_assert_cmpstr(step->ended_by, ==, "time");
    g_assert_cmpint(step->measured_ns, ==, 10 * SECOND);
    g_assert_cmpuint(step->ticks->len, ==, 100);
    /* Four in flight and a fixed service time: the mean in flight is four. */
    g_assert_cmpfloat_with_epsilon(step->in_flight_mean, 4, 0.01);
}

static void
test_model_repeats_exactly(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->stream->threads = 2;
    bench->stream->op_share[FM_OP_READ] = 7000;
    bench->stream->op_share[FM_OP_WRITE] = 3000;
    g_autoptr(FmRun) first = run_model(bench, "noisy");
    g_autoptr(FmRun) second = run_model(bench, "noisy");
    const FmRunStep *a = bench_step(first, 0);
    const FmRunStep *b = bench_step(second, 0);

    g_assert_cmpuint(a->ios[FM_OP_READ], >, 0);
    g_assert_cmpuint(a->ios[FM_OP_WRITE], >, 0);
    g_assert_cmpmem(a->ios, sizeof a->ios, b->ios, sizeof b->ios);
    g_assert_cmpmem(a->latency_sum_ns, sizeof a->latency_sum_ns, b->latency_sum_ns,
                    sizeof b->latency_sum_ns);
    double share = (double)a->ios[FM_OP_READ] / (double)(a->ios[FM_OP_READ] + a->ios[FM_OP_WRITE]);
    g_assert_cmpfloat_with_epsilon(share, 0.7, 0.02);
}

static void
test_ramp_is_not_counted(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->ramp_ns = SECOND / 4; /* no multiple of a slot */
    g_autoptr(FmRun) run = run_model(bench, "ideal");
    const FmRunStep *step = bench_step(run, 0);
    guint ramp = 0;

    for (guint i = 0; i < step->ticks->len; i++) {
        ramp += (g_array_index(step->ticks, FmTick, i).flags & FM_TICK_RAMP) != 0;
    }
    g_assert_cmpuint(ramp, ==, 3);
    g_assert_cmpuint(step->ticks->len, ==, 13);
    g_assert_cmpint(step->measured_ns, ==, SECOND);
}

static void
test_bytes_and_passes_end_exactly(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop = (FmStopRule){.bytes = 1000 * 4096};
    g_autoptr(FmRun) by_bytes = run_model(bench, "ideal");
    g_assert_cmpuint(bench_step(by_bytes, 0)->ios[FM_OP_READ], ==, 1000);
    g_assert_cmpstr(bench_step(by_bytes, 0)->ended_by, ==, "bytes");

    bench->step->stop = (FmStopRule){.passes = 2};
    bench->stream->pattern = FM_PATTERN_PERMUTATION;
    bench->stream->threads = 2;
    g_autoptr(FmRun) by_passes = run_model(bench, "ideal");
    g_assert_cmpuint(bench_step(by_passes, 0)->ios[FM_OP_READ], ==, 2 * 16 * MIB / 4096);
    g_assert_cmpstr(bench_step(by_passes, 0)->ended_by, ==, "passes");
}

/* Two streams share an odd number of I/Os without one too many. */
static void
test_streams_share_bytes(void)
{
    g_autoptr(Bench) bench = bench_new();
    FmPhase *step = bench->step;

    step->streams = g_renew(FmStream, step->streams, 2);
    step->n_streams = 2;
    step->streams[1] = step->streams[0];
    step->streams[1].id = g_strdup("other");
    step->streams[1].blocks = g_memdup2(step->streams[0].blocks, sizeof(FmBlockShare));
    step->stop = (FmStopRule){.bytes = 1001 * 4096};
    g_autoptr(FmRun) run = run_model(bench, "ideal");
    g_assert_cmpuint(bench_step(run, 0)->ios[FM_OP_READ], ==, 1001);
}

/* More threads than blocks: no thread may wander off its region. */
static void
test_too_small_region_is_skipped(void)
{
    static const FmPattern patterns[] = {FM_PATTERN_SEQUENTIAL, FM_PATTERN_PERMUTATION};

    for (gsize i = 0; i < G_N_ELEMENTS(patterns); i++) {
        g_autoptr(Bench) bench = bench_new();
        g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
        bench->stream->pattern = patterns[i];
        bench->stream->threads = 4;
        bench->stream->region_size = (FmExtent){false, 3 * 4096};
        g_autoptr(FmRun) run = bench_run(bench, target, (FmEngineOptions){0}, FM_OUTCOME_COMPLETE);
        g_assert_cmpstr(bench_step(run, 0)->outcome, ==, "skipped");
        g_assert_nonnull(strstr(fm_message_get_text(bench_step(run, 0)->reason), "4 threads"));
    }
}

static void
test_steady_ends_the_step(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->stream->op_share[FM_OP_READ] = 0;
    bench->stream->op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    bench->stream->pattern = FM_PATTERN_SEQUENTIAL;
    bench->stream->blocks[0].size = 128 * 1024;
    bench->step->stop = (FmStopRule){
        .steady = true, .steady_rule = 'A', .steady_after_passes = 2, .cap_passes = 100000};
    g_autoptr(FmRun) run = run_model(bench, "ideal");
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpstr(step->ended_by, ==, "steady");
    /* 30 one-second means are the least any rule needs. */
    g_assert_cmpint(step->measured_ns, >=, 30 * SECOND);
    g_assert_cmpint(step->measured_ns, <=, 40 * SECOND);
    g_assert_cmpuint(run->evaluations->len, ==, 3);
}

/* --- Null --------------------------------------------------------------------- */

static void
test_null_runs_in_real_time(void)
{
    g_autoptr(Bench) bench = bench_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    bench->step->stop.time_ns = SECOND / 4;
    g_autoptr(FmRun) run = bench_run(bench, target, (FmEngineOptions){0}, FM_OUTCOME_COMPLETE);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpuint(step->ios[FM_OP_READ], >, 1000);
    g_assert_cmpint(ABS(step->measured_ns - SECOND / 4), <, SECOND / 1000);
    g_assert_cmpstr(step->mode, ==, "none");
    g_assert_cmpuint(step->ticks->len, ==, 3);
    g_assert_true(g_array_index(step->ticks, FmTick, 2).flags & FM_TICK_PARTIAL);
}

/* Plans for raw drives run on a model of one, and nowhere else yet. */
static void
test_model_is_a_whole_drive(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->plan.needs = FM_NEED_RAW_DEVICE;
    bench->plan.file_size = (FmExtent){false, 0};
    g_autoptr(FmRun) run = run_model(bench, "ideal");
    g_assert_cmpstr(bench_step(run, 0)->outcome, ==, "complete");
    g_assert_cmpuint(run->target_size, >, 1000 * MIB);

    bench->plan.needs |= FM_NEED_PURGE;
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_MODEL, "ideal");
    g_autoptr(FmRun) refused = bench_run(bench, target, (FmEngineOptions){0}, FM_OUTCOME_REFUSED);
    g_assert_cmpuint(refused->steps->len, ==, 0);
}

/* --- Stop and pause ----------------------------------------------------------- */

typedef struct {
    FmEngine *engine;
    bool pauses;
} Hand;

static void *
stop_soon_cb(void *data)
{
    Hand *hand = data;

    g_usleep(300000);
    if (hand->pauses) {
        fm_engine_pause(hand->engine);
        g_usleep(400000);
        fm_engine_resume(hand->engine);
        return NULL;
    }
    fm_engine_stop(hand->engine);
    return NULL;
}

static FmRun *
run_with_hand(const Bench *bench, const char *backend, const char *backend_options, bool pauses)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    FmRun *run = fm_run_new();
    FmEngineOptions options = {
        .plan = &bench->plan,
        .target = target,
        .backend = backend,
        .backend_options = backend_options,
        .patience_ms = 200,
        .sink = {.emit = bench_sink_cb, .user_data = bytes},
    };
    FmEngine *engine = fm_engine_new(&options);
    Hand hand = {engine, pauses};
    pthread_t thread;

    g_assert_cmpint(pthread_create(&thread, NULL, stop_soon_cb, &hand), ==, 0);
    FmOutcome outcome = fm_engine_run(engine, NULL);
    pthread_join(thread, NULL);
    g_assert_cmpint(outcome, ==, pauses ? FM_OUTCOME_COMPLETE : FM_OUTCOME_STOPPED);
    g_assert_true(fm_run_read(run, bytes->data, bytes->len, NULL));
    fm_engine_free(engine);
    return run;
}

static void
test_stop_keeps_what_was_measured(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop.time_ns = 60 * SECOND;
    int64_t began = g_get_monotonic_time();
    g_autoptr(FmRun) run = run_with_hand(bench, NULL, NULL, false);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpint(g_get_monotonic_time() - began, <, 5 * 1000000);
    g_assert_cmpstr(step->outcome, ==, "stopped");
    g_assert_cmpstr(step->ended_by, ==, "stop");
    g_assert_cmpuint(step->ios[FM_OP_READ], >, 1000);
    g_autoptr(FmMessage) complaint = fm_run_step_check(step);
    g_assert_cmpstr(fm_message_get_text(complaint), ==, "");
}

static void
test_pause_stops_the_clock(void)
{
    g_autoptr(Bench) bench = bench_new();
    bench->step->stop.time_ns = SECOND;
    g_autoptr(FmRun) run = run_with_hand(bench, NULL, NULL, true);
    const FmRunStep *step = bench_step(run, 0);

    g_assert_cmpint(ABS(step->measured_ns - SECOND), <, SECOND / 100);
    g_assert_cmpuint(step->ticks->len, ==, 10);
    g_autoptr(FmMessage) complaint = fm_run_step_check(step);
    g_assert_cmpstr(fm_message_get_text(complaint), ==, "");
}

/* A model's queues take turns: one that stands still may hold up another's drain, and must
 * not hold up the end of the pause. */
static void
test_pause_of_a_model_ends(void)
{
    for (unsigned round = 0; round < 2; round++) {
        g_autoptr(Bench) bench = bench_new();
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_MODEL, "ideal");
        FmEngineOptions options = {
            .plan = &bench->plan,
            .target = target,
            .sink = {.emit = bench_sink_cb, .user_data = bytes},
        };
        pthread_t thread;

        bench->stream->threads = 2;
        bench->stream->in_flight = 16;
        bench->step->stop = (FmStopRule){.bytes = 300000 * 4096};
        g_autoptr(FmEngine) engine = fm_engine_new(&options);
        Hand hand = {.engine = engine, .pauses = true};
        g_assert_cmpint(pthread_create(&thread, NULL, stop_soon_cb, &hand), ==, 0);
        g_assert_cmpint(fm_engine_run(engine, NULL), ==, FM_OUTCOME_COMPLETE);
        pthread_join(thread, NULL);
    }
}

/* --- A real file -------------------------------------------------------------- */

static void
count_files(const char *folder, guint *n)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);

    *n = 0;
    while (g_dir_read_name(dir) != NULL) {
        (*n)++;
    }
}

static FmRun *
run_file(const Bench *bench, const char *backend)
{
    /* Beside the build, not in /tmp: that may be memory. */
    g_autofree char *here = g_get_current_dir();
    g_autofree char *folder = g_build_filename(here, "fathom-engine-XXXXXX", NULL);
    g_autoptr(GError) error = NULL;
    guint n;

    g_assert_nonnull(g_mkdtemp(folder));
    g_autoptr(FmTarget) target = plat_target_examine(folder, &error);
    g_assert_no_error(error);
    FmEngineOptions options = {.backend = backend, .allow_buffered = true};
    FmRun *run = bench_run(bench, target, options, FM_OUTCOME_COMPLETE);
    count_files(folder, &n);
    g_assert_cmpuint(n, ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    return run;
}

static void
test_file_on_every_backend(void)
{
    static const char *const backends[] = {NULL, "uring", "aio", "sync"};

    for (gsize i = 0; i < G_N_ELEMENTS(backends); i++) {
        g_autoptr(Bench) bench = bench_new();
        bench->step->stop = (FmStopRule){.bytes = 400 * 4096}; /* a busy disk may stall for long */
        bench->stream->op_share[FM_OP_READ] = 5000;
        bench->stream->op_share[FM_OP_WRITE] = 5000;
        g_autoptr(FmRun) run = run_file(bench, backends[i]);
        const FmRunStep *step = bench_step(run, 0);
        g_test_message("%s: %s, %s", backends[i], step->backend, step->mode);
        g_assert_cmpuint(step->ios[FM_OP_READ], >, 0);
        g_assert_cmpuint(step->ios[FM_OP_WRITE], >, 0);
        g_assert_cmpuint(step->errors, ==, 0);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/engine/model-runs-at-its-rate", test_model_rate);
    g_test_add_func("/engine/engine/model-is-a-whole-drive", test_model_is_a_whole_drive);
    g_test_add_func("/engine/engine/model-repeats-exactly", test_model_repeats_exactly);
    g_test_add_func("/engine/engine/ramp-is-not-counted", test_ramp_is_not_counted);
    g_test_add_func("/engine/engine/bytes-and-passes-end-exactly",
                    test_bytes_and_passes_end_exactly);
    g_test_add_func("/engine/engine/streams-share-bytes", test_streams_share_bytes);
    g_test_add_func("/engine/engine/too-small-region-is-skipped", test_too_small_region_is_skipped);
    g_test_add_func("/engine/engine/steady-ends-the-step", test_steady_ends_the_step);
    g_test_add_func("/engine/engine/null-runs-in-real-time", test_null_runs_in_real_time);
    g_test_add_func("/engine/engine/stop-keeps-what-was-measured",
                    test_stop_keeps_what_was_measured);
    g_test_add_func("/engine/engine/pause-stops-the-clock", test_pause_stops_the_clock);
    g_test_add_func("/engine/engine/pause-of-a-model-ends", test_pause_of_a_model_ends);
    g_test_add_func("/engine/engine/file-on-every-backend", test_file_on_every_backend);
    return g_test_run();
}
