/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Limits are read and written in the one unit of axis-unit.h; an empty field is a limit that
 * the data sets.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/limits-popover.h"

#include "base/error.h"
#include "ui/axis-unit.h"
#include "ui/form.h"

#include <glib/gi18n.h>
#include <math.h>

enum {
    X_MIN,
    X_MAX,
    Y_MIN,
    Y_MAX,
    N_LIMITS,
    ENTRY_CHARS = 12,
    SPACING = 12,
    SMALL_SPACING = 6,
};

struct _FmLimitsPopover {
    GtkPopover parent_instance;
    FmFigureCanvas *canvas;
    GtkWidget *entries[N_LIMITS];
    GtkWidget *titles[N_LIMITS];
    GtkDropDown *panels;
    GtkWidget *panels_row;
    GtkWidget *error;
    GArray *numbers; /* of guint: panels with axes */
};

G_DEFINE_FINAL_TYPE(FmLimitsPopover, fm_limits_popover, GTK_TYPE_POPOVER)

static unsigned
get_panel_number(FmLimitsPopover *popover)
{
    guint selected = gtk_drop_down_get_selected(popover->panels);

    return selected < popover->numbers->len ? g_array_index(popover->numbers, guint, selected) : 0;
}

static const FmAxis *
get_axis(FmLimitsPopover *popover, unsigned limit)
{
    const FmFigure *figure = fm_figure_canvas_get_figure(popover->canvas);

    if (figure == NULL || popover->numbers->len == 0) {
        return NULL;
    }
    const FmPanel *panel = g_ptr_array_index(figure->panels, get_panel_number(popover));
    return limit == X_MIN || limit == X_MAX ? &panel->x : &panel->y;
}

static double
get_limit(const FmView *view, unsigned limit)
{
    const double limits[N_LIMITS] = {view->x.min, view->x.max, view->y.min, view->y.max};

    return limits[limit];
}

/* --- Filling it in ----------------------------------------------------------------------- */

static char *
dup_title(const FmAxis *axis, unsigned limit)
{
    const char *title = axis->title != NULL ? axis->title : "";
    const char *symbol = fm_axis_unit_get_symbol(axis->unit);
    const char *edge = limit == X_MIN || limit == Y_MIN ? _("from") : _("to");

    return *symbol != '\0' ? g_strdup_printf("%s, %s (%s)", title, edge, symbol)
                           : g_strdup_printf("%s, %s", title, edge);
}

static void
show_limit(FmLimitsPopover *popover, unsigned limit)
{
    const FmAxis *axis = get_axis(popover, limit);
    const FmView *view = fm_figure_canvas_get_view(popover->canvas);
    bool is_number = axis != NULL && axis->scale != FM_SCALE_CATEGORY;
    bool is_y = limit == Y_MIN || limit == Y_MAX;
    bool is_set = is_number && (!is_y || view->panel == get_panel_number(popover));

    gtk_widget_set_visible(popover->entries[limit], is_number);
    gtk_widget_set_visible(popover->titles[limit], is_number);
    if (!is_number) {
        return;
    }
    g_autofree char *title = dup_title(axis, limit);
    g_autofree char *text =
        fm_axis_unit_dup_text(axis->unit, is_set ? get_limit(view, limit) : NAN);
    gtk_label_set_text(GTK_LABEL(popover->titles[limit]), title);
    gtk_editable_set_text(GTK_EDITABLE(popover->entries[limit]), text);
    gtk_accessible_update_property(GTK_ACCESSIBLE(popover->entries[limit]),
                                   GTK_ACCESSIBLE_PROPERTY_LABEL, title, -1);
}

static void
show_limits(FmLimitsPopover *popover)
{
    for (unsigned i = 0; i < N_LIMITS; i++) {
        show_limit(popover, i);
    }
    fm_form_set_error(popover->error, NULL);
}

/* The panels whose y axis can be meant. */
static void
list_panels(FmLimitsPopover *popover)
{
    const FmFigure *figure = fm_figure_canvas_get_figure(popover->canvas);
    unsigned shown = fm_figure_canvas_get_view(popover->canvas)->panel;
    g_autoptr(GtkStringList) names = gtk_string_list_new(NULL);
    guint selected = 0;

    g_array_set_size(popover->numbers, 0);
    for (guint i = 0; figure != NULL && i < figure->panels->len; i++) {
        const FmPanel *panel = g_ptr_array_index(figure->panels, i);
        if (panel->table != NULL) {
            continue;
        }
        selected = i == shown ? popover->numbers->len : selected;
        g_array_append_val(popover->numbers, i);
        const char *title = panel->title != NULL ? panel->title : panel->y.title;
        gtk_string_list_append(names, title != NULL ? title : "");
    }
    gtk_drop_down_set_model(popover->panels, G_LIST_MODEL(names));
    gtk_drop_down_set_selected(popover->panels, selected);
    gtk_widget_set_visible(popover->panels_row, popover->numbers->len > 1);
}

static void
fm_limits_popover_show(GtkWidget *widget)
{
    FmLimitsPopover *popover = FM_LIMITS_POPOVER(widget);

    list_panels(popover);
    show_limits(popover);
    GTK_WIDGET_CLASS(fm_limits_popover_parent_class)->show(widget);
}

/* --- Taking it over ---------------------------------------------------------------------- */

static bool
read_limits(FmLimitsPopover *popover, FmView *view, GError **error)
{
    double *const limits[N_LIMITS] = {&view->x.min, &view->x.max, &view->y.min, &view->y.max};

    for (unsigned i = 0; i < N_LIMITS; i++) {
        const FmAxis *axis = get_axis(popover, i);
        const char *text = gtk_editable_get_text(GTK_EDITABLE(popover->entries[i]));
        if (axis == NULL || axis->scale == FM_SCALE_CATEGORY) {
            continue;
        }
        if (!fm_axis_unit_parse(axis->unit, text, limits[i], error)) {
            gtk_widget_grab_focus(popover->entries[i]);
            return false;
        }
    }
    if (view->x.min >= view->x.max || view->y.min >= view->y.max) {
        fm_error_set(error, FM_ERROR_INVALID, "An axis must end above where it begins.");
        return false;
    }
    return true;
}

static void
apply_cb(FmLimitsPopover *popover)
{
    FmView view = *fm_figure_canvas_get_view(popover->canvas);
    g_autoptr(GError) error = NULL;

    if (view.panel != get_panel_number(popover)) {
        view.panel = get_panel_number(popover);
        view.y.is_toggled = false;
    }
    if (!read_limits(popover, &view, &error)) {
        g_autofree char *sentence = fm_error_dup_local(error);
        fm_form_set_error(popover->error, sentence);
        return;
    }
    fm_figure_canvas_set_view(popover->canvas, &view);
    gtk_popover_popdown(GTK_POPOVER(popover));
}

static void
clear_cb(FmLimitsPopover *popover)
{
    for (unsigned i = 0; i < N_LIMITS; i++) {
        gtk_editable_set_text(GTK_EDITABLE(popover->entries[i]), "");
    }
    apply_cb(popover);
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
fm_limits_popover_finalize(GObject *object)
{
    g_array_unref(FM_LIMITS_POPOVER(object)->numbers);
    G_OBJECT_CLASS(fm_limits_popover_parent_class)->finalize(object);
}

static void
fm_limits_popover_class_init(FmLimitsPopoverClass *klass)
{
    G_OBJECT_CLASS(klass)->finalize = fm_limits_popover_finalize;
    GTK_WIDGET_CLASS(klass)->show = fm_limits_popover_show;
}

static void
add_entries(FmLimitsPopover *popover, GtkWidget *grid)
{
    for (int i = 0; i < N_LIMITS; i++) {
        GtkWidget *entry = gtk_entry_new();
        popover->titles[i] = gtk_label_new(NULL);
        popover->entries[i] = entry;
        gtk_label_set_xalign(GTK_LABEL(popover->titles[i]), 0);
        gtk_editable_set_width_chars(GTK_EDITABLE(entry), ENTRY_CHARS);
        gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _("automatic"));
        gtk_widget_add_css_class(entry, "numeric");
        g_signal_connect_swapped(entry, "activate", G_CALLBACK(apply_cb), popover);
        gtk_grid_attach(GTK_GRID(grid), popover->titles[i], 0, i, 1, 1);
        gtk_grid_attach(GTK_GRID(grid), entry, 1, i, 1, 1);
    }
}

static void
add_panels(FmLimitsPopover *popover, GtkWidget *box)
{
    GtkWidget *title = gtk_label_new(_("Panel"));

    popover->panels = GTK_DROP_DOWN(gtk_drop_down_new(NULL, NULL));
    popover->panels_row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    gtk_widget_set_hexpand(GTK_WIDGET(popover->panels), TRUE);
    fm_form_name_choice(GTK_WIDGET(popover->panels), _("Panel"));
    gtk_box_append(GTK_BOX(popover->panels_row), title);
    gtk_box_append(GTK_BOX(popover->panels_row), GTK_WIDGET(popover->panels));
    gtk_box_append(GTK_BOX(box), popover->panels_row);
    g_signal_connect_swapped(popover->panels, "notify::selected", G_CALLBACK(show_limits), popover);
}

static void
fm_limits_popover_init(FmLimitsPopover *popover)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    GtkWidget *grid = fm_form_new();
    GtkWidget *errors = fm_form_new();
    GtkWidget *buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SMALL_SPACING);
    GtkWidget *clear = gtk_button_new_with_mnemonic(_("_Show all"));
    GtkWidget *apply = gtk_button_new_with_mnemonic(_("_Apply"));

    popover->numbers = g_array_new(FALSE, FALSE, sizeof(guint));
    gtk_widget_add_css_class(box, "limits");
    add_panels(popover, box);
    add_entries(popover, grid);
    popover->error = fm_form_add_error(errors);
    gtk_box_append(GTK_BOX(box), grid);
    gtk_box_append(GTK_BOX(box), errors);
    gtk_widget_set_halign(buttons, GTK_ALIGN_END);
    gtk_box_append(GTK_BOX(buttons), clear);
    gtk_box_append(GTK_BOX(buttons), apply);
    gtk_box_append(GTK_BOX(box), buttons);
    g_signal_connect_swapped(clear, "clicked", G_CALLBACK(clear_cb), popover);
    g_signal_connect_swapped(apply, "clicked", G_CALLBACK(apply_cb), popover);
    gtk_popover_set_child(GTK_POPOVER(popover), box);
}

GtkWidget *
fm_limits_popover_new(FmFigureCanvas *canvas)
{
    FmLimitsPopover *popover = g_object_new(FM_TYPE_LIMITS_POPOVER, NULL);

    popover->canvas = canvas;
    return GTK_WIDGET(popover);
}
