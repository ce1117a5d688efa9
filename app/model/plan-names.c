/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words of plan files.  They are the file format: words may be added at the end
 * of a table together with their enum, never renamed.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-names.h"

#include <glib/gi18n.h>
#include <string.h>

const char *const fm_names_pattern[] = {
    "sequential", "random", "permutation", "mixed", "strided", NULL,
};

const char *const fm_names_data[] = {"random", "zero", "compressible", NULL};

const char *const fm_names_arrival[] = {"fixed", "uniform", "exponential", NULL};

const char *const fm_names_phase[] = {
    "measure",  "precondition", "rest",  "idle",   "settle", "purge",      "trim",
    "external", "group",        "sweep", "repeat", "bisect", "rate-curve", NULL,
};

const char *const fm_names_parameter[] = {
    "in-flight", "threads", "read", "block", "region", "rest", NULL,
};

const char *const fm_names_skip[] = {
    "never",      "file-target", "raw-target",    "block-too-small",
    "below-size", "no-trim",     "no-cache-step", NULL,
};

const char *const fm_names_op[] = {N_("read"), N_("write"), N_("trim"), N_("flush"), NULL};

const char *const fm_names_option[] = {
    "size", "time", "count", "percent", "choice", "switch", NULL,
};

const char *const fm_names_need[] = {
    "device", "purge", "pacing", "trace", "trim", "external", "fill-level", NULL,
};

int
fm_names_find(const char *const *names, const char *word)
{
    for (int i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], word) == 0) {
            return i;
        }
    }
    return -1;
}

/* The word of @value, or NULL where a newer enum value has none. */
static const char *
name_at(const char *const *names, unsigned value)
{
    for (unsigned i = 0; names[i] != NULL; i++) {
        if (i == value) {
            return names[i];
        }
    }
    return NULL;
}

const char *
fm_pattern_name(FmPattern pattern)
{
    return name_at(fm_names_pattern, pattern);
}

const char *
fm_phase_kind_name(FmPhaseKind kind)
{
    return name_at(fm_names_phase, kind);
}

const char *
fm_op_name(FmOp op)
{
    return name_at(fm_names_op, op);
}

const char *
fm_parameter_name(FmParameter parameter)
{
    return name_at(fm_names_parameter, parameter);
}

const char *
fm_data_kind_name(FmDataKind kind)
{
    return name_at(fm_names_data, kind);
}

const char *
fm_arrival_name(FmArrival arrival)
{
    return name_at(fm_names_arrival, arrival);
}

const char *
fm_skip_condition_name(FmSkipCondition condition)
{
    return name_at(fm_names_skip, condition);
}

const char *
fm_need_name(FmNeed need)
{
    for (unsigned bit = 0; bit < 32; bit++) {
        if (need == 1u << bit) {
            return name_at(fm_names_need, bit);
        }
    }
    return NULL;
}
