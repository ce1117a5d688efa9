/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small /sys and /proc trees of machines we do not have, made in a temporary folder
 * and put in the place of the real ones.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
    const char *path; /* relative */
    const char *content; /* "-> target" makes a symbolic link (relative to the tree) */
} TreeEntry;

typedef struct {
    char *root;
    char *sysfs;
    char *proc;
} Tree;

/* Makes the folders and points FATHOM_SYSFS_ROOT and FATHOM_PROC_ROOT at them. */
void tree_set_up(Tree *tree);
void tree_add(const char *root, const TreeEntry *entries, gsize n);
void tree_add_one(const char *root, const char *path, const char *content);
/* Removes everything and the two variables. */
void tree_tear_down(Tree *tree);

/* Runs the tests with a state folder of their own, so that no journal of the user is
 * touched (GLib's own isolation leaks its strings).  Returns the exit code. */
int tree_run_tests(void);

/* Removes a folder with all that is in it, without following links. */
void tree_remove(const char *path);

G_END_DECLS
