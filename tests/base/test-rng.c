/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The random numbers are the published ones, stay in range, are even, and keep the
 * streams of different purposes apart.
 */
#include "base/rng.h"

/* The authors' reference code gives these for the seed 1234567 and the state 1, 2, 3, 4. */
static void
test_reference(void)
{
    static const uint64_t splitmix[] = {6457827717110365317ull, 3203168211198807973ull,
                                        9817491932198370423ull, 4593380528125082431ull,
                                        16408922859458223821ull};
    static const uint64_t xoshiro[] = {11520ull, 0ull, 1509978240ull, 1215971899390074240ull,
                                       1216172134540287360ull};

    uint64_t state = 1234567;
    for (gsize i = 0; i < G_N_ELEMENTS(splitmix); i++) {
        g_assert_cmpuint(fm_rng_splitmix(&state), ==, splitmix[i]);
    }

    FmRng rng = {.state = {1, 2, 3, 4}};
    for (gsize i = 0; i < G_N_ELEMENTS(xoshiro); i++) {
        g_assert_cmpuint(fm_rng_next(&rng), ==, xoshiro[i]);
    }
}

static void
test_below(void)
{
    enum { N = 16, DRAWS = 160000 };
    unsigned counts[N] = {0};
    FmRng rng;

    fm_rng_init(&rng, 0);
    for (unsigned i = 0; i < DRAWS; i++) {
        uint64_t value = fm_rng_below(&rng, N);
        g_assert_cmpuint(value, <, N);
        counts[value]++;
    }
    double chi_squared = 0;
    for (unsigned i = 0; i < N; i++) {
        double difference = counts[i] - (double)DRAWS / N;
        chi_squared += difference * difference / ((double)DRAWS / N);
    }
    /* 15 degrees of freedom: 37.7 is the 0.1 % point. */
    g_assert_cmpfloat(chi_squared, <, 37.7);

    g_assert_cmpuint(fm_rng_below(&rng, 1), ==, 0);
    g_assert_cmpuint(fm_rng_below(&rng, 0), ==, 0);
    for (unsigned i = 0; i < 1000; i++) {
        g_assert_cmpuint(fm_rng_below(&rng, (1ull << 63) + 1), <=, 1ull << 63);
    }
}

static void
test_keys(void)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);

    for (uint64_t master = 0; master < 4; master++) {
        for (uint32_t phase = 0; phase < 16; phase++) {
            for (uint32_t thread = 0; thread < 16; thread++) {
                for (int purpose = FM_RNG_OFFSET; purpose <= FM_RNG_DATA; purpose++) {
                    uint64_t key = fm_rng_stream_key(master, phase, thread, (FmRngPurpose)purpose);
                    g_assert_cmpuint(
                        fm_rng_stream_key(master, phase, thread, (FmRngPurpose)purpose), ==, key);
                    g_assert_true(g_hash_table_add(seen, g_memdup2(&key, sizeof key)));
                }
            }
        }
    }
    /* Part of the format: a plan's offsets must not move between versions. */
    g_assert_cmphex(fm_rng_stream_key(1, 2, 3, FM_RNG_BLOCK), ==, 0xA60FACFA74E65895ull);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/rng/numbers-are-the-published-ones", test_reference);
    g_test_add_func("/base/rng/below-is-even-and-in-range", test_below);
    g_test_add_func("/base/rng/keys-differ-and-stay", test_keys);
    return g_test_run();
}
