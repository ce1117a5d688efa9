/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as its frames fold up: what was asked for, where, and what came out.  A
 * saved file and a live feed are folded by the same calls, so a viewer and the
 * library see the same thing.  Plain data; one thread at a time.
 *
 * Strings and messages that no frame has told yet are NULL, numbers 0 unless said otherwise;
 * dictionaries and arrays are never NULL.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "base/message.h"
#include "model/facts.h"
#include "model/frame.h"
#include "model/op.h"
#include "model/plan.h"

G_BEGIN_DECLS

/* How far back a tick row may come late.  Frames of one sender are in order; this only
 * bounds what hostile input can cost. */
enum { FM_RUN_LATE_ROWS = 256 };

enum {
    FM_RUN_MAX_STREAMS = 64, /* streams of one step that a reader keeps */
    FM_RUN_MAX_DAMAGE = 32, /* sentences about damage that a reader keeps */
    FM_RUN_NO_STEP = -1,
};

/* One stream of a step as it really ran. */
typedef struct {
    char *id;
    uint32_t op_share[FM_N_OPS]; /* parts per 10,000 */
    char *pattern; /* as fm_pattern_name() */
    FmBlockShare *blocks;
    unsigned n_blocks;
    unsigned in_flight;
    unsigned threads;
    uint64_t region_offset;
    uint64_t region_size;
    bool sync;
    bool buffered;
    char *data; /* "random", "zero", "compressible" */
} FmRunStream;

/* A histogram as it came. */
typedef struct {
    FmHistKey key;
    GBytes *payload; /* good: fm_hist_check() has seen it */
} FmRunHistogram;

/* One step as PHASE_BEGIN ... PHASE_END describe it. */
typedef struct {
    unsigned number;
    unsigned session; /* which session of the run ran it, from 0 */
    char *path;
    char *kind;
    char *label;
    char *workload;
    GVariant *parameters; /* a{sv} */
    bool discard;
    FmRunStream *streams;
    unsigned n_streams;
    unsigned in_flight; /* what was asked for, all streams */
    unsigned threads; /* the same of threads */
    char *backend;
    char *mode;
    FmFacts *backend_facts;
    GVariant *begin; /* the whole PHASE_BEGIN dictionary */
    int64_t ramp_ns;
    int64_t start_ns;
    int64_t wall_us; /* 0 = unknown */

    int64_t end_wall_us; /* 0 = unknown */
    bool ended; /* PHASE_END was seen; until then the next block is unknown */
    char *outcome;
    FmMessage *reason;
    char *ended_by;
    int64_t measured_ns;
    uint64_t ios[FM_N_OPS];
    uint64_t bytes[FM_N_OPS];
    uint64_t latency_sum_ns[FM_N_OPS];
    uint64_t errors;
    int64_t cpu_ns; /* -1 = unknown */
    double in_flight_mean; /* NaN = unknown */
    bool host_limited;
    FmMessage *host_limited_reason;
    bool is_disturbed; /* others used the drive meanwhile, beyond what is tolerated */
    int64_t foreign_bytes; /* what it moved for them; -1 = unknown */
    GVariant *end; /* the whole PHASE_END dictionary, or NULL */

    GPtrArray *histograms; /* of FmRunHistogram; use fm_run_step_get_latency() */
    uint64_t ns_per_tick_numerator;
    uint64_t ns_per_tick_denominator;
    bool has_log; /* LATENCY_LOG frames came; far too many I/Os to be kept here */
    GArray *ticks; /* of FmTick: ramp rows first, then measured rows, in order of time */
} FmRunStep;

typedef struct {
    char *kind; /* "error", "fallback", "warning", "decision"; never "progress" */
    FmMessage *text; /* never NULL */
    int step; /* number of the step it belongs to, or FM_RUN_NO_STEP */
    GVariant *details; /* the whole a{sv} */
} FmRunNote;

typedef struct {
    char *version; /* of the program that wrote it */
    unsigned n_sessions; /* 1 unless the run was resumed */
    char *plan_id;
    char *plan_name;
    char *plan_hash;
    char *plan_text; /* canonical JSON */
    GStrv settings;
    int64_t expected_ns;
    uint64_t expected_bytes_written;
    uint32_t min_steps; /* of the plan */
    uint32_t max_steps; /* 0 = open-ended, or not known */
    uint64_t seed;
    int64_t wall_us; /* start, UTC; 0 = unknown */
    int64_t end_wall_us; /* END's; 0 = unknown */
    char *target_kind;
    char *target_path;
    char *test_file; /* our own file on the target, or NULL */
    char *verdict;
    FmMessage *verdict_reason;
    uint64_t target_size;
    uint32_t block_size;
    FmFacts *environment;
    FmFacts *drive;
    FmFacts *target;
    GPtrArray *steps; /* of FmRunStep, in order of their begin */
    GPtrArray *notes; /* of FmRunNote */
    GPtrArray *evaluations; /* of GVariant a{sv} */
    double progress; /* of the last progress note, 0..1; NaN = unknown */
    int64_t remaining_ns; /* -1 = unknown */
    bool ended;
    char *outcome; /* END's; NULL = still running or cut off */
    FmMessage *reason;
    char *user_text;
    GStrv tags;
    bool damaged; /* a part of the stream was unreadable or made no sense */
    GPtrArray *damage; /* of FmMessage: what was wrong, the first FM_RUN_MAX_DAMAGE */

    /* --- private */
    GHashTable *by_number; /* newest step of each number */
    GVariant *hello; /* the last one, to know it again */
    bool session_has_begun; /* PLAN or PHASE_BEGIN followed that HELLO */
    bool has_skipped; /* unreadable bytes stand before the next frame */
} FmRun;

FmRun *fm_run_new(void);
void fm_run_free(FmRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmRun, fm_run_free)

/* Folds one frame in.  Frames that contradict each other or lack keys are hostile
 * input: they are noted as damage, never fatal.  Frames told twice change nothing. */
void fm_run_add_frame(FmRun *run, const FmFrame *frame);

/* Folds all frames that @reader has; returns how many. */
uint64_t fm_run_add_all(FmRun *run, FmFrameReader *reader);

/* Folds a whole stream.  What stands before a cut is kept.  Returns false with
 * FM_ERROR_PROTOCOL only when nothing at all was readable. */
bool fm_run_read(FmRun *run, const void *bytes, gsize length, GError **error);

/* The newest step of that number (a resumed run may have run it before), or NULL. */
FmRunStep *fm_run_get_step(const FmRun *run, unsigned number);

/* The block size of all streams of the step, or 0 when it has several. */
uint32_t fm_run_step_get_block(const FmRunStep *step);

/*
 * Latency of @op, or of all ops together with FM_N_OPS, in clock ticks; @hist is
 * initialised by the call and must be cleared by the caller.  False, and @hist
 * zeroed, when no histogram came.  Kept encoded until asked for, because a
 * histogram takes 450 kB and a run may have a thousand steps.
 */
bool fm_run_step_get_latency(const FmRunStep *step, unsigned op, FmHist *hist);
/* The same of one of several streams. */
bool fm_run_step_get_stream_latency(const FmRunStep *step, unsigned stream, unsigned op,
                                    FmHist *hist);

/* Ticks of the step's clock as nanoseconds, to the nearest; keeps order. */
uint64_t fm_run_step_ticks_to_ns(const FmRunStep *step, uint64_t ticks);

/* The tick rows of the measured part must add up to the totals, and the totals to
 * the histogram counts.  Returns NULL, or a sentence that says what disagrees.  A step
 * without PHASE_END can't be checked and has nothing to disagree with. */
FmMessage *fm_run_step_check(const FmRunStep *step);

/* --- Between run.c and run-fold.c ---------------------------------------------- */

FmRunStep *fm_run_step_new(void);
void fm_run_add_damage(FmRun *run, const char *format, ...) G_GNUC_PRINTF(2, 3);

G_END_DECLS
