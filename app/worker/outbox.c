/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two buffers take turns: one is filled by whoever emits, the other is being written.
 * pthreads, because ThreadSanitizer sees through them.
 */
#define G_LOG_DOMAIN "fathom"

#include "worker/outbox.h"

#include <errno.h>
#include <pthread.h>
#include <unistd.h>

enum {
    /* A buffer that grew beyond this in a bad moment is given back afterwards. */
    KEPT_BUFFER_SIZE = 1024 * 1024,
};

struct FmOutbox {
    int descriptor;
    FmOutboxBrokenCallback broken_cb;
    gpointer user_data;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_cond_t taken; /* the writer took what waited, or nobody reads any more */

    /* --- protected by lock */
    GByteArray *waiting;
    uint32_t sequence;
    uint64_t peak;
    bool is_closing;
    bool is_broken;
};

/* Writes all of @bytes; false when nobody reads any more. */
static bool
write_all(int descriptor, const uint8_t *bytes, gsize length)
{
    while (length > 0) {
        ssize_t written = write(descriptor, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= (gsize)written;
    }
    return true;
}

/* Swaps @written for what waits.  False = closed and empty. */
static bool
take_waiting(FmOutbox *outbox, GByteArray **written)
{
    pthread_mutex_lock(&outbox->lock);
    while (outbox->waiting->len == 0 && !outbox->is_closing) {
        pthread_cond_wait(&outbox->changed, &outbox->lock);
    }
    if ((*written)->len > KEPT_BUFFER_SIZE) {
        g_byte_array_unref(*written);
        *written = g_byte_array_new();
    }
    g_byte_array_set_size(*written, 0);
    GByteArray *filled = outbox->waiting;
    outbox->waiting = *written;
    pthread_cond_broadcast(&outbox->taken);
    *written = filled;
    bool has_bytes = filled->len > 0;
    pthread_mutex_unlock(&outbox->lock);
    return has_bytes;
}

static void *
writer_thread(void *data)
{
    FmOutbox *outbox = (FmOutbox *)data;
    GByteArray *written = g_byte_array_new();
    bool is_open = true;

    while (is_open && take_waiting(outbox, &written)) {
        is_open = write_all(outbox->descriptor, written->data, written->len);
    }
    g_byte_array_unref(written);

    if (!is_open) {
        pthread_mutex_lock(&outbox->lock);
        outbox->is_broken = true;
        g_byte_array_set_size(outbox->waiting, 0);
        pthread_cond_broadcast(&outbox->taken);
        pthread_mutex_unlock(&outbox->lock);
        outbox->broken_cb(outbox->user_data);
    }
    return NULL;
}

FmOutbox *
fm_outbox_new(int descriptor, FmOutboxBrokenCallback broken, gpointer user_data)
{
    FmOutbox *outbox = g_new0(FmOutbox, 1);

    outbox->descriptor = descriptor;
    outbox->broken_cb = broken;
    outbox->user_data = user_data;
    outbox->waiting = g_byte_array_new();
    pthread_mutex_init(&outbox->lock, NULL);
    pthread_cond_init(&outbox->changed, NULL);
    pthread_cond_init(&outbox->taken, NULL);
    if (pthread_create(&outbox->thread, NULL, writer_thread, outbox) != 0) {
        g_error("The system has no thread left for the worker's output");
    }
    return outbox;
}

void
fm_outbox_free(FmOutbox *outbox)
{
    if (outbox == NULL) {
        return;
    }
    g_byte_array_unref(outbox->waiting);
    pthread_cond_destroy(&outbox->changed);
    pthread_cond_destroy(&outbox->taken);
    pthread_mutex_destroy(&outbox->lock);
    g_free(outbox);
}

void
fm_outbox_emit(FmOutbox *outbox, FmFrameKind kind, const void *payload, gsize length)
{
    pthread_mutex_lock(&outbox->lock);
    if (!outbox->is_broken) {
        fm_frame_encode(outbox->waiting, kind, outbox->sequence++, payload, length);
        outbox->peak = MAX(outbox->peak, outbox->waiting->len);
        pthread_cond_signal(&outbox->changed);
    }
    pthread_mutex_unlock(&outbox->lock);
}

void
fm_outbox_emit_variant(FmOutbox *outbox, FmFrameKind kind, GVariant *dictionary)
{
    pthread_mutex_lock(&outbox->lock);
    fm_frame_encode_variant(outbox->waiting, kind, outbox->sequence++, dictionary);
    if (outbox->is_broken) {
        g_byte_array_set_size(outbox->waiting, 0);
    }
    outbox->peak = MAX(outbox->peak, outbox->waiting->len);
    pthread_cond_signal(&outbox->changed);
    pthread_mutex_unlock(&outbox->lock);
}

void
fm_outbox_note(FmOutbox *outbox, const char *kind, const FmMessage *text)
{
    g_auto(GVariantDict) dictionary = G_VARIANT_DICT_INIT(NULL);

    g_variant_dict_insert(&dictionary, "kind", "s", kind);
    fm_message_insert(&dictionary, "text", text);
    fm_outbox_emit_variant(outbox, FM_FRAME_NOTE, g_variant_dict_end(&dictionary));
}

void
fm_outbox_wait_taken(FmOutbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    while (outbox->waiting->len > 0 && !outbox->is_broken) {
        pthread_cond_wait(&outbox->taken, &outbox->lock);
    }
    pthread_mutex_unlock(&outbox->lock);
}

void
fm_outbox_finish(FmOutbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    outbox->is_closing = true;
    pthread_cond_signal(&outbox->changed);
    pthread_mutex_unlock(&outbox->lock);
    pthread_join(outbox->thread, NULL);
}

uint64_t
fm_outbox_get_peak(FmOutbox *outbox)
{
    pthread_mutex_lock(&outbox->lock);
    uint64_t peak = outbox->peak;
    pthread_mutex_unlock(&outbox->lock);
    return peak;
}
