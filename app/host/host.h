/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The run host: a process of its own, one per run, that owns the worker and the run
 * file and lets viewers come and go.  It outlives the program that started it.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The whole life of a host.  Reads its request, one START frame, from standard input,
 * answers on standard output with one frame (HELLO with `id`, `socket` and `output`, or
 * END with the reason and FM_ERROR `code` why there is no run), leaves terminal and session, and
 * returns when the run is over and told.  The result is an exit code.
 */
int fm_host_main(void);

G_END_DECLS
