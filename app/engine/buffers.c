/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filling I/O buffers, before a step starts.  Control thread or the I/O thread that
 * owns the buffers.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/buffers.h"

#include "base/rng.h"

#include <string.h>

enum {
    COMPRESSION_UNIT = 4096, /* what a compressing drive looks at */
};

void
fm_buffer_fill(void *data, size_t size, FmDataKind kind, uint32_t compressible_share, uint64_t seed)
{
    uint8_t *bytes = data;
    size_t random_part = COMPRESSION_UNIT;
    FmRng rng;

    memset(bytes, 0, size);
    if (kind == FM_DATA_ZERO) {
        return;
    }
    if (kind == FM_DATA_COMPRESSIBLE) {
        random_part = COMPRESSION_UNIT * (size_t)(FM_SHARE_WHOLE - compressible_share) /
                      FM_SHARE_WHOLE / 8 * 8;
    }
    fm_rng_init(&rng, seed);
    for (size_t unit = 0; unit < size; unit += COMPRESSION_UNIT) {
        size_t end = MIN(unit + random_part, size);
        for (size_t at = unit; at + 8 <= end; at += 8) {
            uint64_t word = fm_rng_next(&rng);
            memcpy(bytes + at, &word, sizeof word);
        }
    }
}
