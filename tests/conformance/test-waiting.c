/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance: how reap() waits, and how it is woken.  Only lower bounds of time are
 * asserted, and upper ones far from what is expected: the machine may be busy.
 */
#include "subject.h"

#include <pthread.h>

enum { BLOCK = 4096, DEPTH = 16 };

static void
read_blocks(Subject *subject, unsigned n)
{
    FmIo ios[DEPTH];

    for (unsigned i = 0; i < n; i++) {
        ios[i] = (FmIo){.offset = i * BLOCK,
                        .buffer = subject_buffer(subject, i),
                        .length = BLOCK,
                        .slot = (uint16_t)i};
    }
    g_assert_cmpint(subject_submit(subject, ios, n), ==, (int)n);
}

static void
min_is_waited_for(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    for (unsigned min = 1; min <= DEPTH; min++) {
        read_blocks(subject, DEPTH);
        int n = 0;
        int first = subject_reap(subject, completions, min, DEPTH, -1);
        /* A signal may cut it short; nothing else does. */
        g_assert_cmpint(first, >=, (int)min);
        for (n = first; n < DEPTH;) {
            n += subject_reap(subject, completions, (unsigned)(DEPTH - n), DEPTH, 30 * S_NS);
        }
        g_assert_cmpint(n, ==, DEPTH);
    }
}

static void
max_is_kept(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    read_blocks(subject, DEPTH);
    for (unsigned left = DEPTH; left > 0;) {
        unsigned max = MIN(left, 3);
        int n = subject_reap(subject, completions, max, 3, 30 * S_NS);
        g_assert_cmpint(n, ==, (int)max);
        left -= (unsigned)n;
    }
    g_assert_cmpint(subject_reap(subject, completions, 0, 3, 0), ==, 0);
}

static void
min_zero(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    int64_t begin = subject_now(subject);
    for (unsigned i = 0; i < 20; i++) {
        g_assert_cmpint(subject_reap(subject, completions, 0, DEPTH, 600 * S_NS), ==, 0);
    }
    g_assert_cmpint(subject_now(subject) - begin, <, 60 * S_NS);
}

/* Pacing sleeps in reap() with nothing in flight. */
static void
timeout_is_kept(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    for (int64_t wait = 1; wait <= 64; wait *= 4) {
        int64_t begin = subject_now(subject);
        g_assert_cmpint(subject_reap(subject, completions, 1, DEPTH, wait * MS_NS), ==, 0);
        int64_t took = subject_now(subject) - begin;
        g_assert_cmpint(took, >=, wait * MS_NS * 9 / 10);
        g_assert_cmpint(took, <, wait * MS_NS + 10 * S_NS);
    }
    /* A time-out does not lose what comes later. */
    read_blocks(subject, 2);
    int n = subject_reap(subject, completions, DEPTH, DEPTH, 200 * MS_NS);
    while (n < 2) {
        n += subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
    }
    g_assert_cmpint(n, ==, 2);
}

static void *
wake_later(void *data)
{
    Subject *subject = data;

    g_usleep(50 * 1000);
    subject->backend->wake(subject->queue);
    return NULL;
}

static void
wake_ends_waiting(Subject *subject)
{
    FmCompletion completions[DEPTH];
    pthread_t thread;

    if (!subject->backend->wake) {
        g_test_skip("can't be woken");
        return;
    }
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    int64_t begin = subject_now(subject);
    g_assert_cmpint(pthread_create(&thread, NULL, wake_later, subject), ==, 0);
    g_assert_cmpint(subject_reap(subject, completions, 1, DEPTH, 20 * S_NS), ==, 0);
    int64_t took = subject_now(subject) - begin;
    pthread_join(thread, NULL);
    g_test_message("woken %.1f ms after the wait began; 50 were asked for", (double)took / 1e6);
    g_assert_cmpint(took, <, S_NS);

    /* It is used up: the next wait lasts. */
    begin = subject_now(subject);
    g_assert_cmpint(subject_reap(subject, completions, 1, DEPTH, 30 * MS_NS), ==, 0);
    g_assert_cmpint(subject_now(subject) - begin, >=, 27 * MS_NS);
}

static void
wake_before_the_wait(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!subject->backend->wake) {
        g_test_skip("can't be woken");
        return;
    }
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    int64_t begin = subject_now(subject);
    subject->backend->wake(subject->queue);
    g_assert_cmpint(subject_reap(subject, completions, 0, DEPTH, 0), ==, 0);
    g_assert_cmpint(subject_reap(subject, completions, 1, DEPTH, 20 * S_NS), ==, 0);
    g_assert_cmpint(subject_now(subject) - begin, <, 5 * S_NS);

    /* And it loses nothing. */
    read_blocks(subject, DEPTH);
    unsigned rounds = 0;
    for (unsigned done = 0; done < DEPTH; rounds++) {
        if (rounds < 3) {
            subject->backend->wake(subject->queue);
        }
        int n = subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
        g_assert_cmpint(n, >=, 0);
        done += (unsigned)n;
        g_assert_cmpuint(done, <=, DEPTH);
    }
}

int
main(int argc, char **argv)
{
    static const Claim claims[] = {
        {"min-is-waited-for", min_is_waited_for, NEEDS_DEPTH},
        {"max-is-kept", max_is_kept, NEEDS_DEPTH},
        {"min-zero-never-blocks", min_zero, NEEDS_NOTHING},
        {"time-out-is-kept-with-nothing-in-flight", timeout_is_kept, NEEDS_NOTHING},
        {"wake-ends-waiting", wake_ends_waiting, NEEDS_REAL_TIME},
        {"wake-before-the-wait-ends-it", wake_before_the_wait, NEEDS_NOTHING},
    };

    return subject_main(argc, argv, "waiting", claims, G_N_ELEMENTS(claims));
}
