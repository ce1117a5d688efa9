/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of drives from sysfs and the mount table.  Opens no device, so it needs no
 * right and wakes no drive.  Identity strings come from the drives and are hostile.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/platform.h"

#include "platform/linux/block.h"
#include "platform/linux/mounts.h"
#include "platform/linux/pcie.h"
#include "platform/linux/place.h"
#include "platform/linux/sysfs.h"

#include <stdlib.h>
#include <string.h>

/* --- Which and what ----------------------------------------------------------- */

/* Memory, optical and floppy drives, hidden paths of a multipath drive, and loop and
 * network block devices that are bound to nothing. */
static bool
is_listed(const char *name, const char *directory, uint64_t size)
{
    static const char *const never[] = {"ram", "zram", "sr", "fd"};
    for (gsize i = 0; i < G_N_ELEMENTS(never); i++) {
        gsize length = strlen(never[i]);
        if (strncmp(name, never[i], length) == 0 && g_ascii_isdigit(name[length])) {
            return false;
        }
    }
    uint64_t hidden;
    if (plat_sysfs_read_uint(directory, "hidden", &hidden) && hidden != 0) {
        return false;
    }
    bool bound_later = g_str_has_prefix(name, "loop") || g_str_has_prefix(name, "nbd") ||
                       g_str_has_prefix(name, "dm-") || g_str_has_prefix(name, "md");
    return size > 0 || !bound_later;
}

static const char *
bus_of(const char *name, const char *directory)
{
    static const struct {
        const char *prefix;
        const char *bus;
    } names[] = {
        {"nvme", "nvme"},   {"loop", "loop"}, {"dm-", "dm"},     {"md", "md"},
        {"mmcblk", "mmc"},  {"vd", "virtio"}, {"xvd", "xen"},    {"nbd", "network"},
        {"rbd", "network"}, {"pmem", "pmem"}, {"nullb", "null"},
    };
    static const struct {
        const char *part;
        const char *bus;
    } paths[] = {
        {"/usb", "usb"},
        {"/ata", "sata"},
        {"/virtio", "virtio"},
        {"/host", "scsi"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
        if (g_str_has_prefix(name, names[i].prefix)) {
            return names[i].bus;
        }
    }
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        if (strstr(directory, paths[i].part) != NULL) {
            return paths[i].bus;
        }
    }
    return "";
}

/* --- Identity ----------------------------------------------------------------- */

/* The first attribute that has text; "" when none has. */
static char *
read_first(const char *directory, const char *const *names)
{
    for (; *names != NULL; names++) {
        char *text = plat_sysfs_read(directory, *names);
        if (text != NULL) {
            return text;
        }
    }
    return g_strdup("");
}

/* SCSI and SATA: page 0x80 of the vital product data, four bytes before the text. */
static char *
read_scsi_serial(const char *directory)
{
    g_autofree char *path = g_build_filename(directory, "device", "vpd_pg80", NULL);
    g_autofree char *page = NULL;
    gsize length = 0;
    if (!g_file_get_contents(path, &page, &length, NULL) || length <= 4) {
        return NULL;
    }
    g_autofree char *text = g_strndup(page + 4, length - 4);
    return plat_clean_text(text);
}

static void
add_identity(FmDriveInfo *drive, const char *directory)
{
    static const char *const models[] = {"device/model", "device/name", NULL};
    static const char *const serials[] = {"device/serial", "serial", NULL};
    static const char *const firmwares[] = {"device/firmware_rev", "device/fwrev", "device/rev",
                                            NULL};
    g_free(drive->model);
    drive->model = read_first(directory, models);
    g_free(drive->serial);
    drive->serial = read_first(directory, serials);
    if (drive->serial[0] == '\0') {
        char *serial = read_scsi_serial(directory);
        if (serial != NULL) {
            g_free(drive->serial);
            drive->serial = serial;
        }
    }
    g_free(drive->firmware);
    drive->firmware = read_first(directory, firmwares);

    g_autofree char *vendor = plat_sysfs_read(directory, "device/vendor");
    bool scsi = strcmp(drive->bus, "usb") == 0 || strcmp(drive->bus, "scsi") == 0;
    if (scsi && vendor != NULL && strcmp(vendor, "ATA") != 0) {
        char *both = g_strconcat(vendor, " ", drive->model, NULL);
        g_free(drive->model);
        drive->model = both;
    }
}

/* --- Facts -------------------------------------------------------------------- */

static void
add_queue_facts(FmFacts *facts, const char *directory)
{
    g_autofree char *scheduler = plat_sysfs_read(directory, "queue/scheduler");
    g_autofree char *chosen = scheduler != NULL ? plat_bracketed_word(scheduler) : NULL;
    if (chosen != NULL) {
        fm_facts_set_string(facts, "drive.scheduler", chosen);
    } else {
        fm_facts_set_unknown(facts, "drive.scheduler", "the kernel does not tell");
    }
    plat_sysfs_fact_string(facts, "drive.write-cache", directory, "queue/write_cache");
    plat_sysfs_fact_string(facts, "drive.zoned", directory, "queue/zoned");

    static const struct {
        const char *fact;
        const char *attribute;
    } numbers[] = {
        {"drive.io-poll", "queue/io_poll"},
        {"drive.fua", "queue/fua"},
        {"drive.discard-max-bytes", "queue/discard_max_bytes"},
        {"drive.discard-granularity-bytes", "queue/discard_granularity"},
        {"drive.max-io-kib", "queue/max_sectors_kb"},
        {"drive.max-hardware-io-kib", "queue/max_hw_sectors_kb"},
        {"drive.requests", "queue/nr_requests"},
        {"drive.rq-affinity", "queue/rq_affinity"},
        {"drive.no-merges", "queue/nomerges"},
        {"drive.optimal-io-bytes", "queue/optimal_io_size"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
        plat_sysfs_fact_uint(facts, numbers[i].fact, directory, numbers[i].attribute);
    }

    g_autofree char *contexts = g_build_filename(directory, "mq", NULL);
    g_auto(GStrv) queues = plat_sysfs_list(contexts);
    if (queues[0] != NULL) {
        fm_facts_set_uint(facts, "drive.hardware-queues", g_strv_length(queues));
    }
}

/* -1 is the kernel's word for "no particular node". */
static void
add_numa_node(FmFacts *facts, const char *directory)
{
    static const char *const places[] = {"device/numa_node", "device/device/numa_node", NULL};
    g_autofree char *text = read_first(directory, places);
    gint64 node;
    if (g_ascii_string_to_signed(text, 10, -1, G_MAXINT32, &node, NULL)) {
        fm_facts_set_int(facts, "drive.numa-node", node);
    } else {
        fm_facts_set_unknown(facts, "drive.numa-node", "the kernel does not tell");
    }
}

static void
add_names(FmFacts *facts, const char *fact, const char *directory, const char *folder)
{
    g_autofree char *path = g_build_filename(directory, folder, NULL);
    g_auto(GStrv) names = plat_sysfs_list(path);
    if (names[0] != NULL) {
        g_autofree char *list = g_strjoinv(", ", names);
        fm_facts_set_string(facts, fact, list);
    }
}

/* What else stands on it or under it. */
static void
add_stack_facts(FmFacts *facts, const char *directory, char **partitions)
{
    add_names(facts, "drive.stands-on", directory, "slaves");
    add_names(facts, "drive.used-by", directory, "holders");
    for (char **partition = partitions; *partition != NULL; partition++) {
        g_autofree char *folder = g_build_filename(directory, *partition, NULL);
        g_autofree char *fact = g_strdup_printf("drive.used-by.%s", *partition);
        add_names(facts, fact, folder, "holders");
    }
    if (partitions[0] != NULL) {
        g_autofree char *list = g_strjoinv(", ", partitions);
        fm_facts_set_string(facts, "drive.partitions", list);
    }
    static const struct {
        const char *fact;
        const char *attribute;
    } texts[] = {
        {"drive.backing-file", "loop/backing_file"},
        {"drive.backing-direct", "loop/dio"},
        {"drive.mapper-name", "dm/name"},
        {"drive.raid-level", "md/level"},
        {"drive.wwid", "wwid"},
        {"drive.wwid", "device/wwid"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autofree char *text = plat_sysfs_read(directory, texts[i].attribute);
        if (text != NULL) {
            fm_facts_set_string(facts, texts[i].fact, text);
        }
    }
}

/* --- Mounts ------------------------------------------------------------------- */

static char **
list_partitions(const char *directory)
{
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    g_auto(GStrv) names = plat_sysfs_list(directory);
    for (char **name = names; *name != NULL; name++) {
        g_autofree char *mark = g_build_filename(directory, *name, "partition", NULL);
        if (g_file_test(mark, G_FILE_TEST_EXISTS)) {
            g_ptr_array_add(found, g_strdup(*name));
        }
    }
    g_ptr_array_add(found, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&found), FALSE);
}

/* Whether @a shows a file system better than @b: writable, all of it, short path. */
static bool
is_better(const FmMount *a, const FmMount *b)
{
    bool whole_a = strcmp(a->root, "/") == 0;
    bool whole_b = strcmp(b->root, "/") == 0;
    if (a->read_only != b->read_only) {
        return !a->read_only;
    }
    return whole_a != whole_b ? whole_a : strlen(a->point) < strlen(b->point);
}

/*
 * One mount for each file system, told apart by its device number: bind mounts have
 * that of their file system, and the mount table gives all subvolumes of a btrfs the
 * same one.  autofs only waits for something to be mounted.
 */
static GPtrArray *
choose_mounts(const GPtrArray *mounts)
{
    GPtrArray *chosen = g_ptr_array_new();
    g_autoptr(GHashTable) places = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < mounts->len; i++) {
        FmMount *mount = (FmMount *)mounts->pdata[i];
        bool on_device = mount->major != 0 || g_str_has_prefix(mount->source, "/dev/");
        if (!on_device || strcmp(mount->type, "autofs") == 0) {
            continue;
        }
        char *number = g_strdup_printf("%u:%u", mount->major, mount->minor);
        gpointer place;
        if (!g_hash_table_lookup_extended(places, number, NULL, &place)) {
            g_hash_table_insert(places, number, GUINT_TO_POINTER(chosen->len));
            g_ptr_array_add(chosen, mount);
            continue;
        }
        g_free(number);
        if (is_better(mount, (const FmMount *)chosen->pdata[GPOINTER_TO_UINT(place)])) {
            chosen->pdata[GPOINTER_TO_UINT(place)] = mount;
        }
    }
    return chosen;
}

/* Names of block devices -> GPtrArray of FmMount that lie on them. */
static GHashTable *
map_mounts(const GPtrArray *mounts)
{
    GHashTable *map =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    g_autoptr(GPtrArray) chosen = choose_mounts(mounts);
    for (guint i = 0; i < chosen->len; i++) {
        FmMount *mount = (FmMount *)chosen->pdata[i];
        g_autoptr(GPtrArray) blocks = plat_block_list_of_mount(mount, mounts);
        for (guint b = 0; b < blocks->len; b++) {
            const FmBlock *block = (const FmBlock *)blocks->pdata[b];
            GPtrArray *list = (GPtrArray *)g_hash_table_lookup(map, block->name);
            if (list == NULL) {
                list = g_ptr_array_new();
                g_hash_table_insert(map, g_strdup(block->name), list);
            }
            g_ptr_array_add(list, mount);
        }
    }
    return map;
}

static void
add_mounts_of(FmDriveInfo *drive, GHashTable *map, const char *name)
{
    const GPtrArray *list = (const GPtrArray *)g_hash_table_lookup(map, name);
    for (guint i = 0; list != NULL && i < list->len; i++) {
        const FmMount *mount = (const FmMount *)list->pdata[i];
        bool read_only = mount->read_only || drive->read_only;
        g_autofree char *type = plat_clean_text(mount->type);
        g_ptr_array_add(drive->mounts, fm_mount_info_new(mount->point, type, read_only));
    }
}

static int
compare_mounts(gconstpointer a, gconstpointer b)
{
    const FmMountInfo *left = *(const FmMountInfo *const *)a;
    const FmMountInfo *right = *(const FmMountInfo *const *)b;
    if (left->read_only != right->read_only) {
        return left->read_only ? 1 : -1;
    }
    return strcmp(left->path, right->path);
}

/* --- A drive ------------------------------------------------------------------ */

static uint64_t
read_uint_or(const char *directory, const char *name, uint64_t otherwise)
{
    uint64_t value;
    return plat_sysfs_read_uint(directory, name, &value) ? value : otherwise;
}

static FmDriveInfo *
drive_read(const char *name, const char *directory, GHashTable *mounts)
{
    uint64_t sectors = read_uint_or(directory, "size", 0);
    if (!is_listed(name, directory, sectors)) {
        return NULL;
    }
    FmDriveInfo *drive = fm_drive_info_new();
    g_autofree char *clean = plat_clean_text(name);
    g_free(drive->node);
    drive->node = g_strconcat("/dev/", g_strdelimit(clean, "!", '/'), NULL);
    g_free(drive->bus);
    drive->bus = g_strdup(bus_of(name, directory));
    add_identity(drive, directory);
    drive->size = sectors * 512; /* sysfs counts in 512 bytes whatever the block size */
    drive->logical_block = (uint32_t)read_uint_or(directory, "queue/logical_block_size", 0);
    drive->physical_block = (uint32_t)read_uint_or(directory, "queue/physical_block_size", 0);
    drive->rotational = read_uint_or(directory, "queue/rotational", 0) != 0;
    drive->removable = read_uint_or(directory, "removable", 0) != 0;
    drive->read_only = read_uint_or(directory, "ro", 0) != 0;

    g_auto(GStrv) partitions = list_partitions(directory);
    add_queue_facts(drive->facts, directory);
    add_numa_node(drive->facts, directory);
    add_stack_facts(drive->facts, directory, partitions);
    plat_pcie_add_facts(drive->facts, directory);

    add_mounts_of(drive, mounts, name);
    for (char **partition = partitions; *partition != NULL; partition++) {
        add_mounts_of(drive, mounts, *partition);
    }
    g_ptr_array_sort(drive->mounts, compare_mounts);
    return drive;
}

static int
compare_drives(gconstpointer a, gconstpointer b)
{
    const FmDriveInfo *left = *(const FmDriveInfo *const *)a;
    const FmDriveInfo *right = *(const FmDriveInfo *const *)b;
    g_autofree char *key_left = g_utf8_collate_key_for_filename(left->node, -1);
    g_autofree char *key_right = g_utf8_collate_key_for_filename(right->node, -1);
    return strcmp(key_left, key_right);
}

/* @only: names to take, or NULL = all. */
static GPtrArray *
list_drives(const GPtrArray *only)
{
    GPtrArray *drives = g_ptr_array_new_with_free_func((GDestroyNotify)fm_drive_info_free);
    g_autoptr(GPtrArray) table = plat_mounts_read();
    g_autoptr(GHashTable) mounts = map_mounts(table);
    g_autofree char *root = plat_sysfs_path("block");
    g_auto(GStrv) names = plat_sysfs_list(root);
    for (char **name = names; *name != NULL; name++) {
        if (only != NULL &&
            !g_ptr_array_find_with_equal_func((GPtrArray *)only, *name, g_str_equal, NULL)) {
            continue;
        }
        g_autofree char *link = g_build_filename(root, *name, NULL);
        g_autofree char *directory = realpath(link, NULL);
        FmDriveInfo *drive = directory != NULL ? drive_read(*name, directory, mounts) : NULL;
        if (drive != NULL) {
            g_ptr_array_add(drives, drive);
        }
    }
    g_ptr_array_sort(drives, compare_drives);
    return drives;
}

GPtrArray *
plat_drives(void)
{
    return list_drives(NULL);
}

GPtrArray *
plat_target_drives(const char *path)
{
    g_autoptr(FmPlace) place = plat_place_new(path, NULL);
    g_autoptr(GPtrArray) names = place != NULL ? plat_place_list_drives(place) : g_ptr_array_new();
    return list_drives(names);
}
