/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where plans come from: those inside the program, those in the user's own folders, and
 * files named by path.  Reads only; keeps nothing between calls.  Any thread may call it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    char *id; /* what the user types; the file's name without ".json" */
    char *path; /* NULL for one inside the program */
} FmPlanFile;

void fm_plan_file_free(FmPlanFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmPlanFile, fm_plan_file_free)

/*
 * All plans by id, sorted.  A user's plan in $XDG_CONFIG_HOME/fathom/plans or
 * $XDG_DATA_HOME/fathom/plans stands in for a built-in one of the same id.  Where the
 * environment names a folder as FATHOM_PLAN_DIR, its plans replace the built-in ones.
 * Nothing is read but names.  Caller owns the array of FmPlanFile.
 */
GPtrArray *fm_plan_files_list(void);

/*
 * Reads the plan called @id_or_path; what contains a "/" or ends in ".json" is a file,
 * whose includes are looked for beside it first.  @settings as in fm_plan_read().
 */
FmPlan *fm_plan_files_load(const char *id_or_path, const char *const *settings, GError **error);

G_END_DECLS
