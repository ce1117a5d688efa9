/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents of I/O buffers.  Filled once before a step; a write then only stamps its
 * blocks, so that no two blocks ever written are equal and a drive can neither
 * compress nor deduplicate them, at the cost of one cache line per 4 KiB (ENGINE 2.7).
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "model/plan.h"

/* Fills @size bytes at @data; @seed makes the content. */
void fm_buffer_fill(void *data, size_t size, FmDataKind kind, uint32_t compressible_share,
                    uint64_t seed);

/*
 * Marks every @step bytes of a buffer that is about to be written at @offset with the
 * place and a running number.  The buffer must not be in flight.
 */
static inline __attribute__((always_inline)) void
fm_buffer_stamp(uint8_t *buffer, uint32_t length, uint32_t step, uint64_t offset, uint64_t *stamp)
{
    uint64_t number = *stamp;

    for (uint32_t at = 0; at < length; at += step) {
        uint64_t *mark = (uint64_t *)(void *)(buffer + at);
        mark[0] = offset + at;
        mark[1] = number++;
    }
    *stamp = number;
}
