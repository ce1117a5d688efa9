/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Status codes of completions (errno values here) and the signal that gets a thread
 * out of the kernel.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/error.h"
#include "platform/platform-io.h"

#include <glib/gi18n.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

const char *
plat_status_text(int code)
{
    const char *text = strerrordesc_np(code);
    return text != NULL ? text : N_("unknown status");
}

int
plat_status_fold(int code)
{
    return (int)fm_error_from_errno(code);
}

static void
ignore_signal_cb(int number)
{
}

void
plat_wake_init(void)
{
    /* No SA_RESTART: the whole point is that the call returns. */
    struct sigaction action = {.sa_handler = ignore_signal_cb};

    sigemptyset(&action.sa_mask);
    sigaction(SIGURG, &action, NULL);
}

uint64_t
plat_wake_self(void)
{
    return (uint64_t)syscall(SYS_gettid);
}

void
plat_wake_thread(uint64_t thread)
{
    syscall(SYS_tgkill, getpid(), (pid_t)thread, SIGURG);
}
