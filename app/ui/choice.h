/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the user has chosen to run: a target, a plan and its options.  Remembers it in the
 * settings, and looks at both in threads of their own, so that a slow disk never stops the
 * window.  "changed" says that anything below may read differently.  Main thread.
 */
#pragma once

#include <glib-object.h>
#include <stdbool.h>

#include "host/session.h"
#include "model/plan-cost.h"
#include "model/plan.h"
#include "model/target.h"
#include "platform/platform.h"
#include "ui/settings.h"

G_BEGIN_DECLS

#define FM_CHOICE_DEFAULT_PLAN "quick"

#define FM_TYPE_CHOICE (fm_choice_get_type())
G_DECLARE_FINAL_TYPE(FmChoice, fm_choice, FM, CHOICE, GObject)

/* Begins with what @settings remember, else the Quick plan in the user's own folder. */
FmChoice *fm_choice_new(FmSettings *settings);

/* --- Target ------------------------------------------------------------------- */

/* A folder, one of our test files, "null" or "sim:MODEL". */
void fm_choice_set_target(FmChoice *choice, const char *text);
/* Looks at target and machine again: things change while the window is elsewhere. */
void fm_choice_refresh(FmChoice *choice);
/* As the user gave it; NULL until the remembered one was found. */
const char *fm_choice_get_target_text(FmChoice *choice);
/* NULL while it is being looked at, and when it can't be tested: get_target_error(). */
const FmTarget *fm_choice_get_target(FmChoice *choice);
const GError *fm_choice_get_target_error(FmChoice *choice);
/* The drive below the target, the first of several; NULL = not known. */
const FmDriveInfo *fm_choice_get_drive(FmChoice *choice);
/* Name of the drive and place on it for people, in one line.  Caller frees. */
char *fm_choice_dup_target_title(FmChoice *choice);

/* What was found when the target was looked at last. */
bool fm_choice_is_on_battery(FmChoice *choice);

/* Measures a target that is memory or may be cached all the same; never remembered. */
bool fm_choice_get_allow_buffered(FmChoice *choice);
void fm_choice_set_allow_buffered(FmChoice *choice, bool allow);

/* --- Plan --------------------------------------------------------------------- */

/* Id or path of a plan; its options as they were set last. */
void fm_choice_set_plan(FmChoice *choice, const char *id_or_path);
const char *fm_choice_get_plan_id(FmChoice *choice);
/* With the options filled in; NULL while it is being read and when that failed. */
const FmPlan *fm_choice_get_plan(FmChoice *choice);
const GError *fm_choice_get_plan_error(FmChoice *choice);

/* @text as typed; NULL or the default of the option = not set.  A mistake in it keeps the run
 * from being started. */
void fm_choice_set_option(FmChoice *choice, const char *key, const char *text);
/* Whether an option is not as it is by default. */
bool fm_choice_has_options(FmChoice *choice);
/* All options as they are by default. */
void fm_choice_reset_options(FmChoice *choice);
/* As typed, or NULL where the default holds. */
const char *fm_choice_get_option(FmChoice *choice, const char *key);

/* --- Both together ------------------------------------------------------------ */

/* False while plan or target are still being looked at. */
bool fm_choice_get_cost(FmChoice *choice, FmPlanCost *cost);
/* Why no run can be started, in one sentence; NULL when one can.  Caller frees. */
char *fm_choice_dup_blocker(FmChoice *choice);
/* What the user should know before a start, one sentence each.  Caller frees. */
char **fm_choice_dup_warnings(FmChoice *choice);
/* Plan or target are being looked at; what is read now is not the last word. */
bool fm_choice_is_busy(FmChoice *choice);
/* To be given to a live run; NULL while something is in the way. */
FmSessionRequest *fm_choice_build_request(FmChoice *choice);

G_END_DECLS
