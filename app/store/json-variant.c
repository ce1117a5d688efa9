/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of a run as JSON values.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/json-variant.h"

#include <math.h>

/* Largest integer that a double holds exactly with all below it. */
static const int64_t max_exact = INT64_C(1) << 53;

json_t *
fm_json_text(const char *text)
{
    return text != NULL ? json_string(text) : json_null();
}

json_t *
fm_json_count(uint64_t value)
{
    char text[32];

    g_snprintf(text, sizeof text, "%" G_GUINT64_FORMAT, value);
    return json_string(text);
}

json_t *
fm_json_integer(int64_t value)
{
    char text[32];

    if (value >= -max_exact && value <= max_exact) {
        return json_integer(value);
    }
    g_snprintf(text, sizeof text, "%" G_GINT64_FORMAT, value);
    return json_string(text);
}

json_t *
fm_json_ns(uint64_t value)
{
    return value <= (uint64_t)max_exact ? json_integer((json_int_t)value) : fm_json_count(value);
}

json_t *
fm_json_number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *
fm_json_time(int64_t wall_us)
{
    g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc(wall_us / G_USEC_PER_SEC);

    if (wall_us <= 0 || time == NULL) {
        return json_null();
    }
    g_autofree char *text =
        g_strdup_printf("%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", g_date_time_get_year(time),
                        g_date_time_get_month(time), g_date_time_get_day_of_month(time),
                        g_date_time_get_hour(time), g_date_time_get_minute(time),
                        g_date_time_get_second(time), (int)(wall_us % G_USEC_PER_SEC));
    return json_string(text);
}

/* Arrays, tuples and dictionaries. */
static json_t *
container_json(GVariant *value)
{
    bool is_dictionary = g_variant_is_of_type(value, G_VARIANT_TYPE("a{s*}"));
    json_t *json = is_dictionary ? json_object() : json_array();

    for (gsize i = 0; i < g_variant_n_children(value); i++) {
        g_autoptr(GVariant) child = g_variant_get_child_value(value, i);
        if (is_dictionary) {
            g_autoptr(GVariant) key = g_variant_get_child_value(child, 0);
            g_autoptr(GVariant) content = g_variant_get_child_value(child, 1);
            json_object_set_new(json, g_variant_get_string(key, NULL), fm_json_variant(content));
        } else {
            json_array_append_new(json, fm_json_variant(child));
        }
    }
    return json;
}

json_t *
fm_json_variant(GVariant *value)
{
    if (value == NULL) {
        return json_null();
    }
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_BOOLEAN:
        return json_boolean(g_variant_get_boolean(value));
    case G_VARIANT_CLASS_INT32:
        return json_integer(g_variant_get_int32(value));
    case G_VARIANT_CLASS_UINT32:
        return json_integer(g_variant_get_uint32(value));
    case G_VARIANT_CLASS_INT64:
        return fm_json_integer(g_variant_get_int64(value));
    case G_VARIANT_CLASS_UINT64:
        return fm_json_ns(g_variant_get_uint64(value));
    case G_VARIANT_CLASS_DOUBLE:
        return fm_json_number(g_variant_get_double(value));
    case G_VARIANT_CLASS_STRING:
    case G_VARIANT_CLASS_OBJECT_PATH:
    case G_VARIANT_CLASS_SIGNATURE:
        return json_string(g_variant_get_string(value, NULL));
    case G_VARIANT_CLASS_VARIANT: {
        g_autoptr(GVariant) content = g_variant_get_variant(value);
        return fm_json_variant(content);
    }
    case G_VARIANT_CLASS_ARRAY:
    case G_VARIANT_CLASS_TUPLE:
    case G_VARIANT_CLASS_DICT_ENTRY:
        return container_json(value);
    default: {
        /* Bytes, 16-bit numbers, maybes: no writer of ours uses them. */
        g_autofree char *text = g_variant_print(value, FALSE);
        return json_string(text);
    }
    }
}

json_t *
fm_json_facts(const FmFacts *facts)
{
    g_autoptr(GVariant) dictionary = g_variant_ref_sink(fm_facts_to_variant(facts));
    json_t *json = json_object();
    json_t *unknown = json_object();

    for (gsize i = 0; i < g_variant_n_children(dictionary); i++) {
        g_autoptr(GVariant) value = NULL;
        const char *name;
        g_variant_get_child(dictionary, i, "{&sv}", &name, &value);
        if (g_variant_is_of_type(value, G_VARIANT_TYPE("(s)"))) {
            const char *reason;
            g_variant_get(value, "(&s)", &reason);
            json_object_set_new(json, name, json_null());
            json_object_set_new(unknown, name, json_string(reason));
        } else {
            json_object_set_new(json, name, fm_json_variant(value));
        }
    }
    if (json_object_size(unknown) > 0) {
        json_object_set_new(json, "unknown", unknown);
    } else {
        json_decref(unknown);
    }
    return json;
}
