/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Filter, order and selection are models in a row on top of the library.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/library-view.h"

#include "base/message.h"
#include "base/text.h"
#include "ui/run-summary.h"
#include "ui/state-page.h"
#include "ui/table-view.h"

#include <glib/gi18n.h>
#include <string.h>

enum { SPACING = 6 };

typedef enum {
    COLUMN_DATE,
    COLUMN_DRIVE,
    COLUMN_PLAN,
    COLUMN_OUTCOME,
    COLUMN_HEADLINE,
    COLUMN_TAGS,
} Column;

struct _FmLibraryView {
    GtkWidget parent_instance;
    FmLibraryModel *library;
    GtkWidget *box;
    GtkSearchEntry *filter_entry;
    GtkLabel *count;
    GtkStack *stack; /* "list", "empty", "no-match" */
    GtkWidget *list; /* scrolled column view */
    GtkColumnViewColumn *tags; /* shown when any run has some */
    FmStatePage *state;
    GtkCustomFilter *filter;
    GtkSelectionModel *selection; /* on what is shown */
    guint update_idle;
};

enum { OPEN, SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmLibraryView, fm_library_view, GTK_TYPE_WIDGET)

/* --- Cells ------------------------------------------------------------------------------- */

static const char *
get_text(const FmLibraryEntry *entry, Column column)
{
    switch (column) {
    case COLUMN_DRIVE:
        return entry->drive != NULL && *entry->drive != '\0' ? entry->drive : entry->target_path;
    case COLUMN_PLAN:
        return entry->plan_name != NULL ? fm_message_choose(entry->plan_name, entry->plan_name_ko)
               : entry->plan_id != NULL ? entry->plan_id
                                        : entry->name;
    case COLUMN_OUTCOME:
        return fm_run_summary_get_outcome(entry->outcome);
    case COLUMN_DATE:
    case COLUMN_HEADLINE:
    case COLUMN_TAGS:
        break;
    }
    return NULL;
}

static char *
dup_cell(gpointer item, unsigned column)
{
    const FmLibraryEntry *entry = fm_library_item_get_entry(item);

    if (column == COLUMN_DATE) {
        return fm_run_summary_dup_date(entry->wall_us);
    }
    if (column == COLUMN_TAGS) {
        g_autofree char *tags = entry->tags != NULL ? g_strjoinv(", ", entry->tags) : g_strdup("");
        return fm_text_dup_printable(tags);
    }
    const char *text = get_text(entry, (Column)column);
    return fm_text_dup_printable(text != NULL ? text : "");
}

/* --- Headlines --------------------------------------------------------------------------- */

static void
show_headline(FmLibraryItem *item, GParamSpec *pspec, GtkLabel *label)
{
    const char *headline = fm_library_item_get_headline(item);

    gtk_label_set_text(label, headline != NULL ? headline : "");
    gtk_widget_set_tooltip_text(GTK_WIDGET(label), headline);
}

static void
headline_setup_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    GtkWidget *label = gtk_label_new(NULL);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(label, "numeric");
    gtk_list_item_set_child(item, label);
}

static void
headline_bind_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    FmLibraryView *view = FM_LIBRARY_VIEW(user_data);
    FmLibraryItem *shown = gtk_list_item_get_item(item);
    GtkWidget *label = gtk_list_item_get_child(item);

    g_signal_connect_object(shown, "notify::headline", G_CALLBACK(show_headline), label, 0);
    show_headline(shown, NULL, GTK_LABEL(label));
    fm_library_model_request_headline(view->library, shown);
}

static void
headline_unbind_cb(GtkSignalListItemFactory *factory, GtkListItem *item, gpointer user_data)
{
    g_signal_handlers_disconnect_by_func(gtk_list_item_get_item(item), show_headline,
                                         gtk_list_item_get_child(item));
}

static void
add_headline_column(FmLibraryView *view, GtkColumnView *table)
{
    GtkListItemFactory *factory = gtk_signal_list_item_factory_new();

    g_signal_connect(factory, "setup", G_CALLBACK(headline_setup_cb), view);
    g_signal_connect(factory, "bind", G_CALLBACK(headline_bind_cb), view);
    g_signal_connect(factory, "unbind", G_CALLBACK(headline_unbind_cb), view);
    g_autoptr(GtkColumnViewColumn) column =
        gtk_column_view_column_new(_("Highest throughput"), factory);
    gtk_column_view_column_set_resizable(column, TRUE);
    gtk_column_view_column_set_expand(column, TRUE);
    gtk_column_view_append_column(table, column);
}

/* --- Order ------------------------------------------------------------------------------- */

static int
compare_rows(gconstpointer a, gconstpointer b, gpointer user_data)
{
    Column column = (Column)GPOINTER_TO_UINT(user_data);
    const FmLibraryEntry *one = fm_library_item_get_entry((FmLibraryItem *)a);
    const FmLibraryEntry *other = fm_library_item_get_entry((FmLibraryItem *)b);

    if (column == COLUMN_DATE) {
        return one->wall_us < other->wall_us ? -1 : one->wall_us > other->wall_us;
    }
    g_autofree char *one_text = dup_cell((gpointer)a, column);
    g_autofree char *other_text = dup_cell((gpointer)b, column);
    return g_utf8_collate(one_text, other_text);
}

static GtkColumnViewColumn *
add_column(FmLibraryView *view, Column column, const char *title, int width)
{
    const FmTextColumn text = {
        .title = title,
        .text = dup_cell,
        .column = column,
        .expands = column == COLUMN_DRIVE || column == COLUMN_PLAN,
    };
    GtkColumnViewColumn *made = fm_table_view_add_column(fm_table_view_get(view->list), &text);
    g_autoptr(GtkSorter) sorter =
        GTK_SORTER(gtk_custom_sorter_new(compare_rows, GUINT_TO_POINTER((guint)column), NULL));

    gtk_column_view_column_set_sorter(made, sorter);
    if (width > 0) {
        gtk_column_view_column_set_fixed_width(made, width);
    }
    return made;
}

/* --- What is shown ----------------------------------------------------------------------- */

static bool
has_tags(FmLibraryView *view)
{
    GListModel *runs = G_LIST_MODEL(view->library);

    for (guint i = 0; i < g_list_model_get_n_items(runs); i++) {
        g_autoptr(FmLibraryItem) item = g_list_model_get_item(runs, i);
        const FmLibraryEntry *entry = fm_library_item_get_entry(item);
        if (entry->tags != NULL && entry->tags[0] != NULL) {
            return true;
        }
    }
    return false;
}

static gboolean
update_cb(gpointer user_data)
{
    FmLibraryView *view = FM_LIBRARY_VIEW(user_data);
    guint n_runs = g_list_model_get_n_items(G_LIST_MODEL(view->library));
    guint n_shown = g_list_model_get_n_items(G_LIST_MODEL(view->selection));
    g_autofree char *count = n_shown == n_runs
                                 ? g_strdup_printf(_("Runs: %u"), n_runs)
                                 : g_strdup_printf(_("Runs: %u of %u"), n_shown, n_runs);

    view->update_idle = 0;
    gtk_column_view_column_set_visible(view->tags, has_tags(view));
    gtk_label_set_text(view->count, n_runs > 0 ? count : "");
    if (n_shown > 0) {
        gtk_stack_set_visible_child_name(view->stack, "list");
        return G_SOURCE_REMOVE;
    }
    bool is_loading = fm_library_model_is_loading(view->library);
    fm_state_page_set(view->state, NULL,
                      is_loading   ? _("Reading the list of runs…")
                      : n_runs > 0 ? _("No run matches the filter.")
                                   : _("No run is saved yet."));
    fm_state_page_set_action(view->state, is_loading || n_runs > 0 ? NULL : _("Choose a _Drive"),
                             "win.page::drives");
    gtk_stack_set_visible_child_name(view->stack, "state");
    return G_SOURCE_REMOVE;
}

static void
queue_update(FmLibraryView *view)
{
    if (view->update_idle == 0) {
        view->update_idle = g_idle_add(update_cb, view);
    }
}

static gboolean
matches(gpointer item, gpointer user_data)
{
    FmLibraryView *view = FM_LIBRARY_VIEW(user_data);

    return fm_library_item_matches(item, gtk_editable_get_text(GTK_EDITABLE(view->filter_entry)));
}

static void
filter_cb(FmLibraryView *view)
{
    gtk_filter_changed(GTK_FILTER(view->filter), GTK_FILTER_CHANGE_DIFFERENT);
    queue_update(view);
}

static void
activate_cb(FmLibraryView *view, guint position)
{
    g_autoptr(FmLibraryItem) item = g_list_model_get_item(G_LIST_MODEL(view->selection), position);

    if (item != NULL) {
        g_signal_emit(view, signals[OPEN], 0, fm_library_item_get_entry(item)->path);
    }
}

static void
selection_cb(FmLibraryView *view)
{
    g_signal_emit(view, signals[SELECTED], 0);
}

/* Return in the filter opens the first run, Down goes to the list. */
static void
filter_activate_cb(FmLibraryView *view)
{
    activate_cb(view, 0);
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
fm_library_view_dispose(GObject *object)
{
    FmLibraryView *view = FM_LIBRARY_VIEW(object);

    g_clear_handle_id(&view->update_idle, g_source_remove);
    g_clear_pointer(&view->box, gtk_widget_unparent);
    g_clear_object(&view->selection);
    g_clear_object(&view->filter);
    g_clear_object(&view->library);
    G_OBJECT_CLASS(fm_library_view_parent_class)->dispose(object);
}

static void
fm_library_view_class_init(FmLibraryViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_library_view_dispose;
    signals[OPEN] = g_signal_new("open", FM_TYPE_LIBRARY_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
    signals[SELECTED] = g_signal_new("selected", FM_TYPE_LIBRARY_VIEW, G_SIGNAL_RUN_LAST, 0, NULL,
                                     NULL, NULL, G_TYPE_NONE, 0);
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
new_filter_row(FmLibraryView *view)
{
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *open = gtk_button_new_with_mnemonic(_("_Open file…"));

    view->filter_entry = GTK_SEARCH_ENTRY(gtk_search_entry_new());
    g_object_set(view->filter_entry, "placeholder-text", _("Filter by drive, plan, date, tag…"),
                 NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(view->filter_entry),
                                   GTK_ACCESSIBLE_PROPERTY_LABEL, _("Filter runs"), -1);
    gtk_widget_set_hexpand(GTK_WIDGET(view->filter_entry), TRUE);
    view->count = g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL);
    gtk_widget_add_css_class(GTK_WIDGET(view->count), "muted");
    gtk_widget_add_css_class(GTK_WIDGET(view->count), "numeric");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(open), "app.open");
    gtk_widget_add_css_class(row, "page-row");
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(view->filter_entry));
    gtk_box_append(GTK_BOX(row), GTK_WIDGET(view->count));
    gtk_box_append(GTK_BOX(row), open);
    g_signal_connect_swapped(view->filter_entry, "search-changed", G_CALLBACK(filter_cb), view);
    g_signal_connect_swapped(view->filter_entry, "activate", G_CALLBACK(filter_activate_cb), view);
    return row;
}

static void
fm_library_view_init(FmLibraryView *view)
{
    view->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    view->stack = GTK_STACK(gtk_stack_new());
    view->list = fm_table_view_new(_("Saved runs"));
    view->state = FM_STATE_PAGE(fm_state_page_new());
    gtk_box_append(GTK_BOX(view->box), new_filter_row(view));
    gtk_stack_add_named(view->stack, view->list, "list");
    gtk_stack_add_named(view->stack, GTK_WIDGET(view->state), "state");
    gtk_widget_set_vexpand(GTK_WIDGET(view->stack), TRUE);
    gtk_box_append(GTK_BOX(view->box), GTK_WIDGET(view->stack));
    gtk_widget_set_parent(view->box, GTK_WIDGET(view));
    add_column(view, COLUMN_DATE, _("Date"), 140);
    add_column(view, COLUMN_DRIVE, _("Drive"), 0);
    add_column(view, COLUMN_PLAN, _("Plan"), 0);
    add_column(view, COLUMN_OUTCOME, _("Outcome"), 0);
    add_headline_column(view, fm_table_view_get(view->list));
    /* Of no fixed width: GTK 4.8 keeps the room of one that is hidden. */
    view->tags = add_column(view, COLUMN_TAGS, _("Tags"), 0);
}

GtkWidget *
fm_library_view_new(FmLibraryModel *model)
{
    FmLibraryView *view = g_object_new(FM_TYPE_LIBRARY_VIEW, NULL);
    GtkColumnView *table = fm_table_view_get(view->list);
    GtkSorter *sorter = gtk_column_view_get_sorter(table);

    view->library = g_object_ref(model);
    view->filter = gtk_custom_filter_new(matches, view, NULL);
    GtkFilterListModel *filtered = gtk_filter_list_model_new(
        G_LIST_MODEL(g_object_ref(model)), GTK_FILTER(g_object_ref(view->filter)));
    GtkSortListModel *sorted =
        gtk_sort_list_model_new(G_LIST_MODEL(filtered), g_object_ref(sorter));
    view->selection = GTK_SELECTION_MODEL(gtk_multi_selection_new(G_LIST_MODEL(sorted)));
    gtk_column_view_set_model(table, view->selection);
    g_signal_connect_swapped(table, "activate", G_CALLBACK(activate_cb), view);
    g_signal_connect_swapped(view->selection, "items-changed", G_CALLBACK(queue_update), view);
    g_signal_connect_swapped(view->selection, "selection-changed", G_CALLBACK(selection_cb), view);
    g_signal_connect_object(model, "notify::is-loading", G_CALLBACK(queue_update), view,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(model, "items-changed", G_CALLBACK(queue_update), view,
                            G_CONNECT_SWAPPED);
    queue_update(view);
    return GTK_WIDGET(view);
}

GStrv
fm_library_view_dup_selected(FmLibraryView *view)
{
    g_return_val_if_fail(FM_IS_LIBRARY_VIEW(view), NULL);
    g_autoptr(GStrvBuilder) paths = g_strv_builder_new();
    g_autoptr(GtkBitset) selected = gtk_selection_model_get_selection(view->selection);
    guint64 n_selected = gtk_bitset_get_size(selected);

    for (guint i = 0; i < n_selected; i++) {
        g_autoptr(FmLibraryItem) item =
            g_list_model_get_item(G_LIST_MODEL(view->selection), gtk_bitset_get_nth(selected, i));
        g_strv_builder_add(paths, fm_library_item_get_entry(item)->path);
    }
    return g_strv_builder_end(paths);
}

char *
fm_library_view_dup_neighbour(FmLibraryView *view, const char *path, int by)
{
    g_return_val_if_fail(FM_IS_LIBRARY_VIEW(view), NULL);
    guint n_shown = g_list_model_get_n_items(G_LIST_MODEL(view->selection));

    for (guint i = 0; i < n_shown; i++) {
        g_autoptr(FmLibraryItem) item = g_list_model_get_item(G_LIST_MODEL(view->selection), i);
        long at = (long)i + by;
        if (g_strcmp0(fm_library_item_get_entry(item)->path, path) == 0 && at >= 0 &&
            at < (long)n_shown) {
            g_autoptr(FmLibraryItem) other =
                g_list_model_get_item(G_LIST_MODEL(view->selection), (guint)at);
            return g_strdup(fm_library_item_get_entry(other)->path);
        }
    }
    return NULL;
}

void
fm_library_view_focus_list(FmLibraryView *view)
{
    g_return_if_fail(FM_IS_LIBRARY_VIEW(view));
    /* On a row: GTK 4.8 would begin with the titles, where arrows lead nowhere. */
    GtkWidget *rows = gtk_widget_get_last_child(GTK_WIDGET(fm_table_view_get(view->list)));

    if (rows == NULL || !gtk_widget_get_mapped(rows) ||
        !gtk_widget_child_focus(rows, GTK_DIR_TAB_FORWARD)) {
        gtk_widget_child_focus(GTK_WIDGET(view), GTK_DIR_TAB_FORWARD);
    }
}

void
fm_library_view_focus_filter(FmLibraryView *view)
{
    g_return_if_fail(FM_IS_LIBRARY_VIEW(view));
    gtk_widget_grab_focus(GTK_WIDGET(view->filter_entry));
}
