/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Setting up a ring: flags by preference, in groups that make sense together; mapping;
 * registration.  The thread that will use the ring, before a step starts.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/uring-ring.h"

#include "base/error.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    MAX_REGISTERED_BUFFER = 1 << 30, /* the kernel's limit for one buffer */
};

/* What each flag needs is in ENGINE 1.1; DEFER_TASKRUN needs SINGLE_ISSUER. */
static const uint32_t common = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
static const uint32_t best =
    IORING_SETUP_SUBMIT_ALL | IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN;

/* Flags to try for @mode, best first.  Returns how many. */
static unsigned
list_flags(FmUringMode mode, uint32_t flags[4])
{
    switch (mode) {
    case FM_URING_POLLED:
        flags[0] = IORING_SETUP_IOPOLL | common | best | IORING_SETUP_NO_SQARRAY;
        flags[1] = IORING_SETUP_IOPOLL | common | best;
        flags[2] = IORING_SETUP_IOPOLL | common | IORING_SETUP_SUBMIT_ALL;
        flags[3] = IORING_SETUP_IOPOLL | common;
        return 4;
    case FM_URING_SQPOLL_POLLED:
        flags[0] = IORING_SETUP_SQPOLL | IORING_SETUP_IOPOLL | common | IORING_SETUP_SUBMIT_ALL |
                   IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_NO_SQARRAY;
        flags[1] = IORING_SETUP_SQPOLL | IORING_SETUP_IOPOLL | common | IORING_SETUP_SUBMIT_ALL;
        flags[2] = IORING_SETUP_SQPOLL | IORING_SETUP_IOPOLL | common;
        return 3;
    case FM_URING_SQPOLL:
        /* SQPOLL can be combined with neither DEFER_TASKRUN nor COOP_TASKRUN. */
        flags[0] = IORING_SETUP_SQPOLL | common | IORING_SETUP_SUBMIT_ALL |
                   IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_NO_SQARRAY;
        flags[1] = IORING_SETUP_SQPOLL | common | IORING_SETUP_SUBMIT_ALL;
        flags[2] = IORING_SETUP_SQPOLL | common;
        return 3;
    case FM_URING_INTERRUPT:
    default:
        flags[0] = common | best | IORING_SETUP_NO_SQARRAY;
        flags[1] = common | best;
        flags[2] = common | IORING_SETUP_SUBMIT_ALL | IORING_SETUP_COOP_TASKRUN;
        flags[3] = common;
        return 4;
    }
}

char *
plat_uring_describe_flags(uint32_t setup_flags)
{
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {
        {IORING_SETUP_IOPOLL, "IOPOLL"},
        {IORING_SETUP_SQPOLL, "SQPOLL"},
        {IORING_SETUP_CQSIZE, "CQSIZE"},
        {IORING_SETUP_CLAMP, "CLAMP"},
        {IORING_SETUP_SUBMIT_ALL, "SUBMIT_ALL"},
        {IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN"},
        {IORING_SETUP_SINGLE_ISSUER, "SINGLE_ISSUER"},
        {IORING_SETUP_DEFER_TASKRUN, "DEFER_TASKRUN"},
        {IORING_SETUP_NO_SQARRAY, "NO_SQARRAY"},
    };
    GString *text = g_string_new(NULL);

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (setup_flags & names[i].flag) {
            g_string_append_printf(text, "%s%s", text->len > 0 ? "|" : "", names[i].name);
        }
    }
    return g_string_free(text, FALSE);
}

static void
note_refusal(FmUringRing *ring, const char *what, int status)
{
    g_string_append_printf(ring->fallbacks, "%s%s: %s", ring->fallbacks->len > 0 ? "; " : "", what,
                           g_strerror(status));
}

/* liburing's wrapper returns the status; errno says nothing (BUGS of others show how
 * often that is got wrong). */
static int
try_setup(FmUringRing *ring, FmUringMode mode, unsigned entries, struct io_uring_params *params)
{
    uint32_t flags[4];
    unsigned n = list_flags(mode, flags);
    int status = -EINVAL;

    for (unsigned i = 0; i < n && status == -EINVAL; i++) {
        memset(params, 0, sizeof *params);
        params->flags = flags[i];
        params->cq_entries = entries;
        params->sq_thread_idle = 1000;
        status = io_uring_setup(entries, params);
        if (status < 0) {
            g_autofree char *text = plat_uring_describe_flags(flags[i]);
            note_refusal(ring, text, -status);
        }
    }
    return status;
}

static bool
map_ring(FmUringRing *ring, const struct io_uring_params *params)
{
    size_t sq_size = params->sq_off.array + params->sq_entries * sizeof(uint32_t);
    size_t cq_size = params->cq_off.cqes + params->cq_entries * sizeof(struct io_uring_cqe);

    ring->sq_map_size = MAX(sq_size, cq_size);
    ring->sq_map = mmap(NULL, ring->sq_map_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE,
                        ring->fd, IORING_OFF_SQ_RING);
    if (ring->sq_map == MAP_FAILED) {
        ring->sq_map = NULL;
        return false;
    }
    ring->sqe_map_size = params->sq_entries * sizeof(struct io_uring_sqe);
    ring->sqe_map = mmap(NULL, ring->sqe_map_size, PROT_READ | PROT_WRITE,
                         MAP_SHARED | MAP_POPULATE, ring->fd, IORING_OFF_SQES);
    if (ring->sqe_map == MAP_FAILED) {
        ring->sqe_map = NULL;
        return false;
    }
    return true;
}

static void
find_fields(FmUringRing *ring, const struct io_uring_params *params)
{
    uint8_t *base = ring->sq_map;

    ring->sqes = ring->sqe_map;
    ring->sq_mask = *(uint32_t *)(void *)(base + params->sq_off.ring_mask);
    ring->sq_tail_shared = (_Atomic uint32_t *)(void *)(base + params->sq_off.tail);
    ring->sq_flags_shared = (_Atomic uint32_t *)(void *)(base + params->sq_off.flags);
    ring->cq_mask = *(uint32_t *)(void *)(base + params->cq_off.ring_mask);
    ring->cq_head_shared = (_Atomic uint32_t *)(void *)(base + params->cq_off.head);
    ring->cq_tail_shared = (_Atomic uint32_t *)(void *)(base + params->cq_off.tail);
    ring->cqes = (struct io_uring_cqe *)(void *)(base + params->cq_off.cqes);
    if ((params->flags & IORING_SETUP_NO_SQARRAY) == 0) {
        /* The index array never changes: entry i is request i. */
        uint32_t *array = (uint32_t *)(void *)(base + params->sq_off.array);
        for (uint32_t i = 0; i < params->sq_entries; i++) {
            array[i] = i;
        }
    }
}

static void
register_ring(FmUringRing *ring)
{
    struct io_uring_rsrc_update update = {.offset = -1U, .data = (uint64_t)ring->fd};

    ring->enter_fd = ring->fd;
    ring->enter_flags = IORING_ENTER_GETEVENTS;
    int status = io_uring_register((unsigned)ring->fd, IORING_REGISTER_RING_FDS, &update, 1);
    if (status == 1) {
        ring->enter_fd = (int)update.offset;
        ring->enter_flags |= IORING_ENTER_REGISTERED_RING;
        ring->registered_ring = true;
    } else {
        note_refusal(ring, "registered ring", -status);
    }
}

/* Says what may be behind a refusal, and so what to change. */
static void
set_refusal(GError **error, int status)
{
    FmErrorCode code = status == -EPERM ? FM_ERROR_DENIED : fm_error_from_errno(-status);
    g_autoptr(FmMessage) reason = fm_message_new_errno(-status);

    switch (-status) {
    case EPERM:
        fm_error_set(error, code,
                     "io_uring can't be used here: %p (kernel.io_uring_disabled or a container's "
                     "filter forbids it)",
                     reason);
        break;
    case ENOMEM:
        fm_error_set(error, code,
                     "io_uring can't be used here: %p (the limit of locked memory, “ulimit -l”, "
                     "may be too low)",
                     reason);
        break;
    default:
        fm_error_set(error, code == FM_ERROR_INVALID ? FM_ERROR_UNSUPPORTED : code,
                     "io_uring can't be used here: %p", reason);
        break;
    }
}

bool
plat_uring_init(FmUringRing *ring, FmUringMode mode, unsigned depth, GError **error)
{
    struct io_uring_params params;
    unsigned entries = 2;

    while (entries < depth) {
        entries *= 2;
    }
    *ring = (FmUringRing){.fd = -1, .fallbacks = g_string_new(NULL)};
    int status = try_setup(ring, mode, entries, &params);
    if (status < 0) {
        set_refusal(error, status);
        plat_uring_clear(ring);
        return false;
    }
    ring->fd = status;
    ring->setup_flags = params.flags;
    ring->features = params.features;
    ring->sqpoll = (params.flags & IORING_SETUP_SQPOLL) != 0;
    if (!map_ring(ring, &params)) {
        fm_error_set_errno(error, errno, "The ring's memory can't be mapped");
        plat_uring_clear(ring);
        return false;
    }
    find_fields(ring, &params);
    register_ring(ring);
    return true;
}

void
plat_uring_clear(FmUringRing *ring)
{
    if (ring->sqe_map != NULL) {
        munmap(ring->sqe_map, ring->sqe_map_size);
    }
    if (ring->sq_map != NULL) {
        munmap(ring->sq_map, ring->sq_map_size);
    }
    if (ring->registered_ring) {
        struct io_uring_rsrc_update update = {.offset = (uint32_t)ring->enter_fd};
        io_uring_register((unsigned)ring->fd, IORING_UNREGISTER_RING_FDS, &update, 1);
    }
    if (ring->fd >= 0) {
        close(ring->fd);
    }
    if (ring->fallbacks != NULL) {
        g_string_free(ring->fallbacks, TRUE);
    }
    *ring = (FmUringRing){.fd = -1};
}

void
plat_uring_register(FmUringRing *ring, int descriptor, void *pool, size_t pool_size)
{
    int status = io_uring_register((unsigned)ring->fd, IORING_REGISTER_FILES, &descriptor, 1);

    ring->registered_file = status == 0;
    if (status < 0) {
        note_refusal(ring, "registered file", -status);
    }
    if (pool_size == 0 || pool_size > MAX_REGISTERED_BUFFER) {
        return;
    }
    struct iovec vector = {.iov_base = pool, .iov_len = pool_size};
    status = io_uring_register((unsigned)ring->fd, IORING_REGISTER_BUFFERS, &vector, 1);
    ring->registered_buffers = status == 0;
    if (status < 0) {
        /* Usually ENOMEM: the locked-memory limit.  Works without, only slower. */
        note_refusal(ring, "registered buffers", -status);
    }
}
