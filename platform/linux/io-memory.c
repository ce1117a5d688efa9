/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for I/O buffers: huge pages where there are some, touched and locked before
 * a step, so that nothing faults while it is measured.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "platform/platform-io.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

enum {
    HUGE_PAGE = 2 * 1024 * 1024,
};

bool
plat_io_memory_new(FmIoMemory *memory, size_t size, GError **error)
{
    size_t rounded = (size + HUGE_PAGE - 1) & ~(size_t)(HUGE_PAGE - 1);
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;

    *memory = (FmIoMemory){.size = rounded};
    memory->data = mmap(NULL, rounded, PROT_READ | PROT_WRITE, flags | MAP_HUGETLB, -1, 0);
    memory->huge = memory->data != MAP_FAILED;
    if (!memory->huge) {
        memory->data = mmap(NULL, rounded, PROT_READ | PROT_WRITE, flags, -1, 0);
    }
    if (memory->data == MAP_FAILED) {
        int os_code = errno;
        *memory = (FmIoMemory){0};
        g_autoptr(FmMessage) reason = fm_message_new_errno(os_code);
        fm_error_set(error, FM_ERROR_NO_SPACE, "%zu MiB of memory for I/O buffers can't be had: %p",
                     size >> 20, reason);
        return false;
    }
    if (!memory->huge) {
        madvise(memory->data, rounded, MADV_HUGEPAGE);
    }
    memset(memory->data, 0, rounded);
    memory->locked = mlock(memory->data, rounded) == 0;
    return true;
}

void
plat_io_memory_free(FmIoMemory *memory)
{
    if (memory->data != NULL) {
        munmap(memory->data, memory->size);
    }
    *memory = (FmIoMemory){0};
}
