/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exports: what a run holds comes out unchanged, in every format and under every
 * locale.  FM_UPDATE_GOLDEN=1 writes the golden files in tests/data anew; read the
 * difference before you commit it.
 */
#include "store/export.h"

#include "base/error.h"
#include "base/json.h"
#include "base/text-table.h"
#include "model/tick.h"
#include "run-fixture.h"
#include "store/digits.h"

#include <locale.h>
#include <math.h>
#include <string.h>

/* --- Runs and formats --------------------------------------------------------------- */

/* Everything that one small run can hold, to be read by eye. */
static FmRunFixture *
small_fixture(void)
{
    FmRunFixture *fixture = fm_run_fixture_new();
    FmFixtureStep mixed = {
        .path = "mix/run=1", .workload = "X-1", .n_ios = 20, .write_share = 5000, .run = 1};
    FmFixtureStep cut = {.number = 1, .path = "cut, \"here\"", .n_ios = 3, .is_cut = true};

    fm_run_fixture_add_head(fixture, "small");
    fm_run_fixture_add_step(fixture, &mixed);
    fm_run_fixture_add_step(fixture, &cut);
    fm_run_fixture_add_text(fixture, FM_FRAME_EVALUATION,
                            "{'kind': <'rse'>, 'path': <'mix'>, 'rse-percent': <0.1>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_USER_NOTE,
                            "{'text': <'새 드라이브'>, 'tags': <['review', 'B']>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE,
                            "{'kind': <'warning'>, 'text': <'Two\\nlines \\u001b[31m'>}");
    fm_run_fixture_add_end(fixture, "stopped");
    return fixture;
}

typedef char *(*Export)(const FmRunFixture *fixture);

static char *
export_json(const FmRunFixture *fixture)
{
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    return fm_export_json(run, NULL);
}

static char *
export_csv(const FmRunFixture *fixture)
{
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    return fm_export_csv(run, NULL);
}

/* As from a file that is read in small parts. */
static char *
export_ticks(const FmRunFixture *fixture)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autoptr(FmRun) run = fm_run_new();
    GString *text = g_string_new(fm_export_get_ticks_head());

    for (guint at = 0; at < fixture->bytes->len; at += 100) {
        fm_frame_reader_push(reader, fixture->bytes->data + at,
                             MIN(100u, fixture->bytes->len - at));
        fm_run_add_all(run, reader);
        fm_export_take_ticks(text, run, false);
    }
    fm_export_take_ticks(text, run, true);
    return g_string_free(text, FALSE);
}

static char *
export_text(const FmRunFixture *fixture)
{
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    return fm_export_text(run, 120, NULL);
}

static char *
export_cdm(const FmRunFixture *fixture)
{
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    return fm_export_cdm(run, NULL);
}

static char *
export_dump(const FmRunFixture *fixture)
{
    return fm_export_dump(fixture->bytes->data, fixture->bytes->len, NULL);
}

static const struct {
    const char *golden;
    FmRunFixture *(*fixture)(void);
    Export export;
} formats[] = {
    {"export-small.json", small_fixture, export_json},
    {"export-cdm.csv", fm_run_fixture_new_cdm, export_csv},
    {"export-small.csv", small_fixture, export_csv},
    {"export-ticks.csv", small_fixture, export_ticks},
    {"export-cdm-table.txt", fm_run_fixture_new_cdm, export_text},
    {"export-small-table.txt", small_fixture, export_text},
    {"export-cdm.txt", fm_run_fixture_new_cdm, export_cdm},
    {"export-small-dump.txt", small_fixture, export_dump},
};

static void
test_golden(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autoptr(FmRunFixture) fixture = formats[i].fixture();
        g_autofree char *text = formats[i].export(fixture);
        g_autofree char *path = g_test_build_filename(G_TEST_DIST, "data", formats[i].golden, NULL);
        g_autofree char *golden = NULL;

        if (g_getenv("FM_UPDATE_GOLDEN") != NULL) {
            g_assert_true(g_file_set_contents(path, text, -1, NULL));
        }
        g_assert_true(g_file_get_contents(path, &golden, NULL, NULL));
        g_assert_cmpstr(text, ==, golden);
        g_assert_true(g_utf8_validate(text, -1, NULL));
    }
}

static void
test_locales(void)
{
    static const char *const locales[] = {"ko_KR.UTF-8", "de_DE.UTF-8", "tr_TR.UTF-8"};
    unsigned n_locales = 0;

    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        g_autoptr(FmRunFixture) fixture = formats[i].fixture();
        g_autofree char *expected = formats[i].export(fixture);
        for (gsize k = 0; k < G_N_ELEMENTS(locales); k++) {
            if (setlocale(LC_ALL, locales[k]) == NULL) {
                continue;
            }
            g_autofree char *text = formats[i].export(fixture);
            setlocale(LC_ALL, "C");
            g_assert_cmpstr(text, ==, expected);
            n_locales++;
        }
    }
    if (n_locales == 0) {
        g_test_skip("none of ko_KR, de_DE, tr_TR is installed");
    }
}

/* --- JSON --------------------------------------------------------------------------- */

static json_t *
parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    json_t *json = fm_json_parse(text, strlen(text), "export", &error);

    g_assert_no_error(error);
    return json;
}

/* A counter, which must be a string of digits. */
static uint64_t
count_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    guint64 value;

    g_assert_nonnull(text);
    g_assert_true(g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &value, NULL));
    return value;
}

static uint64_t
sum_bins(const json_t *latency)
{
    const json_t *bins = json_object_get(json_object_get(latency, "histogram"), "bins");
    uint64_t sum = 0;

    const char *index;
    json_t *count;
    json_object_foreach((json_t *)bins, index, count)
    {
        sum += g_ascii_strtoull(json_string_value(count), NULL, 10);
    }
    return sum;
}

/* The sum of a column over all rows. */
static uint64_t
sum_rows(const json_t *step, const char *name)
{
    const json_t *ticks = json_object_get(step, "ticks");
    const json_t *columns = json_object_get(ticks, "columns");
    const json_t *rows = json_object_get(ticks, "rows");
    gsize column = 0;
    uint64_t sum = 0;

    while (g_strcmp0(json_string_value(json_array_get(columns, column)), name) != 0) {
        g_assert_cmpuint(column++, <, json_array_size(columns));
    }
    for (gsize i = 0; i < json_array_size(rows); i++) {
        g_assert_cmpuint(json_array_size(json_array_get(rows, i)), ==, json_array_size(columns));
        sum += (uint64_t)json_integer_value(json_array_get(json_array_get(rows, i), column));
    }
    return sum;
}

static void
test_json_totals(void)
{
    static const char *const ops[] = {"read", "write"};
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autofree char *text = fm_export_json(run, NULL);
    json_auto_t *json = parse(text);
    const json_t *steps = json_object_get(json, "steps");

    g_assert_cmpuint(json_array_size(steps), ==, run->steps->len);
    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = g_ptr_array_index(run->steps, i);
        const json_t *object = json_array_get(steps, i);
        const json_t *results = json_object_get(object, "results");
        for (unsigned op = FM_OP_READ; op <= FM_OP_WRITE; op++) {
            const json_t *result = json_object_get(results, ops[op]);
            g_autofree char *ios = g_strconcat(ops[op], "-ios", NULL);
            g_autofree char *bytes = g_strconcat(ops[op], "-bytes", NULL);
            if (step->ios[op] == 0) {
                g_assert_null(result);
                continue;
            }
            g_assert_cmpuint(count_of(result, "ios"), ==, step->ios[op]);
            g_assert_cmpuint(count_of(result, "bytes"), ==, step->bytes[op]);
            g_assert_cmpuint(sum_bins(json_object_get(result, "latency")), ==, step->ios[op]);
            g_assert_cmpuint(sum_rows(object, ios), ==, step->ios[op]);
            g_assert_cmpuint(sum_rows(object, bytes), ==, step->bytes[op]);
        }
        g_assert_true(json_is_null(json_object_get(object, "disagreement")));
    }
    g_assert_cmpuint(count_of(json_object_get(json, "plan"), "seed"), ==, UINT64_MAX);
    /* Above 2^53: a number would have lost its last digit. */
    g_assert_cmpuint(count_of(json_object_get(json, "plan"), "expected-bytes-written"), ==,
                     UINT64_C(9007199254740993));
}

static void
test_json_unknown_is_null(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_text(fixture, FM_FRAME_ENVIRONMENT, "{'board.name': <('needs root',)>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_BEGIN, "{'step': <uint32 0>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_PHASE_END, "{'step': <uint32 0>}");
    g_autofree char *text = export_json(fixture);
    json_auto_t *json = parse(text);
    const json_t *environment = json_object_get(json, "environment");
    const json_t *step = json_array_get(json_object_get(json, "steps"), 0);
    const json_t *unknown = json_object_get(environment, "unknown");

    g_assert_true(json_is_null(json_object_get(environment, "board.name")));
    g_assert_cmpstr(json_string_value(json_object_get(unknown, "board.name")), ==, "needs root");
    g_assert_true(json_is_null(json_object_get(step, "cpu-ns")));
    g_assert_true(json_is_null(json_object_get(step, "in-flight-mean")));
    g_assert_true(json_is_null(json_object_get(step, "started")));
    g_assert_true(json_is_null(json_object_get(json, "started")));
    g_assert_true(json_is_null(json_object_get(json, "outcome")));
    g_assert_true(json_is_null(json_object_get(json_object_get(json, "target"), "size")));
}

static void
test_json_keeps_histograms_of_streams(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture();
    g_autoptr(GByteArray) payload = g_byte_array_new();
    g_auto(FmHist) hist = {0};
    FmHistKey key = {.stream = 1, .ns_per_tick_numerator = 1, .ns_per_tick_denominator = 3};

    fm_hist_init(&hist, FM_HIST_PHASE_BITS);
    fm_hist_record(&hist, 5);
    fm_hist_record(&hist, 5);
    fm_hist_encode(payload, &key, &hist);
    fm_frame_encode(fixture->bytes, FM_FRAME_HISTOGRAM, 0, payload->data, payload->len);
    g_autofree char *text = export_json(fixture);
    json_auto_t *json = parse(text);
    const json_t *step = json_array_get(json_object_get(json, "steps"), 0);
    const json_t *more = json_array_get(json_object_get(step, "more-histograms"), 0);
    g_assert_cmpint(json_integer_value(json_object_get(more, "stream")), ==, 1);
    g_assert_cmpuint(count_of(more, "count"), ==, 2);
    g_assert_cmpuint(count_of(json_object_get(more, "bins"), "5"), ==, 2);
}

/* --- Percentiles --------------------------------------------------------------------- */

/* A run of one step of @n_ios reads. */
static FmRun *
run_of(uint32_t n_ios)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = n_ios, .path = "only"};

    fm_run_fixture_add_head(fixture, "cdm-default");
    fm_run_fixture_add_step(fixture, &step);
    fm_run_fixture_add_end(fixture, "complete");
    return fm_run_fixture_fold(fixture);
}

static void
test_percentiles_are_ordered(void)
{
    static const uint32_t numbers[] = {1, 3, 99, 100, 9999};

    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        g_autoptr(FmRun) run = run_of(numbers[i]);
        g_autofree char *text = fm_export_json(run, NULL);
        json_auto_t *json = parse(text);
        const json_t *step = json_array_get(json_object_get(json, "steps"), 0);
        const json_t *latency =
            json_object_get(json_object_get(json_object_get(step, "results"), "read"), "latency");
        const json_t *percentiles = json_object_get(latency, "percentiles");
        json_int_t before = json_integer_value(json_object_get(latency, "min-ns"));
        json_int_t max = json_integer_value(json_object_get(latency, "max-ns"));

        g_assert_cmpint(before, >, 0);
        for (gsize k = 0; k < json_array_size(percentiles); k++) {
            const json_t *value = json_array_get(percentiles, k);
            double percent = json_number_value(json_object_get(value, "percent"));
            json_int_t ns = json_integer_value(json_object_get(value, "ns"));
            bool is_enough = numbers[i] * (100 - percent) / 100 > 9.9999;
            g_assert_cmpint(ns, >=, before);
            g_assert_cmpint(ns, <=, max);
            g_assert_true(json_boolean_value(json_object_get(value, "sufficient")) == is_enough);
            /* Ranks at the top are the maximum itself, not the edge of its bin. */
            if (numbers[i] * (100 - percent) / 100 < 1) {
                g_assert_cmpint(ns, ==, max);
            }
            before = ns;
        }
        /* A deviation of one value is not 0 and not nan. */
        g_assert_true(json_is_null(json_object_get(latency, "deviation-ns")) == (numbers[i] == 1));
        g_assert_null(strstr(text, "nan"));
    }
}

/* Splits RFC 4180 text into rows of fields. */
static GPtrArray *
parse_csv(const char *text)
{
    GPtrArray *rows = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GString) field = g_string_new(NULL);
    g_autoptr(GPtrArray) row = g_ptr_array_new_with_free_func(g_free);
    bool is_quoted = false;

    for (; *text != '\0'; text++) {
        if (is_quoted && text[0] == '"' && text[1] == '"') {
            g_string_append_c(field, *text++);
        } else if (*text == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && (*text == ',' || *text == '\r')) {
            g_ptr_array_add(row, g_strdup(field->str));
            g_string_truncate(field, 0);
        } else if (!is_quoted && *text == '\n') {
            g_ptr_array_add(rows, g_steal_pointer(&row));
            row = g_ptr_array_new_with_free_func(g_free);
        } else {
            g_string_append_c(field, *text);
        }
    }
    g_assert_cmpuint(row->len, ==, 0);
    return rows;
}

/* The field of @row called @name. */
static const char *
field_of(const GPtrArray *rows, guint row, const char *name)
{
    const GPtrArray *head = g_ptr_array_index(rows, 0);
    guint column = 0;

    while (g_strcmp0(g_ptr_array_index(head, column), name) != 0) {
        g_assert_cmpuint(++column, <, head->len);
    }
    return g_ptr_array_index((GPtrArray *)g_ptr_array_index(rows, row), column);
}

static void
test_csv_hides_doubtful_percentiles(void)
{
    static const struct {
        uint32_t n_ios;
        bool has_p90, has_p99, has_p99_9;
    } cases[] = {{3, false, false, false},
                 {100, true, false, false},
                 {1000, true, true, false},
                 {9999, true, true, false},
                 {10000, true, true, true}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRun) run = run_of(cases[i].n_ios);
        g_autofree char *text = fm_export_csv(run, NULL);
        g_autoptr(GPtrArray) rows = parse_csv(text);
        g_assert_cmpuint(rows->len, ==, 2);
        g_assert_true((field_of(rows, 1, "p90_us")[0] != '\0') == cases[i].has_p90);
        g_assert_true((field_of(rows, 1, "p99_us")[0] != '\0') == cases[i].has_p99);
        g_assert_true((field_of(rows, 1, "p99_9_us")[0] != '\0') == cases[i].has_p99_9);
        g_assert_cmpstr(field_of(rows, 1, "max_us"), !=, "");
    }
}

static void
test_digits(void)
{
    static const struct {
        double value;
        unsigned decimals;
        const char *text;
    } cases[] = {
        {0, 0, "0"},
        {0, 3, "0.000"},
        {0.0005, 3, "0.001"},
        {-0.0001, 3, "0.000"},
        {-1.25, 1, "-1.3"},
        {999.9996, 3, "1000.000"},
        {12345.678, 2, "12345.68"},
        {1e18, 3, "1000000000000000000"},
        {NAN, 1, ""},
        {INFINITY, 1, ""},
    };
    g_autoptr(GString) out = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_string_truncate(out, 0);
        fm_digits_append_decimal(out, cases[i].value, cases[i].decimals);
        g_assert_cmpstr(out->str, ==, cases[i].text);
    }
    g_string_truncate(out, 0);
    fm_digits_append(out, UINT64_MAX);
    g_assert_cmpstr(out->str, ==, "18446744073709551615");
}

/* --- CSV ----------------------------------------------------------------------------- */

static void
test_csv_is_rfc_4180(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(formats); i++) {
        if (formats[i].export != export_csv && formats[i].export != export_ticks) {
            continue;
        }
        g_autoptr(FmRunFixture) fixture = formats[i].fixture();
        g_autofree char *text = formats[i].export(fixture);
        g_autoptr(GPtrArray) rows = parse_csv(text);
        const GPtrArray *head = g_ptr_array_index(rows, 0);
        g_assert_cmpuint(rows->len, >, 1);
        for (guint k = 0; k < rows->len; k++) {
            g_assert_cmpuint(((GPtrArray *)g_ptr_array_index(rows, k))->len, ==, head->len);
        }
    }

    g_autoptr(FmRunFixture) fixture = small_fixture();
    g_autofree char *text = export_csv(fixture);
    g_autoptr(GPtrArray) rows = parse_csv(text);
    /* Reads, writes, both; and the step that was cut. */
    g_assert_cmpuint(rows->len, ==, 5);
    g_assert_cmpstr(field_of(rows, 1, "op"), ==, "read");
    g_assert_cmpstr(field_of(rows, 3, "op"), ==, "all");
    g_assert_cmpstr(field_of(rows, 3, "ios"), ==, "20");
    g_assert_cmpstr(field_of(rows, 3, "parameters"), ==, "run=1");
    g_assert_cmpstr(field_of(rows, 4, "path"), ==, "cut, \"here\"");
    g_assert_cmpstr(field_of(rows, 4, "outcome"), ==, "cut off");
    g_assert_cmpstr(field_of(rows, 4, "mb_per_s"), ==, "");
}

/* --- Text ---------------------------------------------------------------------------- */

static void
test_text_fits_the_terminal(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    static const unsigned widths[] = {72, 80, 100, 132};

    for (gsize i = 0; i < G_N_ELEMENTS(widths); i++) {
        g_autofree char *text = fm_export_text(run, widths[i], NULL);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (gsize k = 0; lines[k] != NULL; k++) {
            g_assert_cmpuint(fm_text_width(lines[k]), <=, widths[i]);
        }
        g_assert_nonnull(strstr(text, "P99.9"));
    }
}

static void
assert_printable(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        g_assert_true(*at == '\n' || ((unsigned char)*at >= 0x20 && *at != 0x7F));
    }
}

static void
test_text_is_safe_to_print(void)
{
    /* Every string that a table shows, as a file of somebody else may have it. */
    static const struct {
        FmFrameKind kind;
        const char *frame;
    } hostile[] = {
        {FM_FRAME_HELLO, "{'version': <'\\u001b[2J'>}"},
        {FM_FRAME_DRIVE, "{'drive.model': <'\\u001b[2J'>, 'drive.bus': <'\\u007f'>}"},
        {FM_FRAME_TARGET, "{'path': <'\\u001b[2J'>, 'verdict': <'\\u001b[2J'>, "
                          "'verdict-reason': <'\\u001b[2J'>}"},
        {FM_FRAME_PLAN, "{'id': <'cdm-\\u001b[2J'>, 'name': <'\\u001b[2J'>}"},
        {FM_FRAME_PHASE_BEGIN,
         "{'step': <uint32 9>, 'path': <'\\u001b[2J'>, 'kind': <'measure'>, 'label': "
         "<'\\u001b[2J'>, 'backend': <'\\u001b[2J'>, 'mode': <'\\u001b[2J'>}"},
        {FM_FRAME_PHASE_END, "{'step': <uint32 9>, 'outcome': <'failed'>, 'reason': "
                             "<'\\u001b[2J'>, 'ios': <[uint64 7]>}"},
        {FM_FRAME_NOTE, "{'kind': <'\\u001b[2J'>, 'text': <'\\u001b[2J'>}"},
        {FM_FRAME_USER_NOTE, "{'text': <'\\u001b[2J'>}"},
        {FM_FRAME_END, "{'outcome': <'\\u001b[2J'>, 'reason': <'\\u001b[2J'>}"},
    };
    g_autoptr(FmRunFixture) fixture = small_fixture();
    g_autofree char *harmless = export_text(fixture);

    g_assert_nonnull(strstr(harmless, "새 드라이브"));
    g_assert_nonnull(strstr(harmless, "Two\\x0Alines \\x1B[31m"));
    for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
        fm_run_fixture_add_text(fixture, hostile[i].kind, hostile[i].frame);
    }
    g_autofree char *text = export_text(fixture);
    g_autofree char *cdm = export_cdm(fixture);
    g_autofree char *dump = export_dump(fixture);
    assert_printable(text);
    assert_printable(cdm);
    assert_printable(dump);
}

static void
test_text_says_what_is_no_drive(void)
{
    static const struct {
        const char *frame;
        const char *expected;
    } cases[] = {
        {"{'kind': <'model'>}", "SIMULATED"},
        {"{'kind': <'null'>}", "what the program itself costs"},
        {"{'verdict': <'memory'>}", "this is memory, not a drive"},
        {"{'verdict': <'may-be-cached'>}", "may be cached"},
        {"{'verdict': <'unknown'>}", "nothing proves"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRunFixture) fixture = small_fixture();
        fm_run_fixture_add_text(fixture, FM_FRAME_TARGET, cases[i].frame);
        g_autofree char *text = export_text(fixture);
        g_assert_nonnull(strstr(text, cases[i].expected));
    }
}

/* Four rows of one name, and mixes of two shares: each is told apart. */
static void
test_text_names_blocks_and_mixes(void)
{
    static const FmFixtureStep steps[] = {
        {.path = "tail/read", .n_ios = 20},
        {.path = "corners/read", .n_ios = 20},
        {.path = "corners/r70", .write_share = 3000, .n_ios = 20},
        {.path = "corners/r50", .write_share = 5000, .n_ios = 20},
    };
    static const char *const wanted[] = {"\n\ntail\n[Read]\n", "\n\ncorners\n[Read]\n", "\n[Mix]\n",
                                         "R70:W30 ", "R50:W50 "};
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_head(fixture, "blocks");
    for (gsize i = 0; i < G_N_ELEMENTS(steps); i++) {
        FmFixtureStep step = steps[i];
        step.number = (unsigned)i;
        fm_run_fixture_add_step(fixture, &step);
    }
    fm_run_fixture_add_end(fixture, "complete");
    g_autofree char *text = export_text(fixture);
    for (gsize i = 0; i < G_N_ELEMENTS(wanted); i++) {
        g_assert_nonnull(strstr(text, wanted[i]));
    }
}

static void
test_text_bounds_its_notes(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture();

    for (int i = 0; i < 100; i++) {
        fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, "{'kind': <'error'>, 'text': <'Again'>}");
        fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, "{'kind': <'log'>, 'text': <'noise'>}");
    }
    g_autofree char *text = export_text(fixture);
    g_assert_nonnull(strstr(text, "... and 61 more"));
    g_assert_null(strstr(text, "noise"));
}

/* Stopped while the test file was being written: only so much of it was. */
static void
test_text_counts_half_a_file(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();

    fm_run_fixture_add_head(fixture, "small");
    fm_run_fixture_add_text(fixture, FM_FRAME_TARGET,
                            "{'kind': <'folder'>, 'size': <uint64 8000000000>}");
    fm_run_fixture_add_text(fixture, FM_FRAME_NOTE, "{'kind': <'progress'>, 'fraction': <0.25>}");
    fm_run_fixture_add_end(fixture, "stopped");
    g_autofree char *text = export_text(fixture);
    g_assert_nonnull(strstr(text, "2 GB, the test file included"));
}

static void
test_text_of_nothing(void)
{
    g_autoptr(FmRun) run = fm_run_new();
    g_autofree char *text = fm_export_text(run, 80, NULL);

    g_assert_nonnull(strstr(text, "Nothing was measured."));

    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep step = {.n_ios = 10, .kind = "precondition"};
    fm_run_fixture_add_step(fixture, &step);
    g_autofree char *prepared = export_text(fixture);
    g_assert_nonnull(strstr(prepared, "Nothing was scored"));
}

/* --- CrystalDiskMark's layout --------------------------------------------------------- */

static void
test_cdm_layout(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new_cdm();
    g_autofree char *text = export_cdm(fixture);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    unsigned n_rows = 0;

    for (gsize i = 0; lines[i] != NULL; i++) {
        if (!g_str_has_prefix(lines[i], "  SEQ ") && !g_str_has_prefix(lines[i], "  RND ")) {
            continue;
        }
        n_rows++;
        /* The columns of "  SEQ    1MiB (Q=  8, T= 1):  7012.345 MB/s [   6687.5 IOPS] <  1195.20
         * us>". */
        g_assert_true(
            g_regex_match_simple("^  (SEQ|RND) [ 0-9]{4}[MK]iB \\(Q=[ 0-9]{3}, T=[ 0-9]{2}\\): [ "
                                 "0-9]{5}\\.[0-9]{3} MB/s "
                                 "\\[[ 0-9]{7}\\.[0-9] IOPS\\] <[ 0-9]{6}\\.[0-9]{2} us>$",
                                 lines[i], 0, 0));
    }
    g_assert_cmpuint(n_rows, ==, 12);
    g_assert_nonnull(strstr(text, "\n[Read]\n"));
    g_assert_nonnull(strstr(text, "\n[Write]\n"));
    g_assert_nonnull(strstr(text, "\n[Mix] Read 70%/Write 30%\n"));
    g_assert_nonnull(strstr(text, "\n   Date: 2026/08/22 14:05:00\n"));
    g_assert_nonnull(strstr(text, "Fathom 0.1.0"));
    g_assert_nonnull(strstr(text, "not CrystalDiskMark"));
}

static void
test_cdm_rows_without_result_are_dashes(void)
{
    g_autoptr(FmRunFixture) fixture = fm_run_fixture_new();
    FmFixtureStep failed = {
        .path = "read/a/run=1", .n_ios = 10, .outcome = "failed", .reason = "No space left"};

    fm_run_fixture_add_head(fixture, "cdm-default");
    fm_run_fixture_add_step(fixture, &failed);
    fm_run_fixture_add_end(fixture, "failed");
    g_autofree char *text = export_cdm(fixture);
    g_assert_nonnull(strstr(text, "RND    4KiB (Q=  1, T= 1):         - MB/s [        - IOPS] <"
                                  "        - us>\n"));
    g_assert_nonnull(strstr(text, "No space left"));
    g_assert_null(strstr(text, "0.000"));
}

static void
test_cdm_refuses_other_plans(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture();
    g_autoptr(FmRun) run = fm_run_fixture_fold(fixture);
    g_autoptr(GError) error = NULL;

    g_assert_null(fm_export_cdm(run, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED);
}

/* --- Dump ----------------------------------------------------------------------------- */

static void
test_dump_shows_damage(void)
{
    g_autoptr(FmRunFixture) fixture = small_fixture();
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_autoptr(GError) error = NULL;

    g_byte_array_append(bytes, (const uint8_t *)"FmFrubbish", 10);
    g_byte_array_append(bytes, fixture->bytes->data, fixture->bytes->len - 1);
    fixture->bytes->data[FM_FRAME_HEADER_SIZE] ^= 1;
    g_autofree char *text = fm_export_dump(bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    g_assert_true(g_str_has_prefix(text, "0: ! 10 bytes are no frame\n10: HELLO kind 1 "));
    g_assert_true(g_str_has_suffix(text, "bytes at the end are no frame\n"));
    g_assert_null(fm_export_dump("x", 1, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_PROTOCOL);
}

int
main(int argc, char **argv)
{
    g_setenv("TZ", "UTC", TRUE);
    g_test_init(&argc, &argv, NULL);
#define ADD(path, test) g_test_add_func("/store/export/" path, test)
    ADD("golden-files-are-met", test_golden);
    ADD("locale-changes-nothing", test_locales);
    ADD("json-keeps-the-totals", test_json_totals);
    ADD("json-unknown-is-null", test_json_unknown_is_null);
    ADD("json-keeps-histograms-of-streams", test_json_keeps_histograms_of_streams);
    ADD("percentiles-are-ordered-and-end-at-the-maximum", test_percentiles_are_ordered);
    ADD("csv-hides-doubtful-percentiles", test_csv_hides_doubtful_percentiles);
    ADD("digits-are-rounded-to-nearest", test_digits);
    ADD("csv-is-rfc-4180", test_csv_is_rfc_4180);
    ADD("text-fits-the-terminal", test_text_fits_the_terminal);
    ADD("text-is-safe-to-print", test_text_is_safe_to_print);
    ADD("text-says-what-is-no-drive", test_text_says_what_is_no_drive);
    ADD("text-names-blocks-and-mixes", test_text_names_blocks_and_mixes);
    ADD("text-bounds-its-notes", test_text_bounds_its_notes);
    ADD("text-counts-half-a-file", test_text_counts_half_a_file);
    ADD("text-of-nothing", test_text_of_nothing);
    ADD("cdm-layout-is-met", test_cdm_layout);
    ADD("cdm-rows-without-result-are-dashes", test_cdm_rows_without_result_are_dashes);
    ADD("cdm-refuses-other-plans", test_cdm_refuses_other_plans);
    ADD("dump-shows-damage", test_dump_shows_damage);
#undef ADD
    return g_test_run();
}
