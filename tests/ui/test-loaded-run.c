/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window offers what the command line offers of the same file, figures of single I/Os too.
 */
#include "ui/loaded-run.h"

#include "run-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
    char *folder;
    char *path;
    FmLoadedRun *loaded;
} Case;

static void
add_log(FmRunFixture *fixture, uint32_t step)
{
    g_autoptr(GByteArray) payload = g_byte_array_new();
    FmLatencyLogKey key = {.step = step, .base_ns = 5000};
    const uint64_t words[] = {fm_latency_log_pack(80000, 1, FM_OP_READ),
                              fm_latency_log_pack(81000, 2, FM_OP_READ)};

    fm_latency_log_encode(payload, &key, words, G_N_ELEMENTS(words));
    fm_frame_encode(fixture->bytes, FM_FRAME_LATENCY_LOG, 0, payload->data, payload->len);
}

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLoadedRun **loaded = user_data;
    g_autoptr(GError) error = NULL;

    *loaded = fm_loaded_run_read_finish(result, &error);
    g_assert_no_error(error);
}

static void
set_up(Case *c, gconstpointer data)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.path = "a", .n_ios = 1000};

    fm_run_fixture_add_head(fixture, "quick");
    fm_run_fixture_add_step(fixture, &step);
    add_log(fixture, step.number);
    fm_run_fixture_add_end(fixture, "complete");
    c->folder = g_dir_make_tmp("fathom-loaded-XXXXXX", NULL);
    c->path = g_build_filename(c->folder, "a.fathom", NULL);
    g_assert_true(g_file_set_contents(c->path, (char *)fixture->bytes->data,
                                      (gssize)fixture->bytes->len, NULL));
    fm_loaded_run_read_async(c->path, NULL, read_cb, &c->loaded);
    while (c->loaded == NULL) {
        g_main_context_iteration(NULL, TRUE);
    }
}

static void
tear_down(Case *c, gconstpointer data)
{
    fm_loaded_run_unref(c->loaded);
    g_remove(c->path);
    g_rmdir(c->folder);
    g_free(c->path);
    g_free(c->folder);
}

static bool
is_listed(const Case *c, const char *id)
{
    const GPtrArray *entries = fm_loaded_run_get_entries(c->loaded);

    for (guint i = 0; i < entries->len; i++) {
        if (strcmp(((const FmFigureEntry *)entries->pdata[i])->id, id) == 0) {
            return true;
        }
    }
    return false;
}

static void
test_logged_ios(Case *c, gconstpointer data)
{
    g_autoptr(GError) error = NULL;

    g_assert_true(is_listed(c, "density:a"));
    g_autoptr(FmFigure) figure = fm_loaded_run_build(c->loaded, "density:a", &error);
    g_assert_no_error(error);
    const FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    const FmSeries *series = g_ptr_array_index(panel->series, 0);
    g_assert_cmpuint(series->density->n, ==, 2);
}

static void
test_every_entry(Case *c, gconstpointer data)
{
    const GPtrArray *entries = fm_loaded_run_get_entries(c->loaded);

    g_assert_cmpuint(entries->len, >, 0);
    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = entries->pdata[i];
        g_autoptr(GError) error = NULL;
        g_autoptr(FmFigure) figure = fm_loaded_run_build(c->loaded, entry->id, &error);
        g_assert_no_error(error);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add("/ui/loaded-run/" path, Case, NULL, set_up, test, tear_down)
    ADD("logged-ios-are-a-figure", test_logged_ios);
    ADD("what-is-listed-can-be-built", test_every_entry);
#undef ADD
    return g_test_run();
}
