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

/* --- Bars ------------------------------------------------------------------------- */

static GStrv
make_drives(const char *language)
{
    const char *names[] = {"Samsung 990 PRO 2 TB",
                           "SK hynix Platinum P41 2 TB [4kB LBA]",
                           "Solidigm P44 Pro 2 TB",
                           say(language, "A drive whose name is much too long for the place it has",
                               "표시할 자리보다 이름이 훨씬 더 긴 어떤 드라이브의 모델명"),
                           "Intel Optane 905P 960 GB",
                           NULL};
    return g_strdupv((GStrv)names);
}

static FmFigure *
build_boot(const char *language)
{
    static const double values[] = {82300, 71450, 60180, 52527, NAN};
    FmFigure *figure = begin("F70", language,
                             say(language, "Three of five drives pass OCP BootBench",
                                 "다섯 드라이브 중 셋이 OCP BootBench 합격"),
                             say(language, "Sustained IOPS, pass line 60k, single run",
                                 "지속 IOPS, 합격선 60k, 단일 측정"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    panel->is_horizontal = true;
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = make_drives(language);
    fm_axis_set(&panel->y, NULL, FM_UNIT_IOPS, FM_SCALE_LINEAR);
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_BAR);
        FmPoint *point = fm_series_add(series, i, values[i]);
        series->is_emphasised = i == 2;
        point->is_doubtful = i == 3;
        if (isnan(values[i])) {
            point->note = g_strdup(say(language, "not possible: no TRIM", "측정 불가: TRIM 없음"));
        } else {
            point->lo = values[i] * 0.97;
            point->hi = values[i] * 1.02;
        }
    }
    fm_panel_add_annotation(
        panel, (FmAnnotation){.kind = FM_ANNOTATION_RULE_Y,
                              .role = FM_ROLE_BAD,
                              .y0 = 60000,
                              .text = g_strdup(say(language, "pass 60k", "합격선 60k"))});
    return figure;
}

static FmFigure *
build_cdm(const char *language)
{
    static const double reads[] = {7460e6, 7105e6, 6986e6, 3560e6, 2610e6};
    static const double writes[] = {6910e6, 6745e6, 6512e6, 3010e6, 2190e6};
    FmFigure *figure = begin(
        "F01", language, "CrystalDiskMark 9.0.1",
        say(language, "SEQ 1M Q8T1, throughput, best of 5", "SEQ 1M Q8T1, 처리량, 5회 중 최고"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    panel->is_horizontal = true;
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = make_drives(language);
    fm_axis_set(&panel->y, NULL, FM_UNIT_BYTES_PER_SECOND, FM_SCALE_LINEAR);
    FmSeries *read =
        fm_panel_add_series(panel, say(language, "Read", "읽기"), FM_ROLE_READ, FM_MARK_BAR);
    FmSeries *write =
        fm_panel_add_series(panel, say(language, "Write", "쓰기"), FM_ROLE_WRITE, FM_MARK_BAR);
    for (unsigned i = 0; i < G_N_ELEMENTS(reads); i++) {
        fm_series_add(read, i, reads[i]);
        fm_series_add(write, i, writes[i]);
    }
    return figure;
}

static FmFigure *
build_reclaim(const char *language)
{
    static const char *const rests[] = {"5 s", "10 s", "30 s", "60 s", "120 s", "240 s", NULL};
    static const double values[] = {3.2e9, 6.1e9, 17.5e9, 33.8e9, 61e9, 104e9};
    FmFigure *figure =
        begin("F40", language,
              say(language, "Half a gigabyte comes back every second", "초당 0.5 GB씩 회복됩니다"),
              say(language, "Written in 60 s after a rest", "휴식 후 60초간 쓴 양"));
    figure->shape = FM_SHAPE_HALF;
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Rest", "휴식 시간"), FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = g_strdupv((GStrv)rests);
    fm_axis_set(&panel->y, say(language, "Written", "쓴 양"), FM_UNIT_BYTES, FM_SCALE_LINEAR);
    FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_BAR);
    for (unsigned i = 0; i < G_N_ELEMENTS(values); i++) {
        fm_series_add(series, i, values[i]);
    }
    return figure;
}

const GalleryEntry gallery[] = {
    {"ratio", build_ratio},
    {"boot", build_boot},
    {"cdm", build_cdm},
    {"reclaim", build_reclaim},
};
const unsigned n_gallery = G_N_ELEMENTS(gallery);
