/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The live figure.  Drawn four times a second while I/O is timed on the same machine, so it
 * looks at the newest rows alone and at nothing that grows with the run: no table of rows, no
 * plan, no histograms, no caption.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/step-panels.h"

#include "base/text.h"

enum { MAX_ROWS = FM_FIGURES_LIVE_SECONDS * 1000 / FM_TICK_INTERVAL_MS };

static const FmRunStep *
find_newest(const FmRun *run)
{
    /* The next step may have begun without a row yet. */
    for (guint i = run->steps->len; i > 0; i--) {
        const FmRunStep *step = run->steps->pdata[i - 1];
        if (step->ticks->len > 0) {
            return step;
        }
    }
    return NULL;
}

static char *
dup_title(const FmBuilder *builder, const FmRunStep *step)
{
    char *name = fm_step_dup_name(step);

    if (name != NULL) {
        return name;
    }
    const char *label = step->label != NULL && *step->label != '\0' ? step->label : step->path;
    return label != NULL ? fm_text_dup_printable(label) : g_strdup(fm_say(builder, "Step"));
}

FmFigure *
fm_figures_build_live(const FmRun *run, const FmFigureOptions *options)
{
    const FmRunStep *step = find_newest(run);

    if (step == NULL) {
        return NULL;
    }
    FmFigureOptions live = options != NULL ? *options : (FmFigureOptions){.language = "en"};
    live.is_live = true;
    FmBuilder builder = {.run = run, .options = &live};
    guint n = step->ticks->len;
    FmStepWindow window = {
        .step = step, .first = n > MAX_ROWS ? n - MAX_ROWS : 0, .has_ramp = true};
    FmFigure *figure = fm_builder_start_bare(&builder, "live", "live");

    figure->title = dup_title(&builder, step);
    fm_builder_add_subtitle(
        figure, g_strdup(fm_step_is_iops(step)
                             ? fm_say(&builder, "IOPS and latency of every 100 ms, latency on a "
                                                "log scale")
                             : fm_say(&builder, "MB/s and latency of every 100 ms, latency on a "
                                                "log scale")));
    if (window.first > 0) {
        g_autofree char *length = fm_say_duration(&builder, FM_FIGURES_LIVE_SECONDS);
        fm_builder_add_subtitle(figure, g_strdup_printf(fm_say(&builder, "the last %s"), length));
    }
    fm_step_panels_add(&builder, figure, &window);
    figure->alt_text = g_strdup_printf(fm_say(&builder, "%s, running; its newest throughput and "
                                                        "latency."),
                                       figure->title);
    return figure;
}
