/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Making, sharing and freeing figures.  Knows nothing of how they look.  One thread builds a
 * figure; any number may read it afterwards.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/figure.h"

#include <math.h>

/* --- Freeing ---------------------------------------------------------------------- */

static void
clear_point_cb(gpointer data)
{
    FmPoint *point = data;

    g_free(point->label);
    g_free(point->note);
}

static void
clear_axis(FmAxis *axis)
{
    g_free(axis->title);
    g_strfreev(axis->categories);
}

static void
free_series_cb(gpointer data)
{
    FmSeries *series = data;

    g_free(series->label);
    g_free(series->note);
    g_array_unref(series->points);
    fm_density_free(series->density);
    g_free(series);
}

static void
clear_annotation_cb(gpointer data)
{
    FmAnnotation *annotation = data;

    g_free(annotation->text);
}

static void
clear_column_cb(gpointer data)
{
    FmColumn *column = data;

    g_free(column->title);
    g_free(column->unit);
}

static void
clear_cell_cb(gpointer data)
{
    FmCell *cell = data;

    g_free(cell->text);
    g_free(cell->detail);
    g_free(cell->reason);
}

static void
free_table(FmTable *table)
{
    if (table == NULL) {
        return;
    }
    g_array_unref(table->columns);
    g_array_unref(table->cells);
    g_free(table);
}

static void
free_panel_cb(gpointer data)
{
    FmPanel *panel = data;

    g_free(panel->title);
    clear_axis(&panel->x);
    clear_axis(&panel->y);
    g_ptr_array_unref(panel->series);
    g_array_unref(panel->annotations);
    free_table(panel->table);
    g_free(panel);
}

/* --- Figures ---------------------------------------------------------------------- */

FmFigure *
fm_figure_new(const char *id, const char *name, const char *language)
{
    FmFigure *figure = g_new0(FmFigure, 1);

    g_atomic_ref_count_init(&figure->ref_count);
    figure->id = g_strdup(id);
    figure->name = g_strdup(name);
    figure->language = g_strdup(language);
    figure->n_columns = 1;
    figure->panels = g_ptr_array_new_with_free_func(free_panel_cb);
    figure->footnotes = g_ptr_array_new_with_free_func(g_free);
    return figure;
}

FmFigure *
fm_figure_ref(FmFigure *figure)
{
    g_return_val_if_fail(figure != NULL, NULL);

    g_atomic_ref_count_inc(&figure->ref_count);
    return figure;
}

void
fm_figure_unref(FmFigure *figure)
{
    if (figure == NULL || !g_atomic_ref_count_dec(&figure->ref_count)) {
        return;
    }

    g_free(figure->id);
    g_free(figure->name);
    g_free(figure->title);
    g_free(figure->subtitle);
    g_free(figure->caption);
    g_free(figure->alt_text);
    g_free(figure->language);
    g_free(figure->run_id);
    g_free(figure->watermark);
    g_ptr_array_unref(figure->panels);
    g_ptr_array_unref(figure->footnotes);
    g_free(figure);
}

/* --- Panels and series ------------------------------------------------------------ */

FmPanel *
fm_figure_add_panel(FmFigure *figure, const char *title)
{
    FmPanel *panel = g_new0(FmPanel, 1);

    panel->title = g_strdup(title);
    panel->weight = 1;
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, NULL, FM_UNIT_NUMBER, FM_SCALE_LINEAR);
    panel->series = g_ptr_array_new_with_free_func(free_series_cb);
    panel->annotations = g_array_new(FALSE, TRUE, sizeof(FmAnnotation));
    g_array_set_clear_func(panel->annotations, clear_annotation_cb);
    g_ptr_array_add(figure->panels, panel);
    return panel;
}

void
fm_axis_set(FmAxis *axis, const char *title, FmUnit unit, FmScaleKind scale)
{
    char *copy = g_strdup(title);

    clear_axis(axis);
    *axis = (FmAxis){.title = copy, .unit = unit, .scale = scale, .min = NAN, .max = NAN};
}

FmSeries *
fm_panel_add_series(FmPanel *panel, const char *label, FmRole role, FmMark mark)
{
    FmSeries *series = g_new0(FmSeries, 1);

    series->label = g_strdup(label);
    series->role = role;
    series->mark = mark;
    series->points = g_array_new(FALSE, TRUE, sizeof(FmPoint));
    g_array_set_clear_func(series->points, clear_point_cb);
    g_ptr_array_add(panel->series, series);
    return series;
}

void
fm_panel_add_annotation(FmPanel *panel, FmAnnotation annotation)
{
    g_array_append_val(panel->annotations, annotation);
}

FmPoint *
fm_series_add(FmSeries *series, double x, double y)
{
    FmPoint point = {.x = x, .y = y, .lo = NAN, .hi = NAN};

    g_array_append_val(series->points, point);
    return &g_array_index(series->points, FmPoint, series->points->len - 1);
}

/* --- Tables ----------------------------------------------------------------------- */

FmTable *
fm_panel_add_table(FmPanel *panel)
{
    g_return_val_if_fail(panel->table == NULL, panel->table);

    FmTable *table = g_new0(FmTable, 1);
    table->columns = g_array_new(FALSE, TRUE, sizeof(FmColumn));
    g_array_set_clear_func(table->columns, clear_column_cb);
    table->cells = g_array_new(FALSE, TRUE, sizeof(FmCell));
    g_array_set_clear_func(table->cells, clear_cell_cb);
    panel->table = table;
    return table;
}

void
fm_table_add_column(FmTable *table, FmColumn column)
{
    g_return_if_fail(table->cells->len == 0);

    g_array_append_val(table->columns, column);
}

FmCell *
fm_table_add_cell(FmTable *table, double value, char *text)
{
    g_return_val_if_fail(table->columns->len > 0, NULL);

    FmCell cell = {.value = value, .text = text, .lo = NAN, .hi = NAN};
    g_array_append_val(table->cells, cell);
    table->n_rows = (table->cells->len + table->columns->len - 1) / table->columns->len;
    return &g_array_index(table->cells, FmCell, table->cells->len - 1);
}
