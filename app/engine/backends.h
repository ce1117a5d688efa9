/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All backends by name: the system's own and the engine's extras for honesty (null,
 * sim, fault, record).  Which one a run uses is decided by the caller; this file
 * never opens anything.  Constant data, any thread.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "platform/backend.h"

G_BEGIN_DECLS

extern const FmBackend fm_backend_null;
extern const FmBackend fm_backend_sim;
extern const FmBackend fm_backend_fault;
extern const FmBackend fm_backend_record;

/* Looks @name up among all backends; NULL = there is none. */
const FmBackend *fm_backend_find(const char *name);

/*
 * Reads a backend as it is asked for: "NAME", or "FILTER:NAME" for a filter over
 * another one ("fault:sync").  @below becomes NULL where there is no filter.
 */
const FmBackend *fm_backend_parse(const char *text, const FmBackend **below, GError **error);

/* The system's backends, best first: the order in which a target tries them.  Ends
 * with NULL.  The extras are only used when asked for. */
const FmBackend *const *fm_backend_probe_order(void);

/* What the pair can do at best: a filter can do what is below it, no more. */
uint32_t fm_backend_get_caps(const FmBackend *backend, const FmBackend *below);

/* The open target below a filter, or @target itself: fm_sim_* want sim's own. */
FmBackendTarget *fm_backend_get_bottom(const FmBackend *backend, FmBackendTarget *target);

G_END_DECLS
