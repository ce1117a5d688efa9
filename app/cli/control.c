/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pause, resume, stop and attach: what can be done to a run in progress from any
 * terminal.  A command waits for the run's own acknowledgement, so that a script knows
 * that it happened.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/error.h"
#include "cli/cli.h"
#include "cli/follow.h"

#include <glib/gi18n.h>

enum { ANSWER_TIMEOUT_S = 10 };

typedef struct {
    GMainLoop *loop;
    guint timer; /* until the answer came */
    guint64 request; /* which acknowledgement is ours */
    bool waits_for_end;
    bool is_answered;
    char *outcome; /* END's */
    GError *error;
} Control;

static void
frame_cb(FmSession *session, const FmFrame *frame, gpointer user_data)
{
    Control *control = (Control *)user_data;

    if (frame->kind != FM_FRAME_NOTE && frame->kind != FM_FRAME_END) {
        return;
    }
    g_autoptr(GVariant) dictionary = fm_frame_get_variant(frame, NULL);
    guint64 request = 0;
    if (dictionary == NULL) {
        return;
    }
    if (frame->kind == FM_FRAME_END) {
        control->is_answered = true;
        g_variant_lookup(dictionary, "outcome", "s", &control->outcome);
    } else if (g_variant_lookup(dictionary, "request", "t", &request) &&
               request == control->request) {
        control->is_answered = true;
        if (!control->waits_for_end) {
            g_main_loop_quit(control->loop);
            return;
        }
        /* A slow drive may need half a minute for what it was given. */
        g_printerr(_("The run “%s” is stopping; it ends when its last I/O is done.\n"),
                   fm_session_get_id(session));
    }
}

static void
closed_cb(FmSession *session, const GError *error, gpointer user_data)
{
    Control *control = (Control *)user_data;

    control->error = error != NULL ? g_error_copy(error) : NULL;
    g_main_loop_quit(control->loop);
}

static gboolean
timeout_cb(gpointer user_data)
{
    Control *control = (Control *)user_data;

    control->timer = 0;
    if (!control->is_answered) {
        fm_error_set(&control->error, FM_ERROR_BUSY, "The run did not answer within ten seconds");
        g_main_loop_quit(control->loop);
    }
    return G_SOURCE_REMOVE;
}

static int
conclude(Control *control, FmSession *session, FmFrameKind kind)
{
    const char *id = fm_session_get_id(session);

    if (control->error != NULL) {
        fm_cli_fail(control->error);
        return FM_EXIT_FAILED;
    }
    switch ((unsigned)kind) {
    case FM_FRAME_PAUSE:
        g_print(_("The run “%s” is paused.\n"), id);
        break;
    case FM_FRAME_RESUME:
        g_print(_("The run “%s” goes on.\n"), id);
        break;
    default:
        g_print(_("The run “%s” is over; it is kept in “%s”.\n"), id,
                fm_session_get_output(session));
        break;
    }
    return FM_EXIT_OK;
}

static int
send_command(const FmCommand *command, int argc, char **argv, FmFrameKind kind)
{
    const GOptionEntry entries[] = {{NULL}};
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autoptr(FmSession) session = fm_session_attach(argc > 1 ? argv[1] : NULL, &error);
    if (session == NULL) {
        return fm_cli_fail(error);
    }
    Control control = {
        .loop = g_main_loop_new(NULL, FALSE),
        .waits_for_end = kind == FM_FRAME_STOP,
    };
    control.timer = g_timeout_add_seconds(ANSWER_TIMEOUT_S, timeout_cb, &control);

    fm_session_watch(session, frame_cb, closed_cb, &control);
    control.request = fm_session_command(session, kind);
    g_main_loop_run(control.loop);

    g_clear_handle_id(&control.timer, g_source_remove);
    exit_code = conclude(&control, session, kind);
    g_main_loop_unref(control.loop);
    g_clear_error(&control.error);
    g_free(control.outcome);
    return exit_code;
}

static int
run_pause(const FmCommand *command, int argc, char **argv)
{
    return send_command(command, argc, argv, FM_FRAME_PAUSE);
}

static int
run_resume(const FmCommand *command, int argc, char **argv)
{
    return send_command(command, argc, argv, FM_FRAME_RESUME);
}

static int
run_stop(const FmCommand *command, int argc, char **argv)
{
    return send_command(command, argc, argv, FM_FRAME_STOP);
}

static int
run_attach(const FmCommand *command, int argc, char **argv)
{
    const GOptionEntry entries[] = {{NULL}};
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autoptr(FmSession) session = fm_session_attach(argc > 1 ? argv[1] : NULL, &error);
    if (session == NULL) {
        return fm_cli_fail(error);
    }
    g_autoptr(FmFollow) follow = fm_follow_new(FM_FOLLOW_LEAVE);
    exit_code = fm_follow_watch(follow, session);
    if (!fm_follow_has_left(follow)) {
        fm_follow_show_result(session, fm_follow_get_run(follow));
    }
    return exit_code;
}

const FmCommand fm_command_pause = {
    .name = "pause",
    .arguments = N_("[ID]"),
    .max_arguments = 1,
    .summary = N_("pauses a run; nothing is read or written until “resume”"),
    .examples = {{"pause", N_("Pauses the only run in progress.")},
                 {"pause k7m2xw", N_("Pauses the run “k7m2xw” of several.")}},
    .run = run_pause,
};

const FmCommand fm_command_resume = {
    .name = "resume",
    .arguments = N_("[ID]"),
    .max_arguments = 1,
    .summary = N_("lets a paused run go on"),
    .examples = {{"resume", N_("Lets the only run in progress go on.")}},
    .run = run_resume,
};

const FmCommand fm_command_stop = {
    .name = "stop",
    .arguments = N_("[ID]"),
    .max_arguments = 1,
    .summary = N_("stops a run in order and waits for its end; what was measured is kept"),
    .examples = {{"stop", N_("Stops the only run in progress.")},
                 {"stop k7m2xw", N_("Stops the run “k7m2xw” of several.")}},
    .run = run_stop,
};

const FmCommand fm_command_attach = {
    .name = "attach",
    .arguments = N_("[ID]"),
    .max_arguments = 1,
    .summary = N_("shows a run in progress until it is over"),
    .details = N_("Ctrl-C leaves; the run goes on. Any number of terminals may be attached."),
    .examples = {{"attach", N_("Shows the only run in progress.")},
                 {"attach k7m2xw", N_("Shows the run “k7m2xw” of several.")}},
    .run = run_attach,
};
