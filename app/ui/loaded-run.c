/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading and building only ever happen in threads of GTask; what they make is handed over
 * whole.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/loaded-run.h"

#include "base/language.h"
#include "store/run-file.h"
#include "ui/application.h"

#include <string.h>

struct FmLoadedRun {
    gatomicrefcount ref_count;
    char *path;
    FmRun *run;
    GPtrArray *entries;
    FmFigureChoice choice;
    bool is_busy;
};

/* --- Choice ------------------------------------------------------------------------------ */

void
fm_figure_choice_clear(FmFigureChoice *choice)
{
    g_clear_pointer(&choice->language, g_free);
}

FmFigureChoice
fm_figure_choice_load(void)
{
    GApplication *application = g_application_get_default();
    FmFigureChoice choice = {.is_review = true};
    g_autofree char *language = NULL;

    if (FM_IS_APPLICATION(application)) {
        FmSettings *settings = fm_application_get_settings(FM_APPLICATION(application));
        language = fm_settings_dup_figure_language(settings);
        choice.is_review = fm_settings_get_review(settings);
    }
    if (language == NULL || *language == '\0') {
        choice.language = g_strdup(fm_language_of_process());
    } else {
        choice.language = g_steal_pointer(&language);
    }
    return choice;
}

/* The I/Os that a step logged stay in the file: there may be 45 million. */
static bool
read_log(gpointer path, unsigned step, FmFigureLogEach each, gpointer user_data, GError **error)
{
    return fm_run_file_read_log(path, step, each, user_data, error);
}

static FmFigureOptions
get_options(const FmLoadedRun *loaded)
{
    return (FmFigureOptions){
        .language = loaded->choice.language,
        .is_review = loaded->choice.is_review,
        .read_log = read_log,
        .log_data = loaded->path,
    };
}

/* --- Object ------------------------------------------------------------------------------ */

FmLoadedRun *
fm_loaded_run_ref(FmLoadedRun *loaded)
{
    g_atomic_ref_count_inc(&loaded->ref_count);
    return loaded;
}

void
fm_loaded_run_unref(FmLoadedRun *loaded)
{
    if (!g_atomic_ref_count_dec(&loaded->ref_count)) {
        return;
    }
    g_clear_pointer(&loaded->entries, g_ptr_array_unref);
    g_clear_pointer(&loaded->run, fm_run_free);
    fm_figure_choice_clear(&loaded->choice);
    g_free(loaded->path);
    g_free(loaded);
}

const FmRun *
fm_loaded_run_get_run(const FmLoadedRun *loaded)
{
    return loaded->run;
}

const char *
fm_loaded_run_get_path(const FmLoadedRun *loaded)
{
    return loaded->path;
}

const GPtrArray *
fm_loaded_run_get_entries(const FmLoadedRun *loaded)
{
    return loaded->entries;
}

bool
fm_loaded_run_is_busy(const FmLoadedRun *loaded)
{
    return loaded->is_busy;
}

/* --- Reading ----------------------------------------------------------------------------- */

static void
read_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    FmLoadedRun *loaded = data;
    const FmFigureOptions options = get_options(loaded);
    GError *error = NULL;

    loaded->is_busy = fm_run_file_is_busy(loaded->path);
    loaded->run = fm_run_file_load(loaded->path, &error);
    if (loaded->run == NULL) {
        g_task_return_error(task, error);
        return;
    }
    loaded->entries = fm_figures_list(loaded->run, &options);
    g_task_return_pointer(task, fm_loaded_run_ref(loaded), (GDestroyNotify)fm_loaded_run_unref);
}

void
fm_loaded_run_read_async(const char *path, GCancellable *cancellable, GAsyncReadyCallback callback,
                         gpointer user_data)
{
    g_autoptr(GTask) task = g_task_new(NULL, cancellable, callback, user_data);
    FmLoadedRun *loaded = g_new0(FmLoadedRun, 1);

    g_atomic_ref_count_init(&loaded->ref_count);
    loaded->path = g_strdup(path);
    loaded->choice = fm_figure_choice_load();
    g_task_set_task_data(task, loaded, (GDestroyNotify)fm_loaded_run_unref);
    g_task_run_in_thread(task, read_cb);
}

FmLoadedRun *
fm_loaded_run_read_finish(GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer(G_TASK(result), error);
}

/* --- Building ---------------------------------------------------------------------------- */

typedef struct {
    FmLoadedRun *loaded;
    char *id;
} Build;

static void
build_free(gpointer data)
{
    Build *build = data;

    fm_loaded_run_unref(build->loaded);
    g_free(build->id);
    g_free(build);
}

FmFigure *
fm_loaded_run_build(const FmLoadedRun *loaded, const char *id, GError **error)
{
    const FmFigureOptions options = get_options(loaded);

    return fm_figures_build(loaded->run, id, &options, error);
}

static void
build_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Build *build = data;
    GError *error = NULL;
    FmFigure *figure = fm_loaded_run_build(build->loaded, build->id, &error);

    if (figure == NULL) {
        g_task_return_error(task, error);
    } else {
        g_task_return_pointer(task, figure, (GDestroyNotify)fm_figure_unref);
    }
}

void
fm_loaded_run_build_async(FmLoadedRun *loaded, const char *id, GCancellable *cancellable,
                          GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr(GTask) task = g_task_new(NULL, cancellable, callback, user_data);
    Build *build = g_new0(Build, 1);

    build->loaded = fm_loaded_run_ref(loaded);
    build->id = g_strdup(id);
    g_task_set_task_data(task, build, build_free);
    g_task_run_in_thread(task, build_cb);
}

FmFigure *
fm_loaded_run_build_finish(GAsyncResult *result, GError **error)
{
    return g_task_propagate_pointer(G_TASK(result), error);
}
