/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The operating system's half of our own test file: making it safely, filling it past
 * the page cache, knowing it again after a crash, removing it.  Policy and sentences
 * are the engine's (engine/test-file.h).  Implemented once per system (link-time
 * twins).  Control thread.
 *
 * A file of ours is known by its name ("fathom-test-" and 16 hexadecimal digits), its
 * owner, and a mark that is kept beside the content, since a test overwrites all of
 * that: an extended attribute where there are any, and an entry in a journal in the
 * user's state folder.  The entry is locked as long as the process lives, so the kernel
 * itself tells when a file was left behind.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct FmFile FmFile;

typedef struct {
    uint64_t extents; /* pieces on the drive */
    uint64_t unwritten_bytes; /* holes and allocated space that was never written */
    uint64_t compressed_bytes; /* stored compressed or otherwise encoded */
} FmFileExtents;

/*
 * Makes a new empty file with a name nobody uses, private to the user.  @no_cow asks a
 * copy-on-write file system to overwrite this file in place.  Opens past the page
 * cache where that is possible.
 */
FmFile *plat_file_create(const char *folder, bool no_cow, GError **error);
/* Opens a file of ours again.  FM_ERROR_UNSAFE when it is not one. */
FmFile *plat_file_open_own(const char *path, GError **error);

const char *plat_file_get_path(const FmFile *file);
int plat_file_get_descriptor(const FmFile *file);
bool plat_file_is_direct(const FmFile *file);
bool plat_file_is_no_cow(const FmFile *file);
/* Whether a crash would leave an entry by which the next start removes the file. */
bool plat_file_is_journaled(const FmFile *file);

/*
 * Sets the size and reserves the space, where the file system can do that without
 * changing how it writes.  Returns 0 or a native status code; @reserved becomes the
 * bytes it found room for.  A limit of the file's size is left to the write that meets
 * it, which knows the place.
 */
int plat_file_allocate(FmFile *file, uint64_t size, uint64_t *reserved);
/* Bytes moved, at least one, or a negative native status code.  Buffer, offset and
 * length must have the alignment of direct I/O. */
int64_t plat_file_write(FmFile *file, const void *buffer, size_t length, uint64_t offset);
int64_t plat_file_read(FmFile *file, void *buffer, size_t length, uint64_t offset);
/* Everything on the medium; 0 or a native status code. */
int plat_file_sync(FmFile *file);
/* False when the file system does not tell. */
bool plat_file_get_extents(const FmFile *file, FmFileExtents *extents);

/* Closes the file; removes it, its mark and its entry unless @keep. */
void plat_file_close(FmFile *file, bool keep);

/* Whether @path is a test file of ours and of this user.  @unwritten, if not NULL,
 * becomes the bytes of it that were never written (0 where that is not known). */
bool plat_file_is_own(const char *path, uint64_t *unwritten);

G_END_DECLS
