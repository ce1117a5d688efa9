/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The desktop is asked without waiting for its answer; until it comes, the window looks
 * as GTK itself was set up.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/appearance.h"

#include "platform/platform.h"

#define PREFER_DARK "gtk-application-prefer-dark-theme"

typedef struct {
    FmSettings *settings;
    bool desktop_is_dark;
} Appearance;

static void
apply(const Appearance *appearance)
{
    FmAppearance wanted = fm_settings_get_appearance(appearance->settings);
    bool is_dark = wanted == FM_APPEARANCE_DARK ||
                   (wanted == FM_APPEARANCE_SYSTEM && appearance->desktop_is_dark);

    if (is_dark != fm_appearance_is_dark()) {
        g_object_set(gtk_settings_get_default(), PREFER_DARK, (gboolean)is_dark, NULL);
    }
}

static void
settings_changed_cb(FmSettings *settings, const char *setting, gpointer user_data)
{
    apply((const Appearance *)user_data);
}

static void
desktop_changed_cb(bool prefers_dark, gpointer user_data)
{
    Appearance *appearance = (Appearance *)user_data;

    appearance->desktop_is_dark = prefers_dark;
    apply(appearance);
}

void
fm_appearance_follow(FmSettings *settings)
{
    Appearance *appearance = g_new0(Appearance, 1);

    appearance->settings = settings;
    appearance->desktop_is_dark = fm_appearance_is_dark();
    g_signal_connect(settings, "changed::" FM_SETTING_APPEARANCE, G_CALLBACK(settings_changed_cb),
                     appearance);
    plat_appearance_watch(desktop_changed_cb, appearance);
    apply(appearance);
}

bool
fm_appearance_is_dark(void)
{
    gboolean is_dark;

    g_object_get(gtk_settings_get_default(), PREFER_DARK, &is_dark, NULL);
    return is_dark;
}
