/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the filters (fault, record) share: the open target below them, and reading
 * their options.  Internal to the engine.  Set-up only, never on the hot path.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/backend.h"

G_BEGIN_DECLS

/* A filter can do whatever is below it. */
#define FM_FILTER_CAPS (~0u)

/* First member of every filter's target. */
typedef struct {
    const FmBackend *below;
    FmBackendTarget *target; /* of @below */
} FmFilter;

/* Opens what is below with the part of the options behind the first ';'. */
bool fm_filter_open(FmFilter *filter, const char *name, const FmOpenOptions *options,
                    GError **error);
void fm_filter_close(FmFilter *filter);

/*
 * Calls @set for every "key=value" (@value "" where there is no '=') of @text up to
 * the first ';'.  A false from @set ends the reading with an error that names the key.
 */
typedef bool (*FmFilterOption)(const char *key, const char *value, gpointer user_data);
bool fm_filter_parse_options(const char *name, const char *text, FmFilterOption set,
                             gpointer user_data, GError **error);

/* An option that is a number of @minimum to @maximum, kept at @offset of a struct. */
typedef struct {
    const char *key;
    size_t offset; /* of a uint64_t, or of a bool: then it is an option without a value */
    uint64_t minimum;
    uint64_t maximum; /* 0 = a bool */
} FmFilterField;

/* Sets the one of @fields (the last has no key) that is called @key.  False where there is
 * none, or @value is not for it. */
bool fm_filter_set_field(const FmFilterField *fields, const char *key, const char *value,
                         void *target);

/* A whole decimal number; false where @text is anything else. */
bool fm_filter_parse_number(const char *text, uint64_t *number);

G_END_DECLS
