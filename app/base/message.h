/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sentence that is written in one process and read in another, in the reader's
 * language: its English printf format, which is the msgid, and its arguments as strings.
 * Frames and errors carry both, so that a run file knows no language.  Names, paths and
 * numbers are arguments and never translated; an argument may be a message itself.
 *
 * Formats may come from a damaged or hostile file.  They are never given to printf: what
 * stands for "%s" is put in by code of our own, and every argument exactly once.
 * Immutable; any thread may read one.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct FmMessage FmMessage;

/*
 * Understands flags, width and precision, the lengths h, l, ll, j and z, and d i u o x X c
 * s e f g %; numbers look as in the C locale.  uint64_t is %ju and int64_t %jd: xgettext
 * can't read G_GUINT64_FORMAT.  Strings become printable (see text.h).  "%p" takes a
 * message of its own (const FmMessage *), which is translated with the rest; NULL is empty.
 */
FmMessage *fm_message_new(const char *format, ...) G_GNUC_PRINTF(1, 2);
FmMessage *fm_message_new_valist(const char *format, va_list arguments) G_GNUC_PRINTF(1, 0);
/* Words without arguments that are marked with N_() where they stand, such as an entry of
 * a table.  A '%' in them is only a '%'. */
FmMessage *fm_message_new_words(const char *words);
/* Text that is nobody's to translate: what a library or a user said. */
FmMessage *fm_message_new_verbatim(const char *text);

/* Both take NULL. */
FmMessage *fm_message_ref(FmMessage *message);
void fm_message_unref(FmMessage *message);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(FmMessage, fm_message_unref)

/* The sentence in English, as files and exports have it; "" for NULL. */
const char *fm_message_get_text(const FmMessage *message);
/* The sentence in the user's language.  Only where it is shown.  Caller frees. */
char *fm_message_dup_local(const FmMessage *message);

/* What plans say in both languages: @korean where the user reads Korean and there is one, else
 * @english.  Only where it is shown. */
const char *fm_message_choose(const char *english, const char *korean);

/* The same in a language that is named; see language.h.  Caller frees. */
char *fm_message_dup_in(const FmMessage *message, const char *language);

/* Finds the translation of a msgid, as gettext() does. */
typedef const char *(*FmMessageTranslate)(const char *msgid, gconstpointer user_data);
/* The sentence as @translate has it; English where that loses or invents an argument. */
char *fm_message_dup_with(const FmMessage *message, FmMessageTranslate translate,
                          gconstpointer user_data);

/* --- In files and pipes ------------------------------------------------------- */

/* A floating av: the format (s), then the arguments, each s or again av. */
GVariant *fm_message_to_variant(const FmMessage *message);
/* NULL when it is none, or larger or deeper than ours ever are. */
FmMessage *fm_message_from_variant(GVariant *variant);

/* Sets @key to the English text and "@key-message" to the message.  NULL is "". */
void fm_message_insert(GVariantDict *dictionary, const char *key, const FmMessage *message);
/* The same for entries of an a{sv} that is being built. */
void fm_message_add(GVariantBuilder *builder, const char *key, const FmMessage *message);
/*
 * What was put in.  A text without a message, or with one that says something else, is
 * taken as it stands, in English; NULL when there is no text.
 */
FmMessage *fm_message_lookup(GVariant *dictionary, const char *key);

G_END_DECLS
