/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words in any order, so that a settings file of another version is read as far as it goes.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/save-options.h"

#include <string.h>

enum { MAX_SCALE = 3 };

FmSaveOptions
fm_save_options_default(void)
{
    return (FmSaveOptions){
        .format = FM_FORMAT_PNG,
        .preset = FM_PRESET_NATURAL,
        .scale = 2,
        .theme = fm_theme_print(),
        .has_title = true,
        .has_caption = true,
    };
}

FmExportOptions
fm_save_options_to_export(const FmSaveOptions *options, const FmView *view)
{
    return (FmExportOptions){
        .theme = options->theme,
        .view = view,
        .preset = options->preset,
        .scale = options->scale,
        .hide_title = !options->has_title,
        .hide_caption = !options->has_caption,
    };
}

char *
fm_save_options_dup_text(const FmSaveOptions *options)
{
    return g_strdup_printf("%s %s %u %s %s %s", fm_format_name(options->format),
                           fm_preset_name(options->preset), options->scale, options->theme->name,
                           options->has_title ? "title" : "no-title",
                           options->has_caption ? "caption" : "no-caption");
}

static bool
parse_format(const char *word, FmFormat *format)
{
    for (int i = 0; i < FM_N_FORMATS; i++) {
        if (strcmp(word, fm_format_name((FmFormat)i)) == 0) {
            *format = (FmFormat)i;
            return true;
        }
    }
    return false;
}

static void
parse_word(FmSaveOptions *options, const char *word)
{
    const FmTheme *theme = fm_theme_by_name(word);

    if (parse_format(word, &options->format) || fm_preset_from_name(word, &options->preset)) {
        return;
    }
    if (theme != NULL) {
        options->theme = theme;
    } else if (word[0] >= '1' && word[0] <= '0' + MAX_SCALE && word[1] == '\0') {
        options->scale = (unsigned)(word[0] - '0');
    } else if (strcmp(word, "no-title") == 0) {
        options->has_title = false;
    } else if (strcmp(word, "no-caption") == 0) {
        options->has_caption = false;
    }
}

FmSaveOptions
fm_save_options_parse(const char *text)
{
    FmSaveOptions options = fm_save_options_default();
    g_auto(GStrv) words = g_strsplit(text != NULL ? text : "", " ", -1);

    for (gsize i = 0; words[i] != NULL; i++) {
        parse_word(&options, words[i]);
    }
    return options;
}
