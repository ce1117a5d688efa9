/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The strict reader, the locator and the canonical writer.  The locator scans the text
 * again only when an error has to be placed, so it may be simple; it stays inside the
 * text even when that is no JSON at all.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/json.h"

#include "base/error.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

/* Whole doubles up to here are exact integers. */
#define MAX_EXACT_DOUBLE 9007199254740992.0

typedef struct {
    const char *at;
    const char *end;
    unsigned line; /* of @at, from 1 */
    unsigned column;
} Scanner;

/* --- Scanner -------------------------------------------------------------------- */

static const char *
skip_mark(const char *text, gsize *length)
{
    if (*length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        *length -= 3;
        return text + 3;
    }
    return text;
}

static void
scanner_init(Scanner *scanner, const char *text, gsize length)
{
    text = skip_mark(text, &length);
    *scanner = (Scanner){.at = text, .end = text + length, .line = 1, .column = 1};
}

/* The byte at the cursor, or NUL at the end. */
static char
peek(const Scanner *scanner)
{
    return scanner->at < scanner->end ? *scanner->at : '\0';
}

static void
advance(Scanner *scanner)
{
    if (scanner->at == scanner->end) {
        return;
    }
    if (*scanner->at == '\n') {
        scanner->line++;
        scanner->column = 1;
    } else if (((unsigned char)*scanner->at & 0xC0) != 0x80) {
        /* Bytes inside a character of UTF-8 do not count. */
        scanner->column++;
    }
    scanner->at++;
}

static void
skip_space(Scanner *scanner)
{
    while (strchr(" \t\r\n", peek(scanner)) != NULL && peek(scanner) != '\0') {
        advance(scanner);
    }
}

/* Past the string whose opening quote is at the cursor. */
static void
skip_string(Scanner *scanner)
{
    advance(scanner);
    while (scanner->at < scanner->end && *scanner->at != '"') {
        if (*scanner->at == '\\') {
            advance(scanner);
        }
        advance(scanner);
    }
    advance(scanner);
}

/* Past one value of any kind.  Brackets are counted, not matched: the text parsed. */
static void
skip_value(Scanner *scanner)
{
    unsigned depth = 0;

    while (scanner->at < scanner->end) {
        char byte = *scanner->at;
        if (depth == 0 && strchr(",]} \t\r\n", byte) != NULL && byte != '\0') {
            return;
        }
        if (byte == '"') {
            skip_string(scanner);
        } else {
            depth += byte == '{' || byte == '[';
            depth -= byte == '}' || byte == ']';
            advance(scanner);
        }
        if (depth == 0 && strchr("\"}]", byte) != NULL && byte != '\0') {
            return;
        }
    }
}

/* Whether the string of @length bytes at @quoted, with its quotes, means @key. */
static bool
is_key(const char *quoted, gsize length, const char *key)
{
    if (memchr(quoted, '\\', length) == NULL) {
        gsize key_length = strlen(key);
        return length == key_length + 2 && memcmp(quoted + 1, key, key_length) == 0;
    }
    json_auto_t *string = json_loadb(quoted, length, JSON_DECODE_ANY, NULL);
    return string != NULL && g_strcmp0(json_string_value(string), key) == 0;
}

/* From the value of an object to that of its member @key; @key_start is where the key
 * stands.  False when there is none. */
static bool
enter_member(Scanner *scanner, const char *key, Scanner *key_start)
{
    advance(scanner);
    skip_space(scanner);
    while (peek(scanner) == '"') {
        *key_start = *scanner;
        skip_string(scanner);
        bool is_found = is_key(key_start->at, (gsize)(scanner->at - key_start->at), key);
        skip_space(scanner);
        advance(scanner); /* the colon */
        skip_space(scanner);
        if (is_found) {
            return true;
        }
        skip_value(scanner);
        skip_space(scanner);
        if (peek(scanner) != ',') {
            return false;
        }
        advance(scanner);
        skip_space(scanner);
    }
    return false;
}

static bool
enter_element(Scanner *scanner, const char *index_text)
{
    guint64 index;
    if (!g_ascii_string_to_unsigned(index_text, 10, 0, G_MAXUINT32, &index, NULL)) {
        return false;
    }

    advance(scanner);
    skip_space(scanner);
    for (; index > 0; index--) {
        skip_value(scanner);
        skip_space(scanner);
        if (peek(scanner) != ',') {
            return false;
        }
        advance(scanner);
        skip_space(scanner);
    }
    return peek(scanner) != ']' && peek(scanner) != '\0';
}

/* Walks along @path; @value ends at the innermost value found and @key at its key. */
static bool
walk(Scanner *value, const char *path, Scanner *key)
{
    g_auto(GStrv) parts = g_strsplit(path, "/", -1);

    skip_space(value);
    *key = *value;
    for (char **part = parts; *part != NULL; part++) {
        Scanner next = *value;
        Scanner next_key = *value;
        bool is_found = false;
        if (peek(value) == '{') {
            is_found = enter_member(&next, *part, &next_key);
        } else if (peek(value) == '[') {
            is_found = enter_element(&next, *part);
            next_key = next;
        }
        if (!is_found) {
            return false;
        }
        *value = next;
        *key = next_key;
    }
    return true;
}

bool
fm_json_locate(const char *text, gsize length, const char *path, unsigned *line, unsigned *column)
{
    Scanner value;
    Scanner key;
    scanner_init(&value, text, length);
    bool is_found = walk(&value, path, &key);
    *line = value.line;
    *column = value.column;
    return is_found;
}

bool
fm_json_locate_key(const char *text, gsize length, const char *path, unsigned *line,
                   unsigned *column)
{
    Scanner value;
    Scanner key;
    scanner_init(&value, text, length);
    bool is_found = walk(&value, path, &key);
    *line = is_found ? key.line : value.line;
    *column = is_found ? key.column : value.column;
    return is_found;
}

/* --- Reader --------------------------------------------------------------------- */

/* Jansson's own limit is 2048 and fixed; ours keeps every later recursion shallow. */
static bool
check_depth(const char *text, gsize length, const char *origin, GError **error)
{
    Scanner scanner;
    unsigned depth = 0;

    scanner_init(&scanner, text, length);
    while (scanner.at < scanner.end) {
        char byte = *scanner.at;
        if (byte == '"') {
            skip_string(&scanner);
            continue;
        }
        if (byte == '{' || byte == '[') {
            depth++;
        } else if ((byte == '}' || byte == ']') && depth > 0) {
            depth--;
        }
        if (depth > FM_JSON_MAX_DEPTH) {
            fm_error_set(error, FM_ERROR_INVALID, "%s:%u:%u: Values are nested more than %d deep.",
                         origin, scanner.line, scanner.column, FM_JSON_MAX_DEPTH);
            return false;
        }
        advance(&scanner);
    }
    return true;
}

/* What jansson says is wrong; where, it says behind that. */
static FmMessage *
find_words(const char *what)
{
    static const char *const words[] = {
        N_("string or '}' expected"), N_("duplicate object key"),
        N_("':' expected"),           N_("'}' expected"),
        N_("']' expected"),           N_("'[' or '{' expected"),
        N_("end of file expected"),   N_("invalid token"),
        N_("unexpected token"),       N_("invalid escape"),
        N_("premature end of input"), N_("unexpected newline"),
        N_("too big integer"),        N_("too big negative integer"),
        N_("real number overflow"),
    };

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (strcmp(words[i], what) == 0) {
            return fm_message_new_words(words[i]);
        }
    }
    return fm_message_new_verbatim(what);
}

/* "WHAT near 'TOKEN'", "WHAT near end of file" or only what. */
static FmMessage *
describe_problem(const char *text)
{
    static const char near[] = " near ";
    const char *at = strstr(text, near);
    const char *where = at != NULL ? at + strlen(near) : "";
    g_autofree char *head = g_strndup(text, at != NULL ? (gsize)(at - text) : strlen(text));
    g_autoptr(FmMessage) what = find_words(head);
    gsize length = strlen(where);

    if (strcmp(where, "end of file") == 0) {
        return fm_message_new("%p near end of file", what);
    }
    if (length > 2 && where[0] == '\'' && where[length - 1] == '\'') {
        g_autofree char *token = g_strndup(where + 1, length - 2);
        return fm_message_new("%p near “%s”", what, token);
    }
    return at == NULL ? g_steal_pointer(&what) : fm_message_new_verbatim(text);
}

json_t *
fm_json_parse(const char *text, gsize length, const char *origin, GError **error)
{
    if (!check_depth(text, length, origin, error)) {
        return NULL;
    }

    json_error_t problem;
    text = skip_mark(text, &length);
    json_t *json = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (json == NULL) {
        g_autoptr(FmMessage) reason = describe_problem(problem.text);
        fm_error_set(error, FM_ERROR_INVALID, "%s:%d:%d: This is not valid JSON: %p.", origin,
                     MAX(problem.line, 1), MAX(problem.column, 1), reason);
    }
    return json;
}

/* --- Canonical form ------------------------------------------------------------- */

static void
write_string(GString *out, const char *text, gsize length)
{
    static const char letters[] = "\bb\ff\nn\rr\tt\"\"\\\\";

    g_string_append_c(out, '"');
    for (gsize i = 0; i < length; i++) {
        const char *letter = text[i] != '\0' ? strchr(letters, text[i]) : NULL;
        /* Only the first of each pair is what has to be escaped. */
        if (letter != NULL && (letter - letters) % 2 == 0) {
            g_string_append_c(out, '\\');
            g_string_append_c(out, letter[1]);
        } else if ((unsigned char)text[i] < 0x20) {
            g_string_append_printf(out, "\\u%04x", (unsigned)text[i]);
        } else {
            g_string_append_c(out, text[i]);
        }
    }
    g_string_append_c(out, '"');
}

static void
write_real(GString *out, double value)
{
    if (value == trunc(value) && fabs(value) <= MAX_EXACT_DOUBLE) {
        g_string_append_printf(out, "%" G_GINT64_FORMAT, (int64_t)value);
        return;
    }
    g_autofree char *text = fm_text_dup_double(value);
    g_string_append(out, text);
}

static int
compare_keys_cb(gconstpointer a, gconstpointer b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void write_value(GString *out, const json_t *json);

static void
write_object(GString *out, const json_t *json)
{
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    json_t *object = (json_t *)json; /* jansson's iterators take no const */
    for (void *iter = json_object_iter(object); iter != NULL;
         iter = json_object_iter_next(object, iter)) {
        g_ptr_array_add(keys, (gpointer)json_object_iter_key(iter));
    }
    g_ptr_array_sort(keys, compare_keys_cb);

    g_string_append_c(out, '{');
    for (guint i = 0; i < keys->len; i++) {
        const char *key = keys->pdata[i];
        if (i > 0) {
            g_string_append_c(out, ',');
        }
        write_string(out, key, strlen(key));
        g_string_append_c(out, ':');
        write_value(out, json_object_get(json, key));
    }
    g_string_append_c(out, '}');
}

static void
write_array(GString *out, const json_t *json)
{
    g_string_append_c(out, '[');
    for (size_t i = 0; i < json_array_size(json); i++) {
        if (i > 0) {
            g_string_append_c(out, ',');
        }
        write_value(out, json_array_get(json, i));
    }
    g_string_append_c(out, ']');
}

static void
write_value(GString *out, const json_t *json)
{
    switch (json_typeof(json)) {
    case JSON_OBJECT:
        write_object(out, json);
        break;
    case JSON_ARRAY:
        write_array(out, json);
        break;
    case JSON_STRING:
        write_string(out, json_string_value(json), json_string_length(json));
        break;
    case JSON_INTEGER:
        g_string_append_printf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
        break;
    case JSON_REAL:
        write_real(out, json_real_value(json));
        break;
    case JSON_TRUE:
        g_string_append(out, "true");
        break;
    case JSON_FALSE:
        g_string_append(out, "false");
        break;
    case JSON_NULL:
        g_string_append(out, "null");
        break;
    }
}

char *
fm_json_dup_canonical(const json_t *json)
{
    GString *out = g_string_new(NULL);
    write_value(out, json);
    return g_string_free(out, FALSE);
}
