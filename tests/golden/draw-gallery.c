/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the gallery into a folder, for people to look at: draw-gallery FOLDER [SIZE] [NAME…].
 * SIZE is like 320x200, in pixels.
 */
#include "gallery.h"

#include "plot/export.h"

#include <stdio.h>
#include <string.h>

static bool
is_wanted(const char *name, char **names)
{
    for (unsigned i = 0; names[i]; i++) {
        if (strcmp(names[i], name) == 0) {
            return true;
        }
    }
    return names[0] == NULL;
}

static bool
draw(const GalleryEntry *entry, const char *language, FmExportOptions *options, const char *folder)
{
    g_autoptr(FmFigure) figure = entry->build(language);
    g_autofree char *name =
        g_strdup_printf("%s-%s-%s.png", entry->name, language, options->theme->name);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;

    if (!fm_export_figure_to_file(figure, path, options, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "Usage: draw-gallery FOLDER [SIZE] [NAME…]\n");
        return 2;
    }
    FmExportOptions light = {.theme = fm_theme_light()};
    char **names = argv + 2;
    if (argc > 2 && sscanf(argv[2], "%ux%u", &light.width_px, &light.height_px) == 2) {
        names++;
    }
    FmExportOptions dark = light;
    dark.theme = fm_theme_dark();
    for (unsigned i = 0; i < n_gallery; i++) {
        if (is_wanted(gallery[i].name, names) && !(draw(&gallery[i], "en", &light, argv[1]) &&
                                                   draw(&gallery[i], "ko", &dark, argv[1]))) {
            return 1;
        }
    }
    return 0;
}
