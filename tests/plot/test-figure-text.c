/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as text: columns under each other also with Hangul, and everything that a picture says
 * in words.
 */
#include "plot/export.h"

#include <math.h>
#include <string.h>

static void
assert_text(const FmFigure *figure, const char *expected)
{
    g_autofree char *text = fm_export_figure_text(figure);
    /* Thin spaces are as wide as others here and easier to compare. */
    g_auto(GStrv) parts = g_strsplit(text, "\u2009", -1);
    g_autofree char *plain = g_strjoinv(" ", parts);

    g_assert_cmpstr(plain, ==, expected);
}

static void
test_lines(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F31", "ratio", "ko");
    figure->title = g_strdup("제목");
    figure->subtitle = g_strdup("부제");
    figure->watermark = g_strdup("simulated");
    figure->caption = g_strdup("Where it comes from.");
    g_ptr_array_add(figure->footnotes, g_strdup("A footnote."));
    FmPanel *panel = fm_figure_add_panel(figure, "읽기");
    fm_axis_set(&panel->x, "읽기 비율", FM_UNIT_SHARE, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "처리량", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *first = fm_panel_add_series(panel, "깊이 1", FM_ROLE_SERIES_1, FM_MARK_LINE);
    FmPoint *point = fm_series_add(first, 0, 330e6);
    point->lo = 320e6;
    point->hi = 340e6;
    fm_series_add(first, 0.5, 250e6)->is_doubtful = true;
    first->note = g_strdup("깊이 1: noted");
    FmSeries *second = fm_panel_add_series(panel, "QD4", FM_ROLE_SERIES_2, FM_MARK_LINE);
    fm_series_add(second, 1, NAN)->note = g_strdup("no TRIM");
    fm_panel_add_annotation(panel, (FmAnnotation){.kind = FM_ANNOTATION_BAND_X,
                                                  .x0 = 0.25,
                                                  .x1 = 0.75,
                                                  .text = g_strdup("mixed")});
    fm_panel_add_annotation(
        panel, (FmAnnotation){.kind = FM_ANNOTATION_RULE_Y, .y0 = 300e6, .text = g_strdup("mean")});

    assert_text(figure, "제목\n"
                        "부제\n"
                        "simulated\n"
                        "\n"
                        "읽기\n"
                        "Series  읽기 비율      처리량                Range  Note\n"
                        "깊이 1        0 %    330 MB/s  320 MB/s – 340 MB/s\n"
                        "깊이 1       50 %  (250 MB/s)\n"
                        "QD4         100 %           –                       no TRIM\n"
                        "깊이 1: noted\n"
                        "mixed: 25 % – 75 %\n"
                        "mean: 300 MB/s\n"
                        "\n"
                        "A footnote.\n"
                        "Where it comes from.\n");
}

static void
test_bars(void)
{
    static const char *const drives[] = {"905P", "P44 Pro", NULL};
    g_autoptr(FmFigure) figure = fm_figure_new("F2", "bars", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Drive", FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = g_strdupv((GStrv)drives);
    fm_axis_set(&panel->y, NULL, FM_UNIT_SECONDS, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, "P50", FM_ROLE_SERIES_1, FM_MARK_BAR);
    fm_series_add(series, 0, 10e-6);
    fm_series_add(series, 1, 51.5e-6)->label = g_strdup("slow");

    assert_text(figure, "\n"
                        "Drive      Value  Label\n"
                        "905P     10.0 µs\n"
                        "P44 Pro  51.5 µs  slow\n"
                        "\n");
}

static void
test_table(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("T8", "table", "en");
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    fm_table_add_column(table, (FmColumn){.title = g_strdup("시험"), .is_text = true});
    fm_table_add_column(table, (FmColumn){.title = g_strdup("Read"), .unit = g_strdup("MB/s")});
    fm_table_add_cell(table, NAN, g_strdup("순차 1M"));
    fm_table_add_cell(table, 1, g_strdup("3500"))->detail = g_strdup("12 µs");
    fm_table_add_cell(table, NAN, g_strdup("RND 4k"));
    fm_table_add_cell(table, 1, g_strdup("88"))->is_doubtful = true;
    fm_table_add_cell(table, NAN, g_strdup("TRIM"));
    fm_table_add_cell(table, NAN, NULL)->reason = g_strdup("no TRIM");

    assert_text(figure, "\n"
                        "시험       Read, MB/s\n"
                        "순차 1M  3500 · 12 µs\n"
                        "RND 4k           (88)\n"
                        "TRIM            – [1]\n"
                        "[1] no TRIM\n"
                        "\n");
}

static void
test_long(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F5", "fill", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, "Write", FM_ROLE_WRITE, FM_MARK_SAMPLES);
    for (unsigned i = 0; i <= 100000; i++) {
        fm_series_add(series, i / 10.0, i == 77777 ? 0 : 1e9);
    }
    g_autofree char *text = fm_export_figure_text(figure);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

    g_assert_cmpuint(g_strv_length(lines), <, 60);
    g_assert_nonnull(strstr(text, "Write: 100,001 samples, shown as median and range"));
    /* The stall is in the range of its span. */
    g_assert_nonnull(strstr(text, "0\u2009MB/s – 1000\u2009MB/s"));
}

static void
test_density(void)
{
    static const double edges[4] = {0, 1e-6, 60, 10};
    g_autoptr(FmFigure) figure = fm_figure_new("F4", "ios", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    FmSeries *series = fm_panel_add_series(panel, "Read", FM_ROLE_READ, FM_MARK_DENSITY);
    series->density = fm_density_new(100, 100, edges, true);
    for (unsigned i = 0; i < 5000; i++) {
        fm_density_add(series->density, i / 100.0, i == 3000 ? 2 : 1e-4);
    }
    g_autofree char *text = fm_export_figure_text(figure);

    g_assert_nonnull(strstr(text, "0:00:30   2.00\u2009s"));
    g_assert_nonnull(strstr(text, "Read: 5,000 I/Os; the largest are shown"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/figure-text/lines-and-what-is-noted", test_lines);
    g_test_add_func("/plot/figure-text/bars-by-name", test_bars);
    g_test_add_func("/plot/figure-text/tables-as-shown", test_table);
    g_test_add_func("/plot/figure-text/long-series-in-spans", test_long);
    g_test_add_func("/plot/figure-text/density-by-its-largest", test_density);
    return g_test_run();
}
