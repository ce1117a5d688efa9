/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All kinds of figures, the most telling first.  A new kind is a file and a row here.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/figures.h"

#include "base/error.h"
#include "figures/builder.h"

#include <string.h>

static const FmFigureKind *const kinds[] = {
    &fm_figure_cdm_table,    &fm_figure_cdm_bars,
    &fm_figure_cdm_bars_qd1, &fm_figure_tail,
    &fm_figure_depth_table,  &fm_figure_percentile_table,
    &fm_figure_overview,     &fm_figure_step_time,
    &fm_figure_density,      &fm_figure_percentile_stems,
};

void
fm_figure_entry_free(FmFigureEntry *entry)
{
    if (entry == NULL) {
        return;
    }
    g_free(entry->id);
    g_free(entry->title);
    g_free(entry);
}

GPtrArray *
fm_figures_list(const FmRun *run, const FmFigureOptions *options)
{
    g_auto(FmBuilder) builder = {0};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    GPtrArray *entries = g_ptr_array_new_with_free_func((GDestroyNotify)fm_figure_entry_free);

    fm_builder_init(&builder, run, options);
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        kinds[i]->list(&builder, all);
    }
    for (unsigned is_detail = 0; is_detail <= 1; is_detail++) {
        for (guint i = 0; i < all->len; i++) {
            const FmFigureEntry *entry = all->pdata[i];
            if (entry->is_detail == (is_detail == 1)) {
                g_ptr_array_add(entries, all->pdata[i]);
            }
        }
    }
    return entries;
}

static const FmFigureKind *
find_kind(const char *id)
{
    gsize length = strcspn(id, ":");

    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (strlen(kinds[i]->prefix) == length && strncmp(kinds[i]->prefix, id, length) == 0) {
            return kinds[i];
        }
    }
    return NULL;
}

FmFigure *
fm_figures_build(const FmRun *run, const char *id, const FmFigureOptions *options, GError **error)
{
    const FmFigureKind *kind = find_kind(id);
    const char *colon = strchr(id, ':');
    g_auto(FmBuilder) builder = {0};

    if (kind == NULL) {
        fm_error_set(error, FM_ERROR_INVALID, "There is no figure “%s”", id);
        return NULL;
    }
    fm_builder_init(&builder, run, options);
    return kind->build(&builder, colon != NULL ? colon + 1 : "", error);
}
