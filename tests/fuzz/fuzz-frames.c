/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target of the frame stream: any bytes as a stream, and any payloads in frames
 * with good checksums, which mutation alone would never make.  The first byte chooses:
 * even, the rest is the stream; odd, the rest is kind (1 byte), length (2 bytes, little
 * endian), payload, again and again.  What folds must answer every question and come out
 * in every format.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"
#include "model/run.h"
#include "model/tick.h"
#include "store/export.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
frame_payloads(GByteArray *stream, const uint8_t *data, size_t size)
{
    uint32_t sequence = 0;

    while (size >= 3) {
        size_t length = data[1] | (size_t)data[2] << 8;
        FmFrameKind kind = (FmFrameKind)data[0];

        data += 3;
        size -= 3;
        length = MIN(length, size);
        fm_frame_encode(stream, kind, sequence++, data, length);
        data += length;
        size -= length;
    }
}

static void
ask_step(const FmRunStep *step)
{
    g_autoptr(FmMessage) sentence = fm_run_step_check(step);
    g_auto(FmHist) hist = {0};

    fm_run_step_get_block(step);
    if (fm_run_step_get_latency(step, FM_N_OPS, &hist) && hist.count > 0) {
        uint64_t before = fm_run_step_ticks_to_ns(step, hist.min);
        for (uint32_t p = 100000000; p <= 1000000000; p += 100000000) {
            uint64_t now = fm_run_step_ticks_to_ns(step, fm_hist_get_percentile(&hist, p));
            g_assert_cmpuint(now, >=, before);
            before = now;
        }
        g_assert_cmpuint(before, ==, fm_run_step_ticks_to_ns(step, hist.max));
    }
    for (guint i = 1; i < step->ticks->len; i++) {
        const FmTick *row = &g_array_index(step->ticks, FmTick, i);
        const FmTick *earlier = row - 1;
        g_assert_true(row->end_ns > earlier->end_ns || (earlier->flags & FM_TICK_RAMP) != 0);
    }
}

static void
read_log(const uint8_t *stream, size_t size)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    FmFrameReadStatus status;

    fm_frame_reader_push(reader, stream, size);
    fm_frame_reader_end(reader);
    do {
        g_auto(FmFrame) frame = {0};
        g_autoptr(GArray) ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo));
        FmLatencyLogKey key;

        status = fm_frame_reader_pop(reader, &frame);
        if (status == FM_FRAME_READ_OK && frame.kind == FM_FRAME_LATENCY_LOG) {
            fm_latency_log_decode(&frame, &key, ios, NULL);
        }
    } while (status != FM_FRAME_READ_MORE);
    g_assert_cmpuint(fm_frame_reader_get_good_offset(reader), <=, size);
}

/* Nothing of a run may reach the terminal as a command. */
static void
assert_printable(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        g_assert_true(*at == '\n' || ((unsigned char)*at >= 0x20 && *at != 0x7F));
    }
}

static void
export_all(FmRun *run, const GByteArray *stream)
{
    g_autofree char *json = fm_export_json(run, NULL);
    g_autofree char *csv = fm_export_csv(run, NULL);
    g_autofree char *text = fm_export_text(run, 80, NULL);
    g_autofree char *cdm = fm_export_cdm(run, NULL);
    g_autofree char *dump = fm_export_dump(stream->data, stream->len, NULL);
    g_autoptr(GString) ticks = g_string_new(fm_export_get_ticks_head());
    fm_export_take_ticks(ticks, run, true);

    g_assert_true(g_utf8_validate(json, -1, NULL));
    g_assert_nonnull(csv);
    assert_printable(text);
    if (cdm != NULL) {
        assert_printable(cdm);
    }
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autoptr(GByteArray) stream = g_byte_array_new();
    g_autoptr(FmRun) run = fm_run_new();

    if (size == 0) {
        return 0;
    }
    if (data[0] % 2 == 0) {
        g_byte_array_append(stream, data + 1, (guint)size - 1);
    } else {
        frame_payloads(stream, data + 1, size - 1);
    }
    if (fm_run_read(run, stream->data, stream->len, NULL)) {
        for (guint i = 0; i < run->steps->len; i++) {
            ask_step(g_ptr_array_index(run->steps, i));
        }
        export_all(run, stream);
    }
    read_log(stream->data, stream->len);
    return 0;
}
