/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits in, ticks out; and no limits that make a scale loop, crash or lie.
 */
#include "plot/scale.h"

#include <float.h>
#include <math.h>

typedef struct {
    const char *name;
    FmUnit unit;
    FmScaleKind scale;
    double data[4]; /* ended by NaN when there are fewer */
    double length;
    const char *labels; /* of the ticks, ascending */
    const char *unit_text;
    bool is_from_zero;
    bool is_nice;
} Case;

#define THIN "\u2009"

static const Case cases[] = {
    {"rate",
     FM_UNIT_BYTES_PER_SECOND,
     FM_SCALE_LINEAR,
     {330e6, 1117e6, NAN},
     250,
     "0|200|400|600|800|1000|1200|",
     "MB/s",
     true,
     true},
    {"fast rate",
     FM_UNIT_BYTES_PER_SECOND,
     FM_SCALE_LINEAR,
     {0, 28e9, NAN},
     250,
     "0|5|10|15|20|25|30|",
     "GB/s",
     true,
     true},
    {"iops",
     FM_UNIT_IOPS,
     FM_SCALE_LINEAR,
     {52527, 82300, NAN},
     200,
     "0|20|40|60|80|100|",
     "k IOPS",
     true,
     true},
    {"few iops",
     FM_UNIT_IOPS,
     FM_SCALE_LINEAR,
     {120, 900, NAN},
     250,
     "0|200|400|600|800|1000|",
     "IOPS",
     true,
     true},
    {"microseconds",
     FM_UNIT_SECONDS,
     FM_SCALE_LINEAR,
     {0, 184e-6, NAN},
     250,
     "0|50|100|150|200|",
     "µs",
     true,
     true},
    {"minus",
     FM_UNIT_NUMBER,
     FM_SCALE_LINEAR,
     {-12, 7, NAN},
     170,
     "−15|−10|−5|0|5|10|",
     "",
     false,
     true},
    {"temperature",
     FM_UNIT_CELSIUS,
     FM_SCALE_LINEAR,
     {31, 65, NAN},
     170,
     "30|40|50|60|70|",
     "°C",
     false,
     true},
    {"clock below a minute",
     FM_UNIT_CLOCK,
     FM_SCALE_LINEAR,
     {0, 30, NAN},
     250,
     "0|10|20|30|",
     "s",
     false,
     false},
    {"clock below an hour",
     FM_UNIT_CLOCK,
     FM_SCALE_LINEAR,
     {0, 1199.9, NAN},
     320,
     "0:00|5:00|10:00|15:00|20:00|",
     "min",
     false,
     false},
    {"clock of hours",
     FM_UNIT_CLOCK,
     FM_SCALE_LINEAR,
     {0, 43200, NAN},
     250,
     "0:00|6:00|12:00|",
     "h",
     false,
     false},
    {"share",
     FM_UNIT_SHARE,
     FM_SCALE_LINEAR,
     {0, 1, NAN},
     270,
     "0|25|50|75|100|",
     "%",
     false,
     false},
    {"decades of time",
     FM_UNIT_SECONDS,
     FM_SCALE_LOG10,
     {8e-6, 0.4, NAN},
     300,
     "10" THIN "µs|100|1" THIN "ms|10|100|",
     "",
     false,
     false},
    {"one decade of time",
     FM_UNIT_SECONDS,
     FM_SCALE_LOG10,
     {2.1e-4, 3.3e-4, NAN},
     300,
     "200" THIN "µs|300|",
     "",
     false,
     false},
    {"log of a zero",
     FM_UNIT_NUMBER,
     FM_SCALE_LOG10,
     {0, 1, 1000, NAN},
     200,
     "0|1|10|100|1000|",
     "",
     false,
     false},
    {"depths",
     FM_UNIT_NUMBER,
     FM_SCALE_LOG2,
     {1, 256, NAN},
     640,
     "1|2|4|8|16|32|64|128|256|",
     "",
     false,
     false},
    {"spans",
     FM_UNIT_BINARY_BYTES,
     FM_SCALE_LOG2,
     {4096, 1048576, NAN},
     640,
     "4" THIN "KiB|8|16|32|64|128|256|512|1" THIN "MiB|",
     "",
     false,
     false},
    {"nines",
     FM_UNIT_SHARE,
     FM_SCALE_NINES,
     {0, 0.9, 0.99999, 1},
     250,
     "0|90|99|99.9|99.99|99.999|max|",
     "%",
     false,
     false},
    {"nines, every other one",
     FM_UNIT_SHARE,
     FM_SCALE_NINES,
     {0, 0.9, 0.999999, 1},
     110,
     "0|99|99.99|99.9999|max|",
     "%",
     false,
     true},
    {"nines with room for the half",
     FM_UNIT_SHARE,
     FM_SCALE_NINES,
     {0, 0.99, NAN},
     250,
     "0|50|90|99|",
     "%",
     false,
     true},
    {"nothing", FM_UNIT_NUMBER, FM_SCALE_LINEAR, {NAN}, 100, "0|0.5|1.0|", "", false, true},
    {"one value", FM_UNIT_SECONDS, FM_SCALE_LINEAR, {42, NAN}, 100, "0|20|40|60|", "s", true, true},
};

static const FmAxisView whole = {.min = NAN, .max = NAN};

typedef struct {
    FmAxis axis;
    FmExtent extent;
    FmScale scale;
} Subject;

static void
subject_init(Subject *subject, const Case *test, const FmAxisView *view)
{
    *subject = (Subject){.extent = fm_extent_empty};
    fm_axis_set(&subject->axis, NULL, test->unit, test->scale);
    for (unsigned i = 0; i < G_N_ELEMENTS(test->data) && !isnan(test->data[i]); i++) {
        fm_extent_add(&subject->extent, test->data[i]);
    }
    FmScaleSpec spec = {
        .axis = &subject->axis,
        .extent = &subject->extent,
        .view = view,
        .length = test->length,
        .gap = test->is_nice ? 34 : 64,
        .is_from_zero = test->is_from_zero,
        .is_nice = test->is_nice,
        .language = "en",
    };
    fm_scale_init(&subject->scale, &spec);
}

static char *
dup_labels(const FmScale *scale)
{
    GString *out = g_string_new(NULL);
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        if (tick->label) {
            g_string_append_printf(out, "%s|", tick->label);
        }
    }
    return g_string_free(out, FALSE);
}

static void
test_ticks_are_round(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Subject subject;
        subject_init(&subject, &cases[i], &whole);
        g_autofree char *labels = dup_labels(&subject.scale);
        if (g_strcmp0(labels, cases[i].labels) != 0 ||
            g_strcmp0(subject.scale.unit_text, cases[i].unit_text) != 0) {
            g_test_message("%s: %s %s", cases[i].name, labels, subject.scale.unit_text);
            g_test_fail();
        }
        fm_scale_clear(&subject.scale);
    }
}

static void
test_unmap_undoes_map(void)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(cases); i++) {
        Subject subject;
        subject_init(&subject, &cases[i], &whole);
        for (unsigned j = 0; j < G_N_ELEMENTS(cases[i].data) && !isnan(cases[i].data[j]); j++) {
            double value = cases[i].data[j];
            double at = fm_scale_map(&subject.scale, value);
            g_test_message("%s %g", cases[i].name, value);
            g_assert_true(at >= -1e-9 && at <= 1 + 1e-9);
            g_assert_cmpfloat_with_epsilon(fm_scale_unmap(&subject.scale, at), value,
                                           1e-9 + fabs(value) * 1e-9);
        }
        fm_scale_clear(&subject.scale);
    }
}

/* --- Hostile ---------------------------------------------------------------------- */

static void
check_sane(const FmScale *scale)
{
    g_assert_true(isfinite(scale->min) && isfinite(scale->max));
    g_assert_cmpfloat(scale->min, <, scale->max);
    g_assert_cmpuint(scale->ticks->len, <=, FM_SCALE_MAX_TICKS);
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        g_assert_true(tick->at >= -1e-6 && tick->at <= 1 + 1e-6);
    }
}

static void
test_any_limits_give_a_scale(void)
{
    static const double values[] = {0,         -0.0,    1,      1 + 1e-16, -1,  1e300,
                                    -1e300,    DBL_MAX, 1e-300, 5e-324,    NAN, INFINITY,
                                    -INFINITY, 0.5,     1e15,   1e15 + 1};
    for (unsigned kind = FM_SCALE_LINEAR; kind <= FM_SCALE_CATEGORY; kind++) {
        for (unsigned i = 0; i < G_N_ELEMENTS(values) * G_N_ELEMENTS(values); i++) {
            double first = values[i % G_N_ELEMENTS(values)];
            double second = values[i / G_N_ELEMENTS(values)];
            Case test = {.unit = (FmUnit)(i % (FM_UNIT_CELSIUS + 1)),
                         .scale = (FmScaleKind)kind,
                         .data = {first, second, NAN},
                         .length = i % 3 == 0 ? 1 : 300,
                         .is_nice = i % 2 == 0};
            FmAxisView view = {.min = second, .max = first, .is_toggled = i % 5 == 0};
            Subject subject;
            subject_init(&subject, &test, i % 4 == 0 ? &view : &whole);
            check_sane(&subject.scale);
            fm_scale_clear(&subject.scale);
        }
    }
}

static void
test_views_change_limits_and_kind(void)
{
    static const Case test = {
        "", FM_UNIT_SECONDS, FM_SCALE_LINEAR, {0.5, 90, NAN, 0}, 300, NULL, NULL, true, true};
    const FmAxisView near = {.min = 10, .max = 20};
    const FmAxisView toggled = {.min = NAN, .max = NAN, .is_toggled = true};
    Subject subject;

    subject_init(&subject, &test, &near);
    g_assert_cmpfloat(subject.scale.min, ==, 10);
    g_assert_cmpfloat(subject.scale.max, ==, 20);
    fm_scale_clear(&subject.scale);
    subject_init(&subject, &test, &toggled);
    g_assert_cmpint(subject.scale.kind, ==, FM_SCALE_LOG10);
    fm_scale_clear(&subject.scale);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/scale/ticks-are-round", test_ticks_are_round);
    g_test_add_func("/plot/scale/unmap-undoes-map", test_unmap_undoes_map);
    g_test_add_func("/plot/scale/any-limits-give-a-scale", test_any_limits_give_a_scale);
    g_test_add_func("/plot/scale/views-change-limits-and-kind", test_views_change_limits_and_kind);
    return g_test_run();
}
