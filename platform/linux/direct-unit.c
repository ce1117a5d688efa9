/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The unit of direct I/O of a file system: told by statx since Linux 6.1, else tried
 * out with a few small writes.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/direct-unit.h"

#include "base/error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    SMALLEST_UNIT = 512,
    LARGEST_UNIT = 65536,
};

/* Where files without a name are not possible, one with a name that is gone at once. */
static int
open_named(const char *folder)
{
    g_autofree char *name =
        g_strdup_printf(".fathom-probe-%08x%08x", g_random_int(), g_random_int());
    g_autofree char *path = g_build_filename(folder, name, NULL);
    int descriptor =
        open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC, 0600);
    if (descriptor >= 0) {
        g_unlink(path);
    }
    return descriptor;
}

static int
open_nameless(const char *folder)
{
    int descriptor = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor >= 0 || errno == EACCES || errno == EROFS || errno == ENOSPC ||
        errno == EDQUOT) {
        return descriptor;
    }
    return open_named(folder);
}

#ifdef STATX_DIOALIGN
/* 0 = the kernel does not tell.  @possible: whether it says there is direct I/O. */
static uint32_t
ask_kernel(int descriptor, FmFacts *facts, bool *possible)
{
    struct statx status = {0};
    if (statx(descriptor, "", AT_EMPTY_PATH, STATX_DIOALIGN, &status) != 0 ||
        (status.stx_mask & STATX_DIOALIGN) == 0) {
        return 0;
    }
    *possible = status.stx_dio_offset_align != 0;
    fm_facts_set_string(facts, "direct.unit-from", "kernel");
    fm_facts_set_uint(facts, "direct.memory-alignment-bytes", status.stx_dio_mem_align);
    return MAX(status.stx_dio_offset_align, (uint32_t)SMALLEST_UNIT);
}
#else
static uint32_t
ask_kernel(int descriptor, FmFacts *facts, bool *possible)
{
    return 0;
}
#endif

/* The smallest aligned write that is accepted; 0 when none is. */
static uint32_t
try_out(int descriptor, FmFacts *facts)
{
    int flags = fcntl(descriptor, F_GETFL);
    if (flags < 0 || fcntl(descriptor, F_SETFL, flags | O_DIRECT) != 0) {
        return 0;
    }
    g_autofree void *buffer = NULL;
    if (posix_memalign(&buffer, LARGEST_UNIT, LARGEST_UNIT) != 0) {
        return 0;
    }
    memset(buffer, 0x5A, LARGEST_UNIT);
    fm_facts_set_string(facts, "direct.unit-from", "trial");
    for (uint32_t unit = SMALLEST_UNIT; unit <= LARGEST_UNIT; unit *= 2) {
        /* An offset of one unit, so that a file's start is no special case. */
        ssize_t written = pwrite(descriptor, buffer, unit, (off_t)unit);
        if (written == (ssize_t)unit) {
            return unit;
        }
        if (written < 0 && errno != EINVAL) {
            return 4096; /* full or failing: the fill will say so; 4096 fits every drive */
        }
    }
    return 0;
}

bool
plat_direct_unit_probe(const char *folder, FmFacts *facts, uint32_t *unit, GError **error)
{
    int descriptor = open_nameless(folder);
    if (descriptor < 0) {
        fm_error_set_errno(error, errno, "No file can be made in the folder “%s”", folder);
        return false;
    }
    bool possible = true;
    uint32_t found = ask_kernel(descriptor, facts, &possible);
    if (found == 0) {
        found = try_out(descriptor, facts);
        possible = found != 0;
    }
    close(descriptor);
    *unit = possible ? found : (uint32_t)SMALLEST_UNIT;
    fm_facts_set_bool(facts, "direct.possible", possible);
    fm_facts_set_uint(facts, "direct.unit-bytes", *unit);
    return true;
}

uint32_t
plat_direct_unit_of_file(const char *path, FmFacts *facts)
{
    int descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool possible = true;
    uint32_t found = descriptor >= 0 ? ask_kernel(descriptor, facts, &possible) : 0;
    if (descriptor >= 0) {
        close(descriptor);
    }
    return found != 0 ? found : 4096;
}
