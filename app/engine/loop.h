/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * State of one I/O thread's hot loop and the cold paths it calls: slot boundaries,
 * ramp end, deadline, pause, stop, errors.  The loop itself is in hot-loop.h.  One
 * thread = one queue = one FmLoop; nothing in the private part is touched by anybody
 * else while the loop runs.
 *
 * Time is in ticks of the step's clock: the cycle counter, or nanoseconds of the
 * monotonic or the virtual clock.
 */
#pragma once

#include <glib.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "base/rng.h"
#include "engine/io-log.h"
#include "engine/permutation.h"
#include "model/op.h"
#include "model/plan.h"
#include "model/tick.h"

G_BEGIN_DECLS

enum {
    /* Two lines: the adjacent-line prefetcher makes neighbours share. */
    FM_CACHE_BLOCK = 128,
    FM_LOOP_MAX_BATCH = 32,
    FM_LOOP_ERRORS_KEPT = 1000,
    FM_LOOP_ROWS = 1024, /* 102 s of rows before a starved reporter makes us merge slots */
};

/* What the hot loop must do; known combinations are compiled as loops of their own. */
typedef enum {
    FM_LOOP_MIXED_OPS = 1 << 0, /* more than one kind of I/O */
    FM_LOOP_MIXED_LENGTHS = 1 << 1, /* lengths differ from request to request */
    FM_LOOP_SEQUENTIAL = 1 << 2,
    FM_LOOP_PERMUTED = 1 << 3, /* none of the patterns = random */
    FM_LOOP_STAMPED = 1 << 4, /* buffers are stamped before each write */
    FM_LOOP_LOGGED = 1 << 5,
    FM_LOOP_SYNC = 1 << 7, /* writes are durable */
    FM_LOOP_FLUSHED = 1 << 8, /* a flush after so many writes */
    FM_LOOP_JUMPING = 1 << 9, /* sequential with random jumps */
    FM_LOOP_STRIDED = 1 << 10,
    FM_LOOP_ODD_OPS = 1 << 11, /* trims or flushes occur: they complete with 0 */
} FmLoopFeature;

typedef enum {
    FM_COMMAND_RUN,
    FM_COMMAND_PAUSE,
    FM_COMMAND_STOP,
} FmLoopCommand;

/* Written by the control thread, read by every loop once a batch. */
typedef struct {
    _Alignas(FM_CACHE_BLOCK) _Atomic uint32_t command;
    _Atomic uint64_t pause_ticks; /* how long the clock of the step stood still, in total */
    _Atomic uint32_t failed; /* set by a loop: an I/O failed, everybody stops */
    _Atomic uint32_t abandon; /* what is still in flight will not come back: give up on it */
} FmLoopControl;

typedef enum {
    FM_LOOP_STARTING,
    FM_LOOP_RUNNING,
    FM_LOOP_PAUSED, /* nothing in flight */
    FM_LOOP_CLOSED, /* the window is over, its numbers are final; draining */
    FM_LOOP_DONE, /* drained */
} FmLoopState;

/* Counters of one op.  64 bytes, so that an op is one line. */
typedef struct {
    _Alignas(64) uint64_t *bins;
    uint64_t ios;
    uint64_t bytes; /* kept only with FM_LOOP_MIXED_LENGTHS */
    uint64_t sum;
    uint64_t max; /* of the current slot */
    uint64_t min; /* of the window */
    uint64_t window_max;
} FmLoopOp;

typedef struct {
    uint64_t ios;
    uint64_t bytes;
    uint64_t sum;
    uint64_t max;
} FmLoopRowOp;

/* I/Os that are no result. */
typedef struct {
    uint64_t ios;
    uint64_t bytes;
} FmLoopTraffic;

/* One closed slot. */
typedef struct {
    uint64_t index; /* slot number, from the start of the ramp or of the window */
    uint64_t end; /* ticks from the start of the ramp or of the window */
    FmLoopRowOp ops[FM_N_OPS];
    uint32_t errors;
    uint16_t flags; /* FM_TICK_* */
} FmLoopRow;

/* Of each request in flight. */
typedef struct {
    uint64_t queued_at; /* tick */
    uint64_t offset;
} FmLoopSlot;

/* Slots of the 100 ms grid on their way to the reporter: one producer, one consumer. */
typedef struct {
    FmLoopRow *rows;
    unsigned capacity; /* a power of two */
    bool wait_if_full; /* virtual time: nobody else's time passes while we wait */
    bool lockstep; /* virtual time and a judge: wait until each row was judged */
    _Alignas(FM_CACHE_BLOCK) _Atomic uint64_t head; /* written by the loop */
    _Alignas(FM_CACHE_BLOCK) _Atomic uint64_t tail; /* written by the reporter */
} FmLoopRowRing;

typedef struct {
    uint64_t offset;
    int32_t result; /* negative native status, or the short length */
    uint32_t length;
    uint8_t op;
} FmLoopError;

/* Where and how offsets are drawn. */
typedef struct {
    uint64_t base; /* first byte of this thread's region */
    uint64_t end; /* first byte behind it */
    uint64_t blocks; /* blocks of @unit in it (random), or in the whole region (permuted) */
    uint32_t unit; /* alignment of offsets */
    uint64_t cursor[FM_N_OPS]; /* sequential: next offset of each direction */
    uint64_t index; /* permuted: next element ... */
    uint64_t stride; /* ... and how far apart this thread's elements are */
    uint64_t pass;
    uint64_t key;
    uint32_t jump_limit; /* jumping: draws (32 bits) below it jump */
    uint64_t gap; /* strided: from start to start ... */
    uint64_t shift; /* ... and where in the gap this scan is */
    FmPermutation permutation;
} FmLoopPattern;

typedef struct FmLoop {
    /* --- decided before the start, read only */
    uint32_t features; /* FmLoopFeature bits */
    unsigned depth;
    unsigned batch;
    uint32_t length; /* of every request without FM_LOOP_MIXED_LENGTHS */
    uint8_t op; /* of every request without FM_LOOP_MIXED_OPS */
    bool sync;
    uint64_t op_limit[FM_N_OPS]; /* draws (32 bits) below it mean this op; 2^32 = all */
    unsigned n_lengths;
    uint32_t lengths[16];
    uint32_t length_limit[16];
    unsigned flush_every;
    uint32_t stamp_step; /* bytes from stamp to stamp */
    uint8_t *pool;
    size_t slot_stride;
    FmLoopControl *control;
    FmIoLog *log; /* NULL = none */

    /* --- I/O thread only, hot */
    _Alignas(FM_CACHE_BLOCK) FmLoopOp ops[FM_N_OPS];
    uint64_t next_event; /* the nearest of slot end, ramp end and deadline */
    uint64_t remaining; /* I/Os still to issue; UINT64_MAX = no limit */
    uint16_t *free_slots; /* stack */
    FmLoopSlot *slots;
    uint32_t *slot_length; /* with FM_LOOP_MIXED_LENGTHS */
    FmRng offset_rng;
    uint64_t length_state; /* splitmix64: lengths and jumps */
    uint64_t stamp; /* number of the next stamp */
    unsigned writes_since_flush;
    FmLoopPattern pattern;

    /* --- I/O thread only, cold */
    uint64_t ramp_start;
    uint64_t window_start;
    uint64_t deadline; /* UINT64_MAX = none */
    uint64_t slot_end;
    uint64_t slot_index;
    double ticks_per_slot;
    bool in_ramp;
    bool closed;
    uint64_t pause_seen; /* ticks of pause already applied */
    uint64_t window_end;
    int64_t cpu_start_ns; /* CPU time of this thread when the window began ... */
    int64_t cpu_ns; /* ... and what the window took of it */
    FmLoopRowOp last[FM_N_OPS]; /* counters at the last slot boundary */
    uint16_t slot_flags;
    uint32_t slot_errors;
    FmHist hist[FM_N_OPS]; /* of the window */
    FmHist ramp_hist; /* takes what is not measured */
    FmLoopTraffic ramp[FM_N_OPS]; /* final once the window is closed ... */
    FmLoopTraffic drain[FM_N_OPS]; /* ... and this once the loop is done */
    int fail_code; /* of fm_loop_fail(); 0 = none */
    uint64_t n_errors;
    FmLoopError errors[FM_LOOP_ERRORS_KEPT];
    unsigned n_errors_kept;

    /* --- published */
    FmLoopRowRing rows;
    _Alignas(FM_CACHE_BLOCK) _Atomic uint32_t state; /* FmLoopState */
    _Atomic uint32_t outstanding; /* in flight, as of the last cold path */
} FmLoop;

/* A completion as the loop takes it out of a queue. */
typedef struct {
    uint32_t tag; /* slot | op << 16; the op only counts with FM_LOOP_MIXED_OPS */
    int32_t result; /* as in FmCompletion */
} FmLoopDone;

/* Prepares the clock of the window; @start is the common first tick of all loops. */
void fm_loop_arm(FmLoop *loop, uint64_t start, uint64_t ramp_ticks, uint64_t window_ticks,
                 double ticks_per_slot);

/*
 * A boundary was reached: closes slots, ends the ramp, ends the window.  Called with
 * the tick of a reap before its completions are counted.  Returns false once the
 * window is closed: from then on completions only drain.
 */
bool fm_loop_event(FmLoop *loop, uint64_t now);

/* Closes the window at @now; no more submissions. */
void fm_loop_close(FmLoop *loop, uint64_t now);

/* A request failed or moved fewer bytes than asked: remembered, never timed. */
void fm_loop_error(FmLoop *loop, unsigned op, unsigned slot, int32_t result);

/* A completion after the window: traffic, but no result.  An error is an
 * error of the step all the same. */
void fm_loop_count_drained(FmLoop *loop, FmLoopDone done);

/* The queue itself broke with native status @code; the step fails. */
void fm_loop_fail(FmLoop *loop, int code);

/* Permuted pattern at the end of a pass: the next pass in another order. */
void fm_loop_next_pass(FmLoop *loop);

/* Waits while the control says PAUSE.  Nothing may be in flight.  Returns the tick to
 * go on from. */
void fm_loop_wait_paused(FmLoop *loop);

/* Bytes the op has completed in the window so far. */
uint64_t fm_loop_op_bytes(const FmLoop *loop, unsigned op);

/* Reporter's side: the oldest row, or NULL; then gives its place back.  On virtual
 * time the loop waits until then, so judge first. */
const FmLoopRow *fm_loop_rows_peek(FmLoopRowRing *ring);
void fm_loop_rows_release(FmLoopRowRing *ring);

G_END_DECLS
