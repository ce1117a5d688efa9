/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes, fills and removes the test file.  The bytes are moved by the platform's file,
 * one piece at a time on the control thread: this is preparation, not measurement, so
 * it is written to be plain.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/test-file.h"

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"
#include "platform/platform-file.h"
#include "platform/platform-io.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    STAMP_UNIT = 4096, /* no two of these are equal, so nothing can be deduplicated */
    LARGEST_PIECE = 4 * 1024 * 1024,
    SMALLEST_PIECE = 64 * 1024,
    REFILL_EVERY = 64, /* pieces between two renewals of the random bytes */
    SLOW_PIECE_US = 200 * 1000, /* Stop is looked at once a piece */
    FAST_PIECE_US = 50 * 1000,
};

struct FmTestFile {
    FmTestFileOptions options;
    FmFile *file;
    char *folder;
    uint64_t written; /* pieces of it are real data up to here */
    int64_t fill_us;
    gpointer allocation;
    uint8_t *buffer; /* aligned, LARGEST_PIECE */
};

/* --- Sentences ---------------------------------------------------------------- */

/* @status: a native status code, positive. */
static void
set_place_error(GError **error, const FmTestFile *file, int status, uint64_t offset)
{
    g_autofree char *at = fm_units_dup_size(offset);
    g_autofree char *size = fm_units_dup_size(file->options.size);
    g_autoptr(FmMessage) reason = fm_message_new_words(plat_status_text(status));
    fm_error_set(error, plat_status_fold(status), "%p at offset %s of %s of the test file in “%s”",
                 reason, at, size, file->folder);
}

/* --- Making ------------------------------------------------------------------- */

static void
allocate_buffer(FmTestFile *file)
{
    gsize alignment = 64 * 1024; /* more than any drive asks of memory */
    file->allocation = g_malloc(LARGEST_PIECE + alignment);
    guintptr address = ((guintptr)file->allocation + alignment - 1) & ~(guintptr)(alignment - 1);
    file->buffer = (uint8_t *)address;
}

static bool
reserve(FmTestFile *file, GError **error)
{
    uint64_t reserved = 0;
    int status = plat_file_allocate(file->file, file->options.size, &reserved);
    if (status != 0) {
        set_place_error(error, file, status, MIN(reserved, file->options.size));
    }
    return status == 0;
}

FmTestFile *
fm_test_file_new(const FmTarget *target, const FmTestFileOptions *options, GError **error)
{
    g_return_val_if_fail(options->size > 0 && options->size % STAMP_UNIT == 0, NULL);

    g_autoptr(FmTestFile) file = g_new0(FmTestFile, 1);
    file->options = *options;
    if (target->kind == FM_TARGET_FILE) {
        file->folder = g_path_get_dirname(target->path);
        file->file = plat_file_open_own(target->path, error);
    } else {
        file->folder = g_strdup(target->path);
        file->file = plat_file_create(target->path, options->no_cow, error);
    }
    if (file->file == NULL || !reserve(file, error)) {
        return NULL;
    }
    allocate_buffer(file);
    return g_steal_pointer(&file);
}

void
fm_test_file_free(FmTestFile *file)
{
    if (file == NULL) {
        return;
    }
    bool whole = file->written == file->options.size;
    plat_file_close(file->file, file->options.keep && whole);
    g_free(file->folder);
    g_free(file->allocation);
    g_free(file);
}

/* --- Filling ------------------------------------------------------------------ */

static void
randomise(uint8_t *buffer, FmRng *rng)
{
    for (gsize at = 0; at < LARGEST_PIECE; at += sizeof(uint64_t)) {
        uint64_t value = fm_rng_next(rng);
        memcpy(buffer + at, &value, sizeof value);
    }
}

static void
stamp(uint8_t *buffer, gsize length, uint64_t offset, uint64_t seed)
{
    for (gsize at = 0; at < length; at += STAMP_UNIT) {
        uint64_t words[2] = {offset + at, seed};
        memcpy(buffer + at, words, sizeof words);
    }
}

/* Makes the next piece differ from all before it, unless zeros are asked for. */
static void
prepare_piece(FmTestFile *file, unsigned number, FmRng *rng, gsize length)
{
    if (file->options.data == FM_DATA_ZERO) {
        memset(file->buffer, 0, length);
        return;
    }
    if (number % REFILL_EVERY == 0) {
        randomise(file->buffer, rng);
    }
    stamp(file->buffer, length, file->written, file->options.seed);
}

/* 0 or the native status code; a short write goes on where it ended. */
static int
write_piece(FmTestFile *file, gsize length, uint64_t offset)
{
    gsize done = 0;
    while (done < length) {
        int64_t n = plat_file_write(file->file, file->buffer + done, length - done, offset + done);
        if (n < 0) {
            return (int)-n;
        }
        done += (gsize)n;
        file->written = offset + done;
    }
    return 0;
}

static gsize
next_piece(gsize piece, int64_t took_us)
{
    if (took_us > SLOW_PIECE_US) {
        return MAX(piece / 2, (gsize)SMALLEST_PIECE);
    }
    return took_us < FAST_PIECE_US ? MIN(piece * 2, (gsize)LARGEST_PIECE) : piece;
}

static bool
report(const FmTestFile *file, GError **error)
{
    const FmTestFileOptions *options = &file->options;
    if (options->progress == NULL ||
        options->progress(options->user_data, file->written, options->size)) {
        return true;
    }
    fm_error_set(error, FM_ERROR_CANCELLED, "Stopped while the test file was written");
    return false;
}

static bool
write_pieces(FmTestFile *file, GError **error)
{
    FmRng rng;
    gsize piece = LARGEST_PIECE / 4;
    fm_rng_init(&rng, file->options.seed);
    for (unsigned n = 0; file->written < file->options.size; n++) {
        uint64_t offset = file->written;
        gsize length = (gsize)MIN((uint64_t)piece, file->options.size - offset);
        prepare_piece(file, n, &rng, length);

        int64_t begin = g_get_monotonic_time();
        int status = write_piece(file, length, offset);
        if (status != 0) {
            set_place_error(error, file, status, file->written);
            return false;
        }
        piece = next_piece(piece, g_get_monotonic_time() - begin);
        if (!report(file, error)) {
            return false;
        }
    }
    return true;
}

bool
fm_test_file_fill(FmTestFile *file, GError **error)
{
    int64_t begin = g_get_monotonic_time();
    file->written = 0;
    if (!write_pieces(file, error)) {
        return false;
    }
    int status = plat_file_sync(file->file);
    if (status != 0) {
        set_place_error(error, file, status, file->options.size);
        return false;
    }
    file->fill_us = g_get_monotonic_time() - begin;
    return true;
}

bool
fm_test_file_read(FmTestFile *file, GError **error)
{
    uint64_t at = 0;
    while (at < file->options.size) {
        gsize length = (gsize)MIN((uint64_t)LARGEST_PIECE, file->options.size - at);
        int64_t n = plat_file_read(file->file, file->buffer, length, at);
        if (n < 0) {
            set_place_error(error, file, (int)-n, at);
            return false;
        }
        at += (uint64_t)n;
    }
    return true;
}

/* --- Facts -------------------------------------------------------------------- */

const char *
fm_test_file_get_path(const FmTestFile *file)
{
    return plat_file_get_path(file->file);
}

int
fm_test_file_get_descriptor(const FmTestFile *file)
{
    return plat_file_get_descriptor(file->file);
}

bool
fm_test_file_is_direct(const FmTestFile *file)
{
    return plat_file_is_direct(file->file);
}

static void
add_extents(const FmTestFile *file, FmFacts *facts)
{
    FmFileExtents extents;
    if (!plat_file_get_extents(file->file, &extents)) {
        const char *reason = N_("this type of file system does not tell where a file lies");
        fm_facts_set_unknown(facts, "file.extents", reason);
        fm_facts_set_unknown(facts, "file.unwritten-bytes", reason);
        fm_facts_set_unknown(facts, "file.compressed-bytes", reason);
        return;
    }
    fm_facts_set_uint(facts, "file.extents", extents.extents);
    fm_facts_set_uint(facts, "file.unwritten-bytes", extents.unwritten_bytes);
    fm_facts_set_uint(facts, "file.compressed-bytes", extents.compressed_bytes);
}

void
fm_test_file_add_facts(const FmTestFile *file, FmFacts *facts)
{
    fm_facts_set_uint(facts, "file.size-bytes", file->options.size);
    fm_facts_set_bool(facts, "file.direct", plat_file_is_direct(file->file));
    fm_facts_set_bool(facts, "file.no-copy-on-write", plat_file_is_no_cow(file->file));
    fm_facts_set_bool(facts, "file.removed-after-crash", plat_file_is_journaled(file->file));
    if (file->fill_us > 0) {
        fm_facts_set_double(facts, "file.fill-s", (double)file->fill_us / 1e6);
    }
    add_extents(file, facts);
}
