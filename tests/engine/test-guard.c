/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The guard's rules that need no disk: how counters are read, how large a file may be,
 * what is refused outright.
 */
#include "base/error.h"
#include "engine/guard.h"

#include <string.h>

static const uint64_t mib = 1024 * 1024;

static void
test_counters(void)
{
    static const struct {
        uint64_t moved;
        uint64_t counted;
        unsigned most;
        FmProof proof;
    } cases[] = {
        {8000, 8000, 1, FM_PROOF_MOVED},      {8000, 0, 1, FM_PROOF_MISSING},
        {8000, 4000, 1, FM_PROOF_MISSING},    {8000, 7839, 1, FM_PROOF_MISSING},
        {8000, 7840, 1, FM_PROOF_MOVED},      {8000, 10000, 1, FM_PROOF_MOVED},
        {8000, 10001, 1, FM_PROOF_DISTURBED}, {8000, 16000, 2, FM_PROOF_MOVED},
        {8000, 16000, 1, FM_PROOF_DISTURBED}, {8000, UINT64_MAX, 1, FM_PROOF_DISTURBED},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpint(fm_guard_compare(cases[i].moved, cases[i].counted, cases[i].most), ==,
                        cases[i].proof);
    }
}

static FmTarget *
make_target(FmTargetKind kind, uint64_t volume, uint64_t available, uint64_t user)
{
    FmTarget *target = fm_target_new(kind, "/somewhere");
    target->free_bytes = MIN(available, user);
    target->block_size = 512;
    fm_facts_set_uint(target->facts, "fs.size-bytes", volume);
    fm_facts_set_uint(target->facts, "fs.available-bytes", available);
    return target;
}

static void
test_largest_size(void)
{
    static const struct {
        uint64_t volume_mib;
        uint64_t available_mib;
        uint64_t user_mib;
        uint64_t keep;
        uint64_t largest_mib;
    } cases[] = {
        {1000000, 500000, 500000, FM_GUARD_KEEP_DEFAULT, 480000}, /* 2 % */
        {20000, 5000, 5000, FM_GUARD_KEEP_DEFAULT, 3976}, /* 1 GiB */
        {40, 30, 30, FM_GUARD_KEEP_DEFAULT, 0},
        {40, 30, 30, 0, 30},
        {20000, 5000, 100, FM_GUARD_KEEP_DEFAULT, 100}, /* a quota of 100 MiB */
        {20000, 5000, 5000, (uint64_t)6000 * 1024 * 1024, 0},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmTarget) target =
            make_target(FM_TARGET_FOLDER, cases[i].volume_mib * mib, cases[i].available_mib * mib,
                        cases[i].user_mib * mib);
        g_assert_cmpuint(fm_guard_largest_size(target, cases[i].keep), ==,
                         cases[i].largest_mib * mib);
    }
}

static void
test_too_large_is_refused(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = make_target(FM_TARGET_FOLDER, 20000 * mib, 5000 * mib, 5000 * mib);
    FmGuardOptions options = {.size = 4096 * mib, .keep_free = FM_GUARD_KEEP_DEFAULT};
    g_assert_false(fm_guard_check_file(target, &options, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
    g_assert_nonnull(strstr(error->message, "A test file of 4 GiB does not fit in “/somewhere”"));
    g_assert_nonnull(strstr(error->message, "ask for at most 3976 MiB"));
}

static void
test_devices_are_refused(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = make_target(FM_TARGET_DEVICE, 20000 * mib, 5000 * mib, 5000 * mib);
    FmGuardOptions options = {.size = 64 * mib, .allow_buffered = true};
    g_assert_false(fm_guard_check_file(target, &options, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED);
    g_assert_nonnull(strstr(error->message, "raw device"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/guard/less-than-moved-is-missing", test_counters);
    g_test_add_func("/engine/guard/largest-size-keeps-space-free", test_largest_size);
    g_test_add_func("/engine/guard/too-large-is-refused-with-advice", test_too_large_is_refused);
    g_test_add_func("/engine/guard/raw-devices-are-refused", test_devices_are_refused);
    return g_test_run();
}
