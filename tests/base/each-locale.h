/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Registers a test once for each locale that has a habit of breaking number code: a
 * decimal comma (de_DE), a dotless i (tr_TR), the second language of the program (ko_KR).
 * A locale that is not installed is skipped by name.
 */
#pragma once

#include <glib.h>
#include <locale.h>

typedef struct {
    const char *locale;
    GTestFunc function;
} LocaleTest;

static void
run_in_locale_cb(gconstpointer user_data)
{
    const LocaleTest *test = user_data;
    if (setlocale(LC_ALL, test->locale) == NULL) {
        g_autofree char *reason = g_strdup_printf("locale %s is not installed", test->locale);
        g_test_skip(reason);
        return;
    }
    test->function();
    setlocale(LC_ALL, "C");
}

static inline void
add_in_each_locale(const char *path, GTestFunc function)
{
    static const char *const locales[] = {"C", "de_DE.UTF-8", "tr_TR.UTF-8", "ko_KR.UTF-8"};

    for (gsize i = 0; i < G_N_ELEMENTS(locales); i++) {
        LocaleTest *test = g_new(LocaleTest, 1);
        *test = (LocaleTest){.locale = locales[i], .function = function};
        g_autofree char *full = g_strdup_printf("%s/%s", path, locales[i]);
        g_test_add_data_func_full(full, test, run_in_locale_cb, g_free);
    }
}
