/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One parser for all quantities, driven by a table of units, in integers throughout:
 * "0.1GB" is exactly 100,000,000 bytes, and a fraction of a byte is refused instead of
 * rounded.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/units.h"

#include "base/error.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <stdarg.h>
#include <string.h>

typedef struct {
    const char *name; /* "" where a number without a unit has this meaning */
    uint64_t factor;
} Unit;

typedef struct {
    const char *noun;
    const char *examples;
    const char *whole; /* what the value is a whole number of */
    uint64_t max;
    const Unit *units; /* ended by a NULL name */
} Quantity;

/* A number as it was written, digits / 10^n_decimals, and what it comes to. */
typedef struct {
    uint64_t digits;
    unsigned n_decimals;
    const Unit *unit;
    uint64_t value;
} Reading;

static const Unit size_units[] = {
    {"B", 1},
    {"", 1},
    {"KiB", 1ull << 10},
    {"K", 1ull << 10},
    {"MiB", 1ull << 20},
    {"M", 1ull << 20},
    {"GiB", 1ull << 30},
    {"G", 1ull << 30},
    {"TiB", 1ull << 40},
    {"T", 1ull << 40},
    {"PiB", 1ull << 50},
    {"P", 1ull << 50},
    {"kB", 1000ull},
    {"MB", 1000000ull},
    {"GB", 1000000000ull},
    {"TB", 1000000000000ull},
    {"PB", 1000000000000000ull},
    {NULL, 0},
};
static const Quantity size_quantity = {N_("a size"), N_("64MiB, 64MB or 4096"), N_("bytes"),
                                       UINT64_MAX, size_units};

static const Unit duration_units[] = {
    {"ns", 1},
    {"us", 1000},
    {"\u00B5s", 1000}, /* micro sign */
    {"\u03BCs", 1000}, /* small letter mu */
    {"ms", 1000000},
    {"s", 1000000000ull},
    {"min", 60000000000ull},
    {"h", 3600000000000ull},
    {"d", 86400000000000ull},
    {NULL, 0},
};
static const Quantity duration_quantity = {N_("a time"), N_("500ms, 5s, 2min or 1h"),
                                           N_("nanoseconds"), INT64_MAX, duration_units};

static const Unit percent_units[] = {{"%", 10000}, {NULL, 0}};
static const Quantity percent_quantity = {N_("a percentage"), "25%", N_("millionths"), UINT32_MAX,
                                          percent_units};

static const Unit count_units[] = {{"", 1}, {NULL, 0}};
static const Quantity count_quantity = {N_("a whole number"), "32", N_("units"), UINT64_MAX,
                                        count_units};

static const Unit throughput_units[] = {
    {"B/s", 1},
    {"kB/s", 1000},
    {"MB/s", 1000000},
    {"GB/s", 1000000000},
    {"KiB/s", 1ull << 10},
    {"MiB/s", 1ull << 20},
    {"GiB/s", 1ull << 30},
    {NULL, 0},
};
static const Quantity throughput_quantity = {N_("a throughput"), N_("600MB/s or 600MiB/s"),
                                             N_("bytes per second"), UINT64_MAX, throughput_units};

static const Unit iops_units[] = {
    {"IOPS", 1},         {"k IOPS", 1000},   {"kIOPS", 1000},
    {"M IOPS", 1000000}, {"MIOPS", 1000000}, {NULL, 0},
};
static const Quantity iops_quantity = {"a rate of I/Os", "64.8k IOPS or 450 IOPS",
                                       "I/Os per second", UINT64_MAX, iops_units};

/* --- Reading -------------------------------------------------------------------- */

static bool
append_digit(Reading *reading, char digit)
{
    uint64_t tens;
    return !__builtin_mul_overflow(reading->digits, UINT64_C(10), &tens) &&
           !__builtin_add_overflow(tens, (uint64_t)(digit - '0'), &reading->digits);
}

/*
 * Reads "12" or "12.50" and returns what follows it; NULL when no number stands there.
 * @is_too_long tells that there is one, but with more digits than we keep.
 */
static const char *
read_decimal(const char *text, Reading *reading, bool *is_too_long)
{
    const char *at = text;
    *reading = (Reading){0};
    *is_too_long = false;

    for (; g_ascii_isdigit(*at); at++) {
        *is_too_long = *is_too_long || !append_digit(reading, *at);
    }
    if (at == text || *at != '.') {
        return at != text ? at : NULL;
    }

    const char *first = at + 1;
    const char *end = first + strspn(first, "0123456789");
    const char *last = end;
    /* Zeros at the end say nothing and must not overflow. */
    while (last > first && last[-1] == '0') {
        last--;
    }
    for (at = first; at < last; at++) {
        *is_too_long = *is_too_long || !append_digit(reading, *at);
        reading->n_decimals++;
    }
    return end > first ? end : NULL;
}

static char *
dup_decimal(const Reading *reading)
{
    if (reading->n_decimals == 0) {
        return g_strdup_printf("%" G_GUINT64_FORMAT, reading->digits);
    }
    g_autofree char *digits =
        g_strdup_printf("%0*" G_GINT64_MODIFIER "u", (int)reading->n_decimals + 1, reading->digits);
    gsize n_whole = strlen(digits) - reading->n_decimals;
    return g_strdup_printf("%.*s.%s", (int)n_whole, digits, digits + n_whole);
}

/* The size as it was written, but with the full name of its unit. */
static char *
dup_spelling(const Reading *reading)
{
    const Unit *unit = reading->unit;
    /* "K" stands after "KiB" in the table and means the same. */
    if (unit > size_units && unit[-1].factor == unit->factor) {
        unit--;
    }
    g_autofree char *number = dup_decimal(reading);
    return g_strdup_printf("%s %s", number, unit->name);
}

static const Unit *
find_unit(const Quantity *quantity, const char *name)
{
    for (const Unit *unit = quantity->units; unit->name != NULL; unit++) {
        /* ASCII only: a Turkish locale must not turn "MIB" into something else. */
        if (g_ascii_strcasecmp(unit->name, name) == 0) {
            return unit;
        }
    }
    return NULL;
}

/* The value of @reading, from its digits and unit. */
static bool
scale(Reading *reading, const char *text, const Quantity *quantity, GError **error)
{
    unsigned __int128 product = (unsigned __int128)reading->digits * reading->unit->factor;
    unsigned __int128 divisor = 1;

    /* The product is below 10^36, so more decimals than that leave a fraction anyway. */
    for (unsigned i = 0; i < MIN(reading->n_decimals, 36); i++) {
        divisor *= 10;
    }
    if (product % divisor != 0) {
        g_autoptr(FmMessage) whole = fm_message_new_words(quantity->whole);
        fm_error_set(error, FM_ERROR_INVALID, "“%s” is not a whole number of %p.", text, whole);
        return false;
    }
    product /= divisor;
    if (product > quantity->max) {
        fm_error_set(error, FM_ERROR_INVALID, "“%s” is too large.", text);
        return false;
    }
    reading->value = (uint64_t)product;
    return true;
}

/* Reads the whole of @text. */
static bool
read_quantity(const char *text, const Quantity *quantity, Reading *reading, GError **error)
{
    bool is_too_long;
    const char *unit = read_decimal(text, reading, &is_too_long);
    if (unit != NULL && is_too_long) {
        fm_error_set(error, FM_ERROR_INVALID, "“%s” has too many digits.", text);
        return false;
    }
    if (unit != NULL) {
        reading->unit = find_unit(quantity, unit + strspn(unit, " "));
    }
    /* A space with nothing after it is not "no unit". */
    if (unit == NULL || reading->unit == NULL || (*unit == ' ' && reading->unit->name[0] == '\0')) {
        g_autoptr(FmMessage) noun = fm_message_new_words(quantity->noun);
        g_autoptr(FmMessage) examples = fm_message_new_words(quantity->examples);
        fm_error_set(error, FM_ERROR_INVALID, "“%s” is not %p; write it like %p.", text, noun,
                     examples);
        return false;
    }
    return scale(reading, text, quantity, error);
}

bool
fm_units_parse_size(const char *text, uint64_t *bytes, char **spelling, GError **error)
{
    Reading reading;
    if (!read_quantity(text, &size_quantity, &reading, error)) {
        return false;
    }
    *bytes = reading.value;
    if (spelling != NULL) {
        *spelling = reading.unit->name[0] != '\0' ? dup_spelling(&reading)
                                                  : fm_units_dup_size(reading.value);
    }
    return true;
}

bool
fm_units_parse_duration(const char *text, int64_t *ns, GError **error)
{
    Reading reading;
    if (strcmp(text, "0") == 0) {
        *ns = 0;
        return true;
    }
    if (!read_quantity(text, &duration_quantity, &reading, error)) {
        return false;
    }
    *ns = (int64_t)reading.value;
    return true;
}

bool
fm_units_parse_percent(const char *text, uint32_t *per_million, GError **error)
{
    Reading reading;
    if (!read_quantity(text, &percent_quantity, &reading, error)) {
        return false;
    }
    *per_million = (uint32_t)reading.value;
    return true;
}

static bool
parse_plain(const char *text, const Quantity *quantity, uint64_t *value, GError **error)
{
    Reading reading;
    if (!read_quantity(text, quantity, &reading, error)) {
        return false;
    }
    *value = reading.value;
    return true;
}

bool
fm_units_parse_count(const char *text, uint64_t *count, GError **error)
{
    return parse_plain(text, &count_quantity, count, error);
}

bool
fm_units_parse_throughput(const char *text, uint64_t *bytes_per_second, GError **error)
{
    return parse_plain(text, &throughput_quantity, bytes_per_second, error);
}

bool
fm_units_parse_iops(const char *text, uint64_t *iops, GError **error)
{
    return parse_plain(text, &iops_quantity, iops, error);
}

/* --- Writing -------------------------------------------------------------------- */

char *
fm_units_dup_size(uint64_t bytes)
{
    static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    gsize i = 0;

    while (bytes != 0 && bytes % 1024 == 0 && i + 1 < G_N_ELEMENTS(names)) {
        bytes /= 1024;
        i++;
    }
    return g_strdup_printf("%" G_GUINT64_FORMAT " %s", bytes, names[i]);
}

char *
fm_units_dup_duration(int64_t ns)
{
    static const struct {
        const char *name;
        int64_t ns;
    } steps[] = {
        {"h", 3600000000000}, {"min", 60000000000}, {"s", 1000000000},
        {"ms", 1000000},      {"us", 1000},         {"ns", 1},
    };

    g_return_val_if_fail(ns >= 0, NULL);
    if (ns == 0) {
        return g_strdup("0s");
    }
    gsize i = 0;
    while (ns % steps[i].ns != 0) {
        i++;
    }
    return g_strdup_printf("%" G_GINT64_FORMAT "%s", ns / steps[i].ns, steps[i].name);
}

char *
fm_units_dup_percent(uint32_t per_million)
{
    Reading reading = {.digits = per_million, .n_decimals = 4};
    while (reading.n_decimals > 0 && reading.digits % 10 == 0) {
        reading.digits /= 10;
        reading.n_decimals--;
    }
    g_autofree char *number = dup_decimal(&reading);
    return g_strconcat(number, "%", NULL);
}
