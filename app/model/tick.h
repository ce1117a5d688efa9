/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One row of the 100 ms grid: what all threads of a step completed in one slot.
 * Rows travel in TICK frames as packed little-endian fields in this order; later
 * versions append fields and raise the row length.
 */
#pragma once

#include <stdint.h>

enum {
    FM_TICK_INTERVAL_MS = 100,
    FM_TICK_ROW_SIZE = 80, /* bytes of one encoded row */

    FM_TICK_PARTIAL = 1 << 0, /* the last slot, cut by the end of the step */
    FM_TICK_RAMP = 1 << 1, /* before the measured part; not counted in totals */
    FM_TICK_PAUSED = 1 << 2, /* the step was paused during some of this slot */
    FM_TICK_LATE = 1 << 3, /* holds completions of earlier slots (the machine was starved) */

    FM_TEMPERATURE_UNKNOWN = INT16_MIN,
    FM_CPU_UNKNOWN = UINT16_MAX,
};

typedef struct {
    uint64_t bytes;
    uint64_t latency_sum_ns;
    uint64_t latency_max_ns;
} FmTickDirection;

typedef struct {
    uint64_t end_ns; /* end of the slot, from the start of the measured part; ramp slots count from
                        the start of the ramp and carry FM_TICK_RAMP */
    FmTickDirection read;
    FmTickDirection write;
    uint32_t read_ios;
    uint32_t write_ios;
    uint32_t trim_ios;
    uint32_t flush_ios;
    int16_t temperature_dc; /* tenths of a degree Celsius, or UNKNOWN */
    uint16_t cpu_permille; /* busy share of the benchmark's own CPUs; or UNKNOWN */
    uint16_t errors; /* failed I/Os, saturating */
    uint16_t flags;
} FmTick;
