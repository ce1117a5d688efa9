/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The permutation covers its range exactly once, whatever the size, and scatters.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/permutation.h"

#include <glib.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SMALL = 5000,
    SAMPLES = 1 << 17,
};

static void
test_small(void)
{
    g_autofree uint8_t *seen = g_malloc(SMALL);

    for (uint64_t n = 1; n <= SMALL; n++) {
        FmPermutation permutation;
        fm_permutation_init(&permutation, n, n * 7);
        memset(seen, 0, n);
        for (uint64_t i = 0; i < n; i++) {
            uint64_t value = fm_permutation_get(&permutation, i);
            g_assert_cmpuint(value, <, n);
            g_assert_cmpuint(seen[value], ==, 0);
            seen[value] = 1;
        }
    }
}

static int
compare_u64(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* A window of consecutive indices at each end: no value twice, none out of range. */
static void
test_large(void)
{
    static const uint64_t sizes[] = {
        UINT64_C(1) << 30,
        (UINT64_C(1) << 30) + 1,
        (UINT64_C(1) << 30) - 1,
        999999937,
        3906250000,
        (UINT64_C(1) << 32) + 12345,
        (UINT64_C(1) << 41) + 1,
        UINT64_C(1) << 62,
        (UINT64_C(1) << 61) + 1,
    };
    g_autofree uint64_t *values = g_new(uint64_t, 2 * SAMPLES);

    for (unsigned s = 0; s < G_N_ELEMENTS(sizes); s++) {
        uint64_t n = sizes[s];
        FmPermutation permutation;
        fm_permutation_init(&permutation, n, 42);
        for (uint64_t i = 0; i < SAMPLES; i++) {
            values[i] = fm_permutation_get(&permutation, i);
            values[SAMPLES + i] = fm_permutation_get(&permutation, n - 1 - i);
        }
        qsort(values, 2 * SAMPLES, sizeof *values, compare_u64);
        for (unsigned i = 0; i < 2 * SAMPLES; i++) {
            g_assert_cmpuint(values[i], <, n);
            g_assert_true(i == 0 || values[i] != values[i - 1]);
        }

        /* Uniform: the largest gap of m sorted samples is about ln(m) / m of n. */
        uint64_t gap = 0;
        for (unsigned i = 1; i < 2 * SAMPLES; i++) {
            gap = MAX(gap, values[i] - values[i - 1]);
        }
        g_assert_cmpfloat((double)gap / (double)n, <, 3 * log(2.0 * SAMPLES) / (2.0 * SAMPLES));
    }
}

static void
test_keys(void)
{
    const uint64_t n = 1000003;
    FmPermutation one;
    FmPermutation other;

    fm_permutation_init(&one, n, 1);
    for (uint64_t key = 2; key < 66; key++) {
        unsigned equal = 0;
        fm_permutation_init(&other, n, key);
        for (uint64_t i = 0; i < 20000; i++) {
            equal += fm_permutation_get(&one, i) == fm_permutation_get(&other, i);
        }
        g_assert_cmpuint(equal, <, 8); /* 0.02 expected by chance */
    }

    fm_permutation_init(&other, n, 1);
    for (uint64_t i = 0; i < 1000; i++) {
        g_assert_cmpuint(fm_permutation_get(&one, i), ==, fm_permutation_get(&other, i));
    }
}

/* Flipping one bit of the index flips every bit of the value in about half the cases. */
static void
test_avalanche(void)
{
    static const unsigned widths[] = {20, 31, 40, 62};

    for (unsigned w = 0; w < G_N_ELEMENTS(widths); w++) {
        unsigned bits = widths[w];
        uint64_t n = UINT64_C(1) << bits;
        FmPermutation permutation;
        fm_permutation_init(&permutation, n, 7);
        for (unsigned in = 0; in < bits; in++) {
            unsigned flips[64] = {0};
            for (uint64_t i = 0; i < 2000; i++) {
                uint64_t index = (i * UINT64_C(0x9e3779b97f4a7c15)) & (n - 1);
                uint64_t change = fm_permutation_get(&permutation, index) ^
                                  fm_permutation_get(&permutation, index ^ (UINT64_C(1) << in));
                for (unsigned out = 0; out < bits; out++) {
                    flips[out] += (change >> out) & 1;
                }
            }
            for (unsigned out = 0; out < bits; out++) {
                g_assert_cmpuint(flips[out], >, 850); /* 1000 +- 6.7 sigma */
                g_assert_cmpuint(flips[out], <, 1150);
            }
        }
    }
}

/* Neighbours in order must not be neighbours on the drive. */
static void
test_scatter(void)
{
    const uint64_t n = 262144 + 17;
    FmPermutation permutation;
    unsigned near = 0;
    double distance = 0;

    fm_permutation_init(&permutation, n, 99);
    uint64_t last = fm_permutation_get(&permutation, 0);
    for (uint64_t i = 1; i < n; i++) {
        uint64_t value = fm_permutation_get(&permutation, i);
        uint64_t step = value > last ? value - last : last - value;
        near += step <= 1;
        distance += (double)step;
        last = value;
    }
    g_assert_cmpuint(near, <, 16); /* 2 expected */
    g_assert_cmpfloat_with_epsilon(distance / (double)n / (double)n, 1.0 / 3, 0.01);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/permutation/covers-every-small-range-once", test_small);
    g_test_add_func("/engine/permutation/never-repeats-in-large-ranges", test_large);
    g_test_add_func("/engine/permutation/keys-give-different-orders", test_keys);
    g_test_add_func("/engine/permutation/one-bit-changes-half-the-bits", test_avalanche);
    g_test_add_func("/engine/permutation/neighbours-are-scattered", test_scatter);
    return g_test_run();
}
