/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is remembered about saving reads back, and rubbish costs nothing.
 */
#include "ui/save-options.h"

static void
assert_same(const FmSaveOptions *a, const FmSaveOptions *b)
{
    g_assert_cmpint(a->format, ==, b->format);
    g_assert_cmpint(a->preset, ==, b->preset);
    g_assert_cmpuint(a->scale, ==, b->scale);
    g_assert_true(a->theme == b->theme);
    g_assert_cmpint(a->has_title, ==, b->has_title);
    g_assert_cmpint(a->has_caption, ==, b->has_caption);
}

static void
test_round_trip(void)
{
    for (int format = 0; format < FM_N_FORMATS; format++) {
        for (int preset = 0; preset < FM_N_PRESETS; preset++) {
            const FmSaveOptions options = {
                .format = (FmFormat)format,
                .preset = (FmPreset)preset,
                .scale = (unsigned)preset % 3 + 1,
                .theme = preset % 2 == 0 ? fm_theme_dark() : fm_theme_light(),
                .has_title = format % 2 == 0,
                .has_caption = format < 2,
            };
            g_autofree char *text = fm_save_options_dup_text(&options);
            FmSaveOptions read = fm_save_options_parse(text);
            assert_same(&options, &read);
        }
    }
}

static void
test_rubbish(void)
{
    static const char *const texts[] = {NULL, "", "  ", "9", "gif huge 0 pink", "\xff\xfe"};
    FmSaveOptions expected = fm_save_options_default();

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        FmSaveOptions read = fm_save_options_parse(texts[i]);
        assert_same(&expected, &read);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/save-options/what-is-remembered-reads-back", test_round_trip);
    g_test_add_func("/ui/save-options/rubbish-is-the-default", test_rubbish);
    return g_test_run();
}
