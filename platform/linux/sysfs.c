/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading attributes below /sys and /proc, or below recorded trees.  Never writes.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/sysfs.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

G_GNUC_PRINTF(3, 0)
static char *
path_below(const char *variable, const char *root, const char *format, va_list arguments)
{
    const char *other = g_getenv(variable);
    g_autofree char *relative = g_strdup_vprintf(format, arguments);
    return g_build_filename(other != NULL ? other : root, relative, NULL);
}

char *
plat_sysfs_path(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *path = path_below("FATHOM_SYSFS_ROOT", "/sys", format, arguments);
    va_end(arguments);
    return path;
}

char *
plat_proc_path(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *path = path_below("FATHOM_PROC_ROOT", "/proc", format, arguments);
    va_end(arguments);
    return path;
}

char *
plat_clean_text(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *clean = g_string_new(NULL);

    for (const char *next = valid; *next != '\0'; next = g_utf8_next_char(next)) {
        gunichar c = g_utf8_get_char(next);
        bool blank = c == '\t' || c == '\n' || c == '\r';
        /* Control and format characters (text direction) could forge what is shown. */
        bool hostile = g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT ||
                       c == 0x2028 || c == 0x2029;
        g_string_append_unichar(clean, blank ? ' ' : hostile ? 0xFFFD : c);
    }
    return g_strstrip(g_string_free(clean, FALSE));
}

static char *
read_attribute(const char *directory, const char *name, GError **error)
{
    g_autofree char *path =
        name != NULL ? g_build_filename(directory, name, NULL) : g_strdup(directory);
    g_autofree char *content = NULL;
    if (!g_file_get_contents(path, &content, NULL, error)) {
        return NULL;
    }
    return plat_clean_text(content);
}

char *
plat_sysfs_read(const char *directory, const char *name)
{
    char *text = read_attribute(directory, name, NULL);
    if (text != NULL && text[0] == '\0') {
        g_clear_pointer(&text, g_free);
    }
    return text;
}

bool
plat_sysfs_read_uint(const char *directory, const char *name, uint64_t *value)
{
    g_autofree char *text = plat_sysfs_read(directory, name);
    guint64 number;
    if (text == NULL || !g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
        return false;
    }
    *value = number;
    return true;
}

/* Why an attribute has no value; the two common reasons in plain words. */
static const char *
reason_of(const GError *error)
{
    if (error == NULL || g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
        return N_("the kernel does not tell");
    }
    if (g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_ACCES) ||
        g_error_matches(error, G_FILE_ERROR, G_FILE_ERROR_PERM)) {
        return N_("only an administrator may read it");
    }
    return N_("it can't be read");
}

void
plat_sysfs_fact_string(FmFacts *facts, const char *fact, const char *directory, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = read_attribute(directory, name, &error);
    if (text == NULL || text[0] == '\0') {
        fm_facts_set_unknown(facts, fact, reason_of(error));
        return;
    }
    fm_facts_set_string(facts, fact, text);
}

void
plat_sysfs_fact_uint(FmFacts *facts, const char *fact, const char *directory, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = read_attribute(directory, name, &error);
    guint64 number;
    if (text == NULL) {
        fm_facts_set_unknown(facts, fact, reason_of(error));
    } else if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &number, NULL)) {
        fm_facts_set_unknown(facts, fact, "the kernel's answer is not a number");
    } else {
        fm_facts_set_uint(facts, fact, number);
    }
}

char *
plat_bracketed_word(const char *text)
{
    const char *open = strchr(text, '[');
    const char *close = open != NULL ? strchr(open, ']') : NULL;
    return close != NULL ? g_strndup(open + 1, (gsize)(close - open - 1)) : g_strdup(text);
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

char **
plat_sysfs_list(const char *directory)
{
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    g_autoptr(GDir) folder = g_dir_open(directory, 0, NULL);
    const char *name;
    while (folder != NULL && (name = g_dir_read_name(folder)) != NULL) {
        g_ptr_array_add(names, g_strdup(name));
    }
    g_ptr_array_sort(names, compare_names);
    g_ptr_array_add(names, NULL);
    return (char **)g_ptr_array_free(g_steal_pointer(&names), FALSE);
}
