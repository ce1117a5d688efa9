/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The gallery of golden figures.  One function a figure; no randomness but fm_rng with fixed
 * seeds, no clock, no locale.
 */
#include "gallery.h"

#include "gallery-parts.h"

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

/* --- Time series ------------------------------------------------------------------ */

/* Even in [0, 1). */
static double
draw_share(FmRng *rng)
{
    return (double)(fm_rng_next(rng) >> 11) * 0x1p-53;
}

/* Throughput of a drive that fills: cache, folding, native speed, with stalls. */
static double
get_fill_rate(double share, FmRng *rng)
{
    double noise = (draw_share(rng) - 0.5) * 2;
    if (share < 0.09) {
        return 6420e6 + 120e6 * noise;
    }
    if (share < 0.52) {
        return draw_share(rng) < 0.002 ? 90e6 : 1384e6 + 160e6 * noise;
    }
    return draw_share(rng) < 0.004 ? 0 : 716e6 + 240e6 * noise;
}

static void
add_fill_samples(FmPanel *throughput, FmPanel *temperature, unsigned n, double step_s)
{
    FmRng rng;
    fm_rng_init(&rng, 7);
    FmSeries *rate = fm_panel_add_series(throughput, NULL, FM_ROLE_SERIES_1, FM_MARK_SAMPLES);
    FmSeries *heat = fm_panel_add_series(temperature, NULL, FM_ROLE_MUTED, FM_MARK_STEP);
    for (unsigned i = 0; i < n; i++) {
        double share = (double)i / n;
        fm_series_add(rate, i * step_s, get_fill_rate(share, &rng));
        if (i % (n / 120) == 0) {
            fm_series_add(heat, i * step_s, round(31 + 34 * (1 - exp(-share * 5))));
        }
    }
}

static FmFigure *
make_fill(const char *language, unsigned n, double step_s)
{
    FmFigure *figure =
        begin("F10", language,
              say(language, "The cache lasts 184 GB, then the drive writes at a fifth of its speed",
                  "SLC 캐시 184 GB 이후 쓰기 속도는 5분의 1로 떨어집니다"),
              say(language,
                  "Write throughput over time, SEQ 128k QD32, 0.1 s samples: median and min–max",
                  "시간별 쓰기 처리량, SEQ 128k QD32, 0.1초 샘플: 중앙값과 최소–최대"));
    figure->shape = FM_SHAPE_TALL;
    FmPanel *top = fm_figure_add_panel(figure, NULL);
    FmPanel *bottom = fm_figure_add_panel(figure, NULL);
    top->weight = 4;
    bottom->shares_x = true;
    fm_axis_set(&top->x, say(language, "Time", "시간"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&bottom->x, say(language, "Time", "시간"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&top->y, say(language, "Throughput", "처리량"), FM_UNIT_BYTES_PER_SECOND,
                FM_SCALE_LINEAR);
    fm_axis_set(&bottom->y, say(language, "Temperature", "온도"), FM_UNIT_CELSIUS, FM_SCALE_LINEAR);
    add_fill_samples(top, bottom, n, step_s);
    double end = n * step_s;
    const FmAnnotation notes[] = {
        {FM_ANNOTATION_BAND_X, FM_ROLE_SERIES_4, 0, 0.09 * end, 0, 0,
         g_strdup("SLC 184 GB · 6420 MB/s")},
        {FM_ANNOTATION_BAND_X, FM_ROLE_SERIES_2, 0.09 * end, 0.52 * end, 0, 0,
         g_strdup("TLC 1384 MB/s")},
        {FM_ANNOTATION_BAND_X, FM_ROLE_SERIES_5, 0.52 * end, end, 0, 0,
         g_strdup(say(language, "folding 716 MB/s", "Folding 716 MB/s"))},
        {FM_ANNOTATION_RULE_Y, FM_ROLE_MUTED, 0, 0, 1489e6, 0,
         g_strdup(say(language, "mean 1489 MB/s", "평균 1489 MB/s"))},
    };
    for (unsigned i = 0; i < G_N_ELEMENTS(notes); i++) {
        fm_panel_add_annotation(top, notes[i]);
    }
    return figure;
}

static FmFigure *
build_fill(const char *language)
{
    return make_fill(language, 12000, 0.1);
}

/* --- Tails and curves ------------------------------------------------------------- */

static FmFigure *
build_tail(const char *language)
{
    static const double shares[] = {0, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999, 1};
    static const char *const labels[] = {"Optane P1600X 118GB (83806 IOPS)",
                                         "Solidigm P44 Pro 2 TB (21.4k IOPS)",
                                         "Samsung 990 PRO 2 TB (18.9k IOPS)"};
    static const double bases[] = {9e-6, 41e-6, 46e-6};
    static const double slopes[] = {0.18, 0.42, 0.55};
    FmFigure *figure =
        begin("F80", language,
              say(language, "Optane answers 99.999 % of reads within 60 µs",
                  "Optane은 읽기의 99.999%에 60 µs 안에 응답합니다"),
              say(language, "RND 4k read QD1, latency on a log scale against percentiles",
                  "RND 4k 읽기 QD1, 백분위별 지연시간(로그 눈금)"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Latency", "지연시간"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    fm_axis_set(&panel->y, say(language, "Share of I/Os", "I/O 비율"), FM_UNIT_SHARE,
                FM_SCALE_NINES);
    for (unsigned i = 0; i < G_N_ELEMENTS(labels); i++) {
        FmSeries *series =
            fm_panel_add_series(panel, labels[i], FM_ROLE_SERIES_1 + i, FM_MARK_LINE);
        for (unsigned j = 0; j < G_N_ELEMENTS(shares); j++) {
            double nines = shares[j] < 1 ? -log10(1 - shares[j]) : 6.6;
            double bump = nines > 3.2 && i > 0 ? 8 : 1;
            FmPoint *point =
                fm_series_add(series, bases[i] * pow(10, slopes[i] * nines) * bump, shares[j]);
            point->is_doubtful = shares[j] > 0.99999 && i != 0;
        }
    }
    fm_panel_add_annotation(panel, (FmAnnotation){.kind = FM_ANNOTATION_RULE_X,
                                                  .role = FM_ROLE_BAD,
                                                  .x0 = 5e-3,
                                                  .text = g_strdup(say(language, "spec limit 5 ms",
                                                                       "제조사 상한 5 ms"))});
    return figure;
}

/* Throughput and latency of a queue that saturates. */
static void
add_depths(FmSeries *series, double service_s, double peak)
{
    for (unsigned depth = 1; depth <= 256; depth *= 2) {
        double ideal = depth / service_s;
        double rate = peak * (1 - exp(-ideal / peak));
        FmPoint *point = fm_series_add(series, rate, depth / rate);
        point->label = g_strdup_printf("QD%u", depth);
    }
}

static FmFigure *
build_curve(const char *language)
{
    FmFigure *figure =
        begin("F62", language,
              say(language, "One million reads a second, but at 250 µs",
                  "초당 100만 읽기, 다만 지연시간은 250 µs"),
              say(language, "RND 4k read, IOPS against P50 latency on a log scale, QD1 to QD256",
                  "RND 4k 읽기, IOPS와 P50 지연시간(로그 눈금), QD1–QD256"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Random reads", "임의 읽기"), FM_UNIT_IOPS,
                FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, say(language, "P50 latency", "P50 지연시간"), FM_UNIT_SECONDS,
                FM_SCALE_LOG10);
    FmSeries *first =
        fm_panel_add_series(panel, "Solidigm P44 Pro 2 TB", FM_ROLE_SERIES_1, FM_MARK_LINE);
    FmSeries *second = fm_panel_add_series(panel, "Optane P1600X", FM_ROLE_SERIES_2, FM_MARK_LINE);
    first->is_emphasised = true;
    add_depths(first, 45e-6, 1.05e6);
    add_depths(second, 9e-6, 0.42e6);
    fm_panel_add_annotation(
        panel, (FmAnnotation){.kind = FM_ANNOTATION_CALLOUT,
                              .role = FM_ROLE_SERIES_1,
                              .x0 = 0.96e6,
                              .y0 = 128 / 0.998e6,
                              .text = g_strdup(say(language, "nothing gained from here",
                                                   "여기부터는 이득이 없습니다"))});
    return figure;
}

static FmFigure *
build_consistency(const char *language)
{
    static const char *const corners[] = {"SEQ R", "SEQ W", "RND R", "RND W"};
    static const double falls[] = {0.002, 0.06, 0.01, 0.13};
    FmFigure *figure =
        begin("F66", language,
              say(language, "Writes get unsteady from QD16 on", "QD16부터 쓰기가 불안정해집니다"),
              say(language, "Lowest 0.1 % of samples as a share of the mean",
                  "하위 0.1% 샘플의 평균 대비 비율"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Queue depth", "큐 깊이(QD)"), FM_UNIT_NUMBER,
                FM_SCALE_LOG2);
    fm_axis_set(&panel->y, say(language, "Consistency", "일관성"), FM_UNIT_SHARE, FM_SCALE_LINEAR);
    panel->y.min = 0;
    panel->y.max = 1.1;
    for (unsigned i = 0; i < G_N_ELEMENTS(corners); i++) {
        FmSeries *series =
            fm_panel_add_series(panel, corners[i], FM_ROLE_SERIES_1 + i, FM_MARK_LINE);
        for (unsigned depth = i < 2 ? 1 : 2; depth <= 256; depth *= 2) {
            bool is_gap = i == 3 && depth == 8;
            fm_series_add(series, depth, is_gap ? NAN : 0.998 - falls[i] * log2(depth) / 2);
        }
    }
    return figure;
}

static FmFigure *
build_multiples(const char *language)
{
    static const unsigned rests[] = {5, 30, 120, 240};
    FmFigure *figure = begin("F42", language,
                             say(language, "Four minutes of rest bring the whole cache back",
                                 "4분 쉬면 캐시가 모두 회복됩니다"),
                             say(language, "Write throughput in the first minute after a rest",
                                 "휴식 후 첫 1분의 쓰기 처리량"));
    figure->shape = FM_SHAPE_TALL;
    figure->n_columns = 2;
    for (unsigned i = 0; i < G_N_ELEMENTS(rests); i++) {
        g_autofree char *title =
            g_strdup_printf("%u%s", rests[i], say(language, " s of rest", "초 휴식 후"));
        FmPanel *panel = fm_figure_add_panel(figure, title);
        panel->shares_x = i >= 2;
        fm_axis_set(&panel->x, say(language, "Time", "시간"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
        fm_axis_set(&panel->y, say(language, "Throughput", "처리량"), FM_UNIT_BYTES_PER_SECOND,
                    FM_SCALE_LINEAR);
        FmSeries *fresh = fm_panel_add_series(panel, say(language, "fresh", "초기 상태"),
                                              FM_ROLE_SERIES_1, FM_MARK_STEP);
        FmSeries *full = fm_panel_add_series(panel, say(language, "75 % full", "75% 채움"),
                                             FM_ROLE_SERIES_2, FM_MARK_STEP);
        for (unsigned second = 0; second <= 60; second += 2) {
            double cache_s = 58.0 * rests[i] / 240;
            fm_series_add(fresh, second, second < cache_s ? 3490e6 : 1384e6);
            fm_series_add(full, second, second < cache_s * 0.4 ? 3380e6 : 840e6);
        }
        fm_panel_add_annotation(panel, (FmAnnotation){.kind = FM_ANNOTATION_BRACKET,
                                                      .role = FM_ROLE_MUTED,
                                                      .x0 = 52,
                                                      .y0 = 840e6,
                                                      .y1 = 1384e6,
                                                      .text = g_strdup("−39 %")});
    }
    return figure;
}

/* Points, intervals and stems, on log axes with a zero. */
static FmFigure *
build_marks(const char *language)
{
    static const char *const percentiles[] = {"50", "90", "99", "99.9", "99.99", "max", NULL};
    FmFigure *figure =
        begin("F76", language,
              say(language, "Six percentiles of two drives", "두 드라이브의 여섯 백분위"),
              say(language, "Latency on a log scale; lines are ranges of five runs",
                  "지연시간(로그 눈금), 선은 5회 측정의 범위"));
    figure->n_columns = 2;
    FmPanel *left = fm_figure_add_panel(figure, say(language, "Stems", "줄기"));
    FmPanel *right = fm_figure_add_panel(figure, say(language, "Errors an hour", "시간당 오류"));
    fm_axis_set(&left->x, say(language, "Percentile", "백분위"), FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    left->x.categories = g_strdupv((GStrv)percentiles);
    fm_axis_set(&left->y, say(language, "Latency", "지연시간"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    fm_axis_set(&right->x, say(language, "Span", "범위"), FM_UNIT_BINARY_BYTES, FM_SCALE_LOG2);
    fm_axis_set(&right->y, say(language, "Errors", "오류"), FM_UNIT_NUMBER, FM_SCALE_LOG10);
    FmSeries *stems = fm_panel_add_series(left, "Solidigm P44 Pro", FM_ROLE_SERIES_1, FM_MARK_STEM);
    FmSeries *ranges =
        fm_panel_add_series(left, "Optane P1600X", FM_ROLE_SERIES_2, FM_MARK_INTERVAL);
    FmSeries *points = fm_panel_add_series(right, "errors", FM_ROLE_BAD, FM_MARK_POINT);
    for (unsigned i = 0; i < 6; i++) {
        FmPoint *stem = fm_series_add(stems, i, 41e-6 * pow(10, i * 0.42));
        stem->is_doubtful = i == 4;
        FmPoint *range = fm_series_add(ranges, i, 9e-6 * pow(10, i * 0.3));
        range->lo = range->y * 0.8;
        range->hi = range->y * 1.4;
    }
    for (unsigned i = 0; i < 9; i++) {
        fm_series_add(points, ldexp(1, 26 + 2 * (int)i), i % 3 == 0 ? 0 : pow(5, i * 0.7));
    }
    return figure;
}

/* --- Awkward ---------------------------------------------------------------------- */

static FmFigure *
build_crowd(const char *language)
{
    FmFigure *figure = begin(
        "F32", language,
        say(language, "Eight drives end within a hair of each other",
            "여덟 드라이브의 차이는 거의 없습니다"),
        say(language, "Weighted throughput against the share of reads", "읽기 비율별 가중 처리량"));
    figure->watermark = g_strdup(say(language, "simulated", "시뮬레이션"));
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Reads", "읽기 비율"), FM_UNIT_SHARE, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, say(language, "Throughput", "처리량"), FM_UNIT_BYTES_PER_SECOND,
                FM_SCALE_LINEAR);
    for (unsigned i = 0; i < FM_FIGURE_MAX_SERIES; i++) {
        g_autofree char *label = g_strdup_printf("Vendor %c 2 TB [4kB LBA]", 'A' + (char)i);
        FmSeries *series = fm_panel_add_series(panel, label, FM_ROLE_SERIES_1 + i, FM_MARK_LINE);
        for (unsigned step = 0; step <= 10; step++) {
            fm_series_add(series, step / 10.0, 560e6 + i * 4e6 - 40e6 * sin(step * 0.3 + i));
        }
    }
    return figure;
}

static FmFigure *
build_hostile(const char *language)
{
    FmFigure *figure = begin(
        "F99", language,
        "<b>Markup</b> &amp; \"quotes\" \xff\xfe، عنوان طويل بالعربية, 漢字タイトル 😀 and then so "
        "many more "
        "words that no title should ever have, since nobody would read them, and yet a drive or a "
        "person "
        "may have put them there, with\nline breaks\tand tabs, and a word of "
        "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft length.",
        "\u202Eright to left override · 百分位 · ไทย");
    FmPanel *panel = fm_figure_add_panel(figure, "Панель \u05E9\u05DC\u05D5\u05DD");
    fm_axis_set(&panel->x, "x\u0301\u0302\u0303 axis", FM_UNIT_NUMBER, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, "عنوان", FM_UNIT_SECONDS, FM_SCALE_LINEAR);
    FmSeries *one = fm_panel_add_series(panel, "مُعَرِّف القرص 12345", FM_ROLE_SERIES_1, FM_MARK_LINE);
    FmSeries *two =
        fm_panel_add_series(panel,
                            "A label of a hundred characters and some more that can't stand at "
                            "the end of any line at all, ever",
                            FM_ROLE_SERIES_2, FM_MARK_LINE);
    for (unsigned i = 0; i < 20; i++) {
        fm_series_add(one, i, i == 7 ? INFINITY : i * 1e-3);
        fm_series_add(two, i, i == 3 ? NAN : 0.02 - i * 1e-3);
    }
    for (unsigned i = 0; i < 3; i++) {
        fm_panel_add_annotation(panel, (FmAnnotation){.kind = FM_ANNOTATION_RULE_X,
                                                      .role = FM_ROLE_BAD,
                                                      .x0 = 9 + i * 0.1,
                                                      .text = g_strdup("a knee among knees")});
    }
    g_ptr_array_add(figure->footnotes, g_strdup("905P: not possible, no TRIM. 漢字 <i>note</i>"));
    return figure;
}

/* Values that no axis was made for. */
static FmFigure *
build_extreme(const char *language)
{
    FmFigure *figure = begin("F00", language, "Nothing, one value, and far too much",
                             say(language, "Axes on a log scale where they can be", "로그 눈금"));
    static const FmScaleKind kinds[] = {FM_SCALE_LINEAR, FM_SCALE_LOG10, FM_SCALE_NINES,
                                        FM_SCALE_LINEAR, FM_SCALE_LOG10, FM_SCALE_LOG2};
    figure->n_columns = 3;
    figure->shape = FM_SHAPE_TALL;
    for (unsigned i = 0; i < G_N_ELEMENTS(kinds); i++) {
        g_autofree char *title = g_strdup_printf("%u", i);
        FmPanel *panel = fm_figure_add_panel(figure, title);
        fm_axis_set(&panel->x, title, FM_UNIT_NUMBER, FM_SCALE_LINEAR);
        fm_axis_set(&panel->y, title, i == 2 ? FM_UNIT_SHARE : FM_UNIT_SECONDS, kinds[i]);
        FmSeries *series = fm_panel_add_series(panel, NULL, FM_ROLE_SERIES_1, FM_MARK_LINE);
        for (unsigned j = 0; i >= 3 && j < 5; j++) {
            fm_series_add(series, j * 1e300, i == 3 ? -1e300 * j : pow(10, 75.0 * j));
        }
        if (i < 3) {
            fm_series_add(series, 3, i == 0 ? 42 : 0.5);
        }
    }
    return figure;
}

static FmFigure *
build_empty(const char *language)
{
    FmFigure *figure =
        begin("F98", language, say(language, "Nothing was measured", "측정된 값이 없습니다"),
              say(language, "Temperature over time", "시간별 온도"));
    figure->shape = FM_SHAPE_HALF;
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    fm_axis_set(&panel->x, say(language, "Time", "시간"), FM_UNIT_CLOCK, FM_SCALE_LINEAR);
    fm_axis_set(&panel->y, say(language, "Temperature", "온도"), FM_UNIT_CELSIUS, FM_SCALE_LINEAR);
    fm_panel_add_series(panel, "x", FM_ROLE_SERIES_1, FM_MARK_SAMPLES);
    return figure;
}

const GalleryEntry gallery[] = {
    {"ratio", build_ratio},
    {"boot", build_boot},
    {"cdm", build_cdm},
    {"reclaim", build_reclaim},
    {"fill", build_fill},
    {"tail", build_tail},
    {"curve", build_curve},
    {"consistency", build_consistency},
    {"multiples", build_multiples},
    {"marks", build_marks},
    {"crowd", build_crowd},
    {"hostile", build_hostile, true},
    {"extreme", build_extreme, true},
    {"empty", build_empty},
    {"ios", gallery_build_ios},
    {"few-ios", gallery_build_few_ios},
    {"scores", gallery_build_scores},
    {"depths", gallery_build_depths},
    {"long-words", gallery_build_long_words, true},
};
const unsigned n_gallery = G_N_ELEMENTS(gallery);
