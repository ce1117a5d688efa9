/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labels.  Latencies are integers in and are rounded as integers; rates are doubles
 * printed by GLib's ASCII formatter, which rounds the exact binary value to nearest.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/label.h"

#include "base/error.h"
#include "base/hist.h"
#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

#define THIN_SPACE "\u2009"
#define TRUE_MINUS "\u2212"

enum {
    SHARE_WHOLE = 10000,
    SHARE_PERCENT = 100,
};

static const char *
get_space(FmLabelStyle style)
{
    return style.spaced ? " " : "";
}

/* Middle of the bin of 64 per octave; bins of one value are their value, as in fio. */
static uint64_t
get_bin_middle(uint64_t ns)
{
    unsigned bin = fm_hist_bin(ns, FM_HIST_INTERVAL_BITS);
    uint64_t lower = fm_hist_bin_lower(bin, FM_HIST_INTERVAL_BITS);
    uint64_t upper = fm_hist_bin_upper(bin, FM_HIST_INTERVAL_BITS);
    return lower + (upper - lower + 1) / 2;
}

uint64_t
fm_label_latency_us(uint64_t ns, FmLabelRule rule)
{
    if (rule == FM_LABEL_REVIEW) {
        uint64_t middle = get_bin_middle(ns);
        return MAX(middle / 1000 + (middle % 1000 != 0), 1);
    }
    return ns / 1000 + (ns % 1000 >= 500);
}

char *
fm_label_dup_latency(uint64_t ns, FmLabelStyle style)
{
    uint64_t us = fm_label_latency_us(ns, style.rule);
    if (us == 0) {
        return g_strdup_printf("<1%sµs", get_space(style));
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT "%sµs", us, get_space(style));
}

char *
fm_label_dup_tail(uint64_t ns, FmLabelStyle style)
{
    uint64_t us = fm_label_latency_us(ns, style.rule);
    if (us < 1000) {
        return fm_label_dup_latency(ns, style);
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT ".%03u%sms", us / 1000, (unsigned)(us % 1000),
                           get_space(style));
}

char *
fm_label_dup_decimal(double value, unsigned decimals)
{
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }

    /* Room for the largest double, a sign, a dot and the decimals. */
    enum { MAX_DECIMALS = 20, SIZE = 310 + 3 + MAX_DECIMALS };
    char format[16];
    char text[SIZE];
    g_snprintf(format, sizeof format, "%%.%uf", MIN(decimals, (unsigned)MAX_DECIMALS));
    g_ascii_formatd(text, sizeof text, format, value);
    /* What rounds to zero has no sign. */
    bool is_zero = text[strspn(text, "-0.")] == '\0';
    return g_strdup(is_zero && text[0] == '-' ? text + 1 : text);
}

/* @value and @unit, or "–" without a unit. */
static char *
dup_with_unit(double value, unsigned decimals, const char *unit)
{
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }
    g_autofree char *number = fm_label_dup_decimal(value, decimals);
    return g_strconcat(number, unit, NULL);
}

char *
fm_label_dup_microseconds(double ns, unsigned decimals)
{
    return dup_with_unit(ns / 1e3, decimals, " µs");
}

char *
fm_label_dup_throughput(double bytes_per_second, FmLabelStyle style)
{
    return dup_with_unit(bytes_per_second / 1e6, 0, style.spaced ? " MB/s" : "MB/s");
}

char *
fm_label_dup_megabytes(double bytes_per_second, unsigned decimals)
{
    return dup_with_unit(bytes_per_second / 1e6, decimals, " MB/s");
}

static void
drop_zeros(char *number)
{
    if (strchr(number, '.') == NULL) {
        return;
    }
    gsize length = strlen(number);
    while (number[length - 1] == '0') {
        length--;
    }
    number[number[length - 1] == '.' ? length - 1 : length] = '\0';
}

char *
fm_label_dup_iops(double iops)
{
    if (!isfinite(iops) || fabs(iops) < 999.5) {
        return dup_with_unit(iops, 0, " IOPS");
    }
    g_autofree char *number = fm_label_dup_decimal(iops / 1e3, iops < 1e5 ? 1 : 0);
    drop_zeros(number);
    return g_strconcat(number, "k IOPS", NULL);
}

char *
fm_label_dup_point(const FmLabelPoint *point, FmLabelStyle style)
{
    g_autofree char *rate = point->is_iops ? fm_label_dup_iops(point->rate)
                                           : fm_label_dup_throughput(point->rate, style);
    if (!point->has_latency) {
        return g_steal_pointer(&rate);
    }
    g_autofree char *latency = fm_label_dup_latency(point->latency_ns, style);
    return g_strconcat(rate, style.spaced ? " @ " : "@", latency, NULL);
}

bool
fm_label_parse_point(const char *text, FmLabelPoint *point, GError **error)
{
    g_auto(GStrv) parts = g_strsplit(text, "@", 2);
    uint64_t rate = 0;
    int64_t latency_ns = 0;
    bool is_iops = false;
    bool has_latency = parts[0] != NULL && parts[1] != NULL;

    bool is_good = parts[0] != NULL;
    if (is_good) {
        is_iops = g_str_has_suffix(g_strchomp(parts[0]), "IOPS");
        is_good = is_iops ? fm_units_parse_iops(parts[0], &rate, NULL)
                          : fm_units_parse_throughput(parts[0], &rate, NULL);
    }
    if (is_good && has_latency) {
        is_good = fm_units_parse_duration(g_strchug(parts[1]), &latency_ns, NULL);
    }
    if (!is_good) {
        g_autofree char *quoted = fm_text_dup_printable(text);
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” is not a point; write it like 1412MB/s@184µs or 64.8k IOPS.", quoted);
        return false;
    }
    *point = (FmLabelPoint){
        .is_iops = is_iops,
        .rate = (double)rate,
        .has_latency = has_latency,
        .latency_ns = (uint64_t)latency_ns,
    };
    return true;
}

char *
fm_label_dup_block(uint64_t bytes)
{
    static const char *const units[] = {"B", "k", "M", "G", "T"};
    gsize i = 0;

    while (bytes != 0 && bytes % 1024 == 0 && i + 1 < G_N_ELEMENTS(units)) {
        bytes /= 1024;
        i++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT "%s", bytes, units[i]);
}

char *
fm_label_dup_workload(bool is_random, uint64_t block, uint32_t read_share)
{
    const char *pattern = is_random ? "RND" : "SEQ";
    g_autofree char *size = fm_label_dup_block(block);

    if (read_share == 0 || read_share >= SHARE_WHOLE) {
        return g_strdup_printf("%s %s %s", pattern, size, read_share == 0 ? "Write" : "Read");
    }
    /* Two digits as published; a share between is not rounded to "R100". */
    unsigned read = (read_share + SHARE_PERCENT / 2) / SHARE_PERCENT;
    read = CLAMP(read, 1, 99);
    return g_strdup_printf("%s %s R%02u:W%02u", pattern, size, read, 100 - read);
}

char *
fm_label_dup_percent(double percent, unsigned decimals)
{
    return dup_with_unit(percent, decimals, "%");
}

char *
fm_label_dup_grouped(uint64_t value)
{
    g_autofree char *digits = g_strdup_printf("%" G_GUINT64_FORMAT, value);
    gsize length = strlen(digits);
    GString *out = g_string_new(NULL);

    for (gsize i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            g_string_append_c(out, ',');
        }
        g_string_append_c(out, digits[i]);
    }
    return g_string_free(out, FALSE);
}

char *
fm_label_dup_clock(int64_t ns)
{
    if (ns < 0) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }
    int64_t seconds = ns / 1000000000 + (ns % 1000000000 >= 500000000);
    return g_strdup_printf("%" G_GINT64_FORMAT ":%02d:%02d", seconds / 3600,
                           (int)(seconds / 60 % 60), (int)(seconds % 60));
}

char *
fm_label_dup_cdm(double value, FmCdmForm form)
{
    static const struct {
        double unit;
        unsigned decimals;
        int width;
    } forms[] = {
        [FM_CDM_PANEL_MB] = {1e6, 2, 0}, [FM_CDM_PANEL_GB] = {1e9, 3, 0},
        [FM_CDM_PANEL_IOPS] = {1, 2, 0}, [FM_CDM_PANEL_US] = {1e3, 2, 0},
        [FM_CDM_TEXT_MB] = {1e6, 3, 9},  [FM_CDM_TEXT_IOPS] = {1, 1, 9},
        [FM_CDM_TEXT_US] = {1e3, 2, 9},
    };

    g_return_val_if_fail((unsigned)form < G_N_ELEMENTS(forms), NULL);
    double scaled = value / forms[form].unit;
    bool is_whole = form == FM_CDM_PANEL_MB && scaled >= 1e6;
    g_autofree char *number = fm_label_dup_decimal(scaled, is_whole ? 0 : forms[form].decimals);
    /* Padded by characters: "–" has three bytes. */
    glong padding = MAX(forms[form].width - g_utf8_strlen(number, -1), 0);
    return g_strdup_printf("%*s%s", (int)padding, "", number);
}

/* Power of ten of @value after rounding to @digits significant digits. */
static int
get_exponent(double value, unsigned digits)
{
    char format[16];
    char text[64];
    g_snprintf(format, sizeof format, "%%.%ue", digits - 1);
    g_ascii_formatd(text, sizeof text, format, value);
    return (int)g_ascii_strtoll(strchr(text, 'e') + 1, NULL, 10);
}

char *
fm_label_dup_significant(double value, unsigned digits)
{
    g_return_val_if_fail(digits >= 1 && digits <= 15, NULL);
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }

    int exponent = value == 0 ? 0 : get_exponent(fabs(value), digits);
    int decimals = (int)digits - 1 - exponent;
    double magnitude = fabs(value);
    if (decimals < 0) {
        double unit = pow(10, -decimals);
        magnitude = round(magnitude / unit) * unit;
    }
    g_autofree char *number = fm_label_dup_decimal(magnitude, (unsigned)MAX(decimals, 0));
    return g_strconcat(value < 0 ? TRUE_MINUS : "", number, NULL);
}

typedef struct {
    double factor;
    const char *unit;
} Prefix;

/* Ended by a factor of 0. */
static const Prefix prefixes[][7] = {
    [FM_QUANTITY_TIME] = {{1, THIN_SPACE "ns"},
                          {1e3, THIN_SPACE "µs"},
                          {1e6, THIN_SPACE "ms"},
                          {1e9, THIN_SPACE "s"}},
    [FM_QUANTITY_THROUGHPUT] = {{1, THIN_SPACE "B/s"},
                                {1e3, THIN_SPACE "kB/s"},
                                {1e6, THIN_SPACE "MB/s"},
                                {1e9, THIN_SPACE "GB/s"}},
    [FM_QUANTITY_IOPS] = {{1, THIN_SPACE "IOPS"},
                          {1e3, "k" THIN_SPACE "IOPS"},
                          {1e6, "M" THIN_SPACE "IOPS"}},
    [FM_QUANTITY_CAPACITY] = {{1, THIN_SPACE "B"},
                              {1e3, THIN_SPACE "kB"},
                              {1e6, THIN_SPACE "MB"},
                              {1e9, THIN_SPACE "GB"},
                              {1e12, THIN_SPACE "TB"},
                              {1e15, THIN_SPACE "PB"}},
    [FM_QUANTITY_PERCENT] = {{1, THIN_SPACE "%"}},
    [FM_QUANTITY_NUMBER] = {{1, ""}},
};

/* The largest prefix that leaves a whole digit after rounding: 999.7 k is 1.00 M. */
static const Prefix *
choose_prefix(double value, FmQuantity quantity)
{
    enum { DIGITS = 3 };
    const Prefix *prefix = prefixes[quantity];
    while (prefix[1].factor != 0 && value != 0 &&
           get_exponent(fabs(value) / prefix[1].factor, DIGITS) >= 0) {
        prefix++;
    }
    return prefix;
}

char *
fm_label_dup_figure(double value, FmQuantity quantity)
{
    g_return_val_if_fail((unsigned)quantity < G_N_ELEMENTS(prefixes), NULL);
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }
    const Prefix *prefix = choose_prefix(value, quantity);
    g_autofree char *number = fm_label_dup_significant(value / prefix->factor, 3);
    return g_strconcat(number, prefix->unit, NULL);
}

char *
fm_label_dup_capacity(uint64_t bytes, bool spaced)
{
    const Prefix *prefix = choose_prefix((double)bytes, FM_QUANTITY_CAPACITY);
    g_autofree char *number = fm_label_dup_significant((double)bytes / prefix->factor, 3);
    drop_zeros(number);
    const char *unit = prefix->unit + strlen(THIN_SPACE);
    return g_strconcat(number, spaced ? " " : "", unit, NULL);
}
