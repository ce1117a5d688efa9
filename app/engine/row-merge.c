/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merging rows.  The counters of a loop that was starved and merged slots arrive with
 * its next row, flagged; nothing is ever counted twice or lost.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/row-merge.h"

static bool
row_is_ramp(const FmLoopRow *row)
{
    return (row->flags & FM_TICK_RAMP) != 0;
}

/* Whether @row belongs to the slot that is being put together. */
static bool
belongs(const FmRowMerge *merge, const FmLoopRow *row)
{
    return row_is_ramp(row) == merge->in_ramp && row->index == merge->index;
}

/* A closed loop delivers nothing after what is in its ring. */
static bool
is_closed(FmLoop *loop)
{
    return atomic_load_explicit(&loop->state, memory_order_acquire) >= FM_LOOP_CLOSED;
}

static void
add_direction(FmTickDirection *sum, const FmLoopRowOp *row, double ns_per_tick)
{
    sum->bytes += row->bytes;
    sum->latency_sum_ns += (uint64_t)((double)row->sum * ns_per_tick);
    sum->latency_max_ns = MAX(sum->latency_max_ns, (uint64_t)((double)row->max * ns_per_tick));
}

static void
add_row(FmTick *tick, const FmLoopRow *row, double ns_per_tick)
{
    uint64_t end_ns = (uint64_t)((double)row->end * ns_per_tick + 0.5);

    tick->end_ns = MAX(tick->end_ns, end_ns);
    add_direction(&tick->read, &row->ops[FM_OP_READ], ns_per_tick);
    add_direction(&tick->write, &row->ops[FM_OP_WRITE], ns_per_tick);
    tick->read_ios += (uint32_t)row->ops[FM_OP_READ].ios;
    tick->write_ios += (uint32_t)row->ops[FM_OP_WRITE].ios;
    tick->trim_ios += (uint32_t)row->ops[FM_OP_TRIM].ios;
    tick->flush_ios += (uint32_t)row->ops[FM_OP_FLUSH].ios;
    tick->errors = (uint16_t)MIN(tick->errors + row->errors, UINT16_MAX);
    tick->flags |= row->flags;
}

static void
begin_slot(FmRowMerge *merge)
{
    merge->building =
        (FmTick){.temperature_dc = FM_TEMPERATURE_UNKNOWN, .cpu_permille = FM_CPU_UNKNOWN};
    for (unsigned i = 0; i < merge->n_loops; i++) {
        merge->has[i] = false;
        merge->held[i] = false;
    }
}

void
fm_row_merge_init(FmRowMerge *merge, FmLoop **loops, unsigned n_loops, double ns_per_tick,
                  uint64_t n_ramp_slots)
{
    *merge = (FmRowMerge){
        .loops = loops,
        .n_loops = n_loops,
        .ns_per_tick = ns_per_tick,
        .in_ramp = n_ramp_slots > 0,
        .n_ramp_slots = n_ramp_slots,
        .has = g_new0(bool, n_loops),
        .held = g_new0(bool, n_loops),
    };
    begin_slot(merge);
}

void
fm_row_merge_clear(FmRowMerge *merge)
{
    g_free(merge->loops);
    g_free(merge->has);
    g_free(merge->held);
    *merge = (FmRowMerge){0};
}

static void
give_back(FmRowMerge *merge)
{
    for (unsigned i = 0; i < merge->n_loops; i++) {
        if (merge->held[i]) {
            merge->held[i] = false;
            fm_loop_rows_release(&merge->loops[i]->rows);
        }
    }
}

/* What the loops still have for this slot. */
typedef struct {
    unsigned n_missing; /* may still deliver it */
    unsigned n_ramp; /* are beyond it, in the ramp */
    unsigned n_beyond; /* are beyond it at all */
} SlotState;

static SlotState
collect(FmRowMerge *merge)
{
    SlotState state = {0};

    for (unsigned i = 0; i < merge->n_loops; i++) {
        FmLoop *loop = merge->loops[i];
        bool closed = is_closed(loop); /* before looking: what it left is in its ring then */
        const FmLoopRow *row = merge->has[i] ? NULL : fm_loop_rows_peek(&loop->rows);
        if (merge->has[i]) {
            continue;
        }
        if (row == NULL) {
            state.n_missing += !closed;
        } else if (belongs(merge, row)) {
            add_row(&merge->building, row, merge->ns_per_tick);
            merge->has[i] = true;
            merge->held[i] = true;
        } else {
            state.n_beyond++;
            state.n_ramp += row_is_ramp(row);
        }
    }
    return state;
}

static bool
has_any(const FmRowMerge *merge)
{
    for (unsigned i = 0; i < merge->n_loops; i++) {
        if (merge->has[i]) {
            return true;
        }
    }
    return false;
}

bool
fm_row_merge_next(FmRowMerge *merge, FmTick *tick)
{
    for (;;) {
        SlotState state = collect(merge);
        if (state.n_missing > 0) {
            give_back(merge);
            return false;
        }
        if (has_any(merge)) {
            *tick = merge->building;
            return true;
        }
        if (state.n_beyond == 0) {
            return false;
        }
        if (merge->in_ramp && state.n_ramp == 0) {
            merge->in_ramp = false;
            merge->index = 0;
            continue;
        }
        /* Every loop was starved over this slot: what it held comes with the next. */
        *tick = merge->building;
        tick->end_ns = (merge->index + 1) * (uint64_t)FM_TICK_INTERVAL_MS * 1000000;
        tick->flags = merge->in_ramp ? FM_TICK_RAMP : 0;
        return true;
    }
}

void
fm_row_merge_release(FmRowMerge *merge)
{
    give_back(merge);
    merge->index++;
    if (merge->in_ramp && merge->index == merge->n_ramp_slots) {
        merge->in_ramp = false;
        merge->index = 0;
    }
    begin_slot(merge);
}
