/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames: encoding, and a reader that gets whole frames out of any bytes.  Input is
 * hostile: the reader never allocates on the word of a header, only for bytes that it
 * was given, and its work stays linear in them.  No I/O, no thread of its own.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/frame.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "model/little-endian.h"

#include <string.h>

enum {
    OFFSET_KIND = 4,
    OFFSET_VERSION = 6,
    OFFSET_LENGTH = 8,
    OFFSET_SEQUENCE = 12,
    OFFSET_PAYLOAD_CRC = 16,
    OFFSET_HEADER_CRC = 20,
    PAYLOAD_VERSION = 1,
};

static const char magic[4] = {'F', 'm', 'F', 'r'};

/*
 * Checksums of payloads that turn out to be wrong may cost so many bytes beyond the
 * input; after that a wrong frame is skipped whole.  Without a bound, a file of good
 * headers that all claim 16 MiB takes quadratic time.
 */
static const uint64_t free_waste = 64 * 1024 * 1024;

struct FmFrameReader {
    GByteArray *buffer;
    gsize start; /* first byte of @buffer that is not done with */
    uint64_t base; /* offset in the stream of the first byte of @buffer */
    uint64_t good; /* end of the last good frame */
    uint64_t waste; /* bytes of payloads that were checked in vain */
    bool at_end;
};

/* --- Encoding ------------------------------------------------------------------ */

void
fm_frame_clear(FmFrame *frame)
{
    g_clear_pointer(&frame->payload, g_bytes_unref);
}

const char *
fm_frame_kind_name(FmFrameKind kind)
{
    static const struct {
        FmFrameKind kind;
        const char *name;
    } names[] = {
        {FM_FRAME_HELLO, "HELLO"},
        {FM_FRAME_ENVIRONMENT, "ENVIRONMENT"},
        {FM_FRAME_DRIVE, "DRIVE"},
        {FM_FRAME_TARGET, "TARGET"},
        {FM_FRAME_PLAN, "PLAN"},
        {FM_FRAME_PHASE_BEGIN, "PHASE_BEGIN"},
        {FM_FRAME_TICK, "TICK"},
        {FM_FRAME_HISTOGRAM, "HISTOGRAM"},
        {FM_FRAME_LATENCY_LOG, "LATENCY_LOG"},
        {FM_FRAME_EVALUATION, "EVALUATION"},
        {FM_FRAME_SMART, "SMART"},
        {FM_FRAME_VALUE, "VALUE"},
        {FM_FRAME_NOTE, "NOTE"},
        {FM_FRAME_PHASE_END, "PHASE_END"},
        {FM_FRAME_USER_NOTE, "USER_NOTE"},
        {FM_FRAME_END, "END"},
        {FM_FRAME_START, "START"},
        {FM_FRAME_PAUSE, "PAUSE"},
        {FM_FRAME_RESUME, "RESUME"},
        {FM_FRAME_STOP, "STOP"},
        {FM_FRAME_LIST, "LIST"},
        {FM_FRAME_IDENTIFY, "IDENTIFY"},
        {FM_FRAME_CLAIM, "CLAIM"},
        {FM_FRAME_PURGE, "PURGE"},
        {FM_FRAME_RELEASE, "RELEASE"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (names[i].kind == kind) {
            return names[i].name;
        }
    }
    return "UNKNOWN";
}

void
fm_frame_encode(GByteArray *out, FmFrameKind kind, uint32_t sequence, const void *payload,
                gsize length)
{
    uint8_t header[FM_FRAME_HEADER_SIZE];

    g_return_if_fail(length <= FM_FRAME_MAX_PAYLOAD);

    memcpy(header, magic, sizeof magic);
    fm_put_le16(header + OFFSET_KIND, (uint16_t)kind);
    fm_put_le16(header + OFFSET_VERSION, PAYLOAD_VERSION);
    fm_put_le32(header + OFFSET_LENGTH, (uint32_t)length);
    fm_put_le32(header + OFFSET_SEQUENCE, sequence);
    fm_put_le32(header + OFFSET_PAYLOAD_CRC, fm_crc32c(0, payload, length));
    fm_put_le32(header + OFFSET_HEADER_CRC, fm_crc32c(0, header, OFFSET_HEADER_CRC));
    g_byte_array_append(out, header, sizeof header);
    if (length > 0) {
        g_byte_array_append(out, payload, (guint)length);
    }
}

GVariant *
fm_frame_normalise(GVariant *dictionary)
{
    g_autoptr(GVariant) owned = g_variant_take_ref(dictionary);
    g_autoptr(GVariant) normal = g_variant_get_normal_form(owned);

    g_return_val_if_fail(g_variant_is_of_type(normal, G_VARIANT_TYPE_VARDICT), NULL);
    return G_BYTE_ORDER == G_BIG_ENDIAN ? g_variant_byteswap(normal) : g_steal_pointer(&normal);
}

void
fm_frame_encode_variant(GByteArray *out, FmFrameKind kind, uint32_t sequence, GVariant *dictionary)
{
    g_autoptr(GVariant) normal = fm_frame_normalise(dictionary);

    fm_frame_encode(out, kind, sequence, g_variant_get_data(normal), g_variant_get_size(normal));
}

GVariant *
fm_frame_get_variant(const FmFrame *frame, GError **error)
{
    g_autoptr(GVariant) variant =
        g_variant_ref_sink(g_variant_new_from_bytes(G_VARIANT_TYPE_VARDICT, frame->payload, FALSE));

    /* Also refuses nesting deeper than GLib's limit, before anything recurses into it. */
    if (!g_variant_is_normal_form(variant)) {
        fm_error_set(error, FM_ERROR_PROTOCOL,
                     "The %s frame number %u does not hold a dictionary in normal form",
                     fm_frame_kind_name(frame->kind), frame->sequence);
        return NULL;
    }
    if (G_BYTE_ORDER == G_BIG_ENDIAN) {
        return g_variant_byteswap(variant);
    }
    return g_steal_pointer(&variant);
}

/* --- Reader -------------------------------------------------------------------- */

FmFrameReader *
fm_frame_reader_new(void)
{
    FmFrameReader *reader = g_new0(FmFrameReader, 1);

    reader->buffer = g_byte_array_new();
    return reader;
}

void
fm_frame_reader_free(FmFrameReader *reader)
{
    if (reader == NULL) {
        return;
    }
    g_byte_array_unref(reader->buffer);
    g_free(reader);
}

void
fm_frame_reader_push(FmFrameReader *reader, const void *bytes, gsize length)
{
    g_return_if_fail(!reader->at_end);

    /* Moving what is left costs no more than what was read since the last time. */
    if (reader->start > reader->buffer->len / 2) {
        g_byte_array_remove_range(reader->buffer, 0, (guint)reader->start);
        reader->base += reader->start;
        reader->start = 0;
    }
    g_byte_array_append(reader->buffer, bytes, (guint)length);
}

void
fm_frame_reader_end(FmFrameReader *reader)
{
    reader->at_end = true;
}

uint64_t
fm_frame_reader_get_good_offset(const FmFrameReader *reader)
{
    return reader->good;
}

static bool
is_header(const uint8_t *header)
{
    return memcmp(header, magic, sizeof magic) == 0 &&
           fm_get_le32(header + OFFSET_LENGTH) <= FM_FRAME_MAX_PAYLOAD &&
           fm_get_le32(header + OFFSET_HEADER_CRC) == fm_crc32c(0, header, OFFSET_HEADER_CRC);
}

/* Moves on by @skip and then to where a header may begin.  The last bytes are kept
 * where they could be the beginning of one that is still to come. */
static void
resynchronise(FmFrameReader *reader, gsize skip)
{
    const GByteArray *buffer = reader->buffer;
    gsize at = reader->start + skip;

    while (at < buffer->len) {
        const uint8_t *found = memchr(buffer->data + at, magic[0], buffer->len - at);

        if (found == NULL) {
            at = buffer->len;
            break;
        }
        at = (gsize)(found - buffer->data);
        if (memcmp(found, magic, MIN(sizeof magic, buffer->len - at)) == 0) {
            break;
        }
        at++;
    }
    reader->start = MIN(at, buffer->len);
}

/* Bytes of a broken frame to step over before looking for the next one.  A frame whose
 * write was cut may hold the following ones, so normally only its magic. */
static gsize
broken_frame_skip(FmFrameReader *reader, uint32_t length)
{
    reader->waste += length;
    if (reader->waste > free_waste + 4 * (reader->base + reader->buffer->len)) {
        return FM_FRAME_HEADER_SIZE + length;
    }
    return sizeof magic;
}

static FmFrameReadStatus
wait_or_give_up(FmFrameReader *reader)
{
    gsize left = reader->buffer->len - reader->start;

    if (!reader->at_end) {
        return FM_FRAME_READ_MORE;
    }
    resynchronise(reader, MIN(left, sizeof magic));
    return FM_FRAME_READ_CORRUPT;
}

FmFrameReadStatus
fm_frame_reader_pop(FmFrameReader *reader, FmFrame *frame)
{
    gsize left = reader->buffer->len - reader->start;

    if (left == 0) {
        return FM_FRAME_READ_MORE;
    }
    const uint8_t *header = reader->buffer->data + reader->start;
    if (memcmp(header, magic, MIN(left, sizeof magic)) != 0) {
        resynchronise(reader, 1);
        return FM_FRAME_READ_CORRUPT;
    }
    if (left < FM_FRAME_HEADER_SIZE) {
        return wait_or_give_up(reader);
    }
    if (!is_header(header)) {
        resynchronise(reader, sizeof magic);
        return FM_FRAME_READ_CORRUPT;
    }

    uint32_t length = fm_get_le32(header + OFFSET_LENGTH);
    if (left - FM_FRAME_HEADER_SIZE < length) {
        return wait_or_give_up(reader);
    }
    const uint8_t *payload = header + FM_FRAME_HEADER_SIZE;
    if (fm_get_le32(header + OFFSET_PAYLOAD_CRC) != fm_crc32c(0, payload, length)) {
        resynchronise(reader, broken_frame_skip(reader, length));
        return FM_FRAME_READ_CORRUPT;
    }

    frame->kind = (FmFrameKind)fm_get_le16(header + OFFSET_KIND);
    frame->version = fm_get_le16(header + OFFSET_VERSION);
    frame->sequence = fm_get_le32(header + OFFSET_SEQUENCE);
    frame->payload = g_bytes_new(payload, length);
    reader->start += FM_FRAME_HEADER_SIZE + length;
    reader->good = reader->base + reader->start;
    return FM_FRAME_READ_OK;
}
