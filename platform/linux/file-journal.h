/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of our test files: one small text file each in the user's state folder,
 * locked by its owner.  Control thread.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

G_BEGIN_DECLS

#define FM_FILE_MARK "user.fathom" /* extended attribute; its value is the file's name */

typedef struct {
    int descriptor; /* holds the lock; -1 = no journal */
    char *path; /* of the entry */
} FmJournalEntry;

/* Whether @name is "fathom-test-<16 hex>.dat". */
bool plat_journal_is_name(const char *name);

/* Writes down that the file @path will be made.  Before it exists, so that no instant
 * is without an entry.  False when the state folder can't be written. */
bool plat_journal_begin(FmJournalEntry *entry, const char *path);
/* Adds which file it became. */
void plat_journal_complete(FmJournalEntry *entry, const char *path, const struct stat *status);
/* Forgets it, after the file was removed or when it shall stay. */
void plat_journal_end(FmJournalEntry *entry);

/* Whether the journal, or else the mark on the file, says that this is our file. */
bool plat_journal_knows(const char *path, const struct stat *status);

G_END_DECLS
