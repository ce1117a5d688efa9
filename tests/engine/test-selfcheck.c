/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The self-check on a real file with the system's backends, and with a drive that lies:
 * every check must be able to fail.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/selfcheck.h"

#include "base/error.h"
#include "base/waiter.h"
#include "platform/platform-io.h"
#include "platform/platform.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

enum {
    SIZE = 2 * 1024 * 1024,
    DEPTH = 64,
};

/* --- A drive in memory, with one fault at a time -------------------------------------------- */

typedef enum {
    LIE_NONE,
    LIE_ALIGNMENT, /* takes anything */
    LIE_DATA, /* flips a bit far inside */
    LIE_PLACE, /* writes to and reads from the wrong place, consistently */
    LIE_CACHE, /* moves nothing to the drive */
    LIE_DURABLE, /* fails durable writes */
    LIE_HALF, /* moves half of them */
    LIE_TRIM, /* keeps what it gave back */
    LIE_WAKE, /* can't be woken */
    LIE_SLOT, /* completes a request twice */
    LIE_POLLING, /* does not support reads */
    LIE_SILENCE, /* is not there */
    N_LIES,
} Lie;

static Lie lie;
static uint8_t *medium;
static uint64_t n_read;
static uint64_t n_written;

struct FmBackendTarget {
    Lie lie; /* LIE_NONE for the reference */
};

struct FmQueue {
    Lie lie;
    FmWaiter waiter;
    FmCompletion done[DEPTH];
    unsigned n_done;
};

static FmBackendTarget *
liar_open(const FmOpenOptions *options, GError **error)
{
    if (lie == LIE_SILENCE) {
        g_set_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED, "There is nothing here");
        return NULL;
    }
    FmBackendTarget *target = g_new0(FmBackendTarget, 1);
    target->lie = lie;
    return target;
}

static FmBackendTarget *
honest_open(const FmOpenOptions *options, GError **error)
{
    return g_new0(FmBackendTarget, 1);
}

static void
memory_close(FmBackendTarget *target)
{
    g_free(target);
}

static FmQueue *
memory_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    FmQueue *queue = g_new0(FmQueue, 1);
    queue->lie = target->lie;
    fm_waiter_init(&queue->waiter);
    return queue;
}

static void
memory_queue_free(FmQueue *queue)
{
    fm_waiter_clear(&queue->waiter);
    g_free(queue);
}

static int32_t
memory_read(const FmQueue *queue, const FmIo *io, uint64_t offset)
{
    memcpy(io->buffer, medium + offset, io->length);
    if (queue->lie == LIE_DATA && offset <= 1000000 && offset + io->length > 1000000) {
        ((uint8_t *)io->buffer)[1000000 - offset] ^= 1;
    }
    n_read += queue->lie == LIE_CACHE ? 0 : io->length;
    return queue->lie == LIE_POLLING ? -EOPNOTSUPP : (int32_t)io->length;
}

static int32_t
memory_perform(const FmQueue *queue, const FmIo *io)
{
    uint64_t offset = queue->lie == LIE_PLACE ? SIZE - io->offset - io->length : io->offset;

    if (queue->lie != LIE_ALIGNMENT && (io->offset % 512 != 0 || io->length % 512 != 0)) {
        return -EINVAL;
    }
    switch ((FmOp)io->op) {
    case FM_OP_READ:
        return memory_read(queue, io, offset);
    case FM_OP_WRITE:
        if (io->sync && queue->lie == LIE_DURABLE) {
            return -EIO;
        }
        if (io->sync && queue->lie == LIE_HALF) {
            return (int32_t)io->length / 2;
        }
        memcpy(medium + offset, io->buffer, io->length);
        n_written += queue->lie == LIE_CACHE ? 0 : io->length;
        return (int32_t)io->length;
    case FM_OP_TRIM:
        if (queue->lie != LIE_TRIM) {
            memset(medium + offset, 0, io->length);
        }
        return 0;
    case FM_OP_FLUSH:
        return 0;
    }
    g_assert_not_reached();
}

static int
memory_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        int32_t result = memory_perform(queue, &ios[i]);
        queue->done[queue->n_done++] = (FmCompletion){.result = result, .slot = ios[i].slot};
    }
    if (queue->lie == LIE_SLOT && queue->n_done == 5) {
        queue->done[queue->n_done++] = queue->done[0];
    }
    return (int)n;
}

static int
memory_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
            int64_t timeout_ns)
{
    if (queue->n_done == 0) {
        fm_waiter_sleep(&queue->waiter, timeout_ns);
        return 0;
    }
    completions[0] = queue->done[--queue->n_done];
    return 1;
}

static void
memory_wake(FmQueue *queue)
{
    if (queue->lie != LIE_WAKE) {
        fm_waiter_wake(&queue->waiter);
    }
}

static bool
memory_counters(const char *path, uint64_t *read_bytes, uint64_t *written_bytes)
{
    *read_bytes = n_read;
    *written_bytes = n_written;
    return true;
}

#define MEMORY_BACKEND                                                                             \
    .summary = "memory", .close = memory_close, .queue_new = memory_queue_new,                     \
    .queue_free = memory_queue_free, .submit = memory_submit, .reap = memory_reap,                 \
    .wake = memory_wake, .caps = FM_CAP_TRIM | FM_CAP_DSYNC | FM_CAP_DEPTH

static const FmBackend liar = {.name = "liar", .open = liar_open, MEMORY_BACKEND};
static const FmBackend honest = {.name = "honest", .open = honest_open, MEMORY_BACKEND};

/* --- What was told --------------------------------------------------------------------------- */

/* "id backend result" a line; good results of "honest" and of no backend are left out. */
static void
note_cb(const FmCheck *check, gpointer user_data)
{
    GString *trace = user_data;

    g_assert_cmpuint(strlen(fm_message_get_text(check->text)), >, 5);
    g_test_message("%s %s %s: %s", check->id, check->backend != NULL ? check->backend : "-",
                   fm_check_result_name(check->result), fm_message_get_text(check->text));
    /* Half a write is no error of the system's. */
    g_assert_null(strstr(fm_message_get_text(check->text), "not permitted"));
    if (g_strcmp0(check->backend, "liar") == 0 && check->result != FM_CHECK_OK) {
        g_string_append_printf(trace, "%s %s\n", check->id, fm_check_result_name(check->result));
    }
    /* How soon a thread wakes up is the machine's business, not this test's. */
    if (g_strcmp0(check->backend, "honest") == 0 && !g_str_equal(check->id, "wake")) {
        g_assert_cmpint(check->result, ==, FM_CHECK_OK);
    }
}

static void
test_liar(void)
{
    static const char *const expected[N_LIES] = {
        [LIE_NONE] = "",
        [LIE_ALIGNMENT] = "alignment not-ok\n",
        [LIE_DATA] = "integrity not-ok\n",
        [LIE_PLACE] = "integrity not-ok\n",
        [LIE_CACHE] = "direct not-ok\n",
        [LIE_DURABLE] = "durable not-ok\n",
        [LIE_HALF] = "durable not-ok\n",
        [LIE_TRIM] = "trim not-ok\n",
        [LIE_WAKE] = "wake not-ok\n",
        [LIE_SLOT] = "integrity not-ok\n",
        [LIE_POLLING] = "open not-possible\n",
        [LIE_SILENCE] = "open not-possible\n",
    };
    static const FmBackend *const backends[] = {&liar, &honest, NULL};
    FmSelfcheckOptions options = {
        .path = "memory",
        .file_descriptor = -1,
        .size = SIZE,
        .block_size = 512,
        .backends = backends,
        .counters = memory_counters,
    };

    for (lie = LIE_NONE; lie < N_LIES; lie++) {
        g_autoptr(GString) trace = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        medium = g_malloc0(SIZE);
        g_assert_true(fm_selfcheck_run(&options, note_cb, trace, &error));
        g_assert_no_error(error);
        g_assert_cmpstr(trace->str, ==, expected[lie]);
        g_clear_pointer(&medium, g_free);
    }
}

static void
test_nothing_usable(void)
{
    static const FmBackend *const backends[] = {&liar, NULL};
    FmSelfcheckOptions options = {
        .path = "memory",
        .file_descriptor = -1,
        .size = SIZE,
        .block_size = 512,
        .backends = backends,
        .counters = memory_counters,
    };
    g_autoptr(GString) trace = g_string_new(NULL);
    g_autoptr(GError) error = NULL;

    lie = LIE_SILENCE;
    g_assert_false(fm_selfcheck_run(&options, note_cb, trace, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSUPPORTED);

    g_clear_error(&error);
    options.size = FM_SELFCHECK_MIN_SIZE - 1;
    g_assert_false(fm_selfcheck_run(&options, note_cb, trace, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
}

/* --- The real thing ----------------------------------------------------------------------------
 */

typedef struct {
    GHashTable *seen; /* ids */
    GHashTable *keys; /* "id backend" */
} Seen;

static void
real_cb(const FmCheck *check, gpointer user_data)
{
    Seen *seen = user_data;
    const char *backend = check->backend != NULL ? check->backend : "-";

    g_test_message("%-10s %-13s %-12s %s", check->id, backend, fm_check_result_name(check->result),
                   fm_message_get_text(check->text));
    g_hash_table_add(seen->seen, g_strdup(check->id));
    g_assert_true(g_hash_table_add(seen->keys, g_strdup_printf("%s %s", check->id, backend)));

    /* A file system may take what is not aligned or cache, and the machine may be starved;
     * data and durable writes must be right on any. */
    if (check->result == FM_CHECK_NOT_OK) {
        g_assert_cmpstr(check->id, !=, "integrity");
        g_assert_cmpstr(check->id, !=, "durable");
        g_assert_cmpstr(check->id, !=, "open");
    }
}

static void
test_real(void)
{
    static const char *const ids[] = {"clock",     "timer",   "polling", "open", "alignment",
                                      "integrity", "durable", "trim",    "wake", "direct"};
    g_autoptr(GError) error = NULL;
    g_autofree char *folder = g_dir_make_tmp("fathom-selfcheck-XXXXXX", &error);
    g_assert_no_error(error);
    g_autoptr(FmTarget) target = plat_target_examine(folder, &error);
    g_assert_no_error(error);

    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(GHashTable) keys = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    bool ran = fm_selfcheck_run_target(target, real_cb, &(Seen){seen, keys}, &error);
    g_assert_cmpint(g_rmdir(folder), ==, 0); /* nothing is left in it */
    if (g_error_matches(error, FM_ERROR, FM_ERROR_UNSUPPORTED)) {
        g_test_skip(error->message);
        return;
    }
    g_assert_no_error(error);
    g_assert_true(ran);
    for (unsigned i = 0; i < G_N_ELEMENTS(ids); i++) {
        if (!g_hash_table_contains(seen, ids[i])) {
            g_error("no check called %s was made", ids[i]);
        }
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    plat_clock_init();
    plat_wake_init();
    g_test_add_func("/engine/selfcheck/finds-every-lie", test_liar);
    g_test_add_func("/engine/selfcheck/fails-only-when-nothing-can-be-checked",
                    test_nothing_usable);
    g_test_add_func("/engine/selfcheck/runs-on-this-machine", test_real);
    return g_test_run();
}
