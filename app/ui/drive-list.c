/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Nothing is asked of a drive itself: sysfs, the table of mounts and what file systems say
 * of their space.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/drive-list.h"

#include "base/text.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

struct _FmDriveList {
    GObject parent_instance;
    GPtrArray *rows;
    FmDriveWatch *watch;
    bool is_reading;
    bool is_stale; /* something happened while they were read */
};

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmDriveList, fm_drive_list, G_TYPE_OBJECT)

/* --- Rows ---------------------------------------------------------------------------------- */

static void
mount_free_cb(gpointer data)
{
    FmDriveMount *mount = (FmDriveMount *)data;

    g_free(mount->path);
    g_free(mount->file_system);
    g_free(mount->folder);
    g_free(mount);
}

static void
row_free_cb(gpointer data)
{
    FmDriveRow *row = (FmDriveRow *)data;

    fm_drive_info_free(row->info);
    g_ptr_array_unref(row->mounts);
    g_free(row);
}

static bool
is_below(const char *path, const char *folder)
{
    gsize length = strlen(folder);

    return strcmp(folder, "/") == 0 ||
           (g_str_has_prefix(path, folder) && (path[length] == '/' || path[length] == '\0'));
}

/* The user's own folder where it lies on this file system, else all of it if one may write
 * there. */
static char *
find_folder(const FmMountInfo *mount, const char *home_mount)
{
    if (mount->read_only) {
        return NULL;
    }
    if (g_strcmp0(mount->path, home_mount) == 0) {
        return g_strdup(g_get_home_dir());
    }
    return g_access(mount->path, W_OK) == 0 ? g_strdup(mount->path) : NULL;
}

static void
read_space(FmDriveMount *mount)
{
    g_autoptr(GFile) file = g_file_new_for_path(mount->path);
    g_autoptr(GFileInfo) space = g_file_query_filesystem_info(
        file, G_FILE_ATTRIBUTE_FILESYSTEM_SIZE "," G_FILE_ATTRIBUTE_FILESYSTEM_FREE, NULL, NULL);

    if (space != NULL) {
        mount->size = g_file_info_get_attribute_uint64(space, G_FILE_ATTRIBUTE_FILESYSTEM_SIZE);
        mount->free_bytes =
            g_file_info_get_attribute_uint64(space, G_FILE_ATTRIBUTE_FILESYSTEM_FREE);
    }
}

static gint
compare_mounts_cb(gconstpointer a, gconstpointer b)
{
    const FmDriveMount *first = *(const FmDriveMount *const *)a;
    const FmDriveMount *second = *(const FmDriveMount *const *)b;

    return strcmp(first->path, second->path);
}

static FmDriveRow *
build_row(FmDriveInfo *drive, const char *home_mount)
{
    FmDriveRow *row = g_new0(FmDriveRow, 1);

    row->info = drive;
    row->mounts = g_ptr_array_new_with_free_func(mount_free_cb);
    for (guint i = 0; i < drive->mounts->len; i++) {
        const FmMountInfo *info = (const FmMountInfo *)g_ptr_array_index(drive->mounts, i);
        FmDriveMount *mount = g_new0(FmDriveMount, 1);
        mount->path = g_strdup(info->path);
        mount->file_system = g_strdup(info->file_system);
        mount->read_only = info->read_only;
        mount->folder = find_folder(info, home_mount);
        read_space(mount);
        g_ptr_array_add(row->mounts, mount);
    }
    g_ptr_array_sort(row->mounts, compare_mounts_cb);
    return row;
}

/* The mount point below which the user's folder lies: the longest, since they nest. */
static char *
find_home_mount(GPtrArray *drives)
{
    const char *home = g_get_home_dir();
    const char *found = NULL;

    for (guint i = 0; i < drives->len; i++) {
        const FmDriveInfo *drive = (const FmDriveInfo *)g_ptr_array_index(drives, i);
        for (guint j = 0; j < drive->mounts->len; j++) {
            const FmMountInfo *mount = (const FmMountInfo *)g_ptr_array_index(drive->mounts, j);
            if (is_below(home, mount->path) &&
                (found == NULL || strlen(mount->path) > strlen(found))) {
                found = mount->path;
            }
        }
    }
    return g_strdup(found);
}

/* What is mounted comes first, and real drives before what is made of files or others. */
static int
get_rank(const FmDriveInfo *drive)
{
    static const char *const made[] = {"loop", "dm", "md", NULL};

    return (drive->mounts->len > 0 ? 0 : 2) + (g_strv_contains(made, drive->bus) ? 1 : 0);
}

static gint
compare_drives_cb(gconstpointer a, gconstpointer b)
{
    return get_rank(*(const FmDriveInfo *const *)a) - get_rank(*(const FmDriveInfo *const *)b);
}

static void
read_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    g_autoptr(GPtrArray) drives = plat_drives();
    g_autofree char *home_mount = find_home_mount(drives);
    GPtrArray *rows = g_ptr_array_new_with_free_func(row_free_cb);

    g_ptr_array_sort(drives, compare_drives_cb);
    g_ptr_array_set_free_func(drives, NULL); /* each drive goes to its row */
    for (guint i = 0; i < drives->len; i++) {
        g_ptr_array_add(rows, build_row((FmDriveInfo *)drives->pdata[i], home_mount));
    }
    g_task_return_pointer(task, rows, (GDestroyNotify)g_ptr_array_unref);
}

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmDriveList *list = FM_DRIVE_LIST(source);
    GPtrArray *rows = (GPtrArray *)g_task_propagate_pointer(G_TASK(result), NULL);

    g_clear_pointer(&list->rows, g_ptr_array_unref);
    list->rows = rows;
    list->is_reading = false;
    g_signal_emit(list, signals[CHANGED], 0);
    if (list->is_stale) {
        fm_drive_list_refresh(list);
    }
}

/* --- Names --------------------------------------------------------------------------------- */

const char *
fm_drive_get_bus_name(const FmDriveInfo *drive)
{
    static const struct {
        const char *bus;
        const char *name;
    } names[] = {
        {"nvme", "NVMe"},
        {"sata", "SATA"},
        {"ata", "ATA"},
        {"usb", "USB"},
        {"sas", "SAS"},
        {"scsi", "SCSI"},
        {"virtio", "virtio"},
        {"mmc", "SD/MMC"},
        {"md", N_("Software RAID")},
        {"dm", N_("Device mapper")},
        {"loop", N_("Loop device")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (strcmp(drive->bus, names[i].bus) == 0) {
            return _(names[i].name);
        }
    }
    return drive->bus;
}

char *
fm_drive_dup_name(const FmDriveInfo *drive)
{
    g_autofree char *model = g_strdup(drive->model);

    g_strstrip(model);
    if (*model != '\0') {
        return fm_text_dup_printable(model);
    }
    g_autofree char *node = g_path_get_basename(drive->node);
    const char *bus = fm_drive_get_bus_name(drive);
    return *bus != '\0' ? g_strdup_printf("%s (%s)", bus, node) : g_strdup(node);
}

/* --- GObject ------------------------------------------------------------------------------- */

void
fm_drive_list_refresh(FmDriveList *list)
{
    list->is_stale = list->is_reading;
    if (list->is_reading) {
        return;
    }
    list->is_reading = true;
    g_autoptr(GTask) task = g_task_new(list, NULL, read_cb, NULL);
    g_task_run_in_thread(task, read_thread);
}

GPtrArray *
fm_drive_list_get(FmDriveList *list)
{
    return list->rows;
}

static void
watch_cb(gpointer user_data)
{
    fm_drive_list_refresh(FM_DRIVE_LIST(user_data));
}

static void
fm_drive_list_finalize(GObject *object)
{
    FmDriveList *list = FM_DRIVE_LIST(object);

    plat_drives_watch_free(list->watch);
    g_clear_pointer(&list->rows, g_ptr_array_unref);
    G_OBJECT_CLASS(fm_drive_list_parent_class)->finalize(object);
}

static void
fm_drive_list_class_init(FmDriveListClass *class)
{
    G_OBJECT_CLASS(class)->finalize = fm_drive_list_finalize;
    signals[CHANGED] = g_signal_new("changed", FM_TYPE_DRIVE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                    NULL, G_TYPE_NONE, 0);
}

static void
fm_drive_list_init(FmDriveList *list)
{
    list->watch = plat_drives_watch(watch_cb, list);
}

FmDriveList *
fm_drive_list_new(void)
{
    FmDriveList *list = g_object_new(FM_TYPE_DRIVE_LIST, NULL);

    fm_drive_list_refresh(list);
    return list;
}
