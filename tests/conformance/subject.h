/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One backend under test, on a file of its own, and the claims every backend has to
 * meet.  A claim is written once and runs over all of them: the system's own, null,
 * sim, and the filters over sync.  What can't be had here is skipped with the reason.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/backends.h"

G_BEGIN_DECLS

enum {
    SUBJECT_MAX_DEPTH = 1024,
    SUBJECT_FILE_BYTES = 8 << 20, /* the largest request */
    SUBJECT_SLOT_BYTES = 16 << 10, /* of the pool, unless a claim wants larger ones */
};

#define MS_NS ((int64_t)1000 * 1000)
#define S_NS ((int64_t)1000 * MS_NS)

typedef struct {
    const FmBackend *backend;
    const FmBackend *below;
    uint32_t caps;
    const char *options;
    bool read_only;
    bool buffered;
    int descriptor; /* -1 = the backend opens the path */
    size_t slot_bytes; /* of the pool */

    /* Set by subject_open(). */
    char *folder;
    char *path;
    uint32_t block; /* smallest request the file takes */
    FmBackendTarget *target;

    /* Set by subject_queue(). */
    FmQueue *queue;
    uint8_t *pool;
    unsigned depth;
} Subject;

/* What a backend needs for a claim. */
typedef enum {
    NEEDS_NOTHING = 0,
    NEEDS_DATA = 1 << 0, /* keeps what is written: not null, not sim */
    NEEDS_DRIVE = 1 << 1, /* judges requests: not null */
    NEEDS_DEPTH = 1 << 2,
    NEEDS_TRIM = 1 << 3,
    NEEDS_FLUSH = 1 << 4,
    NEEDS_DSYNC = 1 << 5,
    NEEDS_REAL_TIME = 1 << 6,
    NEEDS_FAULT = 1 << 7, /* only the fault filter; others are not even skipped */
} Need;

typedef struct {
    const char *name;
    void (*run)(Subject *subject);
    unsigned needs;
} Claim;

/* Adds every claim for every backend as /conformance/<area>/<backend>/<claim> and runs
 * them. */
int subject_main(int argc, char **argv, const char *area, const Claim *claims, gsize n);

/* Makes the file and opens the target; false = skipped with the reason. */
bool subject_open(Subject *subject);
/* Closes what is open and removes the file.  Called for every subject. */
void subject_close(Subject *subject);

/* Makes a queue with a pool of @depth slots.  False = skipped. */
bool subject_queue(Subject *subject, unsigned depth);
void subject_queue_free(Subject *subject);

/* Buffer of @slot. */
uint8_t *subject_buffer(const Subject *subject, unsigned slot);

int subject_submit(Subject *subject, const FmIo *ios, unsigned n);
int subject_reap(Subject *subject, FmCompletion *completions, unsigned min, unsigned max,
                 int64_t timeout_ns);

/* Carries one request out and returns its result. */
int32_t subject_one(Subject *subject, unsigned op, uint64_t offset, void *buffer, uint32_t length);
/* The same for a write that is durable before it completes. */
int32_t subject_write_durable(Subject *subject, uint64_t offset, void *buffer, uint32_t length);

/* The clock a backend lives on, in ns: virtual for sim. */
int64_t subject_now(const Subject *subject);

/* Fills or checks a block with bytes that depend on @offset and @salt only. */
void subject_fill(void *buffer, uint32_t length, uint64_t offset, uint64_t salt);
bool subject_matches(const void *buffer, uint32_t length, uint64_t offset, uint64_t salt);

G_END_DECLS
