/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fault filter on virtual time: what it is told to break is broken, exactly that,
 * and nothing else.
 */
#include "engine/backends.h"

#include "base/error.h"

#include <errno.h>

enum { DEPTH = 8, BLOCK = 4096 };

typedef struct {
    FmBackendTarget *target;
    FmQueue *queue;
} Fixture;

static Fixture
open_fault(const char *options)
{
    FmOpenOptions open = {.path = "ideal",
                          .file_descriptor = -1,
                          .block_size = 512,
                          .writable = true,
                          .options = options,
                          .below = &fm_backend_sim};
    FmQueueOptions queue = {.depth = DEPTH, .n_threads = 1};
    g_autoptr(GError) error = NULL;
    Fixture fixture = {.target = fm_backend_fault.open(&open, &error)};

    g_assert_no_error(error);
    fixture.queue = fm_backend_fault.queue_new(fixture.target, &queue, &error);
    g_assert_no_error(error);
    return fixture;
}

static void
close_fault(Fixture *fixture)
{
    fm_backend_fault.queue_free(fixture->queue);
    fm_backend_fault.close(fixture->target);
}

/* Submits one request and returns its result; @latency gets its virtual time. */
static int32_t
one(Fixture *fixture, unsigned op, uint64_t offset, uint32_t length, uint64_t *latency)
{
    FmIo io = {.op = (uint8_t)op, .offset = offset, .length = length, .slot = 5};
    FmCompletion completion = {0};
    uint64_t begin = fm_backend_fault.now(fixture->queue);

    g_assert_cmpint(fm_backend_fault.submit(fixture->queue, &io, 1), ==, 1);
    g_assert_cmpint(fm_backend_fault.reap(fixture->queue, &completion, 1, 1, -1), ==, 1);
    g_assert_cmpint(completion.slot, ==, 5);
    if (latency) {
        *latency = fm_backend_fault.now(fixture->queue) - begin;
    }
    return completion.result;
}

static void
test_options(void)
{
    static const char *const bad[] = {
        "error",      "error=x",      "error=0",        "error=5@offset:1",   "error=5@size:1+2",
        "every=0",    "every=",       "short=2",        "op=erase",           "delay-us=-1",
        "colour=red", "hang-after=x", "error=5,every=", "stuck-until-wake=1",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_autoptr(GError) error = NULL;
        FmOpenOptions open = {
            .path = "ideal", .file_descriptor = -1, .options = bad[i], .below = &fm_backend_sim};
        g_assert_null(fm_backend_fault.open(&open, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    }

    g_autoptr(GError) error = NULL;
    FmOpenOptions alone = {.path = "ideal", .file_descriptor = -1};
    g_assert_null(fm_backend_fault.open(&alone, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);

    /* What is behind the semicolon is the drive's. */
    Fixture fixture = open_fault("every=7,error=5;seed=3");
    g_autoptr(GVariant) facts = g_variant_ref_sink(fm_backend_fault.describe(fixture.queue));
    uint64_t seed = 0;
    const char *below = NULL;
    g_assert_true(g_variant_lookup(facts, "sim.seed", "t", &seed));
    g_assert_true(g_variant_lookup(facts, "fault.below", "&s", &below));
    g_assert_cmpuint(seed, ==, 3);
    g_assert_cmpstr(below, ==, "sim");
    close_fault(&fixture);
}

static void
test_nothing_asked_nothing_changed(void)
{
    Fixture fixture = open_fault(NULL);
    uint64_t latency = 0;

    g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, &latency), ==, BLOCK);
    g_assert_cmpuint(latency, ==, 100000);
    close_fault(&fixture);
}

static void
test_every(void)
{
    Fixture fixture = open_fault("every=7,error=5,op=read");
    unsigned failed = 0;

    for (unsigned i = 1; i <= 70; i++) {
        int32_t result = one(&fixture, i % 2 ? FM_OP_READ : FM_OP_WRITE, 0, BLOCK, NULL);
        bool expected = i % 7 == 0 && i % 2 == 1;
        g_assert_cmpint(result, ==, expected ? -5 : BLOCK);
        failed += result < 0;
    }
    g_assert_cmpuint(failed, ==, 5);
    close_fault(&fixture);
}

static void
test_ranges(void)
{
    static const struct {
        uint64_t offset;
        uint32_t length;
        int32_t result;
    } cases[] = {
        {0, BLOCK, BLOCK},
        {1048576 - BLOCK, BLOCK, BLOCK},
        {1048576 - BLOCK, 2 * BLOCK, -5},
        {1048576, BLOCK, -5},
        {1048576 + BLOCK - 512, 512, -5},
        {1048576 + BLOCK, BLOCK, BLOCK},
        {0, 1 << 23, -5},
        {1 << 30, 512, -61},
    };
    Fixture fixture = open_fault("error=5@offset:1048576+4096,error=61@offset:1073741824+1");

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(one(&fixture, FM_OP_READ, cases[i].offset, cases[i].length, NULL), ==,
                        cases[i].result);
        g_assert_cmpint(one(&fixture, FM_OP_WRITE, cases[i].offset, cases[i].length, NULL), ==,
                        cases[i].result);
    }
    close_fault(&fixture);
}

static void
test_delay(void)
{
    Fixture fixture = open_fault("delay-us=2000,every=2");
    uint64_t latency = 0;

    g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, &latency), ==, BLOCK);
    g_assert_cmpuint(latency, ==, 100000);
    g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, &latency), ==, BLOCK);
    g_assert_cmpuint(latency, ==, 2000000);
    close_fault(&fixture);

    /* A failure is no faster than the delay either. */
    fixture = open_fault("delay-us=2000,error=5");
    g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, &latency), ==, -5);
    g_assert_cmpuint(latency, ==, 2000000);
    close_fault(&fixture);
}

static void
test_delay_keeps_others_going(void)
{
    Fixture fixture = open_fault("delay-us=5000,every=4");
    FmIo ios[DEPTH] = {0};
    FmCompletion completions[DEPTH];

    for (unsigned i = 0; i < DEPTH; i++) {
        ios[i] = (FmIo){.length = BLOCK, .slot = (uint16_t)i};
    }
    g_assert_cmpint(fm_backend_fault.submit(fixture.queue, ios, DEPTH), ==, DEPTH);
    g_assert_cmpint(fm_backend_fault.reap(fixture.queue, completions, 6, DEPTH, -1), ==, 6);
    g_assert_cmpuint(fm_backend_fault.now(fixture.queue), ==, 100000);
    for (unsigned i = 0; i < 6; i++) {
        g_assert_cmpuint(completions[i].slot % 4, !=, 3);
    }
    g_assert_cmpint(fm_backend_fault.reap(fixture.queue, completions, 1, DEPTH, 1000000), ==, 0);
    g_assert_cmpuint(fm_backend_fault.now(fixture.queue), ==, 1100000);
    g_assert_cmpint(fm_backend_fault.reap(fixture.queue, completions, 2, DEPTH, -1), ==, 2);
    g_assert_cmpuint(fm_backend_fault.now(fixture.queue), ==, 5000000);
    close_fault(&fixture);
}

static void
test_short(void)
{
    Fixture fixture = open_fault("short=1");

    g_assert_cmpint(one(&fixture, FM_OP_READ, 0, 8192, NULL), ==, 4096);
    g_assert_cmpint(one(&fixture, FM_OP_WRITE, 0, 1536, NULL), ==, 512);
    g_assert_cmpint(one(&fixture, FM_OP_WRITE, 0, 512, NULL), ==, 0);
    g_assert_cmpint(one(&fixture, FM_OP_FLUSH, 0, 0, NULL), ==, 0);
    close_fault(&fixture);
}

static void
test_after(void)
{
    static const struct {
        const char *options;
        int32_t read;
        int32_t write;
    } cases[] = {{"eio-after=3", -EIO, -EIO}, {"gone-after=3", 0, -ENODEV}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        Fixture fixture = open_fault(cases[i].options);
        for (unsigned n = 0; n < 3; n++) {
            g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, NULL), ==, BLOCK);
        }
        for (unsigned n = 0; n < 3; n++) {
            g_assert_cmpint(one(&fixture, FM_OP_READ, 0, BLOCK, NULL), ==, cases[i].read);
            g_assert_cmpint(one(&fixture, FM_OP_WRITE, 0, BLOCK, NULL), ==, cases[i].write);
        }
        close_fault(&fixture);
    }
}

static void
test_hang(void)
{
    Fixture fixture = open_fault("hang-after=1");
    FmIo ios[DEPTH + 1] = {0};
    FmCompletion completions[DEPTH];

    for (unsigned i = 0; i <= DEPTH; i++) {
        ios[i] = (FmIo){.length = BLOCK, .slot = (uint16_t)(i % DEPTH)};
    }
    g_assert_cmpint(fm_backend_fault.submit(fixture.queue, ios, DEPTH + 1), ==, DEPTH);
    g_assert_cmpint(fm_backend_fault.reap(fixture.queue, completions, 1, DEPTH, -1), ==, 1);
    /* An hour, and it keeps its place in the queue. */
    g_assert_cmpint(
        fm_backend_fault.reap(fixture.queue, completions, 1, DEPTH, 3600ll * 1000000000), ==, 0);
    g_assert_cmpuint(fm_backend_fault.now(fixture.queue), ==, 3600ull * 1000000000 + 100000);
    g_assert_cmpint(fm_backend_fault.submit(fixture.queue, ios, 2), ==, 1);
    close_fault(&fixture);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/backend-fault/options-are-checked", test_options);
    g_test_add_func("/engine/backend-fault/nothing-asked-nothing-changed",
                    test_nothing_asked_nothing_changed);
    g_test_add_func("/engine/backend-fault/every-nth-of-an-op-fails", test_every);
    g_test_add_func("/engine/backend-fault/ranges-fail-to-the-byte", test_ranges);
    g_test_add_func("/engine/backend-fault/delay-is-kept", test_delay);
    g_test_add_func("/engine/backend-fault/delay-does-not-hold-up-others",
                    test_delay_keeps_others_going);
    g_test_add_func("/engine/backend-fault/short-is-short", test_short);
    g_test_add_func("/engine/backend-fault/broken-from-a-request-on", test_after);
    g_test_add_func("/engine/backend-fault/hanging-never-completes", test_hang);
    return g_test_run();
}
