/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * io_uring, three ways: polled by us, submitted by a kernel thread (SQPOLL), and found
 * by interrupt.  The same ring code and the same hot loop; the mode is a set-up flag.
 *
 * A polled ring takes reads and writes only, so a queue that must also trim or flush
 * is refused the mode and says so (ENGINE 1.3).  Whether the device really can poll is
 * read from its queue before the ring is made: old kernels do not refuse, they use
 * interrupts silently.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "engine/loop.h"
#include "platform/linux/backends.h"
#include "platform/linux/direct-file.h"
#include "platform/linux/uring-ring.h"
#include "platform/platform-io.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

enum {
    SEGMENT = 4096, /* bytes of the smallest segment of a request */
};

struct FmBackendTarget {
    FmDirectFile file;
    FmUringMode mode;
    FmMessage *polling_refused; /* why the device can't poll, or NULL */
    uint64_t max_polled; /* bytes of the longest request that can be polled */
};

struct FmQueue {
    FmUringRing ring;
    uint64_t head_word[FM_N_OPS]; /* opcode, flags, ioprio and fd: the first 8 bytes of an entry */
    uint64_t sync_word; /* length's neighbour: rw_flags of a durable write */
    uint64_t flush_word;
    FmUringMode mode;
    uint64_t thread;
    unsigned depth;
    unsigned in_flight; /* of submit() and reap(); run() keeps its own count */

    /* --- any thread */
    _Atomic bool woken;
};

/* Reads a queue attribute of a device; it is the whole disk's, and for a partition one
 * folder up. */
static bool
read_queue_number(dev_t device, const char *name, uint64_t *value)
{
    static const char *const places[] = {"queue", "../queue"};

    for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_strdup_printf("/sys/dev/block/%u:%u/%s/%s", major(device),
                                                minor(device), places[i], name);
        g_autofree char *text = NULL;
        if (g_file_get_contents(path, &text, NULL, NULL)) {
            return g_ascii_string_to_unsigned(g_strstrip(text), 10, 0, G_MAXUINT64, value, NULL);
        }
    }
    return false;
}

static bool
device_can_poll(dev_t device)
{
    uint64_t value;
    return read_queue_number(device, "io_poll", &value) && value == 1;
}

/*
 * The longest request the drive takes in one piece.  A longer one is split, and a split
 * request must not be polled: newer kernels quietly stop polling it, and on 6.1 it never
 * comes back at all (seen with 1 MiB reads on NVMe; the splitting refuses it, the retry
 * polls it again, for ever).  Every segment is taken to be one page.
 */
static uint64_t
find_max_polled(const FmDirectFile *file)
{
    struct stat about;
    uint64_t kib;
    uint64_t segments;

    if (fstat(file->descriptor, &about) != 0) {
        return 0;
    }
    dev_t device = file->is_block ? about.st_rdev : about.st_dev;
    if (!read_queue_number(device, "max_sectors_kb", &kib) ||
        !read_queue_number(device, "max_segments", &segments)) {
        return 0;
    }
    return MIN(kib * 1024, segments * SEGMENT);
}

static FmMessage *
find_polling_refusal(const FmDirectFile *file)
{
    struct stat about;

    if (fstat(file->descriptor, &about) != 0) {
        return fm_message_new("the target can't be examined");
    }
    if (!file->direct) {
        return fm_message_new("buffered I/O is never polled");
    }
    if (!device_can_poll(file->is_block ? about.st_rdev : about.st_dev)) {
        return fm_message_new(
            "this drive has no poll queues; for NVMe add nvme.poll_queues=4 to the "
            "kernel command line");
    }
    return NULL;
}

static FmBackendTarget *
open_with_mode(const FmOpenOptions *options, FmUringMode mode, GError **error)
{
    g_autofree FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    target->mode = mode;
    if (!plat_direct_file_open(&target->file, options, error)) {
        return NULL;
    }
    target->polling_refused = find_polling_refusal(&target->file);
    target->max_polled = find_max_polled(&target->file);
    if (mode == FM_URING_POLLED && target->polling_refused != NULL) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED, "polling is not possible because %p",
                     target->polling_refused);
        plat_direct_file_close(&target->file);
        fm_message_unref(target->polling_refused);
        return NULL;
    }
    return g_steal_pointer(&target);
}

static FmBackendTarget *
polled_open(const FmOpenOptions *options, GError **error)
{
    return open_with_mode(options, FM_URING_POLLED, error);
}

static FmBackendTarget *
sqpoll_open(const FmOpenOptions *options, GError **error)
{
    return open_with_mode(options, FM_URING_SQPOLL, error);
}

static FmBackendTarget *
interrupt_open(const FmOpenOptions *options, GError **error)
{
    return open_with_mode(options, FM_URING_INTERRUPT, error);
}

static void
uring_close(FmBackendTarget *target)
{
    plat_direct_file_close(&target->file);
    fm_message_unref(target->polling_refused);
    g_free(target);
}

/* Composes what is the same in every entry, so that the loop stores it in one go. */
static void
compose_words(FmQueue *queue, const FmBackendTarget *target)
{
    const FmUringRing *ring = &queue->ring;
    bool fixed = ring->registered_buffers;
    const uint8_t opcodes[FM_N_OPS] = {
        [FM_OP_READ] = fixed ? IORING_OP_READ_FIXED : IORING_OP_READ,
        [FM_OP_WRITE] = fixed ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE,
        [FM_OP_TRIM] = IORING_OP_FALLOCATE,
        [FM_OP_FLUSH] = IORING_OP_FSYNC,
    };
    struct io_uring_sqe entry;

    for (unsigned op = 0; op < FM_N_OPS; op++) {
        memset(&entry, 0, sizeof entry);
        entry.opcode = opcodes[op];
        entry.flags = ring->registered_file ? IOSQE_FIXED_FILE : 0;
        entry.fd = ring->registered_file ? 0 : target->file.descriptor;
        memcpy(&queue->head_word[op], &entry, sizeof queue->head_word[op]);
    }
    queue->sync_word = (uint64_t)RWF_DSYNC << 32;
    queue->flush_word = (uint64_t)IORING_FSYNC_DATASYNC << 32;
}

/* Why a queue for this can't be polled, or NULL. */
static FmMessage *
find_queue_refusal(const FmBackendTarget *target, const FmQueueOptions *options)
{
    const uint32_t not_pollable = 1u << FM_OP_TRIM | 1u << FM_OP_FLUSH;

    if (target->polling_refused != NULL) {
        return fm_message_ref(target->polling_refused);
    }
    if (options->ops & not_pollable) {
        return fm_message_new("a polled ring takes neither TRIM nor flush");
    }
    if (options->max_length > target->max_polled) {
        return fm_message_new("blocks of %u KiB are longer than the %ju KiB this drive takes in "
                              "one request, and a split request can't "
                              "be polled",
                              options->max_length / 1024, target->max_polled / 1024);
    }
    return NULL;
}

static FmQueue *
uring_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    FmUringMode mode = target->mode;
    g_autoptr(FmMessage) refusal = find_queue_refusal(target, options);

    if (mode == FM_URING_SQPOLL && refusal == NULL) {
        mode = FM_URING_SQPOLL_POLLED;
    }
    if (mode == FM_URING_POLLED && refusal != NULL) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED, "polling is not possible because %p", refusal);
        return NULL;
    }

    FmQueue *queue = g_aligned_alloc0(1, sizeof *queue, 64);
    if (!plat_uring_init(&queue->ring, mode, options->depth, error)) {
        g_aligned_free(queue);
        return NULL;
    }
    plat_uring_register(&queue->ring, target->file.descriptor, options->pool, options->pool_size);
    compose_words(queue, target);
    queue->mode = mode;
    queue->depth = options->depth;
    queue->thread = plat_wake_self();
    return queue;
}

static void
uring_queue_free(FmQueue *queue)
{
    plat_uring_clear(&queue->ring);
    g_aligned_free(queue);
}

/* Fills the next entry with five whole words; the rest of it stays zero for ever. */
static inline __attribute__((always_inline)) void
put_entry(FmQueue *queue, unsigned op, uint64_t tag, FmIo io, bool odd)
{
    struct io_uring_sqe *entry = plat_uring_next_sqe(&queue->ring);
    uint64_t *words = (uint64_t *)(void *)entry;

    words[0] = queue->head_word[op];
    words[1] = io.offset;
    words[2] = (uint64_t)(uintptr_t)io.buffer;
    words[3] = io.length | (io.sync ? queue->sync_word : 0);
    words[4] = tag;
    if (odd && op >= FM_OP_TRIM) {
        bool trim = op == FM_OP_TRIM;
        words[1] = trim ? io.offset : 0;
        words[2] = trim ? io.length : 0;
        words[3] = trim ? FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE : queue->flush_word;
    }
}

static inline __attribute__((always_inline)) void
put_request(FmQueue *queue, uint32_t features, unsigned op, unsigned slot, FmIo io)
{
    uint64_t tag = (features & FM_LOOP_MIXED_OPS) ? slot | op << 16 : slot;

    io.sync = (features & FM_LOOP_SYNC) != 0 && op == FM_OP_WRITE;
    put_entry(queue, op, tag, io, (features & FM_LOOP_ODD_OPS) != 0);
}

static int
uring_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    FmUringRing *ring = &queue->ring;

    n = MIN(n, queue->depth - queue->in_flight); /* the ring may be larger than the depth */
    queue->in_flight += n;
    for (unsigned i = 0; i < n; i++) {
        put_entry(queue, ios[i].op, ios[i].slot, ios[i], true);
    }
    int status = plat_uring_enter(ring, 0);
    return status < 0 ? status : (int)n;
}

/* Waits in the kernel for @min completions, at most @timeout_ns. */
static int
enter_with_timeout(FmUringRing *ring, unsigned min, int64_t timeout_ns)
{
    struct __kernel_timespec span = {.tv_sec = timeout_ns / 1000000000,
                                     .tv_nsec = timeout_ns % 1000000000};
    struct io_uring_getevents_arg argument = {.ts = (uint64_t)(uintptr_t)&span};
    bool can_time = (ring->features & IORING_FEAT_EXT_ARG) != 0 && timeout_ns >= 0;

    int status = io_uring_enter2((unsigned)ring->enter_fd, ring->sq_tail - ring->sq_submitted, min,
                                 ring->enter_flags | (can_time ? IORING_ENTER_EXT_ARG : 0),
                                 can_time ? (sigset_t *)(void *)&argument : NULL,
                                 can_time ? sizeof argument : 0);
    if (status >= 0) {
        ring->sq_submitted += (uint32_t)status;
        return 0;
    }
    return status == -EINTR || status == -ETIME || status == -EAGAIN || status == -EBUSY ? 0
                                                                                         : status;
}

static int
uring_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max,
           int64_t timeout_ns)
{
    FmUringRing *ring = &queue->ring;
    /* Short waits, so that a wake-up that came just before one is not lost. */
    const int64_t slice = 20 * 1000 * 1000;
    int64_t deadline = timeout_ns < 0 ? INT64_MAX : plat_clock_monotonic_ns() + timeout_ns;
    /* Only a polled device makes us look all the time. */
    bool spins = queue->mode == FM_URING_POLLED || queue->mode == FM_URING_SQPOLL_POLLED;

    bool done = false;
    while (!done) {
        int64_t left = deadline == INT64_MAX ? slice : deadline - plat_clock_monotonic_ns();
        /* Woken, it still looks once: a ring may hand completions out only then. */
        bool woken =
            min > 0 && atomic_exchange_explicit(&queue->woken, false, memory_order_acquire);
        bool waits = min > 0 && !spins && left > 0 && !woken;
        int status =
            waits ? enter_with_timeout(ring, min, MIN(left, slice)) : plat_uring_enter(ring, 0);
        if (status < 0) {
            return status;
        }
        plat_uring_look(ring);
        done = woken || left <= 0 || ring->cq_tail - ring->cq_head >= min;
    }

    unsigned n = MIN(ring->cq_tail - ring->cq_head, max);
    for (unsigned i = 0; i < n; i++) {
        const struct io_uring_cqe *entry = plat_uring_next_cqe(ring);
        completions[i] = (FmCompletion){.result = entry->res, .slot = (uint16_t)entry->user_data};
    }
    plat_uring_reaped(ring);
    queue->in_flight -= n;
    return (int)n;
}

static void
uring_wake(FmQueue *queue)
{
    atomic_store_explicit(&queue->woken, true, memory_order_release);
    plat_wake_thread(queue->thread);
}

static GVariant *
uring_describe(FmQueue *queue)
{
    const FmUringRing *ring = &queue->ring;
    g_autofree char *flags = plat_uring_describe_flags(ring->setup_flags);
    static const char *const modes[] = {
        [FM_URING_INTERRUPT] = "interrupt",
        [FM_URING_POLLED] = "polled",
        [FM_URING_SQPOLL] = "sqpoll",
        [FM_URING_SQPOLL_POLLED] = "sqpoll+polled",
    };
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    g_variant_builder_add(&builder, "{sv}", "queue.mode", g_variant_new_string(modes[queue->mode]));
    g_variant_builder_add(&builder, "{sv}", "queue.flags", g_variant_new_string(flags));
    g_variant_builder_add(
        &builder, "{sv}", "queue.buffers",
        g_variant_new_string(ring->registered_buffers ? "registered" : "not registered"));
    g_variant_builder_add(
        &builder, "{sv}", "queue.file",
        g_variant_new_string(ring->registered_file ? "registered" : "not registered"));
    g_variant_builder_add(&builder, "{sv}", "queue.library",
                          g_variant_new_string("liburing (set-up calls only)"));
    if (ring->fallbacks->len > 0) {
        g_variant_builder_add(&builder, "{sv}", "queue.fallbacks",
                              g_variant_new_string(ring->fallbacks->str));
    }
    return g_variant_builder_end(&builder);
}

static inline __attribute__((always_inline)) bool
next_completion(FmUringRing *ring, FmLoopDone *done)
{
    if (ring->cq_head == ring->cq_tail) {
        return false;
    }
    const struct io_uring_cqe *entry = plat_uring_next_cqe(ring);
    done->tag = (uint32_t)entry->user_data;
    done->result = entry->res;
    return true;
}

static inline __attribute__((always_inline)) void
enter_and_look(FmQueue *queue, FmLoop *loop, unsigned min)
{
    int status = plat_uring_enter(&queue->ring, min);

    if (__builtin_expect(status < 0, 0)) {
        fm_loop_fail(loop, -status);
    }
    plat_uring_look(&queue->ring);
}

#define FM_LOOP_FUNCTION run_loop
#define FM_LOOP_QUEUE FmQueue
#define FM_LOOP_NOW(q) plat_counter()
#define FM_LOOP_PUT(q, features, op, slot, offset, length, buffer)                                 \
    put_request(q, features, op, slot, (FmIo){offset, buffer, length, 0, 0, false})
#define FM_LOOP_ENTER(q, loop, min) enter_and_look(q, loop, min)
#define FM_LOOP_NEXT(q, done) next_completion(&(q)->ring, &(done))
#define FM_LOOP_REAPED(q) plat_uring_reaped(&(q)->ring)

static void run_loop(FmQueue *queue, FmLoop *loop);

#include "engine/hot-loop.h"

static void
uring_run(FmQueue *queue, struct FmLoop *loop)
{
    run_loop(queue, loop);
}

const FmBackend plat_backend_uring_polled = {
    .name = "uring-polled",
    .summary = N_("io_uring, completions found by polling the device"),
    .caps = FM_CAP_DSYNC | FM_CAP_POLLED | FM_CAP_FIXED_BUFFERS | FM_CAP_DEPTH,
    .open = polled_open,
    .close = uring_close,
    .queue_new = uring_queue_new,
    .queue_free = uring_queue_free,
    .submit = uring_submit,
    .reap = uring_reap,
    .wake = uring_wake,
    .run = uring_run,
    .describe = uring_describe,
};

const FmBackend plat_backend_uring_sqpoll = {
    .name = "uring-sqpoll",
    .summary =
        N_("io_uring, submitted by a kernel thread; latency includes its hand-over and is not "
           "comparable with the other modes"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_SQPOLL | FM_CAP_FIXED_BUFFERS |
            FM_CAP_DEPTH,
    .open = sqpoll_open,
    .close = uring_close,
    .queue_new = uring_queue_new,
    .queue_free = uring_queue_free,
    .submit = uring_submit,
    .reap = uring_reap,
    .wake = uring_wake,
    .run = uring_run,
    .describe = uring_describe,
};

const FmBackend plat_backend_uring = {
    .name = "uring",
    .summary = N_("io_uring, completions announced by interrupt"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_FIXED_BUFFERS | FM_CAP_DEPTH,
    .open = interrupt_open,
    .close = uring_close,
    .queue_new = uring_queue_new,
    .queue_free = uring_queue_free,
    .submit = uring_submit,
    .reap = uring_reap,
    .wake = uring_wake,
    .run = uring_run,
    .describe = uring_describe,
};
