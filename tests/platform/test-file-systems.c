/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Targets on real file systems: what is told about them, what the guard says, and how
 * it ends when they are full (BUGS 20, 21, 22, 23, 32).  Needs the right to mount.
 */
#include "base/error.h"
#include "engine/guard.h"
#include "engine/test-file.h"
#include "platform/platform.h"
#include "platform/process.h"
#include "tests/platform/tree.h"
#include "tests/platform/volume.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

static const uint64_t mib = 1024 * 1024;

static FmTarget *
examine(const char *path)
{
    GError *error = NULL;
    FmTarget *target = plat_target_examine(path, &error);
    g_assert_no_error(error);
    return target;
}

static const char *
get_text(const FmTarget *target, const char *name)
{
    const char *text = fm_facts_get_string(target->facts, name);
    return text != NULL ? text : "(unknown)";
}

static bool
check(FmTarget *target, uint64_t size, bool allow, GError **error)
{
    FmGuardOptions options = {.size = size, .keep_free = 0, .allow_buffered = allow};
    return fm_guard_check_file(target, &options, error);
}

/* --- Verdicts ----------------------------------------------------------------- */

static void
test_tmpfs_is_memory(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_mount(&volumes, "tmpfs", "tmpfs", "size=64m") : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(FmTarget) target = examine(point);
    g_assert_cmpint(target->verdict, ==, FM_VERDICT_MEMORY);
    g_assert_nonnull(
        strstr(fm_message_get_text(target->verdict_reason), "memory (tmpfs), not a drive"));

    g_autoptr(GError) error = NULL;
    g_assert_false(check(target, 8 * mib, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_cmpuint(volumes_count_files(point), ==, 0);

    g_clear_error(&error);
    g_assert_true(check(target, 8 * mib, true, &error));
    g_assert_no_error(error);
    g_assert_cmpint(target->verdict, ==, FM_VERDICT_MEMORY);
    g_assert_cmpuint(target->size, ==, 8 * mib);
    volumes_tear_down(&volumes);
}

/* The loop device that does direct I/O is the drive here, and nobody else uses it. */
static void
test_counters_prove_direct(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes)
            ? volumes_add(&volumes, 64, "mkfs.ext4 -q -E lazy_itable_init=0", "rw", true)
            : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    bool direct = false;
    g_assert_cmpstr(get_text(target, "fs.summary"), ==, "ext4");
    g_assert_true(fm_facts_get_bool(target->facts, "stack.loop-direct", &direct));
    if (!direct || target->verdict == FM_VERDICT_MEMORY) {
        g_test_skip("no direct loop device on a drive can be had here");
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GPtrArray) drives = plat_target_drives(point);
    g_assert_cmpuint(drives->len, ==, 1);
    g_assert_cmpuint(((const FmDriveInfo *)drives->pdata[0])->size, ==, 64 * mib);
    g_assert_true(check(target, 16 * mib, false, &error));
    g_assert_no_error(error);
    g_assert_cmpstr(fm_verdict_name(target->verdict), ==, "direct");
    g_assert_cmpuint(volumes_count_files(point), ==, 0);
    volumes_tear_down(&volumes);
}

static void
enter_own_group_cb(gpointer user_data)
{
    setpgid(0, 0);
}

/* Another process reads the same drive all the time: our own account still proves it. */
static void
test_busy_drive_is_not_called_cached(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 96, "mkfs.ext4 -q", "rw", true) : NULL;
    g_autoptr(FmTarget) target = point != NULL ? examine(point) : NULL;
    bool direct = false;
    if (target != NULL && target->verdict != FM_VERDICT_MEMORY &&
        fm_facts_get_bool(target->facts, "stack.loop-direct", &direct) && direct) {
        g_autofree char *line = g_strdup_printf(
            "sh -c 'while dd if=/dev/%s of=/dev/null bs=1M iflag=direct; do :; done'",
            get_text(target, "stack.drives"));
        g_auto(GStrv) arguments = NULL;
        g_autoptr(GError) error = NULL;
        GPid other;
        g_assert_true(g_shell_parse_argv(line, NULL, &arguments, NULL));
        GSpawnFlags flags =
            G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDERR_TO_DEV_NULL;
        g_assert_true(
            g_spawn_async(NULL, arguments, NULL, flags, enter_own_group_cb, NULL, &other, &error));
        bool allowed = check(target, 16 * mib, false, &error);
        kill(-other, SIGKILL);
        waitpid(other, NULL, 0);
        g_assert_no_error(error);
        g_assert_true(allowed);
        g_test_message("%s: %s", fm_verdict_name(target->verdict),
                       fm_message_get_text(target->verdict_reason));
        uint64_t read_bytes;
        uint64_t written_bytes;
        bool has_own = plat_process_counters(&read_bytes, &written_bytes);
        g_assert_cmpint(target->verdict, !=, FM_VERDICT_MAY_BE_CACHED);
        g_assert_true(!has_own || target->verdict == FM_VERDICT_DIRECT);
    }
    volumes_tear_down(&volumes);
}

static void
test_cached_loop_needs_a_yes(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 48, "mkfs.ext4 -q", "rw", false) : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    g_assert_false(check(target, 8 * mib, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_cmpint(target->verdict, ==, FM_VERDICT_MAY_BE_CACHED);
    g_clear_error(&error);
    g_assert_true(check(target, 8 * mib, true, &error));
    g_assert_no_error(error);
    volumes_tear_down(&volumes);
}

static void
test_overlay_is_followed_to_its_drive(void)
{
    Volumes volumes = {0};
    g_autofree char *below =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 48, "mkfs.ext4 -q", "rw", false) : NULL;
    g_autofree char *point = NULL;
    if (below != NULL) {
        g_assert_true(volumes_run("mkdir '%s/l' '%s/u' '%s/w'", below, below, below));
        g_autofree char *options =
            g_strdup_printf("lowerdir=%s/l,upperdir=%s/u,workdir=%s/w", below, below, below);
        point = volumes_mount(&volumes, "overlay", "overlay", options);
    }
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    uint64_t read_bytes;
    uint64_t written_bytes;
    g_assert_cmpstr(get_text(target, "fs.type"), ==, "overlay");
    g_assert_nonnull(strstr(get_text(target, "stack.drives"), "loop"));
    g_assert_true(plat_target_counters(point, &read_bytes, &written_bytes));
    g_assert_true(check(target, 4 * mib, true, &error));
    g_assert_no_error(error);
    g_assert_cmpint(target->verdict, ==, FM_VERDICT_MAY_BE_CACHED);
    volumes_tear_down(&volumes);
}

/* A program stands between us and the drive; it may or may not keep data. */
static void
test_fuse_needs_proof(void)
{
    Volumes volumes = {0};
    g_autofree char *point = volumes_set_up(&volumes)
                                 ? volumes_add(&volumes, 64, "mkfs.ntfs -q -F -f", "rw", true)
                                 : NULL;
    if (point != NULL) {
        g_autoptr(GError) error = NULL;
        g_autoptr(FmTarget) target = examine(point);
        g_test_message("%s on %s", get_text(target, "fs.summary"),
                       get_text(target, "stack.description"));
        g_assert_nonnull(strstr(get_text(target, "stack.drives"), "loop"));
        g_assert_true(check(target, 8 * mib, true, &error));
        g_assert_no_error(error);
        g_test_message("%s", fm_message_get_text(target->verdict_reason));
        /* ntfs-3g answers reads from memory, and the counters give it away. */
        g_assert_cmpint(target->verdict, ==, FM_VERDICT_MAY_BE_CACHED);
        g_assert_cmpuint(volumes_count_files(point), ==, 0);
    }
    volumes_tear_down(&volumes);
}

/* --- What is told ------------------------------------------------------------- */

static void
test_compressing_btrfs(void)
{
    Volumes volumes = {0};
    g_autofree char *point = volumes_set_up(&volumes) ? volumes_add(&volumes, 128, "mkfs.btrfs -q",
                                                                    "compress-force=zstd", false)
                                                      : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    g_assert_cmpstr(get_text(target, "fs.summary"), ==, "btrfs, zstd, CoW");
    g_assert_nonnull(strstr(get_text(target, "fs.options"), "compress-force=zstd"));
    g_assert_nonnull(strstr(get_text(target, "stack.drives"), "loop"));

    FmTestFileOptions options = {.size = 4 * mib, .seed = 7};
    g_autoptr(FmTestFile) file = fm_test_file_new(target, &options, &error);
    g_assert_no_error(error);
    g_assert_true(fm_test_file_fill(file, &error));
    fm_test_file_add_facts(file, target->facts);
    uint64_t value = 0;
    g_assert_true(fm_facts_get_uint(target->facts, "file.extents", &value) && value > 0);
    g_assert_true(fm_facts_get_uint(target->facts, "file.unwritten-bytes", &value));
    g_assert_cmpuint(value, ==, 0);
    g_assert_true(fm_guard_check_stored(target, false, &error));

    /* Zeros hardly reach the drive. */
    options.data = FM_DATA_ZERO;
    g_autoptr(FmTestFile) zeros = fm_test_file_new(target, &options, &error);
    g_assert_no_error(error);
    g_assert_true(fm_test_file_fill(zeros, &error));
    fm_test_file_add_facts(zeros, target->facts);
    g_assert_false(fm_guard_check_stored(target, false, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
    g_assert_nonnull(strstr(error->message, "4 MiB of the test file compressed"));
    g_clear_error(&error);
    g_assert_true(fm_guard_check_stored(target, true, &error));
    g_assert_cmpint(target->verdict, ==, FM_VERDICT_MAY_BE_CACHED);
    g_clear_pointer(&zeros, fm_test_file_free);

    options.no_cow = true;
    g_autoptr(FmTestFile) in_place = fm_test_file_new(target, &options, &error);
    g_assert_no_error(error);
    fm_test_file_add_facts(in_place, target->facts);
    bool no_cow = false;
    g_assert_true(fm_facts_get_bool(target->facts, "file.no-copy-on-write", &no_cow) && no_cow);

    g_clear_pointer(&file, fm_test_file_free);
    g_clear_pointer(&in_place, fm_test_file_free);
    g_assert_cmpuint(volumes_count_files(point), ==, 0);

    /* A folder that says no, in either word, overrules the mount. */
    static const char *const words[] = {"no", "none"};
    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (setxattr(point, "btrfs.compression", words[i], strlen(words[i]), 0) == 0) {
            g_autoptr(FmTarget) plain = examine(point);
            g_assert_cmpstr(get_text(plain, "fs.compression"), ==, "none");
        }
    }
    volumes_tear_down(&volumes);
}

static void
test_one_entry_for_subvolumes(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 128, "mkfs.btrfs -q", "rw", false) : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(FmTarget) target = examine(point);
    g_autofree char *device = g_strconcat("/dev/", get_text(target, "stack.drives"), NULL);
    for (int i = 0; i < 3; i++) {
        g_autofree char *options = g_strdup_printf("subvol=s%d", i);
        g_assert_true(volumes_run("btrfs -q subvolume create '%s/s%d'", point, i));
        g_autofree char *sub = volumes_mount(&volumes, "btrfs", device, options);
        g_assert_nonnull(sub);
        /* Each subvolume leads to the same drive. */
        g_autoptr(FmTarget) other = examine(sub);
        g_assert_cmpstr(get_text(other, "stack.drives"), ==, get_text(target, "stack.drives"));
    }
    g_autofree char *bind = g_build_filename(volumes.root, "bind", NULL);
    g_assert_cmpint(g_mkdir(bind, 0755), ==, 0);
    g_assert_true(volumes_run("mount --bind '%s/s0' '%s'", point, bind));
    g_ptr_array_add(volumes.points, g_strdup(bind));

    g_autoptr(GPtrArray) drives = plat_drives();
    unsigned seen = 0;
    for (guint i = 0; i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)drives->pdata[i];
        if (strcmp(drive->node, device) == 0) {
            seen++;
            g_assert_cmpuint(drive->mounts->len, ==, 1);
            const FmMountInfo *mount = (const FmMountInfo *)drive->mounts->pdata[0];
            g_assert_cmpstr(mount->path, ==, point);
        }
    }
    g_assert_cmpuint(seen, ==, 1);
    volumes_tear_down(&volumes);
}

static void
test_read_only_is_refused(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 16, "mkfs.ext4 -q", "ro", false) : NULL;
    if (point != NULL) {
        g_autoptr(GError) error = NULL;
        g_assert_null(plat_target_examine(point, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_DENIED);
        g_assert_nonnull(strstr(error->message, "read-only"));
    }
    volumes_tear_down(&volumes);
}

/* --- Unwritten data ----------------------------------------------------------- */

static void
test_foreign_files_are_refused(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 64, "mkfs.ext4 -q", "rw", false) : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_assert_true(volumes_run("truncate -s 32M '%s/sparse'", point));
    g_assert_true(volumes_run("fallocate -l 16M '%s/reserved'", point));
    g_assert_true(
        volumes_run("cp '%s/reserved' '%s/fathom-test-0123456789abcdef.dat'", point, point));
    static const char *const names[] = {"sparse", "reserved", "fathom-test-0123456789abcdef.dat"};
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(point, names[i], NULL);
        struct stat before;
        struct stat after;
        g_assert_cmpint(stat(path, &before), ==, 0);
        g_autoptr(GError) error = NULL;
        g_autoptr(FmTarget) target = examine(path);
        g_assert_cmpint(target->kind, ==, FM_TARGET_FILE);
        g_assert_false(check(target, 4 * mib, true, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
        g_assert_nonnull(strstr(error->message, "not a test file of Fathom"));
        g_assert_true(i == 2 || strstr(error->message, "never written") != NULL);

        g_clear_error(&error);
        FmTestFileOptions options = {.size = 4 * mib};
        g_assert_null(fm_test_file_new(target, &options, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_UNSAFE);
        g_assert_cmpint(stat(path, &after), ==, 0);
        g_assert_cmpint(before.st_blocks, ==, after.st_blocks);
        g_assert_cmpint(before.st_mtim.tv_nsec, ==, after.st_mtim.tv_nsec);
    }
    volumes_tear_down(&volumes);
}

/* --- Full --------------------------------------------------------------------- */

/* Makes and fills a file that can't be made whole: the sentence, and nothing left. */
static void
assert_fill_fails(const char *point, const FmTestFileOptions *options, FmErrorCode code)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    unsigned before = volumes_count_files(point);
    FmTestFile *file = fm_test_file_new(target, options, &error);
    if (file != NULL) {
        g_assert_false(fm_test_file_fill(file, &error));
    }
    g_test_message("%s", error->message);
    g_assert_error(error, FM_ERROR, (int)code);
    g_assert_nonnull(strstr(error->message, " at offset "));
    g_assert_nonnull(strstr(error->message, " of 64 MiB "));
    g_assert_nonnull(strstr(error->message, point));
    fm_test_file_free(file);
    g_assert_cmpuint(volumes_count_files(point), <=, before);
}

static void
test_too_small_volume(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 40, "mkfs.ext4 -q", "rw", false) : NULL;
    if (point == NULL) {
        volumes_tear_down(&volumes);
        return;
    }
    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(point);
    g_assert_false(check(target, 64 * mib, true, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
    g_assert_nonnull(strstr(error->message, "does not fit"));
    g_assert_nonnull(strstr(error->message, "ask for at most"));

    FmTestFileOptions options = {.size = 64 * mib};
    assert_fill_fails(point, &options, FM_ERROR_NO_SPACE);
    g_assert_cmpuint(volumes_count_files(point), ==, 0);
    volumes_tear_down(&volumes);
}

/* Another process takes the rest of the volume once half of the file is written. */
static bool
fill_volume_cb(gpointer user_data, uint64_t done, uint64_t total)
{
    const char *point = (const char *)user_data;
    if (done >= total / 2) {
        volumes_run("sh -c 'cat /dev/urandom > \"%s/other\"'", point);
    }
    return true;
}

static void
test_second_process_fills_the_volume(void)
{
    Volumes volumes = {0};
    g_autofree char *point = volumes_set_up(&volumes)
                                 ? volumes_add(&volumes, 120, "mkfs.btrfs -q -M", "rw", false)
                                 : NULL;
    if (point != NULL) {
        FmTestFileOptions options = {
            .size = 64 * mib, .progress = fill_volume_cb, .user_data = point};
        g_autoptr(GError) error = NULL;
        g_autoptr(FmTarget) target = examine(point);
        g_autoptr(FmTestFile) file = fm_test_file_new(target, &options, &error);
        g_assert_no_error(error);
        g_assert_false(fm_test_file_fill(file, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
        g_test_message("%s", error->message);
        g_assert_nonnull(strstr(error->message, "No space left on device at offset "));
        g_clear_pointer(&file, fm_test_file_free);
        g_assert_cmpuint(volumes_count_files(point), ==, 1); /* the other's */
    }
    volumes_tear_down(&volumes);
}

/* A device that promises more than it has: the error comes from below the file system. */
static void
test_thin_device_runs_full(void)
{
    Volumes volumes = {0};
    g_autofree char *memory =
        volumes_set_up(&volumes) ? volumes_mount(&volumes, "tmpfs", "tmpfs", "size=32m") : NULL;
    volumes.images = memory;
    g_autofree char *point =
        memory != NULL ? volumes_add(&volumes, 1024, "mkfs.ext4 -q -O ^has_journal", "rw", false)
                       : NULL;
    if (point != NULL) {
        g_autoptr(FmTarget) target = examine(point);
        g_assert_cmpint(target->verdict, ==, FM_VERDICT_MEMORY);
        FmTestFileOptions options = {.size = 64 * mib};
        g_autoptr(GError) error = NULL;
        g_autoptr(FmTestFile) file = fm_test_file_new(target, &options, &error);
        g_assert_no_error(error);
        g_assert_false(fm_test_file_fill(file, &error));
        g_test_message("%s", error->message);
        g_assert_nonnull(strstr(error->message, " at offset "));
        g_clear_pointer(&file, fm_test_file_free);
        g_assert_cmpuint(volumes_count_files(point), ==, 0);
    }
    volumes_tear_down(&volumes);
}

static void
test_file_size_limit(void)
{
    g_autofree char *folder = g_dir_make_tmp("fathom-limit-XXXXXX", NULL);
    struct rlimit before;
    plat_process_guard_signals();
    g_assert_cmpint(getrlimit(RLIMIT_FSIZE, &before), ==, 0);
    struct rlimit small = {.rlim_cur = 10 * mib, .rlim_max = before.rlim_max};
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &small), ==, 0);

    g_autoptr(GError) error = NULL;
    g_autoptr(FmTarget) target = examine(folder);
    g_assert_cmpuint(target->free_bytes, <=, 10 * mib);
    g_assert_false(check(target, 64 * mib, true, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
    g_assert_nonnull(strstr(error->message, "ask for at most 10 MiB"));

    g_clear_error(&error);
    FmTestFileOptions options = {.size = 64 * mib};
    g_autoptr(FmTestFile) file = fm_test_file_new(target, &options, &error);
    g_assert_no_error(error);
    g_assert_false(fm_test_file_fill(file, &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_NO_SPACE);
    g_assert_nonnull(strstr(error->message, "File too large at offset 10 MiB of 64 MiB"));
    g_clear_pointer(&file, fm_test_file_free);
    g_assert_cmpint(setrlimit(RLIMIT_FSIZE, &before), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

/* --- Slow --------------------------------------------------------------------- */

typedef struct {
    uint64_t done;
    uint64_t piece; /* the last one */
    unsigned calls;
} Pieces;

static bool
watch_pieces_cb(gpointer user_data, uint64_t done, uint64_t total)
{
    Pieces *pieces = (Pieces *)user_data;
    pieces->piece = done - pieces->done;
    pieces->done = done;
    return ++pieces->calls < 6;
}

/* Stop is looked at after each piece, so pieces shrink where they take long. */
static void
test_slow_volume(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes) ? volumes_add(&volumes, 64, "mkfs.ext4 -q", "rw", true) : NULL;
    if (point != NULL && volumes_slow_down(&volumes, point, 4)) {
        Pieces pieces = {0};
        FmTestFileOptions options = {
            .size = 32 * mib, .progress = watch_pieces_cb, .user_data = &pieces};
        g_autoptr(GError) error = NULL;
        g_autoptr(FmTarget) target = examine(point);
        g_autoptr(FmTestFile) file = fm_test_file_new(target, &options, &error);
        g_assert_no_error(error);
        g_assert_false(fm_test_file_fill(file, &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_CANCELLED);
        g_assert_cmpuint(pieces.calls, ==, 6);
        g_assert_cmpuint(pieces.piece, <=, 256 * 1024);
        g_clear_pointer(&file, fm_test_file_free);
        g_assert_cmpuint(volumes_count_files(point), ==, 0);
    }
    volumes_tear_down(&volumes);
}

/* --- Other users -------------------------------------------------------------- */

/* An ordinary user on the volume, in a process of its own.  Returns its exit code. */
static int
run_as_nobody(int (*body)(const char *folder), const char *folder)
{
    pid_t child = fork();
    g_assert_cmpint(child, >=, 0);
    if (child == 0) {
        bool dropped = setresgid(65534, 65534, 65534) == 0 && setresuid(65534, 65534, 65534) == 0;
        _exit(dropped ? body(folder) : 99);
    }
    int status = 0;
    g_assert_cmpint(waitpid(child, &status, 0), ==, child);
    g_assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int
fill_over_quota(const char *folder)
{
    GError *error = NULL;
    FmTarget *target = plat_target_examine(folder, &error);
    uint64_t left = 0;
    if (target == NULL || !fm_facts_get_uint(target->facts, "fs.quota-user-bytes", &left) ||
        left != 8 * mib || target->free_bytes != 8 * mib) {
        return 1;
    }
    FmTestFileOptions options = {.size = 16 * mib};
    FmTestFile *file = fm_test_file_new(target, &options, &error);
    if (file != NULL && fm_test_file_fill(file, &error)) {
        return 2;
    }
    fm_test_file_free(file);
    return g_error_matches(error, FM_ERROR, FM_ERROR_NO_SPACE) &&
                   g_str_has_prefix(error->message, "Disk quota exceeded at offset ")
               ? 0
               : 3;
}

static void
test_quota(void)
{
    Volumes volumes = {0};
    g_autofree char *point =
        volumes_set_up(&volumes)
            ? volumes_add(&volumes, 64, "mkfs.ext4 -q -O quota", "usrquota", false)
            : NULL;
    if (point != NULL) {
        g_autoptr(FmTarget) target = examine(point);
        g_autofree char *device = g_strconcat("/dev/", get_text(target, "stack.drives"), NULL);
        struct dqblk quota = {.dqb_bhardlimit = 8 * 1024, .dqb_valid = QIF_BLIMITS};
        if (quotactl(QCMD((unsigned)Q_SETQUOTA, USRQUOTA), device, 65534, (caddr_t)&quota) != 0) {
            g_test_skip("this kernel has no quotas");
        } else {
            g_assert_cmpint(g_chmod(point, 0777), ==, 0);
            g_assert_cmpint(g_chmod(volumes.root, 0755), ==, 0);
            g_assert_cmpint(run_as_nobody(fill_over_quota, point), ==, 0);
            g_assert_cmpuint(volumes_count_files(point), ==, 0);
        }
    }
    volumes_tear_down(&volumes);
}

static int
examine_forbidden(const char *folder)
{
    GError *error = NULL;
    FmTarget *target = plat_target_examine(folder, &error);
    return target == NULL && g_error_matches(error, FM_ERROR, FM_ERROR_DENIED) &&
                   strstr(error->message, "You may not write to") != NULL
               ? 0
               : 1;
}

static void
test_forbidden_folder(void)
{
    if (geteuid() != 0) {
        g_test_skip("needs a second user");
        return;
    }
    g_autofree char *folder = g_dir_make_tmp("fathom-forbidden-XXXXXX", NULL);
    g_assert_cmpint(g_chmod(folder, 0755), ==, 0);
    g_assert_cmpint(run_as_nobody(examine_forbidden, folder), ==, 0);
    g_assert_cmpint(g_rmdir(folder), ==, 0);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    plat_process_guard_signals();
    g_test_add_func("/platform/file-systems/tmpfs-is-memory", test_tmpfs_is_memory);
    g_test_add_func("/platform/file-systems/counters-prove-direct", test_counters_prove_direct);
    g_test_add_func("/platform/file-systems/busy-drive-is-not-called-cached",
                    test_busy_drive_is_not_called_cached);
    g_test_add_func("/platform/file-systems/cached-loop-needs-a-yes", test_cached_loop_needs_a_yes);
    g_test_add_func("/platform/file-systems/overlay-is-followed-to-its-drive",
                    test_overlay_is_followed_to_its_drive);
    g_test_add_func("/platform/file-systems/fuse-needs-proof", test_fuse_needs_proof);
    g_test_add_func("/platform/file-systems/compressing-btrfs-says-so", test_compressing_btrfs);
    g_test_add_func("/platform/file-systems/one-entry-for-subvolumes",
                    test_one_entry_for_subvolumes);
    g_test_add_func("/platform/file-systems/read-only-is-refused", test_read_only_is_refused);
    g_test_add_func("/platform/file-systems/foreign-files-are-refused-and-untouched",
                    test_foreign_files_are_refused);
    g_test_add_func("/platform/file-systems/too-small-volume-names-the-place",
                    test_too_small_volume);
    g_test_add_func("/platform/file-systems/second-process-fills-the-volume",
                    test_second_process_fills_the_volume);
    g_test_add_func("/platform/file-systems/thin-device-runs-full", test_thin_device_runs_full);
    g_test_add_func("/platform/file-systems/file-size-limit-names-the-place", test_file_size_limit);
    g_test_add_func("/platform/file-systems/slow-volume-shrinks-the-pieces", test_slow_volume);
    g_test_add_func("/platform/file-systems/quota-limits-and-names-the-place", test_quota);
    g_test_add_func("/platform/file-systems/forbidden-folder-is-denied", test_forbidden_folder);
    return tree_run_tests();
}
