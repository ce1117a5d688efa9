/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table that stands for a figure: every plotted number is in it, what is missing is said,
 * and a long one costs nothing until it is looked at.
 */
#include "ui/data-table.h"

#include "demo-figure.h"

static void
assert_row(FmDataTable *table, guint position, const char *const *cells)
{
    g_autoptr(FmDataRow) row = g_list_model_get_item(G_LIST_MODEL(table), position);

    for (unsigned i = 0; i < fm_data_table_get_n_columns(table); i++) {
        g_autofree char *text = fm_data_row_dup_text(row, i);
        g_assert_cmpstr(text, ==, cells[i]);
    }
}

static void
test_lines(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    g_autoptr(FmDataTable) table = fm_data_table_new(figure, 0);

    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(table)), ==, 10);
    g_assert_cmpuint(fm_data_table_get_n_columns(table), ==, 4);
    g_assert_cmpstr(fm_data_table_get_title(table, 1), ==, "Depth");
    g_assert_cmpstr(fm_data_table_get_title(table, 2), ==, "Latency (µs)");
    assert_row(table, 0, (const char *[]){"Read", "1", "100", ""});
    assert_row(table, 5, (const char *[]){"Write", "1", "200", ""});
    assert_row(table, 7, (const char *[]){"Write", "3", "–", "not possible"});
    g_assert_null(g_list_model_get_item(G_LIST_MODEL(table), 10));
}

static void
test_long(void)
{
    enum { N_SAMPLES = 432000 };
    g_autoptr(FmFigure) figure = fm_demo_figure_new_samples(N_SAMPLES);
    g_autoptr(FmDataTable) table = fm_data_table_new(figure, 0);

    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(table)), ==, N_SAMPLES);
    assert_row(table, N_SAMPLES - 1, (const char *[]){"Write", "43199.9", "1"});
}

static void
test_tables(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_samples(10);
    g_autoptr(FmDataTable) table = fm_data_table_new(figure, 1);

    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(table)), ==, 2);
    g_assert_cmpstr(fm_data_table_get_title(table, 1), ==, "Rate (MB/s)");
    g_assert_true(fm_data_table_is_text(table, 0));
    g_assert_false(fm_data_table_is_text(table, 1));
    assert_row(table, 0, (const char *[]){"Mean", "2990"});
    assert_row(table, 1, (const char *[]){"Trim", "– (not possible)"});
}

static void
test_density(void)
{
    g_autoptr(FmFigure) figure = fm_demo_figure_new_lines();
    FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    FmSeries *series = fm_panel_add_series(panel, "I/Os", FM_ROLE_READ, FM_MARK_DENSITY);

    series->density = fm_density_new(10, 10, (const double[]){0, 1e-6, 10, 1e-1}, true);
    fm_density_add(series->density, 2.5, 1e-4);
    fm_density_add(series->density, 2.5, 1e-4);
    g_autoptr(FmDataTable) table = fm_data_table_new(figure, 0);
    g_assert_cmpuint(g_list_model_get_n_items(G_LIST_MODEL(table)), ==, 11);
    g_autoptr(FmDataRow) row = g_list_model_get_item(G_LIST_MODEL(table), 10);
    g_autofree char *count = fm_data_row_dup_text(row, 3);
    g_assert_cmpstr(count, ==, "2");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ui/data-table/lines-have-all-points-and-reasons", test_lines);
    g_test_add_func("/ui/data-table/long-series-are-whole", test_long);
    g_test_add_func("/ui/data-table/tables-stay-tables", test_tables);
    g_test_add_func("/ui/data-table/cells-of-a-density-have-counts", test_density);
    return g_test_run();
}
