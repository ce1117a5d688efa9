/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * CRC-32C by the SSE 4.2 instruction where the processor has it, else by eight tables
 * (one step per 8 bytes).  The tables are made once and never change after that.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/crc32c.h"

#include <string.h>

#define POLYNOMIAL 0x82F63B78u

typedef uint32_t Tables[8][256];

static void
make_tables(Tables tables)
{
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) {
            crc = (crc >> 1) ^ ((crc & 1) ? POLYNOMIAL : 0);
        }
        tables[0][byte] = crc;
    }
    /* Table k gives the effect of a byte that stands k bytes before the end. */
    for (uint32_t byte = 0; byte < 256; byte++) {
        for (int k = 1; k < 8; k++) {
            uint32_t before = tables[k - 1][byte];
            tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFF];
        }
    }
}

static const Tables *
get_tables(void)
{
    static Tables tables;
    static gsize is_made;

    if (g_once_init_enter(&is_made)) {
        make_tables(tables);
        g_once_init_leave(&is_made, 1);
    }
    return (const Tables *)&tables;
}

static uint32_t
load_le32(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return GUINT32_FROM_LE(value);
}

uint32_t
fm_crc32c_portable(uint32_t crc, const void *data, gsize length)
{
    const Tables *tables = get_tables();
    const uint8_t *bytes = data;

    crc = ~crc;
    for (; length >= 8; length -= 8, bytes += 8) {
        uint32_t low = crc ^ load_le32(bytes);
        uint32_t high = load_le32(bytes + 4);
        crc = 0;
        for (int i = 0; i < 4; i++) {
            crc ^= (*tables)[7 - i][(low >> (8 * i)) & 0xFF];
            crc ^= (*tables)[3 - i][(high >> (8 * i)) & 0xFF];
        }
    }
    for (; length > 0; length--, bytes++) {
        crc = (crc >> 8) ^ (*tables)[0][(crc ^ *bytes) & 0xFF];
    }
    return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
crc32c_sse42(uint32_t crc, const uint8_t *bytes, gsize length)
{
    uint64_t state = ~crc;
    for (; length >= 8; length -= 8, bytes += 8) {
        uint64_t word;
        memcpy(&word, bytes, sizeof word);
        state = __builtin_ia32_crc32di(state, word);
    }
    for (; length > 0; length--, bytes++) {
        state = __builtin_ia32_crc32qi((uint32_t)state, *bytes);
    }
    return ~(uint32_t)state;
}
#endif

uint32_t
fm_crc32c(uint32_t crc, const void *data, gsize length)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("sse4.2")) {
        return crc32c_sse42(crc, data, length);
    }
#endif
    return fm_crc32c_portable(crc, data, length);
}
