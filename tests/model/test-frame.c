/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames: what goes in comes out, and nothing that comes in can hurt.
 */
#include "model/frame.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "model/little-endian.h"

#include <string.h>

/* --- Small builders ------------------------------------------------------------ */

static void
add_text(GByteArray *out, FmFrameKind kind, uint32_t sequence, const char *text)
{
    fm_frame_encode(out, kind, sequence, text, strlen(text));
}

/* What a reader makes of @bytes, given @step bytes at a time: one letter a frame (A for
 * kind 1), '!' for skipped bytes. */
static char *
read_as_letters(const uint8_t *bytes, gsize length, gsize step, uint64_t *good)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(GString) letters = g_string_new(NULL);

    for (gsize at = 0; at <= length;) {
        gsize now = MIN(step, length - at);
        if (now > 0) {
            fm_frame_reader_push(reader, bytes + at, now);
        } else {
            fm_frame_reader_end(reader);
        }
        FmFrameReadStatus status;
        do {
            g_auto(FmFrame) frame = {0};
            status = fm_frame_reader_pop(reader, &frame);
            if (status == FM_FRAME_READ_OK) {
                g_string_append_c(letters, (char)('@' + frame.kind));
            } else if (status == FM_FRAME_READ_CORRUPT && !g_str_has_suffix(letters->str, "!")) {
                g_string_append_c(letters, '!');
            }
        } while (status != FM_FRAME_READ_MORE);
        if (now == 0) {
            break;
        }
        at += now;
    }
    if (good != NULL) {
        *good = fm_frame_reader_get_good_offset(reader);
    }
    return g_string_free(g_steal_pointer(&letters), FALSE);
}

static GByteArray *
three_frames(void)
{
    GByteArray *out = g_byte_array_new();

    add_text(out, 1, 0, "first");
    add_text(out, 2, 1, "");
    add_text(out, 3, 2, "FmFr is no frame");
    return out;
}

static FmFrame
frame_of(FmFrameKind kind, const GByteArray *payload)
{
    return (FmFrame){
        .kind = kind, .version = 1, .payload = g_bytes_new(payload->data, payload->len)};
}

/* --- Reader -------------------------------------------------------------------- */

static void
test_any_chunk_size(void)
{
    g_autoptr(GByteArray) out = three_frames();

    for (gsize step = 1; step <= out->len; step++) {
        uint64_t good;
        g_autofree char *letters = read_as_letters(out->data, out->len, step, &good);
        g_assert_cmpstr(letters, ==, "ABC");
        g_assert_cmpuint(good, ==, out->len);
    }
}

static void
test_header_is_as_written_down(void)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    static const uint8_t expected[] = {'F', 'm', 'F', 'r', 7, 0, 1, 0, 2, 0, 0, 0, 4, 3, 2, 1};

    fm_frame_encode(out, FM_FRAME_TICK, 0x01020304, "hi", 2);
    g_assert_cmpuint(out->len, ==, FM_FRAME_HEADER_SIZE + 2);
    g_assert_cmpmem(out->data, sizeof expected, expected, sizeof expected);
    g_assert_cmpuint(fm_get_le32(out->data + 16), ==, fm_crc32c(0, "hi", 2));
    g_assert_cmpuint(fm_get_le32(out->data + 20), ==, fm_crc32c(0, out->data, 20));
}

static void
test_cut_keeps_what_stands_before(void)
{
    g_autoptr(GByteArray) out = three_frames();
    gsize first = FM_FRAME_HEADER_SIZE + strlen("first");
    gsize second = first + FM_FRAME_HEADER_SIZE;

    for (gsize cut = 0; cut < out->len; cut++) {
        uint64_t good;
        g_autofree char *letters = read_as_letters(out->data, cut, 7, &good);
        gsize whole = cut < first ? 0 : cut < second ? first : second;
        g_autofree char *expected = g_strconcat(cut < first    ? ""
                                                : cut < second ? "A"
                                                               : "AB",
                                                cut > whole ? "!" : "", NULL);

        g_assert_cmpstr(letters, ==, expected);
        g_assert_cmpuint(good, ==, whole);
    }
}

static void
test_damage_costs_one_frame(void)
{
    g_autoptr(GByteArray) out = three_frames();
    gsize first = FM_FRAME_HEADER_SIZE + strlen("first");
    gsize second = first + FM_FRAME_HEADER_SIZE;

    for (gsize at = 0; at < out->len; at++) {
        g_autofree uint8_t *bytes = g_memdup2(out->data, out->len);
        bytes[at] ^= 0x10;
        g_autofree char *letters = read_as_letters(bytes, out->len, 1000, NULL);
        g_assert_cmpstr(letters, ==, at < first ? "!BC" : at < second ? "A!C" : "AB!");
    }
}

static void
test_appended_behind_a_cut(void)
{
    g_autoptr(GByteArray) whole = three_frames();
    g_autoptr(GByteArray) out = g_byte_array_new();

    /* A long frame whose write was cut, and then somebody went on behind it. */
    g_autofree char *text = g_strnfill(5000, 'x');
    add_text(out, 4, 0, text);
    g_byte_array_set_size(out, 100);
    g_byte_array_append(out, whole->data, whole->len);
    g_autofree char *letters = read_as_letters(out->data, out->len, 64, NULL);
    g_assert_cmpstr(letters, ==, "!ABC");
}

static void
test_any_order_and_kind(void)
{
    g_autoptr(GByteArray) out = g_byte_array_new();

    add_text(out, 3, 9, "late");
    add_text(out, 1, 2, "early");
    add_text(out, 1, 2, "early");
    add_text(out, 20, 0, "of a newer version");
    g_autofree char *letters = read_as_letters(out->data, out->len, 11, NULL);
    g_assert_cmpstr(letters, ==, "CAAT");
    g_assert_cmpstr(fm_frame_kind_name(20), ==, "UNKNOWN");
    g_assert_cmpstr(fm_frame_kind_name(FM_FRAME_PHASE_END), ==, "PHASE_END");
}

static void
test_hostile_lengths_allocate_nothing(void)
{
    /* Good headers that promise more than there is, more than is allowed, or 4 GiB. */
    static const uint32_t lengths[] = {1000, FM_FRAME_MAX_PAYLOAD, FM_FRAME_MAX_PAYLOAD + 1,
                                       UINT32_MAX};

    for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++) {
        g_autoptr(GByteArray) out = g_byte_array_new();
        add_text(out, 1, 0, "");
        fm_put_le32(out->data + 8, lengths[i]);
        fm_put_le32(out->data + 20, fm_crc32c(0, out->data, 20));
        add_text(out, 2, 1, "after");
        g_autofree char *letters = read_as_letters(out->data, out->len, 10, NULL);
        g_assert_cmpstr(letters, ==, "!B");
    }
}

static void
test_hostile_headers_take_linear_time(void)
{
    /* 200,000 good headers, each claiming the longest payload and a wrong checksum: checking
     * every payload would mean 3 TB. */
    g_autoptr(GByteArray) one = g_byte_array_new();
    add_text(one, 1, 0, "");
    fm_put_le32(one->data + 8, 4 * 1024 * 1024);
    fm_put_le32(one->data + 16, 1);
    fm_put_le32(one->data + 20, fm_crc32c(0, one->data, 20));
    gsize n_headers = 200 * 1000;
    g_autofree uint8_t *bytes = g_malloc(n_headers * one->len);
    for (gsize i = 0; i < n_headers; i++) {
        memcpy(bytes + i * one->len, one->data, one->len);
    }
    g_autofree char *letters = read_as_letters(bytes, n_headers * one->len, 1 << 20, NULL);
    g_assert_cmpstr(letters, ==, "!");
}

/* --- Dictionaries -------------------------------------------------------------- */

static void
test_dictionary_round_trip(void)
{
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_auto(FmFrame) frame = {0};
    g_autoptr(GError) error = NULL;

    fm_frame_encode_variant(
        out, FM_FRAME_NOTE, 5,
        g_variant_new_parsed("{'kind': <'error'>, 'step': <uint32 3>, 'big': <uint64 "
                             "18446744073709551615>}"));
    fm_frame_reader_push(reader, out->data, out->len);
    g_assert_cmpint(fm_frame_reader_pop(reader, &frame), ==, FM_FRAME_READ_OK);
    g_assert_cmpuint(frame.sequence, ==, 5);
    g_autoptr(GVariant) variant = fm_frame_get_variant(&frame, &error);
    g_assert_no_error(error);
    uint64_t big = 0;
    g_assert_true(g_variant_lookup(variant, "big", "t", &big));
    g_assert_cmpuint(big, ==, UINT64_MAX);
}

static void
test_dictionary_refuses_other_forms(void)
{
    /* Not a{sv}; not normal; nested as deep as bytes allow. */
    static const char *const payloads[] = {"x", "abcdefghijklmnop", "\xff\xff\xff\xff\xff\xff"};

    for (gsize i = 0; i < G_N_ELEMENTS(payloads); i++) {
        g_auto(FmFrame) frame = {.kind = FM_FRAME_NOTE,
                                 .payload = g_bytes_new(payloads[i], strlen(payloads[i]))};
        g_autoptr(GError) error = NULL;
        g_assert_null(fm_frame_get_variant(&frame, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
    }

    GVariant *deep = g_variant_new_boolean(TRUE);
    for (int i = 0; i < 126; i++) {
        deep = g_variant_new_variant(deep);
    }
    g_autoptr(GByteArray) payload = g_byte_array_new();
    g_autoptr(GVariant) inner = g_variant_ref_sink(g_variant_new_variant(deep));
    /* By hand, since GLib would not build it: {'a': <...>} with one level too many. */
    gsize size = g_variant_get_size(inner);
    g_byte_array_append(payload, (const uint8_t *)"a\0\0\0\0\0\0\0", 8);
    g_byte_array_append(payload, g_variant_get_data(inner), (guint)size);
    for (int i = 0; i < 40; i++) {
        g_byte_array_append(payload, (const uint8_t *)"\0v", 2);
    }
    g_auto(FmFrame) frame = frame_of(FM_FRAME_NOTE, payload);
    g_autoptr(GError) error = NULL;
    g_assert_null(fm_frame_get_variant(&frame, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
}

/* --- Ticks --------------------------------------------------------------------- */

static FmTick
tick_number(unsigned i)
{
    return (FmTick){
        .end_ns = (uint64_t)(i + 1) * 100 * 1000 * 1000,
        .read = {.bytes = 40960 + i, .latency_sum_ns = 900 + i, .latency_max_ns = 200 + i},
        .write = {.bytes = 8192, .latency_sum_ns = 100, .latency_max_ns = 70},
        .read_ios = 10,
        .write_ios = 2,
        .trim_ios = 1,
        .flush_ios = i,
        .temperature_dc = (int16_t)(-100 + (int)(i % 200)),
        .cpu_permille = 512,
        .errors = 3,
        .flags = FM_TICK_PAUSED,
    };
}

/* One payload of @n rows of @row_size bytes, as a newer or older writer makes it. */
static FmFrame
foreign_ticks(unsigned n, uint32_t row_size)
{
    g_autoptr(GByteArray) payload = g_byte_array_new();

    g_byte_array_set_size(payload, 8);
    fm_put_le32(payload->data, 7);
    fm_put_le32(payload->data + 4, row_size);
    for (unsigned i = 0; i < n; i++) {
        g_autoptr(GByteArray) row = g_byte_array_new();
        FmTick tick = tick_number(i);
        fm_tick_encode(row, 7, &tick, 1);
        g_byte_array_remove_range(row, 0, 8);
        guint had = row->len;
        g_byte_array_set_size(row, row_size);
        if (row_size > had) {
            memset(row->data + had, 0xEE, row_size - had);
        }
        g_byte_array_append(payload, row->data, row_size);
    }
    return frame_of(FM_FRAME_TICK, payload);
}

static void
test_ticks_of_other_versions(void)
{
    static const uint32_t sizes[] = {FM_TICK_ROW_MIN, 72, 76, FM_TICK_ROW_SIZE, 88, 1000};

    for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
        g_auto(FmFrame) frame = foreign_ticks(5, sizes[i]);
        g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
        g_autoptr(GError) error = NULL;
        uint32_t step = 0;
        g_assert_true(fm_tick_decode(&frame, &step, ticks, &error));
        g_assert_cmpuint(step, ==, 7);
        g_assert_cmpuint(ticks->len, ==, 5);

        FmTick got = g_array_index(ticks, FmTick, 4);
        FmTick whole = tick_number(4);
        g_assert_cmpuint(got.end_ns, ==, whole.end_ns);
        g_assert_cmpuint(got.write.latency_max_ns, ==, 70);
        g_assert_cmpuint(got.flush_ios, ==, sizes[i] >= 72 ? 4 : 0);
        g_assert_cmpint(got.temperature_dc, ==,
                        sizes[i] >= 74 ? whole.temperature_dc : FM_TEMPERATURE_UNKNOWN);
        g_assert_cmpuint(got.cpu_permille, ==, sizes[i] >= 76 ? 512 : FM_CPU_UNKNOWN);
        g_assert_cmpuint(got.flags, ==, sizes[i] >= 80 ? FM_TICK_PAUSED : 0);
    }
}

static void
test_ticks_refuse_nonsense(void)
{
    static const struct {
        uint16_t version;
        uint32_t row_size;
        gsize length;
    } cases[] = {{1, 80, 8 + 81}, {1, 0, 8 + 80}, {1, 1, 8 + 80}, {1, 55, 8 + 55},
                 {2, 80, 8 + 80}, {1, 80, 7},     {1, 80, 0},     {1, UINT32_MAX, 8 + 80}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree uint8_t *bytes = g_malloc0(MAX(cases[i].length, 8));
        fm_put_le32(bytes + 4, cases[i].row_size);
        g_auto(FmFrame) frame = {.kind = FM_FRAME_TICK,
                                 .version = cases[i].version,
                                 .payload = g_bytes_new(bytes, cases[i].length)};
        g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
        g_autoptr(GError) error = NULL;
        uint32_t step;
        g_assert_false(fm_tick_decode(&frame, &step, ticks, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
        g_assert_cmpuint(ticks->len, ==, 0);
    }
}

static void
test_half_a_day_of_ticks(void)
{
    enum { N_TICKS = 432000, ROWS = 10 };
    g_autoptr(GByteArray) out = g_byte_array_new();
    g_autoptr(GByteArray) payload = g_byte_array_new();

    for (unsigned i = 0; i < N_TICKS; i += ROWS) {
        FmTick rows[ROWS];
        for (unsigned k = 0; k < ROWS; k++) {
            rows[k] = tick_number(i + k);
        }
        g_byte_array_set_size(payload, 0);
        fm_tick_encode(payload, 7, rows, ROWS);
        fm_frame_encode(out, FM_FRAME_TICK, i / ROWS, payload->data, payload->len);
    }

    gint64 before_us = g_get_monotonic_time();
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    fm_frame_reader_push(reader, out->data, out->len);
    for (;;) {
        g_auto(FmFrame) frame = {0};
        uint32_t step;
        if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
            break;
        }
        g_assert_true(fm_tick_decode(&frame, &step, ticks, NULL));
    }
    double seconds = (double)(g_get_monotonic_time() - before_us) / 1e6;

    g_test_message("432,000 ticks: %.1f MB, decoded in %.3f s (budget 40 MB, 0.3 s)",
                   out->len / 1e6, seconds);
    g_assert_cmpuint(ticks->len, ==, N_TICKS);
    FmTick last = tick_number(N_TICKS - 1);
    FmTick got = g_array_index(ticks, FmTick, N_TICKS - 1);
    g_assert_cmpmem(&got, sizeof got, &last, sizeof last);
    g_assert_cmpuint(out->len, <=, 40 * 1000 * 1000);
    /* Ten times the budget: this machine may be busy or run a sanitizer. */
    g_assert_cmpfloat(seconds, <, 3.0);
}

/* --- Histograms ---------------------------------------------------------------- */

static const FmHistKey hist_key = {
    .step = 4,
    .stream = FM_HIST_ALL_STREAMS,
    .op = FM_OP_WRITE,
    .ns_per_tick_numerator = 1000,
    .ns_per_tick_denominator = 2995,
};

static void
test_histogram_round_trip(void)
{
    static const unsigned bits[] = {1, FM_HIST_INTERVAL_BITS, FM_HIST_PHASE_BITS, FM_HIST_MAX_BITS};
    static const uint64_t values[] = {0,    1,     5,      5,      2047,
                                      2048, 82076, 321536, 841934, UINT64_C(1) << 40};

    for (gsize i = 0; i < G_N_ELEMENTS(bits); i++) {
        g_auto(FmHist) hist = {0};
        g_auto(FmHist) got = {0};
        g_autoptr(GByteArray) payload = g_byte_array_new();
        g_autoptr(GError) error = NULL;
        FmHistKey key;

        fm_hist_init(&hist, bits[i]);
        for (gsize k = 0; k < G_N_ELEMENTS(values); k++) {
            fm_hist_record(&hist, values[k]);
        }
        fm_hist_encode(payload, &hist_key, &hist);
        g_auto(FmFrame) frame = frame_of(FM_FRAME_HISTOGRAM, payload);
        g_assert_true(fm_hist_decode(&frame, &key, &got, &error));
        g_assert_cmpuint(key.step, ==, 4);
        g_assert_cmpuint(key.op, ==, FM_OP_WRITE);
        g_assert_cmpuint(key.ns_per_tick_denominator, ==, 2995);
        g_assert_cmpuint(got.sum, ==, hist.sum);
        g_assert_cmpmem(got.bins, got.n_bins * sizeof(uint64_t), hist.bins,
                        hist.n_bins * sizeof(uint64_t));
        for (uint32_t p = 1; p <= 1000000000u; p += 99999999u) {
            g_assert_cmpuint(fm_hist_get_percentile(&got, p), ==, fm_hist_get_percentile(&hist, p));
        }
    }
}

static void
test_empty_histogram_round_trip(void)
{
    g_auto(FmHist) hist = {0};
    g_auto(FmHist) got = {0};
    g_autoptr(GByteArray) payload = g_byte_array_new();
    FmHistKey key;

    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    fm_hist_encode(payload, &hist_key, &hist);
    g_auto(FmFrame) frame = frame_of(FM_FRAME_HISTOGRAM, payload);
    g_assert_true(fm_hist_decode(&frame, &key, &got, NULL));
    g_assert_cmpuint(got.count, ==, 0);
    g_assert_cmpuint(got.min, ==, UINT64_MAX);
}

static void
test_histogram_refuses_contradictions(void)
{
    /* Three values 10, 20, 30 and one changed field each. */
    static const struct {
        const char *what;
        unsigned offset;
        uint64_t value;
        unsigned width;
    } cases[] = {
        {"op", 8, FM_N_OPS + 1, 4},
        {"numerator", 16, 0, 8},
        {"denominator", 24, 0, 8},
        {"no bits", 32, 0, 4},
        {"too many bits", 32, 30, 4},
        {"row too short", 36, 8, 4},
        {"row does not divide", 36, 13, 4},
        {"minimum in another bin", 40, 11, 8},
        {"maximum in another bin", 48, 31, 8},
        {"mean above the maximum", 56, 1000, 8},
        {"mean below the minimum", 56, 3, 8},
        {"count too large", 64, 4, 8},
        {"count too small", 64, 2, 8},
        {"no count", 64, 0, 8},
        {"bins not ascending", 72 + 12, 10, 4},
        {"bin beyond the end", 72 + 24, UINT32_MAX, 4},
        {"empty bin", 72 + 4, 0, 8},
        {"overflowing bin", 72 + 4, UINT64_MAX, 8},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(FmHist) hist = {0};
        g_auto(FmHist) got = {0};
        g_autoptr(GByteArray) payload = g_byte_array_new();
        g_autoptr(GError) error = NULL;
        FmHistKey key;

        fm_hist_init(&hist, FM_HIST_PHASE_BITS);
        for (uint64_t value = 10; value <= 30; value += 10) {
            fm_hist_record(&hist, value);
        }
        fm_hist_encode(payload, &hist_key, &hist);
        if (cases[i].width == 8) {
            fm_put_le64(payload->data + cases[i].offset, cases[i].value);
        } else {
            fm_put_le32(payload->data + cases[i].offset, (uint32_t)cases[i].value);
        }
        g_auto(FmFrame) frame = frame_of(FM_FRAME_HISTOGRAM, payload);
        if (fm_hist_decode(&frame, &key, &got, &error)) {
            g_error("accepted: %s", cases[i].what);
        }
        g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
        g_assert_null(got.bins);
    }
}

/* --- Log ----------------------------------------------------------------------- */

static void
test_log_round_trip(void)
{
    const uint64_t words[] = {
        fm_latency_log_pack(0, 0, FM_OP_READ),
        fm_latency_log_pack(81920, 1, FM_OP_WRITE),
        fm_latency_log_pack(UINT64_C(1) << 40, (1u << FM_LOG_TIME_BITS) - 1, FM_OP_FLUSH),
    };
    g_autoptr(GByteArray) payload = g_byte_array_new();
    g_autoptr(GArray) ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo));
    FmLatencyLogKey key = {.step = 3, .stream = 1, .base_ns = 5000};
    FmLatencyLogKey got;

    fm_latency_log_encode(payload, &key, words, G_N_ELEMENTS(words));
    g_auto(FmFrame) frame = frame_of(FM_FRAME_LATENCY_LOG, payload);
    g_assert_true(fm_latency_log_decode(&frame, &got, ios, NULL));
    g_assert_cmpmem(&got, sizeof got, &key, sizeof key);
    g_assert_cmpuint(ios->len, ==, 3);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 0).completed_ns, ==, 5000);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 1).completed_ns, ==, 6000);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 1).latency_ns, ==, 81920);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 1).op, ==, FM_OP_WRITE);
    /* 68 s is the longest the log can hold; the histogram has the exact maximum. */
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 2).latency_ns, ==,
                     (UINT64_C(1) << FM_LOG_LATENCY_BITS) - 1);
    g_assert_cmpuint(g_array_index(ios, FmLoggedIo, 2).op, ==, FM_OP_FLUSH);

    g_byte_array_set_size(payload, payload->len - 1);
    g_auto(FmFrame) cut = frame_of(FM_FRAME_LATENCY_LOG, payload);
    g_autoptr(GError) error = NULL;
    g_assert_false(fm_latency_log_decode(&cut, &got, ios, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/model/frame/" path, test)
    ADD("header-is-as-written-down", test_header_is_as_written_down);
    ADD("any-chunk-size-gives-the-same-frames", test_any_chunk_size);
    ADD("cut-keeps-what-stands-before", test_cut_keeps_what_stands_before);
    ADD("damage-costs-one-frame", test_damage_costs_one_frame);
    ADD("frames-behind-a-cut-one-are-found", test_appended_behind_a_cut);
    ADD("any-order-and-kind-is-passed-on", test_any_order_and_kind);
    ADD("hostile-lengths-allocate-nothing", test_hostile_lengths_allocate_nothing);
    ADD("hostile-headers-take-linear-time", test_hostile_headers_take_linear_time);
    ADD("dictionary-round-trip", test_dictionary_round_trip);
    ADD("dictionary-refuses-other-forms", test_dictionary_refuses_other_forms);
    ADD("ticks-of-other-versions-are-read", test_ticks_of_other_versions);
    ADD("ticks-refuse-nonsense", test_ticks_refuse_nonsense);
    ADD("half-a-day-of-ticks-fits-the-budget", test_half_a_day_of_ticks);
    ADD("histogram-round-trip", test_histogram_round_trip);
    ADD("empty-histogram-round-trip", test_empty_histogram_round_trip);
    ADD("histogram-refuses-contradictions", test_histogram_refuses_contradictions);
    ADD("log-round-trip", test_log_round_trip);
#undef ADD
    return g_test_run();
}
