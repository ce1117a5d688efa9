/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plan of one step that a test can bend, and a run of it whose frames are folded.
 */
#pragma once

#include <glib.h>

#include "engine/engine.h"
#include "model/run.h"

#define MIB ((uint64_t)1024 * 1024)
#define SECOND ((int64_t)1000 * 1000 * 1000)

typedef struct {
    FmPlan plan;
    FmPhase *step;
    FmStream *stream;
} Bench;

/* 4 KiB random reads, four in flight, one thread, for a second, on 16 MiB. */
Bench *bench_new(void);
void bench_free(Bench *bench);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Bench, bench_free)

/* Appends frames to the GByteArray that is its user data. */
void bench_sink_cb(gpointer user_data, FmFrameKind kind, const void *payload, gsize length);

/* Runs it and checks outcome, frames and sums. */
FmRun *bench_run(const Bench *bench, FmTarget *target, FmEngineOptions options, FmOutcome expected);
const FmRunStep *bench_step(const FmRun *run, guint index);
