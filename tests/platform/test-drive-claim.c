/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Claims on drives that only this test has names for: a lock belongs to whoever opened
 * it, so one process can be several runs.
 */
#include "platform/platform.h"
#include "tests/platform/tree.h"

#include <glib/gstdio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ORDINARY_USER = 65534 };

static char *names[3]; /* of drives; NULL at the end */

static FmDriveClaim *
claim(unsigned first, bool shared, FmDriveClash *clash)
{
    return plat_drive_claim_new((const char *const *)names + first, shared, clash);
}

static void
test_one_at_a_time(void)
{
    FmDriveClash clash;
    FmDriveClaim *both = claim(0, false, &clash);

    g_assert_nonnull(both);
    g_assert_null(clash.drive);
    g_assert_null(claim(1, false, &clash));
    g_assert_cmpstr(clash.drive, ==, names[1]);
    g_assert_false(clash.is_foreign);
    plat_drive_claim_free(both);
    g_autoptr(FmDriveClaim) second = claim(1, false, &clash);
    g_assert_nonnull(second);
}

/* A refused claim takes nothing away, and of several that share the last one counts. */
static void
test_shared(void)
{
    FmDriveClash clash;
    FmDriveClaim *first = claim(0, false, &clash);
    FmDriveClaim *second = claim(0, true, &clash);

    g_assert_nonnull(first);
    g_assert_nonnull(second);
    g_assert_cmpstr(clash.drive, ==, names[0]);
    plat_drive_claim_free(first);
    g_assert_null(claim(0, false, &clash));
    plat_drive_claim_free(second);
    g_autoptr(FmDriveClaim) last = claim(0, true, &clash);
    g_assert_nonnull(last);
    g_assert_null(clash.drive);
}

/* In the child: claims as another user until the pipe breaks.  That one may not write to our
 * state folder, and so has no lock there. */
static void
be_another_user(int ready, int end)
{
    FmDriveClash clash;
    char byte = 0;

    g_assert_cmpint(setuid(ORDINARY_USER), ==, 0);
    FmDriveClaim *theirs = claim(0, false, &clash);
    byte = theirs != NULL;
    g_assert_cmpint(write(ready, &byte, 1), ==, 1);
    g_assert_cmpint(read(end, &byte, 1), ==, 0);
    plat_drive_claim_free(theirs);
    _exit(0);
}

static void
test_among_users(void)
{
    FmDriveClash clash;
    int ready[2];
    int end[2];
    char byte = 0;
    int status;

    if (geteuid() != 0) {
        g_test_skip("only root can be another user");
        return;
    }
    g_assert_cmpint(pipe(ready), ==, 0);
    g_assert_cmpint(pipe(end), ==, 0);
    pid_t child = fork();
    if (child == 0) {
        close(end[1]);
        be_another_user(ready[1], end[0]);
    }
    close(end[0]);
    g_assert_cmpint(read(ready[0], &byte, 1), ==, 1);
    g_assert_cmpint(byte, ==, 1);
    g_assert_null(claim(0, false, &clash));
    g_assert_cmpstr(clash.drive, ==, names[0]);
    g_assert_true(clash.is_foreign);
    close(end[1]);
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_cmpint(status, ==, 0);
    g_autoptr(FmDriveClaim) ours = claim(0, false, &clash);
    g_assert_nonnull(ours);
    close(ready[0]);
    close(ready[1]);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    names[0] = g_strdup_printf("test%d-0", (int)getpid());
    names[1] = g_strdup_printf("test%d-1", (int)getpid());
    g_test_add_func("/platform/drive-claim/one-run-at-a-time", test_one_at_a_time);
    g_test_add_func("/platform/drive-claim/shared-only-with-a-yes", test_shared);
    g_test_add_func("/platform/drive-claim/other-users-count-too", test_among_users);
    return tree_run_tests();
}
