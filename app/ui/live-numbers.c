/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Told twice a second beside a measurement, so what has not changed is not touched.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/live-numbers.h"

#include "analysis/percentiles.h"
#include "base/label.h"
#include "model/run-progress.h"
#include "model/tick.h"
#include "store/run-text.h"
#include "ui/live-label.h"

#include <glib/gi18n.h>

enum { GAP = 12 };

typedef enum {
    TILE_THROUGHPUT,
    TILE_IOPS,
    TILE_P50,
    TILE_P99_9,
    TILE_TEMPERATURE,
    N_TILES,
} Tile;

struct _FmLiveNumbers {
    GtkWidget parent_instance;
    GtkWidget *row;
    GtkWidget *tiles[N_TILES];
    GtkWidget *values[N_TILES];
    GtkWidget *notes[N_TILES]; /* what a value is of */
    const FmRunStep *latency_step; /* whose latencies are shown; compared only */
    guint n_latency_steps; /* of the run when they were looked up */
    char *p50;
    char *p99_9;
    char *latency_note;
};

G_DEFINE_FINAL_TYPE(FmLiveNumbers, fm_live_numbers, GTK_TYPE_WIDGET)

static const char *const tile_titles[N_TILES] = {
    [TILE_THROUGHPUT] = N_("MB/s"),         [TILE_IOPS] = N_("IOPS"),
    [TILE_P50] = N_("P50 latency"),         [TILE_P99_9] = N_("P99.9 latency"),
    [TILE_TEMPERATURE] = N_("Temperature"),
};

static void
set_tile(FmLiveNumbers *numbers, Tile tile, const char *value, const char *note)
{
    const char *shown = value != NULL ? value : FM_LABEL_UNKNOWN;

    fm_live_label_set(numbers->notes[tile], note != NULL ? note : "");
    if (!fm_live_label_set(numbers->values[tile], shown)) {
        return;
    }
    gtk_accessible_update_property(GTK_ACCESSIBLE(numbers->tiles[tile]),
                                   GTK_ACCESSIBLE_PROPERTY_LABEL, _(tile_titles[tile]),
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, shown, -1);
}

static void
update_speed(FmLiveNumbers *numbers, const FmRunStep *step, bool is_active)
{
    g_autofree char *rate = NULL;
    g_autofree char *iops = NULL;
    FmRunSpeed speed;

    if (is_active && step != NULL && !step->ended && fm_run_step_get_speed(step, &speed)) {
        double megabytes = speed.bytes_per_second / 1e6;
        rate = megabytes < 1000 ? fm_label_dup_decimal(megabytes, 1)
                                : fm_label_dup_grouped((uint64_t)(megabytes + 0.5));
        iops = fm_label_dup_grouped((uint64_t)(speed.ios_per_second + 0.5));
    }
    set_tile(numbers, TILE_THROUGHPUT, rate, NULL);
    set_tile(numbers, TILE_IOPS, iops, NULL);
}

/* The last step that ended with latencies; a histogram is large, so it is read once. */
static void
find_latency(FmLiveNumbers *numbers, const FmRun *run)
{
    const FmRunStep *step = NULL;
    FmPercentiles percentiles;

    for (guint i = run->steps->len; i > 0 && step == NULL; i--) {
        const FmRunStep *candidate = (const FmRunStep *)run->steps->pdata[i - 1];
        step = candidate->ended && candidate->histograms->len > 0 ? candidate : NULL;
    }
    if (step == numbers->latency_step && run->steps->len >= numbers->n_latency_steps) {
        return;
    }
    numbers->latency_step = step;
    numbers->n_latency_steps = run->steps->len;
    g_clear_pointer(&numbers->p50, g_free);
    g_clear_pointer(&numbers->p99_9, g_free);
    g_clear_pointer(&numbers->latency_note, g_free);
    if (step == NULL || !fm_percentiles_of_step(step, FM_N_OPS, &percentiles)) {
        return;
    }
    const FmPercentile *tail = &percentiles.values[FM_P99_9];
    numbers->p50 = fm_label_dup_figure((double)percentiles.values[FM_P50].ns, FM_QUANTITY_TIME);
    numbers->p99_9 =
        tail->is_sufficient ? fm_label_dup_figure((double)tail->ns, FM_QUANTITY_TIME) : NULL;
    numbers->latency_note = fm_run_text_dup_workload(step);
}

static void
update_temperature(FmLiveNumbers *numbers, const FmRunStep *step)
{
    const GArray *ticks = step != NULL ? step->ticks : NULL;
    int16_t temperature = FM_TEMPERATURE_UNKNOWN;

    if (ticks != NULL && ticks->len > 0) {
        temperature = g_array_index(ticks, FmTick, ticks->len - 1).temperature_dc;
    }
    gtk_widget_set_visible(numbers->tiles[TILE_TEMPERATURE], temperature != FM_TEMPERATURE_UNKNOWN);
    if (temperature != FM_TEMPERATURE_UNKNOWN) {
        g_autofree char *degrees = fm_label_dup_decimal(temperature / 10.0, 0);
        g_autofree char *text = g_strdup_printf("%s °C", degrees);
        set_tile(numbers, TILE_TEMPERATURE, text, NULL);
    }
}

void
fm_live_numbers_update(FmLiveNumbers *numbers, const FmRun *run, bool is_active)
{
    const FmRunStep *step =
        run->steps->len > 0 ? (const FmRunStep *)run->steps->pdata[run->steps->len - 1] : NULL;

    update_speed(numbers, step, is_active);
    find_latency(numbers, run);
    set_tile(numbers, TILE_P50, numbers->p50, numbers->latency_note);
    set_tile(numbers, TILE_P99_9, numbers->p99_9, numbers->latency_note);
    update_temperature(numbers, step);
}

/* --- Widget --------------------------------------------------------------------------------- */

static void
build_tile(FmLiveNumbers *numbers, Tile tile)
{
    GtkWidget *column = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                                     "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
    GtkWidget *title = fm_live_label_new(_(tile_titles[tile]), "caption");
    GtkWidget *value = fm_live_label_new(FM_LABEL_UNKNOWN, "big-number");
    GtkWidget *note = fm_live_label_new("", "caption");

    gtk_widget_add_css_class(title, "muted");
    gtk_widget_add_css_class(value, "numeric");
    gtk_widget_add_css_class(note, "muted");
    gtk_widget_add_css_class(column, "tile");
    gtk_box_append(GTK_BOX(column), title);
    gtk_box_append(GTK_BOX(column), value);
    gtk_box_append(GTK_BOX(column), note);
    gtk_accessible_update_property(GTK_ACCESSIBLE(column), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _(tile_titles[tile]), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   FM_LABEL_UNKNOWN, -1);
    gtk_box_append(GTK_BOX(numbers->row), column);
    numbers->tiles[tile] = column;
    numbers->values[tile] = value;
    numbers->notes[tile] = note;
}

static void
fm_live_numbers_dispose(GObject *object)
{
    FmLiveNumbers *numbers = FM_LIVE_NUMBERS(object);

    g_clear_pointer(&numbers->row, gtk_widget_unparent);
    g_clear_pointer(&numbers->p50, g_free);
    g_clear_pointer(&numbers->p99_9, g_free);
    g_clear_pointer(&numbers->latency_note, g_free);
    G_OBJECT_CLASS(fm_live_numbers_parent_class)->dispose(object);
}

static void
fm_live_numbers_class_init(FmLiveNumbersClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_live_numbers_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_live_numbers_init(FmLiveNumbers *numbers)
{
    numbers->row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    gtk_box_set_homogeneous(GTK_BOX(numbers->row), TRUE);
    for (Tile tile = 0; tile < N_TILES; tile++) {
        build_tile(numbers, tile);
    }
    gtk_widget_set_visible(numbers->tiles[TILE_TEMPERATURE], FALSE);
    gtk_widget_set_parent(numbers->row, GTK_WIDGET(numbers));
}

GtkWidget *
fm_live_numbers_new(void)
{
    return g_object_new(FM_TYPE_LIVE_NUMBERS, NULL);
}
