/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CRC-32C (Castagnoli, reflected, as in iSCSI and NVMe): the checksum of frames.  It
 * finds accidents, not attacks.  Any thread may call it.
 */
#pragma once

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/*
 * Checksum of @length bytes at @data, continuing from @crc, which is 0 at the start and
 * the result of the call before after that: crc32c(crc32c(0, a), b) = crc32c(0, ab).
 */
uint32_t fm_crc32c(uint32_t crc, const void *data, gsize length);

/* The same without the processor's own instruction: what other machines run, and what
 * the tests compare against. */
uint32_t fm_crc32c_portable(uint32_t crc, const void *data, gsize length);

G_END_DECLS
