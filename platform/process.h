/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What our own processes ask of the system about themselves: which signals they care
 * for, and leaving the terminal they were started from.  Implemented once per system
 * (link-time twins).  Call from main() before threads start.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

/*
 * Makes a closed pipe and a reached file-size limit errors of the call that met
 * them instead of the end of the process.
 */
void plat_process_guard_signals(void);

/*
 * Makes the process deaf to the terminal and to polite requests to end.  For the
 * worker: it ends when its host says so or goes away, never half-way.
 */
void plat_process_ignore_requests(void);

/*
 * Leaves the caller's session: a closing terminal or a logout doesn't reach this
 * process any more.  Also leaves the working folder, so that no volume stays busy.
 */
void plat_process_detach(void);

/*
 * Calls @callback from the main loop each time somebody asks the process to end
 * politely: Ctrl-C, a shutdown.  Without this it would just end.
 */
void plat_process_watch_requests(GSourceFunc callback, gpointer user_data);

/*
 * Connects those of standard input, output and error that are closed to nothing, so that
 * no file opened later takes their place and is printed into.  First thing in main().
 */
void plat_process_hold_stdio(void);

/* Connects standard input, output and error to nothing. */
void plat_process_release_stdio(void);

/* Columns of the terminal behind @descriptor; 0 = it is no terminal. */
unsigned plat_process_get_columns(int descriptor);

G_END_DECLS
