/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The built-in plans walked by the real drivers, with steps that do nothing: every plan
 * comes to its end, its steps have the paths that exporters and figures look for, and
 * what a plan names (a step to settle, a stream to vary) is really there.
 */
#include "fake-driver.h"

#include "model/plan-cost.h"
#include "store/plan-files.h"

#include <limits.h>
#include <string.h>

#define TIB (UINT64_C(1) << 40)

static FmPlan *
load(const char *id, const char *setting)
{
    const char *const settings[] = {setting, NULL};
    g_autoptr(GError) error = NULL;
    FmPlan *plan = fm_plan_files_load(id, settings, &error);
    g_assert_no_error(error);
    return plan;
}

/* Walks @plan on a raw drive of 1 TiB or on its own file. */
static void
walk(Fake *fake, const FmPlan *plan)
{
    g_autoptr(GError) error = NULL;
    bool is_file = fm_plan_has_file_form(plan);
    fake->actions.target_kind = is_file ? FM_TARGET_FOLDER : FM_TARGET_DEVICE;
    fake->actions.target_size = is_file && !plan->file_size.relative ? plan->file_size.value : TIB;
    FmOutcome outcome = fm_driver_run(plan, &fake->actions, &error);
    g_assert_no_error(error);
    g_assert_cmpint(outcome, ==, FM_OUTCOME_COMPLETE);
}

/* Paths of all steps but warm-ups, one a line. */
static GPtrArray *
list_steps(const Fake *fake)
{
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    g_auto(GStrv) lines = g_strsplit(fake->trace->str, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        if (g_ascii_isdigit((*line)[0]) && !g_str_has_suffix(*line, "(warm-up)")) {
            g_ptr_array_add(paths, g_strdup(strchr(*line, ' ') + 1));
        }
    }
    return paths;
}

static void
test_all_end(void)
{
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = files->pdata[i];
        g_autoptr(FmPlan) plan = load(file->id, NULL);
        g_auto(Fake) fake;
        fake_init(&fake);
        walk(&fake, plan);

        g_test_message("%s", file->id);
        g_autoptr(GPtrArray) steps = list_steps(&fake);
        g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
        unsigned min;
        unsigned max;
        fm_driver_count_steps(plan, &min, &max);
        g_assert_cmpuint(steps->len, <=, max);
        for (guint j = 0; j < steps->len; j++) {
            g_assert_true(g_hash_table_add(seen, steps->pdata[j]));
        }
    }
}

static void
assert_has_step(const char *id, const char *setting, const char *path)
{
    g_autoptr(FmPlan) plan = load(id, setting);
    g_auto(Fake) fake;
    fake_init(&fake);
    walk(&fake, plan);
    g_autoptr(GPtrArray) steps = list_steps(&fake);
    for (guint i = 0; i < steps->len; i++) {
        if (strcmp(steps->pdata[i], path) == 0) {
            return;
        }
    }
    g_test_message("%s", fake.trace->str);
    g_error("%s has no step %s", id, path);
}

static void
test_paths(void)
{
    static const struct {
        const char *id;
        const char *setting;
        const char *path;
    } cases[] = {
        {"cdm-default", NULL, "read/seq1m-q8t1/run=1"},
        {"cdm-nvme", NULL, "write/rnd4k-q32t16/run=3"},
        {"cdm-nvme", "mix=70", "mix/rnd4k-q1t1/run=2"},
        {"cdm-default", "count=1", "write/rnd4k-q32t1/run=1"},
        {"cdm-custom", NULL, "read/row3/run=1"},
        {"quick", NULL, "cdm/read/seq1m-q8t1/run=1"},
        {"quick", NULL, "low-qd/cells/in-flight=4/read=70%"},
        {"quick", NULL, "corners/rr/in-flight=64"},
        {"quick", NULL, "tail/r70w30"},
        {"c-rwr", NULL, "cells/in-flight=2/read=30%/run=5"},
        {"c-act", NULL, "spans/region=512GiB"},
        {"c-act", NULL, "spans/region=all"},
        {"c-slc", NULL, "cycles/rest=240s/burst"},
        {"c-slc", "rest7=10min", "cycles/rest=600s/burst"},
        {"essd", NULL, "rnd-pc/write"},
        {"essd", "boot=first", "boot/init-random/pass-1"},
        {"c-fill", NULL, "pass-2"},
        {"c-sync-file", NULL, "async"},
        {"e-4c", NULL, "rw/depths/in-flight=256"},
        {"e-tail-file", NULL, "r50w50"},
        {"s-iops-file", NULL, "rounds/run=5/read=0%/block=4KiB"},
        {"s-hir-file", NULL, "idle-50s/run=2"},
        {"a-app", NULL, "ap-db/passes/run=3"},
        {"cssd-linux", NULL, "c-rwr/cells/in-flight=4/read=100%/run=5"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        assert_has_step(cases[i].id, cases[i].setting, cases[i].path);
    }
}

/* Without what it was: "3 a/warm-up=1 (warm-up)" is "a/warm-up=1"; NULL = no step. */
static char *
dup_path(const char *line)
{
    const char *begin = g_ascii_isdigit(*line) ? strchr(line, ' ') : NULL;
    const char *end = begin != NULL ? strstr(begin, " (") : NULL;

    if (begin == NULL) {
        return NULL;
    }
    return end != NULL ? g_strndup(begin + 1, (gsize)(end - begin - 1)) : g_strdup(begin + 1);
}

/* What is forecast is what the driver does: the same steps in the same order, but for those
 * that a search adds. */
static void
test_forecast(void)
{
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = files->pdata[i];
        g_autoptr(FmPlan) plan = load(file->id, NULL);
        g_auto(Fake) fake;
        fake_init(&fake);
        walk(&fake, plan);
        FmCostBasis basis = {
            .target_size = fake.actions.target_size,
            .block_size = fake.actions.block_size,
            .is_file = fake.actions.target_kind == FM_TARGET_FOLDER,
            .is_filled = true,
        };
        g_autoptr(GArray) list = fm_plan_cost_list(plan, &basis);
        g_auto(GStrv) lines = g_strsplit(fake.trace->str, "\n", -1);
        guint next = 0;
        int64_t end_ns = 0;
        for (char **line = lines; *line != NULL; line++) {
            g_autofree char *path = dup_path(*line);
            const FmStepCost *step =
                next < list->len ? &g_array_index(list, FmStepCost, next) : NULL;
            if (step != NULL && g_strcmp0(path, step->path) == 0) {
                g_assert_cmpint(step->begin_ns, >=, end_ns);
                end_ns = step->begin_ns + step->time_ns;
                next++;
            }
        }
        g_test_message("%s: %u of %u", file->id, next, list->len);
        g_assert_cmpuint(next, ==, list->len);
        g_assert_cmpint(fm_plan_cost(plan, &basis).time_ns, >=, end_ns);
    }
}

/* Every read row, then every write row, each with its warm-up first. */
static void
test_cdm_order(void)
{
    g_autoptr(FmPlan) plan = load("cdm-real", "count=2");
    g_auto(Fake) fake;
    fake_init(&fake);
    walk(&fake, plan);
    g_assert_cmpstr(fake.trace->str, ==,
                    "0 read/seq1m-q1t1/warm-up=1 (warm-up)\n"
                    "1 read/seq1m-q1t1/run=1\n"
                    "2 read/seq1m-q1t1/run=2\n"
                    "rest read 5\n"
                    "3 read/rnd4k-q1t1/warm-up=1 (warm-up)\n"
                    "4 read/rnd4k-q1t1/run=1\n"
                    "5 read/rnd4k-q1t1/run=2\n"
                    "rest  5\n"
                    "6 write/seq1m-q1t1/warm-up=1 (warm-up)\n"
                    "7 write/seq1m-q1t1/run=1\n"
                    "8 write/seq1m-q1t1/run=2\n"
                    "rest write 5\n"
                    "9 write/rnd4k-q1t1/warm-up=1 (warm-up)\n"
                    "10 write/rnd4k-q1t1/run=1\n"
                    "11 write/rnd4k-q1t1/run=2\n");
}

/* Steady results end the rounds of the SNIA plans at once: the step they name exists. */
static void
test_rounds_settle(void)
{
    static const char *const ids[] = {"s-iops-file", "s-tp-file", "s-lat-file"};
    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        g_autoptr(FmPlan) plan = load(ids[i], NULL);
        g_auto(Fake) fake;
        fake_init(&fake);
        walk(&fake, plan);
        g_assert_nonnull(strstr(fake.trace->str, "rounds/run=5/"));
        g_assert_null(strstr(fake.trace->str, "rounds/run=6/"));
    }
}

int
main(int argc, char **argv)
{
    /* A user's own plans must not change what is tested here. */
    g_setenv("XDG_CONFIG_HOME", "/nonexistent", TRUE);
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    g_unsetenv("FATHOM_PLAN_DIR");
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/plans/every-plan-comes-to-its-end", test_all_end);
    g_test_add_func("/engine/plans/steps-have-the-agreed-paths", test_paths);
    g_test_add_func("/engine/plans/forecast-lists-the-steps-that-run", test_forecast);
    g_test_add_func("/engine/plans/cdm-runs-in-crystaldiskmarks-order", test_cdm_order);
    g_test_add_func("/engine/plans/snia-rounds-watch-a-step-that-exists", test_rounds_settle);
    return g_test_run();
}
