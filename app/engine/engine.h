/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs a plan on a target and emits frames.  The caller's thread is the control
 * thread; it returns when the run is over.  I/O threads, the reporter and the log
 * writer live inside.  Pause, resume and stop may come from any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/frame.h"
#include "model/plan.h"
#include "model/target.h"
#include "platform/backend.h"

G_BEGIN_DECLS

/* Where frames go.  Called from the control thread and the reporter, never at the
 * same time; payloads are encoded by the engine. */
typedef struct {
    void (*emit)(gpointer user_data, FmFrameKind kind, const void *payload, gsize length);
    /* Waits until what was emitted is on its way.  Only called on virtual time, where
     * nobody is disturbed by it; may be NULL. */
    void (*wait)(gpointer user_data);
    gpointer user_data;
} FmSink;

typedef struct {
    const FmPlan *plan;
    FmTarget *target; /* examined; the guard completes size and verdict */
    const char *backend; /* name, or NULL = probe the best */
    const char *backend_options;
    bool allow_buffered; /* the user said yes to a target that may be cached or is memory */
    uint64_t keep_free; /* bytes that must stay free on the volume */
    int64_t patience_ms; /* how long to wait for I/Os that do not come back; 0 = 35 s */
    const char *const
        *settings; /* as the user gave them, for the record; NULL-terminated, or NULL */
    FmSink sink;
} FmEngineOptions;

/* How a run or step ended.  The names are the file format. */
typedef enum {
    FM_OUTCOME_COMPLETE,
    FM_OUTCOME_STOPPED, /* on request; data so far is kept */
    FM_OUTCOME_FAILED, /* an error; data so far is kept */
    FM_OUTCOME_REFUSED, /* nothing was done */
    FM_OUTCOME_SKIPPED, /* a step that does not fit this target, with the reason */
} FmOutcome;

typedef struct FmEngine FmEngine;

FmEngine *fm_engine_new(const FmEngineOptions *options);
void fm_engine_free(FmEngine *engine);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmEngine, fm_engine_free)

/* Runs to the end.  @error is set for FAILED and REFUSED. */
FmOutcome fm_engine_run(FmEngine *engine, GError **error);

void fm_engine_pause(FmEngine *engine);
void fm_engine_resume(FmEngine *engine);
void fm_engine_stop(FmEngine *engine);

/* After the run: some I/O never came back, and its thread is still in the kernel.  The
 * process should end soon; only that gives the buffers back. */
bool fm_engine_is_stuck(const FmEngine *engine);

const char *fm_outcome_name(FmOutcome outcome);

G_END_DECLS
