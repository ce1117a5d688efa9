/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything is non-blocking; the position in the journal is all the state there is.
 */
#define G_LOG_DOMAIN "fathom"

#include "host/feed.h"

enum {
    CHUNK_SIZE = 256 * 1024,
    /* A viewer that takes nothing for so long is stuck, stopped or hostile. */
    STUCK_SECONDS = 30,
    /* Commands are small; whoever sends more than this sends no commands. */
    MAX_COMMAND_BYTES = 4096,
};

struct FmFeed {
    FmFeedOptions options;
    GSocketConnection *connection;
    GSource *readable;
    GSource *writable; /* NULL = not waiting to send */
    guint stuck_timer; /* runs while waiting to send */
    guint closed_idle; /* tells the host, who may then free the feed */
    FmFrameReader *reader;
    uint64_t position; /* next byte of the journal to put into @chunk */
    uint8_t *chunk;
    gsize chunk_length;
    gsize chunk_sent;
    gsize command_bytes; /* received since the last whole command */
    bool is_closed;
};

static void
stop_waiting(FmFeed *feed)
{
    if (feed->writable != NULL) {
        g_source_destroy(feed->writable);
        g_clear_pointer(&feed->writable, g_source_unref);
    }
    g_clear_handle_id(&feed->stuck_timer, g_source_remove);
}

static gboolean
closed_cb(gpointer user_data)
{
    FmFeed *feed = (FmFeed *)user_data;

    feed->closed_idle = 0;
    feed->options.closed(feed, feed->options.user_data);
    return G_SOURCE_REMOVE;
}

static void
drop(FmFeed *feed)
{
    if (!feed->is_closed) {
        feed->is_closed = true;
        stop_waiting(feed);
        g_source_destroy(feed->readable);
        feed->closed_idle = g_idle_add(closed_cb, feed);
    }
}

/* --- Commands ------------------------------------------------------------------------- */

/* False = the viewer sends no commands but something else. */
static bool
handle_frames(FmFeed *feed)
{
    while (!feed->is_closed) {
        g_auto(FmFrame) frame = {0};

        switch (fm_frame_reader_pop(feed->reader, &frame)) {
        case FM_FRAME_READ_OK:
            feed->command_bytes = 0;
            if (frame.kind == FM_FRAME_PAUSE || frame.kind == FM_FRAME_RESUME ||
                frame.kind == FM_FRAME_STOP || frame.kind == FM_FRAME_HELLO) {
                feed->options.command(feed, &frame, feed->options.user_data);
            }
            break;
        case FM_FRAME_READ_MORE:
            return feed->command_bytes <= MAX_COMMAND_BYTES;
        case FM_FRAME_READ_CORRUPT:
            return false;
        }
    }
    return true;
}

/* Takes what has arrived.  False = the viewer is gone or sends something else. */
static bool
read_commands(FmFeed *feed)
{
    GPollableInputStream *input =
        G_POLLABLE_INPUT_STREAM(g_io_stream_get_input_stream(G_IO_STREAM(feed->connection)));

    while (true) {
        g_autoptr(GError) error = NULL;
        uint8_t bytes[MAX_COMMAND_BYTES];
        gssize n =
            g_pollable_input_stream_read_nonblocking(input, bytes, sizeof bytes, NULL, &error);
        if (n <= 0) {
            return g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK);
        }
        fm_frame_reader_push(feed->reader, bytes, (gsize)n);
        feed->command_bytes += (gsize)n;
        if (!handle_frames(feed)) {
            return false;
        }
    }
}

static gboolean
readable_cb(GObject *stream, gpointer user_data)
{
    FmFeed *feed = (FmFeed *)user_data;

    if (!read_commands(feed)) {
        drop(feed);
        return G_SOURCE_REMOVE;
    }
    return G_SOURCE_CONTINUE;
}

/* --- Sending ------------------------------------------------------------------------ */

static gboolean
stuck_cb(gpointer user_data)
{
    FmFeed *feed = (FmFeed *)user_data;

    feed->stuck_timer = 0;
    drop(feed);
    return G_SOURCE_REMOVE;
}

static gboolean
writable_cb(GObject *stream, gpointer user_data)
{
    FmFeed *feed = (FmFeed *)user_data;

    stop_waiting(feed);
    fm_feed_pump(feed);
    return G_SOURCE_REMOVE;
}

static void
wait_until_writable(FmFeed *feed, GPollableOutputStream *output)
{
    feed->writable = g_pollable_output_stream_create_source(output, NULL);
    g_source_set_callback(feed->writable, G_SOURCE_FUNC(writable_cb), feed, NULL);
    g_source_attach(feed->writable, NULL);
    feed->stuck_timer = g_timeout_add_seconds(STUCK_SECONDS, stuck_cb, feed);
}

/* Fills the chunk.  False = nothing to send now, or the feed was dropped. */
static bool
fill_chunk(FmFeed *feed)
{
    gssize n = fm_journal_read(feed->options.journal, feed->position, feed->chunk, CHUNK_SIZE);

    if (n < 0) {
        drop(feed);
        return false;
    }
    feed->chunk_sent = 0;
    feed->chunk_length = (gsize)n;
    feed->position += (gsize)n;
    return n > 0;
}

void
fm_feed_pump(FmFeed *feed)
{
    GPollableOutputStream *output =
        G_POLLABLE_OUTPUT_STREAM(g_io_stream_get_output_stream(G_IO_STREAM(feed->connection)));

    while (!feed->is_closed && feed->writable == NULL) {
        if (feed->chunk_sent == feed->chunk_length && !fill_chunk(feed)) {
            return;
        }
        g_autoptr(GError) error = NULL;
        gssize n = g_pollable_output_stream_write_nonblocking(
            output, feed->chunk + feed->chunk_sent, feed->chunk_length - feed->chunk_sent, NULL,
            &error);
        if (n > 0) {
            feed->chunk_sent += (gsize)n;
        } else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_WOULD_BLOCK)) {
            wait_until_writable(feed, output);
        } else {
            /* Who is gone may have said something before. */
            read_commands(feed);
            drop(feed);
        }
    }
}

bool
fm_feed_is_drained(const FmFeed *feed)
{
    return feed->chunk_sent == feed->chunk_length &&
           feed->position == fm_journal_get_length(feed->options.journal);
}

FmFeed *
fm_feed_new(GSocketConnection *connection, const FmFeedOptions *options)
{
    FmFeed *feed = g_new0(FmFeed, 1);

    feed->options = *options;
    feed->connection = g_object_ref(connection);
    feed->reader = fm_frame_reader_new();
    feed->chunk = (uint8_t *)g_malloc(CHUNK_SIZE);
    GPollableInputStream *input =
        G_POLLABLE_INPUT_STREAM(g_io_stream_get_input_stream(G_IO_STREAM(connection)));
    feed->readable = g_pollable_input_stream_create_source(input, NULL);
    g_source_set_callback(feed->readable, G_SOURCE_FUNC(readable_cb), feed, NULL);
    g_source_attach(feed->readable, NULL);
    return feed;
}

void
fm_feed_free(FmFeed *feed)
{
    if (feed == NULL) {
        return;
    }
    feed->is_closed = true;
    stop_waiting(feed);
    g_clear_handle_id(&feed->closed_idle, g_source_remove);
    g_source_destroy(feed->readable);
    g_source_unref(feed->readable);
    g_io_stream_close(G_IO_STREAM(feed->connection), NULL, NULL);
    g_object_unref(feed->connection);
    fm_frame_reader_free(feed->reader);
    g_free(feed->chunk);
    g_free(feed);
}
