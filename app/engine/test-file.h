/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The test file of a run on a folder: made new, written whole with data nobody can
 * compress or deduplicate, on the medium before the first read, removed at the end.  It
 * never opens a file that is not ours.  Control thread.
 *
 *   file = fm_test_file_new(target, &options, &error);    name and space
 *   ... the TARGET frame tells its path ...
 *   fm_test_file_fill(file, &error);                      takes as long as it takes
 *   ... run on fm_test_file_get_descriptor() ...
 *   fm_test_file_free(file);                              removes it
 *
 * A run that is killed leaves the file; plat_test_files_clean() of the next one
 * removes it.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/plan.h"
#include "model/target.h"

G_BEGIN_DECLS

/* Called after every piece (a fraction of a second apart on any drive); false stops. */
typedef bool (*FmTestFileProgress)(gpointer user_data, uint64_t done, uint64_t total);

typedef struct {
    uint64_t size; /* bytes, a multiple of 4096 */
    uint64_t seed; /* of the data */
    FmDataKind data; /* RANDOM, or ZERO as some benchmarks do */
    bool no_cow; /* ask a copy-on-write file system to overwrite in place */
    bool keep; /* leave the file when freed, if it is whole */
    FmTestFileProgress progress; /* or NULL */
    gpointer user_data;
} FmTestFileOptions;

typedef struct FmTestFile FmTestFile;

/*
 * Makes a new file in @target's folder, or takes the file of ours that @target names,
 * and reserves the space.  FM_ERROR_NO_SPACE says how much there was room for; nothing
 * is left behind then.
 */
FmTestFile *fm_test_file_new(const FmTarget *target, const FmTestFileOptions *options,
                             GError **error);
void fm_test_file_free(FmTestFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmTestFile, fm_test_file_free)

/*
 * Writes every byte and brings it onto the medium.  Errors name the place ("... at
 * offset 31 MiB of 64 MiB ..."); FM_ERROR_CANCELLED when the callback said so.
 */
bool fm_test_file_fill(FmTestFile *file, GError **error);

/* Reads every byte once, for the guard. */
bool fm_test_file_read(FmTestFile *file, GError **error);

const char *fm_test_file_get_path(const FmTestFile *file);
int fm_test_file_get_descriptor(const FmTestFile *file);
/* False where the file system has no direct I/O: then the run is buffered. */
bool fm_test_file_is_direct(const FmTestFile *file);

/* Adds "file.*" facts: size, extents, what was never written, how it was opened. */
void fm_test_file_add_facts(const FmTestFile *file, FmFacts *facts);

G_END_DECLS
