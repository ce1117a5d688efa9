/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model drive against its closed forms: throughput, percentiles, the cache step,
 * reclaim, and the rule that runs are exactly repeatable with any number of threads.
 */
#include "engine/backend-sim.h"

#include "base/error.h"
#include "base/hist.h"
#include "base/rng.h"
#include "engine/backends.h"
#include "engine/sim-model.h"

#include <glib/gstdio.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/resource.h>

#define MS ((uint64_t)1000 * 1000)
#define SECOND ((uint64_t)1000 * 1000 * 1000)

enum { MAX_DEPTH = 1024 };

/* A closed loop over one queue: what the engine's hot loop does, made small. */
typedef struct {
    FmBackendTarget *target;
    unsigned depth;
    uint32_t length;
    unsigned op;
    bool random;
    uint64_t first; /* offset to begin at */
    uint64_t n_ios; /* to complete */
    uint64_t until; /* virtual instant at which to stop submitting; 0 = none */
    unsigned thread_index;
    unsigned n_threads;

    FmHist latency;
    uint64_t done;
    uint64_t end; /* virtual instant of the last completion */
    uint64_t digest; /* of every completion and its time, in order */
} Loop;

static uint64_t
next_offset(Loop *loop, FmRng *rng, uint64_t capacity, uint64_t issued)
{
    uint64_t blocks = capacity / loop->length;

    return loop->random ? fm_rng_below(rng, blocks) * loop->length
                        : (loop->first / loop->length + issued) % blocks * loop->length;
}

static void *
run_loop(void *data)
{
    Loop *loop = data;
    const FmBackend *sim = &fm_backend_sim;
    FmQueueOptions options = {
        .depth = loop->depth, .thread_index = loop->thread_index, .n_threads = loop->n_threads};
    FmQueue *queue = sim->queue_new(loop->target, &options, NULL);
    static _Thread_local uint64_t queued_at[MAX_DEPTH];
    static _Thread_local uint16_t slots[MAX_DEPTH];
    static _Thread_local FmCompletion completions[MAX_DEPTH];
    uint64_t capacity = fm_sim_get_capacity(loop->target);
    uint64_t issued = 0;
    unsigned n_free = loop->depth;
    FmRng rng;

    fm_rng_init(&rng, loop->thread_index);
    for (unsigned i = 0; i < loop->depth; i++) {
        slots[i] = (uint16_t)i;
    }
    while (true) {
        uint64_t now = sim->now(queue);
        bool open = issued < loop->n_ios && (loop->until == 0 || now < loop->until);
        while (open && n_free > 0 && issued < loop->n_ios) {
            FmIo io = {.offset = next_offset(loop, &rng, capacity, issued++),
                       .length = loop->length,
                       .slot = slots[--n_free],
                       .op = (uint8_t)loop->op};
            queued_at[io.slot] = now;
            g_assert_cmpint(sim->submit(queue, &io, 1), ==, 1);
        }
        if (n_free == loop->depth) {
            break;
        }
        int n = sim->reap(queue, completions, 1, loop->depth, -1);
        now = sim->now(queue);
        for (int i = 0; i < n; i++) {
            uint64_t latency = now - queued_at[completions[i].slot];
            fm_hist_record(&loop->latency, latency);
            loop->digest = fm_rng_mix(loop->digest ^ now ^ completions[i].slot);
            slots[n_free++] = completions[i].slot;
            loop->done++;
        }
        loop->end = now;
    }
    sim->queue_free(queue);
    return NULL;
}

static FmBackendTarget *
open_model(const char *name, const char *options)
{
    FmOpenOptions open = {
        .path = name, .file_descriptor = -1, .writable = true, .options = options};
    g_autoptr(GError) error = NULL;
    FmBackendTarget *target = fm_backend_sim.open(&open, &error);

    g_assert_no_error(error);
    return target;
}

/* Writes @json as a model of its own and opens it. */
static FmBackendTarget *
open_json(const char *json)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-sim-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "model.json", NULL);

    g_assert_true(g_file_set_contents(path, json, -1, NULL));
    FmBackendTarget *target = open_model(path, NULL);
    g_assert_cmpint(g_remove(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    return target;
}

static Loop
run(FmBackendTarget *target, unsigned op, unsigned depth, uint32_t length, uint64_t n_ios)
{
    Loop loop = {.target = target,
                 .depth = depth,
                 .length = length,
                 .op = op,
                 .random = true,
                 .n_ios = n_ios,
                 .n_threads = 1};

    fm_hist_init(&loop.latency, FM_HIST_PHASE_BITS);
    run_loop(&loop);
    g_assert_cmpuint(loop.done, ==, n_ios);
    return loop;
}

static void
test_ideal(void)
{
    static const unsigned depths[] = {1, 2, 7, 8, 16, 32, 256, 1024};

    for (gsize i = 0; i < G_N_ELEMENTS(depths); i++) {
        FmBackendTarget *target = open_model("ideal", NULL);
        unsigned depth = depths[i];
        Loop loop = run(target, FM_OP_READ, depth, 4096, 40960);
        double expected = MIN(depth, 8) / 100e-6;
        double iops = (double)loop.done / ((double)loop.end / 1e9);

        g_assert_cmpfloat_with_epsilon(iops / expected, 1, 0.001);
        if (depth % 8 == 0 || depth < 8) {
            /* Every request waits for those before it: depth / servers service times. */
            uint64_t latency = depth <= 8 ? 100000 : depth / 8 * 100000;
            uint64_t middle = fm_hist_get_percentile(&loop.latency, 500 * 1000 * 1000);
            g_assert_cmpuint(loop.latency.max, ==, latency);
            g_assert_cmpuint(middle, >=, latency);
            g_assert_cmpuint(middle - latency, <=, latency / 1000);
        }
        fm_hist_clear(&loop.latency);
        fm_backend_sim.close(target);
    }
}

static void
test_interface_limits(void)
{
    FmBackendTarget *target = open_json(
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 1000000000000, \"servers\": 64,"
        " \"read\": {\"base_us\": 50, \"iops\": 100000, \"mbs\": 2000},"
        " \"write\": {\"base_us\": 20, \"mbs\": 1000},"
        " \"trim\": {\"base_us\": 1}, \"flush\": {\"base_us\": 1}}");
    Loop small = run(target, FM_OP_READ, 32, 4096, 100000);
    uint64_t middle = small.end;
    Loop large = run(target, FM_OP_READ, 32, 1 << 20, 10000);
    uint64_t end = large.end;
    Loop writes = run(target, FM_OP_WRITE, 32, 1 << 20, 10000);

    g_assert_cmpfloat_with_epsilon(1e14 / (double)middle, 100e3, 100);
    g_assert_cmpfloat_with_epsilon(10000.0 * (1 << 20) / (double)(end - middle), 2, 0.002);
    g_assert_cmpfloat_with_epsilon(10000.0 * (1 << 20) / (double)(writes.end - end), 1, 0.001);
    fm_hist_clear(&small.latency);
    fm_hist_clear(&large.latency);
    fm_hist_clear(&writes.latency);
    fm_backend_sim.close(target);
}

static void
test_jitter_percentiles(void)
{
    static const uint32_t points[] = {500000000, 900000000, 990000000, 999000000};
    FmBackendTarget *target = open_json(
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 1000000000000, \"servers\": 4,"
        " \"jitter\": 0.5, \"read\": {\"base_us\": 100}, \"write\": {\"base_us\": 100},"
        " \"trim\": {\"base_us\": 1}, \"flush\": {\"base_us\": 1}}");
    Loop loop = run(target, FM_OP_READ, 4, 4096, 1000000);

    /* base (1 + jitter * Exp(1)): the p-th is base (1 - jitter ln(1 - p)). */
    for (gsize i = 0; i < G_N_ELEMENTS(points); i++) {
        double expected = 1e5 * (1 - 0.5 * log1p(-(points[i] / 1e9)));
        double found = (double)fm_hist_get_percentile(&loop.latency, points[i]);
        g_assert_cmpfloat_with_epsilon(found / expected, 1, 0.02);
    }
    g_assert_cmpfloat_with_epsilon(fm_hist_get_mean(&loop.latency) / 150e3, 1, 0.005);
    fm_hist_clear(&loop.latency);
    fm_backend_sim.close(target);
}

static const char cached_model[] =
    "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 100000000000, \"servers\": 32,"
    " \"read\": {\"base_us\": 50}, \"write\": {\"base_us\": 10, \"mbs\": 4000},"
    " \"trim\": {\"base_us\": 1}, \"flush\": {\"base_us\": 1},"
    " \"cache\": {\"bytes\": 10485760000, \"direct_mbs\": 1000, \"direct_bytes\": 5242880000,"
    " \"fold_mbs\": 500, \"idle_ms\": 1000, \"reclaim_mbs\": 100}}";

/* Bytes written in order from @first on until the throughput, in bytes a ns over 10 MiB,
 * falls below @rate. */
static uint64_t
write_until_below(FmBackendTarget *target, uint64_t first, double rate)
{
    uint64_t written = 0;

    while (written < (uint64_t)50e9) {
        uint64_t begin = fm_sim_now(target);
        Loop loop = {.target = target,
                     .depth = 8,
                     .length = 1 << 20,
                     .op = FM_OP_WRITE,
                     .first = first + written,
                     .n_ios = 10,
                     .n_threads = 1};
        fm_hist_init(&loop.latency, FM_HIST_INTERVAL_BITS);
        run_loop(&loop);
        fm_hist_clear(&loop.latency);
        if ((10 << 20) / (double)(loop.end - begin) < rate) {
            return written;
        }
        written += 10 << 20;
    }
    return written;
}

static void
test_cache_step(void)
{
    FmBackendTarget *target = open_json(cached_model);
    uint64_t fast = write_until_below(target, 0, 3.9);
    uint64_t direct = write_until_below(target, fast + (10 << 20), 0.95);

    /* 1000 pieces of 10 MiB fit; the next begins exactly behind the cache. */
    g_assert_cmpuint(fast, ==, 10485760000);
    g_assert_cmpuint(fm_sim_get_cached(target), ==, 10485760000);
    /* One piece went past it already; 499 more until folding is forced. */
    g_assert_cmpuint(direct, ==, 5242880000 - (10 << 20));
    fm_backend_sim.close(target);
}

static void
test_reclaim(void)
{
    FmBackendTarget *target = open_json(cached_model);

    write_until_below(target, 0, 3.9);
    fm_sim_advance(target, 500 * MS);
    g_assert_cmpuint(fm_sim_get_cached(target), ==, 10485760000);
    /* 11 s more: one second of quiet passes first, then 10.5 s at 100 MB/s. */
    fm_sim_advance(target, 11 * SECOND);
    g_assert_cmpfloat_with_epsilon((double)fm_sim_get_cached(target), 10485760000 - 1.05e9, 2e5);
    /* What was given back can be written fast again, and no more. */
    uint64_t again = write_until_below(target, 0, 3.9);
    g_assert_cmpfloat_with_epsilon((double)again, 1.05e9, 11e6);
    fm_sim_advance(target, 3600 * SECOND);
    g_assert_cmpuint(fm_sim_get_cached(target), ==, 0);
    fm_backend_sim.close(target);
}

static void
test_random_overwrite_slows(void)
{
    FmBackendTarget *target =
        open_json("{\"name\": \"x\", \"summary\": \"\", \"capacity\": 1073741824, \"servers\": 32,"
                  " \"read\": {\"base_us\": 50}, \"write\": {\"base_us\": 10, \"mbs\": 400},"
                  " \"trim\": {\"base_us\": 1}, \"flush\": {\"base_us\": 1},"
                  " \"gc\": {\"over_provision\": 0.25}}");
    Loop fill = {.target = target,
                 .depth = 32,
                 .length = 1 << 20,
                 .op = FM_OP_WRITE,
                 .n_ios = 1024,
                 .n_threads = 1};

    fm_hist_init(&fill.latency, FM_HIST_PHASE_BITS);
    run_loop(&fill);
    g_assert_cmpfloat_with_epsilon(1073741824 / (double)fill.end, 0.4, 0.001);

    /* Many passes at random: slower by (1 + s) / 2 s = 2.5 in the end. */
    Loop age = run(target, FM_OP_WRITE, 32, 4096, 262144 * 8);
    uint64_t begin = age.end;
    Loop steady = run(target, FM_OP_WRITE, 32, 4096, 100000);
    g_assert_cmpfloat_with_epsilon(4096e5 / (double)(steady.end - begin), 0.16, 0.002);
    fm_hist_clear(&fill.latency);
    fm_hist_clear(&age.latency);
    fm_hist_clear(&steady.latency);
    fm_backend_sim.close(target);
}

static uint64_t
digest_of(const char *options, unsigned n_threads, uint64_t *ios)
{
    FmBackendTarget *target = open_model("noisy", options);
    Loop loops[4] = {0};
    pthread_t threads[4];
    uint64_t digest = 0;

    for (unsigned i = 0; i < n_threads; i++) {
        loops[i] = (Loop){.target = target,
                          .depth = 16 / n_threads,
                          .length = 4096,
                          .random = true,
                          .n_ios = UINT64_MAX,
                          .until = 20 * MS,
                          .thread_index = i,
                          .n_threads = n_threads};
        fm_hist_init(&loops[i].latency, FM_HIST_INTERVAL_BITS);
        pthread_create(&threads[i], NULL, run_loop, &loops[i]);
    }
    *ios = 0;
    for (unsigned i = 0; i < n_threads; i++) {
        pthread_join(threads[i], NULL);
        digest ^= fm_rng_mix(loops[i].digest + i);
        *ios += loops[i].done;
        fm_hist_clear(&loops[i].latency);
    }
    fm_backend_sim.close(target);
    return digest;
}

static void
test_deterministic(void)
{
    uint64_t ios[4];

    g_assert_cmpuint(digest_of("seed=7", 1, &ios[0]), ==, digest_of("seed=7", 1, &ios[1]));
    g_assert_cmpuint(digest_of("seed=7", 1, &ios[0]), !=, digest_of("seed=8", 1, &ios[1]));
    /* Threads race in real time, and still nothing changes. */
    for (unsigned i = 0; i < 5; i++) {
        g_assert_cmpuint(digest_of("seed=7", 4, &ios[2]), ==, digest_of("seed=7", 4, &ios[3]));
        g_assert_cmpuint(ios[2], ==, ios[3]);
    }
}

static void
test_threads_share_the_drive(void)
{
    uint64_t totals[2] = {0};

    for (unsigned n = 1; n <= 2; n++) {
        FmBackendTarget *target = open_model("ideal", NULL);
        Loop loops[2] = {0};
        pthread_t threads[2];
        for (unsigned i = 0; i < n; i++) {
            loops[i] = (Loop){.target = target,
                              .depth = 32 / n,
                              .length = 4096,
                              .random = true,
                              .n_ios = UINT64_MAX,
                              .until = 50 * MS,
                              .thread_index = i,
                              .n_threads = n};
            fm_hist_init(&loops[i].latency, FM_HIST_INTERVAL_BITS);
            pthread_create(&threads[i], NULL, run_loop, &loops[i]);
        }
        for (unsigned i = 0; i < n; i++) {
            pthread_join(threads[i], NULL);
            totals[n - 1] += loops[i].done;
            g_assert_cmpuint(loops[i].latency.max, ==, 400000);
            fm_hist_clear(&loops[i].latency);
        }
        fm_backend_sim.close(target);
    }
    g_assert_cmpuint(totals[0], ==, totals[1]);
    g_assert_cmpuint(totals[0], ==, 8 * 500 + 32 - 8);
}

static void
test_timeout_is_virtual(void)
{
    FmBackendTarget *target = open_model("ideal", NULL);
    FmQueueOptions options = {.depth = 4, .n_threads = 1};
    FmQueue *queue = fm_backend_sim.queue_new(target, &options, NULL);
    FmCompletion completions[4];

    /* A day of ticks without an I/O. */
    for (unsigned i = 0; i < 864000; i++) {
        g_assert_cmpint(fm_backend_sim.reap(queue, completions, 1, 4, 100 * (int64_t)MS), ==, 0);
    }
    g_assert_cmpuint(fm_sim_now(target), ==, 86400 * SECOND);

    FmIo io = {.length = 4096};
    g_assert_cmpint(fm_backend_sim.submit(queue, &io, 1), ==, 1);
    g_assert_cmpint(fm_backend_sim.reap(queue, completions, 0, 4, -1), ==, 0);
    g_assert_cmpint(fm_backend_sim.reap(queue, completions, 1, 4, 99999), ==, 0);
    g_assert_cmpint(fm_backend_sim.reap(queue, completions, 1, 4, 1), ==, 1);
    g_assert_cmpuint(fm_sim_now(target), ==, 86400 * SECOND + 100000);
    fm_backend_sim.queue_free(queue);
    fm_backend_sim.close(target);
}

static long
peak_memory_kib(void)
{
    struct rusage usage = {0};

    g_assert_cmpint(getrusage(RUSAGE_SELF, &usage), ==, 0);
    return usage.ru_maxrss;
}

static void
test_day(void)
{
    FmBackendTarget *target = open_model("tlc", NULL);
    FmQueueOptions options = {.depth = 1, .n_threads = 1};
    FmQueue *queue = fm_backend_sim.queue_new(target, &options, NULL);
    FmCompletion completion;
    FmRng rng;
    long before = 0;

    fm_rng_init(&rng, 1);
    for (unsigned i = 0; i < 864000; i++) {
        FmIo io = {.offset = fm_rng_below(&rng, 1 << 26) * 4096, .length = 4096, .op = FM_OP_WRITE};
        uint64_t next = (i + 1) * 100 * MS;
        g_assert_cmpint(fm_backend_sim.submit(queue, &io, 1), ==, 1);
        g_assert_cmpint(fm_backend_sim.reap(queue, &completion, 1, 1, -1), ==, 1);
        g_assert_cmpint(
            fm_backend_sim.reap(queue, &completion, 1, 1, (int64_t)(next - fm_sim_now(target))), ==,
            0);
        before = i == 1000 ? peak_memory_kib() : before;
    }
    g_assert_cmpuint(fm_sim_now(target), ==, 86400 * SECOND);
    g_assert_cmpint(peak_memory_kib() - before, <=, 1024);
    fm_backend_sim.queue_free(queue);
    fm_backend_sim.close(target);
}

static void
test_stalls(void)
{
    FmBackendTarget *target = open_json(
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 1073741824, \"servers\": 1,"
        " \"read\": {\"base_us\": 100}, \"write\": {\"base_us\": 100}, \"trim\": {\"base_us\": 1},"
        " \"flush\": {\"base_us\": 1}, \"stalls\": {\"every_ms\": 90, \"ms\": 10}}");
    Loop loop = run(target, FM_OP_READ, 1, 4096, 500000);

    /* A tenth of the time is lost, and nothing waits longer than one stall. */
    g_assert_cmpfloat_with_epsilon((double)loop.end / 50e9, 1 / 0.9, 0.03);
    g_assert_cmpuint(loop.latency.max, >, 9 * MS);
    g_assert_cmpuint(loop.latency.max, <=, 10 * MS + 100000);
    fm_hist_clear(&loop.latency);
    fm_backend_sim.close(target);
}

static void
test_bad_models(void)
{
    static const char *const texts[] = {
        "{",
        "{}",
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 10, \"servers\": 0, \"read\": "
        "{\"base_us\": 1}, \"write\": {\"base_us\": 1}, \"trim\": {\"base_us\": 1}, \"flush\": "
        "{\"base_us\": 1}}",
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 10, \"servers\": 1, \"read\": {}, "
        "\"write\": {\"base_us\": 1}, \"trim\": {\"base_us\": 1}, \"flush\": {\"base_us\": 1}}",
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 10, \"servers\": 1, \"read\": "
        "{\"base_us\": 1}, \"write\": {\"base_us\": 1}, \"trim\": {\"base_us\": 1}, \"flush\": "
        "{\"base_us\": 1}, \"colour\": 1}",
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 10, \"servers\": 1, \"read\": "
        "{\"base_us\": 1}, \"write\": {\"base_us\": -1}, \"trim\": {\"base_us\": 1}, \"flush\": "
        "{\"base_us\": 1}}",
        "{\"name\": \"x\", \"summary\": \"\", \"capacity\": 10, \"servers\": 1, \"read\": "
        "{\"base_us\": 1}, \"write\": {\"base_us\": 1}, \"trim\": {\"base_us\": 1}, \"flush\": "
        "{\"base_us\": 1}, \"cache\": {\"bytes\": 5}}",
    };
    static const char *const names[] = {"no-such-drive", "../models/ideal", "/nowhere/x.json"};

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GError) error = NULL;
        FmSimModel *model = fm_sim_model_parse(texts[i], strlen(texts[i]), "bad", &error);
        g_assert_null(model);
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GError) error = NULL;
        FmOpenOptions open = {.path = names[i], .file_descriptor = -1};
        g_assert_null(fm_backend_sim.open(&open, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    }
}

static void
test_shipped_models(void)
{
    static const char *const names[] = {"ideal", "tlc", "noisy"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(FmSimModel) model = fm_sim_model_load(names[i], &error);
        g_assert_no_error(error);
        g_assert_cmpstr(model->name, ==, names[i]);
        g_assert_cmpuint(strlen(model->summary), >, 10);
    }
}

static void
test_speed(void)
{
    static const char *const names[] = {"ideal", "tlc", "noisy"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        FmBackendTarget *target = open_model(names[i], NULL);
        int64_t begin = g_get_monotonic_time();
        Loop loop = run(target, FM_OP_READ, 32, 4096, 500000);
        double us = (double)MAX(g_get_monotonic_time() - begin, 1);
        g_test_message("%s: %.1f million simulated I/Os a second at QD32", names[i],
                       (double)loop.done / us);
        fm_hist_clear(&loop.latency);
        fm_backend_sim.close(target);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/backend-sim/ideal-has-its-closed-form", test_ideal);
    g_test_add_func("/engine/backend-sim/interface-limits-throughput", test_interface_limits);
    g_test_add_func("/engine/backend-sim/jitter-has-its-percentiles", test_jitter_percentiles);
    g_test_add_func("/engine/backend-sim/cache-steps-at-the-right-byte", test_cache_step);
    g_test_add_func("/engine/backend-sim/idle-time-gives-the-cache-back", test_reclaim);
    g_test_add_func("/engine/backend-sim/random-overwriting-slows-down",
                    test_random_overwrite_slows);
    g_test_add_func("/engine/backend-sim/same-seed-same-run", test_deterministic);
    g_test_add_func("/engine/backend-sim/threads-share-one-drive", test_threads_share_the_drive);
    g_test_add_func("/engine/backend-sim/time-out-is-virtual", test_timeout_is_virtual);
    g_test_add_func("/engine/backend-sim/day-of-writes-keeps-memory-flat", test_day);
    g_test_add_func("/engine/backend-sim/stalls-cost-what-they-say", test_stalls);
    g_test_add_func("/engine/backend-sim/bad-models-are-refused", test_bad_models);
    g_test_add_func("/engine/backend-sim/shipped-models-load", test_shipped_models);
    g_test_add_func("/engine/backend-sim/speed-is-printed", test_speed);
    return g_test_run();
}
