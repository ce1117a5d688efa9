/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * F01 and F02, CrystalDiskMark-style results as horizontal bars (METHODOLOGY 13): all rows but
 * SEQ128K Q32, and RND4K Q1T1 alone.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "figures/cdm-rows.h"

#include "base/error.h"
#include "base/label.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

/* What the two figures differ in. */
typedef struct {
    const char *id;
    const char *name; /* of files */
    bool is_single; /* RND4K Q1T1 alone */
} Form;

static const Form all_rows = {"F01", "cdm-bars", false};
static const Form single_row = {"F02", "cdm-rnd4k-qd1", true};

static const char *
say_name(const FmBuilder *builder, const Form *form)
{
    return form->is_single ? fm_say(builder, "CrystalDiskMark-style RND4K QD1")
                           : fm_say(builder, "CrystalDiskMark-style rows");
}

static bool
is_shown(const Form *form, const FmCdmPair *pair)
{
    bool is_single = strcmp(pair->name, "RND4K Q1T1") == 0;
    bool is_left_out = g_str_has_prefix(pair->name, "SEQ128K Q32");

    return form->is_single ? is_single : !is_left_out;
}

/* Those of the figure, as the profile has them; drives, when there are several, are what is sorted
 * (METHODOLOGY 13). */
static GArray *
choose_pairs(const FmBuilder *builder, const Form *form)
{
    GArray *pairs = fm_cdm_pairs_new(builder);

    for (guint i = pairs->len; i > 0; i--) {
        if (!is_shown(form, &g_array_index(pairs, FmCdmPair, i - 1))) {
            g_array_remove_index(pairs, i - 1);
        }
    }
    return pairs;
}

static void
list_form(const FmBuilder *builder, GPtrArray *entries, const Form *form)
{
    g_autoptr(GArray) pairs = choose_pairs(builder, form);

    if (pairs->len > 0) {
        fm_builder_add_entry(entries, g_strdup(form->id), g_strdup(say_name(builder, form)), false);
    }
}

/* --- Building ---------------------------------------------------------------------- */

static void
add_bar(const FmBuilder *builder, FmSeries *series, guint place, const FmCdmRow *row)
{
    if (row->n_results == 0) {
        FmPoint *point = fm_series_add(series, place, NAN);
        point->note = row->problem != NULL ? fm_builder_dup_message(builder, row->problem) : NULL;
        return;
    }
    FmPoint *point = fm_series_add(series, place, row->score.best);
    point->label = fm_say_rate(builder, row->score.best);
    if (row->n_results > 1) {
        point->lo = row->score.min;
        point->hi = row->score.max;
    }
}

static void
add_series(const FmBuilder *builder, FmPanel *panel, const GArray *pairs, FmCdmGroup group)
{
    const char *const labels[] = {fm_say(builder, "Read"), fm_say(builder, "Write"),
                                  fm_say(builder, "Mix")};
    static const FmRole roles[] = {FM_ROLE_READ, FM_ROLE_WRITE, FM_ROLE_MUTED};

    if (!fm_cdm_pairs_have(pairs, group)) {
        return;
    }
    FmSeries *series = fm_panel_add_series(panel, labels[group], roles[group], FM_MARK_BAR);
    for (guint i = 0; i < pairs->len; i++) {
        const FmCdmRow *row = g_array_index(pairs, FmCdmPair, i).rows[group];
        if (row != NULL) {
            add_bar(builder, series, i, row);
        }
    }
}

static void
fill_panel(const FmBuilder *builder, FmPanel *panel, const GArray *pairs)
{
    GStrvBuilder *names = g_strv_builder_new();

    for (guint i = 0; i < pairs->len; i++) {
        g_strv_builder_add(names, g_array_index(pairs, FmCdmPair, i).name);
    }
    panel->is_horizontal = true;
    fm_axis_set(&panel->x, NULL, FM_UNIT_NUMBER, FM_SCALE_CATEGORY);
    panel->x.categories = g_strv_builder_end(names);
    g_strv_builder_unref(names);
    fm_axis_set(&panel->y, fm_say(builder, "Throughput"), FM_UNIT_BYTES_PER_SECOND,
                FM_SCALE_LINEAR);
    panel->y.min = 0;
    for (guint group = 0; group < FM_N_CDM_GROUPS; group++) {
        add_series(builder, panel, pairs, (FmCdmGroup)group);
    }
}

/* "72 MB/s read, 327 MB/s written with one 4k I/O at a time". */
static char *
dup_single_finding(const FmBuilder *builder, const GArray *pairs)
{
    const FmCdmPair *pair = &g_array_index(pairs, FmCdmPair, 0);
    const FmCdmRow *read = pair->rows[FM_CDM_READ];
    const FmCdmRow *write = pair->rows[FM_CDM_WRITE];

    if (read == NULL || write == NULL || read->n_results == 0 || write->n_results == 0) {
        return NULL;
    }
    g_autofree char *read_rate = fm_say_rate(builder, read->score.best);
    g_autofree char *write_rate = fm_say_rate(builder, write->score.best);
    return g_strdup_printf(fm_say(builder, "One 4k I/O at a time: %s read, %s written"), read_rate,
                           write_rate);
}

static char *
dup_alt_text(const FmBuilder *builder, const GArray *pairs)
{
    GString *text = g_string_new(fm_say(builder, "Horizontal bars of throughput."));

    for (guint i = 0; i < pairs->len * FM_N_CDM_GROUPS; i++) {
        const FmCdmPair *pair = &g_array_index(pairs, FmCdmPair, i / FM_N_CDM_GROUPS);
        const FmCdmRow *row = pair->rows[i % FM_N_CDM_GROUPS];
        if (row == NULL || row->n_results == 0) {
            continue;
        }
        g_autofree char *rate = fm_say_rate(builder, row->score.best);
        g_autofree char *sentence =
            g_strdup_printf(row->group == FM_CDM_READ    ? fm_say(builder, "%s: %s read.")
                            : row->group == FM_CDM_WRITE ? fm_say(builder, "%s: %s written.")
                                                         : fm_say(builder, "%s: %s mixed."),
                            pair->name, rate);
        g_string_append_printf(text, " %s", sentence);
    }
    return g_string_free(text, FALSE);
}

static FmFigure *
build_form(const FmBuilder *builder, const Form *form, GError **error)
{
    g_autoptr(GArray) pairs = choose_pairs(builder, form);

    if (pairs->len == 0) {
        fm_error_set(error, FM_ERROR_UNSUPPORTED,
                     "Figure %s needs a CrystalDiskMark-style test, and this run has none",
                     form->id);
        return NULL;
    }
    FmFigure *figure = fm_builder_start(builder, form->id, form->name);
    figure->shape = FM_SHAPE_FULL;
    fm_builder_set_title(builder, figure, say_name(builder, form),
                         form->is_single ? dup_single_finding(builder, pairs)
                                         : fm_cdm_pairs_dup_finding(builder, pairs));
    fm_builder_add_subtitle(figure, g_strdup(fm_say(builder, "MB/s, best run")));
    fm_cdm_pairs_add_conditions(builder, figure, pairs);
    fill_panel(builder, fm_figure_add_panel(figure, NULL), pairs);
    fm_cdm_pairs_add_footnotes(builder, figure, pairs);
    figure->alt_text = dup_alt_text(builder, pairs);
    return fm_builder_finish(builder, figure);
}

static void
list_all(const FmBuilder *builder, GPtrArray *entries)
{
    list_form(builder, entries, &all_rows);
}

static FmFigure *
build_all(const FmBuilder *builder, const char *key, GError **error)
{
    return build_form(builder, &all_rows, error);
}

static void
list_single(const FmBuilder *builder, GPtrArray *entries)
{
    list_form(builder, entries, &single_row);
}

static FmFigure *
build_single(const FmBuilder *builder, const char *key, GError **error)
{
    return build_form(builder, &single_row, error);
}

const FmFigureKind fm_figure_cdm_bars = {.prefix = "F01", .list = list_all, .build = build_all};
const FmFigureKind fm_figure_cdm_bars_qd1 = {
    .prefix = "F02", .list = list_single, .build = build_single};
