/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checksum of frames against published vectors, and both ways of computing it
 * against each other.
 */
#include "base/crc32c.h"

#include <string.h>

typedef uint32_t (*Checksum)(uint32_t crc, const void *data, gsize length);

static const Checksum ways[] = {fm_crc32c, fm_crc32c_portable};

/* RFC 3720 B.4 and the usual check value. */
static void
test_vectors(void)
{
    uint8_t zeros[32] = {0};
    uint8_t ones[32];
    uint8_t rising[32];
    memset(ones, 0xFF, sizeof ones);
    for (uint8_t i = 0; i < sizeof rising; i++) {
        rising[i] = i;
    }
    const struct {
        const void *data;
        gsize length;
        uint32_t crc;
    } cases[] = {
        {"", 0, 0},
        {"123456789", 9, 0xE3069283},
        {zeros, 32, 0x8A9136AA},
        {ones, 32, 0x62A8AB43},
        {rising, 32, 0x46DD794E},
    };

    for (gsize way = 0; way < G_N_ELEMENTS(ways); way++) {
        for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
            g_assert_cmphex(ways[way](0, cases[i].data, cases[i].length), ==, cases[i].crc);
        }
    }
}

static void
test_any_cut_and_alignment(void)
{
    uint8_t data[200];
    for (gsize i = 0; i < sizeof data; i++) {
        data[i] = (uint8_t)(i * 37 + (i >> 3));
    }

    for (gsize start = 0; start < 9; start++) {
        gsize length = sizeof data - start;
        uint32_t whole = fm_crc32c_portable(0, data + start, length);
        for (gsize cut = 0; cut <= length; cut++) {
            uint32_t crc = fm_crc32c(0, data + start, cut);
            crc = fm_crc32c(crc, data + start + cut, length - cut);
            g_assert_cmphex(crc, ==, whole);
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/crc32c/published-vectors-hold", test_vectors);
    g_test_add_func("/base/crc32c/parts-chain-to-the-whole", test_any_cut_and_alignment);
    return g_test_run();
}
