/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: scores with bars, a wide table of plain numbers, and words that do not fit.
 */
#include "gallery-parts.h"

#include <math.h>
#include <string.h>

static const char *
say(const char *language, const char *english, const char *korean)
{
    return strcmp(language, "ko") == 0 ? korean : english;
}

static FmFigure *
begin(const char *id, const char *language, const char *title, const char *subtitle)
{
    FmFigure *figure = fm_figure_new(id, id, language);
    figure->title = g_strdup(title);
    figure->subtitle = g_strdup(subtitle);
    figure->caption = g_strdup(
        say(language,
            "Solidigm P44 Pro 2 TB, firmware 001C · PCIe 4.0 ×4 · LBA 512 · nvme 6.1 · Debian 12 · "
            "io_uring · filled 80 %, 23–61 °C · Fathom 0.1, plan cdm@3f2a · 2026-08-22 · best of 5",
            "Solidigm P44 Pro 2 TB, 펌웨어 001C · PCIe 4.0 ×4 · LBA 512 · nvme 6.1 · Debian 12 · "
            "io_uring · 80% 채움, 23–61 °C · Fathom 0.1, plan cdm@3f2a · 2026-08-22 · 5회 중 "
            "최고값"));
    figure->alt_text = g_strdup(title);
    figure->run_id = g_strdup("3f2a9c1e");
    figure->shape = FM_SHAPE_TABLE;
    return figure;
}

static void
add_column(FmTable *table, const char *title, const char *unit, FmRole role)
{
    fm_table_add_column(table, (FmColumn){
                                   .title = g_strdup(title),
                                   .unit = g_strdup(unit),
                                   .is_text = unit == NULL,
                                   .value_unit = FM_UNIT_BYTES_PER_SECOND,
                                   .has_bar = role != FM_ROLE_MUTED,
                                   .role = role,
                               });
}

static FmCell *
add_number(FmTable *table, double megabytes, unsigned decimals)
{
    return fm_table_add_cell(table, megabytes * 1e6,
                             g_strdup_printf("%.*f", (int)decimals, megabytes));
}

FmFigure *
gallery_build_scores(const char *language)
{
    static const struct {
        const char *name;
        double values[3]; /* read, write, mix; NaN = not possible */
        const char *details[3];
    } rows[] = {
        {"SEQ1M Q8T1",
         {6994.12, 6511.70, 6201.31},
         {"6,670 IOPS · 1199 µs", "6,210 IOPS · 1287 µs", "5,914 IOPS · 1352 µs"}},
        {"SEQ128K Q32T1",
         {6950.48, 6480.02, 6188.90},
         {"53,028 IOPS · 603 µs", "49,438 IOPS · 647 µs", "47,217 IOPS · 677 µs"}},
        {"RND4K Q32T16",
         {4630.90, 3987.55, 3612.08},
         {"1.13M IOPS · 452 µs", "974k IOPS · 525 µs", "882k IOPS · 580 µs"}},
        {"RND4K Q1T1",
         {88.14, 312.66, 104.20},
         {"21.5k IOPS · 46.4 µs", "76.3k IOPS · 12.9 µs", "25.4k IOPS · 39.2 µs"}},
        {"TRIM 128M", {NAN, 5123.44, NAN}, {NULL, "605 IOPS · 1652 µs", NULL}},
    };
    FmFigure *figure = begin(
        "T8", language,
        say(language, "Seven gigabytes a second, and 88 MB/s where it counts",
            "순차 7 GB/s, 그러나 체감 성능은 88 MB/s"),
        say(language, "CrystalDiskMark's tests, best of 5 runs of 5 s, whiskers from the worst",
            "CrystalDiskMark 항목, 5초씩 5회 중 최고값, 가는 선은 최저값부터"));
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_column(table, say(language, "Test", "항목"), NULL, FM_ROLE_MUTED);
    add_column(table, say(language, "Read", "읽기"), "MB/s", FM_ROLE_READ);
    add_column(table, say(language, "Write", "쓰기"), "MB/s", FM_ROLE_WRITE);
    add_column(table, say(language, "Mix, 70 % reads", "혼합, 읽기 70%"), "MB/s", FM_ROLE_GOOD);
    for (unsigned i = 0; i < G_N_ELEMENTS(rows); i++) {
        fm_table_add_cell(table, NAN, g_strdup(rows[i].name));
        for (unsigned k = 0; k < 3; k++) {
            if (isnan(rows[i].values[k])) {
                fm_table_add_cell(table, NAN, NULL)->reason =
                    g_strdup(say(language, "A discard has no read: only writes can be trimmed.",
                                 "TRIM은 쓰기에만 해당하므로 읽기 항목이 없습니다."));
                continue;
            }
            FmCell *cell = add_number(table, rows[i].values[k], 2);
            cell->detail = g_strdup(rows[i].details[k]);
            cell->hi = cell->value;
            cell->lo = cell->value * (0.97 - 0.06 * i);
            cell->is_doubtful = i == 2 && k == 2;
        }
    }
    return figure;
}

FmFigure *
gallery_build_depths(const char *language)
{
    static const char *const percentiles[] = {"P50",    "P90",     "P99",      "P99.9",
                                              "P99.99", "P99.999", "P99.9999", "max"};
    FmFigure *figure = begin("T11", language,
                             say(language, "Latency doubles with the depth from QD16 on",
                                 "QD16부터 지연 시간이 깊이에 비례해 늘어남"),
                             say(language, "RND 4k Read by queue depth, latency in µs, 60 s a step",
                                 "큐 깊이별 RND 4k 읽기, 지연 시간(µs), 단계당 60초"));
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_column(table, say(language, "Depth", "큐 깊이"), NULL, FM_ROLE_MUTED);
    add_column(table, say(language, "Throughput", "처리량"), "MB/s", FM_ROLE_MUTED);
    for (unsigned i = 0; i < G_N_ELEMENTS(percentiles); i++) {
        add_column(table, percentiles[i], "µs", FM_ROLE_MUTED);
    }
    for (unsigned depth = 1; depth <= 256; depth *= 2) {
        fm_table_add_cell(table, NAN, g_strdup_printf("QD%u", depth));
        double rate = 4600 * (1 - exp(-(double)depth / 24));
        add_number(table, rate, 0);
        for (unsigned i = 0; i < G_N_ELEMENTS(percentiles); i++) {
            double latency = depth / rate * 4096 * pow(1.45, i);
            FmCell *cell = add_number(table, latency, 0);
            cell->is_doubtful = i == 6 && depth < 4;
            if (i == 6 && depth == 1) {
                g_clear_pointer(&cell->text, g_free);
                cell->value = NAN;
                cell->reason =
                    g_strdup(say(language, "Fewer than ten samples lie above this percentile.",
                                 "이 백분위수보다 큰 표본이 10개 미만입니다."));
            }
        }
    }
    return figure;
}

FmFigure *
gallery_build_long_words(const char *language)
{
    static const char *const names[] = {
        "Samsung SSD 990 PRO with Heatsink 2TB (engineering sample, second board revision)",
        "<b>Not</b> markup & \"quotes\"",
        "ソリダイム P44 Pro",
        "솔리다임 P44 Pro 2TB 아주 아주 긴 이름을 가진 드라이브와 그 설명",
        "مرحبا SSD",
        "x",
    };
    FmFigure *figure = begin("T0", language, say(language, "Names that do not fit", "긴 이름들"),
                             say(language, "Nothing but awkward text", "까다로운 글자들"));
    FmTable *table = fm_panel_add_table(fm_figure_add_panel(figure, NULL));
    add_column(table, say(language, "Drive", "드라이브"), NULL, FM_ROLE_MUTED);
    add_column(table, say(language, "Firmware and what else is known of it", "펌웨어"), NULL,
               FM_ROLE_MUTED);
    add_column(table, say(language, "Throughput", "처리량"), "MB/s", FM_ROLE_SERIES_1);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        fm_table_add_cell(table, NAN, g_strdup(names[i]))->detail =
            g_strdup(i == 0 ? names[0] : NULL);
        fm_table_add_cell(table, NAN, g_strdup_printf("%s · 001C", names[5 - i]));
        add_number(table, 1000.0 + 700 * i, 1);
    }
    return figure;
}
