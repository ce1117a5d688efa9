/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Three streams meet here, all on one main loop: frames of the worker go into the
 * journal, the journal feeds viewers, commands of viewers go to the worker.  Nothing
 * a viewer does can hold up the run.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "host/host.h"

#include "base/error.h"
#include "base/exit-code.h"
#include "host/child.h"
#include "host/feed.h"
#include "host/journal.h"
#include "host/run-entry.h"
#include "host/session.h"
#include "platform/local-socket.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "store/library.h"

#include <string.h>
#include <unistd.h>

enum {
    TICK_INTERVAL_MS = 1000,
    /* After END the worker has nothing left to do. */
    WORKER_LINGER_SECONDS = 2,
    /* A drive that does not answer for so long after STOP is not going to. */
    STOP_TIMEOUT_SECONDS = 90,
    /* A killed process that is still there waits in the kernel for its drive. */
    KILL_SECONDS = 1,
    /* How long viewers may take to read the end of a run. */
    DRAIN_SECONDS = 5,
    DRAIN_INTERVAL_MS = 10,
    MAX_VIEWERS = 64,
};

typedef struct {
    GMainLoop *loop;
    char *dir;
    FmSessionInfo *info;
    FmJournal *journal;
    FmChild *child;
    FmInhibitor *inhibitor;
    FmDriveClaim *claim;
    FmMessage *shared_note; /* told once the run has begun: who else is on the drive; or NULL */
    GSocket *listener;
    GSource *accepting;
    GPtrArray *feeds; /* of FmFeed */
    char *outcome; /* END's, once the worker said it; NULL before */
    FmMessage *reason;
    bool was_greeted; /* some viewer has been here */
    bool is_over; /* END is written */
    guint kill_timer;
    guint drain_timer;
    gint64 drain_deadline_us; /* monotonic */
} FmHost;

/* --- What the host itself has to say -------------------------------------------------- */

static void
append_variant(FmHost *host, FmFrameKind kind, GVariant *dictionary)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();

    fm_frame_encode_variant(frame, kind, 0, dictionary);
    fm_journal_append(host->journal, kind, frame->data + FM_FRAME_HEADER_SIZE,
                      frame->len - FM_FRAME_HEADER_SIZE);
}

static void
append_note(FmHost *host, const char *kind, const FmMessage *text)
{
    g_auto(GVariantDict) note = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&note, "kind", "s", kind);
    fm_message_insert(&note, "text", text);
    append_variant(host, FM_FRAME_NOTE, g_variant_dict_end(&note));
}

static void
pump_feeds(FmHost *host)
{
    for (guint i = 0; i < host->feeds->len; i++) {
        fm_feed_pump((FmFeed *)g_ptr_array_index(host->feeds, i));
    }
}

/* A run file that can't be written never ends the run; it is told instead. */
static void
tell_storage_error(FmHost *host, const GError *error)
{
    g_auto(GVariantDict) note = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(FmMessage) text = fm_error_dup_message(error);
    g_autoptr(GError) lower = NULL;

    g_free(host->info->output);
    host->info->output = g_strdup(fm_journal_get_path(host->journal));
    g_variant_dict_insert(&note, "kind", "s", "warning");
    fm_message_insert(&note, "text", text);
    g_variant_dict_insert(&note, "output", "s", host->info->output);
    append_variant(host, FM_FRAME_NOTE, g_variant_dict_end(&note));
    if (!fm_run_entry_write(host->dir, host->info, &lower)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
        append_note(host, "warning", reason);
    }
}

/* False when the storage failed and a note says so. */
static bool
flush_if_due(FmHost *host)
{
    g_autoptr(GError) error = NULL;
    bool is_kept = fm_journal_tick(host->journal, &error);

    if (!is_kept) {
        tell_storage_error(host, error);
    }
    return is_kept;
}

static void
flush(FmHost *host, bool durable)
{
    g_autoptr(GError) error = NULL;

    if (!fm_journal_flush(host->journal, durable, &error)) {
        tell_storage_error(host, error);
    }
}

/* --- The end --------------------------------------------------------------------------- */

/* Lets go of viewers that have everything. */
static void
close_drained_feeds(FmHost *host)
{
    for (guint i = host->feeds->len; i > 0; i--) {
        FmFeed *feed = (FmFeed *)g_ptr_array_index(host->feeds, i - 1);
        if (fm_feed_is_drained(feed)) {
            g_ptr_array_remove_index(host->feeds, i - 1);
        }
    }
}

/* After the end: quits when every viewer has everything, or has had time enough. */
static gboolean
drain_cb(gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;
    bool is_late = g_get_monotonic_time() > host->drain_deadline_us;

    if (host->was_greeted) {
        close_drained_feeds(host);
    }
    if (is_late || (host->was_greeted && host->feeds->len == 0)) {
        g_main_loop_quit(host->loop);
    }
    return G_SOURCE_CONTINUE;
}

static void
append_end(FmHost *host)
{
    g_auto(GVariantDict) end = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&end, "outcome", "s", host->outcome);
    fm_message_insert(&end, "reason", host->reason);
    g_variant_dict_insert(&end, "wall", "x", (gint64)g_get_real_time());
    g_variant_dict_insert(&end, "run-file-bytes", "t",
                          (guint64)fm_journal_get_written(host->journal));
    append_variant(host, FM_FRAME_END, g_variant_dict_end(&end));
}

/* No more viewers; who is there gets the rest, within limits. */
static void
close_doors(FmHost *host)
{
    g_source_destroy(host->accepting);
    fm_run_entry_remove(host->dir, host->info->id, host->info->socket);
    g_socket_close(host->listener, NULL);
}

/* The worker is gone and everything it said was read. */
static void
finish(FmHost *host)
{
    g_autoptr(GError) error = NULL;

    plat_test_files_clean();
    /* Before viewers hear of the end: one of them may begin the next run. */
    g_clear_pointer(&host->claim, plat_drive_claim_free);
    flush(host, false);
    append_end(host);
    if (strcmp(host->outcome, "refused") == 0) {
        fm_journal_discard(host->journal);
    } else {
        /* Even the last frame may find the disk full. */
        flush(host, true);
        if (!fm_journal_close(host->journal, &error)) {
            g_debug("%s", error->message);
        }
    }
    host->is_over = true;
    pump_feeds(host);
    host->drain_deadline_us = g_get_monotonic_time() + DRAIN_SECONDS * G_USEC_PER_SEC;
    host->drain_timer = g_timeout_add(DRAIN_INTERVAL_MS, drain_cb, host);
    /* A run that was over at once: whoever started it is still on the way. */
    if (host->was_greeted) {
        close_doors(host);
    }
}

/* --- The worker ------------------------------------------------------------------------ */

/* @how the worker ended is the reason, unless it has told one itself. */
static void
conclude(FmHost *host, FmMessage *how)
{
    g_clear_handle_id(&host->kill_timer, g_source_remove);
    if (host->outcome == NULL) {
        host->outcome = g_strdup("failed");
        host->reason = fm_message_ref(how);
        append_note(host, "error", how);
    }
    finish(host);
}

static gboolean
give_up_cb(gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;

    host->kill_timer = 0;
    g_clear_pointer(&host->child, fm_child_free);
    g_autoptr(FmMessage) how = fm_message_new(
        "The worker can't be ended: it waits in the kernel for a drive that does not answer.");
    conclude(host, how);
    return G_SOURCE_REMOVE;
}

static gboolean
kill_cb(gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;

    if (host->outcome == NULL) {
        g_autoptr(FmMessage) text =
            fm_message_new("The worker did not stop in time and was ended.");
        append_note(host, "error", text);
    }
    fm_child_kill(host->child);
    host->kill_timer = g_timeout_add_seconds(KILL_SECONDS, give_up_cb, host);
    return G_SOURCE_REMOVE;
}

static void
kill_after(FmHost *host, guint seconds)
{
    g_clear_handle_id(&host->kill_timer, g_source_remove);
    host->kill_timer = g_timeout_add_seconds(seconds, kill_cb, host);
}

static void
keep_outcome(FmHost *host, const FmFrame *frame)
{
    g_autoptr(GVariant) end = fm_frame_get_variant(frame, NULL);

    g_clear_pointer(&host->outcome, g_free);
    g_clear_pointer(&host->reason, fm_message_unref);
    if (end == NULL || !g_variant_lookup(end, "outcome", "s", &host->outcome)) {
        host->outcome = g_strdup("failed");
    }
    host->reason = end != NULL ? fm_message_lookup(end, "reason") : NULL;
}

/* The worker acknowledged a pause, a resume or a stop. */
static bool
is_acknowledgement(const FmFrame *frame)
{
    g_autoptr(GVariant) note =
        frame->kind == FM_FRAME_NOTE ? fm_frame_get_variant(frame, NULL) : NULL;
    guint64 request;

    return note != NULL && g_variant_lookup(note, "request", "t", &request);
}

/* What makes a run readable, what ends a step and what "status" tells is on disk at once. */
static bool
is_worth_flushing(const FmFrame *frame)
{
    FmFrameKind kind = frame->kind;

    return kind == FM_FRAME_HELLO || kind == FM_FRAME_TARGET || kind == FM_FRAME_PLAN ||
           kind == FM_FRAME_PHASE_BEGIN || kind == FM_FRAME_PHASE_END || is_acknowledgement(frame);
}

static void
child_frame_cb(FmChild *child, const FmFrame *frame, gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;
    gsize length;

    /* END is written last, when everything else was read; only the first one counts. */
    if (frame->kind == FM_FRAME_END) {
        if (host->outcome == NULL) {
            keep_outcome(host, frame);
            kill_after(host, WORKER_LINGER_SECONDS);
        }
        return;
    }
    const void *payload = g_bytes_get_data(frame->payload, &length);
    fm_journal_append(host->journal, frame->kind, payload, length);
    if (frame->kind == FM_FRAME_HELLO && host->shared_note != NULL) {
        append_note(host, "warning", host->shared_note);
        g_clear_pointer(&host->shared_note, fm_message_unref);
    }
    if (is_worth_flushing(frame)) {
        flush(host, false);
    }
}

static void
child_batch_cb(FmChild *child, gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;

    /* By size, not only by the clock: a day of virtual time takes seconds. */
    flush_if_due(host);
    pump_feeds(host);
}

static void
child_log_cb(FmChild *child, const char *kind, const FmMessage *line, gpointer user_data)
{
    append_note((FmHost *)user_data, kind, line);
}

static void
child_ended_cb(FmChild *child, FmMessage *how, gpointer user_data)
{
    conclude((FmHost *)user_data, how);
}

/* --- Viewers --------------------------------------------------------------------------- */

static void
send_command(FmHost *host, FmFrameKind command, GBytes *payload)
{
    gsize length = 0;
    const void *data = payload != NULL ? g_bytes_get_data(payload, &length) : NULL;

    if (host->outcome != NULL) {
        return;
    }
    if (!fm_child_send(host->child, command, data, length)) {
        g_autoptr(FmMessage) text = fm_message_new("The worker takes no commands at the moment.");
        append_note(host, "warning", text);
    }
    if (command == FM_FRAME_STOP && host->kill_timer == 0) {
        kill_after(host, STOP_TIMEOUT_SECONDS);
    }
}

static void
feed_command_cb(FmFeed *feed, const FmFrame *command, gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;

    if (command->kind != FM_FRAME_HELLO) {
        send_command(host, command->kind, command->payload);
    } else if (!host->was_greeted) {
        host->was_greeted = true;
        if (host->is_over) {
            close_doors(host);
        }
    }
}

static void
feed_closed_cb(FmFeed *feed, gpointer user_data)
{
    g_ptr_array_remove(((FmHost *)user_data)->feeds, feed);
}

static gboolean
accept_cb(GSocket *listener, GIOCondition condition, gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;
    g_autoptr(GSocket) socket = g_socket_accept(listener, NULL, NULL);

    if (socket == NULL) {
        return G_SOURCE_CONTINUE;
    }
    if (host->feeds->len >= MAX_VIEWERS || !plat_socket_is_peer_allowed(socket)) {
        g_socket_close(socket, NULL);
        return G_SOURCE_CONTINUE;
    }
    g_autoptr(GSocketConnection) connection = g_socket_connection_factory_create_connection(socket);
    FmFeedOptions options = {
        .journal = host->journal,
        .command = feed_command_cb,
        .closed = feed_closed_cb,
        .user_data = host,
    };
    FmFeed *feed = fm_feed_new(connection, &options);
    g_ptr_array_add(host->feeds, feed);
    fm_feed_pump(feed);
    return G_SOURCE_CONTINUE;
}

/* --- Timers and signals ---------------------------------------------------------------- */

static gboolean
tick_cb(gpointer user_data)
{
    FmHost *host = (FmHost *)user_data;

    if (!flush_if_due(host)) {
        pump_feeds(host);
    }
    return G_SOURCE_CONTINUE;
}

/* A polite request to end, such as a shutdown: the run is stopped in order. */
static gboolean
terminate_cb(gpointer user_data)
{
    send_command((FmHost *)user_data, FM_FRAME_STOP, NULL);
    return G_SOURCE_CONTINUE;
}

/* --- The start ------------------------------------------------------------------------- */

/* Reads the request, one START frame, from standard input. */
static GVariant *
read_request(GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_auto(FmFrame) frame = {0};
    uint8_t bytes[4096];
    ssize_t n;

    while ((n = read(STDIN_FILENO, bytes, sizeof bytes)) > 0) {
        fm_frame_reader_push(reader, bytes, (gsize)n);
    }
    if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK || frame.kind != FM_FRAME_START) {
        fm_error_set(error, FM_ERROR_PROTOCOL, "The run host got no request");
        return NULL;
    }
    return fm_frame_get_variant(&frame, error);
}

static void
reply(FmFrameKind kind, GVariant *dictionary)
{
    g_autoptr(GByteArray) frame = g_byte_array_new();

    fm_frame_encode_variant(frame, kind, 0, dictionary);
    for (guint sent = 0; sent < frame->len;) {
        ssize_t n = write(STDOUT_FILENO, frame->data + sent, frame->len - sent);
        if (n <= 0) {
            return; /* whoever asked is gone; the run goes on */
        }
        sent += (guint)n;
    }
}

static void
reply_ready(FmHost *host)
{
    g_auto(GVariantDict) hello = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&hello, "role", "s", "host");
    g_variant_dict_insert(&hello, "version", "s", FM_VERSION);
    g_variant_dict_insert(&hello, "id", "s", host->info->id);
    g_variant_dict_insert(&hello, "socket", "s", host->info->socket);
    g_variant_dict_insert(&hello, "output", "s", host->info->output);
    reply(FM_FRAME_HELLO, g_variant_dict_end(&hello));
}

static void
reply_failed(const GError *error)
{
    g_auto(GVariantDict) end = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(FmMessage) reason = fm_error_dup_message(error);

    g_variant_dict_insert(&end, "outcome", "s", "refused");
    fm_message_insert(&end, "reason", reason);
    if (error->domain == FM_ERROR) {
        g_variant_dict_insert(&end, "code", "i", (gint32)error->code);
    }
    reply(FM_FRAME_END, g_variant_dict_end(&end));
}

static char *
dup_string(GVariant *dictionary, const char *key)
{
    char *value = NULL;

    if (!g_variant_lookup(dictionary, key, "s", &value)) {
        value = g_strdup("");
    }
    return value;
}

/* The run file asked for, else a new one in the library; and one to fall back to. */
static bool
open_journal(FmHost *host, GVariant *request, GError **error)
{
    g_autofree char *output = dup_string(request, "output");
    g_autofree char *drive = dup_string(request, "drive");
    g_autofree char *name = g_strdup_printf("%s.fathom", host->info->id);
    g_autofree char *fallback = g_build_filename(host->dir, name, NULL);

    if (*output == '\0') {
        g_free(output);
        output = fm_library_new_path(host->info->plan_id, *drive != '\0' ? drive : NULL,
                                     host->info->wall_us);
    }
    host->info->output = g_steal_pointer(&output);
    host->journal = fm_journal_new(host->info->output, fallback, error);
    return host->journal != NULL;
}

/* Names of the drives below @target; empty for what is no place. */
static GStrv
list_drives(const char *target)
{
    g_autoptr(GStrvBuilder) names = g_strv_builder_new();
    g_autoptr(GPtrArray) drives = g_path_is_absolute(target) ? plat_target_drives(target) : NULL;

    for (guint i = 0; drives != NULL && i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, i);
        g_autofree char *name = g_path_get_basename(drive->node);
        g_strv_builder_add(names, name);
    }
    return g_strv_builder_end(names);
}

static const FmSessionInfo *
find_run_on(GPtrArray *runs, const char *drive)
{
    for (guint i = 0; i < runs->len; i++) {
        const FmSessionInfo *info = (const FmSessionInfo *)g_ptr_array_index(runs, i);
        if (g_strv_contains((const char *const *)info->drives, drive)) {
            return info;
        }
    }
    return NULL;
}

static void
set_busy(const FmDriveClash *clash, const FmSessionInfo *other, GError **error)
{
    if (clash->is_foreign) {
        fm_error_set(error, FM_ERROR_BUSY,
                     "A run of another user is in progress on the drive “%s”; wait for its end, or "
                     "let the two disturb each other with --allow-shared",
                     clash->drive);
        return;
    }
    if (other == NULL) {
        fm_error_set(error, FM_ERROR_BUSY,
                     "Another run is about to begin on the drive “%s”; wait for its end, or let "
                     "the two disturb each other with --allow-shared",
                     clash->drive);
        return;
    }
    fm_error_set(error, FM_ERROR_BUSY,
                 "The run “%s” (%s) is in progress on the same drive, “%s”; wait for its end, "
                 "stop it with “fathom-cli stop %s”, or let the two disturb each other with "
                 "--allow-shared",
                 other->id, other->plan_id, clash->drive, other->id);
}

/* @runs: those in progress before this one. */
static bool
claim_drives(FmHost *host, GVariant *request, GPtrArray *runs, GError **error)
{
    gboolean is_shared = FALSE;
    FmDriveClash clash;

    g_variant_lookup(request, "allow-shared", "b", &is_shared);
    host->info->drives = list_drives(host->info->target);
    host->claim = plat_drive_claim_new((const char *const *)host->info->drives, is_shared, &clash);
    if (host->claim == NULL) {
        set_busy(&clash, find_run_on(runs, clash.drive), error);
        return false;
    }
    if (clash.drive != NULL) {
        host->shared_note = fm_message_new("Another run is in progress on the same drive, “%s”: "
                                           "the two disturb each other.",
                                           clash.drive);
    }
    return true;
}

/* START goes on to the worker as it came: it ignores the keys that are for the host. */
static bool
start_child(FmHost *host, GVariant *request, GError **error)
{
    static const FmChildCallbacks callbacks = {
        .frame = child_frame_cb,
        .batch = child_batch_cb,
        .log = child_log_cb,
        .ended = child_ended_cb,
    };
    g_autoptr(GByteArray) frame = g_byte_array_new();

    host->child = fm_child_new(&callbacks, host, error);
    if (host->child == NULL) {
        return false;
    }
    fm_frame_encode_variant(frame, FM_FRAME_START, 0, g_variant_ref(request));
    fm_child_send(host->child, FM_FRAME_START, frame->data + FM_FRAME_HEADER_SIZE,
                  frame->len - FM_FRAME_HEADER_SIZE);
    return true;
}

static bool
start(FmHost *host, GError **error)
{
    g_autoptr(GVariant) request = read_request(error);
    if (request == NULL) {
        return false;
    }
    host->dir = fm_run_entry_dir(error);
    if (host->dir == NULL) {
        return false;
    }
    /* Cleans up after killed runs before this one begins. */
    g_autoptr(GPtrArray) runs = fm_run_entry_list(host->dir);

    host->info->id = fm_run_entry_new_id(host->dir);
    host->info->plan_id = dup_string(request, "plan-id");
    host->info->target = dup_string(request, "target");
    host->info->wall_us = g_get_real_time();
    host->info->pid = (guint)getpid();
    if (!claim_drives(host, request, runs, error)) {
        return false;
    }
    host->listener = fm_run_entry_listen(host->dir, host->info->id, &host->info->socket, error);
    if (host->listener == NULL || !open_journal(host, request, error)) {
        return false;
    }
    if (!fm_run_entry_write(host->dir, host->info, error) || !start_child(host, request, error)) {
        fm_journal_discard(host->journal);
        return false;
    }
    return true;
}

static void
run(FmHost *host)
{
    guint tick = g_timeout_add(TICK_INTERVAL_MS, tick_cb, host);

    plat_process_watch_requests(terminate_cb, host);
    host->accepting = g_socket_create_source(host->listener, G_IO_IN, NULL);
    g_source_set_callback(host->accepting, G_SOURCE_FUNC(accept_cb), host, NULL);
    g_source_attach(host->accepting, NULL);
    host->inhibitor = plat_inhibit("A benchmark is running");

    g_main_loop_run(host->loop);

    plat_inhibit_release(host->inhibitor);
    g_source_remove(tick);
    g_clear_handle_id(&host->drain_timer, g_source_remove);
}

static void
clear(FmHost *host)
{
    if (host->info->socket != NULL) {
        fm_run_entry_remove(host->dir, host->info->id, host->info->socket);
    }
    g_ptr_array_unref(host->feeds);
    fm_child_free(host->child);
    fm_journal_free(host->journal);
    if (host->accepting != NULL) {
        g_source_destroy(host->accepting);
        g_source_unref(host->accepting);
    }
    g_clear_object(&host->listener);
    g_main_loop_unref(host->loop);
    plat_drive_claim_free(host->claim);
    fm_message_unref(host->shared_note);
    fm_session_info_free(host->info);
    g_free(host->outcome);
    fm_message_unref(host->reason);
    g_free(host->dir);
}

int
fm_host_main(void)
{
    FmHost host = {
        .loop = g_main_loop_new(NULL, FALSE),
        .info = g_new0(FmSessionInfo, 1),
        .feeds = g_ptr_array_new_with_free_func((GDestroyNotify)fm_feed_free),
    };
    g_autoptr(GError) error = NULL;

    plat_process_guard_signals();
    plat_process_detach();
    bool is_started = start(&host, &error);
    if (is_started) {
        reply_ready(&host);
    } else {
        reply_failed(error);
    }
    plat_process_release_stdio();
    if (is_started) {
        run(&host);
    }
    bool is_complete = is_started && g_strcmp0(host.outcome, "complete") == 0;
    clear(&host);
    return is_complete ? FM_EXIT_OK : FM_EXIT_FAILED;
}
