/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The facts of the machine are read in a thread, since some come from slow places.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/debug-info.h"

#include "model/facts.h"
#include "platform/platform.h"
#include "store/library.h"

#include <gtk/gtk.h>

#include <string.h>

static void
append(GString *text, const char *name, const char *value)
{
    g_string_append_printf(text, "%s: %s\n", name, value != NULL ? value : "unknown");
}

static void
append_versions(GString *text)
{
    g_autofree char *gtk = g_strdup_printf("%u.%u.%u", gtk_get_major_version(),
                                           gtk_get_minor_version(), gtk_get_micro_version());
    g_autofree char *glib =
        g_strdup_printf("%u.%u.%u", glib_major_version, glib_minor_version, glib_micro_version);
    GdkDisplay *display = gdk_display_get_default();

    append(text, "Fathom", FM_VERSION);
    append(text, "GTK", gtk);
    append(text, "GLib", glib);
    append(text, "cairo", cairo_version_string());
    append(text, "Pango", pango_version_string());
    append(text, "Display", display != NULL ? G_OBJECT_TYPE_NAME(display) : "none");
}

static void
append_system(GString *text)
{
    static const char *const names[] = {"os.name", "kernel.release", "cpu.model"};
    FmFacts *facts = plat_environment();

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        append(text, names[i], fm_facts_get_string(facts, names[i]));
    }
    append(text, "Language", g_get_language_names()[0]);
    fm_facts_free(facts);
}

/* The worker alone knows them: it is the only one that links them. */
static void
append_backends(GString *text)
{
    g_autofree char *worker = plat_find_program("fathom-worker");
    g_autoptr(GSubprocess) process =
        worker != NULL
            ? g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE, NULL, worker, "--backends", NULL)
            : NULL;
    g_autofree char *output = NULL;

    if (process == NULL ||
        !g_subprocess_communicate_utf8(process, NULL, NULL, &output, NULL, NULL)) {
        append(text, "Backends", "unknown, since fathom-worker did not start");
        return;
    }
    g_auto(GStrv) names = g_strsplit(g_strchomp(output), "\n", -1);
    g_autofree char *joined = g_strjoinv(", ", names);
    append(text, "Backends", joined);
}

static void
append_folders(GString *text)
{
    g_autofree char *runs = fm_library_dir();
    g_autofree char *settings = g_build_filename(g_get_user_config_dir(), "fathom", NULL);
    g_autofree char *state = plat_state_dir();
    g_autofree char *data = plat_find_data_dir();

    append(text, "Runs", runs);
    append(text, "Settings", settings);
    append(text, "State", state);
    append(text, "Data", data);
}

static void
read_cb(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
    GString *text = data;

    append_system(text);
    append_backends(text);
    append_folders(text);
    g_task_return_pointer(task, g_strdup(text->str), g_free);
}

static void
free_text(gpointer text)
{
    g_string_free(text, TRUE);
}

void
fm_debug_info_read_async(GAsyncReadyCallback callback, gpointer user_data)
{
    g_autoptr(GTask) task = g_task_new(NULL, NULL, callback, user_data);
    GString *text = g_string_new(NULL);

    append_versions(text);
    g_task_set_task_data(task, text, free_text);
    g_task_run_in_thread(task, read_cb);
}

char *
fm_debug_info_read_finish(GAsyncResult *result)
{
    return g_task_propagate_pointer(G_TASK(result), NULL);
}
