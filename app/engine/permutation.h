/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A keyed permutation of 0 .. n-1 without memory: an unbalanced Feistel network over
 * ceil(log2 n) bits, walked until the value is below n (ENGINE section 4).  Element i
 * is computed directly, so a pass can be resumed from a counter and split among
 * threads without overlap.  Inline because the hot loop draws from it.  It spreads
 * offsets; it hides nothing, and must never be used where secrecy matters.
 */
#pragma once

#include <stdint.h>

enum {
    FM_PERMUTATION_ROUNDS = 4,
};

typedef struct {
    uint64_t n;
    uint64_t key[FM_PERMUTATION_ROUNDS];
    unsigned left_bits;
    unsigned right_bits;
} FmPermutation;

/* @n must be 1 .. 2^62. */
void fm_permutation_init(FmPermutation *permutation, uint64_t n, uint64_t key);

/* 32 well mixed bits of @half under one round key; a half is at most 31 bits wide. */
static inline uint64_t
fm_permutation_round(uint64_t half, uint64_t key)
{
    uint64_t x = (half ^ key) * 0x9e3779b97f4a7c15u;
    x ^= x >> 32;
    return (x * 0xd6e8feb86659fd93u) >> 32;
}

/*
 * Element @index (below n) of the permutation.  The network's domain is less than
 * twice n, so fewer than two evaluations are expected.
 */
static inline uint64_t
fm_permutation_get(const FmPermutation *permutation, uint64_t index)
{
    unsigned right_bits = permutation->right_bits;
    uint64_t left_mask = (UINT64_C(1) << permutation->left_bits) - 1;
    uint64_t right_mask = (UINT64_C(1) << right_bits) - 1;
    uint64_t value = index;

    do {
        uint64_t left = value >> right_bits;
        uint64_t right = value & right_mask;
        for (unsigned i = 0; i < FM_PERMUTATION_ROUNDS; i += 2) {
            left ^= fm_permutation_round(right, permutation->key[i]) & left_mask;
            right ^= fm_permutation_round(left, permutation->key[i + 1]) & right_mask;
        }
        value = (left << right_bits) | right;
    } while (value >= permutation->n);

    return value;
}
