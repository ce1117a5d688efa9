/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layout as text, for golden tests, and the check that no two texts touch.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout.h"

#include "plot/layout-private.h"

static const char *const scale_names[] = {
    [FM_SCALE_LINEAR] = "linear", [FM_SCALE_LOG10] = "log10",       [FM_SCALE_LOG2] = "log2",
    [FM_SCALE_NINES] = "nines",   [FM_SCALE_CATEGORY] = "category",
};

static const char *const mark_names[] = {
    [FM_MARK_LINE] = "line",   [FM_MARK_STEP] = "step",       [FM_MARK_SAMPLES] = "samples",
    [FM_MARK_POINT] = "point", [FM_MARK_BAR] = "bar",         [FM_MARK_INTERVAL] = "interval",
    [FM_MARK_STEM] = "stem",   [FM_MARK_DENSITY] = "density",
};

static void
dump_value(GString *out, double value)
{
    char text[64];
    g_ascii_formatd(text, sizeof text, "%.6g", value);
    g_string_append_printf(out, " %s", text);
}

/* Two decimals, and never "-0.00". */
static void
dump_number(GString *out, double value)
{
    char text[64];
    g_ascii_formatd(text, sizeof text, "%.2f", value);
    g_string_append_printf(out, " %s", g_str_equal(text, "-0.00") ? "0.00" : text);
}

static void
dump_rect(GString *out, const FmRect *rect)
{
    dump_number(out, rect->x);
    dump_number(out, rect->y);
    dump_number(out, rect->width);
    dump_number(out, rect->height);
}

static void
dump_scale(GString *out, const char *name, const FmScale *scale)
{
    if (!scale->ticks) {
        return;
    }
    g_string_append_printf(out, "  %s %s", name, scale_names[scale->kind]);
    dump_value(out, scale->min);
    dump_value(out, scale->max);
    g_string_append_printf(out, " unit “%s” ticks", scale->unit_text);
    for (unsigned i = 0; i < scale->ticks->len; i++) {
        const FmTick *tick = &g_array_index(scale->ticks, FmTick, i);
        if (tick->label) {
            g_string_append_printf(out, " “%s”", tick->label);
        }
    }
    g_string_append_c(out, '\n');
}

static void
dump_box(GString *out, const FmPanelBox *box, unsigned index)
{
    g_string_append_printf(out, "panel %u", index);
    dump_rect(out, &box->plot);
    g_string_append_c(out, '\n');
    if (box->panel->table) {
        g_string_append_printf(out, "  table %u columns %u rows\n", box->panel->table->columns->len,
                               box->panel->table->n_rows);
    }
    dump_scale(out, "x", &box->x);
    dump_scale(out, "y", &box->y);
    for (unsigned i = 0; i < box->panel->series->len && i < box->drawn->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        g_string_append_printf(out, "  series %s “%s” %u of %u\n", mark_names[series->mark],
                               series->label ? series->label : "",
                               g_array_index(box->drawn, unsigned, i), series->points->len);
    }
}

char *
fm_layout_dump(const FmLayout *layout)
{
    GString *out = g_string_new("figure");

    dump_number(out, layout->width);
    dump_number(out, layout->height);
    g_string_append_printf(out, " %s\n", layout->theme->name);
    for (unsigned i = 0; layout->has_room && i < layout->n_boxes; i++) {
        dump_box(out, &layout->boxes[i], i);
    }
    fm_scene_dump(layout->scene, out);
    return g_string_free(out, FALSE);
}

char *
fm_layout_check(const FmLayout *layout)
{
    return fm_scene_check(layout->scene, layout->width, layout->height);
}
