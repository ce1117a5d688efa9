/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the gallery into a folder, for people to look at: draw-gallery FOLDER [NAME…].
 */
#include "gallery.h"

#include "plot/export.h"

#include <stdio.h>
#include <string.h>

static bool
is_wanted(const char *name, int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        if (strcmp(argv[i], name) == 0) {
            return true;
        }
    }
    return argc < 3;
}

static bool
draw(const GalleryEntry *entry, const char *language, const FmTheme *theme, const char *folder)
{
    g_autoptr(FmFigure) figure = entry->build(language);
    g_autofree char *name = g_strdup_printf("%s-%s-%s.png", entry->name, language, theme->name);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    FmExportOptions options = {.theme = theme};
    g_autoptr(GError) error = NULL;

    if (!fm_export_figure_to_file(figure, path, &options, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "Usage: draw-gallery FOLDER [NAME…]\n");
        return 2;
    }
    for (unsigned i = 0; i < n_gallery; i++) {
        if (is_wanted(gallery[i].name, argc, argv) &&
            !(draw(&gallery[i], "en", fm_theme_light(), argv[1]) &&
              draw(&gallery[i], "ko", fm_theme_dark(), argv[1]))) {
            return 1;
        }
    }
    return 0;
}
