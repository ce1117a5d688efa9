/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers as digits.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/digits.h"

#include <math.h>

/* Writes at least @n_min digits. */
static void
append_padded(GString *out, uint64_t value, unsigned n_min)
{
    char text[24];
    char *at = text + sizeof text;
    const char *end = at;

    do {
        *--at = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0 || (unsigned)(end - at) < n_min);
    g_string_append_len(out, at, end - at);
}

void
fm_digits_append(GString *out, uint64_t value)
{
    append_padded(out, value, 1);
}

void
fm_digits_append_decimal(GString *out, double value, unsigned decimals)
{
    static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    static const double max_exact = 9007199254740992.0; /* 2^53 */

    g_return_if_fail(decimals < G_N_ELEMENTS(powers));

    uint64_t power = powers[decimals];
    if (!isfinite(value)) {
        return;
    }
    if (fabs(value) * (double)power >= max_exact) {
        /* No digit behind the point is known of such a number. */
        char text[G_ASCII_DTOSTR_BUF_SIZE * 10];
        g_string_append(out, g_ascii_formatd(text, sizeof text, "%.0f", value));
        return;
    }
    uint64_t scaled = (uint64_t)llround(fabs(value) * (double)power);
    if (value < 0 && scaled > 0) {
        g_string_append_c(out, '-');
    }
    append_padded(out, scaled / power, 1);
    if (decimals > 0) {
        g_string_append_c(out, '.');
        append_padded(out, scaled % power, decimals);
    }
}
