/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables whose columns stand under each other where Hangul is two places wide.
 */
#include "base/text-table.h"

static void
test_counts_places(void)
{
    g_autoptr(FmTextTable) table = fm_text_table_new();
    g_autoptr(GString) wide = g_string_new(NULL);
    g_autoptr(GString) narrow = g_string_new(NULL);

    fm_text_table_add_column(table, "시험", 0);
    fm_text_table_add_column(table, "median", 2);
    fm_text_table_add_column(table, "µs", 0);
    fm_text_table_begin_row(table);
    fm_text_table_take_cell(table, g_strdup("읽기 a"));
    fm_text_table_take_cell(table, g_strdup("1"));
    fm_text_table_take_cell(table, g_strdup("100"));
    fm_text_table_add_heading(table, "[쓰기]");
    fm_text_table_print(table, 0, wide);
    g_assert_cmpstr(wide->str, ==,
                    "시험    median   µs\n"
                    "읽기 a       1  100\n"
                    "[쓰기]\n");
    fm_text_table_print(table, 15, narrow);
    g_assert_cmpstr(narrow->str, ==,
                    "시험     µs\n"
                    "읽기 a  100\n"
                    "[쓰기]\n");
    g_assert_cmpuint(fm_text_width("e\xcc\x81"), ==, 1);
}

static void
test_left(void)
{
    g_autoptr(FmTextTable) table = fm_text_table_new();
    g_autoptr(GString) out = g_string_new(NULL);

    fm_text_table_add_column(table, "a", 0);
    fm_text_table_add_column(table, "비고", 0);
    fm_text_table_align_left(table);
    fm_text_table_add_column(table, "n", 0);
    fm_text_table_begin_row(table);
    fm_text_table_take_cell(table, g_strdup("1"));
    fm_text_table_take_cell(table, g_strdup("no TRIM"));
    fm_text_table_take_cell(table, g_strdup("200"));
    fm_text_table_print(table, 0, out);
    g_assert_cmpstr(out->str, ==,
                    "a  비고       n\n"
                    "1  no TRIM  200\n");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/text-table/counts-places", test_counts_places);
    g_test_add_func("/base/text-table/aligns-text-left", test_left);
    return g_test_run();
}
