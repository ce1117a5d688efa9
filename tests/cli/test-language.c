/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the parts of the program tell each other through pipes and files is read in the
 * user's language, and a run file reads in English on an English machine, whoever wrote
 * it: real processes, a model drive with faults.
 */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/exit-code.h"
#include "platform/platform.h"

#define SETTINGS "--set size=64MiB --set measure=1s --set count=1 --set interval=0s"

typedef struct {
    int exit_code;
    char *text; /* of both outputs */
} Result;

static char *root; /* home of everything; removed at the end */

static void
result_clear(Result *result)
{
    g_clear_pointer(&result->text, g_free);
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
        g_subprocess_launcher_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_MERGE);
    Result result = {0};

    g_assert_true(g_shell_parse_argv(full, NULL, &words, NULL));
    g_subprocess_launcher_setenv(launcher, "LC_ALL", "C.UTF-8", TRUE);
    g_subprocess_launcher_setenv(launcher, "LANGUAGE", language, TRUE);
    g_subprocess_launcher_set_cwd(launcher, root);
    g_autoptr(GSubprocess) process =
        g_subprocess_launcher_spawnv(launcher, (const char *const *)words, &error);
    g_assert_no_error(error);
    g_assert_true(g_subprocess_communicate_utf8(process, NULL, NULL, &result.text, NULL, &error));
    g_assert_no_error(error);
    g_assert_true(g_subprocess_get_if_exited(process));
    result.exit_code = g_subprocess_get_exit_status(process);
    return result;
}

static bool
can_speak_korean(void)
{
    g_auto(Result) help = run_in("ko", "help");

    if (strstr(help.text, "사용법") == NULL) {
        g_test_skip("gettext does not translate in this locale");
        return false;
    }
    return true;
}

/* Fails on three English words in a row: a sentence.  What is quoted is the user's own, and
 * systems and processors have names of their own. */
static void
assert_no_english(const char *line, const char *text)
{
    g_autoptr(GRegex) own =
        g_regex_new("“[^”]*”|^시스템.*$", G_REGEX_MULTILINE, (GRegexMatchFlags)0, NULL);
    g_autoptr(GRegex) sentence = g_regex_new("[A-Za-z']{2,} [A-Za-z']+ [A-Za-z']{2,}",
                                             (GRegexCompileFlags)0, (GRegexMatchFlags)0, NULL);
    g_autofree char *rest =
        g_regex_replace_literal(own, text, -1, 0, "“”", (GRegexMatchFlags)0, NULL);
    g_autoptr(GMatchInfo) match = NULL;

    if (g_regex_match(sentence, rest, (GRegexMatchFlags)0, &match)) {
        g_autofree char *found = g_match_info_fetch(match, 0);
        g_test_message("%s: English: %s\n%s", line, found, text);
        g_test_fail();
    }
}

/* --- Korean ------------------------------------------------------------------------- */

static void
test_refusals(void)
{
    static const struct {
        const char *line;
        int exit_code;
    } cases[] = {
        /* Told by this process, ... */
        {"run cdm-default nowhere " SETTINGS, FM_EXIT_REFUSED},
        {"run cdm-default /proc " SETTINGS, FM_EXIT_USAGE},
        {"run nothing sim:tlc", FM_EXIT_USAGE},
        {"run ./broken.json sim:tlc", FM_EXIT_USAGE},
        {"run ./wrong.json sim:tlc", FM_EXIT_USAGE},
        {"run cdm-default sim:tlc --set size=plenty", FM_EXIT_USAGE},
        {"run cdm-default sim:tlc --set count=1000000000", FM_EXIT_USAGE},
        {"run cdm-default sim:tlc --set colour=red", FM_EXIT_USAGE},
        {"dump broken.json", FM_EXIT_FAILED},
        {"export nothing", FM_EXIT_FAILED},
        {"export broken.json", FM_EXIT_FAILED},
        {"attach nothing", FM_EXIT_REFUSED},
        /* ... by the worker through its host, ... */
        {"run cdm-default sim:nothing " SETTINGS, FM_EXIT_REFUSED},
        {"run cdm-default sim:tlc --backend nothing " SETTINGS, FM_EXIT_REFUSED},
        {"run cdm-default sim:tlc --backend sync " SETTINGS, FM_EXIT_REFUSED},
        {"run cdm-default . --keep-free 1000TiB " SETTINGS, FM_EXIT_REFUSED},
        /* ... by the host, ... */
        {"run cdm-default sim:tlc --output nowhere/a.fathom " SETTINGS, FM_EXIT_REFUSED},
        /* ... and by the worker alone. */
        {"selfcheck /proc", FM_EXIT_REFUSED},
    };

    if (!can_speak_korean()) {
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Result) result = run_in("ko", cases[i].line);
        g_test_message("%s", result.text);
        assert_no_english(cases[i].line, result.text);
        g_assert_cmpint(result.exit_code, ==, cases[i].exit_code);
    }
}

static void
test_failed_run(void)
{
    const char *line = "run cdm-default sim:tlc --backend fault:sim --backend-options "
                       "error=5,every=1000 --output failed.fathom " SETTINGS;

    if (!can_speak_korean()) {
        return;
    }
    g_auto(Result) result = run_in("ko", line);
    g_test_message("%s", result.text);
    g_assert_cmpint(result.exit_code, ==, FM_EXIT_FAILED);
    assert_no_english(line, result.text);
    g_assert_nonnull(strstr(result.text, "읽기 1048576바이트"));
    g_assert_nonnull(strstr(result.text, "입출력 오류"));

    g_auto(Result) table = run_in("ko", "export failed.fathom --format text");
    assert_no_english("export", table.text);
    g_assert_nonnull(strstr(table.text, "오류: 읽기 1048576바이트"));
}

static void
test_checks(void)
{
    if (!can_speak_korean()) {
        return;
    }
    g_auto(Result) result = run_in("ko", "selfcheck .");
    /* What is not possible here is told too. */
    assert_no_english("selfcheck", result.text);
}

/* --- Files ---------------------------------------------------------------------------- */

/* A run made on a Korean machine, read on an English one. */
static void
test_files_know_no_language(void)
{
    static const char *const lines[] = {
        "dump failed.fathom",
        "export failed.fathom --format json",
        "export failed.fathom --format csv",
    };
    g_autofree char *file = g_build_filename(root, "failed.fathom", NULL);

    if (!g_file_test(file, G_FILE_TEST_EXISTS)) {
        g_test_skip("there is no run of a Korean user");
        return;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
        g_auto(Result) english = run_in("en", lines[i]);
        g_auto(Result) korean = run_in("ko", lines[i]);
        g_assert_cmpstr(english.text, ==, korean.text);
        g_assert_nonnull(strstr(english.text, "read of 1048576 bytes at offset"));
        g_assert_nonnull(strstr(english.text, "failed: Input/output error"));
        g_assert_null(strstr(english.text, "오류"));
    }
    g_auto(Result) table = run_in("en", "export failed.fathom --format text");
    g_assert_nonnull(strstr(table.text, "error: read of 1048576 bytes at offset"));
    g_assert_null(strstr(table.text, "오류"));
}

/* --- Main ----------------------------------------------------------------------------- */

static void
make_root(void)
{
    static const char *const variables[] = {"XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"};
    /* Beside the build, since /tmp may be memory. */
    g_autofree char *template =
        g_build_filename(g_getenv("G_TEST_BUILDDIR"), "language-XXXXXX", NULL);

    root = g_mkdtemp(g_steal_pointer(&template));
    g_assert_nonnull(root);
    for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
        g_autofree char *folder = g_build_filename(root, variables[i], NULL);
        g_setenv(variables[i], folder, TRUE);
    }
    g_autofree char *broken = g_build_filename(root, "broken.json", NULL);
    g_autofree char *wrong = g_build_filename(root, "wrong.json", NULL);
    g_assert_true(g_file_set_contents(broken, "{\"fathom-plan\": 1, \"id\"\n", -1, NULL));
    g_assert_true(g_file_set_contents(wrong,
                                      "{\"fathom-plan\": 1, \"id\": \"a\", \"name\": \"A\", "
                                      "\"phases\": [{\"kind\": \"rest\", \"id\": \"r\"}]}",
                                      -1, NULL));
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

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    make_root();
    g_test_add_func("/cli/language/refusals-are-in-korean", test_refusals);
    g_test_add_func("/cli/language/failed-run-is-told-in-korean", test_failed_run);
    g_test_add_func("/cli/language/checks-are-told-in-korean", test_checks);
    g_test_add_func("/cli/language/files-know-no-language", test_files_know_no_language);
    int result = g_test_run();
    remove_tree(root);
    g_free(root);
    return result;
}
