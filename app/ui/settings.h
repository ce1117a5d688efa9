/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the window remembers: one key file, settings.ini in the user's folder for
 * configuration.  Emits "changed" with the name of the setting as detail, so that whoever
 * shows one follows it.  Written a moment after a change and when freed, never half; a file
 * that can't be read or written costs the memory, never the program.  Main thread.
 */
#pragma once

#include <glib-object.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef enum {
    FM_APPEARANCE_SYSTEM,
    FM_APPEARANCE_LIGHT,
    FM_APPEARANCE_DARK,
    FM_N_APPEARANCES,
} FmAppearance;

#define FM_TYPE_SETTINGS (fm_settings_get_type())
G_DECLARE_FINAL_TYPE(FmSettings, fm_settings, FM, SETTINGS, GObject)

/* Details of "changed". */
#define FM_SETTING_APPEARANCE "appearance"
#define FM_SETTING_FIGURE_LANGUAGE "figure-language"
#define FM_SETTING_REVIEW "review"
#define FM_SETTING_SAVING "saving"
#define FM_SETTING_NOTIFY "notify"
#define FM_SETTING_SIDEBAR "sidebar"

/* Settings kept in @path; NULL = where the user's are. */
FmSettings *fm_settings_new(const char *path);
/* Writes what is not written yet. */
void fm_settings_save(FmSettings *settings);

FmAppearance fm_settings_get_appearance(FmSettings *settings);
void fm_settings_set_appearance(FmSettings *settings, FmAppearance appearance);

/* "en", "ko"; "" = as the window.  Caller frees. */
char *fm_settings_dup_figure_language(FmSettings *settings);
void fm_settings_set_figure_language(FmSettings *settings, const char *language);

/* Figures in the form of the published reviews (METHODOLOGY 13); on until switched off. */
bool fm_settings_get_review(FmSettings *settings);
void fm_settings_set_review(FmSettings *settings, bool is_review);

/* How figures were saved last, in the words of save-options.h, or NULL.  Caller frees. */
char *fm_settings_dup_saving(FmSettings *settings);
void fm_settings_set_saving(FmSettings *settings, const char *saving);

/* A notification when a run is over; on until switched off. */
bool fm_settings_get_notify(FmSettings *settings);
void fm_settings_set_notify(FmSettings *settings, bool notify);

bool fm_settings_get_sidebar(FmSettings *settings);
void fm_settings_set_sidebar(FmSettings *settings, bool is_visible);

/*
 * The last target.  A place on a drive is known by the drive and the path below its mount
 * point, so that it is found again under another mount point, and another drive under the
 * same one is not taken for it.
 */
typedef struct {
    char *path;
    char *drive; /* "model serial"; "" = not known */
    char *mount; /* where the drive was mounted then; "" = not known */
} FmSavedTarget;

void fm_saved_target_clear(FmSavedTarget *target);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmSavedTarget, fm_saved_target_clear)

/* False when there was none; @target is to be cleared either way. */
bool fm_settings_get_target(FmSettings *settings, FmSavedTarget *target);
void fm_settings_set_target(FmSettings *settings, const char *path, const char *drive,
                            const char *mount);

/* Id or path of the last plan, or NULL.  Caller frees. */
char *fm_settings_dup_plan(FmSettings *settings);
void fm_settings_set_plan(FmSettings *settings, const char *plan);

/* "key=value" of the options that a user set in @plan; never NULL.  Caller frees. */
char **fm_settings_dup_plan_options(FmSettings *settings, const char *plan);
void fm_settings_set_plan_options(FmSettings *settings, const char *plan,
                                  const char *const *options);

/* Size of a window that is not maximised; false when none was kept. */
bool fm_settings_get_window(FmSettings *settings, int *width, int *height, bool *is_maximised);
void fm_settings_set_window(FmSettings *settings, int width, int height, bool is_maximised);

G_END_DECLS
