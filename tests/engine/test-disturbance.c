/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters against what we did: when they can be compared, and what is too much.
 */
#include "engine/disturbance.h"

static const uint64_t mib = 1024 * 1024;

static void
test_tolerance(void)
{
    static const struct {
        FmTraffic own;
        FmTraffic counted;
        uint64_t foreign;
        bool is_notable;
    } cases[] = {
        {{0, 0}, {0, 0}, 0, false},
        {{8000000, 0}, {8000000, 0}, 0, false},
        /* Up to 1 MiB is a file system writing about itself. */
        {{8000000, 0}, {8000000, 1048576}, 1048576, false},
        {{8000000, 0}, {8000000, 1048577}, 1048577, true},
        /* 2 % of both directions together. */
        {{600000000, 400000000}, {610000000, 410000000}, 20000000, false},
        {{600000000, 400000000}, {610000000, 410000001}, 20000001, true},
        /* Fewer than ours (something kept them) is another question, and never huge. */
        {{8000000, 8000000}, {1000, 8000000}, 0, false},
        {{8000000, 8000000}, {1000, 18000000}, 10000000, true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t foreign = fm_disturbance_get_foreign(&cases[i].own, &cases[i].counted);
        g_assert_cmpuint(foreign, ==, cases[i].foreign);
        g_assert_cmpint(fm_disturbance_is_notable(&cases[i].own, foreign), ==, cases[i].is_notable);
    }
    g_assert_true(fm_disturbance_is_notable(&(FmTraffic){0, 0}, 2 * mib));
}

static void
test_comparable(void)
{
    static const struct {
        FmVerdict verdict;
        const char *drives; /* NULL = unknown */
        const char *compression;
        bool is_copying;
        bool is_comparable;
    } cases[] = {
        {FM_VERDICT_DIRECT, "nvme0n1", "none", false, true},
        {FM_VERDICT_MAY_BE_CACHED, "nvme0n1", "none", false, false},
        {FM_VERDICT_UNKNOWN, "nvme0n1", "none", false, false},
        {FM_VERDICT_DIRECT, "sda, sdb", "none", false, false},
        {FM_VERDICT_DIRECT, NULL, "none", false, false},
        {FM_VERDICT_DIRECT, "nvme0n1", "zstd", false, false},
        {FM_VERDICT_DIRECT, "nvme0n1", NULL, false, false},
        {FM_VERDICT_DIRECT, "nvme0n1", "none", true, false},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmTarget) target = fm_target_new(FM_TARGET_FOLDER, "/somewhere");
        target->verdict = cases[i].verdict;
        if (cases[i].drives != NULL) {
            fm_facts_set_string(target->facts, "stack.drives", cases[i].drives);
        }
        if (cases[i].compression != NULL) {
            fm_facts_set_string(target->facts, "fs.compression", cases[i].compression);
        }
        fm_facts_set_bool(target->facts, "fs.copy-on-write", cases[i].is_copying);
        g_assert_cmpint(fm_disturbance_is_comparable(target), ==, cases[i].is_comparable);
    }
    g_autoptr(FmTarget) unknown = fm_target_new(FM_TARGET_FOLDER, "/somewhere");
    g_assert_false(fm_disturbance_is_comparable(unknown));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/disturbance/tolerance-is-as-stated", test_tolerance);
    g_test_add_func("/engine/disturbance/only-a-single-plain-drive-tells", test_comparable);
    return g_test_run();
}
