/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "time": one step over time, every 100 ms of it (METHODOLOGY 2.4, F50 to F53 of one step).
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/step-panels.h"

#include "analysis/stats.h"
#include "base/error.h"
#include "base/label.h"

#include <math.h>
#include <string.h>

static bool
moves_data(const FmRunStep *step)
{
    return step->path != NULL &&
           (g_strcmp0(step->kind, "measure") == 0 || g_strcmp0(step->kind, "precondition") == 0);
}

/* Rows of the measured part that came. */
static guint
count_rows(const FmRunStep *step)
{
    guint n = 0;

    /* Ramp rows stand first. */
    while (n < step->ticks->len &&
           (g_array_index(step->ticks, FmTick, n).flags & FM_TICK_RAMP) != 0) {
        n++;
    }
    return step->ticks->len - n;
}

static char *
dup_name(const FmBuilder *builder, const FmRunStep *step)
{
    g_autofree char *name = fm_builder_dup_step_name(builder, step);

    return g_strdup_printf(fm_say(builder, "%s over time"), name);
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    enum { LEAST = 20, PART = 10 }; /* two seconds; a tenth of all rows is no detail */
    const GPtrArray *steps = builder->run->steps;
    guint all = 0;

    for (guint i = 0; i < steps->len; i++) {
        all += count_rows(steps->pdata[i]);
    }
    for (guint i = 0; i < steps->len; i++) {
        const FmRunStep *step = steps->pdata[i];
        guint n = count_rows(step);
        if (moves_data(step) && !step->discard && n >= LEAST &&
            fm_builder_find_step(builder, step->path) == step) {
            fm_builder_add_entry(entries, g_strdup_printf("time:%s", step->path),
                                 dup_name(builder, step), n < all / PART);
        }
    }
}

/* --- What it tells ----------------------------------------------------------------- */

static char *
say_either(const FmBuilder *builder, double rate, bool is_iops)
{
    return is_iops ? fm_say_iops(builder, rate) : fm_say_rate(builder, rate);
}

/* Stretches of the measured part in which nothing completed.  One or two slots without an I/O are
 * what slow I/O at a low depth looks like. */
typedef struct {
    unsigned n; /* slots in stretches of three or more */
    unsigned longest;
    bool has_pause;
} Stalls;

static Stalls
count_stalls(const FmRunStep *step)
{
    enum { LEAST = 3 };
    Stalls stalls = {0};
    unsigned current = 0;

    for (guint i = 0; i < step->ticks->len; i++) {
        const FmTick *tick = &g_array_index(step->ticks, FmTick, i);
        bool is_counted = (tick->flags & (FM_TICK_RAMP | FM_TICK_PAUSED | FM_TICK_PARTIAL)) == 0;
        bool is_empty = tick->read_ios + tick->write_ios + tick->trim_ios + tick->flush_ios == 0;
        stalls.has_pause = stalls.has_pause || (tick->flags & FM_TICK_PAUSED) != 0;
        current = is_counted && is_empty ? current + 1 : 0;
        if (current >= LEAST) {
            stalls.n += current == LEAST ? LEAST : 1;
            stalls.longest = MAX(stalls.longest, current);
        }
    }
    return stalls;
}

static char *
dup_finding(const FmBuilder *builder, const FmRunStep *step)
{
    enum { ENOUGH = 100 }; /* samples for a bottom percent */
    bool is_iops = fm_step_is_iops(step);
    g_autoptr(GArray) samples =
        fm_stats_new_series(step->ticks, is_iops ? FM_STATS_SERIES_IOPS : FM_STATS_SERIES_BYTES);
    const double *values = (const double *)(gconstpointer)samples->data;

    if (samples->len == 0) {
        return NULL;
    }
    g_autofree char *mean = say_either(builder, fm_stats_mean(values, samples->len), is_iops);
    Stalls stalls = count_stalls(step);
    if (stalls.n > 0) {
        g_autofree char *length = fm_say_duration(builder, stalls.n / 10.0);
        return g_strdup_printf(fm_say(builder, "%s on average, nothing at all for %s"), mean,
                               length);
    }
    if (samples->len < ENOUGH) {
        g_autofree char *least = say_either(builder, fm_stats_min(values, samples->len), is_iops);
        return g_strdup_printf(fm_say(builder, "%s on average, never below %s"), mean, least);
    }
    double bottom = fm_stats_quantile(values, samples->len, 0.01);
    if (bottom <= 0) {
        return g_strdup_printf(fm_say(builder, "%s on average"), mean);
    }
    g_autofree char *low = say_either(builder, bottom, is_iops);
    return g_strdup_printf(fm_say(builder, "%s on average, 99 %% of the time above %s"), mean, low);
}

static void
note_stalls(const FmBuilder *builder, FmFigure *figure, const FmRunStep *step)
{
    Stalls stalls = count_stalls(step);

    if (stalls.n > 0) {
        g_autofree char *all = fm_say_duration(builder, stalls.n / 10.0);
        g_autofree char *one = fm_say_duration(builder, stalls.longest / 10.0);
        fm_builder_add_footnote(
            figure, g_strdup_printf(fm_say(builder, "Nothing completed for %s in all, for %s at "
                                                    "the longest (slots of 100 ms)."),
                                    all, one));
    }
    if (stalls.has_pause) {
        fm_builder_add_footnote(figure, g_strdup(fm_say(builder, "Gaps: the run was paused.")));
    }
}

static char *
dup_alt_text(const FmBuilder *builder, const FmRunStep *step, const char *name)
{
    bool is_iops = fm_step_is_iops(step);
    g_autoptr(GArray) samples =
        fm_stats_new_series(step->ticks, is_iops ? FM_STATS_SERIES_IOPS : FM_STATS_SERIES_BYTES);
    const double *values = (const double *)(gconstpointer)samples->data;
    gsize n = samples->len;

    if (n == 0) {
        return g_strdup_printf(fm_say(builder, "%s; nothing was measured."), name);
    }
    g_autofree char *mean = say_either(builder, fm_stats_mean(values, n), is_iops);
    g_autofree char *least = say_either(builder, fm_stats_min(values, n), is_iops);
    g_autofree char *most = say_either(builder, fm_stats_max(values, n), is_iops);
    return g_strdup_printf(fm_say(builder, "%s. Throughput: mean %s, lowest 100 ms %s, highest "
                                           "%s. Below it mean and slowest latency of every "
                                           "100 ms."),
                           name, mean, least, most);
}

static void
add_subtitle(const FmBuilder *builder, FmFigure *figure, const FmRunStep *step)
{
    fm_builder_add_subtitle(
        figure, g_strdup(fm_step_is_iops(step)
                             ? fm_say(builder, "IOPS and latency of every 100 ms, latency on a "
                                               "log scale")
                             : fm_say(builder, "MB/s and latency of every 100 ms, latency on a "
                                               "log scale")));
    if (step->ramp_ns > 0) {
        g_autofree char *ramp = fm_say_duration(builder, round((double)step->ramp_ns / 1e8) / 10);
        fm_builder_add_subtitle(figure,
                                g_strdup_printf(fm_say(builder, "without the ramp of %s"), ramp));
    }
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    const FmRunStep *step = fm_builder_find_step(builder, key);

    if (step == NULL) {
        fm_error_set(error, FM_ERROR_INVALID, "There is no step “%s” in this run", key);
        return NULL;
    }
    if (!moves_data(step) || count_rows(step) == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Step “%s” has no rows of 100 ms, so there is nothing to show over time", key);
        return NULL;
    }
    g_autofree char *id = g_strdup_printf("time:%s", key);
    g_autofree char *name = dup_name(builder, step);
    FmStepWindow window = {.step = step};
    FmFigure *figure = fm_builder_start(builder, id, "over-time");
    figure->shape = FM_SHAPE_TALL;
    fm_builder_set_title(builder, figure, name, dup_finding(builder, step));
    add_subtitle(builder, figure, step);
    fm_step_panels_add(builder, figure, &window);
    note_stalls(builder, figure, step);
    fm_builder_note_step(builder, figure, step);
    figure->alt_text = dup_alt_text(builder, step, name);
    return fm_builder_finish(builder, figure);
}

const FmFigureKind fm_figure_step_time = {.prefix = "time", .list = list, .build = build};
