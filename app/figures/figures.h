/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The figures and tables that runs can be shown as (METHODOLOGY 13, 14).  One file builds one
 * kind; this is the list of all.  Pure: a run in, a figure out; any thread may call it with a run
 * that nobody changes meanwhile.
 *
 * A figure has an id that people type and scripts keep.  Ids never change their meaning:
 *
 *   T8                   CrystalDiskMark-style result table
 *   F01                  its rows as bars
 *   F02                  RND4K Q1T1 alone, read and write
 *   T11:PATH             a workload by queue depth; PATH is that of its steps without "in-flight=N"
 *   F80                  QD1 tail latency of all mixes the run has, one line each
 *   F80:ROW/OP           tail latency of one row; OP is read, write, trim, flush or all
 *   F80:ROW/OP@STREAM    the same of one of its streams, where it has several
 *   T13                  percentiles of all QD1 rows
 *   stems:ROW/OP         percentiles of one row as dots on stems, for articles
 *   overview             throughput of all steps, in the order they ran
 *   time:STEP            throughput, latency and temperature of one step over time
 *   density:STEP         latency of every single I/O over time, where the run kept them
 *
 * A STEP is the path of a step, a ROW that of a step without "run=N".  Where only one T11 can be
 * made, "T11" alone means it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/run.h"
#include "plot/figure.h"

G_BEGIN_DECLS

/* Hands every I/O that a step logged to @each: they are far too many for an FmRun to keep. */
typedef void (*FmFigureLogEach)(const FmLoggedIo *ios, gsize n_ios, gpointer user_data);
typedef bool (*FmFigureLogReader)(gpointer reader_data, unsigned step, FmFigureLogEach each,
                                  gpointer user_data, GError **error);

/* How figures are asked for; what a run is compared with comes later as more runs. */
typedef struct {
    const char *language; /* "en", "ko"; NULL = English.  Whatever the process speaks */
    bool is_review; /* review preset: names as titles, labels by the published rule, axes of
                       METHODOLOGY 13 */
    bool is_live; /* the run is still going on: no finding yet */
    FmFigureLogReader read_log; /* for density figures; NULL = there are none */
    gpointer log_data;
} FmFigureOptions;

/* One figure that a run can fill. */
typedef struct {
    char *id; /* what a user types: "T8", "F80:tail/read/read" */
    char *title; /* its name in the language asked for, for lists */
    bool is_detail; /* of one step or row among many: to be looked for, not shown unasked */
} FmFigureEntry;

void fm_figure_entry_free(FmFigureEntry *entry);

/* All figures that @run can fill, the most telling first, details last; never NULL.  Reads no
 * histograms, so that it is cheap for runs of a thousand steps. */
GPtrArray *fm_figures_list(const FmRun *run, const FmFigureOptions *options);

/* Builds one of them; FM_ERROR_INVALID for an id that is none, FM_ERROR_UNSUPPORTED with the reason
 * when the run can't fill it. */
FmFigure *fm_figures_build(const FmRun *run, const char *id, const FmFigureOptions *options,
                           GError **error);

/*
 * The live figure of the newest step: its throughput, and the latency of its slots, over at most
 * the last FM_FIGURES_LIVE_SECONDS, which it says; NULL before the first row.  What it costs does
 * not grow with the run.
 */
enum { FM_FIGURES_LIVE_SECONDS = 300 };
FmFigure *fm_figures_build_live(const FmRun *run, const FmFigureOptions *options);

/*
 * Where a figure's numbers come from, in one paragraph made of recorded facts alone (DESIGN 5.4);
 * what is not known is called unknown.  Caller frees.
 */
char *fm_caption_dup(const FmRun *run, const FmFigureOptions *options);

G_END_DECLS
