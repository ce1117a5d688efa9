/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * F80, tail latency: latency on x, the share of all I/Os that took no longer on a scale of
 * nines on y (METHODOLOGY 13, DESIGN 5.5.8).  Every I/O counts.  Where fewer than ten I/Os lie
 * beyond, the line is doubtful and drawn so; it ends at the slowest single I/O.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/builder.h"

#include "base/error.h"
#include "base/label.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

enum {
    PER_DECADE = 40, /* points of a line for each nine */
    MAX_LINES = 6, /* with the dots of the slowest they are within the limit of a panel */
    ENOUGH = 10, /* I/Os beyond a percentile (METHODOLOGY 2.3) */
};

/* Limits of the review preset: 1 µs to 10 ms, six nines. */
static const double review_least = 1e-6;
static const double review_most = 10e-3;
static const double review_share = 0.999999;

/* One line of the figure. */
typedef struct {
    const FmCdmRow *row;
    unsigned op; /* FM_N_OPS = all together */
    int stream; /* ALL_STREAMS, or the number of one of several */
} Line;

enum { ALL_STREAMS = -1 };

/* --- Which lines ------------------------------------------------------------------- */

static bool
is_single_random(const FmCdmRow *row)
{
    return row->is_random && row->block > 0 && fm_row_get_depth(row) == 1 && row->n_results > 0;
}

static bool
has_share(const GArray *lines, const FmCdmRow *row)
{
    for (guint i = 0; i < lines->len; i++) {
        const FmCdmRow *other = g_array_index(lines, Line, i).row;
        if (other->read_share == row->read_share && other->block == row->block) {
            return true;
        }
    }
    return false;
}

/* The QD1 rows of a test that was made for them; else the first of each mix. */
static GArray *
choose_overview(const FmBuilder *builder)
{
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));

    for (unsigned pass = 0; pass < 2 && lines->len == 0; pass++) {
        for (guint i = 0; i < builder->table->rows->len && lines->len < MAX_LINES; i++) {
            const FmCdmRow *row = builder->table->rows->pdata[i];
            bool is_wanted =
                pass == 0 ? g_strcmp0(row->workload, "E-TAIL") == 0 : row->group != FM_CDM_MIX;
            if (is_wanted && is_single_random(row) && !has_share(lines, row)) {
                Line line = {row, FM_N_OPS, ALL_STREAMS};
                g_array_append_val(lines, line);
            }
        }
    }
    return lines;
}

static const FmRunStream *
get_stream(const Line *line)
{
    const FmRunStep *step = line->row->steps->len > 0 ? line->row->steps->pdata[0] : NULL;
    bool is_one = step != NULL && line->stream >= 0 && (unsigned)line->stream < step->n_streams;

    return is_one ? &step->streams[line->stream] : NULL;
}

static char *
dup_row_name(const FmBuilder *builder, const Line *line)
{
    const FmRunStream *stream = get_stream(line);
    GString *name = g_string_new(NULL);
    g_autofree char *row_name = fm_builder_dup_row_name(builder, line->row);

    g_string_append(name, row_name);
    if (stream != NULL && stream->id != NULL) {
        g_autofree char *id = fm_text_dup_printable(stream->id);
        g_string_append_printf(name, ", %s", id);
    }
    if (line->op < FM_N_OPS && line->row->group == FM_CDM_MIX) {
        g_string_append_printf(name, ", %s", fm_say_op(builder, line->op));
    }
    return g_string_free(name, FALSE);
}

/* What the line is made of. */
static void
get_latency(const Line *line, FmLatencyPool *pool)
{
    *pool = (FmLatencyPool){0};
    for (guint i = 0; i < line->row->steps->len; i++) {
        const FmRunStep *step = line->row->steps->pdata[i];
        if (line->stream == ALL_STREAMS) {
            fm_latency_pool_add(pool, step, line->op);
        } else {
            fm_latency_pool_add_stream(pool, step, (unsigned)line->stream, line->op);
        }
    }
}

static char *
dup_name(const FmBuilder *builder, const GArray *lines)
{
    const Line *line = &g_array_index(lines, Line, 0);

    if (lines->len > 1) {
        return g_strdup(fm_say(builder, "QD1 tail latency"));
    }
    g_autofree char *name = dup_row_name(builder, line);
    return g_strdup_printf(fm_say(builder, "Tail latency, %s"), name);
}

/* Takes @key, what follows "F80:". */
static void
list_line(const FmBuilder *builder, GPtrArray *entries, const Line *line, char *key)
{
    g_autofree char *owned = key;
    g_autofree char *name = dup_row_name(builder, line);

    fm_builder_add_entry(entries, g_strdup_printf("F80:%s", owned),
                         g_strdup_printf(fm_say(builder, "Tail latency, %s"), name), true);
}

/* Each of several streams, all its ops together. */
static void
list_streams(const FmBuilder *builder, GPtrArray *entries, const FmCdmRow *row)
{
    const FmRunStep *step = row->steps->len > 0 ? row->steps->pdata[0] : NULL;

    for (unsigned i = 0; step != NULL && step->n_streams > 1 && i < step->n_streams; i++) {
        Line line = {row, FM_N_OPS, (int)i};
        if (step->streams[i].id != NULL) {
            list_line(builder, entries, &line,
                      g_strdup_printf("%s/all@%s", row->path, step->streams[i].id));
        }
    }
}

static void
list_row(const FmBuilder *builder, GPtrArray *entries, const FmCdmRow *row)
{
    unsigned ops = fm_row_get_ops(row);
    bool is_mixed = (ops & (ops - 1)) != 0;

    for (unsigned i = 0; i <= FM_N_OPS; i++) {
        /* All together first. */
        unsigned op = i == 0 ? FM_N_OPS : i - 1;
        if (op == FM_N_OPS ? !is_mixed : (ops >> op & 1) == 0) {
            continue;
        }
        Line line = {row, op, ALL_STREAMS};
        list_line(builder, entries, &line, g_strdup_printf("%s/%s", row->path, fm_op_key(op)));
    }
    list_streams(builder, entries, row);
}

static void
list(const FmBuilder *builder, GPtrArray *entries)
{
    g_autoptr(GArray) lines = choose_overview(builder);

    if (lines->len > 0) {
        fm_builder_add_entry(entries, g_strdup("F80"), dup_name(builder, lines), false);
    }
    for (guint i = 0; i < builder->table->rows->len; i++) {
        list_row(builder, entries, builder->table->rows->pdata[i]);
    }
}

/* --- Drawing ----------------------------------------------------------------------- */

static double
get_iops(const FmCdmRow *row, const FmLatencyPool *pool)
{
    double seconds = 0;

    for (guint i = 0; i < row->steps->len; i++) {
        seconds += (double)((const FmRunStep *)row->steps->pdata[i])->measured_ns / 1e9;
    }
    return seconds > 0 ? (double)pool->hist.count / seconds : NAN;
}

static FmRole
choose_role(const GArray *lines, guint index)
{
    const Line *line = &g_array_index(lines, Line, index);
    bool has_mix = false;

    for (guint i = 0; i < lines->len; i++) {
        has_mix = has_mix || g_array_index(lines, Line, i).row->group == FM_CDM_MIX;
    }
    if (lines->len > 1 && has_mix) {
        return (FmRole)(FM_ROLE_SERIES_1 + index);
    }
    bool is_write = line->op == FM_OP_WRITE || line->row->group == FM_CDM_WRITE;
    return is_write ? FM_ROLE_WRITE : FM_ROLE_READ;
}

/* "RND 4k Read · 17.5k IOPS". */
static char *
dup_label(const FmBuilder *builder, const Line *line, const FmLatencyPool *pool)
{
    const FmRunStream *stream = get_stream(line);
    g_autofree char *iops = fm_say_iops(builder, get_iops(line->row, pool));
    g_autofree char *name = stream != NULL && stream->id != NULL
                                ? fm_text_dup_printable(stream->id)
                                : fm_builder_dup_workload(builder, line->row);

    if (line->row->group == FM_CDM_MIX && line->op < FM_N_OPS) {
        return g_strdup_printf("%s, %s · %s", name, fm_say_op(builder, line->op), iops);
    }
    return g_strdup_printf("%s · %s", name, iops);
}

/* The slowest I/O beside its line: an open dot. */
static void
add_slowest(const FmBuilder *builder, FmSeries *slowest, const FmPercentiles *latency)
{
    double share = 1 - 1 / (double)latency->n;

    if (builder->options->is_review &&
        (share > review_share || (double)latency->max_ns / 1e9 > review_most)) {
        return;
    }
    FmPoint *point = fm_series_add(slowest, (double)latency->max_ns / 1e9, share);
    point->is_doubtful = true;
}

static void
add_line(const FmBuilder *builder, FmSeries *series, const FmLatencyPool *pool)
{
    g_autoptr(GArray) curve = fm_latency_pool_new_curve(pool, PER_DECADE);
    double enough = 1 - ENOUGH / (double)pool->hist.count;

    for (guint i = 0; i < curve->len; i++) {
        const FmQuantile *quantile = &g_array_index(curve, FmQuantile, i);
        double seconds = quantile->ns / 1e9;
        if (builder->options->is_review &&
            (seconds > review_most || quantile->share > review_share)) {
            break;
        }
        /* A log scale has no 0; a clock tick is the least there is. */
        FmPoint *point = fm_series_add(series, MAX(seconds, 1e-9), quantile->share);
        point->is_doubtful = quantile->share > enough;
    }
}

static void
set_axes(const FmBuilder *builder, FmPanel *panel)
{
    fm_axis_set(&panel->x, fm_say(builder, "Latency"), FM_UNIT_SECONDS, FM_SCALE_LOG10);
    fm_axis_set(&panel->y, fm_say(builder, "Share of I/Os not slower"), FM_UNIT_SHARE,
                FM_SCALE_NINES);
    panel->x.is_scale_fixed = true;
    panel->y.is_scale_fixed = true;
    panel->y.min = 0;
    if (builder->options->is_review) {
        panel->x.min = review_least;
        panel->x.max = review_most;
        panel->y.max = review_share;
    }
}

/* --- What it tells ----------------------------------------------------------------- */

/* The highest percentile up to P99.99 that has enough samples; -1 = none. */
static int
find_telling(const FmPercentiles *latency)
{
    for (int i = FM_P99_99; i >= FM_P50; i--) {
        if (latency->n > 0 && latency->values[i].is_sufficient) {
            return i;
        }
    }
    return -1;
}

static char *
dup_finding(const FmBuilder *builder, const Line *line, const FmPercentiles *latency)
{
    int telling = find_telling(latency);

    if (telling < 0) {
        return NULL;
    }
    g_autofree char *share = fm_say_share(builder, (FmPercentileIndex)telling);
    g_autofree char *time = fm_say_latency(builder, (double)latency->values[telling].ns);
    g_autofree char *most = fm_say_exact_latency((double)latency->max_ns);
    g_autofree char *block =
        line->row->block > 0 ? fm_label_dup_block(line->row->block) : g_strdup("");
    bool is_read = line->op == FM_OP_READ || line->row->group == FM_CDM_READ;
    bool is_write = line->op == FM_OP_WRITE || line->row->group == FM_CDM_WRITE;
    if (strcmp(time, most) == 0) {
        g_autofree char *half = fm_say_latency(builder, (double)latency->values[FM_P50].ns);
        return g_strdup_printf(
            is_read    ? fm_say(builder, "Half of the %s reads within %s, all within %s")
            : is_write ? fm_say(builder, "Half of the %s writes within %s, all within %s")
                       : fm_say(builder, "Half of the %s I/Os within %s, all within %s"),
            block, half, most);
    }
    return g_strdup_printf(
        is_read    ? fm_say(builder, "%s of %s reads within %s; the slowest took %s")
        : is_write ? fm_say(builder, "%s of %s writes within %s; the slowest took %s")
                   : fm_say(builder, "%s of %s I/Os within %s; the slowest took %s"),
        share, block, time, most);
}

/* One sentence for all lines: "n = 18,315 to 32,215, too few for P99.99". */
static void
add_sufficiency(const FmBuilder *builder, FmFigure *figure, const FmPercentiles *latencies,
                guint n_lines)
{
    uint64_t least = UINT64_MAX;
    uint64_t most = 0;
    unsigned first = FM_N_PERCENTILES;

    for (guint i = 0; i < n_lines; i++) {
        least = latencies[i].n > 0 ? MIN(least, latencies[i].n) : least;
        most = MAX(most, latencies[i].n);
        for (unsigned k = 0; k < first && latencies[i].n > 0; k++) {
            first = latencies[i].values[k].is_sufficient ? first : k;
        }
    }
    if (first == FM_N_PERCENTILES || most == 0) {
        return;
    }
    g_autofree char *few = fm_say_count(least);
    g_autofree char *many = fm_say_count(most);
    g_autofree char *n =
        least == most ? g_strdup(few) : g_strdup_printf(fm_say(builder, "%s to %s"), few, many);
    fm_builder_add_footnote(
        figure, g_strdup_printf(fm_say(builder, "n = %s, too few for %s; dashed where fewer than "
                                                "ten I/Os lie beyond."),
                                n, fm_percentile_name((FmPercentileIndex)first)));
}

static void
add_cut(const FmBuilder *builder, FmFigure *figure, const Line *line, const FmPercentiles *latency)
{
    if (builder->options->is_review && (double)latency->max_ns / 1e9 > review_most) {
        /* A single I/O, known exactly: the rule for percentiles would round it to a bin. */
        g_autofree char *most = fm_say_exact_latency((double)latency->max_ns);
        g_autofree char *label = fm_builder_dup_workload(builder, line->row);
        fm_builder_add_footnote(
            figure, g_strdup_printf(fm_say(builder, "%s: beyond 10 ms is not drawn; the slowest "
                                                    "took %s."),
                                    label, most));
    }
}

static void
append_alt_text(const FmBuilder *builder, GString *text, const char *label,
                const FmPercentiles *latency)
{
    g_string_append_printf(text, " %s:", label);
    for (unsigned i = 0; i < FM_N_PERCENTILES; i++) {
        if (latency->values[i].is_sufficient) {
            g_autofree char *time = fm_say_latency(builder, (double)latency->values[i].ns);
            g_string_append_printf(text, " %s %s,", fm_percentile_name((FmPercentileIndex)i), time);
        }
    }
    g_autofree char *most = fm_say_exact_latency((double)latency->max_ns);
    g_autofree char *end = g_strdup_printf(fm_say(builder, "slowest %s."), most);
    g_string_append_printf(text, " %s", end);
}

/* --- Building ---------------------------------------------------------------------- */

static void
fill(const FmBuilder *builder, FmFigure *figure, const GArray *lines)
{
    FmPanel *panel = fm_figure_add_panel(figure, NULL);
    GString *alt_text = g_string_new(fm_say(builder, "Latency distribution on a scale of nines."));
    g_autofree char *name = dup_name(builder, lines);
    g_autofree FmPercentiles *latencies = g_new0(FmPercentiles, lines->len);

    set_axes(builder, panel);
    for (guint i = 0; i < lines->len; i++) {
        const Line *line = &g_array_index(lines, Line, i);
        g_auto(FmLatencyPool) pool = {0};
        get_latency(line, &pool);
        g_autofree char *label = dup_label(builder, line, &pool);
        latencies[i] = fm_latency_pool_get_percentiles(&pool);
        if (latencies[i].n == 0) {
            continue;
        }
        FmSeries *series = fm_panel_add_series(panel, label, choose_role(lines, i), FM_MARK_LINE);
        add_line(builder, series, &pool);
        append_alt_text(builder, alt_text, label, &latencies[i]);
        add_cut(builder, figure, line, &latencies[i]);
    }
    FmSeries *slowest =
        fm_panel_add_series(panel, fm_say(builder, "max"), FM_ROLE_MUTED, FM_MARK_POINT);
    for (guint i = 0; i < lines->len; i++) {
        if (latencies[i].n > 1) {
            add_slowest(builder, slowest, &latencies[i]);
        }
    }
    add_sufficiency(builder, figure, latencies, lines->len);
    fm_builder_set_title(builder, figure, name,
                         dup_finding(builder, &g_array_index(lines, Line, 0), &latencies[0]));
    figure->alt_text = g_string_free(alt_text, FALSE);
}

static void
add_subtitle(const FmBuilder *builder, FmFigure *figure, const GArray *lines)
{
    const FmCdmRow *row = g_array_index(lines, Line, 0).row;

    fm_builder_add_subtitle(figure,
                            g_strdup(fm_say(builder, "every I/O, queued to reaped, log scale")));
    const FmRunStep *step = row->steps->pdata[0];
    fm_builder_add_subtitle(
        figure, fm_builder_dup_runs_of(builder, row->n_results, row->n_results, step->measured_ns));
}

static FmFigure *
build_lines(const FmBuilder *builder, const char *key, const GArray *lines)
{
    g_autofree char *id = *key != '\0' ? g_strdup_printf("F80:%s", key) : g_strdup("F80");
    FmFigure *figure = fm_builder_start(builder, id, "tail-latency");

    fill(builder, figure, lines);
    add_subtitle(builder, figure, lines);
    for (guint i = 0; i < lines->len; i++) {
        fm_builder_note_row(builder, figure, g_array_index(lines, Line, i).row);
    }
    return fm_builder_finish(builder, figure);
}

/* "ROW/OP", or "ROW/OP@STREAM"; false when there is no such line. */
static bool
parse_line(const FmBuilder *builder, const char *key, Line *line)
{
    const char *at = strrchr(key, '@');
    g_autofree char *row_key = at != NULL ? g_strndup(key, (gsize)(at - key)) : g_strdup(key);

    line->stream = ALL_STREAMS;
    if (!fm_builder_parse_row_key(builder, row_key, &line->row, &line->op)) {
        return false;
    }
    const FmRunStep *step = line->row->steps->len > 0 ? line->row->steps->pdata[0] : NULL;
    for (unsigned i = 0; at != NULL && step != NULL && i < step->n_streams; i++) {
        if (g_strcmp0(step->streams[i].id, at + 1) == 0) {
            line->stream = (int)i;
        }
    }
    return at == NULL || line->stream != ALL_STREAMS;
}

/* One row, if it has what the figure needs. */
static GArray *
choose_row(const FmBuilder *builder, const char *key, GError **error)
{
    Line line;

    if (!parse_line(builder, key, &line)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no row “%s” in this run; a row is the path of a step without its "
                     "repetition, and /read, /write or /all",
                     key);
        return NULL;
    }
    g_auto(FmLatencyPool) pool = {0};
    get_latency(&line, &pool);
    if (pool.hist.count == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED, "Nothing was measured of “%s” in this run", key);
        return NULL;
    }
    GArray *lines = g_array_new(FALSE, FALSE, sizeof(Line));
    g_array_append_val(lines, line);
    return lines;
}

static FmFigure *
build(const FmBuilder *builder, const char *key, GError **error)
{
    g_autoptr(GArray) lines =
        *key != '\0' ? choose_row(builder, key, error) : choose_overview(builder);

    if (lines == NULL) {
        return NULL;
    }
    if (lines->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Figure F80 needs random I/O at QD1, and this run has none; the tail of other "
                     "rows is F80:ROW/OP");
        return NULL;
    }
    return build_lines(builder, key, lines);
}

const FmFigureKind fm_figure_tail = {.prefix = "F80", .list = list, .build = build};
