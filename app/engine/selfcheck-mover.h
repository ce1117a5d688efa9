/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One backend open on the file of a self-check, moving blocks on the calling thread.
 * Internal to selfcheck*.c.  Not for measuring: it checks, allocates and waits as it
 * likes.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/selfcheck.h"
#include "platform/backend.h"
#include "platform/platform-io.h"

G_BEGIN_DECLS

enum {
    FM_MOVER_DEPTH = 8,
    FM_MOVER_BLOCK = 64 * 1024,
};

typedef struct {
    const FmSelfcheckOptions *options;
    const FmBackend *backend;
    FmBackendTarget *target;
    FmQueue *queue;
    FmIoMemory memory; /* FM_MOVER_DEPTH blocks */
} FmMover;

/* Opens; the queue is the calling thread's.  FM_ERROR_UNSUPPORTED = not possible here. */
bool fm_mover_open(FmMover *mover, const FmSelfcheckOptions *options, const FmBackend *backend,
                   GError **error);
void fm_mover_close(FmMover *mover);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmMover, fm_mover_close)

/*
 * Does one I/O with the first block of memory and waits for it.  Returns its status:
 * bytes moved or a negative native code; INT32_MIN when it did not complete in ten
 * seconds or came back as something else than it was.
 */
int32_t fm_mover_do(FmMover *mover, const FmIo *io);

/* Many I/Os in flight, each block of @size once in an order given by @seed.  Writes what
 * @seed makes, or reads and compares with it.  Returns NULL, or what went wrong. */
FmMessage *fm_mover_pass(FmMover *mover, FmOp op, uint64_t size, uint64_t seed);

/* As text: "Invalid argument", "4096 bytes", "no answer".  Caller frees. */
FmMessage *fm_mover_status_text(int32_t status);

G_END_DECLS
