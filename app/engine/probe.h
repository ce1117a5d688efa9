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
 * Sets the run's backend: the one asked for by name, else the best whose probe read
 * succeeds.  What was refused and why is kept in backend_notes and told in notes.
 */
bool fm_probe_backend(FmRunContext *run, GError **error);

G_END_DECLS
