/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts keep their types, their order and what is unknown about them; hostile text is
 * harmless after it went in.
 */
#include "model/facts.h"

#include <math.h>
#include <string.h>

static FmFacts *
make_facts(void)
{
    FmFacts *facts = fm_facts_new();
    fm_facts_set_uint(facts, "drive.size", UINT64_MAX);
    fm_facts_set_string(facts, "drive.model", "SSD 1");
    fm_facts_set_int(facts, "drive.temperature", -5);
    fm_facts_set_double(facts, "machine.load", 0.1);
    fm_facts_set_bool(facts, "fs.dax", true);
    fm_facts_set_unknown(facts, "fs.type", "Access was denied.");
    return facts;
}

static void
assert_facts(const FmFacts *facts)
{
    uint64_t size = 0;
    int64_t temperature = 0;
    double load = 0;
    bool is_dax = false;

    g_assert_cmpstr(fm_facts_get_string(facts, "drive.model"), ==, "SSD 1");
    g_assert_true(fm_facts_get_uint(facts, "drive.size", &size));
    g_assert_cmpuint(size, ==, UINT64_MAX);
    g_assert_true(fm_facts_get_int(facts, "drive.temperature", &temperature));
    g_assert_cmpint(temperature, ==, -5);
    g_assert_true(fm_facts_get_double(facts, "machine.load", &load));
    g_assert_cmpfloat(load, ==, 0.1);
    g_assert_true(fm_facts_get_bool(facts, "fs.dax", &is_dax));
    g_assert_true(is_dax);
    g_assert_cmpstr(fm_facts_get_reason(facts, "fs.type"), ==, "Access was denied.");
}

static void
test_types(void)
{
    g_autoptr(FmFacts) facts = make_facts();
    uint64_t number = 7;

    assert_facts(facts);
    g_assert_null(fm_facts_get_string(facts, "fs.type"));
    g_assert_null(fm_facts_get_string(facts, "absent"));
    g_assert_null(fm_facts_get_reason(facts, "absent"));
    g_assert_null(fm_facts_get_reason(facts, "drive.model"));
    g_assert_false(fm_facts_get_uint(facts, "drive.model", &number));
    g_assert_false(fm_facts_get_uint(facts, "fs.type", &number));
    g_assert_cmpuint(number, ==, 7);

    fm_facts_set_string(facts, "fs.type", "ext4");
    g_assert_cmpstr(fm_facts_get_string(facts, "fs.type"), ==, "ext4");
    g_assert_null(fm_facts_get_reason(facts, "fs.type"));
}

static void
test_round_trip(void)
{
    g_autoptr(FmFacts) facts = make_facts();
    g_autoptr(GVariant) dictionary = g_variant_ref_sink(fm_facts_to_variant(facts));
    g_assert_cmpstr(g_variant_get_type_string(dictionary), ==, "a{sv}");

    g_autoptr(FmFacts) back = fm_facts_from_variant(dictionary);
    assert_facts(back);
    g_autoptr(GVariant) again = g_variant_ref_sink(fm_facts_to_variant(back));
    g_assert_cmpvariant(dictionary, again);

    g_autoptr(FmFacts) merged = fm_facts_new();
    fm_facts_set_string(merged, "fs.type", "xfs");
    fm_facts_set_string(merged, "own", "kept");
    fm_facts_merge(merged, facts);
    assert_facts(merged);
    g_assert_cmpstr(fm_facts_get_string(merged, "own"), ==, "kept");
}

static void
append_line_cb(const char *name, const char *text, bool is_known, gpointer user_data)
{
    g_string_append_printf(user_data, "%s%s%s\n", name, is_known ? "=" : "?", text);
}

static void
test_order_and_text(void)
{
    g_autoptr(FmFacts) facts = make_facts();
    g_autoptr(GString) lines = g_string_new(NULL);

    fm_facts_foreach(facts, append_line_cb, lines);
    g_assert_cmpstr(lines->str, ==,
                    "drive.model=SSD 1\n"
                    "drive.size=18446744073709551615\n"
                    "drive.temperature=-5\n"
                    "fs.dax=yes\n"
                    "fs.type?Access was denied.\n"
                    "machine.load=0.1\n");
}

static void
test_hostile_text(void)
{
    static const struct {
        const char *given;
        const char *stored;
    } cases[] = {
        {"caf\xE9 SSD", "caf\\xE9 SSD"},
        {"\xF0\x9F\x92", "\\xF0\\x9F\\x92"},
        {"ok \xED\x95\x9C", "ok \xED\x95\x9C"},
        {"\x1B[31mred\n", "\\x1B[31mred\\x0A"},
        {"a\xC2\x9B"
         "b",
         "a\\xC2\\x9B"
         "b"},
        {"", ""},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(FmFacts) facts = fm_facts_new();
        fm_facts_set_string(facts, "drive.model", cases[i].given);
        g_assert_cmpstr(fm_facts_get_string(facts, "drive.model"), ==, cases[i].stored);
        fm_facts_set_unknown(facts, "drive.model", cases[i].given);
        g_assert_cmpstr(fm_facts_get_reason(facts, "drive.model"), ==, cases[i].stored);
    }
}

static void
test_no_value_is_unknown(void)
{
    g_autoptr(FmFacts) facts = fm_facts_new();
    double number = 7;

    fm_facts_set_string(facts, "a", NULL);
    fm_facts_set_double(facts, "b", NAN);
    g_assert_nonnull(fm_facts_get_reason(facts, "a"));
    g_assert_nonnull(fm_facts_get_reason(facts, "b"));
    g_assert_false(fm_facts_get_double(facts, "b", &number));
}

static void
test_foreign_dictionary(void)
{
    g_autoptr(GVariant) dictionary = g_variant_ref_sink(
        g_variant_new_parsed("{'list': <[1, 2]>, 'bad': <'a\\u0007'>, 'inf': <inf>}"));
    g_autoptr(FmFacts) facts = fm_facts_from_variant(dictionary);

    g_assert_cmpstr(fm_facts_get_string(facts, "list"), ==, "[1, 2]");
    g_assert_cmpstr(fm_facts_get_string(facts, "bad"), ==, "a\\x07");
    g_assert_nonnull(fm_facts_get_reason(facts, "inf"));
}

int
main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/model/facts/values-keep-their-types", test_types);
    g_test_add_func("/model/facts/variant-round-trips", test_round_trip);
    g_test_add_func("/model/facts/names-are-sorted-and-values-readable", test_order_and_text);
    g_test_add_func("/model/facts/hostile-text-is-escaped", test_hostile_text);
    g_test_add_func("/model/facts/no-value-is-unknown-not-zero", test_no_value_is_unknown);
    g_test_add_func("/model/facts/foreign-types-are-kept-as-printed", test_foreign_dictionary);
    return g_test_run();
}
