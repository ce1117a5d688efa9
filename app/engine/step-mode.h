/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a step's queues waited, in a word.  Pure; any thread.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * The mode that @n queues have in common ("polled"); where they differ, that of most of
 * them and how many these are: "polled on 3 of 4 threads".  @n is at least 1.  Caller frees.
 */
char *fm_step_mode_dup(const char *const *modes, unsigned n);

G_END_DECLS
