/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names, renames and lists saved runs.  Never changes what is in a run.  Any thread; each
 * call reads the disk.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/library.h"

#include "base/error.h"
#include "model/plan-reader.h"
#include "model/run.h"
#include "store/run-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

enum {
    /* HELLO to PLAN: a plan's text and the facts of a machine are some 10 kB. */
    HEAD_SIZE = 64 * 1024,
    LARGE_HEAD_SIZE = 4 * 1024 * 1024,
    /* END is small; notes may follow it, and each time one was changed another. */
    TAIL_SIZE = 64 * 1024,
    LARGE_TAIL_SIZE = 4 * 1024 * 1024,
    MAX_NAME_PART = 48,
};

#define SUFFIX ".fathom"

void
fm_library_entry_free(FmLibraryEntry *entry)
{
    if (entry == NULL) {
        return;
    }
    g_free(entry->path);
    g_free(entry->name);
    g_free(entry->outcome);
    g_free(entry->plan_id);
    g_free(entry->plan_name);
    g_free(entry->plan_name_ko);
    g_free(entry->target_path);
    g_free(entry->drive);
    g_free(entry->note);
    g_strfreev(entry->tags);
    g_free(entry);
}

char *
fm_library_dir(void)
{
    char *dir = g_build_filename(g_get_user_data_dir(), "fathom", "runs", NULL);

    /* If it can't be made, opening a file in it says so. */
    g_mkdir_with_parents(dir, 0755);
    return dir;
}

/* --- Names ----------------------------------------------------------------------- */

/* Appends "-" and @text with everything but letters, digits, "." and "_" as "-". */
static void
append_part(GString *name, const char *text)
{
    gsize begin = name->len;

    g_string_append_c(name, '-');
    for (const char *at = text; *at != '\0' && name->len - begin <= MAX_NAME_PART; at++) {
        bool is_plain = g_ascii_isalnum(*at) || *at == '.' || *at == '_';
        if (is_plain) {
            g_string_append_c(name, *at);
        } else if (name->str[name->len - 1] != '-') {
            g_string_append_c(name, '-');
        }
    }
    while (name->str[name->len - 1] == '-') {
        g_string_truncate(name, name->len - 1);
    }
}

char *
fm_library_new_path(const char *plan_id, const char *drive, gint64 wall_us)
{
    g_autofree char *dir = fm_library_dir();
    g_autoptr(GDateTime) utc = g_date_time_new_from_unix_utc(wall_us / G_USEC_PER_SEC);
    g_autoptr(GDateTime) time = utc != NULL ? g_date_time_to_local(utc) : NULL;
    g_autoptr(GString) name = g_string_new(NULL);

    if (time == NULL) {
        g_string_append(name, "undated");
    } else {
        /* Not g_date_time_format(): its digits are the locale's. */
        g_string_append_printf(name, "%04d-%02d-%02d-%02d%02d", g_date_time_get_year(time),
                               g_date_time_get_month(time), g_date_time_get_day_of_month(time),
                               g_date_time_get_hour(time), g_date_time_get_minute(time));
    }
    append_part(name, plan_id);
    append_part(name, drive != NULL ? drive : "");
    gsize stem = name->len;
    for (unsigned number = 2;; number++) {
        g_string_append(name, SUFFIX);
        g_autofree char *path = g_build_filename(dir, name->str, NULL);
        if (!g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_SYMLINK)) {
            return g_steal_pointer(&path);
        }
        g_string_truncate(name, stem);
        g_string_append_printf(name, "-%u", number);
    }
}

/* --- Listing --------------------------------------------------------------------- */

/* What tells about a run as a whole. */
static bool
is_about_run(FmFrameKind kind)
{
    return kind == FM_FRAME_HELLO || kind == FM_FRAME_DRIVE || kind == FM_FRAME_TARGET ||
           kind == FM_FRAME_PLAN || kind == FM_FRAME_PHASE_BEGIN || kind == FM_FRAME_END ||
           kind == FM_FRAME_USER_NOTE;
}

/* Folds what matters of @size bytes of @file from @offset on; with @is_head up to the
 * first step.  Returns whether that was reached. */
static bool
fold_part(FILE *file, guint64 offset, gsize size, bool is_head, FmRun *run)
{
    g_autoptr(FmFrameReader) reader = fm_frame_reader_new();
    g_autofree char *bytes = g_malloc(size);
    FmFrameReadStatus status;

    if (fseeko(file, (off_t)offset, SEEK_SET) != 0) {
        return false;
    }
    fm_frame_reader_push(reader, bytes, fread(bytes, 1, size, file));
    fm_frame_reader_end(reader);
    do {
        g_auto(FmFrame) frame = {0};
        status = fm_frame_reader_pop(reader, &frame);
        if (status != FM_FRAME_READ_OK || !is_about_run(frame.kind)) {
            continue;
        }
        fm_run_add_frame(run, &frame);
        if (is_head && frame.kind == FM_FRAME_PHASE_BEGIN) {
            return true;
        }
    } while (status != FM_FRAME_READ_MORE);
    return false;
}

static FmRun *
read_head(FILE *file)
{
    g_autoptr(FmRun) run = fm_run_new();

    if (fold_part(file, 0, HEAD_SIZE, true, run) || run->plan_id != NULL) {
        return g_steal_pointer(&run);
    }
    g_autoptr(FmRun) more = fm_run_new();
    fold_part(file, 0, LARGE_HEAD_SIZE, true, more);
    return g_steal_pointer(&more);
}

/* What END and the last note tell.  A session that began after END makes it void. */
static FmRun *
read_tail(FILE *file, guint64 size)
{
    static const gsize lengths[] = {TAIL_SIZE, LARGE_TAIL_SIZE};
    FmRun *run = NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(lengths); i++) {
        gsize length = (gsize)MIN(size, lengths[i]);
        g_clear_pointer(&run, fm_run_free);
        run = fm_run_new();
        fold_part(file, size - length, length, false, run);
        if (run->ended || length == size) {
            break;
        }
    }
    return run;
}

static bool
is_run(const FmRun *run)
{
    return run->n_sessions > 0 || run->plan_id != NULL || run->steps->len > 0;
}

static const char *
get_outcome(const FmRun *head, const FmRun *tail, bool is_busy)
{
    if (is_busy) {
        return "running";
    }
    if (!is_run(head)) {
        return "unreadable";
    }
    return tail->ended && tail->outcome != NULL ? tail->outcome : "cut off";
}

static char *
dup_korean_name(const FmRun *run)
{
    g_autoptr(FmPlan) plan =
        run->plan_text != NULL ? fm_plan_read_canonical(run->plan_text, NULL) : NULL;

    return plan != NULL ? g_strdup(plan->name_ko) : NULL;
}

static void
read_into(FmLibraryEntry *entry, FILE *file)
{
    bool is_busy = fm_run_file_is_busy(entry->path);
    g_autoptr(FmRun) head = read_head(file);
    g_autoptr(FmRun) tail = read_tail(file, entry->size);

    entry->outcome = g_strdup(get_outcome(head, tail, is_busy));
    entry->plan_id = g_strdup(head->plan_id);
    entry->plan_name = g_strdup(head->plan_name);
    entry->plan_name_ko = dup_korean_name(head);
    entry->target_path = g_strdup(head->target_path);
    entry->drive = g_strdup(fm_facts_get_string(head->drive, "drive.model"));
    entry->wall_us = head->wall_us;
    entry->note = g_strdup(tail->user_text);
    entry->tags = g_strdupv(tail->tags);
}

FmLibraryEntry *
fm_library_read(const char *path)
{
    FmLibraryEntry *entry = g_new0(FmLibraryEntry, 1);
    GStatBuf status;

    entry->path = g_strdup(path);
    entry->name = g_path_get_basename(path);
    bool is_regular = g_stat(path, &status) == 0 && S_ISREG(status.st_mode);
    FILE *file = is_regular ? g_fopen(path, "rb") : NULL;
    if (file == NULL) {
        entry->outcome = g_strdup("unreadable");
        return entry;
    }
    entry->size = (guint64)status.st_size;
    read_into(entry, file);
    fclose(file);
    return entry;
}

int
fm_library_entry_compare(const FmLibraryEntry *one, const FmLibraryEntry *other)
{
    if (one->wall_us != other->wall_us) {
        return one->wall_us > other->wall_us ? -1 : 1;
    }
    return strcmp(one->name, other->name);
}

static int
compare_newest_first(gconstpointer a, gconstpointer b)
{
    return fm_library_entry_compare(*(FmLibraryEntry *const *)a, *(FmLibraryEntry *const *)b);
}

GPtrArray *
fm_library_list(void)
{
    GPtrArray *entries = g_ptr_array_new_with_free_func((GDestroyNotify)fm_library_entry_free);
    g_autofree char *path = fm_library_dir();
    g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);

    for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
        if (fm_library_is_run_name(name)) {
            g_autofree char *file = g_build_filename(path, name, NULL);
            g_ptr_array_add(entries, fm_library_read(file));
        }
    }
    g_ptr_array_sort(entries, compare_newest_first);
    return entries;
}

/* --- Renaming -------------------------------------------------------------------- */

bool
fm_library_is_run_name(const char *name)
{
    return g_str_has_suffix(name, SUFFIX);
}

/* A name that every file system takes and that stays in the folder. */
static bool
check_name(const char *name, GError **error)
{
    enum { MAX_NAME = 200 };
    const char *reason = NULL;

    if (*name == '\0') {
        reason = N_("it is empty");
    } else if (*name == '.') {
        reason = N_("a file that begins with a dot is hidden");
    } else if (strpbrk(name, "/\\:*?\"<>|") != NULL) {
        reason = N_("it has one of the characters / \\ : * ? \" < > |");
    } else if (strlen(name) > MAX_NAME) {
        reason = N_("it is too long");
    } else if (!g_utf8_validate(name, -1, NULL)) {
        reason = N_("it is not UTF-8");
    }
    for (const char *at = name; reason == NULL && *at != '\0'; at++) {
        reason = g_ascii_iscntrl(*at) ? N_("it has a control character") : NULL;
    }
    if (reason != NULL) {
        g_autoptr(FmMessage) why = fm_message_new_words(reason);
        fm_error_set(error, FM_ERROR_INVALID, "The name “%s” can't be given to a run: %p", name,
                     why);
        return false;
    }
    return true;
}

char *
fm_library_rename(const char *path, const char *name, GError **error)
{
    g_autofree char *stripped = g_strstrip(g_strdup(name));
    g_autofree char *folder = g_path_get_dirname(path);

    if (g_str_has_suffix(stripped, SUFFIX)) {
        stripped[strlen(stripped) - strlen(SUFFIX)] = '\0';
    }
    if (!check_name(stripped, error)) {
        return NULL;
    }
    g_autofree char *file = g_strconcat(stripped, SUFFIX, NULL);
    g_autofree char *to = g_build_filename(folder, file, NULL);
    if (strcmp(to, path) == 0) {
        return g_steal_pointer(&to);
    }
    if (g_file_test(to, G_FILE_TEST_EXISTS) || g_file_test(to, G_FILE_TEST_IS_SYMLINK)) {
        fm_error_set(error, FM_ERROR_UNSAFE, "There is a run “%s” already", file);
        return NULL;
    }
    if (g_rename(path, to) != 0) {
        int code = errno;
        g_autofree char *old = g_filename_display_basename(path);
        fm_error_set_errno(error, code, "The run “%s” can't be renamed", old);
        return NULL;
    }
    return g_steal_pointer(&to);
}
