/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steady-state rules against the vectors of METHODOLOGY 15.3 and against a reference
 * that shares no code or method with them: the textbook formula in long double over
 * whole arrays of raw rows.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/stop-rule.h"

#include <glib.h>
#include <math.h>

enum {
    ROW_NS = 100 * 1000 * 1000,
    BLOCK = 4096,
};

/* --- Reference ------------------------------------------------------------------ */

typedef struct {
    long double mean;
    long double slope;
    long double range;
} Fit;

static Fit
reference_fit(const double *y, unsigned n)
{
    long double sx = 0;
    long double sy = 0;
    long double sxx = 0;
    long double sxy = 0;
    long double min = INFINITY;
    long double max = -INFINITY;

    for (unsigned i = 0; i < n; i++) {
        sx += i;
        sy += y[i];
        sxx += (long double)i * i;
        sxy += (long double)i * y[i];
        min = fminl(min, y[i]);
        max = fmaxl(max, y[i]);
    }

    return (Fit){
        .mean = sy / n, .slope = (n * sxy - sx * sy) / (n * sxx - sx * sx), .range = max - min};
}

/* Sums of @group consecutive values, divided by @divisor. */
static double *
reference_means(const double *values, unsigned n, unsigned group, double divisor)
{
    double *means = g_new0(double, n / group + 1);

    for (unsigned i = 0; i + group <= n; i += group) {
        long double sum = 0;
        for (unsigned j = 0; j < group; j++) {
            sum += values[i + j];
        }
        means[i / group] = (double)(sum / divisor);
    }
    return means;
}

/* Index of the last value of the first window that passes, or -1. */
static int
reference_first(const double *values, unsigned n, char rule)
{
    unsigned in_a_row = 0;
    unsigned window = rule == 'C' ? 5 : 30;

    for (unsigned end = window; end <= (rule == 'C' ? MIN(n, 25) : n); end++) {
        Fit fit = reference_fit(values + end - window, window);
        long double slope = fabsl(fit.slope);
        bool good = false;
        if (fit.mean > 0) {
            switch (rule) {
            case 'A':
                good = slope / fit.mean < 0.1L;
                break;
            case 'B':
                in_a_row = slope * 29 <= 0.1L * fit.mean ? in_a_row + 1 : 0;
                good = in_a_row == 30;
                break;
            default:
                good = fit.range <= 0.2L * fit.mean && slope * 4 <= 0.1L * fit.mean;
                break;
            }
        }
        if (good) {
            return (int)end - 1;
        }
    }
    return -1;
}

/* --- Series of 100 ms rows ------------------------------------------------------- */

typedef enum {
    SHAPE_FLAT,
    SHAPE_RAMP,
    SHAPE_STEP,
    SHAPE_SINE,
    SHAPE_SINE_THEN_FLAT,
    SHAPE_NOISE,
    SHAPE_OUTLIER,
    SHAPE_STALLS,
    SHAPE_DEAD,
} Shape;

static double
shape_value(Shape shape, unsigned i, unsigned n, GRand *random)
{
    switch (shape) {
    case SHAPE_FLAT:
        return 100;
    case SHAPE_RAMP:
        return 1 + i / 2;
    case SHAPE_STEP:
        return i < n / 2 ? 40000 : 7000;
    case SHAPE_SINE:
        return floor(20000 + 19000 * sin(i * 2 * G_PI / 437));
    case SHAPE_SINE_THEN_FLAT:
        return i < n - 1300 ? floor(20000 + 19990 * sin(i * 2 * G_PI / 310)) : 20000;
    case SHAPE_NOISE:
        return g_rand_int_range(random, 0, 30000);
    case SHAPE_OUTLIER:
        return i == n / 3 ? 9000000 : 12000;
    case SHAPE_STALLS:
        return i % 40 < 28 ? 0 : 30000;
    default:
        return 0;
    }
}

static FmTick
row_new(unsigned i, double ios)
{
    return (FmTick){.end_ns = (uint64_t)(i + 1) * ROW_NS,
                    .write_ios = (uint32_t)ios,
                    .write.bytes = (uint64_t)ios * BLOCK};
}

static void
assert_close(double actual, long double expected, long double scale)
{
    g_assert_cmpfloat(fabsl(actual - expected), <=, 1e-9L * scale);
}

/* After every second the rules stand where the reference says. */
static void
compare_series(Shape shape, unsigned n_seconds, FmSteadyVariable variable)
{
    unsigned n = n_seconds * 10;
    double unit = variable == FM_STEADY_BANDWIDTH ? BLOCK : 1;
    g_autofree double *rows = g_new(double, n);
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    for (unsigned i = 0; i < n; i++) {
        rows[i] = shape_value(shape, i, n, random) * unit;
    }
    g_autofree double *seconds = reference_means(rows, n, 10, 1);
    g_autofree double *rounds = reference_means(rows, n, 600, 60);
    int first_a = reference_first(seconds, n_seconds, 'A');
    int first_b = reference_first(seconds, n_seconds, 'B');
    int first_c = reference_first(rounds, n_seconds / 60, 'C');

    FmStopRule rule = {.time_ns = G_MAXINT64};
    g_autoptr(FmStopState) state = fm_stop_state_new(&rule, variable, 1 << 30);
    for (unsigned i = 0; i < n; i++) {
        FmTick tick = row_new(i, rows[i] / unit);
        g_assert_null(fm_stop_state_update(state, &tick));
        int second = (int)((i + 1) / 10) - 1;
        if (i % 10 != 9 || second < 29) {
            continue;
        }

        FmSteadyResult b = fm_stop_state_get(state, 'B');
        int judged = first_b >= 0 && second > first_b ? first_b : second;
        Fit fit = reference_fit(seconds + judged - 29, 30);
        assert_close(b.mean, fit.mean, fit.mean + 1);
        assert_close(b.slope, fit.slope, fit.mean + 1);
        g_assert_cmpint(b.passed, ==, first_b >= 0 && second >= first_b);
        g_assert_cmpint(fm_stop_state_get(state, 'A').passed, ==,
                        first_a >= 0 && second >= first_a);
    }

    FmSteadyResult a = fm_stop_state_get(state, 'A');
    g_assert_cmpint(a.at_ns, ==, (first_a + 1) * G_GINT64_CONSTANT(1000000000));
    FmSteadyResult c = fm_stop_state_get(state, 'C');
    g_assert_cmpint(c.passed, ==, first_c >= 0);
    if (c.passed) {
        Fit fit = reference_fit(rounds + first_c - 4, 5);
        g_assert_cmpint(c.at_ns, ==, (first_c + 1) * G_GINT64_CONSTANT(60000000000));
        assert_close(c.mean, fit.mean, fit.mean);
        assert_close(c.slope, fit.slope, fit.mean);
        assert_close(c.range, fit.range, fit.mean);
    }
}

static void
test_reference(void)
{
    for (Shape shape = SHAPE_FLAT; shape <= SHAPE_DEAD; shape++) {
        compare_series(shape, 1800, FM_STEADY_IOPS);
        compare_series(shape, 1800, FM_STEADY_BANDWIDTH);
        compare_series(shape, 45, FM_STEADY_IOPS);
    }
}

/* Eleven hours of swinging: what is judged at the end must not carry its rounding. */
static void
test_drift(void)
{
    compare_series(SHAPE_SINE_THEN_FLAT, 40000, FM_STEADY_BANDWIDTH);
}

/* --- The rules' own vectors ------------------------------------------------------ */

static void
fill_ramp(double *values, unsigned n, double from, double step)
{
    for (unsigned i = 0; i < n; i++) {
        values[i] = from + step * i;
    }
}

static void
test_vectors(void)
{
    static const struct {
        double from;
        double step;
        bool a;
        bool b;
        double mean;
    } cases[] = {
        {1000, 0, true, true, 1000},       {1000, 20, true, false, 1290},
        {1000, -20, true, false, 710},     {1000, 3.3, true, true, 1047.85},
        {0, 0, false, false, 0},           {0, 1, true, false, 14.5},
        {-464.5, 101, false, false, 1000}, {-435.5, 99, true, false, 1000},
        {-29, 2, false, false, 0},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        double values[30];
        double slope = NAN;
        double mean = NAN;
        fill_ramp(values, 30, cases[i].from, cases[i].step);
        g_assert_cmpint(fm_steady_a(values, 30, &slope, &mean), ==, cases[i].a);
        g_assert_cmpfloat_with_epsilon(slope, cases[i].step, 1e-12);
        g_assert_cmpfloat_with_epsilon(mean, cases[i].mean, 1e-9);
        g_assert_cmpint(fm_steady_b(values, 30, &slope, &mean), ==, cases[i].b);
    }

    static const double snia[] = {95, 100, 105, 100, 100};
    double slope = NAN;
    double range = NAN;
    double mean = NAN;
    g_assert_true(fm_steady_c(snia, 5, &slope, &range, &mean));
    g_assert_cmpfloat_with_epsilon(slope, 1, 1e-12);
    g_assert_cmpfloat(range, ==, 10);
    g_assert_cmpfloat(mean, ==, 100);

    static const double wide[] = {100, 89, 111, 100, 100}; /* range 22 > 20 */
    g_assert_false(fm_steady_c(wide, 5, &slope, &range, &mean));
    static const double tilted[] = {94, 97, 100, 103, 106}; /* rise 12 > 10 */
    g_assert_false(fm_steady_c(tilted, 5, &slope, &range, &mean));
}

/* --- What ends a step ------------------------------------------------------------ */

/* Feeds @n_rows rows; returns how many it took to end, with the reason in @why. */
static unsigned
rows_until_end(const FmStopRule *rule, double (*ios)(unsigned row), unsigned n_rows,
               const char **why)
{
    g_autoptr(FmStopState) state = fm_stop_state_new(rule, FM_STEADY_IOPS, 1000 * BLOCK);

    for (unsigned i = 0; i < n_rows; i++) {
        FmTick tick = row_new(i, ios(i));
        *why = fm_stop_state_update(state, &tick);
        if (*why != NULL) {
            g_assert_true(fm_stop_state_update(state, &tick) == *why);
            return i + 1;
        }
    }
    return 0;
}

static double
ios_flat(unsigned row)
{
    return 100;
}

/* Never steady by any rule: the last second of a window outweighs the rest. */
static double
ios_growing(unsigned row)
{
    return pow(1.2, row / 10 % 100);
}

static void
test_ends(void)
{
    static const struct {
        const char *name;
        FmStopRule rule;
        double (*ios)(unsigned row);
        unsigned rows;
        const char *why;
    } cases[] = {
        /* 10 rows of 100 blocks are one pass. */
        {"A: window after 2 passes",
         {.steady = true, .steady_rule = 'A', .steady_after_passes = 2, .cap_passes = 230},
         ios_flat,
         20 + 300,
         "steady"},
        {"A: from the start", {.steady = true, .steady_rule = 'A'}, ios_flat, 300, "steady"},
        {"A: window begins with the row after the passes",
         {.steady = true, .steady_rule = 'A', .steady_after_passes = 0.05},
         ios_flat,
         301,
         "steady"},
        {"B: thirty windows in a row",
         {.steady = true, .steady_rule = 'B', .steady_after_passes = 2},
         ios_flat,
         20 + 300 + 290,
         "steady"},
        {"C: five rounds",
         {.steady = true, .steady_rule = 'C', .steady_after_passes = 2},
         ios_flat,
         20 + 3000,
         "steady"},
        {"cap counts the passes before",
         {.steady = true, .steady_rule = 'A', .steady_after_passes = 2, .cap_passes = 23},
         ios_flat,
         230,
         "cap"},
        {"cap by time",
         {.steady = true, .steady_rule = 'A', .cap_time_ns = (int64_t)ROW_NS * 150},
         ios_flat,
         150,
         "cap"},
        {"steady goes before a cap of the same row",
         {.steady = true, .steady_rule = 'A', .cap_time_ns = (int64_t)ROW_NS * 300},
         ios_flat,
         300,
         "steady"},
        {"C gives up after 25 rounds",
         {.steady = true, .steady_rule = 'C'},
         ios_growing,
         25 * 600,
         "cap"},
        {"a cap without steady", {.cap_passes = 3}, ios_flat, 30, "cap"},
        {"nothing asked for", {.time_ns = 1}, ios_flat, 0, NULL},
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *why = NULL;
        g_test_message("%s", cases[i].name);
        unsigned rows = rows_until_end(&cases[i].rule, cases[i].ios, 16000, &why);
        g_assert_cmpuint(rows, ==, cases[i].rows);
        g_assert_cmpstr(why, ==, cases[i].why);
    }
}

static void
test_all_reported(void)
{
    FmStopRule rule = {
        .steady = true, .steady_rule = 'C', .steady_after_passes = 2, .cap_passes = 10000};
    g_autoptr(FmStopState) state = fm_stop_state_new(&rule, FM_STEADY_IOPS, 1000 * BLOCK);

    for (unsigned i = 0; i < 20 + 3000; i++) {
        FmTick tick = row_new(i, 100);
        fm_stop_state_update(state, &tick);
    }

    static const struct {
        char rule;
        unsigned rows;
    } expected[] = {{'A', 320}, {'B', 610}, {'C', 3020}};
    for (unsigned i = 0; i < G_N_ELEMENTS(expected); i++) {
        FmSteadyResult result = fm_stop_state_get(state, expected[i].rule);
        g_assert_true(result.passed);
        g_assert_cmpint(result.at_ns, ==, (int64_t)expected[i].rows * ROW_NS);
        g_assert_cmpfloat_with_epsilon(result.passes, expected[i].rows / 10.0, 1e-9);
        g_assert_cmpfloat_with_epsilon(result.mean, 1000, 1e-9);
        g_assert_cmpfloat_with_epsilon(result.slope, 0, 1e-9);
    }
}

static void
test_unknown_until_full(void)
{
    FmStopRule rule = {.steady = true, .steady_rule = 'A'};
    g_autoptr(FmStopState) state = fm_stop_state_new(&rule, FM_STEADY_IOPS, 1000 * BLOCK);

    for (unsigned i = 0; i < 299; i++) {
        FmTick tick = row_new(i, 100);
        g_assert_null(fm_stop_state_update(state, &tick));
    }
    FmSteadyResult result = fm_stop_state_get(state, 'A');
    g_assert_false(result.passed);
    g_assert_true(isnan(result.mean) && isnan(result.slope));
}

/* Rows that are no measurement move no window; a pause begins it anew. */
static void
test_flags(void)
{
    FmStopRule rule = {.steady = true, .steady_rule = 'A'};
    g_autoptr(FmStopState) state = fm_stop_state_new(&rule, FM_STEADY_IOPS, 1000 * BLOCK);
    FmTick tick = row_new(0, 100);

    tick.flags = FM_TICK_RAMP;
    for (unsigned i = 0; i < 1000; i++) {
        g_assert_null(fm_stop_state_update(state, &tick));
    }
    g_assert_cmpfloat(fm_stop_state_get_passes(state), ==, 0);
    tick.flags = 0;
    for (unsigned i = 0; i < 299; i++) {
        g_assert_null(fm_stop_state_update(state, &tick));
    }
    tick.flags = FM_TICK_PAUSED;
    g_assert_null(fm_stop_state_update(state, &tick));
    g_assert_cmpfloat_with_epsilon(fm_stop_state_get_passes(state), 30, 1e-9);
    tick.flags = FM_TICK_LATE;
    for (unsigned i = 0; i < 299; i++) {
        g_assert_null(fm_stop_state_update(state, &tick));
    }
    tick.flags = FM_TICK_PARTIAL;
    g_assert_null(fm_stop_state_update(state, &tick));
    tick.flags = 0;
    g_assert_cmpstr(fm_stop_state_update(state, &tick), ==, "steady");
}

static void
test_reads_cover(void)
{
    FmStopRule rule = {.cap_passes = 2};
    g_autoptr(FmStopState) reads = fm_stop_state_new(&rule, FM_STEADY_IOPS, 1000 * BLOCK);
    FmTick tick = {.end_ns = ROW_NS, .read_ios = 1000, .read.bytes = 1000 * BLOCK};
    g_assert_null(fm_stop_state_update(reads, &tick));
    g_assert_cmpstr(fm_stop_state_update(reads, &tick), ==, "cap");

    g_autoptr(FmStopState) mixed = fm_stop_state_new(&rule, FM_STEADY_IOPS, 1000 * BLOCK);
    tick.write_ios = 100;
    tick.write.bytes = 100 * BLOCK;
    for (unsigned i = 1; i < 20; i++) {
        g_assert_null(fm_stop_state_update(mixed, &tick));
        g_assert_cmpfloat_with_epsilon(fm_stop_state_get_passes(mixed), i / 10.0, 1e-9);
    }
    g_assert_cmpstr(fm_stop_state_update(mixed, &tick), ==, "cap");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/stop-rule/agrees-with-the-methodology-vectors", test_vectors);
    g_test_add_func("/engine/stop-rule/agrees-with-a-textbook-regression", test_reference);
    g_test_add_func("/engine/stop-rule/does-not-drift-over-hours", test_drift);
    g_test_add_func("/engine/stop-rule/ends-when-its-rule-says-so", test_ends);
    g_test_add_func("/engine/stop-rule/reports-all-three-rules", test_all_reported);
    g_test_add_func("/engine/stop-rule/is-unknown-until-a-window-is-full", test_unknown_until_full);
    g_test_add_func("/engine/stop-rule/a-pause-begins-the-window-anew", test_flags);
    g_test_add_func("/engine/stop-rule/passes-count-writes-before-reads", test_reads_cover);
    return g_test_run();
}
