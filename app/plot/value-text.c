/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units, decimals and the few words that figures say by themselves.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/value-text.h"

#include "base/label.h"
#include "base/language.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#define THIN_SPACE "\u2009"
#define TRUE_MINUS "\u2212"

/* Smallest first; a fold holds from its factor times `from` on.  Ended by a factor of 0. */
typedef struct {
    double factor;
    double from;
    const char *text;
} FoldEntry;

static const FoldEntry folds_rate[] = {{1e6, 0, "MB/s"}, {1e9, 20, "GB/s"}, {0, 0, NULL}};
static const FoldEntry folds_iops[] = {{1, 0, "IOPS"}, {1e3, 10, "k IOPS"}, {0, 0, NULL}};
static const FoldEntry folds_time[] = {
    {1e-9, 0, "ns"}, {1e-6, 1, "µs"}, {1e-3, 1, "ms"}, {1, 1, "s"}, {0, 0, NULL}};
static const FoldEntry folds_bytes[] = {{1, 0, "B"},    {1e3, 1, "kB"},   {1e6, 1, "MB"},
                                        {1e9, 1, "GB"}, {1e12, 10, "TB"}, {0, 0, NULL}};
static const FoldEntry folds_binary[] = {{1, 0, "B"},
                                         {1024.0, 1, "KiB"},
                                         {1048576.0, 1, "MiB"},
                                         {1073741824.0, 1, "GiB"},
                                         {1099511627776.0, 1, "TiB"},
                                         {0, 0, NULL}};
static const FoldEntry folds_share[] = {{0.01, 0, "%"}, {0, 0, NULL}};
static const FoldEntry folds_celsius[] = {{1, 0, "°C"}, {0, 0, NULL}};
static const FoldEntry folds_number[] = {{1, 0, ""}, {0, 0, NULL}};

static const FoldEntry *
get_folds(FmUnit unit)
{
    switch (unit) {
    case FM_UNIT_BYTES_PER_SECOND:
        return folds_rate;
    case FM_UNIT_IOPS:
        return folds_iops;
    case FM_UNIT_SECONDS:
        return folds_time;
    case FM_UNIT_BYTES:
        return folds_bytes;
    case FM_UNIT_BINARY_BYTES:
        return folds_binary;
    case FM_UNIT_SHARE:
        return folds_share;
    case FM_UNIT_CELSIUS:
        return folds_celsius;
    case FM_UNIT_CLOCK:
    case FM_UNIT_NUMBER:
    default:
        return folds_number;
    }
}

FmFold
fm_fold_for(FmUnit unit, double max)
{
    const FoldEntry *entry = get_folds(unit);
    /* Sums of doubles end a hair below the unit. */
    double magnitude = fabs(max) * (1 + 1e-9);

    while (entry[1].factor > 0 && magnitude >= entry[1].factor * entry[1].from) {
        entry++;
    }
    return (FmFold){entry->factor, entry->text};
}

/* --- Ticks ------------------------------------------------------------------------ */

static char *
group_thousands(const char *digits)
{
    GString *out = g_string_new(NULL);
    size_t n = strspn(digits, "0123456789");

    for (size_t i = 0; i < n; i++) {
        if (i > 0 && n > 4 && (n - i) % 3 == 0) {
            g_string_append_c(out, ',');
        }
        g_string_append_c(out, digits[i]);
    }
    g_string_append(out, digits + n);
    return g_string_free(out, FALSE);
}

static char *
dup_extreme(double value)
{
    char text[32];
    g_ascii_formatd(text, sizeof text, "%.3g", value);
    return g_strdup(text);
}

char *
fm_value_dup_tick(double value, double step)
{
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }
    double magnitude = fabs(value);
    if (magnitude >= 1e12 || (magnitude != 0 && magnitude < 1e-6)) {
        return dup_extreme(value);
    }
    unsigned decimals = 0;
    for (double rest = fabs(step); decimals < 6 && isfinite(rest); decimals++, rest *= 10) {
        if (fabs(rest - round(rest)) < 1e-6 * MAX(1, rest) && round(rest) > 0) {
            break;
        }
    }
    g_autofree char *number = fm_label_dup_decimal(magnitude, decimals);
    g_autofree char *grouped = group_thousands(number);
    if (strspn(grouped, "0.") == strlen(grouped)) {
        return g_strdup("0");
    }
    return g_strconcat(value < 0 ? TRUE_MINUS : "", grouped, NULL);
}

char *
fm_value_dup_clock_tick(double seconds, double step, double max, const char **unit)
{
    if (!isfinite(seconds) || fabs(seconds) > 1e9) {
        *unit = "";
        return dup_extreme(seconds);
    }
    if (max < 60 || step < 1) {
        *unit = "s";
        return fm_value_dup_tick(seconds, step);
    }
    int64_t whole = llround(fabs(seconds));
    const char *sign = seconds < 0 && whole > 0 ? TRUE_MINUS : "";
    int64_t minutes = whole / 60;
    if (max < 3600) {
        *unit = "min";
        return g_strdup_printf("%s%d:%02d", sign, (int)minutes, (int)(whole % 60));
    }
    *unit = "h";
    if (step >= 60) {
        return g_strdup_printf("%s%d:%02d", sign, (int)(minutes / 60), (int)(minutes % 60));
    }
    return g_strdup_printf("%s%d:%02d:%02d", sign, (int)(minutes / 60), (int)(minutes % 60),
                           (int)(whole % 60));
}

/* --- For people ------------------------------------------------------------------- */

/* Three digits, none lost before the point. */
static char *
dup_three(double value)
{
    double magnitude = fabs(value);
    if (magnitude >= 1e12 || (magnitude != 0 && magnitude < 1e-4)) {
        return dup_extreme(value);
    }
    unsigned decimals = magnitude >= 99.95 || magnitude == 0 ? 0 : magnitude >= 9.995 ? 1 : 2;
    g_autofree char *number = fm_label_dup_decimal(magnitude, decimals);
    g_autofree char *grouped = group_thousands(number);
    return g_strconcat(value < 0 ? TRUE_MINUS : "", grouped, NULL);
}

/* All the nines there are, then one more digit: 0.99995 is 99.995 %, not 100 %. */
static char *
dup_share(double share)
{
    unsigned decimals = 1;
    if (share > 0.99 && share < 1) {
        decimals = (unsigned)CLAMP(ceil(-log10(1 - share) - 1e-9) - 2, 1, 9);
    }
    g_autofree char *number = fm_label_dup_decimal(fabs(share) * 100, decimals);
    char *end = number + strlen(number);
    while (strchr(number, '.') && (end[-1] == '0' || end[-1] == '.')) {
        bool is_point = *--end == '.';
        *end = '\0';
        if (is_point) {
            break;
        }
    }
    return g_strconcat(share < 0 ? TRUE_MINUS : "", number, NULL);
}

char *
fm_value_dup(FmUnit unit, double value)
{
    if (!isfinite(value)) {
        return g_strdup(FM_LABEL_UNKNOWN);
    }
    if (unit == FM_UNIT_CLOCK && value >= 0 && value < 1e9) {
        return fm_label_dup_clock((int64_t)(value * 1e9));
    }
    if (unit == FM_UNIT_IOPS && value >= 0 && value < 1e12) {
        return fm_label_dup_iops(value);
    }
    FmFold fold = fm_fold_for(unit, value);
    g_autofree char *number =
        unit == FM_UNIT_SHARE ? dup_share(value) : dup_three(value / fold.factor);
    return *fold.text ? g_strconcat(number, THIN_SPACE, fold.text, NULL) : g_steal_pointer(&number);
}

const char *
fm_word(FmWord word, const char *language)
{
    static const char *const words[] = {
        [FM_WORD_MAX] = N_("max"),
        [FM_WORD_NO_ROOM] = N_("No room for this figure here"),
        [FM_WORD_NO_DATA] = N_("No data"),
    };
    return fm_language_translate(language, words[word]);
}
