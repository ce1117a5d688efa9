/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * LATENCY_LOG payloads: one word per I/O, because there may be 45 million.  Pure
 * functions.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"

#include "base/error.h"
#include "model/little-endian.h"

enum {
    HEADER_SIZE = 16,
    WORD_SIZE = 8,
    LOG_VERSION = 1,
};

void
fm_latency_log_encode(GByteArray *payload, const FmLatencyLogKey *key, const uint64_t *entries,
                      gsize n_entries)
{
    guint at = payload->len;

    g_return_if_fail(n_entries <= (FM_FRAME_MAX_PAYLOAD - HEADER_SIZE) / WORD_SIZE);

    g_byte_array_set_size(payload, at + HEADER_SIZE + (guint)n_entries * WORD_SIZE);
    uint8_t *to = payload->data + at;
    fm_put_le32(to, key->step);
    fm_put_le32(to + 4, key->stream);
    fm_put_le64(to + 8, key->base_ns);
    for (gsize i = 0; i < n_entries; i++) {
        fm_put_le64(to + HEADER_SIZE + i * WORD_SIZE, entries[i]);
    }
}

bool
fm_latency_log_check(const FmFrame *frame, FmLatencyLogKey *key, gsize *n_ios, GError **error)
{
    gsize length;
    const uint8_t *from = g_bytes_get_data(frame->payload, &length);

    if (frame->version != LOG_VERSION || length < HEADER_SIZE ||
        (length - HEADER_SIZE) % WORD_SIZE != 0) {
        fm_error_set(error, FM_ERROR_PROTOCOL,
                     "The LATENCY_LOG frame number %u has a layout this version can't read",
                     frame->sequence);
        return false;
    }

    *n_ios = (length - HEADER_SIZE) / WORD_SIZE;
    *key = (FmLatencyLogKey){
        .step = fm_get_le32(from),
        .stream = fm_get_le32(from + 4),
        .base_ns = fm_get_le64(from + 8),
    };
    return true;
}

bool
fm_latency_log_decode(const FmFrame *frame, FmLatencyLogKey *key, GArray *ios, GError **error)
{
    gsize n_entries;

    if (!fm_latency_log_check(frame, key, &n_entries, error)) {
        return false;
    }
    const uint8_t *from = g_bytes_get_data(frame->payload, NULL);
    guint at = ios->len;
    g_array_set_size(ios, at + (guint)n_entries);
    for (gsize i = 0; i < n_entries; i++) {
        uint64_t word = fm_get_le64(from + HEADER_SIZE + i * WORD_SIZE);
        uint64_t delta_us = word >> FM_LOG_LATENCY_BITS & ((UINT64_C(1) << FM_LOG_TIME_BITS) - 1);

        g_array_index(ios, FmLoggedIo, at + i) = (FmLoggedIo){
            .completed_ns = key->base_ns + delta_us * 1000,
            .latency_ns = word & ((UINT64_C(1) << FM_LOG_LATENCY_BITS) - 1),
            .op = (uint8_t)(word >> (FM_LOG_LATENCY_BITS + FM_LOG_TIME_BITS)),
        };
    }
    return true;
}
