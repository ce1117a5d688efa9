/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What somebody who looks for a bug wants to know about this program on this machine, as
 * plain English lines.  No names of people, no serial numbers.  Needs no display.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Asks fathom-worker for the backends of this build; without the worker that is a line, too. */
void fm_debug_info_read_async(GAsyncReadyCallback callback, gpointer user_data);
/* Never NULL.  Caller frees. */
char *fm_debug_info_read_finish(GAsyncResult *result);

G_END_DECLS
