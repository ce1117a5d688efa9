/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Very many I/Os: one image of cells coloured by the logarithm of their counts, the slowest I/Os
 * as points over it, and a key that says what the colours mean.  A cell with a single I/O is seen
 * as well as a full one.
 */
#define G_LOG_DOMAIN "fathom"

#include "plot/layout-private.h"

#include "plot/ramp.h"

#include "base/label.h"
#include "base/language.h"

#include <glib/gi18n.h>
#include <math.h>

enum {
    N_COLORS = 256,
    LONELY = 2, /* I/Os of a cell; the largest in fuller ones are seen by the cell */
    KEY_WIDTH = 56,
    KEY_HEIGHT = 7,
    KEY_GAP = 5,
};

static const double cell_size = 1.5; /* points that a cell has at least */
static const double pixel_size = 0.75; /* where the axis is not that of the grid */
static const double outlier_radius = 1.1;

/* --- From pixels to cells ------------------------------------------------------------ */

/* The pixels along one axis.  Where the axis is that of the grid, a pixel is a whole number of
 * cells: any other ratio would draw stripes. */
typedef struct {
    unsigned n;
    unsigned *cells; /* the first one of each pixel */
    unsigned n_each;
    double from; /* shares of the plot */
    double to;
} Track;

typedef struct {
    const FmScale *scale;
    double min;
    double max;
    unsigned n;
    bool is_log;
    double length; /* points */
} Side;

static void
track_clear(Track *track)
{
    g_clear_pointer(&track->cells, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Track, track_clear)

static unsigned
clamp_cell(const Side *side, double cell)
{
    return (unsigned)CLAMP(cell, 0, (double)side->n);
}

static void
follow_grid(const Side *side, Track *track)
{
    double begin = fm_scale_map(side->scale, side->min);
    double end = fm_scale_map(side->scale, side->max);
    double each = (end - begin) / side->n;
    unsigned first = clamp_cell(side, floor(-begin / each));
    unsigned last = clamp_cell(side, ceil((1 - begin) / each));

    track->n_each = (unsigned)MAX(round(cell_size / (each * side->length)), 1);
    first -= first % track->n_each;
    track->n = last > first ? (last - first + track->n_each - 1) / track->n_each : 0;
    track->cells = g_new(unsigned, MAX(track->n, 1u));
    for (unsigned i = 0; i < track->n; i++) {
        track->cells[i] = first + i * track->n_each;
    }
    track->from = begin + first * each;
    track->to = begin + (first + track->n * (double)track->n_each) * each;
}

/* Where the axis is another one: the cell in the middle of each pixel; none is G_MAXUINT. */
static void
sample_grid(const Side *side, Track *track)
{
    track->n = (unsigned)CLAMP(ceil(side->length / pixel_size), 1, 4000);
    track->n_each = 1;
    track->cells = g_new(unsigned, track->n);
    track->from = 0;
    track->to = 1;
    for (unsigned i = 0; i < track->n; i++) {
        double value = fm_scale_unmap(side->scale, (i + 0.5) / track->n);
        double share = side->is_log ? log(value / side->min) / log(side->max / side->min)
                                    : (value - side->min) / (side->max - side->min);
        bool is_inside = share >= 0 && share < 1;
        track->cells[i] = is_inside ? (unsigned)(share * side->n) : G_MAXUINT;
    }
}

static void
make_track(const Side *side, Track *track)
{
    if (side->scale->kind == (side->is_log ? FM_SCALE_LOG10 : FM_SCALE_LINEAR)) {
        follow_grid(side, track);
    } else {
        sample_grid(side, track);
    }
}

/* --- Counts -------------------------------------------------------------------------- */

typedef struct {
    const FmDensity *density;
    Track x;
    Track y;
    uint64_t *counts; /* of pixels, row by row from below */
    uint64_t most;
    unsigned n_filled;
} Cells;

static void
cells_clear(Cells *cells)
{
    track_clear(&cells->x);
    track_clear(&cells->y);
    g_clear_pointer(&cells->counts, g_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Cells, cells_clear)

static uint64_t
sum_cells(const Cells *cells, unsigned column, unsigned row)
{
    const FmDensity *density = cells->density;
    uint64_t sum = 0;

    if (cells->x.cells[column] == G_MAXUINT || cells->y.cells[row] == G_MAXUINT) {
        return 0;
    }
    unsigned right = MIN(cells->x.cells[column] + cells->x.n_each, density->n_x);
    unsigned top = MIN(cells->y.cells[row] + cells->y.n_each, density->n_y);
    for (unsigned y = cells->y.cells[row]; y < top; y++) {
        for (unsigned x = cells->x.cells[column]; x < right; x++) {
            sum += density->counts[(gsize)y * density->n_x + x];
        }
    }
    return sum;
}

static void
count(Cells *cells, const FmPanelBox *box, const FmDensity *density)
{
    Side x = {&box->x, density->x_min, density->x_max, density->n_x, false, box->plot.width};
    Side y = {&box->y,      density->y_min,    density->y_max,
              density->n_y, density->is_y_log, box->plot.height};

    *cells = (Cells){.density = density};
    make_track(&x, &cells->x);
    make_track(&y, &cells->y);
    cells->counts = g_new0(uint64_t, MAX((gsize)cells->x.n * cells->y.n, 1));
    for (unsigned row = 0; row < cells->y.n; row++) {
        for (unsigned column = 0; column < cells->x.n; column++) {
            uint64_t sum = sum_cells(cells, column, row);
            cells->counts[(gsize)row * cells->x.n + column] = sum;
            cells->most = MAX(cells->most, sum);
            cells->n_filled += sum > 0 ? 1 : 0;
        }
    }
}

/* --- The image ----------------------------------------------------------------------- */

static uint32_t
to_pixel(FmColor color)
{
    return 0xFF000000u | (uint32_t)lround(color.red * 255) << 16 |
           (uint32_t)lround(color.green * 255) << 8 | (uint32_t)lround(color.blue * 255);
}

/* Where all cells hold one I/O, that is what is to be seen. */
static unsigned
choose_color(uint64_t n, uint64_t most)
{
    if (most <= 1) {
        return N_COLORS / 2;
    }
    return (unsigned)lround(log((double)n) / log((double)most) * (N_COLORS - 1));
}

static cairo_surface_t *
make_image(const Cells *cells, const FmColor *ramp)
{
    cairo_surface_t *image =
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, (int)cells->x.n, (int)cells->y.n);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        return image;
    }

    unsigned char *data = cairo_image_surface_get_data(image);
    int stride = cairo_image_surface_get_stride(image);
    for (unsigned row = 0; row < cells->y.n; row++) {
        uint32_t *line = (uint32_t *)(void *)(data + (gsize)(cells->y.n - 1 - row) * stride);
        for (unsigned column = 0; column < cells->x.n; column++) {
            uint64_t n = cells->counts[(gsize)row * cells->x.n + column];
            line[column] = n > 0 ? to_pixel(ramp[choose_color(n, cells->most)]) : 0;
        }
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static void
add_image(FmLayout *layout, const FmPanelBox *box, const Cells *cells, const FmColor *ramp)
{
    const FmRect *plot = &box->plot;
    FmRect rect = {
        plot->x + cells->x.from * plot->width,
        plot->y + (1 - cells->y.to) * plot->height,
        (cells->x.to - cells->x.from) * plot->width,
        (cells->y.to - cells->y.from) * plot->height,
    };

    FmRect clip = fm_box_get_clip(box);

    fm_scene_set_clip(layout->scene, plot);
    fm_scene_add_image(layout->scene, make_image(cells, ramp), rect);
    fm_scene_set_clip(layout->scene, &clip);
}

/* --- The largest by themselves -------------------------------------------------------- */

/* How many share the pixel of (@x, @y), given as shares of the plot. */
static uint64_t
get_company(const Cells *cells, double x, double y)
{
    double column = (x - cells->x.from) / (cells->x.to - cells->x.from) * cells->x.n;
    double row = (y - cells->y.from) / (cells->y.to - cells->y.from) * cells->y.n;

    if (!(column >= 0 && column < cells->x.n && row >= 0 && row < cells->y.n)) {
        return 0;
    }
    return cells->counts[(gsize)row * cells->x.n + (gsize)column];
}

static void
add_outliers(FmLayout *layout, const FmPanelBox *box, const FmSeries *series, const Cells *cells)
{
    const GArray *outliers = series->density->outliers;
    FmMarkerLook look = {
        .shape = FM_MARKER_CIRCLE,
        .color = fm_box_get_color(layout, box, series),
        .paper = layout->theme->paper,
        .radius = outlier_radius,
    };

    for (unsigned i = 0; i < outliers->len; i++) {
        const FmPoint *point = &g_array_index(outliers, FmPoint, i);
        double x = fm_scale_map(&box->x, point->x);
        double y = fm_scale_map(&box->y, point->y);
        if (x >= 0 && x <= 1 && y >= 0 && y <= 1 && get_company(cells, x, y) <= LONELY) {
            fm_scene_add_marker(layout->scene, fm_box_place(box, point->x, point->y), look);
        }
    }
}

unsigned
fm_layout_add_density(FmLayout *layout, FmPanelBox *box, const FmSeries *series)
{
    FmColor ramp[N_COLORS];
    g_auto(Cells) cells = {0};

    count(&cells, box, series->density);
    if (cells.n_filled > 0) {
        fm_ramp_fill(layout->theme, series->role, ramp, N_COLORS);
        add_image(layout, box, &cells, ramp);
    }
    return cells.n_filled;
}

void
fm_layout_add_outliers(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        if (series->density != NULL) {
            g_auto(Cells) cells = {0};
            count(&cells, box, series->density);
            add_outliers(layout, box, series, &cells);
        }
    }
}

/* --- The key -------------------------------------------------------------------------- */

static cairo_surface_t *
make_key(const FmLayout *layout, const FmSeries *series, uint64_t most)
{
    FmColor ramp[N_COLORS];
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, N_COLORS, 1);
    if (cairo_surface_status(image) != CAIRO_STATUS_SUCCESS) {
        return image;
    }

    fm_ramp_fill(layout->theme, series->role, ramp, N_COLORS);
    uint32_t *line = (uint32_t *)(void *)cairo_image_surface_get_data(image);
    for (unsigned i = 0; i < N_COLORS; i++) {
        line[i] = to_pixel(ramp[most > 1 ? i : N_COLORS / 2]);
    }
    cairo_surface_mark_dirty(image);
    return image;
}

static char *
dup_key_words(const FmLayout *layout, uint64_t most, bool has_words)
{
    g_autofree char *number = fm_label_dup_grouped(most);

    if (most <= 1) {
        return g_strdup("1 I/O");
    }
    return has_words ? g_strdup_printf(
                           fm_language_translate(layout->figure->language, N_("%s I/Os per cell")),
                           number)
                     : g_steal_pointer(&number);
}

/* "1 ▒▓█ 24,512 I/Os per cell", flush right over the plot; false when there is no room. */
static bool
place_key(FmLayout *layout, const FmPanelBox *box, const FmSeries *series, bool has_words)
{
    g_auto(Cells) cells = {0};
    count(&cells, box, series->density);
    g_autofree char *string = dup_key_words(layout, cells.most, has_words);
    g_autoptr(FmText) one = fm_layout_set_text(layout, cells.most > 1 ? "1" : "", FM_SIZE_TICK);
    g_autoptr(FmText) words = fm_layout_set_text(layout, string, FM_SIZE_TICK);
    double key_width = cells.most > 1 ? KEY_WIDTH : KEY_HEIGHT;
    double width = fm_text_get_width(one) + KEY_GAP + key_width + KEY_GAP;
    width += fm_text_get_width(words);
    double height = fm_text_get_height(words);
    FmRect rect = {box->plot.x + box->plot.width - width, box->plot.y - 8 - height, width, height};
    FmRect wide = {rect.x - 2 * KEY_GAP, rect.y, rect.width + 2 * KEY_GAP, rect.height};
    if (cells.n_filled == 0 || wide.x < box->plot.x || fm_scene_is_taken(layout->scene, &wide)) {
        return cells.n_filled == 0;
    }

    FmTextLook look = {.kind = "key", .color = layout->theme->muted};
    double x = rect.x + fm_text_get_width(one) + KEY_GAP;
    if (cells.most > 1) {
        fm_scene_add_text(layout->scene, g_steal_pointer(&one), rect.x, rect.y, look);
    }
    fm_scene_add_image(layout->scene, make_key(layout, series, cells.most),
                       (FmRect){x, rect.y + (height - KEY_HEIGHT) / 2, key_width, KEY_HEIGHT});
    fm_scene_add_text(layout->scene, g_steal_pointer(&words), x + key_width + KEY_GAP, rect.y,
                      look);
    return true;
}

bool
fm_box_has_density(const FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        if (((const FmSeries *)g_ptr_array_index(box->panel->series, i))->density != NULL) {
            return true;
        }
    }
    return false;
}

void
fm_layout_add_density_key(FmLayout *layout, FmPanelBox *box)
{
    for (unsigned i = 0; i < box->panel->series->len; i++) {
        const FmSeries *series = g_ptr_array_index(box->panel->series, i);
        if (series->density != NULL) {
            if (!place_key(layout, box, series, true)) {
                place_key(layout, box, series, false);
            }
            return;
        }
    }
}
