/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures own what they are given; freeing is proved by the sanitizer builds.
 */
#include "plot/figure.h"

#include <math.h>

static FmFigure *
make_figure(void)
{
    FmFigure *figure = fm_figure_new("F80", "tail-latency", "en");
    figure->title = g_strdup("The tail is long");
    g_ptr_array_add(figure->footnotes, g_strdup("A note."));

    FmPanel *panel = fm_figure_add_panel(figure, "Read");
    fm_axis_set(&panel->x, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    panel->x.categories = g_strsplit("a,b", ",", -1);
    fm_axis_set(&panel->x, "Drive", FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    FmSeries *series = fm_panel_add_series(panel, "QD1", FM_ROLE_READ, FM_MARK_LINE);
    for (unsigned i = 0; i < 100; i++) {
        FmPoint *point = fm_series_add(series, i, 2 * i);
        point->label = g_strdup_printf("QD%u", i);
        point->note = g_strdup("noted");
    }
    FmAnnotation rule = {FM_ANNOTATION_RULE_Y, FM_ROLE_MUTED, .y0 = 3, .text = g_strdup("mean")};
    fm_panel_add_annotation(panel, rule);
    return figure;
}

static void
test_holds(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    const FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    const FmSeries *series = g_ptr_array_index(panel->series, 0);
    const FmPoint *point = &g_array_index(series->points, FmPoint, 42);

    g_assert_cmpstr(figure->id, ==, "F80");
    g_assert_cmpstr(figure->name, ==, "tail-latency");
    g_assert_cmpstr(figure->language, ==, "en");
    g_assert_cmpuint(figure->n_columns, ==, 1);
    g_assert_cmpfloat(panel->weight, ==, 1);
    g_assert_cmpstr(panel->x.title, ==, "Drive");
    g_assert_null(panel->x.categories);
    g_assert_true(isnan(panel->x.min) && isnan(panel->x.max));
    g_assert_true(isnan(panel->y.min) && isnan(panel->y.max));
    g_assert_cmpuint(series->points->len, ==, 100);
    g_assert_cmpfloat(point->y, ==, 84);
    g_assert_true(isnan(point->lo) && isnan(point->hi));
    g_assert_cmpstr(point->label, ==, "QD42");
    g_assert_cmpstr(g_array_index(panel->annotations, FmAnnotation, 0).text, ==, "mean");
}

static gpointer
share_cb(gpointer data)
{
    for (unsigned i = 0; i < 1000; i++) {
        fm_figure_unref(fm_figure_ref(data));
    }
    fm_figure_unref(data);
    return NULL;
}

static void
test_is_shared_between_threads(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    GThread *threads[4];

    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        threads[i] = g_thread_new("share", share_cb, fm_figure_ref(figure));
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_thread_join(threads[i]);
    }
    g_assert_cmpstr(figure->id, ==, "F80");
    fm_figure_unref(NULL);
}

static void
test_table_counts_rows(void)
{
    g_autoptr(FmFigure) figure = fm_figure_new("T8", "table", "en");
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    fm_table_add_column(table, (FmColumn){.title = g_strdup("Depth"), .is_text = true});
    fm_table_add_column(table, (FmColumn){.title = g_strdup("Read"), .unit = g_strdup("MB/s")});

    g_assert_cmpuint(table->n_rows, ==, 0);
    fm_table_add_cell(table, NAN, g_strdup("QD1"));
    g_assert_cmpuint(table->n_rows, ==, 1);
    FmCell *cell = fm_table_add_cell(table, 1e9, g_strdup("1000"));
    cell->detail = g_strdup("244k IOPS");
    cell->reason = g_strdup("no TRIM");
    g_assert_cmpuint(table->n_rows, ==, 1);
    g_assert_true(isnan(cell->lo) && isnan(cell->hi));
    fm_table_add_cell(table, NAN, NULL);
    g_assert_cmpuint(table->n_rows, ==, 2);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/figure/holds-what-it-was-given", test_holds);
    g_test_add_func("/plot/figure/is-shared-between-threads", test_is_shared_between_threads);
    g_test_add_func("/plot/figure/table-counts-rows", test_table_counts_rows);
    return g_test_run();
}
