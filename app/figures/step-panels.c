/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Rows of the 100 ms grid as points.  A slot in which nothing completed is 0, so that a stall is
 * seen; a slot that was paused, or cut by the end, is a gap.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/step-panels.h"

#include "base/label.h"

#include <math.h>

static const double slots_per_second = 1000.0 / FM_TICK_INTERVAL_MS;

bool
fm_step_is_iops(const FmRunStep *step)
{
    return step->n_streams > 0 && g_strcmp0(step->streams[0].pattern, "sequential") != 0;
}

char *
fm_step_dup_name(const FmRunStep *step)
{
    uint32_t block = fm_run_step_get_block(step);

    if (step->n_streams != 1 || block == 0) {
        return NULL;
    }
    const uint32_t *shares = step->streams[0].op_share;
    uint64_t all = (uint64_t)shares[FM_OP_READ] + shares[FM_OP_WRITE];
    if (all == 0) {
        return NULL;
    }
    g_autofree char *workload =
        fm_label_dup_workload(fm_step_is_iops(step), block,
                              (uint32_t)((uint64_t)shares[FM_OP_READ] * FM_SHARE_WHOLE / all));
    return g_strdup_printf("%s QD%u", workload, step->in_flight);
}

/* --- Rows -------------------------------------------------------------------------- */

static const FmTick *
get_tick(const FmStepWindow *window, guint index)
{
    return &g_array_index(window->step->ticks, FmTick, index);
}

static bool
is_shown(const FmStepWindow *window, const FmTick *tick)
{
    return (tick->flags & FM_TICK_RAMP) == 0 || window->has_ramp;
}

/* Seconds; ramp rows have a clock of their own, which begins before the other. */
static double
get_x(const FmStepWindow *window, const FmTick *tick)
{
    bool is_ramp = (tick->flags & FM_TICK_RAMP) != 0;
    double offset = window->has_ramp && !is_ramp ? (double)window->step->ramp_ns / 1e9 : 0;

    return offset + (double)tick->end_ns / 1e9;
}

static bool
is_gap(const FmTick *tick)
{
    return (tick->flags & (FM_TICK_PAUSED | FM_TICK_PARTIAL)) != 0;
}

/* I/Os per second or bytes per second of one direction in a slot. */
static double
get_rate(const FmTick *tick, unsigned op, bool is_iops)
{
    const FmTickDirection *direction = op == FM_OP_READ ? &tick->read : &tick->write;
    uint32_t ios = op == FM_OP_READ ? tick->read_ios : tick->write_ios;

    return (is_iops ? (double)ios : (double)direction->bytes) * slots_per_second;
}

/* --- Panels ------------------------------------------------------------------------ */

static void
set_time_axis(const FmBuilder *builder, FmPanel *panel, const FmStepWindow *window)
{
    const GArray *ticks = window->step->ticks;
    const FmTick *last = &g_array_index(ticks, FmTick, ticks->len - 1);

    fm_axis_set(&panel->x, fm_say(builder, "Time"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    panel->x.is_scale_fixed = true;
    panel->x.min = window->first == 0 ? 0 : get_x(window, get_tick(window, window->first));
    panel->x.max = MAX(get_x(window, last), panel->x.min + 1 / slots_per_second);
}

/* Adds the rows that are, or are not, of the ramp. */
static void
add_rates(const FmStepWindow *window, FmSeries *series, unsigned op, bool is_ramp)
{
    bool is_iops = fm_step_is_iops(window->step);

    for (guint i = window->first; i < window->step->ticks->len; i++) {
        const FmTick *tick = get_tick(window, i);
        if (((tick->flags & FM_TICK_RAMP) != 0) == is_ramp && is_shown(window, tick)) {
            fm_series_add(series, get_x(window, tick),
                          is_gap(tick) ? NAN : get_rate(tick, op, is_iops));
        }
    }
}

static bool
has_op(const FmStepWindow *window, unsigned op)
{
    for (guint i = window->first; i < window->step->ticks->len; i++) {
        const FmTick *tick = get_tick(window, i);
        if ((op == FM_OP_READ ? tick->read_ios : tick->write_ios) > 0) {
            return true;
        }
    }
    return false;
}

static void
add_throughput(const FmBuilder *builder, FmFigure *figure, const FmStepWindow *window)
{
    bool is_iops = fm_step_is_iops(window->step);
    bool has_reads = has_op(window, FM_OP_READ);
    bool has_writes = has_op(window, FM_OP_WRITE);
    FmPanel *panel = fm_figure_add_panel(figure, NULL);

    set_time_axis(builder, panel, window);
    fm_axis_set(&panel->y, fm_say(builder, "Throughput"),
                is_iops ? FM_UNIT_IOPS : FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    panel->y.min = 0;
    if (window->has_ramp && (get_tick(window, window->first)->flags & FM_TICK_RAMP) != 0) {
        FmSeries *ramp =
            fm_panel_add_series(panel, fm_say(builder, "ramp"), FM_ROLE_MUTED, FM_MARK_SAMPLES);
        add_rates(window, ramp, has_reads ? FM_OP_READ : FM_OP_WRITE, true);
    }
    if (has_reads || !has_writes) {
        add_rates(
            window,
            fm_panel_add_series(panel, fm_say(builder, "Read"), FM_ROLE_READ, FM_MARK_SAMPLES),
            FM_OP_READ, false);
    }
    if (has_writes) {
        add_rates(
            window,
            fm_panel_add_series(panel, fm_say(builder, "Write"), FM_ROLE_WRITE, FM_MARK_SAMPLES),
            FM_OP_WRITE, false);
    }
}

/* Means and slowest I/Os of the slots, both directions together. */
static void
add_latencies(const FmStepWindow *window, FmSeries *mean, FmSeries *slowest)
{
    for (guint i = window->first; i < window->step->ticks->len; i++) {
        const FmTick *tick = get_tick(window, i);
        double n = (double)tick->read_ios + (double)tick->write_ios;
        if (!is_shown(window, tick)) {
            continue;
        }
        double x = get_x(window, tick);
        double sum = (double)tick->read.latency_sum_ns + (double)tick->write.latency_sum_ns;
        double most = (double)MAX(tick->read.latency_max_ns, tick->write.latency_max_ns);
        bool is_empty = n == 0 || is_gap(tick);
        fm_series_add(mean, x, is_empty ? NAN : sum / n / 1e9);
        fm_series_add(slowest, x, is_empty ? NAN : most / 1e9);
    }
}

static void
add_latency(const FmBuilder *builder, FmFigure *figure, const FmStepWindow *window)
{
    bool has_reads = has_op(window, FM_OP_READ);
    bool has_writes = has_op(window, FM_OP_WRITE);
    FmRole role = has_reads && has_writes ? FM_ROLE_GOOD
                  : has_writes            ? FM_ROLE_WRITE
                                          : FM_ROLE_READ;

    if (!has_reads && !has_writes) {
        return;
    }
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    set_time_axis(builder, panel, window);
    panel->shares_x = true;
    fm_axis_set(&panel->y, fm_say(builder, "Latency"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    FmSeries *slowest =
        fm_panel_add_series(panel, fm_say(builder, "max"), FM_ROLE_MUTED, FM_MARK_SAMPLES);
    FmSeries *mean = fm_panel_add_series(panel, fm_say(builder, "mean"), role, FM_MARK_SAMPLES);
    mean->is_emphasised = true;
    add_latencies(window, mean, slowest);
}

/* A sensor is read once a second at most: every tenth row is all there is. */
static void
add_temperature(const FmBuilder *builder, FmFigure *figure, const FmStepWindow *window)
{
    enum { EVERY = 10 };
    const GArray *ticks = window->step->ticks;
    bool is_known = false;

    for (guint i = window->first; i < ticks->len && !is_known; i++) {
        is_known = get_tick(window, i)->temperature_dc != FM_TEMPERATURE_UNKNOWN;
    }
    if (!is_known) {
        return;
    }
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    set_time_axis(builder, panel, window);
    panel->shares_x = true;
    panel->weight = 0.4;
    fm_axis_set(&panel->y, fm_say(builder, "Temperature"), FM_UNIT_CELSIUS, FM_SCALE_LINEAR);
    FmSeries *series =
        fm_panel_add_series(panel, fm_say(builder, "Temperature"), FM_ROLE_BAD, FM_MARK_SAMPLES);
    for (guint i = window->first; i < ticks->len; i += EVERY) {
        const FmTick *tick = get_tick(window, i);
        if (is_shown(window, tick)) {
            bool is_unknown = tick->temperature_dc == FM_TEMPERATURE_UNKNOWN;
            fm_series_add(series, get_x(window, tick),
                          is_unknown ? NAN : (double)tick->temperature_dc / 10);
        }
    }
}

void
fm_step_panels_add(const FmBuilder *builder, FmFigure *figure, const FmStepWindow *window)
{
    add_throughput(builder, figure, window);
    add_latency(builder, figure, window);
    add_temperature(builder, figure, window);
}
