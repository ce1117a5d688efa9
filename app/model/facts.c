/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts as a sorted tree from names to GVariants, which already are the types of the
 * file format.  Text comes from drives and systems we do not trust: it is made
 * printable on the way in, so nothing after this has to.  One thread at a time.
 */
#define G_LOG_DOMAIN "fathom"

#include "model/facts.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

struct FmFacts {
    GTree *values; /* name -> GVariant of type s, t, x, d, b or (s) */
};

static int
compare_names_cb(gconstpointer a, gconstpointer b, gpointer user_data)
{
    return strcmp(a, b);
}

/* Takes the floating @value. */
static void
set_value(FmFacts *facts, const char *name, GVariant *value)
{
    g_tree_replace(facts->values, g_strdup(name), g_variant_ref_sink(value));
}

static GVariant *
get_value(const FmFacts *facts, const char *name, const GVariantType *type)
{
    GVariant *value = g_tree_lookup(facts->values, name);
    return value != NULL && g_variant_is_of_type(value, type) ? value : NULL;
}

FmFacts *
fm_facts_new(void)
{
    FmFacts *facts = g_new0(FmFacts, 1);
    facts->values =
        g_tree_new_full(compare_names_cb, NULL, g_free, (GDestroyNotify)g_variant_unref);
    return facts;
}

void
fm_facts_free(FmFacts *facts)
{
    if (facts == NULL) {
        return;
    }
    g_tree_unref(facts->values);
    g_free(facts);
}

void
fm_facts_set_string(FmFacts *facts, const char *name, const char *value)
{
    if (value == NULL) {
        fm_facts_set_unknown(facts, name, "It was not reported.");
        return;
    }
    set_value(facts, name, g_variant_new_take_string(fm_text_dup_printable(value)));
}

void
fm_facts_set_uint(FmFacts *facts, const char *name, uint64_t value)
{
    set_value(facts, name, g_variant_new_uint64(value));
}

void
fm_facts_set_int(FmFacts *facts, const char *name, int64_t value)
{
    set_value(facts, name, g_variant_new_int64(value));
}

void
fm_facts_set_double(FmFacts *facts, const char *name, double value)
{
    if (!isfinite(value)) {
        fm_facts_set_unknown(facts, name, "The value is not a finite number.");
        return;
    }
    set_value(facts, name, g_variant_new_double(value));
}

void
fm_facts_set_bool(FmFacts *facts, const char *name, bool value)
{
    set_value(facts, name, g_variant_new_boolean(value));
}

void
fm_facts_set_unknown(FmFacts *facts, const char *name, const char *reason)
{
    g_autofree char *printable = fm_text_dup_printable(reason != NULL ? reason : "");
    set_value(facts, name, g_variant_new("(s)", printable));
}

const char *
fm_facts_get_string(const FmFacts *facts, const char *name)
{
    GVariant *value = get_value(facts, name, G_VARIANT_TYPE_STRING);
    return value != NULL ? g_variant_get_string(value, NULL) : NULL;
}

bool
fm_facts_get_uint(const FmFacts *facts, const char *name, uint64_t *value)
{
    GVariant *stored = get_value(facts, name, G_VARIANT_TYPE_UINT64);
    if (stored == NULL) {
        return false;
    }
    *value = g_variant_get_uint64(stored);
    return true;
}

bool
fm_facts_get_int(const FmFacts *facts, const char *name, int64_t *value)
{
    GVariant *stored = get_value(facts, name, G_VARIANT_TYPE_INT64);
    if (stored == NULL) {
        return false;
    }
    *value = g_variant_get_int64(stored);
    return true;
}

bool
fm_facts_get_double(const FmFacts *facts, const char *name, double *value)
{
    GVariant *stored = get_value(facts, name, G_VARIANT_TYPE_DOUBLE);
    if (stored == NULL) {
        return false;
    }
    *value = g_variant_get_double(stored);
    return true;
}

bool
fm_facts_get_bool(const FmFacts *facts, const char *name, bool *value)
{
    GVariant *stored = get_value(facts, name, G_VARIANT_TYPE_BOOLEAN);
    if (stored == NULL) {
        return false;
    }
    *value = g_variant_get_boolean(stored);
    return true;
}

const char *
fm_facts_get_reason(const FmFacts *facts, const char *name)
{
    GVariant *stored = get_value(facts, name, G_VARIANT_TYPE("(s)"));
    const char *reason = NULL;
    if (stored != NULL) {
        g_variant_get(stored, "(&s)", &reason);
    }
    return reason;
}

void
fm_facts_merge(FmFacts *facts, const FmFacts *other)
{
    for (GTreeNode *node = g_tree_node_first(other->values); node != NULL;
         node = g_tree_node_next(node)) {
        set_value(facts, g_tree_node_key(node), g_tree_node_value(node));
    }
}

GVariant *
fm_facts_to_variant(const FmFacts *facts)
{
    GVariantBuilder builder;
    g_variant_builder_init(&builder, G_VARIANT_TYPE_VARDICT);
    for (GTreeNode *node = g_tree_node_first(facts->values); node != NULL;
         node = g_tree_node_next(node)) {
        g_variant_builder_add(&builder, "{sv}", (const char *)g_tree_node_key(node),
                              (GVariant *)g_tree_node_value(node));
    }
    return g_variant_builder_end(&builder);
}

static void
set_from_variant(FmFacts *facts, const char *name, GVariant *value)
{
    const GVariantType *type = g_variant_get_type(value);
    if (g_variant_type_equal(type, G_VARIANT_TYPE_STRING)) {
        fm_facts_set_string(facts, name, g_variant_get_string(value, NULL));
    } else if (g_variant_type_equal(type, G_VARIANT_TYPE_UINT64) ||
               g_variant_type_equal(type, G_VARIANT_TYPE_INT64) ||
               g_variant_type_equal(type, G_VARIANT_TYPE_BOOLEAN)) {
        set_value(facts, name, value);
    } else if (g_variant_type_equal(type, G_VARIANT_TYPE_DOUBLE)) {
        fm_facts_set_double(facts, name, g_variant_get_double(value));
    } else if (g_variant_type_equal(type, G_VARIANT_TYPE("(s)"))) {
        const char *reason;
        g_variant_get(value, "(&s)", &reason);
        fm_facts_set_unknown(facts, name, reason);
    } else {
        g_autofree char *printed = g_variant_print(value, FALSE);
        fm_facts_set_string(facts, name, printed);
    }
}

FmFacts *
fm_facts_from_variant(GVariant *dictionary)
{
    g_return_val_if_fail(g_variant_is_of_type(dictionary, G_VARIANT_TYPE_VARDICT), NULL);

    FmFacts *facts = fm_facts_new();
    GVariantIter iter;
    const char *name;
    GVariant *value;
    g_variant_iter_init(&iter, dictionary);
    while (g_variant_iter_loop(&iter, "{&sv}", &name, &value)) {
        g_autofree char *printable = fm_text_dup_printable(name);
        set_from_variant(facts, printable, value);
    }
    return facts;
}

static char *
value_to_text(GVariant *value)
{
    switch (g_variant_classify(value)) {
    case G_VARIANT_CLASS_STRING:
        return g_variant_dup_string(value, NULL);
    case G_VARIANT_CLASS_UINT64:
        return g_strdup_printf("%" G_GUINT64_FORMAT, g_variant_get_uint64(value));
    case G_VARIANT_CLASS_INT64:
        return g_strdup_printf("%" G_GINT64_FORMAT, g_variant_get_int64(value));
    case G_VARIANT_CLASS_DOUBLE:
        return fm_text_dup_double(g_variant_get_double(value));
    case G_VARIANT_CLASS_BOOLEAN:
        return g_strdup(g_variant_get_boolean(value) ? "yes" : "no");
    default: {
        char *reason;
        g_variant_get(value, "(s)", &reason);
        return reason;
    }
    }
}

void
fm_facts_foreach(const FmFacts *facts, FmFactCallback each, gpointer user_data)
{
    for (GTreeNode *node = g_tree_node_first(facts->values); node != NULL;
         node = g_tree_node_next(node)) {
        GVariant *value = g_tree_node_value(node);
        g_autofree char *text = value_to_text(value);
        bool is_known = !g_variant_is_of_type(value, G_VARIANT_TYPE("(s)"));
        each(g_tree_node_key(node), text, is_known, user_data);
    }
}
