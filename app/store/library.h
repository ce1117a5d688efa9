/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder of saved runs.  Listing reads only the head and the tail of each file, so
 * that hundreds of runs of any size are listed at once.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct {
    char *path;
    char *name; /* file name without folder */
    guint64 size;
    /* "complete", ... as END tells; "running" while a host writes it, "cut off" when there
     * is no END and nobody does, "unreadable". */
    char *outcome;
    /* Below: NULL or 0 = unknown. */
    char *plan_id;
    char *plan_name;
    char *plan_name_ko;
    char *target_path;
    char *drive; /* model */
    gint64 wall_us;
    char *note; /* the user's own words */
    GStrv tags;
} FmLibraryEntry;

void fm_library_entry_free(FmLibraryEntry *entry);
/* Below 0 when @one comes first in a list: the newer one; those without a time last. */
int fm_library_entry_compare(const FmLibraryEntry *one, const FmLibraryEntry *other);

/* Folder of runs under the user's data folder; created on demand. */
char *fm_library_dir(void);
/* A new file name for a run of @plan_id started at @wall_us (local time in the name):
 * "2026-08-22-1405-cdm-default-Samsung-990-PRO.fathom"; never an existing one. */
char *fm_library_new_path(const char *plan_id, const char *drive, gint64 wall_us);
/* Owned FmLibraryEntry, newest first; those without a time last. */
GPtrArray *fm_library_list(void);
/* What a list says about the file at @path, wherever it lies; never NULL. */
FmLibraryEntry *fm_library_read(const char *path);
/* Whether a file of that name belongs into the list. */
bool fm_library_is_run_name(const char *name);

/*
 * Gives the run at @path another file name in its folder, with or without the ending.  Never
 * replaces a file.  The new path, to be freed by the caller, or NULL with FM_ERROR_INVALID
 * (no name), FM_ERROR_UNSAFE (taken) or what the system said.
 */
char *fm_library_rename(const char *path, const char *name, GError **error);

G_END_DECLS
