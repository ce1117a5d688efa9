/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A filter that lets things go wrong on purpose, over any other backend.  It never
 * makes a request look better than it was: what it does not touch goes below and comes
 * back unchanged.  A queue is used by one thread; wake() by any.
 *
 * Options; a request is "picked" when it matches every= and op=:
 *   error=CODE         picked requests fail with this native status code
 *   error=CODE@offset:START+LENGTH
 *                      requests that touch the range fail, picked or not
 *   delay-us=N         picked requests take at least so long
 *   short=1            picked reads and writes move half their bytes, whole blocks
 *   every=N            each N-th request of the target (all, if absent)
 *   op=read|write|trim|flush
 *                      only these; may be given several times
 *   eio-after=N        everything behind the first N requests fails with EIO
 *   gone-after=N       the drive is pulled: reads move 0 bytes, all else fails with ENODEV
 *   hang-after=N       nothing behind the first N requests ever completes
 *   stuck-until-wake   while something hangs, reap() keeps no time-out, as a polled ring
 *
 * Requests that hang do not hinder queue_free(): nothing below knows of them.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/backend-filter.h"
#include "engine/backends.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { MAX_RANGES = 16 };

typedef struct {
    uint64_t start;
    uint64_t length;
    int32_t code;
} BadRange;

struct FmBackendTarget {
    FmFilter filter; /* first: see FmFilter */
    char *text; /* the options, for the record */
    uint32_t block_size;
    int32_t error;
    uint64_t delay_us;
    uint64_t shortens; /* 1 = yes */
    uint64_t every;
    uint32_t ops; /* bit per FmOp; 0 = all */
    uint64_t eio_after;
    uint64_t gone_after;
    uint64_t hang_after;
    bool stuck;
    BadRange ranges[MAX_RANGES];
    unsigned n_ranges;

    /* --- all queues */
    _Atomic uint64_t n_requests;
};

typedef struct {
    uint64_t due_ns; /* instant before which it may not come out */
    FmCompletion completion;
} Held;

struct FmQueue {
    FmBackendTarget *target;
    const FmBackend *below;
    FmQueue *queue; /* of @below */
    unsigned depth;
    unsigned in_flight; /* taken and not yet returned, hanging ones too */
    unsigned n_hanging;
    unsigned n_came; /* what the last look below brought */
    int status; /* negative: the queue below is broken */
    uint64_t *due_ns; /* per slot */
    Held *held;
    unsigned n_held;
};

/* "CODE" or "CODE@offset:START+LENGTH". */
static bool
parse_error(FmBackendTarget *target, const char *value)
{
    g_auto(GStrv) parts = g_strsplit_set(value, "@:+", -1);
    unsigned n = g_strv_length(parts);
    BadRange range = {0};
    uint64_t code = 0;

    if (n < 1 || !fm_filter_parse_number(parts[0], &code) || code == 0 || code > INT32_MAX) {
        return false;
    }
    if (n == 1) {
        target->error = (int32_t)code;
        return true;
    }
    if (n != 4 || !g_str_equal(parts[1], "offset") || target->n_ranges == MAX_RANGES ||
        !fm_filter_parse_number(parts[2], &range.start) ||
        !fm_filter_parse_number(parts[3], &range.length)) {
        return false;
    }
    range.code = (int32_t)code;
    target->ranges[target->n_ranges++] = range;
    return true;
}

static bool
parse_op(FmBackendTarget *target, const char *value)
{
    static const char *const names[FM_N_OPS] = {"read", "write", "trim", "flush"};

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        if (g_str_equal(value, names[op])) {
            target->ops |= 1u << op;
            return true;
        }
    }
    return false;
}

static const FmFilterField fields[] = {
    {"delay-us", offsetof(FmBackendTarget, delay_us), 0, UINT64_MAX / 1000},
    {"short", offsetof(FmBackendTarget, shortens), 0, 1},
    {"every", offsetof(FmBackendTarget, every), 1, UINT64_MAX},
    {"eio-after", offsetof(FmBackendTarget, eio_after), 0, UINT64_MAX},
    {"gone-after", offsetof(FmBackendTarget, gone_after), 0, UINT64_MAX},
    {"hang-after", offsetof(FmBackendTarget, hang_after), 0, UINT64_MAX},
    {.key = "stuck-until-wake", .offset = offsetof(FmBackendTarget, stuck)},
    {0},
};

static bool
set_option(const char *key, const char *value, gpointer user_data)
{
    FmBackendTarget *target = user_data;

    if (g_str_equal(key, "error")) {
        return parse_error(target, value);
    }
    if (g_str_equal(key, "op")) {
        return parse_op(target, value);
    }
    return fm_filter_set_field(fields, key, value, target);
}

static void
fault_close(FmBackendTarget *target)
{
    fm_filter_close(&target->filter);
    g_free(target->text);
    g_free(target);
}

static FmBackendTarget *
fault_open(const FmOpenOptions *options, GError **error)
{
    FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    target->every = 1;
    target->eio_after = UINT64_MAX;
    target->gone_after = UINT64_MAX;
    target->hang_after = UINT64_MAX;
    target->block_size = options->block_size ? options->block_size : 512;
    target->text = g_strdup(options->options ? options->options : "");
    if (!fm_filter_parse_options("fault", options->options, set_option, target, error) ||
        !fm_filter_open(&target->filter, "fault", options, error)) {
        fault_close(target);
        return NULL;
    }
    return target;
}

static FmQueue *
fault_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    const FmBackend *below = target->filter.below;
    FmQueue *lower = below->queue_new(target->filter.target, options, error);

    if (!lower) {
        return NULL;
    }
    FmQueue *queue = g_new0(FmQueue, 1);
    queue->target = target;
    queue->below = below;
    queue->queue = lower;
    queue->depth = options->depth;
    queue->due_ns = g_new0(uint64_t, options->depth);
    queue->held = g_new0(Held, options->depth);
    return queue;
}

static void
fault_queue_free(FmQueue *queue)
{
    queue->below->queue_free(queue->queue);
    g_free(queue->due_ns);
    g_free(queue->held);
    g_free(queue);
}

static uint64_t
now_ns(FmQueue *queue)
{
    return queue->below->now ? queue->below->now(queue->queue)
                             : (uint64_t)g_get_monotonic_time() * 1000;
}

static void
hold(FmQueue *queue, uint16_t slot, int32_t result)
{
    queue->held[queue->n_held++] =
        (Held){.due_ns = queue->due_ns[slot], .completion = {.result = result, .slot = slot}};
}

/* The native status code the request @number must fail with; 0 = none. */
static int32_t
find_error(const FmBackendTarget *target, const FmIo *io, uint64_t number, bool picked)
{
    if (number > target->gone_after) {
        return ENODEV;
    }
    if (number > target->eio_after) {
        return EIO;
    }
    for (unsigned i = 0; io->op != FM_OP_FLUSH && i < target->n_ranges; i++) {
        const BadRange *range = &target->ranges[i];
        if (io->offset < range->start + range->length && range->start < io->offset + io->length) {
            return range->code;
        }
    }
    return picked ? target->error : 0;
}

/* Decides what becomes of one request.  False: the one below has no room for it. */
static bool
route(FmQueue *queue, const FmIo *io, uint64_t number)
{
    const FmBackendTarget *target = queue->target;
    bool picked =
        number % target->every == 0 && (target->ops == 0 || (target->ops >> io->op & 1) != 0);
    int32_t code = find_error(target, io, number, picked);
    FmIo lower = *io;

    queue->due_ns[io->slot] =
        picked && target->delay_us ? now_ns(queue) + target->delay_us * 1000 : 0;
    if (number > target->hang_after) {
        queue->n_hanging++;
        return true;
    }
    if (code != 0) {
        bool gone_read = number > target->gone_after && io->op == FM_OP_READ;
        hold(queue, io->slot, gone_read ? 0 : -code);
        return true;
    }
    if (picked && target->shortens && io->op <= FM_OP_WRITE) {
        lower.length = io->length / 2 / target->block_size * target->block_size;
        if (lower.length == 0) {
            hold(queue, io->slot, 0);
            return true;
        }
    }
    int status = queue->below->submit(queue->queue, &lower, 1);
    queue->status = MIN(status, 0);
    return status == 1;
}

static int
fault_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    unsigned taken = 0;

    n = MIN(n, queue->depth - queue->in_flight);
    queue->status = 0;
    while (taken < n) {
        uint64_t number =
            1 + atomic_fetch_add_explicit(&queue->target->n_requests, 1, memory_order_relaxed);
        if (!route(queue, &ios[taken], number)) {
            atomic_fetch_sub_explicit(&queue->target->n_requests, 1, memory_order_relaxed);
            break;
        }
        taken++;
    }
    queue->in_flight += taken;
    return taken > 0 ? (int)taken : queue->status;
}

/* Takes out what is held and due. */
static unsigned
take_due(FmQueue *queue, FmCompletion *completions, unsigned max)
{
    uint64_t now = queue->n_held ? now_ns(queue) : 0;
    unsigned kept = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < queue->n_held; i++) {
        if (n < max && queue->held[i].due_ns <= now) {
            completions[n++] = queue->held[i].completion;
        } else {
            queue->held[kept++] = queue->held[i];
        }
    }
    queue->n_held = kept;
    return n;
}

/* Reaps below and holds what came too soon.  Returns what may come out. */
static unsigned
reap_below(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t wait_ns)
{
    int got = queue->below->reap(queue->queue, completions, min, max, wait_ns);
    unsigned n = 0;

    queue->n_came = got > 0 ? (unsigned)got : 0;
    queue->status = MIN(got, 0);
    uint64_t now = queue->target->delay_us && got > 0 ? now_ns(queue) : 0;
    for (unsigned i = 0; i < queue->n_came; i++) {
        FmCompletion completion = completions[i];
        if (queue->due_ns[completion.slot] > now) {
            hold(queue, completion.slot, completion.result);
        } else {
            completions[n++] = completion;
        }
    }
    return n;
}

static uint64_t
next_due(const FmQueue *queue)
{
    uint64_t next = UINT64_MAX;

    for (unsigned i = 0; i < queue->n_held; i++) {
        next = MIN(next, queue->held[i].due_ns);
    }
    return next;
}

static int
fault_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
           int64_t timeout_ns)
{
    bool endless = timeout_ns < 0 || (queue->target->stuck && queue->n_hanging > 0);
    uint64_t deadline = endless || min == 0 ? UINT64_MAX : now_ns(queue) + (uint64_t)timeout_ns;
    unsigned n = take_due(queue, completions, max);
    queue->n_came = 0;
    queue->status = 0;

    min = MIN(min, max);
    while (n < min) {
        uint64_t until = MIN(deadline, next_due(queue));
        uint64_t now = now_ns(queue);
        int64_t wait = until == UINT64_MAX ? -1 : until > now ? (int64_t)(until - now) : 0;
        unsigned missing = queue->n_held ? 1 : min - n;
        n += reap_below(queue, completions + n, missing, max - n, wait);
        n += take_due(queue, completions + n, max - n);
        now = now_ns(queue);
        /* Nothing came and the time is not over (the clock is 1 us coarse): woken. */
        if (now >= deadline || (queue->n_came == 0 && now + 1000 < until)) {
            break;
        }
    }
    if (n < max && queue->n_came == 0) {
        n += reap_below(queue, completions + n, 0, max - n, 0);
    }
    queue->in_flight -= n;
    return n > 0 ? (int)n : queue->status;
}

static void
fault_wake(FmQueue *queue)
{
    if (queue->below->wake) {
        queue->below->wake(queue->queue);
    }
}

static uint64_t
fault_now(FmQueue *queue)
{
    return now_ns(queue);
}

static GVariant *
fault_describe(FmQueue *queue)
{
    GVariant *below = queue->below->describe ? queue->below->describe(queue->queue) : NULL;
    g_autoptr(GVariant) sunk = below ? g_variant_ref_sink(below) : NULL;
    GVariantDict facts;

    g_variant_dict_init(&facts, sunk);
    g_variant_dict_insert(&facts, "fault.below", "s", queue->below->name);
    g_variant_dict_insert(&facts, "fault.options", "s", queue->target->text);
    return g_variant_dict_end(&facts);
}

const FmBackend fm_backend_fault = {
    .name = "fault",
    .summary = N_("Filter: errors, delays, short and never-completing I/O on purpose"),
    .caps = FM_FILTER_CAPS,
    .open = fault_open,
    .close = fault_close,
    .queue_new = fault_queue_new,
    .queue_free = fault_queue_free,
    .submit = fault_submit,
    .reap = fault_reap,
    .wake = fault_wake,
    .now = fault_now,
    .describe = fault_describe,
};
