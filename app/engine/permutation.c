/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares a keyed permutation: the width of the network and its round keys.  Pure
 * arithmetic on any thread; drawing from it is in the header.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/permutation.h"

#include <glib.h>

/* One step of splitmix64: round keys must differ in all bits even for keys 0, 1, 2. */
static uint64_t
next_key(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

void
fm_permutation_init(FmPermutation *permutation, uint64_t n, uint64_t key)
{
    g_assert(n >= 1 && n <= (UINT64_C(1) << 62));

    unsigned bits = n == 1 ? 0 : 64 - (unsigned)__builtin_clzll(n - 1);

    permutation->n = n;
    permutation->left_bits = bits / 2;
    permutation->right_bits = bits - bits / 2;
    for (unsigned i = 0; i < FM_PERMUTATION_ROUNDS; i++) {
        permutation->key[i] = next_key(&key);
    }
}
