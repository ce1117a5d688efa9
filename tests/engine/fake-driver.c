/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Actions that write down what they are asked for, and plans built by hand; see the
 * header.
 */
#define G_LOG_DOMAIN "fathom"

#include "fake-driver.h"

#include "base/error.h"

#include <stdarg.h>

/* Counts the action; whether it is the one that ends the plan. */
static bool
is_end(Fake *fake)
{
    return ++fake->n_actions == fake->end_at;
}

static bool
run_step(gpointer user_data, const FmStep *step, FmStepResult *result)
{
    Fake *fake = user_data;

    g_string_append_printf(fake->trace, "%u %s%s\n", step->number, step->path,
                           step->discard ? " (warm-up)" : "");
    if (is_end(fake)) {
        result->outcome = fake->end_outcome;
        result->reason = fm_message_new("told to end");
        return false;
    }
    if (fake->run != NULL) {
        return fake->run(fake, step, result);
    }
    fake_fill(result, 1000, 1000);
    return true;
}

static void
skip_step(gpointer user_data, const FmStep *step, const FmMessage *reason)
{
    Fake *fake = user_data;

    g_string_append_printf(fake->trace, "skip %u %s: %s\n", step->number, step->path,
                           fm_message_get_text(reason));
}

static FmOutcome
run_other(gpointer user_data, const char *path, const FmPhase *phase, int64_t rest_ns,
          GError **error)
{
    Fake *fake = user_data;

    g_string_append_printf(fake->trace, "%s %s",
                           phase != NULL ? fm_phase_kind_name(phase->kind) : "rest", path);
    if (rest_ns > 0) {
        g_string_append_printf(fake->trace, " %" G_GINT64_FORMAT, rest_ns / SECOND_NS);
    }
    g_string_append_c(fake->trace, '\n');

    if (is_end(fake)) {
        if (fake->end_outcome == FM_OUTCOME_FAILED) {
            g_set_error(error, FM_ERROR, FM_ERROR_IO, "told to end");
        }
        return fake->end_outcome;
    }
    return FM_OUTCOME_COMPLETE;
}

static void
evaluate(gpointer user_data, GVariant *dictionary)
{
    Fake *fake = user_data;

    g_assert_true(g_variant_is_of_type(dictionary, G_VARIANT_TYPE_VARDICT));
    g_assert_true(g_variant_is_floating(dictionary));
    g_ptr_array_add(fake->evaluations, g_variant_ref_sink(dictionary));
}

void
fake_init(Fake *fake)
{
    *fake = (Fake){
        .actions =
            {
                .run_step = run_step,
                .skip_step = skip_step,
                .run_other = run_other,
                .evaluate = evaluate,
                .user_data = fake,
                .needs = UINT32_MAX,
                .target_kind = FM_TARGET_FOLDER,
                .target_size = 1024 * MIB,
                .block_size = 512,
                .can_trim = true,
                .cores = 4,
            },
        .trace = g_string_new(NULL),
        .evaluations = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref),
    };
}

void
fake_clear(Fake *fake)
{
    g_string_free(fake->trace, TRUE);
    g_ptr_array_unref(fake->evaluations);
}

FmOutcome
fake_run(Fake *fake, FmPhase *root, GError **error)
{
    g_autoptr(FmPlan) plan = plan_new(root);

    return fm_driver_run(plan, &fake->actions, error);
}

void
fake_expect(Fake *fake, FmPhase *root, const char *trace)
{
    g_autoptr(GError) error = NULL;

    FmOutcome outcome = fake_run(fake, root, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome, ==, FM_OUTCOME_COMPLETE);
    g_assert_cmpstr(fake->trace->str, ==, trace);
}

GVariant *
fake_lookup(const Fake *fake, unsigned index, const char *key)
{
    g_assert_cmpuint(index, <, fake->evaluations->len);
    GVariant *value = g_variant_lookup_value(fake->evaluations->pdata[index], key, NULL);
    g_assert_nonnull(value);
    return value;
}

unsigned
fake_count(const Fake *fake, const char *kind)
{
    unsigned n = 0;

    for (guint i = 0; i < fake->evaluations->len; i++) {
        g_autoptr(GVariant) value = fake_lookup(fake, i, "kind");
        n += g_str_equal(g_variant_get_string(value, NULL), kind);
    }
    return n;
}

void
fake_fill(FmStepResult *result, uint64_t ios, uint64_t latency_ns)
{
    FmHist *hist = &result->latency_ns[FM_OP_READ];

    result->outcome = FM_OUTCOME_COMPLETE;
    result->ended_by = "time";
    result->measured_ns = SECOND_NS;
    result->ios[FM_OP_READ] = ios;
    result->bytes[FM_OP_READ] = ios * 4096;
    fm_hist_init(hist, FM_HIST_INTERVAL_BITS);
    fm_hist_record(hist, latency_ns);
}

FmPhase *
phase_new(FmPhaseKind kind, const char *id, ...)
{
    FmPhase *phase = g_new0(FmPhase, 1);
    phase->kind = kind;
    phase->id = g_strdup(id);
    phase->children = g_ptr_array_new_with_free_func((GDestroyNotify)fm_phase_free);

    va_list children;
    va_start(children, id);
    for (FmPhase *child = va_arg(children, FmPhase *); child != NULL;
         child = va_arg(children, FmPhase *)) {
        g_ptr_array_add(phase->children, child);
    }
    va_end(children);
    return phase;
}

FmPhase *
measure_new(const char *id)
{
    FmPhase *phase = phase_new(FM_PHASE_MEASURE, id, NULL);
    phase->stop.time_ns = SECOND_NS;
    phase_add_stream(phase, "s");
    return phase;
}

FmStream *
phase_add_stream(FmPhase *phase, const char *id)
{
    phase->streams = g_renew(FmStream, phase->streams, phase->n_streams + 1);
    FmStream *stream = &phase->streams[phase->n_streams++];
    *stream = (FmStream){
        .id = g_strdup(id),
        .op_share = {[FM_OP_READ] = FM_SHARE_WHOLE},
        .pattern = FM_PATTERN_RANDOM,
        .blocks = g_new0(FmBlockShare, 1),
        .n_blocks = 1,
        .in_flight = 1,
        .region_size = {.relative = true, .value = 1000000},
    };
    stream->blocks[0] = (FmBlockShare){.size = 4096, .weight = 1};
    return stream;
}

void
phase_add_axis(FmPhase *phase, FmParameter parameter, const char *target, unsigned n, ...)
{
    phase->axes = g_renew(FmSweepAxis, phase->axes, phase->n_axes + 1);
    FmSweepAxis *axis = &phase->axes[phase->n_axes++];
    *axis = (FmSweepAxis){
        .parameter = parameter,
        .target = g_strdup(target),
        .values = g_new(uint64_t, n),
        .n_values = n,
    };

    va_list values;
    va_start(values, n);
    for (unsigned i = 0; i < n; i++) {
        axis->values[i] = va_arg(values, uint64_t);
    }
    va_end(values);
}

FmPlan *
plan_new(FmPhase *root)
{
    FmPlan *plan = g_new0(FmPlan, 1);
    plan->id = g_strdup("test");
    plan->root = root;
    return plan;
}
