/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The life of an I/O thread around its hot loop.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/io-thread.h"

#include "base/error.h"
#include "engine/loop-generic.h"

#include <string.h>
#include <time.h>

static void
set_state(FmIoThread *thread, FmIoThreadState state)
{
    /* Release: whoever sees the state sees what the thread made before. */
    atomic_store_explicit(&thread->state, state, memory_order_release);
}

bool
fm_io_thread_is(const FmIoThread *thread, FmIoThreadState state)
{
    return atomic_load_explicit(&thread->state, memory_order_acquire) == (uint32_t)state;
}

static bool
prepare(FmIoThread *thread)
{
    FmLoopSetup *setup = &thread->setup;
    size_t pool_size = fm_loop_slot_stride(setup->stream) * setup->depth;

    thread->pinned = plat_cpu_pin(thread->cpu);
    thread->wake_id = plat_wake_self();
    if (!plat_io_memory_new(&thread->memory, pool_size, &thread->error)) {
        return false;
    }
    setup->pool = thread->memory.data;
    thread->loop = fm_loop_new(setup);

    FmQueueOptions options = {
        .depth = setup->depth,
        .pool = thread->memory.data,
        .pool_size = pool_size,
        .max_length = fm_stream_max_block(setup->stream),
        .ops = thread->ops,
        .sync = setup->stream->sync,
        .thread_index = thread->index,
        .n_threads = thread->n_threads,
    };
    thread->queue = thread->backend->queue_new(thread->target, &options, &thread->error);
    if (thread->queue == NULL) {
        return false;
    }
    if (thread->backend->describe != NULL) {
        GVariant *description = thread->backend->describe(thread->queue);
        thread->description = description != NULL ? g_variant_ref_sink(description) : NULL;
    }
    return true;
}

/* Sleeps until the control thread has named the first tick. */
static uint64_t
wait_for_start(FmIoThread *thread)
{
    uint64_t start;

    while ((start = atomic_load_explicit(thread->start, memory_order_acquire)) == 0) {
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
    }
    return start;
}

static void
run(FmIoThread *thread, uint64_t start)
{
    const FmBackend *backend = thread->backend;
    FmLoop *loop = thread->loop;
    FmLoopClock clock = thread->setup.virtual_time ? FM_LOOP_CLOCK_BACKEND
                        : plat_clock_has_counter() ? FM_LOOP_CLOCK_COUNTER
                                                   : FM_LOOP_CLOCK_MONOTONIC;

    fm_loop_arm(loop, start, thread->ramp_ticks, thread->window_ticks, thread->ticks_per_slot);
    atomic_store_explicit(&loop->state, FM_LOOP_RUNNING, memory_order_relaxed);
    uint64_t preemptions = plat_cpu_thread_preemptions();
    loop->cpu_start_ns = plat_cpu_thread_time_ns();

    if (clock == FM_LOOP_CLOCK_COUNTER) {
        while (plat_counter() < start) {
            /* The last two milliseconds are spun, so that all threads start together. */
        }
    }
    if (backend->run != NULL && clock == FM_LOOP_CLOCK_COUNTER) {
        backend->run(thread->queue, loop);
    } else {
        fm_loop_run_generic(backend, thread->queue, loop, clock);
    }
    thread->preemptions = plat_cpu_thread_preemptions() - preemptions;
}

static void *
io_thread_cb(void *data)
{
    FmIoThread *thread = data;

    if (!prepare(thread)) {
        set_state(thread, FM_IO_THREAD_FAILED);
        return NULL;
    }
    set_state(thread, FM_IO_THREAD_READY);
    uint64_t start = wait_for_start(thread);
    if (start != UINT64_MAX) {
        run(thread, start);
    }
    bool empty = atomic_load_explicit(&thread->loop->outstanding, memory_order_relaxed) == 0;
    pthread_mutex_lock(&thread->lock);
    set_state(thread, FM_IO_THREAD_ENDED);
    pthread_mutex_unlock(&thread->lock);
    /* With requests that never came back the kernel still owns their buffers: the
     * queue is left to the end of the process. */
    if (empty) {
        thread->backend->queue_free(thread->queue);
    }
    return NULL;
}

bool
fm_io_thread_start(FmIoThread *thread, GError **error)
{
    pthread_mutex_init(&thread->lock, NULL);
    int status = pthread_create(&thread->thread, NULL, io_thread_cb, thread);

    if (status != 0) {
        fm_error_set_errno(error, status, "I/O thread %u can't be started", thread->index + 1);
        return false;
    }
    thread->started = true;
    return true;
}

void
fm_io_thread_wake(FmIoThread *thread)
{
    pthread_mutex_lock(&thread->lock);
    if (fm_io_thread_is(thread, FM_IO_THREAD_READY)) {
        plat_wake_thread(thread->wake_id);
        if (thread->backend->wake != NULL) {
            thread->backend->wake(thread->queue);
        }
    }
    pthread_mutex_unlock(&thread->lock);
}

void
fm_io_thread_clear(FmIoThread *thread)
{
    bool emptied = true;

    if (thread->started) {
        pthread_join(thread->thread, NULL);
        pthread_mutex_destroy(&thread->lock);
    }
    if (thread->loop != NULL) {
        emptied = atomic_load_explicit(&thread->loop->outstanding, memory_order_relaxed) == 0;
    }
    if (emptied) {
        plat_io_memory_free(&thread->memory);
    }
    g_clear_pointer(&thread->loop, fm_loop_free);
    g_clear_pointer(&thread->description, g_variant_unref);
    g_clear_error(&thread->error);
    thread->started = false;
}
