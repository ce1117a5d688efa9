/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a given number of I/Os through the real hot loop, with full latency accounting
 * and 100 ms rows, and prints what they took.  Counted under callgrind by
 * instructions.py, timed against fio by bench.py.  The target should complete inline
 * (/dev/zero): then nothing but the loop is measured.
 */
#include "engine/backends.h"
#include "engine/loop-generic.h"
#include "engine/loop-setup.h"
#include "platform/platform-io.h"

#include <stdio.h>

typedef struct {
    gint64 ios;
    int depth;
    int batch;
    int read_share;
    int block;
    int threads;
    char *target;
    char *backend;
    gint64 size;
    gboolean sequential;
    gboolean direct;
} Options;

static Options options = {
    .ios = 1000000, .depth = 128, .read_share = 100, .block = 512, .size = 1 << 30};

static const GOptionEntry entries[] = {
    {"ios", 0, 0, G_OPTION_ARG_INT64, &options.ios, "I/Os to run", "N"},
    {"depth", 0, 0, G_OPTION_ARG_INT, &options.depth, "In flight", "N"},
    {"batch", 0, 0, G_OPTION_ARG_INT, &options.batch, "Most requests a system call", "N"},
    {"read-share", 0, 0, G_OPTION_ARG_INT, &options.read_share, "Percent of reads", "N"},
    {"block", 0, 0, G_OPTION_ARG_INT, &options.block, "Bytes", "N"},
    {"target", 0, 0, G_OPTION_ARG_FILENAME, &options.target, "File or device", "PATH"},
    {"backend", 0, 0, G_OPTION_ARG_STRING, &options.backend, "Backend", "NAME"},
    {"threads", 0, 0, G_OPTION_ARG_INT, &options.threads, "Only 1", "N"},
    {"size", 0, 0, G_OPTION_ARG_INT64, &options.size, "Bytes of the target to touch", "N"},
    {"direct", 0, 0, G_OPTION_ARG_NONE, &options.direct, "Past the page cache", NULL},
    {"sequential", 0, 0, G_OPTION_ARG_NONE, &options.sequential, "Not random", NULL},
    {NULL},
};

/* Takes the rows as the reporter would, so that the ring never fills. */
static void
drop_rows(FmLoop *loop)
{
    while (fm_loop_rows_peek(&loop->rows) != NULL) {
        fm_loop_rows_release(&loop->rows);
    }
}

static void
run(const FmBackend *backend, FmQueue *queue, FmLoop *loop)
{
    FmClockPair start = plat_clock_pair();
    FmClockPair later;

    do {
        later = plat_clock_pair();
    } while (later.ns - start.ns < 2000000);
    double ticks_per_ns = (double)(later.ticks - start.ticks) / (double)(later.ns - start.ns);

    fm_loop_arm(loop, later.ticks, 0, UINT64_MAX, ticks_per_ns * 1e8);
    int64_t begin = plat_clock_monotonic_ns();
    if (backend->run != NULL && plat_clock_has_counter()) {
        backend->run(queue, loop);
    } else {
        fm_loop_run_generic(backend, queue, loop,
                            plat_clock_has_counter() ? FM_LOOP_CLOCK_COUNTER
                                                     : FM_LOOP_CLOCK_MONOTONIC);
    }
    int64_t took = plat_clock_monotonic_ns() - begin;
    drop_rows(loop);

    uint64_t counted = loop->hist[FM_OP_READ].count + loop->hist[FM_OP_WRITE].count;
    if (counted != (uint64_t)options.ios || loop->n_errors > 0) {
        g_error("counted %" G_GUINT64_FORMAT " I/Os, %" G_GUINT64_FORMAT " errors", counted,
                loop->n_errors);
    }
    const FmHist *hist = &loop->hist[loop->hist[FM_OP_READ].count > 0 ? FM_OP_READ : FM_OP_WRITE];
    printf("{\"ios\":%" G_GUINT64_FORMAT
           ",\"ns_per_io\":%.2f,\"p50_ns\":%.0f,\"backend\":\"%s\"}\n",
           counted, (double)took / (double)counted,
           (double)fm_hist_get_percentile(hist, 500000000) / ticks_per_ns, backend->name);
}

int
main(int argc, char **argv)
{
    g_autoptr(GOptionContext) context = g_option_context_new("- run the hot loop");
    g_autoptr(GError) error = NULL;

    g_option_context_add_main_entries(context, entries, NULL);
    if (!g_option_context_parse(context, &argc, &argv, &error)) {
        g_error("%s", error->message);
    }
    plat_clock_init();
    plat_wake_init();
    plat_cpu_pin(plat_cpu_choose(0, 1, -1));

    const FmBackend *backend = fm_backend_find(options.backend != NULL ? options.backend : "uring");
    FmBlockShare block = {.size = (uint32_t)options.block, .weight = 1};
    FmStream stream = {
        .op_share = {(uint32_t)options.read_share * 100,
                     (uint32_t)(100 - options.read_share) * 100},
        .pattern = options.sequential ? FM_PATTERN_SEQUENTIAL : FM_PATTERN_RANDOM,
        .blocks = &block,
        .n_blocks = 1,
        .in_flight = (unsigned)options.depth,
        .threads = 1,
    };
    FmIoMemory memory;
    FmLoopControl control = {0};
    size_t pool_size = fm_loop_slot_stride(&stream) * (size_t)options.depth;
    if (!plat_io_memory_new(&memory, pool_size, &error)) {
        g_error("%s", error->message);
    }
    FmOpenOptions open = {
        .path = options.target != NULL ? options.target : "/dev/zero",
        .file_descriptor = -1,
        .size = (uint64_t)options.size,
        .block_size = 512,
        .writable = options.read_share < 100 || !options.direct,
        .buffered = !options.direct,
    };
    FmBackendTarget *target = backend->open(&open, &error);
    if (target == NULL) {
        g_error("%s", error->message);
    }
    FmQueueOptions queue_options = {
        .depth = (unsigned)options.depth,
        .pool = memory.data,
        .pool_size = memory.size,
        .ops = 3,
        .n_threads = 1,
    };
    FmQueue *queue = backend->queue_new(target, &queue_options, &error);
    if (queue == NULL) {
        /* Some containers forbid io_uring: that is for the test to skip, not to fail. */
        printf("%s\n", error->message);
        return 77;
    }
    FmLoopSetup setup = {
        .stream = &stream,
        .n_threads = 1,
        .depth = (unsigned)options.depth,
        .region_size = (uint64_t)options.size,
        .block_size = 512,
        .seed = 1,
        .quota = (uint64_t)options.ios,
        .pool = memory.data,
        .control = &control,
    };
    FmLoop *loop = fm_loop_new(&setup);
    if (options.batch > 0) {
        loop->batch = (unsigned)options.batch;
    }
    run(backend, queue, loop);
    fm_loop_free(loop);
    backend->queue_free(queue);
    backend->close(target);
    plat_io_memory_free(&memory);
    return 0;
}
