/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A job holds its own references, so that figure and widget may go away while it works.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-output.h"

#include "base/error.h"
#include "plot/export.h"
#include "ui/save-window.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
    FmFigure *figure;
    FmView view;
    FmSaveOptions options;
    FmFigureTold told;
    char *stem;
    char *path; /* of a file that is written */
} Job;

static void
job_free(gpointer data)
{
    Job *job = data;

    fm_figure_unref(job->figure);
    g_free(job->stem);
    g_free(job->path);
    g_free(job);
}

static Job *
job_new(const FmFigureOutput *output)
{
    Job *job = g_new0(Job, 1);

    job->figure = fm_figure_ref(output->figure);
    job->view = output->view != NULL ? *output->view : fm_view_whole;
    job->options = fm_save_options_load();
    job->told = output->told;
    job->stem = g_strdup(output->stem);
    return job;
}

/* --- Clipboard --------------------------------------------------------------------------- */

void
fm_clipboard_set_text(GtkWidget *widget, const char *mime_type, const char *text)
{
    g_autoptr(GBytes) bytes = g_bytes_new(text, strlen(text));
    GdkContentProvider *providers[] = {
        gdk_content_provider_new_typed(G_TYPE_STRING, text),
        gdk_content_provider_new_for_bytes(mime_type, bytes),
    };
    g_autoptr(GdkContentProvider) both =
        gdk_content_provider_new_union(providers, G_N_ELEMENTS(providers));

    gdk_clipboard_set_content(gtk_widget_get_clipboard(widget), both);
}

void
fm_figure_copy_data(const FmFigureOutput *output)
{
    g_autofree char *csv = fm_export_figure_csv(output->figure);

    fm_clipboard_set_text(output->widget, "text/csv", csv);
    output->told(output->widget, _("The plotted numbers are in the clipboard."), false);
}

void
fm_figure_copy_text(const FmFigureOutput *output)
{
    g_autofree char *text = fm_export_figure_text(output->figure);

    fm_clipboard_set_text(output->widget, "text/plain;charset=utf-8", text);
    output->told(output->widget, _("The figure is in the clipboard as text."), false);
}

static void
make_png_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    const FmExportOptions options = fm_save_options_to_export(&job->options, &job->view);
    GError *error = NULL;
    GBytes *bytes = fm_export_figure(job->figure, FM_FORMAT_PNG, &options, &error);

    if (bytes == NULL) {
        g_task_return_error(task, error);
    } else {
        g_task_return_pointer(task, bytes, (GDestroyNotify)g_bytes_unref);
    }
}

static void
tell_error(GtkWidget *widget, const Job *job, const GError *error)
{
    g_autofree char *sentence = fm_error_dup_local(error);

    job->told(widget, sentence, true);
}

static void
copy_png_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    GtkWidget *widget = GTK_WIDGET(source);
    const Job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = g_task_propagate_pointer(G_TASK(result), &error);
    g_autoptr(GdkTexture) texture =
        bytes != NULL ? gdk_texture_new_from_bytes(bytes, &error) : NULL;

    if (texture == NULL) {
        tell_error(widget, job, error);
        return;
    }
    /* The file itself comes first: with its metadata, and not encoded again. */
    GdkContentProvider *providers[] = {
        gdk_content_provider_new_for_bytes("image/png", bytes),
        gdk_content_provider_new_typed(GDK_TYPE_TEXTURE, texture),
    };
    g_autoptr(GdkContentProvider) both =
        gdk_content_provider_new_union(providers, G_N_ELEMENTS(providers));
    gdk_clipboard_set_content(gtk_widget_get_clipboard(widget), both);
    g_autofree char *sentence =
        g_strdup_printf(_("The image is in the clipboard, %d × %d pixels."),
                        gdk_texture_get_width(texture), gdk_texture_get_height(texture));
    job->told(widget, sentence, false);
}

static void
run_job(GtkWidget *widget, Job *job, GTaskThreadFunc work, GAsyncReadyCallback done)
{
    g_autoptr(GTask) task = g_task_new(widget, NULL, done, NULL);

    g_task_set_task_data(task, job, job_free);
    g_task_run_in_thread(task, work);
}

void
fm_figure_copy_image(const FmFigureOutput *output)
{
    run_job(output->widget, job_new(output), make_png_cb, copy_png_cb);
}

/* --- Files ------------------------------------------------------------------------------- */

char *
fm_figure_dup_file_name(const FmFigure *figure, const char *stem, FmFormat format)
{
    g_autoptr(GString) name = g_string_new(stem);

    if (name->len > 0) {
        g_string_append_c(name, '-');
    }
    g_string_append_printf(name, "%s-%s.%s", figure->id, figure->name, fm_format_name(format));
    for (char *at = name->str; *at != '\0'; at++) {
        bool is_fine = g_ascii_isalnum(*at) || strchr("-._+", *at) != NULL || (*at & 0x80) != 0;
        *at = is_fine ? *at : '-';
    }
    return g_string_free(g_steal_pointer(&name), FALSE);
}

static void
write_file_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    const Job *job = data;
    const FmExportOptions options = fm_save_options_to_export(&job->options, &job->view);
    GError *error = NULL;

    if (fm_export_figure_to_file(job->figure, job->path, &options, &error)) {
        g_task_return_boolean(task, TRUE);
    } else {
        g_task_return_error(task, error);
    }
}

static void
written_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    GtkWidget *widget = GTK_WIDGET(source);
    const Job *job = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;

    if (!g_task_propagate_boolean(G_TASK(result), &error)) {
        tell_error(widget, job, error);
        return;
    }
    g_autofree char *name = g_filename_display_name(job->path);
    g_autofree char *sentence = g_strdup_printf(_("Saved as %s."), name);
    job->told(widget, sentence, false);
}

char *
fm_figure_dup_path(const char *path, FmFormat format, GError **error)
{
    FmFormat by_name;

    if (fm_format_from_path(path, &by_name)) {
        return g_strdup(path);
    }
    g_autofree char *full = g_strdup_printf("%s.%s", path, fm_format_name(format));
    if (g_file_test(full, G_FILE_TEST_EXISTS) || g_file_test(full, G_FILE_TEST_IS_SYMLINK)) {
        g_autofree char *name = g_filename_display_basename(full);
        fm_error_set(error, FM_ERROR_UNSAFE,
                     "There is a file “%s” already; to replace it, write its name in full", name);
        return NULL;
    }
    return g_steal_pointer(&full);
}

typedef struct {
    GtkWidget *widget;
    Job *job;
} Saving;

static void
saving_free(Saving *saving)
{
    g_clear_pointer(&saving->job, job_free);
    g_object_unref(saving->widget);
    g_free(saving);
}

static void
place_chosen_cb(GtkNativeDialog *dialog, int response, Saving *saving)
{
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *chosen =
        response == GTK_RESPONSE_ACCEPT && file != NULL ? g_file_get_path(file) : NULL;
    g_autoptr(GError) error = NULL;

    if (chosen != NULL) {
        saving->job->path = fm_figure_dup_path(chosen, saving->job->options.format, &error);
    }
    if (error != NULL) {
        tell_error(saving->widget, saving->job, error);
    } else if (saving->job->path != NULL) {
        run_job(saving->widget, g_steal_pointer(&saving->job), write_file_cb, written_cb);
    }
    saving_free(saving);
    g_object_unref(dialog);
}

static void
options_chosen_cb(FmSaveWindow *window, Saving *saving)
{
    GtkWindow *parent = GTK_WINDOW(gtk_widget_get_root(saving->widget));
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Save figure"), parent, GTK_FILE_CHOOSER_ACTION_SAVE, _("_Save"), _("_Cancel"));
    Job *job = saving->job;

    job->options = fm_save_window_get_options(window);
    g_autofree char *name = fm_figure_dup_file_name(job->figure, job->stem, job->options.format);
    gtk_file_chooser_set_current_name(GTK_FILE_CHOOSER(dialog), name);
    Saving *own = g_new0(Saving, 1);
    own->widget = g_object_ref(saving->widget);
    own->job = g_steal_pointer(&saving->job);
    g_signal_connect(dialog, "response", G_CALLBACK(place_chosen_cb), own);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void
forget_saving(gpointer saving, GClosure *closure)
{
    saving_free(saving);
}

void
fm_figure_save(const FmFigureOutput *output)
{
    GtkWindow *parent = GTK_WINDOW(gtk_widget_get_root(output->widget));
    FmSaveWindow *window = fm_save_window_new(parent, _("Save figure"));
    Saving *saving = g_new0(Saving, 1);

    saving->widget = g_object_ref(output->widget);
    saving->job = job_new(output);
    g_signal_connect_data(window, "accepted", G_CALLBACK(options_chosen_cb), saving, forget_saving,
                          0);
    gtk_window_present(GTK_WINDOW(window));
}
