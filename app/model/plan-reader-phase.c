/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tree of phases of a plan.  Phases are read depth first, so that whatever encloses
 * a stream is known when the stream is checked.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader-private.h"

#include "model/plan-names.h"

#include <string.h>

enum {
    MAX_COUNT = 100000, /* of a REPEAT */
    MAX_DISCARD = 100,
    MAX_STEADY_PATH = 200,
};

/* The keys each kind takes beside the common ones. */
static const struct {
    FmPhaseKind kind;
    const char *keys[12];
} own_keys[] = {
    {FM_PHASE_MEASURE, {"streams", "ramp", "stop", "log-ios"}},
    {FM_PHASE_PRECONDITION, {"streams", "ramp", "stop", "log-ios"}},
    {FM_PHASE_REST, {"time"}},
    {FM_PHASE_IDLE, {"time"}},
    {FM_PHASE_SETTLE, {"time"}},
    {FM_PHASE_PURGE, {NULL}},
    {FM_PHASE_TRIM, {"offset", "region"}},
    {FM_PHASE_EXTERNAL, {"instruction"}},
    {FM_PHASE_GROUP, {"phases", "between"}},
    {FM_PHASE_SWEEP, {"phases", "between", "axes"}},
    {FM_PHASE_REPEAT,
     {"phases", "between", "count", "max-count", "discard", "until-rse", "until-steady"}},
    {FM_PHASE_BISECT,
     {"phases", "vary", "of", "start", "limit", "times", "confirmations", "limits"}},
    {FM_PHASE_RATE_CURVE, {"phases", "percents"}},
};

static bool
check_keys(FmPlanReader *reader, const json_t *object, FmPhaseKind kind)
{
    static const char *const common[] = {
        "kind", "id", "label", "workload", "when", "skip-if", "skip-value",
    };
    const char *keys[G_N_ELEMENTS(common) + G_N_ELEMENTS(own_keys[0].keys) + 1] = {NULL};
    memcpy(keys, common, sizeof common);
    for (unsigned i = 0; i < G_N_ELEMENTS(own_keys); i++) {
        if (own_keys[i].kind == kind) {
            memcpy(keys + G_N_ELEMENTS(common), own_keys[i].keys, sizeof own_keys[i].keys);
        }
    }
    return fm_reader_check_object(reader, object, keys,
                                  fm_message_new("A phase of kind “%s”", fm_phase_kind_name(kind)));
}

static void
read_skip(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    phase->skip_if =
        (FmSkipCondition)fm_reader_word(reader, object, "skip-if", fm_names_skip, FM_SKIP_NEVER);
    bool has_value = json_object_get(object, "skip-value") != NULL;
    if (has_value != (phase->skip_if == FM_SKIP_BELOW_SIZE)) {
        fm_reader_fail_key(reader, has_value ? "skip-value" : "skip-if",
                           "“skip-value” and “below-size” go together.");
    }
    phase->skip_value =
        fm_reader_size(reader, object, "skip-value", (FmRange){.maximum = FM_PLAN_MAX_SIZE});
}

static void
read_trim(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    FmExtent start = {.relative = true, .value = 0};
    FmExtent whole = {.relative = true, .value = 1000000};
    phase->trim_offset = fm_reader_extent(reader, object, "offset", start);
    phase->trim_size = fm_reader_extent(reader, object, "region", whole);
    if (phase->trim_offset.relative && phase->trim_size.relative &&
        phase->trim_offset.value + phase->trim_size.value > whole.value) {
        fm_reader_fail(reader, "The region reaches beyond the end of the target.");
    }
}

static void
read_rest(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    if (json_object_get(object, "time") == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "time");
    }
    phase->rest_ns = fm_reader_time(reader, object, "time", (FmRange){.maximum = FM_PLAN_MAX_TIME});
    if (phase->kind == FM_PHASE_REST) {
        fm_reader_use_rest(reader, phase->id);
    }
}

static void
read_external(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    fm_reader_label(reader, object, "instruction", &phase->instruction, &phase->instruction_ko);
    if (phase->instruction == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "instruction");
    }
}

static void
read_until_steady(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    const char *path = json_string_value(json_object_get(object, "until-steady"));
    if (json_object_get(object, "until-steady") == NULL) {
        return;
    }
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                  "0123456789-=%./";
    if (path == NULL || strlen(path) > MAX_STEADY_PATH || strspn(path, letters) != strlen(path)) {
        fm_reader_fail_at(reader, "until-steady",
                          "This must be the path of a step below, such as “read=0%%”.");
        return;
    }
    phase->until_steady = g_strdup(path);
}

static void
read_repeat(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    FmRange counts = {.fallback = 1, .minimum = 1, .maximum = MAX_COUNT};
    if (json_object_get(object, "count") == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "count");
    }
    phase->count = (unsigned)fm_reader_count(reader, object, "count", counts);
    counts.fallback = phase->count;
    phase->max_count = (unsigned)fm_reader_count(reader, object, "max-count", counts);
    FmRange discards = {.maximum = MAX_DISCARD};
    phase->discard = (unsigned)fm_reader_count(reader, object, "discard", discards);
    FmRange shares = {.minimum = 1, .maximum = FM_SHARE_WHOLE};
    phase->until_rse = fm_reader_share(reader, object, "until-rse", shares) / 100.0;
    read_until_steady(reader, object, phase);

    if (phase->max_count < phase->count) {
        fm_reader_fail(reader, "“max-count” is smaller than “count”.");
    }
    bool adapts = phase->until_rse > 0 || phase->until_steady != NULL;
    if (adapts && json_object_get(object, "max-count") == NULL) {
        fm_reader_fail(reader, "“until-rse” and “until-steady” need “max-count”.");
    }
    if (!adapts && phase->max_count > phase->count) {
        fm_reader_fail_key(reader, "max-count", "“max-count” needs “until-rse” or “until-steady”.");
    }
}

/* What is special to the kind, without children. */
static void
read_own(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    FmRange times = {.maximum = FM_PLAN_MAX_TIME};
    switch (phase->kind) {
    case FM_PHASE_MEASURE:
    case FM_PHASE_PRECONDITION:
        fm_reader_streams(reader, object, phase);
        phase->ramp_ns = fm_reader_time(reader, object, "ramp", times);
        phase->stop = fm_reader_stop(reader, object);
        phase->log_ios = fm_reader_switch(reader, object, "log-ios");
        break;
    case FM_PHASE_REST:
    case FM_PHASE_IDLE:
    case FM_PHASE_SETTLE:
        read_rest(reader, object, phase);
        break;
    case FM_PHASE_PURGE:
        break;
    case FM_PHASE_TRIM:
        read_trim(reader, object, phase);
        break;
    case FM_PHASE_EXTERNAL:
        read_external(reader, object, phase);
        break;
    case FM_PHASE_GROUP:
        break;
    case FM_PHASE_SWEEP:
        fm_reader_axes(reader, object, phase);
        break;
    case FM_PHASE_REPEAT:
        read_repeat(reader, object, phase);
        break;
    case FM_PHASE_BISECT:
        fm_reader_bisect(reader, object, phase);
        break;
    case FM_PHASE_RATE_CURVE:
        fm_reader_rate_curve(reader, object, phase);
        break;
    }
    if (phase->kind >= FM_PHASE_GROUP) {
        phase->between_ns = fm_reader_time(reader, object, "between", times);
    }
}

/* Searches and curves compare steps of one MEASURE. */
static void
check_children(FmPlanReader *reader, const FmPhase *phase)
{
    bool is_single = phase->kind == FM_PHASE_BISECT || phase->kind == FM_PHASE_RATE_CURVE;
    const FmPhase *child = phase->children->pdata[0];
    if (is_single && (phase->children->len != 1 || child->kind != FM_PHASE_MEASURE)) {
        fm_reader_fail_at(reader, "phases", "A phase of kind “%s” has one child, a “measure”.",
                          fm_phase_kind_name(phase->kind));
    }
    for (guint i = 0; i < phase->children->len; i++) {
        child = phase->children->pdata[i];
        if (child->id == NULL && (phase->kind == FM_PHASE_GROUP || phase->children->len > 1)) {
            fm_reader_fail_at(reader, "phases", "Every phase here needs an “id”.");
        }
        for (guint j = 0; j < i; j++) {
            const FmPhase *sibling = phase->children->pdata[j];
            if (child->id != NULL && g_strcmp0(child->id, sibling->id) == 0) {
                fm_reader_fail_at(reader, "phases", "Two phases here are called “%s”.", child->id);
            }
        }
    }
}

static bool
count_phase(FmPlanReader *reader)
{
    if (++reader->reading->n_phases > FM_MAX_PHASES) {
        fm_reader_fail(reader, "The plan has more than %d phases.", FM_MAX_PHASES);
        return false;
    }
    if (reader->depth > FM_MAX_DEPTH) {
        fm_reader_fail(reader, "Phases are nested more than %d deep.", FM_MAX_DEPTH);
        return false;
    }
    return true;
}

static void
read_common(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    phase->id = fm_reader_dup_id(reader, object, "id");
    fm_reader_label(reader, object, "label", &phase->label, &phase->label_ko);
    phase->workload = fm_reader_dup_string(reader, object, "workload");
    read_skip(reader, object, phase);
}

static FmPhase *
read_plain(FmPlanReader *reader, const json_t *object, FmPhaseKind kind)
{
    if (!check_keys(reader, object, kind)) {
        return NULL;
    }
    g_autoptr(FmPhase) phase = g_new0(FmPhase, 1);
    phase->kind = kind;
    read_common(reader, object, phase);
    read_own(reader, object, phase);
    if (reader->error == NULL && kind >= FM_PHASE_GROUP) {
        fm_reader_push_axes(reader, phase);
        fm_reader_children(reader, object, phase);
        fm_reader_pop_axes(reader, phase);
    }
    return reader->error == NULL ? g_steal_pointer(&phase) : NULL;
}

/* The included plan's phases under a name of their own; the includer's words win. */
static FmPhase *
read_include(FmPlanReader *reader, const json_t *object)
{
    static const char *const keys[] = {
        "kind", "id", "label", "workload", "when", "skip-if", "skip-value", "plan", "set", NULL,
    };
    if (!fm_reader_check_object(reader, object, keys,
                                fm_message_new("A phase of kind “%s”", "include"))) {
        return NULL;
    }
    g_autoptr(FmPhase) phase = fm_reader_include(reader, object);
    if (phase == NULL) {
        return NULL;
    }
    g_autoptr(FmPhase) own = g_new0(FmPhase, 1);
    own->kind = FM_PHASE_GROUP;
    read_common(reader, object, own);
    if (own->id != NULL) {
        g_free(phase->id);
        phase->id = g_steal_pointer(&own->id);
    }
    if (own->label != NULL) {
        g_free(phase->label);
        g_free(phase->label_ko);
        phase->label = g_steal_pointer(&own->label);
        phase->label_ko = g_steal_pointer(&own->label_ko);
    }
    if (own->workload != NULL) {
        g_free(phase->workload);
        phase->workload = g_steal_pointer(&own->workload);
    }
    phase->skip_if = own->skip_if;
    phase->skip_value = own->skip_value;
    return reader->error == NULL ? g_steal_pointer(&phase) : NULL;
}

/* One phase, or NULL after a mistake or when its "when" does not hold. */
static FmPhase *
read_phase(FmPlanReader *reader, const json_t *object)
{
    if (!json_is_object(object)) {
        fm_reader_fail(reader, "A phase must be an object.");
        return NULL;
    }
    const json_t *kind = json_object_get(object, "kind");
    if (kind == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "kind");
        return NULL;
    }
    if (!count_phase(reader) || !fm_reader_when(reader, object)) {
        return NULL;
    }
    if (g_strcmp0(json_string_value(kind), "include") == 0) {
        return read_include(reader, object);
    }
    int found = fm_reader_word(reader, object, "kind", fm_names_phase, 0);
    return reader->error == NULL ? read_plain(reader, object, (FmPhaseKind)found) : NULL;
}

static void
phase_free_cb(gpointer data)
{
    fm_phase_free(data);
}

void
fm_reader_children(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    phase->children = g_ptr_array_new_with_free_func(phase_free_cb);
    const json_t *array = fm_reader_array(reader, object, "phases", 1, FM_MAX_PHASES);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "phases");
    reader->depth++;
    for (size_t i = 0; i < json_array_size(array) && reader->error == NULL; i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        FmPhase *child = read_phase(reader, json_array_get(array, i));
        if (child != NULL) {
            g_ptr_array_add(phase->children, child);
        }
        fm_reader_leave(reader, inner);
    }
    reader->depth--;
    fm_reader_leave(reader, mark);
    if (reader->error == NULL && phase->children->len == 0) {
        fm_reader_fail_at(reader, "phases", "With these options nothing is left to do here.");
    }
    if (reader->error == NULL) {
        check_children(reader, phase);
    }
}
