/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host's side of one attached viewer: sends all frames so far and then the live
 * ones, takes commands.  A viewer that doesn't read is left behind, and dropped when
 * it has taken nothing for a while; it never holds up the run.  Host's main thread.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "host/journal.h"

G_BEGIN_DECLS

typedef struct FmFeed FmFeed;

/* A viewer asks for PAUSE, RESUME or STOP, or says HELLO. */
typedef void (*FmFeedCommandCallback)(FmFeed *feed, const FmFrame *command, gpointer user_data);
/* The viewer is gone or was dropped; from the main loop, so the feed may be freed. */
typedef void (*FmFeedClosedCallback)(FmFeed *feed, gpointer user_data);

typedef struct {
    FmJournal *journal; /* must outlive the feed */
    FmFeedCommandCallback command;
    FmFeedClosedCallback closed;
    gpointer user_data;
} FmFeedOptions;

FmFeed *fm_feed_new(GSocketConnection *connection, const FmFeedOptions *options);
/* Closes the connection. */
void fm_feed_free(FmFeed *feed);

/* Sends what is new, as far as the viewer takes it. */
void fm_feed_pump(FmFeed *feed);
/* Whether the viewer has everything there is. */
bool fm_feed_is_drained(const FmFeed *feed);

G_END_DECLS
