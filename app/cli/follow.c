/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * On a terminal one line is rewritten; elsewhere a line every few seconds says where
 * the run is, so that logs stay short.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/follow.h"

#include "base/error.h"
#include "base/label.h"
#include "base/text-table.h"
#include "base/text.h"
#include "cli/cli.h"
#include "model/run-progress.h"
#include "platform/process.h"
#include "store/export.h"
#include "store/run-text.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

enum {
    TERMINAL_INTERVAL_MS = 250,
    LOG_INTERVAL_MS = 5000,
    /* Of a table that goes to a file. */
    DEFAULT_COLUMNS = 100,
};

struct FmFollow {
    FmSession *session; /* the caller's */
    GMainLoop *loop;
    FmRun *run;
    GError *error;
    unsigned columns; /* 0 = no terminal */
    unsigned shown_width; /* of the line on the terminal */
    guint n_shown_notes;
    FmRunForecast *forecast; /* NULL = not known */
    char *shown_reason; /* of the verdict; TARGET comes more than once */
    FmFollowInterrupt interrupt;
    bool is_stopping;
    bool has_left;
};

int
fm_follow_get_exit_code(const char *outcome)
{
    static const struct {
        const char *outcome;
        int exit_code;
    } codes[] = {
        {"complete", FM_EXIT_OK},
        {"stopped", FM_EXIT_STOPPED},
        {"refused", FM_EXIT_REFUSED},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(codes); i++) {
        if (g_strcmp0(outcome, codes[i].outcome) == 0) {
            return codes[i].exit_code;
        }
    }
    return FM_EXIT_FAILED;
}

/* --- The line ---------------------------------------------------------------------------- */

/* MB/s and IOPS over the last second of @step; NULL when there is nothing yet. */
static char *
dup_speed(const FmRunStep *step)
{
    FmRunSpeed speed;

    if (!fm_run_step_get_speed(step, &speed)) {
        return NULL;
    }
    g_autofree char *rate = fm_label_dup_megabytes(speed.bytes_per_second, 1);
    g_autofree char *iops = fm_label_dup_iops(speed.ios_per_second);
    return g_strdup_printf("%s  %s", rate, iops);
}

char *
fm_follow_dup_progress(const FmRun *run, FmRunForecast *forecast)
{
    g_autofree char *idle = fm_run_text_dup_activity(run);

    if (run->steps->len == 0) {
        return g_steal_pointer(&idle);
    }
    const FmRunStep *step = (const FmRunStep *)g_ptr_array_index(run->steps, run->steps->len - 1);
    GString *line = g_string_new(NULL);
    g_autofree char *name = fm_run_text_dup_step_name(step);
    g_autofree char *position = fm_run_text_dup_position(run);
    g_autofree char *activity = idle != NULL ? g_steal_pointer(&idle) : dup_speed(step);

    g_string_append_printf(line, "%s  %s", position, name);
    if (activity != NULL) {
        g_string_append_printf(line, "  %s", activity);
    }
    if (forecast != NULL) {
        int64_t left_ns = fm_run_forecast_get_left_ns(forecast, run, g_get_real_time());
        g_autofree char *left = fm_label_dup_clock(left_ns);
        g_string_append(line, "  ");
        g_string_append_printf(line, _("%s left"), left);
    }
    return g_string_free(line, FALSE);
}

/* @text cut to @columns. */
static char *
dup_cut(const char *text, unsigned columns)
{
    unsigned width = 0;
    const char *p = text;

    while (*p != '\0') {
        unsigned wide = g_unichar_iswide(g_utf8_get_char(p)) ? 2 : 1;
        if (width + wide > columns) {
            break;
        }
        width += wide;
        p = g_utf8_next_char(p);
    }
    return g_strndup(text, (gsize)(p - text));
}

static void
clear_line(FmFollow *follow)
{
    if (follow->shown_width > 0) {
        g_printerr("\r%*s\r", (int)follow->shown_width, "");
        follow->shown_width = 0;
    }
}

static void
show_line(FmFollow *follow)
{
    g_autofree char *progress = fm_follow_dup_progress(follow->run, follow->forecast);

    if (follow->columns == 0) {
        g_printerr("%s\n", progress);
        return;
    }
    g_autofree char *line = dup_cut(progress, follow->columns - 1);
    unsigned width = fm_cli_get_width(line);
    unsigned n_blanks = follow->shown_width > width ? follow->shown_width - width : 0;
    g_printerr("\r%s%*s", line, (int)n_blanks, "");
    follow->shown_width = MAX(width, 1);
}

/* --- Notes ------------------------------------------------------------------------------- */

static const char *
get_note_title(const char *kind)
{
    static const struct {
        const char *kind;
        const char *title;
    } titles[] = {
        {"error", N_("Error")},
        {"warning", N_("Warning")},
        {"fallback", N_("Fallback")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(titles); i++) {
        if (g_strcmp0(kind, titles[i].kind) == 0) {
            return _(titles[i].title);
        }
    }
    return NULL;
}

static void
show_new_notes(FmFollow *follow)
{
    for (; follow->n_shown_notes < follow->run->notes->len; follow->n_shown_notes++) {
        const FmRunNote *note =
            (const FmRunNote *)g_ptr_array_index(follow->run->notes, follow->n_shown_notes);
        const char *title = get_note_title(note->kind);
        if (title != NULL) {
            g_autofree char *said = fm_message_dup_local(note->text);
            g_autofree char *text = fm_text_dup_printable(said);
            g_autoptr(GString) line = g_string_new(title);
            g_string_append(line, ": ");
            fm_text_append_wrapped(line, text, fm_text_width(line->str), follow->columns);
            clear_line(follow);
            g_printerr("%s\n", line->str);
        }
    }
}

static void
show_verdict(FmFollow *follow)
{
    const FmRun *run = follow->run;
    const char *text = fm_message_get_text(run->verdict_reason);

    if (g_strcmp0(run->verdict, "direct") == 0 || *text == '\0' ||
        g_strcmp0(follow->shown_reason, text) == 0) {
        return;
    }
    g_free(follow->shown_reason);
    follow->shown_reason = g_strdup(text);
    g_autofree char *said = fm_message_dup_local(run->verdict_reason);
    g_autofree char *reason = fm_text_dup_printable(said);
    clear_line(follow);
    g_printerr(_("Target: %s\n"), reason);
}

/* --- Events ------------------------------------------------------------------------------ */

static void
frame_cb(FmSession *session, const FmFrame *frame, gpointer user_data)
{
    FmFollow *follow = (FmFollow *)user_data;

    fm_run_add_frame(follow->run, frame);
    if (frame->kind == FM_FRAME_NOTE) {
        show_new_notes(follow);
    } else if (frame->kind == FM_FRAME_PLAN) {
        g_clear_pointer(&follow->forecast, fm_run_forecast_free);
        follow->forecast = fm_run_forecast_new(follow->run);
    } else if (frame->kind == FM_FRAME_TARGET) {
        show_verdict(follow);
    }
}

static void
closed_cb(FmSession *session, const GError *error, gpointer user_data)
{
    FmFollow *follow = (FmFollow *)user_data;

    follow->error = error != NULL ? g_error_copy(error) : NULL;
    g_main_loop_quit(follow->loop);
}

static gboolean
progress_cb(gpointer user_data)
{
    show_line((FmFollow *)user_data);
    return G_SOURCE_CONTINUE;
}

static gboolean
interrupt_cb(gpointer user_data)
{
    FmFollow *follow = (FmFollow *)user_data;

    clear_line(follow);
    if (follow->interrupt == FM_FOLLOW_LEAVE || follow->is_stopping) {
        follow->has_left = true;
        g_main_loop_quit(follow->loop);
        return G_SOURCE_CONTINUE;
    }
    follow->is_stopping = true;
    g_printerr("%s\n", _("Stopping; press Ctrl-C again to leave it alone."));
    fm_session_command(follow->session, FM_FRAME_STOP);
    return G_SOURCE_CONTINUE;
}

static int
conclude(FmFollow *follow)
{
    if (follow->has_left) {
        g_printerr(_("The run “%s” goes on; “fathom-cli attach %s” shows it again.\n"),
                   fm_session_get_id(follow->session), fm_session_get_id(follow->session));
        return follow->is_stopping ? FM_EXIT_STOPPED : FM_EXIT_OK;
    }
    if (follow->error != NULL) {
        fm_cli_fail(follow->error);
        return FM_EXIT_FAILED;
    }
    int exit_code = fm_follow_get_exit_code(follow->run->outcome);
    g_autofree char *said = fm_message_dup_local(follow->run->reason);
    if (exit_code != FM_EXIT_OK && *said != '\0') {
        g_autofree char *reason = fm_text_dup_printable(said);
        g_printerr("fathom-cli: %s%s\n", reason, g_str_has_suffix(reason, ".") ? "" : ".");
    }
    return exit_code;
}

FmFollow *
fm_follow_new(FmFollowInterrupt interrupt)
{
    FmFollow *follow = g_new0(FmFollow, 1);

    follow->loop = g_main_loop_new(NULL, FALSE);
    follow->run = fm_run_new();
    follow->columns = plat_process_get_columns(STDERR_FILENO);
    follow->interrupt = interrupt;
    plat_process_watch_requests(interrupt_cb, follow);
    return follow;
}

void
fm_follow_free(FmFollow *follow)
{
    if (follow == NULL) {
        return;
    }
    g_clear_error(&follow->error);
    g_main_loop_unref(follow->loop);
    fm_run_forecast_free(follow->forecast);
    fm_run_free(follow->run);
    g_free(follow->shown_reason);
    g_free(follow);
}

int
fm_follow_watch(FmFollow *follow, FmSession *session)
{
    guint interval_ms = follow->columns > 0 ? TERMINAL_INTERVAL_MS : LOG_INTERVAL_MS;
    guint timer = g_timeout_add(interval_ms, progress_cb, follow);

    follow->session = session;
    fm_session_watch(session, frame_cb, closed_cb, follow);
    g_main_loop_run(follow->loop);
    g_source_remove(timer);
    clear_line(follow);
    return conclude(follow);
}

const FmRun *
fm_follow_get_run(const FmFollow *follow)
{
    return follow->run;
}

bool
fm_follow_has_left(const FmFollow *follow)
{
    return follow->has_left;
}

void
fm_follow_show_result(FmSession *session, const FmRun *run)
{
    unsigned columns = plat_process_get_columns(STDOUT_FILENO);
    g_autoptr(GError) error = NULL;

    if (g_strcmp0(run->outcome, "refused") == 0) {
        return; /* nothing was done, nothing is kept */
    }
    if (run->steps->len > 0) {
        g_autofree char *table =
            fm_export_text(run, columns > 0 ? columns : DEFAULT_COLUMNS, &error);
        if (table != NULL) {
            g_print("\n%s", table);
        } else {
            fm_cli_fail(error);
        }
    }
    const char *output = fm_session_get_output(session);
    if (output != NULL) {
        g_print("\n");
        g_print(_("Kept in “%s”.\n"), output);
    }
}
