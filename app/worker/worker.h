/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a worker process: says HELLO, waits for START, runs the plan, says
 * END.  A thread of its own reads commands, so that pause and stop are answered at
 * once even while I/O hangs; the end of the command stream means that the host is
 * gone, and then the worker stops, removes its test file and is gone within a second.
 */
#pragma once

#include <glib.h>

#include "base/exit-code.h"

G_BEGIN_DECLS

/* Runs to the end and returns the exit code.  Descriptors stay the caller's. */
int fm_worker_run(int commands, int frames);

/* Checks what the measurements rely on in the folder @path; prints a line a check. */
int fm_worker_selfcheck(const char *path);

G_END_DECLS
