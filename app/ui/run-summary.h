/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a run is in few words: its name, its headline and what a reader must know before
 * believing its numbers.  Pure; any thread.  Callers free what they get.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/run.h"

G_BEGIN_DECLS

/* "2026-08-22 14:05", local; "unknown". */
char *fm_run_summary_dup_date(gint64 wall_us);
/* An outcome of END or of the library in the user's language. */
const char *fm_run_summary_get_outcome(const char *outcome);

/* "Quick test – Samsung SSD 990 PRO 2TB". */
char *fm_run_summary_dup_title(const FmRun *run);
/* "2026-08-22-1405-quick-Samsung-SSD-990-PRO-2TB": the start of file names. */
char *fm_run_summary_dup_stem(const FmRun *run);
/* "7012 MB/s read, 6301 MB/s write": the highest of any step that counts; "" = nothing. */
char *fm_run_summary_dup_headline(const FmRun *run);

typedef struct {
    bool is_serious; /* the numbers are not those of a drive, or not whole */
    char *text; /* one sentence, in the user's language */
} FmRunRemark;

void fm_run_remark_free(FmRunRemark *remark);

/* What to know about @run, the most serious first; empty for a plain good run.  @is_busy: somebody
 * still writes it. */
GPtrArray *fm_run_summary_list_remarks(const FmRun *run, bool is_busy);

/* The sentence of @key in a dictionary of the run, in the user's language; NULL = none. */
char *fm_run_summary_dup_sentence(GVariant *dictionary, const char *key);

G_END_DECLS
