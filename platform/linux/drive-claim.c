/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two things stand for a drive that is being measured, and the kernel takes both away
 * when their process ends, however it ends.  Among the runs of one user (of one state
 * folder) a lock on a file there, exclusive while somebody asks and shared from then on.
 * Among the users of the machine a socket address that lies in no folder, so that nobody
 * needs a right to it and nothing is left behind.  Host only.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ADDRESS "io.github.fathom.Fathom/drive/"

enum { BACKLOG = 128 /* those who ask for whose it is are never answered */ };

struct FmDriveClaim {
    GArray *descriptors; /* of int */
};

static int
open_lock(const char *drive)
{
    g_autofree char *state = plat_state_dir();
    g_autofree char *folder = g_build_filename(state, "drives", NULL);
    g_autofree char *path = g_build_filename(folder, drive, NULL);

    g_mkdir_with_parents(folder, 0700);
    return open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
}

/* True when no other run of this state folder has the drive. */
static bool
lock_among_own(FmDriveClaim *claim, const char *drive)
{
    int descriptor = open_lock(drive);

    if (descriptor < 0) {
        return true; /* nothing can be told, and the run's own entry will say what is wrong */
    }
    bool is_free = flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    /* So that any number of runs that are allowed to share it keep it taken. */
    flock(descriptor, LOCK_SH | LOCK_NB);
    g_array_append_val(claim->descriptors, descriptor);
    return is_free;
}

static socklen_t
fill_address(struct sockaddr_un *address, const char *drive)
{
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    /* A zero first: an abstract address, see unix(7). */
    g_snprintf(address->sun_path + 1, sizeof address->sun_path - 1, ADDRESS "%s", drive);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address->sun_path + 1));
}

/* Whether somebody else than this user holds @address. */
static bool
is_foreign(const struct sockaddr_un *address, socklen_t length)
{
    struct ucred owner;
    socklen_t size = sizeof owner;
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool is_known = descriptor >= 0 &&
                    connect(descriptor, (const struct sockaddr *)address, length) == 0 &&
                    getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0;

    if (descriptor >= 0) {
        close(descriptor);
    }
    return is_known && owner.uid != geteuid();
}

/* True when no run of another user has the drive. */
static bool
bind_among_users(FmDriveClaim *claim, const char *drive)
{
    struct sockaddr_un address;
    socklen_t length = fill_address(&address, drive);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (descriptor < 0) {
        return true;
    }
    if (bind(descriptor, (const struct sockaddr *)&address, length) == 0 &&
        listen(descriptor, BACKLOG) == 0) {
        g_array_append_val(claim->descriptors, descriptor);
        return true;
    }
    bool is_taken = errno == EADDRINUSE;
    close(descriptor);
    return !is_taken || !is_foreign(&address, length);
}

FmDriveClaim *
plat_drive_claim_new(const char *const *drives, bool shared, FmDriveClash *clash)
{
    FmDriveClaim *claim = g_new0(FmDriveClaim, 1);

    claim->descriptors = g_array_new(FALSE, FALSE, sizeof(int));
    *clash = (FmDriveClash){0};
    for (; *drives != NULL; drives++) {
        bool is_free = lock_among_own(claim, *drives);
        bool is_own = bind_among_users(claim, *drives);
        if (clash->drive == NULL && (!is_free || !is_own)) {
            *clash = (FmDriveClash){.drive = *drives, .is_foreign = !is_own};
        }
    }
    if (clash->drive != NULL && !shared) {
        g_clear_pointer(&claim, plat_drive_claim_free);
    }
    return claim;
}

void
plat_drive_claim_free(FmDriveClaim *claim)
{
    if (claim == NULL) {
        return;
    }
    for (guint i = 0; i < claim->descriptors->len; i++) {
        close(g_array_index(claim->descriptors, int, i));
    }
    g_array_unref(claim->descriptors);
    g_free(claim);
}
