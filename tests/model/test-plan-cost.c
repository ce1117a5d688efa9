/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Times and bytes of small plans against sums made by hand: at 1 GB/s and 100,000 I/Os
 * per second, so that 10,000-byte thinking stays easy.
 */
#include "model/plan-cost.h"
#include "model/plan-reader.h"

#define S INT64_C(1000000000)
#define GB UINT64_C(1000000000)
/* What each step costs around itself. */
#define STEP ((int64_t)FM_COST_STEP_NS)

#define PLAN "{'fathom-plan': 1, 'id': 'p', 'name': 'P', "
#define ONE(phase) PLAN "'phases': [" phase "]}"
/* In depth 1 MiB blocks reach 1 GB/s, 4 KiB blocks 409.6 MB/s. */
#define WRITE "'streams': [{'write': '100%', 'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]"
#define READ "'streams': [{'read': '100%', 'pattern': 'random', 'block': '1MiB', 'in-flight': 8}]"
#define SMALL                                                                                      \
    "'streams': [{'write': '100%', 'pattern': 'random', 'block': '4KiB', 'in-flight': 32}]"

typedef struct {
    const char *text;
    int64_t time_ns;
    uint64_t bytes;
    bool open;
    bool estimate;
} Case;

static void
check_cases(const Case *cases, gsize n_cases, const FmCostBasis *basis)
{
    for (gsize i = 0; i < n_cases; i++) {
        g_autofree char *text = g_strdelimit(g_strdup(cases[i].text), "'", '"');
        g_autoptr(GError) error = NULL;
        g_autoptr(FmPlan) plan = fm_plan_read_canonical(text, &error);
        g_assert_no_error(error);
        FmPlanCost cost = fm_plan_cost(plan, basis);
        g_test_message("%s", cases[i].text);
        g_assert_cmpint(cost.time_ns, ==, cases[i].time_ns);
        g_assert_cmpuint(cost.bytes_written, ==, cases[i].bytes);
        g_assert_true(cost.time_is_open == cases[i].open);
        g_assert_true(cost.bytes_is_estimate == cases[i].estimate);
    }
}

static void
test_steps(void)
{
    static const Case cases[] = {
        {ONE("{'kind': 'measure', 'id': 'm', 'ramp': '1s', 'stop': {'time': '4s'}, " WRITE "}"),
         5 * S + STEP, 5 * GB, false, true},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'time': '4s'}, " READ "}"), 4 * S + STEP, 0,
         false, false},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'bytes': '3GB'}, " WRITE "}"), 3 * S + STEP,
         3 * GB, false, false},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'bytes': '3GB', 'time': '2s'}, " WRITE "}"),
         2 * S + STEP, 2 * GB, false, true},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'passes': 2}, " WRITE "}"), 20 * S + STEP,
         20 * GB, false, false},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'time': '10s'}, " SMALL "}"), 10 * S + STEP,
         UINT64_C(4096000000), false, true},
        /* Two passes of 10 s each, then the window of 30 s; at most 23 passes. */
        {ONE("{'kind': 'precondition', 'id': 'm', 'stop': {'steady': 'A', 'after-passes': 2,"
             "'cap-passes': 23, 'cap-time': '48h'}, " WRITE "}"),
         50 * S + STEP, 230 * GB, true, true},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'time': '10s'}, 'streams': [{'write': '50%',"
             "'read': 'rest', 'pattern': 'random', 'block': '1MiB', 'in-flight': 8, 'pacing': "
             "{'bytes-per-second': '100MB'}}]}"),
         10 * S + STEP, GB / 2, false, true},
        {ONE("{'kind': 'rest', 'id': 'r', 'time': '7s'}"), 7 * S, 0, false, false},
        {ONE("{'kind': 'idle', 'id': 'r', 'time': '7s'}"), 7 * S, 0, true, false},
        {ONE("{'kind': 'external', 'id': 'r', 'instruction': 'Do it.'}"), 0, 0, true, false},
        {ONE("{'kind': 'rest', 'id': 'r', 'time': '7s', 'skip-if': 'raw-target'}"), 0, 0, false,
         false},
    };
    FmCostBasis basis = {.target_size = 10 * GB};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

#define TIMED(time) "{'kind': 'measure', 'stop': {'time': '" time "'}, " WRITE "}"

static void
test_drivers(void)
{
    static const Case cases[] = {
        /* One warm-up and three runs, with a rest between any two. */
        {ONE("{'kind': 'repeat', 'id': 'a', 'count': 3, 'discard': 1, 'between': '10s', 'phases': "
             "[" TIMED("1s") "]}"),
         34 * S + 4 * STEP, 4 * GB, false, true},
        {ONE("{'kind': 'repeat', 'id': 'a', 'count': 3, 'max-count': 9, 'until-rse': '5%',"
             "'phases': [" TIMED("1s") "]}"),
         3 * S + 3 * STEP, 9 * GB, true, true},
        {PLAN "'between': '5s', 'phases': [{'kind': 'rest', 'id': 'a', 'time': '1s'},"
              "{'kind': 'rest', 'id': 'b', 'time': '1s'}]}",
         7 * S, 0, false, false},
        {ONE("{'kind': 'sweep', 'id': 'a', 'between': '10s', 'axes': [{'vary': 'in-flight',"
             "'values': [4, 8, 16]}, {'vary': 'read', 'values': ['0%', '75%']}], 'phases': [" TIMED(
                 "4s") "]}"),
         74 * S + 6 * STEP, 15 * GB, false, true},
        /* 20 GB does not fit into the target of 10 GB. */
        {ONE("{'kind': 'sweep', 'id': 'a', 'axes': [{'vary': 'region', 'values': ['1GB', '20GB',"
             "'all']}], 'phases': [{'kind': 'measure', 'stop': {'passes': 1}, " WRITE "}]}"),
         11 * S + 2 * STEP, 11 * GB, false, false},
        {ONE("{'kind': 'sweep', 'id': 'a', 'axes': [{'vary': 'rest', 'of': 'r', 'values': ['1s',"
             "'2s']}], 'phases': [{'kind': 'rest', 'id': 'r', 'time': '9s'},"
             "{'kind': 'rest', 'id': 'q', 'time': '5s'}]}"),
         13 * S, 0, false, false},
        {ONE("{'kind': 'sweep', 'id': 'a', 'axes': [{'vary': 'block', 'values': ['512B', '1MiB']}],"
             "'phases': [{'kind': 'measure', 'skip-if': 'block-too-small', 'stop': {'time': "
             "'3s'}," WRITE "}]}"),
         3 * S + STEP, 3 * GB, false, true},
        /* 4, 8, 16 doubling; the gap of 8 is halved three times; one confirmation. */
        {ONE("{'kind': 'bisect', 'id': 'a', 'vary': 'in-flight', 'start': 4, 'limit': 16,"
             "'confirmations': 1, 'times': ['1s', '2s', '5s'],"
             "'limits': [{'percentile': '99%', 'latency': '1ms'}], 'phases': [" TIMED("1s") "]}"),
         14 * S + 7 * STEP, 14 * GB, true, true},
        {ONE("{'kind': 'rate-curve', 'id': 'a', 'percents': ['50%', '120%'], 'phases': [" TIMED(
             "2s") "]}"),
         6 * S + 3 * STEP, 5 * GB, false, true},
    };
    FmCostBasis basis = {.target_size = 10 * GB, .block_size = 4096};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

#define ALONE(what, extra)                                                                         \
    ONE("{'kind': 'measure', 'id': 'm', 'stop': {'bytes': '409600B'}, 'streams': [{" what ","      \
        "'pattern': 'random', 'block': '4KiB', " extra "}]}")

/* 100 I/Os of 4 KiB: each takes its latency and 4.096 us, divided by the depth. */
static void
test_latency(void)
{
    static const Case cases[] = {
        {ALONE("'read': '100%'", "'in-flight': 1"), 8409600 + STEP, 0, false, false},
        {ALONE("'read': '100%'", "'in-flight': 4"), 2102400 + STEP, 0, false, false},
        {ALONE("'read': '100%'", "'in-flight': 64"), 1000000 + STEP, 0, false, false},
        {ALONE("'write': '100%'", "'in-flight': 1"), 2409600 + STEP, 409600, false, false},
        {ALONE("'write': '100%'", "'in-flight': 1, 'sync': true"), 100409600 + STEP, 409600, false,
         false},
        {ALONE("'write': '100%'", "'in-flight': 1, 'flush-every': 10"), 12409600 + STEP, 409600,
         false, false},
        {ALONE("'read': '50%', 'write': 'rest'", "'in-flight': 1"), 5409600 + STEP, 204800, false,
         false},
        {ONE("{'kind': 'sweep', 'id': 'a', 'axes': [{'vary': 'in-flight', 'values': [1, 2]}],"
             "'phases': [{'kind': 'measure', 'stop': {'bytes': '409600B'}, 'streams': [{"
             "'read': '100%', 'pattern': 'random', 'block': '4KiB', 'in-flight': 8}]}]}"),
         8409600 + 4204800 + 2 * STEP, 0, false, false},
    };
    FmCostBasis basis = {.target_size = 10 * GB};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

/* What is left out has no rest around it, and only one branch is for a file. */
static void
test_skipped(void)
{
    static const Case cases[] = {
        {PLAN "'file-size': '2GB', 'between': '5s', 'phases': [{'kind': 'rest', 'id': 'a', 'time': "
              "'7s'}, {'kind': 'rest', 'id': 'b', 'time': '7s', 'skip-if': 'file-target'},"
              "{'kind': 'rest', 'id': 'c', 'time': '1s'}]}",
         13 * S, 0, false, false},
    };
    FmCostBasis basis = {.is_file = true, .is_filled = true};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

static void
test_list(void)
{
    static const char text[] =
        PLAN "'phases': [{'kind': 'rest', 'id': 'r', 'time': '7s'}, {'kind': 'sweep', 'id': 's',"
             "'between': '2s', 'axes': [{'vary': 'in-flight', 'values': [1, 8]}], 'phases': ["
             "{'kind': 'repeat', 'count': 2, 'discard': 1, 'phases': [{'kind': 'measure', 'id': "
             "'m', 'ramp': '1s', 'stop': {'bytes': '1GB', 'time': '4s'}, " WRITE "}]}]}]}";
    static const char *const paths[] = {
        "s/in-flight=1/warm-up=1/m", "s/in-flight=1/run=1/m", "s/in-flight=1/run=2/m",
        "s/in-flight=8/warm-up=1/m", "s/in-flight=8/run=1/m", "s/in-flight=8/run=2/m",
    };
    g_autofree char *json = g_strdelimit(g_strdup(text), "'", '"');
    g_autoptr(FmPlan) plan = fm_plan_read_canonical(json, NULL);
    g_assert_nonnull(plan);
    FmCostBasis basis = {.target_size = 10 * GB};
    g_autoptr(GArray) list = fm_plan_cost_list(plan, &basis);

    g_assert_cmpuint(list->len, ==, G_N_ELEMENTS(paths));
    int64_t at = 7 * S;
    for (guint i = 0; i < list->len; i++) {
        const FmStepCost *step = &g_array_index(list, FmStepCost, i);
        at += i == 3 ? 2 * S : 0;
        g_assert_cmpstr(step->path, ==, paths[i]);
        g_assert_cmpint(ABS(step->begin_ns - at), <=, 10);
        g_assert_cmpint(step->limit_ns, ==, 5 * S);
        g_assert_cmpuint(step->bytes, ==, GB);
        at += step->time_ns + STEP;
    }
    g_assert_cmpint(g_array_index(list, FmStepCost, 5).time_ns, ==, 2 * S);
    g_assert_cmpint(ABS(fm_plan_cost(plan, &basis).time_ns - at), <=, 10);
}

static void
test_file(void)
{
    static const Case cases[] = {
        {PLAN "'file-size': '2GB', 'phases': [{'kind': 'measure', 'id': 'm', 'stop': {'passes': "
              "1}," WRITE "}]}",
         4 * S + STEP, 4 * GB, false, false},
        {PLAN "'file-size': '2GB', 'phases': [{'kind': 'rest', 'id': 'r', 'time': '7s',"
              "'skip-if': 'file-target'}]}",
         2 * S, 2 * GB, false, false},
    };
    FmCostBasis basis = {.is_file = true};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

static void
test_basis(void)
{
    static const Case cases[] = {
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'time': '4s'}, " WRITE "}"), 4 * S + STEP,
         2 * GB, false, true},
        {ONE("{'kind': 'measure', 'id': 'm', 'stop': {'time': '10s'}, " SMALL "}"), 10 * S + STEP,
         UINT64_C(409600000), false, true},
    };
    FmCostBasis basis = {
        .target_size = 10 * GB, .bytes_per_second = GB / 2, .ios_per_second = 10000};
    check_cases(cases, G_N_ELEMENTS(cases), &basis);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/plan-cost/steps-end-by-their-rule", test_steps);
    g_test_add_func("/model/plan-cost/drivers-multiply", test_drivers);
    g_test_add_func("/model/plan-cost/an-io-takes-its-latency", test_latency);
    g_test_add_func("/model/plan-cost/what-is-skipped-has-no-rest", test_skipped);
    g_test_add_func("/model/plan-cost/steps-are-listed-as-they-will-run", test_list);
    g_test_add_func("/model/plan-cost/test-file-is-written-first", test_file);
    g_test_add_func("/model/plan-cost/known-speed-is-used", test_basis);
    return g_test_run();
}
