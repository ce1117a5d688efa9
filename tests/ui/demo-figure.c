/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures made by hand through the same calls as the real ones.
 */
#include "demo-figure.h"

#include <math.h>

static FmFigure *
new_figure(const char *id, const char *title)
{
    FmFigure *figure = fm_figure_new(id, "demo", "en");

    figure->title = g_strdup(title);
    figure->subtitle = g_strdup("Latency against depth, log scale");
    figure->caption = g_strdup("Made for a test, measured on nothing");
    figure->alt_text = g_strdup("Two lines rise with the depth.");
    return figure;
}

FmFigure *
fm_demo_figure_new_lines(void)
{
    FmFigure *figure = new_figure("D1", "Latency rises with depth");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);

    fm_axis_set(&panel->x, "Depth", FM_UNIT_NUMBER, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Latency", FM_UNIT_SECONDS, FM_SCALE_LOG10);
    for (int i = 0; i < 2; i++) {
        FmSeries *series = fm_panel_add_series(panel, i == 0 ? "Read" : "Write",
                                               i == 0 ? FM_ROLE_READ : FM_ROLE_WRITE, FM_MARK_LINE);
        for (int j = 0; j < 5; j++) {
            FmPoint *point =
                fm_series_add(series, j + 1, i == 1 && j == 2 ? NAN : (j + 1) * (i + 1) * 1e-4);
            if (i == 1 && j == 2) {
                point->note = g_strdup("not possible");
            }
        }
    }
    return figure;
}

FmFigure *
fm_demo_figure_new_samples(unsigned n_samples)
{
    FmFigure *figure = new_figure("D2", "Throughput over time");
    FmPanel *panel = fm_figure_add_panel(figure, "Throughput");

    fm_axis_set(&panel->x, "Time", FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "Throughput", FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, "Write", FM_ROLE_WRITE, FM_MARK_SAMPLES);
    for (unsigned i = 0; i < n_samples; i++) {
        fm_series_add(series, i * 0.1, i % 1000 == 999 ? 1e6 : 3e9 - (double)(i % 97) * 1e7);
    }
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, "Summary"));
    fm_table_add_column(table, (FmColumn){.title = g_strdup("What"), .is_text = true});
    fm_table_add_column(table, (FmColumn){.title = g_strdup("Rate"), .unit = g_strdup("MB/s")});
    fm_table_add_cell(table, NAN, g_strdup("Mean"));
    fm_table_add_cell(table, 2990, g_strdup("2990"));
    fm_table_add_cell(table, NAN, g_strdup("Trim"));
    fm_table_add_cell(table, NAN, NULL)->reason = g_strdup("not possible");
    return figure;
}
