/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan will take: how long, and how many bytes it will write.  Told before the
 * start, and the basis of the time left.  Pure arithmetic on a plan; any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/plan.h"

G_BEGIN_DECLS

/*
 * What is assumed where nothing is known: a middling NVMe drive.  A depth is a number of
 * I/Os that each take a latency and the time of their bytes, so that a stream does
 *
 *     min(depth / (latency + block / bytes per second), I/Os per second)
 *
 * but never more bytes than the drive moves.  Latencies are those of an idle drive: a read
 * from flash, a write into the drive's cache, a write or flush that must be durable.
 */
#define FM_COST_BYTES_PER_SECOND UINT64_C(1000000000)
#define FM_COST_IOS_PER_SECOND UINT64_C(100000)
#define FM_COST_READ_NS 80000
#define FM_COST_WRITE_NS 20000
#define FM_COST_DURABLE_NS 1000000
/* Threads, buffers and the settling of what is in flight, around the step itself. */
#define FM_COST_STEP_NS 20000000

typedef struct {
    uint64_t target_size; /* of the device or file; 0 = the plan's own file size */
    uint32_t block_size; /* of the target; 0 = 512 */
    bool is_file; /* the plan writes its own file first ... */
    bool is_filled; /* ... and has already done so */
    uint64_t bytes_per_second; /* known or assumed, reads and writes alike; 0 = the default */
    uint64_t ios_per_second; /* the same for small blocks; 0 = the default */
} FmCostBasis;

typedef struct {
    int64_t time_ns; /* expected; a steady state at its earliest, a repeat without extra runs */
    bool time_is_open; /* steady states, searches, repeats and people may take longer */
    uint64_t bytes_written; /* upper estimate, the test file included */
    bool bytes_is_estimate; /* something writes for a time, at the assumed speed */
} FmPlanCost;

FmPlanCost fm_plan_cost(const FmPlan *plan, const FmCostBasis *basis);

/* One step that the plan is expected to run. */
typedef struct {
    char *path;
    int64_t begin_ns; /* from the start of the plan, the writing of the file not counted */
    int64_t time_ns; /* ramp included */
    int64_t limit_ns; /* it takes no longer, ramp included; INT64_MAX = no limit */
    uint64_t bytes; /* it is over when so many were moved; 0 = it ends by time or by itself */
} FmStepCost;

/*
 * The steps in the order they will run, of FmStepCost.  Those
 * of a search are not known before and are left out; a repeat has as many as it needs at
 * least.  Caller frees.
 */
GArray *fm_plan_cost_list(const FmPlan *plan, const FmCostBasis *basis);

G_END_DECLS
