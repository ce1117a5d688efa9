/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of a run share: the target as it is open now, the sink, and the
 * requests that came in from outside.  Internal to the engine; control thread, except
 * where a field says otherwise.
 */
#pragma once

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/engine.h"
#include "platform/backend.h"
#include "platform/platform-io.h"

G_BEGIN_DECLS

typedef struct {
    const FmEngineOptions *options;
    uint64_t seed;

    /* The target of this run. */
    char *path; /* what backends open */
    uint64_t size;
    uint32_t block_size;
    bool direct_refused; /* the file system has no direct I/O; used only after a yes */
    FmBackendTarget *sim_target; /* open for the whole run, so that the model keeps its state */
    FmMessage *refusals; /* what was tried while probing, and why not; NULL = nothing */
    bool usual_was_refused; /* one of these is what most drives can do */
    const FmBackend *backend; /* for reads and writes; chosen by probing or by name */
    const FmBackend *below; /* for filters */

    /* Clock: first pair of the run, for a long base line. */
    FmClockPair clock;

    FmMessage *told_fallback; /* the last one told of leaving the run's backend */
    bool told_crowded; /* once a run: more I/O threads than CPUs */

    /* A thread is stuck in the kernel for ever; the process must end by itself. */
    bool stuck;

    /* --- any thread */
    _Atomic bool stop_requested;
    _Atomic bool pause_requested;
} FmRunContext;

/* Encodes @dictionary (floating or owned; taken) and emits it. */
void fm_run_emit(FmRunContext *run, FmFrameKind kind, GVariant *dictionary);

/* A NOTE.  @step -1 = of the run as a whole; @format as in message.h. */
void fm_run_note(FmRunContext *run, const char *kind, int64_t step, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

/* Nanoseconds of the run's clock: monotonic or virtual. */
int64_t fm_run_now_ns(FmRunContext *run);

/*
 * Lets @ns pass; on virtual time at once.  Ends early on stop.  Returns false then.
 */
bool fm_run_rest(FmRunContext *run, int64_t ns);

G_END_DECLS
