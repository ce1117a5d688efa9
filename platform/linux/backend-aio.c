/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Linux native asynchronous I/O, found by interrupt: the way to keep many requests in
 * flight where io_uring is forbidden or missing.  Driven by the raw system calls: the
 * library over them adds nothing but a dependency.  One thread per queue; wake() from
 * any.
 *
 * TRIM has no request of its own here, so submit() carries it out and waits for it.
 * Through the page cache submit() blocks as well; describe() tells both.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "platform/linux/backends.h"
#include "platform/linux/direct-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <linux/aio_abi.h>
#include <linux/fs.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * A wait is cut into slices this long, and wake() is noticed between them.  An I/O that
 * completes sooner pays nothing for it, and there is no signal to lose.
 */
#define WAKE_SLICE_NS ((int64_t)20 * 1000 * 1000)
#define NS_PER_S ((int64_t)1000 * 1000 * 1000)

struct FmBackendTarget {
    FmDirectFile file;
};

struct FmQueue {
    const FmDirectFile *file;
    aio_context_t context;
    unsigned depth;
    unsigned in_flight; /* taken and not yet returned by reap() */
    struct iocb *requests; /* room for one submit(); the kernel copies them */
    struct iocb **request_list;
    struct io_event *events;
    /* Requests that were over at submit(): TRIM, and what the kernel refused. */
    FmCompletion *finished;
    unsigned n_finished;

    /* --- any thread */
    _Atomic bool woken;
};

static FmBackendTarget *
aio_open(const FmOpenOptions *options, GError **error)
{
    g_autofree FmBackendTarget *target = g_new0(FmBackendTarget, 1);

    if (!plat_direct_file_open(&target->file, options, error)) {
        return NULL;
    }
    return g_steal_pointer(&target);
}

static void
aio_close(FmBackendTarget *target)
{
    plat_direct_file_close(&target->file);
    g_free(target);
}

static FmQueue *
aio_queue_new(FmBackendTarget *target, const FmQueueOptions *options, GError **error)
{
    aio_context_t context = 0;

    if (syscall(SYS_io_setup, options->depth, &context) != 0) {
        int status = errno;
        if (status == EAGAIN) {
            fm_error_set(error, FM_ERROR_BUSY,
                         "A queue for %u asynchronous requests can't be set up: the limit is "
                         "fs.aio-max-nr",
                         options->depth);
        } else {
            fm_error_set_errno(error, status,
                               "A queue for %u asynchronous requests can't be set up",
                               options->depth);
        }
        return NULL;
    }

    FmQueue *queue = g_new0(FmQueue, 1);
    queue->file = &target->file;
    queue->context = context;
    queue->depth = options->depth;
    queue->requests = g_new0(struct iocb, options->depth);
    queue->request_list = g_new0(struct iocb *, options->depth);
    queue->events = g_new0(struct io_event, options->depth);
    queue->finished = g_new0(FmCompletion, options->depth);
    for (unsigned i = 0; i < options->depth; i++) {
        queue->request_list[i] = &queue->requests[i];
    }
    return queue;
}

static void
aio_queue_free(FmQueue *queue)
{
    syscall(SYS_io_destroy, queue->context);
    g_free(queue->finished);
    g_free(queue->events);
    g_free(queue->request_list);
    g_free(queue->requests);
    g_free(queue);
}

static void
finish(FmQueue *queue, uint16_t slot, int32_t result)
{
    queue->finished[queue->n_finished++] = (FmCompletion){.result = result, .slot = slot};
}

static void
fill_request(const FmQueue *queue, struct iocb *request, const FmIo *io)
{
    static const uint16_t commands[FM_N_OPS] = {
        [FM_OP_READ] = IOCB_CMD_PREAD,
        [FM_OP_WRITE] = IOCB_CMD_PWRITE,
        [FM_OP_FLUSH] = IOCB_CMD_FDSYNC,
    };
    bool moves = io->op != FM_OP_FLUSH;

    request->aio_data = io->slot;
    request->aio_lio_opcode = commands[io->op];
    request->aio_fildes = (uint32_t)queue->file->descriptor;
    request->aio_rw_flags = io->op == FM_OP_WRITE && io->sync ? RWF_DSYNC : 0;
    request->aio_buf = moves ? (uint64_t)(uintptr_t)io->buffer : 0;
    request->aio_nbytes = moves ? io->length : 0;
    request->aio_offset = moves ? (int64_t)io->offset : 0;
}

/*
 * Hands @n filled requests over.  One that the kernel refuses outright fails with that
 * status at once and the others go on; when it only has no room, the rest is not taken.
 */
static unsigned
hand_over(FmQueue *queue, unsigned n)
{
    unsigned done = 0;

    while (done < n) {
        long taken =
            syscall(SYS_io_submit, queue->context, (long)(n - done), queue->request_list + done);
        if (taken > 0) {
            done += (unsigned)taken;
            continue;
        }
        if (taken < 0 && errno == EINTR) {
            continue;
        }
        if (taken == 0 || errno == EAGAIN) {
            break;
        }
        finish(queue, (uint16_t)queue->requests[done].aio_data, -errno);
        done++;
    }
    return done;
}

static int
aio_submit(FmQueue *queue, const FmIo *ios, unsigned n)
{
    unsigned room = queue->depth - queue->in_flight;
    unsigned taken = 0;

    if (n > room) {
        n = room;
    }
    while (taken < n) {
        unsigned run = 0;
        while (taken + run < n && ios[taken + run].op != FM_OP_TRIM) {
            fill_request(queue, &queue->requests[run], &ios[taken + run]);
            run++;
        }
        unsigned handed = hand_over(queue, run);
        taken += handed;
        if (handed < run) {
            break;
        }
        if (taken < n) {
            const FmIo *io = &ios[taken++];
            finish(queue, io->slot, plat_direct_file_trim(queue->file, io->offset, io->length));
        }
    }
    queue->in_flight += taken;
    return (int)taken;
}

static unsigned
take_finished(FmQueue *queue, FmCompletion *completions, unsigned max)
{
    unsigned n = 0;

    while (n < max && queue->n_finished > 0) {
        completions[n++] = queue->finished[--queue->n_finished];
    }
    return n;
}

/* One system call: what is complete, at least @min of them within @wait_ns.  Returns
 * how many, or -1 with errno. */
static int
take_events(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t wait_ns)
{
    struct timespec wait = {wait_ns / NS_PER_S, wait_ns % NS_PER_S};
    long n = syscall(SYS_io_getevents, queue->context, (long)min, (long)max, queue->events, &wait);

    for (long i = 0; i < n; i++) {
        completions[i].slot = (uint16_t)queue->events[i].data;
        completions[i].result = (int32_t)queue->events[i].res;
    }
    return (int)n;
}

static int
aio_reap(FmQueue *queue, FmCompletion *completions, unsigned min, unsigned max, int64_t timeout_ns)
{
    max = MIN(max, queue->depth); /* more can't be there, and @events is that long */
    min = MIN(min, max);

    unsigned n = take_finished(queue, completions, max);
    int64_t left = timeout_ns < 0 ? INT64_MAX : timeout_ns;
    bool again = true;
    while (again && n < max) {
        bool wait = n < min && !atomic_load_explicit(&queue->woken, memory_order_acquire);
        int64_t slice = wait ? MIN(left, WAKE_SLICE_NS) : 0;
        int taken = take_events(queue, completions + n, wait ? min - n : 0, max - n, slice);
        /* Interrupted without wake(): the kernel does that itself where the thread had an
         * io_uring before. The wait goes on. */
        bool interrupted = taken < 0 && errno == EINTR;
        n += (unsigned)MAX(taken, 0);
        left -= interrupted ? 0 : slice;
        again = wait && (taken >= 0 || interrupted) && n < min && left > 0;
    }
    if (n < min) {
        atomic_store_explicit(&queue->woken, false, memory_order_release);
    }
    queue->in_flight -= n;
    return (int)n;
}

static void
aio_wake(FmQueue *queue)
{
    atomic_store_explicit(&queue->woken, true, memory_order_release);
}

static GVariant *
aio_describe(FmQueue *queue)
{
    GVariantDict facts;

    g_variant_dict_init(&facts, NULL);
    g_variant_dict_insert(&facts, "queue.direct", "b", queue->file->direct);
    g_variant_dict_insert(&facts, "queue.mode", "s", "interrupt");
    g_variant_dict_insert(&facts, "queue.depth", "u", queue->depth);
    g_variant_dict_insert(&facts, "queue.trim", "s", "carried out while submitting, one by one");
    if (!queue->file->direct) {
        g_variant_dict_insert(&facts, "queue.submission", "s", "blocks: through the page cache");
    }
    return g_variant_dict_end(&facts);
}

const FmBackend plat_backend_aio = {
    .name = "aio",
    .summary = N_("Linux native asynchronous I/O, completions by interrupt"),
    .caps = FM_CAP_TRIM | FM_CAP_FLUSH | FM_CAP_DSYNC | FM_CAP_DEPTH,
    .open = aio_open,
    .close = aio_close,
    .queue_new = aio_queue_new,
    .queue_free = aio_queue_free,
    .submit = aio_submit,
    .reap = aio_reap,
    .wake = aio_wake,
    .describe = aio_describe,
};
