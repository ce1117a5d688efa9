/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel tells of drives on a netlink socket and of mounts by making its table ready,
 * so that nothing is asked again and again while somebody measures.  Main thread of the
 * window; no I/O on any drive.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include <fcntl.h>
#include <gio/gio.h>
#include <glib-unix.h>
#include <linux/netlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    /* One stick makes a dozen events; they are told as one. */
    SETTLE_MS = 300,
    KERNEL_GROUP = 1,
};

struct FmDriveWatch {
    int events; /* netlink; -1 = not possible */
    int mounts; /* the table of mounts; -1 = not possible */
    guint events_source;
    guint mounts_source;
    guint settle_timer;
    FmDrivesCallback changed;
    gpointer user_data;
};

static gboolean
settled_cb(gpointer user_data)
{
    FmDriveWatch *watch = (FmDriveWatch *)user_data;

    watch->settle_timer = 0;
    watch->changed(watch->user_data);
    return G_SOURCE_REMOVE;
}

static void
settle(FmDriveWatch *watch)
{
    if (watch->settle_timer == 0) {
        watch->settle_timer = g_timeout_add(SETTLE_MS, settled_cb, watch);
    }
}

/* An event is strings, each with its NUL; only those of block devices are ours. */
static bool
is_of_block(const char *event, gsize length)
{
    static const char subsystem[] = "SUBSYSTEM=block";

    return memmem(event, length, subsystem, sizeof(subsystem)) != NULL;
}

static gboolean
event_cb(int descriptor, GIOCondition condition, gpointer user_data)
{
    FmDriveWatch *watch = (FmDriveWatch *)user_data;
    char event[8192];
    gssize length;

    while ((length = recv(descriptor, event, sizeof(event), MSG_DONTWAIT)) > 0) {
        if (is_of_block(event, (gsize)length)) {
            settle(watch);
        }
    }
    return G_SOURCE_CONTINUE;
}

static gboolean
mounts_cb(int descriptor, GIOCondition condition, gpointer user_data)
{
    /* The condition is gone as soon as poll() has told of it (proc_pid_mountinfo(5)). */
    settle((FmDriveWatch *)user_data);
    return G_SOURCE_CONTINUE;
}

static int
open_events(void)
{
    int descriptor =
        socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = KERNEL_GROUP};

    if (descriptor >= 0 && bind(descriptor, (struct sockaddr *)&address, sizeof(address)) != 0) {
        close(descriptor);
        return -1;
    }
    return descriptor;
}

FmDriveWatch *
plat_drives_watch(FmDrivesCallback changed, gpointer user_data)
{
    FmDriveWatch *watch = g_new0(FmDriveWatch, 1);

    watch->changed = changed;
    watch->user_data = user_data;
    watch->events = open_events();
    watch->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
    if (watch->events >= 0) {
        watch->events_source = g_unix_fd_add(watch->events, G_IO_IN, event_cb, watch);
    }
    if (watch->mounts >= 0) {
        watch->mounts_source = g_unix_fd_add(watch->mounts, G_IO_PRI | G_IO_ERR, mounts_cb, watch);
    }
    return watch;
}

void
plat_drives_watch_free(FmDriveWatch *watch)
{
    if (watch == NULL) {
        return;
    }
    g_clear_handle_id(&watch->events_source, g_source_remove);
    g_clear_handle_id(&watch->mounts_source, g_source_remove);
    g_clear_handle_id(&watch->settle_timer, g_source_remove);
    if (watch->events >= 0) {
        close(watch->events);
    }
    if (watch->mounts >= 0) {
        close(watch->mounts);
    }
    g_free(watch);
}
