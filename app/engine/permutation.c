/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prepares a keyed permutation: the width of the network and its round keys.  Pure
 * arithmetic on any thread; drawing from it is in the header.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/permutation.h"

#include "base/rng.h"

#include <glib.h>

void
fm_permutation_init(FmPermutation *permutation, uint64_t n, uint64_t key)
{
    g_assert(n >= 1 && n <= (UINT64_C(1) << 62));

    unsigned bits = n == 1 ? 0 : 64 - (unsigned)__builtin_clzll(n - 1);

    permutation->n = n;
    permutation->left_bits = bits / 2;
    permutation->right_bits = bits - bits / 2;
    for (unsigned i = 0; i < FM_PERMUTATION_ROUNDS; i++) {
        permutation->key[i] = fm_rng_splitmix(&key);
    }
}
