/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text that is safe to print and numbers that read back exactly.
 */
#include "base/rng.h"
#include "base/text.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void
test_printable(void)
{
    static const struct {
        const char *text;
        const char *printable;
    } cases[] = {
        {"plain", "plain"},
        {"", ""},
        {"caf\xE9", "caf\\xE9"},
        {"\xF0\x9F\x92", "\\xF0\\x9F\\x92"},
        {"\xED\x95\x9C\xEA\xB5\xAD", "\xED\x95\x9C\xEA\xB5\xAD"},
        {"\x1B[2J\r\n\x7F", "\\x1B[2J\\x0D\\x0A\\x7F"},
        {"\xC2\x9B", "\\xC2\\x9B"},
        {"a\xE2\x80\xAE"
         "b",
         "a\\xE2\\x80\\xAE"
         "b"},
        {"\xD7\xA9", "\xD7\xA9"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *once = fm_text_dup_printable(cases[i].text);
        g_autofree char *twice = fm_text_dup_printable(once);
        g_assert_cmpstr(once, ==, cases[i].printable);
        g_assert_cmpstr(twice, ==, once);
    }
}

static void
test_doubles(void)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0.1, "0.1"},
        {9.95, "9.95"},
        {0.0, "0"},
        {-0.0, "0"},
        {1e20, "1e+20"},
        {-2.5, "-2.5"},
        {1.0 / 3, "0.3333333333333333"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {0.1 + 0.2, "0.30000000000000004"},
    };
    FmRng rng;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = fm_text_dup_double(cases[i].value);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    fm_rng_init(&rng, 3);
    for (unsigned i = 0; i < 2000; i++) {
        uint64_t bits = fm_rng_next(&rng);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            g_autofree char *text = fm_text_dup_double(value);
            g_assert_cmpfloat(g_ascii_strtod(text, NULL), ==, value);
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/text/printable-text-has-no-control-characters", test_printable);
    g_test_add_func("/base/text/doubles-are-shortest-and-exact", test_doubles);
    return g_test_run();
}
