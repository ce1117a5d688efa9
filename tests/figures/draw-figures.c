/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Draws the figures of the made run, which has what no machine at hand has (temperatures, stalls,
 * a failed row, drives of all names), for people to look at: draw-figures FOLDER [hostile].
 */
#include "figures-fixture.h"

#include "plot/export.h"

#include <stdio.h>
#include <string.h>

static bool
draw(const FmRun *run, const FmFigureEntry *entry, const FmFigureOptions *options,
     const char *folder)
{
    FmExportOptions export = {.theme = strcmp(options->language, "ko") == 0 ? fm_theme_dark()
                                                                            : fm_theme_light()};
    g_autofree char *name = g_strdup_printf("%s-%s.png", entry->id, options->language);
    g_strdelimit(name, ":/", '_');
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(FmFigure) figure = fm_figures_build(run, entry->id, options, &error);

    if (figure == NULL || !fm_export_figure_to_file(figure, path, &export, &error)) {
        fprintf(stderr, "%s: %s\n", entry->id, error->message);
        return false;
    }
    return true;
}

int
main(int argc, char **argv)
{
    static const FmFigureOptions kinds[] = {
        {.language = "en", .read_log = figures_fixture_read_log},
        {.language = "ko", .read_log = figures_fixture_read_log},
    };

    if (argc < 2) {
        fprintf(stderr, "Usage: draw-figures FOLDER [hostile]\n");
        return 2;
    }
    figures_fixture_bind_catalogues();
    g_autoptr(FmRun) run = argc > 2 ? figures_fixture_new_hostile() : figures_fixture_new();
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autoptr(GPtrArray) entries = fm_figures_list(run, &kinds[i]);
        for (guint k = 0; k < entries->len; k++) {
            const FmFigureEntry *entry = entries->pdata[k];
            bool is_shown = !entry->is_detail || strstr(entry->id, "r70w30") != NULL;
            if (is_shown && !draw(run, entry, &kinds[i], argv[1])) {
                return 1;
            }
        }
    }
    return 0;
}
