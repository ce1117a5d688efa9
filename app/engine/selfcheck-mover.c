/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves blocks of a self-check through one backend.  The thread that opened a mover
 * uses and closes it.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/selfcheck-mover.h"

#include "base/error.h"
#include "engine/buffers.h"
#include "engine/permutation.h"

#include <string.h>

enum {
    NO_ANSWER = INT32_MIN,
};

#define ANSWER_NS (G_GINT64_CONSTANT(10) * 1000 * 1000 * 1000)

bool
fm_mover_open(FmMover *mover, const FmSelfcheckOptions *options, const FmBackend *backend,
              GError **error)
{
    *mover = (FmMover){.options = options, .backend = backend};
    if (!plat_io_memory_new(&mover->memory, FM_MOVER_DEPTH * FM_MOVER_BLOCK, error)) {
        return false;
    }

    FmOpenOptions open = {
        .path = options->path,
        .file_descriptor = options->file_descriptor,
        .size = options->size,
        .block_size = options->block_size,
        .writable = true,
    };
    FmQueueOptions queue = {
        .depth = (backend->caps & FM_CAP_DEPTH) != 0 ? FM_MOVER_DEPTH : 1,
        .pool = mover->memory.data,
        .pool_size = mover->memory.size,
        .max_length = FM_MOVER_BLOCK,
        .ops = 1u << FM_OP_READ | 1u << FM_OP_WRITE,
        .sync = true,
        .n_threads = 1,
    };
    if ((backend->caps & FM_CAP_TRIM) != 0) {
        queue.ops |= 1u << FM_OP_TRIM;
    }
    mover->target = backend->open(&open, error);
    mover->queue = mover->target != NULL ? backend->queue_new(mover->target, &queue, error) : NULL;
    if (mover->queue == NULL) {
        fm_mover_close(mover);
        return false;
    }
    return true;
}

void
fm_mover_close(FmMover *mover)
{
    if (mover->queue != NULL) {
        mover->backend->queue_free(mover->queue);
    }
    if (mover->target != NULL) {
        mover->backend->close(mover->target);
    }
    if (mover->memory.data != NULL) {
        plat_io_memory_free(&mover->memory);
    }
    *mover = (FmMover){0};
}

/* Waits for one completion through early returns.  False = none came. */
static bool
reap_one(FmMover *mover, FmCompletion *completion)
{
    int64_t deadline = plat_clock_monotonic_ns() + ANSWER_NS;

    do {
        int n = mover->backend->reap(mover->queue, completion, 1, 1, ANSWER_NS / 10);
        if (n == 1) {
            return true;
        }
        if (n < 0) {
            return false;
        }
    } while (plat_clock_monotonic_ns() < deadline);
    return false;
}

int32_t
fm_mover_do(FmMover *mover, const FmIo *io)
{
    FmCompletion completion = {0};

    if (mover->backend->submit(mover->queue, io, 1) != 1 || !reap_one(mover, &completion) ||
        completion.slot != io->slot) {
        return NO_ANSWER;
    }
    return completion.result;
}

FmMessage *
fm_mover_status_text(int32_t status)
{
    if (status == NO_ANSWER) {
        return fm_message_new("no answer");
    }
    return status < 0 ? fm_message_new_words(plat_status_text(-status))
                      : fm_message_new("%d bytes", status);
}

/* --- Passes over the file ------------------------------------------------------------ */

typedef struct {
    FmMover *mover;
    FmOp op;
    uint64_t seed;
    FmPermutation order;
    uint64_t next; /* blocks submitted so far */
    uint64_t n_in_flight;
    uint64_t block_of[FM_MOVER_DEPTH]; /* UINT64_MAX = the slot is free */
    uint8_t *expected; /* one block */
} Pass;

static uint8_t *
slot_buffer(const Pass *pass, unsigned slot)
{
    return (uint8_t *)pass->mover->memory.data + (size_t)slot * FM_MOVER_BLOCK;
}

static void
make_block(const Pass *pass, uint64_t block, uint8_t *data)
{
    fm_buffer_fill(data, FM_MOVER_BLOCK, FM_DATA_RANDOM, 0, pass->seed ^ (block * 2 + 1));
}

/* Fills the free slots that the queue may hold. */
static FmMessage *
submit_some(Pass *pass)
{
    const FmBackend *backend = pass->mover->backend;
    unsigned depth = (backend->caps & FM_CAP_DEPTH) != 0 ? FM_MOVER_DEPTH : 1;

    for (unsigned slot = 0; slot < depth && pass->next < pass->order.n; slot++) {
        if (pass->block_of[slot] != UINT64_MAX) {
            continue;
        }
        uint64_t block = fm_permutation_get(&pass->order, pass->next);
        FmIo io = {
            .offset = block * FM_MOVER_BLOCK,
            .buffer = slot_buffer(pass, slot),
            .length = FM_MOVER_BLOCK,
            .slot = (uint16_t)slot,
            .op = (uint8_t)pass->op,
        };
        if (pass->op == FM_OP_WRITE) {
            make_block(pass, block, io.buffer);
        } else {
            memset(io.buffer, 0xA5, FM_MOVER_BLOCK);
        }
        int n = backend->submit(pass->mover->queue, &io, 1);
        if (n < 0 || (n == 0 && pass->n_in_flight == 0)) {
            return fm_message_new("a request was not taken");
        }
        if (n == 0) {
            break;
        }
        pass->block_of[slot] = block;
        pass->next++;
        pass->n_in_flight++;
    }
    return NULL;
}

static FmMessage *
finish_one(Pass *pass)
{
    FmCompletion completion = {0};
    if (!reap_one(pass->mover, &completion)) {
        return fm_message_new("a request did not complete in ten seconds");
    }

    unsigned slot = completion.slot;
    if (slot >= FM_MOVER_DEPTH || pass->block_of[slot] == UINT64_MAX) {
        return fm_message_new("a completion came for slot %u, which was not in flight", slot);
    }
    uint64_t block = pass->block_of[slot];
    pass->block_of[slot] = UINT64_MAX;
    pass->n_in_flight--;
    if (completion.result != FM_MOVER_BLOCK) {
        g_autoptr(FmMessage) status = fm_mover_status_text(completion.result);
        g_autoptr(FmMessage) op = fm_message_new_words(fm_op_name(pass->op));
        return fm_message_new("%p at offset %ju ended with: %p", op, block * FM_MOVER_BLOCK,
                              status);
    }
    if (pass->op == FM_OP_READ) {
        make_block(pass, block, pass->expected);
        if (memcmp(pass->expected, slot_buffer(pass, slot), FM_MOVER_BLOCK) != 0) {
            return fm_message_new("what was read at offset %ju is not what was written there",
                                  block * FM_MOVER_BLOCK);
        }
    }
    return NULL;
}

FmMessage *
fm_mover_pass(FmMover *mover, FmOp op, uint64_t size, uint64_t seed)
{
    g_autofree uint8_t *expected = g_malloc(FM_MOVER_BLOCK);
    Pass pass = {.mover = mover, .op = op, .seed = seed, .expected = expected};
    fm_permutation_init(&pass.order, size / FM_MOVER_BLOCK, seed);
    for (unsigned i = 0; i < FM_MOVER_DEPTH; i++) {
        pass.block_of[i] = UINT64_MAX;
    }

    FmMessage *problem = NULL;
    while (problem == NULL && (pass.next < pass.order.n || pass.n_in_flight > 0)) {
        problem = submit_some(&pass);
        if (problem == NULL) {
            problem = finish_one(&pass);
        }
    }
    /* Memory stays in use until everything has come back (rule 5 of backend.h). */
    FmCompletion late = {0};
    while (pass.n_in_flight > 0 && reap_one(mover, &late)) {
        pass.n_in_flight--;
    }
    if (problem == NULL && mover->backend->reap(mover->queue, &late, 0, 1, 0) > 0) {
        problem = fm_message_new("more completions came than there were requests");
    }
    return problem;
}
