/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts about the system and the desktop that any part of the program may ask for.
 * No benchmark I/O.  Implemented once per system (link-time twins).
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/facts.h"
#include "model/target.h"

G_BEGIN_DECLS

/*
 * Machine and system: CPU, cores, memory, board, BIOS, OS, kernel, governor, clock
 * source, power source, virtual machine.  METHODOLOGY 3.1 and 11.  Never fails; what
 * can't be read is an unknown fact.
 */
FmFacts *plat_environment(void);

/* --- Drives ------------------------------------------------------------------- */

/* A mounted file system.  Bind mounts and subvolumes of one file system are one entry. */
typedef struct {
    char *path; /* the mount point that shows the most of it */
    char *file_system; /* "ext4" */
    bool read_only; /* can't be the target of a test that writes, and all do */
} FmMountInfo;

typedef struct {
    char *node; /* "/dev/nvme0n1" */
    char *model; /* "" = unknown */
    char *serial; /* "" = unknown */
    char *firmware; /* "" = unknown */
    char *bus; /* "nvme", "sata", "usb", "virtio", "loop", "md", "dm", ...; "" = unknown */
    uint64_t size; /* bytes; 0 = unknown */
    uint32_t logical_block;
    uint32_t physical_block;
    bool rotational;
    bool removable;
    bool read_only;
    GPtrArray *mounts; /* FmMountInfo of it and its partitions, writable ones first; never NULL */
    FmFacts *facts; /* everything else that sysfs says */
} FmDriveInfo;

/* Puts empty strings, an empty list and no facts into a new drive. */
FmDriveInfo *fm_drive_info_new(void);
void fm_drive_info_free(FmDriveInfo *drive);
/*
 * All of a list as facts, for the DRIVE frame: "drive.model", "drive.size-bytes" and so on;
 * what is unknown in the struct is unknown there, too.  Of a second drive below the
 * same target they are called "drive-2.model"; "drive.count" tells how many there are.
 * Mounts are left out.
 */
FmFacts *fm_drives_to_facts(const GPtrArray *drives);
FmMountInfo *fm_mount_info_new(const char *path, const char *file_system, bool read_only);
void fm_mount_info_free(FmMountInfo *mount);

/*
 * One row per drive, sorted by node: physical ones, and md, device mapper and loop
 * devices that are in use.  Memory (zram, ram) is left out.  Owned FmDriveInfo.  Never
 * NULL.
 */
GPtrArray *plat_drives(void);

/* --- Targets ------------------------------------------------------------------ */

/*
 * Looks at a folder or file before anything is written: file system, mount options,
 * compression, copy-on-write, encryption, LVM/md/dm stack, free space, quota,
 * file-size limit, block size.  Sets kind, free_bytes, block_size and facts; the
 * verdict stays UNKNOWN except for memory file systems.  FM_ERROR_INVALID when the
 * path is nothing that can be tested, FM_ERROR_DENIED when it can't be written.
 */
FmTarget *plat_target_examine(const char *path, GError **error);

/*
 * The rows of plat_drives() that lie below @path: usually one, several for a RAID or a
 * btrfs over several, none for memory and network.  Owned FmDriveInfo.  Never NULL.
 */
GPtrArray *plat_target_drives(const char *path);

/*
 * Bytes read and written so far by the drives below @path (whole devices: all
 * partitions of each), from the kernel's counters.  A loop device counts as a drive.
 * False when there is no such device.
 */
bool plat_target_counters(const char *path, uint64_t *read_bytes, uint64_t *written_bytes);

/*
 * Interrupts of the I/O queues of the drives below @path so far: the proof that polled
 * I/O really was polled.  False where they can't be told (anything but NVMe).
 */
bool plat_target_interrupts(const char *path, uint64_t *count);

/*
 * Bytes that this process itself had block devices read and write so far, as the kernel
 * accounts them: nobody else's traffic is in them, and nothing that came from memory.
 * False where the system does not tell.
 */
bool plat_process_counters(uint64_t *read_bytes, uint64_t *written_bytes);

/*
 * Claims @drives (names such as "nvme0n1", NULL-terminated) for one run: two that measure
 * one drive at once show what neither of them would.  The claim ends with this process at
 * the latest.  @clash tells of the first drive that another run has.  NULL when there
 * is one, unless @shared: then the claim only keeps others away.  Host only.
 */
typedef struct FmDriveClaim FmDriveClaim;
typedef struct {
    const char *drive; /* of @drives; NULL = all were free */
    bool is_foreign; /* another user's run has it */
} FmDriveClash;
FmDriveClaim *plat_drive_claim_new(const char *const *drives, bool shared, FmDriveClash *clash);
void plat_drive_claim_free(FmDriveClaim *claim);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmDriveClaim, plat_drive_claim_free)

/*
 * Removes test files that killed runs of this user left behind; the number of removed
 * files.  Only a file of the journal goes, and only while nobody owns its entry and it
 * is still the file that was made (device, inode, owner).  Called by the worker at
 * start and by the host after a worker died.
 */
unsigned plat_test_files_clean(void);

/* The user's folder for state (sockets, journal).  Created on demand. */
char *plat_state_dir(void);

/*
 * What belongs to this program, found from where it runs (build tree, any prefix), else where
 * it was configured to be; it may be missing.  Callers free.  Environment for tests:
 * FATHOM_PROGRAM_DIR, FATHOM_DATA_DIR, FATHOM_LOCALE_DIR.
 */
char *plat_find_program(const char *name); /* "fathom-worker" */
char *plat_find_data_dir(void); /* holds models/ and fonts/ */
char *plat_find_locale_dir(void);

/* --- Power --------------------------------------------------------------------
 * In a library of its own, since it needs D-Bus; the worker does without. */

/* Keeps the machine from suspending while a run is on; NULL when not possible. */
typedef struct FmInhibitor FmInhibitor;
FmInhibitor *plat_inhibit(const char *why);
void plat_inhibit_release(FmInhibitor *inhibitor);

/* --- Desktop ------------------------------------------------------------------
 * For the window, in the same library.  Callbacks come on the main context. */

/* Tells once what the desktop prefers, then whenever that changes; never, where it does not
 * tell.  There is no end to it but the program's. */
typedef void (*FmAppearanceCallback)(bool prefers_dark, gpointer user_data);
void plat_appearance_watch(FmAppearanceCallback changed, gpointer user_data);

/* Tells that plat_drives() may read differently, a moment after something happened. */
typedef struct FmDriveWatch FmDriveWatch;
typedef void (*FmDrivesCallback)(gpointer user_data);
FmDriveWatch *plat_drives_watch(FmDrivesCallback changed, gpointer user_data);
void plat_drives_watch_free(FmDriveWatch *watch);

G_END_DECLS
