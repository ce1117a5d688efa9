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

#include <glib/gi18n.h>
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

/* Where the parts of a payload are; nothing is allocated for it. */
typedef struct {
    FmHist exact; /* without bins */
    const uint8_t *rows;
    gsize row_size;
    gsize n_rows;
} Layout;

/* Whether the bins ascend, fit and add up. */
static bool
bins_agree(const Layout *layout)
{
    uint64_t left = layout->exact.count;
    uint64_t next = 0;

    for (gsize i = 0; i < layout->n_rows; i++) {
        uint32_t index = fm_get_le32(layout->rows + i * layout->row_size);
        uint64_t count = fm_get_le64(layout->rows + i * layout->row_size + 4);

        if (index < next || index >= layout->exact.n_bins || count == 0 || count > left) {
            return false;
        }
        left -= count;
        next = (uint64_t)index + 1;
    }
    return left == 0;
}

static bool
exact_values_agree(const Layout *layout)
{
    const FmHist *exact = &layout->exact;

    if (exact->count == 0) {
        return exact->min == UINT64_MAX && exact->max == 0 && exact->sum == 0;
    }
    /* The exact sum must put the mean between minimum and maximum. */
    uint64_t mean = exact->sum / exact->count;
    const uint8_t *last = layout->rows + (layout->n_rows - 1) * layout->row_size;
    return exact->min <= mean && mean <= exact->max &&
           fm_hist_bin(exact->min, exact->bits) == fm_get_le32(layout->rows) &&
           fm_hist_bin(exact->max, exact->bits) == fm_get_le32(last);
}

static bool
refuse(const FmFrame *frame, const char *why, GError **error)
{
    g_autoptr(FmMessage) reason = fm_message_new_words(why);
    fm_error_set(error, FM_ERROR_PROTOCOL, "The HISTOGRAM frame number %u %p", frame->sequence,
                 reason);
    return false;
}

static bool
lay_out(const FmFrame *frame, FmHistKey *key, Layout *layout, GError **error)
{
    gsize length;
    const uint8_t *from = g_bytes_get_data(frame->payload, &length);

    if (frame->version != HISTOGRAM_VERSION || length < HEADER_SIZE) {
        return refuse(frame, N_("has a layout this version can't read"), error);
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
    if (key->op > FM_N_OPS || key->ns_per_tick_numerator == 0 ||
        key->ns_per_tick_denominator == 0 || bits < 1 || bits > FM_HIST_MAX_BITS) {
        return refuse(frame, N_("has a key, clock or resolution that makes no sense"), error);
    }

    layout->row_size = fm_get_le32(from + OFFSET_ROW_SIZE);
    if (layout->row_size < ROW_SIZE || (length - HEADER_SIZE) % layout->row_size != 0) {
        return refuse(frame, N_("has bins that do not fit its length"), error);
    }
    layout->rows = from + HEADER_SIZE;
    layout->n_rows = (length - HEADER_SIZE) / layout->row_size;
    layout->exact = (FmHist){
        .bits = bits,
        .n_bins = fm_hist_bin(UINT64_MAX, bits) + 1,
        .min = fm_get_le64(from + OFFSET_MIN),
        .max = fm_get_le64(from + OFFSET_MAX),
        .sum = fm_get_le64(from + OFFSET_SUM),
        .count = fm_get_le64(from + OFFSET_COUNT),
    };
    if (!bins_agree(layout) || !exact_values_agree(layout)) {
        return refuse(frame, N_("has bins that contradict its exact values"), error);
    }
    return true;
}

bool
fm_hist_check(const FmFrame *frame, FmHistKey *key, GError **error)
{
    Layout layout;

    return lay_out(frame, key, &layout, error);
}

bool
fm_hist_decode(const FmFrame *frame, FmHistKey *key, FmHist *hist, GError **error)
{
    Layout layout;

    memset(hist, 0, sizeof *hist);
    if (!lay_out(frame, key, &layout, error)) {
        return false;
    }

    fm_hist_init(hist, layout.exact.bits);
    hist->min = layout.exact.min;
    hist->max = layout.exact.max;
    hist->sum = layout.exact.sum;
    hist->count = layout.exact.count;
    for (gsize i = 0; i < layout.n_rows; i++) {
        const uint8_t *row = layout.rows + i * layout.row_size;
        hist->bins[fm_get_le32(row)] = fm_get_le64(row + 4);
    }
    return true;
}
