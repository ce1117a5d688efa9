/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drivers that look at results: repeat until RSE or steady, bisect, rate curve.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/driver.h"

#include "base/error.h"
#include "fake-driver.h"

#include <stdlib.h>
#include <string.h>

#define MS_NS G_GINT64_CONSTANT(1000000)

static double
lookup_double(const Fake *fake, unsigned index, const char *key)
{
    g_autoptr(GVariant) value = fake_lookup(fake, index, key);
    return g_variant_get_double(value);
}

static bool
lookup_bool(const Fake *fake, unsigned index, const char *key)
{
    g_autoptr(GVariant) value = fake_lookup(fake, index, key);
    return g_variant_get_boolean(value);
}

static char *
lookup_string(const Fake *fake, unsigned index, const char *key)
{
    g_autoptr(GVariant) value = fake_lookup(fake, index, key);
    return g_variant_dup_string(value, NULL);
}

/* Number behind the last "name=" of a path. */
static unsigned
part_of(const char *path, const char *name)
{
    const char *found = g_strrstr(path, name);
    g_assert_nonnull(found);
    return (unsigned)strtoul(found + strlen(name), NULL, 10);
}

/* --- Repeat ---------------------------------------------------------------------------- */

static FmPhase *
repeat_new(const char *id, unsigned count, unsigned max_count, double rse)
{
    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, id, measure_new(NULL), NULL);
    repeat->count = count;
    repeat->max_count = max_count;
    repeat->until_rse = rse;
    return repeat;
}

static void
test_plain(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    FmPhase *repeat = repeat_new("row", 3, 0, 0);
    repeat->discard = 2;
    repeat->between_ns = 5 * SECOND_NS;

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", repeat, measure_new("z"), NULL),
                "0 row/warm-up=1 (warm-up)\nrest row 5\n1 row/warm-up=2 (warm-up)\nrest row 5\n"
                "2 row/run=1\nrest row 5\n3 row/run=2\nrest row 5\n4 row/run=3\n5 z\n");
    g_assert_cmpuint(fake.evaluations->len, ==, 0);
}

/* Rates by run, as listed by the test. */
static bool
run_listed(Fake *fake, const FmStep *step, FmStepResult *result)
{
    const uint64_t *rates = fake->data;

    fake_fill(result, step->discard ? 7 : rates[part_of(step->path, "run=") - 1], 1000);
    return true;
}

static void
test_rse(void)
{
    static const struct {
        unsigned count;
        unsigned max_count;
        uint64_t rates[10];
        unsigned n; /* runs made */
        bool accepted;
        double rse;
        double median;
    } cases[] = {
        /* METHODOLOGY 15.3 */
        {3, 10, {100, 102, 104}, 3, true, 1.1320, 102},
        /* At least five, although three would do. */
        {5, 10, {100, 100, 100, 100, 100}, 5, true, 0, 100},
        /* Only the last three count. */
        {5, 10, {900, 10, 100, 102, 104}, 5, true, 1.1320, 102},
        {5, 10, {100, 100, 100, 100, 200, 300, 300, 300}, 8, true, 0, 300},
        /* Never: all ten, then reported anyway. */
        {5, 10, {1, 2, 4, 8, 16, 32, 64, 128, 256, 512}, 10, false, 37.7964, 256},
        /* Fewer than three can't be judged. */
        {1, 1, {100, 100, 100}, 3, true, 0, 100},
        /* Nothing done is not repeatable. */
        {3, 4, {0, 0, 0, 0}, 4, false, -1, 0},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.run = run_listed;
        fake.data = cases[i].rates;
        FmPhase *repeat = repeat_new("r", cases[i].count, cases[i].max_count, 5);
        repeat->discard = 1;
        g_assert_cmpint(fake_run(&fake, phase_new(FM_PHASE_GROUP, "root", repeat, NULL), NULL), ==,
                        FM_OUTCOME_COMPLETE);
        g_assert_cmpuint(fake.n_actions, ==, 1 + cases[i].n);

        unsigned last = fake.evaluations->len - 1;
        g_autofree char *path = lookup_string(&fake, last, "path");
        g_assert_cmpuint(part_of(path, "run="), ==, cases[i].n);
        g_assert_cmpint(lookup_bool(&fake, last, "accepted"), ==, cases[i].accepted);
        g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "value"), cases[i].median, 1e-9);
        if (cases[i].rse >= 0) {
            g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "rse-percent"), cases[i].rse,
                                           1e-3);
        }
        if (!cases[i].accepted) {
            g_autofree char *reason = lookup_string(&fake, last, "reason");
            g_assert_nonnull(strstr(reason, "still not repeatable"));
        }
    }
}

/* "noisy" needs five runs, "calm" three; "odd" never gets there. */
static bool
run_cells(Fake *fake, const FmStep *step, FmStepResult *result)
{
    unsigned run = part_of(step->path, "run=");
    uint64_t rate = 100;

    if (g_str_has_suffix(step->path, "noisy")) {
        rate = run < 3 ? run * 100 : 300;
    } else if (g_str_has_suffix(step->path, "odd")) {
        rate = UINT64_C(1) << run;
    }
    fake_fill(result, rate, 1000);
    return true;
}

static void
test_cells(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = run_cells;
    FmPhase *repeat = phase_new(FM_PHASE_REPEAT, "r", measure_new("calm"), measure_new("noisy"),
                                measure_new("odd"), NULL);
    repeat->count = 3;
    repeat->max_count = 6;
    repeat->until_rse = 5;

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", repeat, NULL),
                "0 r/run=1/calm\n1 r/run=1/noisy\n2 r/run=1/odd\n"
                "3 r/run=2/calm\n4 r/run=2/noisy\n5 r/run=2/odd\n"
                "6 r/run=3/calm\n7 r/run=3/noisy\n8 r/run=3/odd\n"
                "9 r/run=4/noisy\n10 r/run=4/odd\n"
                "11 r/run=5/noisy\n12 r/run=5/odd\n"
                "13 r/run=6/odd\n");
}

/* Inside a sweep every cell has a repeat of its own (METHODOLOGY 19.1.9). */
static void
test_cells_in_sweep(void)
{
    static const uint64_t rates[] = {100, 200, 300, 300, 300, 300};
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = run_listed;
    fake.data = rates;
    FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "rwr", repeat_new(NULL, 3, 10, 5), NULL);
    phase_add_axis(sweep, FM_PARAMETER_READ_SHARE, NULL, 2, UINT64_C(0), UINT64_C(10000));

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", sweep, NULL),
                "0 rwr/read=0%/run=1\n1 rwr/read=0%/run=2\n2 rwr/read=0%/run=3\n"
                "3 rwr/read=0%/run=4\n4 rwr/read=0%/run=5\n"
                "5 rwr/read=100%/run=1\n6 rwr/read=100%/run=2\n7 rwr/read=100%/run=3\n"
                "8 rwr/read=100%/run=4\n9 rwr/read=100%/run=5\n");
}

static void
test_steady(void)
{
    static const struct {
        uint64_t rates[25];
        unsigned n;
        bool accepted;
    } cases[] = {
        {{95, 100, 105, 100, 100}, 5, true}, /* METHODOLOGY 15.3 */
        {{900, 95, 100, 105, 100, 100}, 6, true},
        {{1, 2, 4, 8, 16, 32, 64, 128}, 8, false},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.run = run_listed;
        fake.data = cases[i].rates;
        FmPhase *sweep = phase_new(FM_PHASE_SWEEP, "mix", measure_new("m"), NULL);
        phase_add_axis(sweep, FM_PARAMETER_READ_SHARE, NULL, 1, UINT64_C(0));
        FmPhase *repeat = phase_new(FM_PHASE_REPEAT, "wipc", sweep, NULL);
        repeat->count = 1;
        repeat->max_count = 8;
        repeat->until_steady = g_strdup("mix/read=0%/m");
        g_assert_cmpint(fake_run(&fake, phase_new(FM_PHASE_GROUP, "root", repeat, NULL), NULL), ==,
                        FM_OUTCOME_COMPLETE);
        g_assert_cmpuint(fake.n_actions, ==, cases[i].n);

        unsigned last = fake.evaluations->len - 1;
        g_autofree char *kind = lookup_string(&fake, last, "kind");
        g_autofree char *rule = lookup_string(&fake, last, "rule");
        g_assert_cmpstr(kind, ==, "steady");
        g_assert_cmpstr(rule, ==, "C");
        g_assert_cmpint(lookup_bool(&fake, last, "accepted"), ==, cases[i].accepted);
        if (cases[i].accepted) {
            g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "value"), 100, 1e-9);
            g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "slope"), 1, 1e-9);
            g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "range"), 10, 1e-9);
        }
    }
}

/* Sequential streams are judged by bytes: these have the same IOPS. */
static bool
run_sequential(Fake *fake, const FmStep *step, FmStepResult *result)
{
    fake_fill(result, 100, 1000);
    result->bytes[FM_OP_READ] = 1000 * part_of(step->path, "run=");
    return true;
}

static void
test_sequential(void)
{
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = run_sequential;
    FmPhase *repeat = repeat_new("r", 3, 4, 5);
    ((FmPhase *)repeat->children->pdata[0])->streams[0].pattern = FM_PATTERN_SEQUENTIAL;

    g_assert_cmpint(fake_run(&fake, phase_new(FM_PHASE_GROUP, "root", repeat, NULL), NULL), ==,
                    FM_OUTCOME_COMPLETE);
    g_assert_cmpuint(fake.n_actions, ==, 4);
    g_assert_cmpfloat_with_epsilon(lookup_double(&fake, 0, "value"), 2000, 1e-9);
}

/* --- Bisect ------------------------------------------------------------------------------ */

typedef struct {
    unsigned threshold; /* accepted up to here */
    unsigned confirmed; /* in the confirming runs; 0 = as threshold */
    unsigned fails_at; /* ends with an error from here on; 0 = never */
} Oracle;

static bool
run_oracle(Fake *fake, const FmStep *step, FmStepResult *result)
{
    const Oracle *oracle = fake->data;
    unsigned n = part_of(step->path, "in-flight=");
    bool confirming = strstr(step->path, "confirm=") != NULL;
    unsigned limit = confirming && oracle->confirmed > 0 ? oracle->confirmed : oracle->threshold;

    g_assert_cmpuint(step->phase->streams[0].in_flight, ==, n);
    if (oracle->fails_at > 0 && n >= oracle->fails_at) {
        result->outcome = FM_OUTCOME_FAILED;
        result->reason = fm_message_new("wrote only 4 MiB/s");
        return true;
    }
    /* The second of three confirming runs is the slowest. */
    bool slow = confirming && part_of(step->path, "confirm=") == 2;
    fake_fill(result, n * 400 - (slow ? 7 : 0), (n <= limit ? 500 : 501) * (uint64_t)MS_NS);
    return true;
}

/* "4,8x,6x,5" as METHODOLOGY 7.4 writes it; "c" is a confirming run. */
static char *
sequence_of(const Fake *fake)
{
    g_autoptr(GString) text = g_string_new(NULL);

    for (guint i = 0; i + 1 < fake->evaluations->len; i++) {
        g_autofree char *path = lookup_string(fake, i, "path");
        g_string_append_printf(text, "%s%u%s%s", i > 0 ? "," : "", part_of(path, "in-flight="),
                               strstr(path, "confirm=") != NULL ? "c" : "",
                               lookup_bool(fake, i, "accepted") ? "" : "x");
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static FmPhase *
bootbench_new(void)
{
    static const FmLatencyLimit limits[] = {
        {1000000000, 500 * MS_NS}, {999000000, 500 * MS_NS}, {990000000, 500 * MS_NS}};
    FmPhase *bisect = phase_new(FM_PHASE_BISECT, "boot", measure_new(NULL), NULL);

    bisect->search = FM_PARAMETER_IN_FLIGHT;
    bisect->search_target = g_strdup("s");
    bisect->search_start = 4;
    bisect->search_limit = 256;
    bisect->search_time_ns[0] = 30 * SECOND_NS;
    bisect->search_time_ns[1] = 60 * SECOND_NS;
    bisect->search_time_ns[2] = 120 * SECOND_NS;
    bisect->confirmations = 3;
    bisect->limits = g_memdup2(limits, sizeof limits);
    bisect->n_limits = G_N_ELEMENTS(limits);
    return bisect;
}

static void
test_oracles(void)
{
    static const struct {
        Oracle oracle;
        const char *sequence;
        unsigned n; /* 0 = cannot meet the limits */
        double rate;
    } cases[] = {
        /* METHODOLOGY 7.4 */
        {{151, 0, 0}, "4,8,16,32,64,128,256x,192x,160x,144,152x,148,150,151", 151, 60400},
        {{150, 0, 0},
         "4,8,16,32,64,128,256x,192x,160x,144,152x,148,150,151x,150c,150c,150c",
         150,
         59993},
        {{5, 0, 0}, "4,8x,6x,5", 5, 2000},
        {{3, 0, 0}, "4x", 0, 0},
        {{256, 0, 0}, "4,8,16,32,64,128,256", 256, 102400},
        {{1000, 0, 0}, "4,8,16,32,64,128,256", 256, 102400},
        /* Its edges. */
        {{255, 0, 0}, "4,8,16,32,64,128,256x,192,224,240,248,252,254,255", 255, 102000},
        {{4, 0, 0}, "4,8x,6x,5x,4c,4c,4c", 4, 1593},
        {{4, 3, 0}, "4,8x,6x,5x,4cx", 0, 0},
        {{7, 0, 0}, "4,8x,6,7", 7, 2800},
        {{6, 0, 0}, "4,8x,6,7x,6c,6c,6c", 6, 2393},
        {{150, 148, 0},
         "4,8,16,32,64,128,256x,192x,160x,144,152x,148,150,151x,150cx,149cx,148c,148c,148c",
         148,
         59193},
        /* An error from N = 8 on only says "too much". */
        {{5, 0, 8}, "4,8x,6x,5", 5, 2000},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.run = run_oracle;
        fake.data = &cases[i].oracle;
        g_autoptr(GError) error = NULL;
        FmPhase *root = phase_new(FM_PHASE_GROUP, "root", bootbench_new(), NULL);
        g_test_message("threshold %u", cases[i].oracle.threshold);
        g_assert_cmpint(fake_run(&fake, root, &error), ==, FM_OUTCOME_COMPLETE);
        g_assert_no_error(error);
        g_autofree char *sequence = sequence_of(&fake);
        g_assert_cmpstr(sequence, ==, cases[i].sequence);

        unsigned last = fake.evaluations->len - 1;
        g_autofree char *path = lookup_string(&fake, last, "path");
        g_assert_cmpstr(path, ==, "boot");
        g_assert_cmpint(lookup_bool(&fake, last, "accepted"), ==, cases[i].n > 0);
        if (cases[i].n > 0) {
            g_autoptr(GVariant) n = fake_lookup(&fake, last, "in-flight");
            g_assert_cmpuint(g_variant_get_uint64(n), ==, cases[i].n);
            g_assert_cmpfloat_with_epsilon(lookup_double(&fake, last, "value"), cases[i].rate,
                                           1e-9);
        } else {
            g_autofree char *reason = lookup_string(&fake, last, "reason");
            g_assert_cmpstr(reason, ==, "cannot meet the latency limits");
        }
    }
}

static bool
check_times(Fake *fake, const FmStep *step, FmStepResult *result)
{
    unsigned n = part_of(step->path, "in-flight=");
    bool confirming = strstr(step->path, "confirm=") != NULL;
    int64_t expected = confirming ? 120 : (n & (n - 1)) == 0 ? 30 : 60;

    g_assert_cmpint(step->phase->stop.time_ns, ==, expected * SECOND_NS);
    return run_oracle(fake, step, result);
}

static void
test_times(void)
{
    static const Oracle oracle = {.threshold = 150};
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = check_times;
    fake.data = &oracle;

    g_assert_cmpint(fake_run(&fake, phase_new(FM_PHASE_GROUP, "root", bootbench_new(), NULL), NULL),
                    ==, FM_OUTCOME_COMPLETE);
    g_assert_cmpuint(fake.n_actions, ==, 17);
    g_assert_true(g_str_has_suffix(fake.trace->str, "\n14 boot/in-flight=150/confirm=1\n"
                                                    "15 boot/in-flight=150/confirm=2\n"
                                                    "16 boot/in-flight=150/confirm=3\n"));
}

/* Below N = 8 an error is no answer but a defect. */
static void
test_hard_failure(void)
{
    static const Oracle oracle = {.threshold = 1000, .fails_at = 4};
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = run_oracle;
    fake.data = &oracle;
    g_autoptr(GError) error = NULL;
    FmPhase *root = phase_new(FM_PHASE_GROUP, "root", bootbench_new(), measure_new("z"), NULL);

    g_assert_cmpint(fake_run(&fake, root, &error), ==, FM_OUTCOME_FAILED);
    g_assert_error(error, FM_ERROR, FM_ERROR_IO);
    g_assert_cmpstr(fake.trace->str, ==, "0 boot/in-flight=4\n");
}

/* Percentiles are taken from the histogram, each with its own limit. */
static bool
run_tail(Fake *fake, const FmStep *step, FmStepResult *result)
{
    FmHist *hist = &result->latency_ns[FM_OP_READ];
    uint64_t n_slow = GPOINTER_TO_UINT(fake->data);

    fake_fill(result, 10000, 1 * MS_NS);
    for (unsigned i = 1; i < 10000; i++) {
        fm_hist_record(hist, (i <= n_slow ? 60 : 1) * (uint64_t)MS_NS);
    }
    return true;
}

static void
test_limits(void)
{
    static const struct {
        unsigned n_slow; /* of 10,000 reads; those take 60 ms */
        bool accepted;
    } cases[] = {{0, true}, {10, true}, {11, false}, {200, false}};
    static const FmLatencyLimit limits[] = {
        {1000000000, 500 * MS_NS}, {999000000, 50 * MS_NS}, {990000000, 10 * MS_NS}};

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Fake) fake;
        fake_init(&fake);
        fake.run = run_tail;
        fake.data = GUINT_TO_POINTER(cases[i].n_slow);
        FmPhase *bisect = bootbench_new();
        memcpy(bisect->limits, limits, sizeof limits);
        bisect->search_limit = 4;
        g_assert_cmpint(fake_run(&fake, phase_new(FM_PHASE_GROUP, "root", bisect, NULL), NULL), ==,
                        FM_OUTCOME_COMPLETE);
        g_assert_cmpint(lookup_bool(&fake, 0, "accepted"), ==, cases[i].accepted);
        g_assert_cmpfloat_with_epsilon(lookup_double(&fake, 0, "value"), 10000, 1e-9);
    }
}

/* --- Rate curve --------------------------------------------------------------------------- */

static bool
check_rates(Fake *fake, const FmStep *step, FmStepResult *result)
{
    const FmStream *streams = step->phase->streams;
    double rate = streams[0].pacing.ios_per_second;

    g_assert_cmpfloat(streams[2].pacing.bytes_per_second, ==, 5e6); /* its own, always */
    g_assert_cmpfloat(streams[2].pacing.ios_per_second, ==, 0);
    if (g_str_equal(step->path, "curve/peak")) {
        g_assert_false(fm_pacing_is_used(&streams[0].pacing));
        fake_fill(result, 8000, 1000);
        result->measured_ns = SECOND_NS / 2;
        return true;
    }
    unsigned percent = part_of(step->path, "rate=");
    double expected = percent == 0 ? 1 : 16000.0 * percent / 100;
    g_assert_cmpuint(streams[0].pacing.percent_of_peak, ==, percent);
    g_assert_cmpfloat_with_epsilon(rate, expected / 4, 1e-9); /* 1 of 4 in flight */
    g_assert_cmpfloat_with_epsilon(streams[1].pacing.ios_per_second, expected * 3 / 4, 1e-9);
    double peak = 0;
    g_assert_true(g_variant_lookup(step->parameters, "peak-ios-per-second", "d", &peak));
    g_assert_cmpfloat(peak, ==, 16000);
    fake_fill(result, 1, 1);
    return true;
}

static void
test_curve(void)
{
    static const uint32_t percents[] = {0, 10, 100, 120};
    g_auto(Fake) fake;
    fake_init(&fake);
    fake.run = check_rates;
    FmPhase *measure = measure_new(NULL);
    phase_add_stream(measure, "more")->in_flight = 3;
    phase_add_stream(measure, "paced")->pacing.bytes_per_second = 5e6;
    FmPhase *curve = phase_new(FM_PHASE_RATE_CURVE, "curve", measure, NULL);
    curve->rate_percents = g_memdup2(percents, sizeof percents);
    curve->n_rate_percents = G_N_ELEMENTS(percents);

    fake_expect(&fake, phase_new(FM_PHASE_GROUP, "root", curve, NULL),
                "0 curve/peak\n1 curve/rate=0%\n2 curve/rate=10%\n3 curve/rate=100%\n"
                "4 curve/rate=120%\n");
    g_assert_cmpuint(fake_count(&fake, "decision"), ==, 1);
    g_assert_cmpfloat(lookup_double(&fake, 0, "value"), ==, 16000);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/driver/repeat/runs-warm-ups-first-and-drops-them", test_plain);
    g_test_add_func("/engine/driver/repeat/ends-when-the-last-three-agree", test_rse);
    g_test_add_func("/engine/driver/repeat/a-settled-cell-does-not-run-again", test_cells);
    g_test_add_func("/engine/driver/repeat/counts-per-cell-of-a-sweep", test_cells_in_sweep);
    g_test_add_func("/engine/driver/repeat/ends-when-the-last-five-are-steady", test_steady);
    g_test_add_func("/engine/driver/repeat/judges-sequential-steps-by-bytes", test_sequential);
    g_test_add_func("/engine/driver/bisect/makes-the-sequences-of-bootbench", test_oracles);
    g_test_add_func("/engine/driver/bisect/runs-each-stage-for-its-time", test_times);
    g_test_add_func("/engine/driver/bisect/an-error-at-the-start-ends-the-plan", test_hard_failure);
    g_test_add_func("/engine/driver/bisect/keeps-each-percentile-to-its-limit", test_limits);
    g_test_add_func("/engine/driver/curve/takes-percents-of-an-uncapped-step", test_curve);
    return g_test_run();
}
