/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes plausible runs for tests, through the real encoders: the same bytes every time
 * and everywhere.  Latencies have a tail, rows add up to the totals, the last row is
 * partial.  Not a measurement of anything.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "model/frame.h"
#include "model/run.h"

G_BEGIN_DECLS

typedef struct {
    GByteArray *bytes; /* the stream so far */
    uint32_t sequence;
} FmRunFixture;

/* One step; 0 and NULL fields are what a plain 4 KiB random read at QD1 has. */
typedef struct {
    unsigned number;
    const char *path;
    const char *kind;
    const char *label;
    const char *workload;
    const char *pattern;
    uint32_t block;
    unsigned in_flight; /* in total */
    unsigned threads;
    bool is_write; /* else reads, unless @write_share is set */
    uint32_t write_share; /* parts per 10,000 */
    uint32_t n_ios;
    uint32_t latency_us; /* typical latency */
    unsigned run; /* repetition for the "run" parameter; 0 = none */
    bool discard;
    const char *outcome; /* "complete" */
    const char *reason;
    uint64_t errors;
    bool host_limited;
    uint64_t foreign_bytes; /* that others moved, a disturbance; 0 = not told */
    bool is_cut; /* no PHASE_END and no histogram */
} FmFixtureStep;

FmRunFixture *fm_run_fixture_new(void);
void fm_run_fixture_free(FmRunFixture *fixture);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmRunFixture, fm_run_fixture_free)

/* Any frame; takes a floating a{sv}. */
void fm_run_fixture_add(FmRunFixture *fixture, FmFrameKind kind, GVariant *dictionary);
/* The same from GVariant text, such as "{'kind': <'error'>}". */
void fm_run_fixture_add_text(FmRunFixture *fixture, FmFrameKind kind, const char *text);
/* HELLO, ENVIRONMENT, DRIVE, TARGET, PLAN. */
void fm_run_fixture_add_head(FmRunFixture *fixture, const char *plan_id);
void fm_run_fixture_add_step(FmRunFixture *fixture, const FmFixtureStep *step);
void fm_run_fixture_add_end(FmRunFixture *fixture, const char *outcome);
/* What was added, folded. */
FmRun *fm_run_fixture_fold(const FmRunFixture *fixture);

/*
 * A whole CrystalDiskMark-style run: per row a discarded warm-up and two repetitions,
 * reads, then writes, then a mix; one row failed, one was limited by the host.
 */
FmRunFixture *fm_run_fixture_new_cdm(void);

G_END_DECLS
