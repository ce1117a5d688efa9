/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Printable text and exact numbers.  No locale, no state.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/text.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static void
append_escaped(GString *out, const char *bytes, gsize length)
{
    for (gsize i = 0; i < length; i++) {
        g_string_append_printf(out, "\\x%02X", (unsigned char)bytes[i]);
    }
}

/* Turns the text around it, which would then say something else. */
static bool
is_direction(gunichar character)
{
    return character == 0x061C || character == 0x200E || character == 0x200F ||
           (character >= 0x202A && character <= 0x202E) ||
           (character >= 0x2066 && character <= 0x2069);
}

char *
fm_text_dup_printable(const char *text)
{
    GString *out = g_string_sized_new(strlen(text));

    while (*text != '\0') {
        gunichar character = g_utf8_get_char_validated(text, -1);
        bool is_bad = character == (gunichar)-1 || character == (gunichar)-2;
        gsize length = is_bad ? 1 : (gsize)(g_utf8_next_char(text) - text);
        if (is_bad || g_unichar_iscntrl(character) || is_direction(character)) {
            append_escaped(out, text, length);
        } else {
            g_string_append_len(out, text, (gssize)length);
        }
        text += length;
    }
    return g_string_free(out, FALSE);
}

char *
fm_text_dup_double(double value)
{
    g_return_val_if_fail(isfinite(value), NULL);

    char text[G_ASCII_DTOSTR_BUF_SIZE];
    if (value == 0) {
        return g_strdup("0");
    }
    static const char *const formats[] = {"%.15g", "%.16g", "%.17g"};
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_ascii_formatd(text, sizeof text, formats[i], value);
        if (g_ascii_strtod(text, NULL) == value) {
            break;
        }
    }
    return g_strdup(text);
}
