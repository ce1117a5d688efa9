/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan back as text: the canonical form that a run stores and the worker reads, and
 * the hash that says whether two runs did the same I/O.  Only app/model includes this.
 */
#pragma once

#include "model/plan.h"

/* The resolved plan as canonical JSON, itself a valid plan.  Caller frees. */
char *fm_plan_dup_canonical(const FmPlan *plan);

/* Sets @plan->hash: SHA-256 over the canonical text without everything that is only for
 * people (ids and names of the plan, labels, workload ids, editions, needs). */
void fm_plan_fill_hash(FmPlan *plan);
