/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unit of direct I/O of a file system: how offsets, lengths and buffers must be
 * aligned.  Control thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/facts.h"

G_BEGIN_DECLS

/*
 * Asks the kernel with the help of a nameless file in @folder, which is gone when the
 * call returns.  Adds "direct.*" facts.  @unit is 512 where the file system refuses
 * direct I/O ("direct.possible" is false then).  FM_ERROR_DENIED and
 * FM_ERROR_NO_SPACE tell why no file can be made.
 */
bool plat_direct_unit_probe(const char *folder, FmFacts *facts, uint32_t *unit, GError **error);

/* The same for a file that exists, which is only asked about: 4096, which fits every
 * drive, where the kernel does not tell. */
uint32_t plat_direct_unit_of_file(const char *path, FmFacts *facts);

G_END_DECLS
