/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames may come by the ten thousand when a long run is attached to; they are folded as
 * they come, and only a timer tells the world, so that no viewer repaints more often than
 * twice a second.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/live-run.h"

#include "host/request.h"
#include "model/run-forecast.h"
#include "model/run-progress.h"

#include <gio/gio.h>

enum {
    CHANGED_INTERVAL_MS = 500,
    REST_INTERVAL_S = 1, /* while the drive rests no frame comes, but time passes */
};

struct _FmLiveRun {
    GObject parent_instance;
    FmLiveState state;
    FmSession *session;
    FmRun *run;
    unsigned serial;
    GError *error;
    char *output;
    FmRunForecast *forecast; /* NULL = not known */
    bool is_searching; /* a thread looks for a run in progress */
    guint rest_timer; /* 0 = no run is watched */
    guint changed_timer; /* 0 = nobody waits for "changed" */
    gint64 told_us; /* when "changed" was emitted last */
};

enum { CHANGED, ENDED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmLiveRun, fm_live_run, G_TYPE_OBJECT)

/* --- Telling ------------------------------------------------------------------------------ */

static void
tell_now(FmLiveRun *live)
{
    g_clear_handle_id(&live->changed_timer, g_source_remove);
    live->told_us = g_get_monotonic_time();
    g_signal_emit(live, signals[CHANGED], 0);
}

static gboolean
tell_cb(gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(user_data);

    live->changed_timer = 0;
    tell_now(live);
    return G_SOURCE_REMOVE;
}

static void
tell_soon(FmLiveRun *live)
{
    if (live->changed_timer != 0) {
        return;
    }
    gint64 passed_ms = (g_get_monotonic_time() - live->told_us) / 1000;
    guint wait_ms = (guint)CLAMP(CHANGED_INTERVAL_MS - passed_ms, 0, CHANGED_INTERVAL_MS);
    live->changed_timer = g_timeout_add(wait_ms, tell_cb, live);
}

static void
set_state(FmLiveRun *live, FmLiveState state)
{
    if (live->state != state) {
        live->state = state;
        tell_now(live);
    }
}

/* --- Frames ------------------------------------------------------------------------------- */

/* Other viewers pause and stop as well. */
static FmLiveState
get_told_state(const FmRun *run)
{
    if (fm_run_is_stopping(run)) {
        return FM_LIVE_STOPPING;
    }
    return fm_run_is_paused(run) ? FM_LIVE_PAUSED : FM_LIVE_RUNNING;
}

static void
frame_cb(FmSession *session, const FmFrame *frame, gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(user_data);

    fm_run_add_frame(live->run, frame);
    if (frame->kind == FM_FRAME_PLAN) {
        g_clear_pointer(&live->forecast, fm_run_forecast_free);
        live->forecast = fm_run_forecast_new(live->run);
    }
    if (frame->kind == FM_FRAME_NOTE && live->state != FM_LIVE_STOPPING) {
        set_state(live, get_told_state(live->run));
    }
    tell_soon(live);
}

static void
closed_cb(FmSession *session, const GError *error, gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(user_data);

    live->error = error != NULL ? g_error_copy(error) : NULL;
    g_free(live->output);
    live->output = g_strdup(fm_session_get_output(session));
    g_clear_pointer(&live->session, fm_session_free);
    g_clear_handle_id(&live->rest_timer, g_source_remove);
    g_object_ref(live);
    set_state(live, FM_LIVE_ENDED);
    g_signal_emit(live, signals[ENDED], 0);
    g_object_unref(live);
}

static gboolean
rest_cb(gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(user_data);
    const GPtrArray *steps = live->run->steps;

    if (steps->len > 0 && ((const FmRunStep *)steps->pdata[steps->len - 1])->ended) {
        tell_soon(live);
    }
    return G_SOURCE_CONTINUE;
}

/* Everything of the last run goes; @session is taken. */
static void
watch(FmLiveRun *live, FmSession *session)
{
    g_clear_error(&live->error);
    g_clear_pointer(&live->run, fm_run_free);
    live->run = fm_run_new();
    live->session = session;
    live->serial++;
    g_clear_pointer(&live->forecast, fm_run_forecast_free);
    g_free(live->output);
    live->output = g_strdup(fm_session_get_output(session));
    set_state(live, FM_LIVE_RUNNING);
    g_clear_handle_id(&live->rest_timer, g_source_remove);
    live->rest_timer = g_timeout_add_seconds(REST_INTERVAL_S, rest_cb, live);
    fm_session_watch(session, frame_cb, closed_cb, live);
}

/* --- Starting and attaching ---------------------------------------------------------------- */

static void
start_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    GError *error = NULL;
    FmSession *session = fm_session_start((const FmSessionRequest *)task_data, &error);

    if (session != NULL) {
        g_task_return_pointer(task, session, (GDestroyNotify)fm_session_free);
    } else {
        g_task_return_error(task, error);
    }
}

static void
attach_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    g_autoptr(GPtrArray) runs = fm_session_list();
    GError *error = NULL;

    if (runs->len == 0) {
        g_task_return_pointer(task, NULL, NULL);
        return;
    }
    const FmSessionInfo *newest = (const FmSessionInfo *)g_ptr_array_index(runs, runs->len - 1);
    FmSession *session = fm_session_attach(newest->id, &error);
    if (session != NULL) {
        g_task_return_pointer(task, session, (GDestroyNotify)fm_session_free);
    } else {
        g_task_return_error(task, error);
    }
}

static void
started_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(source);
    g_autoptr(GError) error = NULL;
    FmSession *session = (FmSession *)g_task_propagate_pointer(G_TASK(result), &error);

    if (session != NULL) {
        watch(live, session);
        return;
    }
    g_clear_error(&live->error);
    live->error = g_steal_pointer(&error);
    set_state(live, FM_LIVE_NONE);
}

static void
attached_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmLiveRun *live = FM_LIVE_RUN(source);
    g_autoptr(GError) error = NULL;
    FmSession *session = (FmSession *)g_task_propagate_pointer(G_TASK(result), &error);

    live->is_searching = false;
    if (session != NULL && !fm_live_run_is_active(live)) {
        watch(live, session);
    } else {
        /* A run that ended just now is no error: nobody asked for this one by name. */
        fm_session_free(session);
    }
}

void
fm_live_run_start(FmLiveRun *live, FmSessionRequest *request)
{
    if (fm_live_run_is_active(live)) {
        fm_request_free(request);
        return;
    }
    g_autoptr(GTask) task = g_task_new(live, NULL, started_cb, NULL);
    g_task_set_task_data(task, request, (GDestroyNotify)fm_request_free);
    g_task_run_in_thread(task, start_thread);
    set_state(live, FM_LIVE_STARTING);
}

void
fm_live_run_attach(FmLiveRun *live)
{
    if (fm_live_run_is_active(live) || live->is_searching) {
        return;
    }
    live->is_searching = true;
    g_autoptr(GTask) task = g_task_new(live, NULL, attached_cb, NULL);
    g_task_run_in_thread(task, attach_thread);
}

/* --- Commands ------------------------------------------------------------------------------ */

void
fm_live_run_pause(FmLiveRun *live)
{
    if (live->state == FM_LIVE_RUNNING) {
        fm_session_command(live->session, FM_FRAME_PAUSE);
    }
}

void
fm_live_run_resume(FmLiveRun *live)
{
    if (live->state == FM_LIVE_PAUSED) {
        fm_session_command(live->session, FM_FRAME_RESUME);
    }
}

void
fm_live_run_stop(FmLiveRun *live)
{
    if (live->state == FM_LIVE_RUNNING || live->state == FM_LIVE_PAUSED) {
        fm_session_command(live->session, FM_FRAME_STOP);
        set_state(live, FM_LIVE_STOPPING);
    }
}

/* --- Reading ------------------------------------------------------------------------------- */

FmLiveState
fm_live_run_get_state(FmLiveRun *live)
{
    return live->state;
}

bool
fm_live_run_is_active(FmLiveRun *live)
{
    return live->state != FM_LIVE_NONE && live->state != FM_LIVE_ENDED;
}

const FmRun *
fm_live_run_get_run(FmLiveRun *live)
{
    return live->run;
}

unsigned
fm_live_run_get_serial(FmLiveRun *live)
{
    return live->serial;
}

const GError *
fm_live_run_get_error(FmLiveRun *live)
{
    return live->error;
}

const char *
fm_live_run_get_output(FmLiveRun *live)
{
    return live->session != NULL ? fm_session_get_output(live->session) : live->output;
}

gint64
fm_live_run_get_left_ns(FmLiveRun *live)
{
    if (live->run == NULL || live->forecast == NULL) {
        return -1;
    }
    return fm_run_forecast_get_left_ns(live->forecast, live->run, g_get_real_time());
}

/* --- GObject ------------------------------------------------------------------------------- */

static void
fm_live_run_finalize(GObject *object)
{
    FmLiveRun *live = FM_LIVE_RUN(object);

    g_clear_handle_id(&live->changed_timer, g_source_remove);
    g_clear_handle_id(&live->rest_timer, g_source_remove);
    g_clear_pointer(&live->session, fm_session_free);
    g_clear_pointer(&live->forecast, fm_run_forecast_free);
    g_clear_pointer(&live->run, fm_run_free);
    g_clear_error(&live->error);
    g_free(live->output);
    G_OBJECT_CLASS(fm_live_run_parent_class)->finalize(object);
}

static void
fm_live_run_class_init(FmLiveRunClass *class)
{
    G_OBJECT_CLASS(class)->finalize = fm_live_run_finalize;
    signals[CHANGED] = g_signal_new("changed", FM_TYPE_LIVE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
    signals[ENDED] = g_signal_new("ended", FM_TYPE_LIVE_RUN, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 0);
}

static void
fm_live_run_init(FmLiveRun *live)
{
    live->state = FM_LIVE_NONE;
}

FmLiveRun *
fm_live_run_new(void)
{
    return g_object_new(FM_TYPE_LIVE_RUN, NULL);
}
