/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a user writes about a finished run.  It becomes one more frame at the end of the
 * file: nothing that was measured is touched, and the last note wins.  Blocks; any thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

enum { FM_USER_NOTE_MAX = 32 * 1024 }; /* bytes of text and tags together */

/*
 * Appends @text and @tags (NULL = none) to the run at @path.  FM_ERROR_BUSY while the run is
 * going on, FM_ERROR_INVALID when it is too long or not UTF-8.
 */
bool fm_user_note_save(const char *path, const char *text, const char *const *tags, GError **error);

/* "fast, 990 PRO,,fast " as {"fast", "990 PRO"}: each once, without blanks around.  Caller frees.
 */
GStrv fm_user_note_parse_tags(const char *text);

G_END_DECLS
