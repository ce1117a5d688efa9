/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * "fathom-worker --selfcheck FOLDER": one line a check on standard output, fields
 * separated by tabs: result, id, backend, message as GVariant text.  fathom-cli makes a
 * table of it.  A refusal is a last line whose result is "refused".
 * Main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "worker/worker.h"

#include "base/error.h"
#include "engine/selfcheck.h"
#include "platform/platform-io.h"
#include "platform/platform.h"

#include <stdio.h>

static void
print_line(const char *result, const char *id, const char *backend, const FmMessage *text)
{
    g_autoptr(GVariant) message = g_variant_ref_sink(fm_message_to_variant(text));
    g_autofree char *printed = g_variant_print(message, FALSE);

    printf("%s\t%s\t%s\t%s\n", result, id, backend != NULL ? backend : "", printed);
    fflush(stdout);
}

static void
check_cb(const FmCheck *check, gpointer user_data)
{
    bool *is_good = (bool *)user_data;

    *is_good = *is_good && check->result != FM_CHECK_NOT_OK;
    print_line(fm_check_result_name(check->result), check->id, check->backend, check->text);
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
        g_autoptr(FmMessage) reason = fm_error_dup_message(error);
        print_line("refused", "", NULL, reason);
        return FM_EXIT_REFUSED;
    }
    return is_good ? FM_EXIT_OK : FM_EXIT_FAILED;
}
