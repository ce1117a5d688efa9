/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The physical parameters of a model drive, as read from resources/models/NAME.json.
 * Times are ns and rates bytes per ns here; the files speak of microseconds and MB/s.
 *
 *   name, summary      what it is
 *   capacity           bytes
 *   servers            I/Os the media works on at the same time; the rest waits its turn
 *   jitter             mean of an exponential extra on the media time, as a share of it
 *   read, write, trim, flush
 *                      base_us    media time of a request
 *                      per_kib_us media time of each KiB
 *                      iops, mbs  most the interface passes; 0 or absent = no limit
 *   sync_us            extra media time of a durable write
 *   cache              bytes      fast cache of the empty drive
 *                      min_bytes  what is left of it on a full drive (default: bytes)
 *                      direct_mbs writing past the full cache ...
 *                      direct_bytes ... for so long (absent: for ever), then
 *                      fold_mbs   writing while the cache is emptied for each byte
 *                      idle_ms    quiet time after which the drive begins to empty it
 *                      reclaim_mbs how fast it does
 *   gc                 over_provision  spare share of the flash; overwriting at random
 *                      costs more the less there is
 *   stalls             every_ms, ms    mean distance and length of pauses
 */
#pragma once

#include <glib.h>
#include <stdint.h>

#include "model/op.h"

G_BEGIN_DECLS

typedef struct {
    double base_ns;
    double per_byte_ns;
    double occupancy_ns; /* least time between two requests; 0 = no limit */
    double occupancy_per_byte_ns;
} FmSimLaw;

typedef struct {
    char *name;
    char *summary;
    uint64_t capacity;
    unsigned servers;
    double jitter;
    FmSimLaw ops[FM_N_OPS];
    double sync_ns;

    /* Fast cache; cache_bytes 0 = none. */
    double cache_bytes;
    double cache_min_bytes;
    double direct_bytes; /* INFINITY = for ever */
    double direct_per_byte_ns;
    double fold_per_byte_ns;
    double idle_ns;
    double reclaim_bytes_per_ns;

    double over_provision; /* 0 = no garbage collection */
    double stall_every_ns; /* 0 = no stalls */
    double stall_ns;
} FmSimModel;

/* Reads a model by name, or from a file when @name ends in ".json".  Unknown keys and
 * values that make no sense are errors. */
FmSimModel *fm_sim_model_load(const char *name, GError **error);
/* The same from text; @origin names it in errors. */
FmSimModel *fm_sim_model_parse(const char *text, gsize length, const char *origin, GError **error);
void fm_sim_model_free(FmSimModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmSimModel, fm_sim_model_free)

G_END_DECLS
