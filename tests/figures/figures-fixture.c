/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes the run with the fixture of the model, then sets what that one has no words for.
 */
#include "config.h"

#include "figures-fixture.h"

#include "base/rng.h"
#include "model/plan-reader.h"
#include "run-fixture.h"

#include <libintl.h>
#include <string.h>

static const char plan_text[] =
    "{'fathom-plan': 1, 'id': 'figures', 'name': {'en': 'Figures', 'ko': '그림'},"
    " 'summary': {'en': 'For tests.', 'ko': '시험용.'}, 'file-size': '1 GiB', 'phases': ["
    " {'id': 'cdm', 'kind': 'group', 'label': {'en': 'CDM-style', 'ko': 'CrystalDiskMark 방식'},"
    "  'phases': [%s]},"
    " {'id': 'corners', 'kind': 'group', 'label': '4-Corners', 'phases': [%s]},"
    " {'id': 'tail', 'kind': 'group', 'label': {'en': 'QD1 Tail Latency', 'ko': 'QD1 꼬리'},"
    "  'phases': [%s]},"
    " {'id': 'fill', 'kind': 'group', 'label': {'en': 'Fill', 'ko': '채우기'}, 'phases': [%s]}]}";
static const char plan_step[] =
    "{'id': 'a', 'kind': 'measure', 'stop': {'time': '1s'}, 'streams': [{'id': 'main', 'block': "
    "'4 KiB', 'pattern': 'random', 'read': '100%', 'region': '100%', 'in-flight': 1}]}";

static void
add_plan(FmRunFixture *fixture)
{
    g_autofree char *quoted =
        g_strdup_printf(plan_text, plan_step, plan_step, plan_step, plan_step);
    g_autoptr(GError) error = NULL;

    g_strdelimit(quoted, "'", '"');
    FmPlanSource source = {.text = quoted, .length = -1, .origin = "fixture"};
    g_autoptr(FmPlan) plan = fm_plan_read(&source, NULL, &error);
    g_assert_no_error(error);
    fm_run_fixture_add(fixture, FM_FRAME_PLAN,
                       g_variant_new_parsed("{'plan': <%s>}", plan->canonical));
}

/* Adds a step and counts them. */
static void
add(FmRunFixture *fixture, unsigned *number, FmFixtureStep step)
{
    step.number = (*number)++;
    fm_run_fixture_add_step(fixture, &step);
}

/* --- Parts ------------------------------------------------------------------------- */

static void
add_cdm(FmRunFixture *fixture, unsigned *number)
{
    static const FmFixtureStep rows[] = {
        {.path = "seq1m-q8t1",
         .pattern = "sequential",
         .block = 1048576,
         .in_flight = 8,
         .n_ios = 600,
         .latency_us = 1150},
        {.path = "seq128k-q32t1",
         .pattern = "sequential",
         .block = 131072,
         .in_flight = 32,
         .n_ios = 5000,
         .latency_us = 600},
        {.path = "rnd4k-q32t16",
         .in_flight = 512,
         .threads = 16,
         .n_ios = 20000,
         .latency_us = 570},
        {.path = "rnd4k-q1t1", .n_ios = 20000, .latency_us = 57},
    };

    for (unsigned is_write = 0; is_write < 2; is_write++) {
        for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
            for (unsigned run = 0; run <= 3; run++) {
                FmFixtureStep step = rows[i];
                g_autofree char *path =
                    g_strdup_printf("cdm/%s/%s/%s=%u", is_write ? "write" : "read", rows[i].path,
                                    run == 0 ? "warm-up" : "run", MAX(run, 1));
                bool is_failed = is_write == 1 && i == 1;
                step.path = path;
                step.workload = "C-CDM";
                step.is_write = is_write == 1;
                step.run = run;
                step.discard = run == 0;
                step.latency_us += run * 7 - is_write * 20;
                step.outcome = is_failed && run > 0 ? "failed" : "complete";
                step.reason = is_failed && run > 0 ? "No space left on the volume" : NULL;
                step.host_limited = is_write == 0 && i == 2;
                step.foreign_bytes = is_write == 1 && i == 3 && run == 2 ? 12000000 : 0;
                add(fixture, number, step);
            }
        }
    }
}

static void
add_corners(FmRunFixture *fixture, unsigned *number)
{
    static const uint32_t latencies[] = {80, 82, 85, 100, 190, 380};

    for (unsigned i = 0; i < G_N_ELEMENTS(latencies); i++) {
        g_autofree char *path = g_strdup_printf("corners/rr/in-flight=%u", 1u << i);
        add(fixture, number,
            (FmFixtureStep){.path = path,
                            .label = "RND 4k Read",
                            .workload = "E-RR",
                            .in_flight = 1u << i,
                            .n_ios = 4000 << i,
                            .latency_us = latencies[i]});
    }
}

static void
add_tail(FmRunFixture *fixture, unsigned *number)
{
    static const FmFixtureStep steps[] = {
        {.path = "tail/read", .n_ios = 60000, .latency_us = 60},
        {.path = "tail/write", .is_write = true, .n_ios = 90000, .latency_us = 14},
        {.path = "tail/r70w30", .write_share = 3000, .n_ios = 60000, .latency_us = 45},
        {.path = "tail/r50w50", .write_share = 5000, .n_ios = 60000, .latency_us = 36},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        FmFixtureStep step = steps[i];
        step.label = "Tail";
        step.workload = "E-TAIL";
        add(fixture, number, step);
    }
}

/* --- The long step ------------------------------------------------------------------ */

enum { RAMP_ROWS = 10, STALL_FROM = 100, STALL_ROWS = 7, PAUSED = 150 };

static void
edit_long_step(FmRunStep *step)
{
    step->ramp_ns = (int64_t)RAMP_ROWS * FM_TICK_INTERVAL_MS * 1000000;
    step->has_log = true;
    for (guint i = 0; i < step->ticks->len; i++) {
        FmTick *tick = &g_array_index(step->ticks, FmTick, i);
        tick->temperature_dc = (int16_t)(310 + MIN(i, 250));
        if (i >= STALL_FROM && i < STALL_FROM + STALL_ROWS) {
            tick->write = (FmTickDirection){0};
            tick->write_ios = 0;
        }
        if (i == PAUSED) {
            tick->flags |= FM_TICK_PAUSED;
        }
        /* A fall of the cache. */
        if (i > 200) {
            tick->write.bytes /= 3;
        }
    }
    for (unsigned i = RAMP_ROWS; i > 0; i--) {
        FmTick tick = g_array_index(step->ticks, FmTick, 0);
        tick.end_ns = (uint64_t)i * FM_TICK_INTERVAL_MS * 1000000;
        tick.flags = FM_TICK_RAMP;
        g_array_insert_vals(step->ticks, 0, &tick, 1);
    }
}

bool
figures_fixture_read_log(gpointer data, unsigned step, FmFigureLogEach each, gpointer user_data,
                         GError **error)
{
    enum { N = 20000 };
    g_autofree FmLoggedIo *ios = g_new(FmLoggedIo, N);
    FmRng rng;

    fm_rng_init(&rng, 1);
    for (unsigned i = 0; i < N; i++) {
        ios[i] = (FmLoggedIo){
            .completed_ns = (uint64_t)i * 1500000,
            .latency_ns = 5000000 + fm_rng_below(&rng, 2000000) * (i % 997 == 0 ? 40 : 1),
            .op = FM_OP_WRITE,
        };
    }
    each(NULL, 0, user_data);
    each(ios, N / 2, user_data);
    each(ios + N / 2, N / 2, user_data);
    return true;
}

/* --- Whole runs ---------------------------------------------------------------------- */

static FmRunFixture *
make_frames(void)
{
    FmRunFixture *fixture = fm_run_fixture_new();
    unsigned number = 0;

    fm_run_fixture_add_head(fixture, "figures");
    add_plan(fixture);
    add_cdm(fixture, &number);
    add_corners(fixture, &number);
    add_tail(fixture, &number);
    add(fixture, &number,
        (FmFixtureStep){.path = "fill/long",
                        .kind = "precondition",
                        .label = "Fill",
                        .pattern = "sequential",
                        .block = 131072,
                        .in_flight = 8,
                        .is_write = true,
                        .n_ios = 40000,
                        .latency_us = 5500});
    fm_run_fixture_add_end(fixture, "complete");
    return fixture;
}

FmRun *
figures_fixture_new(void)
{
    /* Made once: half a million I/Os take a while. */
    static FmRunFixture *frames;

    if (frames == NULL) {
        frames = make_frames();
    }
    FmRun *run = fm_run_fixture_fold(frames);
    edit_long_step(run->steps->pdata[run->steps->len - 1]);
    return run;
}

FmRun *
figures_fixture_new_simulated(void)
{
    FmRun *run = figures_fixture_new();

    g_free(run->target_kind);
    run->target_kind = g_strdup("model");
    return run;
}

FmRun *
figures_fixture_new_hostile(void)
{
    static const char *const texts[] = {
        "<b>&amp;bold</b> %s %n %d", "\u05e9\u05dc\u05d5\u05dd \u202eabc", "\x1b[31mred\x07",
        "\xff\xfe broken",           "\xf0\x9f\x92\xbe\xf0\x9f\x94\xa5",
    };
    FmRun *run = figures_fixture_new();
    g_autofree char *endless = g_strnfill(300, 'W');

    g_autoptr(FmFacts) facts = fm_facts_new();
    fm_facts_set_string(facts, "drive.model", texts[0]);
    fm_facts_set_string(facts, "drive.firmware", endless);
    fm_facts_set_string(facts, "drive.bus", texts[4]);
    fm_facts_merge(run->drive, facts);
    g_free(run->plan_id);
    run->plan_id = g_strdup(texts[2]);
    g_free(run->version);
    run->version = g_strdup(texts[3]);
    for (guint i = 0; i < run->steps->len; i++) {
        FmRunStep *step = run->steps->pdata[i];
        g_free(step->label);
        step->label = g_strdup(i % 6 == 5 ? endless : texts[i % 6]);
        g_free(step->backend);
        step->backend = g_strdup(texts[i % G_N_ELEMENTS(texts)]);
        /* Names of labels instead of workloads. */
        if (step->n_streams > 0 && step->streams[0].n_blocks > 0) {
            step->streams[0].blocks[0].size = i % 2 == 0 ? step->streams[0].blocks[0].size : 0;
        }
    }
    return run;
}

void
figures_fixture_bind_catalogues(void)
{
    g_autofree char *folder = g_build_filename(g_getenv("G_TEST_BUILDDIR"), "..", "po", NULL);

    bindtextdomain(GETTEXT_PACKAGE, folder);
}
