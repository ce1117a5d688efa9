/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What figures are made of: that every one on the list can be built in both languages and
 * presets and keeps the laws, and that their numbers are those of the run.
 */
#include "figures-fixture.h"

#include "figures/figures.h"

#include "analysis/percentiles.h"
#include "base/error.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static FmFigure *
build(const FmRun *run, const char *id, const FmFigureOptions *options)
{
    g_autoptr(GError) error = NULL;
    FmFigure *figure = fm_figures_build(run, id, options, &error);

    g_assert_no_error(error);
    g_assert_nonnull(figure);
    return figure;
}

static FmFigure *
build_english(const FmRun *run, const char *id)
{
    FmFigureOptions options = {.language = "en", .read_log = figures_fixture_read_log};

    return build(run, id, &options);
}

static const FmPanel *
get_panel(const FmFigure *figure, guint index)
{
    g_assert_cmpuint(index, <, figure->panels->len);
    return figure->panels->pdata[index];
}

static const FmSeries *
get_series(const FmFigure *figure, guint panel, guint index)
{
    const FmPanel *found = get_panel(figure, panel);

    g_assert_cmpuint(index, <, found->series->len);
    return found->series->pdata[index];
}

static const FmPoint *
get_point(const FmSeries *series, guint index)
{
    g_assert_cmpuint(index, <, series->points->len);
    return &g_array_index(series->points, FmPoint, index);
}

static const FmCell *
get_cell(const FmFigure *figure, guint row, guint column)
{
    const FmTable *table = get_panel(figure, 0)->table;

    g_assert_cmpuint(row, <, table->n_rows);
    return &g_array_index(table->cells, FmCell, row * table->columns->len + column);
}

static bool
has_footnote(const FmFigure *figure, const char *part)
{
    for (guint i = 0; i < figure->footnotes->len; i++) {
        if (strstr(figure->footnotes->pdata[i], part) != NULL) {
            return true;
        }
    }
    return false;
}

/* --- The list ---------------------------------------------------------------------- */

static const FmFigureOptions all_options[] = {
    {.language = "en", .read_log = figures_fixture_read_log},
    {.language = "ko", .read_log = figures_fixture_read_log},
    {.language = "en", .is_review = true, .read_log = figures_fixture_read_log},
    {.language = "ko", .is_review = true, .read_log = figures_fixture_read_log},
};

static void
test_list(void)
{
    static const char *const first[] = {"T8",
                                        "F01",
                                        "F02",
                                        "F80",
                                        "T11:corners/rr",
                                        "T13",
                                        "overview",
                                        "time:fill/long",
                                        "density:fill/long"};
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(GPtrArray) entries = fm_figures_list(run, &all_options[0]);
    g_autoptr(GHashTable) ids = g_hash_table_new(g_str_hash, g_str_equal);
    bool has_detail = false;

    for (guint i = 0; i < entries->len; i++) {
        const FmFigureEntry *entry = entries->pdata[i];
        if (i < G_N_ELEMENTS(first)) {
            g_assert_cmpstr(entry->id, ==, first[i]);
        }
        g_assert_true(g_hash_table_add(ids, entry->id));
        g_assert_true(entry->is_detail || !has_detail);
        has_detail = entry->is_detail;
    }
    g_assert_true(g_hash_table_contains(ids, "F80:tail/r70w30/all"));
    g_assert_true(g_hash_table_contains(ids, "F80:tail/r70w30/write"));
    g_assert_false(g_hash_table_contains(ids, "F80:tail/read/write"));
    g_assert_true(g_hash_table_contains(ids, "stems:cdm/read/rnd4k-q1t1/read"));
    g_assert_false(g_hash_table_contains(ids, "time:cdm/read/rnd4k-q1t1/warm-up=1"));

    /* Nobody to read logs: no density. */
    g_autoptr(GPtrArray) fewer = fm_figures_list(run, NULL);
    g_assert_cmpuint(fewer->len, ==, entries->len - 1);
}

/* Details differ in their row only: in other languages and presets a few do for all. */
static bool
is_tried(const FmFigureEntry *entry, gsize options)
{
    return !entry->is_detail || options == 0 || strstr(entry->id, "r70w30") != NULL;
}

static void
test_everything_builds(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();

    for (gsize i = 0; i < G_N_ELEMENTS(all_options); i++) {
        g_autoptr(GPtrArray) entries = fm_figures_list(run, &all_options[i]);
        for (guint k = 0; k < entries->len; k++) {
            const FmFigureEntry *entry = entries->pdata[k];
            if (!is_tried(entry, i)) {
                continue;
            }
            g_autoptr(FmFigure) figure = build(run, entry->id, &all_options[i]);
            g_autofree char *broken = fm_figure_check(figure);
            g_assert_cmpstr(broken, ==, NULL);
            g_assert_cmpstr(figure->id, ==, entry->id);
            g_assert_cmpstr(figure->language, ==, all_options[i].language);
            g_assert_nonnull(figure->title);
            g_assert_nonnull(figure->subtitle);
            g_assert_nonnull(figure->caption);
            g_assert_nonnull(figure->run_id);
            g_assert_cmpuint(strlen(figure->alt_text), >, 20);
            g_assert_null(figure->watermark);
            g_assert_null(strchr(figure->name, '/'));
            if (all_options[i].is_review) {
                g_assert_cmpstr(figure->title, ==, entry->title);
            }
        }
    }
}

static void
test_refusals(void)
{
    static const struct {
        const char *id;
        FmErrorCode code;
    } cases[] = {
        {"", FM_ERROR_INVALID},
        {"F", FM_ERROR_INVALID},
        {"F800", FM_ERROR_INVALID},
        {":", FM_ERROR_INVALID},
        {"F80:", FM_ERROR_UNSUPPORTED}, /* as F80: of an empty run */
        {"F80:nothing/read", FM_ERROR_INVALID},
        {"F80:/", FM_ERROR_INVALID},
        {"time:nothing", FM_ERROR_INVALID},
        {"T11:%n%s", FM_ERROR_UNSUPPORTED},
        {"T8", FM_ERROR_UNSUPPORTED},
        {"F01", FM_ERROR_UNSUPPORTED},
        {"F02", FM_ERROR_UNSUPPORTED},
        {"T13", FM_ERROR_UNSUPPORTED},
        {"overview", FM_ERROR_UNSUPPORTED},
        {"density:nothing", FM_ERROR_INVALID},
        {"stems:nothing", FM_ERROR_INVALID},
    };
    g_autoptr(FmRun) run = fm_run_new();
    g_autoptr(GPtrArray) none = fm_figures_list(run, NULL);

    g_assert_cmpuint(none->len, ==, 0);
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(fm_figures_build(run, cases[i].id, NULL, &error));
        g_assert_error(error, FM_ERROR, (int)cases[i].code);
    }

    g_autoptr(FmRun) whole = figures_fixture_new();
    g_autoptr(GError) no_log = NULL;
    g_assert_null(fm_figures_build(whole, "density:tail/read", &all_options[0], &no_log));
    g_assert_error(no_log, FM_ERROR, FM_ERROR_UNSUPPORTED);
    g_autoptr(GError) no_op = NULL;
    g_assert_null(fm_figures_build(whole, "F80:tail/read/write", NULL, &no_op));
    g_assert_error(no_op, FM_ERROR, FM_ERROR_UNSUPPORTED);
}

static void
test_hostile(void)
{
    g_autoptr(FmRun) run = figures_fixture_new_hostile();

    for (gsize i = 0; i < G_N_ELEMENTS(all_options); i++) {
        g_autoptr(GPtrArray) entries = fm_figures_list(run, &all_options[i]);
        for (guint k = 0; k < entries->len; k++) {
            const FmFigureEntry *entry = entries->pdata[k];
            if (!is_tried(entry, i + 1)) {
                continue;
            }
            g_autoptr(FmFigure) figure = build(run, entry->id, &all_options[i]);
            g_assert_true(g_utf8_validate(figure->title, -1, NULL));
            g_assert_true(g_utf8_validate(figure->subtitle, -1, NULL));
            g_assert_true(g_utf8_validate(figure->alt_text, -1, NULL));
            g_assert_null(strchr(figure->title, '\x1b'));
            g_assert_null(strchr(figure->subtitle, '\x1b'));
        }
    }
}

static void
test_watermark(void)
{
    static const struct {
        const char *kind;
        const char *backend;
        const char *watermark;
    } cases[] = {{"folder", "uring", NULL},
                 {"model", "sim", "simulated"},
                 {"null", "null", "simulated: no drive"},
                 {"folder", "sim", "simulated"},
                 {"folder", "fault", "simulated faults"}};

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmRun) run = figures_fixture_new();
        g_free(run->target_kind);
        run->target_kind = g_strdup(cases[i].kind);
        FmRunStep *last = run->steps->pdata[run->steps->len - 1];
        g_free(last->backend);
        last->backend = g_strdup(cases[i].backend);
        g_autoptr(FmFigure) figure = build_english(run, "F80");
        g_assert_cmpstr(figure->watermark, ==, cases[i].watermark);
    }
}

/* --- CrystalDiskMark-style ----------------------------------------------------------- */

static void
test_cdm_table(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build_english(run, "T8");
    const FmTable *table = get_panel(figure, 0)->table;

    g_assert_cmpuint(table->columns->len, ==, 3);
    g_assert_cmpuint(table->n_rows, ==, 4);
    g_assert_cmpstr(get_cell(figure, 0, 0)->text, ==, "SEQ1M Q8T1");
    /* By hand: 1 MiB in 1.1 x 1157 us / 8, the fastest of the three; the slowest is 1171. */
    const FmCell *best = get_cell(figure, 0, 1);
    g_assert_cmpfloat_with_epsilon(best->value, 1048576 * 1e9 / (1157 * 1100 / 8), 1e5);
    g_assert_cmpfloat_with_epsilon(best->lo, 1048576 * 1e9 / (1171 * 1100 / 8), 1e5);
    g_assert_cmpfloat(best->hi, ==, best->value);
    g_assert_nonnull(strstr(best->detail, " IOPS · "));
    g_assert_nonnull(strstr(best->detail, " · median "));
    /* What failed has no number but a reason. */
    const FmCell *failed = get_cell(figure, 1, 2);
    g_assert_true(isnan(failed->value));
    g_assert_null(failed->text);
    g_assert_cmpstr(failed->reason, ==, "No space left on the volume");
    g_assert_false(has_footnote(figure, "No space left")); /* the table says it at its place */
    g_assert_true(has_footnote(figure, "RND 4k Read QD512: limited by the computer"));
    g_assert_true(has_footnote(figure, "disturbed; others moved 12 MB"));
    g_assert_true(has_footnote(figure, "not CrystalDiskMark"));
    g_assert_nonnull(strstr(figure->title, "sequential read"));
    g_assert_nonnull(strstr(figure->title, "% of 4k reads within"));
    g_assert_nonnull(strstr(figure->subtitle, "n = 3 runs of"));
}

/* However much there is to say of single steps, what holds for all is said. */
static void
test_many_remarks(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();

    for (guint i = 0; i < run->steps->len; i++) {
        FmRunStep *step = run->steps->pdata[i];
        step->is_disturbed = true;
        step->host_limited = true;
        step->foreign_bytes = 1000000;
    }
    g_free(run->verdict);
    run->verdict = g_strdup("memory");
    g_autoptr(FmFigure) figure = build_english(run, "T8");
    g_assert_true(has_footnote(figure, "not CrystalDiskMark"));
    g_assert_true(has_footnote(figure, "memory, not a drive"));
    g_assert_true(has_footnote(figure, "others moved"));
    g_assert_cmpuint(figure->footnotes->len, ==, 6);
    const char *last = figure->footnotes->pdata[5];
    unsigned n_left_out = 0;
    /* Two remarks on each of seven rows with a result, of which three are still there. */
    g_assert_cmpint(sscanf(last, "Remarks on single steps left out here: %u.", &n_left_out), ==, 1);
    g_assert_cmpuint(n_left_out, ==, 2 * 7 - 3);
}

static void
test_cdm_bars(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) all = build_english(run, "F01");
    g_autoptr(FmFigure) single = build_english(run, "F02");
    g_autoptr(FmFigure) table = build_english(run, "T8");
    const FmPanel *panel = get_panel(all, 0);

    /* All rows but SEQ128K Q32, from 0, with the numbers of the table. */
    g_assert_cmpuint(g_strv_length(panel->x.categories), ==, 3);
    g_assert_cmpfloat(panel->y.min, ==, 0);
    g_assert_true(panel->is_horizontal);
    g_assert_cmpfloat(get_point(get_series(all, 0, 0), 0)->y, ==, get_cell(table, 0, 1)->value);
    g_assert_cmpint(get_series(all, 0, 1)->role, ==, FM_ROLE_WRITE);
    g_assert_nonnull(get_point(get_series(all, 0, 0), 0)->label);
    g_assert_cmpuint(g_strv_length(get_panel(single, 0)->x.categories), ==, 1);
    g_assert_cmpstr(get_panel(single, 0)->x.categories[0], ==, "RND4K Q1T1");
}

/* --- Depths -------------------------------------------------------------------------- */

static void
test_depth_table(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build_english(run, "T11:corners/rr");
    g_autoptr(FmFigure) alone = build_english(run, "T11");
    const FmTable *table = get_panel(figure, 0)->table;

    g_assert_cmpstr(alone->id, ==, "T11:corners/rr");
    g_assert_cmpuint(table->n_rows, ==, 6);
    for (guint i = 0; i < table->n_rows; i++) {
        g_assert_cmpfloat(get_cell(figure, i, 0)->value, ==, 1u << i);
        g_assert_true(get_cell(figure, i, 1)->value > 0);
    }
    /* QD1 is left out of consistency; 4000 I/Os have no P99.9 nor dashes for a number. */
    g_assert_null(get_cell(figure, 0, table->columns->len - 1)->text);
    g_assert_nonnull(get_cell(figure, 1, table->columns->len - 1)->text);
    g_assert_nonnull(get_cell(figure, 0, 5)->text);
    g_assert_null(get_cell(figure, 0, 6)->text);
    g_assert_true(has_footnote(figure, "too few samples"));
    g_assert_true(has_footnote(figure, "Consistency is min/avg here"));
    g_assert_nonnull(strstr(figure->title, "from QD16 on"));

    /* Reviews never cut, but say what is doubtful. */
    g_autoptr(FmFigure) review = build(run, "T11", &all_options[2]);
    g_assert_nonnull(get_cell(review, 0, 6)->text);
    g_assert_true(get_cell(review, 0, 6)->is_doubtful);
}

/* --- Tails --------------------------------------------------------------------------- */

static void
assert_is_distribution(const FmSeries *series, double n)
{
    for (guint i = 0; i < series->points->len; i++) {
        const FmPoint *point = get_point(series, i);
        g_assert_cmpfloat(point->y, <, 1);
        g_assert_cmpint(point->is_doubtful, ==, point->y > 1 - 10 / n);
        if (i > 0) {
            g_assert_cmpfloat(point->x, >=, get_point(series, i - 1)->x);
            g_assert_cmpfloat(point->y, >, get_point(series, i - 1)->y);
        }
    }
}

static void
test_tail(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build_english(run, "F80");
    g_autoptr(FmFigure) single = build_english(run, "F80:tail/read/read");
    const FmPanel *panel = get_panel(figure, 0);

    /* Four mixes and the dots of their slowest, on the axes of METHODOLOGY 13. */
    g_assert_cmpuint(panel->series->len, ==, 5);
    g_assert_cmpint(panel->x.scale, ==, FM_SCALE_LOG10);
    g_assert_cmpint(panel->y.scale, ==, FM_SCALE_NINES);
    g_assert_nonnull(strstr(get_series(figure, 0, 0)->label, "RND 4k Read · "));
    g_assert_nonnull(strstr(get_series(figure, 0, 0)->label, "IOPS"));
    assert_is_distribution(get_series(figure, 0, 0), 60000);
    assert_is_distribution(get_series(figure, 0, 1), 90000);
    const FmSeries *slowest = get_series(figure, 0, 4);
    g_assert_cmpuint(slowest->points->len, ==, 4);
    g_assert_true(get_point(slowest, 0)->is_doubtful);
    g_assert_true(has_footnote(figure, "n = 60,000 to 90,000, too few for P99.99"));
    g_assert_cmpstr(single->title, ==, figure->title);

    /* P99.9 of the line is P99.9 of the run. */
    const FmSeries *line = get_series(single, 0, 0);
    FmPercentiles latency;
    const FmRunStep *step = NULL;
    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *each = run->steps->pdata[i];
        step = g_strcmp0(each->path, "tail/read") == 0 ? each : step;
    }
    g_assert_true(fm_percentiles_of_step(step, FM_OP_READ, &latency));
    bool is_found = false;
    for (guint i = 0; i < line->points->len; i++) {
        const FmPoint *point = get_point(line, i);
        if (fabs(point->y - 0.999) < 1e-9) {
            is_found = true;
            g_assert_cmpfloat_with_epsilon(point->x, (double)latency.values[FM_P99_9].ns / 1e9,
                                           1e-9);
        }
    }
    g_assert_true(is_found);
}

static void
test_tail_review(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build(run, "F80", &all_options[2]);
    const FmPanel *panel = get_panel(figure, 0);

    g_assert_cmpfloat(panel->x.min, ==, 1e-6);
    g_assert_cmpfloat(panel->x.max, ==, 10e-3);
    g_assert_cmpfloat(panel->y.max, ==, 0.999999);
    g_assert_cmpstr(figure->title, ==, "QD1 tail latency");

    /* Beyond 10 ms is not drawn, and said so. */
    g_autoptr(FmFigure) late = build(run, "F80:cdm/read/rnd4k-q32t16/read", &all_options[2]);
    const FmSeries *line = get_series(late, 0, 0);
    for (guint i = 0; i < line->points->len; i++) {
        g_assert_cmpfloat(get_point(line, i)->x, <=, 10e-3);
    }
    /* One I/O as it was, not the middle of a bin. */
    g_assert_true(has_footnote(late, "beyond 10 ms is not drawn; the slowest took 22.8 ms."));
}

static void
test_percentiles(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) table = build_english(run, "T13");
    g_autoptr(FmFigure) stems = build_english(run, "stems:tail/read/read");
    const FmPanel *panel = get_panel(stems, 0);

    /* One row a workload: the one with the most I/Os. */
    g_assert_cmpuint(get_panel(table, 0)->table->n_rows, ==, 4);
    g_assert_cmpstr(get_cell(table, 0, 0)->text, ==, "RND 4k Read");
    g_assert_cmpstr(get_cell(table, 0, 1)->text, ==, "60,000");
    /* No column for percentiles that no row has samples for. */
    g_assert_cmpuint(get_panel(table, 0)->table->columns->len, ==, 7);
    g_assert_nonnull(get_cell(table, 0, 5)->text);
    /* P50, P90, P99, P99.9 have samples enough, and there is a maximum. */
    g_assert_cmpuint(g_strv_length(panel->x.categories), ==, 5);
    g_assert_cmpstr(panel->x.categories[4], ==, "max");
    const FmSeries *series = get_series(stems, 0, 0);
    g_assert_cmpint(series->mark, ==, FM_MARK_STEM);
    g_assert_true(get_point(series, 4)->is_doubtful);
    g_assert_false(get_point(series, 3)->is_doubtful);
}

/* --- Over time ------------------------------------------------------------------------ */

static void
test_step_time(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    const FmRunStep *step = run->steps->pdata[run->steps->len - 1];
    g_autoptr(FmFigure) figure = build_english(run, "time:fill/long");

    g_assert_cmpuint(figure->panels->len, ==, 3);
    const FmSeries *rate = get_series(figure, 0, 0);
    const FmSeries *temperature = get_series(figure, 2, 0);
    /* Without the ramp of ten rows; stalls are 0, pauses and the cut last slot are gaps. */
    g_assert_cmpuint(rate->points->len, ==, step->ticks->len - 10);
    g_assert_cmpint(rate->mark, ==, FM_MARK_SAMPLES);
    g_assert_cmpint(rate->role, ==, FM_ROLE_WRITE);
    g_assert_cmpfloat(get_point(rate, 0)->x, ==, 0.1);
    g_assert_cmpfloat(get_point(rate, 100)->y, ==, 0);
    g_assert_true(isnan(get_point(rate, 150)->y));
    g_assert_true(isnan(get_point(rate, rate->points->len - 1)->y));
    g_assert_true(isnan(get_point(get_series(figure, 1, 0), 100)->y));
    g_assert_cmpfloat_with_epsilon(get_point(temperature, temperature->points->len - 1)->y, 56,
                                   0.1);
    g_assert_true(get_panel(figure, 1)->shares_x);
    g_assert_true(has_footnote(figure, "Nothing completed for 700 ms in all, for 700 ms"));
    g_assert_true(has_footnote(figure, "Gaps: the run was paused."));
    g_assert_nonnull(strstr(figure->subtitle, "without the ramp of 1 s"));
    g_assert_nonnull(strstr(figure->title, "MB/s on average, nothing at all for 700 ms"));
    g_assert_nonnull(strstr(figure->subtitle, "SEQ 128k Write QD8 (Fill) over time"));
}

static void
test_overview(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build_english(run, "overview");
    const FmPanel *panel = get_panel(figure, 0);

    g_assert_cmpuint(panel->annotations->len, ==, 4);
    g_assert_cmpstr(g_array_index(panel->annotations, FmAnnotation, 2).text, ==,
                    "QD1 Tail Latency");
    g_assert_cmpuint(get_panel(figure, 1)->series->len, ==, 1);
    /* Steps in order, each with a gap behind it. */
    const FmSeries *reads = get_series(figure, 0, 0);
    g_assert_cmpuint(reads->points->len % 3, ==, 0);
    g_assert_true(isnan(get_point(reads, 2)->y));
    g_assert_nonnull(strstr(figure->title, "steps in"));

    g_autoptr(FmFigure) korean = build(run, "overview", &all_options[1]);
    const FmPanel *other = get_panel(korean, 0);
    g_assert_cmpstr(g_array_index(other->annotations, FmAnnotation, 3).text, ==, "채우기");
}

static void
test_density(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();
    g_autoptr(FmFigure) figure = build_english(run, "density:fill/long");
    const FmSeries *density = get_series(figure, 0, 0);

    g_assert_cmpuint(density->density->n, ==, 20000);
    g_assert_cmpuint(density->density->n_outside, ==, 0);
    g_assert_cmpint(density->mark, ==, FM_MARK_DENSITY);
    const FmPoint *median = get_point(get_series(figure, 0, 1), 5);
    g_assert_cmpfloat_with_epsilon(median->y, 6e-3, 300e-6);
    g_assert_nonnull(strstr(figure->title, "20,000 I/Os"));
}

/* --- The state of the run ------------------------------------------------------------- */

static void
test_state(void)
{
    g_autoptr(FmRun) run = figures_fixture_new();

    g_free(run->verdict);
    run->verdict = g_strdup("may-be-cached");
    run->ended = false;
    g_autoptr(FmFigure) open = build_english(run, "F80");
    g_assert_true(has_footnote(open, "may be the numbers of a cache"));
    g_assert_true(has_footnote(open, "The run has no end"));

    FmFigureOptions live = {.language = "en", .is_live = true};
    g_autoptr(FmFigure) running = build(run, "F80", &live);
    g_assert_false(has_footnote(running, "The run has no end"));
    g_assert_cmpstr(running->title, ==, "QD1 tail latency");

    run->ended = true;
    g_free(run->outcome);
    run->outcome = g_strdup("stopped");
    g_autoptr(FmFigure) stopped = build_english(run, "F80");
    g_assert_true(has_footnote(stopped, "did not end as planned"));
}

#define ADD(path, test) g_test_add_func("/figures/figures/" path, test)

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    figures_fixture_bind_catalogues();
    ADD("list-has-the-telling-first-and-each-once", test_list);
    ADD("everything-listed-builds-and-keeps-the-laws", test_everything_builds);
    ADD("what-can-not-be-built-has-a-reason", test_refusals);
    ADD("hostile-strings-are-harmless", test_hostile);
    ADD("watermark-marks-what-is-no-drive", test_watermark);
    ADD("cdm-table-has-best-spread-and-reasons", test_cdm_table);
    ADD("many-remarks-hide-nothing-about-the-whole", test_many_remarks);
    ADD("cdm-bars-have-the-numbers-of-the-table", test_cdm_bars);
    ADD("depth-table-leaves-out-what-has-too-few-samples", test_depth_table);
    ADD("tail-is-the-distribution-of-every-io", test_tail);
    ADD("tail-of-reviews-has-their-axes", test_tail_review);
    ADD("percentiles-stop-where-samples-do", test_percentiles);
    ADD("step-shows-stalls-and-gaps-not-its-ramp", test_step_time);
    ADD("overview-has-steps-in-order-and-parts-named", test_overview);
    ADD("density-counts-every-logged-io", test_density);
    ADD("state-of-the-run-is-told-below", test_state);
    return g_test_run();
}
