/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A CrystalDiskMark-style table out of a run (METHODOLOGY 8, C-CDM): what that program
 * would print, and beside it what it hides.  Pure; any thread may call it.
 *
 * Steps whose paths differ only in their last part "run=N" are repetitions of one row.
 * Warm-ups are never scored, and a repetition counts only when it ran to its end: a
 * failed or stopped one leaves its row with fewer repetitions and a problem.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/percentiles.h"
#include "model/run.h"

G_BEGIN_DECLS

/* One repetition. */
typedef struct {
    double bytes_per_second;
    double mean_latency_ns;
} FmCdmResult;

/* All fields are NaN without a result. */
typedef struct {
    double best; /* bytes per second: the largest, CrystalDiskMark's score */
    double best_iops; /* from @best and the block size, as CrystalDiskMark does */
    double lowest_mean_ns; /* the smallest of the mean latencies, of whichever repetition */
    double median; /* bytes per second */
    double min;
    double max;
} FmCdmScore;

/* @block is the size of all I/Os in bytes; 0, when there are several, leaves best_iops NaN. */
FmCdmScore fm_cdm_score(const FmCdmResult *results, gsize n, uint32_t block);

/* The sections of the table, in its order. */
typedef enum {
    FM_CDM_READ,
    FM_CDM_WRITE,
    FM_CDM_MIX,
} FmCdmGroup;

typedef struct {
    char *path; /* of the row: without "run=N" */
    char *label; /* as the plan calls it, or NULL */
    char *workload; /* METHODOLOGY id such as "C-CDM", or NULL */
    FmCdmGroup group;
    uint32_t read_share; /* parts per 10,000 */
    bool is_random;
    uint32_t block; /* bytes; 0 = several sizes */
    unsigned depth; /* in flight per thread, as CrystalDiskMark counts Q */
    unsigned threads;

    GPtrArray *steps; /* of const FmRunStep, which are the run's: the repetitions that count */
    unsigned n_results; /* how many these are */
    FmCdmScore score;
    FmPercentiles latency; /* of all repetitions that count, together */
    double in_flight; /* achieved depth, all threads; NaN = unknown */
    double cpu_ns_per_io; /* NaN = unknown */
    bool is_host_limited; /* of any repetition that counts */
    FmMessage *host_limited_reason; /* or NULL */
    bool is_disturbed; /* others used the drive during a repetition that counts ... */
    int64_t foreign_bytes; /* ... and what it moved for them; -1 = unknown of one of them */
    FmMessage *problem; /* NULL, or what the first failed repetition or warm-up said */
} FmCdmRow;

typedef struct {
    GPtrArray *rows; /* of FmCdmRow: reads, writes, mixes, each in the order they ran */
} FmCdmTable;

/* @run must stay as it is for as long as the table. */
FmCdmTable *fm_cdm_table_new(const FmRun *run);
/* The same without latency percentiles, which cost a decoded histogram each. */
FmCdmTable *fm_cdm_table_new_without_latency(const FmRun *run);
void fm_cdm_table_free(FmCdmTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmCdmTable, fm_cdm_table_free)

/* Latency of @op in all repetitions that count, or of all ops with FM_N_OPS; @pool is initialised
 * by the call. */
void fm_cdm_row_get_latency(const FmCdmRow *row, unsigned op, FmLatencyPool *pool);

/* "SEQ1M Q8T1", made of what was run rather than of the plan's label.  Caller frees. */
char *fm_cdm_row_dup_name(const FmCdmRow *row);

G_END_DECLS
