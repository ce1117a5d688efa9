/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One stack: the list, and on top of it the run that was opened.  What takes long tells its
 * progress in the bar at the bottom, and is cancelled there.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/results-page.h"

#include "base/error.h"
#include "store/library.h"
#include "ui/form.h"
#include "ui/library-view.h"
#include "ui/run-output.h"
#include "ui/run-summary.h"
#include "ui/run-view.h"
#include "ui/window.h"

#include <glib/gi18n.h>
#include <string.h>

enum { SPACING = 6 };

struct _FmResultsPage {
    GtkWidget parent_instance;
    FmLibraryModel *library;
    GSimpleActionGroup *actions;
    GMenuModel *export_menu;
    GtkWidget *box;
    GtkStack *stack; /* "list", "run" */
    FmLibraryView *list;
    FmRunView *run;
    GtkLabel *title;
    GtkLabel *subtitle;
    GtkWidget *bar; /* what was done, or is being done */
    GtkLabel *told;
    GtkWidget *cancel;
    GCancellable *cancellable; /* of what is being done, as the bar tells; NULL = nothing */
};

G_DEFINE_FINAL_TYPE(FmResultsPage, fm_results_page, GTK_TYPE_WIDGET)

/* --- The bar ----------------------------------------------------------------------------- */

static void
tell(GtkWidget *widget, const char *sentence, bool is_error, GCancellable *work)
{
    FmResultsPage *page = FM_RESULTS_PAGE(widget);

    gtk_label_set_text(page->told, sentence);
    if (is_error) {
        gtk_widget_add_css_class(GTK_WIDGET(page->told), "error");
    } else {
        gtk_widget_remove_css_class(GTK_WIDGET(page->told), "error");
    }
    gtk_button_set_label(GTK_BUTTON(page->cancel), work == NULL ? _("_Close") : _("_Cancel"));
    g_set_object(&page->cancellable, work);
    gtk_widget_set_visible(page->bar, TRUE);
}

static void
tell_error(FmResultsPage *page, const GError *error)
{
    g_autofree char *sentence = fm_error_dup_local(error);

    tell(GTK_WIDGET(page), sentence, true, NULL);
}

static void
cancel_cb(FmResultsPage *page)
{
    if (page->cancellable != NULL) {
        g_cancellable_cancel(page->cancellable);
    } else {
        gtk_widget_set_visible(page->bar, FALSE);
    }
}

/* --- Actions ----------------------------------------------------------------------------- */

static void
enable(FmResultsPage *page, const char *name, bool is_enabled)
{
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(page->actions), name);

    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), is_enabled);
}

static bool
is_run_shown(FmResultsPage *page)
{
    return g_strcmp0(gtk_stack_get_visible_child_name(page->stack), "run") == 0;
}

/* The run that is shown, or the rows that are selected; caller frees. */
static GStrv
dup_paths(FmResultsPage *page)
{
    const char *path = fm_run_view_get_path(page->run);

    if (!is_run_shown(page)) {
        return fm_library_view_dup_selected(page->list);
    }
    const char *const paths[] = {path, NULL};
    return g_strdupv((char **)paths);
}

static void
update_actions(FmResultsPage *page)
{
    static const char *const exports[] = {"copy-table", "copy-summary", "copy-facts",
                                          "save-csv",   "save-json",    "save-text"};
    bool is_run = is_run_shown(page);
    FmLoadedRun *loaded = is_run ? fm_run_view_get_loaded(page->run) : NULL;
    g_auto(GStrv) paths = dup_paths(page);
    guint n_paths = g_strv_length(paths);
    const char *path = n_paths == 1 ? paths[0] : NULL;
    g_autofree char *previous = is_run ? fm_library_view_dup_neighbour(page->list, path, -1) : NULL;
    g_autofree char *next = is_run ? fm_library_view_dup_neighbour(page->list, path, 1) : NULL;

    for (gsize i = 0; i < G_N_ELEMENTS(exports); i++) {
        enable(page, exports[i], loaded != NULL);
    }
    enable(page, "save-figures", loaded != NULL && fm_loaded_run_get_entries(loaded)->len > 0);
    enable(page, "back", is_run);
    enable(page, "previous", previous != NULL);
    enable(page, "next", next != NULL);
    enable(page, "open-selected", !is_run && n_paths == 1);
    enable(page, "rename", n_paths == 1);
    enable(page, "show-in-folder", n_paths == 1);
    enable(page, "trash", n_paths > 0);
}

static void
show_list(FmResultsPage *page)
{
    gtk_stack_set_visible_child_name(page->stack, "list");
    fm_run_view_open(page->run, NULL);
    update_actions(page);
    fm_library_view_focus_list(page->list);
}

static void
show_run(FmResultsPage *page, const char *path)
{
    g_autofree char *name = g_filename_display_basename(path);

    gtk_widget_set_visible(page->bar, page->cancellable != NULL);
    gtk_label_set_text(page->title, name);
    gtk_label_set_text(page->subtitle, "");
    gtk_stack_set_visible_child_name(page->stack, "run");
    fm_run_view_open(page->run, path);
    update_actions(page);
}

static void
loaded_cb(FmResultsPage *page)
{
    FmLoadedRun *loaded = fm_run_view_get_loaded(page->run);

    if (loaded != NULL) {
        g_autofree char *title = fm_run_summary_dup_title(fm_loaded_run_get_run(loaded));
        g_autofree char *subtitle = fm_run_view_dup_subtitle(page->run);
        gtk_label_set_text(page->title, title);
        gtk_label_set_text(page->subtitle, subtitle);
    }
    update_actions(page);
    gtk_widget_child_focus(GTK_WIDGET(page->run), GTK_DIR_TAB_FORWARD);
}

static void
open_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    show_run(FM_RESULTS_PAGE(user_data), g_variant_get_string(parameter, NULL));
}

static void
open_selected_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    g_auto(GStrv) paths = fm_library_view_dup_selected(page->list);

    if (paths[0] != NULL) {
        show_run(page, paths[0]);
    }
}

static void
back_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    show_list(FM_RESULTS_PAGE(user_data));
}

static void
neighbour_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    int by = strcmp(g_action_get_name(G_ACTION(action)), "next") == 0 ? 1 : -1;
    g_autofree char *path =
        fm_library_view_dup_neighbour(page->list, fm_run_view_get_path(page->run), by);

    if (path != NULL) {
        show_run(page, path);
    }
}

static void
filter_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);

    if (is_run_shown(page)) {
        show_list(page);
    }
    fm_library_view_focus_filter(page->list);
}

/* --- Export ------------------------------------------------------------------------------ */

static void
put_out_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    static const struct {
        const char *action;
        void (*put)(const FmRunOutput *output, FmRunForm form);
        FmRunForm form;
    } ways[] = {
        {"copy-table", fm_run_copy, FM_RUN_TABLE}, {"copy-summary", fm_run_copy, FM_RUN_SUMMARY},
        {"copy-facts", fm_run_copy, FM_RUN_FACTS}, {"save-csv", fm_run_save, FM_RUN_CSV},
        {"save-json", fm_run_save, FM_RUN_JSON},   {"save-text", fm_run_save, FM_RUN_SUMMARY},
    };
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    const FmRunOutput output = {
        .widget = GTK_WIDGET(page), .loaded = fm_run_view_get_loaded(page->run), .told = tell};

    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        if (strcmp(g_action_get_name(G_ACTION(action)), ways[i].action) == 0 &&
            output.loaded != NULL) {
            ways[i].put(&output, ways[i].form);
        }
    }
}

static void
save_figures_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);

    fm_run_save_figures(&(FmRunOutput){
        .widget = GTK_WIDGET(page), .loaded = fm_run_view_get_loaded(page->run), .told = tell});
}

/* --- Files ------------------------------------------------------------------------------- */

static void
renamed(FmResultsPage *page, const char *from, const char *to)
{
    fm_library_model_refresh(page->library, from);
    fm_library_model_refresh(page->library, to);
    if (is_run_shown(page)) {
        show_run(page, to);
    }
}

typedef struct {
    FmResultsPage *page; /* lives as long as the window above it */
    GtkWindow *window;
    GtkWidget *entry;
    GtkWidget *error;
    char *path;
} Renaming;

static void
rename_cb(GtkWindow *window)
{
    Renaming *renaming = g_object_get_data(G_OBJECT(window), "renaming");
    g_autoptr(GError) error = NULL;
    g_autofree char *path = fm_library_rename(
        renaming->path, gtk_editable_get_text(GTK_EDITABLE(renaming->entry)), &error);

    if (path == NULL) {
        g_autofree char *sentence = fm_error_dup_local(error);
        fm_form_set_error(renaming->error, sentence);
        return;
    }
    renamed(renaming->page, renaming->path, path);
    gtk_window_destroy(window);
}

static void
renaming_free(gpointer data)
{
    Renaming *renaming = data;

    g_free(renaming->path);
    g_free(renaming);
}

static void
ask_name_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    g_auto(GStrv) paths = dup_paths(page);

    if (paths[0] == NULL) {
        return;
    }
    GtkWidget *form = fm_form_new();
    GtkWidget *window = gtk_window_new();
    Renaming *renaming = g_new0(Renaming, 1);
    g_autofree char *name = g_filename_display_basename(paths[0]);
    char *dot = strrchr(name, '.');
    if (dot != NULL && dot != name) {
        *dot = '\0';
    }
    renaming->page = page;
    renaming->path = g_strdup(paths[0]);
    renaming->entry = fm_form_add_entry(form, _("_Name of the file"), name);
    gtk_editable_set_width_chars(GTK_EDITABLE(renaming->entry), 40);
    renaming->error = fm_form_add_error(form);
    g_object_set_data_full(G_OBJECT(window), "renaming", renaming, renaming_free);
    gtk_window_set_title(GTK_WINDOW(window), _("Rename run"));
    gtk_window_set_transient_for(GTK_WINDOW(window),
                                 GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(page))));
    gtk_window_set_modal(GTK_WINDOW(window), TRUE);
    gtk_window_set_destroy_with_parent(GTK_WINDOW(window), TRUE);
    fm_form_fill_window(GTK_WINDOW(window), form, _("_Rename"), G_CALLBACK(rename_cb));
    gtk_window_present(GTK_WINDOW(window));
}

static void
trash_cb(GTask *task, gpointer source, gpointer paths, GCancellable *cancellable)
{
    for (char **path = paths; *path != NULL; path++) {
        g_autoptr(GFile) file = g_file_new_for_path(*path);
        GError *error = NULL;
        if (!g_file_trash(file, NULL, &error)) {
            g_task_return_error(task, error);
            return;
        }
    }
    g_task_return_boolean(task, TRUE);
}

static void
trashed_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(source);
    char **paths = g_task_get_task_data(G_TASK(result));
    g_autoptr(GError) error = NULL;

    for (char **path = paths; *path != NULL; path++) {
        fm_library_model_refresh(page->library, *path);
    }
    if (!g_task_propagate_boolean(G_TASK(result), &error)) {
        tell_error(page, error);
        return;
    }
    tell(GTK_WIDGET(page), _("Moved to the trash, from where it can be taken back."), false, NULL);
    if (is_run_shown(page) && g_strcmp0(fm_run_view_get_path(page->run), paths[0]) == 0) {
        show_list(page);
    }
}

static bool
is_running(FmResultsPage *page, const char *path)
{
    FmLibraryItem *item = fm_library_model_find(page->library, path);

    return item != NULL && g_strcmp0(fm_library_item_get_entry(item)->outcome, "running") == 0;
}

static void
ask_trash_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    g_auto(GStrv) paths = dup_paths(page);

    for (char **path = paths; *path != NULL; path++) {
        if (is_running(page, *path)) {
            tell(GTK_WIDGET(page), _("A run that is going on can't be moved to the trash."), true,
                 NULL);
            return;
        }
    }
    g_autoptr(GTask) task = g_task_new(page, NULL, trashed_cb, NULL);
    g_task_set_task_data(task, g_steal_pointer(&paths), (GDestroyNotify)g_strfreev);
    g_task_run_in_thread(task, trash_cb);
}

/* What a file manager can do is asked of it; any can show the folder. */
static void
shown_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autofree char *path = user_data;
    g_autoptr(GVariant) reply =
        g_dbus_connection_call_finish(G_DBUS_CONNECTION(source), result, NULL);

    if (reply == NULL) {
        g_autofree char *folder = g_path_get_dirname(path);
        g_autofree char *uri = g_filename_to_uri(folder, NULL, NULL);
        gtk_show_uri(NULL, uri, GDK_CURRENT_TIME);
    }
}

static void
show_in_folder_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);
    g_auto(GStrv) paths = dup_paths(page);
    GApplication *application = g_application_get_default();
    GDBusConnection *bus =
        application != NULL ? g_application_get_dbus_connection(application) : NULL;
    g_autofree char *uri = paths[0] != NULL ? g_filename_to_uri(paths[0], NULL, NULL) : NULL;

    if (uri != NULL && bus != NULL) {
        const char *const uris[] = {uri, NULL};
        g_dbus_connection_call(bus, "org.freedesktop.FileManager1", "/org/freedesktop/FileManager1",
                               "org.freedesktop.FileManager1", "ShowItems",
                               g_variant_new("(^ass)", uris, ""), NULL, G_DBUS_CALL_FLAGS_NONE, -1,
                               NULL, shown_cb, g_strdup(paths[0]));
    } else if (uri != NULL) {
        g_autofree char *folder = g_path_get_dirname(paths[0]);
        g_autofree char *folder_uri = g_filename_to_uri(folder, NULL, NULL);
        gtk_show_uri(GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(page))), folder_uri,
                     GDK_CURRENT_TIME);
    }
}

/* --- Menus ------------------------------------------------------------------------------- */

static GMenuModel *
new_export_menu(void)
{
    GMenu *menu = g_menu_new();
    g_autoptr(GMenu) copy = g_menu_new();
    g_autoptr(GMenu) save = g_menu_new();

    g_menu_append(copy, _("Copy _table"), "results.copy-table");
    g_menu_append(copy, _("Copy text _summary"), "results.copy-summary");
    g_menu_append(copy, _("Copy _facts"), "results.copy-facts");
    g_menu_append(save, _("Save _all figures…"), "results.save-figures");
    g_menu_append(save, _("Save as _CSV…"), "results.save-csv");
    g_menu_append(save, _("Save as _JSON…"), "results.save-json");
    g_menu_append(save, _("Save as te_xt…"), "results.save-text");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(copy));
    g_menu_append_section(menu, NULL, G_MENU_MODEL(save));
    return G_MENU_MODEL(menu);
}

static GMenuModel *
new_run_menu(void)
{
    GMenu *menu = g_menu_new();
    g_autoptr(GMenu) file = g_menu_new();

    g_menu_append(file, _("_Rename…"), "results.rename");
    g_menu_append(file, _("Show in _folder"), "results.show-in-folder");
    g_menu_append(file, _("Move to _trash"), "results.trash");
    g_menu_append_section(menu, NULL, G_MENU_MODEL(file));
    return G_MENU_MODEL(menu);
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
add_actions(FmResultsPage *page)
{
    static const GActionEntry entries[] = {
        {.name = "open", .activate = open_cb, .parameter_type = "s"},
        {.name = "open-selected", .activate = open_selected_cb},
        {.name = "back", .activate = back_cb},
        {.name = "previous", .activate = neighbour_cb},
        {.name = "next", .activate = neighbour_cb},
        {.name = "filter", .activate = filter_cb},
        {.name = "copy-table", .activate = put_out_cb},
        {.name = "copy-summary", .activate = put_out_cb},
        {.name = "copy-facts", .activate = put_out_cb},
        {.name = "save-csv", .activate = put_out_cb},
        {.name = "save-json", .activate = put_out_cb},
        {.name = "save-text", .activate = put_out_cb},
        {.name = "save-figures", .activate = save_figures_cb},
        {.name = "rename", .activate = ask_name_cb},
        {.name = "trash", .activate = ask_trash_cb},
        {.name = "show-in-folder", .activate = show_in_folder_cb},
    };

    page->actions = g_simple_action_group_new();
    g_action_map_add_action_entries(G_ACTION_MAP(page->actions), entries, G_N_ELEMENTS(entries),
                                    page);
    gtk_widget_insert_action_group(GTK_WIDGET(page), "results", G_ACTION_GROUP(page->actions));
}

/* The Export button stands in the tool bar of the window, outside of this page. */
static void
fm_results_page_map(GtkWidget *widget)
{
    FmResultsPage *page = FM_RESULTS_PAGE(widget);
    GtkRoot *root = gtk_widget_get_root(widget);

    GTK_WIDGET_CLASS(fm_results_page_parent_class)->map(widget);
    if (FM_IS_WINDOW(root)) {
        gtk_widget_insert_action_group(GTK_WIDGET(root), "results", G_ACTION_GROUP(page->actions));
        fm_window_set_export_menu(FM_WINDOW(root), page->export_menu);
    }
}

static void
fm_results_page_unmap(GtkWidget *widget)
{
    GtkRoot *root = gtk_widget_get_root(widget);

    if (FM_IS_WINDOW(root)) {
        fm_window_set_export_menu(FM_WINDOW(root), NULL);
    }
    GTK_WIDGET_CLASS(fm_results_page_parent_class)->unmap(widget);
}

static void
fm_results_page_dispose(GObject *object)
{
    FmResultsPage *page = FM_RESULTS_PAGE(object);

    g_cancellable_cancel(page->cancellable);
    g_clear_object(&page->cancellable);
    g_clear_pointer(&page->box, gtk_widget_unparent);
    g_clear_object(&page->library);
    g_clear_object(&page->actions);
    g_clear_object(&page->export_menu);
    G_OBJECT_CLASS(fm_results_page_parent_class)->dispose(object);
}

static void
fm_results_page_class_init(FmResultsPageClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_results_page_dispose;
    widget_class->map = fm_results_page_map;
    widget_class->unmap = fm_results_page_unmap;
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Left, GDK_ALT_MASK, "results.back",
                                        NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Up, GDK_ALT_MASK, "results.previous",
                                        NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Down, GDK_ALT_MASK, "results.next",
                                        NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_f, GDK_CONTROL_MASK, "results.filter",
                                        NULL);
    gtk_widget_class_add_binding_action(widget_class, GDK_KEY_F2, 0, "results.rename", NULL);
}

static GtkWidget *
new_icon_button(const char *icon, const char *title, const char *action)
{
    GtkWidget *button = gtk_button_new_from_icon_name(icon);

    gtk_widget_set_tooltip_text(button, title);
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                   -1);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    return button;
}

static GtkWidget *
new_run_menu_button(void)
{
    GtkWidget *button = gtk_menu_button_new();
    g_autoptr(GMenuModel) model = new_run_menu();

    gtk_menu_button_set_icon_name(GTK_MENU_BUTTON(button), "view-more-symbolic");
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(button), model);
    gtk_widget_set_tooltip_text(button, _("More about this run"));
    gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("More about this run"), -1);
    return button;
}

static GtkWidget *
new_run_head(FmResultsPage *page)
{
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    GtkWidget *titles = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    page->title =
        g_object_new(GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
    page->subtitle =
        g_object_new(GTK_TYPE_LABEL, "xalign", 0.0, "ellipsize", PANGO_ELLIPSIZE_END, NULL);
    gtk_widget_add_css_class(GTK_WIDGET(page->title), "heading");
    gtk_widget_add_css_class(GTK_WIDGET(page->subtitle), "muted");
    gtk_widget_add_css_class(GTK_WIDGET(page->subtitle), "numeric");
    gtk_widget_set_hexpand(titles, TRUE);
    gtk_widget_set_valign(titles, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(titles), GTK_WIDGET(page->title));
    gtk_box_append(GTK_BOX(titles), GTK_WIDGET(page->subtitle));
    gtk_widget_add_css_class(row, "page-row");
    gtk_box_append(GTK_BOX(row),
                   new_icon_button("go-previous-symbolic", _("Back to all runs"), "results.back"));
    gtk_box_append(GTK_BOX(row), titles);
    gtk_box_append(GTK_BOX(row),
                   new_icon_button("go-up-symbolic", _("Previous run"), "results.previous"));
    gtk_box_append(GTK_BOX(row),
                   new_icon_button("go-down-symbolic", _("Next run"), "results.next"));
    gtk_box_append(GTK_BOX(row), new_run_menu_button());
    return row;
}

static void
add_run(FmResultsPage *page)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    page->run = FM_RUN_VIEW(fm_run_view_new());
    gtk_widget_set_vexpand(GTK_WIDGET(page->run), TRUE);
    gtk_box_append(GTK_BOX(box), new_run_head(page));
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(page->run));
    gtk_stack_add_named(page->stack, box, "run");
    g_signal_connect_swapped(page->run, "loaded", G_CALLBACK(loaded_cb), page);
    g_signal_connect_object(page->run, "noted", G_CALLBACK(fm_library_model_refresh), page->library,
                            G_CONNECT_SWAPPED);
}

static GtkWidget *
new_action_button(const char *title, const char *action)
{
    GtkWidget *button = gtk_button_new_with_mnemonic(title);

    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
    return button;
}

/* The run that is shown was going on when it was read, and has ended since. */
static bool
has_ended_since(FmResultsPage *page)
{
    FmLoadedRun *loaded = is_run_shown(page) ? fm_run_view_get_loaded(page->run) : NULL;

    return loaded != NULL && fm_loaded_run_is_busy(loaded) &&
           fm_library_model_find(page->library, fm_loaded_run_get_path(loaded)) != NULL &&
           !is_running(page, fm_loaded_run_get_path(loaded));
}

/* Other runs may be the neighbours now. */
static void
library_changed_cb(GListModel *library, guint position, guint removed, guint added,
                   gpointer user_data)
{
    FmResultsPage *page = FM_RESULTS_PAGE(user_data);

    if (has_ended_since(page)) {
        g_autofree char *path = g_strdup(fm_run_view_get_path(page->run));
        show_run(page, path);
    }
    update_actions(page);
}

static void
add_list(FmResultsPage *page)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);

    page->list = FM_LIBRARY_VIEW(fm_library_view_new(page->library));
    gtk_widget_set_vexpand(GTK_WIDGET(page->list), TRUE);
    gtk_widget_add_css_class(row, "page-row");
    gtk_box_append(GTK_BOX(row), new_action_button(_("O_pen"), "results.open-selected"));
    gtk_box_append(GTK_BOX(row), new_action_button(_("Move to _trash"), "results.trash"));
    gtk_box_append(GTK_BOX(row), new_run_menu_button());
    gtk_box_append(GTK_BOX(box), GTK_WIDGET(page->list));
    gtk_box_append(GTK_BOX(box), row);
    gtk_stack_add_named(page->stack, box, "list");
    g_signal_connect_swapped(page->list, "open", G_CALLBACK(show_run), page);
    g_signal_connect_swapped(page->list, "selected", G_CALLBACK(update_actions), page);
    g_signal_connect_object(page->library, "items-changed", G_CALLBACK(library_changed_cb), page,
                            0);
}

static void
add_bar(FmResultsPage *page)
{
    page->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SPACING);
    page->told =
        g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, "xalign", 0.0,
                     "hexpand", TRUE, "ellipsize", PANGO_ELLIPSIZE_MIDDLE, NULL);
    page->cancel = gtk_button_new_with_mnemonic(_("_Close"));
    gtk_widget_add_css_class(page->bar, "page-row");
    gtk_box_append(GTK_BOX(page->bar), GTK_WIDGET(page->told));
    gtk_box_append(GTK_BOX(page->bar), page->cancel);
    gtk_widget_set_visible(page->bar, FALSE);
    gtk_box_append(GTK_BOX(page->box), page->bar);
    g_signal_connect_swapped(page->cancel, "clicked", G_CALLBACK(cancel_cb), page);
}

static void
fm_results_page_init(FmResultsPage *page)
{
    page->library = fm_library_model_new();
    page->export_menu = new_export_menu();
    add_actions(page);
    page->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    page->stack = GTK_STACK(gtk_stack_new());
    gtk_widget_set_vexpand(GTK_WIDGET(page->stack), TRUE);
    gtk_box_append(GTK_BOX(page->box), GTK_WIDGET(page->stack));
    add_run(page);
    add_list(page);
    gtk_stack_set_visible_child_name(page->stack, "list");
    add_bar(page);
    gtk_widget_set_parent(page->box, GTK_WIDGET(page));
    update_actions(page);
}

/* Figures are built in another language or form. */
static void
figures_changed_cb(FmResultsPage *page)
{
    if (is_run_shown(page)) {
        g_autofree char *path = g_strdup(fm_run_view_get_path(page->run));
        show_run(page, path);
    }
}

GtkWidget *
fm_results_page_new(FmApplication *application)
{
    FmResultsPage *page = g_object_new(FM_TYPE_RESULTS_PAGE, NULL);
    FmSettings *settings = fm_application_get_settings(application);

    g_signal_connect_object(settings, "changed::" FM_SETTING_FIGURE_LANGUAGE,
                            G_CALLBACK(figures_changed_cb), page, G_CONNECT_SWAPPED);
    g_signal_connect_object(settings, "changed::" FM_SETTING_REVIEW, G_CALLBACK(figures_changed_cb),
                            page, G_CONNECT_SWAPPED);
    return GTK_WIDGET(page);
}
