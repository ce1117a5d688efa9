/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A keyed permutation of 0 .. n-1 without memory: an unbalanced Feistel network over
 * ceil(log2 n) bits, walked until the value is below n (ENGINE section 4).  Element i
 * is computed directly, so a pass can be resumed from a counter and split among
 * threads without overlap.  Inline because the hot loop draws from it.
 */
#pragma once

#include <stdint.h>

typedef struct {
    uint64_t n;
    uint64_t key[4];
    unsigned left_bits;
    unsigned right_bits;
} FmPermutation;

/* @n must be 1 .. 2^62. */
void fm_permutation_init(FmPermutation *permutation, uint64_t n, uint64_t key);

static inline uint64_t fm_permutation_get(const FmPermutation *permutation, uint64_t index);
