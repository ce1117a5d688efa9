/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures and tables that runs can be shown as (METHODOLOGY 13, 14).  One file builds one
 * kind; this is the list of all.  Pure: a run in, a figure out; any thread may call it with a run
 * that nobody changes meanwhile.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/run.h"
#include "plot/figure.h"

G_BEGIN_DECLS

/* How figures are asked for; what a run is compared with comes later as more runs. */
typedef struct {
    const char *language; /* "en", "ko"; NULL = English */
    bool is_review; /* review preset: names as titles, labels by the published rule, axes of
                       METHODOLOGY 13 */
    bool is_live; /* the run is still going on: no finding yet */
} FmFigureOptions;

/* One figure that a run can fill. */
typedef struct {
    char *id; /* what a user types: "F80", or "F80:rnd4k-q1t1/read" where there are several */
    char *title; /* in the language asked for, for lists */
} FmFigureEntry;

void fm_figure_entry_free(FmFigureEntry *entry);

/* All figures that @run can fill, the most telling first; never NULL. */
GPtrArray *fm_figures_list(const FmRun *run, const FmFigureOptions *options);

/* Builds one of them; FM_ERROR_INVALID for an id that is none, FM_ERROR_UNSUPPORTED with the reason
 * when the run can't fill it. */
FmFigure *fm_figures_build(const FmRun *run, const char *id, const FmFigureOptions *options,
                           GError **error);

/* The live figure of the newest step: what it does, over time; NULL before the first row. */
FmFigure *fm_figures_build_live(const FmRun *run, const FmFigureOptions *options);

/*
 * Where a figure's numbers come from, in one paragraph made of recorded facts alone (DESIGN 5.4);
 * what is not known is called unknown.  Caller frees.
 */
char *fm_caption_dup(const FmRun *run, const FmFigureOptions *options);

G_END_DECLS
