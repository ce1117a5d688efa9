/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the record filter kept: for tests that check what was really asked for.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/backend.h"

G_BEGIN_DECLS

typedef struct {
    uint64_t number; /* order of submission over all queues, from 0 */
    uint64_t offset;
    uint64_t hash; /* of the bytes to be written; 0 = not asked for, or no write */
    uint32_t length;
    uint32_t alignment; /* largest power of two the buffer's address is a multiple of */
    int32_t result; /* as it came back */
    uint16_t slot;
    uint16_t thread;
    uint8_t op; /* FmOp */
    bool sync;
    bool completed;
} FmRecord;

/*
 * The requests that were taken, in order of submission; only after the queues were
 * freed.  @n_lost gets how many there were beyond the limit.  The target's; valid until
 * it is closed.
 */
const FmRecord *fm_record_get(FmBackendTarget *target, size_t *n, uint64_t *n_lost);

/* The hash FmRecord has for @length bytes. */
uint64_t fm_record_hash(const void *bytes, size_t length);

G_END_DECLS
