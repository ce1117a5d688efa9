/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Proves on the user's own machine what no test of ours can: that direct I/O is direct,
 * data comes back as written, durable writes, polling, TRIM, waking and the clock work
 * as the measurements take for granted.  Reads and writes only the test file it is
 * given.  Worker, control thread; takes a second or two.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "model/target.h"
#include "platform/backend.h"

G_BEGIN_DECLS

typedef enum {
    FM_CHECK_OK,
    FM_CHECK_NOT_OK, /* numbers from here would mislead */
    FM_CHECK_NOT_POSSIBLE, /* this machine or target has no such thing, with the reason */
} FmCheckResult;

typedef struct {
    const char *id; /* stable: "clock", "timer", "direct", "alignment", "integrity", "durable",
                       "polling", "wake", "trim", "open" */
    const char *backend; /* its name, or NULL where none is meant */
    FmCheckResult result;
    const FmMessage *text; /* one sentence with the numbers or the reason */
} FmCheck;

/* What @check points to lives until it returns. */
typedef void (*FmSelfcheckCallback)(const FmCheck *check, gpointer user_data);

typedef struct {
    /* A test file of our own, whole and writable. */
    const char *path;
    int file_descriptor; /* open on it, or -1 */
    uint64_t size; /* bytes; at least FM_SELFCHECK_MIN_SIZE, more is left alone beyond the MAX */
    uint32_t block_size; /* unit of direct I/O */
    const FmBackend *const *backends; /* NULL-terminated; NULL = the system's */
    /* plat_target_counters(), or NULL = nothing is counted. */
    bool (*counters)(const char *path, uint64_t *read_bytes, uint64_t *written_bytes);
} FmSelfcheckOptions;

enum {
    FM_SELFCHECK_MIN_SIZE = 1024 * 1024,
    FM_SELFCHECK_MAX_SIZE = 16 * 1024 * 1024,
};

/*
 * Runs all checks and tells each.  plat_clock_init() and plat_wake_init() must have been
 * called.  Returns false with @error only when nothing could be checked at all; bad
 * results are results.
 */
bool fm_selfcheck_run(const FmSelfcheckOptions *options, FmSelfcheckCallback each,
                      gpointer user_data, GError **error);

/*
 * The same on an examined folder: with a test file that is made, filled and removed
 * again, the system's backends and the counters of the drive below.
 */
bool fm_selfcheck_run_target(const FmTarget *target, FmSelfcheckCallback each, gpointer user_data,
                             GError **error);

/* "ok", "not-ok", "not-possible". */
const char *fm_check_result_name(FmCheckResult result);

G_END_DECLS
