/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every law of figures can be broken, is then named, and is kept by a figure that uses everything.
 */
#include "plot/figure.h"

#include <math.h>
#include <string.h>

/* --- A figure that keeps all laws ----------------------------------------------------- */

static void
add_points(FmSeries *series, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        FmPoint *point = fm_series_add(series, i, i == 1 ? NAN : 0.5);
        point->lo = 0.25;
        point->hi = 0.75;
    }
}

static void
add_annotation(FmPanel *panel, FmAnnotationKind kind, const char *text)
{
    fm_panel_add_annotation(
        panel,
        (FmAnnotation){.kind = kind, .role = FM_ROLE_MUTED, .x0 = 1, .text = g_strdup(text)});
}

static FmPanel *
add_lines(FmFigure *figure, const char *title)
{
    FmPanel *panel = fm_figure_add_panel(figure, title);

    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    add_points(fm_panel_add_series(panel, "990 PRO", FM_ROLE_SERIES_1, FM_MARK_SAMPLES), 3);
    add_points(fm_panel_add_series(panel, "905P", FM_ROLE_SERIES_2, FM_MARK_LINE), 3);
    for (unsigned i = 0; i < 5; i++) {
        add_annotation(panel, FM_ANNOTATION_BAND_X, "SLC");
    }
    add_annotation(panel, FM_ANNOTATION_RULE_Y, "mean");
    add_annotation(panel, FM_ANNOTATION_CALLOUT, "one two three  four five six seven eight");
    return panel;
}

enum { LINES, MORE_LINES, BARS, TABLE };

static FmFigure *
make_figure(void)
{
    static const char *const categories[] = {"Linux", "Windows", "Neither", NULL};
    FmFigure *figure = fm_figure_new("F1", "laws", "en");
    figure->subtitle = g_strdup("Latency, µs, log scale");

    add_lines(figure, "Before");
    add_lines(figure, "After")->shares_x = true;

    FmPanel *bars = fm_figure_add_panel(figure, "Mean");
    fm_axis_set(&bars->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    bars->x.categories = g_strdupv((GStrv)categories);
    fm_axis_set(&bars->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    add_points(fm_panel_add_series(bars, "905P", FM_ROLE_SERIES_2, FM_MARK_BAR), 3);

    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, "Numbers"));
    fm_table_add_column(table, (FmColumn){.has_bar = true, .role = FM_ROLE_SERIES_1});
    fm_table_add_cell(table, 1, g_strdup("1"));
    return figure;
}

static FmPanel *
get_panel(FmFigure *figure, unsigned i)
{
    return g_ptr_array_index(figure->panels, i);
}

static FmSeries *
get_series(FmFigure *figure, unsigned panel)
{
    return g_ptr_array_index(get_panel(figure, panel)->series, 0);
}

static FmPoint *
get_point(FmFigure *figure, unsigned panel)
{
    return &g_array_index(get_series(figure, panel)->points, FmPoint, 0);
}

static void
test_good(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_autofree char *broken = fm_figure_check(figure);

    g_assert_cmpstr(broken, ==, NULL);
}

/* --- Ways to break them --------------------------------------------------------------- */

static void
break_series(FmFigure *figure)
{
    for (unsigned i = 0; i < 7; i++) {
        fm_panel_add_series(get_panel(figure, LINES), NULL, FM_ROLE_MUTED, FM_MARK_LINE);
    }
}

static void
break_annotations(FmFigure *figure)
{
    add_annotation(get_panel(figure, LINES), FM_ANNOTATION_RULE_X, "knee");
}

static void
break_bars_log(FmFigure *figure)
{
    get_panel(figure, BARS)->y.scale = FM_SCALE_LOG10;
}

static void
break_bars_cut(FmFigure *figure)
{
    get_panel(figure, BARS)->y.min = 0.1;
}

static void
break_bars_below(FmFigure *figure)
{
    get_panel(figure, BARS)->y.max = -1;
}

static void
break_bars_places(FmFigure *figure)
{
    get_panel(figure, BARS)->x.scale = FM_SCALE_LINEAR;
}

static void
break_callout(FmFigure *figure)
{
    FmAnnotation *annotation =
        &g_array_index(get_panel(figure, LINES)->annotations, FmAnnotation, 6);
    g_free(annotation->text);
    annotation->text = g_strdup("one two three four five six seven eight nine");
}

static void
break_subtitle(FmFigure *figure)
{
    g_free(figure->subtitle);
    figure->subtitle = g_strdup("Latency, µs");
}

static void
break_no_subtitle(FmFigure *figure)
{
    g_clear_pointer(&figure->subtitle, g_free);
}

static void
break_log_value(FmFigure *figure)
{
    get_point(figure, LINES)->y = -1;
}

static void
break_log_spread(FmFigure *figure)
{
    get_point(figure, LINES)->lo = -0.1;
}

static void
break_log2_value(FmFigure *figure)
{
    get_panel(figure, LINES)->x.scale = FM_SCALE_LOG2; /* x begins at 0 */
}

static void
break_nines_value(FmFigure *figure)
{
    get_panel(figure, LINES)->y.scale = FM_SCALE_NINES;
    get_point(figure, LINES)->y = 1.5;
}

static void
break_nines_limit(FmFigure *figure)
{
    get_panel(figure, LINES)->y.scale = FM_SCALE_NINES;
    get_panel(figure, LINES)->y.max = 1;
}

static void
break_infinite_value(FmFigure *figure)
{
    get_point(figure, BARS)->y = INFINITY;
}

static void
break_category(FmFigure *figure)
{
    get_point(figure, BARS)->x = 3;
}

static void
break_x(FmFigure *figure)
{
    get_point(figure, LINES)->x = NAN;
}

static void
break_spread(FmFigure *figure)
{
    get_point(figure, BARS)->lo = 2;
}

static void
break_log_limit(FmFigure *figure)
{
    get_panel(figure, LINES)->y.min = 0;
}

static void
break_limits(FmFigure *figure)
{
    get_panel(figure, LINES)->x.min = 2;
    get_panel(figure, LINES)->x.max = 1;
}

static void
break_density(FmFigure *figure)
{
    get_series(figure, LINES)->mark = FM_MARK_DENSITY;
}

static void
break_order(FmFigure *figure)
{
    get_point(figure, LINES)->x = 1.5;
}

static void
break_table_rows(FmFigure *figure)
{
    FmTable *table = get_panel(figure, TABLE)->table;
    FmColumn column = {.is_text = true};
    g_array_append_val(table->columns, column);
}

static void
break_table_panel(FmFigure *figure)
{
    fm_panel_add_series(get_panel(figure, TABLE), "x", FM_ROLE_SERIES_1, FM_MARK_LINE);
}

static void
break_roles(FmFigure *figure)
{
    get_series(figure, LINES)->role = FM_ROLE_READ;
}

static void
break_annotation_role(FmFigure *figure)
{
    g_array_index(get_panel(figure, LINES)->annotations, FmAnnotation, 0).role = FM_ROLE_WRITE;
}

static void
break_column_role(FmFigure *figure)
{
    g_array_index(get_panel(figure, TABLE)->table->columns, FmColumn, 0).role = FM_ROLE_READ;
}

static void
break_kept_role(FmFigure *figure)
{
    get_series(figure, BARS)->role = FM_ROLE_SERIES_3;
}

static void
break_multiples(FmFigure *figure)
{
    get_panel(figure, LINES)->y.max = 10;
}

static void
break_shared_first(FmFigure *figure)
{
    figure->n_columns = 2;
}

static void
break_shared_unit(FmFigure *figure)
{
    get_panel(figure, LINES)->x.unit = FM_UNIT_BYTES;
}

static void
break_grid(FmFigure *figure)
{
    g_ptr_array_set_size(figure->panels, 0);
}

static const struct {
    const char *claim;
    void (*break_it)(FmFigure *figure);
    const char *said;
} cases[] = {
    {"nine-series", break_series, "9 series"},
    {"four-annotations", break_annotations, "4 annotations"},
    {"bars-on-a-log-scale", break_bars_log, "bars of \"905P\" on a scale"},
    {"bars-that-begin-above-0", break_bars_cut, "cut off before 0"},
    {"bars-that-end-below-0", break_bars_below, "cut off before 0"},
    {"bars-without-categories", break_bars_places, "without categories"},
    {"callout-of-nine-words", break_callout, "has 9 words"},
    {"log-scale-without-a-word", break_subtitle, "subtitle does not name"},
    {"log-scale-without-a-subtitle", break_no_subtitle, "subtitle does not name"},
    {"negative-on-log", break_log_value, "can't show: -1"},
    {"spread-below-0-on-log", break_log_spread, "can't show: -0.1"},
    {"0-on-powers-of-two", break_log2_value, "can't show: 0"},
    {"share-above-1", break_nines_value, "can't show: 1.5"},
    {"nines-up-to-1", break_nines_limit, "y axis has a limit"},
    {"infinite-value", break_infinite_value, "can't show: inf"},
    {"category-that-is-none", break_category, "can't show: 3"},
    {"point-without-x", break_x, "without x"},
    {"spread-upside-down", break_spread, "spread that ends"},
    {"log-from-0", break_log_limit, "y axis has a limit"},
    {"limits-upside-down", break_limits, "x axis ends"},
    {"density-without-counts", break_density, "its counts together"},
    {"samples-out-of-order", break_order, "do not come in order"},
    {"row-that-is-not-whole", break_table_rows, "not whole"},
    {"table-with-marks", break_table_panel, "table and marks"},
    {"drives-and-ops", break_roles, "share colours"},
    {"drives-and-an-op-band", break_annotation_role, "share colours"},
    {"drives-and-an-op-column", break_column_role, "share colours"},
    {"drive-in-two-roles", break_kept_role, "\"905P\" changes its role"},
    {"multiples-of-two-scales", break_multiples, "panels 1 and 2"},
    {"x-shared-with-nothing", break_shared_first, "nothing above"},
    {"x-shared-with-another", break_shared_unit, "that is another one"},
    {"no-panels", break_grid, "nothing to show"},
};

static void
test_broken(gconstpointer data)
{
    gsize i = GPOINTER_TO_SIZE(data);
    g_autoptr(FmFigure) figure = make_figure();
    cases[i].break_it(figure);
    g_autofree char *broken = fm_figure_check(figure);

    g_assert_nonnull(broken);
    g_assert_true(g_str_has_prefix(broken, "F1"));
    if (strstr(broken, cases[i].said) == NULL) {
        g_error("expected \"%s\" in: %s", cases[i].said, broken);
    }
}

static void
test_korean_names_log(void)
{
    g_autoptr(FmFigure) figure = make_figure();
    g_free(figure->subtitle);
    figure->subtitle = g_strdup("지연 시간, µs, 로그 눈금");
    g_autofree char *broken = fm_figure_check(figure);

    g_assert_cmpstr(broken, ==, NULL);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plot/laws/a-good-figure-keeps-all", test_good);
    g_test_add_func("/plot/laws/korean-names-log-scales", test_korean_names_log);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/plot/laws/finds-%s", cases[i].claim);
        g_test_add_data_func(path, GSIZE_TO_POINTER(i), test_broken);
    }
    return g_test_run();
}
