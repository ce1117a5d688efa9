/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Main thread: waits for START and is the engine's control thread.  Control thread:
 * reads commands and acknowledges them.  Writer thread: see outbox.h.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "worker/worker.h"

#include "base/error.h"
#include "engine/engine.h"
#include "model/plan-reader.h"
#include "model/target.h"
#include "platform/platform.h"
#include "worker/outbox.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

enum {
    PROTOCOL = 1,
    READ_SIZE = 64 * 1024,
    /* How long an engine may take to stop when nobody listens any more.  In order it takes
     * 10 to 50 ms; what takes longer waits for the drive (a flush, an I/O that hangs), and
     * has nobody left to tell about it. */
    ORPHAN_TIMEOUT_MS = 200,
};

typedef struct {
    int commands;
    FmOutbox *outbox;
    pthread_mutex_t lock;
    pthread_cond_t changed;

    /* --- protected by lock */
    FmEngine *engine; /* NULL before and after the run */
    GVariant *start; /* START's dictionary, until the main thread takes it */
    char *test_file; /* our own file on the target, once the engine told it */
    FmMessage *broken; /* why the command stream can't be used any more */
    bool is_started;
    bool is_stopped; /* STOP came, or nobody listens */
    bool is_paused; /* as last asked for; the engine may not be there yet */
    bool is_host_gone;
    bool is_finished; /* the run is over; nothing is left to clean up */
} FmWorker;

/* --- Ending without a host ---------------------------------------------------- */

/*
 * Stops the run and sees to it that this process ends: an I/O that never completes
 * must not keep a worker alive that nobody can reach any more.
 */
static void
end_without_host(FmWorker *worker)
{
    struct timespec deadline;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec += (long)ORPHAN_TIMEOUT_MS * 1000000;
    deadline.tv_sec += deadline.tv_nsec / 1000000000;
    deadline.tv_nsec %= 1000000000;

    pthread_mutex_lock(&worker->lock);
    worker->is_host_gone = true;
    worker->is_stopped = true;
    if (worker->engine != NULL) {
        fm_engine_stop(worker->engine);
    }
    pthread_cond_broadcast(&worker->changed);

    int status = 0;
    while (!worker->is_finished && status == 0) {
        status = pthread_cond_timedwait(&worker->changed, &worker->lock, &deadline);
    }
    bool is_stuck = !worker->is_finished;
    if (is_stuck && worker->test_file != NULL) {
        unlink(worker->test_file);
    }
    pthread_mutex_unlock(&worker->lock);

    if (is_stuck) {
        _exit(FM_EXIT_FAILED);
    }
}

static void
outbox_broken_cb(gpointer user_data)
{
    end_without_host((FmWorker *)user_data);
}

/* --- Commands ------------------------------------------------------------------- */

/* The command stream makes no sense: the run is stopped and the reason told. */
static void
break_commands(FmWorker *worker, FmMessage *reason)
{
    pthread_mutex_lock(&worker->lock);
    if (worker->broken == NULL) {
        worker->broken = fm_message_ref(reason);
    }
    worker->is_stopped = true;
    if (worker->engine != NULL) {
        fm_engine_stop(worker->engine);
    }
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);
}

static void
handle_start(FmWorker *worker, const FmFrame *frame)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GVariant) start = fm_frame_get_variant(frame, &error);

    if (start == NULL) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        break_commands(worker, reason);
        return;
    }
    pthread_mutex_lock(&worker->lock);
    bool is_second = worker->is_started;
    if (!is_second) {
        worker->is_started = true;
        worker->start = g_steal_pointer(&start);
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);

    if (is_second) {
        g_autoptr(FmMessage) text =
            fm_message_new("A second START was ignored: this worker already has its run.");
        fm_outbox_note(worker->outbox, "warning", text);
    }
}

/* Acknowledges @command with the number its sender gave it, if any. */
static void
acknowledge(FmWorker *worker, const FmFrame *command, const char *words)
{
    g_auto(GVariantDict) note = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(GVariant) dictionary = fm_frame_get_variant(command, NULL);
    g_autoptr(FmMessage) text = fm_message_new_words(words);
    guint64 request;

    g_variant_dict_insert(&note, "kind", "s", "decision");
    fm_message_insert(&note, "text", text);
    if (dictionary != NULL && g_variant_lookup(dictionary, "request", "t", &request)) {
        g_variant_dict_insert(&note, "request", "t", request);
    }
    fm_outbox_emit_variant(worker->outbox, FM_FRAME_NOTE, g_variant_dict_end(&note));
}

static void
handle_request(FmWorker *worker, const FmFrame *frame)
{
    FmFrameKind kind = frame->kind;
    static const char *const answers[] = {
        N_("paused: no new I/O is sent to the target"),
        N_("resumed"),
        N_("stopping: no new I/O is sent to the target, the run ends when the last one is done"),
    };

    pthread_mutex_lock(&worker->lock);
    bool is_early = !worker->is_started && kind != FM_FRAME_STOP;
    worker->is_paused = kind == FM_FRAME_PAUSE;
    if (worker->engine != NULL) {
        switch (kind) {
        case FM_FRAME_PAUSE:
            fm_engine_pause(worker->engine);
            break;
        case FM_FRAME_RESUME:
            fm_engine_resume(worker->engine);
            break;
        default:
            fm_engine_stop(worker->engine);
            break;
        }
    }
    if (kind == FM_FRAME_STOP) {
        worker->is_stopped = true;
        pthread_cond_broadcast(&worker->changed);
    }
    pthread_mutex_unlock(&worker->lock);

    if (is_early) {
        g_autoptr(FmMessage) reason = fm_message_new("A command came before START.");
        break_commands(worker, reason);
        return;
    }
    acknowledge(worker, frame, answers[kind - FM_FRAME_PAUSE]);
}

static void
handle_command(FmWorker *worker, const FmFrame *frame)
{
    switch ((unsigned)frame->kind) {
    case FM_FRAME_START:
        handle_start(worker, frame);
        break;
    case FM_FRAME_PAUSE:
    case FM_FRAME_RESUME:
    case FM_FRAME_STOP:
        handle_request(worker, frame);
        break;
    case FM_FRAME_HELLO:
        break;
    default: {
        g_autoptr(FmMessage) text =
            fm_message_new("The command %s (%u) is not known to this worker.",
                           fm_frame_kind_name(frame->kind), (unsigned)frame->kind);
        fm_outbox_note(worker->outbox, "warning", text);
        break;
    }
    }
}

/* Handles all complete commands.  False = the stream is damaged. */
static bool
handle_commands(FmWorker *worker, FmFrameReader *reader)
{
    while (true) {
        g_auto(FmFrame) frame = {0};

        switch (fm_frame_reader_pop(reader, &frame)) {
        case FM_FRAME_READ_OK:
            handle_command(worker, &frame);
            break;
        case FM_FRAME_READ_MORE:
            return true;
        case FM_FRAME_READ_CORRUPT: {
            g_autoptr(FmMessage) reason =
                fm_message_new("The command stream holds bytes that are no frame.");
            break_commands(worker, reason);
            return false;
        }
        }
    }
}

static void *
control_thread(void *data)
{
    FmWorker *worker = (FmWorker *)data;
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autofree uint8_t *bytes = (uint8_t *)g_malloc(READ_SIZE);
    bool is_good = true;

    while (true) {
        ssize_t length = read(worker->commands, bytes, READ_SIZE);
        if (length < 0 && errno == EINTR) {
            continue;
        }
        if (length <= 0) {
            break;
        }
        if (is_good) {
            fm_frame_reader_push(reader, bytes, (gsize)length);
            is_good = handle_commands(worker, reader);
        }
    }
    end_without_host(worker);
    return NULL;
}

/* --- The run -------------------------------------------------------------------- */

/* Remembers the test file, so that it can be removed when all else hangs. */
static void
note_target(FmWorker *worker, const void *payload, gsize length)
{
    FmFrame frame = {
        .kind = FM_FRAME_TARGET,
        .version = 1,
        .payload = g_bytes_new(payload, length),
    };
    g_autoptr(GVariant) target = fm_frame_get_variant(&frame, NULL);
    const char *file = NULL;

    if (target != NULL && g_variant_lookup(target, "file", "&s", &file) && *file != '\0') {
        pthread_mutex_lock(&worker->lock);
        g_free(worker->test_file);
        worker->test_file = g_strdup(file);
        pthread_mutex_unlock(&worker->lock);
    }
    fm_frame_clear(&frame);
}

static void
sink_cb(gpointer user_data, FmFrameKind kind, const void *payload, gsize length)
{
    FmWorker *worker = (FmWorker *)user_data;

    if (kind == FM_FRAME_TARGET) {
        note_target(worker, payload, length);
    }
    fm_outbox_emit(worker->outbox, kind, payload, length);
}

/* Only on virtual time: a day of rows is made in seconds, and must not pile up. */
static void
sink_wait_cb(gpointer user_data)
{
    FmWorker *worker = (FmWorker *)user_data;

    fm_outbox_wait_taken(worker->outbox);
}

static void
emit_hello(FmWorker *worker)
{
    g_auto(GVariantDict) hello = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&hello, "protocol", "u", (guint32)PROTOCOL);
    g_variant_dict_insert(&hello, "version", "s", FM_VERSION);
    g_variant_dict_insert(&hello, "role", "s", "worker");
    g_variant_dict_insert(&hello, "pid", "u", (guint32)getpid());
    g_variant_dict_insert(&hello, "wall", "x", (gint64)g_get_real_time());
    fm_outbox_emit_variant(worker->outbox, FM_FRAME_HELLO, g_variant_dict_end(&hello));
}

static void
emit_end(FmWorker *worker, FmOutcome outcome, const FmMessage *reason)
{
    g_auto(GVariantDict) end = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&end, "outcome", "s", fm_outcome_name(outcome));
    fm_message_insert(&end, "reason", reason);
    g_variant_dict_insert(&end, "wall", "x", (gint64)g_get_real_time());
    fm_outbox_emit_variant(worker->outbox, FM_FRAME_END, g_variant_dict_end(&end));
}

/* What lies below @target; memory and network have no drive. */
static void
emit_drive(FmWorker *worker, const FmTarget *target)
{
    if (target->kind == FM_TARGET_NULL || target->kind == FM_TARGET_MODEL) {
        return;
    }
    g_autoptr(GPtrArray) drives = plat_target_drives(target->path);
    if (drives->len > 0) {
        g_autoptr(FmFacts) facts = fm_drives_to_facts(drives);
        fm_outbox_emit_variant(worker->outbox, FM_FRAME_DRIVE, fm_facts_to_variant(facts));
    }
}

/* "null", "sim:MODEL", or a path that the platform looks at. */
static FmTarget *
find_target(const char *text, GError **error)
{
    g_autoptr(FmTarget) target = fm_target_new_without_place(text);
    if (target == NULL) {
        target = plat_target_examine(text, error);
    }
    if (target != NULL && target->kind == FM_TARGET_DEVICE) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” is a raw device; this version tests files and folders only", text);
        return NULL;
    }
    return g_steal_pointer(&target);
}

/* Makes the engine visible to the control thread.  False = stopped before. */
static bool
publish_engine(FmWorker *worker, FmEngine *engine)
{
    pthread_mutex_lock(&worker->lock);
    bool can_run = !worker->is_stopped;
    if (can_run) {
        worker->engine = engine;
        if (worker->is_paused) {
            fm_engine_pause(engine);
        }
    }
    pthread_mutex_unlock(&worker->lock);
    return can_run;
}

static FmOutcome
run_plan(FmWorker *worker, GVariant *start, GError **error)
{
    const char *text = "";
    const char *target_text = "";
    const char *backend = "";
    const char *backend_options = "";
    gboolean allow_buffered = FALSE;
    guint64 keep_free = G_MAXUINT64;
    g_autofree const char **settings = NULL;

    g_variant_lookup(start, "plan", "&s", &text);
    g_variant_lookup(start, "target", "&s", &target_text);
    g_variant_lookup(start, "backend", "&s", &backend);
    g_variant_lookup(start, "backend-options", "&s", &backend_options);
    g_variant_lookup(start, "allow-buffered", "b", &allow_buffered);
    g_variant_lookup(start, "keep-free", "t", &keep_free);
    g_variant_lookup(start, "settings", "^a&s", &settings);

    g_autoptr(FmPlan) plan = fm_plan_read_canonical(text, error);
    if (plan == NULL) {
        return FM_OUTCOME_REFUSED;
    }
    g_autoptr(FmTarget) target = find_target(target_text, error);
    if (target == NULL) {
        return FM_OUTCOME_REFUSED;
    }

    emit_drive(worker, target);
    FmEngineOptions options = {
        .plan = plan,
        .target = target,
        .backend = *backend != '\0' ? backend : NULL,
        .backend_options = *backend_options != '\0' ? backend_options : NULL,
        .allow_buffered = allow_buffered,
        .keep_free = keep_free,
        .settings = settings,
        .sink = {.emit = sink_cb, .wait = sink_wait_cb, .user_data = worker},
    };
    g_autoptr(FmEngine) engine = fm_engine_new(&options);
    if (!publish_engine(worker, engine)) {
        return FM_OUTCOME_STOPPED;
    }
    FmOutcome outcome = fm_engine_run(engine, error);

    pthread_mutex_lock(&worker->lock);
    worker->engine = NULL;
    pthread_mutex_unlock(&worker->lock);
    return outcome;
}

/* The dictionary of START, or NULL when none will come. */
static GVariant *
wait_for_start(FmWorker *worker)
{
    pthread_mutex_lock(&worker->lock);
    while (worker->start == NULL && !worker->is_stopped) {
        pthread_cond_wait(&worker->changed, &worker->lock);
    }
    GVariant *start = worker->is_stopped ? NULL : g_steal_pointer(&worker->start);
    pthread_mutex_unlock(&worker->lock);
    return start;
}

static int
finish(FmWorker *worker, FmOutcome outcome, const FmMessage *reason)
{
    static const int exit_codes[] = {
        [FM_OUTCOME_COMPLETE] = FM_EXIT_OK,     [FM_OUTCOME_STOPPED] = FM_EXIT_STOPPED,
        [FM_OUTCOME_FAILED] = FM_EXIT_FAILED,   [FM_OUTCOME_REFUSED] = FM_EXIT_REFUSED,
        [FM_OUTCOME_SKIPPED] = FM_EXIT_REFUSED,
    };

    pthread_mutex_lock(&worker->lock);
    g_autoptr(FmMessage) broken = fm_message_ref(worker->broken);
    pthread_mutex_unlock(&worker->lock);

    if (broken != NULL) {
        fm_outbox_note(worker->outbox, "error", broken);
        emit_end(worker, FM_OUTCOME_FAILED, broken);
    } else {
        emit_end(worker, outcome, reason);
    }

    pthread_mutex_lock(&worker->lock);
    worker->is_finished = true;
    pthread_cond_broadcast(&worker->changed);
    pthread_mutex_unlock(&worker->lock);

    fm_outbox_finish(worker->outbox);
    return broken != NULL ? FM_EXIT_USAGE : exit_codes[outcome];
}

int
fm_worker_run(int commands, int frames)
{
    /* Lives as long as the process: the control thread may still be reading. */
    static FmWorker worker = {
        .lock = PTHREAD_MUTEX_INITIALIZER,
        .changed = PTHREAD_COND_INITIALIZER,
    };
    pthread_t control;

    worker.commands = commands;
    worker.outbox = fm_outbox_new(frames, outbox_broken_cb, &worker);
    emit_hello(&worker);
    if (pthread_create(&control, NULL, control_thread, &worker) != 0) {
        return FM_EXIT_FAILED;
    }
    pthread_detach(control);

    g_autoptr(GVariant) start = wait_for_start(&worker);
    if (start == NULL) {
        g_autoptr(FmMessage) reason = fm_message_new("The run was stopped before it started.");
        return finish(&worker, FM_OUTCOME_STOPPED, reason);
    }
    g_autoptr(GError) error = NULL;
    FmOutcome outcome = run_plan(&worker, start, &error);
    g_autoptr(FmMessage) reason = error != NULL ? fm_error_dup_message(error) : NULL;
    return finish(&worker, outcome, reason);
}
