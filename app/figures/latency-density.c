/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "density": latency of every single I/O over time, where the plan kept them: how many fell into
 * each cell, so that modes, drifts and single late ones all survive.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/error.h"
#include "figures/step-panels.h"

#include <math.h>

enum {
    N_X = 480, /* cells of 1.5 points at the natural size */
    N_Y = 200,
    N_STRIPES = 60, /* of which percentiles are drawn; divides N_X */
};

static char *
dup_name(const FmBuilder *builder, const FmRunStep *step)
{
    g_autofree char *name = fm_builder_dup_step_name(builder, step);

    return g_strdup_printf(fm_say(builder, "Every I/O, %s"), name);
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    for (guint i = 0; builder->options->read_log != NULL && i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        if (step->has_log && !step->discard && step->measured_ns > 0 &&
            fm_builder_find_step(builder, step->path) == step) {
            fm_builder_add_entry(entries, g_strdup_printf("density:%s", step->path),
                                 dup_name(builder, step), false);
        }
    }
}

/* --- Counting ---------------------------------------------------------------------- */

typedef struct {
    double edges[4];
    FmDensity *density;
} Counting;

static void
count_cb(const FmLoggedIo *ios, gsize n_ios, gpointer user_data)
{
    Counting *counting = user_data;

    if (ios == NULL) {
        fm_density_free(counting->density);
        counting->density = fm_density_new(N_X, N_Y, counting->edges, true);
    }
    for (gsize i = 0; i < n_ios; i++) {
        fm_density_add(counting->density, (double)ios[i].completed_ns / 1e9,
                       (double)ios[i].latency_ns / 1e9);
    }
}

static FmDensity *
count_ios(const FmBuilder *builder, const FmRunStep *step, const FmPercentiles *latency,
          GError **error)
{
    /* A little room on both sides of what the histogram says. */
    Counting counting = {
        .edges = {0, MAX((double)latency->min_ns, 1) / 1.1e9, (double)step->measured_ns / 1e9,
                  MAX((double)latency->max_ns, 2) * 1.1 / 1e9},
    };
    const FmFigureOptions *options = builder->options;

    counting.density = fm_density_new(N_X, N_Y, counting.edges, true);
    if (!options->read_log(options->log_data, step->number, count_cb, &counting, error)) {
        g_clear_pointer(&counting.density, fm_density_free);
    }
    return counting.density;
}

/* --- Percentiles of stripes --------------------------------------------------------- */

/* The upper edge of the cell that holds the share @p of what is in stripe @stripe; NaN = empty. */
static double
find_percentile(const FmDensity *density, unsigned stripe, double p)
{
    const unsigned width = N_X / N_STRIPES;
    double per_row = (log10(density->y_max) - log10(density->y_min)) / density->n_y;
    g_autofree uint64_t *rows = g_new0(uint64_t, density->n_y);
    uint64_t n = 0;
    uint64_t seen = 0;

    for (unsigned row = 0; row < density->n_y; row++) {
        for (unsigned k = 0; k < width; k++) {
            rows[row] += density->counts[row * density->n_x + stripe * width + k];
        }
        n += rows[row];
    }
    for (unsigned row = 0; row < density->n_y && n > 0; row++) {
        seen += rows[row];
        if ((double)seen >= ceil(p * (double)n)) {
            return pow(10, log10(density->y_min) + per_row * (row + 1));
        }
    }
    return NAN;
}

static void
add_percentile(FmPanel *panel, const FmDensity *density, const char *label, double p)
{
    FmSeries *series = fm_panel_add_series(panel, label, FM_ROLE_MUTED, FM_MARK_SAMPLES);
    double width = (density->x_max - density->x_min) / N_STRIPES;

    for (unsigned i = 0; i < N_STRIPES; i++) {
        fm_series_add(series, density->x_min + width * (i + 0.5), find_percentile(density, i, p));
    }
}

/* --- Building ---------------------------------------------------------------------- */

static void
fill(const FmBuilder *builder, FmFigure *figure, const FmRunStep *step, FmDensity *density)
{
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    bool has_reads = step->ios[FM_OP_READ] > 0;
    bool has_writes = step->ios[FM_OP_WRITE] > 0;
    FmRole role = has_reads && has_writes ? FM_ROLE_GOOD
                  : has_writes            ? FM_ROLE_WRITE
                                          : FM_ROLE_READ;

    const char *label = has_reads && has_writes ? fm_say(builder, "Mix")
                        : has_writes            ? fm_say(builder, "Write")
                                                : fm_say(builder, "Read");

    fm_axis_set(&panel->x, fm_say(builder, "Time"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    panel->x.min = density->x_min;
    panel->x.max = density->x_max;
    panel->x.is_scale_fixed = true;
    fm_axis_set(&panel->y, fm_say(builder, "Latency"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    panel->y.min = density->y_min;
    panel->y.max = density->y_max;
    panel->y.is_scale_fixed = true;
    FmSeries *series = fm_panel_add_series(panel, label, role, FM_MARK_DENSITY);
    series->density = density;
    add_percentile(panel, density, "P50", 0.5);
    add_percentile(panel, density, "P99", 0.99);
}

/* The step of @key if it has a log, and the range of its latency. */
static const FmRunStep *
find_logged(const FmBuilder *builder, const char *key, FmPercentiles *latency, GError **error)
{
    const FmRunStep *step = fm_builder_find_step(builder, key);

    if (step == NULL) {
        fm_error_set(error, FM_ERROR_INVALID, "There is no step “%s” in this run", key);
        return NULL;
    }
    bool has_latency = fm_percentiles_of_step(step, FM_N_OPS, latency) && latency->n > 0;
    if (!step->has_log || !has_latency || step->measured_ns <= 0 ||
        builder->options->read_log == NULL) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Step “%s” kept no record of every I/O; a plan asks for it with “log-ios”",
                     key);
        return NULL;
    }
    return step;
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    FmPercentiles latency;
    const FmRunStep *step = find_logged(builder, key, &latency, error);
    FmDensity *density = step != NULL ? count_ios(builder, step, &latency, error) : NULL;

    if (density == NULL) {
        return NULL;
    }
    g_autofree char *id = g_strdup_printf("density:%s", key);
    g_autofree char *name = dup_name(builder, step);
    g_autofree char *n = fm_say_count(density->n);
    g_autofree char *half = fm_say_latency(builder, (double)latency.values[FM_P50].ns);
    g_autofree char *most = fm_say_latency(builder, (double)latency.max_ns);
    FmFigure *figure = fm_builder_start(builder, id, "every-io");
    fm_builder_set_title(
        builder, figure, name,
        g_strdup_printf(fm_say(builder, "%s I/Os: half within %s, the slowest %s"), n, half, most));
    fm_builder_add_subtitle(figure, g_strdup(fm_say(builder, "latency, log scale")));
    figure->alt_text = g_strdup_printf(
        fm_say(builder, "Latency of %s I/Os over time: half within %s, the slowest %s."), n, half,
        most);
    fill(builder, figure, step, density);
    fm_builder_note_step(builder, figure, step);
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_density = {.prefix = "density", .list = list, .build = build};
