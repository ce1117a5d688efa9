/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Appends notes to finished runs through the run file, whose lock keeps a run that is going
 * on from getting a second writer.  Never changes a frame that is there.
 */
#define G_LOG_DOMAIN "fathom"

#include "store/user-note.h"

#include "base/error.h"
#include "model/frame.h"
#include "store/run-file.h"

#include <string.h>

static bool
check(const char *text, const char *const *tags, GError **error)
{
    gsize length = strlen(text);
    bool is_text = g_utf8_validate(text, -1, NULL);

    for (gsize i = 0; tags[i] != NULL; i++) {
        length += strlen(tags[i]);
        is_text = is_text && g_utf8_validate(tags[i], -1, NULL);
    }
    if (!is_text) {
        fm_error_set(error, FM_ERROR_INVALID, "The note was not saved: its text is not UTF-8");
        return false;
    }
    if (length > FM_USER_NOTE_MAX) {
        fm_error_set(error, FM_ERROR_INVALID, "The note was not saved: it is longer than %d kB",
                     FM_USER_NOTE_MAX / 1024);
        return false;
    }
    return true;
}

bool
fm_user_note_save(const char *path, const char *text, const char *const *tags, GError **error)
{
    static const char *const none[] = {NULL};
    g_autoptr(GByteArray) frame = g_byte_array_new();
    g_autoptr(GError) cause = NULL;
    GVariantDict note; /* emptied by its end */

    tags = tags != NULL ? tags : none;
    if (!check(text, tags, error)) {
        return false;
    }
    FmRunFile *file = fm_run_file_open(path, true, &cause);
    if (g_error_matches(cause, FM_ERROR, FM_ERROR_BUSY)) {
        fm_error_set(error, FM_ERROR_BUSY, "The note was not saved: the run is still going on");
        return false;
    }
    if (file == NULL) {
        g_propagate_error(error, g_steal_pointer(&cause));
        return false;
    }
    g_variant_dict_init(&note, NULL);
    g_variant_dict_insert(&note, "text", "s", text);
    g_variant_dict_insert_value(&note, "tags", g_variant_new_strv(tags, -1));
    fm_frame_encode_variant(frame, FM_FRAME_USER_NOTE, 0, g_variant_dict_end(&note));
    fm_run_file_append(file, frame->data, frame->len);
    return fm_run_file_close(file, error);
}

GStrv
fm_user_note_parse_tags(const char *text)
{
    g_autoptr(GStrvBuilder) builder = g_strv_builder_new();
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);

    for (gsize i = 0; parts[i] != NULL; i++) {
        g_strstrip(parts[i]);
        if (parts[i][0] != '\0' && g_hash_table_add(seen, parts[i])) {
            g_strv_builder_add(builder, parts[i]);
        }
    }
    return g_strv_builder_end(builder);
}
