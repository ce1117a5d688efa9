/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the builders of figures share: the run they look at, words in the figure's language,
 * numbers as sentences have them, and what has to stand below every figure.  Private to
 * figures/.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "analysis/cdm.h"
#include "base/message.h"
#include "figures/figures.h"
#include "model/plan.h"

G_BEGIN_DECLS

typedef struct {
    const FmRun *run;
    const FmFigureOptions *options;
    FmCdmTable *table; /* rows without latency, in table order: reads, writes, mixes */
    FmPlan *plan; /* as the run stored it; NULL when it can't be read */
} FmBuilder;

void fm_builder_init(FmBuilder *builder, const FmRun *run, const FmFigureOptions *options);
void fm_builder_clear(FmBuilder *builder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmBuilder, fm_builder_clear)

/* One kind of figure: a file of its own and a row in registry.c. */
typedef struct {
    const char *prefix; /* of ids: "F80" of "F80" and of "F80:tail/read/read" */
    /* Adds what the run can fill to @entries. */
    void (*list)(const FmBuilder *builder, GPtrArray *entries);
    /* @key is what follows the colon; "" without one. */
    FmFigure *(*build)(const FmBuilder *builder, const char *key, GError **error);
} FmFigureKind;

extern const FmFigureKind fm_figure_cdm_table;
extern const FmFigureKind fm_figure_cdm_bars;
extern const FmFigureKind fm_figure_cdm_bars_qd1;
extern const FmFigureKind fm_figure_depth_table;
extern const FmFigureKind fm_figure_tail;
extern const FmFigureKind fm_figure_percentile_table;
extern const FmFigureKind fm_figure_percentile_stems;
extern const FmFigureKind fm_figure_overview;
extern const FmFigureKind fm_figure_step_time;
extern const FmFigureKind fm_figure_density;

/* Takes both texts. */
void fm_builder_add_entry(GPtrArray *entries, char *id, char *title, bool is_detail);

/* --- Words and numbers ------------------------------------------------------------- */

/* @text in the figure's language; xgettext knows this name. */
const char *fm_say(const FmBuilder *builder, const char *text) G_GNUC_FORMAT(2);
/* A sentence of the run in the figure's language, printable.  Caller frees. */
char *fm_builder_dup_message(const FmBuilder *builder, const FmMessage *message);
bool fm_builder_is_korean(const FmBuilder *builder);

/* All are freed by the caller. */
char *fm_say_rate(const FmBuilder *builder, double bytes_per_second); /* "1,142 MB/s" */
char *fm_say_iops(const FmBuilder *builder, double iops); /* "330k IOPS" */
char *fm_say_latency(const FmBuilder *builder, double ns);
/* The slowest I/O and the mean are exact in published tables too: only percentiles come from
 * bins (METHODOLOGY 19.1.1). */
char *fm_say_exact_latency(double ns); /* "184 µs", by the published rule in
                                                               the review preset */
char *fm_say_share(const FmBuilder *builder, FmPercentileIndex index); /* "99.9 %" */
char *fm_say_count(uint64_t n); /* "1,416,092" */
char *fm_say_clock(double seconds); /* "0:12:05" */
char *fm_say_duration(const FmBuilder *builder, double seconds); /* "5 s", "400 ms", "0:12:05" */
/* "reads", "writes", "I/Os" as a noun in a sentence; static. */
const char *fm_say_op(const FmBuilder *builder, unsigned op);

/* --- Rows and steps ---------------------------------------------------------------- */

/* The rate a person compares: MB/s of sequential, IOPS of random I/O. */
bool fm_row_is_iops(const FmCdmRow *row);
/* I/Os in flight of all threads and streams. */
unsigned fm_row_get_depth(const FmCdmRow *row);
/* "RND 4k Read QD1"; behind it the plan's name of the part where the run has several rows of
 * that name.  Caller frees. */
char *fm_builder_dup_row_name(const FmBuilder *builder, const FmCdmRow *row);
/* The same of any step, with its repetition. */
char *fm_builder_dup_step_name(const FmBuilder *builder, const FmRunStep *step);
/* "SEQ 128k R95:W05" without the depth; the plan's label where blocks or streams are mixed. */
char *fm_builder_dup_workload(const FmBuilder *builder, const FmCdmRow *row);
/* Name of the part of the plan in which @path stands, in the figure's language.  Caller frees. */
char *fm_builder_dup_section(const FmBuilder *builder, const char *path);
/* NULL when there is no row of that path. */
const FmCdmRow *fm_builder_find_row(const FmBuilder *builder, const char *path);
/* The newest step of that path, or NULL. */
const FmRunStep *fm_builder_find_step(const FmBuilder *builder, const char *path);
/* Ops of which @row did some I/O, as bits. */
unsigned fm_row_get_ops(const FmCdmRow *row);
/* The file name of an op in ids: "read" ... "all" for FM_N_OPS. */
const char *fm_op_key(unsigned op);
/* Splits "ROW/OP"; false when it is no such thing or there is no such row. */
bool fm_builder_parse_row_key(const FmBuilder *builder, const char *key, const FmCdmRow **row,
                              unsigned *op);

/* --- Figures ----------------------------------------------------------------------- */

/* fm_caption_dup() for a builder that is there already. */
char *fm_builder_dup_caption(const FmBuilder *builder);

/* A figure with all but its content: caption, run, language, watermark. */
FmFigure *fm_builder_start(const FmBuilder *builder, const char *id, const char *name);
/* The same without caption, for a builder of which only run and options are set. */
FmFigure *fm_builder_start_bare(const FmBuilder *builder, const char *id, const char *name);
/*
 * Title: @finding, or @name in the review preset and while the run goes on; NULL for no finding.
 * Takes @finding.
 */
void fm_builder_set_title(const FmBuilder *builder, FmFigure *figure, const char *name,
                          char *finding);
/* Adds a part to the subtitle, after " · ".  Takes @part; NULL adds nothing. */
void fm_builder_add_subtitle(FmFigure *figure, char *part);
/* Takes @sentence; what already stands there is not said twice. */
void fm_builder_add_footnote(FmFigure *figure, char *sentence);
/* What is to be known about @row: failed, host-limited, buffered, disturbed, depth not kept. */
void fm_builder_note_row(const FmBuilder *builder, FmFigure *figure, const FmCdmRow *row);
void fm_builder_note_step(const FmBuilder *builder, FmFigure *figure, const FmRunStep *step);
/* "single run" or "n = 3". */
char *fm_builder_dup_runs(const FmBuilder *builder, unsigned n_least, unsigned n_most);
/* The same with their length: "n = 3 runs of 5 s". */
char *fm_builder_dup_runs_of(const FmBuilder *builder, unsigned n_least, unsigned n_most,
                             int64_t measured_ns);
/* Adds what holds for the whole run and checks the laws; returns @figure. */
FmFigure *fm_builder_finish(const FmBuilder *builder, FmFigure *figure);

G_END_DECLS
