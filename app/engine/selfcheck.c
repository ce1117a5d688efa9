/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of checks.  Each tells a sentence with its numbers; none stops the others.
 * Worker, control thread; one more thread while waking is checked.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/selfcheck.h"

#include "base/error.h"
#include "base/label.h"
#include "engine/backends.h"
#include "engine/selfcheck-mover.h"
#include "engine/selfcheck-wake.h"
#include "engine/test-file.h"
#include "platform/platform-io.h"
#include "platform/platform.h"

#include <glib/gi18n.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum {
    N_TIMERS = 50,
    N_WRITES = 16,
    TRIM_BYTES = 1024 * 1024,
    CLOCK_PPM = 200, /* worse than any oscillator: then the counter is not what it seems */
};

#define MS_NS G_GINT64_CONSTANT(1000000)

typedef struct {
    const FmSelfcheckOptions *options;
    FmSelfcheckCallback each;
    gpointer user_data;
    uint64_t size; /* of the file, as far as it is used */
    const FmBackend *reference; /* reads what the others wrote */
    const FmBackend *backend; /* that is being checked; NULL = none */
    uint64_t seed; /* of the data written last */
} Check;

static void tell(const Check *check, const char *id, FmCheckResult result, const char *format, ...)
    G_GNUC_PRINTF(4, 5);

static void
tell(const Check *check, const char *id, FmCheckResult result, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autoptr(FmMessage) text = fm_message_new_valist(format, arguments);
    va_end(arguments);

    FmCheck row = {
        .id = id,
        .backend = check->backend != NULL ? check->backend->name : NULL,
        .result = result,
        .text = text,
    };
    check->each(&row, check->user_data);
}

static int
compare_ns(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a;
    int64_t y = *(const int64_t *)b;

    return x < y ? -1 : x > y;
}

static char *
dup_us(int64_t ns)
{
    return fm_label_dup_microseconds((double)ns, 1);
}

/* --- Time -------------------------------------------------------------------------------- */

/* The counter is fitted over 50 ms and asked what time it is 50 ms later. */
static void
check_clock(const Check *check)
{
    if (!plat_clock_has_counter()) {
        const char *words = plat_clock_get_reason();
        g_autoptr(FmMessage) reason =
            fm_message_new_words(words != NULL ? words : N_("unknown reason"));
        tell(check, "clock", FM_CHECK_NOT_POSSIBLE,
             "no cycle counter can be used (%p): times come from the system's clock", reason);
        return;
    }

    FmClockPair pair[3];
    for (unsigned i = 0; i < 3; i++) {
        if (i > 0) {
            plat_clock_sleep_until(plat_clock_monotonic_ns() + 50 * MS_NS);
        }
        pair[i] = plat_clock_pair();
    }
    double ns_per_tick =
        (double)(pair[1].ns - pair[0].ns) / (double)(pair[1].ticks - pair[0].ticks);
    double expected = (double)(pair[2].ticks - pair[1].ticks) * ns_per_tick;
    double actual = (double)(pair[2].ns - pair[1].ns);
    double off = expected > actual ? expected - actual : actual - expected;
    double ppm = off / actual * 1e6;

    g_autofree char *off_text = fm_label_dup_microseconds(off, 3);
    g_autofree char *ppm_text = fm_label_dup_decimal(ppm, 2);
    g_autofree char *rate = fm_label_dup_decimal(1e3 / ns_per_tick, 3);
    tell(check, "clock", ppm <= CLOCK_PPM ? FM_CHECK_OK : FM_CHECK_NOT_OK,
         "the counter runs at %s MHz and is off by %s after 50 ms (%s ppm)", rate, off_text,
         ppm_text);
}

static void
check_timer(const Check *check)
{
    int64_t late_ns[N_TIMERS];

    for (unsigned i = 0; i < N_TIMERS; i++) {
        int64_t deadline = plat_clock_monotonic_ns() + MS_NS;
        plat_clock_sleep_until(deadline);
        late_ns[i] = plat_clock_monotonic_ns() - deadline;
    }
    qsort(late_ns, N_TIMERS, sizeof *late_ns, compare_ns);

    g_autofree char *median = dup_us(late_ns[N_TIMERS / 2]);
    g_autofree char *worst = dup_us(late_ns[N_TIMERS - 1]);
    bool too_early = late_ns[0] < 0;
    bool too_late = late_ns[N_TIMERS / 2] > 10 * MS_NS;
    if (too_early) {
        tell(check, "timer", FM_CHECK_NOT_OK,
             "a sleep of 1 ms ends %s late (median of %d), at worst %s, and sometimes early",
             median, N_TIMERS, worst);
        return;
    }
    tell(check, "timer", too_late ? FM_CHECK_NOT_OK : FM_CHECK_OK,
         "a sleep of 1 ms ends %s late (median of %d), at worst %s", median, N_TIMERS, worst);
}

/* --- One backend -------------------------------------------------------------------------- */

/* A byte beside the grid must be refused: else something else than the drive answers. */
static void
check_alignment(const Check *check, FmMover *mover)
{
    uint32_t block = MAX(check->options->block_size, 512);
    const FmIo odd[] = {
        {.offset = 1, .buffer = mover->memory.data, .length = block, .op = FM_OP_READ},
        {.offset = 0, .buffer = mover->memory.data, .length = block - 1, .op = FM_OP_READ},
    };
    static const char *const what[] = {
        N_("a read at offset 1"),
        N_("a read of one byte less than a block"),
    };

    for (unsigned i = 0; i < G_N_ELEMENTS(odd); i++) {
        int32_t status = fm_mover_do(mover, &odd[i]);
        g_autoptr(FmMessage) text = fm_mover_status_text(status);
        if (status >= 0 || status == INT32_MIN) {
            g_autoptr(FmMessage) name = fm_message_new_words(what[i]);
            tell(check, "alignment", FM_CHECK_NOT_OK,
                 "%p was not refused (%p): it did not go to the drive as it is", name, text);
            return;
        }
    }
    tell(check, "alignment", FM_CHECK_OK,
         "reads that are not aligned are refused, as direct I/O must");
}

typedef struct {
    uint64_t read;
    uint64_t written;
    bool known;
} Counted;

static Counted
count(const Check *check)
{
    Counted counted = {0};
    counted.known = check->options->counters != NULL &&
                    check->options->counters(check->options->path, &counted.read, &counted.written);
    return counted;
}

static void
tell_direct(const Check *check, const Counted at[3])
{
    if (!at[0].known || !at[1].known || !at[2].known) {
        tell(check, "direct", FM_CHECK_NOT_POSSIBLE,
             "the system counts nothing for the drive below “%s”", check->options->path);
        return;
    }

    uint64_t written = at[1].written - at[0].written;
    uint64_t read = at[2].read - at[1].read;
    uint64_t least = check->size - check->size / 50;
    bool ok = written >= least && read >= least;
    if (ok) {
        tell(check, "direct", FM_CHECK_OK,
             "of %ju bytes each way the drive counted %ju written and %ju read", check->size,
             written, read);
        return;
    }
    tell(
        check, "direct", FM_CHECK_NOT_OK,
        "of %ju bytes each way the drive counted only %ju written and %ju read: a cache in between "
        "keeps data",
        check->size, written, read);
}

/* Writes, reads back with the same backend, and once more with another one, since two
 * mistakes of the same kind would cancel out. */
static void
check_integrity(Check *check, FmMover *mover)
{
    uint64_t seed = ++check->seed;
    Counted at[3];

    at[0] = count(check);
    g_autoptr(FmMessage) problem = fm_mover_pass(mover, FM_OP_WRITE, check->size, seed);
    at[1] = count(check);
    if (problem == NULL) {
        problem = fm_mover_pass(mover, FM_OP_READ, check->size, seed);
    }
    at[2] = count(check);

    if (problem == NULL && check->reference != mover->backend) {
        g_auto(FmMover) other = {0};
        if (fm_mover_open(&other, check->options, check->reference, NULL)) {
            problem = fm_mover_pass(&other, FM_OP_READ, check->size, seed);
        }
    }
    if (problem != NULL) {
        tell(check, "integrity", FM_CHECK_NOT_OK, "%p", problem);
        return;
    }
    tell(check, "integrity", FM_CHECK_OK, "%ju bytes came back as they were written", check->size);
    tell_direct(check, at);
}

/* Median time of a write in ns; -1 when one ended with *@status instead of all its bytes. */
static int64_t
time_writes(const Check *check, FmMover *mover, bool sync, int32_t *status)
{
    uint32_t length = MAX(check->options->block_size, 4096);
    int64_t took_ns[N_WRITES];

    for (unsigned i = 0; i < N_WRITES; i++) {
        FmIo io = {
            .offset = (uint64_t)i * length % check->size,
            .buffer = mover->memory.data,
            .length = length,
            .op = FM_OP_WRITE,
            .sync = sync,
        };
        int64_t begin = plat_clock_monotonic_ns();
        *status = fm_mover_do(mover, &io);
        took_ns[i] = plat_clock_monotonic_ns() - begin;
        if (*status != (int32_t)length) {
            return -1;
        }
    }
    qsort(took_ns, N_WRITES, sizeof *took_ns, compare_ns);
    return took_ns[N_WRITES / 2];
}

static void
check_durable(const Check *check, FmMover *mover)
{
    if ((mover->backend->caps & FM_CAP_DSYNC) == 0) {
        tell(check, "durable", FM_CHECK_NOT_POSSIBLE, "this backend has no durable writes");
        return;
    }

    int32_t status = 0;
    int64_t plain_ns = time_writes(check, mover, false, &status);
    int64_t durable_ns = plain_ns >= 0 ? time_writes(check, mover, true, &status) : -1;
    if (durable_ns < 0) {
        g_autoptr(FmMessage) text = fm_mover_status_text(status);
        bool is_missing = plain_ns >= 0 && status < 0 && status != INT32_MIN &&
                          plat_status_fold(-status) == FM_ERROR_UNSUPPORTED;
        tell(check, "durable", is_missing ? FM_CHECK_NOT_POSSIBLE : FM_CHECK_NOT_OK,
             "a durable write ended with: %p", text);
        return;
    }
    g_autofree char *plain = dup_us(plain_ns);
    g_autofree char *durable = dup_us(durable_ns);
    /* A drive with protected memory has nothing to wait for: no verdict on the ratio. */
    tell(check, "durable", FM_CHECK_OK, "a plain write takes %s, a durable one %s (median of %d)",
         plain, durable, N_WRITES);
}

static bool
is_zero(const uint8_t *data, size_t size)
{
    return data[0] == 0 && memcmp(data, data + 1, size - 1) == 0;
}

static void
check_trim(const Check *check, FmMover *mover)
{
    if ((mover->backend->caps & FM_CAP_TRIM) == 0) {
        tell(check, "trim", FM_CHECK_NOT_POSSIBLE, "this backend has no TRIM");
        return;
    }

    FmIo trim = {.length = TRIM_BYTES, .op = FM_OP_TRIM};
    FmIo read = {.buffer = mover->memory.data, .length = FM_MOVER_BLOCK, .op = FM_OP_READ};
    memset(mover->memory.data, 0xA5, FM_MOVER_BLOCK);
    int32_t status = fm_mover_do(mover, &trim);
    if (status < 0) {
        g_autoptr(FmMessage) text = fm_mover_status_text(status);
        bool is_missing = status != INT32_MIN && plat_status_fold(-status) == FM_ERROR_UNSUPPORTED;
        tell(check, "trim", is_missing ? FM_CHECK_NOT_POSSIBLE : FM_CHECK_NOT_OK,
             "giving back 1 MiB of the file ended with: %p", text);
        return;
    }
    bool good =
        fm_mover_do(mover, &read) == FM_MOVER_BLOCK && is_zero(mover->memory.data, FM_MOVER_BLOCK);
    /* What is not written any more must not be left to a read test. */
    g_autoptr(FmMessage) problem = fm_mover_pass(mover, FM_OP_WRITE, TRIM_BYTES, 1);
    if (good) {
        tell(check, "trim", FM_CHECK_OK, "1 MiB of the file was given back and then read as zeros");
    } else {
        tell(check, "trim", FM_CHECK_NOT_OK,
             "1 MiB of the file was given back, but did not read as zeros");
    }
}

static void
check_wake(const Check *check)
{
    g_autoptr(GError) error = NULL;
    FmWakeResult wake = {0};

    if (!fm_selfcheck_wake(check->options, check->backend, &wake, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        tell(check, "wake", FM_CHECK_NOT_OK, "%p", reason);
        return;
    }
    g_autofree char *late = dup_us(wake.late_ns);
    FmCheckResult result = wake.late_ns <= 100 * MS_NS ? FM_CHECK_OK : FM_CHECK_NOT_OK;
    if (wake.was_woken) {
        tell(check, "wake", result,
             "a thread that waits for the drive wakes up %s after it is called", late);
    } else {
        tell(check, "wake", result, "waiting can't be interrupted, but ends %s after its time-out",
             late);
    }
}

/* --- The whole ---------------------------------------------------------------------------- */

/* Whether the backend works here at all.  A polled ring takes writes also where reads
 * fail (ENGINE 1.5), so a read has to tell. */
static bool
check_open(const Check *check, FmMover *mover)
{
    const FmBackend *backend = check->backend;
    bool is_polled = (backend->caps & FM_CAP_POLLED) != 0;
    const char *id = is_polled ? "polling" : "open";
    g_autoptr(GError) error = NULL;

    if (!fm_mover_open(mover, check->options, backend, &error)) {
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        tell(check, id, FM_CHECK_NOT_POSSIBLE, "%p", reason);
        return false;
    }
    FmIo read = {.buffer = mover->memory.data, .length = FM_MOVER_BLOCK, .op = FM_OP_READ};
    int32_t status = fm_mover_do(mover, &read);
    if (status == FM_MOVER_BLOCK) {
        g_autoptr(FmMessage) summary = fm_message_new_words(backend->summary);
        tell(check, id, FM_CHECK_OK, "%p", summary);
        return true;
    }

    g_autoptr(FmMessage) text = fm_mover_status_text(status);
    bool is_missing =
        status < 0 && status != INT32_MIN && plat_status_fold(-status) == FM_ERROR_UNSUPPORTED;
    if (is_polled && is_missing) {
        tell(check, id, FM_CHECK_NOT_POSSIBLE,
             "a first read ended with: %p (the drive has no poll queues, or its file system can't)",
             text);
    } else {
        tell(check, id, is_missing ? FM_CHECK_NOT_POSSIBLE : FM_CHECK_NOT_OK,
             "a first read ended with: %p", text);
    }
    return false;
}

static bool
check_backend(Check *check)
{
    g_auto(FmMover) mover = {0};
    if (!check_open(check, &mover)) {
        return false;
    }

    check_alignment(check, &mover);
    check_integrity(check, &mover);
    check_durable(check, &mover);
    check_trim(check, &mover);
    check_wake(check);
    return true;
}

bool
fm_selfcheck_run(const FmSelfcheckOptions *options, FmSelfcheckCallback each, gpointer user_data,
                 GError **error)
{
    if (options->size < FM_SELFCHECK_MIN_SIZE) {
        fm_error_set(error, FM_ERROR_INVALID,
                     "“%s” is too small for a self-check, which needs 1 MiB", options->path);
        return false;
    }

    const FmBackend *const *backends =
        options->backends != NULL ? options->backends : fm_backend_probe_order();
    Check check = {
        .options = options,
        .each = each,
        .user_data = user_data,
        .size = MIN(options->size, FM_SELFCHECK_MAX_SIZE) / FM_MOVER_BLOCK * FM_MOVER_BLOCK,
    };
    check_clock(&check);
    check_timer(&check);

    unsigned n_usable = 0;
    for (unsigned i = 0; backends[i] != NULL; i++) {
        check.reference = backends[i]; /* the last one is the plainest */
    }
    for (unsigned i = 0; backends[i] != NULL; i++) {
        check.backend = backends[i];
        n_usable += check_backend(&check);
    }
    if (n_usable == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED, "No backend can use “%s”", options->path);
        return false;
    }
    return true;
}

bool
fm_selfcheck_run_target(const FmTarget *target, FmSelfcheckCallback each, gpointer user_data,
                        GError **error)
{
    FmTestFileOptions file_options = {.size = FM_SELFCHECK_MAX_SIZE, .no_cow = true};
    g_autoptr(FmTestFile) file = fm_test_file_new(target, &file_options, error);
    if (file == NULL || !fm_test_file_fill(file, error)) {
        return false;
    }
    if (!fm_test_file_is_direct(file)) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” has no direct I/O, so there is nothing to check", target->path);
        return false;
    }

    FmSelfcheckOptions options = {
        .path = fm_test_file_get_path(file),
        .file_descriptor = fm_test_file_get_descriptor(file),
        .size = FM_SELFCHECK_MAX_SIZE,
        .block_size = target->block_size,
        .counters = plat_target_counters,
    };
    return fm_selfcheck_run(&options, each, user_data, error);
}

const char *
fm_check_result_name(FmCheckResult result)
{
    static const char *const names[] = {"ok", "not-ok", "not-possible"};

    return names[result];
}
