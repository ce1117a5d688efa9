/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting a host is the only blocking call: it takes as long as a process needs to
 * start.  Everything else is asynchronous on the caller's main context.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "host/session.h"

#include "base/error.h"
#include "host/run-entry.h"
#include "platform/local-socket.h"
#include "platform/platform.h"

#include <glib/gi18n.h>
#include <string.h>

enum { READ_SIZE = 256 * 1024 };

struct FmSession {
    char *id;
    char *output;
    GSocketConnection *connection;
    GCancellable *cancellable;
    FmFrameReader *reader;
    uint8_t *buffer;
    GByteArray *waiting; /* commands not written yet */
    GByteArray *writing; /* being written */
    uint32_t sequence;
    bool has_ended; /* END came */
    bool has_lost_place;
    bool is_busy; /* callbacks are running: they may free the session */
    bool is_doomed; /* and did */
    FmSessionFrameCallback frame_cb;
    FmSessionClosedCallback closed_cb;
    gpointer user_data;
};

/* --- Starting a host ------------------------------------------------------------------ */

static GVariant *
build_request(const FmSessionRequest *request)
{
    static const char *const no_settings[] = {NULL};
    g_auto(GVariantDict) start = G_VARIANT_DICT_INIT(NULL);
    const char *const *settings =
        request->settings != NULL ? (const char *const *)request->settings : no_settings;
    const struct {
        const char *key;
        const char *value;
    } strings[] = {
        {"plan", request->plan_text},
        {"plan-id", request->plan_id},
        {"target", request->target},
        {"backend", request->backend},
        {"backend-options", request->backend_options},
        {"output", request->output},
        {"drive", request->drive},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(strings); i++) {
        if (strings[i].value != NULL) {
            g_variant_dict_insert(&start, strings[i].key, "s", strings[i].value);
        }
    }
    g_variant_dict_insert(&start, "settings", "^as", settings);
    g_variant_dict_insert(&start, "allow-buffered", "b", (gboolean)request->allow_buffered);
    g_variant_dict_insert(&start, "allow-shared", "b", (gboolean)request->allow_shared);
    g_variant_dict_insert(&start, "keep-free", "t", request->keep_free);
    return g_variant_ref_sink(g_variant_dict_end(&start));
}

/* What a new host answered: HELLO's dictionary, or its reason as @error. */
static GVariant *
read_answer(GBytes *bytes, GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_auto(FmFrame) frame = {0};
    gsize length = 0;
    const void *data = bytes != NULL ? g_bytes_get_data(bytes, &length) : NULL;

    fm_frame_reader_push(reader, data, length);
    if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
        fm_error_set(error, FM_ERROR_PROTOCOL, "The run host gave no answer");
        return NULL;
    }
    g_autoptr(GVariant) answer = fm_frame_get_variant(&frame, error);
    if (answer == NULL || frame.kind == FM_FRAME_HELLO) {
        return g_steal_pointer(&answer);
    }
    g_autoptr(FmMessage) reason = fm_message_lookup(answer, "reason");
    gint32 code = FM_ERROR_IO;
    g_variant_lookup(answer, "code", "i", &code);
    if (reason == NULL) {
        reason = fm_message_new("The run host refused without a reason");
    }
    fm_error_set_message(error, (FmErrorCode)code, reason);
    return NULL;
}

/*
 * Gives @process its request and waits for its answer, which ends when the host lets go
 * of its standard output, not when the host itself ends.
 */
static GVariant *
ask_host(GSubprocess *process, GVariant *request, GError **error)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();
    g_autoptr(GOutputStream) answer = g_memory_output_stream_new_resizable();
    GOutputStream *input = g_subprocess_get_stdin_pipe(process);

    fm_frame_encode_variant(frame, FM_FRAME_START, 0, g_variant_ref(request));
    if (!g_output_stream_write_all(input, frame->data, frame->len, NULL, NULL, error) ||
        !g_output_stream_close(input, NULL, error) ||
        g_output_stream_splice(answer, g_subprocess_get_stdout_pipe(process),
                               G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0) {
        return NULL;
    }
    g_autoptr(GBytes) bytes = g_memory_output_stream_steal_as_bytes(G_MEMORY_OUTPUT_STREAM(answer));
    return read_answer(bytes, error);
}

/* Starts a host with @request and returns its HELLO. */
static GVariant *
spawn_host(GVariant *request, GError **error)
{
    g_autofree char *program = plat_find_program("fathom-cli");
    const char *argv[] = {program, "host-run", NULL};
    g_autoptr(GError) lower = NULL;
    g_autoptr(GSubprocess) process = g_subprocess_newv(
        argv, G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE, &lower);

    if (process == NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        fm_error_set(error, FM_ERROR_GONE, "The run host “%s” can't be started: %p", program,
                     reason);
        return NULL;
    }
    return ask_host(process, request, error);
}

/* --- Commands ------------------------------------------------------------------------- */

static void write_commands(FmSession *session);

static void
written_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;
    bool is_written =
        g_output_stream_write_all_finish(G_OUTPUT_STREAM(source), result, NULL, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return;
    }
    FmSession *session = (FmSession *)user_data;
    g_byte_array_set_size(session->writing, 0);
    /* When the host is gone, the reading side tells. */
    if (is_written) {
        write_commands(session);
    }
}

static void
write_commands(FmSession *session)
{
    if (session->writing->len > 0 || session->waiting->len == 0) {
        return;
    }
    GByteArray *filled = session->waiting;
    session->waiting = session->writing;
    session->writing = filled;
    g_output_stream_write_all_async(g_io_stream_get_output_stream(G_IO_STREAM(session->connection)),
                                    filled->data, filled->len, G_PRIORITY_DEFAULT,
                                    session->cancellable, written_cb, session);
}

/* --- Finding and attaching ------------------------------------------------------------ */

GPtrArray *
fm_session_list(void)
{
    g_autofree char *dir = fm_run_entry_dir(NULL);

    if (dir == NULL) {
        return g_ptr_array_new_with_free_func((GDestroyNotify)fm_session_info_free);
    }
    return fm_run_entry_list(dir);
}

static const FmSessionInfo *
find_run(GPtrArray *runs, const char *id, GError **error)
{
    if (runs->len == 0 && id == NULL) {
        fm_error_set(error, FM_ERROR_GONE, "No run is in progress");
        return NULL;
    }
    if (id == NULL && runs->len > 1) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "%u runs are in progress; name one of those that “fathom-cli status” lists",
                     runs->len);
        return NULL;
    }
    for (guint i = 0; i < runs->len; i++) {
        const FmSessionInfo *info = (const FmSessionInfo *)g_ptr_array_index(runs, i);
        if (id == NULL || strcmp(info->id, id) == 0) {
            return info;
        }
    }
    fm_error_set(error, FM_ERROR_GONE, "No run “%s” is in progress", id);
    return NULL;
}

/*
 * Says that somebody looks: a run that is over at once waits for its first viewer.
 * Written at once, because a viewer may leave before its main loop ever runs.
 */
static bool
greet(FmSession *session, GError **error)
{
    g_auto(GVariantDict) hello = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(GByteArray) frame = g_byte_array_new();

    g_variant_dict_insert(&hello, "role", "s", "viewer");
    g_variant_dict_insert(&hello, "version", "s", FM_VERSION);
    fm_frame_encode_variant(frame, FM_FRAME_HELLO, session->sequence++, g_variant_dict_end(&hello));
    return g_output_stream_write_all(
        g_io_stream_get_output_stream(G_IO_STREAM(session->connection)), frame->data, frame->len,
        NULL, NULL, error);
}

static FmSession *
attach(const char *id, const char *socket, const char *output, GError **error)
{
    g_autoptr(GSocketConnection) connection = plat_socket_connect(socket, error);
    if (connection == NULL) {
        return NULL;
    }
    if (!plat_socket_is_peer_allowed(g_socket_connection_get_socket(connection))) {
        fm_error_set(error, FM_ERROR_DENIED, "The run “%s” belongs to another user", id);
        return NULL;
    }
    FmSession *session = g_new0(FmSession, 1);
    session->id = g_strdup(id);
    session->output = g_strdup(output);
    session->connection = g_steal_pointer(&connection);
    session->cancellable = g_cancellable_new();
    session->reader = fm_frame_reader_new();
    session->buffer = (uint8_t *)g_malloc(READ_SIZE);
    session->waiting = g_byte_array_new();
    session->writing = g_byte_array_new();
    if (!greet(session, error)) {
        g_clear_pointer(&session, fm_session_free);
    }
    return session;
}

FmSession *
fm_session_attach(const char *id, GError **error)
{
    g_autoptr(GPtrArray) runs = fm_session_list();
    const FmSessionInfo *info = find_run(runs, id, error);

    return info != NULL ? attach(info->id, info->socket, info->output, error) : NULL;
}

FmSession *
fm_session_start(const FmSessionRequest *request, GError **error)
{
    g_autoptr(GVariant) start = build_request(request);
    g_autoptr(GVariant) hello = spawn_host(start, error);
    const char *id;
    const char *socket;
    const char *output;

    if (hello == NULL) {
        return NULL;
    }
    if (!g_variant_lookup(hello, "id", "&s", &id) ||
        !g_variant_lookup(hello, "socket", "&s", &socket) ||
        !g_variant_lookup(hello, "output", "&s", &output)) {
        fm_error_set(error, FM_ERROR_PROTOCOL, "The run host doesn't say where it is");
        return NULL;
    }
    return attach(id, socket, output, error);
}

void
fm_session_free(FmSession *session)
{
    if (session == NULL) {
        return;
    }
    if (session->is_busy) {
        session->is_doomed = true;
        return;
    }
    g_cancellable_cancel(session->cancellable);
    g_io_stream_close(G_IO_STREAM(session->connection), NULL, NULL);
    g_object_unref(session->cancellable);
    g_object_unref(session->connection);
    fm_frame_reader_free(session->reader);
    g_byte_array_unref(session->waiting);
    g_byte_array_unref(session->writing);
    g_free(session->buffer);
    g_free(session->output);
    g_free(session->id);
    g_free(session);
}

const char *
fm_session_get_id(const FmSession *session)
{
    return session->id;
}

const char *
fm_session_get_output(const FmSession *session)
{
    return session->output;
}

bool
fm_session_has_lost_place(const FmSession *session)
{
    return session->has_lost_place;
}

/* --- Frames --------------------------------------------------------------------------- */

/* The host tells in a NOTE when the run file had to move. */
static void
follow_output(FmSession *session, const FmFrame *frame)
{
    g_autoptr(GVariant) note = fm_frame_get_variant(frame, NULL);
    char *output = NULL;

    if (note != NULL && g_variant_lookup(note, "output", "s", &output)) {
        session->has_lost_place = true;
        g_free(session->output);
        session->output = output;
    }
}

/* Gives all complete frames to the viewer.  False = the session was freed by it. */
static bool
deliver_frames(FmSession *session)
{
    FmFrameReadStatus status = FM_FRAME_READ_OK;

    session->is_busy = true;
    while (status != FM_FRAME_READ_MORE && !session->is_doomed) {
        g_auto(FmFrame) frame = {0};

        status = fm_frame_reader_pop(session->reader, &frame);
        if (status == FM_FRAME_READ_OK) {
            session->has_ended = session->has_ended || frame.kind == FM_FRAME_END;
            if (frame.kind == FM_FRAME_NOTE) {
                follow_output(session, &frame);
            }
            session->frame_cb(session, &frame, session->user_data);
        }
    }
    session->is_busy = false;
    if (session->is_doomed) {
        fm_session_free(session);
        return false;
    }
    return true;
}

static void read_more(FmSession *session);

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(GError) error = NULL;
    gssize n = g_input_stream_read_finish(G_INPUT_STREAM(source), result, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return; /* the session was freed */
    }
    FmSession *session = (FmSession *)user_data;
    if (n > 0) {
        fm_frame_reader_push(session->reader, session->buffer, (gsize)n);
        if (deliver_frames(session)) {
            read_more(session);
        }
        return;
    }
    g_clear_error(&error);
    if (!session->has_ended) {
        fm_error_set(&error, FM_ERROR_GONE,
                     "The run host ended before the run was over; what was measured until then is "
                     "in “%s”",
                     session->output);
    }
    session->closed_cb(session, error, session->user_data);
}

static void
read_more(FmSession *session)
{
    g_input_stream_read_async(g_io_stream_get_input_stream(G_IO_STREAM(session->connection)),
                              session->buffer, READ_SIZE, G_PRIORITY_DEFAULT, session->cancellable,
                              read_cb, session);
}

void
fm_session_watch(FmSession *session, FmSessionFrameCallback frame, FmSessionClosedCallback closed,
                 gpointer user_data)
{
    g_return_if_fail(session->frame_cb == NULL && frame != NULL && closed != NULL);

    session->frame_cb = frame;
    session->closed_cb = closed;
    session->user_data = user_data;
    read_more(session);
}

guint64
fm_session_command(FmSession *session, FmFrameKind command)
{
    g_return_val_if_fail(
        command == FM_FRAME_PAUSE || command == FM_FRAME_RESUME || command == FM_FRAME_STOP, 0);
    g_auto(GVariantDict) dictionary = G_VARIANT_DICT_INIT(NULL);
    /* Random, since other viewers number theirs as well. */
    guint64 request = (guint64)g_random_int() << 32 | g_random_int();

    g_variant_dict_insert(&dictionary, "request", "t", request);
    fm_frame_encode_variant(session->waiting, command, session->sequence++,
                            g_variant_dict_end(&dictionary));
    write_commands(session);
    return request;
}
