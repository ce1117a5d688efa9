/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A worker that does what the target of its run says: the words after "fake:" in
 * order, separated by commas.  Lets the host be tested against workers that die, hang,
 * babble or flood.
 *
 *   ticks=N   emits N TICK frames          flood=N   emits N MB of LATENCY_LOG
 *   sleep=N   waits N ms                   wait      until STOP came
 *   note      emits a NOTE                 stderr    prints a line on standard error
 *   garbage   writes bytes that are no frame
 *   kill      dies of SIGKILL              exit=N    exits without END
 *   end=X     emits END with outcome X     deaf      doesn't end when the host is gone
 *   leave=N   leaves a process behind that keeps the pipes open for N ms
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/frame.h"

static uint32_t sequence;
static bool is_stopped;
static bool is_deaf;
static FmFrameReader *reader;

static void
write_all(const void *bytes, gsize length)
{
    const uint8_t *next = (const uint8_t *)bytes;

    while (length > 0) {
        ssize_t n = write(STDOUT_FILENO, next, length);
        if (n <= 0) {
            _exit(9);
        }
        next += n;
        length -= (gsize)n;
    }
}

static void
emit(FmFrameKind kind, GVariant *dictionary)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();

    fm_frame_encode_variant(frame, kind, sequence++, dictionary);
    write_all(frame->data, frame->len);
}

static void
emit_note(const char *text, const FmFrame *command)
{
    g_auto(GVariantDict) note = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(GVariant) asked = command != NULL ? fm_frame_get_variant(command, NULL) : NULL;
    guint64 request;

    g_variant_dict_insert(&note, "kind", "s", "decision");
    g_variant_dict_insert(&note, "text", "s", text);
    if (asked != NULL && g_variant_lookup(asked, "request", "t", &request)) {
        g_variant_dict_insert(&note, "request", "t", request);
    }
    emit(FM_FRAME_NOTE, g_variant_dict_end(&note));
}

static void
handle_command(const FmFrame *frame)
{
    switch ((unsigned)frame->kind) {
    case FM_FRAME_PAUSE:
        emit_note("paused", frame);
        break;
    case FM_FRAME_RESUME:
        emit_note("resumed", frame);
        break;
    case FM_FRAME_STOP:
        is_stopped = true;
        emit_note("stopping", frame);
        break;
    default:
        break;
    }
}

/* Handles commands for @timeout_ms, or until START came and @start is filled. */
static void
serve(int timeout_ms, GVariant **start)
{
    gint64 deadline = g_get_monotonic_time() + timeout_ms * (gint64)1000;

    do {
        g_auto(FmFrame) frame = {0};
        if (fm_frame_reader_pop(reader, &frame) == FM_FRAME_READ_OK) {
            if (frame.kind == FM_FRAME_START && start != NULL) {
                *start = fm_frame_get_variant(&frame, NULL);
                return;
            }
            handle_command(&frame);
            continue;
        }
        struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
        int left_ms = (int)((deadline - g_get_monotonic_time()) / 1000);
        if (poll(&input, 1, MAX(left_ms, 0)) > 0) {
            uint8_t bytes[4096];
            ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
            if (n > 0) {
                fm_frame_reader_push(reader, bytes, (gsize)n);
            } else if (!is_deaf) {
                _exit(0);
            } else {
                g_usleep(10000);
            }
        }
    } while (g_get_monotonic_time() < deadline && !is_stopped);
}

static void
emit_ticks(unsigned n_frames)
{
    for (unsigned i = 0; i < n_frames; i++) {
        g_autoptr(GByteArray) payload = g_byte_array_new();
        g_autoptr(GByteArray) frame = g_byte_array_new();
        FmTick tick = {.end_ns = (uint64_t)(i + 1) * 100000000, .read_ios = i};

        fm_tick_encode(payload, 0, &tick, 1);
        fm_frame_encode(frame, FM_FRAME_TICK, sequence++, payload->data, payload->len);
        write_all(frame->data, frame->len);
    }
}

static void
emit_flood(unsigned n_megabytes)
{
    g_autofree uint8_t *payload = (uint8_t *)g_malloc0(1000000);

    for (unsigned i = 0; i < n_megabytes; i++) {
        g_autoptr(GByteArray) frame = g_byte_array_new();
        fm_frame_encode(frame, FM_FRAME_LATENCY_LOG, sequence++, payload, 1000000);
        write_all(frame->data, frame->len);
    }
}

static void
emit_end(const char *outcome)
{
    g_auto(GVariantDict) end = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&end, "outcome", "s", outcome);
    g_variant_dict_insert(&end, "reason", "s", "");
    g_variant_dict_insert(&end, "wall", "x", (gint64)1);
    emit(FM_FRAME_END, g_variant_dict_end(&end));
}

static void
do_word(const char *word, const char *value)
{
    unsigned number = (unsigned)g_ascii_strtoull(value, NULL, 10);

    if (strcmp(word, "ticks") == 0) {
        emit_ticks(number);
    } else if (strcmp(word, "flood") == 0) {
        emit_flood(number);
    } else if (strcmp(word, "sleep") == 0) {
        serve((int)number, NULL);
    } else if (strcmp(word, "wait") == 0) {
        while (!is_stopped) {
            serve(1000, NULL);
        }
    } else if (strcmp(word, "note") == 0) {
        emit_note("a note", NULL);
    } else if (strcmp(word, "stderr") == 0) {
        fputs("something odd happened\n", stderr);
    } else if (strcmp(word, "garbage") == 0) {
        write_all("this is no frame, but it has FmFr in it", 39);
    } else if (strcmp(word, "deaf") == 0) {
        is_deaf = true;
    } else if (strcmp(word, "kill") == 0) {
        kill(getpid(), SIGKILL);
    } else if (strcmp(word, "exit") == 0) {
        _exit((int)number);
    } else if (strcmp(word, "leave") == 0) {
        if (fork() == 0) {
            g_usleep(number * 1000UL);
            _exit(0);
        }
    } else if (strcmp(word, "end") == 0) {
        emit_end(value);
    }
}

int
main(void)
{
    g_autoptr(GVariant) start = NULL;
    g_auto(GVariantDict) hello = G_VARIANT_DICT_INIT(NULL);
    const char *target = "";

    signal(SIGPIPE, SIG_IGN);
    reader = fm_frame_reader_new();
    g_variant_dict_insert(&hello, "protocol", "u", (guint32)1);
    g_variant_dict_insert(&hello, "role", "s", "worker");
    g_variant_dict_insert(&hello, "pid", "u", (guint32)getpid());
    emit(FM_FRAME_HELLO, g_variant_dict_end(&hello));
    while (start == NULL) {
        serve(1000, &start);
    }
    g_variant_lookup(start, "target", "&s", &target);
    g_auto(GStrv) words = g_strsplit(target + strlen("fake:"), ",", -1);
    for (guint i = 0; words[i] != NULL; i++) {
        char *equals = strchr(words[i], '=');
        if (equals != NULL) {
            *equals = '\0';
        }
        do_word(words[i], equals != NULL ? equals + 1 : "");
    }
    return 0;
}
