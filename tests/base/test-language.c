/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Texts in a named language: from a catalogue made here, whatever the process speaks, on several
 * threads, and from files that are no catalogues.
 */
#include "config.h"

#include "base/language.h"

#include <glib/gstdio.h>
#include <libintl.h>
#include <locale.h>
#include <string.h>

typedef struct {
    char *folder; /* what bindtextdomain() is given */
    GPtrArray *paths; /* to remove, in this order */
} Place;

static void
append_number(GByteArray *bytes, guint32 number, gboolean is_swapped)
{
    number = is_swapped ? GUINT32_SWAP_LE_BE(number) : number;
    g_byte_array_append(bytes, (const guint8 *)&number, 4);
}

/* A .mo file with the pairs in @texts. */
static GByteArray *
make_catalogue(const char *const texts[][2], guint32 n, gboolean is_swapped)
{
    GByteArray *bytes = g_byte_array_new();
    const guint32 head[] = {0x950412de, 0, n, 20, 20 + n * 8};
    guint32 at = 20 + n * 16;

    for (guint i = 0; i < G_N_ELEMENTS(head); i++) {
        append_number(bytes, head[i], is_swapped);
    }
    for (guint side = 0; side < 2; side++) {
        for (guint i = 0; i < n; i++) {
            append_number(bytes, (guint32)strlen(texts[i][side]), is_swapped);
            append_number(bytes, at, is_swapped);
            at += (guint32)strlen(texts[i][side]) + 1;
        }
    }
    for (guint side = 0; side < 2; side++) {
        for (guint i = 0; i < n; i++) {
            const guint8 *text = (const guint8 *)texts[i][side];
            g_byte_array_append(bytes, text, (guint)strlen(texts[i][side]) + 1);
        }
    }
    return bytes;
}

static void
place_add(Place *place, const char *language, const void *bytes, gsize length)
{
    g_autoptr(GError) error = NULL;
    char *outer = g_build_filename(place->folder, language, NULL);
    char *inner = g_build_filename(outer, "LC_MESSAGES", NULL);
    char *path = g_build_filename(inner, GETTEXT_PACKAGE ".mo", NULL);

    g_assert_cmpint(g_mkdir_with_parents(inner, 0700), ==, 0);
    g_assert_true(g_file_set_contents(path, bytes, (gssize)length, &error));
    g_ptr_array_insert(place->paths, 0, outer);
    g_ptr_array_insert(place->paths, 0, inner);
    g_ptr_array_insert(place->paths, 0, path);
}

static void
set_up(Place *place, gconstpointer data)
{
    static const char *const texts[][2] = {
        {"", "Language: ko\n"}, {"Drive", "드라이브"}, {"%s of %s", "%2$s 중 %1$s"}};
    g_autoptr(GByteArray) bytes = make_catalogue(texts, G_N_ELEMENTS(texts), FALSE);
    g_autoptr(GByteArray) swapped = make_catalogue(texts, G_N_ELEMENTS(texts), TRUE);

    place->folder = g_dir_make_tmp("fathom-language-XXXXXX", NULL);
    place->paths = g_ptr_array_new_with_free_func(g_free);
    place_add(place, "ko", bytes->data, bytes->len);
    place_add(place, "xs", swapped->data, swapped->len);
    bindtextdomain(GETTEXT_PACKAGE, place->folder);
}

static void
tear_down(Place *place, gconstpointer data)
{
    for (guint i = 0; i < place->paths->len; i++) {
        g_remove(place->paths->pdata[i]);
    }
    g_rmdir(place->folder);
    g_ptr_array_unref(place->paths);
    g_free(place->folder);
}

static void
test_named(Place *place, gconstpointer data)
{
    g_assert_cmpstr(fm_language_translate("ko", "Drive"), ==, "드라이브");
    g_assert_cmpstr(fm_language_translate("xs", "Drive"), ==, "드라이브");
    g_assert_cmpstr(fm_language_translate("ko", "Unheard"), ==, "Unheard");
    g_assert_cmpstr(fm_language_translate("ko", ""), ==, "");
    g_assert_cmpstr(fm_language_translate("en", "Drive"), ==, "Drive");
    g_assert_cmpstr(fm_language_translate(NULL, "Drive"), ==, "Drive");
    g_assert_cmpstr(fm_language_translate("xx", "Drive"), ==, "Drive");
    g_assert_cmpstr(fm_language_translate("../ko", "Drive"), ==, "Drive");
}

/* Both ways: Korean figures in an English process, English ones in a Korean process. */
static void
test_process(Place *place, gconstpointer data)
{
    if (g_test_subprocess()) {
        const char *language = fm_language_of_process();
        g_assert_cmpstr(fm_language_translate("ko", "Drive"), ==, "드라이브");
        g_assert_cmpstr(fm_language_translate("en", "Drive"), ==, "Drive");
        g_print("it speaks %s\n", language);
        return;
    }
    static const struct {
        const char *language;
        const char *answer;
    } cases[] = {{"ko", "*it speaks ko*"},    {"ko_KR.UTF-8", "*it speaks ko*"},
                 {"xx:ko", "*it speaks ko*"}, {"en_GB:ko", "*it speaks en*"},
                 {"xx", "*it speaks en*"},    {"../../ko", "*it speaks en*"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_setenv("LANGUAGE", cases[i].language, TRUE);
        g_setenv("LC_ALL", "C.UTF-8", TRUE);
        g_test_trap_subprocess(NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
        g_test_trap_assert_passed();
        g_test_trap_assert_stdout(cases[i].answer);
    }
    g_unsetenv("LANGUAGE");
    g_unsetenv("LC_ALL");
}

static gpointer
ask_cb(gpointer data)
{
    for (guint i = 0; i < 1000; i++) {
        g_assert_cmpstr(fm_language_translate("ko", "Drive"), ==, "드라이브");
        g_assert_cmpstr(fm_language_translate("xx", "Drive"), ==, "Drive");
    }
    return NULL;
}

static void
test_threads(Place *place, gconstpointer data)
{
    GThread *threads[4];

    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        threads[i] = g_thread_new("ask", ask_cb, NULL);
    }
    for (guint i = 0; i < G_N_ELEMENTS(threads); i++) {
        g_thread_join(threads[i]);
    }
}

/* Every cut and every spoilt byte of a good file gives the text or a translation, no more. */
static void
test_broken(Place *place, gconstpointer data)
{
    static const char *const texts[][2] = {{"Drive", "드라이브"}};
    g_autoptr(GByteArray) good = make_catalogue(texts, 1, FALSE);

    for (guint i = 0; i < good->len; i++) {
        g_autofree char *cut = g_strdup_printf("cut%u", i);
        g_autofree char *spoilt = g_strdup_printf("spoilt%u", i);
        place_add(place, cut, good->data, i);
        g_assert_cmpstr(fm_language_translate(cut, "Drive"), ==, "Drive");
        good->data[i] ^= 0xff;
        place_add(place, spoilt, good->data, good->len);
        good->data[i] ^= 0xff;
        const char *text = fm_language_translate(spoilt, "Drive");
        g_assert_cmpuint(strlen(text), <, good->len);
    }
}

#define ADD(path, function) g_test_add(path, Place, NULL, set_up, function, tear_down)

int
main(int argc, char **argv)
{
    setlocale(LC_ALL, "");
    g_test_init(&argc, &argv, NULL);
    ADD("/base/language/translates-into-the-language-named", test_named);
    ADD("/base/language/does-not-follow-the-process", test_process);
    ADD("/base/language/many-threads-may-ask", test_threads);
    ADD("/base/language/broken-catalogues-are-harmless", test_broken);
    return g_test_run();
}
