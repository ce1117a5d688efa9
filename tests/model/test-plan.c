/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small arithmetic of plans: where an extent lies, how many threads a depth gets, how a
 * step is called, and that a copy is whole.
 */
#include "model/plan-reader.h"
#include "model/plan.h"

#define MIB (UINT64_C(1024) * 1024)
#define GIB (1024 * MIB)

static void
test_extent(void)
{
    static const struct {
        FmExtent extent;
        uint64_t target;
        uint64_t alignment;
        uint64_t bytes;
    } cases[] = {
        {{false, 0}, GIB, 4096, 0},
        {{false, 5000}, GIB, 4096, 4096},
        {{false, 2 * GIB}, GIB, 4096, GIB},
        {{true, 1000000}, GIB, 4096, GIB},
        {{true, 1000000}, GIB + 100, 512, GIB},
        {{true, 250000}, GIB, 4096, GIB / 4},
        {{true, 1}, GIB, 512, 1024},
        {{true, 1}, 1000, 512, 0},
        {{true, 2000000}, GIB, 512, GIB},
        /* Relative parts of a target this large do not fit into 64 bits on the way. */
        {{true, 500000}, UINT64_C(1) << 63, 512, UINT64_C(1) << 62},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpuint(fm_extent_resolve(cases[i].extent, cases[i].target, cases[i].alignment),
                         ==, cases[i].bytes);
    }
}

static void
test_threads(void)
{
    static const struct {
        unsigned in_flight;
        unsigned own;
        unsigned cores;
        unsigned threads;
    } cases[] = {
        {1, 0, 16, 1},  {32, 0, 16, 1},   {33, 0, 16, 1}, {34, 0, 16, 2},
        {36, 0, 16, 4}, {64, 0, 2, 2},    {64, 0, 5, 2},  {64, 0, 6, 4},
        {256, 0, 8, 4}, {512, 16, 2, 16}, {1, 1, 1, 1},   {1024, 64, 4, 64},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        FmStream stream = {.in_flight = cases[i].in_flight, .threads = cases[i].own};
        g_assert_cmpuint(fm_stream_threads(&stream, cases[i].cores), ==, cases[i].threads);
    }
}

static void
test_parameters(void)
{
    static const struct {
        FmParameter parameter;
        uint64_t value;
        const char *text;
    } cases[] = {
        {FM_PARAMETER_IN_FLIGHT, 8, "in-flight=8"},
        {FM_PARAMETER_THREADS, 4, "threads=4"},
        {FM_PARAMETER_READ_SHARE, 0, "read=0%"},
        {FM_PARAMETER_READ_SHARE, 7000, "read=70%"},
        {FM_PARAMETER_READ_SHARE, 1250, "read=12.50%"},
        {FM_PARAMETER_BLOCK_SIZE, 512, "block=512B"},
        {FM_PARAMETER_BLOCK_SIZE, 4096, "block=4KiB"},
        {FM_PARAMETER_REGION_SIZE, GIB, "region=1GiB"},
        {FM_PARAMETER_REGION_SIZE, 1000000, "region=1000000B"},
        {FM_PARAMETER_REGION_SIZE, FM_REGION_WHOLE, "region=all"},
        {FM_PARAMETER_REST_TIME, 5000000000, "rest=5s"},
        {FM_PARAMETER_REST_TIME, 100, "rest=100ns"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = fm_parameter_format(cases[i].parameter, cases[i].value);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
}

static void
test_names(void)
{
    g_assert_cmpstr(fm_pattern_name(FM_PATTERN_STRIDED), ==, "strided");
    g_assert_cmpstr(fm_phase_kind_name(FM_PHASE_RATE_CURVE), ==, "rate-curve");
    g_assert_cmpstr(fm_op_name(FM_OP_FLUSH), ==, "flush");
    g_assert_cmpstr(fm_parameter_name(FM_PARAMETER_REST_TIME), ==, "rest");
    g_assert_cmpstr(fm_data_kind_name(FM_DATA_COMPRESSIBLE), ==, "compressible");
    g_assert_cmpstr(fm_arrival_name(FM_ARRIVAL_EXPONENTIAL), ==, "exponential");
    g_assert_cmpstr(fm_skip_condition_name(FM_SKIP_NO_CACHE_STEP), ==, "no-cache-step");
    g_assert_cmpstr(fm_need_name(FM_NEED_RAW_DEVICE), ==, "device");
    g_assert_cmpstr(fm_need_name(FM_NEED_FILL_LEVEL), ==, "fill-level");
    g_assert_null(fm_pattern_name((FmPattern)99));
    g_assert_null(fm_need_name((FmNeed)(1 << 30)));
}

static void
test_copy(void)
{
    static const char text[] =
        "{\"fathom-plan\":1,\"id\":\"a\",\"name\":\"A\",\"phases\":[{\"kind\":\"sweep\",\"id\":"
        "\"s\",\"label\":{\"en\":\"S\",\"ko\":\"에스\"},\"axes\":[{\"vary\":\"in-flight\",\"of\":"
        "\"w\",\"values\":[1,2,4]}],\"phases\":[{\"kind\":\"measure\",\"stop\":{\"time\":\"1s\"},"
        "\"streams\":[{\"id\":\"w\",\"write\":\"100%\",\"pattern\":\"random\",\"blocks\":"
        "{\"4KiB\":1,\"8KiB\":2},\"in-flight\":1}]}]}]}";
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan = fm_plan_read_canonical(text, &error);
    g_assert_no_error(error);

    const FmPhase *sweep = plan->root->children->pdata[0];
    g_autoptr(FmPhase) copy = fm_phase_copy(sweep);
    g_assert_true(copy->axes != sweep->axes);
    g_assert_cmpstr(copy->label_ko, ==, "에스");
    g_assert_cmpstr(copy->axes[0].target, ==, "w");
    g_assert_cmpmem(copy->axes[0].values, 3 * sizeof(uint64_t), sweep->axes[0].values,
                    3 * sizeof(uint64_t));
    const FmPhase *step = copy->children->pdata[0];
    const FmPhase *original = sweep->children->pdata[0];
    g_assert_true(step != original);
    g_assert_true(step->streams[0].blocks != original->streams[0].blocks);
    g_assert_cmpuint(step->streams[0].blocks[1].size, ==, 8192);
    g_assert_cmpuint(step->streams[0].blocks[1].weight, ==, 2);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/plan/extent-lies-inside-the-target", test_extent);
    g_test_add_func("/model/plan/threads-divide-the-depth", test_threads);
    g_test_add_func("/model/plan/parameters-have-one-spelling", test_parameters);
    g_test_add_func("/model/plan/names-are-those-of-files", test_names);
    g_test_add_func("/model/plan/copy-shares-nothing", test_copy);
    return g_test_run();
}
