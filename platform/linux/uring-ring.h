/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One io_uring ring, driven by hand: mapped memory, head and tail, nothing in
 * between.  liburing makes the system calls; its own queue calls are not used, because
 * they enter the kernel on each empty look at a polled ring and because their version
 * may not know the flags a newer kernel accepts (ENGINE 1.7).  One thread.
 */
#pragma once

#include <glib.h>
#include <liburing.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

/* Newer than the oldest liburing we build with. */
#ifndef IORING_SETUP_NO_SQARRAY
#define IORING_SETUP_NO_SQARRAY (1U << 16)
#endif

typedef enum {
    FM_URING_INTERRUPT,
    FM_URING_POLLED,
    FM_URING_SQPOLL,
    FM_URING_SQPOLL_POLLED, /* the kernel thread submits and polls */
} FmUringMode;

typedef struct {
    /* --- hot */
    _Atomic uint32_t *sq_tail_shared;
    struct io_uring_sqe *sqes;
    uint32_t sq_mask;
    uint32_t sq_tail; /* next entry to fill */
    uint32_t sq_submitted; /* entries the kernel has taken */
    uint32_t enter_flags;
    int enter_fd; /* registered index where possible */
    uint32_t cq_mask;
    _Atomic uint32_t *cq_head_shared;
    _Atomic uint32_t *cq_tail_shared;
    struct io_uring_cqe *cqes;
    uint32_t cq_head;
    uint32_t cq_tail; /* as last looked at */
    bool sqpoll;
    _Atomic uint32_t *sq_flags_shared;

    /* --- cold */
    int fd;
    uint32_t setup_flags;
    uint32_t features;
    void *sq_map;
    size_t sq_map_size;
    void *sqe_map;
    size_t sqe_map_size;
    bool registered_ring;
    bool registered_buffers;
    bool registered_file;
    GString *fallbacks; /* what was tried and refused, with reasons */
} FmUringRing;

/*
 * Sets a ring up in the calling thread for @depth requests, stepping down through
 * groups of flags (ENGINE 1.2) and noting why.  FM_ERROR_UNSUPPORTED or DENIED where
 * io_uring is missing or forbidden.
 */
bool plat_uring_init(FmUringRing *ring, FmUringMode mode, unsigned depth, GError **error);
void plat_uring_clear(FmUringRing *ring);

/* Registers the file and, if it may be, the buffer pool.  What was refused is noted
 * and done without. */
void plat_uring_register(FmUringRing *ring, int descriptor, void *pool, size_t pool_size);

/* "IOPOLL|CQSIZE|..." */
char *plat_uring_describe_flags(uint32_t setup_flags);

static inline struct io_uring_sqe *
plat_uring_next_sqe(FmUringRing *ring)
{
    return &ring->sqes[ring->sq_tail++ & ring->sq_mask];
}

/*
 * Submits everything filled so far and waits for @min completions.  Returns 0 or a
 * negative errno; being interrupted or short of room is 0, the rest goes along next
 * time.
 */
static inline int
plat_uring_enter(FmUringRing *ring, unsigned min)
{
    /* Release: the entries are complete before the kernel can see them. */
    atomic_store_explicit(ring->sq_tail_shared, ring->sq_tail, memory_order_release);
    if (ring->sqpoll) {
        /* The flag must be read after the tail was published (liburing does the same). */
        atomic_thread_fence(memory_order_seq_cst);
        ring->sq_submitted = ring->sq_tail;
        if (__builtin_expect((atomic_load_explicit(ring->sq_flags_shared, memory_order_relaxed) &
                              IORING_SQ_NEED_WAKEUP) == 0,
                             1)) {
            return 0;
        }
        int woken = io_uring_enter2((unsigned)ring->enter_fd, 0, 0,
                                    ring->enter_flags | IORING_ENTER_SQ_WAKEUP, NULL, 0);
        return woken >= 0 || woken == -EINTR ? 0 : woken;
    }
    int taken = io_uring_enter2((unsigned)ring->enter_fd, ring->sq_tail - ring->sq_submitted, min,
                                ring->enter_flags, NULL, 0);
    if (__builtin_expect(taken >= 0, 1)) {
        ring->sq_submitted += (uint32_t)taken;
        return 0;
    }
    return taken == -EINTR || taken == -EAGAIN || taken == -EBUSY ? 0 : taken;
}

/* Looks at what has completed. */
static inline void
plat_uring_look(FmUringRing *ring)
{
    /* Acquire: the entries up to the tail are complete. */
    ring->cq_tail = atomic_load_explicit(ring->cq_tail_shared, memory_order_acquire);
}

static inline const struct io_uring_cqe *
plat_uring_next_cqe(FmUringRing *ring)
{
    return &ring->cqes[ring->cq_head++ & ring->cq_mask];
}

/* Gives the entries back to the kernel, after they were read. */
static inline void
plat_uring_reaped(FmUringRing *ring)
{
    atomic_store_explicit(ring->cq_head_shared, ring->cq_head, memory_order_release);
}

G_END_DECLS
