/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The CrystalDiskMark-style table: the score maths, which steps make a row, and that
 * what failed is neither hidden nor scored.
 */
#include "analysis/cdm.h"
#include "run-fixture.h"

#include <math.h>

#define PRECISION 1e-6

static void
test_score(void)
{
    static const FmCdmResult results[] = {
        {1000e6, 80000},
        {1798e6, 90000},
        {1500e6, 70000},
    };
    FmCdmScore score = fm_cdm_score(results, 3, 4096);

    /* The best rate and the lowest latency come from different repetitions. */
    g_assert_cmpfloat(score.best, ==, 1798e6);
    g_assert_cmpfloat(score.lowest_mean_ns, ==, 70000);
    g_assert_cmpfloat_with_epsilon(score.best_iops, 1798e6 / 4096, PRECISION);
    g_assert_cmpfloat(score.median, ==, 1500e6);
    g_assert_cmpfloat(score.min, ==, 1000e6);
    g_assert_cmpfloat(score.max, ==, 1798e6);

    g_assert_true(isnan(fm_cdm_score(results, 3, 0).best_iops));
    FmCdmScore none = fm_cdm_score(NULL, 0, 4096);
    g_assert_true(isnan(none.best) && isnan(none.best_iops) && isnan(none.lowest_mean_ns));
    g_assert_true(isnan(none.median) && isnan(none.min) && isnan(none.max));
}

static const FmCdmRow *
row_at(const FmCdmTable *table, guint index)
{
    g_assert_cmpuint(index, <, table->rows->len);
    return table->rows->pdata[index];
}

static void
test_whole_run(void)
{
    static const char *const names[] = {"SEQ1M Q8T1", "SEQ1M Q1T1", "RND4K Q32T1", "RND4K Q1T1"};
    static const FmCdmGroup groups[] = {FM_CDM_READ, FM_CDM_WRITE, FM_CDM_MIX};
    static const uint32_t shares[] = {10000, 0, 7000};
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(FmCdmTable) table = fm_cdm_table_new(run);

    g_assert_cmpuint(table->rows->len, ==, 12);
    for (guint i = 0; i < table->rows->len; i++) {
        const FmCdmRow *row = row_at(table, i);
        bool is_failed = i == 5;
        g_autofree char *name = fm_cdm_row_dup_name(row);
        g_assert_cmpstr(name, ==, names[i % 4]);
        g_assert_cmpstr(row->label, ==, names[i % 4]);
        g_assert_cmpint(row->group, ==, groups[i / 4]);
        g_assert_cmpuint(row->read_share, ==, shares[i / 4]);
        g_assert_cmpint(row->is_random, ==, i % 4 >= 2);
        g_assert_cmpuint(row->n_results, ==, is_failed ? 1 : 2);
        g_assert_cmpfloat(row->score.min, <=, row->score.median);
        g_assert_cmpfloat(row->score.median, <=, row->score.best);
        g_assert_cmpfloat(row->cpu_ns_per_io, ==, 1500);
        g_assert_cmpint(row->is_host_limited, ==, i == 2);
        g_assert_cmpint(row->is_disturbed, ==, i == 11);
        g_assert_cmpint(row->foreign_bytes, ==, i == 11 ? 5000000 : -1);
        g_assert_cmpint(row->problem != NULL, ==, is_failed);
    }
    g_assert_cmpstr(fm_message_get_text(row_at(table, 5)->problem), ==,
                    "No space left at offset 1048576");
    g_assert_cmpstr(row_at(table, 5)->path, ==, "write/seq1m-q1t1");
    g_assert_cmpstr(fm_message_get_text(row_at(table, 2)->host_limited_reason), ==,
                    "The processor was busy");

    /* The first row by hand: 600 x 1 MiB in 600 x 1.1 x 1153 (or 1156) / 8 us; run 0, which
     * would be the fastest, is the warm-up. */
    const FmCdmRow *first = row_at(table, 0);
    g_assert_cmpuint(first->depth, ==, 8);
    g_assert_cmpuint(first->threads, ==, 1);
    g_assert_cmpfloat_with_epsilon(first->score.best, 1048576 * 1e9 / (1153 * 1100 / 8), 1e5);
    g_assert_cmpfloat_with_epsilon(first->score.min, 1048576 * 1e9 / (1156 * 1100 / 8), 1e5);
    g_assert_cmpuint(first->latency.n, ==, 1200);
    g_assert_true(first->latency.values[FM_P90].is_sufficient);
    g_assert_false(first->latency.values[FM_P99_9].is_sufficient);
    g_assert_cmpfloat(first->score.lowest_mean_ns, <=, first->latency.mean_ns);
    g_assert_cmpfloat_with_epsilon(first->in_flight, 8, 1);
}

/* A table of the steps, as a run that ended or one that goes on. */
static FmCdmTable *
make_table(const FmFixtureStep *steps, gsize n, const char *outcome)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    fm_run_fixture_add_head(fixture, "cdm-default");
    for (gsize i = 0; i < n; i++) {
        FmFixtureStep step = steps[i];
        step.number = (unsigned)i;
        step.n_ios = 100;
        fm_run_fixture_add_step(fixture, &step);
    }
    if (outcome != NULL) {
        fm_run_fixture_add_end(fixture, outcome);
    }
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    return fm_cdm_table_new(run);
}

static void
test_rows_are_made_of_paths(void)
{
    static const FmFixtureStep steps[] = {
        {.path = "write/a/run=1", .is_write = true},
        {.path = "read/a/warm-up=1", .discard = true, .in_flight = 64, .threads = 4},
        {.path = "read/a/run=1", .in_flight = 64, .threads = 4},
        {.path = "fill", .kind = "precondition", .is_write = true},
        {.path = "read/a/run=12", .in_flight = 64, .threads = 4},
        {.path = "read/ab/run=1"},
        {.path = "single"},
        {.path = "run=1"},
    };
    static const struct {
        const char *path;
        unsigned n_results;
        unsigned depth;
    } rows[] = {
        {"read/a", 2, 16}, {"read/ab", 1, 1}, {"single", 1, 1}, {"", 1, 1}, {"write/a", 1, 1},
    };
    g_autoptr(FmCdmTable) table = make_table(steps, G_N_ELEMENTS(steps), "complete");

    g_assert_cmpuint(table->rows->len, ==, G_N_ELEMENTS(rows));
    for (guint i = 0; i < table->rows->len; i++) {
        g_assert_cmpstr(row_at(table, i)->path, ==, rows[i].path);
        g_assert_cmpuint(row_at(table, i)->n_results, ==, rows[i].n_results);
        g_assert_cmpuint(row_at(table, i)->depth, ==, rows[i].depth);
        g_assert_null(row_at(table, i)->label);
        g_assert_null(row_at(table, i)->problem);
    }
}

static void
test_problems(void)
{
    static const struct {
        FmFixtureStep last;
        const char *run_outcome;
        unsigned n_results;
        const char *problem;
    } cases[] = {
        {{.path = "a/run=2"}, "complete", 2, NULL},
        {{.path = "a/run=2", .outcome = "failed", .reason = "The drive is gone"},
         "failed",
         1,
         "The drive is gone"},
        {{.path = "a/run=2", .outcome = "failed"}, "failed", 1, "It failed"},
        {{.path = "a/run=2", .outcome = "stopped"}, "stopped", 1, "It was stopped"},
        {{.path = "a/run=2", .errors = 3}, "complete", 2, "3 I/Os failed"},
        {{.path = "a/run=2", .is_cut = true}, "failed", 1, "It was cut off"},
        {{.path = "a/run=2", .is_cut = true}, NULL, 1, NULL},
        {{.path = "a/warm-up=1", .discard = true, .outcome = "failed", .reason = "Cold"},
         "failed",
         1,
         "Cold"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const FmFixtureStep steps[] = {{.path = "a/run=1"}, cases[i].last};
        g_autoptr(FmCdmTable) table = make_table(steps, 2, cases[i].run_outcome);
        g_assert_cmpuint(table->rows->len, ==, 1);
        g_assert_cmpuint(row_at(table, 0)->n_results, ==, cases[i].n_results);
        g_assert_cmpstr(fm_message_get_text(row_at(table, 0)->problem), ==,
                        cases[i].problem != NULL ? cases[i].problem : "");
    }
}

static void
test_row_without_result(void)
{
    static const FmFixtureStep steps[] = {{.path = "a/run=1", .outcome = "failed"}};
    g_autoptr(FmCdmTable) table = make_table(steps, 1, "failed");
    const FmCdmRow *row = row_at(table, 0);

    g_assert_cmpuint(row->n_results, ==, 0);
    g_assert_cmpuint(row->latency.n, ==, 0);
    g_assert_true(isnan(row->score.best) && isnan(row->score.lowest_mean_ns));
    g_assert_true(isnan(row->in_flight) && isnan(row->cpu_ns_per_io));
    g_assert_true(isnan(row->latency.mean_ns));
    g_assert_nonnull(row->problem);
}

/* A clock that was calibrated anew: the same latencies in other ticks. */
static void
test_clocks_are_pooled(void)
{
    static const FmFixtureStep steps[] = {{.path = "a/run=1"}, {.path = "a/run=2"}};
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    for (unsigned i = 0; i < 2; i++) {
        FmFixtureStep step = steps[i];
        step.number = i;
        step.n_ios = 20000;
        fm_run_fixture_add_step(fixture, &step);
    }
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(FmCdmTable) same = fm_cdm_table_new(run);

    /* A third slower ticks make the second run's latencies a third longer. */
    FmRunStep *second = run->steps->pdata[1];
    second->ns_per_tick_numerator = 4;
    second->ns_per_tick_denominator = 9;
    g_autoptr(FmCdmTable) other = fm_cdm_table_new(run);

    const FmPercentiles *before = &row_at(same, 0)->latency;
    const FmPercentiles *after = &row_at(other, 0)->latency;
    g_assert_cmpuint(after->n, ==, 40000);
    g_assert_cmpuint(after->min_ns, ==, before->min_ns);
    g_assert_cmpfloat_with_epsilon((double)after->max_ns, (double)before->max_ns * 4 / 3,
                                   (double)before->max_ns / 50);
    g_assert_cmpfloat_with_epsilon(after->mean_ns, before->mean_ns * 7 / 6, before->mean_ns / 50);

    /* And clocks that a hostile file may claim. */
    second->ns_per_tick_numerator = 0;
    g_autoptr(FmCdmTable) still = fm_cdm_table_new(run);
    g_assert_cmpuint(row_at(still, 0)->latency.n, ==, 40000);
    second->ns_per_tick_numerator = UINT64_MAX;
    second->ns_per_tick_denominator = 1;
    g_autoptr(FmCdmTable) fast = fm_cdm_table_new(run);
    g_assert_cmpuint(row_at(fast, 0)->latency.n, ==, 40000);
}

/* A resumed run does its unfinished step again, under the same number. */
static void
test_resumed_step_counts_once(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep first = {.path = "a/run=1", .n_ios = 100, .outcome = "stopped"};
    FmFixtureStep again = {.path = "a/run=1", .n_ios = 300};
    fm_run_fixture_add_head(fixture, "cdm-default");
    fm_run_fixture_add_step(fixture, &first);
    fm_run_fixture_add_text(fixture, FM_FRAME_HELLO, "{'pid': <uint32 4712>}");
    fm_run_fixture_add_step(fixture, &again);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(FmCdmTable) table = fm_cdm_table_new(run);

    g_assert_cmpuint(run->steps->len, ==, 2);
    g_assert_cmpuint(table->rows->len, ==, 1);
    g_assert_cmpuint(row_at(table, 0)->n_results, ==, 1);
    g_assert_cmpuint(row_at(table, 0)->latency.n, ==, 300);
    g_assert_null(row_at(table, 0)->problem);
}

static void
test_bare_frames(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN,
                            "{'step': <uint32 1>, 'kind': <'measure'>, 'path': <'/run='>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_END,
                            "{'step': <uint32 1>, 'outcome': <'complete'>, 'measured-ns': <int64 "
                            "-5>, 'ios': <[uint64 1, 0, 0, 0]>}");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(FmCdmTable) table = fm_cdm_table_new(run);

    g_assert_cmpuint(table->rows->len, ==, 1);
    g_assert_cmpuint(row_at(table, 0)->n_results, ==, 0);
    g_autofree char *name = fm_cdm_row_dup_name(row_at(table, 0));
    g_assert_cmpstr(name, ==, "SEQ-mixed Q0T1");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/analysis/cdm/score-is-best-and-lowest-mean-apart", test_score);
    g_test_add_func("/analysis/cdm/whole-run-becomes-its-table", test_whole_run);
    g_test_add_func("/analysis/cdm/rows-are-made-of-paths", test_rows_are_made_of_paths);
    g_test_add_func("/analysis/cdm/problems-are-told-and-not-scored", test_problems);
    g_test_add_func("/analysis/cdm/row-without-result-is-unknown", test_row_without_result);
    g_test_add_func("/analysis/cdm/different-clocks-are-pooled", test_clocks_are_pooled);
    g_test_add_func("/analysis/cdm/resumed-step-counts-once", test_resumed_step_counts_once);
    g_test_add_func("/analysis/cdm/bare-frames-do-no-harm", test_bare_frames);
    return g_test_run();
}
