/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * No schema to install and nothing to compile: the file is read once, and a value that makes
 * no sense counts as not there.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/settings.h"

#include <gio/gio.h>
#include <string.h>

enum {
    SAVE_DELAY_MS = 500,
    MIN_WINDOW = 100, /* pixels; less was never a window of ours */
    MAX_WINDOW = 32000,
};

/* Groups of the file. */
#define GROUP_WINDOW "window"
#define GROUP_FIGURES "figures"
#define GROUP_TARGET "target"
#define GROUP_PLAN "plan"
#define GROUP_OPTIONS "plan-options"

struct _FmSettings {
    GObject parent_instance;
    char *path;
    GKeyFile *file;
    guint save_timer; /* 0 = everything is written */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmSettings, fm_settings, G_TYPE_OBJECT)

static const char *const appearance_names[FM_N_APPEARANCES] = {
    [FM_APPEARANCE_SYSTEM] = "system",
    [FM_APPEARANCE_LIGHT] = "light",
    [FM_APPEARANCE_DARK] = "dark",
};

/* --- The file ---------------------------------------------------------------------------- */

static gboolean
save_cb(gpointer user_data)
{
    fm_settings_save(FM_SETTINGS(user_data));
    return G_SOURCE_REMOVE;
}

static void
save_later(FmSettings *settings)
{
    if (settings->save_timer == 0) {
        settings->save_timer = g_timeout_add(SAVE_DELAY_MS, save_cb, settings);
    }
}

static void
tell(FmSettings *settings, const char *setting)
{
    save_later(settings);
    g_signal_emit(settings, signals[CHANGED], g_quark_from_string(setting), setting);
}

void
fm_settings_save(FmSettings *settings)
{
    g_return_if_fail(FM_IS_SETTINGS(settings));
    if (settings->save_timer == 0) {
        return;
    }
    g_clear_handle_id(&settings->save_timer, g_source_remove);
    gsize length;
    g_autofree char *text = g_key_file_to_data(settings->file, &length, NULL);
    g_autofree char *folder = g_path_get_dirname(settings->path);
    g_autoptr(GError) error = NULL;
    g_mkdir_with_parents(folder, 0700);
    if (!g_file_set_contents_full(settings->path, text, (gssize)length,
                                  G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error)) {
        /* The next change tries again; the program works without. */
        g_debug("%s", error->message);
    }
}

static bool
get_switch(FmSettings *settings, const char *group, const char *key, bool fallback)
{
    g_autoptr(GError) error = NULL;
    bool value = g_key_file_get_boolean(settings->file, group, key, &error);

    return error == NULL ? value : fallback;
}

static void
set_switch(FmSettings *settings, const char *group, const char *key, bool value)
{
    g_key_file_set_boolean(settings->file, group, key, value);
}

/* "" where there is none. */
static char *
dup_text(FmSettings *settings, const char *group, const char *key)
{
    char *text = g_key_file_get_string(settings->file, group, key, NULL);

    return text != NULL ? text : g_strdup("");
}

/* --- Look -------------------------------------------------------------------------------- */

FmAppearance
fm_settings_get_appearance(FmSettings *settings)
{
    g_autofree char *name = dup_text(settings, GROUP_WINDOW, FM_SETTING_APPEARANCE);

    for (unsigned i = 0; i < FM_N_APPEARANCES; i++) {
        if (strcmp(name, appearance_names[i]) == 0) {
            return (FmAppearance)i;
        }
    }
    return FM_APPEARANCE_SYSTEM;
}

void
fm_settings_set_appearance(FmSettings *settings, FmAppearance appearance)
{
    g_return_if_fail(appearance < FM_N_APPEARANCES);
    g_key_file_set_string(settings->file, GROUP_WINDOW, FM_SETTING_APPEARANCE,
                          appearance_names[appearance]);
    tell(settings, FM_SETTING_APPEARANCE);
}

char *
fm_settings_dup_figure_language(FmSettings *settings)
{
    return dup_text(settings, GROUP_FIGURES, "language");
}

void
fm_settings_set_figure_language(FmSettings *settings, const char *language)
{
    g_key_file_set_string(settings->file, GROUP_FIGURES, "language", language);
    tell(settings, FM_SETTING_FIGURE_LANGUAGE);
}

bool
fm_settings_get_review(FmSettings *settings)
{
    return get_switch(settings, GROUP_FIGURES, FM_SETTING_REVIEW, true);
}

void
fm_settings_set_review(FmSettings *settings, bool is_review)
{
    set_switch(settings, GROUP_FIGURES, FM_SETTING_REVIEW, is_review);
    tell(settings, FM_SETTING_REVIEW);
}

bool
fm_settings_get_notify(FmSettings *settings)
{
    return get_switch(settings, GROUP_WINDOW, FM_SETTING_NOTIFY, true);
}

void
fm_settings_set_notify(FmSettings *settings, bool notify)
{
    set_switch(settings, GROUP_WINDOW, FM_SETTING_NOTIFY, notify);
    tell(settings, FM_SETTING_NOTIFY);
}

bool
fm_settings_get_sidebar(FmSettings *settings)
{
    return get_switch(settings, GROUP_WINDOW, FM_SETTING_SIDEBAR, true);
}

void
fm_settings_set_sidebar(FmSettings *settings, bool is_visible)
{
    set_switch(settings, GROUP_WINDOW, FM_SETTING_SIDEBAR, is_visible);
    tell(settings, FM_SETTING_SIDEBAR);
}

/* --- What was tested last ------------------------------------------------------------------ */

void
fm_saved_target_clear(FmSavedTarget *target)
{
    g_clear_pointer(&target->path, g_free);
    g_clear_pointer(&target->drive, g_free);
    g_clear_pointer(&target->mount, g_free);
}

bool
fm_settings_get_target(FmSettings *settings, FmSavedTarget *target)
{
    target->path = dup_text(settings, GROUP_TARGET, "path");
    target->drive = dup_text(settings, GROUP_TARGET, "drive");
    target->mount = dup_text(settings, GROUP_TARGET, "mount");
    return *target->path != '\0';
}

void
fm_settings_set_target(FmSettings *settings, const char *path, const char *drive, const char *mount)
{
    g_auto(FmSavedTarget) old = {0};

    fm_settings_get_target(settings, &old);
    if (strcmp(old.path, path) == 0 && strcmp(old.drive, drive) == 0 &&
        strcmp(old.mount, mount) == 0) {
        return; /* nothing to write */
    }
    g_key_file_set_string(settings->file, GROUP_TARGET, "path", path);
    g_key_file_set_string(settings->file, GROUP_TARGET, "drive", drive);
    g_key_file_set_string(settings->file, GROUP_TARGET, "mount", mount);
    tell(settings, "target");
}

char *
fm_settings_dup_plan(FmSettings *settings)
{
    return g_key_file_get_string(settings->file, GROUP_PLAN, "id", NULL);
}

void
fm_settings_set_plan(FmSettings *settings, const char *plan)
{
    g_key_file_set_string(settings->file, GROUP_PLAN, "id", plan);
    tell(settings, "plan");
}

char *
fm_settings_dup_saving(FmSettings *settings)
{
    return g_key_file_get_string(settings->file, GROUP_FIGURES, "saving", NULL);
}

void
fm_settings_set_saving(FmSettings *settings, const char *saving)
{
    g_key_file_set_string(settings->file, GROUP_FIGURES, "saving", saving);
    tell(settings, FM_SETTING_SAVING);
}

/* A key of the file for any id or path: "=" and blanks have a meaning there. */
static char *
dup_plan_key(const char *plan)
{
    return g_uri_escape_string(plan, NULL, FALSE);
}

char **
fm_settings_dup_plan_options(FmSettings *settings, const char *plan)
{
    g_autofree char *key = dup_plan_key(plan);
    char **options = g_key_file_get_string_list(settings->file, GROUP_OPTIONS, key, NULL, NULL);

    return options != NULL ? options : g_new0(char *, 1);
}

void
fm_settings_set_plan_options(FmSettings *settings, const char *plan, const char *const *options)
{
    g_autofree char *key = dup_plan_key(plan);
    guint n_options = g_strv_length((char **)options);

    if (n_options > 0) {
        g_key_file_set_string_list(settings->file, GROUP_OPTIONS, key, options, n_options);
    } else {
        g_key_file_remove_key(settings->file, GROUP_OPTIONS, key, NULL);
    }
    tell(settings, "plan-options");
}

/* --- The window -------------------------------------------------------------------------- */

bool
fm_settings_get_window(FmSettings *settings, int *width, int *height, bool *is_maximised)
{
    *width = g_key_file_get_integer(settings->file, GROUP_WINDOW, "width", NULL);
    *height = g_key_file_get_integer(settings->file, GROUP_WINDOW, "height", NULL);
    *is_maximised = get_switch(settings, GROUP_WINDOW, "maximised", false);
    return *width >= MIN_WINDOW && *width <= MAX_WINDOW && *height >= MIN_WINDOW &&
           *height <= MAX_WINDOW;
}

void
fm_settings_set_window(FmSettings *settings, int width, int height, bool is_maximised)
{
    g_key_file_set_integer(settings->file, GROUP_WINDOW, "width", width);
    g_key_file_set_integer(settings->file, GROUP_WINDOW, "height", height);
    set_switch(settings, GROUP_WINDOW, "maximised", is_maximised);
    tell(settings, "window");
}

/* --- GObject ----------------------------------------------------------------------------- */

static void
fm_settings_finalize(GObject *object)
{
    FmSettings *settings = FM_SETTINGS(object);

    fm_settings_save(settings);
    g_key_file_free(settings->file);
    g_free(settings->path);
    G_OBJECT_CLASS(fm_settings_parent_class)->finalize(object);
}

static void
fm_settings_class_init(FmSettingsClass *class)
{
    G_OBJECT_CLASS(class)->finalize = fm_settings_finalize;
    signals[CHANGED] =
        g_signal_new("changed", FM_TYPE_SETTINGS, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED, 0, NULL,
                     NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
fm_settings_init(FmSettings *settings)
{
    settings->file = g_key_file_new();
}

FmSettings *
fm_settings_new(const char *path)
{
    FmSettings *settings = g_object_new(FM_TYPE_SETTINGS, NULL);

    settings->path =
        path != NULL ? g_strdup(path)
                     : g_build_filename(g_get_user_config_dir(), "fathom", "settings.ini", NULL);
    g_key_file_load_from_file(settings->file, settings->path, G_KEY_FILE_KEEP_COMMENTS, NULL);
    return settings;
}
