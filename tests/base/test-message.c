/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages: the English of printf, the arguments of every kind kept, other languages put
 * together from them, and nothing of a hostile file ever read as a format of printf.
 */
#include "base/error.h"
#include "base/message.h"
#include "each-locale.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

static const char *
translate_cb(const char *msgid, gconstpointer user_data)
{
    static const struct {
        const char *msgid;
        const char *korean;
    } entries[] = {
        {"“%s” holds %u runs", "%2$u개의 실행이 “%1$s”에 있음"},
        {"Step %s: %p", "%s 단계: %p"},
        {"%p: %p", "%p: %p"},
        {"the queue broke", "큐가 끊어짐"},
        {"No such file or directory", "파일이나 폴더가 없음"},
        {"loses %s and %s", "%s 하나만"},
        {"invents %s", "%s와 %s"},
        {"repeats %s and %s", "%1$s와 %1$s"},
        {"breaks %s", "%s %"},
        {"", "Project-Id-Version: fathom"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(entries); i++) {
        if (strcmp(msgid, entries[i].msgid) == 0) {
            return entries[i].korean;
        }
    }
    return msgid;
}

static void
assert_in(const FmMessage *message, const char *english, const char *korean)
{
    g_autofree char *text = fm_message_dup_with(message, translate_cb, NULL);

    g_assert_cmpstr(fm_message_get_text(message), ==, english);
    g_assert_cmpstr(text, ==, korean);
}

/* Through a file and back. */
static FmMessage *
reread(FmMessage *message)
{
    g_autoptr(GVariant) variant = g_variant_ref_sink(fm_message_to_variant(message));
    FmMessage *copy = fm_message_from_variant(variant);

    g_assert_nonnull(copy);
    fm_message_unref(message);
    return copy;
}

static void
test_every_conversion(void)
{
    g_autoptr(FmMessage) numbers = reread(fm_message_new(
        "%d %i %u %ld %lu %lld %llu %jd %ju %zd %zu %x %02X %o %c 100 %%", -1, INT_MIN, UINT_MAX,
        -2L, 3UL, -4LL, 5ULL, INT64_MIN, UINT64_MAX, (gssize)-6, (gsize)7, 0xabu, 0xcu, 8u, 'z'));
    g_assert_cmpstr(fm_message_get_text(numbers), ==,
                    "-1 -2147483648 4294967295 -2 3 -4 5 -9223372036854775808 "
                    "18446744073709551615 -6 7 ab 0C 10 z 100 %");

    g_autoptr(FmMessage) looks =
        reread(fm_message_new("[%5d|%-5d|%05d|%+d] [%.1f|%.3f|%g|%.2e] [%s|%.2s|%5s]", 42, 42, 42,
                              42, 0.25, 3.14159, 1e9, 12345.678, "one", "two", "six"));
    g_assert_cmpstr(fm_message_get_text(looks), ==,
                    "[   42|42   |00042|+42] [0.2|3.142|1e+09|1.23e+04] [one|tw|  six]");
}

static void
test_arguments_change_places(void)
{
    g_autoptr(FmMessage) message = reread(fm_message_new("“%s” holds %u runs", "내 것 %s %n", 3u));

    assert_in(message, "“내 것 %s %n” holds 3 runs", "3개의 실행이 “내 것 %s %n”에 있음");
}

static void
test_nested(void)
{
    g_autoptr(FmMessage) inner = fm_message_new_words("the queue broke");
    g_autoptr(FmMessage) outer = reread(fm_message_new("Step %s: %p", "read/a", inner));

    assert_in(outer, "Step read/a: the queue broke", "read/a 단계: 큐가 끊어짐");
    g_autoptr(FmMessage) none = fm_message_new("Step %s: %p", "read/a", NULL);
    assert_in(none, "Step read/a: ", "read/a 단계: ");
}

static void
test_untranslatable(void)
{
    g_autoptr(FmMessage) verbatim = fm_message_new_verbatim("the queue broke");
    g_autoptr(FmMessage) percent = reread(fm_message_new_words("95 % of %s"));
    g_autoptr(FmMessage) empty = fm_message_new_words("");

    assert_in(verbatim, "the queue broke", "the queue broke");
    assert_in(percent, "95 % of %s", "95 % of %s");
    assert_in(empty, "", "");
    assert_in(NULL, "", "");
}

static void
test_strings_are_printable(void)
{
    g_autoptr(FmMessage) message = reread(fm_message_new("“%s” is gone", "a\xff\x1b[2Jb"));

    g_assert_cmpstr(fm_message_get_text(message), ==, "“a\\xFF\\x1B[2Jb” is gone");
}

/* A translation that is no match for its original can't be shown. */
static void
test_bad_translations(void)
{
    g_autoptr(FmMessage) loses = fm_message_new("loses %s and %s", "a", "b");
    g_autoptr(FmMessage) invents = fm_message_new("invents %s", "a");
    g_autoptr(FmMessage) repeats = fm_message_new("repeats %s and %s", "a", "b");
    g_autoptr(FmMessage) breaks = fm_message_new("breaks %s", "a");

    assert_in(loses, "loses a and b", "loses a and b");
    assert_in(invents, "invents a", "invents a");
    assert_in(repeats, "repeats a and b", "repeats a and b");
    assert_in(breaks, "breaks a", "breaks a");
}

/* --- Hostile files --------------------------------------------------------------- */

static GVariant *
build(const char *format, unsigned n_arguments)
{
    GVariantBuilder builder;

    g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
    g_variant_builder_add(&builder, "v", g_variant_new_string(format));
    for (unsigned i = 0; i < n_arguments; i++) {
        g_variant_builder_add(&builder, "v", g_variant_new_string("x"));
    }
    return g_variant_ref_sink(g_variant_builder_end(&builder));
}

static void
test_hostile_formats(void)
{
    static const struct {
        const char *format;
        unsigned n_arguments;
        const char *text; /* NULL = refused */
    } cases[] = {
        {"%s%s%s", 2, NULL},
        {"%s", 2, NULL},
        {"%n", 1, NULL},
        {"%1$n", 1, NULL},
        {"%", 0, NULL},
        {"%l", 1, NULL},
        {"%*d", 2, NULL},
        {"%.*s", 2, NULL},
        {"%0$s", 1, NULL},
        {"%2$s", 1, NULL},
        {"%999999999999$s", 1, NULL},
        {"%1$s%1$s", 1, NULL},
        {"%1$s%s", 2, "xx"},
        {"%s%n", 2, NULL},
        {"%2$s-%1$s", 2, "x-x"},
        {"%999999999d", 1, "x"},
        {"%.999999999f", 1, "x"},
        {"%m", 0, NULL},
        {"", 0, ""},
        {"", 1, NULL},
        {"%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s%s", 17, NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GVariant) variant = build(cases[i].format, cases[i].n_arguments);
        g_autoptr(FmMessage) message = fm_message_from_variant(variant);
        g_assert_cmpstr(message != NULL ? fm_message_get_text(message) : NULL, ==, cases[i].text);
        if (message != NULL) {
            assert_in(message, cases[i].text, cases[i].text);
        }
    }
}

static void
test_hostile_sizes(void)
{
    enum { MEBIBYTE = 1024 * 1024, TOO_DEEP = 40 };
    g_autofree char *large = g_strnfill(MEBIBYTE, 'a');
    g_autoptr(GVariant) format = build(large, 0);
    g_assert_null(fm_message_from_variant(format));

    GVariant *deep = g_variant_ref_sink(g_variant_new_string("x"));
    for (unsigned i = 0; i < TOO_DEEP; i++) {
        GVariantBuilder builder;
        g_variant_builder_init(&builder, G_VARIANT_TYPE("av"));
        g_variant_builder_add(&builder, "v", g_variant_new_string("%p"));
        g_variant_builder_add(&builder, "v", deep);
        g_variant_unref(deep);
        deep = g_variant_ref_sink(g_variant_builder_end(&builder));
    }
    g_assert_null(fm_message_from_variant(deep));
    g_variant_unref(deep);
}

static void
test_hostile_types(void)
{
    static const char *const texts[] = {
        "@av []", "[<1>]", "[<'%s'>, <1>]", "[<@av []>]", "[<'%p'>, <@av []>]", "['a']", "'a'", "1",
    };

    for (gsize i = 0; i < G_N_ELEMENTS(texts); i++) {
        g_autoptr(GVariant) variant = g_variant_parse(NULL, texts[i], NULL, NULL, NULL);
        g_assert_nonnull(variant);
        g_assert_null(fm_message_from_variant(variant));
    }
}

/* What was kept must say what the text says, else a file shows two faces. */
static void
test_lookup(void)
{
    static const struct {
        const char *dictionary;
        const char *korean; /* NULL = no text at all */
    } cases[] = {
        {"{'reason': <'the queue broke'>, 'reason-message': <[<'the queue broke'>]>}",
         "큐가 끊어짐"},
        {"{'reason': <'all is well'>, 'reason-message': <[<'the queue broke'>]>}", "all is well"},
        {"{'reason': <'the queue broke'>}", "the queue broke"},
        {"{'reason': <'the queue broke'>, 'reason-message': <7>}", "the queue broke"},
        {"{'reason-message': <[<'the queue broke'>]>}", NULL},
        {"{'reason': <7>, 'reason-message': <[<'the queue broke'>]>}", NULL},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GVariant) dictionary =
            g_variant_parse(G_VARIANT_TYPE_VARDICT, cases[i].dictionary, NULL, NULL, NULL);
        g_autoptr(FmMessage) message = fm_message_lookup(dictionary, "reason");
        if (cases[i].korean == NULL) {
            g_assert_null(message);
            continue;
        }
        g_autofree char *text = fm_message_dup_with(message, translate_cb, NULL);
        g_assert_cmpstr(text, ==, cases[i].korean);
    }

    g_auto(GVariantDict) dict = G_VARIANT_DICT_INIT(NULL);
    g_autoptr(FmMessage) message = fm_message_new("“%s” holds %u runs", "a", 1u);
    fm_message_insert(&dict, "text", message);
    fm_message_insert(&dict, "none", NULL);
    g_autoptr(GVariant) dictionary = g_variant_ref_sink(g_variant_dict_end(&dict));
    g_autoptr(FmMessage) found = fm_message_lookup(dictionary, "text");
    g_autoptr(FmMessage) none = fm_message_lookup(dictionary, "none");
    assert_in(found, "“a” holds 1 runs", "1개의 실행이 “a”에 있음");
    g_assert_cmpstr(fm_message_get_text(none), ==, "");
}

/* --- Errors ----------------------------------------------------------------------- */

static void
test_errors_keep_it(void)
{
    g_autoptr(GError) inner = NULL;
    fm_error_set_errno(&inner, ENOENT, "“%s” holds %u runs", "a", 1u);
    g_autoptr(GError) copy = g_error_copy(inner);
    g_autoptr(FmMessage) why = fm_error_dup_message(copy);
    assert_in(why, "“a” holds 1 runs: No such file or directory",
              "1개의 실행이 “a”에 있음: 파일이나 폴더가 없음");

    g_autoptr(GError) outer = NULL;
    fm_error_set(&outer, FM_ERROR_IO, "Step %s: %p", "b", why);
    g_assert_error(outer, FM_ERROR, FM_ERROR_IO);
    g_assert_cmpstr(outer->message, ==, "Step b: “a” holds 1 runs: No such file or directory");
    g_autoptr(FmMessage) all = fm_error_dup_message(outer);
    assert_in(all, outer->message, "b 단계: 1개의 실행이 “a”에 있음: 파일이나 폴더가 없음");
}

static void
test_foreign_errors(void)
{
    g_autoptr(GError) foreign =
        g_error_new_literal(G_FILE_ERROR, G_FILE_ERROR_NOENT, "the queue broke %s");
    g_autoptr(FmMessage) verbatim = fm_error_dup_message(foreign);
    assert_in(verbatim, "the queue broke %s", "the queue broke %s");

    /* Prefixed by somebody who does not know better. */
    g_autoptr(GError) prefixed = NULL;
    fm_error_set(&prefixed, FM_ERROR_IO, "the queue broke");
    g_prefix_error(&prefixed, "Alas, ");
    g_autoptr(FmMessage) text = fm_error_dup_message(prefixed);
    assert_in(text, "Alas, the queue broke", "Alas, the queue broke");

    g_autoptr(GError) literal = g_error_new_literal(FM_ERROR, FM_ERROR_IO, "by hand");
    g_autofree char *local = fm_error_dup_local(literal);
    g_assert_cmpstr(local, ==, "by hand");
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    add_in_each_locale("/base/message/every-conversion-is-printfs", test_every_conversion);
    g_test_add_func("/base/message/arguments-may-change-places", test_arguments_change_places);
    g_test_add_func("/base/message/messages-nest", test_nested);
    g_test_add_func("/base/message/what-is-verbatim-stays-so", test_untranslatable);
    g_test_add_func("/base/message/strings-become-printable", test_strings_are_printable);
    g_test_add_func("/base/message/a-bad-translation-is-not-shown", test_bad_translations);
    g_test_add_func("/base/message/hostile-formats-never-reach-printf", test_hostile_formats);
    g_test_add_func("/base/message/hostile-sizes-are-refused", test_hostile_sizes);
    g_test_add_func("/base/message/hostile-types-are-refused", test_hostile_types);
    g_test_add_func("/base/message/text-and-message-must-agree", test_lookup);
    g_test_add_func("/base/message/errors-keep-their-message", test_errors_keep_it);
    g_test_add_func("/base/message/foreign-errors-are-verbatim", test_foreign_errors);
    return g_test_run();
}
