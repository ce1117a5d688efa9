/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk over a plan: order, paths, rests, sweeps, what is skipped and how it ends.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver.h"

#include "base/error.h"
#include "fake-driver.h"

#include <string.h>

#define U(value) UINT64_C(value)

static void
test_order(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *rest = phase_new(FM_PHASE_REST, "r", NULL);
    rest->rest_ns = 7 * SECOND_NS;
    FmPhase *inner = phase_new(FM_PHASE_GROUP, "g", measure_new("b"), measure_new("c"), NULL);

    fake_expect(&fake,
                phase_new(FM_PHASE_GROUP, "root", measure_new("a"), rest, inner,
                          phase_new(FM_PHASE_TRIM, "t", NULL), NULL),
                "0 a\nrest r 7\n1 g/b\n2 g/c\ntrim t\n");
    g_assert_cmpuint(fake.evaluations->len, ==, 0);
}

/* Never before the first or after the last, and each driver its own. */
static void
test_rests(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *inner = phase_new(FM_PHASE_GROUP, "g", measure_new("a"), measure_new("b"), NULL);
    inner->between_ns = 1 * SECOND_NS;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", measure_new(NULL), NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 2, U(1), U(2));
    sweep->between_ns = 2 * SECOND_NS;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", inner, sweep, measure_new("z"), NULL);
    root->between_ns = 5 * SECOND_NS;

    fake_expect(&fake, root,
                "0 g/a\nrest g 1\n1 g/b\nrest  5\n2 s/in-flight=1\nrest s 2\n3 s/in-flight=2\n"
                "rest  5\n4 z\n");
}

static void
test_rests_around_skipped(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.actions.block_size = 4096;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", measure_new(NULL), NULL);
    phase_add_axis(sweep, FM_PARAMETER_BLOCK_SIZE, NULL, 4, U(512), U(4096), U(1024), U(8192));
    sweep->between_ns = 2 * SECOND_NS;
    FmPhase *last = measure_new("last");
    last->skip_if = FM_SKIP_FILE_TARGET;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", sweep, last, NULL);
    root->between_ns = 5 * SECOND_NS;

    fake_expect(&fake, root,
                "skip 0 s/block=512B: blocks of 512 B are not possible on a 4096 B LBA\n"
                "1 s/block=4KiB\n"
                "skip 2 s/block=1KiB: blocks of 1024 B are not possible on a 4096 B LBA\n"
                "rest s 2\n"
                "3 s/block=8KiB\n");
    g_assert_cmpuint(fake_count(&fake, "skip"), ==, 3);
}

/* A rest that nothing of its driver follows is not left to whoever comes next. */
static void
test_rests_dropped(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *last = measure_new("last");
    last->skip_if = FM_SKIP_FILE_TARGET;
    FmPhase *group = phase_new(FM_PHASE_GROUP, "g", measure_new("a"), last, NULL);
    group->between_ns = SECOND_NS;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", measure_new(NULL), NULL);
    phase_add_axis(sweep, FM_PARAMETER_BLOCK_SIZE, NULL, 2, U(512), U(100));
    sweep->between_ns = SECOND_NS;

    fake_expect(
        &fake,
        phase_new(FM_PHASE_GROUP, "root", group, measure_new("b"), sweep, measure_new("c"), NULL),
        "0 g/a\n1 b\n2 s/block=512B\n"
        "skip 3 s/block=100B: blocks of 100 B are not possible on a 512 B LBA\n"
        "4 c\n");
}

static void
test_sweep(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "rwr", measure_new("x"), measure_new("y"), NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 2, U(1), U(2));
    phase_add_axis(sweep, FM_PARAMETER_READ_SHARE, NULL, 3, U(0), U(5000), U(10000));

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", sweep, NULL),
                "0 rwr/in-flight=1/read=0%/x\n1 rwr/in-flight=1/read=0%/y\n"
                "2 rwr/in-flight=1/read=50%/x\n3 rwr/in-flight=1/read=50%/y\n"
                "4 rwr/in-flight=1/read=100%/x\n5 rwr/in-flight=1/read=100%/y\n"
                "6 rwr/in-flight=2/read=0%/x\n7 rwr/in-flight=2/read=0%/y\n"
                "8 rwr/in-flight=2/read=50%/x\n9 rwr/in-flight=2/read=50%/y\n"
                "10 rwr/in-flight=2/read=100%/x\n11 rwr/in-flight=2/read=100%/y\n");
}

/* --- What a step holds --------------------------------------------------------------- */

static bool
check_applied(Fake *fake, const FmStep *step, FmStepResult *result)
{
    const FmStream *first = &step->phase->streams[0];
    const FmStream *other = &step->phase->streams[1];

    g_assert_cmpuint(first->in_flight, ==, 64);
    g_assert_cmpuint(first->threads, ==, 2); /* METHODOLOGY 19.1.17 on four cores */
    g_assert_cmpuint(first->op_share[FM_OP_READ], ==, 7000);
    g_assert_cmpuint(first->op_share[FM_OP_WRITE], ==, 3000);
    g_assert_cmpuint(first->op_share[FM_OP_TRIM], ==, 0);
    g_assert_cmpuint(first->n_blocks, ==, 1);
    g_assert_cmpuint(first->blocks[0].size, ==, 8192);
    g_assert_false(first->region_size.relative);
    g_assert_cmpuint(first->region_size.value, ==, 256 * MIB);

    g_assert_cmpuint(other->in_flight, ==, 1);
    g_assert_cmpuint(other->threads, ==, 1);
    g_assert_cmpuint(other->op_share[FM_OP_READ], ==, 7000);
    g_assert_cmpuint(other->blocks[0].size, ==, 4096);

    g_assert_cmpuint(g_variant_n_children(step->parameters), ==, 5);
    uint64_t value = 0;
    g_assert_true(g_variant_lookup(step->parameters, "in-flight", "t", &value));
    g_assert_cmpuint(value, ==, 64);
    g_assert_true(g_variant_lookup(step->parameters, "read", "t", &value));
    g_assert_cmpuint(value, ==, 7000);
    g_assert_true(g_variant_lookup(step->parameters, "region", "t", &value));
    g_assert_cmpuint(value, ==, 256 * MIB);
    g_assert_true(g_variant_lookup(step->parameters, "run", "t", &value));
    g_assert_cmpuint(value, ==, 1);
    fake_fill(result, 1, 1);
    return true;
}

static void
test_applied(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = check_applied;
    FmPhase *measure = measure_new(NULL);
    measure->streams[0].op_share[FM_OP_READ] = 9000;
    measure->streams[0].op_share[FM_OP_TRIM] = 1000;
    phase_add_stream(measure, "other");
    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, NULL, measure, NULL);
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", repeat, NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, "s", 1, U(64));
    phase_add_axis(sweep, FM_PARAMETER_READ_SHARE, NULL, 1, U(7000));
    phase_add_axis(sweep, FM_PARAMETER_BLOCK_SIZE, "s", 1, U(8192));
    phase_add_axis(sweep, FM_PARAMETER_REGION_SIZE, "s", 1, 256 * MIB);

    g_autoptr(FmPlan) plan = plan_new(phase_new(FM_PHASE_GROUP, "root", sweep, NULL));
    g_assert_cmpint(fm_driver_run(plan, &fake.actions, NULL), ==, FM_OUTCOME_COMPLETE);
    g_assert_cmpstr(fake.trace->str, ==,
                    "0 s/in-flight=64/read=70%/block=8KiB/region=256MiB/run=1\n");
    g_assert_cmpuint(measure->streams[0].in_flight, ==, 1); /* the plan is as it was */
    g_assert_cmpuint(measure->streams[0].threads, ==, 0);
    g_assert_cmpuint(measure->streams[0].op_share[FM_OP_TRIM], ==, 1000);
}

/* The innermost of two drivers that set the same thing wins. */
static bool
check_inner(Fake *fake, const FmStep *step, FmStepResult *result)
{
    g_assert_cmpuint(step->phase->streams[0].in_flight, ==, 8);
    fake_fill(result, 1, 1);
    return true;
}

static void
test_innermost(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = check_inner;
    FmPhase *inner = phase_new(FM_PHASE_SWEEP, "i", measure_new(NULL), NULL);
    phase_add_axis(inner, FM_PARAMETER_IN_FLIGHT, NULL, 1, U(8));
    FmPhase *outer = phase_new(FM_PHASE_SWEEP, "o", inner, NULL);
    phase_add_axis(outer, FM_PARAMETER_IN_FLIGHT, NULL, 1, U(2));

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", outer, NULL),
                "0 o/in-flight=2/i/in-flight=8\n");
}

static void
test_rest_time(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *rest = phase_new(FM_PHASE_REST, "r", NULL);
    rest->rest_ns = 9 * SECOND_NS;
    FmPhase *other = phase_new(FM_PHASE_REST, "q", NULL);
    other->rest_ns = 3 * SECOND_NS;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", rest, other, measure_new("m"), NULL);
    phase_add_axis(sweep, FM_PARAMETER_REST_TIME, "r", 2, U(1000000000), U(60000000000));

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", sweep, NULL),
                "rest s/rest=1s/r 1\nrest s/rest=1s/q 3\n0 s/rest=1s/m\n"
                "rest s/rest=60s/r 60\nrest s/rest=60s/q 3\n1 s/rest=60s/m\n");
}

static void
test_spans(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.actions.target_size = 3000 * MIB;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "act", measure_new(NULL), NULL);
    phase_add_axis(sweep, FM_PARAMETER_REGION_SIZE, NULL, 5, 1024 * MIB, 2048 * MIB, 4096 * MIB,
                   8192 * MIB, UINT64_MAX);

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", sweep, NULL),
                "0 act/region=1GiB\n1 act/region=2GiB\n2 act/region=all\n");
    g_assert_cmpuint(fake_count(&fake, "skip"), ==, 2);
    g_autoptr(GVariant) path = fake_lookup(&fake, 0, "path");
    g_assert_cmpstr(g_variant_get_string(path, NULL), ==, "act/region=4GiB");
}

/* --- Skipping ------------------------------------------------------------------------ */

static void
test_skip_if(void)
{
    static const struct {
        FmSkipCondition condition;
        FmTargetKind kind;
        uint64_t value;
        uint32_t block_size;
        bool can_trim;
        bool has_cache_step;
        const char *trace;
    } cases[] = {
        {FM_SKIP_FILE_TARGET, FM_TARGET_FOLDER, 0, 512, true, true, ""},
        {FM_SKIP_FILE_TARGET, FM_TARGET_FILE, 0, 512, true, true, ""},
        {FM_SKIP_FILE_TARGET, FM_TARGET_DEVICE, 0, 512, true, true, "0 g/a\n"},
        {FM_SKIP_FILE_TARGET, FM_TARGET_MODEL, 0, 512, true, true, "0 g/a\n"},
        {FM_SKIP_RAW_TARGET, FM_TARGET_FOLDER, 0, 512, true, true, "0 g/a\n"},
        {FM_SKIP_RAW_TARGET, FM_TARGET_DEVICE, 0, 512, true, true, ""},
        {FM_SKIP_BLOCK_TOO_SMALL, FM_TARGET_FILE, 0, 4096, true, true, "0 g/a\n"},
        {FM_SKIP_BLOCK_TOO_SMALL, FM_TARGET_FILE, 0, 8192, true, true,
         "skip 0 g/a: not possible on a 8192 B LBA\n"},
        {FM_SKIP_BELOW_SIZE, FM_TARGET_FILE, 1024 * MIB, 512, true, true, "0 g/a\n"},
        {FM_SKIP_BELOW_SIZE, FM_TARGET_FILE, 1024 * MIB + 1, 512, true, true,
         "skip 0 g/a: needs 1073741825 bytes, the target has 1073741824\n"},
        {FM_SKIP_NO_TRIM, FM_TARGET_FILE, 0, 512, true, true, "0 g/a\n"},
        {FM_SKIP_NO_TRIM, FM_TARGET_FILE, 0, 512, false, true,
         "skip 0 g/a: the target cannot trim\n"},
        {FM_SKIP_NO_CACHE_STEP, FM_TARGET_FILE, 0, 512, true, true, "0 g/a\n"},
        {FM_SKIP_NO_CACHE_STEP, FM_TARGET_FILE, 0, 512, true, false,
         "skip 0 g/a: no earlier fill found a cache boundary\n"},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.actions.target_kind = cases[i].kind;
        fake.actions.block_size = cases[i].block_size;
        fake.actions.can_trim = cases[i].can_trim;
        fake.actions.has_cache_step = cases[i].has_cache_step;
        FmPhase *group = phase_new(FM_PHASE_GROUP, "g", measure_new("a"), NULL);
        group->skip_if = cases[i].condition;
        group->skip_value = cases[i].value;
        fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", group, NULL), cases[i].trace);

        bool skipped = !g_str_equal(cases[i].trace, "0 g/a\n");
        g_assert_cmpuint(fake_count(&fake, "skip"), ==, skipped);
        if (skipped) {
            g_autoptr(GVariant) path = fake_lookup(&fake, 0, "path");
            g_autoptr(GVariant) reason = fake_lookup(&fake, 0, "reason");
            g_assert_cmpstr(g_variant_get_string(path, NULL), ==, "g");
            g_assert_cmpuint(strlen(g_variant_get_string(reason, NULL)), >, 10);
        }
    }
}

/* A skipped driver leaves one row a cell, runs nothing and rests nowhere. */
static void
test_skip_drivers(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.actions.can_trim = false;

    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, NULL, measure_new(NULL), NULL);
    repeat->count = 3;
    repeat->discard = 1;
    repeat->between_ns = SECOND_NS;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", repeat, NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 2, U(1), U(2));
    FmPhase *bisect = phase_new(FM_PHASE_BISECT, "b", measure_new(NULL), NULL);
    bisect->search = FM_PARAMETER_IN_FLIGHT;
    bisect->search_start = 4;
    bisect->search_limit = 256;
    FmPhase *curve = phase_new(FM_PHASE_RATE_CURVE, "c", measure_new(NULL), NULL);
    FmPhase *group = phase_new(FM_PHASE_GROUP, "g", phase_new(FM_PHASE_TRIM, "t", NULL), sweep,
                               bisect, curve, phase_new(FM_PHASE_REST, "r", NULL), NULL);
    group->skip_if = FM_SKIP_NO_TRIM;

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", group, measure_new("z"), NULL),
                "skip 0 g/s/in-flight=1/run=1: the target cannot trim\n"
                "skip 1 g/s/in-flight=2/run=1: the target cannot trim\n"
                "skip 2 g/b/in-flight=4: the target cannot trim\n"
                "skip 3 g/c/peak: the target cannot trim\n"
                "4 z\n");
    g_assert_cmpuint(fake_count(&fake, "skip"), ==, 1);
    g_assert_cmpuint(fake.evaluations->len, ==, 1);
}

static void
spoil_block(FmStream *stream)
{
    stream->blocks[0].size = 6144;
}

static void
spoil_buffered(FmStream *stream)
{
    stream->blocks[0].size = 512;
    stream->buffered = true;
}

static void
spoil_trim(FmStream *stream)
{
    stream->op_share[FM_OP_READ] = 9999;
    stream->op_share[FM_OP_TRIM] = 1;
}

static void
spoil_threads(FmStream *stream)
{
    stream->in_flight = 6;
    stream->threads = 4;
}

static void
spoil_region(FmStream *stream)
{
    stream->region_size = (FmExtent){.value = 4095};
}

static void
spoil_offset(FmStream *stream)
{
    stream->region_offset = (FmExtent){.relative = true, .value = 1000000};
}

static void
spoil_stride(FmStream *stream)
{
    stream->pattern = FM_PATTERN_STRIDED;
    stream->stride = 5120;
}

static void
test_impossible(void)
{
    static const struct {
        void (*spoil)(FmStream *stream);
        const char *reason;
    } cases[] = {
        {spoil_block, "blocks of 6144 B are not possible on a 4096 B LBA"},
        {spoil_stride, "a stride of 5120 B is not possible on a 4096 B LBA"},
        {spoil_trim, "the target cannot trim"},
        {spoil_threads, "4 threads cannot share 6 I/Os in flight"},
        {spoil_region, "the region is smaller than one block of 4096 B"},
        {spoil_offset, "the region is smaller than one block of 4096 B"},
        {spoil_buffered, NULL},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.actions.block_size = 4096;
        fake.actions.can_trim = false;
        FmPhase *bad = measure_new("bad");
        cases[i].spoil(&bad->streams[0]);
        g_autofree char *trace =
            cases[i].reason != NULL ? g_strdup_printf("0 a\nskip 1 bad: %s\n2 z\n", cases[i].reason)
                                    : g_strdup("0 a\n1 bad\n2 z\n");
        fake_expect(
            &fake, phase_new(FM_PHASE_GROUP, "root", measure_new("a"), bad, measure_new("z"), NULL),
            trace);
        g_assert_cmpuint(fake.evaluations->len, ==, cases[i].reason != NULL);
    }
}

/* --- Refusals and ends ---------------------------------------------------------------- */

static void
test_needs(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.actions.needs = FM_NEED_TRIM;
    g_autoptr(FmPlan) plan = plan_new(phase_new(FM_PHASE_GROUP, "root", measure_new("a"), NULL));
    plan->needs = FM_NEED_TRIM | FM_NEED_PURGE | FM_NEED_PACING;
    g_autoptr(GError) error = NULL;

    g_assert_cmpint(fm_driver_run(plan, &fake.actions, &error), ==, FM_OUTCOME_REFUSED);
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED);
    g_assert_cmpstr(error->message, ==,
                    "Plan test needs what is not available here: purge, pacing");
    g_assert_cmpuint(fake.n_actions, ==, 0);

    fake.actions.needs |= FM_NEED_PURGE | FM_NEED_PACING;
    g_assert_cmpint(fm_driver_run(plan, &fake.actions, NULL), ==, FM_OUTCOME_COMPLETE);
}

/* A bit of everything. */
static FmPhase *
full_plan(void)
{
    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, NULL, measure_new(NULL), NULL);
    repeat->count = 3;
    repeat->max_count = 5;
    repeat->discard = 1;
    repeat->until_rse = 5;
    repeat->between_ns = SECOND_NS;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", repeat, NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 2, U(1), U(2));
    sweep->between_ns = 2 * SECOND_NS;
    FmPhase *bisect = phase_new(FM_PHASE_BISECT, "b", measure_new("m"), NULL);
    bisect->search = FM_PARAMETER_IN_FLIGHT;
    bisect->search_start = 4;
    bisect->search_limit = 16;
    bisect->confirmations = 3;
    FmPhase *curve = phase_new(FM_PHASE_RATE_CURVE, "c", measure_new(NULL), NULL);
    curve->n_rate_percents = 2;
    curve->rate_percents = g_new0(uint32_t, 2);
    FmPhase *rest = phase_new(FM_PHASE_REST, "r", NULL);
    rest->rest_ns = SECOND_NS;
    FmPhase *root =
        phase_new(FM_PHASE_GROUP, "root", phase_new(FM_PHASE_TRIM, "t", NULL), sweep, rest, bisect,
                  curve, phase_new(FM_PHASE_EXTERNAL, "e", NULL), measure_new("z"), NULL);
    root->between_ns = 3 * SECOND_NS;
    return root;
}

/* Whatever the plan is ended in, nothing runs afterwards. */
static void
end_everywhere(FmOutcome outcome)
{
    g_auto(Fake) whole;
    fake_init(&whole);
    g_assert_cmpint(fake_run(&whole, full_plan(), NULL), ==, FM_OUTCOME_COMPLETE);
    g_assert_cmpuint(whole.n_actions, >, 30);

    for (unsigned i = 1; i <= whole.n_actions; i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.end_at = i;
        fake.end_outcome = outcome;
        g_autoptr(GError) error = NULL;
        g_assert_cmpint(fake_run(&fake, full_plan(), &error), ==, outcome);
        g_assert_cmpuint(fake.n_actions, ==, i);
        g_assert_true(g_str_has_prefix(whole.trace->str, fake.trace->str));
        if (outcome == FM_OUTCOME_FAILED) {
            g_assert_error(error, FM_ERROR, FM_ERROR_IO);
            g_assert_nonnull(strstr(error->message, "told to end"));
        } else {
            g_assert_no_error(error);
        }
    }
}

static void
test_stop(void)
{
    end_everywhere(FM_OUTCOME_STOPPED);
}

static void
test_fail(void)
{
    end_everywhere(FM_OUTCOME_FAILED);
}

/* A promise not kept, where no search asked: kept and marked, and the end. */
static bool
miss_promise(Fake *fake, const FmStep *step, FmStepResult *result)
{
    if (step->number == 1) {
        result->outcome = FM_OUTCOME_FAILED;
        result->reason = fm_message_new("wrote only 4 MiB/s");
        return true;
    }
    fake_fill(result, 1, 1);
    return true;
}

static void
test_promise(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = miss_promise;
    g_autoptr(GError) error = NULL;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", measure_new("a"), measure_new("b"),
                              measure_new("c"), NULL);

    g_assert_cmpint(fake_run(&fake, root, &error), ==, FM_OUTCOME_FAILED);
    g_assert_error(error, FM_ERROR, FM_ERROR_IO);
    g_assert_cmpstr(error->message, ==, "Step b: wrote only 4 MiB/s");
    g_assert_cmpstr(fake.trace->str, ==, "0 a\n1 b\n");
}

/* What turns out not to be possible is no failure. */
static bool
turn_out_impossible(Fake *fake, const FmStep *step, FmStepResult *result)
{
    if (step->number == 0) {
        result->outcome = FM_OUTCOME_SKIPPED;
        result->reason = fm_message_new("the file system has no polling");
        return true;
    }
    fake_fill(result, 1, 1);
    return true;
}

static void
test_late_skip(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = turn_out_impossible;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", measure_new("a"), measure_new("b"), NULL);
    root->between_ns = SECOND_NS;

    fake_expect(&fake, root, "0 a\n1 b\n");
    g_assert_cmpuint(fake_count(&fake, "skip"), ==, 1);
}

/* --- Size ----------------------------------------------------------------------------- */

static void
count(FmPhase *root, unsigned *min, unsigned *max)
{
    g_autoptr(FmPlan) plan = plan_new(root);
    fm_driver_count_steps(plan, min, max);
}

static void
test_count(void)
{
    unsigned min = 0;
    unsigned max = 0;

    count(phase_new(FM_PHASE_GROUP, "root", measure_new("a"), phase_new(FM_PHASE_REST, "r", NULL),
                    NULL),
          &min, &max);
    g_assert_cmpuint(min, ==, 1);
    g_assert_cmpuint(max, ==, 1);

    /* trim 0; 2 x (1 + 3..5); rest 0; search 1..; curve 1 + 2; external 0; z 1 */
    count(full_plan(), &min, &max);
    g_assert_cmpuint(min, ==, 8 + 1 + 3 + 1);
    g_assert_cmpuint(max, ==, UINT_MAX);

    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, "r", measure_new(NULL), NULL);
    repeat->count = 5;
    repeat->max_count = 10;
    repeat->until_rse = 5;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", repeat, NULL);
    phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 3, U(1), U(2), U(4));
    FmPhase *maybe = measure_new("maybe");
    maybe->skip_if = FM_SKIP_RAW_TARGET;
    count(phase_new(FM_PHASE_GROUP, "root", sweep, maybe, NULL), &min, &max);
    g_assert_cmpuint(min, ==, 15);
    g_assert_cmpuint(max, ==, 31);

    FmPhase *huge = phase_new(FM_PHASE_REPEAT, "r", measure_new(NULL), NULL);
    huge->count = UINT_MAX / 2;
    FmPhase *outer = phase_new(FM_PHASE_REPEAT, "q", huge, NULL);
    outer->count = 5;
    count(phase_new(FM_PHASE_GROUP, "root", outer, NULL), &min, &max);
    g_assert_cmpuint(max, ==, UINT_MAX);
}

/* Ten thousand steps of a sweep, ten thousand runs of a repeat: no deep recursion, and no
 * work per step that grows with their number. */
static void
test_long(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "s", measure_new(NULL), NULL);
    for (unsigned i = 0; i < 4; i++) {
        phase_add_axis(sweep, FM_PARAMETER_IN_FLIGHT, NULL, 10, U(1), U(2), U(3), U(4), U(5), U(6),
                       U(7), U(8), U(9), U(10));
    }
    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, "r", measure_new(NULL), NULL);
    repeat->count = 10000;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", sweep, repeat, NULL);
    g_autoptr(FmPlan) plan = plan_new(root);
    unsigned min = 0;
    unsigned max = 0;

    fm_driver_count_steps(plan, &min, &max);
    g_assert_cmpuint(min, ==, 20000);
    g_assert_cmpuint(max, ==, 20000);
    g_assert_cmpint(fm_driver_run(plan, &fake.actions, NULL), ==, FM_OUTCOME_COMPLETE);
    g_assert_cmpuint(fake.n_actions, ==, 20000);
    g_assert_true(g_str_has_suffix(fake.trace->str, "\n19999 r/run=10000\n"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/driver/runs-in-the-order-of-the-tree", test_order);
    g_test_add_func("/engine/driver/rests-only-between", test_rests);
    g_test_add_func("/engine/driver/rests-not-around-what-is-skipped", test_rests_around_skipped);
    g_test_add_func("/engine/driver/drops-rests-that-nothing-follows", test_rests_dropped);
    g_test_add_func("/engine/driver/sweeps-the-first-axis-slowest", test_sweep);
    g_test_add_func("/engine/driver/applies-parameters-to-a-copy", test_applied);
    g_test_add_func("/engine/driver/the-innermost-setting-wins", test_innermost);
    g_test_add_func("/engine/driver/sweeps-the-length-of-rests", test_rest_time);
    g_test_add_func("/engine/driver/leaves-out-spans-beyond-the-target", test_spans);
    g_test_add_func("/engine/driver/skips-on-conditions-with-a-sentence", test_skip_if);
    g_test_add_func("/engine/driver/a-skipped-driver-leaves-one-row-a-cell", test_skip_drivers);
    g_test_add_func("/engine/driver/what-is-impossible-keeps-its-row", test_impossible);
    g_test_add_func("/engine/driver/refuses-unmet-needs-before-anything-runs", test_needs);
    g_test_add_func("/engine/driver/stops-wherever-it-is", test_stop);
    g_test_add_func("/engine/driver/an-error-ends-it-wherever-it-is", test_fail);
    g_test_add_func("/engine/driver/a-missed-promise-ends-the-plan", test_promise);
    g_test_add_func("/engine/driver/what-turns-out-impossible-does-not", test_late_skip);
    g_test_add_func("/engine/driver/counts-steps", test_count);
    g_test_add_func("/engine/driver/walks-ten-thousand-steps", test_long);
    return g_test_run();
}
