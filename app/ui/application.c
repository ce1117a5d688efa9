/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Everything a user can do is an action here or in the window, so that menu, button and
 * shortcut are the same thing and are possible at the same time.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/application.h"

#include "store/run-text.h"
#include "ui/app-windows.h"
#include "ui/appearance.h"
#include "ui/ui-resource.h"
#include "ui/window.h"

#include <glib/gi18n.h>

struct _FmApplication {
    GtkApplication parent_instance;
    FmSettings *settings;
    FmChoice *choice;
    FmDriveList *drives;
    FmLiveRun *live;
};

G_DEFINE_FINAL_TYPE(FmApplication, fm_application, GTK_TYPE_APPLICATION)

#define ENDED_NOTIFICATION "run-ended"

/* The window, made when there is none. */
static FmWindow *
ensure_window(FmApplication *application)
{
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(application));

    if (window == NULL) {
        window = GTK_WINDOW(fm_window_new(application));
    }
    return FM_WINDOW(window);
}

/* --- Actions ------------------------------------------------------------------------------- */

static void
run_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmApplication *application = FM_APPLICATION(user_data);
    FmSessionRequest *request = fm_choice_build_request(application->choice);

    if (request != NULL) {
        fm_live_run_start(application->live, request);
    }
}

static void
stop_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    fm_live_run_stop(FM_APPLICATION(user_data)->live);
}

static void
pause_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmLiveRun *live = FM_APPLICATION(user_data)->live;

    if (fm_live_run_get_state(live) == FM_LIVE_PAUSED) {
        fm_live_run_resume(live);
    } else {
        fm_live_run_pause(live);
    }
}

static void
target_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    fm_choice_set_target(FM_APPLICATION(user_data)->choice, g_variant_get_string(parameter, NULL));
}

static void
plan_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    fm_choice_set_plan(FM_APPLICATION(user_data)->choice, g_variant_get_string(parameter, NULL));
}

static void
reset_options_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    fm_choice_reset_options(FM_APPLICATION(user_data)->choice);
}

static void
allow_buffered_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    fm_choice_set_allow_buffered(FM_APPLICATION(user_data)->choice, true);
}

static void
folder_chosen_cb(GtkNativeDialog *dialog, int response, gpointer user_data)
{
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        g_autofree char *path = g_file_get_path(file);
        if (path != NULL) {
            fm_choice_set_target(FM_APPLICATION(user_data)->choice, path);
        }
    }
    g_object_unref(dialog);
}

static void
choose_folder_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmApplication *application = FM_APPLICATION(user_data);
    const char *current = fm_choice_get_target_text(application->choice);
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Choose where to test"), GTK_WINDOW(ensure_window(application)),
        GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));

    if (current != NULL && g_path_is_absolute(current)) {
        g_autoptr(GFile) folder = g_file_new_for_path(current);
        gtk_file_chooser_set_current_folder(GTK_FILE_CHOOSER(dialog), folder, NULL);
    }
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect(dialog, "response", G_CALLBACK(folder_chosen_cb), application);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

static void
open_path(FmApplication *application, const char *path)
{
    FmWindow *window = ensure_window(application);

    if (g_str_has_suffix(path, ".json")) {
        fm_choice_set_plan(application->choice, path);
        fm_window_show_page(window, FM_PAGE_PLAN);
    } else {
        fm_window_open_run(window, path);
    }
}

static void
file_chosen_cb(GtkNativeDialog *dialog, int response, gpointer user_data)
{
    if (response == GTK_RESPONSE_ACCEPT) {
        g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
        g_autofree char *path = g_file_get_path(file);
        if (path != NULL) {
            open_path(FM_APPLICATION(user_data), path);
        }
    }
    g_object_unref(dialog);
}

static void
open_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmApplication *application = FM_APPLICATION(user_data);
    GtkFileChooserNative *dialog = gtk_file_chooser_native_new(
        _("Open a run or a plan"), GTK_WINDOW(ensure_window(application)),
        GTK_FILE_CHOOSER_ACTION_OPEN, _("_Open"), _("_Cancel"));
    GtkFileFilter *filter = gtk_file_filter_new();

    gtk_file_filter_set_name(filter, _("Runs and plans"));
    gtk_file_filter_add_pattern(filter, "*.fathom");
    gtk_file_filter_add_pattern(filter, "*.json");
    gtk_file_chooser_add_filter(GTK_FILE_CHOOSER(dialog), filter);
    g_object_unref(filter);
    gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(dialog), TRUE);
    g_signal_connect(dialog, "response", G_CALLBACK(file_chosen_cb), application);
    gtk_native_dialog_show(GTK_NATIVE_DIALOG(dialog));
}

/* By closing the window, which asks when a run is on. */
static void
quit_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(user_data));

    if (window != NULL) {
        gtk_window_close(window);
    } else {
        g_application_quit(G_APPLICATION(user_data));
    }
}

static void
show_run_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmWindow *window = ensure_window(FM_APPLICATION(user_data));

    fm_window_show_page(window, FM_PAGE_RUN);
    gtk_window_present(GTK_WINDOW(window));
}

/* Of the run that was watched last. */
static void
show_result_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmApplication *application = FM_APPLICATION(user_data);
    const char *output = fm_live_run_get_output(application->live);

    if (output != NULL) {
        open_path(application, output);
    }
}

static void
add_actions(FmApplication *application)
{
    static const GActionEntry entries[] = {
        {.name = "run", .activate = run_cb},
        {.name = "stop", .activate = stop_cb},
        {.name = "pause", .activate = pause_cb},
        {.name = "target", .activate = target_cb, .parameter_type = "s", .state = "''"},
        {.name = "plan", .activate = plan_cb, .parameter_type = "s"},
        {.name = "reset-options", .activate = reset_options_cb},
        {.name = "allow-buffered", .activate = allow_buffered_cb},
        {.name = "choose-folder", .activate = choose_folder_cb},
        {.name = "open", .activate = open_cb},
        {.name = "show-run", .activate = show_run_cb},
        {.name = "show-result", .activate = show_result_cb},
        {.name = "quit", .activate = quit_cb},
    };
    static const struct {
        const char *action;
        const char *keys[3];
    } shortcuts[] = {
        {"app.run", {"<Control>r", "F5"}},
        {"app.stop", {"<Control>period"}},
        {"app.pause", {"<Control><Shift>r"}},
        {"app.choose-folder", {"<Control><Shift>o"}},
        {"app.open", {"<Control>o"}},
        {"app.quit", {"<Control>q"}},
        {"window.close", {"<Control>w"}},
        {"win.sidebar", {"F9"}},
        {"win.next-pane(true)", {"F6"}},
        {"win.next-pane(false)", {"<Shift>F6"}},
        {"win.next-page(true)", {"<Control>Tab", "<Control>Page_Down"}},
        {"win.next-page(false)", {"<Control><Shift>Tab", "<Control>Page_Up"}},
        {"win.page::" FM_PAGE_DRIVES, {"<Alt>1"}},
        {"win.page::" FM_PAGE_PLAN, {"<Alt>2"}},
        {"win.page::" FM_PAGE_RUN, {"<Alt>3"}},
        {"win.page::" FM_PAGE_RESULTS, {"<Alt>4"}},
    };

    g_action_map_add_action_entries(G_ACTION_MAP(application), entries, G_N_ELEMENTS(entries),
                                    application);
    for (gsize i = 0; i < G_N_ELEMENTS(shortcuts); i++) {
        gtk_application_set_accels_for_action(GTK_APPLICATION(application), shortcuts[i].action,
                                              (const char *const *)shortcuts[i].keys);
    }
}

static void
set_enabled(FmApplication *application, const char *name, bool is_enabled)
{
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(application), name);

    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), is_enabled);
}

static void
update_actions(FmApplication *application)
{
    FmLiveState state = fm_live_run_get_state(application->live);
    bool is_active = fm_live_run_is_active(application->live);
    bool can_command = state == FM_LIVE_RUNNING || state == FM_LIVE_PAUSED;
    g_autofree char *blocker = fm_choice_dup_blocker(application->choice);

    set_enabled(application, "run",
                !is_active && blocker == NULL && !fm_choice_is_busy(application->choice));
    set_enabled(application, "stop", can_command);
    set_enabled(application, "pause", can_command);
}

static void
choice_changed_cb(FmChoice *choice, gpointer user_data)
{
    GAction *target = g_action_map_lookup_action(G_ACTION_MAP(user_data), "target");
    const char *text = fm_choice_get_target_text(choice);

    g_simple_action_set_state(G_SIMPLE_ACTION(target),
                              g_variant_new_string(text != NULL ? text : ""));
    update_actions(FM_APPLICATION(user_data));
}

/* --- The end of a run ------------------------------------------------------------------------ */

static const char *
describe_end(FmLiveRun *live)
{
    const FmRun *run = fm_live_run_get_run(live);
    const char *outcome = run != NULL ? run->outcome : NULL;

    if (g_strcmp0(outcome, "complete") == 0) {
        return _("The run is complete.");
    }
    if (g_strcmp0(outcome, "stopped") == 0) {
        return _("The run was stopped.");
    }
    return _("The run did not come to its end.");
}

static void
live_ended_cb(FmLiveRun *live, gpointer user_data)
{
    FmApplication *application = FM_APPLICATION(user_data);
    GtkWindow *window = gtk_application_get_active_window(GTK_APPLICATION(application));

    /* A run that is stopped with the window may end when the program is on its way out. */
    if ((window != NULL && gtk_window_is_active(window)) ||
        !fm_settings_get_notify(application->settings) ||
        !g_application_get_is_registered(G_APPLICATION(application))) {
        return;
    }
    const FmRun *run = fm_live_run_get_run(live);
    g_autofree char *plan = run != NULL ? fm_run_text_dup_plan(run) : NULL;
    g_autoptr(GNotification) notification = g_notification_new(plan != NULL ? plan : "Fathom");
    g_notification_set_body(notification, describe_end(live));
    g_notification_set_default_action(notification, "app.show-run");
    g_application_send_notification(G_APPLICATION(application), ENDED_NOTIFICATION, notification);
}

static void
live_changed_cb(FmLiveRun *live, gpointer user_data)
{
    update_actions(FM_APPLICATION(user_data));
}

/* --- GApplication ------------------------------------------------------------------------------
 */

static void
load_style(void)
{
    g_autoptr(GtkCssProvider) provider = gtk_css_provider_new();

    gtk_css_provider_load_from_resource(provider, FM_RESOURCE_PATH "/ui/style.css");
    gtk_style_context_add_provider_for_display(gdk_display_get_default(),
                                               GTK_STYLE_PROVIDER(provider),
                                               GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static void
fm_application_startup(GApplication *base)
{
    FmApplication *application = FM_APPLICATION(base);

    G_APPLICATION_CLASS(fm_application_parent_class)->startup(base);
    application->settings = fm_settings_new(NULL);
    application->choice = fm_choice_new(application->settings);
    application->drives = fm_drive_list_new();
    application->live = fm_live_run_new();
    load_style();
    fm_appearance_follow(application->settings);
    add_actions(application);
    fm_app_windows_add_actions(application);
    update_actions(application);
    g_signal_connect(application->choice, "changed", G_CALLBACK(choice_changed_cb), application);
    g_signal_connect(application->live, "changed", G_CALLBACK(live_changed_cb), application);
    g_signal_connect(application->live, "ended", G_CALLBACK(live_ended_cb), application);
    fm_live_run_attach(application->live);
}

static void
fm_application_activate(GApplication *base)
{
    gtk_window_present(GTK_WINDOW(ensure_window(FM_APPLICATION(base))));
}

static void
fm_application_open(GApplication *base, GFile **files, int n_files, const char *hint)
{
    for (int i = 0; i < n_files; i++) {
        g_autofree char *path = g_file_get_path(files[i]);
        if (path != NULL) {
            open_path(FM_APPLICATION(base), path);
        }
    }
    g_application_activate(base);
}

static void
fm_application_shutdown(GApplication *base)
{
    FmApplication *application = FM_APPLICATION(base);

    G_APPLICATION_CLASS(fm_application_parent_class)->shutdown(base);
    if (application->settings != NULL) {
        fm_settings_save(application->settings);
    }
}

static void
fm_application_dispose(GObject *object)
{
    FmApplication *application = FM_APPLICATION(object);

    g_clear_object(&application->live);
    g_clear_object(&application->drives);
    g_clear_object(&application->choice);
    g_clear_object(&application->settings);
    G_OBJECT_CLASS(fm_application_parent_class)->dispose(object);
}

static void
fm_application_class_init(FmApplicationClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_application_dispose;
    G_APPLICATION_CLASS(class)->startup = fm_application_startup;
    G_APPLICATION_CLASS(class)->activate = fm_application_activate;
    G_APPLICATION_CLASS(class)->open = fm_application_open;
    G_APPLICATION_CLASS(class)->shutdown = fm_application_shutdown;
}

static void
fm_application_init(FmApplication *application)
{
    gtk_window_set_default_icon_name(FM_APPLICATION_ID);
}

FmApplication *
fm_application_new(void)
{
    g_resources_register(fm_ui_get_resource());
    return g_object_new(FM_TYPE_APPLICATION, "application-id", FM_APPLICATION_ID, "flags",
                        G_APPLICATION_HANDLES_OPEN, "resource-base-path", FM_RESOURCE_PATH, NULL);
}

FmSettings *
fm_application_get_settings(FmApplication *application)
{
    return application->settings;
}

FmChoice *
fm_application_get_choice(FmApplication *application)
{
    return application->choice;
}

FmDriveList *
fm_application_get_drives(FmApplication *application)
{
    return application->drives;
}

FmLiveRun *
fm_application_get_live_run(FmApplication *application)
{
    return application->live;
}
