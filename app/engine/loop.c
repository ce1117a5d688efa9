/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cold paths of the hot loop.  All of it runs on the loop's own I/O thread, except
 * fm_loop_rows_peek() and fm_loop_rows_release() (control thread).
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/loop.h"

#include "platform/platform-io.h"

#include <time.h>

static uint64_t
slot_boundary(const FmLoop *loop, uint64_t index)
{
    uint64_t start = loop->in_ramp ? loop->ramp_start : loop->window_start;
    /* Rounded as the length of the window is: cut off, the last boundary would lie one
     * tick before the deadline and leave a slot of one tick. */
    return start + (uint64_t)((double)(index + 1) * loop->ticks_per_slot + 0.5);
}

/* Whether some of the current slot lies before @at. */
static bool
slot_has_begun(const FmLoop *loop, uint64_t at)
{
    uint64_t begin = loop->slot_index == 0 ? (loop->in_ramp ? loop->ramp_start : loop->window_start)
                                           : slot_boundary(loop, loop->slot_index - 1);
    return begin < at;
}

static void
find_next_event(FmLoop *loop)
{
    uint64_t next = loop->slot_end;

    if (loop->in_ramp && loop->window_start < next) {
        next = loop->window_start;
    }
    if (!loop->in_ramp && loop->deadline < next) {
        next = loop->deadline;
    }
    loop->next_event = next;
}

void
fm_loop_arm(FmLoop *loop, uint64_t start, uint64_t ramp_ticks, uint64_t window_ticks,
            double ticks_per_slot)
{
    loop->ticks_per_slot = ticks_per_slot;
    loop->ramp_start = start;
    loop->window_start = start + ramp_ticks;
    loop->deadline = window_ticks == UINT64_MAX ? UINT64_MAX : loop->window_start + window_ticks;
    loop->in_ramp = ramp_ticks > 0;
    loop->slot_index = 0;
    loop->slot_end = slot_boundary(loop, 0);
    loop->slot_flags = loop->in_ramp ? FM_TICK_RAMP : 0;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        loop->ops[op].min = UINT64_MAX;
        loop->ops[op].bins = loop->in_ramp ? loop->ramp_hist.bins : loop->hist[op].bins;
    }
    find_next_event(loop);
}

uint64_t
fm_loop_op_bytes(const FmLoop *loop, unsigned op)
{
    if (op == FM_OP_FLUSH) {
        return 0; /* its slot has a length all the same */
    }
    return (loop->features & FM_LOOP_MIXED_LENGTHS) ? loop->ops[op].bytes
                                                    : loop->ops[op].ios * loop->length;
}

/* Hands the row over; false = the reporter is a whole ring behind. */
static bool
push_row(FmLoop *loop, const FmLoopRow *row)
{
    FmLoopRowRing *ring = &loop->rows;
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);

    /* Acquire: the reporter has finished reading the row we are about to overwrite. */
    while (head - atomic_load_explicit(&ring->tail, memory_order_acquire) >= ring->capacity) {
        if (!ring->wait_if_full) {
            return false;
        }
        g_thread_yield();
    }
    ring->rows[head & (ring->capacity - 1)] = *row;
    /* Release: the row is complete before it becomes visible. */
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);

    /* On virtual time the loop may not run ahead of whoever judges its rows. */
    while (ring->lockstep && atomic_load_explicit(&ring->tail, memory_order_acquire) != head + 1) {
        g_thread_yield();
    }
    return true;
}

const FmLoopRow *
fm_loop_rows_peek(FmLoopRowRing *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);

    if (atomic_load_explicit(&ring->head, memory_order_acquire) == tail) {
        return NULL;
    }
    return &ring->rows[tail & (ring->capacity - 1)];
}

void
fm_loop_rows_release(FmLoopRowRing *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

/* Makes the row of the slot that ends at @end and starts the next one. */
static void
close_slot(FmLoop *loop, uint64_t end, uint16_t flags)
{
    uint64_t start = loop->in_ramp ? loop->ramp_start : loop->window_start;
    FmLoopRow row = {
        .index = loop->slot_index,
        .end = end - start,
        .errors = loop->slot_errors,
        .flags = (uint16_t)(loop->slot_flags | flags),
    };

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        FmLoopOp *stats = &loop->ops[op];
        FmLoopRowOp *last = &loop->last[op];
        uint64_t bytes = fm_loop_op_bytes(loop, op);
        row.ops[op] = (FmLoopRowOp){
            .ios = stats->ios - last->ios,
            .bytes = bytes - last->bytes,
            .sum = stats->sum - last->sum,
            .max = stats->max,
        };
    }
    loop->slot_index++;
    loop->slot_end = slot_boundary(loop, loop->slot_index);
    if (!push_row(loop, &row)) {
        /* Nothing is lost: what was counted stays and goes out with the next row. */
        loop->slot_flags |= FM_TICK_LATE;
        return;
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        FmLoopOp *stats = &loop->ops[op];
        loop->last[op] = (FmLoopRowOp){
            .ios = stats->ios,
            .bytes = fm_loop_op_bytes(loop, op),
            .sum = stats->sum,
        };
        stats->window_max = MAX(stats->window_max, stats->max);
        stats->max = 0;
    }
    loop->slot_flags = loop->in_ramp ? FM_TICK_RAMP : 0;
    loop->slot_errors = 0;
}

/* The ramp is over: what it counted becomes "outside", the window starts at zero.
 * Nothing pauses; requests in flight count when they complete. */
static void
begin_window(FmLoop *loop)
{
    loop->in_ramp = false;
    loop->slot_index = 0;
    loop->slot_end = slot_boundary(loop, 0);
    loop->slot_flags = 0;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        FmLoopOp *stats = &loop->ops[op];
        loop->ramp[op] = (FmLoopTraffic){stats->ios, fm_loop_op_bytes(loop, op)};
        *stats = (FmLoopOp){.bins = loop->hist[op].bins, .min = UINT64_MAX};
        loop->last[op] = (FmLoopRowOp){0};
    }
    if (loop->log != NULL) {
        fm_io_log_restart(loop->log);
    }
    loop->cpu_start_ns = plat_cpu_thread_time_ns();
}

static void
finish_window(FmLoop *loop, uint64_t end, bool partial)
{
    if (partial && !loop->closed) {
        close_slot(loop, end, FM_TICK_PARTIAL);
    }
    if (loop->in_ramp) {
        loop->window_start = end;
        begin_window(loop);
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        FmLoopOp *stats = &loop->ops[op];
        FmHist *hist = &loop->hist[op];
        stats->window_max = MAX(stats->window_max, stats->max);
        hist->count = stats->ios;
        hist->sum = stats->sum;
        hist->min = stats->min;
        hist->max = stats->window_max;
    }
    if (loop->log != NULL) {
        fm_io_log_finish(loop->log);
    }
    loop->cpu_ns = plat_cpu_thread_time_ns() - loop->cpu_start_ns;
    loop->window_end = end;
    loop->closed = true;
    loop->next_event = UINT64_MAX;
    /* Release: the numbers of the window are final before anybody reads them. */
    atomic_store_explicit(&loop->state, FM_LOOP_CLOSED, memory_order_release);
}

bool
fm_loop_event(FmLoop *loop, uint64_t now)
{
    while (now >= loop->next_event) {
        uint64_t at = loop->next_event;

        if (at == loop->slot_end) {
            close_slot(loop, at, 0);
        }
        if (loop->in_ramp && at == loop->window_start) {
            if (slot_has_begun(loop, at)) {
                close_slot(loop, at, FM_TICK_PARTIAL);
            }
            begin_window(loop);
        } else if (!loop->in_ramp && at == loop->deadline) {
            finish_window(loop, at, slot_has_begun(loop, at));
            return false;
        }
        /* A judge may have said stop between two rows of virtual time. */
        if (loop->rows.lockstep && atomic_load_explicit(&loop->control->command,
                                                        memory_order_acquire) == FM_COMMAND_STOP) {
            finish_window(loop, at, false);
            return false;
        }
        find_next_event(loop);
    }
    return true;
}

void
fm_loop_close(FmLoop *loop, uint64_t now)
{
    if (loop->closed) {
        return;
    }
    if (now >= loop->next_event && !fm_loop_event(loop, now)) {
        return;
    }
    finish_window(loop, now, true);
}

void
fm_loop_error(FmLoop *loop, unsigned op, unsigned slot, int32_t result)
{
    if (loop->n_errors_kept < FM_LOOP_ERRORS_KEPT) {
        loop->errors[loop->n_errors_kept++] = (FmLoopError){
            .offset = loop->slots[slot].offset,
            .result = result,
            .length =
                (loop->features & FM_LOOP_MIXED_LENGTHS) ? loop->slot_length[slot] : loop->length,
            .op = (uint8_t)op,
        };
    }
    loop->n_errors++;
    loop->slot_errors++;
    /* METHODOLOGY 5: any failed I/O ends the step. */
    atomic_store_explicit(&loop->control->failed, 1, memory_order_relaxed);
    atomic_store_explicit(&loop->control->command, FM_COMMAND_STOP, memory_order_release);
}

void
fm_loop_fail(FmLoop *loop, int code)
{
    loop->fail_code = code;
    atomic_store_explicit(&loop->control->failed, 1, memory_order_relaxed);
    atomic_store_explicit(&loop->control->abandon, 1, memory_order_relaxed);
    atomic_store_explicit(&loop->control->command, FM_COMMAND_STOP, memory_order_release);
}

void
fm_loop_count_drained(FmLoop *loop, FmLoopDone done)
{
    unsigned op = (loop->features & FM_LOOP_MIXED_OPS) ? done.tag >> 16 : loop->op;
    unsigned slot = done.tag & 0xffff;
    uint32_t length =
        (loop->features & FM_LOOP_MIXED_LENGTHS) ? loop->slot_length[slot] : loop->length;

    if (done.result != (op < FM_OP_TRIM ? (int32_t)length : 0)) {
        fm_loop_error(loop, op, slot, done.result);
        return;
    }
    loop->drain[op].ios++;
    loop->drain[op].bytes += op == FM_OP_FLUSH ? 0 : length;
}

void
fm_loop_next_pass(FmLoop *loop)
{
    FmLoopPattern *pattern = &loop->pattern;

    pattern->pass++;
    pattern->index %= pattern->stride;
    fm_permutation_init(&pattern->permutation, pattern->blocks, pattern->key + pattern->pass);
}

void
fm_loop_wait_paused(FmLoop *loop)
{
    FmLoopControl *control = loop->control;

    loop->slot_flags |= FM_TICK_PAUSED;
    atomic_store_explicit(&loop->state, FM_LOOP_PAUSED, memory_order_release);
    while (atomic_load_explicit(&control->command, memory_order_acquire) == FM_COMMAND_PAUSE) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
    /* The clock of the step stood still: every boundary moves by the same amount. */
    uint64_t total = atomic_load_explicit(&control->pause_ticks, memory_order_acquire);
    uint64_t shift = total - loop->pause_seen;
    loop->pause_seen = total;
    loop->ramp_start += shift;
    loop->window_start += shift;
    loop->slot_end += shift;
    if (loop->deadline != UINT64_MAX) {
        loop->deadline += shift;
    }
    find_next_event(loop);
    atomic_store_explicit(&loop->state, FM_LOOP_RUNNING, memory_order_relaxed);
}
