/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Decides before a run whether a target may be used, how large the test file is, and
 * how far its numbers can be believed.  Runs in the worker on the control thread; the
 * only thing it writes is a small test file of its own, which is gone when it returns.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/target.h"

G_BEGIN_DECLS

/* As keep_free: fm_target_reserve() of the volume. */
#define FM_GUARD_KEEP_DEFAULT UINT64_MAX

typedef struct {
    uint64_t size; /* bytes of the test file asked for; 0 = what METHODOLOGY 5 says */
    uint64_t keep_free; /* bytes of the volume that must stay free, or the default */
    bool allow_buffered; /* the user said yes to memory and to what may be cached */
    bool (*may_go_on)(gpointer user_data); /* asked while bytes are moved; NULL = always */
    gpointer user_data;
} FmGuardOptions;

/*
 * Checks an examined folder or file.  Sets @target's size, verdict, reason and facts,
 * also when it refuses, so that the reason can be shown.  Refusals:
 * FM_ERROR_UNSUPPORTED a raw device; FM_ERROR_UNSAFE a file that is not ours, or
 * memory and what may be cached without the yes; FM_ERROR_NO_SPACE a file that does
 * not fit, with the largest that would; FM_ERROR_DENIED no file can be made there.
 * FM_ERROR_CANCELLED when @options->may_go_on said no.  A drive of 2 MB/s takes it a few
 * seconds.
 */
bool fm_guard_check_file(FmTarget *target, const FmGuardOptions *options, GError **error);

/*
 * Looks at how the filled test file is stored, by the facts fm_test_file_add_facts() gave
 * @target: the probe's data can't be compressed, the plan's may be.  Sets the verdict, and
 * refuses without the yes as above.
 */
bool fm_guard_check_stored(FmTarget *target, bool allow_buffered, GError **error);

/* The largest test file that leaves @keep_free on the volume; 0 when there is none. */
uint64_t fm_guard_largest_size(const FmTarget *target, uint64_t keep_free);

/* What the counters of the drives say about @moved bytes of direct I/O. */
typedef enum {
    FM_PROOF_MOVED, /* they moved by as much */
    FM_PROOF_MISSING, /* they moved by less: something in between kept it */
    FM_PROOF_DISTURBED, /* they moved by more: others were busy */
    FM_PROOF_OURS, /* they moved by more, but our own account by as much */
} FmProof;

/* @most: how many times a byte may be counted (mirrors).  Exposed for the tests. */
FmProof fm_guard_compare(uint64_t moved, uint64_t counted, unsigned most);

G_END_DECLS
