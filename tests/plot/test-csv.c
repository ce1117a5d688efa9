/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plotted numbers as CSV: exact, in SI units, the same under every locale, with nothing that was
 * left out in the figure left out here.
 */
#include "plot/export.h"

#include "each-locale.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NL "\r\n"

static FmPanel *
add_panel(FmFigure *figure, const char *title)
{
    FmPanel *panel = fm_figure_add_panel(figure, title);

    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "처리량", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    return panel;
}

static void
assert_csv(const FmFigure *figure, const char *expected)
{
    g_autofree char *csv = fm_export_figure_csv(figure);

    g_assert_cmpstr(csv, ==, expected);
}

static void
test_points(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");
    FmPanel *panel = add_panel(figure, NULL);
    FmSeries *series = fm_panel_add_series(panel, "a, \"b\"\nc", FM_ROLE_SERIES_1, FM_MARK_LINE);
    FmPoint *point = fm_series_add(series, 0.1, 1234567890.125);
    point->lo = 1e9;
    point->hi = 1.5e20;
    point->label = g_strdup("QD4");
    fm_series_add(series, 1.0 / 3, 0)->is_doubtful = true;
    fm_series_add(series, 2, NAN)->note = g_strdup("no TRIM, none");

    assert_csv(figure, "series,Time (s),처리량 (B/s),처리량 low (B/s),처리량 high (B/s),"
                       "label,doubtful,note" NL
                       "\"a, \"\"b\"\"\nc\",0.1,1234567890.125,1000000000,1.5e+20,QD4,0," NL
                       "\"a, \"\"b\"\"\nc\",0.3333333333333333,0,,,,1," NL
                       "\"a, \"\"b\"\"\nc\",2,,,,,0,\"no TRIM, none\"" NL);
}

static void
test_panels(void)
{
    static const char *const drives[] = {"905P", "990 PRO", NULL};
    g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");
    figure->watermark = g_strdup("simulated");
    fm_series_add(
        fm_panel_add_series(add_panel(figure, "Before"), "x", FM_ROLE_SERIES_1, FM_MARK_LINE), 1,
        2);
    fm_series_add(
        fm_panel_add_series(add_panel(figure, "After"), "x", FM_ROLE_SERIES_1, FM_MARK_LINE), 3, 4);
    FmPanel *bars = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&bars->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    bars->x.categories = g_strdupv((GStrv)drives);
    fm_axis_set(&bars->y, "Kept", FM_UNIT_SHARE, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(bars, NULL, FM_ROLE_SERIES_1, FM_MARK_BAR);
    fm_series_add(series, 1, 0.93);
    series->note = g_strdup("905P: not possible");
    fm_panel_add_series(bars, "none", FM_ROLE_SERIES_2, FM_MARK_BAR)->note = g_strdup("why");

    assert_csv(figure, "panel,series,Time (s),처리량 (B/s),처리량 low (B/s),처리량 high (B/s),"
                       "category,Kept (share of 1),Kept low (share of 1),Kept high (share of 1),"
                       "label,doubtful,note,watermark" NL "Before,x,1,2,,,,,,,,0,,simulated" NL
                       "After,x,3,4,,,,,,,,0,,simulated" NL
                       "3,,,,,,990 PRO,0.93,,,,0,905P: not possible,simulated" NL
                       "3,none,,,,,,,,,,,why,simulated" NL);
}

static void
test_density(void)
{
    static const double edges[4] = {0, 1, 10, 100};
    g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    FmSeries *series = fm_panel_add_series(panel, "Read", FM_ROLE_READ, FM_MARK_DENSITY);
    series->density = fm_density_new(5, 2, edges, true);
    fm_density_add(series->density, 1, 2);
    fm_density_add(series->density, 1.5, 3);
    fm_density_add(series->density, 9, 50);
    fm_density_add(series->density, 9, 500);

    assert_csv(figure,
               "series,Time (s),Time low (s),Time high (s),Latency (s),Latency low (s),"
               "Latency high (s),count,label,doubtful,note" NL "Read,1,0,2,3.16227766,1,10,2,,," NL
               "Read,9,8,10,31.6227766,10,100,1,,," NL "Read,,,,,,,1,,,outside the figure" NL
               "Read,9,,,500,,,,,0,\"one of the largest, counted above\"" NL
               "Read,9,,,50,,,,,0,\"one of the largest, counted above\"" NL
               "Read,1.5,,,3,,,,,0,\"one of the largest, counted above\"" NL
               "Read,1,,,2,,,,,0,\"one of the largest, counted above\"" NL);
}

static void
test_table(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("T8", "t", "en");
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    FmColumn columns[] = {
        {.title = g_strdup("Test"), .is_text = true},
        {.title = g_strdup("Read"),
         .unit = g_strdup("MB/s"),
         .value_unit = FM_UNIT_BYTES_PER_SECOND},
        {.title = g_strdup("Read"),
         .unit = g_strdup("MB/s"),
         .value_unit = FM_UNIT_BYTES_PER_SECOND},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
        fm_table_add_column(table, columns[i]);
    }
    fm_table_add_cell(table, NAN, g_strdup("SEQ 1M, Q8"));
    FmCell *cell = fm_table_add_cell(table, 3.5e9, g_strdup("3500"));
    cell->lo = 3.4e9;
    cell->hi = 3.6e9;
    cell->detail = g_strdup("3338 IOPS");
    fm_table_add_cell(table, 2e9, g_strdup("2000"))->is_doubtful = true;
    fm_table_add_cell(table, NAN, g_strdup("RND"));
    fm_table_add_cell(table, 1e9, g_strdup("1000"));
    fm_table_add_cell(table, NAN, NULL)->reason = g_strdup("stopped");

    assert_csv(figure, "Test,Read (B/s),Read low (B/s),Read high (B/s),Read detail,Read (B/s),"
                       "Read doubtful,Read reason" NL
                       "\"SEQ 1M, Q8\",3500000000,3400000000,3600000000,3338 IOPS,2000000000,1," NL
                       "RND,1000000000,,,,,0,stopped" NL);
}

static void
test_nothing(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");

    assert_csv(figure, "" NL);
    add_panel(figure, NULL);
    assert_csv(figure, "series,Time (s),처리량 (B/s),처리량 low (B/s),처리량 high (B/s),"
                       "label,doubtful,note" NL);
}

/* Fields of the record at @csv, which becomes the next one; quotes are obeyed. */
static unsigned
count_fields(const char **csv)
{
    unsigned n = 1;
    bool is_quoted = false;

    for (; **csv != '\0'; (*csv)++) {
        if (**csv == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && **csv == ',') {
            n++;
        } else if (!is_quoted && (**csv == '\r' || **csv == '\n')) {
            g_assert_true(g_str_has_prefix(*csv, NL));
            *csv += 2;
            break;
        }
    }
    g_assert_false(is_quoted);
    return n;
}

/* RFC 4180, section 2.4: the same number of fields throughout, whatever the text. */
static void
test_is_rectangular(void)
{
    static const char *const texts[] = {"",   ",",     "\"",    "\"\"",    "\r\n", "a\rb",
                                        "\n", "'=1+1", "한글,", "\",\"\r", " x ",  NULL};
    g_autoptr(GRand) random = g_rand_new_with_seed(1);

    for (unsigned round = 0; round < 100; round++) {
        g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");
        for (int panels = g_rand_int_range(random, 1, 4); panels > 0; panels--) {
            FmPanel *panel = add_panel(figure, texts[g_rand_int_range(random, 0, 12)]);
            fm_axis_set(&panel->y, texts[g_rand_int_range(random, 0, 12)], FM_UNIT_SECONDS,
                        FM_SCALE_LINEAR);
            FmSeries *series = fm_panel_add_series(panel, texts[g_rand_int_range(random, 0, 12)],
                                                   FM_ROLE_READ, FM_MARK_LINE);
            FmPoint *point = fm_series_add(series, 1, g_rand_double(random));
            point->label = g_strdup(texts[g_rand_int_range(random, 0, 12)]);
            point->note = g_strdup(texts[g_rand_int_range(random, 0, 12)]);
        }
        g_autofree char *csv = fm_export_figure_csv(figure);
        const char *at = csv;
        unsigned n_fields = count_fields(&at);
        unsigned n_records = 0;
        while (*at != '\0') {
            g_assert_cmpuint(count_fields(&at), ==, n_fields);
            n_records++;
        }
        g_assert_cmpuint(n_records, ==, figure->panels->len);
    }
}

static void
test_is_a_format(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("F1", "f", "en");
    add_panel(figure, NULL);
    g_autoptr(GError) error = NULL;
    g_autoptr(GBytes) bytes = fm_export_figure(figure, FM_FORMAT_CSV, NULL, &error);
    g_assert_no_error(error);
    g_autofree char *csv = fm_export_figure_csv(figure);

    g_assert_cmpmem(csv, strlen(csv), g_bytes_get_data(bytes, NULL), g_bytes_get_size(bytes));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_in_each_locale("/plot/csv/points-are-exact", test_points);
    g_test_add_func("/plot/csv/panels-share-columns-of-equal-axes", test_panels);
    g_test_add_func("/plot/csv/density-counts-every-io-once", test_density);
    g_test_add_func("/plot/csv/table-has-values-and-reasons", test_table);
    g_test_add_func("/plot/csv/nothing-is-a-head", test_nothing);
    g_test_add_func("/plot/csv/is-rectangular-whatever-the-text", test_is_rectangular);
    g_test_add_func("/plot/csv/is-a-format-of-figures", test_is_a_format);
    return g_test_run();
}
