/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gallery of golden figures.  One function a figure; no randomness but fm_rng with fixed
 * seeds, no clock, no locale.
 */
#include "gallery.h"

#include "base/rng.h"

#include <math.h>
#include <string.h>

#define THIN "\u2009"

static bool
is_korean(const char *language)
{
    return strcmp(language, "ko") == 0;
}

/* @english or @korean. */
static const char *
say(const char *language, const char *english, const char *korean)
{
    return is_korean(language) ? korean : english;
}

static FmFigure *
begin(const char *id, const char *language, const char *title, const char *subtitle)
{
    FmFigure *figure = fm_figure_new(id, id, language);
    figure->title = g_strdup(title);
    figure->subtitle = g_strdup(subtitle);
    figure->caption = g_strdup(say(language,
                                   "Solidigm P44 Pro 2 TB, firmware 001C · PCIe 4.0 ×4 · LBA 512 · "
                                   "nvme 6.1 · Debian 12 · io_uring · "
                                   "filled 80 %, preconditioned 2×, 23–61 °C · Fathom 0.1, plan "
                                   "fill@3f2a · 2026-08-22 · single run",
                                   "Solidigm P44 Pro 2 TB, 펌웨어 001C · PCIe 4.0 ×4 · LBA 512 · "
                                   "nvme 6.1 · Debian 12 · io_uring · "
                                   "80% 채움, Pre-Conditioning 2회, 23–61 °C · Fathom 0.1, plan "
                                   "fill@3f2a · 2026-08-22 · 단일 측정"));
    figure->alt_text = g_strdup(title);
    figure->run_id = g_strdup("3f2a9c1e");
    return figure;
}

static FmFigure *
build_ratio(const char *language)
{
    static const char *const labels[] = {"QD1", "QD2", "QD4"};
    static const double peaks[] = {330e6, 610e6, 1035e6};
    FmFigure *figure = begin(
        "F31", language,
        say(language, "Mixed work costs a third at every depth",
            "읽기·쓰기가 섞이면 모든 깊이에서 3분의 1이 줄어듭니다"),
        say(language,
            "Throughput against the share of reads, RND 4k, median of 5 runs with their range",
            "읽기 비율별 처리량, RND 4k, 5회 측정의 중앙값과 범위"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Reads", "읽기 비율"), FM_UNIT_SHARE, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, say(language, "Throughput", "처리량"), FM_UNIT_BYTES_PER_SECOND,
                FM_SCALE_LINEAR);
    for (unsigned i = 0; i < G_N_ELEMENTS(labels); i++) {
        FmSeries *series =
            fm_panel_add_series(panel, labels[i], FM_ROLE_SERIES_1 + i, FM_MARK_LINE);
        for (unsigned step = 0; step <= 10; step++) {
            double share = step / 10.0;
            double y = peaks[i] * (1 - 0.36 * sin(G_PI * share) + 0.08 * share);
            FmPoint *point = fm_series_add(series, share, y);
            point->lo = y * 0.96;
            point->hi = y * 1.03;
        }
    }
    return figure;
}

const GalleryEntry gallery[] = {
    {"ratio", build_ratio},
};
const unsigned n_gallery = G_N_ELEMENTS(gallery);
