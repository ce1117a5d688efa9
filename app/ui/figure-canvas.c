/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Coordinates of the layout are points from the figure's corner; those of events and of
 * drawing are pixels of the widget.  to_points() is the only way from one to the other.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-canvas.h"

#include "ui/figure-overlay.h"
#include "ui/figure-reader.h"

#include <math.h>

enum {
    MIN_WIDTH = 240, /* pixels */
    NATURAL_WIDTH = 720,
    MAX_WIDTH = 1080, /* wider, a figure of its own shape would not fit on a screen */
    MIN_HEIGHT = 140,
    DRAG_MIN = 6, /* pixels: less is a click */
    MOVE_MIN = 2, /* and less is a hand at rest */
};

#define ZOOM_STEP 0.8
#define PAN_STEP 0.1

struct _FmFigureCanvas {
    GtkWidget parent_instance;
    FmFigurePaintable *paintable;
    bool is_live;
    bool fills;

    int width; /* as allocated last */
    int height;

    FmFigure *next; /* live: waits to be shown */
    gint64 shown_us; /* when the last one was */
    guint timer; /* shows the next one; 0 = none */

    double pointer[2]; /* where it was last, on the surface */
    bool is_reading; /* `reading` and `text` mean something */
    FmReading reading;
    char *text;
    FmFigureReader reader; /* keyboard */

    bool is_dragging;
    double drag_from[2]; /* pixels */
    double drag_to[2];
};

enum { READING, VIEW_CHANGED, MENU, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmFigureCanvas, fm_figure_canvas, GTK_TYPE_WIDGET)

/* --- Places ------------------------------------------------------------------------------ */

static int
get_figure_width(FmFigureCanvas *canvas)
{
    int width = gtk_widget_get_width(GTK_WIDGET(canvas));

    return canvas->fills ? width : MIN(width, MAX_WIDTH);
}

static int
get_left(FmFigureCanvas *canvas)
{
    return (gtk_widget_get_width(GTK_WIDGET(canvas)) - get_figure_width(canvas)) / 2;
}

static const FmLayout *
get_layout(FmFigureCanvas *canvas)
{
    return fm_figure_paintable_get_layout(canvas->paintable, get_figure_width(canvas),
                                          gtk_widget_get_height(GTK_WIDGET(canvas)));
}

static double
get_scale(FmFigureCanvas *canvas)
{
    return fm_figure_paintable_get_scale(canvas->paintable, get_figure_width(canvas));
}

static void
to_points(FmFigureCanvas *canvas, const double pixels[2], double points[2])
{
    double scale = get_scale(canvas);

    points[0] = (pixels[0] - get_left(canvas)) / scale;
    points[1] = pixels[1] / scale;
}

/* --- Accessible text --------------------------------------------------------------------- */

static void
describe(FmFigureCanvas *canvas)
{
    const FmFigure *figure = fm_figure_paintable_get_figure(canvas->paintable);
    const char *title = figure != NULL && figure->title != NULL ? figure->title : "";
    const char *alt_text = figure != NULL && figure->alt_text != NULL ? figure->alt_text : "";

    /* What is read by keyboard is said as the description: it is what screen readers tell
     * again when it changes. */
    gtk_accessible_update_property(
        GTK_ACCESSIBLE(canvas), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
        GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
        canvas->reader.is_active && canvas->text != NULL ? canvas->text : alt_text, -1);
}

/* --- Reading ----------------------------------------------------------------------------- */

static void
set_reading(FmFigureCanvas *canvas, const FmReading *reading)
{
    bool was_reading = canvas->is_reading;
    const FmLayout *layout = get_layout(canvas);

    canvas->is_reading = reading != NULL && reading->is_inside && layout != NULL;
    g_clear_pointer(&canvas->text, g_free);
    if (canvas->is_reading) {
        canvas->reading = *reading;
        canvas->text = fm_layout_dup_reading(layout, reading);
    }
    if (!canvas->is_reading && !was_reading) {
        return;
    }
    g_signal_emit(canvas, signals[READING], 0, canvas->text);
    gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

static void
stop_reading(FmFigureCanvas *canvas)
{
    bool was_active = canvas->reader.is_active;

    canvas->reader.is_active = false;
    set_reading(canvas, NULL);
    if (was_active) {
        describe(canvas);
    }
}

static void
read_at(FmFigureCanvas *canvas, double x, double y)
{
    const FmLayout *layout = get_layout(canvas);
    double points[2];

    if (layout == NULL) {
        return;
    }
    to_points(canvas, (double[]){x, y}, points);
    FmReading reading = fm_layout_read(layout, points[0], points[1]);
    canvas->reader.is_active = false;
    set_reading(canvas, &reading);
    gtk_widget_set_cursor_from_name(GTK_WIDGET(canvas),
                                    reading.is_inside ? "crosshair" : "default");
}

/* --- Live figures ------------------------------------------------------------------------ */

static void
show(FmFigureCanvas *canvas, FmFigure *figure)
{
    FmFigure *old = fm_figure_paintable_get_figure(canvas->paintable);

    if (old == figure) {
        return;
    }
    stop_reading(canvas);
    fm_figure_paintable_set_figure(canvas->paintable, figure);
    canvas->shown_us = g_get_monotonic_time();
    describe(canvas);
    /* A live figure keeps its shape; asking for room anew would lay out the window. */
    if (canvas->fills && old != NULL) {
        gtk_widget_queue_draw(GTK_WIDGET(canvas));
    } else {
        gtk_widget_queue_resize(GTK_WIDGET(canvas));
    }
}

static bool
is_being_read(FmFigureCanvas *canvas)
{
    return canvas->is_dragging || canvas->is_reading;
}

static gboolean
show_next_cb(gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    canvas->timer = 0;
    if (canvas->next != NULL && !is_being_read(canvas)) {
        g_autoptr(FmFigure) figure = g_steal_pointer(&canvas->next);
        show(canvas, figure);
    }
    return G_SOURCE_REMOVE;
}

/* As soon as the last one was on screen long enough. */
static void
show_next_in_time(FmFigureCanvas *canvas)
{
    gint64 age_ms = (g_get_monotonic_time() - canvas->shown_us) / 1000;

    if (canvas->next == NULL || canvas->timer != 0 || is_being_read(canvas)) {
        return;
    }
    if (age_ms >= FM_FIGURE_LIVE_INTERVAL_MS) {
        show_next_cb(canvas);
    } else {
        canvas->timer =
            g_timeout_add((guint)(FM_FIGURE_LIVE_INTERVAL_MS - age_ms), show_next_cb, canvas);
    }
}

/* --- Zoom -------------------------------------------------------------------------------- */

static void
reset_view(FmFigureCanvas *canvas)
{
    FmView view = fm_view_whole;

    /* Lin/log is a choice of its own. */
    view.x.is_toggled = fm_figure_paintable_get_view(canvas->paintable)->x.is_toggled;
    view.y.is_toggled = fm_figure_paintable_get_view(canvas->paintable)->y.is_toggled;
    fm_figure_canvas_set_view(canvas, &view);
}

static void
move_view(FmFigureCanvas *canvas, double factor, double shift_x, double shift_y)
{
    const FmLayout *layout = get_layout(canvas);
    FmView view = *fm_figure_paintable_get_view(canvas->paintable);

    if (layout != NULL) {
        fm_layout_move(layout, factor, (double[]){shift_x, shift_y}, &view);
        fm_figure_canvas_set_view(canvas, &view);
    }
}

static void
zoom_to_drag(FmFigureCanvas *canvas)
{
    const FmLayout *layout = get_layout(canvas);
    FmView view = *fm_figure_paintable_get_view(canvas->paintable);
    double from[2];
    double to[2];

    to_points(canvas, canvas->drag_from, from);
    to_points(canvas, canvas->drag_to, to);
    if (layout != NULL && fm_layout_zoom(layout, from, to, &view)) {
        fm_figure_canvas_set_view(canvas, &view);
    }
}

/* --- Events ------------------------------------------------------------------------------ */

/* Whether the pointer itself moved: GTK also tells of it when something below it did. */
static bool
has_moved(FmFigureCanvas *canvas, GtkEventControllerMotion *controller)
{
    GdkEvent *event = gtk_event_controller_get_current_event(GTK_EVENT_CONTROLLER(controller));
    double at[2] = {NAN, NAN};

    if (event != NULL) {
        gdk_event_get_position(event, &at[0], &at[1]);
    }
    double distance = hypot(at[0] - canvas->pointer[0], at[1] - canvas->pointer[1]);
    canvas->pointer[0] = at[0];
    canvas->pointer[1] = at[1];
    return distance >= MOVE_MIN;
}

static void
enter_cb(GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
    has_moved(FM_FIGURE_CANVAS(user_data), controller);
}

static void
motion_cb(GtkEventControllerMotion *controller, double x, double y, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);
    bool moved = has_moved(canvas, controller);

    if (!canvas->is_dragging && (moved || !canvas->reader.is_active)) {
        read_at(canvas, x, y);
    }
}

static void
leave_cb(GtkEventControllerMotion *controller, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    if (!canvas->reader.is_active) {
        stop_reading(canvas);
    }
    show_next_in_time(canvas);
}

static void
drag_begin_cb(GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    gtk_widget_grab_focus(GTK_WIDGET(canvas));
    canvas->drag_from[0] = x;
    canvas->drag_from[1] = y;
}

static void
drag_update_cb(GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    if (!canvas->is_dragging && hypot(x, y) < DRAG_MIN) {
        return;
    }
    if (!canvas->is_dragging) {
        canvas->is_dragging = true;
        gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
        stop_reading(canvas);
    }
    canvas->drag_to[0] = canvas->drag_from[0] + x;
    canvas->drag_to[1] = canvas->drag_from[1] + y;
    gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

static void
drag_end_cb(GtkGestureDrag *gesture, double x, double y, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    if (canvas->is_dragging) {
        canvas->is_dragging = false;
        zoom_to_drag(canvas);
        gtk_widget_queue_draw(GTK_WIDGET(canvas));
        show_next_in_time(canvas);
    }
}

static void
cancel_drag(FmFigureCanvas *canvas)
{
    canvas->is_dragging = false;
    gtk_widget_queue_draw(GTK_WIDGET(canvas));
}

static void
pressed_cb(GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
    if (n_press == 2) {
        reset_view(FM_FIGURE_CANVAS(user_data));
    }
}

static void
menu_pressed_cb(GtkGestureClick *gesture, int n_press, double x, double y, gpointer user_data)
{
    gtk_gesture_set_state(GTK_GESTURE(gesture), GTK_EVENT_SEQUENCE_CLAIMED);
    g_signal_emit(user_data, signals[MENU], 0, x, y);
}

static gboolean
scroll_cb(GtkEventControllerScroll *controller, double dx, double dy, gpointer user_data)
{
    GdkModifierType state =
        gtk_event_controller_get_current_event_state(GTK_EVENT_CONTROLLER(controller));

    if ((state & GDK_CONTROL_MASK) == 0 || dy == 0) {
        return FALSE; /* the page scrolls */
    }
    move_view(FM_FIGURE_CANVAS(user_data), dy < 0 ? ZOOM_STEP : 1 / ZOOM_STEP, 0, 0);
    return TRUE;
}

/* Moves what is read; false when there is nothing to read that way. */
static bool
step_reading(FmFigureCanvas *canvas, guint key, bool is_fine)
{
    const FmLayout *layout = get_layout(canvas);
    const FmFigure *figure = fm_figure_paintable_get_figure(canvas->paintable);
    FmReading reading;

    if (layout == NULL) {
        return false;
    }
    FmReaderStep step = key == GDK_KEY_Left    ? FM_READER_PREVIOUS
                        : key == GDK_KEY_Right ? FM_READER_NEXT
                        : key == GDK_KEY_Up    ? FM_READER_PREVIOUS_SERIES
                                               : FM_READER_NEXT_SERIES;
    if (!fm_figure_reader_step(&canvas->reader, figure, layout, &(FmReaderMove){step, is_fine},
                               &reading)) {
        return canvas->reader.is_active && (key == GDK_KEY_Left || key == GDK_KEY_Right);
    }
    set_reading(canvas, &reading);
    describe(canvas);
    return true;
}

static bool
pan(FmFigureCanvas *canvas, guint key)
{
    double x = key == GDK_KEY_Left ? -PAN_STEP : key == GDK_KEY_Right ? PAN_STEP : 0;
    double y = key == GDK_KEY_Down ? -PAN_STEP : key == GDK_KEY_Up ? PAN_STEP : 0;

    move_view(canvas, 1, x, y);
    return true;
}

static bool
is_arrow(guint key)
{
    return key == GDK_KEY_Left || key == GDK_KEY_Right || key == GDK_KEY_Up || key == GDK_KEY_Down;
}

static guint
without_keypad(guint key)
{
    switch (key) {
    case GDK_KEY_KP_Left:
        return GDK_KEY_Left;
    case GDK_KEY_KP_Right:
        return GDK_KEY_Right;
    case GDK_KEY_KP_Up:
        return GDK_KEY_Up;
    case GDK_KEY_KP_Down:
        return GDK_KEY_Down;
    default:
        return key;
    }
}

static bool
escape(FmFigureCanvas *canvas)
{
    if (canvas->is_dragging) {
        cancel_drag(canvas);
        return true;
    }
    if (canvas->reader.is_active) {
        stop_reading(canvas);
        show_next_in_time(canvas);
        return true;
    }
    return false;
}

static gboolean
key_cb(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
       gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);
    GdkModifierType modifiers = state & (GDK_CONTROL_MASK | GDK_SHIFT_MASK | GDK_ALT_MASK);

    key = without_keypad(key);
    if ((modifiers & GDK_ALT_MASK) != 0) {
        return FALSE;
    }
    if (is_arrow(key)) {
        return (modifiers & GDK_SHIFT_MASK) != 0
                   ? pan(canvas, key)
                   : step_reading(canvas, key, (modifiers & GDK_CONTROL_MASK) != 0);
    }
    switch (key) {
    case GDK_KEY_plus:
    case GDK_KEY_equal:
    case GDK_KEY_KP_Add:
        move_view(canvas, ZOOM_STEP, 0, 0);
        return TRUE;
    case GDK_KEY_minus:
    case GDK_KEY_KP_Subtract:
        move_view(canvas, 1 / ZOOM_STEP, 0, 0);
        return TRUE;
    case GDK_KEY_0:
    case GDK_KEY_KP_0:
    case GDK_KEY_Home:
    case GDK_KEY_KP_Home:
        reset_view(canvas);
        return TRUE;
    case GDK_KEY_Escape:
        return escape(canvas);
    default:
        return FALSE;
    }
}

static void
focus_leave_cb(GtkEventControllerFocus *controller, gpointer user_data)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(user_data);

    if (canvas->reader.is_active) {
        stop_reading(canvas);
        show_next_in_time(canvas);
    }
}

/* --- Drawing ----------------------------------------------------------------------------- */

static void
fm_figure_canvas_snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(widget);
    int width = get_figure_width(canvas);
    int height = gtk_widget_get_height(widget);

    gtk_snapshot_save(snapshot);
    gtk_snapshot_translate(snapshot, &GRAPHENE_POINT_INIT((float)get_left(canvas), 0));
    gdk_paintable_snapshot(GDK_PAINTABLE(canvas->paintable), snapshot, width, height);
    gtk_snapshot_restore(snapshot);
    const FmFigureOverlay overlay = {
        .widget = widget,
        .theme = fm_figure_paintable_get_theme(canvas->paintable),
        .left = get_left(canvas),
        .width = width,
        .scale = get_scale(canvas),
    };
    if (canvas->is_dragging) {
        fm_figure_overlay_snapshot_drag(&overlay, snapshot, canvas->drag_from, canvas->drag_to);
    } else if (canvas->is_reading) {
        fm_figure_overlay_snapshot_reading(&overlay, snapshot, &canvas->reading, canvas->text);
    }
}

/* --- Widget ------------------------------------------------------------------------------ */

static GtkSizeRequestMode
fm_figure_canvas_get_request_mode(GtkWidget *widget)
{
    return FM_FIGURE_CANVAS(widget)->fills ? GTK_SIZE_REQUEST_CONSTANT_SIZE
                                           : GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
fm_figure_canvas_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                         int *natural, int *minimum_baseline, int *natural_baseline)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(widget);

    *minimum_baseline = *natural_baseline = -1;
    if (orientation == GTK_ORIENTATION_HORIZONTAL) {
        *minimum = MIN_WIDTH;
        *natural = canvas->fills ? NATURAL_WIDTH : MAX_WIDTH;
        return;
    }
    if (canvas->fills) {
        *minimum = MIN_HEIGHT;
        *natural = NATURAL_WIDTH * 9 / 16;
        return;
    }
    int width = for_size > 0 ? CLAMP(for_size, MIN_WIDTH, MAX_WIDTH) : NATURAL_WIDTH;
    int height = fm_figure_paintable_get_natural_height(canvas->paintable, width);
    *minimum = *natural = MAX(height, MIN_HEIGHT);
}

/* What is on screen changed its place, so nothing is read any more. */
static void
fm_figure_canvas_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(widget);

    if (width == canvas->width && height == canvas->height) {
        return;
    }
    canvas->width = width;
    canvas->height = height;
    canvas->is_reading = false;
    canvas->is_dragging = false;
    canvas->reader.is_active = false;
}

/* Follows the window, whatever made it dark. */
static void
fm_figure_canvas_css_changed(GtkWidget *widget, GtkCssStyleChange *change)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(widget);
    GdkRGBA text;

    GTK_WIDGET_CLASS(fm_figure_canvas_parent_class)->css_changed(widget, change);
    gtk_style_context_get_color(gtk_widget_get_style_context(widget), &text);
    bool is_dark = text.red * 0.30 + text.green * 0.59 + text.blue * 0.11 > 0.5;
    fm_figure_paintable_set_theme(canvas->paintable, is_dark ? fm_theme_dark() : fm_theme_light());
}

static void
scale_factor_cb(GtkWidget *widget)
{
    fm_figure_paintable_set_scale_factor(FM_FIGURE_CANVAS(widget)->paintable,
                                         gtk_widget_get_scale_factor(widget));
}

/* Only now it is certain which screen that is. */
static void
fm_figure_canvas_map(GtkWidget *widget)
{
    scale_factor_cb(widget);
    GTK_WIDGET_CLASS(fm_figure_canvas_parent_class)->map(widget);
}

static void
fm_figure_canvas_dispose(GObject *object)
{
    FmFigureCanvas *canvas = FM_FIGURE_CANVAS(object);

    g_clear_handle_id(&canvas->timer, g_source_remove);
    g_clear_object(&canvas->paintable);
    g_clear_pointer(&canvas->next, fm_figure_unref);
    g_clear_pointer(&canvas->text, g_free);
    G_OBJECT_CLASS(fm_figure_canvas_parent_class)->dispose(object);
}

static void
fm_figure_canvas_class_init(FmFigureCanvasClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_figure_canvas_dispose;
    widget_class->snapshot = fm_figure_canvas_snapshot;
    widget_class->get_request_mode = fm_figure_canvas_get_request_mode;
    widget_class->measure = fm_figure_canvas_measure;
    widget_class->size_allocate = fm_figure_canvas_size_allocate;
    widget_class->css_changed = fm_figure_canvas_css_changed;
    widget_class->map = fm_figure_canvas_map;
    gtk_widget_class_set_css_name(widget_class, "figure");
    gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
    signals[READING] = g_signal_new("reading", FM_TYPE_FIGURE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL,
                                    NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[VIEW_CHANGED] = g_signal_new("view-changed", FM_TYPE_FIGURE_CANVAS, G_SIGNAL_RUN_LAST,
                                         0, NULL, NULL, NULL, G_TYPE_NONE, 0);
    signals[MENU] = g_signal_new("menu", FM_TYPE_FIGURE_CANVAS, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 2, G_TYPE_DOUBLE, G_TYPE_DOUBLE);
}

static void
add_pointer(FmFigureCanvas *canvas)
{
    GtkWidget *widget = GTK_WIDGET(canvas);
    GtkEventController *motion = gtk_event_controller_motion_new();
    GtkEventController *scroll =
        gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);
    GtkGesture *drag = gtk_gesture_drag_new();
    GtkGesture *click = gtk_gesture_click_new();
    GtkGesture *menu = gtk_gesture_click_new();

    g_signal_connect(motion, "enter", G_CALLBACK(enter_cb), canvas);
    g_signal_connect(motion, "motion", G_CALLBACK(motion_cb), canvas);
    g_signal_connect(motion, "leave", G_CALLBACK(leave_cb), canvas);
    g_signal_connect(scroll, "scroll", G_CALLBACK(scroll_cb), canvas);
    g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin_cb), canvas);
    g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update_cb), canvas);
    g_signal_connect(drag, "drag-end", G_CALLBACK(drag_end_cb), canvas);
    g_signal_connect(click, "pressed", G_CALLBACK(pressed_cb), canvas);
    gtk_gesture_single_set_button(GTK_GESTURE_SINGLE(menu), GDK_BUTTON_SECONDARY);
    g_signal_connect(menu, "pressed", G_CALLBACK(menu_pressed_cb), canvas);
    gtk_widget_add_controller(widget, motion);
    gtk_widget_add_controller(widget, scroll);
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(drag));
    gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(menu));
}

static void
fm_figure_canvas_init(FmFigureCanvas *canvas)
{
    GtkWidget *widget = GTK_WIDGET(canvas);
    GtkEventController *keys = gtk_event_controller_key_new();
    GtkEventController *focus = gtk_event_controller_focus_new();

    canvas->paintable = fm_figure_paintable_new();
    canvas->pointer[0] = canvas->pointer[1] = NAN; /* the first place is no move */
    g_signal_connect_object(canvas->paintable, "invalidate-contents",
                            G_CALLBACK(gtk_widget_queue_draw), canvas, G_CONNECT_SWAPPED);
    g_signal_connect(canvas, "notify::scale-factor", G_CALLBACK(scale_factor_cb), NULL);
    gtk_widget_set_focusable(widget, TRUE);
    gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN);
    add_pointer(canvas);
    g_signal_connect(keys, "key-pressed", G_CALLBACK(key_cb), canvas);
    gtk_widget_add_controller(widget, keys);
    g_signal_connect(focus, "leave", G_CALLBACK(focus_leave_cb), canvas);
    gtk_widget_add_controller(widget, focus);
}

GtkWidget *
fm_figure_canvas_new(void)
{
    return g_object_new(FM_TYPE_FIGURE_CANVAS, NULL);
}

void
fm_figure_canvas_set_figure(FmFigureCanvas *canvas, FmFigure *figure)
{
    g_return_if_fail(FM_IS_FIGURE_CANVAS(canvas));
    g_clear_pointer(&canvas->next, fm_figure_unref);
    if (figure != NULL && canvas->is_live) {
        canvas->next = fm_figure_ref(figure);
        show_next_in_time(canvas);
        return;
    }
    show(canvas, figure);
}

FmFigure *
fm_figure_canvas_get_figure(FmFigureCanvas *canvas)
{
    g_return_val_if_fail(FM_IS_FIGURE_CANVAS(canvas), NULL);
    return fm_figure_paintable_get_figure(canvas->paintable);
}

FmFigurePaintable *
fm_figure_canvas_get_paintable(FmFigureCanvas *canvas)
{
    g_return_val_if_fail(FM_IS_FIGURE_CANVAS(canvas), NULL);
    return canvas->paintable;
}

void
fm_figure_canvas_set_live(FmFigureCanvas *canvas, bool is_live)
{
    g_return_if_fail(FM_IS_FIGURE_CANVAS(canvas));
    canvas->is_live = is_live;
    if (!is_live && canvas->next != NULL) {
        g_autoptr(FmFigure) figure = g_steal_pointer(&canvas->next);
        show(canvas, figure);
    }
}

bool
fm_figure_canvas_is_frozen(FmFigureCanvas *canvas)
{
    g_return_val_if_fail(FM_IS_FIGURE_CANVAS(canvas), false);
    return canvas->is_live && is_being_read(canvas);
}

void
fm_figure_canvas_set_fills(FmFigureCanvas *canvas, bool fills)
{
    g_return_if_fail(FM_IS_FIGURE_CANVAS(canvas));
    canvas->fills = fills;
    gtk_widget_set_vexpand(GTK_WIDGET(canvas), fills);
    gtk_widget_queue_resize(GTK_WIDGET(canvas));
}

const FmView *
fm_figure_canvas_get_view(FmFigureCanvas *canvas)
{
    g_return_val_if_fail(FM_IS_FIGURE_CANVAS(canvas), NULL);
    return fm_figure_paintable_get_view(canvas->paintable);
}

void
fm_figure_canvas_set_view(FmFigureCanvas *canvas, const FmView *view)
{
    g_return_if_fail(FM_IS_FIGURE_CANVAS(canvas));
    canvas->is_reading = false;
    fm_figure_paintable_set_view(canvas->paintable, view);
    g_signal_emit(canvas, signals[VIEW_CHANGED], 0);
}
