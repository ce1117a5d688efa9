/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a plan will do, as rows for people: one for each thing that happens, repeats and
 * sweeps told in words instead of one by one.  Pure; main thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/plan.h"

G_BEGIN_DECLS

enum { FM_OUTLINE_MAX_ROWS = 200 }; /* a longer plan says how much more there is */

typedef struct {
    unsigned depth; /* 0 = not below a group */
    bool is_heading; /* a group: what follows deeper belongs to it */
    char *title;
    char *what; /* "RND 4k Read · QD32"; "" = nothing to say */
    char *time; /* "5 s each"; "" = takes no time of its own */
} FmOutlineRow;

/* Owned FmOutlineRow, in the order of the run. */
GPtrArray *fm_plan_outline(const FmPlan *plan);

/* "5 s", "1:30", "27:00:00": how long for people.  Caller frees. */
char *fm_outline_dup_time(int64_t ns);

G_END_DECLS
