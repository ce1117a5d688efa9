/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is special to the drivers in a plan: the axes of a sweep, the range and limits of
 * a search, the rates of a curve.  Their children are read by plan-reader-phase.c.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/plan-reader-private.h"

#include "model/plan-names.h"

enum {
    MAX_LIMITS = 16,
    MAX_CONFIRMATIONS = 100,
    MAX_RATE_PERCENT = 1000,
    PER_BILLION_STEP = 1000, /* parts per billion in one part per million */
};

/* --- Axes ------------------------------------------------------------------------------ */

static uint64_t
read_axis_value(FmPlanReader *reader, const json_t *value, FmParameter parameter)
{
    FmRange depths = {.minimum = 1, .maximum = FM_MAX_IN_FLIGHT};
    FmRange threads = {.minimum = 1, .maximum = FM_MAX_THREADS};
    FmRange shares = {.maximum = FM_SHARE_WHOLE};
    FmRange blocks = {.minimum = FM_MIN_BLOCK, .maximum = FM_MAX_BLOCK};
    FmRange regions = {.minimum = FM_MIN_BLOCK, .maximum = FM_PLAN_MAX_SIZE};
    FmRange times = {.maximum = FM_PLAN_MAX_TIME};
    uint64_t bytes;

    switch (parameter) {
    case FM_PARAMETER_IN_FLIGHT:
        return fm_reader_value_count(reader, value, depths);
    case FM_PARAMETER_THREADS:
        return fm_reader_value_count(reader, value, threads);
    case FM_PARAMETER_READ_SHARE:
        return fm_reader_value_share(reader, value, FM_SHARE_STEP, shares);
    case FM_PARAMETER_BLOCK_SIZE:
        bytes = fm_reader_value_size(reader, value, blocks);
        if (bytes % FM_MIN_BLOCK != 0) {
            fm_reader_fail(reader, "This must be a multiple of %d bytes.", FM_MIN_BLOCK);
        }
        return bytes;
    case FM_PARAMETER_REGION_SIZE:
        if (g_strcmp0(json_string_value(value), "all") == 0) {
            return FM_REGION_WHOLE;
        }
        return fm_reader_value_size(reader, value, regions);
    case FM_PARAMETER_REST_TIME:
        return fm_reader_value_time(reader, value, times);
    }
    g_return_val_if_reached(0);
}

static void
read_axis(FmPlanReader *reader, const json_t *object, FmSweepAxis *axis)
{
    static const char *const keys[] = {"vary", "of", "values", NULL};
    if (!fm_reader_check_object(reader, object, keys, fm_message_new("An axis"))) {
        return;
    }
    if (json_object_get(object, "vary") == NULL) {
        fm_reader_fail(reader, "The key “%s” is missing here.", "vary");
    }
    axis->parameter = (FmParameter)fm_reader_word(reader, object, "vary", fm_names_parameter, 0);
    axis->target = fm_reader_dup_id(reader, object, "of");
    const json_t *array = fm_reader_array(reader, object, "values", 1, FM_PLAN_MAX_VALUES);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "values");
    axis->values = g_new0(uint64_t, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        uint64_t value = read_axis_value(reader, json_array_get(array, i), axis->parameter);
        for (unsigned j = 0; reader->error == NULL && j < axis->n_values; j++) {
            if (axis->values[j] == value) {
                fm_reader_fail(reader, "This value stands here twice.");
            }
        }
        axis->values[axis->n_values++] = value;
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

void
fm_reader_axes(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    const json_t *array = fm_reader_array(reader, object, "axes", 1, FM_PLAN_MAX_AXES);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "axes");
    phase->axes = g_new0(FmSweepAxis, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array) && reader->error == NULL; i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        read_axis(reader, json_array_get(array, i), &phase->axes[phase->n_axes++]);
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

/* A search is kept among the axes as one axis with its two ends. */
static FmSweepAxis *
search_as_axis(const FmPhase *phase)
{
    FmSweepAxis *axis = g_new0(FmSweepAxis, 1);
    axis->parameter = phase->search;
    axis->target = g_strdup(phase->search_target);
    axis->values = g_new0(uint64_t, 2);
    axis->n_values = 2;
    axis->values[0] = phase->search_start;
    axis->values[1] = phase->search_limit;
    return axis;
}

void
fm_axis_use_free_cb(gpointer data)
{
    FmAxisUse *use = data;
    if (use->own != NULL) {
        g_free(use->own->target);
        g_free(use->own->values);
        g_free(use->own);
    }
    g_free(use);
}

void
fm_reader_push_axes(FmPlanReader *reader, const FmPhase *phase)
{
    for (unsigned i = 0; i < phase->n_axes; i++) {
        FmAxisUse *use = g_new0(FmAxisUse, 1);
        use->axis = &phase->axes[i];
        g_ptr_array_add(reader->reading->axes, use);
    }
    if (phase->kind == FM_PHASE_BISECT) {
        FmAxisUse *use = g_new0(FmAxisUse, 1);
        use->axis = use->own = search_as_axis(phase);
        use->is_range = true;
        g_ptr_array_add(reader->reading->axes, use);
    }
}

void
fm_reader_pop_axes(FmPlanReader *reader, const FmPhase *phase)
{
    unsigned n_axes = phase->n_axes + (phase->kind == FM_PHASE_BISECT);
    GPtrArray *axes = reader->reading->axes;
    for (guint i = axes->len - n_axes; i < axes->len; i++) {
        const FmAxisUse *use = axes->pdata[i];
        if (!use->is_used) {
            const char *name = fm_parameter_name(use->axis->parameter);
            if (use->axis->target != NULL) {
                fm_reader_fail(reader, "Nothing below is varied by “%s” of “%s”.", name,
                               use->axis->target);
            } else {
                fm_reader_fail(reader, "Nothing below is varied by “%s”.", name);
            }
        }
    }
    g_ptr_array_set_size(axes, (gint)(axes->len - n_axes));
}

void
fm_reader_use_rest(FmPlanReader *reader, const char *id)
{
    for (guint i = 0; i < reader->reading->axes->len; i++) {
        FmAxisUse *use = reader->reading->axes->pdata[i];
        if (use->axis->parameter == FM_PARAMETER_REST_TIME &&
            (use->axis->target == NULL || g_strcmp0(use->axis->target, id) == 0)) {
            use->is_used = true;
        }
    }
}

/* --- Search -------------------------------------------------------------------------- */

static void
read_limit(FmPlanReader *reader, const json_t *object, FmLatencyLimit *limit)
{
    static const char *const keys[] = {"percentile", "latency", NULL};
    if (!fm_reader_check_object(reader, object, keys, fm_message_new("A limit"))) {
        return;
    }
    if (json_object_get(object, "percentile") == NULL ||
        json_object_get(object, "latency") == NULL) {
        fm_reader_fail(reader, "A limit needs “percentile” and “latency”.");
        return;
    }
    gsize mark = fm_reader_enter(reader, "percentile");
    FmRange percentiles = {.fallback = 1, .minimum = 1, .maximum = 1000000};
    uint64_t per_million =
        fm_reader_value_share(reader, json_object_get(object, "percentile"), 1, percentiles);
    limit->per_billion = (uint32_t)(per_million * PER_BILLION_STEP);
    fm_reader_leave(reader, mark);
    FmRange times = {.minimum = 1, .maximum = FM_PLAN_MAX_TIME};
    limit->limit_ns = fm_reader_time(reader, object, "latency", times);
}

static void
read_limits(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    const json_t *array = fm_reader_array(reader, object, "limits", 1, MAX_LIMITS);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "limits");
    phase->limits = g_new0(FmLatencyLimit, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        read_limit(reader, json_array_get(array, i), &phase->limits[phase->n_limits++]);
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

static void
read_times(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    enum { N_TIMES = G_N_ELEMENTS(phase->search_time_ns) };
    FmRange times = {.minimum = 1, .maximum = FM_PLAN_MAX_TIME};
    const json_t *array = fm_reader_array(reader, object, "times", N_TIMES, N_TIMES);
    gsize mark = fm_reader_enter(reader, "times");
    for (size_t i = 0; array != NULL && i < N_TIMES; i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        phase->search_time_ns[i] =
            (int64_t)fm_reader_value_time(reader, json_array_get(array, i), times);
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}

void
fm_reader_bisect(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    static const char *const searchable[] = {"in-flight", NULL};
    FmRange depths = {.fallback = 1, .minimum = 1, .maximum = FM_MAX_IN_FLIGHT};
    FmRange confirmations = {.maximum = MAX_CONFIRMATIONS};

    fm_reader_word(reader, object, "vary", searchable, 0);
    phase->search = FM_PARAMETER_IN_FLIGHT;
    phase->search_target = fm_reader_dup_id(reader, object, "of");
    phase->search_start = fm_reader_count(reader, object, "start", depths);
    depths.fallback = FM_MAX_IN_FLIGHT;
    phase->search_limit = fm_reader_count(reader, object, "limit", depths);
    if (phase->search_limit < phase->search_start) {
        fm_reader_fail_at(reader, "limit", "The search ends below its start.");
    }
    phase->confirmations =
        (unsigned)fm_reader_count(reader, object, "confirmations", confirmations);
    read_times(reader, object, phase);
    read_limits(reader, object, phase);
}

/* --- Curve ------------------------------------------------------------------------------- */

void
fm_reader_rate_curve(FmPlanReader *reader, const json_t *object, FmPhase *phase)
{
    FmRange percents = {.fallback = 1, .minimum = 1, .maximum = MAX_RATE_PERCENT};
    const json_t *array = fm_reader_array(reader, object, "percents", 1, FM_PLAN_MAX_VALUES);
    if (array == NULL) {
        return;
    }
    gsize mark = fm_reader_enter(reader, "percents");
    phase->rate_percents = g_new0(uint32_t, json_array_size(array));
    for (size_t i = 0; i < json_array_size(array); i++) {
        gsize inner = fm_reader_enter_index(reader, i);
        /* Whole percents: 1 % is 10,000 parts per million. */
        phase->rate_percents[phase->n_rate_percents++] =
            (uint32_t)fm_reader_value_share(reader, json_array_get(array, i), 10000, percents);
        fm_reader_leave(reader, inner);
    }
    fm_reader_leave(reader, mark);
}
