/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal of our test files.  An entry names the file, what identifies it (device,
 * inode) and who made it (host, boot, process, its start).  The kernel drops the lock
 * of an entry when its process ends, however it ends.  Nothing is ever removed that is
 * not a regular file of this user with our name and the recorded identity.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/file-journal.h"

#include "platform/platform.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#define PREFIX "fathom-test-"
#define SUFFIX ".dat"

typedef struct {
    char *path;
    char *host;
    char *boot;
    guint64 process;
    guint64 start; /* of the process, in clock ticks since boot; 0 = unknown */
    guint64 device;
    guint64 inode; /* 0 = the file was not made yet */
} Record;

static void
record_clear(Record *record)
{
    g_free(record->path);
    g_free(record->host);
    g_free(record->boot);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Record, record_clear)

bool
plat_journal_is_name(const char *name)
{
    gsize prefix = strlen(PREFIX);
    if (strncmp(name, PREFIX, prefix) != 0 || strlen(name) != prefix + 16 + strlen(SUFFIX)) {
        return false;
    }
    for (gsize i = prefix; i < prefix + 16; i++) {
        if (!g_ascii_isdigit(name[i]) && (name[i] < 'a' || name[i] > 'f')) {
            return false;
        }
    }
    return strcmp(name + prefix + 16, SUFFIX) == 0;
}

/* --- Who ---------------------------------------------------------------------- */

/* Field 22 of stat, counted after the name in brackets, which may hold anything.  A
 * zombie is gone: it only waits for somebody to ask how it ended. */
static guint64
read_start_of(guint64 process)
{
    g_autofree char *path = g_strdup_printf("/proc/%" G_GUINT64_FORMAT "/stat", process);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return 0;
    }
    const char *after = strrchr(text, ')');
    g_auto(GStrv) fields = g_strsplit(after != NULL ? after + 1 : "", " ", -1);
    /* fields[0] is empty, fields[1] is field 3. */
    bool is_there = g_strv_length(fields) > 20 && strcmp(fields[1], "Z") != 0;
    return is_there ? g_ascii_strtoull(fields[20], NULL, 10) : 0;
}

static char *
read_boot(void)
{
    char *text = NULL;
    if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &text, NULL, NULL)) {
        return g_strdup("unknown");
    }
    return g_strstrip(text);
}

static char *
dup_host(void)
{
    struct utsname name;
    return g_strdup(uname(&name) == 0 ? name.nodename : "unknown");
}

/* Where another machine shares the state folder, only that one can tell. */
static bool
is_owner_gone(const Record *record)
{
    g_autofree char *host = dup_host();
    g_autofree char *boot = read_boot();
    if (strcmp(host, record->host) != 0) {
        return false;
    }
    if (strcmp(boot, record->boot) != 0) {
        return true;
    }
    guint64 start = read_start_of(record->process);
    return start == 0 || start != record->start;
}

/* --- Text --------------------------------------------------------------------- */

/* The path is written as a file address, so that every byte of it survives. */
static char *
format_record(const char *path, const struct stat *status)
{
    g_autofree char *address = g_filename_to_uri(path, NULL, NULL);
    g_autofree char *host = dup_host();
    g_autofree char *boot = read_boot();
    guint64 process = (guint64)getpid();
    return g_strdup_printf("[file]\npath=%s\nhost=%s\nboot=%s\nprocess=%" G_GUINT64_FORMAT
                           "\nstart=%" G_GUINT64_FORMAT "\ndevice=%" G_GUINT64_FORMAT
                           "\ninode=%" G_GUINT64_FORMAT "\n",
                           address != NULL ? address : "", host, boot, process,
                           read_start_of(process), (guint64)(status != NULL ? status->st_dev : 0),
                           (guint64)(status != NULL ? status->st_ino : 0));
}

static bool
parse_record(Record *record, const char *text)
{
    g_autoptr(GKeyFile) file = g_key_file_new();
    if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, NULL)) {
        return false;
    }
    g_autofree char *address = g_key_file_get_string(file, "file", "path", NULL);
    record->path = address != NULL ? g_filename_from_uri(address, NULL, NULL) : NULL;
    record->host = g_key_file_get_string(file, "file", "host", NULL);
    record->boot = g_key_file_get_string(file, "file", "boot", NULL);
    record->process = g_key_file_get_uint64(file, "file", "process", NULL);
    record->start = g_key_file_get_uint64(file, "file", "start", NULL);
    record->device = g_key_file_get_uint64(file, "file", "device", NULL);
    record->inode = g_key_file_get_uint64(file, "file", "inode", NULL);
    return record->path != NULL && record->host != NULL && record->boot != NULL;
}

static bool
write_all(int descriptor, const char *text)
{
    gsize length = strlen(text);
    /* Over the old text and cut behind it: no instant is without a readable record. */
    return pwrite(descriptor, text, length, 0) == (ssize_t)length &&
           ftruncate(descriptor, (off_t)length) == 0 && fdatasync(descriptor) == 0;
}

static char *
dup_folder(void)
{
    g_autofree char *state = plat_state_dir();
    return g_build_filename(state, "files", NULL);
}

/* --- The owner's side --------------------------------------------------------- */

bool
plat_journal_begin(FmJournalEntry *entry, const char *path)
{
    g_autofree char *folder = dup_folder();
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *hidden = g_strconcat(".", name, NULL);
    g_autofree char *first = g_build_filename(folder, hidden, NULL);
    g_autofree char *text = format_record(path, NULL);
    entry->path = g_build_filename(folder, name, NULL);
    g_mkdir_with_parents(folder, 0700);

    /* Locked and whole before it has the name by which others look at it. */
    entry->descriptor = open(first, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (entry->descriptor >= 0 && flock(entry->descriptor, LOCK_EX | LOCK_NB) == 0 &&
        write_all(entry->descriptor, text) && g_rename(first, entry->path) == 0) {
        return true;
    }
    if (entry->descriptor >= 0) {
        close(entry->descriptor);
        g_unlink(first);
    }
    entry->descriptor = -1;
    g_clear_pointer(&entry->path, g_free);
    return false;
}

void
plat_journal_complete(FmJournalEntry *entry, const char *path, const struct stat *status)
{
    if (entry->descriptor < 0) {
        return;
    }
    g_autofree char *text = format_record(path, status);
    if (!write_all(entry->descriptor, text)) {
        g_debug("the journal entry %s can't be completed", entry->path);
    }
}

void
plat_journal_end(FmJournalEntry *entry)
{
    if (entry->descriptor < 0) {
        return;
    }
    g_unlink(entry->path);
    close(entry->descriptor);
    entry->descriptor = -1;
    g_clear_pointer(&entry->path, g_free);
}

/* --- Knowing a file again ----------------------------------------------------- */

/* The mark holds the 64 random bits of the name, so it can't come from elsewhere. */
static bool
has_mark(const char *path)
{
    char value[64] = "";
    g_autofree char *name = g_path_get_basename(path);
    ssize_t length = lgetxattr(path, FM_FILE_MARK, value, sizeof value - 1);
    return length > 0 && strcmp(value, name) == 0;
}

static bool
is_plain_file_of_ours(const char *path, const struct stat *status)
{
    g_autofree char *name = g_path_get_basename(path);
    return plat_journal_is_name(name) && S_ISREG(status->st_mode) && status->st_nlink == 1 &&
           status->st_uid == geteuid();
}

/* Device numbers may change with a reboot; then the mark must speak for the file. */
static bool
is_recorded(const Record *record, const struct stat *status)
{
    if (record->inode == 0) {
        return status->st_size == 0;
    }
    return record->inode == status->st_ino &&
           (record->device == status->st_dev || has_mark(record->path));
}

static bool
read_record(Record *record, int descriptor)
{
    char text[8192];
    ssize_t length = pread(descriptor, text, sizeof text - 1, 0);
    if (length <= 0) {
        return false;
    }
    text[length] = '\0';
    return parse_record(record, text);
}

bool
plat_journal_knows(const char *path, const struct stat *status)
{
    if (!is_plain_file_of_ours(path, status)) {
        return false;
    }
    if (has_mark(path)) {
        return true;
    }
    g_autofree char *folder = dup_folder();
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *entry = g_build_filename(folder, name, NULL);
    int descriptor = open(entry, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    g_auto(Record) record = {0};
    bool known =
        read_record(&record, descriptor) && record.inode != 0 && is_recorded(&record, status);
    close(descriptor);
    return known;
}

/* --- Cleaning up after the dead ----------------------------------------------- */

typedef enum {
    LEFT_ALONE, /* the entry stays: its drive is away, or somebody else may own it */
    NOTHING_THERE, /* the file is gone; so may be its entry */
    REMOVED,
} Cleaning;

/*
 * Whether the nearest folder above the file that exists is on the recorded device: then
 * the file is really gone.  An unplugged drive leaves its mount point behind, which is
 * on another one.
 */
static bool
is_device_present(const Record *record)
{
    struct stat status;
    g_autofree char *folder = g_path_get_dirname(record->path);
    while (stat(folder, &status) != 0) {
        if (errno != ENOENT || strlen(folder) <= 1) {
            return false;
        }
        char *parent = g_path_get_dirname(folder);
        g_free(folder);
        folder = parent;
    }
    return record->inode == 0 || status.st_dev == record->device;
}

static Cleaning
clean_file(const Record *record)
{
    struct stat status;
    if (lstat(record->path, &status) != 0) {
        bool is_absent = errno == ENOENT || errno == ENOTDIR;
        return is_absent && is_device_present(record) ? NOTHING_THERE : LEFT_ALONE;
    }
    if (!is_plain_file_of_ours(record->path, &status) || !is_recorded(record, &status)) {
        return LEFT_ALONE;
    }
    return unlink(record->path) == 0 ? REMOVED : LEFT_ALONE;
}

static bool
clean_entry(const char *path, const char *name)
{
    int descriptor = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
        close(descriptor);
        return false;
    }
    g_auto(Record) record = {0};
    Cleaning result = LEFT_ALONE;
    if (read_record(&record, descriptor) && is_owner_gone(&record)) {
        g_autofree char *file = g_path_get_basename(record.path);
        result = strcmp(file, name) == 0 ? clean_file(&record) : LEFT_ALONE;
    }
    if (result != LEFT_ALONE) {
        g_unlink(path);
    }
    close(descriptor);
    return result == REMOVED;
}

unsigned
plat_test_files_clean(void)
{
    g_autofree char *folder = dup_folder();
    g_autoptr(GDir) entries = g_dir_open(folder, 0, NULL);
    unsigned removed = 0;
    const char *name;
    while (entries != NULL && (name = g_dir_read_name(entries)) != NULL) {
        if (!plat_journal_is_name(name)) {
            continue;
        }
        g_autofree char *path = g_build_filename(folder, name, NULL);
        removed += clean_entry(path, name) ? 1 : 0;
    }
    return removed;
}
