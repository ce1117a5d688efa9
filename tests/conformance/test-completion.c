/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance: every request that is taken completes once, under its own slot, at any
 * depth and from any number of threads.
 */
#include "subject.h"

#include "base/rng.h"

#include <pthread.h>
#include <string.h>

enum { BLOCK = 4096, BLOCKS = SUBJECT_FILE_BYTES / BLOCK };

typedef struct {
    const FmBackend *backend;
    FmQueue *queue;
    unsigned depth;
    uint8_t *pool; /* a block for each slot ... */
    size_t stride; /* ... so far apart */
    bool keeps; /* what is read can be checked */
} Pump;

/* Pumps @n reads at random offsets through the queue; checks slots, results and data. */
static void
pump(const Pump *with, unsigned n, uint64_t seed)
{
    const FmBackend *backend = with->backend;
    FmQueue *queue = with->queue;
    unsigned depth = with->depth;
    g_autofree uint64_t *offsets = g_new(uint64_t, depth);
    g_autofree bool *in_flight = g_new0(bool, depth);
    g_autofree FmIo *ios = g_new(FmIo, depth);
    g_autofree FmCompletion *completions = g_new(FmCompletion, depth);
    unsigned begun = 0;
    unsigned done = 0;
    FmRng rng;

    fm_rng_init(&rng, seed);
    while (done < n) {
        unsigned count = 0;
        for (unsigned slot = 0; slot < depth && begun + count < n; slot++) {
            if (!in_flight[slot]) {
                offsets[slot] = fm_rng_below(&rng, BLOCKS) * BLOCK;
                ios[count++] = (FmIo){.offset = offsets[slot],
                                      .buffer = with->pool + slot * with->stride,
                                      .length = BLOCK,
                                      .slot = (uint16_t)slot};
            }
        }
        int taken = backend->submit(queue, ios, count);
        g_assert_cmpint(taken, >=, 0);
        for (int i = 0; i < taken; i++) {
            in_flight[ios[i].slot] = true;
        }
        begun += (unsigned)taken;
        int got = backend->reap(queue, completions, 1, depth, 30 * S_NS);
        g_assert_cmpint(got, >=, 1);
        for (int i = 0; i < got; i++) {
            unsigned slot = completions[i].slot;
            g_assert_cmpuint(slot, <, depth);
            g_assert_true(in_flight[slot]);
            in_flight[slot] = false;
            g_assert_cmpint(completions[i].result, ==, BLOCK);
            g_assert_true(!with->keeps || subject_matches(with->pool + slot * with->stride, BLOCK,
                                                          offsets[slot], 0));
        }
        done += (unsigned)got;
    }
    g_assert_cmpuint(done, ==, n);
    g_assert_cmpint(backend->reap(queue, completions, 0, depth, 0), ==, 0);
}

static bool
keeps_data(const Subject *subject)
{
    return (subject->caps & (FM_CAP_NO_DEVICE | FM_CAP_VIRTUAL_TIME)) == 0;
}

static Pump
pump_of(const Subject *subject)
{
    return (Pump){.backend = subject->backend,
                  .queue = subject->queue,
                  .depth = subject->depth,
                  .pool = subject->pool,
                  .stride = subject->slot_bytes,
                  .keeps = keeps_data(subject)};
}

static void
depths(Subject *subject)
{
    static const unsigned list[] = {1, 2, 3, 7, 32, 127, 256, 1024};

    if (!subject_open(subject)) {
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(list); i++) {
        if (!subject_queue(subject, list[i])) {
            return;
        }
        Pump with = pump_of(subject);
        pump(&with, list[i] + 60, i);
        subject_queue_free(subject);
    }
}

static void
full_queue(Subject *subject)
{
    enum { DEPTH = 5 };
    FmIo ios[DEPTH + 3];
    FmCompletion completions[DEPTH + 3];

    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    for (unsigned i = 0; i < DEPTH + 3; i++) {
        unsigned slot = i % DEPTH;
        ios[i] = (FmIo){.offset = i * BLOCK,
                        .buffer = subject_buffer(subject, slot),
                        .length = BLOCK,
                        .slot = (uint16_t)slot};
    }
    g_assert_cmpint(subject_submit(subject, ios, 0), ==, 0);
    g_assert_cmpint(subject_submit(subject, ios, DEPTH + 3), ==, DEPTH);
    g_assert_cmpint(subject_submit(subject, ios, 1), ==, 0);
    int got = 0;
    while (got < 1) {
        got = subject_reap(subject, completions, 1, 1, 30 * S_NS);
    }
    g_assert_cmpint(got, ==, 1);
    /* One place is free again, whatever else is complete and was not reaped. */
    ios[0].slot = completions[0].slot;
    ios[0].buffer = subject_buffer(subject, ios[0].slot);
    FmIo two[2] = {ios[0], ios[1]};
    g_assert_cmpint(subject_submit(subject, two, 2), ==, 1);
    for (unsigned done = 0; done < DEPTH;) {
        got = subject_reap(subject, completions, DEPTH - done, DEPTH + 3, 30 * S_NS);
        g_assert_cmpint(got, >=, 0);
        done += (unsigned)got;
        g_assert_cmpuint(done, <=, DEPTH);
    }
}

static void
many_queues(Subject *subject)
{
    if (!subject_open(subject)) {
        return;
    }
    for (unsigned i = 0; i < 20; i++) {
        if (!subject_queue(subject, 1 + i % 4)) {
            return;
        }
        if (i % 2) {
            Pump with = pump_of(subject);
            pump(&with, 3, i);
        }
        subject_queue_free(subject);
    }
}

typedef struct {
    Subject *subject;
    unsigned index;
    unsigned n_threads;
    uint8_t *pool;
} Thread;

static void *
thread_main(void *data)
{
    Thread *thread = data;
    Subject *subject = thread->subject;
    enum { DEPTH = 8 };
    FmQueueOptions options = {
        .depth = DEPTH,
        .pool = thread->pool,
        .pool_size = DEPTH * BLOCK,
        .ops = 1u << FM_OP_READ,
        .thread_index = thread->index,
        .n_threads = thread->n_threads,
    };
    g_autoptr(GError) error = NULL;
    FmQueue *queue = subject->backend->queue_new(subject->target, &options, &error);

    g_assert_no_error(error);
    Pump with = {subject->backend, queue, DEPTH, thread->pool, BLOCK, keeps_data(subject)};
    pump(&with, 40 + thread->index, thread->index);
    subject->backend->queue_free(queue);
    return NULL;
}

static void
many_threads(Subject *subject)
{
    enum { N_THREADS = 12, DEPTH = 8 };
    static _Alignas(BLOCK) uint8_t pools[N_THREADS][DEPTH * BLOCK];
    Thread contexts[N_THREADS];
    pthread_t threads[N_THREADS];

    /* A first queue shows whether the mode can be had at all. */
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    subject_queue_free(subject);
    for (unsigned i = 0; i < N_THREADS; i++) {
        contexts[i] = (Thread){subject, i, N_THREADS, pools[i]};
        g_assert_cmpint(pthread_create(&threads[i], NULL, thread_main, &contexts[i]), ==, 0);
    }
    for (unsigned i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static void
facts(Subject *subject)
{
    if (!subject->backend->describe) {
        g_test_skip("has nothing to say about its queues");
        return;
    }
    if (!subject_open(subject) || !subject_queue(subject, 4)) {
        return;
    }
    g_autoptr(GVariant) said = g_variant_ref_sink(subject->backend->describe(subject->queue));
    g_assert_true(g_variant_is_of_type(said, G_VARIANT_TYPE_VARDICT));
    const char *mode = NULL;
    g_assert_true(g_variant_lookup(said, "queue.mode", "&s", &mode));
    g_assert_cmpuint(strlen(mode), >, 0);
}

static void
names(Subject *subject)
{
    g_assert_cmpuint(strlen(subject->backend->summary), >, 10);
    for (const char *at = subject->backend->name; *at; at++) {
        g_assert_true(g_ascii_islower(*at) || *at == '-');
    }
    g_assert_cmpint((subject->caps & FM_CAP_VIRTUAL_TIME) != 0 && !subject->backend->now, ==,
                    FALSE);
}

int
main(int argc, char **argv)
{
    static const Claim claims[] = {
        {"name-and-summary", names, NEEDS_NOTHING},
        {"depths-1-to-1024", depths, NEEDS_DEPTH},
        {"full-queue-takes-fewer", full_queue, NEEDS_DEPTH},
        {"queues-come-and-go", many_queues, NEEDS_NOTHING},
        {"many-threads-many-queues", many_threads, NEEDS_NOTHING},
        {"describe-gives-facts", facts, NEEDS_NOTHING},
    };

    return subject_main(argc, argv, "completion", claims, G_N_ELEMENTS(claims));
}
