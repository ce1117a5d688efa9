/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Ten million I/Os, each in the log: percentiles from the bins are within one bin of
 * the exact sort of the log, and nothing is missing.  (fio ships such a test of its
 * own; ENGINE section 3 asks for it on every build.)  A pause takes none of them away.
 */
#include "engine-bench.h"
#include "model/frame.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#define N_IOS ((uint64_t)10 * 1000 * 1000)

typedef struct {
    GArray *ios; /* of FmLoggedIo */
    GByteArray *others;
    uint32_t sequence;
} Log;

static void
take_frame_cb(gpointer user_data, FmFrameKind kind, const void *payload, gsize length)
{
    Log *log = user_data;

    if (kind == FM_FRAME_LATENCY_LOG) {
        g_autoptr(GBytes) bytes = g_bytes_new_static(payload, length);
        FmFrame frame = {.kind = kind, .version = 1, .payload = bytes};
        FmLatencyLogKey key;
        g_assert_true(fm_latency_log_decode(&frame, &key, log->ios, NULL));
        return;
    }
    fm_frame_encode(log->others, kind, log->sequence++, payload, length);
}

static int
compare_cb(const void *a, const void *b)
{
    uint64_t first = ((const FmLoggedIo *)a)->latency_ns;
    uint64_t second = ((const FmLoggedIo *)b)->latency_ns;
    return (first > second) - (first < second);
}

/* On virtual time a tick is a nanosecond, so that the log is exact. */
static void
test_bins_agree_with_exact_sort(void)
{
    static const uint32_t percentiles[] = {1,         10000000,  250000000, 500000000,
                                           900000000, 990000000, 999000000, 999900000,
                                           999990000, 999999000, 1000000000};
    g_autoptr(Bench) bench = bench_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_MODEL, "noisy");
    g_autoptr(FmRun) run = fm_run_new();
    Log log = {.ios = g_array_sized_new(FALSE, FALSE, sizeof(FmLoggedIo), (guint)N_IOS),
               .others = g_byte_array_new()};
    FmEngineOptions options = {
        .plan = &bench->plan, .target = target, .sink = {.emit = take_frame_cb, .user_data = &log}};

    bench->step->log_ios = true;
    bench->step->stop = (FmStopRule){.bytes = N_IOS * 4096};
    bench->stream->in_flight = 32;
    g_autoptr(FmEngine) engine = fm_engine_new(&options);
    g_assert_cmpint(fm_engine_run(engine, NULL), ==, FM_OUTCOME_COMPLETE);
    g_assert_true(fm_run_read(run, log.others->data, log.others->len, NULL));
    g_auto(FmHist) hist = {0};
    g_assert_true(fm_run_step_get_latency(bench_step(run, 0), FM_OP_READ, &hist));
    g_assert_cmpuint(hist.count, ==, N_IOS);
    g_assert_cmpuint(log.ios->len, ==, N_IOS);

    qsort(log.ios->data, log.ios->len, sizeof(FmLoggedIo), compare_cb);
    for (gsize i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        double share = percentiles[i] / 1e9;
        uint64_t rank = (uint64_t)MAX(ceil(share * (double)N_IOS), 1);
        uint64_t exact = g_array_index(log.ios, FmLoggedIo, rank - 1).latency_ns;
        uint64_t binned = fm_hist_get_percentile(&hist, percentiles[i]);
        g_assert_cmpuint(binned, >=, exact);
        g_assert_cmpuint(fm_hist_bin(binned, hist.bits), ==, fm_hist_bin(exact, hist.bits));
        g_test_message("%.7f: exact %" G_GUINT64_FORMAT " ns, bins %" G_GUINT64_FORMAT " ns", share,
                       exact, binned);
    }
    g_array_unref(log.ios);
    g_byte_array_unref(log.others);
}

static void *
pause_soon_cb(void *engine)
{
    g_usleep(200000);
    fm_engine_pause(engine);
    g_usleep(300000);
    fm_engine_resume(engine);
    return NULL;
}

/* The log is told on the clock of the step, which stands still during a pause. */
static void
test_pause_leaves_no_hole(void)
{
    g_autoptr(Bench) bench = bench_new();
    g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_NULL, "null");
    g_autoptr(FmRun) run = fm_run_new();
    Log log = {.ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo)), .others = g_byte_array_new()};
    FmEngineOptions options = {
        .plan = &bench->plan,
        .target = target,
        .backend = "fault:null",
        .backend_options = "delay-us=2000",
        .sink = {.emit = take_frame_cb, .user_data = &log},
    };
    pthread_t thread;

    bench->step->log_ios = true;
    bench->step->stop.time_ns = SECOND / 2;
    g_autoptr(FmEngine) engine = fm_engine_new(&options);
    g_assert_cmpint(pthread_create(&thread, NULL, pause_soon_cb, engine), ==, 0);
    g_assert_cmpint(fm_engine_run(engine, NULL), ==, FM_OUTCOME_COMPLETE);
    pthread_join(thread, NULL);
    g_assert_true(fm_run_read(run, log.others->data, log.others->len, NULL));
    const FmRunStep *step = bench_step(run, 0);
    g_assert_cmpuint(log.ios->len, ==, step->ios[FM_OP_READ]);
    for (guint i = 1; i < log.ios->len; i++) {
        const FmLoggedIo *ios = (const FmLoggedIo *)(void *)log.ios->data;
        g_assert_cmpint(ios[i].completed_ns, >=, ios[i - 1].completed_ns);
        g_assert_cmpint(ios[i].completed_ns, <=, step->measured_ns);
    }
    g_array_unref(log.ios);
    g_byte_array_unref(log.others);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/io-log/bins-agree-with-the-exact-sort-of-ten-million",
                    test_bins_agree_with_exact_sort);
    g_test_add_func("/engine/io-log/pause-leaves-no-hole", test_pause_leaves_no_hole);
    return g_test_run();
}
