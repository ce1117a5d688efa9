/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said about a run in few words: nothing is said of a plain good one, and nothing that
 * makes numbers doubtful is left out.
 */
#include "ui/run-summary.h"

#include "run-fixture.h"
#include "ui/fact-list.h"
#include "ui/run-output.h"

#include <string.h>

static bool
has_remark(const GPtrArray *remarks, const char *part)
{
    for (guint i = 0; i < remarks->len; i++) {
        const FmRunRemark *remark = g_ptr_array_index(remarks, i);
        if (strstr(remark->text, part) != NULL) {
            return true;
        }
    }
    return false;
}

static FmRunFixture *
new_fixture(void)
{
    FmRunFixture *fixture = fm_run_fixture_new();

    fm_run_fixture_add_head(fixture, "quick");
    return fixture;
}

static void
add_step(FmRunFixture *fixture, const char *outcome)
{
    FmFixtureStep step = {.n_ios = 1000, .outcome = outcome};

    fm_run_fixture_add_step(fixture, &step);
}

static void
test_good_run(void)
{
    g_autoptr(FmRunFixture) fixture = new_fixture();

    add_step(fixture, "complete");
    fm_run_fixture_add_end(fixture, "complete");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(GPtrArray) remarks = fm_run_summary_list_remarks(run, false);
    g_assert_cmpuint(remarks->len, ==, 0);
    g_autofree char *headline = fm_run_summary_dup_headline(run);
    g_assert_true(g_str_has_prefix(headline, "read "));
    g_assert_null(strstr(headline, "write"));
}

/* What a frame adds is said, and seriously where it is serious. */
static void
test_doubtful_runs(void)
{
    static const struct {
        FmFrameKind kind;
        const char *frame;
        const char *remark;
        bool is_serious;
    } cases[] = {
        {FM_FRAME_TARGET, "{'kind': <'model'>}", "Simulated", true},
        {FM_FRAME_TARGET, "{'kind': <'null'>}", "No drive", true},
        {FM_FRAME_TARGET, "{'verdict': <'memory'>}", "Memory", true},
        {FM_FRAME_TARGET, "{'verdict': <'may-be-cached'>, 'verdict-reason': <'FUSE'>}", "(FUSE)",
         true},
        {FM_FRAME_TARGET, "{'verdict': <'unknown'>}", "Nothing proves", false},
        {FM_FRAME_END, "{'outcome': <'stopped'>, 'reason': <''>}", "Stopped on request", false},
        {FM_FRAME_END, "{'outcome': <'failed'>, 'reason': <'the disk is full'>}",
         "(the disk is full)", true},
        {FM_FRAME_END, "{'outcome': <'refused'>, 'reason': <'no'>}", "refused", true},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRunFixture) fixture = new_fixture();
        add_step(fixture, "complete");
        fm_run_fixture_add_text(fixture, cases[i].kind, cases[i].frame);
        if (cases[i].kind != FM_FRAME_END) {
            fm_run_fixture_add_end(fixture, "complete");
        }
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        g_autoptr(GPtrArray) remarks = fm_run_summary_list_remarks(run, false);
        g_assert_cmpuint(remarks->len, >=, 1);
        g_assert_true(has_remark(remarks, cases[i].remark));
        const FmRunRemark *first = g_ptr_array_index(remarks, 0);
        g_assert_cmpint(first->is_serious, ==, cases[i].is_serious);
    }
}

static void
test_unfinished_runs(void)
{
    g_autoptr(FmRunFixture) fixture = new_fixture();
    FmFixtureStep cut = {.n_ios = 10, .is_cut = true};

    fm_run_fixture_add_step(fixture, &cut);
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(GPtrArray) remarks = fm_run_summary_list_remarks(run, false);
    g_assert_true(has_remark(remarks, "Cut off"));
    g_autoptr(GPtrArray) busy = fm_run_summary_list_remarks(run, true);
    g_assert_false(has_remark(busy, "Cut off"));
    g_assert_true(has_remark(busy, "still going on"));
    g_autofree char *headline = fm_run_summary_dup_headline(run);
    g_assert_cmpstr(headline, ==, "");
}

static void
test_steps(void)
{
    g_autoptr(FmRunFixture) fixture = new_fixture();
    FmFixtureStep step = {.n_ios = 1000, .errors = 3, .host_limited = true, .outcome = "complete"};

    fm_run_fixture_add_step(fixture, &step);
    fm_run_fixture_add_end(fixture, "complete");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(GPtrArray) remarks = fm_run_summary_list_remarks(run, false);
    g_assert_true(has_remark(remarks, "3 I/Os failed"));
    g_assert_true(has_remark(remarks, "this computer"));
    g_assert_true(((FmRunRemark *)g_ptr_array_index(remarks, 0))->is_serious);
}

static void
test_failed_steps_have_no_headline(void)
{
    g_autoptr(FmRunFixture) fixture = new_fixture();

    add_step(fixture, "failed");
    fm_run_fixture_add_end(fixture, "complete");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autofree char *headline = fm_run_summary_dup_headline(run);
    g_assert_cmpstr(headline, ==, "");
}

static void
test_names(void)
{
    static const struct {
        const char *drive;
        const char *stem;
    } cases[] = {
        {"Samsung SSD 990", "-quick-Samsung-SSD-990"},
        {"../../etc/passwd", "-quick-..-..-etc-passwd"},
        {"<b>&amp;\"'", "-quick-b-amp"},
        {"삼성 990", "-quick-삼성-990"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRunFixture) fixture = new_fixture();
        fm_run_fixture_add(fixture, FM_FRAME_DRIVE,
                           g_variant_new_parsed("{'drive.model': <%s>}", cases[i].drive));
        g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
        g_autofree char *stem = fm_run_summary_dup_stem(run);
        g_assert_true(g_str_has_suffix(stem, cases[i].stem));
        g_assert_null(strchr(stem, '/'));
        g_autofree char *title = fm_run_summary_dup_title(run);
        g_assert_nonnull(strstr(title, cases[i].drive));
    }
}

static void
test_facts(void)
{
    g_autoptr(FmRunFixture) fixture = new_fixture();

    fm_run_fixture_add_text(fixture, FM_FRAME_ENVIRONMENT,
                            "{'cpu.model': <('no such file',)>, 'kernel.release': <'6.1'>}");
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autofree char *text = fm_run_dup_form(run, FM_RUN_FACTS, NULL);
    g_assert_nonnull(strstr(text, "kernel.release: 6.1\n"));
    g_assert_nonnull(strstr(text, "cpu.model: (unknown: no such file)\n"));
    g_assert_nonnull(strstr(text, "\nDrive\n"));
}

static void
test_forms(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    static const char *const parts[FM_N_RUN_FORMS] = {
        [FM_RUN_TABLE] = "MB/s",
        [FM_RUN_SUMMARY] = "SEQ1M Q8T1",
        [FM_RUN_FACTS] = "drive.model",
        [FM_RUN_CSV] = "\r\n",
        [FM_RUN_JSON] = "\"format-version\"",
    };

    for (int i = 0; i < FM_N_RUN_FORMS; i++) {
        g_autofree char *text = fm_run_dup_form(run, (FmRunForm)i, NULL);
        g_assert_nonnull(strstr(text, parts[i]));
    }
}

int
main(int argc, char **argv)
{
    g_setenv("TZ", "UTC", TRUE);
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/ui/run-summary/" path, test)
    ADD("a-good-run-has-no-remarks", test_good_run);
    ADD("what-makes-numbers-doubtful-is-said", test_doubtful_runs);
    ADD("a-run-without-end-is-cut-off-or-going-on", test_unfinished_runs);
    ADD("errors-and-limits-of-steps-are-said", test_steps);
    ADD("failed-steps-are-no-headline", test_failed_steps_have_no_headline);
    ADD("names-are-safe-for-files", test_names);
    ADD("unknown-facts-have-reasons", test_facts);
    ADD("every-form-is-whole", test_forms);
#undef ADD
    return g_test_run();
}
