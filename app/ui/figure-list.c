/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A figure that is not built yet takes as much room as most will, so that the scroll bar
 * means something from the start.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/figure-list.h"

#include "base/error.h"
#include "ui/figure-view.h"
#include "ui/form.h"
#include "ui/run-summary.h"

#include <glib/gi18n.h>

enum {
    SPACING = 18,
    SMALL_SPACING = 6,
    EMPTY_HEIGHT = 420, /* pixels of a figure to come */
    TITLE_CHARS = 60,
    MANY = 3, /* from more on there is a list to jump by */
};

#define NEAR 1.0 /* pages beyond the visible one for which figures are built */
#define FAR 3.0 /* and from which on they are not kept drawn */

typedef enum {
    SLOT_EMPTY,
    SLOT_BUILDING,
    SLOT_DONE, /* or failed, and says so */
} SlotState;

typedef struct {
    const FmFigureEntry *entry; /* the run's */
    GtkWidget *place; /* box: a label with the title, then the view */
    FmFigureView *view; /* NULL until the figure is built: a run may have hundreds */
    SlotState state;
} Slot;

struct _FmFigureList {
    GtkWidget parent_instance;
    GtkDropDown *jump;
    GtkWidget *scroll;
    GtkWidget *box;
    FmLoadedRun *loaded;
    char *stem; /* of names of files */
    GArray *slots; /* of Slot */
    GCancellable *cancellable; /* of what is built for this run */
    guint update_idle;
    bool is_building;
};

G_DEFINE_FINAL_TYPE(FmFigureList, fm_figure_list, GTK_TYPE_WIDGET)

static void queue_update(FmFigureList *list);

/* --- Building ---------------------------------------------------------------------------- */

static Slot *
get_slot(FmFigureList *list, guint index)
{
    return &g_array_index(list->slots, Slot, index);
}

/* Puts @child in the place of what was there. */
static void
fill_place(Slot *slot, GtkWidget *child)
{
    GtkWidget *old = gtk_widget_get_first_child(slot->place);

    if (old != NULL) {
        gtk_box_remove(GTK_BOX(slot->place), old);
    }
    gtk_widget_set_hexpand(child, TRUE);
    gtk_box_append(GTK_BOX(slot->place), child);
}

static void
show_figure(FmFigureList *list, Slot *slot, FmFigure *figure, const GError *error)
{
    g_debug("figure %s is built", slot->entry->id);
    slot->state = SLOT_DONE;
    slot->view = FM_FIGURE_VIEW(fm_figure_view_new());
    fm_figure_view_set_stem(slot->view, list->stem);
    if (figure != NULL) {
        fm_figure_view_set_figure(slot->view, figure);
    } else {
        g_autofree char *reason = fm_error_dup_local(error);
        g_autofree char *sentence = g_strdup_printf("%s: %s", slot->entry->title, reason);
        fm_figure_view_set_message(slot->view, sentence);
    }
    gtk_widget_set_size_request(slot->place, -1, -1);
    fill_place(slot, GTK_WIDGET(slot->view));
}

static void
built_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(FmFigureList) list = FM_FIGURE_LIST(user_data);
    g_autoptr(GError) error = NULL;
    g_autoptr(FmFigure) figure = fm_loaded_run_build_finish(result, &error);

    /* Another run is shown by now: its slots are not these. */
    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return;
    }
    list->is_building = false;
    for (guint i = 0; i < list->slots->len; i++) {
        Slot *slot = get_slot(list, i);
        if (slot->state == SLOT_BUILDING) {
            show_figure(list, slot, figure, error);
        }
    }
    queue_update(list);
}

static void
build(FmFigureList *list, Slot *slot)
{
    slot->state = SLOT_BUILDING;
    list->is_building = true;
    fm_loaded_run_build_async(list->loaded, slot->entry->id, list->cancellable, built_cb,
                              g_object_ref(list));
}

/* --- What is in view --------------------------------------------------------------------- */

static GtkAdjustment *
get_adjustment(FmFigureList *list)
{
    return gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(list->scroll));
}

/* How many pages @slot is away from what is seen; 0 = seen. */
static double
get_distance(FmFigureList *list, const Slot *slot)
{
    GtkAdjustment *adjustment = get_adjustment(list);
    double page = gtk_adjustment_get_page_size(adjustment);
    double top = gtk_adjustment_get_value(adjustment);
    graphene_rect_t bounds;

    if (page <= 0 || !gtk_widget_compute_bounds(slot->place, list->box, &bounds)) {
        return G_MAXDOUBLE;
    }
    double above = top - (bounds.origin.y + bounds.size.height);
    double below = bounds.origin.y - (top + page);
    return MAX(MAX(above, below), 0) / page;
}

static gboolean
update_cb(gpointer user_data)
{
    FmFigureList *list = FM_FIGURE_LIST(user_data);
    Slot *nearest = NULL;
    double least = NEAR;

    list->update_idle = 0;
    if (!gtk_widget_get_mapped(GTK_WIDGET(list))) {
        return G_SOURCE_REMOVE;
    }
    for (guint i = 0; i < list->slots->len; i++) {
        Slot *slot = get_slot(list, i);
        double distance = get_distance(list, slot);
        if (slot->state == SLOT_EMPTY && distance < least) {
            nearest = slot;
            least = distance;
        } else if (slot->state == SLOT_DONE && distance > FAR) {
            fm_figure_view_drop(slot->view);
        }
    }
    if (nearest != NULL && !list->is_building) {
        build(list, nearest);
    }
    return G_SOURCE_REMOVE;
}

static void
queue_update(FmFigureList *list)
{
    if (list->update_idle == 0) {
        /* After the window was laid out, and before it waits for anything. */
        list->update_idle = g_idle_add_full(GDK_PRIORITY_REDRAW + 5, update_cb, list, NULL);
    }
}

/* --- Jumping ----------------------------------------------------------------------------- */

static void
jump_cb(FmFigureList *list)
{
    guint index = gtk_drop_down_get_selected(list->jump);
    graphene_rect_t bounds;

    if (index >= list->slots->len) {
        return;
    }
    if (gtk_widget_compute_bounds(get_slot(list, index)->place, list->box, &bounds)) {
        gtk_adjustment_set_value(get_adjustment(list), bounds.origin.y - SMALL_SPACING);
    }
}

static void
fill_jump(FmFigureList *list)
{
    const GPtrArray *entries =
        list->loaded != NULL ? fm_loaded_run_get_entries(list->loaded) : NULL;
    g_autoptr(GtkStringList) titles = gtk_string_list_new(NULL);

    for (guint i = 0; entries != NULL && i < entries->len; i++) {
        const FmFigureEntry *entry = g_ptr_array_index(entries, i);
        gtk_string_list_append(titles, entry->title);
    }
    g_signal_handlers_block_by_func(list->jump, jump_cb, list);
    gtk_drop_down_set_model(list->jump, G_LIST_MODEL(titles));
    g_signal_handlers_unblock_by_func(list->jump, jump_cb, list);
    gtk_widget_set_visible(GTK_WIDGET(list->jump), entries != NULL && entries->len > MANY);
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
clear(FmFigureList *list)
{
    g_cancellable_cancel(list->cancellable);
    g_clear_object(&list->cancellable);
    list->is_building = false;
    g_array_set_size(list->slots, 0);
    for (GtkWidget *child; (child = gtk_widget_get_first_child(list->box)) != NULL;) {
        gtk_box_remove(GTK_BOX(list->box), child);
    }
    g_clear_pointer(&list->stem, g_free);
    g_clear_pointer(&list->loaded, fm_loaded_run_unref);
}

static void
fm_figure_list_map(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(fm_figure_list_parent_class)->map(widget);
    queue_update(FM_FIGURE_LIST(widget));
}

static void
fm_figure_list_dispose(GObject *object)
{
    FmFigureList *list = FM_FIGURE_LIST(object);

    if (list->box != NULL) {
        clear(list);
        list->box = NULL;
    }
    g_clear_object(&list->jump);
    g_clear_pointer(&list->scroll, gtk_widget_unparent);
    g_clear_handle_id(&list->update_idle, g_source_remove);
    G_OBJECT_CLASS(fm_figure_list_parent_class)->dispose(object);
}

static void
fm_figure_list_finalize(GObject *object)
{
    g_array_unref(FM_FIGURE_LIST(object)->slots);
    G_OBJECT_CLASS(fm_figure_list_parent_class)->finalize(object);
}

static void
fm_figure_list_class_init(FmFigureListClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_figure_list_dispose;
    G_OBJECT_CLASS(klass)->finalize = fm_figure_list_finalize;
    widget_class->map = fm_figure_list_map;
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BOX_LAYOUT);
}

/* The button is an icon, so that it has room on any screen; the titles are in its list. */
static void
setup_icon_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    gtk_list_item_set_child(item, gtk_image_new_from_icon_name("view-list-symbolic"));
}

static void
setup_title_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_label_set_max_width_chars(GTK_LABEL(label), TITLE_CHARS);
    gtk_list_item_set_child(item, label);
}

static void
bind_title_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    GtkStringObject *string = gtk_list_item_get_item(item);
    GtkWidget *label = gtk_list_item_get_child(item);

    gtk_label_set_text(GTK_LABEL(label), gtk_string_object_get_string(string));
    gtk_widget_set_tooltip_text(label, gtk_string_object_get_string(string));
}

static void
add_jump(FmFigureList *list)
{
    GtkExpression *string = gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
    g_autoptr(GtkListItemFactory) icon = gtk_signal_list_item_factory_new();
    g_autoptr(GtkListItemFactory) title = gtk_signal_list_item_factory_new();

    g_signal_connect(icon, "setup", G_CALLBACK(setup_icon_cb), NULL);
    g_signal_connect(title, "setup", G_CALLBACK(setup_title_cb), NULL);
    g_signal_connect(title, "bind", G_CALLBACK(bind_title_cb), NULL);
    list->jump = GTK_DROP_DOWN(gtk_drop_down_new(NULL, string));
    g_object_ref_sink(list->jump);
    gtk_drop_down_set_factory(list->jump, icon);
    gtk_drop_down_set_list_factory(list->jump, title);
    gtk_drop_down_set_enable_search(list->jump, TRUE);
    gtk_widget_set_tooltip_text(GTK_WIDGET(list->jump), _("Go to a figure"));
    fm_form_name_choice(GTK_WIDGET(list->jump), _("Go to a figure"));
    /* It stands elsewhere, and may be there longer than the list. */
    g_signal_connect_object(list->jump, "notify::selected", G_CALLBACK(jump_cb), list,
                            G_CONNECT_SWAPPED);
}

static void
fm_figure_list_init(FmFigureList *list)
{
    GtkLayoutManager *layout = gtk_widget_get_layout_manager(GTK_WIDGET(list));

    gtk_orientable_set_orientation(GTK_ORIENTABLE(layout), GTK_ORIENTATION_VERTICAL);
    list->slots = g_array_new(FALSE, FALSE, sizeof(Slot));
    add_jump(list);
    list->scroll = gtk_scrolled_window_new();
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(list->scroll), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_widget_set_vexpand(list->scroll, TRUE);
    list->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    gtk_widget_add_css_class(list->box, "figure-list");
    gtk_widget_set_halign(list->box, GTK_ALIGN_CENTER); /* as wide as figures want at most */
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(list->scroll), list->box);
    gtk_widget_set_parent(list->scroll, GTK_WIDGET(list));
    g_signal_connect_swapped(get_adjustment(list), "value-changed", G_CALLBACK(queue_update), list);
    g_signal_connect_swapped(get_adjustment(list), "changed", G_CALLBACK(queue_update), list);
}

GtkWidget *
fm_figure_list_get_jump(FmFigureList *list)
{
    g_return_val_if_fail(FM_IS_FIGURE_LIST(list), NULL);
    return GTK_WIDGET(list->jump);
}

GtkWidget *
fm_figure_list_new(void)
{
    return g_object_new(FM_TYPE_FIGURE_LIST, NULL);
}

static void
add_slot(FmFigureList *list, const FmFigureEntry *entry)
{
    Slot slot = {.entry = entry, .place = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0)};
    GtkWidget *title = gtk_label_new(entry->title);

    gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_END);
    gtk_widget_set_vexpand(title, TRUE);
    gtk_widget_add_css_class(title, "muted");
    fill_place(&slot, title);
    gtk_widget_set_size_request(slot.place, -1, EMPTY_HEIGHT);
    gtk_box_append(GTK_BOX(list->box), slot.place);
    g_array_append_val(list->slots, slot);
}

void
fm_figure_list_set_run(FmFigureList *list, FmLoadedRun *loaded)
{
    g_return_if_fail(FM_IS_FIGURE_LIST(list));
    clear(list);
    if (loaded != NULL) {
        const GPtrArray *entries = fm_loaded_run_get_entries(loaded);
        list->loaded = fm_loaded_run_ref(loaded);
        list->stem = fm_run_summary_dup_stem(fm_loaded_run_get_run(loaded));
        list->cancellable = g_cancellable_new();
        for (guint i = 0; i < entries->len; i++) {
            add_slot(list, g_ptr_array_index(entries, i));
        }
    }
    fill_jump(list);
    gtk_adjustment_set_value(get_adjustment(list), 0);
    queue_update(list);
}
