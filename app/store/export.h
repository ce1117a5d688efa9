/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as text for other programs and for people.  Output never depends on the
 * locale, except that the table for people speaks its language: dots in numbers, UTF-8,
 * ISO 8601 in UTC; lines end in LF, those of CSV in CR LF as RFC 4180 wants.  Callers
 * free what they get.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/run.h"

G_BEGIN_DECLS

/*
 * Everything the run holds: facts, plan, steps with totals, percentiles, histograms
 * and ticks.  Counters of 64 bits (I/Os, bytes, sums, seeds) are strings, because many
 * readers of JSON keep 53 bits; latencies are numbers in ns.  Unknown values are null, and
 * the reason, where one is known, stands in "unknown" beside them.  Keys may be added;
 * "format-version" rises when one changes its meaning.
 */
char *fm_export_json(const FmRun *run, GError **error);
/* One row a step and op, and one for all ops where there are several: workload,
 * parameters, MB/s, IOPS, percentiles, depth, CPU, flags.  Unknown fields and percentiles
 * with too few samples are empty. */
char *fm_export_csv(const FmRun *run, GError **error);
/* The 100 ms rows of all steps, in pieces, since a run of days has millions: appends those that
 * are settled, all of them when the run @is_whole, and takes them out of @run.  The head, a
 * line of names, comes first. */
const char *fm_export_get_ticks_head(void);
void fm_export_take_ticks(GString *out, FmRun *run, bool is_whole);
/* A plain table with tail latency for a terminal, @columns wide (0 = as wide as needed). */
char *fm_export_text(const FmRun *run, unsigned columns, GError **error);
/* CrystalDiskMark's column layout under our own name (METHODOLOGY 8); only for runs
 * of CDM-style plans, else FM_ERROR_UNSUPPORTED.  The date is local, as there. */
char *fm_export_cdm(const FmRun *run, GError **error);
/* Every frame, one block of text each, and what could not be read between them:
 * `fathom-cli dump`. */
char *fm_export_dump(const void *bytes, gsize length, GError **error);

G_END_DECLS
