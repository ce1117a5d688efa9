/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads compiled catalogues (GNU gettext's .mo, either byte order).  A catalogue is read once, when
 * it is first asked for, and kept: afterwards a look-up is one hash.  A file that is no catalogue
 * is like one that is not there.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/language.h"

#include <libintl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The head of a .mo file: magic, revision, number of texts, places of the two tables. */
enum {
    HEADER_SIZE = 20,
    ENTRY_SIZE = 8, /* length and place of one text */
    MAGIC = 0x950412de,
};

typedef struct {
    const char *bytes;
    gsize length;
    bool is_swapped;
} File;

static uint32_t
get_number(const File *file, gsize at)
{
    uint32_t number;

    memcpy(&number, file->bytes + at, sizeof number);
    return file->is_swapped ? GUINT32_SWAP_LE_BE(number) : number;
}

/* The text of the table entry at @at, or NULL where it is not whole. */
static const char *
get_text(const File *file, uint64_t at)
{
    if (at + ENTRY_SIZE > file->length) {
        return NULL;
    }
    uint64_t length = get_number(file, at);
    uint64_t begin = get_number(file, at + 4);
    bool is_whole = begin + length < file->length && file->bytes[begin + length] == '\0';
    return is_whole ? file->bytes + begin : NULL;
}

static bool
open_file(const char *bytes, gsize length, File *file)
{
    *file = (File){.bytes = bytes, .length = length};
    if (length < HEADER_SIZE) {
        return false;
    }
    file->is_swapped = get_number(file, 0) != (uint32_t)MAGIC;
    return get_number(file, 0) == (uint32_t)MAGIC;
}

/* One language: kept until the program ends, since translations stand in the file itself. */
typedef struct {
    GMappedFile *file;
    GHashTable *texts; /* of const char * to const char * */
} Catalogue;

/* NULL for none. */
static Catalogue *
load(const char *path)
{
    GMappedFile *mapped = g_mapped_file_new(path, FALSE, NULL);
    File file;

    if (mapped == NULL) {
        return NULL;
    }
    if (!open_file(g_mapped_file_get_contents(mapped), g_mapped_file_get_length(mapped), &file)) {
        g_mapped_file_unref(mapped);
        return NULL;
    }
    GHashTable *texts = g_hash_table_new(g_str_hash, g_str_equal);
    uint64_t n_texts = MIN(get_number(&file, 8), file.length / ENTRY_SIZE);
    uint64_t originals = get_number(&file, 12);
    uint64_t translations = get_number(&file, 16);
    for (uint64_t i = 0; i < n_texts; i++) {
        const char *original = get_text(&file, originals + i * ENTRY_SIZE);
        const char *translation = get_text(&file, translations + i * ENTRY_SIZE);
        if (original != NULL && translation != NULL && *original != '\0' && *translation != '\0') {
            g_hash_table_insert(texts, (gpointer)original, (gpointer)translation);
        }
    }
    Catalogue *catalogue = g_new(Catalogue, 1);
    *catalogue = (Catalogue){mapped, texts};
    return catalogue;
}

static const Catalogue *
get_catalogue(const char *language)
{
    static GMutex mutex;
    static GHashTable *by_path; /* protected by mutex; the tables in it are only read */
    const char *folder = bindtextdomain(GETTEXT_PACKAGE, NULL);
    g_autofree char *path = g_build_filename(folder != NULL ? folder : FM_LOCALE_DIR, language,
                                             "LC_MESSAGES", GETTEXT_PACKAGE ".mo", NULL);
    gpointer catalogue;

    g_mutex_lock(&mutex);
    if (by_path == NULL) {
        by_path = g_hash_table_new(g_str_hash, g_str_equal);
    }
    if (!g_hash_table_lookup_extended(by_path, path, NULL, &catalogue)) {
        catalogue = load(path);
        g_hash_table_insert(by_path, g_steal_pointer(&path), catalogue);
    }
    g_mutex_unlock(&mutex);
    return catalogue;
}

const char *
fm_language_translate(const char *language, const char *text)
{
    /* A language is a name, never a way to other files. */
    if (language == NULL || strcmp(language, "en") == 0 || strpbrk(language, "/\\.") != NULL) {
        return text;
    }
    const Catalogue *catalogue = get_catalogue(language);
    const char *translation =
        catalogue != NULL ? g_hash_table_lookup(catalogue->texts, text) : NULL;
    return translation != NULL ? translation : text;
}

const char *
fm_language_of_process(void)
{
    const char *const *names = g_get_language_names();

    for (; *names != NULL && strcmp(*names, "C") != 0; names++) {
        if (g_str_has_prefix(*names, "en")) {
            break;
        }
        if (strpbrk(*names, "/\\.") == NULL && get_catalogue(*names) != NULL) {
            return g_intern_string(*names);
        }
    }
    return "en";
}
