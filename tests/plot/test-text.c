/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text of figures: the bundled face without rounding, whatever is in the string.
 */
#include "plot/text.h"

#include <string.h>

static const FmTextStyle plain = {.size = 10};

static void
test_digits_are_equally_wide(void)
{
    const FmTextStyle bold = {.size = 15, .is_bold = true};

    g_assert_cmpstr(fm_text_get_problem(), ==, NULL);
    g_assert_cmpfloat(fm_text_measure("1111", &plain), ==, fm_text_measure("8888", &plain));
    g_assert_cmpfloat(fm_text_measure("1111", &bold), ==, fm_text_measure("8888", &bold));
}

static void
test_widths_grow_with_the_size(void)
{
    const FmTextStyle large = {.size = 20};
    const char *const strings[] = {"0123456789", "처리량 1412 MB/s", "Latency, µs → ms"};

    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        double once = fm_text_measure(strings[i], &plain);
        double twice = fm_text_measure(strings[i], &large);
        g_assert_cmpfloat(once, >, 10);
        g_assert_cmpfloat_with_epsilon(twice, 2 * once, 0.1);
    }
}

static void
test_long_text_wraps_then_ends(void)
{
    const FmTextStyle narrow = {.size = 10, .width = 60, .max_lines = 2};
    const FmTextStyle free_lines = {.size = 10, .width = 60};
    const char *string = "a title that is longer than two lines of sixty points can ever hold";
    g_autoptr(FmText) cut = fm_text_new(string, &narrow);
    g_autoptr(FmText) whole = fm_text_new(string, &free_lines);

    g_assert_cmpuint(fm_text_get_n_lines(cut), ==, 2);
    g_assert_true(fm_text_is_cut(cut));
    g_assert_cmpfloat(fm_text_get_width(cut), <=, 60.01);
    g_assert_cmpuint(fm_text_get_n_lines(whole), >, 4);
    g_assert_false(fm_text_is_cut(whole));
    g_assert_cmpstr(fm_text_get_string(cut), ==, string);
}

static void
test_korean_breaks_between_words(void)
{
    /* Wide enough for the first word and half of the second. */
    const char *string = "지연시간을 응답시간으로";
    const FmTextStyle narrow = {.size = 10, .width = 70};
    const FmTextStyle tiny = {.size = 10, .width = 25};
    g_autoptr(FmText) text = fm_text_new(string, &narrow);
    g_autoptr(FmText) broken = fm_text_new(string, &tiny);

    g_assert_cmpuint(fm_text_get_n_lines(text), ==, 2);
    g_assert_cmpfloat_with_epsilon(fm_text_get_width(text), fm_text_measure("응답시간으로", &plain),
                                   3);
    g_assert_cmpfloat(fm_text_get_width(broken), <=, 25.01);
}

static void
test_anything_can_be_set(void)
{
    g_autofree char *endless = g_strnfill(300000, 'W');
    const char *const strings[] = {
        NULL,
        "",
        "\xff\xfe broken",
        "a\nb\tc\x01",
        "<b>&amp;</b>",
        "漢字 עברית",
        "مُعَرِّف القرص 😀\u200D🔥",
        "\u202Eoverride\u2066",
        "x\u0301\u0302\u0303\u0304\u0305",
        endless,
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(strings); i++) {
        const FmTextStyle style = {.size = 9.5, .width = 100, .max_lines = 3};
        g_autoptr(FmText) text = fm_text_new(strings[i], &style);
        g_assert_cmpfloat(fm_text_get_width(text), <=, 100.01);
        g_assert_cmpuint(fm_text_get_n_lines(text), <=, 3);
    }
}

static void
test_broken_text_is_shown_as_such(void)
{
    g_autoptr(FmText) text = fm_text_new("\xff\n", &plain);
    g_assert_cmpstr(fm_text_get_string(text), ==, "\\xFF\\x0A");
}

static gpointer
set_and_draw_cb(gpointer data)
{
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 200, 40);
    cairo_t *cr = cairo_create(image);
    const double at[] = {2, 2};

    for (unsigned i = 0; i < 60; i++) {
        const FmTextStyle style = {.size = 8.5 + i % 7, .is_bold = i % 2 == 0};
        g_autoptr(FmText) text = fm_text_new(i % 3 == 0 ? "漢字" : "처리량 1412 MB/s", &style);
        fm_text_draw(text, cr, at, (FmColor){1, 1, 1}, NULL);
    }
    cairo_destroy(cr);
    cairo_surface_destroy(image);
    return data;
}

static void
test_threads_do_not_disturb_each_other(void)
{
    GThread *threads[4];

    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        threads[i] = g_thread_new("text", set_and_draw_cb, GUINT_TO_POINTER(i));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_assert_cmpuint(GPOINTER_TO_UINT(g_thread_join(threads[i])), ==, i);
    }
}

static void
test_missing_fonts_are_told(void)
{
    if (g_test_subprocess()) {
        g_setenv("FATHOM_DATA_DIR", "/nonexistent", TRUE);
        g_autoptr(FmText) text = fm_text_new("abc", &plain);
        g_assert_nonnull(fm_text_get_problem());
        return;
    }
    g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
    g_test_trap_assert_passed();
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/text/digits-are-equally-wide", test_digits_are_equally_wide);
    g_test_add_func("/plot/text/widths-grow-with-the-size", test_widths_grow_with_the_size);
    g_test_add_func("/plot/text/long-text-wraps-then-ends", test_long_text_wraps_then_ends);
    g_test_add_func("/plot/text/korean-breaks-between-words", test_korean_breaks_between_words);
    g_test_add_func("/plot/text/anything-can-be-set", test_anything_can_be_set);
    g_test_add_func("/plot/text/broken-text-is-shown-as-such", test_broken_text_is_shown_as_such);
    g_test_add_func("/plot/text/threads-do-not-disturb-each-other",
                    test_threads_do_not_disturb_each_other);
    g_test_add_func("/plot/text/missing-fonts-are-told", test_missing_fonts_are_told);
    return g_test_run();
}
