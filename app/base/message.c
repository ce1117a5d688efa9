/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formats are read here by one small parser, which both captures the arguments of our own
 * and puts in those of a file.  Only single conversions that it has cut out of a literal
 * of ours ever reach printf.
 */
#define G_LOG_DOMAIN "fathom"

#include "base/message.h"

#include "base/language.h"
#include "base/text.h"

#include <glib/gi18n.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum {
    MAX_ARGUMENTS = 16,
    /* Of what is read; ours are a tenth of it. */
    MAX_FORMAT = 2048,
    MAX_TEXT = 64 * 1024,
    MAX_DEPTH = 16,
};

typedef struct {
    char *text; /* NULL when it is a message */
    FmMessage *message;
} Argument;

struct FmMessage {
    char *format;
    char *text; /* in English */
    unsigned n_arguments;
    Argument arguments[MAX_ARGUMENTS];
};

/* --- Formats -------------------------------------------------------------------- */

typedef enum {
    LENGTH_INT, /* h too: it is promoted */
    LENGTH_LONG,
    LENGTH_LONG_LONG,
    LENGTH_MAX,
    LENGTH_SIZE,
} Length;

/* One conversion: "%", position "1$", flags, width and precision, length, letter. */
typedef struct {
    unsigned position; /* from 1; 0 = the next */
    const char *look; /* flags, width and precision */
    gsize look_length;
    Length length;
    char letter; /* '%' = a per cent sign */
} Conversion;

static const char *
skip_digits(const char *at)
{
    while (g_ascii_isdigit(*at)) {
        at++;
    }
    return at;
}

static const char *
parse_length(const char *at, Length *length)
{
    *length = LENGTH_INT;
    if (strncmp(at, "ll", 2) == 0) {
        *length = LENGTH_LONG_LONG;
        return at + 2;
    }
    switch (*at) {
    case 'h':
        return at + 1;
    case 'l':
        *length = LENGTH_LONG;
        return at + 1;
    case 'j':
        *length = LENGTH_MAX;
        return at + 1;
    case 'z':
        *length = LENGTH_SIZE;
        return at + 1;
    default:
        return at;
    }
}

/* Reads the conversion at @at, a '%'.  Returns what follows it, or NULL. */
static const char *
parse_conversion(const char *at, Conversion *conversion)
{
    *conversion = (Conversion){0};
    at++;
    if (*at == '%') {
        conversion->letter = '%';
        return at + 1;
    }
    const char *end = skip_digits(at);
    if (end > at && end - at <= 2 && *end == '$') {
        conversion->position = (unsigned)g_ascii_strtoull(at, NULL, 10);
        if (conversion->position == 0) {
            return NULL;
        }
        at = end + 1;
    }
    conversion->look = at;
    at = skip_digits(at + strspn(at, "-+ #0"));
    if (*at == '.') {
        at = skip_digits(at + 1);
    }
    conversion->look_length = (gsize)(at - conversion->look);
    at = parse_length(at, &conversion->length);
    if (*at == '\0' || strchr("diuoxXcsefgp", *at) == NULL) {
        return NULL;
    }
    conversion->letter = *at;
    return at + 1;
}

/* @format with the arguments put in, each of them exactly once; NULL when it does not
 * want just these.  @translate NULL = English. */
static char *
substitute(const char *format, const FmMessage *message, FmMessageTranslate translate,
           gconstpointer user_data)
{
    g_autoptr(GString) text = g_string_new(NULL);
    bool is_used[MAX_ARGUMENTS] = {false};
    unsigned n_used = 0;

    while (*format != '\0') {
        gsize plain = strcspn(format, "%");
        g_string_append_len(text, format, (gssize)plain);
        format += plain;
        if (*format == '\0') {
            break;
        }
        Conversion conversion;
        format = parse_conversion(format, &conversion);
        if (format == NULL) {
            return NULL;
        }
        if (conversion.letter == '%') {
            g_string_append_c(text, '%');
            continue;
        }
        unsigned index = conversion.position > 0 ? conversion.position - 1 : n_used;
        if (index >= message->n_arguments || is_used[index]) {
            return NULL;
        }
        is_used[index] = true;
        n_used++;
        const Argument *argument = &message->arguments[index];
        if (argument->message == NULL) {
            g_string_append(text, argument->text);
        } else if (translate == NULL) {
            g_string_append(text, argument->message->text);
        } else {
            g_autofree char *inner = fm_message_dup_with(argument->message, translate, user_data);
            g_string_append(text, inner);
        }
    }
    return n_used == message->n_arguments ? g_strdup(text->str) : NULL;
}

/* --- Making --------------------------------------------------------------------- */

/* So that the helpers below can share one list of arguments. */
typedef struct {
    va_list list;
} Arguments;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* "%", the look of @conversion, @length and its letter. */
static char *
dup_specification(const Conversion *conversion, const char *length)
{
    return g_strdup_printf("%%%.*s%s%c", (int)conversion->look_length, conversion->look, length,
                           conversion->letter);
}

static char *
capture_signed(const Conversion *conversion, Arguments *arguments)
{
    g_autofree char *specification = dup_specification(conversion, G_GINT64_MODIFIER);
    gint64 value = 0;

    switch (conversion->length) {
    case LENGTH_INT:
        value = va_arg(arguments->list, int);
        break;
    case LENGTH_LONG:
        value = va_arg(arguments->list, long);
        break;
    case LENGTH_LONG_LONG:
        value = va_arg(arguments->list, long long);
        break;
    case LENGTH_MAX:
        value = va_arg(arguments->list, intmax_t);
        break;
    case LENGTH_SIZE:
        value = va_arg(arguments->list, gssize);
        break;
    }
    return g_strdup_printf(specification, value);
}

static char *
capture_unsigned(const Conversion *conversion, Arguments *arguments)
{
    g_autofree char *specification = dup_specification(conversion, G_GINT64_MODIFIER);
    guint64 value = 0;

    switch (conversion->length) {
    case LENGTH_INT:
        value = va_arg(arguments->list, unsigned);
        break;
    case LENGTH_LONG:
        value = va_arg(arguments->list, unsigned long);
        break;
    case LENGTH_LONG_LONG:
        value = va_arg(arguments->list, unsigned long long);
        break;
    case LENGTH_MAX:
        value = va_arg(arguments->list, uintmax_t);
        break;
    case LENGTH_SIZE:
        value = va_arg(arguments->list, gsize);
        break;
    }
    return g_strdup_printf(specification, value);
}

/* With a point under every locale. */
static char *
capture_double(const Conversion *conversion, Arguments *arguments)
{
    enum { LONGEST = 1024 };
    g_autofree char *specification = dup_specification(conversion, "");
    g_autofree char *text = g_new(char, LONGEST);

    g_ascii_formatd(text, LONGEST, specification, va_arg(arguments->list, double));
    return g_strdup(text);
}

static char *
capture_string(const Conversion *conversion, Arguments *arguments)
{
    g_autofree char *specification = dup_specification(conversion, "");
    const char *value = va_arg(arguments->list, const char *);
    g_autofree char *printable = fm_text_dup_printable(value != NULL ? value : "");

    return g_strdup_printf(specification, printable);
}

#pragma GCC diagnostic pop

static Argument
capture(const Conversion *conversion, Arguments *arguments)
{
    switch (conversion->letter) {
    case 'd':
    case 'i':
        return (Argument){.text = capture_signed(conversion, arguments)};
    case 'u':
    case 'o':
    case 'x':
    case 'X':
        return (Argument){.text = capture_unsigned(conversion, arguments)};
    case 'e':
    case 'f':
    case 'g':
        return (Argument){.text = capture_double(conversion, arguments)};
    case 'c':
        return (Argument){.text = g_strdup_printf("%c", va_arg(arguments->list, int))};
    case 's':
        return (Argument){.text = capture_string(conversion, arguments)};
    default: {
        FmMessage *inner = va_arg(arguments->list, FmMessage *);
        return inner != NULL ? (Argument){.message = fm_message_ref(inner)}
                             : (Argument){.text = g_strdup("")};
    }
    }
}

FmMessage *
fm_message_new_valist(const char *format, va_list list)
{
    FmMessage *message = g_atomic_rc_box_new0(FmMessage);
    Arguments arguments;

    va_copy(arguments.list, list);
    message->format = g_strdup(format);
    for (const char *at = strchr(format, '%'); at != NULL; at = strchr(at, '%')) {
        Conversion conversion;
        at = parse_conversion(at, &conversion);
        /* A format that is not understood is a mistake of ours, not of a file. */
        g_assert(at != NULL && message->n_arguments < MAX_ARGUMENTS && conversion.position == 0);
        if (conversion.letter != '%') {
            message->arguments[message->n_arguments++] = capture(&conversion, &arguments);
        }
    }
    va_end(arguments.list);
    message->text = substitute(message->format, message, NULL, NULL);
    return message;
}

FmMessage *
fm_message_new(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    FmMessage *message = fm_message_new_valist(format, arguments);
    va_end(arguments);
    return message;
}

FmMessage *
fm_message_new_verbatim(const char *text)
{
    return fm_message_new("%s", text);
}

FmMessage *
fm_message_new_words(const char *words)
{
    if (strchr(words, '%') != NULL) {
        return fm_message_new_verbatim(words);
    }
    FmMessage *message = g_atomic_rc_box_new0(FmMessage);
    message->format = g_strdup(words);
    message->text = g_strdup(words);
    return message;
}

FmMessage *
fm_message_ref(FmMessage *message)
{
    return message != NULL ? (FmMessage *)g_atomic_rc_box_acquire(message) : NULL;
}

static void
clear_cb(gpointer data)
{
    FmMessage *message = (FmMessage *)data;

    for (unsigned i = 0; i < message->n_arguments; i++) {
        g_free(message->arguments[i].text);
        fm_message_unref(message->arguments[i].message);
    }
    g_free(message->format);
    g_free(message->text);
}

void
fm_message_unref(FmMessage *message)
{
    if (message != NULL) {
        g_atomic_rc_box_release_full(message, clear_cb);
    }
}

/* --- Reading -------------------------------------------------------------------- */

const char *
fm_message_get_text(const FmMessage *message)
{
    return message != NULL ? message->text : "";
}

char *
fm_message_dup_with(const FmMessage *message, FmMessageTranslate translate, gconstpointer user_data)
{
    /* The translation of nothing is the head of the catalogue. */
    if (message == NULL || *message->format == '\0') {
        return g_strdup("");
    }
    const char *format = translate(message->format, user_data);
    char *text = substitute(format, message, translate, user_data);

    return text != NULL ? text : g_strdup(message->text);
}

static const char *
translate_locally_cb(const char *msgid, gconstpointer user_data)
{
    return gettext(msgid);
}

char *
fm_message_dup_local(const FmMessage *message)
{
    return fm_message_dup_with(message, translate_locally_cb, NULL);
}

static const char *
translate_cb(const char *msgid, gconstpointer user_data)
{
    return fm_language_translate((const char *)user_data, msgid);
}

char *
fm_message_dup_in(const FmMessage *message, const char *language)
{
    return fm_message_dup_with(message, translate_cb, language);
}

/* --- In files and pipes ---------------------------------------------------------- */

GVariant *
fm_message_to_variant(const FmMessage *message)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
    g_variant_builder_add(&builder, "v", g_variant_new_string(message->format));
    for (unsigned i = 0; i < message->n_arguments; i++) {
        const Argument *argument = &message->arguments[i];
        g_variant_builder_add(&builder, "v",
                              argument->message != NULL ? fm_message_to_variant(argument->message)
                                                        : g_variant_new_string(argument->text));
    }
    return g_variant_builder_end(&builder);
}

static FmMessage *read_message(GVariant *variant, unsigned depth);

static bool
read_argument(GVariant *value, unsigned depth, Argument *argument)
{
    if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
        argument->text = g_variant_dup_string(value, NULL);
        return true;
    }
    argument->message = read_message(value, depth);
    return argument->message != NULL;
}

static FmMessage *
read_message(GVariant *variant, unsigned depth)
{
    if (depth > MAX_DEPTH || !g_variant_is_of_type(variant, G_VARIANT_TYPE("av"))) {
        return NULL;
    }
    gsize n = g_variant_n_children(variant);
    if (n == 0 || n > MAX_ARGUMENTS + 1 || g_variant_get_size(variant) > MAX_TEXT) {
        return NULL;
    }
    g_autoptr(FmMessage) message = g_atomic_rc_box_new0(FmMessage);
    for (gsize i = 0; i < n; i++) {
        g_autoptr(GVariant) boxed = g_variant_get_child_value(variant, i);
        g_autoptr(GVariant) value = g_variant_get_variant(boxed);
        if (i > 0) {
            Argument *argument = &message->arguments[message->n_arguments++];
            if (!read_argument(value, depth + 1, argument)) {
                return NULL;
            }
        } else if (g_variant_is_of_type(value, G_VARIANT_TYPE_STRING)) {
            message->format = g_variant_dup_string(value, NULL);
        }
    }
    if (message->format == NULL || strlen(message->format) > MAX_FORMAT) {
        return NULL;
    }
    message->text = substitute(message->format, message, NULL, NULL);
    return message->text != NULL ? g_steal_pointer(&message) : NULL;
}

FmMessage *
fm_message_from_variant(GVariant *variant)
{
    return read_message(variant, 0);
}

static char *
dup_message_key(const char *key)
{
    return g_strconcat(key, "-message", NULL);
}

void
fm_message_insert(GVariantDict *dictionary, const char *key, const FmMessage *message)
{
    g_variant_dict_insert(dictionary, key, "s", fm_message_get_text(message));
    if (message != NULL) {
        g_autofree char *message_key = dup_message_key(key);
        g_variant_dict_insert_value(dictionary, message_key, fm_message_to_variant(message));
    }
}

void
fm_message_add(GVariantBuilder *builder, const char *key, const FmMessage *message)
{
    g_variant_builder_add(builder, "{sv}", key, g_variant_new_string(fm_message_get_text(message)));
    if (message != NULL) {
        g_autofree char *message_key = dup_message_key(key);
        g_variant_builder_add(builder, "{sv}", message_key, fm_message_to_variant(message));
    }
}

FmMessage *
fm_message_lookup(GVariant *dictionary, const char *key)
{
    const char *text;

    if (!g_variant_lookup(dictionary, key, "&s", &text)) {
        return NULL;
    }
    g_autofree char *message_key = dup_message_key(key);
    g_autoptr(GVariant) value =
        g_variant_lookup_value(dictionary, message_key, G_VARIANT_TYPE("av"));
    g_autoptr(FmMessage) message = value != NULL ? fm_message_from_variant(value) : NULL;

    if (message != NULL && strcmp(message->text, text) == 0) {
        return g_steal_pointer(&message);
    }
    return fm_message_new_verbatim(text);
}

const char *
fm_message_choose(const char *english, const char *korean)
{
    const char *const *languages = g_get_language_names();

    return korean != NULL && g_str_has_prefix(languages[0], "ko") ? korean : english;
}
