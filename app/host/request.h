/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From what a user has chosen to what a run host is asked: the checks that every viewer
 * makes before it starts one, and the request itself.  The worker checks all of it again.
 * Any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "host/session.h"
#include "model/plan.h"
#include "model/target.h"

G_BEGIN_DECLS

/* The target a user calls @text: "null", "sim:MODEL" or a path.  Whole drives are refused:
 * this version never writes to one directly. */
FmTarget *fm_request_find_target(const char *text, GError **error);

/* False with FM_ERROR_UNSUPPORTED when @plan needs what this version can't do. */
bool fm_request_check_plan(const FmPlan *plan, GError **error);

/* A request to run @plan on @target with the default reserve; more may be set in it. */
FmSessionRequest *fm_request_new(const FmPlan *plan, const FmTarget *target);
void fm_request_free(FmSessionRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmSessionRequest, fm_request_free)

G_END_DECLS
