/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers of axes as text and back.  Any thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/axis-unit.h"

#include "base/error.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

typedef struct {
    const char *symbol;
    double factor; /* SI units of one */
} Unit;

static const Unit units[] = {
    [FM_UNIT_NUMBER] = {"", 1},
    [FM_UNIT_BYTES_PER_SECOND] = {"MB/s", 1e6},
    [FM_UNIT_IOPS] = {"IOPS", 1},
    [FM_UNIT_SECONDS] = {"µs", 1e-6},
    [FM_UNIT_CLOCK] = {"s", 1},
    [FM_UNIT_BYTES] = {"GB", 1e9},
    [FM_UNIT_BINARY_BYTES] = {"GiB", 1024.0 * 1024 * 1024},
    [FM_UNIT_SHARE] = {"%", 0.01},
    [FM_UNIT_CELSIUS] = {"°C", 1},
};

const char *
fm_axis_unit_get_symbol(FmUnit unit)
{
    return units[unit].symbol;
}

char *
fm_axis_unit_dup_text(FmUnit unit, double value)
{
    enum { DIGITS = 6 };
    double number = value / units[unit].factor;
    char format[16];
    char text[G_ASCII_DTOSTR_BUF_SIZE + 320];

    if (!isfinite(number)) {
        return g_strdup("");
    }
    int magnitude = number != 0 ? (int)floor(log10(fabs(number))) : 0;
    g_snprintf(format, sizeof format, "%%.%df", CLAMP(DIGITS - 1 - magnitude, 0, 12));
    g_ascii_formatd(text, (int)sizeof text, format, number);
    if (strchr(text, '.') != NULL) {
        gsize length = strlen(text);
        while (text[length - 1] == '0') {
            text[--length] = '\0';
        }
        if (text[length - 1] == '.') {
            text[length - 1] = '\0';
        }
    }
    return g_strdup(strcmp(text, "-0") == 0 ? "0" : text);
}

/* "1:30:00", "2:30" in seconds. */
static bool
parse_clock(const char *text, double *seconds)
{
    g_auto(GStrv) parts = g_strsplit(text, ":", -1);
    guint n_parts = g_strv_length(parts);

    if (n_parts < 2 || n_parts > 3) {
        return false;
    }
    *seconds = 0;
    for (guint i = 0; i < n_parts; i++) {
        char *end;
        double part = g_ascii_strtod(parts[i], &end);
        if (end == parts[i] || *end != '\0' || part < 0 || !isfinite(part)) {
            return false;
        }
        *seconds = *seconds * 60 + part;
    }
    return true;
}

/* What @text with a unit of its own means. */
static bool
parse_with_unit(FmUnit unit, const char *text, double *value)
{
    uint64_t number;
    int64_t ns;
    uint32_t per_million;

    switch (unit) {
    case FM_UNIT_BYTES_PER_SECOND:
        *value = fm_units_parse_throughput(text, &number, NULL) ? (double)number : NAN;
        break;
    case FM_UNIT_IOPS:
        *value = fm_units_parse_iops(text, &number, NULL) ? (double)number : NAN;
        break;
    case FM_UNIT_CLOCK:
    case FM_UNIT_SECONDS:
        *value = fm_units_parse_duration(text, &ns, NULL) ? (double)ns / 1e9 : NAN;
        break;
    case FM_UNIT_BYTES:
    case FM_UNIT_BINARY_BYTES:
        *value = fm_units_parse_size(text, &number, NULL, NULL) ? (double)number : NAN;
        break;
    case FM_UNIT_SHARE:
        *value = fm_units_parse_percent(text, &per_million, NULL) ? per_million / 1e6 : NAN;
        break;
    case FM_UNIT_NUMBER:
    case FM_UNIT_CELSIUS:
        *value = NAN;
        break;
    }
    return isfinite(*value);
}

bool
fm_axis_unit_parse(FmUnit unit, const char *text, double *value, GError **error)
{
    g_autofree char *stripped = g_strstrip(g_strdup(text));
    char *end;

    if (*stripped == '\0') {
        *value = NAN;
        return true;
    }
    double number = g_ascii_strtod(stripped, &end) * units[unit].factor;
    if (end != stripped && *end == '\0' && isfinite(number)) {
        *value = number;
        return true;
    }
    if (parse_with_unit(unit, stripped, value) ||
        (unit == FM_UNIT_CLOCK && parse_clock(stripped, value))) {
        return true;
    }
    fm_error_set(error, FM_ERROR_INVALID, "“%s” is not a number of this axis.", stripped);
    return false;
}
