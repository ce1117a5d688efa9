/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Actions carry the work; buttons, context menu and keys all lead to them.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-view.h"

#include "ui/data-window.h"
#include "ui/figure-canvas.h"
#include "ui/figure-output.h"
#include "ui/limits-popover.h"

#include <glib/gi18n.h>
#include <math.h>

enum { SPACING = 6 };

struct _FmFigureView {
    GtkWidget parent_instance;
    GtkWidget *message; /* label in place of the canvas */
    FmFigureCanvas *canvas;
    GtkWidget *tools; /* the row below */
    GtkLabel *words; /* what is read, or what was done */
    GtkWidget *reset; /* button */
    GtkMenuButton *limits;
    GtkWidget *menu; /* context menu */
    char *told; /* what was done last, or NULL */
    char *stem;
};

enum { PROP_0, PROP_LOG_X, PROP_LOG_Y, N_PROPS };
static GParamSpec *props[N_PROPS];

G_DEFINE_FINAL_TYPE(FmFigureView, fm_figure_view, GTK_TYPE_WIDGET)

/* --- What is shown beside the figure ----------------------------------------------------- */

static void
set_words(FmFigureView *view, const char *reading)
{
    bool is_frozen = reading != NULL && fm_figure_canvas_is_frozen(view->canvas);
    g_autofree char *frozen =
        is_frozen ? g_strdup_printf(_("%s (held while you read)"), reading) : NULL;
    const char *words = is_frozen ? frozen : reading != NULL ? reading : view->told;

    gtk_label_set_text(view->words, words != NULL ? words : "");
}

static void
tell(GtkWidget *widget, const char *sentence, bool is_error)
{
    FmFigureView *view = FM_FIGURE_VIEW(widget);

    g_free(view->told);
    view->told = g_strdup(sentence);
    if (is_error) {
        gtk_widget_add_css_class(GTK_WIDGET(view->words), "error");
    } else {
        gtk_widget_remove_css_class(GTK_WIDGET(view->words), "error");
    }
    set_words(view, NULL);
}

static void
reading_cb(FmFigureCanvas *canvas, const char *reading, gpointer user_data)
{
    FmFigureView *view = FM_FIGURE_VIEW(user_data);

    if (reading != NULL) {
        gtk_widget_remove_css_class(GTK_WIDGET(view->words), "error");
        g_clear_pointer(&view->told, g_free);
    }
    set_words(view, reading);
}

/* --- Axes -------------------------------------------------------------------------------- */

/* The panel whose y axis is meant; NULL where no panel has axes. */
static const FmPanel *
get_panel(FmFigureView *view)
{
    const FmFigure *figure = fm_figure_canvas_get_figure(view->canvas);
    guint from = fm_figure_canvas_get_view(view->canvas)->panel;

    for (guint i = 0; figure != NULL && i < figure->panels->len; i++) {
        const FmPanel *panel = g_ptr_array_index(figure->panels, (from + i) % figure->panels->len);
        if (panel->table == NULL) {
            return panel;
        }
    }
    return NULL;
}

static bool
can_toggle(const FmAxis *axis)
{
    return !axis->is_scale_fixed &&
           (axis->scale == FM_SCALE_LINEAR || axis->scale == FM_SCALE_LOG10);
}

static bool
is_log(const FmAxis *axis, const FmAxisView *view)
{
    return (axis->scale == FM_SCALE_LOG10) != view->is_toggled;
}

static void
set_log(FmFigureView *view, bool is_x, bool log)
{
    const FmPanel *panel = get_panel(view);
    FmView seen = *fm_figure_canvas_get_view(view->canvas);
    FmAxisView *axis_view = is_x ? &seen.x : &seen.y;
    const FmAxis *axis = panel == NULL ? NULL : is_x ? &panel->x : &panel->y;

    if (axis == NULL || !can_toggle(axis) || is_log(axis, axis_view) == log) {
        return;
    }
    axis_view->is_toggled = !axis_view->is_toggled;
    /* A limit of 0 can't be kept on a log axis. */
    axis_view->min = axis_view->max = NAN;
    fm_figure_canvas_set_view(view->canvas, &seen);
}

static bool
is_zoomed(const FmView *view)
{
    return isfinite(view->x.min) || isfinite(view->x.max) || isfinite(view->y.min) ||
           isfinite(view->y.max);
}

static void
update_actions(FmFigureView *view)
{
    GtkWidget *widget = GTK_WIDGET(view);
    const FmPanel *panel = get_panel(view);
    bool has_figure = fm_figure_canvas_get_figure(view->canvas) != NULL;
    static const char *const always[] = {"figure.copy-image", "figure.copy-data",
                                         "figure.copy-text", "figure.save", "figure.show-data"};

    for (gsize i = 0; i < G_N_ELEMENTS(always); i++) {
        gtk_widget_action_set_enabled(widget, always[i], has_figure);
    }
    gtk_widget_action_set_enabled(widget, "figure.show-limits", panel != NULL);
    gtk_widget_action_set_enabled(widget, "figure.log-x", panel != NULL && can_toggle(&panel->x));
    gtk_widget_action_set_enabled(widget, "figure.log-y", panel != NULL && can_toggle(&panel->y));
    bool can_reset = is_zoomed(fm_figure_canvas_get_view(view->canvas));
    gtk_widget_action_set_enabled(widget, "figure.reset", can_reset);
    gtk_widget_set_visible(view->reset, can_reset);
    gtk_widget_set_visible(GTK_WIDGET(view->limits), panel != NULL);
}

static void
view_changed_cb(FmFigureCanvas *canvas, gpointer user_data)
{
    FmFigureView *view = FM_FIGURE_VIEW(user_data);

    update_actions(view);
    g_object_notify_by_pspec(G_OBJECT(view), props[PROP_LOG_X]);
    g_object_notify_by_pspec(G_OBJECT(view), props[PROP_LOG_Y]);
}

/* --- Actions ----------------------------------------------------------------------------- */

static void
put_out(GtkWidget *widget, const char *action, GVariant *parameter)
{
    FmFigureView *view = FM_FIGURE_VIEW(widget);
    const FmFigureOutput output = {
        .widget = widget,
        .figure = fm_figure_canvas_get_figure(view->canvas),
        .view = fm_figure_canvas_get_view(view->canvas),
        .stem = view->stem,
        .told = tell,
    };
    static const struct {
        const char *action;
        void (*put)(const FmFigureOutput *output);
    } ways[] = {
        {"figure.copy-image", fm_figure_copy_image},
        {"figure.copy-data", fm_figure_copy_data},
        {"figure.copy-text", fm_figure_copy_text},
        {"figure.save", fm_figure_save},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        if (g_str_equal(action, ways[i].action) && output.figure != NULL) {
            ways[i].put(&output);
        }
    }
}

static void
show_data(GtkWidget *widget, const char *action, GVariant *parameter)
{
    FmFigureView *view = FM_FIGURE_VIEW(widget);
    FmFigure *figure = fm_figure_canvas_get_figure(view->canvas);

    if (figure != NULL) {
        gtk_window_present(
            GTK_WINDOW(fm_data_window_new(GTK_WINDOW(gtk_widget_get_root(widget)), figure)));
    }
}

static void
show_limits(GtkWidget *widget, const char *action, GVariant *parameter)
{
    gtk_menu_button_popup(FM_FIGURE_VIEW(widget)->limits);
}

static void
reset(GtkWidget *widget, const char *action, GVariant *parameter)
{
    FmFigureView *view = FM_FIGURE_VIEW(widget);
    FmView whole = fm_view_whole;

    whole.x.is_toggled = fm_figure_canvas_get_view(view->canvas)->x.is_toggled;
    whole.y.is_toggled = fm_figure_canvas_get_view(view->canvas)->y.is_toggled;
    fm_figure_canvas_set_view(view->canvas, &whole);
    /* The button that was pressed is gone now. */
    gtk_widget_grab_focus(GTK_WIDGET(view->canvas));
}

/* --- Menu -------------------------------------------------------------------------------- */

static GMenuModel *
new_menu(void)
{
    GMenu *menu = g_menu_new();
    g_autoptr(GMenu) copy = g_menu_new();
    g_autoptr(GMenu) save = g_menu_new();
    g_autoptr(GMenu) axes = g_menu_new();

    g_menu_append(copy, _("Copy image"), "figure.copy-image");
    g_menu_append(copy, _("Copy data as CSV"), "figure.copy-data");
    g_menu_append(copy, _("Copy as text"), "figure.copy-text");
    g_menu_append(save, _("Save as…"), "figure.save");
    g_menu_append(save, _("Show data table"), "figure.show-data");
    g_menu_append(axes, _("Logarithmic x axis"), "figure.log-x");
    g_menu_append(axes, _("Logarithmic y axis"), "figure.log-y");
    g_menu_append(axes, _("Axis limits…"), "figure.show-limits");
    g_menu_append(axes, _("Show all"), "figure.reset");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(copy));
    g_menu_append_section(menu, NULL, G_MENU_MODEL(save));
    g_menu_append_section(menu, NULL, G_MENU_MODEL(axes));
    return G_MENU_MODEL(menu);
}

static void
popup_menu_at(FmFigureView *view, double x, double y)
{
    if (view->menu == NULL) {
        g_autoptr(GMenuModel) model = new_menu();
        view->menu = gtk_popover_menu_new_from_model(model);
        gtk_popover_set_has_arrow(GTK_POPOVER(view->menu), FALSE);
        gtk_widget_set_halign(view->menu, GTK_ALIGN_START);
        gtk_widget_set_parent(view->menu, GTK_WIDGET(view));
    }
    gtk_popover_set_pointing_to(GTK_POPOVER(view->menu), &(GdkRectangle){(int)x, (int)y, 1, 1});
    gtk_popover_popup(GTK_POPOVER(view->menu));
}

static void
menu_cb(FmFigureCanvas *canvas, double x, double y, gpointer user_data)
{
    double at_x;
    double at_y;

    if (gtk_widget_translate_coordinates(GTK_WIDGET(canvas), GTK_WIDGET(user_data), x, y, &at_x,
                                         &at_y)) {
        popup_menu_at(FM_FIGURE_VIEW(user_data), at_x, at_y);
    }
}

static gboolean
menu_key_cb(GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
    enum { INSET = 24 };

    popup_menu_at(FM_FIGURE_VIEW(widget), INSET, INSET);
    return TRUE;
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
fm_figure_view_get_property(GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
    FmFigureView *view = FM_FIGURE_VIEW(object);
    const FmPanel *panel = get_panel(view);
    const FmView *seen = fm_figure_canvas_get_view(view->canvas);

    switch (id) {
    case PROP_LOG_X:
        g_value_set_boolean(value, panel != NULL && is_log(&panel->x, &seen->x));
        break;
    case PROP_LOG_Y:
        g_value_set_boolean(value, panel != NULL && is_log(&panel->y, &seen->y));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void
fm_figure_view_set_property(GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
    switch (id) {
    case PROP_LOG_X:
    case PROP_LOG_Y:
        set_log(FM_FIGURE_VIEW(object), id == PROP_LOG_X, g_value_get_boolean(value));
        break;
    default:
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, pspec);
    }
}

static void
fm_figure_view_dispose(GObject *object)
{
    FmFigureView *view = FM_FIGURE_VIEW(object);

    g_clear_pointer(&view->menu, gtk_widget_unparent);
    g_clear_pointer(&view->message, gtk_widget_unparent);
    if (view->canvas != NULL) {
        gtk_widget_unparent(GTK_WIDGET(view->canvas));
        view->canvas = NULL;
    }
    g_clear_pointer(&view->tools, gtk_widget_unparent);
    g_clear_pointer(&view->told, g_free);
    g_clear_pointer(&view->stem, g_free);
    G_OBJECT_CLASS(fm_figure_view_parent_class)->dispose(object);
}

static void
install_actions(GtkWidgetClass *klass)
{
    static const char *const outputs[] = {"figure.copy-image", "figure.copy-data",
                                          "figure.copy-text", "figure.save"};

    for (gsize i = 0; i < G_N_ELEMENTS(outputs); i++) {
        gtk_widget_class_install_action(klass, outputs[i], NULL, put_out);
    }
    gtk_widget_class_install_action(klass, "figure.show-data", NULL, show_data);
    gtk_widget_class_install_action(klass, "figure.show-limits", NULL, show_limits);
    gtk_widget_class_install_action(klass, "figure.reset", NULL, reset);
    gtk_widget_class_install_property_action(klass, "figure.log-x", "log-x");
    gtk_widget_class_install_property_action(klass, "figure.log-y", "log-y");

    const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
    gtk_widget_class_add_binding_action(klass, GDK_KEY_c, GDK_CONTROL_MASK, "figure.copy-image",
                                        NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_c, both, "figure.copy-data", NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_s, GDK_CONTROL_MASK, "figure.save", NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_t, GDK_CONTROL_MASK, "figure.show-data",
                                        NULL);
    gtk_widget_class_add_binding_action(klass, GDK_KEY_l, GDK_CONTROL_MASK, "figure.log-y", NULL);
    gtk_widget_class_add_binding(klass, GDK_KEY_F10, GDK_SHIFT_MASK, menu_key_cb, NULL);
    gtk_widget_class_add_binding(klass, GDK_KEY_Menu, 0, menu_key_cb, NULL);
}

static void
fm_figure_view_class_init(FmFigureViewClass *klass)
{
    GObjectClass *object_class = G_OBJECT_CLASS(klass);
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);
    const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

    object_class->get_property = fm_figure_view_get_property;
    object_class->set_property = fm_figure_view_set_property;
    object_class->dispose = fm_figure_view_dispose;
    props[PROP_LOG_X] = g_param_spec_boolean("log-x", NULL, NULL, FALSE, flags);
    props[PROP_LOG_Y] = g_param_spec_boolean("log-y", NULL, NULL, FALSE, flags);
    g_object_class_install_properties(object_class, N_PROPS, props);
    install_actions(widget_class);
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BOX_LAYOUT);
    gtk_widget_class_set_css_name(widget_class, "figure-view");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
add_tool(FmFigureView *view, const char *icon, const char *title, const char *action)
{
    GtkWidget *button = gtk_button_new_from_icon_name(icon);

    gtk_button_set_has_frame(GTK_BUTTON(button), FALSE);
    gtk_widget_set_tooltip_text(button, title);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                   -1);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    gtk_box_append(GTK_BOX(view->tools), button);
    return button;
}

static GtkMenuButton *
add_menu_tool(FmFigureView *view, const char *icon, const char *title)
{
    GtkWidget *button = gtk_menu_button_new();

    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), icon);
    gtk_menu_button_set_has_frame(GTK_MENU_BUTTON(button), FALSE);
    gtk_widget_set_tooltip_text(button, title);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                   -1);
    gtk_box_append(GTK_BOX(view->tools), button);
    return GTK_MENU_BUTTON(button);
}

static void
create_limits_cb(GtkMenuButton *button, gpointer user_data)
{
    if (gtk_menu_button_get_popover(button) == NULL) {
        gtk_menu_button_set_popover(button,
                                    fm_limits_popover_new(FM_FIGURE_VIEW(user_data)->canvas));
    }
}

static void
add_tools(FmFigureView *view)
{
    g_autoptr(GMenuModel) model = new_menu();

    view->tools = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_add_css_class(view->tools, "figure-tools");
    view->words =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, "xalign", 0.0,
                     "hexpand", TRUE, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, NULL);
    gtk_widget_add_css_class(GTK_WIDGET(view->words), "numeric");
    gtk_widget_set_margin_start(GTK_WIDGET(view->words), SPACING);
    gtk_box_append(GTK_BOX(view->tools), GTK_WIDGET(view->words));
    view->reset = add_tool(view, "zoom-original-symbolic", _("Show all"), "figure.reset");
    view->limits = add_menu_tool(view, "preferences-other-symbolic", _("Axis limits"));
    gtk_menu_button_set_create_popup_func(view->limits, create_limits_cb, view, NULL);
    add_tool(view, "x-office-spreadsheet-symbolic", _("Show data table"), "figure.show-data");
    add_tool(view, "edit-copy-symbolic", _("Copy image"), "figure.copy-image");
    add_tool(view, "document-save-as-symbolic", _("Save as…"), "figure.save");
    gtk_menu_button_set_menu_model(
        add_menu_tool(view, "view-more-symbolic", _("More about this figure")), model);
    gtk_widget_set_parent(view->tools, GTK_WIDGET(view));
}

static void
fm_figure_view_init(FmFigureView *view)
{
    GtkWidget *widget = GTK_WIDGET(view);
    GtkLayoutManager *layout = gtk_widget_get_layout_manager(widget);

    gtk_orientable_set_orientation(GTK_ORIENTABLE(layout), GTK_ORIENTATION_VERTICAL);
    view->message = gtk_label_new(NULL);
    gtk_label_set_wrap(GTK_LABEL(view->message), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(view->message), PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_vexpand(view->message, TRUE);
    gtk_widget_add_css_class(view->message, "dim-label");
    gtk_widget_set_visible(view->message, FALSE);
    gtk_widget_set_parent(view->message, widget);
    view->canvas = FM_FIGURE_CANVAS(fm_figure_canvas_new());
    gtk_widget_set_parent(GTK_WIDGET(view->canvas), widget);
    g_signal_connect(view->canvas, "reading", G_CALLBACK(reading_cb), view);
    g_signal_connect(view->canvas, "view-changed", G_CALLBACK(view_changed_cb), view);
    g_signal_connect(view->canvas, "menu", G_CALLBACK(menu_cb), view);
    add_tools(view);
    update_actions(view);
}

GtkWidget *
fm_figure_view_new(void)
{
    return g_object_new(FM_TYPE_FIGURE_VIEW, NULL);
}

static void
show_canvas(FmFigureView *view, bool is_canvas)
{
    gtk_widget_set_visible(GTK_WIDGET(view->canvas), is_canvas);
    gtk_widget_set_visible(view->tools, is_canvas);
    gtk_widget_set_visible(view->message, !is_canvas);
}

void
fm_figure_view_set_figure(FmFigureView *view, FmFigure *figure)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    fm_figure_canvas_set_figure(view->canvas, figure);
    show_canvas(view, true);
    update_actions(view);
}

FmFigure *
fm_figure_view_get_figure(FmFigureView *view)
{
    g_return_val_if_fail(FM_IS_FIGURE_VIEW(view), NULL);
    return fm_figure_canvas_get_figure(view->canvas);
}

void
fm_figure_view_set_live(FmFigureView *view, bool is_live)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    fm_figure_canvas_set_live(view->canvas, is_live);
}

void
fm_figure_view_set_fills(FmFigureView *view, bool fills)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    fm_figure_canvas_set_fills(view->canvas, fills);
}

void
fm_figure_view_set_stem(FmFigureView *view, const char *stem)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    g_free(view->stem);
    view->stem = g_strdup(stem);
}

void
fm_figure_view_set_message(FmFigureView *view, const char *sentence)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    gtk_label_set_text(GTK_LABEL(view->message), sentence);
    fm_figure_canvas_set_figure(view->canvas, NULL);
    show_canvas(view, false);
}

void
fm_figure_view_drop(FmFigureView *view)
{
    g_return_if_fail(FM_IS_FIGURE_VIEW(view));
    fm_figure_paintable_drop(fm_figure_canvas_get_paintable(view->canvas));
}
