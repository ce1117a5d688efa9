/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What 432,000 rows of 100 ms (twelve hours) cost: bytes in the file and time to decode.
 * Prints one line for `./dev bench`.  With --gate it fails above 40 MB, which is exact;
 * time is printed, never judged.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"
#include "model/tick.h"

enum {
    N_TICKS = 432000,
    N_ROWS = 10, /* rows of one frame: the engine sends one a second */
    MAX_BYTES = 40 * 1000 * 1000,
};

static FmTick
make_tick(uint64_t number)
{
    return (FmTick){
        .end_ns = (number + 1) * FM_TICK_INTERVAL_MS * UINT64_C(1000000),
        .read = {.bytes = number * 4096, .latency_sum_ns = number * 81000, .latency_max_ns = 99000},
        .write = {.bytes = 8192, .latency_sum_ns = 21000, .latency_max_ns = 12000},
        .read_ios = (uint32_t)number,
        .write_ios = 2,
        .temperature_dc = 415,
        .cpu_permille = 120,
    };
}

static GByteArray *
encode_all(void)
{
    GByteArray *stream = g_byte_array_new();
    g_autoptr(GByteArray) payload = g_byte_array_new();

    for (unsigned number = 0; number < N_TICKS; number += N_ROWS) {
        FmTick rows[N_ROWS];
        for (unsigned i = 0; i < N_ROWS; i++) {
            rows[i] = make_tick(number + i);
        }
        g_byte_array_set_size(payload, 0);
        fm_tick_encode(payload, 0, rows, N_ROWS);
        fm_frame_encode(stream, FM_FRAME_TICK, number / N_ROWS, payload->data, payload->len);
    }
    return stream;
}

static void
decode_all(const GByteArray *stream, GArray *ticks)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();

    fm_frame_reader_push(reader, stream->data, stream->len);
    for (;;) {
        g_auto(FmFrame) frame = {0};
        uint32_t step = 0;
        if (fm_frame_reader_pop(reader, &frame) != FM_FRAME_READ_OK) {
            return;
        }
        g_assert_true(fm_tick_decode(&frame, &step, ticks, NULL));
    }
}

int
main(int argc, char **argv)
{
    g_autoptr(GByteArray) stream = encode_all();
    g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    bool gated = argc == 2 && g_str_equal(argv[1], "--gate");

    gint64 begin_us = g_get_monotonic_time();
    decode_all(stream, ticks);
    double seconds = (double)(g_get_monotonic_time() - begin_us) / 1e6;

    g_assert_cmpuint(ticks->len, ==, N_TICKS);
    g_print("432,000 ticks: %.1f MB in the file, decoded in %.3f s\n", stream->len / 1e6, seconds);
    return gated && stream->len > MAX_BYTES ? 1 : 0;
}
