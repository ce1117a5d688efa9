/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opens backends for the conformance tests on files of the build folder, which lies on
 * a real file system, and removes them.
 */
#include "subject.h"

#include "base/error.h"
#include "base/rng.h"
#include "platform/platform-io.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096 };

typedef struct {
    const Claim *claim;
    const FmBackend *backend;
    const FmBackend *below;
} Row;

static bool
write_file(int file, uint8_t *buffer)
{
    const uint32_t piece = 1 << 20;

    for (uint64_t offset = 0; offset < SUBJECT_FILE_BYTES; offset += piece) {
        subject_fill(buffer, piece, offset, 0);
        if (pwrite(file, buffer, piece, (off_t)offset) != (ssize_t)piece) {
            return false;
        }
    }
    return true;
}

static bool
keeps_data(const Subject *subject)
{
    return (subject->caps & (FM_CAP_NO_DEVICE | FM_CAP_VIRTUAL_TIME)) == 0;
}

/* Makes the file, whole and written where it is going to be read, and finds the smallest
 * direct request. */
static bool
make_file(Subject *subject)
{
    const char *built = g_getenv("G_TEST_BUILDDIR");
    g_autofree char *template = g_build_filename(built ? built : ".", "conformance-XXXXXX", NULL);
    uint8_t *buffer = aligned_alloc(PAGE, 1 << 20);

    g_assert_nonnull(g_mkdtemp(template));
    subject->folder = g_steal_pointer(&template);
    subject->path = g_build_filename(subject->folder, "target", NULL);
    int file = open(subject->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_DIRECT, 0600);
    bool direct = file >= 0;
    if (direct) {
        g_assert_true(!keeps_data(subject) || write_file(file, buffer));
        bool is_coarse = keeps_data(subject) && pread(file, buffer, 512, 512) != 512;
        subject->block = is_coarse ? PAGE : 512;
        close(file);
    }
    free(buffer);
    return direct;
}

bool
subject_open(Subject *subject)
{
    bool is_sim = subject->backend == &fm_backend_sim || subject->below == &fm_backend_sim;
    g_autoptr(GError) error = NULL;

    if (!make_file(subject)) {
        g_test_skip("the file system of the build folder has no direct I/O");
        return false;
    }
    FmOpenOptions options = {
        .path = is_sim ? "ideal" : subject->path,
        .file_descriptor = subject->descriptor,
        .size = SUBJECT_FILE_BYTES,
        .block_size = subject->block,
        .writable = !subject->read_only,
        .buffered = subject->buffered,
        .options = subject->options,
        .below = subject->below,
    };
    subject->target = subject->backend->open(&options, &error);
    if (!subject->target) {
        g_test_skip(error->message);
    }
    return subject->target;
}

void
subject_close(Subject *subject)
{
    subject_queue_free(subject);
    if (subject->target) {
        subject->backend->close(subject->target);
        subject->target = NULL;
    }
    if (subject->path) {
        g_remove(subject->path);
        g_assert_cmpint(g_rmdir(subject->folder), ==, 0);
        g_clear_pointer(&subject->path, g_free);
        g_clear_pointer(&subject->folder, g_free);
    }
}

bool
subject_queue(Subject *subject, unsigned depth)
{
    g_autoptr(GError) error = NULL;

    subject->depth = depth;
    subject->pool = aligned_alloc(PAGE, depth * subject->slot_bytes);
    g_assert_nonnull(subject->pool);
    memset(subject->pool, 0, depth * subject->slot_bytes);
    uint32_t ops = 1u << FM_OP_READ | 1u << FM_OP_WRITE;
    ops |= subject->caps & FM_CAP_TRIM ? 1u << FM_OP_TRIM : 0;
    ops |= subject->caps & FM_CAP_FLUSH ? 1u << FM_OP_FLUSH : 0;
    FmQueueOptions options = {
        .depth = depth,
        .pool = subject->pool,
        .pool_size = depth * subject->slot_bytes,
        .max_length = (uint32_t)subject->slot_bytes,
        .ops = ops,
        .sync = (subject->caps & FM_CAP_DSYNC) != 0,
        .n_threads = 1,
    };
    subject->queue = subject->backend->queue_new(subject->target, &options, &error);
    if (!subject->queue) {
        g_test_skip(error->message);
        g_clear_pointer(&subject->pool, free);
    }
    return subject->queue;
}

void
subject_queue_free(Subject *subject)
{
    if (subject->queue) {
        subject->backend->queue_free(subject->queue);
        subject->queue = NULL;
    }
    g_clear_pointer(&subject->pool, free);
}

uint8_t *
subject_buffer(const Subject *subject, unsigned slot)
{
    return subject->pool + slot * subject->slot_bytes;
}

int
subject_submit(Subject *subject, const FmIo *ios, unsigned n)
{
    return subject->backend->submit(subject->queue, ios, n);
}

int
subject_reap(Subject *subject, FmCompletion *completions, unsigned min, unsigned max,
             int64_t timeout_ns)
{
    return subject->backend->reap(subject->queue, completions, min, max, timeout_ns);
}

static int32_t
carry_out(Subject *subject, FmIo io)
{
    FmCompletion completions[2] = {{0}};

    io.slot = (uint16_t)(subject->depth - 1);
    g_assert_cmpint(subject_submit(subject, &io, 1), ==, 1);
    g_assert_cmpint(subject_reap(subject, completions, 1, 2, 30 * S_NS), ==, 1);
    g_assert_cmpint(completions[0].slot, ==, io.slot);
    return completions[0].result;
}

int32_t
subject_one(Subject *subject, unsigned op, uint64_t offset, void *buffer, uint32_t length)
{
    return carry_out(subject, (FmIo){offset, buffer, length, 0, (uint8_t)op, false});
}

int32_t
subject_write_durable(Subject *subject, uint64_t offset, void *buffer, uint32_t length)
{
    return carry_out(subject, (FmIo){offset, buffer, length, 0, FM_OP_WRITE, true});
}

int64_t
subject_now(const Subject *subject)
{
    return subject->caps & FM_CAP_VIRTUAL_TIME ? (int64_t)subject->backend->now(subject->queue)
                                               : g_get_monotonic_time() * 1000;
}

void
subject_fill(void *buffer, uint32_t length, uint64_t offset, uint64_t salt)
{
    uint8_t *at = buffer;

    for (uint32_t i = 0; i + 8 <= length; i += 8) {
        uint64_t word = fm_rng_mix(offset + i + salt * 0x9E3779B97F4A7C15ull);
        memcpy(at + i, &word, sizeof word);
    }
}

bool
subject_matches(const void *buffer, uint32_t length, uint64_t offset, uint64_t salt)
{
    const uint8_t *at = buffer;

    for (uint32_t i = 0; i + 8 <= length; i += 8) {
        uint64_t word = fm_rng_mix(offset + i + salt * 0x9E3779B97F4A7C15ull);
        if (memcmp(at + i, &word, sizeof word) != 0) {
            return false;
        }
    }
    return true;
}

/* Why the backend can't take part in the claim, or NULL. */
static const char *
find_obstacle(uint32_t caps, unsigned needs)
{
    static const struct {
        unsigned need;
        uint32_t cap;
        bool must_have;
        const char *reason;
    } rules[] = {
        {NEEDS_DATA, FM_CAP_NO_DEVICE, false, "moves no data"},
        {NEEDS_DATA, FM_CAP_VIRTUAL_TIME, false, "keeps no data"},
        {NEEDS_DRIVE, FM_CAP_NO_DEVICE, false, "has no drive that could refuse"},
        {NEEDS_DEPTH, FM_CAP_DEPTH, true, "takes one request at a time"},
        {NEEDS_TRIM, FM_CAP_TRIM, true, "has no TRIM"},
        {NEEDS_FLUSH, FM_CAP_FLUSH, true, "has no flush"},
        {NEEDS_DSYNC, FM_CAP_DSYNC, true, "has no durable writes"},
        {NEEDS_REAL_TIME, FM_CAP_VIRTUAL_TIME, false, "lives on virtual time"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
        if ((needs & rules[i].need) && ((caps & rules[i].cap) != 0) != rules[i].must_have) {
            return rules[i].reason;
        }
    }
    return NULL;
}

static void
run_row(gconstpointer data)
{
    const Row *row = data;
    Subject subject = {.backend = row->backend,
                       .below = row->below,
                       .caps = fm_backend_get_caps(row->backend, row->below),
                       .slot_bytes = SUBJECT_SLOT_BYTES,
                       .descriptor = -1};
    const char *obstacle = find_obstacle(subject.caps, row->claim->needs);

    if (obstacle) {
        g_test_skip(obstacle);
        return;
    }
    row->claim->run(&subject);
    subject_close(&subject);
}

/* Every claim over the backend @name, or @only_faulty those that need the fault filter. */
static void
add_rows(const char *area, const char *name, const Claim *claims, gsize n, bool only_faulty)
{
    const FmBackend *below = NULL;
    const FmBackend *backend = fm_backend_parse(name, &below, NULL);

    g_assert_nonnull(backend);
    for (gsize i = 0; i < n; i++) {
        bool faulty = (claims[i].needs & NEEDS_FAULT) != 0;
        if (faulty ? backend != &fm_backend_fault : only_faulty) {
            continue;
        }
        g_autofree char *path =
            g_strdup_printf("/conformance/%s/%s/%s", area, name, claims[i].name);
        Row *row = g_new(Row, 1);
        *row = (Row){.claim = &claims[i], .backend = backend, .below = below};
        g_test_add_data_func_full(path, row, run_row, g_free);
    }
}

int
subject_main(int argc, char **argv, const char *area, const Claim *claims, gsize n)
{
    static const char *const extras[] = {"null", "sim", "fault:null", "record:sync", "fault:sim"};

    g_test_init(&argc, &argv, NULL);
    plat_clock_init();
    plat_wake_init();
    for (const FmBackend *const *backend = plat_backends(); *backend; backend++) {
        g_autofree char *faulty = g_strconcat("fault:", (*backend)->name, NULL);
        add_rows(area, (*backend)->name, claims, n, false);
        add_rows(area, faulty, claims, n, true);
    }
    for (gsize i = 0; i < G_N_ELEMENTS(extras); i++) {
        add_rows(area, extras[i], claims, n, false);
    }
    return g_test_run();
}
