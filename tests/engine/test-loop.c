/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the hot loop asks for: every pattern, mix and length, seen by the record
 * backend, and what it counts of it.  Run through the generic instantiation; the
 * io_uring one is the same source.
 */
#include "base/rng.h"
#include "engine/backend-record.h"
#include "engine/backends.h"
#include "engine/loop-generic.h"
#include "engine/loop-setup.h"
#include "engine/pattern.h"
#include "platform/platform-io.h"

#include <errno.h>

#define KIB ((uint64_t)1024)
#define REGION (1024 * KIB)

/* One loop on the record backend over null, and what it did. */
typedef struct {
    FmStream stream;
    FmBlockShare blocks[4];
    FmLoopSetup setup;
    FmLoop *loop;
    FmBackendTarget *target;
    const FmRecord *records;
    size_t n_records;
    FmIoMemory memory;
    FmLoopControl control;
} Fixture;

static void
fixture_init(Fixture *fixture)
{
    *fixture = (Fixture){0};
    fixture->blocks[0] = (FmBlockShare){4096, 1};
    fixture->stream = (FmStream){
        .id = (char *)"io",
        .op_share = {FM_SHARE_WHOLE, 0, 0, 0},
        .pattern = FM_PATTERN_RANDOM,
        .blocks = fixture->blocks,
        .n_blocks = 1,
        .in_flight = 8,
        .threads = 1,
    };
    fixture->setup = (FmLoopSetup){
        .stream = &fixture->stream,
        .n_threads = 1,
        .depth = 8,
        .region_base = 64 * KIB,
        .region_size = REGION,
        .block_size = 512,
        .seed = 42,
        .quota = 2000,
    };
}

static void
fixture_run(Fixture *fixture)
{
    const FmBackend *below;
    const FmBackend *backend = fm_backend_parse("record:null", &below, NULL);
    g_autoptr(GError) error = NULL;
    FmLoopSetup *setup = &fixture->setup;
    size_t pool_size = fm_loop_slot_stride(&fixture->stream) * setup->depth;

    plat_clock_init();
    g_assert_true(plat_io_memory_new(&fixture->memory, pool_size, &error));
    setup->pool = fixture->memory.data;
    setup->control = &fixture->control;
    FmOpenOptions open = {
        .path = "null",
        .file_descriptor = -1,
        .size = 64 * KIB + REGION,
        .block_size = 512,
        .writable = true,
        .options = "limit=100000,hash",
        .below = below,
    };
    fixture->target = backend->open(&open, &error);
    g_assert_no_error(error);
    FmQueueOptions options = {
        .depth = setup->depth,
        .pool = fixture->memory.data,
        .pool_size = pool_size,
        .ops = 15,
        .n_threads = 1,
    };
    FmQueue *queue = backend->queue_new(fixture->target, &options, &error);
    g_assert_no_error(error);
    fixture->loop = fm_loop_new(setup);
    fm_loop_arm(fixture->loop, (uint64_t)plat_clock_monotonic_ns(), 0, UINT64_MAX, 1e8);
    fm_loop_run_generic(backend, queue, fixture->loop, FM_LOOP_CLOCK_MONOTONIC);
    backend->queue_free(queue);

    uint64_t n_lost;
    fixture->records = fm_record_get(fixture->target, &fixture->n_records, &n_lost);
    g_assert_cmpuint(n_lost, ==, 0);
    uint64_t n_flushes = fixture->stream.flush_every > 0 ? fixture->loop->ops[FM_OP_FLUSH].ios : 0;
    g_assert_cmpuint(fixture->n_records, ==, setup->quota + n_flushes);
}

static void
fixture_clear(Fixture *fixture)
{
    const FmBackend *below;
    const FmBackend *backend = fm_backend_parse("record:null", &below, NULL);

    fm_loop_free(fixture->loop);
    backend->close(fixture->target);
    plat_io_memory_free(&fixture->memory);
}

static void
assert_in_region(const Fixture *fixture)
{
    const FmLoopSetup *setup = &fixture->setup;

    for (size_t i = 0; i < fixture->n_records; i++) {
        const FmRecord *record = &fixture->records[i];
        if (record->op == FM_OP_FLUSH) {
            continue;
        }
        g_assert_cmpuint(record->offset, >=, setup->region_base);
        g_assert_cmpuint(record->offset + record->length, <=,
                         setup->region_base + setup->region_size);
        g_assert_cmpuint(record->offset % 512, ==, 0);
    }
}

/* What the loop counted is what was asked for and completed. */
static void
assert_counts(const Fixture *fixture)
{
    uint64_t ios[FM_N_OPS] = {0};
    uint64_t bytes[FM_N_OPS] = {0};

    for (size_t i = 0; i < fixture->n_records; i++) {
        ios[fixture->records[i].op]++;
        bytes[fixture->records[i].op] += fixture->records[i].length;
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        g_assert_cmpuint(fixture->loop->ops[op].ios, ==, ios[op]);
        g_assert_cmpuint(fixture->loop->hist[op].count, ==, ios[op]);
        g_assert_cmpuint(fm_loop_op_bytes(fixture->loop, op), ==, bytes[op]);
    }
}

static void
test_random_spreads_evenly(void)
{
    Fixture fixture;
    unsigned seen[REGION / 4096] = {0};

    fixture_init(&fixture);
    fixture.setup.quota = 256 * 100;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    assert_counts(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        seen[(fixture.records[i].offset - 64 * KIB) / 4096]++;
    }
    /* 100 expected in each; five standard deviations. */
    for (size_t i = 0; i < G_N_ELEMENTS(seen); i++) {
        g_assert_cmpuint(seen[i], >, 50);
        g_assert_cmpuint(seen[i], <, 150);
    }
    fixture_clear(&fixture);
}

static void
test_mix_does_not_shift_offsets(void)
{
    Fixture pure;
    Fixture mixed;
    size_t reads = 0;

    fixture_init(&pure);
    fixture_run(&pure);
    fixture_init(&mixed);
    mixed.stream.op_share[FM_OP_READ] = 7000;
    mixed.stream.op_share[FM_OP_WRITE] = 3000;
    fixture_run(&mixed);
    assert_counts(&mixed);
    for (size_t i = 0; i < pure.n_records; i++) {
        g_assert_cmpuint(pure.records[i].offset, ==, mixed.records[i].offset);
        reads += mixed.records[i].op == FM_OP_READ;
    }
    g_assert_cmpuint(reads, >, 1300);
    g_assert_cmpuint(reads, <, 1500);
    fixture_clear(&pure);
    fixture_clear(&mixed);
}

static void
test_sequential_has_a_cursor_a_direction(void)
{
    Fixture fixture;
    uint64_t next[2] = {64 * KIB, 64 * KIB};

    fixture_init(&fixture);
    fixture.stream.pattern = FM_PATTERN_SEQUENTIAL;
    fixture.stream.op_share[FM_OP_READ] = 5000;
    fixture.stream.op_share[FM_OP_WRITE] = 5000;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    assert_counts(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        const FmRecord *record = &fixture.records[i];
        g_assert_cmpuint(record->offset, ==, next[record->op]);
        next[record->op] += 4096;
        if (next[record->op] == 64 * KIB + REGION) {
            next[record->op] = 64 * KIB;
        }
    }
    fixture_clear(&fixture);
}

static void
test_sequential_threads_have_stripes(void)
{
    uint64_t covered = 0;

    for (unsigned thread = 0; thread < 3; thread++) {
        Fixture fixture;
        fixture_init(&fixture);
        fixture.stream.pattern = FM_PATTERN_SEQUENTIAL;
        fixture.setup.n_threads = 3;
        fixture.setup.thread = thread;
        fixture.setup.quota = fm_loop_pass_quota(&fixture.setup, 1);
        fixture_run(&fixture);
        assert_in_region(&fixture);
        uint64_t first = fixture.records[0].offset;
        g_assert_cmpuint(first, ==, 64 * KIB + covered);
        covered += fixture.setup.quota * 4096;
        fixture_clear(&fixture);
    }
    g_assert_cmpuint(covered, ==, REGION);
}

/* Threads together fill a region that is no multiple of the block, once each byte. */
static void
test_stripes_leave_no_end(void)
{
    uint64_t bytes = 0;
    uint64_t end = 0;

    for (unsigned thread = 0; thread < 3; thread++) {
        Fixture fixture;
        fixture_init(&fixture);
        fixture.stream.pattern = FM_PATTERN_SEQUENTIAL;
        fixture.blocks[0].size = 64 * 1024;
        fixture.setup.region_size = REGION - 4096;
        fixture.setup.n_threads = 3;
        fixture.setup.thread = thread;
        fixture.setup.quota = fm_loop_pass_quota(&fixture.setup, 1);
        fixture_run(&fixture);
        assert_in_region(&fixture);
        for (size_t i = 0; i < fixture.n_records; i++) {
            bytes += fixture.records[i].length;
            end = MAX(end, fixture.records[i].offset + fixture.records[i].length);
        }
        fixture_clear(&fixture);
    }
    g_assert_cmpuint(bytes, ==, REGION - 4096);
    g_assert_cmpuint(end, ==, 64 * KIB + REGION - 4096);
}

static void
test_fill_ends_with_a_short_block(void)
{
    Fixture fixture;

    fixture_init(&fixture);
    fixture.blocks[0].size = 128 * 1024;
    fixture.stream.pattern = FM_PATTERN_SEQUENTIAL;
    fixture.stream.op_share[FM_OP_READ] = 0;
    fixture.stream.op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    fixture.setup.region_size = 2 * 128 * KIB + 512;
    fixture.setup.quota = fm_loop_pass_quota(&fixture.setup, 2);
    fixture_run(&fixture);
    assert_in_region(&fixture);
    assert_counts(&fixture);
    g_assert_cmpuint(fixture.n_records, ==, 6);
    g_assert_cmpuint(fixture.records[2].length, ==, 512);
    g_assert_cmpuint(fixture.records[3].offset, ==, 64 * KIB);
    fixture_clear(&fixture);
}

static void
test_permutation_covers_once_a_pass(void)
{
    unsigned seen[REGION / 4096] = {0};

    for (unsigned thread = 0; thread < 2; thread++) {
        Fixture fixture;
        fixture_init(&fixture);
        fixture.stream.pattern = FM_PATTERN_PERMUTATION;
        fixture.setup.n_threads = 2;
        fixture.setup.thread = thread;
        fixture.setup.quota = fm_loop_pass_quota(&fixture.setup, 3);
        fixture_run(&fixture);
        assert_in_region(&fixture);
        for (size_t i = 0; i < fixture.n_records; i++) {
            seen[(fixture.records[i].offset - 64 * KIB) / 4096]++;
        }
        fixture_clear(&fixture);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(seen); i++) {
        g_assert_cmpuint(seen[i], ==, 3);
    }
}

static void
test_mixed_blocks_keep_their_shares(void)
{
    Fixture fixture;
    size_t small = 0;

    fixture_init(&fixture);
    fixture.blocks[0] = (FmBlockShare){4096, 3};
    fixture.blocks[1] = (FmBlockShare){65536, 1};
    fixture.stream.n_blocks = 2;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    assert_counts(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        small += fixture.records[i].length == 4096;
    }
    g_assert_cmpuint(small, >, 1400);
    g_assert_cmpuint(small, <, 1600);
    fixture_clear(&fixture);
}

static void
test_all_four_ops(void)
{
    Fixture fixture;
    size_t n[FM_N_OPS] = {0};

    fixture_init(&fixture);
    fixture.stream.op_share[FM_OP_READ] = 4000;
    fixture.stream.op_share[FM_OP_WRITE] = 3000;
    fixture.stream.op_share[FM_OP_TRIM] = 2000;
    fixture.stream.op_share[FM_OP_FLUSH] = 1000;
    fixture.stream.sync = true;
    fixture_run(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        n[fixture.records[i].op]++;
        g_assert_cmpint(fixture.records[i].sync, ==, fixture.records[i].op == FM_OP_WRITE);
        g_assert_cmpuint(fixture.loop->hist[fixture.records[i].op].count, >, 0);
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        double share = (double)n[op] / (double)fixture.n_records;
        g_assert_cmpfloat_with_epsilon(share, fixture.stream.op_share[op] / 1e4, 0.05);
        g_assert_cmpuint(fixture.loop->ops[op].ios, ==, n[op]);
    }
    g_assert_cmpuint(fixture.loop->n_errors, ==, 0);
    fixture_clear(&fixture);
}

static void
test_flush_follows_so_many_writes(void)
{
    Fixture fixture;
    unsigned writes = 0;

    fixture_init(&fixture);
    fixture.stream.op_share[FM_OP_READ] = 0;
    fixture.stream.op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    fixture.stream.flush_every = 32;
    fixture_run(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        if (fixture.records[i].op == FM_OP_FLUSH) {
            g_assert_cmpuint(writes, ==, 32);
            writes = 0;
        } else {
            writes++;
        }
    }
    g_assert_cmpuint(fixture.loop->ops[FM_OP_FLUSH].ios, ==, 2000 / 32 - (2000 % 32 == 0));
    g_assert_cmpuint(fm_loop_op_bytes(fixture.loop, FM_OP_FLUSH), ==, 0);
    assert_counts(&fixture);
    fixture_clear(&fixture);
}

/* A flush takes no block of the pass away. */
static void
test_flushes_leave_no_holes(void)
{
    Fixture fixture;
    unsigned seen[REGION / 4096] = {0};

    fixture_init(&fixture);
    fixture.stream.op_share[FM_OP_READ] = 0;
    fixture.stream.op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    fixture.stream.pattern = FM_PATTERN_PERMUTATION;
    fixture.stream.flush_every = 7;
    fixture.setup.quota = fm_loop_pass_quota(&fixture.setup, 1);
    fixture_run(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        if (fixture.records[i].op == FM_OP_WRITE) {
            seen[(fixture.records[i].offset - 64 * KIB) / 4096]++;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(seen); i++) {
        g_assert_cmpuint(seen[i], ==, 1);
    }
    fixture_clear(&fixture);
}

/* The last op of a mix owns every draw up to the largest one. */
static void
test_largest_draw_is_of_the_mix(void)
{
    static const struct {
        uint32_t share[FM_N_OPS];
        unsigned last;
    } mixes[] = {
        {{5000, 5000, 0, 0}, FM_OP_WRITE},
        {{5000, 0, 5000, 0}, FM_OP_TRIM},
        {{0, 5000, 5000, 0}, FM_OP_TRIM},
        {{5000, 0, 0, 5000}, FM_OP_FLUSH},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(mixes); i++) {
        Fixture fixture;
        unsigned op = FM_N_OPS;
        uint32_t length = 0;
        fixture_init(&fixture);
        for (unsigned j = 0; j < FM_N_OPS; j++) {
            fixture.stream.op_share[j] = mixes[i].share[j];
        }
        fixture_run(&fixture);
        fm_pattern_choose(fixture.loop, fixture.loop->features, UINT32_MAX, &op, &length);
        g_assert_cmpuint(op, ==, mixes[i].last);
        fixture_clear(&fixture);
    }
}

static void
test_no_two_blocks_are_equal(void)
{
    Fixture fixture;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_int64_hash, g_int64_equal);

    fixture_init(&fixture);
    fixture.stream.op_share[FM_OP_READ] = 0;
    fixture.stream.op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    fixture_run(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        g_assert_cmpuint(fixture.records[i].hash, !=, 0);
        g_assert_true(g_hash_table_add(seen, (gpointer)&fixture.records[i].hash));
    }
    fixture_clear(&fixture);
}

static void
test_zero_data_is_zero(void)
{
    Fixture fixture;
    static const uint8_t zeros[4096];

    fixture_init(&fixture);
    fixture.stream.op_share[FM_OP_READ] = 0;
    fixture.stream.op_share[FM_OP_WRITE] = FM_SHARE_WHOLE;
    fixture.stream.data = FM_DATA_ZERO;
    fixture_run(&fixture);
    for (size_t i = 0; i < fixture.n_records; i++) {
        g_assert_cmpuint(fixture.records[i].hash, ==, fm_record_hash(zeros, sizeof zeros));
    }
    fixture_clear(&fixture);
}

static void
test_strides_and_jumps_stay_inside(void)
{
    Fixture fixture;
    size_t jumps = 0;

    fixture_init(&fixture);
    fixture.stream.pattern = FM_PATTERN_STRIDED;
    fixture.stream.stride = 64 * KIB;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    g_assert_cmpuint(fixture.records[1].offset - fixture.records[0].offset, ==, 64 * KIB);
    g_assert_cmpuint(fixture.records[16].offset, ==, 64 * KIB + 4096);
    fixture_clear(&fixture);

    fixture_init(&fixture);
    fixture.stream.pattern = FM_PATTERN_STRIDED;
    fixture.stream.stride = 3 * REGION;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    g_assert_cmpuint(fixture.records[1].offset, ==, 64 * KIB + 4096);
    fixture_clear(&fixture);

    fixture_init(&fixture);
    fixture.stream.pattern = FM_PATTERN_MIXED;
    fixture.stream.random_share = 2500;
    fixture_run(&fixture);
    assert_in_region(&fixture);
    for (size_t i = 1; i < fixture.n_records; i++) {
        jumps += fixture.records[i].offset != fixture.records[i - 1].offset + 4096;
    }
    g_assert_cmpuint(jumps, >, 400);
    g_assert_cmpuint(jumps, <, 620);
    fixture_clear(&fixture);
}

/* --- A queue with less room than it was made for ------------------------------ */

struct FmQueue {
    FmCompletion done[3];
    unsigned n;
};

static int
narrow_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    unsigned taken = MIN(n, G_N_ELEMENTS(queue->done) - queue->n);

    for (unsigned i = 0; i < taken; i++) {
        queue->done[queue->n++] =
            (FmCompletion){.result = (int32_t)ios[i].length, .slot = ios[i].slot};
    }
    return taken > 0 ? (int)taken : -EAGAIN;
}

static int
narrow_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
            int64_t timeout_ns)
{
    unsigned n = MIN(queue->n, max);

    for (unsigned i = 0; i < n; i++) {
        completions[i] = queue->done[--queue->n];
    }
    return (int)n;
}

/* What the queue does not take at once is neither lost nor piled up. */
static void
test_narrow_queue_gets_all_in_turn(void)
{
    static const FmBackend narrow = {.submit = narrow_submit, .reap = narrow_reap};
    FmLoopControl control = {0};
    FmQueue queue = {0};
    FmBlockShare block = {4096, 1};
    FmStream stream = {.op_share = {FM_SHARE_WHOLE},
                       .blocks = &block,
                       .n_blocks = 1,
                       .pattern = FM_PATTERN_RANDOM};
    FmLoopSetup setup = {.stream = &stream,
                         .n_threads = 1,
                         .depth = 256,
                         .region_size = REGION,
                         .block_size = 512,
                         .quota = 5000,
                         .control = &control};
    g_autofree uint8_t *pool = g_malloc(fm_loop_slot_stride(&stream) * setup.depth);

    setup.pool = pool;
    FmLoop *loop = fm_loop_new(&setup);
    fm_loop_arm(loop, (uint64_t)plat_clock_monotonic_ns(), 0, UINT64_MAX, 1e8);
    fm_loop_run_generic(&narrow, &queue, loop, FM_LOOP_CLOCK_MONOTONIC);
    g_assert_cmpuint(loop->ops[FM_OP_READ].ios, ==, 5000);
    g_assert_cmpuint(loop->n_errors, ==, 0);
    fm_loop_free(loop);
}

/* A window of whole slots has that many rows, whatever the clock rate. */
static void
test_window_has_no_slot_of_one_tick(void)
{
    for (double ticks_per_slot = 1e6; ticks_per_slot < 1e6 + 1; ticks_per_slot += 0.01) {
        FmLoopControl control = {0};
        FmStream stream = {.op_share = {FM_SHARE_WHOLE},
                           .blocks = &(FmBlockShare){4096, 1},
                           .n_blocks = 1,
                           .pattern = FM_PATTERN_RANDOM};
        FmLoopSetup setup = {.stream = &stream,
                             .n_threads = 1,
                             .depth = 1,
                             .region_size = REGION,
                             .block_size = 512,
                             .quota = UINT64_MAX,
                             .control = &control};
        FmLoop *loop = fm_loop_new(&setup);
        fm_loop_arm(loop, 1000, 0, (uint64_t)(30 * ticks_per_slot + 0.5), ticks_per_slot);
        g_assert_false(fm_loop_event(loop, 1000 + (uint64_t)(31 * ticks_per_slot)));
        g_assert_cmpuint(loop->rows.head, ==, 30);
        fm_loop_free(loop);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/loop/random-spreads-evenly", test_random_spreads_evenly);
    g_test_add_func("/engine/loop/mix-does-not-shift-offsets", test_mix_does_not_shift_offsets);
    g_test_add_func("/engine/loop/sequential-has-a-cursor-a-direction",
                    test_sequential_has_a_cursor_a_direction);
    g_test_add_func("/engine/loop/sequential-threads-have-stripes",
                    test_sequential_threads_have_stripes);
    g_test_add_func("/engine/loop/stripes-leave-no-end", test_stripes_leave_no_end);
    g_test_add_func("/engine/loop/fill-ends-with-a-short-block", test_fill_ends_with_a_short_block);
    g_test_add_func("/engine/loop/permutation-covers-once-a-pass",
                    test_permutation_covers_once_a_pass);
    g_test_add_func("/engine/loop/mixed-blocks-keep-their-shares",
                    test_mixed_blocks_keep_their_shares);
    g_test_add_func("/engine/loop/all-four-ops", test_all_four_ops);
    g_test_add_func("/engine/loop/flush-follows-so-many-writes", test_flush_follows_so_many_writes);
    g_test_add_func("/engine/loop/flushes-leave-no-holes", test_flushes_leave_no_holes);
    g_test_add_func("/engine/loop/largest-draw-is-of-the-mix", test_largest_draw_is_of_the_mix);
    g_test_add_func("/engine/loop/narrow-queue-gets-all-in-turn",
                    test_narrow_queue_gets_all_in_turn);
    g_test_add_func("/engine/loop/window-has-no-slot-of-one-tick",
                    test_window_has_no_slot_of_one_tick);
    g_test_add_func("/engine/loop/no-two-blocks-are-equal", test_no_two_blocks_are_equal);
    g_test_add_func("/engine/loop/zero-data-is-zero", test_zero_data_is_zero);
    g_test_add_func("/engine/loop/strides-and-jumps-stay-inside",
                    test_strides_and_jumps_stay_inside);
    return g_test_run();
}
