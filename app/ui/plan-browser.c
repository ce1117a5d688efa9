/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Only the words of a row are kept; the plans themselves go as soon as they were read.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/plan-browser.h"

#include "base/error.h"
#include "base/label.h"
#include "base/message.h"
#include "base/text.h"
#include "store/plan-list.h"
#include "ui/list-focus.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    GAP = 6,
    LIST_WIDTH = 220,
    MAX_NAME_LINES = 2,
};

/* One row, made in the thread. */
typedef struct {
    char *id; /* or the path of a user's own plan */
    char *plan_id; /* may be that of a plan inside the program, which it stands in for */
    char *name;
    char *detail;
    char *haystack; /* what is searched, case-folded */
    FmPlanGroup group;
} Item;

struct _FmPlanBrowser {
    GtkWidget parent_instance;
    FmChoice *choice;
    GtkWidget *column;
    GtkWidget *search;
    GtkWidget *list;
    GtkWidget *scroller;
    char *needle; /* case-folded */
    bool is_filled; /* the plans were read */
    bool is_updating;
};

G_DEFINE_FINAL_TYPE(FmPlanBrowser, fm_plan_browser, GTK_TYPE_WIDGET)

static void
item_free_cb(gpointer data)
{
    Item *item = (Item *)data;

    g_free(item->id);
    g_free(item->plan_id);
    g_free(item->name);
    g_free(item->detail);
    g_free(item->haystack);
    g_free(item);
}

static const Item *
get_item(GtkListBoxRow *row)
{
    return (const Item *)g_object_get_data(G_OBJECT(row), "item");
}

/* --- Reading -------------------------------------------------------------------------------- */

char *
fm_plan_cost_dup_line(const FmPlanCost *cost)
{
    g_autofree char *time = fm_label_dup_clock(cost->time_ns);
    g_autofree char *about =
        g_strdup_printf(cost->time_is_open ? _("at least %s") : _("about %s"), time);

    if (cost->bytes_written == 0) {
        return g_steal_pointer(&about);
    }
    g_autofree char *size = fm_label_dup_capacity(cost->bytes_written, true);
    return cost->bytes_is_estimate ? g_strdup_printf(_("%s · writes about %s"), about, size)
                                   : g_strdup_printf(_("%s · writes at most %s"), about, size);
}

static char *
dup_detail(const FmPlanEntry *entry)
{
    if (entry->plan == NULL) {
        return fm_error_dup_local(entry->error);
    }
    if (entry->group == FM_PLAN_GROUP_LATER) {
        g_autofree char *needs = fm_plan_dup_needs(entry->plan);
        return g_strdup_printf(_("needs: %s"),
                               *needs != '\0' ? needs : fm_need_name(FM_NEED_RAW_DEVICE));
    }
    const FmCostBasis basis = {.is_file = true};
    FmPlanCost cost = fm_plan_cost(entry->plan, &basis);
    g_autofree char *time = fm_label_dup_clock(cost.time_ns);
    g_autofree char *size = fm_label_dup_capacity(cost.bytes_written, true);
    const char *relation = cost.time_is_open ? "≥" : "≈";
    return cost.bytes_written > 0 ? g_strdup_printf(_("%s %s · writes %s"), relation, time, size)
                                  : g_strdup_printf("%s %s", relation, time);
}

static Item *
item_new(const FmPlanEntry *entry)
{
    const FmPlan *plan = entry->plan;
    Item *item = g_new0(Item, 1);
    const char *name = plan != NULL ? fm_message_choose(plan->name, plan->name_ko) : entry->id;
    g_autofree char *all =
        g_strjoin(" ", entry->id, name, plan != NULL ? plan->name : "",
                  plan != NULL && plan->workload != NULL ? plan->workload : "", NULL);

    item->id = g_strdup(entry->path != NULL ? entry->path : entry->id);
    item->plan_id = g_strdup(entry->id);
    item->name = fm_text_dup_printable(name);
    item->detail = dup_detail(entry);
    item->haystack = g_utf8_casefold(all, -1);
    item->group = entry->group;
    return item;
}

static void
read_thread(GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
    g_autoptr(GPtrArray) entries = fm_plan_list_load();
    GPtrArray *items = g_ptr_array_new_with_free_func(item_free_cb);

    for (guint i = 0; i < entries->len; i++) {
        g_ptr_array_add(items, item_new((const FmPlanEntry *)g_ptr_array_index(entries, i)));
    }
    g_task_return_pointer(task, items, (GDestroyNotify)g_ptr_array_unref);
}

/* --- Rows ----------------------------------------------------------------------------------- */

static GtkWidget *
build_label(const char *text)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    return label;
}

/* Takes @item. */
static GtkWidget *
build_row(Item *item)
{
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *name = build_label(item->name);
    GtkWidget *detail = build_label(item->detail);

    /* Names of one family differ at their ends. */
    gtk_label_set_wrap(GTK_LABEL(name), TRUE);
    gtk_label_set_lines(GTK_LABEL(name), MAX_NAME_LINES);
    gtk_widget_add_css_class(detail, "caption");
    gtk_widget_add_css_class(detail, "muted");
    gtk_widget_add_css_class(detail, "numeric");
    if (item->group == FM_PLAN_GROUP_LATER) {
        gtk_widget_add_css_class(name, "muted");
    }
    gtk_box_append(GTK_BOX(column), name);
    gtk_box_append(GTK_BOX(column), detail);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), column);
    gtk_widget_set_tooltip_text(row, item->name);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, item->name,
                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, item->detail, -1);
    g_object_set_data_full(G_OBJECT(row), "item", item, item_free_cb);
    return row;
}

static void
header_cb(GtkListBoxRow *row, GtkListBoxRow *before, gpointer user_data)
{
    FmPlanGroup group = get_item(row)->group;

    if (before != NULL && get_item(before)->group == group) {
        gtk_list_box_row_set_header(row, NULL);
        return;
    }
    GtkWidget *title = build_label(fm_plan_group_get_title(group));
    gtk_label_set_wrap(GTK_LABEL(title), TRUE);
    gtk_label_set_ellipsize(GTK_LABEL(title), PANGO_ELLIPSIZE_NONE);
    gtk_widget_add_css_class(title, "heading");
    gtk_widget_add_css_class(title, "list-heading");
    gtk_list_box_row_set_header(row, title);
}

static gboolean
filter_cb(GtkListBoxRow *row, gpointer user_data)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(user_data);

    return browser->needle == NULL || strstr(get_item(row)->haystack, browser->needle) != NULL;
}

/* A plan from a file that lies elsewhere gets a row of its own among the user's plans. */
static GtkWidget *
add_file(FmPlanBrowser *browser, const char *path)
{
    Item *item = g_new0(Item, 1);
    g_autofree char *base = g_path_get_basename(path);
    GtkListBoxRow *row;
    int place = 0;

    item->id = g_strdup(path);
    item->name = fm_text_dup_printable(base);
    item->detail = fm_text_dup_printable(path);
    item->haystack = g_utf8_casefold(item->detail, -1);
    item->group = FM_PLAN_GROUP_OWN;
    while ((row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(browser->list), place)) != NULL &&
           get_item(row)->group < item->group) {
        place++;
    }
    GtkWidget *added = build_row(item);
    gtk_list_box_insert(GTK_LIST_BOX(browser->list), added, place);
    return added;
}

/* Selects the plan that is chosen, also when something else chose it.  One always is: a list
 * without it selects its first row as soon as the focus comes, and so chooses it. */
static void
show_choice(FmPlanBrowser *browser)
{
    const char *id = fm_choice_get_plan_id(browser->choice);
    GtkWidget *chosen = NULL;
    GtkListBoxRow *row;

    if (!browser->is_filled || id == NULL) {
        return;
    }
    browser->is_updating = true;
    for (int i = 0; (row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(browser->list), i)) != NULL;
         i++) {
        const Item *item = get_item(row);
        if (strcmp(item->id, id) == 0 || (chosen == NULL && g_strcmp0(item->plan_id, id) == 0)) {
            chosen = GTK_WIDGET(row);
        }
    }
    if (chosen == NULL) {
        chosen = add_file(browser, id);
    }
    gtk_list_box_select_row(GTK_LIST_BOX(browser->list), GTK_LIST_BOX_ROW(chosen));
    browser->is_updating = false;
    fm_list_focus_update(GTK_LIST_BOX(browser->list));
}

static void
read_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(source);
    g_autoptr(GPtrArray) items = (GPtrArray *)g_task_propagate_pointer(G_TASK(result), NULL);

    if (browser->column == NULL) {
        return; /* the window is gone */
    }
    g_ptr_array_set_free_func(items, NULL);
    for (guint i = 0; i < items->len; i++) {
        gtk_list_box_append(GTK_LIST_BOX(browser->list),
                            build_row((Item *)g_ptr_array_index(items, i)));
    }
    browser->is_filled = true;
    show_choice(browser);
}

static void
selected_cb(GtkListBox *list, GtkListBoxRow *row, gpointer user_data)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(user_data);

    if (row != NULL && !browser->is_updating) {
        fm_choice_set_plan(browser->choice, get_item(row)->id);
    }
}

static void
search_cb(GtkSearchEntry *search, gpointer user_data)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(user_data);
    const char *text = gtk_editable_get_text(GTK_EDITABLE(search));

    g_free(browser->needle);
    browser->needle = *text != '\0' ? g_utf8_casefold(text, -1) : NULL;
    gtk_list_box_invalidate_filter(GTK_LIST_BOX(browser->list));
    fm_list_focus_update(GTK_LIST_BOX(browser->list));
}

static void
choice_changed_cb(FmChoice *choice, gpointer user_data)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(user_data);
    GtkListBoxRow *row = gtk_list_box_get_selected_row(GTK_LIST_BOX(browser->list));

    if (row == NULL || g_strcmp0(get_item(row)->id, fm_choice_get_plan_id(choice)) != 0) {
        show_choice(browser);
    }
}

/* --- Widget --------------------------------------------------------------------------------- */

static void
fm_plan_browser_dispose(GObject *object)
{
    FmPlanBrowser *browser = FM_PLAN_BROWSER(object);

    g_clear_pointer(&browser->column, gtk_widget_unparent);
    g_clear_object(&browser->choice);
    g_clear_pointer(&browser->needle, g_free);
    G_OBJECT_CLASS(fm_plan_browser_parent_class)->dispose(object);
}

static void
fm_plan_browser_class_init(FmPlanBrowserClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_plan_browser_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_plan_browser_init(FmPlanBrowser *browser)
{
    GtkWidget *nothing = gtk_label_new(_("No plan has that in its name."));

    browser->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);
    browser->search = gtk_search_entry_new();
    browser->list = gtk_list_box_new();
    browser->scroller = gtk_scrolled_window_new();

    g_object_set(browser->search, "placeholder-text", _("Search plans"), NULL);
    gtk_accessible_update_property(GTK_ACCESSIBLE(browser->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Search plans"), -1);
    gtk_accessible_update_property(GTK_ACCESSIBLE(browser->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Plans"), -1);
    gtk_label_set_wrap(GTK_LABEL(nothing), TRUE);
    gtk_widget_add_css_class(nothing, "muted");
    gtk_widget_add_css_class(nothing, "page");
    gtk_list_box_set_placeholder(GTK_LIST_BOX(browser->list), nothing);
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(browser->list), GTK_SELECTION_BROWSE);
    gtk_list_box_set_header_func(GTK_LIST_BOX(browser->list), header_cb, NULL, NULL);
    gtk_list_box_set_filter_func(GTK_LIST_BOX(browser->list), filter_cb, browser, NULL);
    gtk_widget_add_css_class(browser->list, "plan-list");
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(browser->scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(browser->scroller), browser->list);
    gtk_widget_set_vexpand(browser->scroller, TRUE);
    gtk_widget_set_size_request(browser->column, LIST_WIDTH, -1);
    gtk_widget_add_css_class(browser->column, "browser");
    gtk_box_append(GTK_BOX(browser->column), browser->search);
    gtk_box_append(GTK_BOX(browser->column), browser->scroller);
    gtk_widget_set_parent(browser->column, GTK_WIDGET(browser));
    fm_list_focus_set_up(GTK_LIST_BOX(browser->list));
    g_signal_connect(browser->list, "row-selected", G_CALLBACK(selected_cb), browser);
    g_signal_connect(browser->search, "search-changed", G_CALLBACK(search_cb), browser);
}

GtkWidget *
fm_plan_browser_new(FmChoice *choice)
{
    FmPlanBrowser *browser = g_object_new(FM_TYPE_PLAN_BROWSER, NULL);

    browser->choice = g_object_ref(choice);
    g_signal_connect_object(choice, "changed", G_CALLBACK(choice_changed_cb), browser, 0);
    g_autoptr(GTask) task = g_task_new(browser, NULL, read_cb, NULL);
    g_task_run_in_thread(task, read_thread);
    return GTK_WIDGET(browser);
}
