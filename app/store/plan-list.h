/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All plans as a user looks through them: read, grouped and in order, what a newcomer looks
 * for first.  Takes a tenth of a second; any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/plan.h"

G_BEGIN_DECLS

typedef enum {
    FM_PLAN_GROUP_OWN,
    FM_PLAN_GROUP_FIRST,
    FM_PLAN_GROUP_FOLDER,
    FM_PLAN_GROUP_LATER, /* this version can't run them */
    FM_N_PLAN_GROUPS,
} FmPlanGroup;

typedef struct {
    char *id;
    char *path; /* NULL for one inside the program */
    FmPlan *plan; /* NULL when it can't be read: @error */
    GError *error;
    FmPlanGroup group;
} FmPlanEntry;

/* Title of @group in the user's language. */
const char *fm_plan_group_get_title(FmPlanGroup group);

/* Owned FmPlanEntry in order of groups; a broken plan of the user's own hides no other. */
GPtrArray *fm_plan_list_load(void);

G_END_DECLS
