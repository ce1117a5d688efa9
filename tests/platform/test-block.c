/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file system stands on, and the mount table that leads there.
 */
#include "platform/linux/block.h"
#include "tests/platform/tree.h"

static const TreeEntry stack[] = {
    {"devices/pci/sda/size", "100\n"},
    {"devices/pci/sda/sda3/partition", "3\n"},
    {"devices/pci/sdb/size", "100\n"},
    {"devices/virtual/md0/md/level", "raid1\n"},
    {"devices/virtual/md0/slaves/sda3", "-> devices/pci/sda/sda3"},
    {"devices/virtual/md0/slaves/sdb", "-> devices/pci/sdb"},
    {"devices/virtual/dm-0/dm/name", "luks-1\n"},
    {"devices/virtual/dm-0/dm/uuid", "CRYPT-LUKS2-abc\n"},
    {"devices/virtual/dm-0/slaves/md0", "-> devices/virtual/md0"},
    {"devices/virtual/dm-1/dm/name", "vg-root\n"},
    {"devices/virtual/dm-1/dm/uuid", "LVM-xyz\n"},
    {"devices/virtual/dm-1/slaves/dm-0", "-> devices/virtual/dm-0"},
    {"devices/virtual/dm-9/dm/name", "ring\n"},
    {"devices/virtual/dm-9/slaves/dm-9", "-> devices/virtual/dm-9"},
    {"devices/virtual/loop0/loop/backing_file", "/tmp/image (deleted)\n"},
    {"dev/block/253:1", "-> devices/virtual/dm-1"},
    {"dev/block/253:9", "-> devices/virtual/dm-9"},
    {"dev/block/7:0", "-> devices/virtual/loop0"},
    {"class/block/sda3", "-> devices/pci/sda/sda3"},
    {"class/block/sdb", "-> devices/pci/sdb"},
    {"fs/btrfs/u-u/devices/sda3", ""},
    {"fs/btrfs/u-u/devices/sdb", ""},
};

static void
test_stack(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, stack, G_N_ELEMENTS(stack));

    g_autoptr(FmBlock) block = plat_block_new_from_number(253, 1);
    g_assert_nonnull(block);
    g_autofree char *text = plat_block_describe(block);
    g_assert_cmpstr(text, ==,
                    "dm-1 (lvm vg-root) on dm-0 (crypt luks-1) on md0 (md raid1) "
                    "on sda3 on sda and sdb");
    g_assert_nonnull(plat_block_find_kind(block, "crypt"));
    g_assert_null(plat_block_find_kind(block, "loop"));
    g_autoptr(GPtrArray) drives = g_ptr_array_new_with_free_func(g_free);
    plat_block_collect_drives(block, drives);
    plat_block_collect_drives(block, drives);
    g_assert_cmpuint(drives->len, ==, 2);
    g_assert_cmpstr(drives->pdata[0], ==, "sda");
    g_assert_cmpstr(drives->pdata[1], ==, "sdb");

    g_autoptr(FmBlock) loop = plat_block_new_from_number(7, 0);
    g_assert_cmpstr(loop->kind, ==, "loop");
    g_assert_cmpstr(loop->detail, ==, "/tmp/image (deleted)");
    g_assert_null(plat_block_new_from_number(1, 1));
    tree_tear_down(&tree);
}

static void
test_ring_ends(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, stack, G_N_ELEMENTS(stack));
    g_autoptr(FmBlock) block = plat_block_new_from_number(253, 9);
    g_assert_nonnull(block);
    tree_tear_down(&tree);
}

static void
test_file_systems_without_a_number(void)
{
    Tree tree;
    tree_set_up(&tree);
    tree_add(tree.sysfs, stack, G_N_ELEMENTS(stack));
    g_autoptr(GPtrArray) mounts = plat_mounts_parse(
        "20 1 253:1 / / rw,relatime - ext4 /dev/mapper/vg-root rw\n"
        "21 20 0:50 /@ /data rw - btrfs /dev/sdb rw,compress-force=zstd:3\n"
        "22 20 0:51 / /merged rw - overlay overlay rw,lowerdir=/l,upperdir=/data/up,workdir=/w\n"
        "23 20 0:52 / /shm rw - tmpfs tmpfs rw\n"
        "24 20 0:53 / /nfs rw - nfs4 server:/x rw\n");
    g_assert_cmpuint(mounts->len, ==, 5);

    g_autoptr(GPtrArray) root = plat_block_list_of_mount(mounts->pdata[0], mounts);
    g_assert_cmpuint(root->len, ==, 1);
    g_autoptr(GPtrArray) btrfs = plat_block_list_of_mount(mounts->pdata[1], mounts);
    g_assert_cmpuint(btrfs->len, ==, 2);
    g_autoptr(GPtrArray) overlay = plat_block_list_of_mount(mounts->pdata[2], mounts);
    g_assert_cmpuint(overlay->len, ==, 2);
    g_autoptr(GPtrArray) memory = plat_block_list_of_mount(mounts->pdata[3], mounts);
    g_assert_cmpuint(memory->len, ==, 0);
    g_autoptr(GPtrArray) network = plat_block_list_of_mount(mounts->pdata[4], mounts);
    g_assert_cmpuint(network->len, ==, 0);

    g_autofree char *level =
        plat_mount_dup_option((const FmMount *)mounts->pdata[1], "compress-force");
    g_assert_cmpstr(level, ==, "zstd:3");
    g_assert_null(plat_mount_dup_option((const FmMount *)mounts->pdata[1], "compress"));
    tree_tear_down(&tree);
}

static void
test_mount_of_a_path(void)
{
    g_autoptr(GPtrArray) mounts =
        plat_mounts_parse("20 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                          "21 20 8:2 / /mnt/a rw - ext4 /dev/sda2 rw\n"
                          "22 20 8:3 / /mnt/a ro - xfs /dev/sda3 rw\n"
                          "23 20 8:4 / /mnt/a\\134\\011b rw - xfs /dev/sda4 rw\n"
                          "24 20 8:5 / /trailing\\ rw - xfs /dev/sda5 rw");
    static const struct {
        const char *path;
        uint64_t id;
    } cases[] = {
        {"/", 20},
        {"/mnt", 20},
        {"/mnt/a/b/c", 22},
        {"/mnt/a", 22},
        {"/mnt/a\\\tb/x", 23},
        {"/mnt/ab", 20},
        {"/trailing\\/x", 24},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        const FmMount *mount = plat_mounts_find_path(mounts, cases[i].path);
        g_assert_nonnull(mount);
        g_assert_cmpuint(mount->id, ==, cases[i].id);
    }
    g_assert_true(plat_mounts_find_id(mounts, 22)->read_only);
    g_assert_null(plat_mounts_find_id(mounts, 99));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/platform/block/stack-is-followed-to-the-drives", test_stack);
    g_test_add_func("/platform/block/ring-of-devices-ends", test_ring_ends);
    g_test_add_func("/platform/block/btrfs-and-overlay-lead-to-devices",
                    test_file_systems_without_a_number);
    g_test_add_func("/platform/mounts/nearest-latest-mount-holds-a-path", test_mount_of_a_path);
    return g_test_run();
}
