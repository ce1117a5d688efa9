/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance: what is moved, and the status each request comes back with.
 */
#include "subject.h"

#include "base/rng.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 4096, BLOCKS = SUBJECT_FILE_BYTES / BLOCK, DEPTH = 16 };

/* Runs @op once over the first @n blocks, in an order of their own, @DEPTH at a time. */
static void
pass(Subject *subject, unsigned op, unsigned n, uint64_t salt, bool check)
{
    uint64_t offsets[DEPTH];
    FmCompletion completions[DEPTH];
    unsigned begun = 0;
    unsigned free_slots[DEPTH];
    unsigned n_free = DEPTH;

    for (unsigned i = 0; i < DEPTH; i++) {
        free_slots[i] = i;
    }
    for (unsigned done = 0; done < n;) {
        while (n_free > 0 && begun < n) {
            unsigned slot = free_slots[--n_free];
            uint64_t offset = (uint64_t)(begun * 7919ull % n) * BLOCK;
            offsets[slot] = offset;
            begun++;
            if (op == FM_OP_WRITE) {
                subject_fill(subject_buffer(subject, slot), BLOCK, offset, salt);
            } else {
                memset(subject_buffer(subject, slot), 0xEE, BLOCK);
            }
            FmIo io = {.offset = offset,
                       .buffer = subject_buffer(subject, slot),
                       .length = BLOCK,
                       .slot = (uint16_t)slot,
                       .op = (uint8_t)op};
            g_assert_cmpint(subject_submit(subject, &io, 1), ==, 1);
        }
        int got = subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
        /* 0 is allowed when a signal came, and the kernel tidies up rings by signals. */
        g_assert_cmpint(got, >=, 0);
        for (int i = 0; i < got; i++) {
            unsigned slot = completions[i].slot;
            g_assert_cmpint(completions[i].result, ==, BLOCK);
            if (check) {
                g_assert_true(
                    subject_matches(subject_buffer(subject, slot), BLOCK, offsets[slot], salt));
            }
            free_slots[n_free++] = slot;
        }
        done += (unsigned)got;
    }
}

static void
reads_what_was_written(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    pass(subject, FM_OP_READ, 401, 0, true);
    pass(subject, FM_OP_WRITE, 401, 77, false);
    pass(subject, FM_OP_READ, 401, 77, true);
    subject_queue_free(subject);

    /* And it is in the file, not only in the backend. */
    int file = open(subject->path, O_RDONLY | O_CLOEXEC);
    uint8_t block[BLOCK];
    for (unsigned i = 0; i < BLOCKS; i += 37) {
        g_assert_cmpint(pread(file, block, BLOCK, (off_t)i * BLOCK), ==, BLOCK);
        g_assert_true(subject_matches(block, BLOCK, (uint64_t)i * BLOCK, i < 401 ? 77 : 0));
    }
    close(file);
}

static void
block_sizes(Subject *subject)
{
    const uint32_t largest = 8 << 20;

    subject->slot_bytes = largest;
    if (!subject_open(subject) || !subject_queue(subject, 1)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    for (uint32_t length = 512; length <= largest; length *= 2) {
        uint64_t offset = largest - length;
        if (length < subject->block) {
            g_test_message("requests of %u bytes are not possible on this file", length);
            continue;
        }
        subject_fill(buffer, length, offset, length);
        g_assert_cmpint(subject_one(subject, FM_OP_WRITE, offset, buffer, length), ==,
                        (int32_t)length);
        bool keeps = (subject->caps & (FM_CAP_NO_DEVICE | FM_CAP_VIRTUAL_TIME)) == 0;
        memset(buffer, 0, length);
        g_assert_cmpint(subject_one(subject, FM_OP_READ, offset, buffer, length), ==,
                        (int32_t)length);
        g_assert_true(!keeps || subject_matches(buffer, length, offset, length));
    }
}

static void
dsync(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, 2)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    subject_fill(buffer, BLOCK, 0, 5);
    for (unsigned i = 0; i < 8; i++) {
        g_assert_cmpint(subject_write_durable(subject, 0, buffer, BLOCK), ==, BLOCK);
    }
}

static void
flush(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, 2)) {
        return;
    }
    g_assert_cmpint(subject_one(subject, FM_OP_WRITE, 0, subject_buffer(subject, 0), BLOCK), ==,
                    BLOCK);
    g_assert_cmpint(subject_one(subject, FM_OP_FLUSH, 0, NULL, 0), ==, 0);
}

static void
trim_reads_zeros(Subject *subject)
{
    static const uint8_t zeros[BLOCK];

    if (!subject_open(subject) || !subject_queue(subject, 4)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    int32_t result = subject_one(subject, FM_OP_TRIM, 1 << 20, NULL, 1 << 20);
    if (result == -EOPNOTSUPP) {
        g_test_skip("the file system of the build folder can't punch holes");
        return;
    }
    g_assert_cmpint(result, ==, 0);
    for (unsigned i = 255; i <= 512; i++) {
        g_assert_cmpint(subject_one(subject, FM_OP_READ, i * BLOCK, buffer, BLOCK), ==, BLOCK);
        if (i >= 256 && i < 512) {
            g_assert_cmpmem(buffer, BLOCK, zeros, BLOCK);
        } else {
            g_assert_true(subject_matches(buffer, BLOCK, i * BLOCK, 0));
        }
    }
}

static void
trim_succeeds(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, 4)) {
        return;
    }
    int32_t result = subject_one(subject, FM_OP_TRIM, 1 << 20, NULL, 1 << 20);
    g_assert_true(result == 0 || result == -EOPNOTSUPP);
}

static void
beyond_the_end(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, 2)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    int32_t behind = subject_one(subject, FM_OP_READ, SUBJECT_FILE_BYTES, buffer, BLOCK);
    int32_t across =
        subject_one(subject, FM_OP_READ, SUBJECT_FILE_BYTES - BLOCK, buffer, 2 * BLOCK);
    g_assert_cmpint(behind, <=, 0);
    g_assert_cmpint(across, <=, BLOCK);
}

static void
misaligned(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, 2)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    uint32_t half = subject->block / 2;
    for (unsigned op = FM_OP_READ; op <= FM_OP_WRITE; op++) {
        g_assert_cmpint(subject_one(subject, op, half, buffer, BLOCK), <, 0);
        g_assert_cmpint(subject_one(subject, op, 0, buffer, BLOCK + half), <, 0);
        g_assert_cmpint(subject_one(subject, op, 0, buffer, BLOCK), ==, BLOCK);
    }
}

static void
status_is_its_own(Subject *subject)
{
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    FmIo ios[DEPTH];
    FmCompletion completions[DEPTH];
    unsigned done = 0;
    for (unsigned i = 0; i < DEPTH; i++) {
        bool bad = i % 3 == 1;
        ios[i] = (FmIo){.offset = i * BLOCK + (bad ? subject->block / 2 : 0),
                        .buffer = subject_buffer(subject, i),
                        .length = i % 2 ? BLOCK : 2 * BLOCK,
                        .slot = (uint16_t)i,
                        .op = FM_OP_READ};
    }
    g_assert_cmpint(subject_submit(subject, ios, DEPTH), ==, DEPTH);
    while (done < DEPTH) {
        int n = subject_reap(subject, completions, 1, DEPTH, 30 * S_NS);
        g_assert_cmpint(n, >=, 1);
        for (int i = 0; i < n; i++) {
            unsigned slot = completions[i].slot;
            if (slot % 3 == 1) {
                g_assert_cmpint(completions[i].result, <, 0);
            } else {
                g_assert_cmpint(completions[i].result, ==, (int32_t)ios[slot].length);
            }
        }
        done += (unsigned)n;
    }
}

static void
read_only(Subject *subject)
{
    subject->read_only = true;
    if (!subject_open(subject) || !subject_queue(subject, 2)) {
        return;
    }
    uint8_t *buffer = subject_buffer(subject, 0);
    subject_fill(buffer, BLOCK, 0, 99);
    g_assert_cmpint(subject_one(subject, FM_OP_WRITE, 0, buffer, BLOCK), <, 0);
    g_assert_cmpint(subject_write_durable(subject, 0, buffer, BLOCK), <, 0);
    if (subject->caps & FM_CAP_TRIM) {
        g_assert_cmpint(subject_one(subject, FM_OP_TRIM, 0, NULL, BLOCK), <, 0);
    }
    g_assert_cmpint(subject_one(subject, FM_OP_READ, 0, buffer, BLOCK), ==, BLOCK);
    if ((subject->caps & FM_CAP_VIRTUAL_TIME) == 0) {
        g_assert_true(subject_matches(buffer, BLOCK, 0, 0));
    }
}

/* The guard opens and checks; the backend must test that very file, with flags of its
 * own, even when the path leads elsewhere by now. */
static void
given_descriptor(Subject *subject)
{
    if (!subject_open(subject)) {
        return;
    }
    subject->backend->close(g_steal_pointer(&subject->target));
    g_autofree char *path = g_steal_pointer(&subject->path);
    g_autofree char *folder = g_steal_pointer(&subject->folder);
    int given = open(path, O_RDWR | O_CLOEXEC);
    int before = fcntl(given, F_GETFL);
    g_assert_cmpint(given, >=, 0);
    g_assert_cmpint(unlink(path), ==, 0);
    g_assert_cmpint(rmdir(folder), ==, 0);

    FmOpenOptions options = {.path = path,
                             .file_descriptor = given,
                             .size = SUBJECT_FILE_BYTES,
                             .block_size = subject->block,
                             .writable = true,
                             .below = subject->below};
    g_autoptr(GError) error = NULL;
    subject->target = subject->backend->open(&options, &error);
    if (!subject->target) {
        g_test_skip(error->message);
    } else if (subject_queue(subject, 1)) {
        uint8_t *buffer = subject_buffer(subject, 0);
        g_assert_cmpint(subject_one(subject, FM_OP_READ, BLOCK, buffer, BLOCK), ==, BLOCK);
        g_assert_true(subject_matches(buffer, BLOCK, BLOCK, 0));
        /* Direct, though the given one was not. */
        g_assert_cmpint(subject_one(subject, FM_OP_READ, 7, buffer, BLOCK), <, 0);
        g_assert_cmpint(fcntl(given, F_GETFL), ==, before);
    }
    subject_close(subject);
    close(given);
}

static void
buffered(Subject *subject)
{
    subject->buffered = true;
    if (!subject_open(subject) || !subject_queue(subject, DEPTH)) {
        return;
    }
    pass(subject, FM_OP_WRITE, 251, 3, false);
    pass(subject, FM_OP_READ, 251, 3, true);
}

int
main(int argc, char **argv)
{
    static const Claim claims[] = {
        {"reads-what-was-written", reads_what_was_written, NEEDS_DATA | NEEDS_DEPTH},
        {"blocks-of-512-B-to-8-MiB", block_sizes, NEEDS_NOTHING},
        {"durable-writes-succeed", dsync, NEEDS_DSYNC},
        {"flush-moves-nothing-and-succeeds", flush, NEEDS_FLUSH},
        {"trim-moves-nothing-and-succeeds", trim_succeeds, NEEDS_TRIM},
        {"trimmed-range-reads-zeros", trim_reads_zeros, NEEDS_TRIM | NEEDS_DATA},
        {"read-beyond-the-end-is-short-or-fails", beyond_the_end, NEEDS_DRIVE},
        {"misaligned-fails", misaligned, NEEDS_DRIVE},
        {"status-is-of-its-own-request", status_is_its_own, NEEDS_DRIVE | NEEDS_DEPTH},
        {"read-only-target-refuses-writes", read_only, NEEDS_DRIVE},
        {"given-descriptor-is-reopened-direct", given_descriptor, NEEDS_DATA},
        {"buffered-works-too", buffered, NEEDS_DATA | NEEDS_DEPTH},
    };

    return subject_main(argc, argv, "data", claims, G_N_ELEMENTS(claims));
}
