/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as JSON: reading ends with a value or an error; what was read has a
 * canonical form that reads back to itself; the locator never leaves the text.  The
 * first line of the input is the path to locate, the rest the text.
 */
#include "base/json.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    const char *line_end = size > 0 ? memchr(text, '\n', size) : NULL;
    if (line_end == NULL) {
        return 0;
    }
    g_autofree char *path = g_strndup(text, (gsize)(line_end - text));
    size -= (size_t)(line_end + 1 - text);
    text = line_end + 1;

    unsigned line;
    unsigned column;
    fm_json_locate(text, size, path, &line, &column);
    g_assert_true(line >= 1 && column >= 1);
    fm_json_locate_key(text, size, path, &line, &column);

    g_autoptr(GError) error = NULL;
    json_auto_t *json = fm_json_parse(text, size, "fuzz", &error);
    if (json == NULL) {
        g_assert_true(error != NULL && g_utf8_validate(error->message, -1, NULL));
        return 0;
    }
    g_assert_true(fm_json_locate(text, size, "", &line, &column));

    g_autofree char *canonical = fm_json_dup_canonical(json);
    json_auto_t *again = fm_json_parse(canonical, strlen(canonical), "canonical", &error);
    g_assert_no_error(error);
    g_autofree char *twice = fm_json_dup_canonical(again);
    g_assert_cmpstr(twice, ==, canonical);
    return 0;
}
