/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Conformance: a block device with sectors of 4096 bytes, made from the test's own file
 * by a loop device the test itself attaches.  The kernel detaches it when the test ends,
 * however it ends.  Skipped where loop devices can't be made (not root, containers).
 */
#include "subject.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { SECTOR = 4096, TRIES = 20 };

typedef struct {
    int descriptor; /* keeps the device attached; -1 = none */
    char *path;
} Loop;

/* Attaches @file to a free loop device.  False = not possible here. */
static bool
attach(const char *file, Loop *loop)
{
    int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    int backing = open(file, O_RDWR | O_CLOEXEC);
    bool attached = false;

    loop->descriptor = -1;
    for (unsigned i = 0; control >= 0 && !attached && i < TRIES; i++) {
        int number = ioctl(control, LOOP_CTL_GET_FREE);
        g_autofree char *path = g_strdup_printf("/dev/loop%d", number);
        int device = number >= 0 ? open(path, O_RDWR | O_CLOEXEC) : -1;
        struct loop_config config = {
            .fd = (uint32_t)backing,
            .block_size = SECTOR,
            .info.lo_flags = LO_FLAGS_AUTOCLEAR,
        };
        if (device < 0) {
            break;
        }
        /* Somebody else may take the free one first: EBUSY. */
        attached = ioctl(device, LOOP_CONFIGURE, &config) == 0;
        if (attached) {
            *loop = (Loop){.descriptor = device, .path = g_steal_pointer(&path)};
        } else {
            close(device);
        }
    }
    close(backing);
    if (control >= 0) {
        close(control);
    }
    return attached;
}

static void
detach(Loop *loop)
{
    close(loop->descriptor);
    g_free(loop->path);
}

static void
check_requests(Subject *subject)
{
    uint8_t *buffer = subject_buffer(subject, 0);

    g_assert_cmpint(subject_one(subject, FM_OP_READ, 512, buffer, 512), <, 0);
    g_assert_cmpint(subject_one(subject, FM_OP_READ, 0, buffer, 512), <, 0);
    g_assert_cmpint(subject_one(subject, FM_OP_WRITE, 512, buffer, SECTOR), <, 0);

    subject_fill(buffer, 2 * SECTOR, SECTOR, 9);
    g_assert_cmpint(subject_one(subject, FM_OP_WRITE, SECTOR, buffer, 2 * SECTOR), ==, 2 * SECTOR);
    g_assert_cmpint(subject_write_durable(subject, SECTOR, buffer, 2 * SECTOR), ==, 2 * SECTOR);
    g_assert_cmpint(subject_one(subject, FM_OP_FLUSH, 0, NULL, 0), ==, 0);
    memset(buffer, 0, 2 * SECTOR);
    g_assert_cmpint(subject_one(subject, FM_OP_READ, SECTOR, buffer, 2 * SECTOR), ==, 2 * SECTOR);
    g_assert_true(subject_matches(buffer, 2 * SECTOR, SECTOR, 9));

    /* Behind the end there is nothing to read and no room. */
    g_assert_cmpint(subject_one(subject, FM_OP_READ, SUBJECT_FILE_BYTES, buffer, SECTOR), <=, 0);
    g_assert_cmpint(subject_one(subject, FM_OP_WRITE, SUBJECT_FILE_BYTES, buffer, SECTOR), <, 0);
}

static void
check_trim(Subject *subject)
{
    static const uint8_t zeros[SECTOR];
    uint8_t *buffer = subject_buffer(subject, 0);

    int32_t result = subject_one(subject, FM_OP_TRIM, 1 << 20, NULL, 1 << 20);
    if (result == -EOPNOTSUPP) {
        g_test_message("TRIM is not possible on a loop device over this file system");
        return;
    }
    g_assert_cmpint(result, ==, 0);
    for (uint64_t offset = 1 << 20; offset < 2 << 20; offset += 64 << 10) {
        g_assert_cmpint(subject_one(subject, FM_OP_READ, offset, buffer, SECTOR), ==, SECTOR);
        g_assert_cmpmem(buffer, SECTOR, zeros, SECTOR);
    }
    g_assert_cmpint(subject_one(subject, FM_OP_READ, 2 << 20, buffer, SECTOR), ==, SECTOR);
    g_assert_true(subject_matches(buffer, SECTOR, 2 << 20, 0));
}

static void
sectors_of_4096(Subject *subject)
{
    g_autoptr(GError) error = NULL;
    Loop loop;

    if (!subject_open(subject)) {
        return;
    }
    if (!attach(subject->path, &loop)) {
        g_test_skip("no loop device can be made here");
        return;
    }
    subject->backend->close(g_steal_pointer(&subject->target));
    FmOpenOptions options = {.path = loop.path,
                             .file_descriptor = -1,
                             .size = SUBJECT_FILE_BYTES,
                             .block_size = SECTOR,
                             .writable = true,
                             .below = subject->below};
    subject->target = subject->backend->open(&options, &error);
    g_assert_no_error(error);
    if (subject_queue(subject, 2)) {
        check_requests(subject);
        check_trim(subject);
    }
    subject_close(subject);
    detach(&loop);
}

int
main(int argc, char **argv)
{
    static const Claim claims[] = {
        {"sectors-of-4096-bytes", sectors_of_4096,
         NEEDS_DATA | NEEDS_TRIM | NEEDS_FLUSH | NEEDS_DSYNC},
    };

    return subject_main(argc, argv, "block", claims, G_N_ELEMENTS(claims));
}
