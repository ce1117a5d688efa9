/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Little-endian integers in byte buffers, for the frame codecs.  Any alignment.
 */
#pragma once

#include <glib.h>
#include <stdint.h>
#include <string.h>

static inline void
fm_put_le16(uint8_t *to, uint16_t value)
{
    value = GUINT16_TO_LE(value);
    memcpy(to, &value, sizeof value);
}

static inline void
fm_put_le32(uint8_t *to, uint32_t value)
{
    value = GUINT32_TO_LE(value);
    memcpy(to, &value, sizeof value);
}

static inline void
fm_put_le64(uint8_t *to, uint64_t value)
{
    value = GUINT64_TO_LE(value);
    memcpy(to, &value, sizeof value);
}

static inline uint16_t
fm_get_le16(const uint8_t *from)
{
    uint16_t value;

    memcpy(&value, from, sizeof value);
    return GUINT16_FROM_LE(value);
}

static inline uint32_t
fm_get_le32(const uint8_t *from)
{
    uint32_t value;

    memcpy(&value, from, sizeof value);
    return GUINT32_FROM_LE(value);
}

static inline uint64_t
fm_get_le64(const uint8_t *from)
{
    uint64_t value;

    memcpy(&value, from, sizeof value);
    return GUINT64_FROM_LE(value);
}
