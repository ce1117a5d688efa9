/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds small trees for the tests that replay sysfs.
 */
#include "tests/platform/tree.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void
tree_set_up(Tree *tree)
{
    /* In memory where possible: a busy drive takes seconds for a thousand small files. */
    tree->root = g_mkdtemp(g_strdup("/dev/shm/fathom-tree-XXXXXX"));
    if (tree->root == NULL) {
        tree->root = g_dir_make_tmp("fathom-tree-XXXXXX", NULL);
    }
    g_assert_nonnull(tree->root);
    tree->sysfs = g_build_filename(tree->root, "sys", NULL);
    tree->proc = g_build_filename(tree->root, "proc", NULL);
    g_assert_cmpint(g_mkdir(tree->sysfs, 0700), ==, 0);
    g_assert_cmpint(g_mkdir(tree->proc, 0700), ==, 0);
    g_setenv("FATHOM_SYSFS_ROOT", tree->sysfs, TRUE);
    g_setenv("FATHOM_PROC_ROOT", tree->proc, TRUE);
}

void
tree_add_one(const char *root, const char *path, const char *content)
{
    g_autofree char *full = g_build_filename(root, path, NULL);
    g_autofree char *folder = g_path_get_dirname(full);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0700), ==, 0);
    if (g_str_has_prefix(content, "-> ")) {
        g_autofree char *target = g_build_filename(root, content + 3, NULL);
        g_assert_cmpint(symlink(target, full), ==, 0);
        return;
    }
    /* Not synced to the drive, as g_file_set_contents() would a thousand times. */
    g_assert_true(
        g_file_set_contents_full(full, content, -1, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

void
tree_add(const char *root, const TreeEntry *entries, gsize n)
{
    for (gsize i = 0; i < n; i++) {
        tree_add_one(root, entries[i].path, entries[i].content);
    }
}

void
tree_remove(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0) {
        return;
    }
    if (S_ISDIR(status.st_mode)) {
        g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
        const char *name;
        while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
            g_autofree char *child = g_build_filename(path, name, NULL);
            tree_remove(child);
        }
    }
    g_remove(path);
}

void
tree_tear_down(Tree *tree)
{
    g_unsetenv("FATHOM_SYSFS_ROOT");
    g_unsetenv("FATHOM_PROC_ROOT");
    tree_remove(tree->root);
    g_clear_pointer(&tree->root, g_free);
    g_clear_pointer(&tree->sysfs, g_free);
    g_clear_pointer(&tree->proc, g_free);
}

int
tree_run_tests(void)
{
    GError *error = NULL;
    g_autofree char *state = g_dir_make_tmp("fathom-state-XXXXXX", &error);
    g_assert_no_error(error);
    g_setenv("XDG_STATE_HOME", state, TRUE);
    int code = g_test_run();
    tree_remove(state);
    return code;
}
