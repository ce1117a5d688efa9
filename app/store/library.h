/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folder of saved runs.  Listing reads only the head and the tail of each file, so
 * that hundreds of runs of any size are listed at once.
 */
#pragma once

#include <glib.h>

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
    char *target_path;
    char *drive; /* model */
    gint64 wall_us;
} FmLibraryEntry;

void fm_library_entry_free(FmLibraryEntry *entry);

/* Folder of runs under the user's data folder; created on demand. */
char *fm_library_dir(void);
/* A new file name for a run of @plan_id started at @wall_us (local time in the name):
 * "2026-08-22-1405-cdm-default-Samsung-990-PRO.fathom"; never an existing one. */
char *fm_library_new_path(const char *plan_id, const char *drive, gint64 wall_us);
/* Owned FmLibraryEntry, newest first; those without a time last. */
GPtrArray *fm_library_list(void);

G_END_DECLS
