/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables in place: no two texts touch at any size, a number is whole or not there, and what is left
 * out is said.
 */
#include "plot/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
add_column(FmTable *table, const char *title, const char *unit)
{
    fm_table_add_column(table, (FmColumn){.title = g_strdup(title),
                                          .unit = g_strdup(unit),
                                          .is_text = unit == NULL,
                                          .has_bar = unit != NULL,
                                          .role = FM_ROLE_READ});
}

static FmFigure *
make_figure(unsigned n_rows)
{
    FmFigure *figure = fm_figure_new("T8", "table", "en");
    figure->title = g_strdup("A title");
    figure->caption = g_strdup("Where it comes from · and when");
    figure->shape = FM_SHAPE_TABLE;
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_column(table, "Test", NULL);
    add_column(table, "Read", "MB/s");
    add_column(table, "Write of what was read before", "MB/s");
    for (unsigned row = 0; row < n_rows; row++) {
        fm_table_add_cell(table, NAN, g_strdup_printf("A test with a long name, number %u", row));
        FmCell *cell = fm_table_add_cell(table, 1000 + row, g_strdup_printf("%u.25", 1000 + row));
        cell->detail = g_strdup("244k IOPS · 16 µs");
        cell->lo = cell->value * 0.9;
        cell->hi = cell->value;
        cell->is_doubtful = row % 3 == 1;
        cell = fm_table_add_cell(table, NAN, NULL);
        cell->reason = g_strdup(row % 2 == 0 ? "Even ones can't." : "Odd ones won't.");
    }
    return figure;
}

static char *
dump(FmFigure *figure, double width, double height)
{
    FmLayoutOptions options = {.width = width, .height = height};
    g_autoptr(FmLayout) layout = fm_layout_new(figure, &options);
    g_autofree char *problem = fm_layout_check(layout);

    g_assert_cmpstr(problem, ==, NULL);
    return fm_layout_dump(layout);
}

static unsigned
count_lines(const char *dump, const char *beginning)
{
    g_auto(GStrv) lines = g_strsplit(dump, "\n", -1);
    unsigned n = 0;

    for (char **line = lines; *line != NULL; line++) {
        n += g_str_has_prefix(*line, beginning) ? 1 : 0;
    }
    return n;
}

static void
test_grows(void)
{
    g_autoptr(FmFigure) low = make_figure(2);
    g_autoptr(FmFigure) high = make_figure(20);
    g_autoptr(FmLayout) low_layout = fm_layout_new(low, NULL);
    g_autoptr(FmLayout) high_layout = fm_layout_new(high, NULL);
    g_autofree char *text = fm_layout_dump(high_layout);

    g_assert_cmpfloat(fm_layout_get_width(low_layout), ==, 720);
    g_assert_cmpfloat(fm_layout_get_height(low_layout), <, 250);
    g_assert_cmpfloat(fm_layout_get_height(high_layout), >, 600);
    g_assert_cmpuint(count_lines(text, "number"), ==, 40);
    g_assert_cmpuint(count_lines(text, "detail"), ==, 20);
    g_assert_cmpuint(count_lines(text, "caption"), ==, 1);
    g_assert_null(strstr(text, " cut"));
}

static void
test_reasons(void)
{
    g_autoptr(FmFigure) figure = make_figure(4);
    g_autofree char *text = dump(figure, 0, 0);

    g_assert_cmpuint(count_lines(text, "footnote"), ==, 2);
    g_assert_nonnull(strstr(text, "“¹\u2009Even ones can't.”"));
    g_assert_nonnull(strstr(text, "“²\u2009Odd ones won't.”"));
    g_assert_nonnull(strstr(text, "“¹”"));
}

static void
test_brackets(void)
{
    g_autoptr(FmFigure) figure = make_figure(2);
    g_autofree char *text = dump(figure, 0, 0);

    g_assert_nonnull(strstr(text, "“(1001.25”"));
    g_assert_nonnull(strstr(text, "“)”"));
}

/* Details go first, then rows, and the rest is counted. */
static void
test_gives_way(void)
{
    g_autoptr(FmFigure) figure = make_figure(20);
    g_autofree char *lower = dump(figure, 720, 560);
    g_autofree char *low = dump(figure, 720, 300);

    g_assert_cmpuint(count_lines(lower, "detail"), ==, 0);
    g_assert_cmpuint(count_lines(lower, "words"), ==, 20);
    unsigned n_shown = count_lines(low, "words");
    g_assert_cmpuint(n_shown, >, 3);
    g_assert_cmpuint(n_shown, <, 20);
    g_autofree char *said = g_strdup_printf("… %u more rows", 20 - n_shown);
    g_assert_nonnull(strstr(low, said));
}

/* The caption is shortened before a row is left out. */
static void
test_rows_before_captions(void)
{
    g_autoptr(FmFigure) figure = make_figure(6);
    g_free(figure->caption);
    figure->caption = g_strnfill(900, 'x');
    g_autofree char *text = dump(figure, 720, 250);

    g_assert_cmpuint(count_lines(text, "words"), ==, 6);
    g_assert_cmpuint(count_lines(text, "caption"), ==, 1);
    g_assert_nonnull(strstr(text, "cut"));
}

static void
test_any_size(void)
{
    g_autoptr(FmFigure) figure = make_figure(6);

    for (double width = 20; width < 900; width *= 1.4) {
        for (double height = 10; height < 700; height *= 1.6) {
            g_autofree char *text = dump(figure, width, height);
            g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
            for (char **line = lines; *line != NULL; line++) {
                g_assert_false(g_str_has_prefix(*line, "number") && g_str_has_suffix(*line, "cut"));
            }
        }
        g_autofree char *natural = dump(figure, width, 0);
    }
}

static void
test_beside_plots(void)
{
    g_autoptr(FmFigure) figure = make_figure(3);
    figure->shape = FM_SHAPE_TALL;
    FmPanel *panel = fm_figure_add_panel(figure, "A plot");
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, "Read", FM_ROLE_READ, FM_MARK_LINE);
    fm_series_add(series, 0, 1e9);
    fm_series_add(series, 9, 2e9);
    g_autofree char *text = dump(figure, 0, 0);

    g_assert_cmpuint(count_lines(text, "number"), ==, 6);
    g_assert_cmpuint(count_lines(text, "  series line"), ==, 1);
}

static void
test_nothing(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("T8", "table", "en");
    figure->shape = FM_SHAPE_TABLE;
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    g_autofree char *empty = dump(figure, 0, 0);
    add_column(table, "Test", NULL);
    g_autofree char *head = dump(figure, 0, 0);
    fm_table_add_cell(table, NAN, NULL);
    g_autofree char *unknown = dump(figure, 0, 0);

    g_assert_nonnull(empty);
    g_assert_nonnull(head);
    g_assert_nonnull(unknown);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/layout-table/grows-with-its-rows", test_grows);
    g_test_add_func("/plot/layout-table/reasons-become-footnotes", test_reasons);
    g_test_add_func("/plot/layout-table/doubt-stands-in-brackets", test_brackets);
    g_test_add_func("/plot/layout-table/details-go-before-rows", test_gives_way);
    g_test_add_func("/plot/layout-table/captions-shrink-before-rows-go", test_rows_before_captions);
    g_test_add_func("/plot/layout-table/nothing-touches-at-any-size", test_any_size);
    g_test_add_func("/plot/layout-table/stands-beside-plots", test_beside_plots);
    g_test_add_func("/plot/layout-table/nothing-is-harmless", test_nothing);
    return g_test_run();
}
