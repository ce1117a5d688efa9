/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan: what a benchmark does, as data.  A plan is read from JSON (the schema is
 * resources/plans/SCHEMA.md), its options are filled in, and from then on it never
 * changes.  This header knows the shape only; reading, checking and hashing are in
 * plan-reader.c and plan-hash.c.  Sizes are bytes, times are nanoseconds, shares are
 * parts per ten thousand.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/op.h"

G_BEGIN_DECLS

enum {
    FM_PLAN_VERSION = 1,
    FM_SHARE_WHOLE = 10000, /* a share of 100 % */
    FM_MAX_IN_FLIGHT = 1024,
    FM_MAX_THREADS = 64,
    FM_MIN_BLOCK = 512,
    FM_MAX_BLOCK = 8 * 1024 * 1024,
    FM_MAX_PHASES = 10000, /* in one plan, after includes */
    FM_MAX_DEPTH = 16, /* of phases in phases */
    FM_MAX_STEPS = 100000, /* in one run of a plan, searches not counted */
};

/* Where the offsets of a stream come from (METHODOLOGY section 5). */
typedef enum {
    FM_PATTERN_SEQUENTIAL, /* one cursor per direction, wraps at the end of the region */
    FM_PATTERN_RANDOM, /* uniform with replacement, aligned to the block */
    FM_PATTERN_PERMUTATION, /* every block of the region exactly once per pass, in random order */
    FM_PATTERN_MIXED, /* random_share of the I/Os go to a random block, the others continue where
                         the last one of the same direction ended */
    FM_PATTERN_STRIDED, /* sequential with a gap: starts lie @stride apart; each time the end of
                           the region is reached the start moves on by one block */
} FmPattern;

/* What written buffers hold.  Every block is stamped, so no two are ever equal,
 * except with FM_DATA_ZERO, which is what a compressing device likes best. */
typedef enum {
    FM_DATA_RANDOM,
    FM_DATA_ZERO,
    FM_DATA_COMPRESSIBLE, /* the first (1 - compressible share) of each 4 KiB is random */
} FmDataKind;

/* A size that is either absolute or a part of the target. */
typedef struct {
    bool relative; /* true: @value is parts per million of the target's size */
    uint64_t value;
} FmExtent;

typedef struct {
    uint32_t size; /* bytes, a multiple of 512 */
    uint32_t weight; /* relative number of I/Os; only the ratio matters */
} FmBlockShare;

typedef enum {
    FM_ARRIVAL_FIXED,
    FM_ARRIVAL_UNIFORM,
    FM_ARRIVAL_EXPONENTIAL,
} FmArrival;

/* A rate the stream is held to; all 0 = as fast as the depth allows. */
typedef struct {
    double ios_per_second;
    double bytes_per_second;
    uint32_t percent_of_peak; /* of the uncapped step of the same curve; set by the rate driver */
    FmArrival arrival;
    double least_bytes_per_second; /* the step fails when 5 s in a row stay below; 0 = no limit */
    unsigned gap_every; /* a pause of gap_ns after so many I/Os; 0 = never */
    int64_t gap_ns;
} FmPacing;

/* True when @pacing holds the stream back in any way. */
bool fm_pacing_is_used(const FmPacing *pacing);

/* One population of identical submitters. */
typedef struct {
    char *id;
    uint32_t op_share[FM_N_OPS]; /* parts per 10,000 of the I/Os; they add up to 10,000 */
    FmPattern pattern;
    uint32_t random_share; /* FM_PATTERN_MIXED: parts per 10,000 of I/Os that jump */
    uint64_t stride; /* FM_PATTERN_STRIDED: bytes from start to start, a multiple of 512 */
    FmBlockShare *blocks;
    unsigned n_blocks;
    unsigned in_flight; /* in total, over all threads; 1..1024 */
    unsigned threads; /* 1..64, divides in_flight; 0 = chosen by METHODOLOGY 19.1.17 */
    FmExtent region_offset;
    FmExtent region_size;
    bool sync; /* every write durable before it completes (O_DSYNC / write-through) */
    bool buffered; /* through the page cache: only BootBench's writer wants it */
    unsigned flush_every; /* a flush after so many writes; 0 = never */
    FmPacing pacing;
    FmDataKind data;
    uint32_t compressible_share; /* FM_DATA_COMPRESSIBLE: parts per 10,000 of zeros */
} FmStream;

/* When a step that moves data ends.  0 / false = that rule is not used; the first
 * rule that holds ends the step. */
typedef struct {
    int64_t time_ns;
    uint64_t bytes; /* moved by all streams together */
    double passes; /* how often the region was covered */
    bool steady; /* by @steady_rule, evaluated from @steady_after_passes on */
    char steady_rule; /* 'A', 'B' or 'C' of METHODOLOGY 2.6 */
    double steady_after_passes; /* coverages written before the rule is asked */
    double cap_passes; /* give up on steady: "cap reached" is a result */
    int64_t cap_time_ns; /* the same by time (METHODOLOGY 19.2.3) */
} FmStopRule;

typedef enum {
    /* Phases that do one thing. */
    FM_PHASE_MEASURE,
    FM_PHASE_PRECONDITION, /* like MEASURE, but its numbers are a way, not a score */
    FM_PHASE_REST, /* nothing for rest_ns */
    FM_PHASE_IDLE, /* until the drive and the machine have been quiet for rest_ns */
    FM_PHASE_SETTLE, /* until the target's own I/O has drained; at most rest_ns */
    FM_PHASE_PURGE,
    FM_PHASE_TRIM, /* the part of the target given by trim_offset and trim_size, once */
    FM_PHASE_EXTERNAL, /* a person or another program does something */
    /* Drivers: phases made of phases.  The set is closed. */
    FM_PHASE_GROUP,
    FM_PHASE_SWEEP,
    FM_PHASE_REPEAT,
    FM_PHASE_BISECT,
    FM_PHASE_RATE_CURVE,
    /* "include" is resolved by the reader and never reaches a FmPlan. */
} FmPhaseKind;

/* What a sweep or a bisection varies in the streams (or rests) below it. */
typedef enum {
    FM_PARAMETER_IN_FLIGHT,
    FM_PARAMETER_THREADS,
    FM_PARAMETER_READ_SHARE, /* parts per 10,000; the rest becomes writes */
    FM_PARAMETER_BLOCK_SIZE,
    FM_PARAMETER_REGION_SIZE, /* bytes; UINT64_MAX = the whole target; values that do not fit into
                                 the target are left out */
    FM_PARAMETER_REST_TIME, /* ns, of the REST phases below */
} FmParameter;

/* FmSweepAxis.values and FmPhase.search_limit in FM_PARAMETER_REGION_SIZE. */
#define FM_REGION_WHOLE UINT64_MAX

typedef struct {
    FmParameter parameter;
    char *target; /* id of the streams (REST_TIME: rests) it varies; NULL = all below */
    uint64_t *values;
    unsigned n_values;
} FmSweepAxis;

/* What may make a phase be skipped, and the sentence that says so. */
typedef enum {
    FM_SKIP_NEVER,
    FM_SKIP_FILE_TARGET, /* the target is a file */
    FM_SKIP_RAW_TARGET,
    FM_SKIP_BLOCK_TOO_SMALL, /* the logical block is larger than a stream's block */
    FM_SKIP_BELOW_SIZE, /* the target is smaller than skip_value bytes */
    FM_SKIP_NO_TRIM,
    FM_SKIP_NO_CACHE_STEP, /* no cache boundary was found by an earlier fill */
} FmSkipCondition;

/* Limits one step must keep for a search to call it accepted (METHODOLOGY 7.3). */
typedef struct {
    uint32_t per_billion; /* percentile of read latency; 1,000,000,000 = maximum */
    int64_t limit_ns;
} FmLatencyLimit;

typedef struct FmPhase FmPhase;

/*
 * The path of a step is made of the ids of its phases below the root, joined by "/".
 * A SWEEP adds one part per axis and a REPEAT one ("in-flight=8", "run=2": see
 * fm_parameter_format), a warm-up "warm-up=1"; a BISECT adds the value it tries, and
 * "confirm=1" where it confirms one; a RATE_CURVE adds "peak" or "rate=10%".  The only
 * child of a SWEEP, REPEAT, BISECT or RATE_CURVE needs no id (NULL) and then adds
 * nothing, so that a repeated row is "read/seq1m-q8t1/run=1".
 */
struct FmPhase {
    FmPhaseKind kind;
    char *id; /* unique among its siblings: [a-z0-9-]+; NULL see above; the root's is the plan's */
    char *label; /* for people, English, or NULL; not hashed */
    char *label_ko; /* the same in Korean, or NULL; not hashed */
    char *workload; /* METHODOLOGY id such as "E-RR", or NULL; not hashed */

    /* MEASURE, PRECONDITION */
    FmStream *streams;
    unsigned n_streams;
    int64_t ramp_ns; /* runs like the measured part; its statistics are dropped without a pause */
    FmStopRule stop;
    bool log_ios; /* keep a record of every I/O */

    /* REST, IDLE, SETTLE */
    int64_t rest_ns;

    /* TRIM */
    FmExtent trim_offset;
    FmExtent trim_size;

    /* EXTERNAL: what is to be done, for people */
    char *instruction;
    char *instruction_ko;

    /* Drivers */
    GPtrArray *children; /* of FmPhase*, owned */
    FmSweepAxis *axes; /* SWEEP: the first axis varies slowest */
    unsigned n_axes;
    int64_t between_ns; /* rest between the children of a GROUP, the steps of a SWEEP, the runs of
                           a REPEAT: never before the first or after the last; not around
                           what is skipped */
    unsigned count; /* REPEAT: repetitions; with RSE the smallest number */
    unsigned max_count; /* REPEAT: the largest number, where RSE asks for more */
    unsigned discard; /* REPEAT: warm-up repetitions run first and dropped */
    double until_rse; /* REPEAT: percent over the last 3; 0 = not used */
    char *until_steady; /* REPEAT: ends when rule C holds over the last 5 runs of this step, a path
                           below this phase such as "block=4KiB/read=0%"; "" = the only
                           step; NULL = not used.  Bounded by max_count */
    FmParameter search; /* BISECT: what is searched */
    char *search_target; /* as FmSweepAxis.target */
    uint64_t search_start;
    uint64_t search_limit;
    int64_t search_time_ns[3]; /* BISECT: length of doubling, bisecting, confirming runs */
    unsigned confirmations;
    FmLatencyLimit *limits;
    unsigned n_limits;
    uint32_t *rate_percents; /* RATE_CURVE, after one uncapped step */
    unsigned n_rate_percents;

    FmSkipCondition skip_if;
    uint64_t skip_value;
};

/* What a plan needs beyond files and time.  A plan may name needs that this
 * version can't satisfy yet: it validates, shows, and is refused at the start. */
typedef enum {
    FM_NEED_RAW_DEVICE = 1 << 0,
    FM_NEED_PURGE = 1 << 1,
    FM_NEED_PACING = 1 << 2,
    FM_NEED_TRACE = 1 << 3,
    FM_NEED_TRIM = 1 << 4,
    FM_NEED_EXTERNAL = 1 << 5,
    FM_NEED_FILL_LEVEL = 1 << 6, /* a file that fills the volume to a given share */
} FmNeed;

typedef enum {
    FM_OPTION_SIZE, /* "64MiB" */
    FM_OPTION_TIME, /* "5s" */
    FM_OPTION_COUNT, /* "3" */
    FM_OPTION_PERCENT, /* "70%" */
    FM_OPTION_CHOICE, /* one of the choices */
    FM_OPTION_SWITCH, /* "on", "off" */
} FmOptionKind;

/* A value a user may set before the start, by --set or in the window. */
typedef struct {
    char *key; /* [a-z0-9-]+ */
    FmOptionKind kind;
    char *label;
    char *label_ko; /* or NULL */
    char *value; /* as text, after --set; the default until then */
    char *default_value;
    bool can_be_off; /* PERCENT, SIZE, TIME, COUNT: "off" is a value too */
    char *minimum; /* as text, or NULL */
    char *maximum;
    char **choices; /* CHOICE: NULL-terminated */
} FmOption;

typedef struct {
    char *id;
    char *name;
    char *name_ko; /* or NULL */
    char *summary;
    char *summary_ko; /* or NULL */
    char *edition; /* dated edition of the method, such as "2025-11" */
    char *workload; /* METHODOLOGY id of the whole, or NULL */
    bool destructive_on_raw; /* derived: some phase writes, trims or purges */
    uint32_t needs; /* FmNeed bits: what the plan says, and what its phases imply */
    uint64_t seed; /* master seed of all random choices */
    FmOption *options;
    unsigned n_options;
    FmExtent file_size; /* size of the own test file on a file target; 0 = the plan has no file
                           form; relative = the file that fills the volume to that share */
    FmDataKind file_data; /* what the file is written with before the first step */
    FmPhase *root; /* a GROUP */
    char *canonical; /* the resolved plan as canonical JSON: what a run stores and the worker
                        reads */
    char hash[65]; /* SHA-256 of what changes I/O, lower-case hex */
} FmPlan;

void fm_plan_free(FmPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmPlan, fm_plan_free)

/* Deep copy of one stream's or phase's content; the copy is the caller's. */
FmPhase *fm_phase_copy(const FmPhase *phase);
void fm_phase_free(FmPhase *phase);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmPhase, fm_phase_free)

/* Names as they stand in plan files: "sequential", "measure", "read" ... */
const char *fm_pattern_name(FmPattern pattern);
const char *fm_phase_kind_name(FmPhaseKind kind);
const char *fm_op_name(FmOp op);
const char *fm_parameter_name(FmParameter parameter);
const char *fm_data_kind_name(FmDataKind kind);
const char *fm_arrival_name(FmArrival arrival);
const char *fm_skip_condition_name(FmSkipCondition condition);

/* "device", "purge" ... of one FmNeed bit, as in "needs purge". */
const char *fm_need_name(FmNeed need);
/* The names of all that @plan needs beyond files and time, such as "purge, device"; "" =
 * nothing.  Caller frees. */
char *fm_plan_dup_needs(const FmPlan *plan);

/* One part of a step's path: "in-flight=8", "read=70%", "block=4KiB", "region=all",
 * "rest=5s".  Caller frees. */
char *fm_parameter_format(FmParameter parameter, uint64_t value);

/* A plan can be used on an own test file when it says how large that is. */
bool fm_plan_has_file_form(const FmPlan *plan);

/*
 * Bytes at which @extent lies in a target of @target_size bytes, rounded down to
 * @alignment (a power of two) and never beyond the end.
 */
uint64_t fm_extent_resolve(FmExtent extent, uint64_t target_size, uint64_t alignment);

/*
 * Number of I/O threads of @stream: its own number, else METHODOLOGY 19.1.17 on a
 * machine of @cores (one thread to QD 32; above that a power of two that divides
 * the depth, 4 where there are six cores or more, else 2).
 */
unsigned fm_stream_threads(const FmStream *stream, unsigned cores);

G_END_DECLS
