/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random numbers for offsets, op choice, pacing and data: xoshiro256** (Blackman and
 * Vigna, public domain algorithm), one generator per thread and purpose, so that no
 * state is ever shared and changing the mix does not move the offsets.  All of it is
 * inline because the hot loop draws once or twice per I/O.  Not for secrets.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
    uint64_t state[4];
} FmRng;

/* What a stream of random numbers is for.  The numbers enter the keys, and so the
 * offsets of every plan: new purposes go at the end. */
typedef enum {
    FM_RNG_OFFSET,
    FM_RNG_OP,
    FM_RNG_BLOCK,
    FM_RNG_PACING,
    FM_RNG_DATA,
} FmRngPurpose;

/* The output function of splitmix64: a bijection that spreads every bit. */
static inline uint64_t
fm_rng_mix(uint64_t value)
{
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
    value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
    return value ^ (value >> 31);
}

/* Next number of splitmix64; @state is any number and is advanced. */
static inline uint64_t
fm_rng_splitmix(uint64_t *state)
{
    *state += 0x9E3779B97F4A7C15ull;
    return fm_rng_mix(*state);
}

/* Fills the state from @seed.  Every seed is good; 0 too. */
static inline void
fm_rng_init(FmRng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        rng->state[i] = fm_rng_splitmix(&seed);
    }
}

static inline uint64_t
fm_rng_rotate(uint64_t value, unsigned bits)
{
    return (value << bits) | (value >> (64 - bits));
}

static inline uint64_t
fm_rng_next(FmRng *rng)
{
    uint64_t *state = rng->state;
    uint64_t result = fm_rng_rotate(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = fm_rng_rotate(state[3], 45);
    return result;
}

/* A number of 0 .. @n - 1 (Lemire's multiply; bias below n / 2^64); 0 for @n = 0. */
static inline uint64_t
fm_rng_below(FmRng *rng, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)fm_rng_next(rng) * n) >> 64);
}

/*
 * Seed of one stream of numbers.  Each of the four values is absorbed by a bijection,
 * so keys that differ in one of them are never equal.
 */
static inline uint64_t
fm_rng_stream_key(uint64_t master, uint32_t phase, uint32_t thread, FmRngPurpose purpose)
{
    uint64_t key = fm_rng_splitmix(&master) ^ phase;
    key = fm_rng_splitmix(&key) ^ thread;
    key = fm_rng_splitmix(&key) ^ (uint64_t)purpose;
    return fm_rng_splitmix(&key);
}

G_END_DECLS
