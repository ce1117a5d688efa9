/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading refuses what is doubtful and says where; the locator finds what the reader
 * read; the canonical form is one for equal values.
 */
#include "base/error.h"
#include "base/json.h"

#include <string.h>

static const char plan[] = "{\n"
                           "  \"na\\u006De\": \"한 \\\"x\\\" [\", \"phases\": [\n"
                           "    {\"id\": \"a\"},\n"
                           "    [1, [2], \"]\", {\"}\": -1.5e3}],\n"
                           "    {\"streams\": [ {\"block\" :\t4096 , \"deep\":[[]]} ],\n"
                           "     \"last\": true}\n"
                           "  ]\n"
                           "}\n";

static void
test_locate(void)
{
    static const struct {
        const char *path;
        unsigned line;
        unsigned column;
        unsigned key_line;
        unsigned key_column;
    } cases[] = {
        {"", 1, 1, 1, 1},
        {"name", 2, 16, 2, 3},
        {"phases", 2, 39, 2, 29},
        {"phases/0", 3, 5, 3, 5},
        {"phases/0/id", 3, 12, 3, 6},
        {"phases/1/1/0", 4, 10, 4, 10},
        {"phases/1/2", 4, 14, 4, 14},
        {"phases/1/3/}", 4, 25, 4, 20},
        {"phases/2/streams/0/block", 5, 30, 5, 20},
        {"phases/2/streams/0/deep", 5, 44, 5, 37},
        {"phases/2/streams/0/deep/0", 5, 45, 5, 45},
        {"phases/2/last", 6, 14, 6, 6},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned line = 0;
        unsigned column = 0;
        g_assert_true(fm_json_locate(plan, strlen(plan), cases[i].path, &line, &column));
        g_assert_cmpuint(line, ==, cases[i].line);
        g_assert_cmpuint(column, ==, cases[i].column);
        g_assert_true(fm_json_locate_key(plan, strlen(plan), cases[i].path, &line, &column));
        g_assert_cmpuint(line, ==, cases[i].key_line);
        g_assert_cmpuint(column, ==, cases[i].key_column);
    }
}

static void
test_locate_missing(void)
{
    static const struct {
        const char *path;
        unsigned line;
        unsigned column;
    } cases[] = {
        {"absent", 1, 1},
        {"phases/3", 2, 39},
        {"phases/-1", 2, 39},
        {"phases/x/id", 2, 39},
        {"phases/0/block", 3, 5},
        {"phases/2/streams/0/block/size", 5, 30},
        {"phases/2/streams/0/deep/0/0", 5, 45},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        unsigned line = 0;
        unsigned column = 0;
        g_assert_false(fm_json_locate(plan, strlen(plan), cases[i].path, &line, &column));
        g_assert_cmpuint(line, ==, cases[i].line);
        g_assert_cmpuint(column, ==, cases[i].column);
        g_assert_false(fm_json_locate_key(plan, strlen(plan), cases[i].path, &line, &column));
        g_assert_cmpuint(line, ==, cases[i].line);
        g_assert_cmpuint(column, ==, cases[i].column);
    }
}

/* Every prefix, in memory of its own so that a sanitizer sees the smallest overrun. */
static void
test_locate_stays_inside(void)
{
    for (gsize length = 1; length + 1 < strlen(plan); length++) { /* the last is a line end */
        g_autofree char *cut = g_memdup2(plan, length);
        unsigned line = 0;
        unsigned column = 0;
        fm_json_locate(cut, length, "phases/2/last", &line, &column);
        fm_json_locate_key(cut, length, "name", &line, &column);
        g_autoptr(GError) error = NULL;
        g_assert_null(fm_json_parse(cut, length, "cut", &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    }
}

static void
test_refusals(void)
{
    static const struct {
        const char *text;
        const char *message; /* beginning */
    } cases[] = {
        {"", "p.json:1:1: This is not valid JSON: "},
        {"{\n  \"a\": 1,\n  \"a\": 2\n}",
         "p.json:3:5: This is not valid JSON: duplicate object key"},
        {"{\"a\": 1} x", "p.json:1:10: This is not valid JSON: end of file expected"},
        {"{\"a\": }", "p.json:1:7: This is not valid JSON: unexpected token"},
        {"[1,]", "p.json:1:4: This is not valid JSON: unexpected token"},
        {"[01]", "p.json:1:2: This is not valid JSON: invalid token"},
        {"[NaN]", "p.json:1:"},
        {"[99999999999999999999]", "p.json:1:21: This is not valid JSON: too big integer"},
        {"[1e999]", "p.json:1:6: This is not valid JSON: real number overflow"},
        {"[\"\\u0000\"]", "p.json:1:9: This is not valid JSON: \\u0000 is not allowed"},
        {"[\"\xFF\"]", "p.json:1:2: This is not valid JSON: unable to decode byte 0xff"},
        {"[\"\x1B[31m\"]", "p.json:1:2: This is not valid JSON: control character 0x1b"},
        {"5", "p.json:1:1: This is not valid JSON: '[' or '{' expected near “5”"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_null(fm_json_parse(cases[i].text, strlen(cases[i].text), "p.json", &error));
        g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
        if (!g_str_has_prefix(error->message, cases[i].message)) {
            g_assert_cmpstr(error->message, ==, cases[i].message);
        }
        g_assert_true(g_utf8_validate(error->message, -1, NULL));
        g_assert_null(strchr(error->message, '\x1B'));
    }
}

static char *
make_nested(unsigned depth)
{
    g_autofree char *open = g_strnfill(depth, '[');
    g_autofree char *close = g_strnfill(depth, ']');
    return g_strconcat(open, "\"[[[\"", close, NULL);
}

static void
test_depth(void)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *deepest = make_nested(FM_JSON_MAX_DEPTH);
    json_auto_t *json = fm_json_parse(deepest, strlen(deepest), "p.json", &error);
    g_assert_no_error(error);
    g_assert_nonnull(json);

    g_autofree char *deeper = make_nested(FM_JSON_MAX_DEPTH + 1);
    g_assert_null(fm_json_parse(deeper, strlen(deeper), "p.json", &error));
    g_assert_error(error, FM_ERROR, FM_ERROR_INVALID);
    g_assert_cmpstr(error->message, ==, "p.json:1:65: Values are nested more than 64 deep.");
}

static void
test_canonical(void)
{
    static const struct {
        const char *text;
        const char *canonical;
    } cases[] = {
        {"{ \"b\" : 1, \"a\" : [ ] }", "{\"a\":[],\"b\":1}"},
        {"{\"aa\":1,\"a\":2,\"B\":3,\"\":4}", "{\"\":4,\"B\":3,\"a\":2,\"aa\":1}"},
        {"[9223372036854775807,-9223372036854775808]",
         "[9223372036854775807,-9223372036854775808]"},
        {"[0.1,1.0,1e3,1.5e-7,1e300,-0.0,9007199254740993]",
         "[0.1,1,1000,1.5e-07,1e+300,0,9007199254740993]"},
        {"[\"\\u00e9\\n\\u001f\\\"\\\\\\/\\u007f\"]", "[\"\xC3\xA9\\n\\u001f\\\"\\\\/\x7F\"]"},
        {"[\"bfnrt\"]", "[\"bfnrt\"]"},
        {"\xEF\xBB\xBF[true,false,null,{}]", "[true,false,null,{}]"},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        json_auto_t *json = fm_json_parse(cases[i].text, strlen(cases[i].text), "p.json", &error);
        g_assert_no_error(error);
        g_autofree char *canonical = fm_json_dup_canonical(json);
        g_assert_cmpstr(canonical, ==, cases[i].canonical);

        json_auto_t *again = fm_json_parse(canonical, strlen(canonical), "p.json", &error);
        g_assert_no_error(error);
        g_autofree char *twice = fm_json_dup_canonical(again);
        g_assert_cmpstr(twice, ==, canonical);
    }
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/base/json/locate-finds-values-and-keys", test_locate);
    g_test_add_func("/base/json/locate-gives-the-parent-of-what-is-missing", test_locate_missing);
    g_test_add_func("/base/json/scanner-stays-inside-the-text", test_locate_stays_inside);
    g_test_add_func("/base/json/doubtful-text-is-refused-with-its-place", test_refusals);
    g_test_add_func("/base/json/depth-is-limited", test_depth);
    g_test_add_func("/base/json/canonical-form-is-one-for-equal-values", test_canonical);
    return g_test_run();
}
