/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Latency of every I/O over time: a million with two modes and stalls, and a hundred.
 */
#include "gallery-parts.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

static const char *
say(const char *language, const char *english, const char *korean)
{
    return strcmp(language, "ko") == 0 ? korean : english;
}

static double
draw_share(uint64_t *state)
{
    return (double)(fm_rng_splitmix(state) >> 11) / 9007199254740992.0;
}

/* Most from the cache at 12 µs, a third from flash at 70 µs, each second a pause for erasing. */
static double
draw_latency(uint64_t *state, double seconds)
{
    double wide = draw_share(state) + draw_share(state) + draw_share(state) - 1.5;
    double latency = draw_share(state) < 0.66 - seconds / 200 ? 12e-6 : 70e-6;
    bool is_erasing = fmod(seconds, 5) < 0.06 && seconds > 8;

    if (is_erasing) {
        return 2.2e-3 * exp(wide);
    }
    return latency * exp(0.5 * wide) * (draw_share(state) < 2e-5 ? 60 : 1);
}

static FmFigure *
begin(const char *language, const char *title, unsigned n_ios)
{
    static const double edges[4] = {0, 4e-6, 60, 20e-3};
    FmFigure *figure = fm_figure_new("F4", "latency-over-time", language);
    figure->title = g_strdup(title);
    figure->subtitle = g_strdup(say(language, "Latency of every I/O, RND 4k Read QD4, log scale",
                                    "모든 I/O의 지연 시간, RND 4k 읽기 QD4, 로그 눈금"));
    figure->caption =
        g_strdup("Solidigm P44 Pro 2 TB, 001C · PCIe 4.0 ×4 · Debian 12 · io_uring · Fathom 0.1 · "
                 "2026-08-22");
    figure->alt_text = g_strdup(title);
    figure->run_id = g_strdup("3f2a9c1e");
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Time", "시간"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, say(language, "Latency", "지연 시간"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    FmSeries *series =
        fm_panel_add_series(panel, say(language, "Read", "읽기"), FM_ROLE_READ, FM_MARK_DENSITY);
    series->density = fm_density_new(420, 160, edges, true);
    uint64_t state = 1;
    for (unsigned i = 0; i < n_ios; i++) {
        double seconds = 60.0 * i / n_ios;
        fm_density_add(series->density, seconds, draw_latency(&state, seconds));
    }
    return figure;
}

FmFigure *
gallery_build_ios(const char *language)
{
    FmFigure *figure = begin(language,
                             say(language, "From second 8 on the drive pauses every five seconds",
                                 "8초부터 5초마다 응답이 멈춥니다"),
                             400000);
    FmPanel *panel = g_ptr_array_index(figure->panels, 0);
    FmSeries *median = fm_panel_add_series(panel, "P50", FM_ROLE_MUTED, FM_MARK_LINE);
    FmSeries *tail = fm_panel_add_series(panel, "P99", FM_ROLE_MUTED, FM_MARK_LINE);
    for (unsigned second = 0; second <= 60; second++) {
        fm_series_add(median, second, second < 32 ? 13e-6 : 60e-6);
        fm_series_add(tail, second, 105e-6 * (second % 5 == 0 && second > 8 ? 20 : 1));
    }
    return figure;
}

FmFigure *
gallery_build_few_ios(const char *language)
{
    return begin(
        language,
        say(language, "A hundred I/Os are a hundred points", "I/O 100개는 점 100개로 보입니다"),
        100);
}
