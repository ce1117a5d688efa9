/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the ticks of a scale stand and what they say.  Every loop counts to a number worked out
 * beforehand and capped, because limits may be anything.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/scale.h"

#include "plot/value-text.h"

#include <math.h>
#include <string.h>

enum {
    SUB_GRID_POINTS = 60, /* a decade must be longer than this to have 2 .. 9 */
    LABELS_2_5_POINTS = 110, /* and than this to have them labelled at 2 and 5 */
    MAX_NINES = 15,
};

static FmTick *
add_tick(FmScale *scale, double value, char *label)
{
    FmTick tick = {.value = value, .at = fm_scale_map(scale, value), .label = label};
    if (!(tick.at >= -1e-9 && tick.at <= 1 + 1e-9) || scale->ticks->len >= FM_SCALE_MAX_TICKS) {
        g_free(label);
        return NULL;
    }
    g_array_append_val(scale->ticks, tick);
    return &g_array_index(scale->ticks, FmTick, scale->ticks->len - 1);
}

static int
compare_ticks_cb(gconstpointer a, gconstpointer b)
{
    double first = ((const FmTick *)a)->at;
    double second = ((const FmTick *)b)->at;
    return (first > second) - (first < second);
}

/* --- Linear ----------------------------------------------------------------------- */

static double
choose_decimal_step(double rough)
{
    static const double steps[] = {1, 2, 5, 10};
    double unit = pow(10, floor(log10(rough)));

    for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (steps[i] * unit >= rough * (1 - 1e-9)) {
            return steps[i] * unit;
        }
    }
    return 10 * unit;
}

static double
choose_clock_step(double rough)
{
    static const double steps[] = {1,     2,     5,     10,    15,     30,    60,
                                   120,   300,   600,   900,   1800,   3600,  7200,
                                   10800, 21600, 43200, 86400, 172800, 604800};
    if (rough <= 0.5) {
        return choose_decimal_step(rough);
    }
    for (unsigned i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (steps[i] >= rough * (1 - 1e-9)) {
            return steps[i];
        }
    }
    return choose_decimal_step(rough / 86400) * 86400;
}

double
fm_scale_choose_step(FmUnit unit, double range, double n_steps)
{
    double rough = fabs(range) / CLAMP(n_steps, 1.0, 20.0);

    if (!(rough > 1e-300) || !isfinite(rough)) {
        return 1;
    }
    if (unit == FM_UNIT_CLOCK) {
        return choose_clock_step(rough);
    }
    if (unit == FM_UNIT_BINARY_BYTES) {
        return exp2(ceil(log2(rough) - 1e-9));
    }
    if (unit == FM_UNIT_SHARE && rough > 0.2 && rough <= 0.25) {
        return 0.25;
    }
    return choose_decimal_step(rough);
}

static void
add_linear(FmScale *scale, const FmScaleSpec *spec)
{
    double range = scale->max - scale->min;
    double step = scale->step > 0
                      ? scale->step
                      : fm_scale_choose_step(scale->unit, range, spec->length / spec->gap);
    double largest = MAX(fabs(scale->min), fabs(scale->max));
    FmFold fold = fm_fold_for(scale->unit, largest);
    double first = ceil(scale->min / step - 1e-6);
    double count = floor(scale->max / step + 1e-6) - first;

    scale->unit_text = fold.text;
    for (unsigned i = 0; i <= (unsigned)CLAMP(count, 0, FM_SCALE_MAX_TICKS / 2); i++) {
        double value = (first + i) * step;
        char *label = scale->unit == FM_UNIT_CLOCK
                          ? fm_value_dup_clock_tick(value, step, largest, &scale->unit_text)
                          : fm_value_dup_tick(value / fold.factor, step / fold.factor);
        add_tick(scale, value, label);
    }
}

/* --- Logarithms ------------------------------------------------------------------- */

/* Ticks of units that change along the axis say so where they do: 1 µs, 10, 100, 1 ms. */
static void
label_in_units(FmScale *scale)
{
    const char *previous = NULL;
    FmFold low = fm_fold_for(scale->unit, scale->min);
    FmFold high = fm_fold_for(scale->unit, scale->max);
    bool is_uniform = scale->unit != FM_UNIT_SECONDS && scale->unit != FM_UNIT_BINARY_BYTES;
    FmFold only = is_uniform ? high : low;

    for (unsigned i = 0; i < scale->ticks->len; i++) {
        FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        if (!tick->label) {
            continue;
        }
        FmFold fold = is_uniform ? only : fm_fold_for(scale->unit, tick->value);
        double value = tick->value / fold.factor;
        g_autofree char *number =
            tick->value == 0 ? g_strdup("0") : fm_value_dup_tick(value, value);
        bool is_new = !is_uniform && tick->value > 0 && (!previous || strcmp(previous, fold.text));
        g_free(tick->label);
        tick->label =
            is_new ? g_strconcat(number, "\u2009", fold.text, NULL) : g_steal_pointer(&number);
        previous = tick->value > 0 ? fold.text : previous;
    }
    scale->unit_text = is_uniform ? only.text : "";
}

static void
add_decade(FmScale *scale, double decade, double points, double gap)
{
    add_tick(scale, pow(10, decade), g_strdup(""));
    if (points <= SUB_GRID_POINTS) {
        return;
    }
    bool has_labels = points > LABELS_2_5_POINTS && points * 0.2 > gap * 0.6;
    for (unsigned digit = 2; digit <= 9; digit++) {
        bool is_labelled = has_labels && (digit == 2 || digit == 5);
        add_tick(scale, digit * pow(10, decade), is_labelled ? g_strdup("") : NULL);
    }
}

static unsigned
count_labels(const FmScale *scale)
{
    unsigned n = 0;
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        n += g_array_index(scale->ticks, FmTick, i).label != NULL;
    }
    return n;
}

/* Within one decade: even steps, whose labels stand apart at the upper end too. */
static void
add_within_decade(FmScale *scale, const FmScaleSpec *spec)
{
    double range = scale->max - scale->min;
    double step = choose_decimal_step(range / CLAMP(spec->length / spec->gap / 1.6, 1.0, 10.0));
    double first = ceil(scale->min / step - 1e-6);
    double count = floor(scale->max / step + 1e-6) - first;

    for (unsigned i = 0; i <= (unsigned)CLAMP(count, 0, 20); i++) {
        if ((first + i) * step > 0) {
            add_tick(scale, (first + i) * step, g_strdup(""));
        }
    }
}

static void
clear_ticks(FmScale *scale)
{
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        g_free(g_array_index(scale->ticks, FmTick, i).label);
    }
    g_array_set_size(scale->ticks, 0);
}

static void
add_log10(FmScale *scale, const FmScaleSpec *spec)
{
    double low = floor(log10(scale->min) - 1e-9);
    double high = ceil(log10(scale->max) + 1e-9);
    double n_decades = MAX(log10(scale->max) - log10(scale->min), 1e-9);
    double points = spec->length * (1 - scale->zero_gutter) / n_decades;
    double stride = MAX(1, ceil(spec->gap * 0.8 / points));

    for (double decade = low; decade <= high && decade - low < 700; decade += stride) {
        add_decade(scale, decade, points, spec->gap);
    }
    if (count_labels(scale) < 2) {
        clear_ticks(scale);
        add_within_decade(scale, spec);
    }
    if (scale->zero_gutter > 0) {
        add_tick(scale, 0, g_strdup(""));
    }
    g_array_sort(scale->ticks, compare_ticks_cb);
    label_in_units(scale);
}

static void
add_log2(FmScale *scale, const FmScaleSpec *spec)
{
    double low = ceil(log2(scale->min) - 1e-6);
    double high = floor(log2(scale->max) + 1e-6);
    double n = MAX(log2(scale->max) - log2(scale->min), 1e-9);
    double points = spec->length * (1 - scale->zero_gutter) / n;
    double stride = MAX(1, ceil(spec->gap * 0.7 / points));

    if (high < low) {
        add_within_decade(scale, spec);
    }
    for (double power = low; power <= high && power - low < 2100; power += stride) {
        add_tick(scale, exp2(power), g_strdup(""));
    }
    if (scale->zero_gutter > 0) {
        add_tick(scale, 0, g_strdup(""));
    }
    g_array_sort(scale->ticks, compare_ticks_cb);
    label_in_units(scale);
}

/* --- Nines and categories --------------------------------------------------------- */

/* "0", "90", "99", "99.9" ... */
static char *
dup_nines(unsigned n)
{
    GString *out = g_string_new(n == 0 ? "0" : "9");
    if (n == 1) {
        g_string_append_c(out, '0');
    }
    for (unsigned i = 2; i <= n; i++) {
        g_string_append(out, i == 3 ? ".9" : "9");
    }
    return g_string_free(out, FALSE);
}

static void
add_nines(FmScale *scale, const FmScaleSpec *spec)
{
    double points = spec->length * (1 - scale->max_gutter) /
                    MAX(fm_scale_transform(FM_SCALE_NINES, scale->max) -
                            fm_scale_transform(FM_SCALE_NINES, scale->min),
                        1e-9);
    unsigned stride = (unsigned)CLAMP(ceil(spec->gap * 0.6 / points), 1.0, (double)MAX_NINES);

    for (unsigned i = 0; i <= MAX_NINES; i += stride) {
        add_tick(scale, 1 - pow(10, -(double)i), dup_nines(i));
    }
    if (points * 0.3 > spec->gap * 0.6) {
        add_tick(scale, 0.5, g_strdup("50"));
    }
    if (scale->max_gutter > 0) {
        add_tick(scale, 1, g_strdup(fm_word(FM_WORD_MAX, spec->language)));
    }
    g_array_sort(scale->ticks, compare_ticks_cb);
    scale->unit_text = fm_fold_for(FM_UNIT_SHARE, 1).text;
}

static void
add_categories(FmScale *scale, const FmScaleSpec *spec)
{
    GStrv names = spec->axis->categories;
    unsigned n = names ? g_strv_length(names) : 0;

    for (unsigned i = 0; i < MIN(n, (unsigned)FM_SCALE_MAX_TICKS); i++) {
        add_tick(scale, i, g_strdup(names[i]));
    }
}

void
fm_scale_add_ticks(FmScale *scale, const FmScaleSpec *spec)
{
    switch (scale->kind) {
    case FM_SCALE_LOG10:
        add_log10(scale, spec);
        break;
    case FM_SCALE_LOG2:
        add_log2(scale, spec);
        break;
    case FM_SCALE_NINES:
        add_nines(scale, spec);
        break;
    case FM_SCALE_CATEGORY:
        add_categories(scale, spec);
        break;
    case FM_SCALE_LINEAR:
    default:
        add_linear(scale, spec);
    }
}
