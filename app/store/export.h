/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run as text for other programs and for people.  Output never depends on the
 * locale: dots in numbers, ISO 8601 dates, UTF-8, LF.
 */
#pragma once

#include <glib.h>

#include "model/run.h"

G_BEGIN_DECLS

/* Everything the run holds: facts, plan, steps with totals, percentiles, histograms
 * (64- and 128-bit counters as strings), ticks.  Unknown values are null with the
 * reason beside them. */
char *fm_export_json(const FmRun *run, GError **error);
/* One row a step and op (direction): workload, parameters, MB/s, IOPS, mean, P50 ...,
 * maximum, depth, CPU, flags.  RFC 4180. */
char *fm_export_csv(const FmRun *run, GError **error);
/* The 100 ms rows of all steps. */
char *fm_export_ticks_csv(const FmRun *run, GError **error);
/* A plain table with tail latency for a terminal, @columns wide. */
char *fm_export_text(const FmRun *run, unsigned columns, GError **error);
/* CrystalDiskMark's column layout under our own name (METHODOLOGY 8); only for runs
 * of CDM-style plans, else FM_ERROR_UNSUPPORTED. */
char *fm_export_cdm(const FmRun *run, GError **error);
/* Every frame, one block of text each: `fathom-cli dump`. */
char *fm_export_dump(const void *bytes, gsize length, GError **error);

G_END_DECLS
