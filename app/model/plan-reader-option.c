/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options of a plan: what a user may set, within which limits, and what was set.  An
 * option's value is a text that the value readers take wherever a plan says "$key".
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader-private.h"

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "model/plan-names.h"

#include <string.h>

bool
fm_reader_is_id(const char *text)
{
    gsize length = strlen(text);
    return length > 0 && length <= FM_PLAN_MAX_ID &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-") == length;
}

FmOption *
fm_reader_find_option(const FmPlanReader *reader, const char *key)
{
    for (unsigned i = 0; i < reader->plan->n_options; i++) {
        if (strcmp(reader->plan->options[i].key, key) == 0) {
            return &reader->plan->options[i];
        }
    }
    return NULL;
}

/*
 * Reads @text as a value of @option's kind.  @number is what is compared with the limits;
 * the result is the text as it was understood, with its unit.  Caller frees.
 */
static char *
understand(const FmOption *option, const char *text, uint64_t *number, GError **error)
{
    char *spelling = NULL;
    uint32_t per_million = 0;
    int64_t time_ns = 0;
    bool is_bare = text[0] != '\0' && strspn(text, "0123456789.") == strlen(text);
    g_autofree char *percent = g_strconcat(text, is_bare ? "%" : "", NULL);

    switch (option->kind) {
    case FM_OPTION_SIZE:
        return fm_units_parse_size(text, number, &spelling, error) ? spelling : NULL;
    case FM_OPTION_TIME:
        if (!fm_units_parse_duration(text, &time_ns, error)) {
            return NULL;
        }
        *number = (uint64_t)time_ns;
        return fm_units_dup_duration(time_ns);
    case FM_OPTION_COUNT:
        return fm_units_parse_count(text, number, error)
                   ? g_strdup_printf("%" G_GUINT64_FORMAT, *number)
                   : NULL;
    case FM_OPTION_PERCENT:
        if (!fm_units_parse_percent(percent, &per_million, error)) {
            return NULL;
        }
        *number = per_million;
        return fm_units_dup_percent(per_million);
    case FM_OPTION_CHOICE:
    case FM_OPTION_SWITCH:
        *number = 0;
        return g_strdup(text);
    }
    g_return_val_if_reached(NULL);
}

/* Whether @text is one of the words the option knows; says which they are if not. */
static bool
check_word(const FmOption *option, const char *text, GError **error)
{
    static const char *const on_off[] = {"on", "off", NULL};
    const char *const *words =
        option->kind == FM_OPTION_CHOICE ? (const char *const *)option->choices : on_off;
    if (fm_names_find(words, text) >= 0) {
        return true;
    }
    g_autofree char *shown = fm_text_dup_printable(text);
    g_autofree char *possible = g_strjoinv(", ", (char **)words);
    fm_error_set(error, FM_ERROR_INVALID, "“%s” is not possible for %s: %s.", shown, option->key,
                 possible);
    return false;
}

static bool
check_limit(const FmOption *option, const char *limit, uint64_t number, int sign, GError **error)
{
    uint64_t bound = 0;
    if (limit == NULL) {
        return true;
    }
    g_autofree char *spelling = understand(option, limit, &bound, error);
    if (spelling == NULL) {
        return false;
    }
    if (sign < 0 ? number >= bound : number <= bound) {
        return true;
    }
    if (sign < 0) {
        fm_error_set(error, FM_ERROR_INVALID, "%s must be at least %s.", option->key, limit);
    } else {
        fm_error_set(error, FM_ERROR_INVALID, "%s must be at most %s.", option->key, limit);
    }
    return false;
}

char *
fm_option_understand(const FmOption *option, const char *text, GError **error)
{
    uint64_t number = 0;
    if (option->kind == FM_OPTION_CHOICE || option->kind == FM_OPTION_SWITCH) {
        return check_word(option, text, error) ? g_strdup(text) : NULL;
    }
    if (option->can_be_off && strcmp(text, "off") == 0) {
        return g_strdup(text);
    }
    g_autofree char *spelling = understand(option, text, &number, error);
    if (spelling == NULL || !check_limit(option, option->minimum, number, -1, error) ||
        !check_limit(option, option->maximum, number, 1, error)) {
        return NULL;
    }
    return g_steal_pointer(&spelling);
}

static void
read_choices(FmPlanReader *reader, const json_t *object, FmOption *option)
{
    bool is_choice = option->kind == FM_OPTION_CHOICE;
    if (!is_choice && json_object_get(object, "choices") != NULL) {
        fm_reader_fail_key(reader, "choices", "Only an option of kind “choice” has choices.");
        return;
    }
    const json_t *array =
        fm_reader_array(reader, object, "choices", is_choice ? 1 : 0, FM_PLAN_MAX_VALUES);
    if (array == NULL) {
        return;
    }
    option->choices = g_new0(char *, json_array_size(array) + 1);
    gsize mark = fm_reader_enter(reader, "choices");
    for (size_t i = 0; i < json_array_size(array); i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        const char *text = json_string_value(json_array_get(array, i));
        bool is_word =
            text != NULL && text[0] != '\0' && text[0] != '$' && strlen(text) <= FM_PLAN_MAX_ID;
        if (!is_word) {
            fm_reader_fail(reader, "A choice must be a short text.");
        }
        option->choices[i] = g_strdup(is_word ? text : "");
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

/* Limits and default are written as the user would write a value. */
static void
read_limits(FmPlanReader *reader, const json_t *object, FmOption *option)
{
    static const char *const keys[] = {"min", "max", "default"};
    char **const texts[] = {&option->minimum, &option->maximum, &option->default_value};
    for (unsigned i = 0; i < G_N_ELEMENTS(keys) && reader->error == NULL; i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = fm_reader_dup_string(reader, object, keys[i]);
        if (text == NULL && i < 2) {
            continue;
        }
        if (text == NULL) {
            fm_reader_fail(reader, "The key “%s” is missing here.", "default");
            return;
        }
        *texts[i] = fm_option_understand(option, text, &error);
        if (*texts[i] == NULL) {
            g_autoptr(FmMessage) reason = fm_error_dup_message(error);
            fm_reader_fail_at(reader, keys[i], "%p", reason);
        }
    }
}

static void
read_option(FmPlanReader *reader, const json_t *object, FmOption *option)
{
    static const char *const keys[] = {
        "key", "kind", "label", "default", "min", "max", "choices", "off", NULL,
    };
    if (!fm_reader_check_object(reader, object, keys, fm_message_new("An option"))) {
        return;
    }
    option->key = fm_reader_dup_id(reader, object, "key");
    if (option->key == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "key");
        return;
    }
    if (json_object_get(object, "kind") == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "kind");
    }
    option->kind =
        (FmOptionKind)fm_reader_word(reader, object, "kind", fm_names_option, FM_OPTION_SWITCH);
    option->can_be_off = fm_reader_switch(reader, object, "off");
    fm_reader_label(reader, object, "label", &option->label, &option->label_ko);
    read_choices(reader, object, option);
    read_limits(reader, object, option);
    option->value = g_strdup(option->default_value);
}

void
fm_reader_options(FmPlanReader *reader, const json_t *object)
{
    FmPlan *plan = reader->plan;
    const json_t *array = fm_reader_array(reader, object, "options", 0, FM_PLAN_MAX_OPTIONS);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "options");
    plan->options = g_new0(FmOption, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array) && reader->error == NULL; i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        FmOption option = {0};
        read_option(reader, json_array_get(array, i), &option);
        if (option.key != NULL && fm_reader_find_option(reader, option.key) != NULL) {
            fm_reader_fail_at(reader, "key", "There are two options “%s”.", option.key);
        }
        /* Counted even when broken, so that it is freed with the plan. */
        option.key = option.key != NULL ? option.key : g_strdup("");
        plan->options[plan->n_options++] = option;
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

static void
set_unknown_option(const FmPlanReader *reader, const char *key, GError **error)
{
    g_autofree char *shown = fm_text_dup_printable(key);
    g_autoptr(GString) keys = g_string_new(NULL);
    for (unsigned i = 0; i < reader->plan->n_options; i++) {
        g_string_append_printf(keys, "%s%s", i > 0 ? ", " : "", reader->plan->options[i].key);
    }
    if (keys->len == 0) {
        fm_error_set(error, FM_ERROR_INVALID, "The plan %s has no option “%s”, nor any other.",
                     reader->plan->id, shown);
        return;
    }
    fm_error_set(error, FM_ERROR_INVALID, "The plan %s has no option “%s”; it has %s.",
                 reader->plan->id, shown, keys->str);
}

bool
fm_reader_apply_settings(FmPlanReader *reader, const char *const *settings, GError **error)
{
    for (; settings != NULL && *settings != NULL; settings++) {
        const char *equals = strchr(*settings, '=');
        if (equals == NULL) {
            g_autofree char *shown = fm_text_dup_printable(*settings);
            fm_error_set(error, FM_ERROR_INVALID, "The setting “%s” must be written key=value.",
                         shown);
            return false;
        }
        g_autofree char *key = g_strndup(*settings, (gsize)(equals - *settings));
        FmOption *option = fm_reader_find_option(reader, key);
        if (option == NULL) {
            set_unknown_option(reader, key, error);
            return false;
        }
        g_autoptr(GError) lower = NULL;
        char *value = fm_option_understand(option, equals + 1, &lower);
        if (value == NULL) {
            g_autoptr(FmMessage) reason = fm_error_dup_message(lower);
            fm_error_set(error, FM_ERROR_INVALID, "Setting %s: %p", key, reason);
            return false;
        }
        g_free(option->value);
        option->value = value;
    }
    return true;
}

bool
fm_reader_when(FmPlanReader *reader, const json_t *object)
{
    g_autofree char *when = fm_reader_dup_string(reader, object, "when");
    if (when == NULL) {
        return true;
    }
    char *equals = strchr(when, '=');
    if (equals != NULL) {
        *equals = '\0';
    }
    const FmOption *option = fm_reader_find_option(reader, when);
    if (option == NULL) {
        g_autofree char *shown = fm_text_dup_printable(when);
        fm_reader_fail_at(reader, "when", "“%s” is not an option of this plan.", shown);
        return false;
    }
    if (equals == NULL) {
        return strcmp(option->value, "off") != 0;
    }
    g_autoptr(GError) error = NULL;
    g_autofree char *wanted = fm_option_understand(option, equals + 1, &error);
    if (wanted == NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_reader_fail_at(reader, "when", "%p", reason);
        return false;
    }
    return strcmp(option->value, wanted) == 0;
}
