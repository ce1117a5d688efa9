/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list follows the folder: what appears, changes and goes is told as exactly that, and
 * only rows that ask have their headline read.
 */
#include "ui/library-model.h"

#include "run-fixture.h"
#include "store/library.h"
#include "store/run-file.h"
#include "store/user-note.h"

#include <glib/gstdio.h>
#include <string.h>

enum { PATIENCE_MS = 10000 };

static const gint64 wall_us = INT64_C(1787407500123456); /* 2026-08-22 14:05 UTC */

typedef struct {
    FmLibraryModel *model;
    guint n_added;
    guint n_removed;
} Case;

static char *
dup_path(const char *name)
{
    g_autofree char *dir = fm_library_dir();

    return g_build_filename(dir, name, NULL);
}

/* A run begun @seconds after the usual time. */
static void
save(const char *name, gint64 seconds, const char *outcome)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    g_autofree char *path = dup_path(name);
    FmFixtureStep step = {.n_ios = 1000};

    fm_run_fixture_add(fixture, FM_FRAME_PLAN,
                       g_variant_new_parsed("{'id': <'early'>, 'wall': <%x>}",
                                            wall_us + seconds * G_USEC_PER_SEC));
    fm_run_fixture_add_head(fixture, "quick");
    fm_run_fixture_add_step(fixture, &step);
    if (outcome != NULL) {
        fm_run_fixture_add_end(fixture, outcome);
    }
    g_assert_true(
        g_file_set_contents(path, (char *)fixture->bytes->data, (gssize)fixture->bytes->len, NULL));
}

static gboolean
late_cb(gpointer is_late)
{
    *(bool *)is_late = true;
    return G_SOURCE_REMOVE;
}

/* Runs the main loop until @condition holds. */
#define WAIT_FOR(condition)                                                                        \
    do {                                                                                           \
        bool is_late = false;                                                                      \
        guint timer = g_timeout_add(PATIENCE_MS, late_cb, &is_late);                               \
        while (!(condition) && !is_late) {                                                         \
            g_main_context_iteration(NULL, TRUE);                                                  \
        }                                                                                          \
        g_assert_false(is_late);                                                                   \
        g_source_remove(timer);                                                                    \
    } while (0)

static guint
count(Case *c)
{
    return g_list_model_get_n_items(G_LIST_MODEL(c->model));
}

static const char *
get_name(Case *c, guint position)
{
    g_autoptr(FmLibraryItem) item = g_list_model_get_item(G_LIST_MODEL(c->model), position);

    return fm_library_item_get_entry(item)->name;
}

static void
changed_cb(GListModel *model, guint position, guint removed, guint added, gpointer user_data)
{
    Case *c = user_data;

    c->n_added += added;
    c->n_removed += removed;
}

static void
set_up(Case *c, gconstpointer data)
{
    save("a.fathom", 10, "complete");
    save("b.fathom", 20, "stopped");
    save("c.fathom", 30, NULL);
    c->model = fm_library_model_new();
    g_assert_true(fm_library_model_is_loading(c->model));
    WAIT_FOR(!fm_library_model_is_loading(c->model));
    g_signal_connect(c->model, "items-changed", G_CALLBACK(changed_cb), c);
}

static void
tear_down(Case *c, gconstpointer data)
{
    g_autofree char *path = fm_library_dir();
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);

    /* What is being read keeps it alive. */
    g_signal_handlers_disconnect_by_data(c->model, c);
    g_object_unref(c->model);
    for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        g_remove(file);
    }
}

static void
test_order(Case *c, gconstpointer data)
{
    g_assert_cmpuint(count(c), ==, 3);
    g_assert_cmpstr(get_name(c, 0), ==, "c.fathom");
    g_assert_cmpstr(get_name(c, 2), ==, "a.fathom");
    g_assert_null(g_list_model_get_item(G_LIST_MODEL(c->model), 3));
}

static void
test_new_file(Case *c, gconstpointer data)
{
    save("between.fathom", 15, "complete");
    WAIT_FOR(count(c) == 4);
    g_assert_cmpstr(get_name(c, 2), ==, "between.fathom");
    g_assert_cmpuint(c->n_added, ==, 1);
    g_assert_cmpuint(c->n_removed, ==, 0);
}

static void
test_gone_file(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("b.fathom");

    g_assert_cmpint(g_remove(path), ==, 0);
    WAIT_FOR(count(c) == 2);
    g_assert_cmpuint(c->n_added, ==, 0);
    g_assert_cmpuint(c->n_removed, ==, 1);
    g_assert_null(fm_library_model_find(c->model, path));
}

static void
test_changed_file(Case *c, gconstpointer data)
{
    static const char *const tags[] = {"keep", NULL};
    g_autofree char *path = dup_path("b.fathom");

    g_assert_true(fm_user_note_save(path, "worth a look", tags, NULL));
    fm_library_model_refresh(c->model, path);
    WAIT_FOR(c->n_added == 1);
    g_assert_cmpuint(c->n_removed, ==, 1);
    g_assert_cmpuint(count(c), ==, 3);
    g_assert_cmpstr(get_name(c, 1), ==, "b.fathom");
    FmLibraryItem *item = fm_library_model_find(c->model, path);
    g_assert_cmpstr(fm_library_item_get_entry(item)->note, ==, "worth a look");
    g_assert_true(fm_library_item_matches(item, "keep"));
}

static void
test_unchanged_file(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("a.fathom");
    g_autofree char *other = dup_path("b.fathom");

    fm_library_model_refresh(c->model, path);
    /* Something that does change, to know that the first was looked at. */
    g_remove(other);
    fm_library_model_refresh(c->model, other);
    WAIT_FOR(count(c) == 2);
    for (int i = 0; i < 20; i++) {
        g_main_context_iteration(NULL, FALSE);
    }
    g_assert_cmpuint(c->n_added, ==, 0);
}

/* The file is most likely read already when it goes; the second change tells. */
static void
test_change_on_change(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("b.fathom");

    fm_library_model_refresh(c->model, path);
    /* Only a thread can have read the file already: its result waits for the main loop. */
    g_usleep(50000);
    g_assert_cmpint(g_remove(path), ==, 0);
    fm_library_model_refresh(c->model, path);
    WAIT_FOR(fm_library_model_find(c->model, path) == NULL);
}

static void
test_change_while_loading(Case *c, gconstpointer data)
{
    g_autofree char *gone = dup_path("a.fathom");
    g_autofree char *new_path = dup_path("new.fathom");
    g_autoptr(FmLibraryModel) model = fm_library_model_new();

    g_usleep(50000);
    g_assert_cmpint(g_remove(gone), ==, 0);
    save("new.fathom", 40, "complete");
    fm_library_model_refresh(model, gone);
    fm_library_model_refresh(model, new_path);
    g_assert_true(fm_library_model_is_loading(model));
    WAIT_FOR(fm_library_model_find(model, new_path) != NULL);
    WAIT_FOR(fm_library_model_find(model, gone) == NULL);
    g_assert_false(fm_library_model_is_loading(model));
}

/* A run that is going on is written to every few seconds. */
static void
test_running(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("c.fathom");
    FmRunFile *file = fm_run_file_open(path, true, NULL);
    g_autoptr(FmRunFixture) more = fm_run_fixture_new();
    FmFixtureStep step = {.number = 1, .path = "b", .n_ios = 1000};

    g_assert_nonnull(file);
    fm_library_model_refresh(c->model, path);
    WAIT_FOR(c->n_added == 1);
    g_autoptr(FmLibraryItem) running = g_object_ref(fm_library_model_find(c->model, path));
    g_assert_cmpstr(fm_library_item_get_entry(running)->outcome, ==, "running");
    fm_library_model_request_headline(c->model, running);
    fm_run_fixture_add_step(more, &step);
    fm_run_file_append(file, more->bytes->data, more->bytes->len);
    g_assert_true(fm_run_file_flush(file, false, NULL));
    fm_library_model_refresh(c->model, path);
    /* Something that does change, to know that the first was looked at. */
    g_autofree char *other = dup_path("a.fathom");
    g_remove(other);
    fm_library_model_refresh(c->model, other);
    WAIT_FOR(count(c) == 2);
    g_usleep(50000);
    while (g_main_context_iteration(NULL, FALSE)) {
    }
    g_assert_true(fm_library_model_find(c->model, path) == running);
    g_assert_null(fm_library_item_get_headline(running));

    g_assert_true(fm_run_file_close(file, NULL));
    fm_library_model_refresh(c->model, path);
    WAIT_FOR(fm_library_model_find(c->model, path) != running);
    fm_library_model_request_headline(c->model, fm_library_model_find(c->model, path));
    WAIT_FOR(fm_library_item_get_headline(fm_library_model_find(c->model, path)) != NULL);
}

static void
test_rename(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("a.fathom");
    g_autofree char *renamed = fm_library_rename(path, "z", NULL);

    fm_library_model_refresh(c->model, path);
    fm_library_model_refresh(c->model, renamed);
    WAIT_FOR(fm_library_model_find(c->model, renamed) != NULL && count(c) == 3);
    g_assert_null(fm_library_model_find(c->model, path));
}

static void
test_headlines(Case *c, gconstpointer data)
{
    g_autofree char *path = dup_path("a.fathom");
    g_autofree char *other = dup_path("b.fathom");
    FmLibraryItem *item = fm_library_model_find(c->model, path);

    g_assert_null(fm_library_item_get_headline(item));
    fm_library_model_request_headline(c->model, item);
    fm_library_model_request_headline(c->model, item);
    WAIT_FOR(fm_library_item_get_headline(item) != NULL);
    g_assert_true(g_str_has_prefix(fm_library_item_get_headline(item), "read "));
    g_assert_null(fm_library_item_get_headline(fm_library_model_find(c->model, other)));
}

static void
test_filter(Case *c, gconstpointer data)
{
    static const struct {
        const char *filter;
        bool is_shown;
    } cases[] = {
        {"", true},
        {"   ", true},
        {"samsung", true},
        {"SAMSUNG 990", true},
        {"pro samsung", true},
        {"2026-08-22", true},
        {"stopped", true},
        {"b.fathom", true},
        {"samsung 980", false},
        {"complete", false},
        {"<b>", false},
        {"\xff", false},
    };
    g_autofree char *path = dup_path("b.fathom");
    FmLibraryItem *item = fm_library_model_find(c->model, path);

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        /* What is not UTF-8 can't be typed; it must only do no harm. */
        bool is_text = g_utf8_validate(cases[i].filter, -1, NULL);
        bool is_shown = fm_library_item_matches(item, cases[i].filter);
        g_assert_true(!is_text || is_shown == cases[i].is_shown);
    }
}

int
main(int argc, char **argv)
{
    g_autofree char *home = g_dir_make_tmp("fathom-library-XXXXXX", NULL);

    g_setenv("XDG_DATA_HOME", home, TRUE);
    g_setenv("TZ", "UTC", TRUE);
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/ui/library-model/" path, Case, NULL, set_up, test, tear_down)
    ADD("newest-come-first", test_order);
    ADD("a-new-file-is-one-row-more", test_new_file);
    ADD("a-file-that-went-is-one-row-less", test_gone_file);
    ADD("a-changed-file-is-another-row-in-its-place", test_changed_file);
    ADD("an-unchanged-file-changes-nothing", test_unchanged_file);
    ADD("a-change-of-what-is-being-read-is-not-lost", test_change_on_change);
    ADD("a-change-while-the-list-is-read-is-not-lost", test_change_while_loading);
    ADD("a-run-that-goes-on-keeps-its-row-and-is-left-alone", test_running);
    ADD("a-renamed-file-is-found-by-its-new-name", test_rename);
    ADD("headlines-are-read-for-whom-asks", test_headlines);
    ADD("every-word-of-the-filter-must-be-there", test_filter);
#undef ADD
    int result = g_test_run();
    g_autofree char *runs = g_build_filename(home, "fathom", "runs", NULL);
    g_autofree char *fathom = g_build_filename(home, "fathom", NULL);
    g_rmdir(runs);
    g_rmdir(fathom);
    g_rmdir(home);
    return result;
}
