/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads model drives.  Set-up only; nothing here knows how a drive behaves, only what
 * its parameters are called and what they may be.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "engine/sim-model.h"

#include "base/error.h"

#include <glib/gi18n.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_SERVERS = 65536 };

/* What the file says, in the file's units. */
typedef struct {
    double base_us;
    double per_kib_us;
    double iops;
    double mbs;
} Law;

/* ns a byte at @mbs megabytes a second; 0 = no limit. */
static double
per_byte_ns(double mbs)
{
    return mbs > 0 ? 1e3 / mbs : 0;
}

static bool
refuse(const char *origin, const char *reason, GError **error)
{
    g_autoptr(FmMessage) why = fm_message_new_words(reason);
    fm_error_set(error, FM_ERROR_INVALID, "The model drive “%s” can't be used: %p", origin, why);
    return false;
}

static bool
read_law(json_t *json, FmSimLaw *law, json_error_t *problem)
{
    Law file = {0};

    if (json &&
        json_unpack_ex(json, problem, JSON_STRICT, "{s?F, s?F, s?F, s?F}", "base_us", &file.base_us,
                       "per_kib_us", &file.per_kib_us, "iops", &file.iops, "mbs", &file.mbs) != 0) {
        return false;
    }
    law->base_ns = file.base_us * 1e3;
    law->per_byte_ns = file.per_kib_us * 1e3 / 1024;
    law->occupancy_ns = file.iops > 0 ? 1e9 / file.iops : 0;
    law->occupancy_per_byte_ns = per_byte_ns(file.mbs);
    return true;
}

static bool
read_cache(json_t *json, FmSimModel *model, json_error_t *problem)
{
    double direct_mbs = 0;
    double fold_mbs = 0;
    double reclaim_mbs = 0;
    double idle_ms = 0;

    model->direct_bytes = INFINITY;
    model->cache_min_bytes = -1;
    if (json &&
        json_unpack_ex(json, problem, JSON_STRICT, "{s:F, s?F, s?F, s?F, s?F, s?F, s?F}", "bytes",
                       &model->cache_bytes, "min_bytes", &model->cache_min_bytes, "direct_mbs",
                       &direct_mbs, "direct_bytes", &model->direct_bytes, "fold_mbs", &fold_mbs,
                       "idle_ms", &idle_ms, "reclaim_mbs", &reclaim_mbs) != 0) {
        return false;
    }
    if (model->cache_min_bytes < 0) {
        model->cache_min_bytes = model->cache_bytes;
    }
    model->direct_per_byte_ns = per_byte_ns(direct_mbs);
    model->fold_per_byte_ns = per_byte_ns(fold_mbs);
    model->idle_ns = idle_ms * 1e6;
    model->reclaim_bytes_per_ns = reclaim_mbs / 1e3;
    return true;
}

static bool
read_rest(json_t *gc, json_t *stalls, FmSimModel *model, json_error_t *problem)
{
    if (gc && json_unpack_ex(gc, problem, JSON_STRICT, "{s:F}", "over_provision",
                             &model->over_provision) != 0) {
        return false;
    }
    if (stalls && json_unpack_ex(stalls, problem, JSON_STRICT, "{s:F, s:F}", "every_ms",
                                 &model->stall_every_ns, "ms", &model->stall_ns) != 0) {
        return false;
    }
    model->stall_every_ns *= 1e6;
    model->stall_ns *= 1e6;
    return true;
}

static bool
check(const FmSimModel *model, const char *origin, GError **error)
{
    if (model->capacity == 0 || model->servers == 0 || model->servers > MAX_SERVERS) {
        return refuse(origin, N_("it needs a capacity and 1 to 65536 servers"), error);
    }
    for (unsigned op = 0; op < FM_N_OPS; op++) {
        const FmSimLaw *law = &model->ops[op];
        if (law->base_ns < 0 || law->per_byte_ns < 0) {
            return refuse(origin, N_("a time is negative"), error);
        }
        /* Without any time the virtual clock would stand still for ever. */
        if (law->base_ns + law->per_byte_ns + law->occupancy_ns + law->occupancy_per_byte_ns <= 0) {
            return refuse(origin, N_("read, write, trim and flush must each take time"), error);
        }
    }
    if (model->jitter < 0 || model->sync_ns < 0 || model->cache_bytes < 0 || model->stall_ns < 0 ||
        model->stall_every_ns < 0 || model->idle_ns < 0 || model->over_provision < 0) {
        return refuse(origin, N_("a value is negative"), error);
    }
    if (model->cache_bytes > 0 && (model->direct_bytes > 0 ? model->direct_per_byte_ns : 1) <= 0) {
        return refuse(origin, N_("a cache needs direct_mbs, or direct_bytes 0 and fold_mbs"),
                      error);
    }
    if (isfinite(model->direct_bytes) && model->cache_bytes > 0 && model->fold_per_byte_ns <= 0) {
        return refuse(origin, N_("a limit on direct writing needs fold_mbs"), error);
    }
    return true;
}

FmSimModel *
fm_sim_model_parse(const char *text, gsize length, const char *origin, GError **error)
{
    g_autoptr(FmSimModel) model = g_new0(FmSimModel, 1);
    json_error_t problem = {0};
    const char *name = NULL;
    const char *summary = NULL;
    json_int_t capacity = 0;
    json_int_t servers = 0;
    double sync_us = 0;
    json_t *laws[FM_N_OPS] = {NULL};
    json_t *cache = NULL;
    json_t *gc = NULL;
    json_t *stalls = NULL;

    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    bool read =
        root &&
        json_unpack_ex(root, &problem, JSON_STRICT,
                       "{s:s, s:s, s:I, s:I, s?F, s:o, s:o, s:o, s:o, s?F, s?o, "
                       "s?o, s?o}",
                       "name", &name, "summary", &summary, "capacity", &capacity, "servers",
                       &servers, "jitter", &model->jitter, "read", &laws[FM_OP_READ], "write",
                       &laws[FM_OP_WRITE], "trim", &laws[FM_OP_TRIM], "flush", &laws[FM_OP_FLUSH],
                       "sync_us", &sync_us, "cache", &cache, "gc", &gc, "stalls", &stalls) == 0;
    for (unsigned op = 0; read && op < FM_N_OPS; op++) {
        read = read_law(laws[op], &model->ops[op], &problem);
    }
    read = read && read_cache(cache, model, &problem) && read_rest(gc, stalls, model, &problem);
    if (read) {
        model->name = g_strdup(name);
        model->summary = g_strdup(summary);
        model->capacity = capacity > 0 ? (uint64_t)capacity : 0;
        model->servers = servers > 0 && servers <= MAX_SERVERS ? (unsigned)servers : 0;
        model->sync_ns = sync_us * 1e3;
    }
    json_decref(root);
    if (!read) {
        fm_error_set(error, FM_ERROR_INVALID, "The model drive “%s” can't be used: %s in line %d",
                     origin, problem.text, problem.line);
        return NULL;
    }
    return check(model, origin, error) ? g_steal_pointer(&model) : NULL;
}

FmSimModel *
fm_sim_model_load(const char *name, GError **error)
{
    g_autofree char *path = NULL;
    g_autofree char *text = NULL;
    gsize length = 0;

    if (g_str_has_suffix(name, ".json")) {
        path = g_strdup(name);
    } else {
        const char *folder = g_getenv("FATHOM_DATA_DIR");
        g_autofree char *file = g_strconcat(name, ".json", NULL);
        path = g_build_filename(folder ? folder : FM_DATA_DIR, "models", file, NULL);
    }
    if (strchr(name, '/') && !g_str_has_suffix(name, ".json")) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” is not the name of a model drive, such as “ideal” or “tlc”", name);
        return NULL;
    }
    if (!g_file_get_contents(path, &text, &length, NULL)) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "There is no model drive “%s”: the file “%s” can't be read", name, path);
        return NULL;
    }
    return fm_sim_model_parse(text, length, name, error);
}

void
fm_sim_model_free(FmSimModel *model)
{
    if (model) {
        g_free(model->name);
        g_free(model->summary);
        g_free(model);
    }
}
