/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library: names that mean something, and a list that tells the state of every file
 * without reading all of it.
 */
#include "store/library.h"

#include "base/error.h"
#include "run-fixture.h"
#include "store/run-file.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const gint64 wall_us = INT64_C(1787407500123456); /* 2026-08-22 14:05 UTC */

static void
save(const char *name, const void *bytes, gsize length)
{
    g_autofree char *dir = fm_library_dir();
    g_autofree char *path = g_build_filename(dir, name, NULL);

    g_assert_true(g_file_set_contents(path, bytes, (gssize)length, NULL));
}

static void
clear_library(void)
{
    g_autofree char *path = fm_library_dir();
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);

    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_assert_cmpint(g_remove(file), ==, 0);
    }
}

static const FmLibraryEntry *
find(const GPtrArray *entries, const char *name)
{
    for (guint i = 0; i < entries->len; i++) {
        const FmLibraryEntry *entry = g_ptr_array_index(entries, i);
        if (strcmp(entry->name, name) == 0) {
            return entry;
        }
    }
    g_error("%s is not listed", name);
}

static void
test_names(void)
{
    static const struct {
        const char *plan;
        const char *drive;
        gint64 wall_us;
        const char *name;
    } cases[] = {
        {"cdm-default", "Samsung 990 PRO", wall_us,
         "2026-08-22-1405-cdm-default-Samsung-990-PRO.fathom"},
        {"quick", NULL, wall_us, "2026-08-22-1405-quick.fathom"},
        {"quick", "", 0, "1970-01-01-0000-quick.fathom"},
        {"quick", "../../etc/x y//\n", wall_us, "2026-08-22-1405-quick-..-..-etc-x-y.fathom"},
        {"quick", "삼성 980", wall_us, "2026-08-22-1405-quick-980.fathom"},
        {"a/b", "한글", INT64_MAX, "undated-a-b.fathom"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path =
            fm_library_new_path(cases[i].plan, cases[i].drive, cases[i].wall_us);
        g_autofree char *name = g_path_get_basename(path);
        g_autofree char *folder = g_path_get_dirname(path);
        g_autofree char *dir = fm_library_dir();
        g_assert_cmpstr(name, ==, cases[i].name);
        g_assert_cmpstr(folder, ==, dir);
    }

    g_autofree char *long_name = g_strnfill(5000, 'x');
    g_autofree char *path = fm_library_new_path(long_name, long_name, wall_us);
    g_autofree char *name = g_path_get_basename(path);
    g_assert_cmpuint(strlen(name), <, 200);
}

static void
test_names_are_new(void)
{
    g_autofree char *first = fm_library_new_path("quick", "X", wall_us);
    g_assert_true(g_file_set_contents(first, "", 0, NULL));
    g_autofree char *second = fm_library_new_path("quick", "X", wall_us);
    g_assert_cmpstr(first, !=, second);
    g_assert_true(g_str_has_suffix(second, "quick-X-2.fathom"));
    /* A link to nowhere is in the way, too. */
    g_assert_cmpint(symlink("/nowhere", second), ==, 0);
    g_autofree char *third = fm_library_new_path("quick", "X", wall_us);
    g_assert_true(g_str_has_suffix(third, "quick-X-3.fathom"));
    clear_library();
}

/* A run begun @seconds after the usual time. */
static FmRunFixture *
run_at(gint64 seconds, const char *outcome)
{
    FmRunFixture *fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 1000};

    fm_run_fixture_add(fixture, FM_FRAME_PLAN,
                       g_variant_new_parsed("{'id': <'early'>, 'wall': <%x>}",
                                            wall_us + seconds * G_USEC_PER_SEC));
    fm_run_fixture_add_head(fixture, "quick");
    fm_run_fixture_add_step(fixture, &step);
    if (outcome != NULL) {
        fm_run_fixture_add_end(fixture, outcome);
    }
    return fixture;
}

static void
test_states(void)
{
    g_autoptr(FmRunFixture) complete = run_at(10, "complete");
    g_autoptr(FmRunFixture) stopped = run_at(20, "stopped");
    g_autoptr(FmRunFixture) cut = run_at(30, NULL);
    g_autoptr(FmRunFixture) resumed = run_at(40, "complete");
    g_autoptr(FmRunFixture) noted = run_at(50, "complete");
    FmFixtureStep second = {.number = 1, .n_ios = 10};
    g_autofree char *dir = fm_library_dir();
    g_autofree char *running = g_build_filename(dir, "running.fathom", NULL);

    fm_run_fixture_add_text(resumed, FM_FRAME_HELLO, "{'version': <'2'>}");
    fm_run_fixture_add_step(resumed, &second);
    fm_run_fixture_add_text(noted, FM_FRAME_USER_NOTE, "{'text': <'good'>}");
    save("complete.fathom", complete->bytes->data, complete->bytes->len);
    save("stopped.fathom", stopped->bytes->data, stopped->bytes->len);
    save("cut.fathom", cut->bytes->data, cut->bytes->len - 3);
    save("resumed.fathom", resumed->bytes->data, resumed->bytes->len);
    save("noted.fathom", noted->bytes->data, noted->bytes->len);
    save("rubbish.fathom", "rubbish", 7);
    save("empty.fathom", "", 0);
    save("not-a-run.txt", "x", 1);
    FmRunFile *file = fm_run_file_open(running, false, NULL);

    g_autoptr(GPtrArray) entries = fm_library_list();
    g_assert_cmpuint(entries->len, ==, 8);
    g_assert_cmpstr(find(entries, "complete.fathom")->outcome, ==, "complete");
    g_assert_cmpstr(find(entries, "stopped.fathom")->outcome, ==, "stopped");
    g_assert_cmpstr(find(entries, "cut.fathom")->outcome, ==, "cut off");
    g_assert_cmpstr(find(entries, "resumed.fathom")->outcome, ==, "cut off");
    g_assert_cmpstr(find(entries, "noted.fathom")->outcome, ==, "complete");
    g_assert_cmpstr(find(entries, "rubbish.fathom")->outcome, ==, "unreadable");
    g_assert_cmpstr(find(entries, "empty.fathom")->outcome, ==, "unreadable");
    g_assert_cmpstr(find(entries, "running.fathom")->outcome, ==, "running");
    g_assert_true(fm_run_file_close(file, NULL));

    /* Newest first, then those without a time. */
    static const char *const order[] = {"noted.fathom", "resumed.fathom", "cut.fathom",
                                        "stopped.fathom", "complete.fathom"};
    for (guint i = 0; i < G_N_ELEMENTS(order); i++) {
        const FmLibraryEntry *entry = g_ptr_array_index(entries, i);
        g_assert_cmpstr(entry->name, ==, order[i]);
    }
    const FmLibraryEntry *first = g_ptr_array_index(entries, 0);
    g_assert_cmpstr(first->plan_id, ==, "quick");
    g_assert_cmpstr(first->target_path, ==, "/mnt/bench");
    g_assert_cmpstr(first->drive, ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpint(first->wall_us, ==, wall_us + 50 * G_USEC_PER_SEC);
    g_assert_cmpuint(first->size, ==, noted->bytes->len);
    g_assert_null(find(entries, "rubbish.fathom")->plan_id);
    clear_library();
}

static void
test_large_files_are_not_read(void)
{
    /* A sparse file of 1 TB: reading it would take minutes. */
    g_autoptr(FmRunFixture) head = run_at(0, NULL);
    g_autoptr(FmRunFixture) tail = fm_run_fixture_new();
    g_autofree char *dir = fm_library_dir();
    g_autofree char *path = g_build_filename(dir, "large.fathom", NULL);
    const gint64 far = INT64_C(1) << 40;

    fm_run_fixture_add_end(tail, "complete");
    save("large.fathom", head->bytes->data, head->bytes->len);
    FILE *file = g_fopen(path, "r+b");
    if (fseeko(file, far, SEEK_SET) != 0 ||
        fwrite(tail->bytes->data, 1, tail->bytes->len, file) != tail->bytes->len ||
        fclose(file) != 0) {
        g_test_skip("the file system has no large files");
        clear_library();
        return;
    }
    g_autoptr(GPtrArray) entries = fm_library_list();
    g_assert_cmpuint(entries->len, ==, 1);
    g_assert_cmpstr(find(entries, "large.fathom")->outcome, ==, "complete");
    g_assert_cmpstr(find(entries, "large.fathom")->plan_id, ==, "quick");
    clear_library();
}

static void
test_large_head_is_read(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    g_autofree char *text = g_strnfill(200000, ' ');

    fm_run_fixture_add(fixture, FM_FRAME_PLAN,
                       g_variant_new_parsed("{'plan': <%s>, 'id': <'huge'>}", text));
    fm_run_fixture_add_end(fixture, "failed");
    save("huge.fathom", fixture->bytes->data, fixture->bytes->len);
    g_autoptr(GPtrArray) entries = fm_library_list();
    g_assert_cmpstr(find(entries, "huge.fathom")->plan_id, ==, "huge");
    g_assert_cmpstr(find(entries, "huge.fathom")->outcome, ==, "failed");
    clear_library();
}

static void
test_renaming(void)
{
    static const char *const bad[] = {"",     "  ",  ".hidden", "a/b", "../x",
                                      "a\\b", "a:b", "a\nb",    "\xff"};
    g_autofree char *dir = fm_library_dir();
    g_autofree char *path = g_build_filename(dir, "old.fathom", NULL);
    g_autoptr(GError) error = NULL;

    save("old.fathom", "x", 1);
    save("taken.fathom", "y", 1);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
        g_assert_null(fm_library_rename(path, bad[i], &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
        g_clear_error(&error);
    }
    g_assert_null(fm_library_rename(path, "taken", &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_autofree char *same = fm_library_rename(path, "old.fathom", NULL);
    g_assert_cmpstr(same, ==, path);
    g_autofree char *renamed = fm_library_rename(path, " 새 이름 ", NULL);
    g_assert_true(g_str_has_suffix(renamed, "/새 이름.fathom"));
    g_assert_true(g_file_test(renamed, G_FILE_TEST_EXISTS));
    g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
    clear_library();
}

static void
test_hundreds_of_runs(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();

    for (int i = 0; i < 300; i++) {
        g_autofree char *name = g_strdup_printf("run-%03d.fathom", i);
        save(name, fixture->bytes->data, fixture->bytes->len);
    }
    gint64 before_us = g_get_monotonic_time();
    g_autoptr(GPtrArray) entries = fm_library_list();
    g_test_message("300 runs of %.1f MB listed in %.3f s", fixture->bytes->len / 1e6,
                   (double)(g_get_monotonic_time() - before_us) / 1e6);
    g_assert_cmpuint(entries->len, ==, 300);
    clear_library();
}

int
main(int argc, char **argv)
{
    g_autofree char *home = g_dir_make_tmp("fathom-library-XXXXXX", NULL);

    g_setenv("XDG_DATA_HOME", home, TRUE);
    g_setenv("TZ", "UTC", TRUE);
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/store/library/" path, test)
    ADD("names-tell-date-plan-and-drive", test_names);
    ADD("names-are-new", test_names_are_new);
    ADD("states-are-told", test_states);
    ADD("large-files-are-not-read", test_large_files_are_not_read);
    ADD("large-head-is-read", test_large_head_is_read);
    ADD("renaming-never-replaces", test_renaming);
    ADD("hundreds-of-runs-are-listed", test_hundreds_of_runs);
#undef ADD
    int result = g_test_run();
    g_autofree char *runs = g_build_filename(home, "fathom", "runs", NULL);
    g_autofree char *fathom = g_build_filename(home, "fathom", NULL);
    g_rmdir(runs);
    g_rmdir(fathom);
    g_rmdir(home);
    return result;
}
