/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The drive list over sysfs trees: what counts as a drive, what is told about it, and
 * one entry for each file system however often it is mounted (BUGS 32).
 */
#include "platform/platform.h"
#include "tests/platform/tree.h"

#include <string.h>

#define NVME "devices/pci0000:00/0000:01:00.0/nvme/nvme0/nvme0n1/"

static const TreeEntry nvme[] = {
    {"block/nvme0n1", "-> " NVME},
    {"class/block/nvme0n1", "-> " NVME},
    {"class/block/nvme0n1p1", "-> " NVME "nvme0n1p1"},
    {"dev/block/259:0", "-> " NVME},
    {"dev/block/259:1", "-> " NVME "nvme0n1p1"},
    {NVME "size", "3907029168\n"},
    {NVME "ro", "0\n"},
    {NVME "removable", "0\n"},
    {NVME "wwid", "eui.0025385a81b0c0de\n"},
    {NVME "nvme0n1p1/partition", "1\n"},
    {NVME "nvme0n1p1/size", "1000\n"},
    {NVME "nvme0n1p1/holders/dm-0/x", ""},
    {NVME "queue/logical_block_size", "512\n"},
    {NVME "queue/physical_block_size", "4096\n"},
    {NVME "queue/rotational", "0\n"},
    {NVME "queue/scheduler", "[none] mq-deadline kyber\n"},
    {NVME "queue/io_poll", "1\n"},
    {NVME "queue/write_cache", "write back\n"},
    {NVME "mq/0/x", ""},
    {NVME "mq/1/x", ""},
    {NVME "device", "-> devices/pci0000:00/0000:01:00.0/nvme/nvme0"},
    {"devices/pci0000:00/0000:01:00.0/nvme/nvme0/model", "Samsung SSD 990 PRO 2TB   \n"},
    {"devices/pci0000:00/0000:01:00.0/nvme/nvme0/serial", "S7KHNJ0W123456  \n"},
    {"devices/pci0000:00/0000:01:00.0/nvme/nvme0/firmware_rev", "4B2QJXD7\n"},
    {"devices/pci0000:00/0000:01:00.0/nvme/nvme0/numa_node", "-1\n"},
    {"devices/pci0000:00/0000:01:00.0/current_link_speed", "16.0 GT/s PCIe\n"},
    {"devices/pci0000:00/0000:01:00.0/current_link_width", "4\n"},
    {"devices/pci0000:00/0000:01:00.0/max_link_speed", "32.0 GT/s PCIe\n"},
    {"devices/pci0000:00/0000:01:00.0/max_link_width", "4\n"},
};

static void
add_disk(const Tree *tree, const char *name, const char *parent, const char *size)
{
    g_autofree char *directory = g_strdup_printf("devices/%s/%s", parent, name);
    g_autofree char *arrow = g_strdup_printf("-> %s", directory);
    g_autofree char *link = g_strdup_printf("block/%s", name);
    g_autofree char *class_link = g_strdup_printf("class/block/%s", name);
    g_autofree char *attribute = g_strdup_printf("%s/size", directory);
    tree_add_one(tree->sysfs, attribute, size);
    tree_add_one(tree->sysfs, link, arrow);
    tree_add_one(tree->sysfs, class_link, arrow);
}

static void
add_attribute(const Tree *tree, const char *path, const char *content)
{
    g_autofree char *full = g_strdup_printf("devices/%s", path);
    tree_add_one(tree->sysfs, full, content);
}

static gboolean
is_named_cb(gconstpointer drive, gconstpointer node)
{
    return strcmp(((const FmDriveInfo *)drive)->node, node) == 0;
}

static const FmDriveInfo *
get_drive(GPtrArray *drives, const char *node)
{
    guint index = 0;
    g_assert_true(g_ptr_array_find_with_equal_func(drives, node, is_named_cb, &index));
    return (const FmDriveInfo *)drives->pdata[index];
}

static void
test_nvme(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, nvme, G_N_ELEMENTS(nvme));
    tree_add_one(tree.proc, "self/mountinfo",
                 "30 1 259:1 / /mnt/data\\040disk rw,noatime - ext4 /dev/nvme0n1p1 rw\n");

    g_autoptr(GPtrArray) drives = plat_drives();
    g_assert_cmpuint(drives->len, ==, 1);
    const FmDriveInfo *drive = (const FmDriveInfo *)drives->pdata[0];
    g_assert_cmpstr(drive->node, ==, "/dev/nvme0n1");
    g_assert_cmpstr(drive->model, ==, "Samsung SSD 990 PRO 2TB");
    g_assert_cmpstr(drive->serial, ==, "S7KHNJ0W123456");
    g_assert_cmpstr(drive->firmware, ==, "4B2QJXD7");
    g_assert_cmpstr(drive->bus, ==, "nvme");
    g_assert_cmpuint(drive->size, ==, 2000398934016);
    g_assert_cmpuint(drive->logical_block, ==, 512);
    g_assert_cmpuint(drive->physical_block, ==, 4096);
    g_assert_false(drive->rotational || drive->removable || drive->read_only);
    g_assert_cmpuint(drive->mounts->len, ==, 1);
    const FmMountInfo *mount = (const FmMountInfo *)drive->mounts->pdata[0];
    g_assert_cmpstr(mount->path, ==, "/mnt/data disk");
    g_assert_cmpstr(mount->file_system, ==, "ext4");
    g_assert_false(mount->read_only);

    const FmFacts *facts = drive->facts;
    g_assert_cmpstr(fm_facts_get_string(facts, "drive.scheduler"), ==, "none");
    g_assert_cmpstr(fm_facts_get_string(facts, "drive.used-by.nvme0n1p1"), ==, "dm-0");
    g_assert_cmpstr(fm_facts_get_string(facts, "pcie.max-speed"), ==, "32.0 GT/s PCIe");
    uint64_t number;
    g_assert_true(fm_facts_get_uint(facts, "pcie.width", &number) && number == 4);
    g_assert_true(fm_facts_get_uint(facts, "drive.io-poll", &number) && number == 1);
    g_assert_true(fm_facts_get_uint(facts, "drive.hardware-queues", &number) && number == 2);
    int64_t node;
    g_assert_true(fm_facts_get_int(facts, "drive.numa-node", &node) && node == -1);
    /* What the tree does not hold is unknown with a reason, never 0. */
    g_assert_false(fm_facts_get_uint(facts, "drive.fua", &number));
    g_assert_nonnull(fm_facts_get_reason(facts, "drive.fua"));

    g_autoptr(FmFacts) all = fm_drives_to_facts(drives);
    g_assert_cmpstr(fm_facts_get_string(all, "drive.serial"), ==, "S7KHNJ0W123456");
    g_assert_cmpstr(fm_facts_get_string(all, "drive.scheduler"), ==, "none");
    g_assert_true(fm_facts_get_uint(all, "drive.size-bytes", &number));
    g_assert_cmpuint(number, ==, 2000398934016);
    tree_tear_down(&tree);
}

static void
test_what_is_a_drive(void)
{
    static const struct {
        const char *name;
        const char *parent;
        const char *size;
        const char *bus; /* NULL = not listed */
    } cases[] = {
        {"sda", "pci0000:00/0000:00:17.0/ata1/host0", "1000", "sata"},
        {"sdb", "pci0000:00/0000:00:14.0/usb2/2-1/host6", "1000", "usb"},
        {"sdc", "pci0000:00/0000:00:15.0/host7/target7", "1000", "scsi"},
        {"vda", "pci0000:00/0000:00:02.0/virtio1", "1000", "virtio"},
        {"mmcblk0", "platform/mmc0", "1000", "mmc"},
        {"md127", "virtual", "1000", "md"},
        {"dm-3", "virtual", "1000", "dm"},
        {"loop7", "virtual", "1000", "loop"},
        {"loop8", "virtual", "0", NULL},
        {"zram0", "virtual", "1000", NULL},
        {"ram0", "virtual", "1000", NULL},
        {"sr0", "pci0000:00/0000:00:17.0/ata2/host1", "1000", NULL},
        {"nvme9n1", "pci0000:00/0000:00:19.0/nvme/nvme9", "0", "nvme"},
    };
    Tree tree;
    tree_set_up(&tree);
    unsigned expected = 0;
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        add_disk(&tree, cases[i].name, cases[i].parent, cases[i].size);
        expected += cases[i].bus != NULL;
    }
    add_disk(&tree, "nvme1c1n1", "pci0000:00/0000:01:00.0/nvme/nvme1", "1000");
    add_attribute(&tree, "pci0000:00/0000:01:00.0/nvme/nvme1/nvme1c1n1/hidden", "1\n");

    g_autoptr(GPtrArray) drives = plat_drives();
    g_assert_cmpuint(drives->len, ==, expected);
    g_autoptr(FmFacts) facts = fm_drives_to_facts(drives);
    g_assert_nonnull(fm_facts_get_string(facts, "drive.node"));
    g_assert_nonnull(fm_facts_get_string(facts, "drive-2.node"));
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *node = g_strconcat("/dev/", cases[i].name, NULL);
        if (cases[i].bus == NULL) {
            g_assert_false(g_ptr_array_find_with_equal_func(drives, node, is_named_cb, NULL));
        } else {
            g_assert_cmpstr(get_drive(drives, node)->bus, ==, cases[i].bus);
        }
    }
    tree_tear_down(&tree);
}

static void
test_hostile_identity(void)
{
    Tree tree;
    tree_set_up(&tree);
    add_disk(&tree, "sda", "pci0000:00/usb1/1-1/host0", "2048");
    add_attribute(&tree, "pci0000:00/usb1/1-1/host0/sda/device/vendor", "Evil\x1b[31m\n");
    add_attribute(&tree, "pci0000:00/usb1/1-1/host0/sda/device/model",
                  "\xff\xfe \xe2\x80\xae%s%n\a\n");
    add_attribute(&tree, "pci0000:00/usb1/1-1/host0/sda/device/vpd_pg80", "abcd SER\tIAL ");
    add_attribute(&tree, "pci0000:00/usb1/1-1/host0/sda/queue/logical_block_size", "many\n");

    g_autoptr(GPtrArray) drives = plat_drives();
    g_assert_cmpuint(drives->len, ==, 1);
    const FmDriveInfo *drive = (const FmDriveInfo *)drives->pdata[0];
    g_assert_true(g_utf8_validate(drive->model, -1, NULL));
    for (const char *next = drive->model; *next != '\0'; next = g_utf8_next_char(next)) {
        g_assert_false(g_unichar_iscntrl(g_utf8_get_char(next)));
        g_assert_cmpuint(g_utf8_get_char(next), !=, 0x202E); /* right-to-left override */
    }
    g_assert_nonnull(strstr(drive->model, "%s%n"));
    g_assert_cmpstr(drive->serial, ==, "SER IAL");
    g_assert_cmpuint(drive->logical_block, ==, 0);
    g_autoptr(FmFacts) facts = fm_drives_to_facts(drives);
    g_assert_nonnull(fm_facts_get_reason(facts, "drive.logical-block"));
    tree_tear_down(&tree);
}

static void
test_one_entry_for_a_file_system(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, nvme, G_N_ELEMENTS(nvme));
    tree_add_one(tree.sysfs, "fs/btrfs/0-1/devices/nvme0n1p1", "");
    GString *table = g_string_new(NULL);
    /* Three subvolumes, a bind mount of one of them, autofs over it. */
    g_string_append(table, "30 1 0:40 /@home /home rw - btrfs /dev/nvme0n1p1 rw,subvol=/@home\n"
                           "31 1 0:40 /@ / rw - btrfs /dev/nvme0n1p1 rw,subvol=/@\n"
                           "32 1 0:40 /@log /var/log rw - btrfs /dev/nvme0n1p1 rw\n"
                           "33 1 0:40 /@home/me /srv/me ro - btrfs /dev/nvme0n1p1 rw\n"
                           "34 1 0:41 / /net/auto rw - autofs /etc/auto.misc rw,fd=6\n"
                           "junk that is no line\n\n"
                           "35 1 0:x / / rw - ext4 /dev/nvme0n1p1 rw\n");
    for (int i = 0; i < 200; i++) {
        g_autofree char *name = g_strdup_printf("loop%d", i);
        g_autofree char *number = g_strdup_printf("dev/block/7:%d", i);
        g_autofree char *arrow = g_strdup_printf("-> devices/virtual/%s", name);
        g_autofree char *ro = g_strdup_printf("virtual/%s/ro", name);
        add_disk(&tree, name, "virtual", "100");
        add_attribute(&tree, ro, "1\n");
        tree_add_one(tree.sysfs, number, arrow);
        g_string_append_printf(table, "%d 1 7:%d / /snap/%d ro - squashfs /dev/loop%d ro\n",
                               100 + i, i, i, i);
    }
    tree_add_one(tree.proc, "self/mountinfo", table->str);
    g_string_free(table, TRUE);

    g_autoptr(GPtrArray) drives = plat_drives();
    g_assert_cmpuint(drives->len, ==, 201);
    const FmDriveInfo *drive = get_drive(drives, "/dev/nvme0n1");
    g_assert_cmpuint(drive->mounts->len, ==, 1);
    const FmMountInfo *mount = (const FmMountInfo *)drive->mounts->pdata[0];
    g_assert_cmpstr(mount->path, ==, "/");
    g_assert_false(mount->read_only);

    const FmDriveInfo *snap = get_drive(drives, "/dev/loop199");
    g_assert_cmpuint(snap->mounts->len, ==, 1);
    g_assert_true(((const FmMountInfo *)snap->mounts->pdata[0])->read_only);
    tree_tear_down(&tree);
}

static void
test_empty_system(void)
{
    Tree tree;
    tree_set_up(&tree);
    g_autoptr(GPtrArray) drives = plat_drives();
    g_assert_cmpuint(drives->len, ==, 0);
    tree_tear_down(&tree);
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/platform/drives/nvme-is-described-whole", test_nvme);
    g_test_add_func("/platform/drives/lists-drives-and-not-memory", test_what_is_a_drive);
    g_test_add_func("/platform/drives/hostile-identity-is-harmless", test_hostile_identity);
    g_test_add_func("/platform/drives/one-entry-for-each-file-system",
                    test_one_entry_for_a_file_system);
    g_test_add_func("/platform/drives/empty-system-is-an-empty-list", test_empty_system);
    return g_test_run();
}
