/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Signals, sessions and standard descriptors of our own processes on Linux.  Main
 * thread, before other threads exist.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/process.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

void
plat_process_guard_signals(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void
plat_process_ignore_requests(void)
{
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTSTP, SIG_IGN);
}

void
plat_process_detach(void)
{
    signal(SIGHUP, SIG_IGN);
    /* Fails only for the leader of a process group, which then already has a group of
     * its own; the ignored SIGHUP covers that case. */
    (void)setsid();
    if (chdir("/") != 0) {
        g_debug("the working folder stays in use");
    }
    umask(077);
}

void
plat_process_watch_requests(GSourceFunc callback, gpointer user_data)
{
    g_unix_signal_add(SIGINT, callback, user_data);
    g_unix_signal_add(SIGTERM, callback, user_data);
}

void
plat_process_hold_stdio(void)
{
    int descriptor;

    do {
        descriptor = open("/dev/null", O_RDWR);
    } while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    if (descriptor > STDERR_FILENO) {
        close(descriptor);
    }
}

void
plat_process_release_stdio(void)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0) {
        return;
    }
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        dup2(null, descriptor);
    }
    if (null > STDERR_FILENO) {
        close(null);
    }
}

unsigned
plat_process_get_columns(int descriptor)
{
    struct winsize size = {0};
    if (!isatty(descriptor)) {
        return 0;
    }
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) {
        return 80;
    }
    return size.ws_col;
}
