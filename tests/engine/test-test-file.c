/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test file in a temporary folder: what it holds, that it goes, and that nothing
 * of anybody else is ever touched.
 */
#include "base/error.h"
#include "engine/guard.h"
#include "engine/test-file.h"
#include "platform/platform-file.h"
#include "platform/platform.h"
#include "tests/platform/tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const uint64_t mib = 1024 * 1024;

static char *
make_folder(void)
{
    GError *error = NULL;
    char *folder = g_dir_make_tmp("fathom-file-XXXXXX", &error);
    g_assert_no_error(error);
    return folder;
}

static char *
dup_only_entry(const char *folder)
{
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    const char *name = entries != NULL ? g_dir_read_name(entries) : NULL;
    return name != NULL ? g_build_filename(folder, name, NULL) : NULL;
}

static bool
is_empty(const char *folder)
{
    g_autofree char *entry = dup_only_entry(folder);
    return entry == NULL;
}

static bool
is_journal_empty(void)
{
    g_autofree char *state = plat_state_dir();
    g_autofree char *files = g_build_filename(state, "files", NULL);
    return is_empty(files);
}

static FmTestFile *
make_file(const char *folder, const FmTestFileOptions *options)
{
    GError *error = NULL;
    g_autoptr(FmTarget) target = plat_target_examine(folder, &error);
    g_assert_no_error(error);
    FmTestFile *file = fm_test_file_new(target, options, &error);
    g_assert_no_error(error);
    return file;
}

static int
compare_blocks(const void *a, const void *b)
{
    return memcmp(*(const char *const *)a, *(const char *const *)b, 4096);
}

/* Written whole, no two blocks equal, all byte values about equally often. */
static void
test_content(void)
{
    g_autofree char *folder = make_folder();
    FmTestFileOptions options = {.size = 3 * mib + 4096, .seed = 42};
    g_autoptr(FmTestFile) file = make_file(folder, &options);
    g_autoptr(GError) error = NULL;
    g_assert_true(fm_test_file_fill(file, &error));
    g_assert_no_error(error);
    g_assert_true(fm_test_file_read(file, &error));

    g_autofree char *content = NULL;
    gsize length = 0;
    g_assert_true(g_file_get_contents(fm_test_file_get_path(file), &content, &length, &error));
    g_assert_cmpuint(length, ==, options.size);
    gsize n = length / 4096;
    g_autofree const char **blocks = g_new(const char *, n);
    uint64_t frequency[256] = {0};
    for (gsize i = 0; i < n; i++) {
        blocks[i] = content + i * 4096;
    }
    for (gsize i = 0; i < length; i++) {
        frequency[(uint8_t)content[i]]++;
    }
    qsort(blocks, n, sizeof *blocks, compare_blocks);
    for (gsize i = 1; i < n; i++) {
        g_assert_cmpint(memcmp(blocks[i - 1], blocks[i], 4096), !=, 0);
    }
    for (gsize i = 1; i < 256; i++) {
        g_assert_cmpuint(frequency[i], >, length / 256 * 9 / 10);
        g_assert_cmpuint(frequency[i], <, length / 256 * 11 / 10);
    }

    struct stat status;
    g_assert_cmpint(stat(fm_test_file_get_path(file), &status), ==, 0);
    g_assert_cmpuint(status.st_mode & 07777, ==, 0600);
    g_assert_cmpuint((uint64_t)status.st_blocks * 512, >=, options.size);
    g_clear_pointer(&file, fm_test_file_free);
    g_assert_true(is_empty(folder));
    g_assert_true(is_journal_empty());
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void
test_zeros(void)
{
    g_autofree char *folder = make_folder();
    FmTestFileOptions options = {.size = mib + 4096, .seed = 42, .data = FM_DATA_ZERO};
    g_autoptr(FmTestFile) file = make_file(folder, &options);
    g_autoptr(GError) error = NULL;
    g_assert_true(fm_test_file_fill(file, &error));
    g_assert_no_error(error);

    g_autofree char *content = NULL;
    gsize length = 0;
    g_assert_true(g_file_get_contents(fm_test_file_get_path(file), &content, &length, &error));
    g_assert_cmpuint(length, ==, options.size);
    for (gsize i = 0; i < length; i++) {
        g_assert_cmpint(content[i], ==, 0);
    }
    g_clear_pointer(&file, fm_test_file_free);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static bool
stop_cb(gpointer user_data, uint64_t done, uint64_t total)
{
    unsigned *calls = (unsigned *)user_data;
    g_assert_cmpuint(done, <, total);
    return ++*calls < 2;
}

static void
test_stop(void)
{
    g_autofree char *folder = make_folder();
    unsigned calls = 0;
    FmTestFileOptions options = {
        .size = 64 * mib, .progress = stop_cb, .user_data = &calls, .keep = true};
    g_autoptr(FmTestFile) file = make_file(folder, &options);
    g_autoptr(GError) error = NULL;
    g_assert_false(fm_test_file_fill(file, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_CANCELLED);
    g_assert_cmpuint(calls, ==, 2);
    g_clear_pointer(&file, fm_test_file_free);
    g_assert_true(is_empty(folder)); /* a file that is not whole is never kept */
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void
test_kept_file_is_ours(void)
{
    g_autofree char *folder = make_folder();
    FmTestFileOptions options = {.size = mib, .keep = true};
    g_autoptr(GError) error = NULL;
    FmTestFile *file = make_file(folder, &options);
    g_assert_true(fm_test_file_fill(file, &error));
    bool marked = fgetxattr(fm_test_file_get_descriptor(file), "user.fathom", NULL, 0) > 0;
    fm_test_file_free(file);

    g_autofree char *path = dup_only_entry(folder);
    g_assert_nonnull(path);
    if (!marked) {
        g_test_skip("no extended attributes here");
    } else {
        g_assert_true(plat_file_is_own(path, NULL));
        g_autoptr(FmTarget) target = plat_target_examine(path, &error);
        g_assert_no_error(error);
        g_assert_cmpint(target->kind, ==, FM_TARGET_FILE);
        FmGuardOptions guard = {.size = 2 * mib, .allow_buffered = true};
        g_assert_true(fm_guard_check_file(target, &guard, &error));
        g_assert_no_error(error);
        options.size = 2 * mib;
        options.keep = false;
        file = fm_test_file_new(target, &options, &error);
        g_assert_no_error(error);
        g_assert_true(fm_test_file_fill(file, &error));
        fm_test_file_free(file);
        g_assert_true(is_empty(folder));
    }
    g_unlink(path);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* A process that makes a file and is killed before it can do anything about it. */
static void
make_and_die(const char *folder, bool fill)
{
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        GError *error = NULL;
        FmTarget *target = plat_target_examine(folder, &error);
        FmTestFileOptions options = {.size = mib};
        FmTestFile *file = fm_test_file_new(target, &options, &error);
        if (file != NULL && fill) {
            fm_test_file_fill(file, &error);
        }
        kill(getpid(), file != NULL ? SIGKILL : SIGTERM);
    }
    int status = 0;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void
test_killed_owner(void)
{
    g_autofree char *folder = make_folder();
    make_and_die(folder, false);
    make_and_die(folder, true);
    g_assert_false(is_empty(folder));
    g_assert_cmpuint(plat_test_files_clean(), ==, 2);
    g_assert_true(is_empty(folder));
    g_assert_true(is_journal_empty());
    g_assert_cmpuint(plat_test_files_clean(), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

static void
test_living_owner(void)
{
    g_autofree char *folder = make_folder();
    FmTestFileOptions options = {.size = mib};
    g_autoptr(FmTestFile) file = make_file(folder, &options);
    g_assert_cmpuint(plat_test_files_clean(), ==, 0);

    /* Another process must leave it alone, too. */
    pid_t child = fork();
    if (child == 0) {
        _exit((int)plat_test_files_clean());
    }
    int status = 1;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_cmpint(status, ==, 0);
    g_assert_true(g_file_test(fm_test_file_get_path(file), G_FILE_TEST_EXISTS));
    g_clear_pointer(&file, fm_test_file_free);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* After the owner died somebody put something else in its place. */
static void
test_replaced_file(void)
{
    static const char *const ways[] = {"other-file", "link", "second-name"};
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *folder = make_folder();
        make_and_die(folder, true);
        g_autofree char *path = dup_only_entry(folder);
        g_autofree char *precious = g_build_filename(folder, "precious", NULL);
        if (i < 2) {
            g_assert_true(g_file_set_contents(precious, "mine", -1, NULL));
            g_assert_cmpint(g_unlink(path), ==, 0);
        }
        if (i == 0) {
            g_assert_cmpint(g_rename(precious, path), ==, 0);
        } else if (i == 1) {
            g_assert_cmpint(symlink(precious, path), ==, 0);
        } else {
            g_assert_cmpint(link(path, precious), ==, 0);
        }
        g_test_message("%s", ways[i]);
        g_assert_cmpuint(plat_test_files_clean(), ==, 0);
        struct stat status;
        g_assert_cmpint(lstat(path, &status), ==, 0);
        g_assert_true(i == 0 || g_file_test(precious, G_FILE_TEST_EXISTS));
        g_unlink(path);
        g_unlink(precious);
        g_assert_cmpint(g_rmdir(folder), ==, 0);
        plat_test_files_clean();
    }
    g_assert_true(is_journal_empty());
}

/* Entries that say nothing sensible change nothing. */
static void
test_hostile_journal(void)
{
    static const char *const texts[] = {
        "",
        "\x01\xff nonsense",
        "[file]\npath=file:///etc/passwd\nhost=h\nboot=b\ninode=1\n",
        "[file]\npath=/etc/passwd\n",
        "[file]\npath=file:///etc/fathom-test-0123456789abcdef.dat\nboot=x\n",
    };
    g_autofree char *state = plat_state_dir();
    g_autofree char *path =
        g_build_filename(state, "files", "fathom-test-0123456789abcdef.dat", NULL);
    g_autofree char *parent = g_path_get_dirname(path);
    g_assert_cmpint(g_mkdir_with_parents(parent, 0700), ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_assert_true(g_file_set_contents(path, texts[i], -1, NULL));
        g_assert_cmpuint(plat_test_files_clean(), ==, 0);
    }
    g_assert_cmpint(g_unlink(path), ==, 0);
    g_assert_cmpint(symlink("/etc/passwd", path), ==, 0);
    g_assert_cmpuint(plat_test_files_clean(), ==, 0);
    g_assert_true(g_file_test("/etc/passwd", G_FILE_TEST_EXISTS));
    g_unlink(path);
}

static void
test_links_are_refused(void)
{
    g_autofree char *folder = make_folder();
    g_autofree char *file = g_build_filename(folder, "file", NULL);
    g_autofree char *to_file = g_build_filename(folder, "to-file", NULL);
    g_autofree char *to_folder = g_build_filename(folder, "to-folder", NULL);
    g_autofree char *dangling = g_build_filename(folder, "dangling", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_set_contents(file, "x", -1, NULL));
    g_assert_cmpint(symlink(file, to_file), ==, 0);
    g_assert_cmpint(symlink(folder, to_folder), ==, 0);
    g_assert_cmpint(symlink("/nowhere/at/all", dangling), ==, 0);

    g_assert_null(plat_target_examine(to_file, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_nonnull(strstr(error->message, "symbolic link"));
    g_clear_error(&error);
    g_assert_null(plat_target_examine(dangling, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_GONE);
    g_clear_error(&error);
    g_autoptr(FmTarget) target = plat_target_examine(to_folder, &error);
    g_assert_no_error(error);
    g_assert_cmpint(target->kind, ==, FM_TARGET_FOLDER);

    static const char *const refused[] = {"/proc", "/sys", "/dev/null", "/nowhere"};
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_assert_null(plat_target_examine(refused[i], &error));
        g_assert_nonnull(error);
        g_clear_error(&error);
    }
    g_unlink(dangling);
    g_unlink(to_folder);
    g_unlink(to_file);
    g_unlink(file);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/test-file/whole-and-incompressible", test_content);
    g_test_add_func("/engine/test-file/zeros-where-asked-for", test_zeros);
    g_test_add_func("/engine/test-file/stop-leaves-nothing", test_stop);
    g_test_add_func("/engine/test-file/kept-file-is-known-again", test_kept_file_is_ours);
    g_test_add_func("/engine/test-file/killed-owner-is-cleaned-up-after", test_killed_owner);
    g_test_add_func("/engine/test-file/living-owner-keeps-its-file", test_living_owner);
    g_test_add_func("/engine/test-file/replaced-file-is-left-alone", test_replaced_file);
    g_test_add_func("/engine/test-file/hostile-journal-changes-nothing", test_hostile_journal);
    g_test_add_func("/engine/test-file/links-and-odd-places-are-refused", test_links_are_refused);
    return tree_run_tests();
}
