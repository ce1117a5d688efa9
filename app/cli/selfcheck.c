/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selfcheck: proves on the user's own machine what no test of ours can.  The worker
 * does it, since it is the only one that does benchmark I/O; what it prints is shown as
 * it is.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/cli.h"
#include "platform/platform.h"

#include <gio/gio.h>
#include <glib/gi18n.h>

static int
run_selfcheck(const FmCommand *command, int argc, char **argv)
{
    const GOptionEntry entries[] = {{NULL}};
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autofree char *worker = plat_find_program("fathom-worker");
    g_autofree char *target = g_canonicalize_filename(argv[1], NULL);
    const char *arguments[] = {worker, "--selfcheck", target, NULL};
    g_autoptr(GSubprocess) process = g_subprocess_newv(arguments, G_SUBPROCESS_FLAGS_NONE, &error);

    if (process == NULL || !g_subprocess_wait(process, NULL, &error)) {
        fm_cli_fail(error);
        return FM_EXIT_FAILED;
    }
    return g_subprocess_get_if_exited(process) ? g_subprocess_get_exit_status(process)
                                               : FM_EXIT_FAILED;
}

const FmCommand fm_command_selfcheck = {
    .name = "selfcheck",
    .arguments = N_("TARGET"),
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = N_("proves on this machine that what Fathom relies on is true"),
    .details = N_("Checks on a small test file in the folder TARGET, which is removed again."),
    .examples = {{"selfcheck .", N_("Checks this folder and what is below it.")}},
    .run = run_selfcheck,
};
