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

typedef struct {
    const char *text;
    gssize length; /* -1 = NUL-terminated */
    const char *origin; /* names the text in messages: "fill.json" */
    FmPlanLookup lookup; /* or NULL: then "include" is a mistake */
    gpointer user_data;
} FmPlanSource;

/*
 * Reads a plan.  @settings are "key=value" strings (NULL-terminated, or NULL) that
 * replace option defaults.  Duplicate and unknown keys, wrong types, values out of range,
 * unknown options and syntax errors give FM_ERROR_INVALID with "origin:line:column:
 * sentence"; a mistake in @settings stands in no file and has no place.
 */
FmPlan *fm_plan_read(const FmPlanSource *source, const char *const *settings, GError **error);

/* The value @text of @option as it is understood ("64M" is "64MiB"), or NULL with the same
 * @error that a setting would give.  Caller frees. */
char *fm_option_understand(const FmOption *option, const char *text, GError **error);

/* Reads the canonical text of a plan, as a run stores it. */
FmPlan *fm_plan_read_canonical(const char *text, GError **error);

G_END_DECLS
