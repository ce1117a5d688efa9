/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the loop of one I/O thread from what a plan says about its stream: which part
 * of the region it works on, how requests are drawn, with all memory touched.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/loop.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    const FmStream *stream;
    unsigned stream_index; /* in the phase; keys the random streams */
    unsigned thread; /* of the stream ... */
    unsigned n_threads; /* ... and how many there are */
    unsigned depth; /* of this thread */
    uint64_t region_base; /* bytes, of the stream */
    uint64_t region_size;
    uint32_t block_size; /* logical block of the target */
    uint64_t seed;
    uint64_t quota; /* I/Os this thread may issue; UINT64_MAX = no limit */
    bool logged;
    bool virtual_time;
    bool judged; /* somebody decides from the rows when to stop */
    uint8_t *pool; /* depth slots of fm_loop_slot_stride() bytes; the caller's */
    FmLoopControl *control;
} FmLoopSetup;

/* Bytes from buffer to buffer: the largest block of @stream, page aligned. */
size_t fm_loop_slot_stride(const FmStream *stream);

/* Largest, smallest and mean block of @stream in bytes. */
uint32_t fm_stream_max_block(const FmStream *stream);
uint32_t fm_stream_min_block(const FmStream *stream);
double fm_stream_mean_block(const FmStream *stream);

/* Depth of thread @thread: the in-flight of @stream split over @n_threads. */
unsigned fm_stream_thread_depth(const FmStream *stream, unsigned thread, unsigned n_threads);

/* I/Os that cover the thread's share of the region @passes times. */
uint64_t fm_loop_pass_quota(const FmLoopSetup *setup, double passes);

/* Allocates everything, touches it and fills the write buffers. */
FmLoop *fm_loop_new(const FmLoopSetup *setup);
void fm_loop_free(FmLoop *loop);

G_END_DECLS
