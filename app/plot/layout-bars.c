/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bars, lying or standing.  Those of one category share its slot; a category that has one bar
 * gives it all, so a series a drive needs no empty places.  Each bar carries its value as text,
 * and one that does not exist says why.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/value-text.h"

#include <math.h>
#include <string.h>

enum {
    MAX_THICKNESS = 34,
    MIN_TEXT_THICKNESS = 9,
    TEXT_GAP = 5,
    MIN_WHISKER = 3, /* points; what is shorter is a blot */
};

#define GROUP_SHARE 0.74 /* of a category's place that its bars take */

static const FmSeries *
get_series(const FmPanelBox *box, const FmBar *bar)
{
    return g_ptr_array_index(box->panel->series, bar->series);
}

static const FmPoint *
get_point(const FmPanelBox *box, const FmBar *bar)
{
    return &g_array_index(get_series(box, bar)->points, FmPoint, bar->point);
}

/* --- Places ----------------------------------------------------------------------- */

static void
collect_bars(FmPanelBox *box, unsigned *n_slots, unsigned n_categories)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        for (unsigned j = 0; series->mark == FM_MARK_BAR && j < series->points->len; j++) {
            const FmPoint *point = &g_array_index(series->points, FmPoint, j);
            double category = round(point->x);
            if (category >= 0 && category < n_categories) {
                FmBar bar = {.series = i, .point = j, .category = (unsigned)category};
                bar.slot = n_slots[bar.category]++;
                g_array_append_val(box->bars, bar);
            }
        }
    }
}

static void
place_bar(const FmPanelBox *box, FmBar *bar, unsigned n_slots)
{
    const FmPoint *point = get_point(box, bar);
    bool is_flat = box->panel->is_horizontal;
    double length = is_flat ? box->plot.height : box->plot.width;
    double place = length / (box->x.max - box->x.min);
    double thickness = MIN(place * GROUP_SHARE / n_slots, MAX_THICKNESS);
    double gap = thickness > 6 ? 1 : 0;
    FmPlace zero = fm_box_place(box, bar->category, MAX(box->y.min, 0));
    FmPlace end = fm_box_place(box, bar->category, isfinite(point->y) ? point->y : 0);
    double offset = ((double)bar->slot - n_slots / 2.0) * thickness;

    bar->has_value = isfinite(point->y) && isfinite(end.x) && isfinite(end.y);
    if (!bar->has_value) {
        end = zero;
    }
    if (is_flat) {
        bar->rect = (FmRect){MIN(zero.x, end.x), zero.y + offset + gap / 2, fabs(end.x - zero.x),
                             thickness - gap};
    } else {
        bar->rect = (FmRect){zero.x + offset + gap / 2, MIN(zero.y, end.y), thickness - gap,
                             fabs(end.y - zero.y)};
    }
}

static void
place_bars(FmPanelBox *box)
{
    GStrv names = box->panel->x.categories;
    unsigned n_categories = names ? g_strv_length(names) : 1;
    g_autofree unsigned *n_slots = g_new0(unsigned, MAX(n_categories, 1u));

    g_array_set_size(box->bars, 0);
    collect_bars(box, n_slots, n_categories);
    for (unsigned i = 0; i < box->bars->len; i++) {
        FmBar *bar = &g_array_index(box->bars, FmBar, i);
        place_bar(box, bar, n_slots[bar->category]);
    }
}

/* --- Text ------------------------------------------------------------------------- */

static double
get_luminance(FmColor color)
{
    return 0.2126 * pow(color.red, 2.2) + 0.7152 * pow(color.green, 2.2) +
           0.0722 * pow(color.blue, 2.2);
}

/* Ink or paper, whichever is easier to read on @ground. */
static FmColor
choose_text_color(const FmTheme *theme, FmColor ground)
{
    double below = get_luminance(ground) + 0.05;
    double ink = get_luminance(theme->ink) + 0.05;
    double paper = get_luminance(theme->paper) + 0.05;
    double with_ink = ink > below ? ink / below : below / ink;
    double with_paper = paper > below ? paper / below : below / paper;
    return with_ink > with_paper ? theme->ink : theme->paper;
}

static char *
dup_bar_text(const FmPanelBox *box, const FmPoint *point)
{
    g_autofree char *value = NULL;

    if (!isfinite(point->y)) {
        return g_strdup(point->note ? point->note : "–");
    }
    value = point->label ? g_strdup(point->label) : fm_value_dup(box->panel->y.unit, point->y);
    return point->is_doubtful ? g_strdup_printf("(%s)", value) : g_steal_pointer(&value);
}

/* Inside at the end of a long bar, behind a short one. */
static void
add_flat_text(FmLayout *layout, const FmPanelBox *box, const FmBar *bar, FmColor ground)
{
    const FmPoint *point = get_point(box, bar);
    g_autofree char *string = dup_bar_text(box, point);
    double right = box->outer.x + box->outer.width;
    double end = bar->rect.x + bar->rect.width;
    FmPlace low = fm_box_place(box, bar->category, point->lo);
    FmPlace high = fm_box_place(box, bar->category, point->hi);
    double inner = bar->has_value && low.x < end ? low.x : end;
    double outer = bar->has_value && high.x > end ? high.x : end;
    double size = CLAMP(bar->rect.height * 0.72, FM_SIZE_CAPTION, FM_SIZE_LABEL);

    if (bar->rect.height < MIN_TEXT_THICKNESS) {
        return;
    }
    double widest = MAX(right - outer - TEXT_GAP, bar->rect.width - 2 * TEXT_GAP);
    g_autoptr(FmText) text = fm_layout_wrap_text(layout, string, size, MAX(widest, 20), 1);
    double width = fm_text_get_width(text);
    bool is_inside = bar->has_value && width + 2 * TEXT_GAP < inner - bar->rect.x;
    FmRect rect = {is_inside ? inner - TEXT_GAP - width : outer + TEXT_GAP,
                   bar->rect.y + (bar->rect.height - fm_text_get_height(text)) / 2, width,
                   fm_text_get_height(text)};
    if (rect.x + width > right || fm_scene_is_taken(layout->scene, &rect)) {
        return;
    }
    FmColor color = is_inside        ? choose_text_color(layout->theme, ground)
                    : bar->has_value ? layout->theme->ink
                                     : layout->theme->muted;
    fm_scene_add_text(layout->scene, g_steal_pointer(&text), rect.x, rect.y,
                      (FmTextLook){.kind = "value",
                                   .color = color,
                                   .halo = is_inside ? &ground : &layout->theme->paper});
}

/* Over a standing bar; without the unit where it is too narrow for it. */
static void
add_upright_text(FmLayout *layout, const FmPanelBox *box, const FmBar *bar, double place)
{
    const FmPoint *point = get_point(box, bar);
    g_autofree char *string = dup_bar_text(box, point);
    FmPlace high = fm_box_place(box, bar->category, point->hi);
    double top = bar->has_value && high.y < bar->rect.y ? high.y : bar->rect.y;
    g_autoptr(FmText) text = fm_layout_set_text(layout, string, FM_SIZE_TICK);
    char *space = strstr(string, "\u2009");

    if (fm_text_get_width(text) > place && space && !point->label) {
        *space = '\0';
        g_clear_pointer(&text, fm_text_free);
        text = fm_layout_set_text(layout, string, FM_SIZE_TICK);
    }
    if (fm_text_get_width(text) > place * 1.3) {
        g_clear_pointer(&text, fm_text_free);
        text = fm_layout_wrap_text(layout, string, FM_SIZE_TICK, place, 1);
    }
    double width = fm_text_get_width(text);
    FmRect rect = {bar->rect.x + bar->rect.width / 2 - width / 2,
                   top - fm_text_get_height(text) - 2, width, fm_text_get_height(text)};
    if (fm_scene_is_taken(layout->scene, &rect) || rect.y < box->outer.y ||
        rect.x + width > box->outer.x + box->outer.width) {
        return;
    }
    fm_scene_add_text(
        layout->scene, g_steal_pointer(&text), rect.x, rect.y,
        (FmTextLook){.kind = "value",
                     .color = bar->has_value ? layout->theme->ink : layout->theme->muted});
}

/* --- Drawing ---------------------------------------------------------------------- */

static void
add_bar(FmLayout *layout, const FmPanelBox *box, const FmBar *bar)
{
    const FmPoint *point = get_point(box, bar);
    FmColor color = fm_box_get_color(layout, box, get_series(box, bar));
    FmColor fill = color;

    if (!bar->has_value) {
        return;
    }
    if (point->is_doubtful) {
        fill = fm_color_mix(color, layout->theme->paper, 0.82);
    }
    fm_scene_add_rect(layout->scene, bar->rect, fill);
    if (point->is_doubtful) {
        static const double dash[] = {3, 2};
        FmRect inside = {bar->rect.x + 0.5, bar->rect.y + 0.5, MAX(bar->rect.width - 1, 0),
                         MAX(bar->rect.height - 1, 0)};
        fm_scene_add_frame(layout->scene, inside,
                           (FmStroke){.color = color, .width = 1, .dash = dash, .n_dash = 2});
    }
}

static void
add_whisker(FmLayout *layout, const FmPanelBox *box, const FmBar *bar)
{
    const FmPoint *point = get_point(box, bar);
    FmPlace low = fm_box_place(box, bar->category, point->lo);
    FmPlace high = fm_box_place(box, bar->category, point->hi);
    bool is_flat = box->panel->is_horizontal;

    if (!bar->has_value || isnan(low.x + low.y + high.x + high.y)) {
        return;
    }
    double middle =
        is_flat ? bar->rect.y + bar->rect.height / 2 : bar->rect.x + bar->rect.width / 2;
    FmPlace from = is_flat ? (FmPlace){low.x, middle} : (FmPlace){middle, low.y};
    FmPlace to = is_flat ? (FmPlace){high.x, middle} : (FmPlace){middle, high.y};
    if (hypot(to.x - from.x, to.y - from.y) < MIN_WHISKER) {
        return;
    }
    double cap = MIN(3, (is_flat ? bar->rect.height : bar->rect.width) / 4);
    double dx = is_flat ? 0 : cap;
    double dy = is_flat ? cap : 0;
    const FmPlace places[] = {from,
                              to,
                              {from.x - dx, from.y - dy},
                              {from.x + dx, from.y + dy},
                              {to.x - dx, to.y - dy},
                              {to.x + dx, to.y + dy}};
    /* On a rim of paper, so that it is seen on dark bars too. */
    fm_scene_add_segments(layout->scene, places, G_N_ELEMENTS(places),
                          (FmStroke){.color = layout->theme->paper, .width = 2.6});
    fm_scene_add_segments(layout->scene, places, G_N_ELEMENTS(places),
                          (FmStroke){.color = layout->theme->ink, .width = FM_LINE_RULE});
}

void
fm_layout_add_bars(FmLayout *layout, FmPanelBox *box)
{
    place_bars(box);
    fm_scene_set_clip(layout->scene, &box->plot);
    for (unsigned i = 0; i < box->bars->len; i++) {
        add_bar(layout, box, &g_array_index(box->bars, FmBar, i));
        add_whisker(layout, box, &g_array_index(box->bars, FmBar, i));
    }
    fm_scene_set_clip(layout->scene, NULL);
}

void
fm_layout_add_bar_texts(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->bars->len; i++) {
        const FmBar *bar = &g_array_index(box->bars, FmBar, i);
        const FmPoint *point = get_point(box, bar);
        FmColor color = fm_box_get_color(layout, box, get_series(box, bar));
        if (point->is_doubtful) {
            color = fm_color_mix(color, layout->theme->paper, 0.82);
        }
        if (box->panel->is_horizontal) {
            add_flat_text(layout, box, bar, color);
        } else {
            double place = box->plot.width / (box->x.max - box->x.min);
            add_upright_text(layout, box, bar, place);
        }
    }
}

unsigned
fm_box_count_bars(const FmPanelBox *box, unsigned series)
{
    unsigned n = 0;
    for (unsigned i = 0; i < box->bars->len; i++) {
        const FmBar *bar = &g_array_index(box->bars, FmBar, i);
        n += bar->series == series && bar->has_value;
    }
    return n;
}
