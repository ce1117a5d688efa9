/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames on their way to the run host.  A thread of its own does the writing, so
 * that a host that is slow or stopped never holds up whoever emits: what waits is
 * kept in memory without a limit, because results must not be lost, and its peak is
 * accounted.  Any thread may emit.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "model/frame.h"

G_BEGIN_DECLS

typedef struct FmOutbox FmOutbox;

/* Called once, on the writer's thread, when nobody reads any more. */
typedef void (*FmOutboxBrokenCallback)(gpointer user_data);

/* @descriptor stays the caller's. */
FmOutbox *fm_outbox_new(int descriptor, FmOutboxBrokenCallback broken, gpointer user_data);
/* Call fm_outbox_finish() first: what still waits is dropped. */
void fm_outbox_free(FmOutbox *outbox);

void fm_outbox_emit(FmOutbox *outbox, FmFrameKind kind, const void *payload, gsize length);
/* Takes the floating a{sv}. */
void fm_outbox_emit_variant(FmOutbox *outbox, FmFrameKind kind, GVariant *dictionary);
/* A NOTE of @kind ("error", "warning", "decision"). */
void fm_outbox_note(FmOutbox *outbox, const char *kind, const FmMessage *text);

/* Waits until the writer has taken what waits: at most one write is behind then. */
void fm_outbox_wait_taken(FmOutbox *outbox);

/* Waits until everything was written, or nobody reads any more.  No frame may be
 * emitted afterwards. */
void fm_outbox_finish(FmOutbox *outbox);

/* Most bytes that ever waited. */
uint64_t fm_outbox_get_peak(FmOutbox *outbox);

G_END_DECLS
