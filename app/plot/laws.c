/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of figures (DESIGN 5.2) as checks of a finished figure.  What breaks one is a mistake
 * of ours, so the sentences are for us and not translated.  Pure.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/figure.h"

#include <math.h>
#include <string.h>

enum { MAX_CALLOUT_WORDS = 8 };

static const FmPanel *
get_panel(const FmFigure *figure, unsigned i)
{
    return g_ptr_array_index(figure->panels, i);
}

static const FmSeries *
get_series(const FmPanel *panel, unsigned i)
{
    return g_ptr_array_index(panel->series, i);
}

static const FmPoint *
get_point(const FmSeries *series, unsigned i)
{
    return &g_array_index(series->points, FmPoint, i);
}

static const FmAnnotation *
get_annotation(const FmPanel *panel, unsigned i)
{
    return &g_array_index(panel->annotations, FmAnnotation, i);
}

/* Limits that are not given are equal too. */
static bool
is_same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool
is_log(FmScaleKind scale)
{
    return scale == FM_SCALE_LOG10 || scale == FM_SCALE_LOG2;
}

/* --- Laws of one panel ------------------------------------------------------------- */

static char *
check_counts(const FmFigure *figure, const FmPanel *panel)
{
    if (panel->series->len > FM_FIGURE_MAX_SERIES) {
        return g_strdup_printf("%u series; more than %d become small multiples", panel->series->len,
                               FM_FIGURE_MAX_SERIES);
    }

    unsigned n = 0;
    bool has_bands = false;
    for (unsigned i = 0; i < panel->annotations->len; i++) {
        if (get_annotation(panel, i)->kind == FM_ANNOTATION_BAND_X) {
            has_bands = true;
        } else {
            n++;
        }
    }
    n += has_bands ? 1 : 0;
    return n > FM_FIGURE_MAX_ANNOTATIONS ? g_strdup_printf("%u annotations; at most %d can be read",
                                                           n, FM_FIGURE_MAX_ANNOTATIONS)
                                         : NULL;
}

static char *
check_bars(const FmFigure *figure, const FmPanel *panel)
{
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = get_series(panel, i);
        if (series->mark != FM_MARK_BAR) {
            continue;
        }
        if (panel->y.scale != FM_SCALE_LINEAR) {
            return g_strdup_printf("bars of \"%s\" on a scale that does not begin at 0",
                                   series->label);
        }
        if (panel->y.min > 0 || panel->y.max < 0) {
            return g_strdup_printf("bars of \"%s\" that are cut off before 0", series->label);
        }
        if (panel->x.scale != FM_SCALE_CATEGORY) {
            return g_strdup_printf("bars of \"%s\" without categories", series->label);
        }
    }
    return NULL;
}

static char *
check_callouts(const FmFigure *figure, const FmPanel *panel)
{
    for (unsigned i = 0; i < panel->annotations->len; i++) {
        const FmAnnotation *annotation = get_annotation(panel, i);
        if (annotation->kind != FM_ANNOTATION_CALLOUT || annotation->text == NULL) {
            continue;
        }
        g_auto(GStrv) parts = g_strsplit_set(annotation->text, " \t\n", -1);
        unsigned n_words = 0;
        for (char **part = parts; *part != NULL; part++) {
            n_words += **part != '\0' ? 1 : 0;
        }
        if (n_words > MAX_CALLOUT_WORDS) {
            return g_strdup_printf("callout \"%s\" has %u words; at most %d are read",
                                   annotation->text, n_words, MAX_CALLOUT_WORDS);
        }
    }
    return NULL;
}

/* Depths and spans that double from tick to tick say so themselves, and so do the 99.9 and 99.99
 * of a nines scale. */
static char *
check_log_is_named(const FmFigure *figure, const FmPanel *panel)
{
    if (panel->x.scale != FM_SCALE_LOG10 && panel->y.scale != FM_SCALE_LOG10) {
        return NULL;
    }

    g_autofree char *folded = g_utf8_casefold(figure->subtitle != NULL ? figure->subtitle : "", -1);
    bool is_named = strstr(folded, "log") != NULL || strstr(folded, "로그") != NULL;
    return is_named ? NULL : g_strdup("a log scale that the subtitle does not name");
}

/* 0 stands in a gutter below the decades; there is none below powers of two. */
static bool
can_show(const FmAxis *axis, double value)
{
    switch (axis->scale) {
    case FM_SCALE_LOG10:
        return value >= 0;
    case FM_SCALE_LOG2:
        return value > 0;
    case FM_SCALE_NINES:
        return value >= 0 && value <= 1; /* 1 = the maximum, beyond all nines */
    case FM_SCALE_CATEGORY:
        return axis->categories != NULL && value == floor(value) && value >= 0 &&
               value < g_strv_length(axis->categories);
    case FM_SCALE_LINEAR:
    default:
        return isfinite(value);
    }
}

static bool
is_shown(const FmAxis *axis, double value)
{
    return isnan(value) || (isfinite(value) && can_show(axis, value));
}

static char *
check_limits(const FmAxis *axis, const char *name)
{
    bool is_log_limit = is_log(axis->scale) && (axis->min <= 0 || axis->max <= 0);
    bool is_nines_limit =
        axis->scale == FM_SCALE_NINES && (axis->min < 0 || axis->min >= 1 || axis->max >= 1);

    if (is_log_limit || is_nines_limit || isinf(axis->min) || isinf(axis->max)) {
        return g_strdup_printf("%s has a limit its scale can't show", name);
    }
    if (axis->min >= axis->max) {
        return g_strdup_printf("%s ends before it begins", name);
    }
    return NULL;
}

/* Of half a million points: nothing is put into words before something is wrong. */
static char *
check_point(const FmPanel *panel, const FmSeries *series, const FmPoint *point)
{
    const double values[] = {point->y, point->lo, point->hi};

    if (isnan(point->x)) {
        return g_strdup_printf("\"%s\" has a point without x", series->label);
    }
    const double *odd = is_shown(&panel->x, point->x) ? NULL : &point->x;
    for (unsigned i = 0; odd == NULL && i < G_N_ELEMENTS(values); i++) {
        odd = is_shown(&panel->y, values[i]) ? NULL : &values[i];
    }
    if (odd != NULL) {
        return g_strdup_printf("\"%s\" has a value its scale can't show: %g", series->label, *odd);
    }
    if (point->lo > point->hi) {
        return g_strdup_printf("\"%s\" has a spread that ends before it begins", series->label);
    }
    return NULL;
}

static char *
check_values(const FmFigure *figure, const FmPanel *panel)
{
    char *broken = check_limits(&panel->x, "the x axis");

    if (broken == NULL) {
        broken = check_limits(&panel->y, "the y axis");
    }
    for (unsigned i = 0; broken == NULL && i < panel->series->len; i++) {
        const FmSeries *series = get_series(panel, i);
        for (unsigned k = 0; broken == NULL && k < series->points->len; k++) {
            broken = check_point(panel, series, get_point(series, k));
        }
    }
    return broken;
}

/* What the renderer relies on. */
static char *
check_marks(const FmFigure *figure, const FmPanel *panel)
{
    for (unsigned i = 0; i < panel->series->len; i++) {
        const FmSeries *series = get_series(panel, i);
        if ((series->mark == FM_MARK_DENSITY) != (series->density != NULL)) {
            return g_strdup_printf("\"%s\" needs a density mark and its counts together",
                                   series->label);
        }
        bool is_over_time = series->mark == FM_MARK_SAMPLES || series->mark == FM_MARK_STEP;
        for (unsigned k = 1; is_over_time && k < series->points->len; k++) {
            if (!(get_point(series, k)->x >= get_point(series, k - 1)->x)) {
                return g_strdup_printf("samples of \"%s\" that do not come in order",
                                       series->label);
            }
        }
    }
    return NULL;
}

static char *
check_table(const FmFigure *figure, const FmPanel *panel)
{
    const FmTable *table = panel->table;
    if (table == NULL) {
        return NULL;
    }
    if (panel->series->len > 0 || panel->annotations->len > 0) {
        return g_strdup("a table and marks in one panel");
    }
    bool is_whole =
        table->columns->len > 0 && table->cells->len == table->n_rows * table->columns->len;
    return is_whole ? NULL : g_strdup("a table whose last row is not whole");
}

/* --- Laws of the whole figure ------------------------------------------------------- */

typedef struct {
    bool has_drives;
    bool has_ops;
} RoleUse;

static void
add_role(RoleUse *use, FmRole role)
{
    use->has_drives = use->has_drives || role <= FM_ROLE_SERIES_8;
    use->has_ops = use->has_ops || role == FM_ROLE_READ || role == FM_ROLE_WRITE;
}

static char *
check_roles(const FmFigure *figure)
{
    RoleUse use = {false};

    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = get_panel(figure, i);
        for (unsigned k = 0; k < panel->series->len; k++) {
            add_role(&use, get_series(panel, k)->role);
        }
        for (unsigned k = 0; k < panel->annotations->len; k++) {
            add_role(&use, get_annotation(panel, k)->role);
        }
        for (unsigned k = 0; panel->table != NULL && k < panel->table->columns->len; k++) {
            const FmColumn *column = &g_array_index(panel->table->columns, FmColumn, k);
            if (column->has_bar) {
                add_role(&use, column->role);
            }
        }
    }
    return use.has_drives && use.has_ops
               ? g_strdup("roles of drives and of reads and writes, which share colours")
               : NULL;
}

/* A drive keeps its colour; what steps back to MUTED in one panel is still itself. */
static char *
check_roles_are_kept(const FmFigure *figure)
{
    g_autoptr(GHashTable) roles = g_hash_table_new(g_str_hash, g_str_equal);

    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = get_panel(figure, i);
        for (unsigned k = 0; k < panel->series->len; k++) {
            const FmSeries *series = get_series(panel, k);
            if (series->label == NULL || series->role > FM_ROLE_SERIES_8) {
                continue;
            }
            gpointer known;
            if (g_hash_table_lookup_extended(roles, series->label, NULL, &known) &&
                GPOINTER_TO_UINT(known) != series->role) {
                return g_strdup_printf("\"%s\" changes its role", series->label);
            }
            g_hash_table_insert(roles, series->label, GUINT_TO_POINTER(series->role));
        }
    }
    return NULL;
}

static bool
is_same_axis(const FmAxis *a, const FmAxis *b)
{
    return g_strcmp0(a->title, b->title) == 0 && a->unit == b->unit && a->scale == b->scale;
}

static bool
has_same_limits(const FmAxis *a, const FmAxis *b)
{
    return is_same_number(a->min, b->min) && is_same_number(a->max, b->max);
}

/* Panels with equal axes are small multiples and compared with each other. */
static char *
check_multiples(const FmFigure *figure)
{
    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = get_panel(figure, i);
        for (unsigned k = 0; panel->table == NULL && k < i; k++) {
            const FmPanel *other = get_panel(figure, k);
            bool is_multiple = other->table == NULL && is_same_axis(&panel->x, &other->x) &&
                               is_same_axis(&panel->y, &other->y);
            if (is_multiple &&
                !(has_same_limits(&panel->x, &other->x) && has_same_limits(&panel->y, &other->y))) {
                return g_strdup_printf("panels %u and %u are small multiples of different scale",
                                       k + 1, i + 1);
            }
        }
    }
    return NULL;
}

static char *
check_shared_x(const FmFigure *figure)
{
    for (unsigned i = 0; i < figure->panels->len; i++) {
        const FmPanel *panel = get_panel(figure, i);
        if (!panel->shares_x) {
            continue;
        }
        if (i < figure->n_columns) {
            return g_strdup_printf("panel %u shares its x axis with nothing above it", i + 1);
        }
        const FmPanel *above = get_panel(figure, i - figure->n_columns);
        bool is_shared = above->table == NULL && panel->x.unit == above->x.unit &&
                         panel->x.scale == above->x.scale && has_same_limits(&panel->x, &above->x);
        if (!is_shared) {
            return g_strdup_printf("panel %u shares an x axis that is another one", i + 1);
        }
    }
    return NULL;
}

static char *
check_grid(const FmFigure *figure)
{
    return figure->panels->len > 0 && figure->n_columns > 0 ? NULL : g_strdup("nothing to show");
}

/* --- All of them -------------------------------------------------------------------- */

static char *(*const panel_laws[])(const FmFigure *, const FmPanel *) = {
    check_counts,       check_bars,   check_callouts, check_table,
    check_log_is_named, check_values, check_marks,
};

static char *(*const figure_laws[])(const FmFigure *) = {
    check_grid, check_roles, check_roles_are_kept, check_multiples, check_shared_x,
};

char *
fm_figure_check(const FmFigure *figure)
{
    for (unsigned i = 0; i < figure->panels->len; i++) {
        for (unsigned k = 0; k < G_N_ELEMENTS(panel_laws); k++) {
            g_autofree char *broken = panel_laws[k](figure, get_panel(figure, i));
            if (broken != NULL) {
                return g_strdup_printf("%s, panel %u: %s", figure->id, i + 1, broken);
            }
        }
    }
    for (unsigned k = 0; k < G_N_ELEMENTS(figure_laws); k++) {
        g_autofree char *broken = figure_laws[k](figure);
        if (broken != NULL) {
            return g_strdup_printf("%s: %s", figure->id, broken);
        }
    }
    return NULL;
}
