/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes plausible runs for tests: see run-fixture.h.
 */
#define G_LOG_DOMAIN "fathom"

#include "run-fixture.h"

#include "model/tick.h"

#include <string.h>

enum {
    ROWS_PER_FRAME = 10,
    /* A clock of 3 GHz. */
    NS_NUMERATOR = 1,
    NS_DENOMINATOR = 3,
};

static const int64_t slot_ns = (int64_t)FM_TICK_INTERVAL_MS * 1000 * 1000;
static const int64_t wall_us = INT64_C(1787407500123456); /* 2026-08-22 14:05:00.123456 UTC */

FmRunFixture *
fm_run_fixture_new(void)
{
    FmRunFixture *fixture = g_new0(FmRunFixture, 1);

    fixture->bytes = g_byte_array_new();
    return fixture;
}

void
fm_run_fixture_free(FmRunFixture *fixture)
{
    if (fixture != NULL) {
        g_byte_array_unref(fixture->bytes);
        g_free(fixture);
    }
}

void
fm_run_fixture_add(FmRunFixture *fixture, FmFrameKind kind, GVariant *dictionary)
{
    fm_frame_encode_variant(fixture->bytes, kind, fixture->sequence++, dictionary);
}

void
fm_run_fixture_add_text(FmRunFixture *fixture, FmFrameKind kind, const char *text)
{
    fm_run_fixture_add(fixture, kind, g_variant_new_parsed(text));
}

static void
add_payload(FmRunFixture *fixture, FmFrameKind kind, const GByteArray *payload)
{
    fm_frame_encode(fixture->bytes, kind, fixture->sequence++, payload->data, payload->len);
}

void
fm_run_fixture_add_head(FmRunFixture *fixture, const char *plan_id)
{
    g_autofree char *hash = g_strnfill(64, 'a');

    fm_run_fixture_add(fixture, FM_FRAME_HELLO,
                       g_variant_new_parsed("{'protocol': <uint32 1>, 'version': <'0.1.0'>, "
                                            "'role': <'worker'>, 'pid': <uint32 4711>, "
                                            "'wall': <%x>}",
                                            wall_us));
    fm_run_fixture_add_text(fixture, FM_FRAME_ENVIRONMENT,
                            "{'os.name': <'Debian GNU/Linux 12'>, 'kernel.release': <'6.1.0-18'>, "
                            "'cpu.model': <'Model Ü 8-core'>, 'cpu.cores': <uint64 8>, "
                            "'board.name': <('needs root',)>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_DRIVE,
                            "{'drive.model': <'Samsung SSD 990 PRO 2TB'>, 'drive.serial': "
                            "<'S7KHNJ0W000000X'>, 'drive.firmware': <'4B2QJXD7'>, 'drive.bus': "
                            "<'nvme'>, 'drive.size-bytes': <uint64 2000398934016>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_TARGET,
                            "{'kind': <'folder'>, 'path': <'/mnt/bench'>, 'size': <uint64 "
                            "1073741824>, 'free': <uint64 500000000000>, 'block-size': <uint32 "
                            "512>, 'verdict': <'direct'>, 'verdict-reason': <'The device counted "
                            "the same bytes'>, 'file': <'/mnt/bench/fathom.test'>, 'facts': "
                            "<{'fs.type': <'ext4'>, 'fs.mount-options': <'rw,relatime'>}>}");
    fm_run_fixture_add(
        fixture, FM_FRAME_PLAN,
        g_variant_new_parsed("{'id': <%s>, 'name': <'A plan, \"quoted\"'>, 'hash': <%s>, 'plan': "
                             "<'{}'>, 'settings': <['size=1GiB', 'count=2', 'measure=5s', "
                             "'interval=5s']>, 'expected-ns': <int64 90000000000>, "
                             "'expected-bytes-written': <uint64 9007199254740993>, 'seed': "
                             "<uint64 18446744073709551615>, 'wall': <%x>}",
                             plan_id, hash, wall_us));
}

/* --- One step --------------------------------------------------------------------- */

/* What is being made of a step, beside its description. */
typedef struct {
    FmFixtureStep spec;
    FmHist hist[2]; /* read, write */
    GArray *ticks;
    uint64_t random;
    int64_t measured_ns;
    uint64_t latency_sum_ns[2];
} Making;

static uint64_t
next_random(Making *making)
{
    making->random = making->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return making->random >> 33;
}

/* Clock ticks: 0.9 to 1.3 times the typical latency, one in a hundred five times as
 * long, one in a thousand thirty times. */
static uint64_t
next_latency(Making *making)
{
    uint64_t latency_ns = (uint64_t)making->spec.latency_us * 1000;
    uint64_t draw = next_random(making) % 1000;

    latency_ns = latency_ns * (900 + next_random(making) % 400) / 1000;
    latency_ns *= draw == 0 ? 30 : draw < 10 ? 5 : 1;
    return latency_ns * NS_DENOMINATOR / NS_NUMERATOR;
}

static void
count_io(FmTickDirection *direction, uint32_t *ios, uint32_t block, uint64_t latency_ns)
{
    direction->bytes += block;
    direction->latency_sum_ns += latency_ns;
    direction->latency_max_ns = MAX(direction->latency_max_ns, latency_ns);
    (*ios)++;
}

static void
issue_io(Making *making, FmTick *tick)
{
    bool is_write =
        making->spec.is_write || next_random(making) % FM_SHARE_WHOLE < making->spec.write_share;
    uint64_t latency = next_latency(making);
    uint64_t latency_ns = latency * NS_NUMERATOR / NS_DENOMINATOR;

    fm_hist_record(&making->hist[is_write], latency);
    making->latency_sum_ns[is_write] += latency_ns;
    if (is_write) {
        count_io(&tick->write, &tick->write_ios, making->spec.block, latency_ns);
    } else {
        count_io(&tick->read, &tick->read_ios, making->spec.block, latency_ns);
    }
}

/* Rows of an even flow of I/Os; the last one is cut in its middle. */
static void
make_ticks(Making *making)
{
    const FmFixtureStep *spec = &making->spec;
    int64_t io_ns = (int64_t)spec->latency_us * 1100 / spec->in_flight;

    making->measured_ns = MAX(io_ns * spec->n_ios, 1);
    uint32_t done = 0;
    for (int64_t end_ns = slot_ns; done < spec->n_ios; end_ns += slot_ns) {
        bool is_last = end_ns >= making->measured_ns;
        FmTick tick = {
            .end_ns = (uint64_t)(is_last ? making->measured_ns : end_ns),
            .temperature_dc = FM_TEMPERATURE_UNKNOWN,
            .cpu_permille = 125,
            .flags = is_last ? FM_TICK_PARTIAL : 0,
        };
        uint32_t until = is_last ? spec->n_ios : (uint32_t)(end_ns / MAX(io_ns, 1));
        for (; done < MIN(until, spec->n_ios); done++) {
            issue_io(making, &tick);
        }
        g_array_append_val(making->ticks, tick);
    }
}

static void
add_begin(FmRunFixture *fixture, const FmFixtureStep *spec)
{
    g_auto(GVariantDict) parameters;
    uint32_t write_share = spec->is_write ? FM_SHARE_WHOLE : spec->write_share;

    g_variant_dict_init(&parameters, NULL);
    if (spec->run > 0) {
        g_variant_dict_insert(&parameters, "run", "t", (guint64)spec->run);
    }
    GVariant *stream = g_variant_new_parsed(
        "{'id': <'main'>, 'op-share': <[%u, %u, 0, 0]>, 'pattern': <%s>, 'blocks': <[(%u, "
        "uint32 1)]>, 'in-flight': <%u>, 'threads': <%u>, 'region-offset': <uint64 0>, "
        "'region-size': <uint64 1073741824>, 'sync': <false>, 'buffered': <false>, 'data': "
        "<'random'>}",
        (guint32)(FM_SHARE_WHOLE - write_share), write_share, spec->pattern, spec->block,
        spec->in_flight, spec->threads);
    GVariant *begin = g_variant_new_parsed(
        "{'step': <%u>, 'path': <%s>, 'kind': <%s>, 'label': <%s>, 'workload': <%s>, "
        "'parameters': <%*>, 'discard': <%b>, 'streams': <[%*]>, 'backend': <'uring'>, 'mode': "
        "<'interrupt'>, 'backend-facts': <{'queue.polling-proof': <('the drive has no poll "
        "queues',)>}>, 'cpus': <[uint32 2]>, 'ramp-ns': <int64 0>, "
        "'ns-per-tick-numerator': <%t>, 'ns-per-tick-denominator': <%t>, 'start-ns': <%x>, "
        "'wall': <%x>}",
        (guint32)spec->number, spec->path, spec->kind, spec->label, spec->workload,
        g_variant_dict_end(&parameters), (gboolean)spec->discard, stream, (guint64)NS_NUMERATOR,
        (guint64)NS_DENOMINATOR, (gint64)spec->number * 10 * 1000 * 1000 * 1000,
        wall_us + (gint64)spec->number * 10 * 1000 * 1000);
    fm_run_fixture_add(fixture, FM_FRAME_PHASE_BEGIN, begin);
}

static void
add_ticks(FmRunFixture *fixture, const Making *making)
{
    for (guint i = 0; i < making->ticks->len; i += ROWS_PER_FRAME) {
        g_autoptr(GByteArray) payload = g_byte_array_new();
        fm_tick_encode(payload, making->spec.number, &g_array_index(making->ticks, FmTick, i),
                       MIN(ROWS_PER_FRAME, making->ticks->len - i));
        add_payload(fixture, FM_FRAME_TICK, payload);
    }
}

static void
add_result(FmRunFixture *fixture, Making *making)
{
    const FmFixtureStep *spec = &making->spec;
    uint64_t latency_sum_ns = making->latency_sum_ns[0] + making->latency_sum_ns[1];

    for (unsigned op = FM_OP_READ; op <= FM_OP_WRITE; op++) {
        if (making->hist[op].count == 0) {
            continue;
        }
        FmHistKey key = {
            .step = spec->number,
            .stream = FM_HIST_ALL_STREAMS,
            .op = op,
            .ns_per_tick_numerator = NS_NUMERATOR,
            .ns_per_tick_denominator = NS_DENOMINATOR,
        };
        g_autoptr(GByteArray) payload = g_byte_array_new();
        fm_hist_encode(payload, &key, &making->hist[op]);
        add_payload(fixture, FM_FRAME_HISTOGRAM, payload);
    }

    guint64 reads = making->hist[FM_OP_READ].count;
    guint64 writes = making->hist[FM_OP_WRITE].count;
    GVariant *end = g_variant_new_parsed(
        "{'step': <%u>, 'outcome': <%s>, 'ended-by': <%s>, 'measured-ns': <%x>, 'ios': <[%t, %t, "
        "0, 0]>, 'bytes': <[%t, %t, 0, 0]>, 'latency-sum-ns': <[%t, %t, 0, 0]>, 'errors': <%t>, "
        "'cpu-ns': <%x>, 'in-flight-mean': <%d>, 'host-limited': <%b>, 'context-switches': "
        "<uint64 12>}",
        (guint32)spec->number, spec->outcome, spec->errors > 0 ? "error" : "time",
        making->measured_ns, reads, writes, reads * spec->block, writes * spec->block,
        making->latency_sum_ns[0], making->latency_sum_ns[1], (guint64)spec->errors,
        (gint64)(reads + writes) * 1500, (double)latency_sum_ns / (double)making->measured_ns,
        (gboolean)spec->host_limited);
    g_auto(GVariantDict) whole;
    g_autoptr(GVariant) owned = g_variant_ref_sink(end);
    g_variant_dict_init(&whole, owned);
    if (spec->reason != NULL) {
        g_variant_dict_insert(&whole, "reason", "s", spec->reason);
    }
    if (spec->host_limited) {
        g_variant_dict_insert(&whole, "host-limited-reason", "s", "The processor was busy");
    }
    if (spec->foreign_bytes > 0) {
        g_variant_dict_insert(&whole, "disturbed", "b", TRUE);
        g_variant_dict_insert(&whole, "foreign-bytes", "t", (guint64)spec->foreign_bytes);
    }
    fm_run_fixture_add(fixture, FM_FRAME_PHASE_END, g_variant_dict_end(&whole));
}

static FmFixtureStep
with_defaults(const FmFixtureStep *step)
{
    FmFixtureStep spec = *step;

    spec.path = spec.path != NULL ? spec.path : "step";
    spec.kind = spec.kind != NULL ? spec.kind : "measure";
    spec.label = spec.label != NULL ? spec.label : "";
    spec.workload = spec.workload != NULL ? spec.workload : "";
    spec.pattern = spec.pattern != NULL ? spec.pattern : "random";
    spec.outcome = spec.outcome != NULL ? spec.outcome : "complete";
    spec.block = spec.block != 0 ? spec.block : 4096;
    spec.in_flight = spec.in_flight != 0 ? spec.in_flight : 1;
    spec.threads = spec.threads != 0 ? spec.threads : 1;
    spec.latency_us = spec.latency_us != 0 ? spec.latency_us : 80;
    return spec;
}

void
fm_run_fixture_add_step(FmRunFixture *fixture, const FmFixtureStep *step)
{
    Making making = {
        .spec = with_defaults(step),
        .ticks = g_array_new(FALSE, FALSE, sizeof(FmTick)),
        .random = step->number + 1,
    };

    fm_hist_init(&making.hist[0], FM_HIST_PHASE_BITS);
    fm_hist_init(&making.hist[1], FM_HIST_PHASE_BITS);
    make_ticks(&making);
    add_begin(fixture, &making.spec);
    add_ticks(fixture, &making);
    if (!making.spec.is_cut) {
        add_result(fixture, &making);
    }
    fm_hist_clear(&making.hist[0]);
    fm_hist_clear(&making.hist[1]);
    g_array_unref(making.ticks);
}

void
fm_run_fixture_add_end(FmRunFixture *fixture, const char *outcome)
{
    fm_run_fixture_add(fixture, FM_FRAME_END,
                       g_variant_new_parsed("{'outcome': <%s>, 'reason': <''>, 'wall': <%x>}",
                                            outcome, wall_us + 95 * 1000 * 1000));
}

FmRun *
fm_run_fixture_fold(const FmRunFixture *fixture)
{
    FmRun *run = fm_run_new();

    g_assert_true(fm_run_read(run, fixture->bytes->data, fixture->bytes->len, NULL));
    return run;
}

/* --- A whole run ------------------------------------------------------------------ */

FmRunFixture *
fm_run_fixture_new_cdm(void)
{
    static const FmFixtureStep rows[] = {
        {.label = "SEQ1M Q8T1",
         .path = "seq1m-q8t1",
         .pattern = "sequential",
         .block = 1 << 20,
         .in_flight = 8,
         .n_ios = 600,
         .latency_us = 1150},
        {.label = "SEQ1M Q1T1",
         .path = "seq1m-q1t1",
         .pattern = "sequential",
         .block = 1 << 20,
         .n_ios = 400,
         .latency_us = 240},
        {.label = "RND4K Q32T1",
         .path = "rnd4k-q32t1",
         .in_flight = 32,
         .n_ios = 12000,
         .latency_us = 55},
        {.label = "RND4K Q1T1", .path = "rnd4k-q1t1", .n_ios = 2500, .latency_us = 48},
    };
    static const char *const groups[] = {"read", "write", "mix"};
    FmRunFixture *fixture = fm_run_fixture_new();
    unsigned number = 0;

    fm_run_fixture_add_head(fixture, "cdm-default");
    for (unsigned group = 0; group < G_N_ELEMENTS(groups); group++) {
        for (unsigned row = 0; row < G_N_ELEMENTS(rows); row++) {
            for (unsigned run = 0; run <= 2; run++) {
                g_autofree char *path =

                    run == 0 ? g_strdup_printf("%s/%s/warm-up=1", groups[group], rows[row].path)
                             : g_strdup_printf("%s/%s/run=%u", groups[group], rows[row].path, run);
                FmFixtureStep step = rows[row];
                bool is_failing = group == 1 && row == 1 && run == 2;
                step.number = number++;
                step.path = path;
                step.workload = "C-CDM";
                step.run = run;
                step.discard = run == 0;
                step.is_write = group == 1;
                step.write_share = group == 2 ? 3000 : 0;
                step.latency_us += run * 3 + group * 10;
                step.host_limited = group == 0 && row == 2;
                step.foreign_bytes = group == 2 && row == 3 ? 2500000 : 0;
                step.outcome = is_failing ? "failed" : NULL;
                step.reason = is_failing ? "No space left at offset 1048576" : NULL;
                step.errors = is_failing ? 3 : 0;
                fm_run_fixture_add_step(fixture, &step);
            }
        }
    }
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE,
                            "{'kind': <'fallback'>, 'text': <'Polling is not available, so "
                            "completions came by interrupt'>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE,
                            "{'kind': <'error'>, 'text': <'Writing failed: No space left'>, "
                            "'step': <uint32 17>, 'code': <28>, 'offset': <uint64 1048576>, 'op': "
                            "<'write'>}");
    fm_run_fixture_add_end(fixture, "complete");
    return fixture;
}
