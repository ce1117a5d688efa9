/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file system does to the data and how much it takes: compression,
 * copy-on-write, encryption, space, quota, limits.  Any thread.
 */
#pragma once

#include <stdint.h>

#include "model/facts.h"
#include "platform/linux/place.h"

G_BEGIN_DECLS

/* Adds "fs.*", "stack.*" and "limit.*" facts of @place. */
void plat_fs_add_facts(FmFacts *facts, const FmPlace *place);

/* Bytes this user may still write: free space, quotas and the file-size limit. */
uint64_t plat_fs_get_free(FmFacts *facts, const FmPlace *place);

G_END_DECLS
