/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Opening the target of a run with flags of our own, and trimming it: what the Linux
 * backends share.  Set-up and TRIM only; the thread that opens, or the one that
 * submits.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "platform/backend.h"

G_BEGIN_DECLS

typedef struct {
    int descriptor;
    bool is_block;
    bool writable;
    bool direct; /* past the page cache */
} FmDirectFile;

/*
 * Opens @options->path, or the open @options->file_descriptor once more with its own
 * flags (that one stays the caller's).  Never creates, truncates or follows a link at
 * the end of the path.
 */
bool plat_direct_file_open(FmDirectFile *file, const FmOpenOptions *options, GError **error);
void plat_direct_file_close(FmDirectFile *file);

/* Gives the range back to the drive or file system and waits for it.  Returns 0 or a
 * negative errno. */
int plat_direct_file_trim(const FmDirectFile *file, uint64_t offset, uint64_t length);

G_END_DECLS
