/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads plans: the text as a whole, its head, what it includes, and what follows from
 * its phases.  Plans are untrusted input: whatever the text is, the answer is a plan
 * that can be run as written or one sentence that says where it is wrong.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader.h"

#include "base/error.h"
#include "base/json.h"
#include "base/text.h"
#include "model/plan-hash.h"
#include "model/plan-names.h"
#include "model/plan-reader-private.h"

#include <string.h>

/* --- Places and mistakes ----------------------------------------------------------- */

gsize
fm_reader_enter(FmPlanReader *reader, const char *key)
{
    gsize mark = reader->path->len;
    if (mark > 0) {
        g_string_append_c(reader->path, '/');
    }
    g_string_append(reader->path, key);
    return mark;
}

gsize
fm_reader_enter_index(FmPlanReader *reader, size_t index)
{
    gsize mark = reader->path->len;
    g_string_append_printf(reader->path, "/%zu", index);
    return mark;
}

void
fm_reader_leave(FmPlanReader *reader, gsize mark)
{
    g_string_truncate(reader->path, mark);
}

typedef bool (*Locate)(const char *text, gsize length, const char *path, unsigned *line,
                       unsigned *column);

static void keep_mistake(FmPlanReader *reader, Locate locate, const char *format, va_list arguments)
    G_GNUC_PRINTF(3, 0);

static void
keep_mistake(FmPlanReader *reader, Locate locate, const char *format, va_list arguments)
{
    unsigned line;
    unsigned column;
    if (reader->error != NULL) {
        return;
    }
    g_autoptr(FmMessage) sentence = fm_message_new_valist(format, arguments);
    locate(reader->text, reader->length, reader->path->str, &line, &column);
    fm_error_set(&reader->error, FM_ERROR_INVALID, "%s:%u:%u: %p", reader->origin, line, column,
                 sentence);
}

void
fm_reader_fail(FmPlanReader *reader, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep_mistake(reader, fm_json_locate, format, arguments);
    va_end(arguments);
}

void
fm_reader_fail_at(FmPlanReader *reader, const char *key, const char *format, ...)
{
    va_list arguments;
    gsize mark = fm_reader_enter(reader, key);
    va_start(arguments, format);
    keep_mistake(reader, fm_json_locate, format, arguments);
    va_end(arguments);
    fm_reader_leave(reader, mark);
}

void
fm_reader_fail_key(FmPlanReader *reader, const char *key, const char *format, ...)
{
    va_list arguments;
    gsize mark = fm_reader_enter(reader, key);
    va_start(arguments, format);
    keep_mistake(reader, fm_json_locate_key, format, arguments);
    va_end(arguments);
    fm_reader_leave(reader, mark);
}

/* --- Head ---------------------------------------------------------------------------- */

static void
read_needs(FmPlanReader *reader, const json_t *object)
{
    const json_t *array = fm_reader_array(reader, object, "needs", 0, FM_PLAN_MAX_VALUES);
    gsize mark = fm_reader_enter(reader, "needs");
    for (size_t i = 0; array != NULL && i < json_array_size(array); i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        const char *word = json_string_value(json_array_get(array, i));
        int bit = word != NULL ? fm_names_find(fm_names_need, word) : -1;
        if (bit < 0) {
            g_autofree char *words = g_strjoinv(", ", (char **)fm_names_need);
            fm_reader_fail(reader, "This is not a need; possible are %s.", words);
        } else {
            reader->plan->needs |= 1u << bit;
        }
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

/* A decimal text, since JSON numbers of other programs end at 2^53. */
static uint64_t
read_seed(FmPlanReader *reader, const json_t *object)
{
    g_autofree char *text = fm_reader_dup_string(reader, object, "seed");
    uint64_t seed = FM_PLAN_DEFAULT_SEED;
    if (text != NULL && !g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &seed, NULL)) {
        fm_reader_fail_at(reader, "seed", "A seed is a whole number in quotes, such as “1”.");
    }
    return seed;
}

static void
read_version(FmPlanReader *reader, const json_t *object)
{
    const json_t *version = json_object_get(object, "fathom-plan");
    if (version == NULL) {
        fm_reader_fail(reader, "This is not a plan: the key “fathom-plan” is missing.");
    } else if (json_integer_value(version) != FM_PLAN_VERSION) {
        fm_reader_fail_at(reader, "fathom-plan",
                          "This version of the program reads plans of "
                          "version %d.",
                          FM_PLAN_VERSION);
    }
}

/* What a plan says about itself and what a user may set. */
static void
read_names(FmPlanReader *reader, const json_t *object)
{
    FmPlan *plan = reader->plan;
    read_version(reader, object);
    plan->id = fm_reader_dup_id(reader, object, "id");
    if (plan->id == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "id");
        plan->id = g_strdup("");
    }
    fm_reader_label(reader, object, "name", &plan->name, &plan->name_ko);
    if (plan->name == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "name");
    }
    fm_reader_label(reader, object, "summary", &plan->summary, &plan->summary_ko);
    plan->edition = fm_reader_dup_string(reader, object, "edition");
    plan->workload = fm_reader_dup_string(reader, object, "workload");
    plan->seed = read_seed(reader, object);
    read_needs(reader, object);
    fm_reader_options(reader, object);
}

/* What depends on options. */
static void
read_body(FmPlanReader *reader, const json_t *object)
{
    FmPlan *plan = reader->plan;
    plan->file_size = fm_reader_extent(reader, object, "file-size", (FmExtent){0});
    if (plan->file_size.relative) {
        plan->needs |= FM_NEED_FILL_LEVEL;
    }
    plan->file_data = (FmDataKind)fm_reader_word(reader, object, "file-data", fm_names_data, 0);
    if (plan->file_data == FM_DATA_COMPRESSIBLE) {
        fm_reader_fail_at(reader, "file-data", "A test file holds random data or zeros.");
    }
    plan->root = g_new0(FmPhase, 1);
    plan->root->kind = FM_PHASE_GROUP;
    plan->root->id = g_strdup(plan->id);
    plan->root->label = g_strdup(plan->name);
    plan->root->label_ko = g_strdup(plan->name_ko);
    plan->root->workload = g_strdup(plan->workload);
    plan->root->between_ns =
        fm_reader_time(reader, object, "between", (FmRange){.maximum = FM_PLAN_MAX_TIME});
    if (reader->error == NULL) {
        fm_reader_children(reader, object, plan->root);
    }
}

/* --- One text -------------------------------------------------------------------------- */

static void
read_object(FmPlanReader *reader, const json_t *json, const char *const *settings)
{
    static const char *const keys[] = {
        "fathom-plan", "id",        "name",      "summary", "edition", "workload", "needs",
        "seed",        "file-size", "file-data", "options", "between", "phases",   NULL,
    };
    if (!fm_reader_check_object(reader, json, keys, fm_message_new("A plan"))) {
        return;
    }
    read_names(reader, json);
    if (reader->error != NULL) {
        return;
    }
    reader->is_misset = !fm_reader_apply_settings(reader, settings, &reader->error);
    if (!reader->is_misset) {
        read_body(reader, json);
    }
}

/* Reads one text; @reader has origin, text, reading and depth.  NULL with its error. */
static FmPlan *
read_text(FmPlanReader *reader, const char *const *settings)
{
    g_autoptr(FmPlan) plan = g_new0(FmPlan, 1);
    g_autoptr(GString) path = g_string_new(NULL);

    reader->reading->n_bytes += reader->length;
    if (reader->reading->n_bytes > FM_PLAN_MAX_TEXT) {
        fm_error_set(&reader->error, FM_ERROR_INVALID,
                     "%s:1:1: A plan and all it includes may have %d bytes, not more.",
                     reader->origin, FM_PLAN_MAX_TEXT);
        return NULL;
    }
    json_auto_t *json = fm_json_parse(reader->text, reader->length, reader->origin, &reader->error);
    if (json == NULL) {
        return NULL;
    }
    reader->plan = plan;
    reader->path = path;
    read_object(reader, json, settings);
    return reader->error == NULL ? g_steal_pointer(&plan) : NULL;
}

/* --- Includes ---------------------------------------------------------------------------- */

/* "set" of an include as "key=value" texts; values may be options of the includer. */
static char **
read_settings(FmPlanReader *reader, const json_t *object)
{
    const json_t *set = json_object_get(object, "set");
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    if (set != NULL && !json_is_object(set)) {
        fm_reader_fail_at(reader, "set", "“set” must be an object of options and values.");
        set = NULL;
    }
    const char *key;
    json_t *value;
    gsize mark = fm_reader_enter(reader, "set");
    json_object_foreach((json_t *)set, key, value)
    {
        const char *text = json_string_value(value);
        const FmOption *option = NULL;
        if (text != NULL && text[0] == '$') {
            option = fm_reader_find_option(reader, text + 1);
            text = option != NULL ? option->value : NULL;
        }
        if (text == NULL) {
            fm_reader_fail_at(reader, key, "This must be a text, or an option of this plan.");
            break;
        }
        g_autofree char *setting = g_strconcat(key, "=", text, NULL);
        g_strv_builder_add(builder, setting);
    }
    fm_reader_leave(reader, mark);
    return g_strv_builder_end(builder);
}

static char *
look_up(FmPlanReader *reader, const char *id)
{
    FmPlanReading *reading = reader->reading;
    for (guint i = 0; i < reading->including->len; i++) {
        if (g_strcmp0(reading->including->pdata[i], id) == 0) {
            fm_reader_fail_at(reader, "plan", "The plan %s includes itself.", id);
            return NULL;
        }
    }
    if (reading->including->len > FM_MAX_DEPTH) {
        fm_reader_fail_at(reader, "plan", "Plans include each other more than %d deep.",
                          FM_MAX_DEPTH);
        return NULL;
    }
    g_autoptr(GError) error = NULL;
    char *text = NULL;
    if (reading->lookup != NULL) {
        text = reading->lookup(id, reading->user_data, &error);
    }
    if (text == NULL && error != NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        fm_reader_fail_at(reader, "plan", "The plan %s was not found: %p", id, reason);
    } else if (text == NULL) {
        fm_reader_fail_at(reader, "plan", "The plan %s was not found.", id);
    }
    return text;
}

FmPhase *
fm_reader_include(FmPlanReader *reader, const json_t *object)
{
    g_autofree char *id = fm_reader_dup_id(reader, object, "plan");
    if (id == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "plan");
        return NULL;
    }
    g_auto(GStrv) settings = read_settings(reader, object);
    g_autofree char *text = look_up(reader, id);
    if (reader->error != NULL) {
        return NULL;
    }
    g_autofree char *origin = g_strconcat(id, ".json", NULL);
    FmPlanReader inner = {
        .origin = origin,
        .text = text,
        .length = strlen(text),
        .reading = reader->reading,
        .depth = reader->depth,
    };
    g_ptr_array_add(reader->reading->including, id);
    g_autoptr(FmPlan) plan = read_text(&inner, (const char *const *)settings);
    g_ptr_array_set_size(reader->reading->including, (gint)reader->reading->including->len - 1);
    if (plan == NULL) {
        /* A setting has no place in the included text; it stands here. */
        if (inner.is_misset) {
            fm_reader_fail_at(reader, "set", "%s", inner.error->message);
        } else {
            reader->error = g_steal_pointer(&inner.error);
        }
        g_clear_error(&inner.error);
        return NULL;
    }
    reader->reading->needs |= plan->needs & ~(uint32_t)FM_NEED_FILL_LEVEL;
    return g_steal_pointer(&plan->root);
}

/* --- What follows from the phases ---------------------------------------------------------- */

static void
derive_from_streams(FmPlan *plan, const FmPhase *phase)
{
    for (unsigned i = 0; i < phase->n_streams; i++) {
        const FmStream *stream = &phase->streams[i];
        plan->destructive_on_raw |=
            stream->op_share[FM_OP_WRITE] > 0 || stream->op_share[FM_OP_TRIM] > 0;
        if (stream->op_share[FM_OP_TRIM] > 0) {
            plan->needs |= FM_NEED_TRIM;
        }
        if (fm_pacing_is_used(&stream->pacing)) {
            plan->needs |= FM_NEED_PACING;
        }
    }
}

static void
derive(FmPlan *plan, const FmPhase *phase)
{
    derive_from_streams(plan, phase);
    for (unsigned i = 0; i < phase->n_axes; i++) {
        plan->destructive_on_raw |= phase->axes[i].parameter == FM_PARAMETER_READ_SHARE;
    }
    switch (phase->kind) {
    case FM_PHASE_PURGE:
        plan->destructive_on_raw = true;
        plan->needs |= FM_NEED_PURGE;
        break;
    case FM_PHASE_TRIM:
        plan->destructive_on_raw = true;
        plan->needs |= phase->skip_if == FM_SKIP_NO_TRIM ? 0 : FM_NEED_TRIM;
        break;
    case FM_PHASE_EXTERNAL:
        plan->needs |= FM_NEED_EXTERNAL;
        break;
    case FM_PHASE_RATE_CURVE:
        plan->needs |= FM_NEED_PACING;
        break;
    default:
        break;
    }
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        derive(plan, phase->children->pdata[i]);
    }
}

/* A phase belongs to the workload around it unless it says otherwise, and the nameless
 * child of a driver is shown under the driver's label. */
static void
inherit(FmPhase *phase)
{
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        FmPhase *child = phase->children->pdata[i];
        if (child->workload == NULL) {
            child->workload = g_strdup(phase->workload);
        }
        if (child->id == NULL && child->label == NULL) {
            child->label = g_strdup(phase->label);
            child->label_ko = g_strdup(phase->label_ko);
        }
        inherit(child);
    }
}

/*
 * What @phase does at most; counts beyond the limit of a plan all look the same.  A rest
 * counts as well: nobody could wait for so many, nor walk over them.
 */
static uint64_t
count_steps(const FmPhase *phase)
{
    uint64_t steps = phase->children == NULL ? 1 : 0;
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        steps += count_steps(phase->children->pdata[i]);
    }
    for (unsigned i = 0; i < phase->n_axes; i++) {
        steps = MIN(steps * phase->axes[i].n_values, (uint64_t)FM_MAX_STEPS + 1);
    }
    if (phase->kind == FM_PHASE_REPEAT) {
        steps *= phase->max_count + phase->discard;
    }
    steps *= 1 + phase->n_rate_percents;
    return MIN(steps, (uint64_t)FM_MAX_STEPS + 1);
}

FmPlan *
fm_plan_read(const FmPlanSource *source, const char *const *settings, GError **error)
{
    g_autoptr(GPtrArray) including = g_ptr_array_new();
    g_autoptr(GPtrArray) axes = g_ptr_array_new_with_free_func(fm_axis_use_free_cb);
    FmPlanReading reading = {
        .lookup = source->lookup,
        .user_data = source->user_data,
        .including = including,
        .axes = axes,
    };
    FmPlanReader reader = {
        .origin = source->origin,
        .text = source->text,
        .length = source->length < 0 ? strlen(source->text) : (gsize)source->length,
        .reading = &reading,
    };
    g_autoptr(FmPlan) plan = read_text(&reader, settings);
    if (plan == NULL) {
        g_propagate_error(error, reader.error);
        return NULL;
    }
    if (count_steps(plan->root) > FM_MAX_STEPS) {
        fm_error_set(error, FM_ERROR_INVALID, "%s:1:1: The plan has more than %d steps.",
                     source->origin, FM_MAX_STEPS);
        return NULL;
    }
    plan->needs |= reading.needs;
    derive(plan, plan->root);
    inherit(plan->root);
    plan->canonical = fm_plan_dup_canonical(plan);
    fm_plan_fill_hash(plan);
    return g_steal_pointer(&plan);
}

FmPlan *
fm_plan_read_canonical(const char *text, GError **error)
{
    FmPlanSource source = {.text = text, .length = -1, .origin = "plan"};
    return fm_plan_read(&source, NULL, error);
}
