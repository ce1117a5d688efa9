/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * HISTOGRAM payloads: exact values and the bins that are not empty.  A reader believes
 * a histogram only when its bins and exact values agree, so that a percentile can
 * never lie outside minimum and maximum.  Pure functions.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"

#include "base/error.h"
#include "model/little-endian.h"

#include <string.h>

enum {
    OFFSET_NUMERATOR = 16,
    OFFSET_DENOMINATOR = 24,
    OFFSET_BITS = 32,
    OFFSET_ROW_SIZE = 36,
    OFFSET_MIN = 40,
    OFFSET_MAX = 48,
    OFFSET_SUM = 56,
    OFFSET_COUNT = 64,
    HEADER_SIZE = 72,
    ROW_SIZE = 12,
    HISTOGRAM_VERSION = 1,
};

void
fm_hist_encode(GByteArray *payload, const FmHistKey *key, const FmHist *hist)
{
    guint at = payload->len;
    guint n_rows = 0;

    for (unsigned i = 0; i < hist->n_bins; i++) {
        n_rows += hist->bins[i] != 0;
    }
    g_byte_array_set_size(payload, at + HEADER_SIZE + n_rows * ROW_SIZE);

    uint8_t *to = payload->data + at;
    fm_put_le32(to, key->step);
    fm_put_le32(to + 4, key->stream);
    fm_put_le32(to + 8, key->op);
    fm_put_le32(to + 12, key->measure);
    fm_put_le64(to + OFFSET_NUMERATOR, key->ns_per_tick_numerator);
    fm_put_le64(to + OFFSET_DENOMINATOR, key->ns_per_tick_denominator);
    fm_put_le32(to + OFFSET_BITS, hist->bits);
    fm_put_le32(to + OFFSET_ROW_SIZE, ROW_SIZE);
    fm_put_le64(to + OFFSET_MIN, hist->min);
    fm_put_le64(to + OFFSET_MAX, hist->max);
    fm_put_le64(to + OFFSET_SUM, hist->sum);
    fm_put_le64(to + OFFSET_COUNT, hist->count);
    to += HEADER_SIZE;
    for (unsigned i = 0; i < hist->n_bins; i++) {
        if (hist->bins[i] != 0) {
            fm_put_le32(to, i);
            fm_put_le64(to + 4, hist->bins[i]);
            to += ROW_SIZE;
        }
    }
}

/* Fills the bins of @hist from @rows; returns whether they ascend, fit and add up. */
static bool
decode_bins(FmHist *hist, const uint8_t *rows, gsize row_size, gsize n_rows)
{
    uint64_t total = 0;
    uint64_t next = 0;

    for (gsize i = 0; i < n_rows; i++) {
        uint32_t index = fm_get_le32(rows + i * row_size);
        uint64_t count = fm_get_le64(rows + i * row_size + 4);

        if (index < next || index >= hist->n_bins || count == 0 || count > hist->count - total) {
            return false;
        }
        hist->bins[index] = count;
        total += count;
        next = (uint64_t)index + 1;
    }
    return total == hist->count;
}

static bool
exact_values_agree(const FmHist *hist, const uint8_t *rows, gsize row_size, gsize n_rows)
{
    if (hist->count == 0) {
        return hist->min == UINT64_MAX && hist->max == 0 && hist->sum == 0;
    }
    /* The exact sum must put the mean between minimum and maximum. */
    uint64_t mean = hist->sum / hist->count;
    return hist->min <= mean && mean <= hist->max &&
           fm_hist_bin(hist->min, hist->bits) == fm_get_le32(rows) &&
           fm_hist_bin(hist->max, hist->bits) == fm_get_le32(rows + (n_rows - 1) * row_size);
}

static bool
refuse(const FmFrame *frame, const char *why, GError **error)
{
    g_set_error(error, FM_ERROR, FM_ERROR_PROTOCOL, "The HISTOGRAM frame number %u %s",
                frame->sequence, why);
    return false;
}

bool
fm_hist_decode(const FmFrame *frame, FmHistKey *key, FmHist *hist, GError **error)
{
    gsize length;
    const uint8_t *from = g_bytes_get_data(frame->payload, &length);

    memset(hist, 0, sizeof *hist);
    if (frame->version != HISTOGRAM_VERSION || length < HEADER_SIZE) {
        return refuse(frame, "has a layout this version can't read", error);
    }
    *key = (FmHistKey){
        .step = fm_get_le32(from),
        .stream = fm_get_le32(from + 4),
        .op = fm_get_le32(from + 8),
        .measure = fm_get_le32(from + 12),
        .ns_per_tick_numerator = fm_get_le64(from + OFFSET_NUMERATOR),
        .ns_per_tick_denominator = fm_get_le64(from + OFFSET_DENOMINATOR),
    };
    uint32_t bits = fm_get_le32(from + OFFSET_BITS);
    gsize row_size = fm_get_le32(from + OFFSET_ROW_SIZE);
    if (key->op > FM_N_OPS || key->ns_per_tick_numerator == 0 ||
        key->ns_per_tick_denominator == 0 || bits < 1 || bits > FM_HIST_MAX_BITS) {
        return refuse(frame, "has a key, clock or resolution that makes no sense", error);
    }
    if (row_size < ROW_SIZE || (length - HEADER_SIZE) % row_size != 0) {
        return refuse(frame, "has bins that do not fit its length", error);
    }

    const uint8_t *rows = from + HEADER_SIZE;
    gsize n_rows = (length - HEADER_SIZE) / row_size;
    fm_hist_init(hist, bits);
    hist->min = fm_get_le64(from + OFFSET_MIN);
    hist->max = fm_get_le64(from + OFFSET_MAX);
    hist->sum = fm_get_le64(from + OFFSET_SUM);
    hist->count = fm_get_le64(from + OFFSET_COUNT);
    if (!decode_bins(hist, rows, row_size, n_rows) ||
        !exact_values_agree(hist, rows, row_size, n_rows)) {
        fm_hist_clear(hist);
        return refuse(frame, "has bins that contradict its exact values", error);
    }
    return true;
}
