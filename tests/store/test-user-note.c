/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notes on finished runs: they are added, never in place of anything, and never to a run that
 * somebody still writes.
 */
#include "store/user-note.h"

#include "base/error.h"
#include "run-fixture.h"
#include "store/library.h"
#include "store/run-file.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
    char *dir;
    char *path;
    gsize size; /* before anything was added */
} Case;

static void
set_up(Case *c, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 100};

    fm_run_fixture_add_head(fixture, "quick");
    fm_run_fixture_add_step(fixture, &step);
    fm_run_fixture_add_end(fixture, "complete");
    c->dir = g_dir_make_tmp("fathom-note-XXXXXX", NULL);
    c->path = g_build_filename(c->dir, "a.fathom", NULL);
    c->size = fixture->bytes->len;
    g_assert_true(g_file_set_contents(c->path, (char *)fixture->bytes->data,
                                      (gssize)fixture->bytes->len, NULL));
}

static void
tear_down(Case *c, gconstpointer data)
{
    g_unlink(c->path);
    g_rmdir(c->dir);
    g_free(c->path);
    g_free(c->dir);
}

static void
test_last_one_wins(Case *c, gconstpointer data)
{
    static const char *const tags[] = {"fast", "한글", NULL};

    g_assert_true(fm_user_note_save(c->path, "one", NULL, NULL));
    g_assert_true(fm_user_note_save(c->path, "두 번째\nnote", tags, NULL));
    g_autoptr(FmRun) run = fm_run_file_load(c->path, NULL);
    g_assert_cmpstr(run->user_text, ==, "두 번째\nnote");
    g_assert_cmpstrv(run->tags, tags);
    g_assert_cmpstr(run->outcome, ==, "complete");
    g_assert_cmpuint(run->steps->len, ==, 1);
    g_assert_false(run->damaged);

    FmLibraryEntry *entry = fm_library_read(c->path);
    g_assert_cmpstr(entry->note, ==, "두 번째\nnote");
    g_assert_cmpstrv(entry->tags, tags);
    g_assert_cmpstr(entry->outcome, ==, "complete");
    fm_library_entry_free(entry);
}

static void
test_many_do_not_hide_the_end(Case *c, gconstpointer data)
{
    g_autofree char *text = g_strnfill(FM_USER_NOTE_MAX, 'x');

    for (int i = 0; i < 10; i++) {
        g_assert_true(fm_user_note_save(c->path, text, NULL, NULL));
    }
    FmLibraryEntry *entry = fm_library_read(c->path);
    g_assert_cmpstr(entry->outcome, ==, "complete");
    fm_library_entry_free(entry);
}

static void
test_measured_bytes_stay(Case *c, gconstpointer data)
{
    g_autofree char *before = NULL;
    g_autofree char *after = NULL;
    gsize length;

    g_assert_true(g_file_get_contents(c->path, &before, NULL, NULL));
    g_assert_true(fm_user_note_save(c->path, "x", NULL, NULL));
    g_assert_true(g_file_get_contents(c->path, &after, &length, NULL));
    g_assert_cmpuint(length, >, c->size);
    g_assert_cmpmem(before, c->size, after, c->size);
}

static void
test_refusals(Case *c, gconstpointer data)
{
    g_autofree char *long_text = g_strnfill(FM_USER_NOTE_MAX + 1, 'x');
    g_autoptr(GError) error = NULL;
    static const char *const bad[] = {"\xff", NULL};

    g_assert_false(fm_user_note_save(c->path, long_text, NULL, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_clear_error(&error);
    g_assert_false(fm_user_note_save(c->path, "", bad, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_clear_error(&error);

    FmRunFile *writer = fm_run_file_open(c->path, true, NULL);
    g_assert_false(fm_user_note_save(c->path, "x", NULL, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_BUSY);
    g_clear_error(&error);
    g_assert_true(fm_run_file_close(writer, NULL));

    g_autofree char *missing = g_build_filename(c->dir, "none.fathom", NULL);
    g_assert_false(fm_user_note_save(missing, "x", NULL, &error));
    g_assert_nonnull(error);
    g_assert_false(g_file_test(missing, G_FILE_TEST_EXISTS));
}

static void
test_tags(void)
{
    static const struct {
        const char *text;
        const char *const tags[4];
    } cases[] = {
        {"", {NULL}},
        {" , ,", {NULL}},
        {"fast, 990 PRO,,fast ", {"fast", "990 PRO", NULL}},
        {"한글,a", {"한글", "a", NULL}},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(GStrv) tags = fm_user_note_parse_tags(cases[i].text);
        g_assert_cmpstrv(tags, cases[i].tags);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/store/user-note/" path, Case, NULL, set_up, test, tear_down)
    ADD("last-one-wins", test_last_one_wins);
    ADD("many-do-not-hide-the-end", test_many_do_not_hide_the_end);
    ADD("measured-bytes-stay", test_measured_bytes_stay);
    ADD("refusals-change-nothing", test_refusals);
#undef ADD
    g_test_add_func("/store/user-note/tags-are-told-apart-by-commas", test_tags);
    return g_test_run();
}
