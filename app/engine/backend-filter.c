/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening what a filter wraps, and reading "key=value,..." options.  Runs in the
 * thread that opens a target; never on the hot path.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/backend-filter.h"

#include "base/error.h"

#include <string.h>

bool
fm_filter_parse_number(const char *text, uint64_t *number)
{
    return g_ascii_string_to_unsigned(text, 10, 0, UINT64_MAX, number, NULL);
}

bool
fm_filter_set_field(const FmFilterField *fields, const char *key, const char *value, void *target)
{
    uint64_t number = 0;

    while (fields->key && !g_str_equal(fields->key, key)) {
        fields++;
    }
    if (!fields->key) {
        return false;
    }
    if (fields->maximum == 0) {
        *(bool *)((uint8_t *)target + fields->offset) = true;
        return !*value;
    }
    if (!fm_filter_parse_number(value, &number) || number < fields->minimum ||
        number > fields->maximum) {
        return false;
    }
    *(uint64_t *)(void *)((uint8_t *)target + fields->offset) = number;
    return true;
}

bool
fm_filter_parse_options(const char *name, const char *text, FmFilterOption set, gpointer user_data,
                        GError **error)
{
    if (!text) {
        return true;
    }

    g_autofree char *own = g_strndup(text, strcspn(text, ";"));
    g_auto(GStrv) parts = g_strsplit(own, ",", -1);
    for (char **part = parts; *part; part++) {
        char *key = g_strstrip(*part);
        if (!*key) {
            continue;
        }
        char *equals = strchr(key, '=');
        if (equals) {
            *equals = '\0';
        }
        const char *value = equals ? equals + 1 : "";
        if (!set(key, value, user_data)) {
            fm_error_set(error, FM_ERROR_INVALID,
                         "The backend “%s” has no option “%s” with the value “%s”", name, key,
                         value);
            return false;
        }
    }
    return true;
}

bool
fm_filter_open(FmFilter *filter, const char *name, const FmOpenOptions *options, GError **error)
{
    if (!options->below) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "The backend “%s” is a filter and needs one below it, as in “%s:sync”", name,
                     name);
        return false;
    }

    const char *rest = options->options ? strchr(options->options, ';') : NULL;
    FmOpenOptions lower = *options;
    lower.options = rest ? rest + 1 : NULL;
    lower.below = NULL;
    filter->below = options->below;
    filter->target = options->below->open(&lower, error);
    return filter->target;
}

void
fm_filter_close(FmFilter *filter)
{
    if (filter->target) {
        filter->below->close(filter->target);
        filter->target = NULL;
    }
}
