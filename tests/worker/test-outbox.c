/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker's way out: nobody who emits ever waits for who reads, and nothing is lost
 * or out of order.
 */
#include "worker/outbox.h"

#include "platform/process.h"

#include <unistd.h>

typedef struct {
    int ends[2]; /* of a pipe: read, write */
    gint n_broken;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
    g_assert_cmpint(pipe(fixture->ends), ==, 0);
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
    close(fixture->ends[0]);
    if (fixture->ends[1] >= 0) {
        close(fixture->ends[1]);
    }
}

static void
broken_cb(gpointer user_data)
{
    g_atomic_int_inc(&((Fixture *)user_data)->n_broken);
}

/* Reads frames until the pipe is closed; checks numbers and sizes; returns how many. */
static unsigned
read_frames(int descriptor, gsize length)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    uint8_t bytes[4096];
    unsigned n_frames = 0;
    ssize_t n;

    while ((n = read(descriptor, bytes, sizeof bytes)) > 0) {
        fm_frame_reader_push(reader, bytes, (gsize)n);
        while (true) {
            g_auto(FmFrame) frame = {0};
            FmFrameReadStatus status = fm_frame_reader_pop(reader, &frame);
            if (status == FM_FRAME_READ_MORE) {
                break;
            }
            g_assert_cmpint(status, ==, FM_FRAME_READ_OK);
            g_assert_cmpuint(frame.sequence, ==, n_frames);
            g_assert_cmpuint(g_bytes_get_size(frame.payload), ==, length);
            n_frames++;
        }
    }
    return n_frames;
}

static gpointer
reader_thread(gpointer data)
{
    return GUINT_TO_POINTER(read_frames(*(int *)data, 10000));
}

static void
test_unread_pipe_holds_up_nobody(Fixture *fixture, gconstpointer data)
{
    enum { N_FRAMES = 500 };
    static const uint8_t payload[10000];
    FmOutbox *outbox = fm_outbox_new(fixture->ends[1], broken_cb, fixture);

    /* 5 MB into a pipe of 64 KiB that nobody reads: a blocking write would hang here. */
    for (unsigned i = 0; i < N_FRAMES; i++) {
        fm_outbox_emit(outbox, FM_FRAME_TICK, payload, sizeof payload);
    }
    g_assert_cmpuint(fm_outbox_get_peak(outbox), >, 1000000);

    GThread *reader = g_thread_new("reader", reader_thread, &fixture->ends[0]);
    fm_outbox_finish(outbox);
    close(fixture->ends[1]);
    fixture->ends[1] = -1;
    g_assert_cmpuint(GPOINTER_TO_UINT(g_thread_join(reader)), ==, N_FRAMES);
    g_assert_cmpint(fixture->n_broken, ==, 0);
    fm_outbox_free(outbox);
}

static void
test_closed_pipe_is_told_once(Fixture *fixture, gconstpointer data)
{
    FmOutbox *outbox = fm_outbox_new(fixture->ends[1], broken_cb, fixture);
    g_autoptr(FmMessage) text = fm_message_new("Nobody reads this.");

    close(fixture->ends[0]);
    for (unsigned i = 0; i < 100; i++) {
        fm_outbox_note(outbox, "warning", text);
    }
    fm_outbox_finish(outbox);
    g_assert_cmpint(fixture->n_broken, ==, 1);
    fm_outbox_free(outbox);
}

int
main(int argc, char **argv)
{
    plat_process_guard_signals();
    g_test_init(&argc, &argv, NULL);
    g_test_add("/worker/outbox/unread-pipe-holds-up-nobody", Fixture, NULL, set_up,
               test_unread_pipe_holds_up_nobody, tear_down);
    g_test_add("/worker/outbox/closed-pipe-is-told-once", Fixture, NULL, set_up,
               test_closed_pipe_is_told_once, tear_down);
    return g_test_run();
}
