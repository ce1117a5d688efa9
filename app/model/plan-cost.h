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

/* What is assumed where nothing is known: a middling NVMe drive. */
#define FM_COST_BYTES_PER_SECOND UINT64_C(1000000000)
#define FM_COST_IOS_PER_SECOND UINT64_C(100000)

typedef struct {
    uint64_t target_size; /* of the device or file; 0 = the plan's own file size */
    uint32_t block_size; /* of the target; 0 = 512 */
    bool is_file; /* the plan writes its own file first */
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

G_END_DECLS
