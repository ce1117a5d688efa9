/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The model drive.  Two things bound a request.  The media has a few servers; each
 * works on one request at a time, and requests take the first that is free, in order
 * of arrival.  The interface of each direction passes requests one after the other at
 * its rate.  A request is over when both are.  So at low depth latency is the media's,
 * and at high depth throughput is that of the narrower of the two: closed forms that
 * tests can check.
 *
 * Because nothing overtakes, the end of a request is known when it arrives, and there
 * are no events to simulate: that is what makes hours take seconds.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/sim-drive.h"

#include "base/rng.h"

#include <math.h>

enum {
    JITTER_STEPS = 4096,
    CHUNKS = 65536, /* pieces of the drive whose use is tracked */
    CURSORS = 64,
    CURSOR_SHIFT = 27, /* sequential writers more than 128 MiB apart are told apart */
};

struct FmSimDrive {
    const FmSimModel *model;
    FmRng rng;
    uint64_t *free_at; /* heap of instants at which the servers are free; [0] = first */
    double pass_at[FM_N_OPS]; /* when the interface can take the next of each op */
    uint64_t busy_until; /* end of the latest request */

    float *jitter; /* quantiles of the extra, or NULL */
    double next_stall;
    double stall_until;

    /* Cache: bytes in it, and bytes that went past it since it was full. */
    double cached;
    double past_cache;
    double idle_credited; /* until when idling has been paid out */

    /* Use of the flash, kept only for models that need it. */
    double chunk_bytes;
    float *chunks; /* mapped bytes of each chunk, or NULL */
    double mapped;
    double scatter; /* 0 = in order, 1 = overwritten at random all over */
    double amplification; /* at scatter 1 */
    uint64_t cursors[CURSORS];
};

static double
draw_exponential(FmSimDrive *drive, double mean)
{
    double unit = (double)(fm_rng_next(&drive->rng) >> 11) * 0x1p-53;

    return -log1p(-unit) * mean;
}

static float *
make_jitter(double mean)
{
    float *table = g_new(float, JITTER_STEPS);

    for (unsigned i = 0; i < JITTER_STEPS; i++) {
        table[i] = (float)(1 - mean * log1p(-(i + 0.5) / JITTER_STEPS));
    }
    return table;
}

FmSimDrive *
fm_sim_drive_new(const FmSimModel *model, uint64_t seed)
{
    FmSimDrive *drive = g_new0(FmSimDrive, 1);

    drive->model = model;
    fm_rng_init(&drive->rng, seed);
    drive->free_at = g_new0(uint64_t, model->servers);
    if (model->jitter > 0) {
        drive->jitter = make_jitter(model->jitter);
    }
    drive->next_stall =
        model->stall_every_ns > 0 ? draw_exponential(drive, model->stall_every_ns) : INFINITY;
    if (model->over_provision > 0 || model->cache_min_bytes < model->cache_bytes) {
        drive->chunks = g_new0(float, CHUNKS);
        drive->chunk_bytes = ceil((double)model->capacity / CHUNKS);
    }
    /* Pages that a greedy collector moves per page written, for uniform overwriting. */
    drive->amplification =
        model->over_provision > 0 ? (1 + model->over_provision) / (2 * model->over_provision) : 1;
    drive->amplification = MAX(drive->amplification, 1);
    return drive;
}

void
fm_sim_drive_free(FmSimDrive *drive)
{
    if (drive) {
        g_free(drive->free_at);
        g_free(drive->jitter);
        g_free(drive->chunks);
        g_free(drive);
    }
}

/* Takes the first free server from @start on for @service ns; returns when it is done. */
static uint64_t
serve(FmSimDrive *drive, uint64_t start, uint64_t service)
{
    uint64_t *heap = drive->free_at;
    unsigned n = drive->model->servers;
    uint64_t end = MAX(heap[0], start) + service;
    unsigned at = 0;

    while (true) {
        unsigned child = 2 * at + 1;
        if (child >= n) {
            break;
        }
        child += child + 1 < n && heap[child + 1] < heap[child];
        if (heap[child] >= end) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = end;
    return end;
}

/* Pays out the idle time up to @now: the cache empties. */
static void
reclaim(FmSimDrive *drive, double now)
{
    const FmSimModel *model = drive->model;
    double from = MAX((double)drive->busy_until + model->idle_ns, drive->idle_credited);

    if (now <= from || model->reclaim_bytes_per_ns <= 0) {
        return;
    }
    double bytes = (now - from) * model->reclaim_bytes_per_ns;
    drive->cached = MAX(drive->cached - bytes, 0);
    drive->past_cache = MAX(drive->past_cache - bytes, 0);
    drive->idle_credited = now;
}

/* Adds @bytes (negative: trimmed) to the mapped bytes of the range; returns how many
 * of them were mapped before. */
static double
map_range(FmSimDrive *drive, uint64_t offset, uint32_t length, bool trim)
{
    double before = 0;
    double left = length;
    unsigned chunk = (unsigned)((double)offset / drive->chunk_bytes);

    while (left > 0 && chunk < CHUNKS) {
        double part = MIN(left, drive->chunk_bytes);
        double old = drive->chunks[chunk];
        float new = (float)(trim ? MAX(old - part, 0) : MIN(old + part, drive->chunk_bytes));
        before += part * old / drive->chunk_bytes;
        drive->chunks[chunk++] = new;
        /* What was kept, rounded as it is: else a day of writes would drift away from it. */
        drive->mapped += (double)new - old;
        left -= part;
    }
    return before;
}

/* Notes how a write changes the order of the flash. */
static void
note_write(FmSimDrive *drive, uint64_t offset, uint32_t length)
{
    uint64_t end = offset + length;
    bool in_order = drive->cursors[(offset >> CURSOR_SHIFT) % CURSORS] == offset;
    double overwritten = map_range(drive, offset, length, false);
    double step = overwritten / (double)drive->model->capacity;

    drive->cursors[(end >> CURSOR_SHIFT) % CURSORS] = end;
    drive->scatter += in_order ? -step : step * (1 - drive->scatter);
    drive->scatter = CLAMP(drive->scatter, 0, 1);
}

/* Interface time of a write: fast while the cache has room, then as slow as flash. */
static double
write_time(FmSimDrive *drive, uint64_t offset, uint32_t length)
{
    const FmSimModel *model = drive->model;
    double fast = model->ops[FM_OP_WRITE].occupancy_per_byte_ns;
    double collect = 1 + drive->scatter * (drive->amplification - 1);

    if (drive->chunks) {
        note_write(drive, offset, length);
    }
    if (model->cache_bytes <= 0) {
        return length * fast * collect;
    }

    double use = drive->mapped / (double)model->capacity;
    double size = model->cache_bytes - use * (model->cache_bytes - model->cache_min_bytes);
    double in_cache = CLAMP(size - drive->cached, 0, length);
    double direct = CLAMP(model->direct_bytes - drive->past_cache, 0, length - in_cache);
    double folded = length - in_cache - direct;

    drive->cached += in_cache;
    drive->past_cache += direct + folded;
    return in_cache * fast + (direct * MAX(model->direct_per_byte_ns, fast) +
                              folded * MAX(model->fold_per_byte_ns, fast)) *
                                 collect;
}

static void
trim(FmSimDrive *drive, const FmIo *io)
{
    if (drive->chunks) {
        map_range(drive, io->offset, io->length, true);
    }
    drive->cached = MAX(drive->cached - io->length, 0);
}

/* The first instant from @now on at which the drive is not in one of its pauses. */
static double
stalled_until(FmSimDrive *drive, double now)
{
    while (drive->next_stall <= now) {
        drive->stall_until = drive->next_stall + drive->model->stall_ns;
        drive->next_stall =
            drive->stall_until + draw_exponential(drive, drive->model->stall_every_ns);
    }
    return MAX(now, drive->stall_until);
}

static double
media_time(FmSimDrive *drive, const FmIo *io, uint32_t length)
{
    const FmSimLaw *law = &drive->model->ops[io->op];
    double service = law->base_ns + length * law->per_byte_ns;

    if (io->sync) {
        service += drive->model->sync_ns;
    }
    if (drive->jitter) {
        service *= drive->jitter[fm_rng_next(&drive->rng) % JITTER_STEPS];
    }
    return service;
}

uint64_t
fm_sim_drive_request(FmSimDrive *drive, const FmIo *io, uint64_t now)
{
    const FmSimModel *model = drive->model;
    const FmSimLaw *law = &model->ops[io->op];
    uint32_t length = io->op == FM_OP_FLUSH ? 0 : io->length;
    double start = (double)now;

    if (model->cache_bytes > 0) {
        reclaim(drive, start);
    }
    if (model->stall_every_ns > 0) {
        start = stalled_until(drive, start);
    }
    double passing = law->occupancy_per_byte_ns * length;
    if (io->op == FM_OP_WRITE) {
        passing = write_time(drive, io->offset, length);
    } else if (io->op == FM_OP_TRIM) {
        trim(drive, io);
    }

    uint64_t end = serve(drive, (uint64_t)start, (uint64_t)media_time(drive, io, length));
    passing = MAX(passing, law->occupancy_ns);
    if (passing > 0) {
        double passed = MAX(start, drive->pass_at[io->op]) + passing;
        drive->pass_at[io->op] = passed;
        end = MAX(end, (uint64_t)passed);
    }
    end = MAX(end, now + 1); /* or the virtual clock could stand still */
    drive->busy_until = MAX(drive->busy_until, end);
    return end;
}

uint64_t
fm_sim_drive_get_cached(FmSimDrive *drive, uint64_t now)
{
    reclaim(drive, (double)now);
    return (uint64_t)drive->cached;
}
