/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any text as a quantity: each parser takes it or says why not, and what it took is
 * written, read and written again as the same thing.  Numbers made of the bytes have a
 * label in every form.
 */
#include "base/error.h"
#include "base/label.h"
#include "base/units.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A parser must give a value or a sentence that can be shown, never both or neither. */
static bool
check(bool is_good, GError **error)
{
    g_assert_true(is_good == (*error == NULL));
    if (*error != NULL) {
        g_assert_error(*error, FM_ERROR, FM_ERROR_INVALID);
        g_assert_true(g_utf8_validate((*error)->message, -1, NULL));
        g_clear_error(error);
    }
    return is_good;
}

static void
check_size(const char *text)
{
    GError *error = NULL;
    g_autofree char *spelling = NULL;
    uint64_t bytes;
    uint64_t again;

    if (!check(fm_units_parse_size(text, &bytes, &spelling, &error), &error)) {
        return;
    }
    g_assert_true(fm_units_parse_size(spelling, &again, NULL, NULL));
    g_assert_cmpuint(again, ==, bytes);
    g_autofree char *canonical = fm_units_dup_size(bytes);
    g_assert_true(fm_units_parse_size(canonical, &again, NULL, NULL));
    g_assert_cmpuint(again, ==, bytes);
    g_autofree char *block = fm_label_dup_block(bytes);
    g_assert_true(fm_units_parse_size(block, &again, NULL, NULL));
    g_assert_cmpuint(again, ==, bytes);
}

static void
check_duration(const char *text)
{
    GError *error = NULL;
    int64_t ns;
    int64_t again;

    if (!check(fm_units_parse_duration(text, &ns, &error), &error)) {
        return;
    }
    g_assert_cmpint(ns, >=, 0);
    g_autofree char *canonical = fm_units_dup_duration(ns);
    g_assert_true(fm_units_parse_duration(canonical, &again, NULL));
    g_assert_cmpint(again, ==, ns);
}

static void
check_percent(const char *text)
{
    GError *error = NULL;
    uint32_t per_million;
    uint32_t again;

    if (!check(fm_units_parse_percent(text, &per_million, &error), &error)) {
        return;
    }
    g_autofree char *canonical = fm_units_dup_percent(per_million);
    g_assert_true(fm_units_parse_percent(canonical, &again, NULL));
    g_assert_cmpuint(again, ==, per_million);
}

/* A label is rounded, so only its own label has to be the same. */
static void
check_point(const char *text)
{
    GError *error = NULL;
    FmLabelPoint point;

    if (!check(fm_label_parse_point(text, &point, &error), &error)) {
        return;
    }
    for (int spaced = 0; spaced <= 1; spaced++) {
        FmLabelStyle style = {.rule = FM_LABEL_NATIVE, .spaced = spaced};
        g_autofree char *label = fm_label_dup_point(&point, style);
        FmLabelPoint read;
        if (point.has_latency && fm_label_latency_us(point.latency_ns, FM_LABEL_NATIVE) == 0) {
            continue; /* "<1µs" is no number */
        }
        if (point.rate >= 1e19) {
            continue; /* beyond what is read */
        }
        g_assert_true(fm_label_parse_point(label, &read, NULL));
        g_autofree char *again = fm_label_dup_point(&read, style);
        g_assert_cmpstr(again, ==, label);
    }
}

static void
check_labels(double value, uint64_t number)
{
    for (int form = FM_CDM_PANEL_MB; form <= FM_CDM_TEXT_US; form++) {
        g_autofree char *text = fm_label_dup_cdm(value, (FmCdmForm)form);
        g_assert_true(g_utf8_validate(text, -1, NULL));
    }
    for (int quantity = FM_QUANTITY_TIME; quantity <= FM_QUANTITY_NUMBER; quantity++) {
        g_autofree char *text = fm_label_dup_figure(value, (FmQuantity)quantity);
        g_assert_true(g_utf8_validate(text, -1, NULL));
        g_assert_null(strchr(text, 'e'));
    }
    g_autofree char *iops = fm_label_dup_iops(value);
    g_autofree char *clock = fm_label_dup_clock((int64_t)number);
    g_autofree char *capacity = fm_label_dup_capacity(number, false);
    g_autofree char *review = fm_label_dup_tail(number, (FmLabelStyle){.rule = FM_LABEL_REVIEW});
    g_assert_true(iops[0] != '\0' && clock[0] != '\0' && capacity[0] != '\0' && review[0] != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    g_autofree char *text = g_strndup((const char *)data, size);
    GError *error = NULL;
    uint64_t value;

    check_size(text);
    check_duration(text);
    check_percent(text);
    check_point(text);
    check(fm_units_parse_count(text, &value, &error), &error);
    check(fm_units_parse_throughput(text, &value, &error), &error);
    check(fm_units_parse_iops(text, &value, &error), &error);

    if (size == sizeof(double)) {
        double real;
        uint64_t number;
        memcpy(&real, data, sizeof real);
        memcpy(&number, data, sizeof number);
        check_labels(real, number);
    }
    return 0;
}
