/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * TICK payloads: flat rows, because a day has 864,000 of them.  Fields are only ever
 * appended; the row length tells how many a writer knew.  Pure functions.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"

#include "base/error.h"
#include "model/little-endian.h"

#include <string.h>

enum {
    HEADER_SIZE = 8,
    TICK_VERSION = 1,
};

static void
encode_direction(uint8_t *row, const FmTickDirection *direction)
{
    fm_put_le64(row, direction->bytes);
    fm_put_le64(row + 8, direction->latency_sum_ns);
    fm_put_le64(row + 16, direction->latency_max_ns);
}

static void
decode_direction(const uint8_t *row, FmTickDirection *direction)
{
    direction->bytes = fm_get_le64(row);
    direction->latency_sum_ns = fm_get_le64(row + 8);
    direction->latency_max_ns = fm_get_le64(row + 16);
}

static void
encode_row(uint8_t *row, const FmTick *tick)
{
    fm_put_le64(row, tick->end_ns);
    encode_direction(row + 8, &tick->read);
    encode_direction(row + 32, &tick->write);
    fm_put_le32(row + 56, tick->read_ios);
    fm_put_le32(row + 60, tick->write_ios);
    fm_put_le32(row + 64, tick->trim_ios);
    fm_put_le32(row + 68, tick->flush_ios);
    fm_put_le16(row + 72, (uint16_t)tick->temperature_dc);
    fm_put_le16(row + 74, tick->cpu_permille);
    fm_put_le16(row + 76, tick->errors);
    fm_put_le16(row + 78, tick->flags);
}

static void
decode_row(const uint8_t *row, FmTick *tick)
{
    tick->end_ns = fm_get_le64(row);
    decode_direction(row + 8, &tick->read);
    decode_direction(row + 32, &tick->write);
    tick->read_ios = fm_get_le32(row + 56);
    tick->write_ios = fm_get_le32(row + 60);
    tick->trim_ios = fm_get_le32(row + 64);
    tick->flush_ios = fm_get_le32(row + 68);
    tick->temperature_dc = (int16_t)fm_get_le16(row + 72);
    tick->cpu_permille = fm_get_le16(row + 74);
    tick->errors = fm_get_le16(row + 76);
    tick->flags = fm_get_le16(row + 78);
}

void
fm_tick_encode(GByteArray *payload, uint32_t step, const FmTick *ticks, gsize n_ticks)
{
    guint at = payload->len;

    g_return_if_fail(n_ticks <= (FM_FRAME_MAX_PAYLOAD - HEADER_SIZE) / FM_TICK_ROW_SIZE);

    g_byte_array_set_size(payload, at + HEADER_SIZE + (guint)n_ticks * FM_TICK_ROW_SIZE);
    uint8_t *to = payload->data + at;
    fm_put_le32(to, step);
    fm_put_le32(to + 4, FM_TICK_ROW_SIZE);
    for (gsize i = 0; i < n_ticks; i++) {
        encode_row(to + HEADER_SIZE + i * FM_TICK_ROW_SIZE, &ticks[i]);
    }
}

bool
fm_tick_decode(const FmFrame *frame, uint32_t *step, GArray *ticks, GError **error)
{
    gsize length;
    const uint8_t *from = g_bytes_get_data(frame->payload, &length);

    if (frame->version != TICK_VERSION || length < HEADER_SIZE) {
        fm_error_set(error, FM_ERROR_PROTOCOL,
                     "The TICK frame number %u has a layout this version can't read",
                     frame->sequence);
        return false;
    }
    gsize row_size = fm_get_le32(from + 4);
    if (row_size < FM_TICK_ROW_MIN || (length - HEADER_SIZE) % row_size != 0) {
        fm_error_set(error, FM_ERROR_PROTOCOL,
                     "The TICK frame number %u has rows of %zu bytes that do not fit its %zu bytes",
                     frame->sequence, row_size, length);
        return false;
    }

    gsize n_rows = (length - HEADER_SIZE) / row_size;
    guint at = ticks->len;
    g_array_set_size(ticks, at + (guint)n_rows);
    for (gsize i = 0; i < n_rows; i++) {
        const uint8_t *row = from + HEADER_SIZE + i * row_size;
        FmTick *tick = &g_array_index(ticks, FmTick, at + i);
        uint8_t whole[FM_TICK_ROW_SIZE];

        if (row_size < FM_TICK_ROW_SIZE) {
            encode_row(whole, &(FmTick){.temperature_dc = FM_TEMPERATURE_UNKNOWN,
                                        .cpu_permille = FM_CPU_UNKNOWN});
            memcpy(whole, row, row_size);
            row = whole;
        }
        decode_row(row, tick);
    }
    *step = fm_get_le32(from);
    return true;
}
