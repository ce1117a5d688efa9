/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From stream to loop.  Runs on the I/O thread before the start, so that memory is
 * first touched where it will be used.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/loop-setup.h"

#include "base/rng.h"
#include "engine/buffers.h"

#include <math.h>
#include <string.h>

enum {
    PAGE = 4096,
    LOG_CHUNKS = 64, /* 64 MiB a thread: 4 M I/Os ahead of the writer */
};

uint32_t
fm_stream_max_block(const FmStream *stream)
{
    uint32_t size = 0;

    for (unsigned i = 0; i < stream->n_blocks; i++) {
        size = MAX(size, stream->blocks[i].size);
    }
    return size;
}

uint32_t
fm_stream_min_block(const FmStream *stream)
{
    uint32_t size = UINT32_MAX;

    for (unsigned i = 0; i < stream->n_blocks; i++) {
        size = MIN(size, stream->blocks[i].size);
    }
    return size;
}

double
fm_stream_mean_block(const FmStream *stream)
{
    double bytes = 0;
    double weight = 0;

    for (unsigned i = 0; i < stream->n_blocks; i++) {
        bytes += (double)stream->blocks[i].size * stream->blocks[i].weight;
        weight += stream->blocks[i].weight;
    }
    return bytes / weight;
}

size_t
fm_loop_slot_stride(const FmStream *stream)
{
    return (fm_stream_max_block(stream) + (size_t)PAGE - 1) & ~((size_t)PAGE - 1);
}

unsigned
fm_stream_thread_depth(const FmStream *stream, unsigned thread, unsigned n_threads)
{
    unsigned rest = stream->in_flight % n_threads;
    return MAX(stream->in_flight / n_threads + (thread < rest), 1);
}

/* Patterns that advance by themselves: threads on the same stretch would ask for the same
 * blocks one after the other, and all but the first would find them cached. */
static bool
has_stripes(const FmStream *stream)
{
    return stream->pattern == FM_PATTERN_SEQUENTIAL || stream->pattern == FM_PATTERN_STRIDED;
}

/* This thread's part of the region: a stripe of its own, or all of it. */
static void
find_part(const FmLoopSetup *setup, uint64_t *base, uint64_t *size)
{
    uint32_t block = fm_stream_max_block(setup->stream);

    *base = setup->region_base;
    *size = setup->region_size;
    if (has_stripes(setup->stream) && setup->n_threads > 1) {
        uint64_t blocks = setup->region_size / block;
        uint64_t first = blocks * setup->thread / setup->n_threads;
        uint64_t next = blocks * (setup->thread + 1) / setup->n_threads;
        bool is_last = setup->thread + 1 == setup->n_threads;
        *base += first * block;
        /* The last one also has what is left behind the last whole block. */
        *size = is_last ? setup->region_size - first * block : (next - first) * block;
    }
}

uint64_t
fm_loop_pass_quota(const FmLoopSetup *setup, double passes)
{
    uint64_t base;
    uint64_t size;

    find_part(setup, &base, &size);
    double ios = ceil((double)size / fm_stream_mean_block(setup->stream)) * passes;
    if (!has_stripes(setup->stream)) {
        ios /= setup->n_threads;
    }
    return (uint64_t)MAX(ceil(ios), 1.0);
}

static void
set_ops(FmLoop *loop, const FmStream *stream)
{
    unsigned n_ops = 0;
    uint64_t sum = 0;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        sum += stream->op_share[op];
        if (stream->op_share[op] > 0) {
            n_ops++;
            loop->op = (uint8_t)op;
        }
        /* A draw of 32 bits below the limit means this op or one before it. */
        loop->op_limit[op] = (sum << 32) / FM_SHARE_WHOLE;
    }
    if (n_ops > 1) {
        loop->features |= FM_LOOP_MIXED_OPS;
    }
    if (stream->flush_every > 0) {
        loop->features |= FM_LOOP_FLUSHED | FM_LOOP_MIXED_OPS | FM_LOOP_MIXED_LENGTHS;
        loop->flush_every = stream->flush_every;
    }
    if (stream->op_share[FM_OP_TRIM] > 0 || stream->op_share[FM_OP_FLUSH] > 0 ||
        stream->flush_every > 0) {
        loop->features |= FM_LOOP_ODD_OPS;
    }
    if (stream->sync) {
        loop->features |= FM_LOOP_SYNC;
    }
}

static void
set_lengths(FmLoop *loop, const FmStream *stream, uint64_t size)
{
    uint64_t total = 0;
    uint64_t sum = 0;

    loop->length = fm_stream_max_block(stream);
    loop->n_lengths = MIN(stream->n_blocks, G_N_ELEMENTS(loop->lengths));
    for (unsigned i = 0; i < loop->n_lengths; i++) {
        total += stream->blocks[i].weight;
    }
    for (unsigned i = 0; i < loop->n_lengths; i++) {
        sum += stream->blocks[i].weight;
        loop->lengths[i] = stream->blocks[i].size;
        loop->length_limit[i] = (uint32_t)MIN((sum << 32) / MAX(total, 1), UINT32_MAX);
    }
    bool cut_at_end = stream->pattern == FM_PATTERN_SEQUENTIAL && size % loop->length != 0;
    if (loop->n_lengths > 1 || cut_at_end) {
        loop->features |= FM_LOOP_MIXED_LENGTHS;
    }
}

static void
set_pattern(FmLoop *loop, const FmLoopSetup *setup)
{
    static const uint32_t features[] = {
        [FM_PATTERN_SEQUENTIAL] = FM_LOOP_SEQUENTIAL, [FM_PATTERN_RANDOM] = 0,
        [FM_PATTERN_PERMUTATION] = FM_LOOP_PERMUTED,  [FM_PATTERN_MIXED] = FM_LOOP_JUMPING,
        [FM_PATTERN_STRIDED] = FM_LOOP_STRIDED,
    };
    const FmStream *stream = setup->stream;
    FmLoopPattern *pattern = &loop->pattern;
    uint64_t size;

    find_part(setup, &pattern->base, &size);
    pattern->end = pattern->base + size;
    pattern->unit = MAX(fm_stream_min_block(stream), setup->block_size);
    pattern->blocks = (size - MIN(loop->length, size)) / pattern->unit + 1;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        pattern->cursor[op] = pattern->base;
    }
    pattern->index = setup->thread;
    pattern->stride = setup->n_threads;
    pattern->key = fm_rng_stream_key(setup->seed, setup->stream_index, 0, FM_RNG_OFFSET);
    pattern->gap = stream->stride;
    pattern->jump_limit =
        (uint32_t)MIN(((uint64_t)stream->random_share << 32) / FM_SHARE_WHOLE, UINT32_MAX);
    loop->features |= features[stream->pattern];
    if (stream->pattern == FM_PATTERN_PERMUTATION) {
        fm_permutation_init(&pattern->permutation, pattern->blocks, pattern->key);
    }
}

static void
set_data(FmLoop *loop, const FmLoopSetup *setup)
{
    const FmStream *stream = setup->stream;
    bool writes = stream->op_share[FM_OP_WRITE] > 0;

    loop->slot_stride = fm_loop_slot_stride(stream);
    loop->pool = setup->pool;
    loop->stamp_step = MIN(fm_stream_min_block(stream), PAGE);
    if (!writes || stream->data == FM_DATA_ZERO) {
        return;
    }
    loop->features |= FM_LOOP_STAMPED;
    uint32_t thread = setup->stream_index * FM_MAX_THREADS + setup->thread;
    uint64_t key = fm_rng_stream_key(setup->seed, setup->stream_index, thread, FM_RNG_DATA);
    loop->stamp = key;
    fm_buffer_fill(setup->pool, loop->slot_stride * loop->depth, stream->data,
                   stream->compressible_share, key);
}

static void
set_memory(FmLoop *loop, const FmLoopSetup *setup)
{
    const FmStream *stream = setup->stream;

    loop->free_slots = g_new(uint16_t, loop->depth);
    loop->slots = g_new0(FmLoopSlot, loop->depth);
    loop->slot_length = g_new0(uint32_t, loop->depth);
    for (unsigned i = 0; i < loop->depth; i++) {
        loop->free_slots[i] = (uint16_t)(loop->depth - 1 - i);
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        bool flushes = op == FM_OP_FLUSH && stream->flush_every > 0;
        if (stream->op_share[op] > 0 || flushes) {
            fm_hist_init(&loop->hist[op], FM_HIST_PHASE_BITS);
        }
    }
    fm_hist_init(&loop->ramp_hist, FM_HIST_PHASE_BITS);
    loop->rows.capacity = FM_LOOP_ROWS;
    loop->rows.wait_if_full = setup->virtual_time;
    loop->rows.lockstep = setup->virtual_time && setup->judged;
    loop->rows.rows = g_new0(FmLoopRow, FM_LOOP_ROWS);
    loop->log = setup->logged ? fm_io_log_new(LOG_CHUNKS, setup->virtual_time) : NULL;
}

FmLoop *
fm_loop_new(const FmLoopSetup *setup)
{
    FmLoop *loop = g_aligned_alloc0(1, sizeof *loop, FM_CACHE_BLOCK);
    uint64_t base;
    uint64_t size;

    find_part(setup, &base, &size);
    loop->control = setup->control;
    loop->depth = setup->depth;
    loop->batch = CLAMP(setup->depth / 4, 1, FM_LOOP_MAX_BATCH);
    loop->remaining = setup->quota;
    if (setup->logged) {
        loop->features |= FM_LOOP_LOGGED;
    }
    set_ops(loop, setup->stream);
    set_lengths(loop, setup->stream, size);
    set_pattern(loop, setup);
    set_data(loop, setup);
    set_memory(loop, setup);

    uint32_t thread = setup->stream_index * FM_MAX_THREADS + setup->thread;
    fm_rng_init(&loop->offset_rng,
                fm_rng_stream_key(setup->seed, setup->stream_index, thread, FM_RNG_OFFSET));
    loop->length_state = fm_rng_stream_key(setup->seed, setup->stream_index, thread, FM_RNG_BLOCK);
    return loop;
}

void
fm_loop_free(FmLoop *loop)
{
    if (loop == NULL) {
        return;
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        fm_hist_clear(&loop->hist[op]);
    }
    fm_hist_clear(&loop->ramp_hist);
    fm_io_log_free(loop->log);
    g_free(loop->rows.rows);
    g_free(loop->slot_length);
    g_free(loop->slots);
    g_free(loop->free_slots);
    g_aligned_free(loop);
}
