/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads plans: JSON text to FmPlan, with every mistake named by file, line and
 * column.  Plans are untrusted input.  No I/O except through the resolver that the
 * caller gives for "include".
 */
#pragma once

#include <glib.h>

#include "model/plan.h"

G_BEGIN_DECLS

/* Gives the text of the plan called @id, or NULL with @error set; for "include". */
typedef char *(*FmPlanLookup)(const char *id, gpointer user_data, GError **error);

/*
 * Reads a plan.  @origin names the text in messages ("fill.json"); @settings are
 * "key=value" strings (NULL-terminated, or NULL) that replace option defaults.
 * Duplicate and unknown keys, wrong types, values out of range, unknown options and
 * syntax errors give FM_ERROR_INVALID with "origin:line:column: sentence".
 */
FmPlan *fm_plan_read(const char *text, gssize length, const char *origin,
                     const char *const *settings, FmPlanLookup lookup, gpointer user_data,
                     GError **error);

G_END_DECLS
