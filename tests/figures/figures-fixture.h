/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that fills every kind of figure: CrystalDiskMark-style rows, a sweep of depths, tail
 * latency of four mixes, and a long step with a ramp, a stall, a pause and a temperature.  The
 * same every time and everywhere.
 */
#pragma once

#include <glib.h>

#include "figures/figures.h"
#include "model/run.h"

G_BEGIN_DECLS

FmRun *figures_fixture_new(void);
/* The same as if on a model drive. */
FmRun *figures_fixture_new_simulated(void);
/* Strings of it are markup, right to left, very long, not UTF-8 or commands to a terminal. */
FmRun *figures_fixture_new_hostile(void);

/* A log for its step "long": 20,000 I/Os.  For FmFigureOptions.read_log. */
bool figures_fixture_read_log(gpointer data, unsigned step, FmFigureLogEach each,
                              gpointer user_data, GError **error);

/* Lets figures of the tests speak Korean: catalogues of the build tree. */
void figures_fixture_bind_catalogues(void);

G_END_DECLS
