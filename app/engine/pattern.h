/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the next request is: kind, length, offset.  Inline: the hot loop draws from
 * it.
 *
 * A request takes one 64-bit number.  The offset is made of its high bits (the high
 * half of a product), the kind of its low 32 bits: independent in this generator, and
 * the mix never shifts the offsets.  Lengths, jumps and data have streams of their
 * own (ENGINE section 4).
 */
#pragma once

#include "engine/loop.h"

/* The number a request is made of; sequential streams of one kind need none. */
static inline __attribute__((always_inline)) uint64_t
fm_pattern_draw(FmLoop *loop, uint32_t features)
{
    const uint32_t undrawn = FM_LOOP_SEQUENTIAL | FM_LOOP_PERMUTED | FM_LOOP_STRIDED;

    if ((features & undrawn) && (features & FM_LOOP_MIXED_OPS) == 0) {
        return 0;
    }
    return fm_rng_next(&loop->offset_rng);
}

/* Decides kind and length.  @features is a compile-time constant in the usual loops. */
static inline __attribute__((always_inline)) void
fm_pattern_choose(FmLoop *loop, uint32_t features, uint64_t draw, unsigned *op, uint32_t *length)
{
    if (features & FM_LOOP_MIXED_OPS) {
        uint32_t kind = (uint32_t)draw;
        /* Reads and writes decide in one compare without a branch; only a mix with
         * trims or flushes looks further. */
        *op = kind >= loop->op_limit[FM_OP_READ];
        if ((features & FM_LOOP_ODD_OPS) && kind >= loop->op_limit[FM_OP_WRITE]) {
            *op = kind < loop->op_limit[FM_OP_TRIM] ? FM_OP_TRIM : FM_OP_FLUSH;
        }
    }
    if (features & FM_LOOP_FLUSHED) {
        if (loop->writes_since_flush == loop->flush_every) {
            loop->writes_since_flush = 0;
            *op = FM_OP_FLUSH;
            loop->remaining++; /* comes on top of what was asked for */
        } else if (*op == FM_OP_WRITE) {
            loop->writes_since_flush++;
        }
    }
    if (features & FM_LOOP_MIXED_LENGTHS) {
        uint32_t size = (uint32_t)fm_rng_splitmix(&loop->length_state);
        unsigned i = 0;
        while (i + 1 < loop->n_lengths && size >= loop->length_limit[i]) {
            i++;
        }
        *length = loop->lengths[i];
    }
}

/* The next offset of a sequential stream: one cursor per direction, back to the start
 * of the region at its end; a region that is no multiple of the block ends with a
 * shorter request (only with FM_LOOP_MIXED_LENGTHS). */
static inline __attribute__((always_inline)) uint64_t
fm_pattern_next_sequential(FmLoopPattern *pattern, uint32_t features, unsigned op, uint32_t *length)
{
    uint64_t offset = pattern->cursor[op];

    if (features & FM_LOOP_MIXED_LENGTHS) {
        uint64_t left = pattern->end - offset;
        *length = left < *length ? (uint32_t)left : *length;
    }
    uint64_t next = offset + *length;
    pattern->cursor[op] = next >= pattern->end ? pattern->base : next;
    return offset;
}

/* Sequential runs broken by jumps: most requests go on where the last one of the same
 * direction ended, a share of them starts anew at a random block. */
static inline uint64_t
fm_pattern_next_jumping(FmLoop *loop, unsigned op, uint32_t length)
{
    FmLoopPattern *pattern = &loop->pattern;
    uint64_t offset = pattern->cursor[op];

    if ((uint32_t)fm_rng_splitmix(&loop->length_state) < pattern->jump_limit ||
        offset + length > pattern->end) {
        offset = pattern->base + fm_rng_below(&loop->offset_rng, pattern->blocks) * pattern->unit;
    }
    pattern->cursor[op] = offset + length;
    return offset;
}

/* Starts @gap apart; at the end of the region the scan begins again one block on, as
 * long as that is before the second start and inside. */
static inline uint64_t
fm_pattern_next_strided(FmLoopPattern *pattern, unsigned op, uint32_t length)
{
    uint64_t offset = pattern->cursor[op];

    if (offset + length > pattern->end) {
        uint64_t shift = pattern->shift + length;
        bool fits = shift < pattern->gap && pattern->base + shift + length <= pattern->end;
        pattern->shift = fits ? shift : 0;
        offset = pattern->base + pattern->shift;
    }
    pattern->cursor[op] = offset + pattern->gap;
    return offset;
}

static inline __attribute__((always_inline)) uint64_t
fm_pattern_next(FmLoop *loop, uint32_t features, uint64_t draw, unsigned op, uint32_t *length)
{
    FmLoopPattern *pattern = &loop->pattern;

    if (features & FM_LOOP_SEQUENTIAL) {
        return fm_pattern_next_sequential(pattern, features, op, length);
    }
    if (features & FM_LOOP_PERMUTED) {
        if ((features & FM_LOOP_ODD_OPS) && op == FM_OP_FLUSH) {
            return pattern->base; /* of the whole target: takes no block of the pass away */
        }
        if (__builtin_expect(pattern->index >= pattern->blocks, 0)) {
            fm_loop_next_pass(loop);
        }
        uint64_t block = fm_permutation_get(&pattern->permutation, pattern->index);
        pattern->index += pattern->stride;
        return pattern->base + block * pattern->unit;
    }
    if (features & FM_LOOP_JUMPING) {
        return fm_pattern_next_jumping(loop, op, *length);
    }
    if (features & FM_LOOP_STRIDED) {
        return fm_pattern_next_strided(pattern, op, *length);
    }
    uint64_t block = (uint64_t)(((unsigned __int128)draw * pattern->blocks) >> 64);
    return pattern->base + block * pattern->unit;
}
