/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets: paths become absolute, verdict names are stable, the reserve is enough.
 */
#include "model/target.h"

static void
test_paths(void)
{
    g_autofree char *here = g_canonicalize_filename("x", NULL);
    const struct {
        FmTargetKind kind;
        const char *given;
        const char *path;
    } cases[] = {
        {FM_TARGET_FOLDER, "/mnt//ssd/../ssd/./t", "/mnt/ssd/t"},
        {FM_TARGET_FOLDER, "x", here},
        {FM_TARGET_DEVICE, "/dev/nvme0n1", "/dev/nvme0n1"},
        {FM_TARGET_MODEL, "optane", "optane"},
        {FM_TARGET_NULL, NULL, ""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmTarget) target = fm_target_new(cases[i].kind, cases[i].given);
        g_assert_cmpstr(target->path, ==, cases[i].path);
        g_assert_cmpint(target->verdict, ==, FM_VERDICT_UNKNOWN);
        g_assert_nonnull(target->facts);
    }
}

static void
test_verdict_names(void)
{
    static const struct {
        FmVerdict verdict;
        const char *name;
    } cases[] = {
        {FM_VERDICT_UNKNOWN, "unknown"},
        {FM_VERDICT_DIRECT, "direct"},
        {FM_VERDICT_MAY_BE_CACHED, "may-be-cached"},
        {FM_VERDICT_MEMORY, "memory"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpstr(fm_verdict_name(cases[i].verdict), ==, cases[i].name);
        g_assert_cmpint(fm_verdict_from_name(cases[i].name), ==, cases[i].verdict);
    }
    g_assert_cmpint(fm_verdict_from_name("Direct"), ==, FM_VERDICT_UNKNOWN);
    g_assert_cmpint(fm_verdict_from_name(NULL), ==, FM_VERDICT_UNKNOWN);
}

static void
test_reserve(void)
{
    const uint64_t gibibyte = 1ull << 30;

    g_assert_cmpuint(fm_target_reserve(0), ==, gibibyte);
    g_assert_cmpuint(fm_target_reserve(50 * gibibyte), ==, gibibyte);
    g_assert_cmpuint(fm_target_reserve(100 * gibibyte), ==, 2 * gibibyte);
    g_assert_cmpuint(fm_target_reserve(UINT64_MAX), ==, UINT64_MAX / 50);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/target/paths-become-absolute", test_paths);
    g_test_add_func("/model/target/verdict-names-are-stable", test_verdict_names);
    g_test_add_func("/model/target/reserve-is-the-larger-of-both", test_reserve);
    return g_test_run();
}
