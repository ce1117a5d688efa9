/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a CrystalDiskMark-style test, reads and writes side by side: what table T8 and
 * figures F01 and F02 are made of.  Private to figures/.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "figures/builder.h"

G_BEGIN_DECLS

enum { FM_N_CDM_GROUPS = FM_CDM_MIX + 1 };

/* One row of the table; what the plan did not measure is NULL. */
typedef struct {
    char *name; /* "SEQ1M Q8T1" */
    const FmCdmRow *rows[FM_N_CDM_GROUPS];
} FmCdmPair;

/* Of FmCdmPair, in the order the rows ran; empty for a run of something else. */
GArray *fm_cdm_pairs_new(const FmBuilder *builder);
bool fm_cdm_pairs_have(const GArray *pairs, FmCdmGroup group);
/* "7,000 MB/s sequential read; 99.9 % of 4k reads within 184 µs"; NULL when nothing came out.
 * Caller frees. */
char *fm_cdm_pairs_dup_finding(const FmBuilder *builder, const GArray *pairs);
/* Conditions: repetitions, their length, size of the file. */
void fm_cdm_pairs_add_conditions(const FmBuilder *builder, FmFigure *figure, const GArray *pairs);
void fm_cdm_pairs_add_footnotes(const FmBuilder *builder, FmFigure *figure, const GArray *pairs);

G_END_DECLS
