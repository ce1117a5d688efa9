/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom-worker: all benchmark I/O happens in this process.  It is started by a run
 * host, takes frames from standard input and gives frames on standard output; people
 * never type at it.  Links neither GTK nor GIO.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "engine/backends.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "worker/worker.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int
show_usage(FILE *stream, int exit_code)
{
    fputs("fathom-worker " FM_VERSION "\n"
          "Started by fathom-cli and fathom; takes frames from standard input and writes frames\n"
          "to standard output.  To run a benchmark, use “fathom-cli run”.\n",
          stream);
    return exit_code;
}

/* One line each, the best first, for whoever may not link them. */
static int
list_backends(void)
{
    for (const FmBackend *const *backend = fm_backend_probe_order(); *backend; backend++) {
        puts((*backend)->name);
    }
    return FM_EXIT_OK;
}

/* The simulated drives, for the engine, which may not ask the system. */
static void
find_models(void)
{
    g_autofree char *folder = plat_find_data_dir();

    g_setenv("FATHOM_DATA_DIR", folder, FALSE);
}

int
main(int argc, char **argv)
{
    if (argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "--version") == 0)) {
        return show_usage(stdout, FM_EXIT_OK);
    }
    if (argc == 2 && strcmp(argv[1], "--backends") == 0) {
        return list_backends();
    }
    if (argc == 3 && strcmp(argv[1], "--selfcheck") == 0) {
        plat_process_guard_signals();
        return fm_worker_selfcheck(argv[2]);
    }
    if (argc != 1 || isatty(STDIN_FILENO) || isatty(STDOUT_FILENO)) {
        return show_usage(stderr, FM_EXIT_USAGE);
    }
    plat_process_guard_signals();
    plat_process_ignore_requests();
    find_models();
    return fm_worker_run(STDIN_FILENO, STDOUT_FILENO);
}
