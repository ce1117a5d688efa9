/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mount table.  Lines are hostile: anybody who may mount chooses the names.
 */
#define G_LOG_DOMAIN "fathom"

#include "platform/linux/mounts.h"

#include "platform/linux/sysfs.h"

#include <string.h>

static void
mount_free(gpointer data)
{
    FmMount *mount = (FmMount *)data;
    g_free(mount->root);
    g_free(mount->point);
    g_free(mount->type);
    g_free(mount->source);
    g_free(mount->options);
    g_free(mount);
}

static bool
is_octal(const char *text)
{
    return text[0] >= '0' && text[0] <= '3' && text[1] >= '0' && text[1] <= '7' && text[2] >= '0' &&
           text[2] <= '7';
}

/* The kernel writes blank, tab, new line and backslash as \ooo. */
static char *
unescape(const char *text)
{
    GString *plain = g_string_new(NULL);
    while (*text != '\0') {
        if (*text == '\\' && is_octal(text + 1)) {
            g_string_append_c(plain,
                              (char)((text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0')));
            text += 4;
        } else {
            g_string_append_c(plain, *text++);
        }
    }
    return g_string_free(plain, FALSE);
}

static bool
has_word(const char *list, const char *word)
{
    g_auto(GStrv) words = g_strsplit(list, ",", -1);
    return g_strv_contains((const char *const *)words, word);
}

/* "36 35 98:0 /root /point rw,noatime shared:1 ... - ext4 /dev/sda1 rw,errors=continue" */
static FmMount *
parse_line(const char *line)
{
    const char *separator = strstr(line, " - ");
    if (separator == NULL) {
        return NULL;
    }
    g_autofree char *head = g_strndup(line, (gsize)(separator - line));
    g_auto(GStrv) left = g_strsplit(head, " ", -1);
    g_auto(GStrv) right = g_strsplit(separator + 3, " ", 3);
    if (g_strv_length(left) < 6 || g_strv_length(right) < 3) {
        return NULL;
    }
    g_auto(GStrv) device = g_strsplit(left[2], ":", 2);
    guint64 id;
    guint64 major;
    guint64 minor;
    if (g_strv_length(device) != 2 ||
        !g_ascii_string_to_unsigned(left[0], 10, 0, G_MAXUINT32, &id, NULL) ||
        !g_ascii_string_to_unsigned(device[0], 10, 0, G_MAXUINT32, &major, NULL) ||
        !g_ascii_string_to_unsigned(device[1], 10, 0, G_MAXUINT32, &minor, NULL)) {
        return NULL;
    }

    FmMount *mount = g_new0(FmMount, 1);
    mount->id = id;
    mount->major = (unsigned)major;
    mount->minor = (unsigned)minor;
    mount->root = unescape(left[3]);
    mount->point = unescape(left[4]);
    mount->type = unescape(right[0]);
    mount->source = unescape(right[1]);
    mount->options = g_strconcat(left[5], ",", right[2], NULL);
    mount->read_only = has_word(left[5], "ro") || has_word(right[2], "ro");
    return mount;
}

GPtrArray *
plat_mounts_parse(const char *text)
{
    GPtrArray *mounts = g_ptr_array_new_with_free_func(mount_free);
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line != NULL; line++) {
        FmMount *mount = parse_line(*line);
        if (mount != NULL) {
            g_ptr_array_add(mounts, mount);
        }
    }
    return mounts;
}

GPtrArray *
plat_mounts_read(void)
{
    g_autofree char *path = plat_proc_path("self/mountinfo");
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        return plat_mounts_parse("");
    }
    return plat_mounts_parse(text);
}

const FmMount *
plat_mounts_find_id(const GPtrArray *mounts, uint64_t id)
{
    for (guint i = 0; i < mounts->len; i++) {
        const FmMount *mount = (const FmMount *)mounts->pdata[i];
        if (mount->id == id) {
            return mount;
        }
    }
    return NULL;
}

static bool
is_below(const char *path, const char *point)
{
    gsize length = strlen(point);
    if (strcmp(point, "/") == 0) {
        return path[0] == '/';
    }
    return strncmp(path, point, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

const FmMount *
plat_mounts_find_path(const GPtrArray *mounts, const char *path)
{
    const FmMount *best = NULL;
    for (guint i = 0; i < mounts->len; i++) {
        const FmMount *mount = (const FmMount *)mounts->pdata[i];
        /* Of two at the same place the later one covers the earlier. */
        if (is_below(path, mount->point) &&
            (best == NULL || strlen(mount->point) >= strlen(best->point))) {
            best = mount;
        }
    }
    return best;
}

char *
plat_mount_dup_option(const FmMount *mount, const char *name)
{
    g_auto(GStrv) words = g_strsplit(mount->options, ",", -1);
    char *found = NULL;
    for (char **word = words; *word != NULL; word++) {
        gsize length = strlen(name);
        if (strncmp(*word, name, length) != 0) {
            continue;
        }
        if ((*word)[length] == '=' || (*word)[length] == '\0') {
            g_free(found);
            found = unescape((*word)[length] == '=' ? *word + length + 1 : "");
        }
    }
    return found;
}
