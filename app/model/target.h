/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tested, and what may be believed about it.  Plain data: platform/ finds
 * the facts out, the worker's guard decides, everything above shows them.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/message.h"
#include "model/facts.h"

G_BEGIN_DECLS

typedef enum {
    FM_TARGET_FOLDER, /* a folder: the worker makes its own file there */
    FM_TARGET_FILE, /* one of our own test files, named */
    FM_TARGET_DEVICE, /* a raw device (needs 4/8) */
    FM_TARGET_NULL, /* the null backend */
    FM_TARGET_MODEL, /* sim: a model drive by name */
} FmTargetKind;

/* How far numbers from this target can be trusted to be the drive's. */
typedef enum {
    FM_VERDICT_UNKNOWN,
    FM_VERDICT_DIRECT, /* unbuffered, proved by the device's own counters */
    FM_VERDICT_MAY_BE_CACHED, /* something between us and the drive may keep data */
    FM_VERDICT_MEMORY, /* this is memory, not a drive */
} FmVerdict;

typedef struct {
    FmTargetKind kind;
    char *path; /* as the user gave it, made absolute */
    FmVerdict verdict;
    FmMessage *verdict_reason; /* one sentence, or NULL */
    uint64_t size; /* bytes of the test file or device; 0 = not decided yet */
    uint64_t free_bytes; /* what this user may still write there (quota and limits included) */
    uint32_t block_size; /* unit of direct I/O: offset, length and memory alignment */
    FmFacts *facts; /* file system, mount options, stack, counters; never NULL */
} FmTarget;

FmTarget *fm_target_new(FmTargetKind kind, const char *path);
/* The target a user calls "null" or "sim:MODEL"; NULL when @text is a path. */
FmTarget *fm_target_new_without_place(const char *text);
void fm_target_free(FmTarget *target);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmTarget, fm_target_free)

/* What a user calls @target: its path, "null" or "sim:MODEL".  Caller frees. */
char *fm_target_dup_text(const FmTarget *target);

/* "direct", "may-be-cached", "memory", "unknown". */
const char *fm_verdict_name(FmVerdict verdict);
FmVerdict fm_verdict_from_name(const char *name);

/*
 * Space that should stay free on a volume of @volume_bytes: the larger of 1 GiB and
 * 2 % of it.
 */
uint64_t fm_target_reserve(uint64_t volume_bytes);

G_END_DECLS
