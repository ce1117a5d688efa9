/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every frame of a stream as text, for whoever looks for what went wrong.  Shows what is
 * there, also what no fold would accept.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/export.h"

#include "base/error.h"
#include "model/plan.h"
#include "model/tick.h"

enum {
    CHUNK_SIZE = 1024 * 1024,
    /* I/Os of a log that are shown of each chunk; a run may have 45 million. */
    LOG_SHOWN = 8,
};

static void
dump_dictionary(GString *out, const FmFrame *frame)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) dictionary = fm_frame_get_variant(frame, &error);

    if (dictionary == NULL) {
        g_string_append_printf(out, "  ! %s\n", error->message);
        return;
    }
    for (gsize i = 0; i < g_variant_n_children(dictionary); i++) {
        g_autoptr(GVariant) value = NULL;
        const char *name;
        g_variant_get_child(dictionary, i, "{&sv}", &name, &value);
        g_autofree char *printed = g_variant_print(value, TRUE);
        g_autofree char *key = g_strescape(name, NULL);
        g_string_append_printf(out, "  %s: %s\n", key, printed);
    }
}

static void
dump_direction(GString *out, const char *name, uint32_t ios, const FmTickDirection *direction)
{
    g_string_append_printf(
        out,
        " %s %u/%" G_GUINT64_FORMAT "B sum %" G_GUINT64_FORMAT "ns max %" G_GUINT64_FORMAT "ns",
        name, ios, direction->bytes, direction->latency_sum_ns, direction->latency_max_ns);
}

static void
dump_ticks(GString *out, const FmFrame *frame)
{
    g_autoptr(GArray) ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    g_autoptr(GError) error = NULL;
    uint32_t step;

    if (!fm_tick_decode(frame, &step, ticks, &error)) {
        g_string_append_printf(out, "  ! %s\n", error->message);
        return;
    }
    for (guint i = 0; i < ticks->len; i++) {
        const FmTick *tick = &g_array_index(ticks, FmTick, i);
        g_string_append_printf(out, "  step %u end %" G_GUINT64_FORMAT "ns", step, tick->end_ns);
        dump_direction(out, "read", tick->read_ios, &tick->read);
        dump_direction(out, "write", tick->write_ios, &tick->write);
        g_string_append_printf(out, " trims %u flushes %u errors %u", tick->trim_ios,
                               tick->flush_ios, tick->errors);
        if (tick->temperature_dc != FM_TEMPERATURE_UNKNOWN) {
            g_string_append_printf(out, " temperature %ddC", tick->temperature_dc);
        }
        if (tick->cpu_permille != FM_CPU_UNKNOWN) {
            g_string_append_printf(out, " cpu %u/1000", tick->cpu_permille);
        }
        g_string_append_printf(out, "%s%s%s%s\n", (tick->flags & FM_TICK_RAMP) ? " ramp" : "",
                               (tick->flags & FM_TICK_PARTIAL) ? " partial" : "",
                               (tick->flags & FM_TICK_PAUSED) ? " paused" : "",
                               (tick->flags & FM_TICK_LATE) ? " late" : "");
    }
}

static void
dump_histogram(GString *out, const FmFrame *frame)
{
    g_auto(FmHist) hist = {0};
    g_autoptr(GError) error = NULL;
    FmHistKey key;

    if (!fm_hist_decode(frame, &key, &hist, &error)) {
        g_string_append_printf(out, "  ! %s\n", error->message);
        return;
    }
    g_string_append_printf(out, "  step %u ", key.step);
    if (key.stream == FM_HIST_ALL_STREAMS) {
        g_string_append(out, "all streams");
    } else {
        g_string_append_printf(out, "stream %u", key.stream);
    }
    g_string_append_printf(out,
                           " %s %s; %" G_GUINT64_FORMAT "/%" G_GUINT64_FORMAT
                           " ns per tick, %u bits per octave\n",
                           key.op < FM_N_OPS ? fm_op_name((FmOp)key.op) : "all ops",
                           key.measure == 0 ? "latency" : "response", key.ns_per_tick_numerator,
                           key.ns_per_tick_denominator, hist.bits);
    g_string_append_printf(out,
                           "  count %" G_GUINT64_FORMAT " min %" G_GUINT64_FORMAT
                           " max %" G_GUINT64_FORMAT " sum %" G_GUINT64_FORMAT " ticks\n",
                           hist.count, hist.count > 0 ? hist.min : 0, hist.max, hist.sum);
    for (unsigned i = 0; i < hist.n_bins; i++) {
        if (hist.bins[i] > 0) {
            g_string_append_printf(
                out, "  [%u] %" G_GUINT64_FORMAT "..%" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT "\n",
                i, fm_hist_bin_lower(i, hist.bits), fm_hist_bin_upper(i, hist.bits), hist.bins[i]);
        }
    }
}

static void
dump_log(GString *out, const FmFrame *frame)
{
    g_autoptr(GArray) ios = g_array_new(FALSE, FALSE, sizeof(FmLoggedIo));
    g_autoptr(GError) error = NULL;
    FmLatencyLogKey key;

    if (!fm_latency_log_decode(frame, &key, ios, &error)) {
        g_string_append_printf(out, "  ! %s\n", error->message);
        return;
    }
    g_string_append_printf(out, "  step %u stream %u base %" G_GUINT64_FORMAT "ns, %u I/Os\n",
                           key.step, key.stream, key.base_ns, ios->len);
    for (guint i = 0; i < MIN(ios->len, LOG_SHOWN); i++) {
        const FmLoggedIo *io = &g_array_index(ios, FmLoggedIo, i);
        g_string_append_printf(out,
                               "  at %" G_GUINT64_FORMAT "ns %s took %" G_GUINT64_FORMAT "ns\n",
                               io->completed_ns, fm_op_name((FmOp)io->op), io->latency_ns);
    }
    if (ios->len > LOG_SHOWN) {
        g_string_append(out, "  ...\n");
    }
}

static void
dump_frame(GString *out, const FmFrame *frame, uint64_t offset)
{
    g_string_append_printf(out,
                           "%" G_GUINT64_FORMAT
                           ": %s kind %u version %u sequence %u, %" G_GSIZE_FORMAT " bytes\n",
                           offset, fm_frame_kind_name(frame->kind), (unsigned)frame->kind,
                           frame->version, frame->sequence, g_bytes_get_size(frame->payload));
    switch ((unsigned)frame->kind) {
    case FM_FRAME_TICK:
        dump_ticks(out, frame);
        break;
    case FM_FRAME_HISTOGRAM:
        dump_histogram(out, frame);
        break;
    case FM_FRAME_LATENCY_LOG:
        dump_log(out, frame);
        break;
    default:
        dump_dictionary(out, frame);
        break;
    }
}

/* Dumps what @reader has; returns the number of frames. */
static unsigned
dump_all(GString *out, FmFrameReader *reader)
{
    unsigned n_frames = 0;

    for (;;) {
        g_auto(FmFrame) frame = {0};
        uint64_t before = fm_frame_reader_get_good_offset(reader);
        FmFrameReadStatus status = fm_frame_reader_pop(reader, &frame);

        if (status == FM_FRAME_READ_MORE) {
            return n_frames;
        }
        if (status == FM_FRAME_READ_CORRUPT) {
            continue;
        }
        uint64_t offset = fm_frame_reader_get_good_offset(reader) - FM_FRAME_HEADER_SIZE -
                          g_bytes_get_size(frame.payload);
        if (offset > before) {
            g_string_append_printf(
                out, "%" G_GUINT64_FORMAT ": ! %" G_GUINT64_FORMAT " bytes are no frame\n", before,
                offset - before);
        }
        dump_frame(out, &frame, offset);
        n_frames++;
    }
}

char *
fm_export_dump(const void *bytes, gsize length, GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(GString) out = g_string_new(NULL);
    unsigned n_frames = 0;

    for (gsize at = 0; at < length; at += CHUNK_SIZE) {
        fm_frame_reader_push(reader, (const uint8_t *)bytes + at, MIN(CHUNK_SIZE, length - at));
        n_frames += dump_all(out, reader);
    }
    fm_frame_reader_end(reader);
    n_frames += dump_all(out, reader);
    if (n_frames == 0) {
        fm_error_set(error, FM_ERROR_PROTOCOL, "The file holds no readable frame of a run");
        return NULL;
    }
    uint64_t end = fm_frame_reader_get_good_offset(reader);
    if (end < length) {
        g_string_append_printf(
            out, "%" G_GUINT64_FORMAT ": ! %" G_GUINT64_FORMAT " bytes at the end are no frame\n",
            end, length - end);
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}
