/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The real fathom-worker on its two pipes: what it says, what it answers and how it ends,
 * also when what it hears is nonsense.
 */
#include "worker/worker.h"

#include <gio/gio.h>
#include <string.h>

#include "model/frame.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "store/plan-files.h"

typedef struct {
    GSubprocess *process;
    GOutputStream *commands;
    GInputStream *frames;
    FmFrameReader *reader;
    uint32_t sequence;
} Fixture;

static void
set_up(Fixture *fixture, gconstpointer data)
{
    g_autofree char *worker = plat_find_program("fathom-worker");
    g_autoptr(GError) error = NULL;

    fixture->process = g_subprocess_new(
        G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &error, worker, NULL);
    g_assert_no_error(error);
    fixture->commands = g_subprocess_get_stdin_pipe(fixture->process);
    fixture->frames = g_subprocess_get_stdout_pipe(fixture->process);
    fixture->reader = fm_frame_reader_new();
}

static void
tear_down(Fixture *fixture, gconstpointer data)
{
    g_object_unref(fixture->process);
    fm_frame_reader_free(fixture->reader);
}

static void
send_bytes(Fixture *fixture, const void *bytes, gsize length)
{
    g_output_stream_write_all(fixture->commands, bytes, length, NULL, NULL, NULL);
}

static void
send_command(Fixture *fixture, FmFrameKind kind)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();

    fm_frame_encode(frame, kind, fixture->sequence++, NULL, 0);
    send_bytes(fixture, frame->data, frame->len);
}

static void
send_start_dictionary(Fixture *fixture, GVariantDict *start)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();

    fm_frame_encode_variant(frame, FM_FRAME_START, fixture->sequence++, g_variant_dict_end(start));
    send_bytes(fixture, frame->data, frame->len);
}

/* On the target that is nothing. */
static void
send_start_on(Fixture *fixture, const char *plan, const char *backend, const char *options)
{
    g_auto(GVariantDict) start = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&start, "plan", "s", plan);
    g_variant_dict_insert(&start, "target", "s", "null");
    g_variant_dict_insert(&start, "backend", "s", backend);
    g_variant_dict_insert(&start, "backend-options", "s", options);
    send_start_dictionary(fixture, &start);
}

static void
send_start(Fixture *fixture, const char *plan, const char *target)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();
    g_auto(GVariantDict) start = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&start, "plan", "s", plan);
    g_variant_dict_insert(&start, "target", "s", target);
    fm_frame_encode_variant(frame, FM_FRAME_START, fixture->sequence++, g_variant_dict_end(&start));
    send_bytes(fixture, frame->data, frame->len);
}

/* The next frame's dictionary; NULL at the end of the stream. */
static GVariant *
next_frame(Fixture *fixture, FmFrameKind *kind)
{
    while (true) {
        g_auto(FmFrame) frame = {0};
        FmFrameReadStatus status = fm_frame_reader_pop(fixture->reader, &frame);
        if (status == FM_FRAME_READ_OK) {
            *kind = frame.kind;
            GVariant *dictionary = fm_frame_get_variant(&frame, NULL);
            return dictionary != NULL ? dictionary
                                      : g_variant_ref_sink(g_variant_new("a{sv}", NULL));
        }
        g_assert_cmpint(status, ==, FM_FRAME_READ_MORE);
        uint8_t bytes[4096];
        gssize n = g_input_stream_read(fixture->frames, bytes, sizeof bytes, NULL, NULL);
        if (n <= 0) {
            return NULL;
        }
        fm_frame_reader_push(fixture->reader, bytes, (gsize)n);
    }
}

/* The next frame of @kind, which must come. */
static GVariant *
wait_for_frame(Fixture *fixture, FmFrameKind kind)
{
    while (true) {
        FmFrameKind seen = FM_FRAME_HELLO;
        g_autoptr(GVariant) dictionary = next_frame(fixture, &seen);
        g_assert_nonnull(dictionary);
        if (seen == kind) {
            return g_steal_pointer(&dictionary);
        }
    }
}

/* Reads to the end and checks END's outcome and the exit code. */
static void
assert_end(Fixture *fixture, const char *outcome, int exit_code)
{
    g_autofree char *seen = NULL;
    g_autofree char *reason = NULL;

    while (true) {
        FmFrameKind kind;
        g_autoptr(GVariant) dictionary = next_frame(fixture, &kind);
        if (dictionary == NULL) {
            break;
        }
        if (kind == FM_FRAME_END) {
            g_assert_null(seen);
            g_assert_true(g_variant_lookup(dictionary, "outcome", "s", &seen));
            g_assert_true(g_variant_lookup(dictionary, "reason", "s", &reason));
        }
    }
    g_assert_cmpstr(seen, ==, outcome);
    g_assert_true(strcmp(outcome, "complete") == 0 || *reason != '\0');
    g_assert_true(g_subprocess_wait(fixture->process, NULL, NULL));
    g_assert_true(g_subprocess_get_if_exited(fixture->process));
    g_assert_cmpint(g_subprocess_get_exit_status(fixture->process), ==, exit_code);
}

static void
test_hello_comes_first(Fixture *fixture, gconstpointer data)
{
    FmFrameKind kind;
    g_autoptr(GVariant) hello = next_frame(fixture, &kind);
    guint32 protocol = 0;
    const char *role = "";

    g_assert_nonnull(hello);
    g_assert_cmpint(kind, ==, FM_FRAME_HELLO);
    g_assert_true(g_variant_lookup(hello, "protocol", "u", &protocol));
    g_assert_true(g_variant_lookup(hello, "role", "&s", &role));
    g_assert_cmpuint(protocol, ==, 1);
    g_assert_cmpstr(role, ==, "worker");
    g_output_stream_close(fixture->commands, NULL, NULL);
    assert_end(fixture, "stopped", FM_EXIT_STOPPED);
}

static void
test_stop_before_start(Fixture *fixture, gconstpointer data)
{
    send_command(fixture, FM_FRAME_STOP);
    assert_end(fixture, "stopped", FM_EXIT_STOPPED);
}

static void
test_pause_before_start(Fixture *fixture, gconstpointer data)
{
    send_command(fixture, FM_FRAME_PAUSE);
    assert_end(fixture, "failed", FM_EXIT_USAGE);
}

static void
test_unknown_command(Fixture *fixture, gconstpointer data)
{
    send_command(fixture, (FmFrameKind)999);
    send_command(fixture, FM_FRAME_PURGE);
    send_command(fixture, FM_FRAME_STOP);
    assert_end(fixture, "stopped", FM_EXIT_STOPPED);
}

static void
test_bad_start(Fixture *fixture, gconstpointer data)
{
    static const struct {
        const char *plan;
        const char *target;
    } cases[] = {
        {"", "null"},
        {"{}", "null"},
        {"[[[[[[[[", "null"},
        {"{\"version\": 1", "/nowhere/at/all"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        send_start(fixture, cases[i].plan, cases[i].target);
        assert_end(fixture, "refused", FM_EXIT_REFUSED);
        tear_down(fixture, NULL);
        set_up(fixture, NULL);
    }
    g_output_stream_close(fixture->commands, NULL, NULL);
}

/* Waits for a NOTE whose text begins with @prefix; the number of ms it took. */
static gint64
wait_for_note(Fixture *fixture, const char *prefix)
{
    gint64 began_us = g_get_monotonic_time();

    while (true) {
        FmFrameKind kind;
        g_autoptr(GVariant) dictionary = next_frame(fixture, &kind);
        const char *text = "";
        g_assert_nonnull(dictionary);
        if (kind == FM_FRAME_NOTE && g_variant_lookup(dictionary, "text", "&s", &text) &&
            g_str_has_prefix(text, prefix)) {
            return (g_get_monotonic_time() - began_us) / 1000;
        }
    }
}

static void
wait_for_step(Fixture *fixture)
{
    FmFrameKind kind = FM_FRAME_HELLO;

    while (kind != FM_FRAME_PHASE_BEGIN) {
        g_autoptr(GVariant) dictionary = next_frame(fixture, &kind);
        g_assert_nonnull(dictionary);
    }
}

/* Commands are answered by a thread of their own: neither I/O that never completes nor a
 * fast run makes them wait.  The limit of 100 ms is the contract (ENGINE 10.2). */
static void
test_acknowledgements(Fixture *fixture, gconstpointer data)
{
    static const char *const backends[][2] = {
        {"null", ""},
        {"fault:null", "hang-after=10"},
    };
    static const char *const settings[] = {"measure=30s", "count=1", "interval=0s", NULL};
    g_autoptr(FmPlan) plan = fm_plan_files_load("cdm-demo", settings, NULL);

    g_assert_nonnull(plan);
    for (gsize i = 0; i < G_N_ELEMENTS(backends); i++) {
        send_start_on(fixture, plan->canonical, backends[i][0], backends[i][1]);
        wait_for_step(fixture);
        /* The best of several, since the machine may be busy. */
        gint64 best_ms = G_MAXINT64;
        for (unsigned round = 0; round < 5; round++) {
            send_command(fixture, FM_FRAME_PAUSE);
            gint64 pause_ms = wait_for_note(fixture, "paused: ");
            send_command(fixture, FM_FRAME_RESUME);
            gint64 resume_ms = wait_for_note(fixture, "resumed");
            best_ms = MIN(best_ms, MAX(pause_ms, resume_ms));
        }
        g_assert_cmpint(best_ms, <=, 100);
        send_command(fixture, FM_FRAME_STOP);
        wait_for_note(fixture, "stopping");
        /* Nobody waits for the end of what never ends: the host is gone. */
        gint64 began_us = g_get_monotonic_time();
        g_output_stream_close(fixture->commands, NULL, NULL);
        g_assert_true(g_subprocess_wait(fixture->process, NULL, NULL));
        g_assert_cmpint(g_get_monotonic_time() - began_us, <, 2 * G_USEC_PER_SEC);
        tear_down(fixture, NULL);
        set_up(fixture, NULL);
    }
    g_output_stream_close(fixture->commands, NULL, NULL);
}

/* A pause that comes while the worker still looks at plan and target is kept. */
static void
test_pause_at_once(Fixture *fixture, gconstpointer data)
{
    static const char *const settings[] = {"measure=30s", "count=1", "interval=0s", NULL};
    g_autoptr(FmPlan) plan = fm_plan_files_load("cdm-demo", settings, NULL);

    send_start_on(fixture, plan->canonical, "null", "");
    send_command(fixture, FM_FRAME_PAUSE);
    wait_for_note(fixture, "paused: ");
    g_variant_unref(wait_for_frame(fixture, FM_FRAME_PHASE_BEGIN));
    g_usleep(100000);
    send_command(fixture, FM_FRAME_STOP);

    /* Each decision is noted once, and the step tells how long it stood still. */
    gint64 paused_ns = 0;
    unsigned n_notes = 0;
    while (true) {
        FmFrameKind kind;
        const char *text = "";
        g_autoptr(GVariant) dictionary = next_frame(fixture, &kind);
        if (dictionary == NULL) {
            break;
        }
        if (kind == FM_FRAME_NOTE && g_variant_lookup(dictionary, "text", "&s", &text)) {
            g_assert_false(g_str_has_prefix(text, "paused"));
            n_notes += g_str_has_prefix(text, "stopping");
        } else if (kind == FM_FRAME_PHASE_END) {
            g_assert_true(g_variant_lookup(dictionary, "paused-ns", "x", &paused_ns));
        }
    }
    g_assert_cmpint(paused_ns, >, 50000000);
    g_assert_cmpuint(n_notes, ==, 1);
    g_output_stream_close(fixture->commands, NULL, NULL);
    g_assert_true(g_subprocess_wait(fixture->process, NULL, NULL));
}

/* Whatever comes in: an error that is told, or patience; never a crash. */
static void
test_nonsense(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GByteArray) good = g_byte_array_new();

    fm_frame_encode(good, FM_FRAME_START, 0, "no variant", 10);
    for (unsigned round = 0; round < 20; round++) {
        g_autoptr(GByteArray) bytes = g_byte_array_new();
        g_byte_array_append(bytes, good->data, good->len);
        if (round > 0) {
            bytes->data[g_test_rand_int_range(0, (gint32)bytes->len)] ^=
                (guint8)g_test_rand_int_range(1, 256);
        }
        send_bytes(fixture, bytes->data, bytes->len);
        g_output_stream_close(fixture->commands, NULL, NULL);
        FmFrameKind kind;
        GVariant *dictionary;
        bool has_ended = false;
        while ((dictionary = next_frame(fixture, &kind)) != NULL) {
            has_ended = has_ended || kind == FM_FRAME_END;
            g_variant_unref(dictionary);
        }
        g_assert_true(has_ended);
        g_assert_true(g_subprocess_wait(fixture->process, NULL, NULL));
        g_assert_true(g_subprocess_get_if_exited(fixture->process));
        tear_down(fixture, NULL);
        set_up(fixture, NULL);
    }
    g_output_stream_close(fixture->commands, NULL, NULL);
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *path;
        void (*test)(Fixture *, gconstpointer);
    } tests[] = {
        {"/worker/protocol/hello-comes-first", test_hello_comes_first},
        {"/worker/protocol/stop-before-start-ends-in-order", test_stop_before_start},
        {"/worker/protocol/pause-before-start-is-an-error", test_pause_before_start},
        {"/worker/protocol/unknown-commands-are-passed-over", test_unknown_command},
        {"/worker/protocol/bad-plan-is-refused", test_bad_start},
        {"/worker/protocol/commands-are-answered-while-io-hangs", test_acknowledgements},
        {"/worker/protocol/pause-before-the-engine-is-kept", test_pause_at_once},
        {"/worker/protocol/nonsense-ends-with-a-clear-error", test_nonsense},
    };

    plat_process_guard_signals();
    g_test_init(&argc, &argv, NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_test_add(tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
    }
    return g_test_run();
}
