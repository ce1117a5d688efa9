/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quantities as text: what is accepted and as what, what is refused with which sentence,
 * and that everything written reads back as itself.
 */
#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"
#include "each-locale.h"

#include <string.h>

static void
test_sizes(void)
{
    static const struct {
        const char *text;
        uint64_t bytes;
        const char *spelling;
    } cases[] = {
        {"0", 0, "0 B"},
        {"4096", 4096, "4 KiB"},
        {"1000", 1000, "1000 B"},
        {"512B", 512, "512 B"},
        {"4k", 4096, "4 KiB"},
        {"4K", 4096, "4 KiB"},
        {"128k", 131072, "128 KiB"},
        {"1M", 1048576, "1 MiB"},
        {"64M", 67108864, "64 MiB"},
        {"64MiB", 67108864, "64 MiB"},
        {"64mib", 67108864, "64 MiB"},
        {"64 MIB", 67108864, "64 MiB"},
        {"64MB", 64000000, "64 MB"},
        {"64mb", 64000000, "64 MB"},
        {"500MiB", 524288000, "500 MiB"},
        {"8 GiB", 8589934592, "8 GiB"},
        {"8   G", 8589934592, "8 GiB"},
        {"2TB", 2000000000000, "2 TB"},
        {"4kB", 4000, "4 kB"},
        {"1.5GiB", 1610612736, "1.5 GiB"},
        {"1.50G", 1610612736, "1.5 GiB"},
        {"0.5k", 512, "0.5 KiB"},
        {"0.001MB", 1000, "0.001 MB"},
        {"0064M", 67108864, "64 MiB"},
        {"1PiB", 1125899906842624, "1 PiB"},
        {"18446744073709551615", UINT64_MAX, "18446744073709551615 B"},
        {"1.000000000000000000000000000000000000000000000k", 1024, "1 KiB"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *spelling = NULL;
        uint64_t bytes = 1;
        g_assert_true(fm_units_parse_size(cases[i].text, &bytes, &spelling, &error));
        g_assert_no_error(error);
        g_assert_cmpuint(bytes, ==, cases[i].bytes);
        g_assert_cmpstr(spelling, ==, cases[i].spelling);

        /* What was understood means the same when typed again. */
        g_assert_true(fm_units_parse_size(spelling, &bytes, NULL, &error));
        g_assert_cmpuint(bytes, ==, cases[i].bytes);
    }
}

typedef bool (*Parse)(const char *text, GError **error);

static bool
parse_size(const char *text, GError **error)
{
    char *spelling = NULL;
    uint64_t bytes = 7;
    bool is_good = fm_units_parse_size(text, &bytes, &spelling, error);
    g_assert_true(is_good || (bytes == 7 && spelling == NULL));
    g_free(spelling);
    return is_good;
}

static bool
parse_duration(const char *text, GError **error)
{
    int64_t ns = 7;
    bool is_good = fm_units_parse_duration(text, &ns, error);
    g_assert_true(is_good || ns == 7);
    return is_good;
}

static bool
parse_percent(const char *text, GError **error)
{
    uint32_t per_million = 7;
    bool is_good = fm_units_parse_percent(text, &per_million, error);
    g_assert_true(is_good || per_million == 7);
    return is_good;
}

static bool
parse_count(const char *text, GError **error)
{
    uint64_t count = 7;
    bool is_good = fm_units_parse_count(text, &count, error);
    g_assert_true(is_good || count == 7);
    return is_good;
}

static bool
parse_throughput(const char *text, GError **error)
{
    uint64_t bytes_per_second = 7;
    bool is_good = fm_units_parse_throughput(text, &bytes_per_second, error);
    g_assert_true(is_good || bytes_per_second == 7);
    return is_good;
}

static bool
parse_iops(const char *text, GError **error)
{
    uint64_t iops = 7;
    bool is_good = fm_units_parse_iops(text, &iops, error);
    g_assert_true(is_good || iops == 7);
    return is_good;
}

/* No parser may take any of these. */
static void
test_junk_is_refused(void)
{
    static const Parse parsers[] = {parse_size,  parse_duration,   parse_percent,
                                    parse_count, parse_throughput, parse_iops};
    static const char *const texts[] = {
        "",       " ",   "-1",    "+1",    "-0",  "nan",    "inf",   "NaN s",   "1e3",   "0x10",
        "1,5",    "1.",  ".5",    ".",     "1 ",  " 1",     "1 x",   "1..5",    "1.5.5", "1\n",
        "1 MiBx", "MiB", "k",     "%",     "1\t", "1 M iB", "4k4k",  "１",      "1°",    "1 s s",
        "1%%",    "--1", "1e999", "1 IOP", "1/s", "\xFF",   "1\xFF", "1MB/s/s",
    };

    for (gsize parser = 0; parser < G_N_ELEMENTS(parsers); parser++) {
        for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
            g_autoptr(GError) error = NULL;
            g_assert_false(parsers[parser](texts[i], &error));
            g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
            g_assert_true(g_utf8_validate(error->message, -1, NULL));
        }
    }
}

static void
test_sentences(void)
{
    static const struct {
        Parse parse;
        const char *text;
        const char *message;
    } cases[] = {
        {parse_size, "64 bananas",
         "“64 bananas” is not a size; write it like 64MiB, 64MB or 4096."},
        {parse_size, "-5M", "“-5M” is not a size; write it like 64MiB, 64MB or 4096."},
        {parse_size, "1.5", "“1.5” is not a whole number of bytes."},
        {parse_size, "0.0001k", "“0.0001k” is not a whole number of bytes."},
        {parse_size, "18446744073709551616", "“18446744073709551616” has too many digits."},
        {parse_size, "16384P", "“16384P” is too large."},
        {parse_size, "\x1B[31m", "“\\x1B[31m” is not a size; write it like 64MiB, 64MB or 4096."},
        {parse_duration, "5", "“5” is not a time; write it like 500ms, 5s, 2min or 1h."},
        {parse_duration, "5m", "“5m” is not a time; write it like 500ms, 5s, 2min or 1h."},
        {parse_duration, "0.5ns", "“0.5ns” is not a whole number of nanoseconds."},
        {parse_duration, "2562048h", "“2562048h” is too large."},
        {parse_percent, "25", "“25” is not a percentage; write it like 25%."},
        {parse_percent, "0.00001%", "“0.00001%” is not a whole number of millionths."},
        {parse_percent, "430000%", "“430000%” is too large."},
        {parse_count, "3.5", "“3.5” is not a whole number of units."},
        {parse_count, "3k", "“3k” is not a whole number; write it like 32."},
        {parse_throughput, "600", "“600” is not a throughput; write it like 600MB/s or 600MiB/s."},
        {parse_iops, "600", "“600” is not a rate of I/Os; write it like 64.8k IOPS or 450 IOPS."},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(cases[i].parse(cases[i].text, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
        g_assert_cmpstr(error->message, ==, cases[i].message);
    }
}

static void
test_durations(void)
{
    static const struct {
        const char *text;
        int64_t ns;
        const char *written;
    } cases[] = {
        {"1s", 1000000000, "1s"},
        {"500ms", 500000000, "500ms"},
        {"0.5s", 500000000, "500ms"},
        {"2min", 120000000000, "2min"},
        {"120 s", 120000000000, "2min"},
        {"90s", 90000000000, "90s"},
        {"1h", 3600000000000, "1h"},
        {"1 H", 3600000000000, "1h"},
        {"1.5d", 129600000000000, "36h"},
        {"250us", 250000, "250us"},
        {"250µs", 250000, "250us"},
        {"250μs", 250000, "250us"},
        {"13.698ms", 13698000, "13698us"},
        {"1ns", 1, "1ns"},
        {"0s", 0, "0s"},
        {"0", 0, "0s"},
        {"9223372036854775807ns", INT64_MAX, "9223372036854775807ns"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        int64_t ns = -1;
        g_assert_true(fm_units_parse_duration(cases[i].text, &ns, &error));
        g_assert_cmpint(ns, ==, cases[i].ns);
        g_autofree char *written = fm_units_dup_duration(ns);
        g_assert_cmpstr(written, ==, cases[i].written);
    }
}

static void
test_other_quantities(void)
{
    static const struct {
        bool (*parse)(const char *text, uint64_t *value, GError **error);
        const char *text;
        uint64_t value;
    } cases[] = {
        {fm_units_parse_count, "0", 0},
        {fm_units_parse_count, "32", 32},
        {fm_units_parse_count, "2.0", 2},
        {fm_units_parse_throughput, "600MB/s", 600000000},
        {fm_units_parse_throughput, "1116.75 MB/s", 1116750000},
        {fm_units_parse_throughput, "7.1GB/s", 7100000000},
        {fm_units_parse_throughput, "1MiB/s", 1048576},
        {fm_units_parse_throughput, "5 B/s", 5},
        {fm_units_parse_iops, "330k IOPS", 330000},
        {fm_units_parse_iops, "64.8k IOPS", 64800},
        {fm_units_parse_iops, "64.8kIOPS", 64800},
        {fm_units_parse_iops, "1.5M IOPS", 1500000},
        {fm_units_parse_iops, "450 IOPS", 450},
    };
    static const struct {
        const char *text;
        uint32_t per_million;
        const char *written;
    } percents[] = {
        {"25%", 250000, "25%"},
        {"0%", 0, "0%"},
        {"12.5 %", 125000, "12.5%"},
        {"0.0001%", 1, "0.0001%"},
        {"120%", 1200000, "120%"},
        {"99.9999%", 999999, "99.9999%"},
        {"429496.7295%", UINT32_MAX, "429496.7295%"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        uint64_t value = 1;
        g_assert_true(cases[i].parse(cases[i].text, &value, NULL));
        g_assert_cmpuint(value, ==, cases[i].value);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(percents); i++) {
        uint32_t per_million = 7;
        g_assert_true(fm_units_parse_percent(percents[i].text, &per_million, NULL));
        g_assert_cmpuint(per_million, ==, percents[i].per_million);
        g_autofree char *written = fm_units_dup_percent(per_million);
        g_assert_cmpstr(written, ==, percents[i].written);
    }
}

static void
test_round_trip(void)
{
    FmRng rng;
    fm_rng_init(&rng, 4);

    for (unsigned i = 0; i < 3000; i++) {
        /* Any magnitude, and many whole numbers of a unit. */
        uint64_t value = fm_rng_next(&rng) >> fm_rng_below(&rng, 64);
        value = i % 2 == 0 ? value : value & ~((1ull << fm_rng_below(&rng, 40)) - 1);

        g_autofree char *size = fm_units_dup_size(value);
        uint64_t bytes = ~value;
        g_assert_true(fm_units_parse_size(size, &bytes, NULL, NULL));
        g_assert_cmpuint(bytes, ==, value);

        int64_t time = (int64_t)(value >> 1);
        time = i % 3 == 0 ? time / 1000000000 * 1000000000 : time;
        g_autofree char *duration = fm_units_dup_duration(time);
        int64_t ns = ~time;
        g_assert_true(fm_units_parse_duration(duration, &ns, NULL));
        g_assert_cmpint(ns, ==, time);

        g_autofree char *percent = fm_units_dup_percent((uint32_t)value);
        uint32_t per_million = ~(uint32_t)value;
        g_assert_true(fm_units_parse_percent(percent, &per_million, NULL));
        g_assert_cmpuint(per_million, ==, (uint32_t)value);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_in_each_locale("/base/units/sizes-say-what-they-are", test_sizes);
    add_in_each_locale("/base/units/durations-need-a-unit", test_durations);
    add_in_each_locale("/base/units/other-quantities-parse", test_other_quantities);
    add_in_each_locale("/base/units/junk-is-refused-everywhere", test_junk_is_refused);
    add_in_each_locale("/base/units/refusals-say-why", test_sentences);
    add_in_each_locale("/base/units/what-is-written-reads-back", test_round_trip);
    return g_test_run();
}
