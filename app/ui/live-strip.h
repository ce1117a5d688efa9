/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was done last, what is being done and what comes next, as a run's plan names it.
 * Pure; main thread.
 */
#pragma once

#include <glib.h>

#include "model/run.h"

G_BEGIN_DECLS

/* The steps of a plan in order, by what they are called. */
typedef struct FmLiveSequence FmLiveSequence;

/* Of the plan that @run has told; NULL before that. */
FmLiveSequence *fm_live_sequence_new(const FmRun *run);
void fm_live_sequence_free(FmLiveSequence *sequence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmLiveSequence, fm_live_sequence_free)

/* Owned; NULL = there is none, or it can't be told. */
typedef struct {
    char *done;
    char *now;
    char *detail; /* of now: "RND 4k Read · QD32" */
    char *next;
} FmLiveStrip;

FmLiveStrip fm_live_strip_build(const FmLiveSequence *sequence, const FmRun *run);
void fm_live_strip_clear(FmLiveStrip *strip);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmLiveStrip, fm_live_strip_clear)

G_END_DECLS
