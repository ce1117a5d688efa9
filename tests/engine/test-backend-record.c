/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The record filter: it keeps what was taken, in order, and changes nothing.
 */
#include "engine/backend-record.h"

#include "engine/backends.h"

#include <glib/gstdio.h>
#include <string.h>

static FmBackendTarget *
open_record(const char *options)
{
    FmOpenOptions open = {
        .path = "", .file_descriptor = -1, .options = options, .below = &fm_backend_null};
    g_autoptr(GError) error = NULL;
    FmBackendTarget *target = fm_backend_record.open(&open, &error);

    g_assert_no_error(error);
    return target;
}

/* Submits @n requests over a queue of depth 4 and frees it. */
static void
pump(FmBackendTarget *target, unsigned thread, uint8_t *buffer, unsigned n)
{
    FmQueueOptions options = {.depth = 4, .thread_index = thread, .n_threads = 2};
    FmQueue *queue = fm_backend_record.queue_new(target, &options, NULL);
    FmCompletion completions[4];

    for (unsigned i = 0; i < n; i++) {
        FmIo io = {.op = (uint8_t)(i % FM_N_OPS),
                   .offset = i * 512ull,
                   .length = i % FM_N_OPS == FM_OP_FLUSH ? 0 : 512,
                   .buffer = i % FM_N_OPS <= FM_OP_WRITE ? buffer : NULL,
                   .sync = i % FM_N_OPS == FM_OP_WRITE,
                   .slot = (uint16_t)(i % 4)};
        buffer[0] = (uint8_t)i;
        g_assert_cmpint(fm_backend_record.submit(queue, &io, 1), ==, 1);
        g_assert_cmpint(fm_backend_record.reap(queue, completions, 1, 4, -1), ==, 1);
        g_assert_cmpint(completions[0].result, ==, i % FM_N_OPS <= FM_OP_WRITE ? 512 : 0);
    }
    fm_backend_record.queue_free(queue);
}

static void
test_keeps(void)
{
    static _Alignas(4096) uint8_t buffer[512];
    FmBackendTarget *target = open_record("hash");
    size_t n = 0;
    uint64_t n_lost = 0;

    pump(target, 1, buffer, 10);
    pump(target, 0, buffer, 10);
    const FmRecord *records = fm_record_get(target, &n, &n_lost);
    g_assert_cmpuint(n, ==, 20);
    g_assert_cmpuint(n_lost, ==, 0);
    for (unsigned i = 0; i < n; i++) {
        unsigned step = i % 10;
        unsigned op = step % FM_N_OPS;
        g_assert_cmpuint(records[i].number, ==, i);
        g_assert_cmpuint(records[i].thread, ==, i < 10 ? 1 : 0);
        g_assert_cmpuint(records[i].op, ==, op);
        g_assert_cmpuint(records[i].offset, ==, step * 512);
        g_assert_cmpuint(records[i].slot, ==, step % 4);
        g_assert_cmpint(records[i].sync, ==, op == FM_OP_WRITE);
        g_assert_true(records[i].completed);
        g_assert_cmpint(records[i].result, ==, op <= FM_OP_WRITE ? 512 : 0);
        if (op <= FM_OP_WRITE) {
            g_assert_cmpuint(records[i].alignment, >=, 4096);
        }
        buffer[0] = (uint8_t)step;
        g_assert_cmpuint(records[i].hash, ==, op == FM_OP_WRITE ? fm_record_hash(buffer, 512) : 0);
    }
    fm_backend_record.close(target);
}

static void
test_limit(void)
{
    uint8_t buffer[512] = {0};
    FmBackendTarget *target = open_record("limit=7");
    size_t n = 0;
    uint64_t n_lost = 0;

    pump(target, 0, buffer, 10);
    fm_record_get(target, &n, &n_lost);
    g_assert_cmpuint(n, ==, 7);
    g_assert_cmpuint(n_lost, ==, 3);
    fm_backend_record.close(target);
}

static void
test_only_what_was_taken(void)
{
    FmBackendTarget *target = open_record(NULL);
    FmQueueOptions options = {.depth = 2, .n_threads = 1};
    FmQueue *queue = fm_backend_record.queue_new(target, &options, NULL);
    FmIo ios[3] = {{.length = 1}, {.length = 2, .slot = 1}, {.length = 3}};
    FmCompletion completions[2];
    size_t n = 0;
    uint64_t n_lost = 0;

    g_assert_cmpint(fm_backend_record.submit(queue, ios, 3), ==, 2);
    g_assert_cmpint(fm_backend_record.reap(queue, completions, 2, 2, -1), ==, 2);
    fm_backend_record.queue_free(queue);
    const FmRecord *records = fm_record_get(target, &n, &n_lost);
    g_assert_cmpuint(n, ==, 2);
    g_assert_cmpuint(records[1].length, ==, 2);
    fm_backend_record.close(target);
}

static void
test_file(void)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-record-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "requests.csv", NULL);
    g_autofree char *options = g_strdup_printf("file=%s", path);
    g_autofree char *text = NULL;
    uint8_t buffer[512] = {0};
    FmBackendTarget *target = open_record(options);

    pump(target, 0, buffer, 3);
    fm_backend_record.close(target);
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==,
                    "number,thread,op,offset,length,slot,sync,result,hash\n"
                    "0,0,read,0,512,0,0,512,0000000000000000\n"
                    "1,0,write,512,512,1,1,512,0000000000000000\n"
                    "2,0,trim,1024,512,2,0,0,0000000000000000\n");
    g_assert_cmpint(g_remove(path), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/backend-record/keeps-every-request-in-order", test_keeps);
    g_test_add_func("/engine/backend-record/counts-what-is-beyond-the-limit", test_limit);
    g_test_add_func("/engine/backend-record/keeps-only-what-was-taken", test_only_what_was_taken);
    g_test_add_func("/engine/backend-record/writes-a-file", test_file);
    return g_test_run();
}
