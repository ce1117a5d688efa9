/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measures how soon a thread that waits in reap() comes back when it is called: what
 * Stop and Pause stand on.  Internal to selfcheck*.c.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/selfcheck.h"

G_BEGIN_DECLS

typedef struct {
    bool was_woken; /* false: the backend has no wake(), its time-out was measured */
    int64_t late_ns; /* from the call, or from the end of the time-out */
} FmWakeResult;

/* Starts a thread and joins it; takes a second where wake() does not work. */
bool fm_selfcheck_wake(const FmSelfcheckOptions *options, const FmBackend *backend,
                       FmWakeResult *result, GError **error);

G_END_DECLS
