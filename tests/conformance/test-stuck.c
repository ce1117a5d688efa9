/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance: drives that hang, crawl, fail or are pulled, seen from a queue.  A stop
 * must reach a thread that waits for I/O which never comes, a failed request must look
 * failed, and what is left over must not hinder the end (public bug cases 27 and 35).
 */
#include "subject.h"

#include <pthread.h>
#include <string.h>

enum { BLOCK = 4096, DEPTH = 8, HEALTHY = 3 };

static bool
open_with(Subject *subject, const char *options)
{
    subject->options = options;
    return subject_open(subject) && subject_queue(subject, DEPTH);
}

static void
read_all_slots(Subject *subject)
{
    for (unsigned i = 0; i < DEPTH; i++) {
        FmIo io = {.offset = i * BLOCK,
                   .buffer = subject_buffer(subject, i),
                   .length = BLOCK,
                   .slot = (uint16_t)i};
        g_assert_cmpint(subject_submit(subject, &io, 1), ==, 1);
    }
}

/* Reaps exactly @n good requests. */
static void
reap_good(Subject *subject, unsigned n)
{
    FmCompletion completions[DEPTH];

    for (unsigned done = 0; done < n;) {
        int got = subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
        g_assert_cmpint(got, >=, 1);
        for (int i = 0; i < got; i++) {
            g_assert_cmpint(completions[i].result, ==, BLOCK);
        }
        done += (unsigned)got;
        g_assert_cmpuint(done, <=, n);
    }
}

/* A control thread: wakes the queue after a while and notes when. */
typedef struct {
    Subject *subject;
    unsigned after_ms;
    int64_t woken_at;
} Waker;

static void *
wake_later(void *data)
{
    Waker *waker = data;

    g_usleep(waker->after_ms * 1000);
    waker->woken_at = g_get_monotonic_time();
    waker->subject->backend->wake(waker->subject->queue);
    return NULL;
}

/* Waits in reap() for @min requests that do not come, is woken after @after_ms, and
 * returns how long that took from the wake-up on, in us. */
static int64_t
wait_until_woken(Subject *subject, unsigned min, int64_t timeout_ns, unsigned after_ms)
{
    Waker waker = {.subject = subject, .after_ms = after_ms};
    FmCompletion completions[DEPTH];
    pthread_t thread;

    g_assert_cmpint(pthread_create(&thread, NULL, wake_later, &waker), ==, 0);
    int n = subject_reap(subject, completions, min, DEPTH, timeout_ns);
    int64_t end = g_get_monotonic_time();
    pthread_join(thread, NULL);
    g_assert_cmpint(n, ==, 0);
    g_test_message("returned %.1f ms after the wake-up", (double)(end - waker.woken_at) / 1e3);
    return end - waker.woken_at;
}

static void
hung_keeps_timeout(Subject *subject)
{
    FmCompletion completions[DEPTH];

    if (!open_with(subject, "hang-after=3")) {
        return;
    }
    read_all_slots(subject);
    reap_good(subject, HEALTHY);
    int64_t begin = subject_now(subject);
    for (unsigned i = 0; i < 3; i++) {
        g_assert_cmpint(subject_reap(subject, completions, 1, DEPTH, 20 * MS_NS), ==, 0);
    }
    g_assert_cmpint(subject_now(subject) - begin, >=, 54 * MS_NS);
    /* The places of what hangs stay taken. */
    FmIo io = {.buffer = subject_buffer(subject, 0), .length = BLOCK};
    unsigned more = 0;
    while (subject_submit(subject, &io, 1) == 1) {
        more++;
    }
    g_assert_cmpuint(more, ==, HEALTHY);
}

static void
stop_reaches_hung(Subject *subject)
{
    if (!open_with(subject, "hang-after=3")) {
        return;
    }
    read_all_slots(subject);
    reap_good(subject, HEALTHY);
    /* Meant is 100 ms; the limit leaves room for a busy machine. */
    g_assert_cmpint(wait_until_woken(subject, 1, 60 * S_NS, 30), <, 1000 * 1000);

    /* And the rest comes down although five requests are still out. */
    int64_t begin = g_get_monotonic_time();
    subject_queue_free(subject);
    g_assert_cmpint(g_get_monotonic_time() - begin, <, 5 * 1000 * 1000);
}

static void
stuck_keeps_no_timeout(Subject *subject)
{
    if (!open_with(subject, "hang-after=3,stuck-until-wake")) {
        return;
    }
    read_all_slots(subject);
    reap_good(subject, HEALTHY);
    int64_t begin = g_get_monotonic_time();
    g_assert_cmpint(wait_until_woken(subject, 1, MS_NS, 40), <, 1000 * 1000);
    g_assert_cmpint(g_get_monotonic_time() - begin, >=, 40 * 1000);
}

static void
stop_reaches_slow(Subject *subject)
{
    if (!open_with(subject, "delay-us=300000")) {
        return;
    }
    read_all_slots(subject);
    g_assert_cmpint(wait_until_woken(subject, DEPTH, 60 * S_NS, 10), <, 1000 * 1000);
    /* Draining gets all of them. */
    reap_good(subject, DEPTH);
}

static void
failures_look_failed(Subject *subject)
{
    enum { ROUNDS = 40 };
    FmCompletion completions[DEPTH];
    bool keeps = (subject->caps & (FM_CAP_NO_DEVICE | FM_CAP_VIRTUAL_TIME)) == 0;
    unsigned failed = 0;

    if (!open_with(subject, "error=5,every=3,error=61@offset:8192+4096")) {
        return;
    }
    for (unsigned round = 0; round < ROUNDS; round++) {
        read_all_slots(subject);
        unsigned done = 0;
        while (done < DEPTH) {
            int n = subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
            g_assert_cmpint(n, >=, 1);
            for (int i = 0; i < n; i++) {
                unsigned slot = completions[i].slot;
                unsigned number = round * DEPTH + slot + 1;
                int32_t expected = slot == 2 ? -61 : number % 3 == 0 ? -5 : BLOCK;
                g_assert_cmpint(completions[i].result, ==, expected);
                failed += expected < 0;
                g_assert_true(
                    expected < 0 || !keeps ||
                    subject_matches(subject_buffer(subject, slot), BLOCK, slot * BLOCK, 0));
            }
            done += (unsigned)n;
        }
    }
    g_assert_cmpuint(failed, >, ROUNDS * 2);
}

static void
pulled_drive_fails(Subject *subject)
{
    if (!open_with(subject, "gone-after=3")) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    for (unsigned i = 0; i < HEALTHY; i++) {
        g_assert_cmpint(subject_one(subject, FM_OP_READ, 0, buffer, BLOCK), ==, BLOCK);
    }
    for (unsigned i = 0; i < 5; i++) {
        g_assert_cmpint(subject_one(subject, FM_OP_READ, 0, buffer, BLOCK), ==, 0);
        g_assert_cmpint(subject_one(subject, FM_OP_WRITE, 0, buffer, BLOCK), <, 0);
        g_assert_cmpint(subject_write_durable(subject, 0, buffer, BLOCK), <, 0);
        g_assert_cmpint(subject_one(subject, FM_OP_FLUSH, 0, NULL, 0), <, 0);
        g_assert_cmpint(subject_one(subject, FM_OP_TRIM, 0, NULL, BLOCK), <, 0);
    }
}

static void
short_is_short(Subject *subject)
{
    if (!open_with(subject, "short=1,every=2")) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    for (unsigned i = 0; i < 6; i++) {
        int32_t expected = i % 2 ? BLOCK : 2 * BLOCK;
        g_assert_cmpint(subject_one(subject, FM_OP_READ, 0, buffer, 2 * BLOCK), ==, expected);
    }
}

int
main(int argc, char **argv)
{
    static const Claim claims[] = {
        {"hung-request-keeps-its-place-and-the-time-out", hung_keeps_timeout, NEEDS_FAULT},
        {"stop-reaches-a-hung-queue", stop_reaches_hung, NEEDS_FAULT | NEEDS_REAL_TIME},
        {"stuck-until-woken-keeps-no-time-out", stuck_keeps_no_timeout,
         NEEDS_FAULT | NEEDS_REAL_TIME},
        {"stop-reaches-a-slow-queue", stop_reaches_slow, NEEDS_FAULT | NEEDS_REAL_TIME},
        {"failures-look-failed", failures_look_failed, NEEDS_FAULT},
        {"pulled-drive-fails", pulled_drive_fails, NEEDS_FAULT},
        {"short-is-short", short_is_short, NEEDS_FAULT},
    };

    return subject_main(argc, argv, "stuck", claims, G_N_ELEMENTS(claims));
}
