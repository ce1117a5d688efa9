/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worker process as its host sees it: frames come out, commands go in, what it
 * prints on standard error are lines for the record.  Everything is asynchronous on
 * the host's main loop.
 */
#pragma once

#include <gio/gio.h>
#include <stdbool.h>

#include "base/message.h"
#include "model/frame.h"

G_BEGIN_DECLS

typedef struct FmChild FmChild;

typedef struct {
    void (*frame)(FmChild *child, const FmFrame *frame, gpointer user_data);
    /* After some frames: the moment to pass them on. */
    void (*batch)(FmChild *child, gpointer user_data);
    /* NOTE kind "log" for a line of standard error, "warning" for a damaged stream. */
    void (*log)(FmChild *child, const char *kind, const FmMessage *line, gpointer user_data);
    /* The process is gone and everything was read; @how is a sentence. */
    void (*ended)(FmChild *child, FmMessage *how, gpointer user_data);
} FmChildCallbacks;

FmChild *fm_child_new(const FmChildCallbacks *callbacks, gpointer user_data, GError **error);
/* Closes the pipes, which makes a living worker end in order. */
void fm_child_free(FmChild *child);

/* Queues a command.  False when too much waits already because the worker is stuck. */
bool fm_child_send(FmChild *child, FmFrameKind kind, const void *payload, gsize length);

void fm_child_kill(FmChild *child);

G_END_DECLS
