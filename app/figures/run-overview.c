/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "overview": all steps of a run as segments over time, so that a reader sees what was done in
 * which order and how the drive fared.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/error.h"
#include "base/label.h"

#include <math.h>
#include <string.h>

enum { LEAST_STEPS = 3 };

static const char *
say_name(const FmBuilder *builder)
{
    return fm_say(builder, "The whole run");
}

static guint
count_measured(const FmBuilder *builder)
{
    guint n = 0;

    for (guint i = 0; i < builder->run->steps->len; i++) {
        n += ((const FmRunStep *)builder->run->steps->pdata[i])->measured_ns > 0 ? 1 : 0;
    }
    return n;
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    if (count_measured(builder) >= LEAST_STEPS) {
        fm_builder_add_entry(entries, g_strdup("overview"), g_strdup(say_name(builder)), false);
    }
}

/* Seconds from the start of the first step to that of @step's measured part.  The clock of a
 * resumed run began anew; the wall goes on. */
static double
get_start(const FmBuilder *builder, const FmRunStep *step)
{
    const FmRunStep *first = builder->run->steps->pdata[0];
    double ramp = (double)step->ramp_ns / 1e9;

    if (builder->run->n_sessions > 1) {
        return ((double)step->wall_us - (double)first->wall_us) / 1e6 + ramp;
    }
    return ((double)step->start_ns - (double)first->start_ns) / 1e9 + ramp;
}

static void
add_segment(FmSeries *series, double from, double to, double rate)
{
    fm_series_add(series, from, rate);
    fm_series_add(series, to, rate);
    fm_series_add(series, to, NAN);
}

/* When the last step ends. */
static double
get_length(const FmBuilder *builder)
{
    double end = 0;

    for (guint i = 0; i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        end = MAX(end, get_start(builder, step) + (double)step->measured_ns / 1e9);
    }
    return end;
}

static void
add_series(const FmBuilder *builder, FmPanel *panel, unsigned op)
{
    /* Shorter ones of long runs could not be seen. */
    double least = get_length(builder) / 250;
    FmSeries *series = NULL;
    double end = 0;

    for (guint i = 0; i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        double seconds = (double)step->measured_ns / 1e9;
        double from = get_start(builder, step);
        if (step->bytes[op] == 0 || seconds <= 0 || !isfinite(from) || from < 0) {
            continue;
        }
        if (series == NULL) {
            series = fm_panel_add_series(
                panel, op == FM_OP_READ ? fm_say(builder, "Read") : fm_say(builder, "Write"),
                op == FM_OP_READ ? FM_ROLE_READ : FM_ROLE_WRITE, FM_MARK_STEP);
        }
        /* Nor may they lie over each other. */
        from = MAX(from, end);
        end = from + MAX(seconds, least);
        add_segment(series, from, end, (double)step->bytes[op] / seconds);
    }
}

/* One band for each part of the plan that ran in one piece. */
static void
add_sections(const FmBuilder *builder, FmPanel *panel)
{
    enum { MAX_SECTIONS = 8 };
    g_autoptr(GArray) bands = g_array_new(FALSE, FALSE, sizeof(FmAnnotation));

    for (guint i = 0; i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        double start = get_start(builder, step);
        if (step->path == NULL || step->measured_ns <= 0) {
            continue;
        }
        g_autofree char *name = fm_builder_dup_section(builder, step->path);
        FmAnnotation *last =
            bands->len > 0 ? &g_array_index(bands, FmAnnotation, bands->len - 1) : NULL;
        if (last == NULL || strcmp(last->text, name) != 0) {
            FmAnnotation band = {.kind = FM_ANNOTATION_BAND_X,
                                 .role = FM_ROLE_MUTED,
                                 .x0 = start,
                                 .text = g_steal_pointer(&name)};
            g_array_append_val(bands, band);
            last = &g_array_index(bands, FmAnnotation, bands->len - 1);
        }
        last->x1 = start + (double)step->measured_ns / 1e9;
    }
    bool is_telling = bands->len > 1 && bands->len <= MAX_SECTIONS;
    for (guint i = 0; i < bands->len; i++) {
        FmAnnotation *band = &g_array_index(bands, FmAnnotation, i);
        if (is_telling) {
            fm_panel_add_annotation(panel, *band);
        } else {
            g_free(band->text);
        }
    }
}

/* A reading about every second is plenty. */
static void
add_temperature(const FmBuilder *builder, FmFigure *figure)
{
    FmSeries *series = NULL;

    for (guint i = 0; i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        double start = get_start(builder, step);
        for (guint k = 0; k < step->ticks->len; k += 10) {
            const FmTick *tick = &g_array_index(step->ticks, FmTick, k);
            if (tick->temperature_dc == FM_TEMPERATURE_UNKNOWN ||
                (tick->flags & FM_TICK_RAMP) != 0) {
                continue;
            }
            if (series == NULL) {
                FmPanel *panel = fm_figure_add_panel(figure, NULL);
                fm_axis_set(&panel->x, fm_say(builder, "Time"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
                fm_axis_set(&panel->y, fm_say(builder, "Temperature"), FM_UNIT_CELSIUS,
                            FM_SCALE_LINEAR);
                panel->shares_x = true;
                panel->weight = 0.4;
                series = fm_panel_add_series(panel, fm_say(builder, "Temperature"), FM_ROLE_BAD,
                                             FM_MARK_SAMPLES);
            }
            fm_series_add(series, start + (double)tick->end_ns / 1e9,
                          (double)tick->temperature_dc / 10);
        }
    }
}

/* "89 steps in 0:01:52: 12.3 GB read, 22 GB written". */
static char *
dup_finding(const FmBuilder *builder)
{
    double bytes[2] = {0};

    for (guint i = 0; i < builder->run->steps->len; i++) {
        const FmRunStep *step = builder->run->steps->pdata[i];
        for (unsigned op = FM_OP_READ; op <= FM_OP_WRITE; op++) {
            bytes[op] += (double)step->bytes[op];
        }
    }
    g_autofree char *length = fm_say_clock(get_length(builder));
    g_autofree char *read = fm_label_dup_capacity((uint64_t)bytes[FM_OP_READ], true);
    g_autofree char *written = fm_label_dup_capacity((uint64_t)bytes[FM_OP_WRITE], true);
    return g_strdup_printf(fm_say(builder, "%u steps in %s: %s read, %s written"),
                           count_measured(builder), length, read, written);
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    if (count_measured(builder) < LEAST_STEPS) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "An overview needs several steps, and this run has measured fewer than %d",
                     (int)LEAST_STEPS);
        return NULL;
    }
    g_autofree char *finding = dup_finding(builder);
    FmFigure *figure = fm_builder_start(builder, "overview", "overview");
    figure->shape = FM_SHAPE_FULL;
    figure->alt_text = g_strdup_printf(
        fm_say(builder, "Throughput of all steps in the order they ran. %s."), finding);
    fm_builder_set_title(builder, figure, say_name(builder), g_steal_pointer(&finding));
    fm_builder_add_subtitle(figure, g_strdup(fm_say(builder, "MB/s of each step, log scale")));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, fm_say(builder, "Time"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, fm_say(builder, "Throughput"), FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LOG10);
    add_sections(builder, panel);
    add_series(builder, panel, FM_OP_READ);
    add_series(builder, panel, FM_OP_WRITE);
    add_temperature(builder, figure);
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_overview = {.prefix = "overview", .list = list, .build = build};
