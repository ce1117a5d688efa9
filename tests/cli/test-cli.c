/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom-cli as a user and as a script meet it: real processes, real runs on a model
 * drive and on a small real file.
 */
#include "cli/cli.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "platform/platform.h"

/* Short steps: the clock of a model drive is virtual, its CPU time is not. */
#define MODEL_SETTINGS "--set size=64MiB --set measure=1s --set count=1 --set interval=0s"

/* What a command gave. */
typedef struct {
    int exit_code;
    char *output;
    char *errors;
} Result;

static char *root; /* home of everything; removed at the end */

static void
result_clear(Result *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->errors, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

/* Runs fathom-cli with the blank-separated words of @line. */
static Result
run_in(const char *language, const char *line)
{
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *full = g_strdup_printf("%s %s", program, line);
    g_auto(GStrv) words = NULL;
    g_autoptr(GError) error = NULL;
    g_autoptr(GSubprocessLauncher) launcher =
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE);
    Result result = {0};

    g_assert_true(g_shell_parse_argv(full, NULL, &words, NULL));
    g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv(launcher, "LANGUAGE", language, TRUE);
    g_subprocess_launcher_set_cwd(launcher, root);
    g_autoptr(GSubprocess) process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)words, &error);
    g_assert_no_error(error);
    g_assert_true(
        g_subprocess_communicate_utf8(process, NULL, NULL, &result.output, &result.errors, &error));
    g_assert_no_error(error);
    g_assert_true(g_subprocess_get_if_exited(process));
    result.exit_code = g_subprocess_get_exit_status(process);
    return result;
}

static Result
run(const char *line)
{
    return run_in("en", line);
}

static void
run_ok(const char *line)
{
    g_auto(Result) result = run(line);

    if (result.exit_code != FM_EXIT_OK) {
        g_test_message("%s: exit code %d: %s", line, result.exit_code, result.errors);
    }
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
}

static unsigned
count_entries(const char *folder)
{
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    unsigned n_entries = 0;

    g_assert_nonnull(dir);
    while (g_dir_read_name(dir) != NULL) {
        n_entries++;
    }
    return n_entries;
}

static void
remove_tree(const char *path)
{
    g_autoptr(GDir) dir =
        g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
    const char *name;

    while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
        g_autofree char *child = g_build_filename(path, name, NULL);
        remove_tree(child);
    }
    g_remove(path);
}

static const char *const command_names[] = {"run",   "plans",     "drives",  "status", "attach",
                                            "pause", "stop",      "resume",  "list",   "export",
                                            "dump",  "selfcheck", "figures", "figure"};

/* --- Words ---------------------------------------------------------------------------- */

static void
test_exit_codes(void)
{
    static const struct {
        const char *line;
        int exit_code;
    } cases[] = {
        {"--version", FM_EXIT_OK},
        {"--help", FM_EXIT_OK},
        {"help run", FM_EXIT_OK},
        {"drives", FM_EXIT_OK},
        {"drives --json", FM_EXIT_OK},
        {"plans", FM_EXIT_OK},
        {"plans --json", FM_EXIT_OK},
        {"plans cdm-default", FM_EXIT_OK},
        {"status", FM_EXIT_OK},
        {"status --json", FM_EXIT_OK},
        {"list", FM_EXIT_OK},
        {"list --json", FM_EXIT_OK},
        {"", FM_EXIT_USAGE},
        {"frobnicate", FM_EXIT_USAGE},
        {"run", FM_EXIT_USAGE},
        {"run quick", FM_EXIT_USAGE},
        {"run quick . surplus", FM_EXIT_USAGE},
        {"run quick ''", FM_EXIT_USAGE},
        {"selfcheck ''", FM_EXIT_USAGE},
        {"stop ''", FM_EXIT_USAGE},
        {"run cdm-demo null --backend sync", FM_EXIT_REFUSED},
        {"run cdm-demo sim:ideal --backend null", FM_EXIT_REFUSED},
        {"run cdm-demo . --set size=64GiB --keep-free 1000TiB", FM_EXIT_REFUSED},
        {"run quick . --frobnicate", FM_EXIT_USAGE},
        {"run quick . --set size", FM_EXIT_USAGE},
        {"run quick . --set nonsense=1", FM_EXIT_USAGE},
        {"run quick null --keep-free much", FM_EXIT_USAGE},
        {"export last --format pdf", FM_EXIT_USAGE},
        {"export last --format json --ticks", FM_EXIT_USAGE},
        {"run quick /dev/null", FM_EXIT_USAGE},
        {"run quick nowhere", FM_EXIT_REFUSED},
        {"stop", FM_EXIT_REFUSED},
        {"attach zzzzzz", FM_EXIT_REFUSED},
        {"export nowhere", FM_EXIT_FAILED},
        {"dump nowhere", FM_EXIT_FAILED},
        {"dump /dev/null", FM_EXIT_FAILED},
        {"dump .", FM_EXIT_FAILED},
        {"export .", FM_EXIT_FAILED},
        {"export /dev/zero --ticks", FM_EXIT_FAILED},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Result) result = run(cases[i].line);
        g_test_message("%s: %d, %s", cases[i].line, result.exit_code, result.errors);
        g_assert_cmpint(result.exit_code, ==, cases[i].exit_code);
        if (cases[i].exit_code == FM_EXIT_OK) {
            g_assert_cmpstr(result.errors, ==, "");
        } else if (*cases[i].line != '\0') {
            /* One sentence. */
            g_assert_true(g_str_has_prefix(result.errors, "fathom-cli: "));
            g_assert_true(g_str_has_suffix(result.errors, ".\n"));
            g_assert_true(strchr(result.errors, '\n')[1] == '\0');
        }
    }
}

/* What would be written is told, and nothing is: no run, no file. */
static void
test_dry_run(void)
{
    g_auto(Result) before = run("list");
    g_auto(Result) card = run("run cdm-demo . --set size=16MiB --dry-run");
    g_auto(Result) after = run("list");

    g_assert_cmpint(card.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(card.output, "\nWrites "));
    g_assert_null(strstr(card.output, "MB/s"));
    g_assert_cmpstr(before.output, ==, after.output);
}

/* Runs @line with a shell; its exit code. */
static int
run_shell(const char *line)
{
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *script = g_strdup_printf("cd '%s' || exit; '%s' %s", root, program, line);
    const char *words[] = {"sh", "-c", script, NULL};
    g_autofree char *errors = NULL;
    int status = 0;

    g_assert_true(g_spawn_sync(NULL, (char **)words, NULL,
                               G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL,
                               &errors, &status, NULL));
    g_test_message("%s: %s", line, errors);
    g_assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A full disk behind ">" is told; a closed descriptor is what somebody wanted. */
static void
test_full_standard_output(void)
{
    if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS)) {
        g_test_skip("there is no /dev/full here");
        return;
    }
    g_assert_cmpint(run_shell("plans >/dev/full"), ==, FM_EXIT_FAILED);
    g_assert_cmpint(run_shell("plans --json >/dev/full"), ==, FM_EXIT_FAILED);
    g_assert_cmpint(run_shell("frobnicate >/dev/full"), ==, FM_EXIT_USAGE);
    g_assert_cmpint(
        run_shell("run cdm-demo sim:ideal --output closed.fathom " MODEL_SETTINGS " >&- 2>&- <&-"),
        ==, FM_EXIT_OK);
    run_ok("export closed.fathom");
}

static void
test_help_has_examples(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(command_names); i++) {
        g_autofree char *line = g_strdup_printf("%s --help", command_names[i]);
        g_autofree char *example = g_strdup_printf("\n  fathom-cli %s", command_names[i]);
        g_auto(Result) result = run(line);
        g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
        g_assert_nonnull(strstr(result.output, "Examples:"));
        g_assert_nonnull(strstr(result.output, example));
        g_assert_nonnull(strstr(result.output, "Exit codes:"));
    }
}

static void
test_korean(void)
{
    g_auto(Result) help = run_in("ko", "help");
    if (strstr(help.output, "사용법") == NULL) {
        g_test_skip("gettext does not translate in this locale");
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(command_names); i++) {
        g_autofree char *line = g_strdup_printf("%s --help", command_names[i]);
        g_auto(Result) result = run_in("ko", line);
        g_assert_nonnull(strstr(result.output, "종료 코드:"));
        g_assert_null(strstr(result.output, "Examples:"));
    }
    g_auto(Result) unknown = run_in("ko", "frobnicate");
    g_assert_nonnull(strstr(unknown.errors, "“frobnicate” 명령이 없습니다."));
}

/* --- Runs ----------------------------------------------------------------------------- */

static void
test_run_on_model(void)
{
    g_auto(Result) result = run("run cdm-default sim:ideal --output model.fathom " MODEL_SETTINGS);

    g_test_message("%s", result.errors);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(result.output, "simulated"));
    g_assert_nonnull(strstr(result.output, "model.fathom"));
    run_ok("export model.fathom --format json --output model.json");
    run_ok("export model.fathom --format csv");
    run_ok("export model.fathom --format csv --ticks");
    run_ok("export model.fathom");
    run_ok("dump model.fathom");

    g_auto(Result) again = run("run cdm-default sim:ideal --output model.fathom " MODEL_SETTINGS);
    g_assert_cmpint(again.exit_code, ==, FM_EXIT_REFUSED);
}

/* An export never takes the place of a run, and never replaces what is no file. */
static void
test_export_places(void)
{
    g_autofree char *link = g_build_filename(root, "link.json", NULL);
    g_autofree char *linked = g_build_filename(root, "linked.json", NULL);
    g_autofree char *pipe = g_build_filename(root, "pipe", NULL);

    run_ok("run cdm-demo sim:ideal --output places.fathom " MODEL_SETTINGS);
    g_auto(Result) refused = run("export places.fathom --format json --output places.fathom");
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
    run_ok("export places.fathom --format json --output places.json");
    run_ok("export places.fathom --format json --output places.json");

    g_assert_true(g_file_set_contents(linked, "", 0, NULL));
    g_assert_cmpint(symlink("linked.json", link), ==, 0);
    run_ok("export places.fathom --format json --output link.json");
    g_assert_true(g_file_test(link, G_FILE_TEST_IS_SYMLINK));
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(linked, &text, NULL, NULL));
    g_assert_cmpint(*text, ==, '{');

    g_assert_cmpint(mkfifo(pipe, 0600), ==, 0);
    g_assert_cmpint(run_shell("export places.fathom --format json --output pipe & "
                              "cat pipe >piped.json; wait"),
                    ==, FM_EXIT_OK);
    g_assert_false(g_file_test(pipe, G_FILE_TEST_IS_REGULAR));
    g_auto(Result) folder = run("export places.fathom --output .");
    g_assert_cmpint(folder.exit_code, ==, FM_EXIT_FAILED);
}

/* Latency of the reads of run @name; min <= every percentile in order <= max. */
static void
check_percentiles(const char *name, unsigned n_ios)
{
    g_autofree char *line = g_strdup_printf("export %s --format json", name);
    g_auto(Result) exported = run(line);
    json_t *json = json_loads(exported.output, 0, NULL);
    json_t *step = json_array_get(json_object_get(json, "steps"), 0);
    json_t *reads = json_object_get(json_object_get(step, "results"), "read");
    json_t *latency = json_object_get(reads, "latency");
    json_t *deviation = json_object_get(latency, "deviation-ns");
    double max = json_number_value(json_object_get(latency, "max-ns"));
    double last = json_number_value(json_object_get(latency, "min-ns"));
    json_t *percentile;
    size_t i;

    g_assert_cmpuint(
        g_ascii_strtoull(json_string_value(json_object_get(latency, "count")), NULL, 10), ==,
        n_ios);
    g_assert_cmpfloat(last, >, 0);
    g_assert_cmpuint(json_array_size(json_object_get(latency, "percentiles")), >, 4);
    json_array_foreach(json_object_get(latency, "percentiles"), i, percentile)
    {
        double value = json_number_value(json_object_get(percentile, "ns"));
        double percent = json_number_value(json_object_get(percentile, "percent"));
        bool is_sufficient = json_is_true(json_object_get(percentile, "sufficient"));
        g_assert_cmpfloat(value, >=, last);
        g_assert_true(is_sufficient == (n_ios * (100 - percent) / 100 >= 10));
        last = value;
    }
    /* The nearest rank of the highest percentile is the last of all samples. */
    g_assert_cmpfloat(last, ==, max);
    g_assert_true(json_is_null(deviation) == (n_ios == 1));
    json_decref(json);
}

/* BUGS 6 and 7. */
static void
test_few_samples(void)
{
    static const unsigned counts[] = {1, 3, 90, 1000};
    g_autofree char *folder = g_build_filename(root, "few", NULL);
    g_autofree char *path = g_build_filename(root, "few.json", NULL);

    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
        g_autofree char *plan = g_strdup_printf(
            "{\"fathom-plan\": 1, \"id\": \"few\", \"name\": \"Few\", \"file-size\": \"4MiB\","
            " \"phases\": [{\"kind\": \"measure\", \"id\": \"m\", \"streams\": [{"
            "\"read\": \"100%%\", \"pattern\": \"random\", \"block\": \"4KiB\","
            " \"in-flight\": 1}], \"stop\": {\"bytes\": \"%uKiB\"}}]}",
            4 * counts[i]);
        g_autofree char *name = g_strdup_printf("few-%u.fathom", counts[i]);
        g_autofree char *line =
            g_strdup_printf("run ./few.json few --yes-cached --keep-free 0 --output %s", name);
        g_assert_true(g_file_set_contents(path, plan, -1, NULL));
        run_ok(line);
        check_percentiles(name, counts[i]);
    }
    g_assert_cmpuint(count_entries(folder), ==, 0);
}

/* Two threads on one virtual clock, with a ramp: neither may wait for the other forever. */
static void
test_threads_on_model(void)
{
    static const char plan[] =
        "{\"fathom-plan\": 1, \"id\": \"two\", \"name\": \"Two\", \"file-size\": \"64MiB\","
        " \"phases\": [{\"kind\": \"measure\", \"id\": \"m\", \"ramp\": \"250ms\","
        " \"streams\": [{\"read\": \"50%\", \"write\": \"50%\", \"pattern\": \"random\","
        " \"block\": \"4KiB\", \"in-flight\": 64, \"threads\": 2}],"
        " \"stop\": {\"time\": \"600ms\"}}]}";
    g_autofree char *path = g_build_filename(root, "two.json", NULL);

    g_assert_true(g_file_set_contents(path, plan, -1, NULL));
    run_ok("run ./two.json sim:ideal --output two.fathom");
}

static void
test_json_is_alone_on_standard_output(void)
{
    g_auto(Result) result =
        run("run cdm-demo sim:ideal --json --output json.fathom " MODEL_SETTINGS);
    json_error_t error;
    json_t *json = json_loads(result.output, JSON_REJECT_DUPLICATES, &error);

    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(json);
    json_decref(json);
}

static void
test_run_on_file(void)
{
    g_autofree char *folder = g_build_filename(root, "target", NULL);

    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_auto(Result) result =
        run("run cdm-demo target --yes-cached --keep-free 0 --output real.fathom "
            "--set size=64M --set measure=1s --set count=1 --set interval=0s");
    g_test_message("%s", result.errors);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_nonnull(strstr(result.output, "64 MiB"));
    g_assert_cmpuint(count_entries(folder), ==, 0);
    /* That a drive has no poll queues is no news; that it can't have io_uring is. */
    const char *fallback = strstr(result.errors, "Fallback: ");
    g_assert_true(fallback == NULL || strstr(fallback, " uring: ") != NULL);

    static const char *const formats[] = {"json", "csv", "csv --ticks", "text", "cdm"};
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autofree char *line = g_strdup_printf("export real.fathom --format %s", formats[i]);
        g_auto(Result) exported = run(line);
        g_assert_cmpint(exported.exit_code, ==, FM_EXIT_OK);
        g_assert_cmpuint(strlen(exported.output), >, 100);
    }
}

static void
test_selfcheck(void)
{
    g_autofree char *folder = g_build_filename(root, "checked", NULL);

    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_auto(Result) result = run("selfcheck checked");
    g_test_message("%s%s", result.output, result.errors);
    g_assert_cmpint(result.exit_code, <=, FM_EXIT_FAILED);
    g_assert_nonnull(strstr(result.output, "integrity"));
    g_assert_cmpuint(count_entries(folder), ==, 0);
    g_auto(Result) refused = run("selfcheck nowhere");
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
}

static char *
find_detached(const char *output)
{
    json_t *json = json_loads(output, 0, NULL);

    g_assert_nonnull(json);
    char *id = g_strdup(json_string_value(json_object_get(json, "id")));
    json_decref(json);
    g_assert_nonnull(id);
    return id;
}

static void
test_detached_run(void)
{
    g_autofree char *folder = g_build_filename(root, "detached", NULL);

    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    g_auto(Result) started =
        run("run cdm-default detached --yes-cached --keep-free 0 --output detached.fathom "
            "--set size=16MiB --set measure=10s --set interval=0s --detach --json");
    g_test_message("%s", started.errors);
    g_assert_cmpint(started.exit_code, ==, FM_EXIT_OK);
    g_autofree char *id = find_detached(started.output);
    g_auto(Result) status = run("status");
    g_assert_nonnull(strstr(status.output, id));
    run_ok("pause");
    run_ok("resume");
    g_autofree char *stop = g_strdup_printf("stop %s", id);
    run_ok(stop);
    g_auto(Result) after = run("status");
    g_assert_null(strstr(after.output, id));
    g_assert_cmpuint(count_entries(folder), ==, 0);
    run_ok("export detached.fathom");
}

/* A long run in the folder @name, as words for fathom-cli. */
static char *
dup_long_run(const char *name)
{
    g_autofree char *folder = g_build_filename(root, name, NULL);

    g_assert_cmpint(g_mkdir(folder, 0700), ==, 0);
    return g_strdup_printf("run cdm-demo %s --yes-cached --keep-free 0 --output %s.fathom "
                           "--set size=16MiB --set measure=60s --set interval=0s",
                           name, name);
}

static unsigned
count_runs(void)
{
    g_auto(Result) status = run("status --json");
    json_t *json = json_loads(status.output, 0, NULL);
    unsigned n_runs = (unsigned)json_array_size(json);

    json_decref(json);
    return n_runs;
}

static void
wait_for_runs(unsigned n_runs)
{
    for (unsigned i = 0; count_runs() != n_runs; i++) {
        g_assert_cmpuint(i, <, 500);
        g_usleep(20000);
    }
}

static void
test_interrupt_stops(void)
{
    g_autofree char *folder = g_build_filename(root, "interrupted", NULL);
    g_autofree char *words = dup_long_run("interrupted");
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *line = g_strdup_printf("%s %s", program, words);
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    g_auto(GStrv) arguments = g_strsplit(line, " ", -1);
    g_autoptr(GError) error = NULL;

    wait_for_runs(0); /* of the cases before */
    g_subprocess_launcher_set_cwd(launcher, root);
    g_autoptr(GSubprocess) process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)arguments, &error);
    g_assert_no_error(error);
    wait_for_runs(1);
    g_subprocess_send_signal(process, SIGINT);
    g_assert_true(g_subprocess_wait(process, NULL, NULL));
    g_assert_cmpint(g_subprocess_get_exit_status(process), ==, FM_EXIT_STOPPED);
    g_assert_cmpuint(count_entries(folder), ==, 0);
    g_assert_cmpuint(count_runs(), ==, 0);
    run_ok("export interrupted.fathom --format json");
}

static void
stop_detached(const Result *started)
{
    g_autofree char *id = find_detached(started->output);
    g_autofree char *line = g_strdup_printf("stop %s", id);

    run_ok(line);
}

/* Two runs on one drive: only with a yes, and then the second one says so. */
static void
test_one_run_a_drive(void)
{
    g_autoptr(GPtrArray) drives = plat_target_drives(root);
    if (drives->len == 0) {
        g_test_skip("the folder for temporary files lies on no drive");
        return;
    }
    g_autofree char *first_words = dup_long_run("first");
    g_autofree char *second_words = dup_long_run("second");
    g_autofree char *folder = g_build_filename(root, "second", NULL);
    g_autofree char *first_line = g_strconcat(first_words, " --detach --json", NULL);
    g_autofree char *second_line = g_strconcat(second_words, " --detach --json", NULL);
    g_autofree char *shared_line = g_strconcat(second_line, " --allow-shared", NULL);

    wait_for_runs(0);
    g_auto(Result) first = run(first_line);
    g_assert_cmpint(first.exit_code, ==, FM_EXIT_OK);
    g_autofree char *id = find_detached(first.output);
    g_auto(Result) refused = run(second_line);
    g_test_message("%s", refused.errors);
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
    g_assert_nonnull(strstr(refused.errors, id));
    g_assert_cmpuint(count_runs(), ==, 1);
    g_assert_cmpuint(count_entries(folder), ==, 0);

    g_auto(Result) shared = run(shared_line);
    g_assert_cmpint(shared.exit_code, ==, FM_EXIT_OK);
    stop_detached(&shared);
    stop_detached(&first);
    g_auto(Result) text = run("export second.fathom");
    g_assert_nonnull(strstr(text.output, "disturb each other"));
    g_autofree char *output = g_build_filename(root, "second.fathom", NULL);
    g_assert_cmpint(g_unlink(output), ==, 0);
    g_auto(Result) last = run(second_line);
    g_test_message("%s", last.errors);
    g_assert_cmpint(last.exit_code, ==, FM_EXIT_OK);
    stop_detached(&last);
}

/* The terminal of a foreground run closes: the run does not notice. */
static void
test_terminal_closes(void)
{
    g_autofree char *script = g_find_program_in_path("script");
    int status = -1;
    if (script == NULL) {
        g_test_skip("script(1) is not installed");
        return;
    }
    if (!g_spawn_command_line_sync("script -qefc true /dev/null", NULL, NULL, &status, NULL) ||
        status != 0) {
        g_test_skip("there are no pseudo-terminals here");
        return;
    }
    g_autofree char *words = dup_long_run("terminal");
    g_autofree char *program = plat_find_program("fathom-cli");
    g_autofree char *line = g_strdup_printf("%s %s", program, words);
    g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
        G_SUBPROCESS_FLAGS_STDOUT_SILENCE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
    const char *arguments[] = {script, "-qefc", line, "/dev/null", NULL};
    g_autoptr(GError) error = NULL;

    wait_for_runs(0);
    g_subprocess_launcher_set_cwd(launcher, root);
    g_autoptr(GSubprocess) terminal = g_subprocess_launcher_spawnv(launcher, arguments, &error);
    g_assert_no_error(error);
    wait_for_runs(1);
    g_subprocess_force_exit(terminal);
    g_assert_true(g_subprocess_wait(terminal, NULL, NULL));
    g_usleep(300000);
    g_assert_cmpuint(count_runs(), ==, 1);
    run_ok("pause");
    run_ok("resume");
    run_ok("stop");
    g_assert_cmpuint(count_runs(), ==, 0);
}

static void
make_root(void)
{
    /* Beside the build, since /tmp may be memory. */
    g_autofree char *template = g_build_filename(g_getenv("G_TEST_BUILDDIR"), "cli-XXXXXX", NULL);

    root = g_mkdtemp(g_steal_pointer(&template));
    g_assert_nonnull(root);
    static const char *const variables[] = {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"};
    for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
        g_autofree char *folder = g_build_filename(root, variables[i], NULL);
        g_setenv(variables[i], folder, TRUE);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    make_root();
    g_test_add_func("/cli/cli/exit-codes-are-as-documented", test_exit_codes);
    g_test_add_func("/cli/cli/dry-run-only-tells", test_dry_run);
    g_test_add_func("/cli/cli/full-standard-output-is-told", test_full_standard_output);
    g_test_add_func("/cli/cli/help-of-every-command-has-examples", test_help_has_examples);
    g_test_add_func("/cli/cli/korean-is-complete", test_korean);
    g_test_add_func("/cli/cli/run-on-a-model-exports-in-all-formats", test_run_on_model);
    g_test_add_func("/cli/cli/export-goes-into-what-is-no-file", test_export_places);
    g_test_add_func("/cli/cli/few-samples-are-told", test_few_samples);
    g_test_add_func("/cli/cli/threads-share-a-virtual-clock", test_threads_on_model);
    g_test_add_func("/cli/cli/json-is-alone-on-standard-output",
                    test_json_is_alone_on_standard_output);
    g_test_add_func("/cli/cli/run-on-a-file-leaves-the-folder-empty", test_run_on_file);
    g_test_add_func("/cli/cli/detached-run-obeys-and-ends", test_detached_run);
    g_test_add_func("/cli/cli/drive-has-one-run-at-a-time", test_one_run_a_drive);
    g_test_add_func("/cli/cli/interrupt-stops-in-order", test_interrupt_stops);
    g_test_add_func("/cli/cli/run-survives-its-terminal", test_terminal_closes);
    g_test_add_func("/cli/cli/selfcheck-tells-each-check", test_selfcheck);
    int result = g_test_run();
    remove_tree(root);
    g_free(root);
    return result;
}
