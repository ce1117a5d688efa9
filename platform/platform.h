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
    char **mounts; /* mount points on it or its partitions; NULL-terminated */
    FmFacts *facts; /* everything else that sysfs says */
} FmDriveInfo;

void fm_drive_info_free(FmDriveInfo *drive);

/* One row per physical drive, sorted by node.  Owned FmDriveInfo.  Never NULL. */
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
 * Bytes read and written by the drive below @path so far (all partitions of the
 * whole device that holds it), from the kernel's counters.  False when there is no
 * such device.
 */
bool plat_target_counters(const char *path, uint64_t *read_bytes, uint64_t *written_bytes);

/* Per-user folders: results (XDG data), state (sockets, journal).  Created on demand. */
char *plat_data_dir(void);
char *plat_state_dir(void);

/* Full path of a program of ours beside the running executable (its build or
 * libexec folder): "fathom-worker". */
char *plat_find_program(const char *name);

/* --- Power -------------------------------------------------------------------- */

/* Keeps the machine from suspending while a run is on; NULL when not possible. */
typedef struct FmInhibitor FmInhibitor;
FmInhibitor *plat_inhibit(const char *why);
void plat_inhibit_release(FmInhibitor *inhibitor);

G_END_DECLS
