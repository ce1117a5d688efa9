/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plan and the run behind the engine tests.
 */
#include "engine-bench.h"

/* --- A small plan ------------------------------------------------------------- */

Bench *
bench_new(void)
{
    Bench *bench = g_new0(Bench, 1);
    FmPhase *root = g_new0(FmPhase, 1);
    FmPhase *step = g_new0(FmPhase, 1);

    root->kind = FM_PHASE_GROUP;
    root->id = g_strdup("test");
    root->children = g_ptr_array_new_with_free_func((GDestroyNotify)fm_phase_free);
    g_ptr_array_add(root->children, step);
    step->kind = FM_PHASE_MEASURE;
    step->id = g_strdup("row");
    step->streams = g_new0(FmStream, 1);
    step->n_streams = 1;
    step->stop.time_ns = SECOND;

    FmStream *stream = step->streams;
    stream->id = g_strdup("io");
    stream->op_share[FM_OP_READ] = FM_SHARE_WHOLE;
    stream->pattern = FM_PATTERN_RANDOM;
    stream->blocks = g_new(FmBlockShare, 1);
    stream->blocks[0] = (FmBlockShare){4096, 1};
    stream->n_blocks = 1;
    stream->in_flight = 4;
    stream->threads = 1;
    stream->region_size = (FmExtent){true, 1000000};

    bench->step = step;
    bench->stream = stream;
    bench->plan = (FmPlan){
        .id = (char *)"test",
        .name = (char *)"Test",
        .seed = 7,
        .file_size = {false, 16 * MIB},
        .root = root,
        .canonical = (char *)"{}",
    };
    return bench;
}

void
bench_free(Bench *bench)
{
    fm_phase_free(bench->plan.root);
    g_free(bench);
}

/* --- Running it --------------------------------------------------------------- */

void
bench_sink_cb(gpointer user_data, FmFrameKind kind, const void *payload, gsize length)
{
    GByteArray *bytes = user_data;
    static uint32_t sequence;

    fm_frame_encode(bytes, kind, sequence++, payload, length);
}

FmRun *
bench_run(const Bench *bench, FmTarget *target, FmEngineOptions options, FmOutcome expected)
{
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    FmRun *run = fm_run_new();

    options.plan = &bench->plan;
    options.target = target;
    options.keep_free = 0;
    options.sink = (FmSink){.emit = bench_sink_cb, .user_data = bytes};
    g_autoptr(FmEngine) engine = fm_engine_new(&options);
    FmOutcome outcome = fm_engine_run(engine, &error);
    if (error != NULL) {
        g_test_message("%s", error->message);
    }
    g_assert_cmpstr(fm_outcome_name(outcome), ==, fm_outcome_name(expected));
    g_assert_true(fm_run_read(run, bytes->data, bytes->len, NULL));
    g_assert_false(run->damaged);
    for (guint i = 0; i < run->steps->len; i++) {
        g_autoptr(FmMessage) complaint = fm_run_step_check(run->steps->pdata[i]);
        g_assert_cmpstr(fm_message_get_text(complaint), ==, "");
    }
    return run;
}

const FmRunStep *
bench_step(const FmRun *run, guint index)
{
    g_assert_cmpuint(run->steps->len, >, index);
    return run->steps->pdata[index];
}
