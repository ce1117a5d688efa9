/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job owns what it works on; the thread tells its progress through the main loop.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/run-output.h"

#include "base/error.h"
#include "plot/export.h"
#include "store/export.h"
#include "ui/fact-list.h"
#include "ui/figure-output.h"
#include "ui/run-summary.h"
#include "ui/save-window.h"

#include <glib/gi18n.h>

typedef struct {
    GtkWidget *widget;
    FmLoadedRun *loaded;
    GCancellable *cancellable;
    FmRunTold told;
    FmRunForm form;
    FmSaveOptions options;
    char *path; /* file, or folder of figures */
} Job;

static void
job_free(gpointer data)
{
    Job *job = data;

    g_object_unref(job->widget);
    fm_loaded_run_unref(job->loaded);
    g_object_unref(job->cancellable);
    g_free(job->path);
    g_free(job);
}

static Job *
job_new(const FmRunOutput *output, FmRunForm form)
{
    Job *job = g_new0(Job, 1);

    job->widget = g_object_ref(output->widget);
    job->loaded = fm_loaded_run_ref(output->loaded);
    job->cancellable = g_cancellable_new();
    job->told = output->told;
    job->form = form;
    return job;
}

/* Takes @job. */
static void
run_job(Job *job, GTaskThreadFunc work, GAsyncReadyCallback done)
{
    g_autoptr(GTask) task = g_task_new(NULL, job->cancellable, done, NULL);

    g_task_set_task_data(task, job, job_free);
    g_task_run_in_thread(task, work);
}

static void
tell_end(const Job *job, const GError *error, const char *sentence)
{
    if (error == NULL) {
        job->told(job->widget, sentence, false, NULL);
    } else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        job->told(job->widget, _("Cancelled."), false, NULL);
    } else {
        g_autofree char *local = fm_error_dup_local(error);
        job->told(job->widget, local, true, NULL);
    }
}

/* --- Forms ------------------------------------------------------------------------------- */

static const struct {
    const char *ending;
    const char *mime_type;
} forms[FM_N_RUN_FORMS] = {
    [FM_RUN_TABLE] = {"txt", "text/plain;charset=utf-8"},
    [FM_RUN_SUMMARY] = {"txt", "text/plain;charset=utf-8"},
    [FM_RUN_FACTS] = {"txt", "text/plain;charset=utf-8"},
    [FM_RUN_CSV] = {"csv", "text/csv"},
    [FM_RUN_JSON] = {"json", "application/json"},
};

char *
fm_run_dup_form(const FmRun *run, FmRunForm form, GError **error)
{
    if (form == FM_RUN_CSV) {
        return fm_export_csv(run, error);
    }
    if (form == FM_RUN_JSON) {
        return fm_export_json(run, error);
    }
    if (form == FM_RUN_FACTS) {
        g_autoptr(GListModel) facts = fm_fact_list_new(run);
        return fm_fact_list_dup_text(facts);
    }
    /* Only plans of that kind have its table. */
    char *table = form == FM_RUN_TABLE ? fm_export_cdm(run, NULL) : NULL;
    return table != NULL ? table : fm_export_text(run, 0, error);
}

static void
form_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    GError *error = NULL;
    char *text = fm_run_dup_form(fm_loaded_run_get_run(job->loaded), job->form, &error);

    if (text == NULL) {
        g_task_return_error(task, error);
    } else {
        g_task_return_pointer(task, text, g_free);
    }
}

static void
copied_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    const Job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_task_propagate_pointer(G_TASK(result), &error);

    if (text != NULL) {
        fm_clipboard_set_text(job->widget, forms[job->form].mime_type, text);
    }
    tell_end(job, error, _("The text is in the clipboard."));
}

void
fm_run_copy(const FmRunOutput *output, FmRunForm form)
{
    run_job(job_new(output, form), form_cb, copied_cb);
}

/* --- Files ------------------------------------------------------------------------------- */

static void
write_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    GError *error = NULL;
    g_autofree char *text = fm_run_dup_form(fm_loaded_run_get_run(job->loaded), job->form, &error);

    if (text == NULL || !g_file_set_contents(job->path, text, -1, &error)) {
        g_task_return_error(task, error);
    } else {
        g_task_return_boolean(task, TRUE);
    }
}

static void
written_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    const Job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;
    g_autofree char *name = g_filename_display_name(job->path);
    g_autofree char *sentence = g_strdup_printf(_("Saved as %s."), name);

    g_task_propagate_boolean(G_TASK(result), &error);
    tell_end(job, error, sentence);
}

static void
file_chosen_cb(GtkNativeDialog *dialog, int response, Job *job)
{
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));

    job->path = response == GTK_RESPONSE_ACCEPT && file != NULL ? g_file_get_path(file) : NULL;
    if (job->path != NULL) {
        run_job(job, write_cb, written_cb);
    } else {
        job_free(job);
    }
    g_object_unref(dialog);
}

static GtkFileChooserNative *
new_chooser(const Job *job, const char *title, GtkFileChooserAction action)
{
    GtkWindow *parent = GTK_WINDOW(gtk_widget_get_root(job->widget));
    GtkFileChooserNative *dialog =
        gtk_file_chooser_native_new(title, parent, action, _("_Save"), _("_Cancel"));

    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    return dialog;
}

void
fm_run_save(const FmRunOutput *output, FmRunForm form)
{
    Job *job = job_new(output, form);
    GtkFileChooserNative *dialog = new_chooser(job, _("Save run"), GTK_FILE_CHOOSER_ACTION_SAVE);
    g_autofree char *stem = fm_run_summary_dup_stem(fm_loaded_run_get_run(job->loaded));
    g_autofree char *name = g_strdup_printf("%s.%s", stem, forms[form].ending);

    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    g_signal_connect(dialog, "response", G_CALLBACK(file_chosen_cb), job);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* --- All figures ------------------------------------------------------------------------- */

typedef struct {
    GTask *task; /* keeps the job */
    guint number;
    guint n_figures;
} Progress;

static gboolean
progress_cb(gpointer data)
{
    const Progress *progress = data;
    const Job *job = g_task_get_task_data(progress->task);
    g_autofree char *sentence =
        g_strdup_printf(_("Saving figure %u of %u…"), progress->number, progress->n_figures);

    if (!g_task_get_completed(progress->task)) {
        job->told(job->widget, sentence, false, job->cancellable);
    }
    return G_SOURCE_REMOVE;
}

static void
progress_free(gpointer data)
{
    Progress *progress = data;

    g_object_unref(progress->task);
    g_free(progress);
}

static void
tell_progress(GTask *task, guint number, guint n_figures)
{
    Progress *progress = g_new0(Progress, 1);

    progress->task = g_object_ref(task);
    progress->number = number;
    progress->n_figures = n_figures;
    g_main_context_invoke_full(NULL, G_PRIORITY_DEFAULT, progress_cb, progress, progress_free);
}

static bool
save_one(const Job *job, const char *id, GError **error)
{
    const FmExportOptions options = fm_save_options_to_export(&job->options, NULL);
    g_autoptr(FmFigure) figure = fm_loaded_run_build(job->loaded, id, error);

    if (figure == NULL) {
        return false;
    }
    g_autofree char *name = fm_figure_dup_file_name(figure, NULL, job->options.format);
    g_autofree char *path = g_build_filename(job->path, name, NULL);
    return fm_export_figure_to_file(figure, path, &options, error);
}

static void
save_all_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    const GPtrArray *entries = fm_loaded_run_get_entries(job->loaded);

    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = g_ptr_array_index(entries, i);
        GError *error = NULL;
        if (g_task_return_error_if_cancelled(task)) {
            return;
        }
        tell_progress(task, i + 1, entries->len);
        if (!save_one(job, entry->id, &error)) {
            g_task_return_error(task, error);
            return;
        }
    }
    g_task_return_boolean(task, TRUE);
}

static void
all_saved_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    const Job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;
    g_autofree char *name = g_filename_display_name(job->path);
    g_autofree char *sentence = g_strdup_printf(_("%u figures are saved in %s."),
                                                fm_loaded_run_get_entries(job->loaded)->len, name);

    g_task_propagate_boolean(G_TASK(result), &error);
    tell_end(job, error, sentence);
}

static void
folder_chosen_cb(GtkNativeDialog *dialog, int response, Job *job)
{
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));

    job->path = response == GTK_RESPONSE_ACCEPT && file != NULL ? g_file_get_path(file) : NULL;
    if (job->path != NULL) {
        run_job(job, save_all_cb, all_saved_cb);
    } else {
        job_free(job);
    }
    g_object_unref(dialog);
}

static void
options_chosen_cb(FmSaveWindow *window, const Job *asked)
{
    const FmRunOutput output = {
        .widget = asked->widget, .loaded = asked->loaded, .told = asked->told};
    Job *job = job_new(&output, asked->form);
    GtkFileChooserNative *dialog =
        new_chooser(job, _("Folder for all figures"), GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER);

    job->options = fm_save_window_get_options(window);
    g_signal_connect(dialog, "response", G_CALLBACK(folder_chosen_cb), job);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void
forget_job(gpointer job, GClosure *closure)
{
    job_free(job);
}

void
fm_run_save_figures(const FmRunOutput *output)
{
    GtkWindow *parent = GTK_WINDOW(gtk_widget_get_root(output->widget));
    FmSaveWindow *window = fm_save_window_new(parent, _("Save all figures"));

    g_signal_connect_data(window, "accepted", G_CALLBACK(options_chosen_cb),
                          job_new(output, FM_RUN_SUMMARY), forget_job, 0);
    gtk_window_present(GTK_WINDOW(window));
}
