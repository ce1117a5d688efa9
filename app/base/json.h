/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON from people and from other programs, on top of jansson: stricter reading, error
 * messages that say where, and one canonical form for hashing.  Nothing here trusts its
 * input.  Any thread may call it.
 */
#pragma once

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>

G_BEGIN_DECLS

enum {
    FM_JSON_MAX_DEPTH = 64, /* arrays and objects inside each other */
};

/*
 * Reads one array or object.  Refused: a key twice in one object, nesting beyond
 * FM_JSON_MAX_DEPTH, numbers out of range, invalid UTF-8, NUL, anything after the end.  A
 * byte order mark is skipped.  Errors are FM_ERROR_INVALID as "@origin:line:column:
 * sentence"; columns count characters from 1.  Caller owns the result.
 */
json_t *fm_json_parse(const char *text, gsize length, const char *origin, GError **error);

/*
 * Finds where the value at @path begins in @text, which has been parsed before (jansson
 * keeps no positions).  A path is made of keys and indices from 0: "phases/2/streams/0/
 * block"; "" is the whole.  Returns false when nothing stands there; @line and @column
 * are then those of the innermost value on the way that does exist.
 */
bool fm_json_locate(const char *text, gsize length, const char *path, unsigned *line,
                    unsigned *column);
/* The same for the key in front of the value; the value itself where it has no key. */
bool fm_json_locate_key(const char *text, gsize length, const char *path, unsigned *line,
                        unsigned *column);

/*
 * Canonical text of @json: keys sorted by their bytes, no spaces, integers exact, other
 * numbers in their shortest form, and whole ones like integers (1.0 is "1", so that the
 * same value has the same hash).  Caller frees.
 */
char *fm_json_dup_canonical(const json_t *json);

G_END_DECLS
