/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Real file systems for tests.  Touches only images it made itself.
 */
#include "tests/platform/volume.h"

#include "tests/platform/tree.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static bool
enter_namespace(void)
{
    static bool inside;
    if (!inside) {
        inside = geteuid() == 0 && unshare(CLONE_NEWNS) == 0 &&
                 mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0;
    }
    return inside;
}

bool
volumes_set_up(Volumes *volumes)
{
    if (!enter_namespace()) {
        g_test_skip("needs the right to mount");
        return false;
    }
    /* Not in /tmp, which is memory on many systems: then every verdict is memory. */
    volumes->root = g_mkdtemp(g_strdup("/var/tmp/fathom-volumes-XXXXXX"));
    g_assert_nonnull(volumes->root);
    volumes->images = volumes->root;
    volumes->points = g_ptr_array_new_with_free_func(g_free);
    return true;
}

static bool
write_text(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    bool well = descriptor >= 0 && write(descriptor, text, strlen(text)) == (ssize_t)strlen(text);
    if (descriptor >= 0) {
        close(descriptor);
    }
    return well;
}

static void
leave_group(Volumes *volumes)
{
    if (volumes->group == NULL) {
        return;
    }
    g_autofree char *parent = g_path_get_dirname(volumes->group);
    g_autofree char *self = g_strdup_printf("%d", (int)getpid());
    if (!write_text(parent, "cgroup.procs", self) || g_rmdir(volumes->group) != 0) {
        g_test_message("the control group %s stays behind", volumes->group);
    }
    g_clear_pointer(&volumes->group, g_free);
}

/* Makes the group below @parent and sets the limits of device @number in it. */
static bool
enter_group(Volumes *volumes, const char *parent, const char *number, unsigned iops)
{
    g_autofree char *self = g_strdup_printf("%d", (int)getpid());
    g_autofree char *name = g_strdup_printf("fathom-test-%s", self);
    g_autofree char *one = g_strdup_printf("%s %u", number, iops);
    g_autofree char *two = g_strdup_printf("%s riops=%u wiops=%u", number, iops, iops);
    volumes->group = g_build_filename(parent, name, NULL);
    if (g_mkdir(volumes->group, 0755) != 0) {
        g_clear_pointer(&volumes->group, g_free);
        return false;
    }
    bool limited = (write_text(volumes->group, "blkio.throttle.read_iops_device", one) &&
                    write_text(volumes->group, "blkio.throttle.write_iops_device", one)) ||
                   write_text(volumes->group, "io.max", two);
    if (limited && write_text(volumes->group, "cgroup.procs", self)) {
        return true;
    }
    leave_group(volumes);
    return false;
}

static char *
dup_device_number(const char *point)
{
    struct stat status;
    g_assert_cmpint(stat(point, &status), ==, 0);
    return g_strdup_printf("%u:%u", major(status.st_dev), minor(status.st_dev));
}

bool
volumes_slow_down(Volumes *volumes, const char *point, unsigned iops)
{
    static const char *const parents[] = {"/sys/fs/cgroup/blkio", "/sys/fs/cgroup"};
    g_autofree char *number = dup_device_number(point);
    for (gsize i = 0; i < G_N_ELEMENTS(parents); i++) {
        if (enter_group(volumes, parents[i], number, iops)) {
            return true;
        }
    }
    g_test_skip("no control group of the block layer can be had here");
    return false;
}

void
volumes_tear_down(Volumes *volumes)
{
    if (volumes->root == NULL) {
        return;
    }
    leave_group(volumes);
    for (guint i = volumes->points->len; i > 0; i--) {
        umount2((const char *)volumes->points->pdata[i - 1], MNT_DETACH);
    }
    g_clear_pointer(&volumes->points, g_ptr_array_unref);
    tree_remove(volumes->root);
    g_clear_pointer(&volumes->root, g_free);
}

static bool
run_line(const char *line, char **output)
{
    g_auto(GStrv) arguments = NULL;
    g_autofree char *complaint = NULL;
    int status = 0;
    g_assert_true(g_shell_parse_argv(line, NULL, &arguments, NULL));
    bool started = g_spawn_sync(NULL, arguments, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, output,
                                &complaint, &status, NULL);
    bool well = started && g_spawn_check_wait_status(status, NULL);
    if (!well) {
        g_test_message("%s: %s", line, complaint != NULL ? complaint : "not found");
    }
    return well;
}

bool
volumes_run(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *line = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_autofree char *output = NULL;
    return run_line(line, &output);
}

static char *
make_point(Volumes *volumes)
{
    g_autofree char *name = g_strdup_printf("mount-%u", volumes->points->len);
    char *point = g_build_filename(volumes->root, name, NULL);
    g_assert_cmpint(g_mkdir(point, 0755), ==, 0);
    return point;
}

char *
volumes_mount(Volumes *volumes, const char *type, const char *source, const char *options)
{
    g_autofree char *point = make_point(volumes);
    if (!volumes_run("mount -t %s -o '%s' '%s' '%s'", type, options, source, point)) {
        g_autofree char *reason =
            g_strdup_printf("%s with “%s” can't be mounted here", type, options);
        g_test_skip(reason);
        g_rmdir(point);
        return NULL;
    }
    g_ptr_array_add(volumes->points, g_strdup(point));
    return g_steal_pointer(&point);
}

/* The device detaches itself once its last user is gone. */
static char *
mount_image(Volumes *volumes, const char *image, const char *options, bool direct)
{
    g_autofree char *line =
        g_strdup_printf("losetup --find --show %s '%s'", direct ? "--direct-io=on" : "", image);
    g_autofree char *device = NULL;
    if (!run_line(line, &device)) {
        g_test_skip("no loop device can be had here");
        return NULL;
    }
    g_strstrip(device);
    char *point = volumes_mount(volumes, "auto", device, options);
    g_assert_true(volumes_run("losetup --detach '%s'", device));
    return point;
}

char *
volumes_add(Volumes *volumes, unsigned mib, const char *mkfs, const char *options, bool direct)
{
    g_autofree char *name = g_strdup_printf("image-%u", volumes->points->len);
    g_autofree char *image = g_build_filename(volumes->images, name, NULL);
    int descriptor = open(image, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    g_assert_cmpint(descriptor, >=, 0);
    g_assert_cmpint(ftruncate(descriptor, (off_t)mib << 20), ==, 0);
    close(descriptor);
    if (!volumes_run("%s '%s'", mkfs, image)) {
        g_autofree char *reason = g_strdup_printf("“%s” does not work here", mkfs);
        g_test_skip(reason);
        return NULL;
    }
    return mount_image(volumes, image, options, direct);
}

unsigned
volumes_count_files(const char *folder)
{
    unsigned n = 0;
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    g_assert_nonnull(entries);
    const char *name;
    while ((name = g_dir_read_name(entries)) != NULL) {
        n += strcmp(name, "lost+found") != 0;
    }
    return n;
}
