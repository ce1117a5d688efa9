/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables line up for people who read Hangul, and hold nothing that could command a
 * terminal.
 */
#include "cli/cli.h"

#include <string.h>

static void
test_width(void)
{
    static const struct {
        const char *text;
        unsigned width;
    } cases[] = {
        {"", 0},          {"abc", 3}, {"한글", 4},      {"100 µs", 6},
        {"용량 (GB)", 9}, {"–", 1},   {"e\xcc\x81", 1}, /* a combining accent */
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_assert_cmpuint(fm_cli_get_width(cases[i].text), ==, cases[i].width);
    }
}

static void
test_table(void)
{
    static const char *const cells[] = {"드라이브",         "용량", "/dev/nvme0n1", "2 TB",
                                        "\x1b[31m빨강\x9b", NULL};
    g_autoptr(FmCliTable) table = fm_cli_table_new(2);

    for (gsize i = 0; i < G_N_ELEMENTS(cells); i++) {
        fm_cli_table_add(table, cells[i]);
    }
    g_autofree char *text = fm_cli_table_format(table, 0);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 4); /* the last one is empty */
    g_assert_true(g_utf8_validate(text, -1, NULL));
    g_assert_null(strchr(text, '\x1b'));
    static const char *const seconds[] = {"용량", "2 TB", "–"};
    unsigned column = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(seconds); i++) {
        const char *second = g_strrstr(lines[i], seconds[i]);
        g_assert_nonnull(second);
        g_autofree char *before = g_strndup(lines[i], (gsize)(second - lines[i]));
        g_assert_cmpuint(fm_cli_get_width(before), ==, i == 0 ? fm_cli_get_width(before) : column);
        column = fm_cli_get_width(before);
    }
}

static void
test_wrapping(void)
{
    static const char *const cells[] = {"plan",  "what",
                                        "quick", "one two three four five six",
                                        "long",  "averyveryveryverylongword 한글 한글 한글"};
    g_autoptr(FmCliTable) table = fm_cli_table_new(2);

    for (gsize i = 0; i < G_N_ELEMENTS(cells); i++) {
        fm_cli_table_add(table, cells[i]);
    }
    g_autofree char *text = fm_cli_table_format(table, 30);
    g_assert_cmpstr(text, ==,
                    "plan   what\n"
                    "quick  one two three four five\n"
                    "       six\n"
                    "long   averyveryveryverylongword\n"
                    "       한글 한글 한글\n");
    g_autofree char *narrow = fm_cli_table_format(table, 12);
    g_autofree char *whole = fm_cli_table_format(table, 0);
    g_assert_cmpstr(narrow, ==, whole);
    g_assert_nonnull(strstr(whole, "one two three four five six\n"));
}

/* In a place of 80, the file's name stays whole and the target loses its middle. */
static void
test_elastic(void)
{
    static const char *const cells[] = {
        "Started",
        "Target",
        "File",
        "2026-01-31 12:00",
        "/media/사용자/벤치마크/a/very/long/way/to/the/folder/of/the/disk",
        "20260131-120000-cdm-default.fathom",
    };
    g_autoptr(FmCliTable) table = fm_cli_table_new(3);

    fm_table_set_elastic(table, 1);
    for (gsize i = 0; i < G_N_ELEMENTS(cells); i++) {
        fm_cli_table_add(table, cells[i]);
    }
    g_autofree char *text = fm_cli_table_format(table, 80);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    g_assert_cmpuint(g_strv_length(lines), ==, 3); /* the last one is empty */
    g_assert_cmpuint(fm_cli_get_width(lines[1]), ==, 80);
    g_assert_nonnull(strstr(lines[1], "/media/"));
    g_assert_nonnull(strstr(lines[1], "…"));
    g_assert_nonnull(strstr(lines[1], "/the/disk  "));
    g_assert_true(g_str_has_suffix(lines[1], cells[5]));
    /* Without a terminal nothing is left out, and less than some width is no column. */
    g_autofree char *whole = fm_cli_table_format(table, 0);
    g_assert_nonnull(strstr(whole, cells[4]));
    g_autofree char *narrow = fm_cli_table_format(table, 30);
    g_assert_nonnull(strstr(narrow, "/med"));
}

static void
test_first_sentence(void)
{
    static const struct {
        const char *text;
        const char *first;
    } cases[] = {
        {"", ""},
        {"One. Two.", "One."},
        {"SPECworkstation 4.0 storage", "SPECworkstation 4.0 storage"},
        {"읽습니다. 씁니다.", "읽습니다."},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *first = fm_cli_dup_first_sentence(cases[i].text);
        g_assert_cmpstr(first, ==, cases[i].first);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/cli/text/hangul-is-two-columns-wide", test_width);
    g_test_add_func("/cli/text/columns-line-up-and-are-printable", test_table);
    g_test_add_func("/cli/text/last-column-wraps-at-words", test_wrapping);
    g_test_add_func("/cli/text/long-targets-lose-their-middle", test_elastic);
    g_test_add_func("/cli/text/first-sentence-ends-at-a-full-stop", test_first_sentence);
    return g_test_run();
}
