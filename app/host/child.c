/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GSubprocess with three pipes.  The child has ended when both of its output pipes
 * and the process itself are done, in whatever order.
 */
#define G_LOG_DOMAIN "fathom"

#include "host/child.h"

#include "base/error.h"
#include "platform/platform.h"

#include <string.h>

enum {
    READ_SIZE = 256 * 1024,
    MAX_WAITING_COMMANDS = 64 * 1024,
    /* Lines of standard error that go into the run; the rest is counted. */
    MAX_LOG_LINES = 200,
    MAX_LOG_LINE = 1000,
};

struct FmChild {
    FmChildCallbacks callbacks;
    gpointer user_data;
    GSubprocess *process;
    GCancellable *cancellable;
    GInputStream *frames;
    GDataInputStream *log;
    GOutputStream *commands;
    FmFrameReader *reader;
    uint8_t *buffer;
    GByteArray *waiting; /* commands not written yet */
    GByteArray *writing; /* being written */
    uint32_t sequence;
    unsigned n_log_lines;
    unsigned n_open; /* of frames, log and the process itself */
};

static FmMessage *
describe_end(GSubprocess *process)
{
    if (g_subprocess_get_if_signaled(process)) {
        int number = g_subprocess_get_term_sig(process);
        return fm_message_new("The worker was ended by signal %d (%s).", number,
                              g_strsignal(number));
    }
    return fm_message_new("The worker ended before the run did (exit code %d).",
                          g_subprocess_get_exit_status(process));
}

/* One of the three things that have to end did. */
static void
close_one(FmChild *child)
{
    if (--child->n_open == 0) {
        g_autoptr(FmMessage) how = describe_end(child->process);
        child->callbacks.ended(child, how, child->user_data);
    }
}

/* --- Frames -------------------------------------------------------------------------- */

static void read_frames(FmChild *child);

static void
pop_frames(FmChild *child)
{
    while (true) {
        g_auto(FmFrame) frame = {0};

        switch (fm_frame_reader_pop(child->reader, &frame)) {
        case FM_FRAME_READ_OK:
            child->callbacks.frame(child, &frame, child->user_data);
            break;
        case FM_FRAME_READ_MORE:
            return;
        case FM_FRAME_READ_CORRUPT: {
            g_autoptr(FmMessage) text =
                fm_message_new("A part of what the worker said was damaged.");
            child->callbacks.log(child, "warning", text, child->user_data);
            break;
        }
        }
    }
}

static void
frames_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;
    gssize n = g_input_stream_read_finish(G_INPUT_STREAM(source), result, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return; /* the child was freed */
    }
    FmChild *child = (FmChild *)user_data;
    if (n <= 0) {
        fm_frame_reader_end(child->reader);
        pop_frames(child);
        close_one(child);
        return;
    }
    fm_frame_reader_push(child->reader, child->buffer, (gsize)n);
    pop_frames(child);
    child->callbacks.batch(child, child->user_data);
    read_frames(child);
}

static void
read_frames(FmChild *child)
{
    g_input_stream_read_async(child->frames, child->buffer, READ_SIZE, G_PRIORITY_DEFAULT,
                              child->cancellable, frames_read_cb, child);
}

/* --- Standard error ------------------------------------------------------------------ */

static void read_log(FmChild *child);

static void
log_read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;
    gsize length = 0;
    g_autofree char *line =
        g_data_input_stream_read_line_finish(G_DATA_INPUT_STREAM(source), result, &length, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return;
    }
    FmChild *child = (FmChild *)user_data;
    if (line == NULL) {
        close_one(child);
        return;
    }
    if (child->n_log_lines++ < MAX_LOG_LINES) {
        line[MIN(length, MAX_LOG_LINE)] = '\0';
        g_autoptr(FmMessage) text = fm_message_new_verbatim(line);
        child->callbacks.log(child, "log", text, child->user_data);
        child->callbacks.batch(child, child->user_data);
    }
    read_log(child);
}

static void
read_log(FmChild *child)
{
    g_data_input_stream_read_line_async(child->log, G_PRIORITY_DEFAULT, child->cancellable,
                                        log_read_cb, child);
}

/* --- Commands ------------------------------------------------------------------------ */

static void write_commands(FmChild *child);

static void
commands_written_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;
    bool is_written =
        g_output_stream_write_all_finish(G_OUTPUT_STREAM(source), result, NULL, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return;
    }
    FmChild *child = (FmChild *)user_data;
    g_byte_array_set_size(child->writing, 0);
    if (is_written) {
        write_commands(child);
    }
}

static void
write_commands(FmChild *child)
{
    if (child->writing->len > 0 || child->waiting->len == 0) {
        return;
    }
    GByteArray *filled = child->waiting;
    child->waiting = child->writing;
    child->writing = filled;
    g_output_stream_write_all_async(child->commands, filled->data, filled->len, G_PRIORITY_DEFAULT,
                                    child->cancellable, commands_written_cb, child);
}

bool
fm_child_send(FmChild *child, FmFrameKind kind, const void *payload, gsize length)
{
    if (child->waiting->len > MAX_WAITING_COMMANDS) {
        return false;
    }
    fm_frame_encode(child->waiting, kind, child->sequence++, payload, length);
    write_commands(child);
    return true;
}

/* --- The process --------------------------------------------------------------------- */

static void
waited_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;

    g_subprocess_wait_finish(G_SUBPROCESS(source), result, &error);
    if (!g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        close_one((FmChild *)user_data);
    }
}

FmChild *
fm_child_new(const FmChildCallbacks *callbacks, gpointer user_data, GError **error)
{
    const char *chosen = g_getenv("FATHOM_WORKER"); /* for tests */
    g_autofree char *program =
        chosen != NULL ? g_strdup(chosen) : plat_find_program("fathom-worker");
    const char *argv[] = {program, NULL};
    g_autoptr(GError) lower = NULL;

    if (program == NULL) {
        fm_error_set(error, FM_ERROR_GONE,
                     "The program fathom-worker was not found beside this one");
        return NULL;
    }
    GSubprocess *process =
        g_subprocess_newv(argv,
                          G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE |
                              G_SUBPROCESS_FLAGS_STDERR_PIPE,
                          &lower);
    if (process == NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        fm_error_set(error, FM_ERROR_GONE, "The worker “%s” can't be started: %p", program, reason);
        return NULL;
    }

    FmChild *child = g_new0(FmChild, 1);
    child->callbacks = *callbacks;
    child->user_data = user_data;
    child->process = process;
    child->cancellable = g_cancellable_new();
    child->frames = g_subprocess_get_stdout_pipe(process);
    child->log = g_data_input_stream_new(g_subprocess_get_stderr_pipe(process));
    child->commands = g_subprocess_get_stdin_pipe(process);
    child->reader = fm_frame_reader_new();
    child->buffer = (uint8_t *)g_malloc(READ_SIZE);
    child->waiting = g_byte_array_new();
    child->writing = g_byte_array_new();
    child->n_open = 3;
    read_frames(child);
    read_log(child);
    g_subprocess_wait_async(process, child->cancellable, waited_cb, child);
    return child;
}

void
fm_child_free(FmChild *child)
{
    if (child == NULL) {
        return;
    }
    /* Closing the command pipe tells a living worker that its host is gone. */
    g_cancellable_cancel(child->cancellable);
    g_output_stream_close(child->commands, NULL, NULL);
    g_object_unref(child->cancellable);
    g_object_unref(child->log);
    g_object_unref(child->process);
    fm_frame_reader_free(child->reader);
    g_byte_array_unref(child->waiting);
    g_byte_array_unref(child->writing);
    g_free(child->buffer);
    g_free(child);
}

void
fm_child_kill(FmChild *child)
{
    g_subprocess_force_exit(child->process);
}
