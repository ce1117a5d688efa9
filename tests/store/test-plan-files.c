/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The plans inside the program: each one reads, is its own canonical text, says in two
 * languages what it is, and together they cover the method.  And where a user's own
 * plans are found.
 */
#include "store/plan-files.h"

#include "base/error.h"
#include "model/plan-cost.h"
#include "model/plan-reader.h"

#include <glib/gstdio.h>
#include <string.h>

#define NS_PER_S INT64_C(1000000000)

static FmPlan *
load(const char *id, const char *const *settings)
{
    g_autoptr(GError) error = NULL;
    FmPlan *plan = fm_plan_files_load(id, settings, &error);
    g_assert_no_error(error);
    return plan;
}

/* Loads every built-in plan and gives it to @check. */
static void
for_each_plan(void (*check)(const char *id, const FmPlan *plan))
{
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    g_assert_cmpuint(files->len, >, 80);
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = files->pdata[i];
        g_assert_null(file->path);
        g_autoptr(FmPlan) plan = load(file->id, NULL);
        check(file->id, plan);
    }
}

/* --- Every plan -------------------------------------------------------------------------- */

static void
check_canonical(const char *id, const FmPlan *plan)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) again = fm_plan_read_canonical(plan->canonical, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(again->canonical, ==, plan->canonical);
    g_assert_cmpstr(again->hash, ==, plan->hash);
    g_assert_cmpuint(again->needs, ==, plan->needs);
    g_assert_cmpstr(plan->id, ==, id);
    g_assert_true(again->destructive_on_raw == plan->destructive_on_raw);
}

static void
test_canonical(void)
{
    for_each_plan(check_canonical);
}

/* The plan with every switch turned, every "off" turned on and every choice made. */
static void
check_options(const char *id, const FmPlan *plan)
{
    for (unsigned i = 0; i < plan->n_options; i++) {
        const FmOption *option = &plan->options[i];
        const char *on =
            option->kind == FM_OPTION_SWITCH && strcmp(option->value, "on") == 0 ? "off" : "on";
        const char *value = option->maximum != NULL && option->can_be_off ? option->maximum : NULL;
        value = option->kind == FM_OPTION_SWITCH ? on : value;
        for (char **choice = option->choices; choice != NULL && *choice != NULL; choice++) {
            g_autofree char *setting = g_strconcat(option->key, "=", *choice, NULL);
            const char *const settings[] = {setting, NULL};
            g_autoptr(FmPlan) chosen = load(id, settings);
            check_canonical(id, chosen);
        }
        if (value != NULL) {
            g_autofree char *setting = g_strconcat(option->key, "=", value, NULL);
            const char *const settings[] = {setting, NULL};
            g_autoptr(FmPlan) turned = load(id, settings);
            check_canonical(id, turned);
            g_assert_cmpstr(turned->hash, !=, plan->hash);
        }
    }
}

static void
test_options(void)
{
    for_each_plan(check_options);
}

static void
check_texts(const char *id, const FmPlan *plan)
{
    g_assert_nonnull(plan->name_ko);
    g_assert_nonnull(plan->summary);
    g_assert_nonnull(plan->summary_ko);
    for (unsigned i = 0; i < plan->n_options; i++) {
        g_assert_nonnull(plan->options[i].label);
        g_assert_nonnull(plan->options[i].label_ko);
    }
    /* METHODOLOGY 19.3: words the Korean texts do not use. */
    static const char *const avoided[] = {
        "크리스탈디스크마크",
        "드라이브 채우기",
        "활성 영역",
        "프리컨디셔닝",
        "퍼지",
        "저QD",
        "대기 시간",
        "4코너",
        "꼬리",
        "부트벤치",
        "연결된 복제",
        "전체 복제",
        "읽기 집중",
    };
    for (gsize i = 0; i < G_N_ELEMENTS(avoided); i++) {
        g_assert_null(strstr(plan->canonical, avoided[i]));
    }
}

static void
test_texts(void)
{
    for_each_plan(check_texts);
}

/* Every plan ends where it can be run: on a file it says how large, or what it needs. */
static void
check_runnable(const char *id, const FmPlan *plan)
{
    const uint32_t elsewhere = FM_NEED_RAW_DEVICE | FM_NEED_EXTERNAL | FM_NEED_TRACE;
    g_assert_true(fm_plan_has_file_form(plan) || (plan->needs & elsewhere) != 0);
    if (g_str_has_suffix(id, "-file")) {
        g_assert_cmpuint(plan->needs & (FM_NEED_RAW_DEVICE | FM_NEED_PURGE), ==, 0);
    }
}

static void
test_runnable(void)
{
    static const char *const on_file[] = {
        "quick",       "cdm-default", "cdm-nvme",   "cdm-flash",   "cdm-peak",   "cdm-peak-nvme",
        "cdm-real",    "cdm-demo",    "cdm-custom", "c-sync-file", "c-rwr-file", "c-drt",
        "c-fill-file", "e-4c-file",   "e-sr-file",  "e-sw-file",   "e-rr-file",  "e-rw-file",
        "e-tail-file", "e-ms-file",   "ap-launch",  "ap-gload",    "ap-ginst",   "ap-copy",
        "ap-build",    "ap-arch",     "ap-vid",     "ap-cad",      "ap-sim",     "ap-seis",
        "ap-db",       "s-iops-file",
    };
    for_each_plan(check_runnable);
    for (gsize i = 0; i < G_N_ELEMENTS(on_file); i++) {
        g_autoptr(FmPlan) plan = load(on_file[i], NULL);
        g_assert_cmpuint(plan->needs, ==, 0);
    }
}

/* The example that people start from must be right. */
static void
test_schema_example(void)
{
    g_autofree char *path =
        g_test_build_filename(G_TEST_DIST, "..", "resources", "plans", "SCHEMA.md", NULL);
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, &error));
    char *start = strstr(text, "```json\n");
    g_assert_nonnull(start);
    start += strlen("```json\n");
    *strstr(start, "```") = '\0';
    g_autoptr(FmPlan) plan = fm_plan_read_canonical(start, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(plan->root->children->len, ==, 2);
}

/* --- Coverage ------------------------------------------------------------------------------ */

static void
collect_workloads(GHashTable *found, const FmPhase *phase)
{
    if (phase->workload != NULL) {
        g_hash_table_add(found, g_strdup(phase->workload));
    }
    for (guint i = 0; phase->children != NULL && i < phase->children->len; i++) {
        collect_workloads(found, phase->children->pdata[i]);
    }
}

static GHashTable *all_workloads;

static void
add_workloads(const char *id, const FmPlan *plan)
{
    collect_workloads(all_workloads, plan->root);
}

static void
test_coverage(void)
{
    /* METHODOLOGY 6.0, with 6 V-4C to V-VDI, 9 and 12.6 written out. */
    static const char *const ids[] = {
        "C-CDM",  "C-3DM",   "C-SPEC",   "C-FILL",  "C-ACT",     "C-PC",     "C-SYNC",   "C-RWR",
        "C-SLC",  "C-75",    "C-DRT",    "E-PC",    "E-SR",      "E-SW",     "E-RR",     "E-RW",
        "E-CON",  "E-RI",    "E-MS",     "E-WI",    "E-AI",      "E-TAIL",   "E-QOS",    "E-IU",
        "E-BOOT", "V-RR4",   "V-RW4",    "V-SR64",  "V-SW64",    "V-SQL",    "V-SQL91",  "V-SQL82",
        "V-ORA",  "V-ORA91", "V-ORA82",  "V-FCB",   "V-FCI",     "V-FCM",    "V-LCB",    "V-LCI",
        "V-LCM",  "A-RPL",   "A-APP",    "AP-BOOT", "AP-LAUNCH", "AP-GLOAD", "AP-GINST", "AP-GSAVE",
        "AP-REC", "AP-COPY", "AP-BUILD", "AP-ARCH", "AP-VID",    "AP-CAD",   "AP-SIM",   "AP-SEIS",
        "AP-DB",  "S-WSAT",  "S-IOPS",   "S-TP",    "S-LAT",     "S-HIR",    "S-XSR",
    };
    all_workloads = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for_each_plan(add_workloads);
    for (gsize i = 0; i < G_N_ELEMENTS(ids); i++) {
        g_test_message("%s", ids[i]);
        g_assert_true(g_hash_table_contains(all_workloads, ids[i]));
    }
    g_clear_pointer(&all_workloads, g_hash_table_unref);
}

/* --- CrystalDiskMark's rows ------------------------------------------------------------------ */

static void
append_rows(GString *text, const FmPlan *plan)
{
    for (guint i = 0; i < plan->root->children->len; i++) {
        const FmPhase *group = plan->root->children->pdata[i];
        for (guint j = 0; j < group->children->len; j++) {
            const FmPhase *row = group->children->pdata[j];
            const FmPhase *step = row->children->pdata[0];
            const FmStream *stream = &step->streams[0];
            g_assert_cmpint(row->kind, ==, FM_PHASE_REPEAT);
            g_assert_cmpuint(row->discard, ==, 1);
            g_assert_cmpuint(row->children->len, ==, 1);
            g_assert_null(step->id);
            g_assert_cmpuint(step->n_streams, ==, 1);
            g_assert_cmpstr(step->workload, ==, "C-CDM");
            g_assert_cmpint(step->ramp_ns, ==, 0);
            g_assert_cmpuint(stream->region_size.value, ==, 1000000);
            g_string_append_printf(text, "%s/%s:%u/%u ", group->id, row->id, stream->in_flight,
                                   stream->threads);
        }
    }
}

static void
test_cdm_rows(void)
{
    static const struct {
        const char *id;
        const char *setting;
        const char *rows;
    } cases[] = {
        {"cdm-default", NULL,
         "read/seq1m-q8t1:8/1 read/seq1m-q1t1:1/1 read/rnd4k-q32t1:32/1 read/rnd4k-q1t1:1/1 "
         "write/seq1m-q8t1:8/1 write/seq1m-q1t1:1/1 write/rnd4k-q32t1:32/1 write/rnd4k-q1t1:1/1 "},
        {"cdm-nvme", NULL,
         "read/seq1m-q8t1:8/1 read/seq128k-q32t1:32/1 read/rnd4k-q32t16:512/16 "
         "read/rnd4k-q1t1:1/1 write/seq1m-q8t1:8/1 write/seq128k-q32t1:32/1 "
         "write/rnd4k-q32t16:512/16 write/rnd4k-q1t1:1/1 "},
        {"cdm-flash", NULL,
         "read/seq1m-q8t1:8/1 read/seq1m-q1t1:1/1 read/rnd4k-q32t1:32/1 read/rnd4k-q1t1:1/1 "
         "write/seq1m-q8t1:8/1 write/seq1m-q1t1:1/1 write/rnd4k-q32t1:32/1 write/rnd4k-q1t1:1/1 "},
        {"cdm-peak", NULL,
         "read/seq1m-q8t1:8/1 read/rnd4k-q32t1:32/1 write/seq1m-q8t1:8/1 write/rnd4k-q32t1:32/1 "},
        {"cdm-peak-nvme", "mix=70",
         "read/seq1m-q8t1:8/1 read/rnd4k-q32t16:512/16 write/seq1m-q8t1:8/1 "
         "write/rnd4k-q32t16:512/16 mix/seq1m-q8t1:8/1 mix/rnd4k-q32t16:512/16 "},
        {"cdm-real", NULL,
         "read/seq1m-q1t1:1/1 read/rnd4k-q1t1:1/1 write/seq1m-q1t1:1/1 write/rnd4k-q1t1:1/1 "},
        {"cdm-demo", NULL, "read/seq1m-q8t1:8/1 write/seq1m-q8t1:8/1 "},
        {"cdm-custom", "row1=off",
         "read/row2:32/1 read/row3:512/16 read/row4:1/1 write/row2:32/1 write/row3:512/16 "
         "write/row4:1/1 "},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *const settings[] = {cases[i].setting, NULL};
        g_autoptr(FmPlan) plan = load(cases[i].id, settings);
        g_autoptr(GString) rows = g_string_new(NULL);
        append_rows(rows, plan);
        g_assert_cmpstr(rows->str, ==, cases[i].rows);
    }
}

static void
test_cdm_options(void)
{
    const char *const settings[] = {"size=64MiB", "measure=1s", "count=2", "interval=0s",
                                    "fill=zero",  "mix=70",     NULL};
    g_autoptr(FmPlan) plan = load("cdm-default", settings);
    const FmPhase *mix = plan->root->children->pdata[2];
    const FmPhase *row = mix->children->pdata[0];
    const FmPhase *step = row->children->pdata[0];
    g_assert_cmpuint(plan->file_size.value, ==, 64 << 20);
    g_assert_cmpint(plan->file_data, ==, FM_DATA_ZERO);
    g_assert_cmpint(plan->root->between_ns, ==, 0);
    g_assert_cmpint(mix->between_ns, ==, 0);
    g_assert_cmpint(row->between_ns, ==, 0);
    g_assert_cmpuint(row->count, ==, 2);
    g_assert_cmpint(step->stop.time_ns, ==, NS_PER_S);
    g_assert_cmpuint(step->streams[0].op_share[FM_OP_READ], ==, 7000);
    g_assert_cmpuint(step->streams[0].op_share[FM_OP_WRITE], ==, 3000);
    g_assert_cmpint(step->streams[0].data, ==, FM_DATA_ZERO);
}

/* Eight rows of four runs of 5 s, seven rests of 5 s, and the file. */
static void
test_cdm_cost(void)
{
    g_autoptr(FmPlan) plan = load("cdm-default", NULL);
    FmPlanCost cost = fm_plan_cost(plan, &(FmCostBasis){.is_file = true});
    g_assert_cmpint(cost.time_ns, ==,
                    (8 * 4 * 5 + 7 * 5) * NS_PER_S + 8 * 4 * FM_COST_STEP_NS + 1073741824);
    g_assert_false(cost.time_is_open);
    g_assert_true(cost.bytes_is_estimate);
}

static void
test_quick_cost(void)
{
    static const uint64_t speeds[] = {100000000, 500000000, FM_COST_BYTES_PER_SECOND};
    g_autoptr(FmPlan) plan = load("quick", NULL);
    for (gsize i = 0; i < G_N_ELEMENTS(speeds); i++) {
        FmCostBasis basis = {.is_file = true, .bytes_per_second = speeds[i]};
        FmPlanCost cost = fm_plan_cost(plan, &basis);
        g_assert_cmpint(cost.time_ns, <=, 100 * NS_PER_S);
        g_assert_false(cost.time_is_open);
    }
}

/* --- Where plans are found ---------------------------------------------------------------------
 */

static void
write_plan(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    g_file_set_contents(path, text, -1, &error);
    g_assert_no_error(error);
}

static void
remove_file(const char *folder, const char *name)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_assert_cmpint(g_remove(path), ==, 0);
}

/* plans.gresource.xml is written by hand: nothing in the folder may be missing there. */
static void
test_complete(void)
{
    g_autofree char *folder = g_test_build_filename(G_TEST_DIST, "..", "resources", "plans", NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GDir) dir = g_dir_open(folder, 0, &error);
    g_assert_no_error(error);
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    unsigned n_sources = 0;
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        n_sources += g_str_has_suffix(name, ".json");
    }
    g_assert_cmpuint(files->len, ==, n_sources);
}

#define OWN(id) "{\"fathom-plan\":1,\"id\":\"" id "\",\"name\":\"Own\",\"phases\":"

static void
test_own_plans(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("fathom-plans-XXXXXX", &error);
    g_assert_no_error(error);
    write_plan(folder, "mine.json", OWN("mine") "[{\"kind\":\"include\",\"plan\":\"other\"}]}");
    write_plan(folder, "other.json",
               OWN("other") "[{\"kind\":\"rest\",\"id\":\"r\",\"time\":\"1s\"}]}");
    write_plan(folder, "broken.json", OWN("broken") "\n[}");
    g_autofree char *mine = g_build_filename(folder, "mine.json", NULL);

    /* By path, with what lies beside it; built-in plans stay. */
    g_autoptr(FmPlan) by_path = load(mine, NULL);
    g_assert_cmpstr(by_path->id, ==, "mine");
    g_autoptr(FmPlan) built_in = load("quick", NULL);

    /* By folder: nothing built in any more. */
    g_setenv("FATHOM_PLAN_DIR", folder, TRUE);
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    g_assert_cmpuint(files->len, ==, 3);
    const FmPlanFile *second = files->pdata[1];
    g_assert_cmpstr(second->id, ==, "mine");
    g_assert_cmpstr(second->path, ==, mine);
    g_autoptr(FmPlan) by_id = load("mine", NULL);
    g_assert_cmpstr(by_id->hash, ==, by_path->hash);
    g_assert_null(fm_plan_files_load("quick", NULL, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_clear_error(&error);
    g_assert_null(fm_plan_files_load("broken", NULL, &error));
    g_assert_true(g_str_has_prefix(error->message, "broken.json:2:2: "));
    g_clear_error(&error);
    g_unsetenv("FATHOM_PLAN_DIR");

    remove_file(folder, "mine.json");
    remove_file(folder, "other.json");
    remove_file(folder, "broken.json");
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    g_assert_null(fm_plan_files_load(mine, NULL, &error));
    g_assert_nonnull(error);
}

/* A plan of the user stands in for the built-in one of the same name. */
static void
test_user_wins(void)
{
    g_autofree char *parent = g_build_filename(g_get_user_config_dir(), "fathom", NULL);
    g_autofree char *folder = g_build_filename(parent, "plans", NULL);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    write_plan(folder, "quick.json",
               OWN("quick") "[{\"kind\":\"rest\",\"id\":\"r\",\"time\":\"1s\"}]}");
    g_autoptr(FmPlan) plan = load("quick", NULL);
    g_assert_cmpstr(plan->name, ==, "Own");
    g_autoptr(GPtrArray) files = fm_plan_files_list();
    unsigned n_own = 0;
    for (guint i = 0; i < files->len; i++) {
        const FmPlanFile *file = files->pdata[i];
        n_own += file->path != NULL;
    }
    g_assert_cmpuint(n_own, ==, 1);
    remove_file(folder, "quick.json");
    g_assert_cmpint(g_rmdir(folder), ==, 0);
    g_assert_cmpint(g_rmdir(parent), ==, 0);
    g_autoptr(FmPlan) built_in = load("quick", NULL);
    g_assert_cmpstr(built_in->name, ==, "Quick");
}

int
main(int argc, char **argv)
{
    /* A user's own plans must not change what is tested here. */
    g_autofree char *home = g_dir_make_tmp("fathom-plan-home-XXXXXX", NULL);
    g_assert_nonnull(home);
    g_setenv("XDG_CONFIG_HOME", home, TRUE);
    g_setenv("XDG_DATA_HOME", "/nonexistent", TRUE);
    g_unsetenv("FATHOM_PLAN_DIR");
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/store/plan-files/every-plan-is-its-canonical-text", test_canonical);
    g_test_add_func("/store/plan-files/every-option-can-be-turned", test_options);
    g_test_add_func("/store/plan-files/texts-are-in-two-languages", test_texts);
    g_test_add_func("/store/plan-files/every-plan-can-run-somewhere", test_runnable);
    g_test_add_func("/store/plan-files/schema-example-is-a-plan", test_schema_example);
    g_test_add_func("/store/plan-files/every-workload-has-a-plan", test_coverage);
    g_test_add_func("/store/plan-files/cdm-rows-are-crystaldiskmarks", test_cdm_rows);
    g_test_add_func("/store/plan-files/cdm-options-reach-the-rows", test_cdm_options);
    g_test_add_func("/store/plan-files/cdm-takes-what-its-rows-take", test_cdm_cost);
    g_test_add_func("/store/plan-files/quick-takes-100-seconds-at-most", test_quick_cost);
    g_test_add_func("/store/plan-files/own-plans-are-found", test_own_plans);
    g_test_add_func("/store/plan-files/no-plan-is-left-out", test_complete);
    g_test_add_func("/store/plan-files/users-plan-wins", test_user_wins);
    int status = g_test_run();
    g_rmdir(home);
    return status;
}
