/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plans built by hand and actions that only write down what they are asked for, one
 * line each:
 *
 *   0 read/run=1            a step; "(warm-up)" follows a discarded one
 *   skip 1 read: sentence   a step that was not possible
 *   rest read 5             a rest between steps, in seconds
 *   trim t                  another phase; its rest in seconds where it has one
 */
#pragma once

#include <glib.h>

#include "engine/driver.h"

G_BEGIN_DECLS

#define SECOND_NS G_GINT64_CONSTANT(1000000000)
#define MIB (UINT64_C(1) << 20)

typedef struct Fake Fake;

struct Fake {
    FmDriverActions actions;
    GString *trace;
    GPtrArray *evaluations; /* of GVariant */
    unsigned n_actions;

    /* What the test decides.  @run fills the result of a step; NULL = 1000 I/Os in 1 s. */
    bool (*run)(Fake *fake, const FmStep *step, FmStepResult *result);
    gconstpointer data; /* the test's own */
    unsigned end_at; /* the action that ends the plan, from 1; 0 = none */
    FmOutcome end_outcome;
};

void fake_init(Fake *fake);
void fake_clear(Fake *fake);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Fake, fake_clear)

/* Runs @root (taken) as a plan. */
FmOutcome fake_run(Fake *fake, FmPhase *root, GError **error);
/* The same, asserting that it completes with exactly this trace. */
void fake_expect(Fake *fake, FmPhase *root, const char *trace);

/* Value of @key in evaluation @index; fails the test when it is missing. */
GVariant *fake_lookup(const Fake *fake, unsigned index, const char *key);
/* Number of evaluations of @kind. */
unsigned fake_count(const Fake *fake, const char *kind);

/* Fills a result so that @step ran for a second with @ios reads of @latency_ns. */
void fake_fill(FmStepResult *result, uint64_t ios, uint64_t latency_ns);

/* --- Phases -------------------------------------------------------------------------- */

/* A phase with children (NULL-terminated, taken). */
FmPhase *phase_new(FmPhaseKind kind, const char *id, ...) G_GNUC_NULL_TERMINATED;
/* MEASURE with one stream "s": 4 KiB random reads over all of the target, 1 in flight. */
FmPhase *measure_new(const char *id);
FmStream *phase_add_stream(FmPhase *phase, const char *id);
/* Adds an axis; values end with @n. */
void phase_add_axis(FmPhase *phase, FmParameter parameter, const char *target, unsigned n, ...);
FmPlan *plan_new(FmPhase *root);

G_END_DECLS
