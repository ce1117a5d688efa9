/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a file system does to the data and how much it takes.  Writes nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/fs-facts.h"

#include "platform/linux/sysfs.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/quota.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443 /* the same on all architectures since Linux 5.14 */
#endif

static bool
is_type(const FmPlace *place, const char *const *types)
{
    return g_strv_contains(types, plat_place_get_type(place));
}

/* --- Compression, copy-on-write, encryption ----------------------------------- */

static const char *const copy_on_write_types[] = {"btrfs", "bcachefs", "zfs", "nilfs2", NULL};

/* These never compress; of others we say that we do not know. */
static const char *const plain_types[] = {"ext2", "ext3",  "ext4",     "xfs",      "jfs",
                                          "vfat", "exfat", "tmpfs",    "ramfs",    "msdos",
                                          "f2fs", "btrfs", "bcachefs", "devtmpfs", NULL};

/* "zstd:3" of the mount, or NULL. */
static char *
dup_mount_compression(const FmPlace *place)
{
    static const char *const names[] = {"compress-force", "compress", "compression",
                                        "compress_algorithm"};
    for (gsize i = 0; i < G_N_ELEMENTS(names) && place->mount != NULL; i++) {
        char *value = plat_mount_dup_option(place->mount, names[i]);
        if (value != NULL && value[0] == '\0') {
            g_free(value);
            return g_strdup("zlib"); /* what a bare "compress" means to btrfs */
        }
        if (value != NULL && strcmp(value, "no") != 0 && strcmp(value, "none") != 0) {
            return value;
        }
        g_free(value);
    }
    return NULL;
}

/* The algorithm set on the folder itself, which new files inherit; or NULL. */
static char *
dup_folder_compression(const FmPlace *place, unsigned flags)
{
    char value[32] = "";
    ssize_t length = getxattr(place->path, "btrfs.compression", value, sizeof value - 1);
    if (length > 0) {
        value[length] = '\0';
        /* btrfs takes both words and keeps the one it was given. */
        return strcmp(value, "no") == 0 ? g_strdup("none") : plat_clean_text(value);
    }
    return (flags & FS_COMPR_FL) != 0 ? g_strdup("yes") : NULL;
}

/* f2fs compresses only where the flag says so, btrfs also by its mount option. */
static char *
dup_compression(const FmPlace *place, unsigned flags)
{
    static const char *const by_flag_only[] = {"f2fs", NULL};
    if ((flags & FS_NOCOW_FL) != 0) {
        return g_strdup("none"); /* btrfs stores such files as they are */
    }
    g_autofree char *folder = dup_folder_compression(place, flags);
    g_autofree char *mount = dup_mount_compression(place);
    if (is_type(place, by_flag_only) && folder == NULL) {
        return g_strdup("none");
    }
    if (folder != NULL && strcmp(folder, "yes") != 0) {
        return g_steal_pointer(&folder);
    }
    if (mount != NULL) {
        return g_steal_pointer(&mount);
    }
    return folder != NULL ? g_strdup("zlib") : g_strdup("none");
}

static void
add_compression(FmFacts *facts, const FmPlace *place, unsigned flags)
{
    if (!is_type(place, plain_types)) {
        fm_facts_set_unknown(facts, "fs.compression",
                             "this type of file system does not tell whether it compresses");
        return;
    }
    g_autofree char *compression = dup_compression(place, flags);
    fm_facts_set_string(facts, "fs.compression", compression);
}

static void
add_copy_on_write(FmFacts *facts, const FmPlace *place, unsigned flags)
{
    bool copies = is_type(place, copy_on_write_types);
    g_autofree char *off = copies ? plat_mount_dup_option(place->mount, "nodatacow") : NULL;
    copies = copies && off == NULL && (flags & FS_NOCOW_FL) == 0;
    if (!copies && !is_type(place, plain_types) && !is_type(place, copy_on_write_types)) {
        fm_facts_set_unknown(facts, "fs.copy-on-write",
                             "this type of file system does not tell how it overwrites");
        return;
    }
    fm_facts_set_bool(facts, "fs.copy-on-write", copies);
}

static const FmBlock *
find_kind(const FmPlace *place, const char *kind)
{
    const FmBlock *found = NULL;
    for (guint i = 0; i < place->blocks->len && found == NULL; i++) {
        found = plat_block_find_kind((const FmBlock *)place->blocks->pdata[i], kind);
    }
    return found;
}

static void
add_encryption(FmFacts *facts, const FmPlace *place)
{
    static const char *const types[] = {"ecryptfs",   "fuse.gocryptfs",  "fuse.encfs",
                                        "fuse.cryfs", "fuse.cppcryptfs", "fuse.securefs",
                                        NULL};
    if ((place->status.stx_attributes & STATX_ATTR_ENCRYPTED) != 0) {
        fm_facts_set_string(facts, "fs.encryption", "fscrypt");
    } else if (is_type(place, types)) {
        fm_facts_set_string(facts, "fs.encryption", plat_place_get_type(place));
    } else if (find_kind(place, "crypt") != NULL) {
        fm_facts_set_string(facts, "fs.encryption", "dm-crypt");
    } else if (place->blocks->len > 0 || plat_place_is_memory(place)) {
        fm_facts_set_string(facts, "fs.encryption", "none");
    } else {
        fm_facts_set_unknown(facts, "fs.encryption", "what stores this file system is not known");
    }
}

/* The card's first line: "btrfs, zstd, CoW". */
static void
add_summary(FmFacts *facts, const FmPlace *place)
{
    GString *text = g_string_new(plat_place_get_type(place));
    const char *compression = fm_facts_get_string(facts, "fs.compression");
    const char *encryption = fm_facts_get_string(facts, "fs.encryption");
    bool copies = false;
    if (text->len == 0) {
        g_string_assign(text, "unknown file system");
    }
    if (compression != NULL && strcmp(compression, "none") != 0) {
        g_string_append_printf(text, ", %.*s", (int)strcspn(compression, ":"), compression);
    }
    if (fm_facts_get_bool(facts, "fs.copy-on-write", &copies) && copies) {
        g_string_append(text, ", CoW");
    }
    if (encryption != NULL && strcmp(encryption, "none") != 0) {
        g_string_append_printf(text, ", %s", encryption);
    }
    fm_facts_set_string(facts, "fs.summary", text->str);
    g_string_free(text, TRUE);
}

/* --- Stack -------------------------------------------------------------------- */

/* What a loop device stands on decides what its numbers are worth. */
static void
add_loop(FmFacts *facts, const FmPlace *place)
{
    const FmBlock *loop = find_kind(place, "loop");
    if (loop == NULL) {
        return;
    }
    fm_facts_set_string(facts, "stack.loop-file", loop->detail != NULL ? loop->detail : "");
    uint64_t direct;
    if (plat_sysfs_read_uint(loop->directory, "loop/dio", &direct)) {
        fm_facts_set_bool(facts, "stack.loop-direct", direct != 0);
    } else {
        fm_facts_set_unknown(facts, "stack.loop-direct", "the kernel does not tell");
    }
    g_autoptr(FmPlace) file = loop->detail != NULL ? plat_place_new(loop->detail, NULL) : NULL;
    if (file == NULL) {
        fm_facts_set_unknown(facts, "stack.loop-memory", "the file is not visible from here");
    } else {
        fm_facts_set_bool(facts, "stack.loop-memory", plat_place_is_memory(file));
    }
}

static void
add_stack(FmFacts *facts, const FmPlace *place)
{
    if (place->blocks->len == 0) {
        const char *reason = N_("no block device is behind it");
        fm_facts_set_unknown(facts, "stack.description", reason);
        fm_facts_set_unknown(facts, "stack.drives", reason);
        return;
    }
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < place->blocks->len; i++) {
        g_autofree char *one = plat_block_describe((const FmBlock *)place->blocks->pdata[i]);
        g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", one);
    }
    fm_facts_set_string(facts, "stack.description", text->str);
    g_string_free(text, TRUE);

    g_autoptr(GPtrArray) drives = plat_place_list_drives(place);
    g_ptr_array_add(drives, NULL);
    g_autofree char *list = g_strjoinv(", ", (char **)drives->pdata);
    fm_facts_set_string(facts, "stack.drives", list);
    add_loop(facts, place);
}

/* --- Space and limits --------------------------------------------------------- */

static void
add_space(FmFacts *facts, const FmPlace *place)
{
    uint64_t unit =
        (uint64_t)(place->system.f_frsize > 0 ? place->system.f_frsize : place->system.f_bsize);
    fm_facts_set_uint(facts, "fs.size-bytes", place->system.f_blocks * unit);
    fm_facts_set_uint(facts, "fs.available-bytes", place->system.f_bavail * unit);
    fm_facts_set_uint(facts, "fs.block-bytes", (uint64_t)place->system.f_bsize);
}

/* The largest file where the type alone decides it. */
static void
add_largest_file(FmFacts *facts, const FmPlace *place)
{
    static const char *const fat[] = {"vfat", "msdos", NULL};
    if (is_type(place, fat)) {
        fm_facts_set_uint(facts, "fs.largest-file-bytes", G_MAXUINT32);
    } else {
        fm_facts_set_unknown(facts, "fs.largest-file-bytes", "the kernel does not tell");
    }
}

static void
limit_to(uint64_t *free_bytes, uint64_t limit)
{
    *free_bytes = MIN(*free_bytes, limit);
}

/* A file system that knows no quotas and a kernel without the call answer alike. */
static bool
has_quota_call(void)
{
    return syscall(SYS_quotactl_fd, -1, QCMD((unsigned)Q_GETQUOTA, USRQUOTA), 0, NULL) == 0 ||
           errno != ENOSYS;
}

/* Asks for one kind of quota; false when there is none.  @reason says when it could
 * not be asked. */
static bool
ask_quota(const FmPlace *place, int kind, unsigned id, struct dqblk *quota, const char **reason)
{
    int descriptor = open(place->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) {
        *reason = N_("the folder can't be opened for reading");
        return false;
    }
    long status = syscall(SYS_quotactl_fd, descriptor, QCMD((unsigned)Q_GETQUOTA, kind), id, quota);
    int code = status == 0 ? 0 : errno;
    close(descriptor);
    /* No quota switched on, none for this user, or none in this type of file system. */
    bool none = code == ESRCH || code == ENOENT || code == EINVAL || code == ENOTBLK ||
                code == EOPNOTSUPP || (code == ENOSYS && has_quota_call());
    if (code != 0 && !none) {
        *reason = code == ENOSYS ? N_("this kernel can't be asked (it is older than 5.14)")
                                 : strerrordesc_np(code);
    }
    return code == 0;
}

static void
add_quota(FmFacts *facts, const FmPlace *place, uint64_t *free_bytes)
{
    const struct {
        int kind;
        unsigned id;
        const char *fact;
    } kinds[] = {
        {USRQUOTA, geteuid(), "fs.quota-user-bytes"},
        {GRPQUOTA, getegid(), "fs.quota-group-bytes"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
        struct dqblk quota = {0};
        const char *reason = NULL;
        bool has_quota = ask_quota(place, kinds[i].kind, kinds[i].id, &quota, &reason);
        uint64_t limit = quota.dqb_bhardlimit * 1024; /* in KiB, curspace in bytes */
        if (reason != NULL) {
            fm_facts_set_unknown(facts, kinds[i].fact, reason);
        } else if (!has_quota || limit == 0) {
            fm_facts_set_string(facts, kinds[i].fact, "none");
        } else {
            uint64_t left = limit > quota.dqb_curspace ? limit - quota.dqb_curspace : 0;
            fm_facts_set_uint(facts, kinds[i].fact, left);
            limit_to(free_bytes, left);
        }
    }
}

uint64_t
plat_fs_get_free(FmFacts *facts, const FmPlace *place)
{
    uint64_t free_bytes = G_MAXUINT64;
    uint64_t value;
    if (fm_facts_get_uint(facts, "fs.available-bytes", &value)) {
        limit_to(&free_bytes, value);
    }
    if (fm_facts_get_uint(facts, "fs.largest-file-bytes", &value)) {
        limit_to(&free_bytes, value);
    }
    add_quota(facts, place, &free_bytes);

    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0) {
        fm_facts_set_unknown(facts, "limit.file-size-bytes", "the kernel does not tell");
    } else if (limit.rlim_cur == RLIM_INFINITY) {
        fm_facts_set_string(facts, "limit.file-size-bytes", "none");
    } else {
        fm_facts_set_uint(facts, "limit.file-size-bytes", limit.rlim_cur);
        limit_to(&free_bytes, limit.rlim_cur);
    }
    return free_bytes;
}

/* --- All of it ---------------------------------------------------------------- */

static void
add_mount(FmFacts *facts, const FmPlace *place)
{
    if (place->mount == NULL) {
        const char *reason = N_("the mount is not in this program's mount table");
        fm_facts_set_unknown(facts, "fs.type", reason);
        fm_facts_set_unknown(facts, "fs.options", reason);
        fm_facts_set_unknown(facts, "fs.mount-point", reason);
        return;
    }
    fm_facts_set_string(facts, "fs.type", place->mount->type);
    fm_facts_set_string(facts, "fs.options", place->mount->options);
    fm_facts_set_string(facts, "fs.mount-point", place->mount->point);
    fm_facts_set_string(facts, "fs.source", place->mount->source);
}

void
plat_fs_add_facts(FmFacts *facts, const FmPlace *place)
{
    unsigned flags = 0;
    add_mount(facts, place);
    plat_place_get_flags(place, &flags);
    add_compression(facts, place, flags);
    add_copy_on_write(facts, place, flags);
    add_encryption(facts, place);
    add_summary(facts, place);
    add_stack(facts, place);
    add_space(facts, place);
    add_largest_file(facts, place);
}
