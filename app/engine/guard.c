/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The verdict on a file target.  A flag that was accepted proves nothing (tmpfs takes
 * O_DIRECT), so the guard moves a few MiB and looks whether the drive's own counters
 * move with it.
 */
#define G_LOG_DOMAIN "fathom"

#include "engine/guard.h"

#include "base/error.h"
#include "base/units.h"
#include "engine/test-file.h"
#include "platform/platform-file.h"
#include "platform/platform.h"

#include <string.h>

enum {
    TRIES = 3,
    SIZE_UNIT = 4096,
    PROBE_SMALLEST = 64 * 1024,
    PROBE_FIRST = 4 * 1024 * 1024, /* a slow stick writes it in two seconds */
    PROBE_LARGEST = 64 * 1024 * 1024,
    PROBE_QUICK_US = 500 * 1000, /* a larger one is tried only after one this quick */
};

static const uint64_t mib = 1024 * 1024;

/* --- Refusals by kind --------------------------------------------------------- */

static bool
check_foreign(const FmTarget *target, GError **error)
{
    uint64_t unwritten = 0;
    if (plat_file_is_own(target->path, &unwritten)) {
        return true;
    }
    if (unwritten > 0) {
        g_autofree char *size = fm_units_dup_size(unwritten);
        fm_error_set(error, FM_ERROR_UNSAFE,
                     "“%s” is not a test file of Fathom (and %s of it were never written, so "
                     "reading them would not reach the drive); give a folder and Fathom makes a "
                     "file of its own there",
                     target->path, size);
        return false;
    }
    fm_error_set(error, FM_ERROR_UNSAFE,
                 "“%s” is not a test file of Fathom; give a folder and Fathom makes a file of "
                 "its own there",
                 target->path);
    return false;
}

static bool
check_kind(const FmTarget *target, GError **error)
{
    switch (target->kind) {
    case FM_TARGET_FOLDER:
        return true;
    case FM_TARGET_FILE:
        return check_foreign(target, error);
    case FM_TARGET_DEVICE:
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "“%s” is a raw device, which this version does not test; give a folder on it",
                     target->path);
        return false;
    case FM_TARGET_NULL:
    case FM_TARGET_MODEL:
        break;
    }
    fm_error_set(error, FM_ERROR_INVALID, "“%s” is no folder and no file", target->path);
    return false;
}

/* --- Size --------------------------------------------------------------------- */

static uint64_t
get_keep(const FmTarget *target, uint64_t keep_free)
{
    uint64_t volume = 0;
    if (keep_free != FM_GUARD_KEEP_DEFAULT) {
        return keep_free;
    }
    fm_facts_get_uint(target->facts, "fs.size-bytes", &volume);
    return fm_target_reserve(volume);
}

uint64_t
fm_guard_largest_size(const FmTarget *target, uint64_t keep_free)
{
    uint64_t available = target->free_bytes;
    uint64_t keep = get_keep(target, keep_free);
    fm_facts_get_uint(target->facts, "fs.available-bytes", &available);
    uint64_t on_volume = available > keep ? available - keep : 0;
    uint64_t largest = MIN(on_volume, target->free_bytes);
    if (target->kind == FM_TARGET_FILE) {
        largest += target->size; /* its own place is there already */
    }
    return largest / SIZE_UNIT * SIZE_UNIT;
}

/* METHODOLOGY 5, FILE-LIM: a tenth of what is free, within 64 MiB and 8 GiB. */
static uint64_t
get_default_size(const FmTarget *target)
{
    uint64_t tenth = target->free_bytes / 10 / mib * mib;
    return CLAMP(tenth, 64 * mib, 8192 * mib);
}

static bool
choose_size(FmTarget *target, const FmGuardOptions *options, GError **error)
{
    uint64_t largest = fm_guard_largest_size(target, options->keep_free);
    uint64_t wanted = options->size > 0 ? options->size : get_default_size(target);
    wanted = wanted / SIZE_UNIT * SIZE_UNIT;
    if (wanted > 0 && wanted <= largest) {
        target->size = wanted;
        return true;
    }
    if (wanted == 0) {
        fm_error_set(error, FM_ERROR_INVALID, "A test file has at least 4 KiB");
        return false;
    }
    uint64_t keep = get_keep(target, options->keep_free);
    g_autofree char *size = fm_units_dup_size(wanted);
    g_autofree char *free_text = fm_units_dup_size(target->free_bytes / mib * mib);
    g_autofree char *keep_text = fm_units_dup_size(keep / mib * mib);
    g_autofree char *most = fm_units_dup_size(largest / mib * mib);
    g_autoptr(FmMessage) advice = largest >= mib
                                      ? fm_message_new("ask for at most %s", most)
                                      : fm_message_new("free some space or keep less free");
    fm_error_set(error, FM_ERROR_NO_SPACE,
                 "A test file of %s does not fit in “%s”: %s may be written there and %s shall "
                 "stay free; %p",
                 size, target->path, free_text, keep_text, advice);
    return false;
}

/* --- Proof -------------------------------------------------------------------- */

FmProof
fm_guard_compare(uint64_t moved, uint64_t counted, unsigned most)
{
    if (counted < moved - moved / 50) {
        return FM_PROOF_MISSING;
    }
    /* Metadata and a little of others' traffic; a cached read stays far below. */
    return counted <= most * (moved + moved / 4) ? FM_PROOF_MOVED : FM_PROOF_DISTURBED;
}

typedef struct {
    uint64_t read; /* of the drives */
    uint64_t written;
    uint64_t own_read; /* of this process */
    uint64_t own_written;
    bool has_own;
} Counters;

static bool
read_counters(const FmTarget *target, Counters *counters, GError **error)
{
    counters->has_own = plat_process_counters(&counters->own_read, &counters->own_written);
    if (plat_target_counters(target->path, &counters->read, &counters->written)) {
        return true;
    }
    fm_error_set(error, FM_ERROR_GONE, "The counters of the drive below “%s” can't be read",
                 target->path);
    return false;
}

/* A mirror writes every byte once a drive. */
static unsigned
count_drives(const FmTarget *target)
{
    const char *drives = fm_facts_get_string(target->facts, "stack.drives");
    unsigned n = 1;
    for (; drives != NULL && *drives != '\0'; drives++) {
        n += *drives == ',';
    }
    return n;
}

/* @moved: what the counters moved by while @size bytes were written and read. */
static FmProof
weigh(const Counters *moved, uint64_t size, unsigned drives)
{
    FmProof of_write = fm_guard_compare(size, moved->written, drives);
    FmProof of_read = fm_guard_compare(size, moved->read, 1);
    if (of_write == FM_PROOF_MISSING || of_read == FM_PROOF_MISSING) {
        return FM_PROOF_MISSING;
    }
    if (of_write == FM_PROOF_MOVED && of_read == FM_PROOF_MOVED) {
        return FM_PROOF_MOVED;
    }
    bool ours = moved->has_own && fm_guard_compare(size, moved->own_written, 1) == FM_PROOF_MOVED &&
                fm_guard_compare(size, moved->own_read, 1) == FM_PROOF_MOVED;
    return ours ? FM_PROOF_OURS : FM_PROOF_DISTURBED;
}

/* Writes and reads the file once and compares.  False on an I/O error. */
static bool
try_once(FmTarget *target, FmTestFile *file, uint64_t size, FmProof *proof, GError **error)
{
    Counters begin;
    Counters between;
    Counters end;
    if (!read_counters(target, &begin, error) || !fm_test_file_fill(file, error) ||
        !read_counters(target, &between, error) || !fm_test_file_read(file, error) ||
        !read_counters(target, &end, error)) {
        return false;
    }
    fm_facts_set_uint(target->facts, "guard.counted-written-bytes",
                      between.written - begin.written);
    fm_facts_set_uint(target->facts, "guard.counted-read-bytes", end.read - between.read);
    Counters moved = {
        .written = between.written - begin.written,
        .read = end.read - between.read,
        .own_written = between.own_written - begin.own_written,
        .own_read = end.own_read - between.own_read,
        .has_own = begin.has_own && end.has_own,
    };
    *proof = weigh(&moved, size, count_drives(target));
    return true;
}

static bool
go_on_cb(gpointer user_data, uint64_t done, uint64_t total)
{
    const FmGuardOptions *options = (const FmGuardOptions *)user_data;
    return options->may_go_on == NULL || options->may_go_on(options->user_data);
}

static FmTestFile *
make_probe(const FmTarget *target, const FmGuardOptions *guard, uint64_t size, GError **error)
{
    FmTarget folder = *target;
    g_autofree char *parent = g_path_get_dirname(target->path);
    if (target->kind == FM_TARGET_FILE) {
        folder.kind = FM_TARGET_FOLDER;
        folder.path = parent;
    }
    FmTestFileOptions options = {
        .size = size,
        .seed = 1,
        .progress = go_on_cb,
        .user_data = (gpointer)guard,
    };
    return fm_test_file_new(&folder, &options, error);
}

static uint64_t
get_probe_size(const FmTarget *target, uint64_t wanted)
{
    uint64_t half = target->free_bytes / 2 / PROBE_SMALLEST * PROBE_SMALLEST;
    return CLAMP(half, (uint64_t)PROBE_SMALLEST, MIN(wanted, (uint64_t)PROBE_LARGEST));
}

/*
 * Tries again while others disturb, each time with four times as much where the drive is
 * quick, so that their share becomes small.
 */
static bool
try_counters(FmTarget *target, const FmGuardOptions *guard, FmProof *proof, GError **error)
{
    uint64_t size = get_probe_size(target, PROBE_FIRST);
    unsigned tries = 0;
    *proof = FM_PROOF_DISTURBED;
    while (tries < TRIES && (*proof == FM_PROOF_DISTURBED || *proof == FM_PROOF_OURS)) {
        g_autoptr(FmTestFile) file = make_probe(target, guard, size, error);
        int64_t begin = g_get_monotonic_time();
        if (file == NULL || !try_once(target, file, size, proof, error)) {
            return false;
        }
        tries++;
        fm_facts_set_uint(target->facts, "guard.probe-bytes", size);
        if (g_get_monotonic_time() - begin < PROBE_QUICK_US) {
            size = get_probe_size(target, size * 4);
        }
    }
    fm_facts_set_uint(target->facts, "guard.tries", tries);
    return true;
}

/* --- Verdict ------------------------------------------------------------------ */

static void set_verdict(FmTarget *target, FmVerdict verdict, const char *format, ...)
    G_GNUC_PRINTF(3, 4);

static void
set_verdict(FmTarget *target, FmVerdict verdict, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fm_message_unref(target->verdict_reason);
    target->verdict = verdict;
    target->verdict_reason = fm_message_new_valist(format, arguments);
    va_end(arguments);
}

/* Types whose data another program or machine may keep, and that have no drive to ask. */
static bool
is_served_by_others(const char *type)
{
    static const char *const prefixes[] = {"fuse", "nfs",    "cifs",    "smb",      "9p",
                                           "ceph", "zfs",    "afs",     "virtiofs", "overlay",
                                           "gfs2", "lustre", "ecryptfs"};
    for (gsize i = 0; i < G_N_ELEMENTS(prefixes); i++) {
        if (g_str_has_prefix(type, prefixes[i])) {
            return true;
        }
    }
    return false;
}

static void
judge_without_counters(FmTarget *target, const char *type)
{
    if (is_served_by_others(type)) {
        set_verdict(target, FM_VERDICT_MAY_BE_CACHED,
                    "The file system (%s) may keep data in memory, and no drive's counters can "
                    "be compared.",
                    type);
    } else {
        set_verdict(target, FM_VERDICT_UNKNOWN,
                    "No drive's counters can be compared with what was written and read.");
    }
}

static void
judge_proof(FmTarget *target, FmProof proof)
{
    switch (proof) {
    case FM_PROOF_MOVED:
        set_verdict(target, FM_VERDICT_DIRECT,
                    "The drive's own counters moved by what was written and read.");
        break;
    case FM_PROOF_OURS:
        set_verdict(target, FM_VERDICT_DIRECT,
                    "The kernel counted for this program what was written and read; others used "
                    "the drive at the same time.");
        break;
    case FM_PROOF_MISSING:
        set_verdict(target, FM_VERDICT_MAY_BE_CACHED,
                    "The drive's counters moved by less than what was written and read: "
                    "something in between keeps data.");
        break;
    case FM_PROOF_DISTURBED:
        set_verdict(target, FM_VERDICT_UNKNOWN,
                    "Other programs used the drive at the same time, so its counters prove "
                    "nothing.");
        break;
    }
}

/* What is known without moving a byte.  False when nothing is. */
static bool
judge_by_facts(FmTarget *target, const FmTestFile *file, const char *type)
{
    bool loop_direct = true;
    Counters counters;
    if (target->verdict == FM_VERDICT_MEMORY) {
        return true;
    }
    if (!fm_test_file_is_direct(file)) {
        set_verdict(target, FM_VERDICT_MAY_BE_CACHED,
                    "The file system (%s) has no direct I/O, so memory takes part.", type);
        return true;
    }
    if (fm_facts_get_bool(target->facts, "stack.loop-direct", &loop_direct) && !loop_direct) {
        set_verdict(target, FM_VERDICT_MAY_BE_CACHED,
                    "The loop device keeps the data of its file in memory.");
        return true;
    }
    if (!read_counters(target, &counters, NULL)) {
        judge_without_counters(target, type);
        return true;
    }
    return false;
}

static bool
judge(FmTarget *target, const FmGuardOptions *guard, GError **error)
{
    const char *type = fm_facts_get_string(target->facts, "fs.type");
    g_autoptr(FmTestFile) file =
        make_probe(target, guard, get_probe_size(target, PROBE_SMALLEST), error);
    if (file == NULL) {
        return false;
    }
    if (judge_by_facts(target, file, type != NULL ? type : "unknown")) {
        return true;
    }
    g_clear_pointer(&file, fm_test_file_free);
    FmProof proof;
    if (!try_counters(target, guard, &proof, error)) {
        return false;
    }
    judge_proof(target, proof);
    return true;
}

static bool
check_verdict(const FmTarget *target, bool allow_buffered, GError **error)
{
    bool needs_yes =
        target->verdict == FM_VERDICT_MEMORY || target->verdict == FM_VERDICT_MAY_BE_CACHED;
    if (!needs_yes || allow_buffered) {
        return true;
    }
    fm_error_set(error, FM_ERROR_UNSAFE,
                 "“%s” was refused: %p Numbers from it are not the drive's; add --yes-cached to "
                 "take them all the same",
                 target->path, target->verdict_reason);
    return false;
}

bool
fm_guard_check_file(FmTarget *target, const FmGuardOptions *options, GError **error)
{
    return check_kind(target, error) && choose_size(target, options, error) &&
           judge(target, options, error) && check_verdict(target, options->allow_buffered, error);
}

bool
fm_guard_check_stored(FmTarget *target, bool allow_buffered, GError **error)
{
    uint64_t compressed = 0;

    fm_facts_get_uint(target->facts, "file.compressed-bytes", &compressed);
    if (compressed == 0 || target->verdict == FM_VERDICT_MEMORY) {
        return true;
    }
    g_autofree char *size = fm_units_dup_size(compressed);
    set_verdict(target, FM_VERDICT_MAY_BE_CACHED,
                "The file system keeps %s of the test file compressed, so the drive moves less "
                "than is written and read; random data or a folder without compression "
                "(chattr +C on btrfs) avoids that.",
                size);
    return check_verdict(target, allow_buffered, error);
}
