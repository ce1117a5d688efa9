/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Real hosts, pipes and sockets around a scripted worker (fake-worker.c): whatever dies,
 * hangs or lies, there is a readable run, and nothing of it is left lying about.
 */
#include "host/session.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "base/error.h"
#include "platform/local-socket.h"
#include "store/run-file.h"

enum { PATIENCE_MS = 10000 };

typedef struct {
    char *output; /* run file of this test */
} Fixture;

/* Holds everything and is removed at the end.  One for all tests, since GLib remembers
 * where the user's folders are. */
static char *root;

/* What one viewer saw. */
typedef struct {
    FmSession *session;
    GByteArray *kinds; /* of frames, in order */
    GPtrArray *notes; /* texts */
    guint64 acknowledged; /* request of the last acknowledgement */
    char *outcome;
    char *reason;
    char *error;
    guint32 worker; /* process id */
    bool is_closed;
} Viewer;

static void
set_up(Fixture *fixture, gconstpointer data)
{
    static unsigned n_tests;
    g_autofree char *name = g_strdup_printf("%u.fathom", n_tests++);

    fixture->output = g_build_filename(root, name, NULL);
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

static void
tear_down(Fixture *fixture, gconstpointer data)
{
    g_autoptr(GPtrArray) runs = fm_session_list();

    g_assert_cmpuint(runs->len, ==, 0);
    g_unlink(fixture->output);
    g_free(fixture->output);
}

/* --- A viewer --------------------------------------------------------------------- */

static void
see_note(Viewer *viewer, GVariant *note)
{
    char *text = NULL;

    if (g_variant_lookup(note, "text", "s", &text)) {
        g_ptr_array_add(viewer->notes, text);
    }
    g_variant_lookup(note, "request", "t", &viewer->acknowledged);
}

static void
frame_cb(FmSession *session, const FmFrame *frame, gpointer user_data)
{
    Viewer *viewer = user_data;
    guint8 kind = (guint8)frame->kind;

    g_assert_cmpuint(frame->sequence, ==, viewer->kinds->len);
    g_byte_array_append(viewer->kinds, &kind, 1);
    if (frame->kind == FM_FRAME_TICK || frame->kind == FM_FRAME_LATENCY_LOG) {
        return;
    }
    g_autoptr(GVariant) dictionary = fm_frame_get_variant(frame, NULL);
    g_assert_nonnull(dictionary);
    if (frame->kind == FM_FRAME_NOTE) {
        see_note(viewer, dictionary);
    } else if (frame->kind == FM_FRAME_END) {
        g_assert_true(g_variant_lookup(dictionary, "outcome", "s", &viewer->outcome));
        g_assert_true(g_variant_lookup(dictionary, "reason", "s", &viewer->reason));
    } else if (frame->kind == FM_FRAME_HELLO) {
        g_variant_lookup(dictionary, "pid", "u", &viewer->worker);
    }
}

static void
closed_cb(FmSession *session, const GError *error, gpointer user_data)
{
    Viewer *viewer = user_data;

    viewer->is_closed = true;
    viewer->error = error != NULL ? g_strdup(error->message) : NULL;
}

static Viewer *
viewer_new(FmSession *session)
{
    Viewer *viewer = g_new0(Viewer, 1);

    viewer->session = session;
    viewer->kinds = g_byte_array_new();
    viewer->notes = g_ptr_array_new_with_free_func(g_free);
    fm_session_watch(session, frame_cb, closed_cb, viewer);
    return viewer;
}

static void
viewer_free(Viewer *viewer)
{
    fm_session_free(viewer->session);
    g_byte_array_unref(viewer->kinds);
    g_ptr_array_unref(viewer->notes);
    g_free(viewer->outcome);
    g_free(viewer->reason);
    g_free(viewer->error);
    g_free(viewer);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC(Viewer, viewer_free)

static Viewer *
start(Fixture *fixture, const char *script)
{
    g_autofree char *target = g_strconcat("fake:", script, NULL);
    g_autofree char *output = g_strdup(fixture->output);
    char plan[] = "{}";
    char plan_id[] = "test";
    FmSessionRequest request = {
        .plan_text = plan,
        .plan_id = plan_id,
        .target = target,
        .output = output,
    };
    g_autoptr(GError) error = NULL;
    FmSession *session = fm_session_start(&request, &error);

    g_assert_no_error(error);
    return viewer_new(session);
}

static Viewer *
attach(const char *id)
{
    g_autoptr(GError) error = NULL;
    FmSession *session = fm_session_attach(id, &error);

    g_assert_no_error(error);
    return viewer_new(session);
}

/* Runs the main loop until @what is true. */
#define wait_until(what)                                                                           \
    G_STMT_START                                                                                   \
    {                                                                                              \
        gint64 deadline = g_get_monotonic_time() + PATIENCE_MS * 1000;                             \
        while (!(what)) {                                                                          \
            g_assert_cmpint(g_get_monotonic_time(), <, deadline);                                  \
            if (!g_main_context_iteration(NULL, FALSE)) {                                          \
                g_usleep(1000);                                                                    \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    G_STMT_END

static bool
is_alive(guint32 pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%u/stat", pid);
    g_autofree char *text = NULL;

    /* A zombie whose parent has not noticed yet is not alive. */
    return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, ") Z ") == NULL;
}

static bool
has_note(const Viewer *viewer, const char *part)
{
    for (guint i = 0; i < viewer->notes->len; i++) {
        if (strstr(g_ptr_array_index(viewer->notes, i), part) != NULL) {
            return true;
        }
    }
    return false;
}

static FmRun *
load(const char *path)
{
    g_autoptr(GError) error = NULL;
    FmRun *run = fm_run_file_load(path, &error);

    g_assert_no_error(error);
    return run;
}

/* --- In order ---------------------------------------------------------------------- */

static void
test_complete_run(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "note,ticks=20,stderr,end=complete");

    wait_until(viewer->is_closed);
    g_assert_null(viewer->error);
    g_assert_cmpstr(viewer->outcome, ==, "complete");
    g_assert_true(has_note(viewer, "something odd happened"));
    g_assert_cmpuint(viewer->kinds->len, ==, 1 + 1 + 20 + 1 + 1);
    g_assert_cmpuint(viewer->kinds->data[0], ==, FM_FRAME_HELLO);

    g_autoptr(FmRun) run = load(fixture->output);
    g_assert_true(run->ended);
    g_assert_cmpstr(run->outcome, ==, "complete");
}

static void
test_viewers_see_the_same(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) first = start(fixture, "ticks=500,wait,ticks=5,end=stopped");
    const char *id = fm_session_get_id(first->session);
    g_autoptr(Viewer) second = attach(NULL);
    g_autoptr(Viewer) third = attach(id);

    wait_until(first->kinds->len == 501 && third->kinds->len == 501);
    /* One leaves, another comes late; any of them may stop the run. */
    g_clear_pointer(&third, viewer_free);
    third = attach(id);
    guint64 request = fm_session_command(second->session, FM_FRAME_STOP);
    wait_until(first->is_closed && second->is_closed && third->is_closed);
    g_assert_cmpuint(first->acknowledged, ==, request);
    g_assert_cmpstr(first->outcome, ==, "stopped");
    g_assert_cmpmem(first->kinds->data, first->kinds->len, second->kinds->data, second->kinds->len);
    g_assert_cmpmem(first->kinds->data, first->kinds->len, third->kinds->data, third->kinds->len);
}

static void
test_pause_and_resume(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "wait,end=stopped");
    static const FmFrameKind commands[] = {FM_FRAME_PAUSE, FM_FRAME_RESUME, FM_FRAME_STOP};

    for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
        guint64 request = fm_session_command(viewer->session, commands[i]);
        wait_until(viewer->acknowledged == request);
    }
    wait_until(viewer->is_closed);
    g_assert_true(has_note(viewer, "paused"));
    g_assert_true(has_note(viewer, "resumed"));
}

static void
test_refused_run_leaves_nothing(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "end=refused");

    wait_until(viewer->is_closed);
    g_assert_cmpstr(viewer->outcome, ==, "refused");
    g_assert_false(g_file_test(fixture->output, G_FILE_TEST_EXISTS));
}

static void
test_existing_file_is_kept(Fixture *fixture, gconstpointer data)
{
    char plan[] = "{}";
    char plan_id[] = "test";
    char target[] = "fake:end=complete";
    FmSessionRequest request = {
        .plan_text = plan, .plan_id = plan_id, .target = target, .output = fixture->output};
    g_autoptr(GError) error = NULL;
    g_autofree char *content = NULL;

    g_assert_true(g_file_set_contents(fixture->output, "mine", -1, NULL));
    g_assert_null(fm_session_start(&request, &error));
    g_assert_nonnull(error);
    g_assert_nonnull(strstr(error->message, fixture->output));
    g_assert_true(g_file_get_contents(fixture->output, &content, NULL, NULL));
    g_assert_cmpstr(content, ==, "mine");
}

/* Run with a state folder that is too deep for a socket address (see meson.build). */
static void
test_socket_is_removed(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "wait,end=stopped");
    g_autoptr(GPtrArray) runs = fm_session_list();

    g_assert_cmpuint(runs->len, ==, 1);
    const FmSessionInfo *info = g_ptr_array_index(runs, 0);
    g_autofree char *folder = g_path_get_dirname(info->socket);
    bool is_apart = g_str_has_prefix(folder, "/tmp/fathom-") && !g_str_has_prefix(folder, root);
    fm_session_command(viewer->session, FM_FRAME_STOP);
    wait_until(viewer->is_closed);
    g_assert_cmpstr(viewer->outcome, ==, "stopped");
    g_assert_false(g_file_test(info->socket, G_FILE_TEST_EXISTS));
    g_assert_cmpint(is_apart, ==, strlen(root) > 100);
    g_assert_cmpint(g_file_test(folder, G_FILE_TEST_EXISTS), ==, !is_apart);
}

/* --- Death and lies ---------------------------------------------------------------- */

static void
test_dying_worker(Fixture *fixture, gconstpointer data)
{
    static const struct {
        const char *script;
        const char *reason;
    } cases[] = {
        {"ticks=3,kill", "signal 9"},
        {"ticks=3,exit=7", "exit code 7"},
        {"exit=0", "exit code 0"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_unlink(fixture->output);
        g_autoptr(Viewer) viewer = start(fixture, cases[i].script);
        wait_until(viewer->is_closed);
        g_assert_null(viewer->error);
        g_assert_cmpstr(viewer->outcome, ==, "failed");
        g_assert_nonnull(strstr(viewer->reason, cases[i].reason));
        g_autoptr(FmRun) run = load(fixture->output);
        g_assert_cmpstr(run->outcome, ==, "failed");
    }
}

/* As one that waits in the kernel for a hung drive: its pipes stay open, its run ends. */
static void
test_worker_that_never_goes(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "ticks=3,leave=8000,end=stopped");

    wait_until(viewer->is_closed);
    g_assert_null(viewer->error);
    g_assert_cmpstr(viewer->outcome, ==, "stopped");
    g_autoptr(FmRun) run = load(fixture->output);
    g_assert_true(run->ended);
    g_assert_cmpstr(run->outcome, ==, "stopped");
}

static void
test_babbling_worker(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "ticks=3,garbage,ticks=3,end=complete");

    wait_until(viewer->is_closed);
    g_assert_cmpstr(viewer->outcome, ==, "complete");
    g_assert_true(has_note(viewer, "damaged"));
    g_assert_cmpuint(viewer->kinds->len, >=, 1 + 6 + 1 + 1);
}

static void
test_killed_host(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "ticks=10,wait,end=stopped");
    g_autoptr(GPtrArray) before = fm_session_list();

    wait_until(viewer->kinds->len == 11);
    g_assert_cmpuint(before->len, ==, 1);
    g_assert_true(is_alive(viewer->worker));
    const FmSessionInfo *info = g_ptr_array_index(before, 0);
    kill((pid_t)info->pid, SIGKILL);
    wait_until(viewer->is_closed);
    g_assert_nonnull(viewer->error);

    gint64 killed_us = g_get_monotonic_time();
    wait_until(!is_alive(viewer->worker));
    g_assert_cmpint(g_get_monotonic_time() - killed_us, <, 2 * G_USEC_PER_SEC);

    wait_until(!is_alive(info->pid));
    g_autoptr(GPtrArray) after = fm_session_list();
    g_assert_cmpuint(after->len, ==, 0);
    g_assert_false(g_file_test(info->socket, G_FILE_TEST_EXISTS));
}

static void
test_stuck_viewer(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "sleep=100,flood=24,end=complete");
    g_autoptr(GPtrArray) runs = fm_session_list();
    const FmSessionInfo *info = g_ptr_array_index(runs, 0);
    /* Connects and never reads a byte. */
    g_autoptr(GSocketConnection) stuck = plat_socket_connect(info->socket, NULL);

    g_assert_nonnull(stuck);
    wait_until(viewer->outcome != NULL);
    g_assert_cmpstr(viewer->outcome, ==, "complete");
    wait_until(viewer->is_closed);
}

static void
test_hostile_viewer(Fixture *fixture, gconstpointer data)
{
    g_autoptr(Viewer) viewer = start(fixture, "wait,end=stopped");
    g_autoptr(GPtrArray) runs = fm_session_list();
    const FmSessionInfo *info = g_ptr_array_index(runs, 0);
    g_autofree char *junk = g_strnfill(100000, 'x');
    g_autoptr(GByteArray) frames = g_byte_array_new();

    /* Junk; a frame that only a worker may send; half a frame. */
    fm_frame_encode(frames, FM_FRAME_END, 0, NULL, 0);
    fm_frame_encode(frames, FM_FRAME_START, 1, "nonsense", 8);
    const struct {
        const void *bytes;
        gsize length;
    } attacks[] = {{junk, 100000}, {frames->data, frames->len}, {frames->data, 20}};
    for (gsize i = 0; i < G_N_ELEMENTS(attacks); i++) {
        g_autoptr(GSocketConnection) enemy = plat_socket_connect(info->socket, NULL);
        g_assert_nonnull(enemy);
        GOutputStream *output = g_io_stream_get_output_stream(G_IO_STREAM(enemy));
        g_output_stream_write(output, attacks[i].bytes, attacks[i].length, NULL, NULL);
    }
    guint64 request = fm_session_command(viewer->session, FM_FRAME_STOP);
    wait_until(viewer->is_closed);
    g_assert_cmpuint(viewer->acknowledged, ==, request);
    g_assert_cmpstr(viewer->outcome, ==, "stopped");
}

static void
test_full_results_folder(Fixture *fixture, gconstpointer data)
{
    g_autofree char *small = g_build_filename(root, "small", NULL);

    g_mkdir(small, 0700);
    if (mount("fathom-test", small, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m") != 0) {
        g_test_skip("mounting a small file system needs root");
        return;
    }
    g_free(fixture->output);
    fixture->output = g_build_filename(small, "r.fathom", NULL);
    g_autoptr(Viewer) viewer = start(fixture, "ticks=10,flood=3,ticks=10,end=complete");
    wait_until(viewer->is_closed);

    g_autofree char *moved = g_strdup(fm_session_get_output(viewer->session));
    umount(small);
    g_assert_cmpstr(viewer->outcome, ==, "complete");
    g_assert_true(has_note(viewer, "goes on in"));
    g_assert_cmpstr(moved, !=, fixture->output);
    g_autoptr(FmRun) run = load(moved);
    g_assert_cmpstr(run->outcome, ==, "complete");
}

/* @is_deep: with a name that is longer than a socket address can be. */
static void
make_root(bool is_deep)
{
    g_autofree char *template =
        is_deep ? g_strdup_printf("fathom-host-%0100d-XXXXXX", 0) : g_strdup("fathom-host-XXXXXX");

    root = g_dir_make_tmp(template, NULL);
    g_assert_nonnull(root);
    g_setenv("XDG_STATE_HOME", root, TRUE);
    g_setenv("XDG_DATA_HOME", root, TRUE);
}

int
main(int argc, char **argv)
{
    static const struct {
        const char *path;
        void (*test)(Fixture *, gconstpointer);
    } tests[] = {
        {"/host/session/complete-run-is-seen-and-kept", test_complete_run},
        {"/host/session/viewers-come-and-go-and-see-the-same", test_viewers_see_the_same},
        {"/host/session/commands-are-acknowledged-by-number", test_pause_and_resume},
        {"/host/session/refused-run-leaves-no-file", test_refused_run_leaves_nothing},
        {"/host/session/existing-file-is-never-overwritten", test_existing_file_is_kept},
        {"/host/session/socket-is-removed-wherever-it-was", test_socket_is_removed},
        {"/host/session/death-of-the-worker-closes-the-run", test_dying_worker},
        {"/host/session/worker-that-never-goes-holds-nothing-up", test_worker_that_never_goes},
        {"/host/session/damaged-frames-do-not-end-the-run", test_babbling_worker},
        {"/host/session/death-of-the-host-ends-the-worker", test_killed_host},
        {"/host/session/stuck-viewer-slows-nobody", test_stuck_viewer},
        {"/host/session/hostile-viewer-is-dropped", test_hostile_viewer},
        {"/host/session/full-results-folder-moves-the-run", test_full_results_folder},
    };

    g_test_init(&argc, &argv, NULL);
    make_root(argc > 1);
    for (gsize i = 0; i < G_N_ELEMENTS(tests); i++) {
        g_test_add(tests[i].path, Fixture, NULL, set_up, tests[i].test, tear_down);
    }
    int result = g_test_run();
    remove_tree(root);
    g_free(root);
    return result;
}
