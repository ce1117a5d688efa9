/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as its frames fold up: what was asked for, where, and what came out.  A
 * saved file and a live feed are folded by the same calls, so a viewer and the
 * library see the same thing.  Plain data; one thread at a time.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "model/facts.h"
#include "model/frame.h"
#include "model/op.h"

G_BEGIN_DECLS

/* One step as PHASE_BEGIN ... PHASE_END describe it. */
typedef struct {
    unsigned number;
    char *path;
    char *kind;
    char *label;
    char *workload;
    GVariant *parameters; /* a{sv}, never NULL */
    GVariant *streams; /* aa{sv}, never NULL */
    bool discard;
    char *backend;
    char *mode;
    FmFacts *backend_facts;
    int64_t ramp_ns;

    bool ended; /* PHASE_END was seen; what follows is unknown otherwise */
    char *outcome;
    char *reason;
    char *ended_by;
    int64_t measured_ns;
    uint64_t ios[FM_N_OPS];
    uint64_t bytes[FM_N_OPS];
    uint64_t latency_sum_ns[FM_N_OPS];
    uint64_t errors;
    int64_t cpu_ns; /* -1 = unknown */
    double in_flight_mean; /* NaN = unknown */
    unsigned in_flight; /* what was asked for, all streams */
    bool host_limited;
    char *host_limited_reason;
    GVariant *end; /* the whole PHASE_END dictionary, or NULL */

    FmHist latency[FM_N_OPS]; /* ticks; bins NULL where no frame came */
    double ns_per_tick;
    GArray *ticks; /* of FmTick: measured rows and ramp rows, in order */
} FmRunStep;

typedef struct {
    char *kind;
    char *text;
    unsigned step;
    int64_t step_known; /* 1 when the note belongs to a step */
} FmRunNote;

typedef struct {
    char *version; /* of the program that wrote it */
    char *plan_id;
    char *plan_name;
    char *plan_hash;
    char *plan_text; /* canonical JSON */
    GStrv settings;
    int64_t expected_ns;
    uint64_t expected_bytes_written;
    uint64_t seed;
    int64_t wall_us; /* start, UTC; 0 = unknown */
    char *target_kind;
    char *target_path;
    char *test_file; /* our own file on the target, or NULL */
    char *verdict;
    char *verdict_reason;
    uint64_t target_size;
    uint32_t block_size;
    FmFacts *environment;
    FmFacts *drive;
    FmFacts *target;
    GPtrArray *steps; /* of FmRunStep */
    GPtrArray *notes; /* of FmRunNote */
    GPtrArray *evaluations; /* of GVariant a{sv} */
    bool ended;
    char *outcome; /* END's; NULL = still running or cut off */
    char *reason;
    char *user_text;
    GStrv tags;
    bool damaged; /* a part of the stream was unreadable and skipped */
} FmRun;

FmRun *fm_run_new(void);
void fm_run_free(FmRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmRun, fm_run_free)

/* Folds one frame in.  Frames that contradict each other or lack keys are hostile
 * input: they are noted as damage, never fatal. */
void fm_run_add_frame(FmRun *run, const FmFrame *frame);

/* Folds a whole stream.  What stands before a cut is kept.  Returns false with
 * FM_ERROR_PROTOCOL only when nothing at all was readable. */
bool fm_run_read(FmRun *run, const void *bytes, gsize length, GError **error);

/* The tick rows of the measured part must add up to the totals, and the totals to
 * the histogram counts.  Returns NULL, or a sentence that says what disagrees. */
char *fm_run_step_check(const FmRunStep *step);

G_END_DECLS
