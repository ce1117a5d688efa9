/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Collects the repetitions of each row, then scores the row.  The run may come from a
 * file of anybody: nothing in it is trusted to be there, in order or above 0.
 */
#define G_LOG_DOMAIN "fathom"

#include "analysis/cdm.h"

#include "analysis/stats.h"
#include "base/label.h"

#include <math.h>
#include <string.h>

/* A row and what is collected for it before it can be scored. */
typedef struct {
    FmCdmRow *row; /* NULL once it was handed out */
    GArray *results; /* of FmCdmResult */
    double in_flight_sum;
    double cpu_ns_sum; /* NaN once unknown */
    double ios;
} Pool;

static void
row_free(FmCdmRow *row)
{
    g_free(row->path);
    g_free(row->label);
    g_free(row->workload);
    g_ptr_array_unref(row->steps);
    fm_message_unref(row->host_limited_reason);
    fm_message_unref(row->problem);
    g_free(row);
}

/* Takes @row. */
static Pool *
pool_new(FmCdmRow *row)
{
    Pool *pool = g_new0(Pool, 1);
    pool->row = row;
    pool->results = g_array_new(FALSE, FALSE, sizeof(FmCdmResult));
    return pool;
}

static void
pool_free(Pool *pool)
{
    if (pool->row != NULL) {
        row_free(pool->row);
    }
    g_array_unref(pool->results);
    g_free(pool);
}

/* --- Scoring -------------------------------------------------------------------- */

FmCdmScore
fm_cdm_score(const FmCdmResult *results, gsize n, uint32_t block)
{
    g_autofree double *rates = g_new(double, n);
    g_autofree double *latencies = g_new(double, n);
    for (gsize i = 0; i < n; i++) {
        rates[i] = results[i].bytes_per_second;
        latencies[i] = results[i].mean_latency_ns;
    }

    double best = fm_stats_max(rates, n);
    return (FmCdmScore){
        .best = best,
        .best_iops = block > 0 ? best / block : NAN,
        .lowest_mean_ns = fm_stats_min(latencies, n),
        .median = fm_stats_median(rates, n),
        .min = fm_stats_min(rates, n),
        .max = best,
    };
}

static void
score_row(const Pool *pool)
{
    FmCdmRow *row = pool->row;
    guint n = pool->results->len;

    row->n_results = n;
    const FmCdmResult *results = (gconstpointer)pool->results->data; /* NULL when empty */
    row->score = fm_cdm_score(results, n, row->block);
    row->in_flight = n > 0 ? pool->in_flight_sum / n : NAN;
    row->cpu_ns_per_io = pool->ios > 0 ? pool->cpu_ns_sum / pool->ios : NAN;
    row->latency = (FmPercentiles){.mean_ns = NAN, .deviation_ns = NAN};
}

/* --- Collecting ----------------------------------------------------------------- */

static bool
is_complete(const FmRunStep *step)
{
    return step->ended && g_strcmp0(step->outcome, "complete") == 0;
}

static void
pool_disturbance(FmCdmRow *row, const FmRunStep *step)
{
    bool is_known = row->foreign_bytes >= 0 && step->foreign_bytes >= 0;

    row->is_disturbed = row->is_disturbed || step->is_disturbed;
    row->foreign_bytes = is_known && row->foreign_bytes <= INT64_MAX - step->foreign_bytes
                             ? row->foreign_bytes + step->foreign_bytes
                             : -1;
}

/* Adds a repetition that ran to its end. */
static void
pool_step(Pool *pool, const FmRunStep *step)
{
    FmCdmRow *row = pool->row;
    double ios = 0;
    double bytes = 0;
    double latency_ns = 0;
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        ios += (double)step->ios[op];
        bytes += (double)step->bytes[op];
        latency_ns += (double)step->latency_sum_ns[op];
    }
    if (step->measured_ns <= 0 || ios <= 0) {
        return;
    }

    FmCdmResult result = {
        .bytes_per_second = bytes * 1e9 / (double)step->measured_ns,
        .mean_latency_ns = latency_ns / ios,
    };
    g_array_append_val(pool->results, result);
    pool->ios += ios;
    pool->cpu_ns_sum += step->cpu_ns >= 0 ? (double)step->cpu_ns : NAN;
    pool->in_flight_sum += step->in_flight_mean;
    g_ptr_array_add(row->steps, (gpointer)step);
    if (step->host_limited && !row->is_host_limited) {
        row->is_host_limited = true;
        row->host_limited_reason = fm_message_ref(step->host_limited_reason);
    }
    pool_disturbance(row, step);
}

/* A sentence about what went wrong, or NULL.  A step without an end is no problem while the
 * run goes on. */
static FmMessage *
find_problem(const FmRun *run, const FmRunStep *step)
{
    if (!step->ended) {
        return run->ended ? fm_message_new("It was cut off") : NULL;
    }
    if (!is_complete(step)) {
        if (*fm_message_get_text(step->reason) != '\0') {
            return fm_message_ref(step->reason);
        }
        return g_strcmp0(step->outcome, "stopped") == 0 ? fm_message_new("It was stopped")
                                                        : fm_message_new("It failed");
    }
    if (step->errors > 0) {
        return fm_message_new("%ju I/Os failed", step->errors);
    }
    return NULL;
}

/* --- Rows ----------------------------------------------------------------------- */

/* The path without a last part "run=2" or "warm-up=1". */
static char *
dup_row_path(const char *path)
{
    const char *last = strrchr(path, '/');
    last = last != NULL ? last + 1 : path;
    if (!g_str_has_prefix(last, "run=") && !g_str_has_prefix(last, "warm-up=")) {
        return g_strdup(path);
    }
    return g_strndup(path, last > path ? (gsize)(last - path) - 1 : 0);
}

/* From what was asked for; a step of several streams from what was done. */
static uint32_t
get_read_share(const FmRunStep *step)
{
    double reads = (double)step->ios[FM_OP_READ];
    double writes = (double)step->ios[FM_OP_WRITE];
    if (step->n_streams == 1) {
        reads = step->streams[0].op_share[FM_OP_READ];
        writes = step->streams[0].op_share[FM_OP_WRITE];
    }
    double all = reads + writes;
    return all > 0 ? (uint32_t)round(FM_SHARE_WHOLE * reads / all) : 0;
}

static FmCdmRow *
row_new(const FmRunStep *step, char *path)
{
    FmCdmRow *row = g_new0(FmCdmRow, 1);
    row->path = path;
    row->label = step->label != NULL && step->label[0] != '\0' ? g_strdup(step->label) : NULL;
    row->workload = g_strdup(step->workload);
    row->steps = g_ptr_array_new();
    row->read_share = get_read_share(step);
    row->group = row->read_share == FM_SHARE_WHOLE ? FM_CDM_READ
                 : row->read_share == 0            ? FM_CDM_WRITE
                                                   : FM_CDM_MIX;
    row->is_random = step->n_streams > 0 && g_strcmp0(step->streams[0].pattern, "sequential") != 0;
    row->block = fm_run_step_get_block(step);
    row->threads = MAX(step->threads, 1);
    row->depth = step->in_flight / row->threads;
    return row;
}

/* Whether @step is scored in a table at all: rests and preconditioning are not, nor what
 * a resumed run has done again. */
static bool
belongs_to_table(const FmRun *run, const FmRunStep *step)
{
    return g_strcmp0(step->kind, "measure") == 0 && step->path != NULL &&
           fm_run_get_step(run, step->number) == step;
}

static int
compare_groups_cb(gconstpointer a, gconstpointer b)
{
    const FmCdmRow *x = *(FmCdmRow *const *)a;
    const FmCdmRow *y = *(FmCdmRow *const *)b;
    return (int)x->group - (int)y->group;
}

/* The pool of the row @step belongs to; a new one, added to @pools, for a new row. */
static Pool *
get_pool(GPtrArray *pools, GHashTable *by_path, const FmRunStep *step)
{
    g_autofree char *path = dup_row_path(step->path);
    Pool *pool = g_hash_table_lookup(by_path, path);

    if (pool == NULL) {
        pool = pool_new(row_new(step, g_steal_pointer(&path)));
        g_ptr_array_add(pools, pool);
        g_hash_table_insert(by_path, pool->row->path, pool);
    }
    return pool;
}

FmCdmTable *
fm_cdm_table_new_without_latency(const FmRun *run)
{
    g_autoptr(GPtrArray) pools = g_ptr_array_new_with_free_func((GDestroyNotify)pool_free);
    g_autoptr(GHashTable) by_path = g_hash_table_new(g_str_hash, g_str_equal);

    for (guint i = 0; i < run->steps->len; i++) {
        const FmRunStep *step = run->steps->pdata[i];
        if (!belongs_to_table(run, step)) {
            continue;
        }
        Pool *pool = get_pool(pools, by_path, step);
        if (!step->discard && is_complete(step)) {
            pool_step(pool, step);
        }
        if (pool->row->problem == NULL) {
            pool->row->problem = find_problem(run, step);
        }
    }

    FmCdmTable *table = g_new0(FmCdmTable, 1);
    table->rows = g_ptr_array_new_with_free_func((GDestroyNotify)row_free);
    for (guint i = 0; i < pools->len; i++) {
        Pool *pool = pools->pdata[i];
        score_row(pool);
        g_ptr_array_add(table->rows, g_steal_pointer(&pool->row));
    }
    /* GLib sorts stably: rows of one group keep their order. */
    g_ptr_array_sort(table->rows, compare_groups_cb);
    return table;
}

FmCdmTable *
fm_cdm_table_new(const FmRun *run)
{
    FmCdmTable *table = fm_cdm_table_new_without_latency(run);

    for (guint i = 0; i < table->rows->len; i++) {
        FmCdmRow *row = table->rows->pdata[i];
        g_auto(FmLatencyPool) pool = {0};
        fm_cdm_row_get_latency(row, FM_N_OPS, &pool);
        row->latency = fm_latency_pool_get_percentiles(&pool);
    }
    return table;
}

void
fm_cdm_row_get_latency(const FmCdmRow *row, unsigned op, FmLatencyPool *pool)
{
    *pool = (FmLatencyPool){0};
    for (guint i = 0; i < row->steps->len; i++) {
        fm_latency_pool_add(pool, row->steps->pdata[i], op);
    }
}

void
fm_cdm_table_free(FmCdmTable *table)
{
    if (table == NULL) {
        return;
    }
    g_ptr_array_unref(table->rows);
    g_free(table);
}

char *
fm_cdm_row_dup_name(const FmCdmRow *row)
{
    g_autofree char *block = row->block > 0 ? fm_label_dup_block(row->block) : g_strdup("-mixed");
    for (char *letter = block; row->block > 0 && *letter != '\0'; letter++) {
        *letter = g_ascii_toupper(*letter);
    }
    return g_strdup_printf("%s%s Q%uT%u", row->is_random ? "RND" : "SEQ", block, row->depth,
                           row->threads);
}
