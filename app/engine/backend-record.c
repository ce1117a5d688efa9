/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A filter that remembers every request the one below took, and how it came back.  It
 * changes nothing.  Each queue writes to memory of its own, set aside when it is made;
 * they are put together when it is freed.
 *
 * Options:
 *   limit=N    requests kept per queue (65536); more are counted and lost
 *   hash       hash what is written
 *   file=PATH  write all of it as CSV when the target is closed
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/backend-record.h"

#include "engine/backend-filter.h"
#include "engine/backends.h"

#include <glib/gi18n.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { DEFAULT_LIMIT = 65536, MAX_LIMIT = 1 << 26, NOT_KEPT = -1 };

struct FmBackendTarget {
    FmFilter filter; /* first: see FmFilter */
    uint64_t limit;
    bool hash;
    char *file; /* NULL = none */

    /* --- all queues */
    _Atomic uint64_t n_requests;

    /* --- protected by mutex */
    pthread_mutex_t mutex;
    GArray *records; /* FmRecord */
    uint64_t n_lost;
};

struct FmQueue {
    FmBackendTarget *target;
    const FmBackend *below;
    FmQueue *queue; /* of @below */
    uint16_t thread;
    int64_t *record_of_slot; /* index into @records, or NOT_KEPT */
    FmRecord *records;
    uint64_t n_records;
    uint64_t n_lost;
};

static const FmFilterField fields[] = {
    {"limit", offsetof(FmBackendTarget, limit), 1, MAX_LIMIT},
    {.key = "hash", .offset = offsetof(FmBackendTarget, hash)},
    {0},
};

static bool
set_option(const char *key, const char *value, gpointer user_data)
{
    FmBackendTarget *target = user_data;

    if (g_str_equal(key, "file")) {
        g_free(target->file);
        target->file = g_strdup(value);
        return *value != '\0';
    }
    return fm_filter_set_field(fields, key, value, target);
}

static int
compare_numbers(gconstpointer a, gconstpointer b)
{
    const FmRecord *first = a;
    const FmRecord *second = b;

    return (first->number > second->number) - (first->number < second->number);
}

static void
write_file(FmBackendTarget *target)
{
    static const char *const ops[FM_N_OPS] = {"read", "write", "trim", "flush"};
    g_autoptr(GString) text =
        g_string_new("number,thread,op,offset,length,slot,sync,result,hash\n");
    g_autoptr(GError) error = NULL;
    size_t n = 0;
    uint64_t n_lost = 0;
    const FmRecord *records = fm_record_get(target, &n, &n_lost);

    for (size_t i = 0; i < n; i++) {
        const FmRecord *record = &records[i];
        g_string_append_printf(text, "%" G_GUINT64_FORMAT ",%u,%s,%" G_GUINT64_FORMAT ",%u,%u,%d,",
                               record->number, record->thread, ops[record->op], record->offset,
                               record->length, record->slot, record->sync);
        if (record->completed) {
            g_string_append_printf(text, "%d", record->result);
        }
        g_string_append_printf(text, ",%016" G_GINT64_MODIFIER "x\n", record->hash);
    }
    if (g_file_test(target->file, G_FILE_TEST_EXISTS) &&
        !g_file_test(target->file, G_FILE_TEST_IS_REGULAR)) {
        g_message("The record of requests was not kept: “%s” is no file.", target->file);
        return;
    }
    if (!g_file_set_contents(target->file, text->str, (gssize)text->len, &error)) {
        g_message("The record of requests was not kept: %s", error->message);
    }
}

static void
record_close(FmBackendTarget *target)
{
    if (target->file && target->filter.target) {
        write_file(target);
    }
    fm_filter_close(&target->filter);
    pthread_mutex_destroy(&target->mutex);
    g_array_unref(target->records);
    g_free(target->file);
    g_free(target);
}

static FmBackendTarget *
record_open(const FmOpenOptions *options, GError **error)
{
    FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    target->limit = DEFAULT_LIMIT;
    target->records = g_array_new(FALSE, FALSE, sizeof(FmRecord));
    pthread_mutex_init(&target->mutex, NULL);
    if (!fm_filter_parse_options("record", options->options, set_option, target, error) ||
        !fm_filter_open(&target->filter, "record", options, error)) {
        record_close(target);
        return NULL;
    }
    return target;
}

static FmQueue *
record_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
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
    queue->thread = (uint16_t)options->thread_index;
    queue->record_of_slot = g_new0(int64_t, options->depth);
    queue->records = g_new0(FmRecord, target->limit);
    return queue;
}

static void
record_queue_free(FmQueue *queue)
{
    FmBackendTarget *target = queue->target;

    queue->below->queue_free(queue->queue);
    pthread_mutex_lock(&target->mutex);
    g_array_append_vals(target->records, queue->records, (guint)queue->n_records);
    target->n_lost += queue->n_lost;
    pthread_mutex_unlock(&target->mutex);
    g_free(queue->record_of_slot);
    g_free(queue->records);
    g_free(queue);
}

/* Notes @io before it goes below: afterwards its buffer may be in use. */
static void
note(FmQueue *queue, const FmIo *io)
{
    FmBackendTarget *target = queue->target;
    uint64_t number = atomic_fetch_add_explicit(&target->n_requests, 1, memory_order_relaxed);
    uintptr_t address = (uintptr_t)io->buffer;

    if (queue->n_records == target->limit) {
        queue->n_lost++;
        queue->record_of_slot[io->slot] = NOT_KEPT;
        return;
    }
    queue->record_of_slot[io->slot] = (int64_t)queue->n_records;
    queue->records[queue->n_records++] = (FmRecord){
        .number = number,
        .offset = io->offset,
        .hash = target->hash && io->op == FM_OP_WRITE ? fm_record_hash(io->buffer, io->length) : 0,
        .length = io->length,
        .alignment = (uint32_t)MIN(address & -address, 1u << 31),
        .slot = io->slot,
        .thread = queue->thread,
        .op = io->op,
        .sync = io->sync,
    };
}

static void
forget_last(FmQueue *queue, const FmIo *io)
{
    if (queue->record_of_slot[io->slot] == NOT_KEPT) {
        queue->n_lost--;
    } else {
        queue->n_records--;
    }
}

/* One by one, so that only what was taken stays noted. */
static int
record_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        note(queue, &ios[i]);
        int status = queue->below->submit(queue->queue, &ios[i], 1);
        if (status != 1) {
            forget_last(queue, &ios[i]);
            return i > 0 ? (int)i : status;
        }
    }
    return (int)n;
}

static int
record_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
            int64_t timeout_ns)
{
    int n = queue->below->reap(queue->queue, completions, min, max, timeout_ns);

    for (int i = 0; i < n; i++) {
        int64_t index = queue->record_of_slot[completions[i].slot];
        if (index != NOT_KEPT) {
            queue->records[index].result = completions[i].result;
            queue->records[index].completed = true;
        }
    }
    return n;
}

static void
record_wake(FmQueue *queue)
{
    if (queue->below->wake) {
        queue->below->wake(queue->queue);
    }
}

static uint64_t
record_now(FmQueue *queue)
{
    return queue->below->now ? queue->below->now(queue->queue) : 0;
}

static GVariant *
record_describe(FmQueue *queue)
{
    GVariant *below = queue->below->describe ? queue->below->describe(queue->queue) : NULL;
    g_autoptr(GVariant) sunk = below ? g_variant_ref_sink(below) : NULL;
    GVariantDict facts;

    g_variant_dict_init(&facts, sunk);
    g_variant_dict_insert(&facts, "record.below", "s", queue->below->name);
    g_variant_dict_insert(&facts, "record.limit", "t", queue->target->limit);
    return g_variant_dict_end(&facts);
}

const FmRecord *
fm_record_get(FmBackendTarget *target, size_t *n, uint64_t *n_lost)
{
    pthread_mutex_lock(&target->mutex);
    g_array_sort(target->records, compare_numbers);
    *n = target->records->len;
    *n_lost = target->n_lost;
    pthread_mutex_unlock(&target->mutex);
    return &g_array_index(target->records, FmRecord, 0);
}

/* FNV-1a over words: enough to tell blocks apart, and quick to follow by hand. */
uint64_t
fm_record_hash(const void *bytes, size_t length)
{
    const uint8_t *at = bytes;
    uint64_t hash = 0xCBF29CE484222325ull;

    for (size_t i = 0; i + 8 <= length; i += 8) {
        uint64_t word;
        memcpy(&word, at + i, sizeof word);
        hash = (hash ^ word) * 0x100000001B3ull;
        hash ^= hash >> 32;
    }
    return hash;
}

const FmBackend fm_backend_record = {
    .name = "record",
    .summary = N_("Filter: remembers every request, for checking what was asked for"),
    .caps = FM_FILTER_CAPS,
    .open = record_open,
    .close = record_close,
    .queue_new = record_queue_new,
    .queue_free = record_queue_free,
    .submit = record_submit,
    .reap = record_reap,
    .wake = record_wake,
    .now = record_now,
    .describe = record_describe,
};
