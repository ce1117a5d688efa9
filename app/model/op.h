/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The four kinds of I/O a stream can issue.  Their order is part of the file
 * format (histogram frames carry the number), so new kinds go at the end.
 */
#pragma once

#include <stdint.h>

typedef enum {
    FM_OP_READ,
    FM_OP_WRITE,
    FM_OP_TRIM,
    FM_OP_FLUSH,
} FmOp;

enum { FM_N_OPS = 4 };
