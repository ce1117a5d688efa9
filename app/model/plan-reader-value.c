/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single values of a plan: sizes, times, shares, counts, words and texts, each of them
 * either written out or taken from an option ("$size").  Every mistake is placed by the
 * reader; a value that could not be read comes back as its fallback.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader-private.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "model/plan-names.h"

#include <string.h>

/* --- Shapes ---------------------------------------------------------------------- */

bool
fm_reader_check_object(FmPlanReader *reader, const json_t *json, const char *const *keys,
                       FmMessage *what)
{
    g_autoptr(FmMessage) name = what;
    if (!json_is_object(json)) {
        fm_reader_fail(reader, "%p must be an object.", name);
        return false;
    }
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value)
    {
        if (fm_names_find(keys, key) < 0) {
            g_autofree char *shown = fm_text_dup_printable(key);
            fm_reader_fail_key(reader, key, "%p has no key “%s”.", name, shown);
            return false;
        }
    }
    return true;
}

const json_t *
fm_reader_array(FmPlanReader *reader, const json_t *object, const char *key, size_t minimum,
                size_t maximum)
{
    const json_t *array = json_object_get(object, key);
    if (array == NULL && minimum == 0) {
        return NULL;
    }
    if (array == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", key);
        return NULL;
    }
    if (!json_is_array(array)) {
        fm_reader_fail_at(reader, key, "“%s” must be a list.", key);
        return NULL;
    }
    if (json_array_size(array) < minimum || json_array_size(array) > maximum) {
        fm_reader_fail_at(reader, key, "“%s” must have %zu to %zu entries.", key, minimum, maximum);
        return NULL;
    }
    return array;
}

/* The text of a string value, with "$option" replaced; NULL after a mistake. */
static const char *
value_text(FmPlanReader *reader, const json_t *value, const char *wanted)
{
    const char *text = json_string_value(value);
    if (text == NULL) {
        fm_reader_fail(reader, "This must be a text such as %s.", wanted);
        return NULL;
    }
    if (text[0] != '$') {
        return text;
    }
    const FmOption *option = fm_reader_find_option(reader, text + 1);
    if (option == NULL) {
        g_autofree char *shown = fm_text_dup_printable(text);
        fm_reader_fail(reader, "“%s” is not an option of this plan.", shown);
        return NULL;
    }
    return option->value;
}

/* --- Values ---------------------------------------------------------------------- */

/* Keeps a value out of @range as a mistake; the limits are shown by @format. */
static bool
check_range(FmPlanReader *reader, const char *text, uint64_t value, FmRange range,
            char *(*format)(uint64_t))
{
    if (value >= range.minimum && value <= range.maximum) {
        return true;
    }
    g_autofree char *least = format(range.minimum);
    g_autofree char *most = format(range.maximum);
    fm_reader_fail(reader, "“%s” is out of range: %s to %s.", text, least, most);
    return false;
}

static char *
format_time(uint64_t ns)
{
    return fm_units_dup_duration((int64_t)ns);
}

static char *
format_share(uint64_t per_million)
{
    return fm_units_dup_percent((uint32_t)per_million);
}

static char *
format_count(uint64_t count)
{
    return g_strdup_printf("%" G_GUINT64_FORMAT, count);
}

uint64_t
fm_reader_value_size(FmPlanReader *reader, const json_t *value, FmRange range)
{
    g_autoptr(GError) error = NULL;
    uint64_t bytes = 0;
    const char *text = value_text(reader, value, "“64MiB”");
    if (text == NULL) {
        return range.fallback;
    }
    if (!fm_units_parse_size(text, &bytes, NULL, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_reader_fail(reader, "%p", reason);
        return range.fallback;
    }
    /* On the command line "64M" is shown as it was understood; a file says it itself. */
    if (g_ascii_tolower(text[strlen(text) - 1]) != 'b') {
        fm_reader_fail(reader, "“%s” does not name its unit, such as KiB or MB.", text);
        return range.fallback;
    }
    return check_range(reader, text, bytes, range, fm_units_dup_size) ? bytes : range.fallback;
}

uint64_t
fm_reader_value_time(FmPlanReader *reader, const json_t *value, FmRange range)
{
    g_autoptr(GError) error = NULL;
    int64_t time_ns = 0;
    const char *text = value_text(reader, value, "“5s”");
    if (text == NULL) {
        return range.fallback;
    }
    if (!fm_units_parse_duration(text, &time_ns, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_reader_fail(reader, "%p", reason);
        return range.fallback;
    }
    if (!check_range(reader, text, (uint64_t)time_ns, range, format_time)) {
        return range.fallback;
    }
    return (uint64_t)time_ns;
}

/* A whole number: a JSON integer, or an option's text. */
static bool
read_integer(FmPlanReader *reader, const json_t *value, uint64_t *number)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *number = (uint64_t)json_integer_value(value);
        return true;
    }
    const char *text = json_string_value(value);
    if (text == NULL || text[0] != '$') {
        fm_reader_fail(reader, "This must be a whole number.");
        return false;
    }
    text = value_text(reader, value, "8");
    if (text == NULL) {
        return false;
    }
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, number, NULL)) {
        g_autofree char *shown = fm_text_dup_printable(text);
        fm_reader_fail(reader, "“%s” is not a whole number.", shown);
        return false;
    }
    return true;
}

uint64_t
fm_reader_value_count(FmPlanReader *reader, const json_t *value, FmRange range)
{
    uint64_t number;
    if (!read_integer(reader, value, &number)) {
        return range.fallback;
    }
    g_autofree char *text = format_count(number);
    return check_range(reader, text, number, range, format_count) ? number : range.fallback;
}

uint64_t
fm_reader_value_share(FmPlanReader *reader, const json_t *value, unsigned step, FmRange range)
{
    g_autoptr(GError) error = NULL;
    uint32_t per_million = 0;
    const char *text = value_text(reader, value, "“70%”");
    if (text == NULL) {
        return range.fallback;
    }
    if (!fm_units_parse_percent(text, &per_million, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_reader_fail(reader, "%p", reason);
        return range.fallback;
    }
    if (per_million % step != 0) {
        fm_reader_fail(reader, "“%s” has too many decimals.", text);
        return range.fallback;
    }
    FmRange parts = {.minimum = range.minimum * step, .maximum = range.maximum * step};
    if (!check_range(reader, text, per_million, parts, format_share)) {
        return range.fallback;
    }
    return per_million / step;
}

FmExtent
fm_reader_value_extent(FmPlanReader *reader, const json_t *value)
{
    const char *text = value_text(reader, value, "“8GiB” or “25%”");
    if (text != NULL && g_str_has_suffix(text, "%")) {
        FmRange parts = {.maximum = 1000000};
        return (FmExtent){true, fm_reader_value_share(reader, value, 1, parts)};
    }
    FmRange bytes = {.maximum = FM_PLAN_MAX_SIZE};
    return (FmExtent){false, text != NULL ? fm_reader_value_size(reader, value, bytes) : 0};
}

/* --- Members ---------------------------------------------------------------------- */

uint64_t
fm_reader_size(FmPlanReader *reader, const json_t *object, const char *key, FmRange range)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return range.fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    uint64_t bytes = fm_reader_value_size(reader, value, range);
    fm_reader_leave(reader, mark);
    return bytes;
}

int64_t
fm_reader_time(FmPlanReader *reader, const json_t *object, const char *key, FmRange range)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return (int64_t)range.fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    uint64_t time_ns = fm_reader_value_time(reader, value, range);
    fm_reader_leave(reader, mark);
    return (int64_t)time_ns;
}

uint64_t
fm_reader_count(FmPlanReader *reader, const json_t *object, const char *key, FmRange range)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return range.fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    uint64_t number = fm_reader_value_count(reader, value, range);
    fm_reader_leave(reader, mark);
    return number;
}

uint32_t
fm_reader_share(FmPlanReader *reader, const json_t *object, const char *key, FmRange range)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return (uint32_t)range.fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    uint64_t share = fm_reader_value_share(reader, value, FM_SHARE_STEP, range);
    fm_reader_leave(reader, mark);
    return (uint32_t)share;
}

double
fm_reader_number(FmPlanReader *reader, const json_t *object, const char *key, double maximum)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return 0;
    }
    gsize mark = fm_reader_enter(reader, key);
    double number = json_number_value(value);
    uint64_t whole = 0;
    if (!json_is_number(value) && read_integer(reader, value, &whole)) {
        number = (double)whole;
    }
    if (reader->error == NULL && !(number >= 0 && number <= maximum)) {
        fm_reader_fail(reader, "This is out of range; 0 to %g is possible.", maximum);
    }
    fm_reader_leave(reader, mark);
    return number;
}

bool
fm_reader_switch(FmPlanReader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL || json_is_boolean(value)) {
        return json_is_true(value);
    }
    gsize mark = fm_reader_enter(reader, key);
    const char *text = NULL;
    if (json_is_string(value) && json_string_value(value)[0] == '$') {
        text = value_text(reader, value, "“$option”");
    }
    bool is_on = g_strcmp0(text, "on") == 0;
    if (!is_on && g_strcmp0(text, "off") != 0) {
        fm_reader_fail(reader, "This must be true or false, or an option that is on or off.");
    }
    fm_reader_leave(reader, mark);
    return is_on;
}

FmExtent
fm_reader_extent(FmPlanReader *reader, const json_t *object, const char *key, FmExtent fallback)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    FmExtent extent = fm_reader_value_extent(reader, value);
    fm_reader_leave(reader, mark);
    return extent;
}

int
fm_reader_word(FmPlanReader *reader, const json_t *object, const char *key,
               const char *const *names, int fallback)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return fallback;
    }
    gsize mark = fm_reader_enter(reader, key);
    int found = fallback;
    g_autofree char *example = g_strdup_printf("\"%s\"", names[0]);
    const char *text = value_text(reader, value, example);
    if (text != NULL) {
        found = fm_names_find(names, text);
    }
    if (found < 0 && text != NULL) {
        g_autofree char *shown = fm_text_dup_printable(text);
        g_autofree char *words = g_strjoinv(", ", (char **)names);
        fm_reader_fail(reader, "“%s” is not known here; possible are %s.", shown, words);
        found = fallback;
    }
    fm_reader_leave(reader, mark);
    return found;
}

char *
fm_reader_dup_string(FmPlanReader *reader, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return NULL;
    }
    if (!json_is_string(value)) {
        fm_reader_fail_at(reader, key, "“%s” must be a text.", key);
        return NULL;
    }
    const char *text = json_string_value(value);
    if (text[0] == '\0' || strlen(text) > FM_PLAN_MAX_LABEL) {
        fm_reader_fail_at(reader, key, "“%s” must be a text of 1 to %d bytes.", key,
                          FM_PLAN_MAX_LABEL);
        return NULL;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (g_ascii_iscntrl(*c)) {
            fm_reader_fail_at(reader, key, "“%s” must not contain control characters.", key);
            return NULL;
        }
    }
    return g_strdup(text);
}

char *
fm_reader_dup_id(FmPlanReader *reader, const json_t *object, const char *key)
{
    g_autofree char *id = fm_reader_dup_string(reader, object, key);
    if (id != NULL && !fm_reader_is_id(id)) {
        fm_reader_fail_at(reader, key,
                          "“%s” must be made of small letters, digits and “-”, %d at most.", key,
                          FM_PLAN_MAX_ID);
        return NULL;
    }
    return g_steal_pointer(&id);
}

/* @text with "${option}" filled in; NULL after a mistake. */
static char *
fill_in(FmPlanReader *reader, const char *key, const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    const char *start;
    while ((start = strstr(text, "${")) != NULL) {
        const char *end = strchr(start, '}');
        if (end == NULL) {
            break;
        }
        g_autofree char *name = g_strndup(start + 2, (gsize)(end - start - 2));
        const FmOption *option = fm_reader_find_option(reader, name);
        if (option == NULL) {
            g_autofree char *shown = fm_text_dup_printable(name);
            fm_reader_fail_at(reader, key, "“%s” is not an option of this plan.", shown);
            return NULL;
        }
        g_string_append_len(out, text, start - text);
        g_string_append(out, option->value);
        text = end + 1;
    }
    g_string_append(out, text);
    return g_strdup(out->str);
}

void
fm_reader_label(FmPlanReader *reader, const json_t *object, const char *key, char **english,
                char **korean)
{
    static const char *const languages[] = {"en", "ko", NULL};
    const json_t *value = json_object_get(object, key);
    if (value == NULL) {
        return;
    }
    if (!json_is_object(value)) {
        g_autofree char *text = fm_reader_dup_string(reader, object, key);
        *english = text != NULL ? fill_in(reader, key, text) : NULL;
        return;
    }
    gsize mark = fm_reader_enter(reader, key);
    if (fm_reader_check_object(reader, value, languages,
                               fm_message_new("A text in two languages"))) {
        g_autofree char *en = fm_reader_dup_string(reader, value, "en");
        g_autofree char *ko = fm_reader_dup_string(reader, value, "ko");
        *english = en != NULL ? fill_in(reader, "en", en) : NULL;
        *korean = ko != NULL ? fill_in(reader, "ko", ko) : NULL;
        if (en == NULL) {
            fm_reader_fail(reader, "The key “%s” is missing here.", "en");
        }
    }
    fm_reader_leave(reader, mark);
}
