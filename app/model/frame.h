/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frame stream: the worker's pipe in both directions, the feed of a viewer, the
 * saved run and the test fixture are all this.  A frame is a 24-byte little-endian
 * header and a payload:
 *
 *   0  char[4]  magic "FmFr"
 *   4  u16      kind (FmFrameKind)
 *   6  u16      version of the payload's layout, 1 at first
 *   8  u32      payload length in bytes, at most FM_FRAME_MAX_PAYLOAD
 *  12  u32      sequence number, from 0, by the sender; who passes frames on (the host)
 *               may count anew
 *  16  u32      CRC-32C of the payload
 *  20  u32      CRC-32C of the 20 bytes before
 *
 * Rare frames carry one little-endian GVariant of type a{sv} in normal form.  TICK,
 * HISTOGRAM and LATENCY_LOG carry flat little-endian rows (see the codecs below).
 * Readers skip kinds they do not know and keep what stands before a cut or a broken
 * frame.  This module does no I/O and owns no thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "model/op.h"
#include "model/tick.h"

G_BEGIN_DECLS

enum {
    FM_FRAME_HEADER_SIZE = 24,
    FM_FRAME_MAX_PAYLOAD = 16 * 1024 * 1024,
};

/* The numbers are the file format. */
typedef enum {
    /* From worker to host, from host to viewers and into the file. */
    FM_FRAME_HELLO = 1, /* protocol, program version, role, process id */
    FM_FRAME_ENVIRONMENT = 2, /* machine and system facts */
    FM_FRAME_DRIVE = 3, /* the drive below the target */
    FM_FRAME_TARGET = 4, /* file or device, verdict, file system, stack */
    FM_FRAME_PLAN = 5, /* canonical text, hash, options, target, estimate */
    FM_FRAME_PHASE_BEGIN = 6, /* step number, path of ids, streams, backend mode and reasons */
    FM_FRAME_TICK = 7,
    FM_FRAME_HISTOGRAM = 8,
    FM_FRAME_LATENCY_LOG = 9,
    FM_FRAME_EVALUATION = 10, /* steady state, RSE, a search step, a stop decision */
    FM_FRAME_SMART = 11,
    FM_FRAME_VALUE = 12, /* imported score or series */
    FM_FRAME_NOTE = 13, /* error, throttle, fallback, decision, progress */
    FM_FRAME_PHASE_END = 14,
    FM_FRAME_USER_NOTE = 15, /* text, tags; the last one wins */
    FM_FRAME_END = 16, /* outcome and reason; none = the run was cut off */

    /* Commands, from host to worker or from viewer to host. */
    FM_FRAME_START = 64,
    FM_FRAME_PAUSE = 65,
    FM_FRAME_RESUME = 66,
    FM_FRAME_STOP = 67,
    FM_FRAME_LIST = 68,
    FM_FRAME_IDENTIFY = 69,
    FM_FRAME_CLAIM = 70,
    FM_FRAME_PURGE = 71,
    FM_FRAME_RELEASE = 72,
} FmFrameKind;

typedef struct {
    FmFrameKind kind;
    uint16_t version;
    uint32_t sequence;
    GBytes *payload; /* never NULL; may be empty */
} FmFrame;

/* Frees the payload; @frame itself is the caller's. */
void fm_frame_clear(FmFrame *frame);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(FmFrame, fm_frame_clear)

/* Name of a kind as dump and export print it ("PHASE_BEGIN"); "UNKNOWN" for others. */
const char *fm_frame_kind_name(FmFrameKind kind);

/* Appends the encoded frame to @out.  The payload must not exceed the limit. */
void fm_frame_encode(GByteArray *out, FmFrameKind kind, uint32_t sequence, const void *payload,
                     gsize length);

/* @dictionary (a{sv}; taken) as a payload holds it: normal form, little-endian bytes.
 * The caller owns the result. */
GVariant *fm_frame_normalise(GVariant *dictionary);

/* The same with a floating or owned a{sv}; takes @dictionary. */
void fm_frame_encode_variant(GByteArray *out, FmFrameKind kind, uint32_t sequence,
                             GVariant *dictionary);

/*
 * The payload as a{sv} in normal form and native byte order, or NULL with
 * FM_ERROR_PROTOCOL.  Caller owns the (non-floating) result.
 */
GVariant *fm_frame_get_variant(const FmFrame *frame, GError **error);

/* --- Reader: bytes in, frames out -------------------------------------------- */

typedef struct FmFrameReader FmFrameReader;

typedef enum {
    FM_FRAME_READ_OK, /* @frame was filled */
    FM_FRAME_READ_MORE, /* needs more bytes */
    FM_FRAME_READ_CORRUPT, /* some bytes were skipped to find the next good frame; call again */
} FmFrameReadStatus;

FmFrameReader *fm_frame_reader_new(void);
void fm_frame_reader_free(FmFrameReader *reader);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmFrameReader, fm_frame_reader_free)

/* Gives the reader more bytes (less than 1 GiB that were not popped); they are copied. */
void fm_frame_reader_push(FmFrameReader *reader, const void *bytes, gsize length);
FmFrameReadStatus fm_frame_reader_pop(FmFrameReader *reader, FmFrame *frame);

/*
 * Says that no more bytes will come.  A frame that is still incomplete is then known
 * to be cut: pop again to find whole frames behind it (a file that somebody appended to
 * without repairing it first).
 */
void fm_frame_reader_end(FmFrameReader *reader);

/* End of the last good frame returned so far, as an offset in the stream: where a
 * cut-off file is to be truncated before appending. */
uint64_t fm_frame_reader_get_good_offset(const FmFrameReader *reader);

/* --- Codecs of flat payloads ------------------------------------------------- */

/*
 * TICK: u32 step, u32 row length, then rows.  Decoding accepts longer rows (newer
 * writers) and shorter ones (missing fields are unknown or 0).
 */
/* Shortest row a reader accepts: the end of the slot and both directions. */
enum { FM_TICK_ROW_MIN = 56 };

void fm_tick_encode(GByteArray *payload, uint32_t step, const FmTick *ticks, gsize n_ticks);
/* Appends the rows to @ticks (of FmTick).  On error nothing is appended. */
bool fm_tick_decode(const FmFrame *frame, uint32_t *step, GArray *ticks, GError **error);

/*
 * HISTOGRAM: u32 step, u32 stream, u32 op, u32 measure, u64 numerator, u64 denominator of
 * ns per tick, u32 bits per octave, u32 bytes of a bin row (12), exact u64 minimum,
 * maximum, sum and count; then the non-empty bins in ascending order as (u32 index, u64
 * count).  Decoding checks that bins and exact values agree.
 */
#define FM_HIST_ALL_STREAMS UINT32_MAX
enum { FM_HIST_MAX_BITS = 12 }; /* what a reader accepts: 1.7 MB of bins */

typedef struct {
    uint32_t step;
    uint32_t stream; /* FM_HIST_ALL_STREAMS, or the number of one */
    uint32_t op; /* FmOp; FM_N_OPS = all */
    uint32_t measure; /* 0 queued-to-reaped latency; 1 response from the planned instant */
    uint64_t ns_per_tick_numerator;
    uint64_t ns_per_tick_denominator;
} FmHistKey;

void fm_hist_encode(GByteArray *payload, const FmHistKey *key, const FmHist *hist);
/* Whether the payload is a good histogram; allocates nothing. */
bool fm_hist_check(const FmFrame *frame, FmHistKey *key, GError **error);
/* @hist is initialised by the call and must be cleared by the caller; on error it is
 * left zeroed. */
bool fm_hist_decode(const FmFrame *frame, FmHistKey *key, FmHist *hist, GError **error);

/*
 * LATENCY_LOG: u32 step, u32 stream, u64 base (ns from the start of the measured
 * part), then one u64 per I/O: 36 bits latency in ns, 26 bits completion time since
 * the base in us, 2 bits op (ENGINE section 3).  A chunk holds one thread's I/Os.
 */
enum {
    FM_LOG_LATENCY_BITS = 36,
    FM_LOG_TIME_BITS = 26,
};

typedef struct {
    uint64_t completed_ns; /* from the start of the measured part, to 1 us */
    uint64_t latency_ns;
    uint8_t op;
} FmLoggedIo;

/* One I/O as a word of the log.  Latency saturates at 2^36 - 1 ns (68 s); @delta_us must
 * be below 2^26: begin a new chunk before that (67 s). */
static inline uint64_t
fm_latency_log_pack(uint64_t latency_ns, uint64_t delta_us, FmOp op)
{
    uint64_t most = (UINT64_C(1) << FM_LOG_LATENCY_BITS) - 1;

    return (latency_ns < most ? latency_ns : most) | delta_us << FM_LOG_LATENCY_BITS |
           (uint64_t)op << (FM_LOG_LATENCY_BITS + FM_LOG_TIME_BITS);
}

/* What the I/Os of one chunk have in common. */
typedef struct {
    uint32_t step;
    uint32_t stream;
    uint64_t base_ns;
} FmLatencyLogKey;

/* @entries are packed words as above, in the host's byte order. */
void fm_latency_log_encode(GByteArray *payload, const FmLatencyLogKey *key, const uint64_t *entries,
                           gsize n_entries);
/* Whether the payload is a good chunk, and how many I/Os it holds; allocates nothing. */
bool fm_latency_log_check(const FmFrame *frame, FmLatencyLogKey *key, gsize *n_ios, GError **error);
/* Appends to @ios (of FmLoggedIo). */
bool fm_latency_log_decode(const FmFrame *frame, FmLatencyLogKey *key, GArray *ios, GError **error);

G_END_DECLS
