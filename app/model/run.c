/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Life of a run in memory, reading a whole stream, and questions that need more than
 * a look at a field.  What each frame means is in run-fold.c.  No I/O.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/run.h"

#include "base/error.h"
#include "model/tick.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

/* A reader keeps what it was given until it is popped, so long streams go in parts. */
enum { READ_CHUNK = 1024 * 1024 };

/* --- Life ---------------------------------------------------------------------- */

static void
histogram_free(gpointer data)
{
    FmRunHistogram *histogram = data;

    g_bytes_unref(histogram->payload);
    g_free(histogram);
}

static void
step_free(gpointer data)
{
    FmRunStep *step = data;

    for (unsigned i = 0; i < step->n_streams; i++) {
        g_free(step->streams[i].id);
        g_free(step->streams[i].pattern);
        g_free(step->streams[i].blocks);
        g_free(step->streams[i].data);
    }
    g_free(step->streams);
    g_free(step->path);
    g_free(step->kind);
    g_free(step->label);
    g_free(step->workload);
    g_clear_pointer(&step->parameters, g_variant_unref);
    g_free(step->backend);
    g_free(step->mode);
    fm_facts_free(step->backend_facts);
    g_clear_pointer(&step->begin, g_variant_unref);
    g_free(step->outcome);
    fm_message_unref(step->reason);
    g_free(step->ended_by);
    fm_message_unref(step->host_limited_reason);
    g_clear_pointer(&step->end, g_variant_unref);
    g_ptr_array_unref(step->histograms);
    g_array_unref(step->ticks);
    g_free(step);
}

static void
note_free(gpointer data)
{
    FmRunNote *note = data;

    g_free(note->kind);
    fm_message_unref(note->text);
    g_variant_unref(note->details);
    g_free(note);
}

FmRunStep *
fm_run_step_new(void)
{
    FmRunStep *step = g_new0(FmRunStep, 1);

    step->parameters = g_variant_ref_sink(g_variant_new("a{sv}", NULL));
    step->backend_facts = fm_facts_new();
    step->cpu_ns = -1;
    step->foreign_bytes = -1;
    step->in_flight_mean = NAN;
    step->histograms = g_ptr_array_new_with_free_func(histogram_free);
    step->ticks = g_array_new(FALSE, FALSE, sizeof(FmTick));
    return step;
}

FmRun *
fm_run_new(void)
{
    FmRun *run = g_new0(FmRun, 1);

    run->environment = fm_facts_new();
    run->drive = fm_facts_new();
    run->target = fm_facts_new();
    run->steps = g_ptr_array_new_with_free_func(step_free);
    run->notes = g_ptr_array_new_with_free_func(note_free);
    run->evaluations = g_ptr_array_new_with_free_func((GDestroyNotify)g_variant_unref);
    run->damage = g_ptr_array_new_with_free_func((GDestroyNotify)fm_message_unref);
    run->by_number = g_hash_table_new(NULL, NULL);
    run->progress = NAN;
    run->remaining_ns = -1;
    return run;
}

void
fm_run_free(FmRun *run)
{
    if (run == NULL) {
        return;
    }
    g_free(run->version);
    g_free(run->plan_id);
    g_free(run->plan_name);
    g_free(run->plan_hash);
    g_free(run->plan_text);
    g_strfreev(run->settings);
    g_free(run->target_kind);
    g_free(run->target_path);
    g_free(run->test_file);
    g_free(run->verdict);
    fm_message_unref(run->verdict_reason);
    fm_facts_free(run->environment);
    fm_facts_free(run->drive);
    fm_facts_free(run->target);
    g_ptr_array_unref(run->steps);
    g_ptr_array_unref(run->notes);
    g_ptr_array_unref(run->evaluations);
    g_free(run->outcome);
    fm_message_unref(run->reason);
    g_free(run->user_text);
    g_strfreev(run->tags);
    g_ptr_array_unref(run->damage);
    g_hash_table_unref(run->by_number);
    g_clear_pointer(&run->hello, g_variant_unref);
    g_free(run);
}

/* --- Reading ------------------------------------------------------------------- */

void
fm_run_add_damage(FmRun *run, const char *format, ...)
{
    va_list arguments;

    run->damaged = true;
    if (run->damage->len < FM_RUN_MAX_DAMAGE) {
        va_start(arguments, format);
        g_ptr_array_add(run->damage, fm_message_new_valist(format, arguments));
        va_end(arguments);
    }
}

uint64_t
fm_run_add_all(FmRun *run, FmFrameReader *reader)
{
    uint64_t n_frames = 0;

    for (;;) {
        g_auto(FmFrame) frame = {0};
        FmFrameReadStatus status = fm_frame_reader_pop(reader, &frame);

        if (status == FM_FRAME_READ_MORE) {
            return n_frames;
        }
        if (status == FM_FRAME_READ_CORRUPT) {
            run->has_skipped = true;
            continue;
        }
        /* Bytes in front of a good frame are damage; at the end they are only a cut. */
        if (run->has_skipped) {
            fm_run_add_damage(run, "A part of the run could not be read and was left out");
            run->has_skipped = false;
        }
        fm_run_add_frame(run, &frame);
        n_frames++;
    }
}

bool
fm_run_read(FmRun *run, const void *bytes, gsize length, GError **error)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    uint64_t n_frames = 0;

    for (gsize at = 0; at < length; at += READ_CHUNK) {
        fm_frame_reader_push(reader, (const uint8_t *)bytes + at, MIN(READ_CHUNK, length - at));
        n_frames += fm_run_add_all(run, reader);
    }
    fm_frame_reader_end(reader);
    n_frames += fm_run_add_all(run, reader);
    if (n_frames == 0) {
        fm_error_set(error, FM_ERROR_PROTOCOL, "There is no readable part of a run in it");
        return false;
    }
    return true;
}

/* --- Questions ----------------------------------------------------------------- */

FmRunStep *
fm_run_get_step(const FmRun *run, unsigned number)
{
    return g_hash_table_lookup(run->by_number, GUINT_TO_POINTER(number));
}

uint32_t
fm_run_step_get_block(const FmRunStep *step)
{
    uint32_t size = 0;

    for (unsigned i = 0; i < step->n_streams; i++) {
        for (unsigned k = 0; k < step->streams[i].n_blocks; k++) {
            uint32_t other = step->streams[i].blocks[k].size;
            if (size != 0 && other != size) {
                return 0;
            }
            size = other;
        }
    }
    return size;
}

uint64_t
fm_run_step_ticks_to_ns(const FmRunStep *step, uint64_t ticks)
{
    if (step->ns_per_tick_denominator == 0) {
        return ticks;
    }
    unsigned __int128 product = (unsigned __int128)ticks * step->ns_per_tick_numerator;
    unsigned __int128 ns =
        (product + step->ns_per_tick_denominator / 2) / step->ns_per_tick_denominator;
    return ns > UINT64_MAX ? UINT64_MAX : (uint64_t)ns;
}

/* Adds one histogram to @sum, which may still be without bins. */
static void
merge_histogram(FmHist *sum, const FmRunHistogram *histogram)
{
    FmFrame frame = {.kind = FM_FRAME_HISTOGRAM, .version = 1, .payload = histogram->payload};
    FmHistKey key;
    g_auto(FmHist) hist = {0};

    if (!fm_hist_decode(&frame, &key, &hist, NULL)) {
        return;
    }
    if (sum->bins == NULL) {
        *sum = hist;
        memset(&hist, 0, sizeof hist);
        return;
    }
    if (hist.bits != sum->bits) {
        FmHist *finer = hist.bits > sum->bits ? &hist : sum;
        FmHist coarse;
        fm_hist_rebin(finer, MIN(hist.bits, sum->bits), &coarse);
        fm_hist_clear(finer);
        *finer = coarse;
    }
    fm_hist_merge(sum, &hist);
}

/* Merges what was measured of @op: the histogram of all streams, else those of each. */
static void
merge_op(const FmRunStep *step, unsigned op, FmHist *sum)
{
    bool has_all_streams = false;

    for (unsigned pass = 0; pass < 2 && !has_all_streams; pass++) {
        for (guint i = 0; i < step->histograms->len; i++) {
            const FmRunHistogram *histogram = g_ptr_array_index(step->histograms, i);
            bool is_all = histogram->key.stream == FM_HIST_ALL_STREAMS;

            if (histogram->key.op == op && histogram->key.measure == 0 && is_all == (pass == 0)) {
                merge_histogram(sum, histogram);
                has_all_streams = has_all_streams || is_all;
            }
        }
    }
}

bool
fm_run_step_get_latency(const FmRunStep *step, unsigned op, FmHist *hist)
{
    memset(hist, 0, sizeof *hist);
    if (op < FM_N_OPS) {
        merge_op(step, op, hist);
        return hist->bins != NULL;
    }
    for (unsigned i = 0; i < FM_N_OPS; i++) {
        merge_op(step, i, hist);
    }
    if (hist->bins == NULL) {
        merge_op(step, FM_N_OPS, hist);
    }
    return hist->bins != NULL;
}

bool
fm_run_step_get_stream_latency(const FmRunStep *step, unsigned stream, unsigned op, FmHist *hist)
{
    memset(hist, 0, sizeof *hist);
    for (guint i = 0; i < step->histograms->len; i++) {
        const FmRunHistogram *histogram = g_ptr_array_index(step->histograms, i);
        if (histogram->key.stream == stream && histogram->key.measure == 0 &&
            (op >= FM_N_OPS || histogram->key.op == op)) {
            merge_histogram(hist, histogram);
        }
    }
    return hist->bins != NULL;
}

/* --- Check --------------------------------------------------------------------- */

static FmMessage *
disagree(const FmRunStep *step, const char *what, uint64_t rows, uint64_t total)
{
    g_autoptr(FmMessage) name = fm_message_new_words(what);

    return fm_message_new("The %p of step %u (%s) do not agree: %ju against %ju in its totals",
                          name, step->number, step->path != NULL ? step->path : "?", rows, total);
}

static FmMessage *
check_ticks(const FmRunStep *step)
{
    static const char *const names[FM_N_OPS] = {N_("reads of the ticks"), N_("writes of the ticks"),
                                                N_("trims of the ticks"),
                                                N_("flushes of the ticks")};
    uint64_t ios[FM_N_OPS] = {0};
    uint64_t bytes[2] = {0};

    for (guint i = 0; i < step->ticks->len; i++) {
        const FmTick *tick = &g_array_index(step->ticks, FmTick, i);
        if ((tick->flags & FM_TICK_PARTIAL) != 0 && i + 1 != step->ticks->len &&
            (tick->flags & FM_TICK_RAMP) == 0) {
            return fm_message_new("A partial tick of step %u is not the last one", step->number);
        }
        if ((tick->flags & FM_TICK_RAMP) != 0) {
            continue;
        }
        ios[FM_OP_READ] += tick->read_ios;
        ios[FM_OP_WRITE] += tick->write_ios;
        ios[FM_OP_TRIM] += tick->trim_ios;
        ios[FM_OP_FLUSH] += tick->flush_ios;
        bytes[FM_OP_READ] += tick->read.bytes;
        bytes[FM_OP_WRITE] += tick->write.bytes;
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (ios[op] != step->ios[op]) {
            return disagree(step, names[op], ios[op], step->ios[op]);
        }
    }
    for (unsigned op = FM_OP_READ; op <= FM_OP_WRITE; op++) {
        if (bytes[op] != step->bytes[op]) {
            return disagree(step,
                            op == FM_OP_READ ? N_("read bytes of the ticks")
                                             : N_("written bytes of the ticks"),
                            bytes[op], step->bytes[op]);
        }
    }
    return NULL;
}

FmMessage *
fm_run_step_check(const FmRunStep *step)
{
    static const char *const names[FM_N_OPS] = {
        N_("reads of the histogram"), N_("writes of the histogram"), N_("trims of the histogram"),
        N_("flushes of the histogram")};

    if (!step->ended) {
        return NULL;
    }
    FmMessage *sentence = check_ticks(step);
    if (sentence != NULL) {
        return sentence;
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        g_auto(FmHist) hist = {0};
        fm_run_step_get_latency(step, op, &hist);
        if (hist.count != step->ios[op]) {
            return disagree(step, names[op], hist.count, step->ios[op]);
        }
    }
    return NULL;
}
