/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of a worker process: says HELLO, waits for START, runs the plan, says
 * END.  A thread of its own reads commands, so that pause and stop are answered at
 * once even while I/O hangs; the end of the command stream means that the host is
 * gone, and then the worker stops, removes its test file and is gone within a second.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The exit codes of all our programs. */
enum {
    FM_EXIT_OK = 0,
    FM_EXIT_FAILED = 1,
    FM_EXIT_USAGE = 2, /* also: the command stream makes no sense */
    FM_EXIT_REFUSED = 3,
    FM_EXIT_STOPPED = 4,
};

/* Runs to the end and returns the exit code.  Descriptors stay the caller's. */
int fm_worker_run(int commands, int frames);

/* Checks what the measurements rely on in the folder @path; prints a line a check. */
int fm_worker_selfcheck(const char *path);

G_END_DECLS
