/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "fathom-worker --selfcheck FOLDER": one line a check on standard output, fields
 * separated by tabs: result, id, backend, sentence.  fathom-cli makes a table of it.
 * Main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "worker/worker.h"

#include "base/error.h"
#include "base/text.h"
#include "engine/selfcheck.h"
#include "platform/platform-io.h"
#include "platform/platform.h"

#include <stdio.h>

static void
check_cb(const FmCheck *check, gpointer user_data)
{
    bool *is_good = (bool *)user_data;
    g_autofree char *text = fm_text_dup_printable(check->text);

    *is_good = *is_good && check->result != FM_CHECK_NOT_OK;
    printf("%s\t%s\t%s\t%s\n", fm_check_result_name(check->result), check->id,
           check->backend != NULL ? check->backend : "", text);
    fflush(stdout);
}

int
fm_worker_selfcheck(const char *path)
{
    g_autoptr(GError) error = NULL;
    bool is_good = true;

    plat_clock_init();
    plat_wake_init();
    g_autoptr(FmTarget) target = plat_target_examine(path, &error);
    if (target == NULL || !fm_selfcheck_run_target(target, check_cb, &is_good, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return FM_EXIT_REFUSED;
    }
    return is_good ? FM_EXIT_OK : FM_EXIT_FAILED;
}
