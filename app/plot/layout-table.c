/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: columns as wide as what stands in them, numbers to the right with thin bars, reasons as
 * footnotes.  Where there is no room, details and bars go before rows do; a number is never cut,
 * since what is left of it would be another number.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "base/label.h"
#include "base/language.h"

#include <glib/gi18n.h>
#include <math.h>

#define SIZE_NUMBER 13.0 /* with details or bars around it */
#define SIZE_NUMBER_PLAIN 10.5

enum {
    COLUMN_GAP = 18,
    NARROW_GAP = 9,
    MIN_TEXT_WIDTH = 60,
    MAX_NUMBER_WIDTH = 230, /* wider ones have their bars too far from their numbers */
    HEAD_FOOT = 5, /* under the head's last line */
    BAR_HEIGHT = 3,
    BAR_GAP = 2, /* above it */
    BAR_FOOT = 2, /* between it and a detail */
};

/* How a table gets lower: each level gives up more. */
static const struct {
    double pad; /* above and below a row */
    bool has_details;
    bool has_bars;
} levels[] = {{5, true, true}, {3, true, true}, {3, false, true}, {2, false, false}};

typedef struct {
    FmLayout *layout;
    const FmTable *table;
    double *widths;
    double *hangs; /* for brackets and marks behind the number */
    double gap;
    double number_size;
    double pad;
    bool has_units;
    bool has_details;
    bool has_bars;
    double label_line; /* heights of a line */
    double number_line;
    double caption_line;
    double head_height;
    double row_height;
    unsigned n_rows; /* that are shown */
} Plan;

static void
plan_clear(Plan *plan)
{
    g_clear_pointer(&plan->widths, g_free);
    g_clear_pointer(&plan->hangs, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Plan, plan_clear)

static const FmColumn *
get_column(const FmTable *table, unsigned i)
{
    return &g_array_index(table->columns, FmColumn, i);
}

static const FmCell *
get_cell(const FmTable *table, unsigned row, unsigned column)
{
    return &g_array_index(table->cells, FmCell, row * table->columns->len + column);
}

static bool
has_text(const char *text)
{
    return text != NULL && *text != '\0';
}

/* --- Reasons ----------------------------------------------------------------------- */

static unsigned
find_reason(const GPtrArray *reasons, const char *reason)
{
    for (unsigned i = 0; i < reasons->len; i++) {
        if (g_str_equal(g_ptr_array_index(reasons, i), reason)) {
            return i;
        }
    }
    return G_MAXUINT;
}

void
fm_layout_collect_reasons(FmLayout *layout)
{
    for (unsigned i = 0; i < layout->n_boxes; i++) {
        const FmTable *table = layout->boxes[i].panel->table;
        for (unsigned k = 0; table != NULL && k < table->cells->len; k++) {
            char *reason = g_array_index(table->cells, FmCell, k).reason;
            if (has_text(reason) && find_reason(layout->reasons, reason) == G_MAXUINT) {
                g_ptr_array_add(layout->reasons, reason);
            }
        }
    }
}

char *
fm_layout_dup_mark(unsigned number)
{
    static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    g_autofree char *plain = g_strdup_printf("%u", number);
    GString *out = g_string_new(NULL);

    for (const char *p = plain; *p != '\0'; p++) {
        g_string_append(out, digits[*p - '0']);
    }
    return g_string_free(out, FALSE);
}

/* --- Texts ------------------------------------------------------------------------- */

static FmTextStyle
get_style(const Plan *plan, double size, bool is_bold)
{
    return (FmTextStyle){
        .size = size,
        .is_bold = is_bold,
        .language = plan->layout->figure->language,
    };
}

/* A table is planned several times before it is drawn, and setting text is slow: widths are kept
 * with the layout. */
static double
measure(const Plan *plan, const char *text, double size, bool is_bold)
{
    GHashTable *widths = plan->layout->text_widths;
    if (!has_text(text)) {
        return 0;
    }

    g_autofree char *key = g_strdup_printf("%d%c%s", (int)(size * 4), is_bold ? 'b' : 'r', text);
    double *known = g_hash_table_lookup(widths, key);
    if (known == NULL) {
        FmTextStyle style = get_style(plan, size, is_bold);
        known = g_new(double, 1);
        *known = fm_text_measure(text, &style);
        g_hash_table_insert(widths, g_steal_pointer(&key), known);
    }
    return *known;
}

static bool
is_known(const FmCell *cell)
{
    return has_text(cell->text);
}

/* "1412", "(1412", "–": what ends at the column's right edge. */
static char *
dup_number(const FmCell *cell)
{
    const char *text = is_known(cell) ? cell->text : FM_LABEL_UNKNOWN;
    return g_strconcat(cell->is_doubtful && is_known(cell) ? "(" : "", text, NULL);
}

/* What hangs behind it: a bracket, the mark of a footnote. */
static char *
dup_hanging(const Plan *plan, const FmCell *cell)
{
    g_autofree char *mark =
        has_text(cell->reason)
            ? fm_layout_dup_mark(find_reason(plan->layout->reasons, cell->reason) + 1)
            : g_strdup("");
    return g_strconcat(cell->is_doubtful && is_known(cell) ? ")" : "", mark, NULL);
}

static double
get_text_size(const Plan *plan)
{
    return MIN(plan->number_size, 10.5);
}

/* --- Widths ------------------------------------------------------------------------ */

static void
measure_column(Plan *plan, unsigned i)
{
    const FmColumn *column = get_column(plan->table, i);
    double width = MAX(measure(plan, column->title, FM_SIZE_LABEL, true),
                       measure(plan, column->unit, FM_SIZE_CAPTION, false));

    for (unsigned row = 0; row < plan->table->n_rows; row++) {
        const FmCell *cell = get_cell(plan->table, row, i);
        if (column->is_text) {
            width = MAX(width, measure(plan, cell->text, get_text_size(plan), false));
        } else {
            g_autofree char *number = dup_number(cell);
            g_autofree char *hanging = dup_hanging(plan, cell);
            width = MAX(width, measure(plan, number, plan->number_size, true));
            plan->hangs[i] = MAX(plan->hangs[i], measure(plan, hanging, plan->number_size, true));
        }
        if (plan->has_details) {
            width = MAX(width, measure(plan, cell->detail, FM_SIZE_CAPTION, false));
        }
    }
    plan->widths[i] = width + 1;
}

static double
sum_widths(const Plan *plan)
{
    unsigned n = plan->table->columns->len;
    double sum = (n - 1) * plan->gap;
    for (unsigned i = 0; i < n; i++) {
        sum += plan->widths[i] + plan->hangs[i];
    }
    return sum;
}

static unsigned
count_columns(const Plan *plan, bool is_text)
{
    unsigned n = 0;
    for (unsigned i = 0; i < plan->table->columns->len; i++) {
        n += get_column(plan->table, i)->is_text == is_text ? 1 : 0;
    }
    return n;
}

/* Numbers get columns of equal width, as far as there is room; words the rest. */
static void
spread(Plan *plan, double width)
{
    unsigned n = plan->table->columns->len;
    unsigned n_numbers = count_columns(plan, false);
    double rest = width - sum_widths(plan);

    for (bool has_grown = true; n_numbers > 0 && has_grown;) {
        double least = MAX_NUMBER_WIDTH;
        for (unsigned i = 0; i < n; i++) {
            if (!get_column(plan->table, i)->is_text) {
                least = MIN(least, plan->widths[i]);
            }
        }
        has_grown = false;
        /* The narrowest grow by a point at a time, so that all end up alike. */
        for (unsigned i = 0; i < n && rest >= 1; i++) {
            bool is_least = !get_column(plan->table, i)->is_text && plan->widths[i] <= least;
            if (is_least && plan->widths[i] + 1 <= MAX_NUMBER_WIDTH) {
                plan->widths[i]++;
                rest--;
                has_grown = true;
            }
        }
    }
    for (unsigned i = 0; i < n && rest > 0; i++) {
        if (get_column(plan->table, i)->is_text) {
            plan->widths[i] += rest;
            break;
        }
    }
}

/* Words give way, numbers do not; false when even that is not enough. */
static bool
squeeze(Plan *plan, double width)
{
    double missing = sum_widths(plan) - width;
    double slack = 0;

    for (unsigned i = 0; i < plan->table->columns->len; i++) {
        if (get_column(plan->table, i)->is_text) {
            slack += MAX(plan->widths[i] - MIN_TEXT_WIDTH, 0);
        }
    }
    if (missing > slack) {
        return false;
    }
    for (unsigned i = 0; i < plan->table->columns->len && missing > 0; i++) {
        if (get_column(plan->table, i)->is_text) {
            double spare = MAX(plan->widths[i] - MIN_TEXT_WIDTH, 0);
            plan->widths[i] -= missing * spare / slack;
        }
    }
    return true;
}

static bool
fit_columns(Plan *plan, double width)
{
    static const double gaps[] = {COLUMN_GAP, NARROW_GAP};

    for (unsigned try = 0; try < G_N_ELEMENTS(gaps) * 2; try++) {
        plan->gap = gaps[try % 2];
        plan->number_size =
            try >= 2 ? MIN(plan->number_size, SIZE_NUMBER_PLAIN) : plan->number_size;
        for (unsigned i = 0; i < plan->table->columns->len; i++) {
            plan->hangs[i] = 0;
            measure_column(plan, i);
        }
        if (sum_widths(plan) <= width) {
            spread(plan, width);
            return true;
        }
    }
    return squeeze(plan, width);
}

/* --- Heights ----------------------------------------------------------------------- */

static double
get_line_height(const Plan *plan, double size)
{
    FmTextStyle style = get_style(plan, size, false);
    g_autoptr(FmText) text = fm_text_new("0", &style);
    return fm_text_get_height(text);
}

static void
look_at_table(Plan *plan)
{
    const FmTable *table = plan->table;

    plan->has_units = plan->has_bars = plan->has_details = false;
    for (unsigned i = 0; i < table->columns->len; i++) {
        plan->has_units |= has_text(get_column(table, i)->unit);
        plan->has_bars |= get_column(table, i)->has_bar;
    }
    for (unsigned i = 0; i < table->cells->len; i++) {
        plan->has_details |= has_text(g_array_index(table->cells, FmCell, i).detail);
    }
    plan->number_size = plan->has_bars || plan->has_details ? SIZE_NUMBER : SIZE_NUMBER_PLAIN;
}

/* False when the columns do not fit. */
static bool
make_plan(Plan *plan, FmLayout *layout, const FmTable *table, double width, unsigned level)
{
    unsigned n = table->columns->len;

    *plan = (Plan){
        .layout = layout,
        .table = table,
        .pad = levels[level].pad,
        .widths = g_new0(double, MAX(n, 1u)),
        .hangs = g_new0(double, MAX(n, 1u)),
        .n_rows = table->n_rows,
    };
    look_at_table(plan);
    plan->has_details &= levels[level].has_details;
    plan->has_bars &= levels[level].has_bars;
    if (n == 0 || !fit_columns(plan, width)) {
        return false;
    }
    plan->label_line = get_line_height(plan, FM_SIZE_LABEL);
    plan->number_line = get_line_height(plan, plan->number_size);
    plan->caption_line = get_line_height(plan, FM_SIZE_CAPTION);
    plan->head_height = plan->label_line + HEAD_FOOT;
    plan->head_height += plan->has_units ? plan->caption_line : 0;
    plan->row_height = 2 * plan->pad + plan->number_line;
    plan->row_height += plan->has_bars ? BAR_GAP + BAR_HEIGHT : 0;
    plan->row_height += plan->has_bars && plan->has_details ? BAR_FOOT : 0;
    plan->row_height += plan->has_details ? plan->caption_line : 0;
    return true;
}

static double
get_height(const Plan *plan)
{
    return plan->head_height + plan->n_rows * plan->row_height;
}

/* The most that fits into @rect; false when not even a row does. */
static bool
fit(Plan *plan, FmLayout *layout, const FmTable *table, const FmRect *rect)
{
    bool has_columns = false;

    for (unsigned level = 0; level < G_N_ELEMENTS(levels); level++) {
        plan_clear(plan);
        has_columns = make_plan(plan, layout, table, rect->width, level);
        if (has_columns && get_height(plan) <= rect->height + 0.5) {
            return true;
        }
    }
    if (!has_columns) {
        return false;
    }
    /* A line that says how many are missing takes the place of the last ones. */
    double rest = rect->height - plan->head_height - plan->caption_line - 2;
    plan->n_rows = (unsigned)MAX(floor(rest / plan->row_height), 0);
    return plan->n_rows > 0;
}

double
fm_layout_get_table_height(FmLayout *layout, const FmTable *table, double width)
{
    FmRect rect = {0, 0, width, G_MAXINT};
    g_auto(Plan) plan = {0};

    return fit(&plan, layout, table, &rect) ? ceil(get_height(&plan)) : 0;
}

bool
fm_layout_can_hold_table(FmLayout *layout, const FmTable *table, const FmRect *rect)
{
    g_auto(Plan) plan = {0};

    return fit(&plan, layout, table, rect) &&
           (!layout->wants_all_rows || plan.n_rows == table->n_rows);
}

/* --- Drawing ----------------------------------------------------------------------- */

typedef struct {
    const Plan *plan;
    double x; /* of the column */
    double right; /* where numbers end */
    double y;
} Place;

static FmText *
set_text(const Plan *plan, const char *text, double size, bool is_bold, double width)
{
    FmTextStyle style = get_style(plan, size, is_bold);
    style.width = MAX(width + 0.5, 1);
    style.max_lines = 1;
    return fm_text_new(text, &style);
}

static void
put(const Plan *plan, FmText *text, double x, double y, FmTextLook look)
{
    if (*fm_text_get_string(text) == '\0') {
        fm_text_free(text);
        return;
    }
    fm_scene_add_text(plan->layout->scene, text, x, y, look);
}

static void
add_head_line(const Place *place, const FmColumn *column, FmText *text, FmTextLook look)
{
    double x = column->is_text ? place->x : place->right - fm_text_get_width(text);
    put(place->plan, text, x, place->y, look);
}

static void
add_head(const Place *place, unsigned i)
{
    const Plan *plan = place->plan;
    const FmTheme *theme = plan->layout->theme;
    const FmColumn *column = get_column(plan->table, i);
    double width = plan->widths[i];
    Place line = *place;

    add_head_line(&line, column, set_text(plan, column->title, FM_SIZE_LABEL, true, width),
                  (FmTextLook){.kind = "head", .color = theme->ink});
    line.y += plan->label_line;
    if (has_text(column->unit)) {
        add_head_line(&line, column, set_text(plan, column->unit, FM_SIZE_CAPTION, false, width),
                      (FmTextLook){.kind = "unit", .color = theme->muted});
    }
}

/* The largest value of the column, and of its spreads; 0 = no bars. */
static double
get_reach(const FmTable *table, unsigned column)
{
    double reach = 0;
    for (unsigned row = 0; row < table->n_rows; row++) {
        const FmCell *cell = get_cell(table, row, column);
        reach = cell->value > reach && isfinite(cell->value) ? cell->value : reach;
        reach = cell->hi > reach && isfinite(cell->hi) ? cell->hi : reach;
    }
    return reach;
}

/* From the smallest to the largest of the repeats, over the end of the bar. */
static void
add_whisker(const Place *place, const FmCell *cell, double reach)
{
    double length = place->right - place->x;
    double low = place->x + length * CLAMP(cell->lo / reach, 0, 1);
    double high = place->x + length * CLAMP(cell->hi / reach, 0, 1);
    double middle = place->y + BAR_HEIGHT / 2.0;
    double cap = BAR_HEIGHT / 2.0 + 1;
    const FmPlace places[] = {
        {low, middle},       {high, middle},       {low, middle - cap},
        {low, middle + cap}, {high, middle - cap}, {high, middle + cap},
    };

    fm_scene_add_segments(place->plan->layout->scene, places, G_N_ELEMENTS(places),
                          (FmStroke){.color = place->plan->layout->theme->ink, .width = 0.75});
}

static void
add_bar(const Place *place, unsigned i, const FmCell *cell)
{
    const FmTheme *theme = place->plan->layout->theme;
    const FmColumn *column = get_column(place->plan->table, i);
    double reach = get_reach(place->plan->table, i);
    if (!column->has_bar || !(cell->value > 0) || !(reach > 0)) {
        return;
    }

    FmColor color = theme->roles[column->role].color;
    FmRect rect = {place->x, place->y, (place->right - place->x) * MIN(cell->value / reach, 1),
                   BAR_HEIGHT};
    fm_scene_add_rect(place->plan->layout->scene, rect,
                      cell->is_doubtful ? fm_color_mix(color, theme->paper, 0.6) : color);
    if (isfinite(cell->lo) && isfinite(cell->hi)) {
        add_whisker(place, cell, reach);
    }
}

static void
add_number(const Place *place, const FmCell *cell)
{
    const Plan *plan = place->plan;
    const FmTheme *theme = plan->layout->theme;
    g_autofree char *number = dup_number(cell);
    g_autofree char *hanging = dup_hanging(plan, cell);
    bool is_muted = cell->is_doubtful || !is_known(cell);
    FmTextLook look = {.kind = "number", .color = is_muted ? theme->muted : theme->ink};
    bool is_bold = plan->number_size == SIZE_NUMBER && !is_muted;
    FmTextStyle style = get_style(plan, plan->number_size, is_bold);

    FmText *text = fm_text_new(number, &style);
    put(plan, text, place->right - fm_text_get_width(text), place->y, look);
    put(plan, fm_text_new(hanging, &style), place->right, place->y,
        (FmTextLook){.kind = "mark", .color = theme->muted});
}

static void
add_words(const Place *place, unsigned i, const FmCell *cell)
{
    const Plan *plan = place->plan;
    double size = get_text_size(plan);
    FmText *text =
        set_text(plan, has_text(cell->text) ? cell->text : "", size, false, plan->widths[i]);
    /* On the line that the numbers stand on. */
    FmTextStyle style = get_style(plan, plan->number_size, false);
    g_autoptr(FmText) number = fm_text_new("0", &style);
    double y = place->y + fm_text_get_baseline(number) - fm_text_get_baseline(text);

    put(plan, text, place->x, y, (FmTextLook){.kind = "words", .color = plan->layout->theme->ink});
}

static void
add_cell(const Place *place, unsigned i, const FmCell *cell)
{
    const Plan *plan = place->plan;
    const FmColumn *column = get_column(plan->table, i);
    Place line = *place;

    if (column->is_text) {
        add_words(&line, i, cell);
    } else {
        add_number(&line, cell);
    }
    line.y += plan->number_line;
    if (plan->has_bars) {
        line.y += BAR_GAP;
        add_bar(&line, i, cell);
        line.y += BAR_HEIGHT + BAR_FOOT;
    }
    if (plan->has_details && has_text(cell->detail)) {
        FmText *detail = set_text(plan, cell->detail, FM_SIZE_CAPTION, false, plan->widths[i]);
        add_head_line(&line, column, detail,
                      (FmTextLook){.kind = "detail", .color = plan->layout->theme->muted});
    }
}

static void
add_line(const Plan *plan, const FmRect *rect, double y, FmColor color, double width)
{
    fm_scene_add_rule(plan->layout->scene, (FmPlace){rect->x, y},
                      (FmPlace){rect->x + rect->width, y},
                      (FmStroke){.color = color, .width = width});
}

static void
say_what_is_missing(const Plan *plan, const FmRect *rect)
{
    unsigned n_missing = plan->table->n_rows - plan->n_rows;
    if (n_missing == 0) {
        return;
    }
    g_autofree char *string = g_strdup_printf(
        fm_language_translate(plan->layout->figure->language, N_("… %u more rows")), n_missing);
    put(plan, set_text(plan, string, FM_SIZE_CAPTION, false, rect->width), rect->x,
        rect->y + get_height(plan) + 2,
        (FmTextLook){.kind = "more", .color = plan->layout->theme->muted});
}

void
fm_layout_add_table(FmLayout *layout, FmPanelBox *box)
{
    const FmTable *table = box->panel->table;
    const FmRect *rect = &box->plot;
    g_auto(Plan) plan = {0};
    if (!fit(&plan, layout, table, rect)) {
        return;
    }

    double x = rect->x;
    for (unsigned i = 0; i < table->columns->len; i++) {
        Place place = {&plan, x, x + plan.widths[i], rect->y};
        add_head(&place, i);
        for (unsigned row = 0; row < plan.n_rows; row++) {
            place.y = rect->y + plan.head_height + row * plan.row_height + plan.pad;
            add_cell(&place, i, get_cell(table, row, i));
        }
        x += plan.widths[i] + plan.hangs[i] + plan.gap;
    }
    add_line(&plan, rect, rect->y + plan.head_height, layout->theme->axis, layout->theme->hairline);
    for (unsigned row = 1; row < plan.n_rows; row++) {
        add_line(&plan, rect, rect->y + plan.head_height + row * plan.row_height,
                 layout->theme->grid, FM_LINE_GRID);
    }
    say_what_is_missing(&plan, rect);
}
