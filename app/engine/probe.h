/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finding out which backend really works on a target, by one read on each in turn.
 * Control thread, before the first step.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

#include "engine/run-context.h"

G_BEGIN_DECLS

/*
 * Sets the run's backend to the one asked for by name, if one was, and says why when it
 * does not work here.  Before the test file is filled: that may take minutes.
 */
bool fm_probe_wanted_backend(FmRunContext *run, GError **error);

/*
 * Sets the run's backend, unless it has one, to the best whose probe read succeeds.  What was
 * refused and why is kept in refusals and told in a note.
 */
bool fm_probe_backend(FmRunContext *run, GError **error);

G_END_DECLS
