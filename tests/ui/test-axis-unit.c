/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of axes: what is shown reads back, and what people type is understood.
 */
#include "ui/axis-unit.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static void
test_texts(void)
{
    static const struct {
        FmUnit unit;
        double value;
        const char *text;
    } cases[] = {
        {FM_UNIT_BYTES_PER_SECOND, 1.5e9, "1500"},
        {FM_UNIT_BYTES_PER_SECOND, 1234567890, "1234.57"},
        {FM_UNIT_SECONDS, 184e-6, "184"},
        {FM_UNIT_SECONDS, 1.5e-9, "0.0015"},
        {FM_UNIT_SHARE, 0.9999, "99.99"},
        {FM_UNIT_IOPS, 1416092, "1416092"},
        {FM_UNIT_CELSIUS, -5, "-5"},
        {FM_UNIT_NUMBER, -1e-30, "0"},
        {FM_UNIT_NUMBER, 0, "0"},
        {FM_UNIT_NUMBER, NAN, ""},
        {FM_UNIT_NUMBER, INFINITY, ""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = fm_axis_unit_dup_text(cases[i].unit, cases[i].value);
        g_assert_cmpstr(text, ==, cases[i].text);
    }
    g_autofree char *huge = fm_axis_unit_dup_text(FM_UNIT_NUMBER, 1e300);
    g_assert_cmpuint(strlen(huge), ==, 301);
}

static void
test_parsing(void)
{
    static const struct {
        FmUnit unit;
        const char *text;
        double value;
    } cases[] = {
        {FM_UNIT_BYTES_PER_SECOND, " 1500 ", 1.5e9},
        {FM_UNIT_BYTES_PER_SECOND, "1.5 GB/s", 1.5e9},
        {FM_UNIT_SECONDS, "184", 184e-6},
        {FM_UNIT_SECONDS, "2 ms", 2e-3},
        {FM_UNIT_CLOCK, "90", 90},
        {FM_UNIT_CLOCK, "1:30:00", 5400},
        {FM_UNIT_CLOCK, "2:30", 150},
        {FM_UNIT_CLOCK, "1h", 3600},
        {FM_UNIT_BYTES, "64 GB", 64e9},
        {FM_UNIT_SHARE, "99.9", 0.999},
        {FM_UNIT_SHARE, "99.9%", 0.999},
        {FM_UNIT_IOPS, "330k IOPS", 330000},
        {FM_UNIT_CELSIUS, "-5", -5},
    };
    double value = 0;

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_true(fm_axis_unit_parse(cases[i].unit, cases[i].text, &value, NULL));
        g_assert_cmpfloat_with_epsilon(value, cases[i].value, fabs(cases[i].value) * 1e-12);
    }
    g_assert_true(fm_axis_unit_parse(FM_UNIT_IOPS, "  ", &value, NULL));
    g_assert_true(isnan(value));
}

static void
test_refusals(void)
{
    static const struct {
        FmUnit unit;
        const char *text;
    } cases[] = {
        {FM_UNIT_IOPS, "many"},      {FM_UNIT_IOPS, "1e999"},    {FM_UNIT_IOPS, "nan"},
        {FM_UNIT_CELSIUS, "5 MB/s"}, {FM_UNIT_CLOCK, "1:2:3:4"}, {FM_UNIT_CLOCK, "1:-2"},
        {FM_UNIT_CLOCK, ":"},        {FM_UNIT_BYTES, "5 IOPS"},  {FM_UNIT_SECONDS, "1:30"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        double value;
        g_assert_false(fm_axis_unit_parse(cases[i].unit, cases[i].text, &value, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/axis-unit/numbers-have-one-unit-and-no-exponent", test_texts);
    g_test_add_func("/ui/axis-unit/typed-units-are-understood", test_parsing);
    g_test_add_func("/ui/axis-unit/nonsense-is-refused", test_refusals);
    return g_test_run();
}
