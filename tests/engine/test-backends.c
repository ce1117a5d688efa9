/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Backends by name, and the null backend.
 */
#include "engine/backends.h"

#include "base/error.h"

#include <string.h>

static void
test_find(void)
{
    static const char *const names[] = {"null", "sim", "fault", "record"};

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        const FmBackend *backend = fm_backend_find(names[i]);
        g_assert_nonnull(backend);
        g_assert_cmpstr(backend->name, ==, names[i]);
        for (const FmBackend *const *probe = fm_backend_probe_order(); *probe; probe++) {
            g_assert_true(*probe != backend);
        }
    }
    for (const FmBackend *const *probe = fm_backend_probe_order(); *probe; probe++) {
        g_assert_true(fm_backend_find((*probe)->name) == *probe);
    }
    g_assert_null(fm_backend_find("floppy"));
    g_assert_null(fm_backend_find(""));
}

static void
test_parse(void)
{
    static const struct {
        const char *text;
        const FmBackend *backend;
        const FmBackend *below;
    } cases[] = {
        {"null", &fm_backend_null, NULL},
        {"fault:null", &fm_backend_fault, &fm_backend_null},
        {"record:sim", &fm_backend_record, &fm_backend_sim},
        {"fault", NULL, NULL},
        {"null:sim", NULL, NULL},
        {"fault:record", NULL, NULL},
        {"fault:floppy", NULL, NULL},
        {"floppy", NULL, NULL},
        {"", NULL, NULL},
        {":", NULL, NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const FmBackend *below = NULL;
        const FmBackend *backend = fm_backend_parse(cases[i].text, &below, &error);
        g_assert_true(backend == cases[i].backend);
        if (backend) {
            g_assert_no_error(error);
            g_assert_true(below == cases[i].below);
        } else {
            g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
        }
    }
}

static void
test_caps(void)
{
    uint32_t caps = fm_backend_get_caps(&fm_backend_fault, &fm_backend_sim);

    g_assert_cmphex(caps, ==, fm_backend_sim.caps);
    g_assert_cmphex(fm_backend_get_caps(&fm_backend_null, NULL), ==, fm_backend_null.caps);
}

static void
test_null_completes_at_reap(void)
{
    FmOpenOptions open = {.path = "", .file_descriptor = -1, .size = 1 << 30};
    FmBackendTarget *target = fm_backend_null.open(&open, NULL);
    FmQueueOptions options = {.depth = 3, .n_threads = 1};
    FmQueue *queue = fm_backend_null.queue_new(target, &options, NULL);
    FmIo ios[4] = {
        {.op = FM_OP_READ, .length = 4096, .slot = 2},
        {.op = FM_OP_WRITE, .length = 512, .slot = 0},
        {.op = FM_OP_TRIM, .length = 512, .slot = 1},
        {.op = FM_OP_READ, .length = 512, .slot = 0},
    };
    FmCompletion completions[4];

    g_assert_cmpint(fm_backend_null.submit(queue, ios, 4), ==, 3);
    g_assert_cmpint(fm_backend_null.reap(queue, completions, 1, 2, -1), ==, 2);
    g_assert_cmpint(fm_backend_null.reap(queue, completions + 2, 1, 2, -1), ==, 1);
    g_assert_cmpint(completions[0].slot, ==, 2);
    g_assert_cmpint(completions[0].result, ==, 4096);
    g_assert_cmpint(completions[1].slot, ==, 0);
    g_assert_cmpint(completions[1].result, ==, 512);
    g_assert_cmpint(completions[2].slot, ==, 1);
    g_assert_cmpint(completions[2].result, ==, 0);
    fm_backend_null.queue_free(queue);
    fm_backend_null.close(target);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/engine/backends/found-by-name", test_find);
    g_test_add_func("/engine/backends/only-filters-stand-over-others", test_parse);
    g_test_add_func("/engine/backends/filter-can-what-is-below", test_caps);
    g_test_add_func("/engine/backends/null-completes-at-reap", test_null_completes_at_reap);
    return g_test_run();
}
