/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures and figure as a reviewer's script meets them: a real run on a model drive with every
 * I/O kept, figures of it as files of every format, in both languages whatever the process
 * speaks, and refusals that say what to write instead.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

#include "base/exit-code.h"
#include "platform/platform.h"

typedef struct {
    int exit_code;
    char *output;
    char *errors;
} Result;

static char *root; /* home of everything; removed at the end */

static const char plan[] =
    "{\"fathom-plan\": 1, \"id\": \"small\", \"name\": \"Small\", \"summary\": \"For tests.\","
    " \"file-size\": \"64 MiB\", \"phases\": ["
    " {\"id\": \"depths\", \"kind\": \"sweep\", \"workload\": \"E-RR\","
    "  \"axes\": [{\"vary\": \"in-flight\", \"values\": [1, 2, 4]}], \"phases\": ["
    "  {\"kind\": \"measure\", \"stop\": {\"time\": \"500ms\"}, \"streams\": [{\"id\": \"main\","
    "   \"block\": \"4 KiB\", \"in-flight\": 1, \"pattern\": \"random\", \"read\": \"100%\","
    "   \"region\": \"100%\"}]}]},"
    " {\"id\": \"logged\", \"kind\": \"measure\", \"workload\": \"E-TAIL\", \"log-ios\": true,"
    "  \"stop\": {\"time\": \"2500ms\"}, \"streams\": [{\"id\": \"main\", \"block\": \"4 KiB\","
    "   \"in-flight\": 1, \"pattern\": \"random\", \"write\": \"100%\", \"region\": \"100%\"}]},"
    " {\"id\": \"both\", \"kind\": \"measure\", \"label\": \"Both\", \"stop\": {\"time\": "
    "\"500ms\"},"
    "  \"streams\": [{\"id\": \"readers\", \"block\": \"4 KiB\", \"in-flight\": 4, \"pattern\":"
    "   \"random\", \"read\": \"100%\", \"region\": \"100%\"}, {\"id\": \"writer\", \"block\":"
    "   \"128 KiB\", \"in-flight\": 1, \"pattern\": \"sequential\", \"write\": \"100%\","
    "   \"region\": \"100%\"}]}]}";

static void
result_clear(Result *result)
{
    g_clear_pointer(&result->output, g_free);
    g_clear_pointer(&result->errors, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Result, result_clear)

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

static void
run_ok(const char *line)
{
    g_auto(Result) result = run_in("en", line);

    if (result.exit_code != FM_EXIT_OK || *result.errors != '\0') {
        g_test_message("%s: exit code %d: %s", line, result.exit_code, result.errors);
    }
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_OK);
    g_assert_cmpstr(result.errors, ==, "");
}

static char *
read_file(const char *name, gsize *length)
{
    g_autofree char *path = g_build_filename(root, name, NULL);
    g_autoptr(GError) error = NULL;
    char *text = NULL;

    g_file_get_contents(path, &text, length, &error);
    g_assert_no_error(error);
    return text;
}

static bool
has_file(const char *name)
{
    g_autofree char *path = g_build_filename(root, name, NULL);

    return g_file_test(path, G_FILE_TEST_IS_REGULAR);
}

/* Width of a PNG in pixels: the first number of its first chunk. */
static guint32
get_png_width(const char *name)
{
    gsize length;
    g_autofree char *bytes = read_file(name, &length);
    guint32 width;

    g_assert_cmpuint(length, >, 24);
    g_assert_cmpmem(bytes, 8, "\x89PNG\r\n\x1a\n", 8);
    memcpy(&width, bytes + 16, sizeof width);
    return GUINT32_FROM_BE(width);
}

/* --- The list ------------------------------------------------------------------------- */

static void
test_list(void)
{
    g_auto(Result) table = run_in("en", "figures r.fathom");
    g_auto(Result) all = run_in("en", "figures r.fathom --all");
    g_auto(Result) json = run_in("en", "figures r.fathom --json");

    g_assert_nonnull(strstr(table.output, "T11:depths"));
    g_assert_nonnull(strstr(table.output, "density:logged"));
    g_assert_nonnull(strstr(table.output, "“--all” lists them."));
    g_assert_null(strstr(table.output, "F80:logged/write"));
    g_assert_nonnull(strstr(all.output, "F80:logged/write"));
    g_assert_nonnull(strstr(all.output, "F80:both/all@readers"));
    g_assert_nonnull(strstr(all.output, "F80:both/all@writer"));

    json_t *array = json_loads(json.output, 0, NULL);
    g_assert_true(json_is_array(array));
    g_assert_cmpuint(json_array_size(array), >, 8);
    const json_t *first = json_array_get(array, 0);
    g_assert_cmpstr(json_string_value(json_object_get(first, "id")), ==, "F80");
    g_assert_true(json_is_string(json_object_get(first, "title")));
    g_assert_true(json_is_false(json_object_get(first, "detail")));
    json_decref(array);
}

/* --- Files ---------------------------------------------------------------------------- */

static void
test_formats(void)
{
    gsize length;

    run_ok("figure r.fathom --id F80 -o tail.png");
    run_ok("figure r.fathom --id F80 -o tail.svg --theme dark");
    run_ok("figure r.fathom --id F80 -o tail.pdf");
    run_ok("figure r.fathom --id F80 -o tail.csv");
    g_assert_cmpuint(get_png_width("tail.png"), ==, 1440);
    g_autofree char *svg = read_file("tail.svg", &length);
    g_assert_nonnull(strstr(svg, "<svg"));
    g_autofree char *pdf = read_file("tail.pdf", &length);
    g_assert_cmpmem(pdf, 5, "%PDF-", 5);
    g_autofree char *csv = read_file("tail.csv", &length);
    g_assert_nonnull(strstr(csv, "RND 4k Write"));
}

static void
test_sizes(void)
{
    static const struct {
        const char *options;
        guint32 width;
    } cases[] = {{"--scale 1", 720},       {"--scale 3", 2160},
                 {"--size wide", 3579},    {"--size tail", 3875},
                 {"--size old", 1000},     {"--size 640x480", 640},
                 {"--size natural", 1440}, {"--no-title --no-caption", 1440}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *line =
            g_strdup_printf("figure r.fathom --id F80 -o size.png %s", cases[i].options);
        run_ok(line);
        g_assert_cmpuint(get_png_width("size.png"), ==, cases[i].width);
    }
}

/* Of two streams each has a tail of its own, and they are not the same. */
static void
test_streams(void)
{
    gsize length;

    run_ok("figure r.fathom --id F80:both/all@readers -o readers.csv");
    run_ok("figure r.fathom --id F80:both/all@writer -o writer.csv");
    run_ok("figure r.fathom --id F80:both/write -o writes.csv");
    g_autofree char *readers = read_file("readers.csv", &length);
    g_autofree char *writer = read_file("writer.csv", &length);
    g_autofree char *writes = read_file("writes.csv", &length);
    g_assert_cmpstr(readers, !=, writer);
    /* All writes are the writer's: the same numbers under another name. */
    g_auto(GStrv) of_stream = g_strsplit(writer, "\n", -1);
    g_auto(GStrv) of_op = g_strsplit(writes, "\n", -1);
    g_assert_cmpuint(g_strv_length(of_stream), ==, g_strv_length(of_op));
}

/* Same run, same options, same bytes: a figure holds no time of making. */
static void
test_again(void)
{
    gsize first_length;
    gsize second_length;

    run_ok("figure r.fathom --id time:logged -o a.png");
    run_ok("figure r.fathom --id time:logged -o b.png");
    g_autofree char *first = read_file("a.png", &first_length);
    g_autofree char *second = read_file("b.png", &second_length);
    g_assert_cmpmem(first, first_length, second, second_length);
}

static void
test_folder(void)
{
    g_auto(Result) all = run_in("en", "figure r.fathom copy.fathom -o figures/");
    g_auto(GStrv) names = g_strsplit(all.output, "\n", -1);

    g_assert_cmpstr(all.errors, ==, "");
    g_assert_cmpint(all.exit_code, ==, FM_EXIT_OK);
    for (char **name = names; **name != '\0'; name++) {
        g_assert_true(has_file(*name));
    }
    g_assert_true(has_file("figures/r-F80.png"));
    g_assert_true(has_file("figures/copy-T11-depths.png"));
    g_assert_true(has_file("figures/r-density-logged.png"));
    g_assert_false(has_file("figures/r-F80-logged_write.png"));

    /* The figures of the second would replace those of the first. */
    g_auto(Result) twice = run_in("en", "figure r.fathom r.fathom --id F80 -o twice/");
    g_assert_cmpint(twice.exit_code, !=, FM_EXIT_OK);
    g_assert_nonnull(strstr(twice.errors, "Two of the runs are called “r”"));

    run_ok("figure r.fathom --id F80:logged/write --id T11 -o some/ --format csv");
    g_assert_true(has_file("some/r-F80-logged_write.csv"));
    g_assert_true(has_file("some/r-T11.csv"));
}

/* What was measured on a real file is not marked as simulated, and what was not, is. */
static void
test_real(void)
{
    static const char real[] =
        "{\"fathom-plan\": 1, \"id\": \"real\", \"name\": \"Real\", \"summary\": \"For tests.\","
        " \"file-size\": \"16 MiB\", \"phases\": [{\"id\": \"a\", \"kind\": \"measure\", \"stop\":"
        " {\"time\": \"300ms\"}, \"streams\": [{\"id\": \"main\", \"block\": \"4 KiB\", "
        "\"in-flight\":"
        " 1, \"pattern\": \"random\", \"read\": \"100%\", \"region\": \"100%\"}]}]}";
    g_autofree char *path = g_build_filename(root, "real.json", NULL);
    gsize length;

    g_assert_true(g_file_set_contents(path, real, -1, NULL));
    g_auto(Result) made = run_in("en", "run real.json . --yes-cached --output real.fathom");
    if (made.exit_code == FM_EXIT_REFUSED) {
        g_test_skip(made.errors);
        return;
    }
    g_assert_cmpint(made.exit_code, ==, FM_EXIT_OK);
    run_ok("figure real.fathom --id F80:a/read -o real.csv");
    run_ok("figure real.fathom --id time:a -o real.png");
    run_ok("figure r.fathom --id F80 -o model.csv");
    g_autofree char *measured = read_file("real.csv", &length);
    g_autofree char *simulated = read_file("model.csv", &length);
    g_assert_nonnull(strstr(measured, "RND 4k Read"));
    g_assert_null(strstr(measured, "simulated"));
    g_assert_nonnull(strstr(simulated, "simulated"));
}

/* --- Languages ------------------------------------------------------------------------- */

static void
test_languages(void)
{
    gsize length;
    g_auto(Result) help = run_in("ko", "help");

    if (strstr(help.output, "사용법") == NULL) {
        g_test_skip("the catalogues are not built");
        return;
    }
    run_ok("figure r.fathom --id T13 -o ko.csv --language ko");
    g_auto(Result) english = run_in("ko", "figure r.fathom --id T13 -o en.csv --language en");
    g_auto(Result) korean = run_in("ko", "figure r.fathom --id T13 -o process.csv");
    g_assert_cmpint(english.exit_code, ==, FM_EXIT_OK);
    g_assert_cmpint(korean.exit_code, ==, FM_EXIT_OK);
    g_autofree char *ko = read_file("ko.csv", &length);
    g_autofree char *en = read_file("en.csv", &length);
    g_autofree char *process = read_file("process.csv", &length);
    g_assert_nonnull(strstr(ko, "워크로드"));
    g_assert_nonnull(strstr(en, "Workload"));
    g_assert_null(strstr(en, "워크로드"));
    g_assert_cmpstr(process, ==, ko);

    g_auto(Result) list = run_in("ko", "figures r.fathom --language en");
    g_assert_nonnull(strstr(list.output, "Tail latency, RND 4k Write QD1"));
}

/* --- Refusals --------------------------------------------------------------------------- */

static void
test_refusals(void)
{
    static const struct {
        const char *line;
        int exit_code;
        const char *says;
    } cases[] = {
        {"figure", FM_EXIT_USAGE, "is missing"},
        {"figure r.fathom", FM_EXIT_USAGE, "-o FILE"},
        {"figure r.fathom -o all.png", FM_EXIT_USAGE, "--id"},
        {"figure r.fathom -i F80 -i T11 -o two.png", FM_EXIT_USAGE, "FOLDER/"},
        {"figure r.fathom copy.fathom -i F80 -o two.png", FM_EXIT_USAGE, "FOLDER/"},
        {"figure r.fathom -i F80 -o no.gif", FM_EXIT_USAGE, "png, svg, pdf and csv"},
        {"figure r.fathom -i F80 -o x.png -f svg", FM_EXIT_USAGE, "is for folders"},
        {"figure r.fathom -i F80 -o x/ -f gif", FM_EXIT_USAGE, "png, svg, pdf and csv"},
        {"figure r.fathom -i F80 -o x.png --theme pink", FM_EXIT_USAGE, "light, dark and print"},
        {"figure r.fathom -i F80 -o x.png --language fr", FM_EXIT_USAGE, "en and ko"},
        {"figure r.fathom -i F80 -o x.png --size 0x10", FM_EXIT_USAGE, "1920x1080"},
        {"figure r.fathom -i F80 -o x.png --size 20001x10", FM_EXIT_USAGE, "1920x1080"},
        {"figure r.fathom -i F80 -o x.png --scale 4", FM_EXIT_USAGE, "from 1 to 3"},
        {"figure r.fathom -i F99 -o x.png", FM_EXIT_USAGE, "F99"},
        {"figure r.fathom -i F80:no/read -o x.png", FM_EXIT_USAGE, "no row"},
        {"figure r.fathom -i T8 -o x.png", FM_EXIT_REFUSED, "CrystalDiskMark-style"},
        {"figure r.fathom -i F80 -o copy.fathom/x.png", FM_EXIT_FAILED, "x.png"},
        {"figure nothing.fathom -i F80 -o x.png", FM_EXIT_REFUSED, "nothing.fathom"},
        {"figures nothing.fathom", FM_EXIT_REFUSED, "nothing.fathom"},
        {"figures r.fathom --language fr", FM_EXIT_USAGE, "en and ko"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Result) result = run_in("en", cases[i].line);
        bool is_one_sentence = strchr(result.errors, '\n') == strrchr(result.errors, '\n');
        if (result.exit_code != cases[i].exit_code ||
            strstr(result.errors, cases[i].says) == NULL || !is_one_sentence) {
            g_test_message("%s: exit code %d: %s", cases[i].line, result.exit_code, result.errors);
            g_test_fail();
        }
        g_assert_cmpstr(result.output, ==, "");
        g_assert_false(has_file("x.png"));
    }
}

/* A run is never overwritten, and one figure that can't be made does not keep the rest. */
static void
test_care(void)
{
    gsize before;
    gsize after;
    g_autofree char *whole = read_file("copy.fathom", &before);
    g_autofree char *to = g_build_filename(root, "run.png", NULL);

    g_assert_true(g_file_set_contents(to, whole, (gssize)before, NULL));
    g_auto(Result) refused = run_in("en", "figure r.fathom -i F80 -o run.png");
    g_assert_cmpint(refused.exit_code, ==, FM_EXIT_REFUSED);
    g_autofree char *still = read_file("run.png", &after);
    g_assert_cmpmem(still, after, whole, before);

    g_auto(Result) partly = run_in("en", "figure r.fathom -i T8 -i F80 -o rest/");
    g_assert_cmpint(partly.exit_code, ==, FM_EXIT_REFUSED);
    g_assert_true(has_file("rest/r-F80.png"));
}

/* --- Set-up ------------------------------------------------------------------------------ */

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

static void
make_runs(void)
{
    g_autofree char *path = g_build_filename(root, "small.json", NULL);
    gsize length;

    g_assert_true(g_file_set_contents(path, plan, -1, NULL));
    g_auto(Result) made = run_in("en", "run small.json sim:tlc --output r.fathom");
    if (made.exit_code != FM_EXIT_OK) {
        g_error("%s", made.errors);
    }
    g_autofree char *run = read_file("r.fathom", &length);
    g_autofree char *copy = g_build_filename(root, "copy.fathom", NULL);
    g_assert_true(g_file_set_contents(copy, run, (gssize)length, NULL));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    root = g_dir_make_tmp("fathom-figure-XXXXXX", NULL);
    g_setenv("HOME", root, TRUE);
    g_setenv("XDG_DATA_HOME", root, TRUE);
    g_setenv("XDG_RUNTIME_DIR", root, TRUE);
    make_runs();
    g_test_add_func("/cli/figure/list-has-ids-and-titles", test_list);
    g_test_add_func("/cli/figure/ending-says-the-format", test_formats);
    g_test_add_func("/cli/figure/sizes-are-pixels-of-the-file", test_sizes);
    g_test_add_func("/cli/figure/streams-have-tails-of-their-own", test_streams);
    g_test_add_func("/cli/figure/same-figure-is-the-same-file", test_again);
    g_test_add_func("/cli/figure/folder-takes-all-figures-of-all-runs", test_folder);
    g_test_add_func("/cli/figure/real-run-is-not-marked-as-simulated", test_real);
    g_test_add_func("/cli/figure/language-is-not-that-of-the-process", test_languages);
    g_test_add_func("/cli/figure/refusals-say-what-to-write", test_refusals);
    g_test_add_func("/cli/figure/runs-are-never-overwritten", test_care);
    int exit_code = g_test_run();
    remove_tree(root);
    g_free(root);
    return exit_code;
}
