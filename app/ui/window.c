/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pages are built when they are shown for the first time, so that the window is there at
 * once.  Below NARROW_WIDTH the sidebar becomes a drop-down in the tool bar.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/window.h"

#include "base/label.h"
#include "base/message.h"
#include "base/text.h"
#include "ui/drives-page.h"
#include "ui/form.h"
#include "ui/list-focus.h"
#include "ui/live-label.h"
#include "ui/plan-page.h"
#include "ui/results-page.h"
#include "ui/run-page.h"
#include "ui/target-menu.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    NARROW_WIDTH = 760,
    MIN_WIDTH = 640,
    MIN_HEIGHT = 480,
    ROW_SPACING = 2,
    RESPONSE_KEEP = 1,
    RESPONSE_STOP,
};

typedef struct {
    const char *name;
    const char *title;
    GtkWidget *(*build)(FmApplication *application);
} PageKind;

/* In the order of the sidebar. */
static const PageKind page_kinds[] = {
    {FM_PAGE_DRIVES, N_("Drives"), fm_drives_page_new},
    {FM_PAGE_PLAN, N_("Test plan"), fm_plan_page_new},
    {FM_PAGE_RUN, N_("Run"), fm_run_page_new},
    {FM_PAGE_RESULTS, N_("Results"), fm_results_page_new},
};

enum { N_PAGES = G_N_ELEMENTS(page_kinds) };

struct _FmWindow {
    GtkApplicationWindow parent_instance;
    FmApplication *application;
    GtkWidget *tool_bar;
    GtkWidget *sidebar_button;
    GtkWidget *page_drop_down;
    GtkWidget *target_button;
    GtkWidget *target_label;
    GtkWidget *run_button;
    GtkWidget *stop_button;
    GtkWidget *export_button;
    GtkWidget *export_label;
    GtkWidget *export_icon; /* instead of the label where there is no room */
    GtkWidget *menu_button;
    GtkWidget *sidebar;
    GtkWidget *sidebar_list;
    GtkWidget *stack;
    GtkWidget *status_label;
    GtkWidget *details[N_PAGES]; /* second lines of the sidebar */
    bool is_narrow;
    guint narrow_idle; /* the layout is to be changed after this allocation */
    unsigned shown_serial; /* of the run whose page was brought up */
    bool may_close; /* the user was asked */
};

G_DEFINE_FINAL_TYPE(FmWindow, fm_window, GTK_TYPE_APPLICATION_WINDOW)

static int
find_page(const char *name)
{
    for (int i = 0; i < N_PAGES; i++) {
        if (strcmp(page_kinds[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

/* --- Pages --------------------------------------------------------------------------------- */

static GtkWidget *
ensure_page(FmWindow *window, int index)
{
    const PageKind *kind = &page_kinds[index];
    GtkWidget *page = gtk_stack_get_child_by_name(GTK_STACK(window->stack), kind->name);

    if (page == NULL) {
        page = kind->build(window->application);
        gtk_stack_add_named(GTK_STACK(window->stack), page, kind->name);
    }
    return page;
}

static int
get_page_index(FmWindow *window)
{
    const char *name = gtk_stack_get_visible_child_name(GTK_STACK(window->stack));

    return name != NULL ? find_page(name) : -1;
}

static void
show_page(FmWindow *window, int index)
{
    GtkWidget *page = ensure_page(window, index);
    GtkListBoxRow *row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(window->sidebar_list), index);
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(window), "page");

    gtk_stack_set_visible_child(GTK_STACK(window->stack), page);
    gtk_list_box_select_row(GTK_LIST_BOX(window->sidebar_list), row);
    gtk_drop_down_set_selected(GTK_DROP_DOWN(window->page_drop_down), (guint)index);
    g_simple_action_set_state(G_SIMPLE_ACTION(action),
                              g_variant_new_string(page_kinds[index].name));
}

void
fm_window_show_page(FmWindow *window, const char *name)
{
    int index = find_page(name);

    g_return_if_fail(index >= 0);
    show_page(window, index);
    gtk_widget_child_focus(gtk_stack_get_visible_child(GTK_STACK(window->stack)),
                           GTK_DIR_TAB_FORWARD);
}

void
fm_window_open_run(FmWindow *window, const char *path)
{
    int index = find_page(FM_PAGE_RESULTS);

    if (index >= 0) {
        gtk_widget_activate_action(ensure_page(window, index), "results.open", "s", path);
        show_page(window, index);
    }
}

void
fm_window_set_export_menu(FmWindow *window, GMenuModel *menu)
{
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(window->export_button), menu);
    gtk_widget_set_sensitive(window->export_button, menu != NULL);
}

void
fm_window_set_page_detail(FmWindow *window, const char *name, const char *detail)
{
    int index = find_page(name);

    g_return_if_fail(index >= 0);
    fm_live_label_set(window->details[index], detail != NULL ? detail : "");
    gtk_widget_set_visible(window->details[index], detail != NULL);
}

/* --- Sidebar ------------------------------------------------------------------------------- */

static void
row_selected_cb(GtkListBox *list, GtkListBoxRow *row, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);

    if (row != NULL && gtk_list_box_row_get_index(row) != get_page_index(window)) {
        show_page(window, gtk_list_box_row_get_index(row));
    }
}

static void
page_chosen_cb(GtkDropDown *drop_down, GParamSpec *property, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);
    guint index = gtk_drop_down_get_selected(drop_down);

    if (index < N_PAGES && (int)index != get_page_index(window)) {
        show_page(window, (int)index);
    }
}

static GtkWidget *
build_sidebar_row(FmWindow *window, int index)
{
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, ROW_SPACING);
    GtkWidget *title = gtk_label_new(_(page_kinds[index].title));
    GtkWidget *detail = fm_live_label_new("", "caption");

    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_widget_add_css_class(detail, "muted");
    gtk_widget_add_css_class(detail, "numeric");
    gtk_widget_set_visible(detail, FALSE);
    gtk_widget_set_valign(column, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(column), title);
    gtk_box_append(GTK_BOX(column), detail);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), column);
    gtk_accessible_update_relation(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_RELATION_LABELLED_BY, title,
                                   NULL, GTK_ACCESSIBLE_RELATION_DESCRIBED_BY, detail, NULL, -1);
    window->details[index] = detail;
    return row;
}

static void
build_sidebar(FmWindow *window)
{
    GtkStringList *titles = gtk_string_list_new(NULL);

    for (int i = 0; i < N_PAGES; i++) {
        gtk_list_box_append(GTK_LIST_BOX(window->sidebar_list), build_sidebar_row(window, i));
        gtk_string_list_append(titles, _(page_kinds[i].title));
    }
    fm_form_name_choice(window->page_drop_down, _("Page"));
    gtk_drop_down_set_model(GTK_DROP_DOWN(window->page_drop_down), G_LIST_MODEL(titles));
    g_object_unref(titles);
    fm_list_focus_set_up(GTK_LIST_BOX(window->sidebar_list));
    g_signal_connect(window->sidebar_list, "row-selected", G_CALLBACK(row_selected_cb), window);
    g_signal_connect(window->page_drop_down, "notify::selected", G_CALLBACK(page_chosen_cb),
                     window);
}

/* --- Width --------------------------------------------------------------------------------- */

static void
apply_layout(FmWindow *window)
{
    FmSettings *settings = fm_application_get_settings(window->application);

    gtk_widget_set_visible(window->sidebar,
                           !window->is_narrow && fm_settings_get_sidebar(settings));
    gtk_widget_set_visible(window->sidebar_button, !window->is_narrow);
    gtk_widget_set_visible(window->page_drop_down, window->is_narrow);
    gtk_widget_set_visible(window->export_label, !window->is_narrow);
    gtk_widget_set_visible(window->export_icon, window->is_narrow);
}

static gboolean
layout_cb(gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);

    window->narrow_idle = 0;
    apply_layout(window);
    return G_SOURCE_REMOVE;
}

/* What is visible can't be changed while sizes are being given out. */
static void
fm_window_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
    FmWindow *window = FM_WINDOW(widget);
    bool is_narrow = width < NARROW_WIDTH;

    GTK_WIDGET_CLASS(fm_window_parent_class)->size_allocate(widget, width, height, baseline);
    if (is_narrow != window->is_narrow) {
        window->is_narrow = is_narrow;
        if (window->narrow_idle == 0) {
            window->narrow_idle = g_idle_add_full(G_PRIORITY_HIGH_IDLE, layout_cb, window, NULL);
        }
    }
}

/* --- Actions ------------------------------------------------------------------------------- */

static void
page_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    const char *name = g_variant_get_string(parameter, NULL);

    if (find_page(name) >= 0) {
        fm_window_show_page(FM_WINDOW(user_data), name);
    }
}

static void
next_page_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);
    int step = g_variant_get_boolean(parameter) ? 1 : N_PAGES - 1;
    int index = (get_page_index(window) + step) % N_PAGES;

    fm_window_show_page(window, page_kinds[index].name);
}

static void
sidebar_cb(GSimpleAction *action, GVariant *state, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);

    g_simple_action_set_state(action, state);
    fm_settings_set_sidebar(fm_application_get_settings(window->application),
                            g_variant_get_boolean(state));
    apply_layout(window);
}

/* Panes in the order of F6. */
static void
next_pane_cb(GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);
    GtkWidget *const panes[] = {window->tool_bar, window->sidebar, window->stack};
    int n_panes = G_N_ELEMENTS(panes);
    GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(window));
    int step = g_variant_get_boolean(parameter) ? 1 : n_panes - 1;
    int current = 0;

    for (int i = 0; i < n_panes; i++) {
        if (focus != NULL && gtk_widget_is_ancestor(focus, panes[i])) {
            current = i;
        }
    }
    for (int i = 1; i < n_panes; i++) {
        GtkWidget *pane = panes[(current + i * step) % n_panes];
        if (gtk_widget_is_visible(pane) && gtk_widget_child_focus(pane, GTK_DIR_TAB_FORWARD)) {
            return;
        }
    }
}

static void
add_actions(FmWindow *window)
{
    FmSettings *settings = fm_application_get_settings(window->application);
    static const GActionEntry entries[] = {
        {.name = "page", .activate = page_cb, .parameter_type = "s", .state = "''"},
        {.name = "next-page", .activate = next_page_cb, .parameter_type = "b"},
        {.name = "next-pane", .activate = next_pane_cb, .parameter_type = "b"},
        {.name = "sidebar", .change_state = sidebar_cb, .state = "true"},
    };

    g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), window);
    GAction *sidebar = g_action_map_lookup_action(G_ACTION_MAP(window), "sidebar");
    g_simple_action_set_state(G_SIMPLE_ACTION(sidebar),
                              g_variant_new_boolean(fm_settings_get_sidebar(settings)));
}

/* --- What is chosen and what runs ------------------------------------------------------------- */

static void
update_target(FmWindow *window)
{
    FmChoice *choice = fm_application_get_choice(window->application);
    g_autofree char *title = fm_choice_dup_target_title(choice);
    g_autofree char *name = g_strdup_printf(_("Target: %s"), title);

    gtk_label_set_label(GTK_LABEL(window->target_label), title);
    gtk_accessible_update_property(GTK_ACCESSIBLE(window->target_button),
                                   GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void
update_plan(FmWindow *window)
{
    const FmPlan *plan = fm_choice_get_plan(fm_application_get_choice(window->application));

    if (plan != NULL) {
        g_autofree char *name = fm_text_dup_printable(fm_message_choose(plan->name, plan->name_ko));
        fm_window_set_page_detail(window, FM_PAGE_PLAN, name);
    }
}

/* A run that was not shown yet brings up its page, and so does the wish for one: if it can't
 * be started, that is where the reason stands. */
static void
show_new_run(FmWindow *window)
{
    FmLiveRun *live = fm_application_get_live_run(window->application);
    bool is_new = fm_live_run_get_serial(live) != window->shown_serial;

    window->shown_serial = fm_live_run_get_serial(live);
    if (is_new || fm_live_run_get_state(live) == FM_LIVE_STARTING) {
        show_page(window, find_page(FM_PAGE_RUN));
    }
}

static const char *
get_state_text(FmLiveState state)
{
    static const char *const texts[] = {
        [FM_LIVE_NONE] = N_("No run is in progress"),
        [FM_LIVE_STARTING] = N_("Starting"),
        [FM_LIVE_RUNNING] = N_("Running"),
        [FM_LIVE_PAUSED] = N_("Paused"),
        [FM_LIVE_STOPPING] = N_("Stopping"),
        [FM_LIVE_ENDED] = N_("No run is in progress"),
    };

    return _(texts[state]);
}

/* "io_uring"; NULL before the first step. */
static const char *
get_backend(const FmRun *run)
{
    if (run == NULL || run->steps->len == 0) {
        return NULL;
    }
    return ((const FmRunStep *)run->steps->pdata[run->steps->len - 1])->backend;
}

/* "Running · backend uring · on battery". */
static char *
dup_status(FmWindow *window)
{
    FmLiveRun *live = fm_application_get_live_run(window->application);
    FmChoice *choice = fm_application_get_choice(window->application);
    g_autoptr(GString) text = g_string_new(get_state_text(fm_live_run_get_state(live)));
    const char *backend =
        fm_live_run_is_active(live) ? get_backend(fm_live_run_get_run(live)) : NULL;

    if (backend != NULL) {
        g_autofree char *printable = fm_text_dup_printable(backend);
        g_string_append(text, " · ");
        g_string_append_printf(text, _("backend %s"), printable);
    }
    if (fm_choice_is_on_battery(choice)) {
        g_string_append_printf(text, " · ⚠ %s", _("on battery"));
    }
    return g_strdup(text->str);
}

static void
update_status(FmWindow *window)
{
    FmLiveRun *live = fm_application_get_live_run(window->application);
    g_autofree char *status = dup_status(window);
    gint64 left_ns = fm_live_run_get_left_ns(live);
    g_autofree char *left = NULL;

    fm_live_label_set(window->status_label, status);
    if (fm_live_run_get_state(live) == FM_LIVE_RUNNING && left_ns >= 0) {
        g_autofree char *clock = fm_label_dup_clock(left_ns);
        left = g_strdup_printf(_("%s left"), clock);
    } else if (fm_live_run_is_active(live)) {
        left = g_strdup(get_state_text(fm_live_run_get_state(live)));
    }
    fm_window_set_page_detail(window, FM_PAGE_RUN, left);
}

static void
choice_changed_cb(FmChoice *choice, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);

    update_target(window);
    update_plan(window);
    update_status(window);
}

static void
live_changed_cb(FmLiveRun *live, gpointer user_data)
{
    update_status(FM_WINDOW(user_data));
    show_new_run(FM_WINDOW(user_data));
}

static void
drives_changed_cb(FmDriveList *drives, gpointer user_data)
{
    GPtrArray *rows = fm_drive_list_get(drives);
    g_autofree char *detail = rows != NULL ? g_strdup_printf(_("%u present"), rows->len) : NULL;

    fm_window_set_page_detail(FM_WINDOW(user_data), FM_PAGE_DRIVES, detail);
}

/* Things change while the window is elsewhere; while a run is on, nothing else is looked at. */
static void
active_cb(FmWindow *window, GParamSpec *property, gpointer user_data)
{
    FmLiveRun *live = fm_application_get_live_run(window->application);

    if (gtk_window_is_active(GTK_WINDOW(window)) && !fm_live_run_is_active(live)) {
        fm_live_run_attach(live);
        fm_choice_refresh(fm_application_get_choice(window->application));
    }
}

/* --- Closing ------------------------------------------------------------------------------- */

static gboolean
close_cb(gpointer user_data)
{
    gtk_window_close(GTK_WINDOW(user_data));
    return G_SOURCE_REMOVE;
}

static void
close_answered_cb(GtkDialog *dialog, int response, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);

    gtk_window_destroy(GTK_WINDOW(dialog));
    if (response == RESPONSE_STOP) {
        fm_live_run_stop(fm_application_get_live_run(window->application));
    }
    if (response == RESPONSE_STOP || response == RESPONSE_KEEP) {
        window->may_close = true;
        /* The dialog is still in use by its own signal, and it must not outlive its parent. */
        g_idle_add_full(G_PRIORITY_DEFAULT_IDLE, close_cb, g_object_ref(window), g_object_unref);
    }
}

static void
ask_before_close(FmWindow *window)
{
    GtkWidget *dialog = gtk_message_dialog_new(
        GTK_WINDOW(window), GTK_DIALOG_MODAL | GTK_DIALOG_DESTROY_WITH_PARENT, GTK_MESSAGE_QUESTION,
        GTK_BUTTONS_NONE, "%s", _("A run is in progress"));

    gtk_message_dialog_format_secondary_text(
        GTK_MESSAGE_DIALOG(dialog), "%s",
        _("It can go on without the window; the window shows it again when it is opened."));
    gtk_accessible_update_property(GTK_ACCESSIBLE(dialog), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("A run is in progress"), -1);
    gtk_dialog_add_button(GTK_DIALOG(dialog), _("_Cancel"), GTK_RESPONSE_CANCEL);
    gtk_dialog_add_button(GTK_DIALOG(dialog), _("_Stop the Run"), RESPONSE_STOP);
    gtk_dialog_add_button(GTK_DIALOG(dialog), _("_Keep Running"), RESPONSE_KEEP);
    gtk_dialog_set_default_response(GTK_DIALOG(dialog), RESPONSE_KEEP);
    g_signal_connect(dialog, "response", G_CALLBACK(close_answered_cb), window);
    gtk_window_present(GTK_WINDOW(dialog));
}

static void
save_size(FmWindow *window)
{
    int width;
    int height;

    gtk_window_get_default_size(GTK_WINDOW(window), &width, &height);
    fm_settings_set_window(fm_application_get_settings(window->application), width, height,
                           gtk_window_is_maximized(GTK_WINDOW(window)));
}

static gboolean
fm_window_close_request(GtkWindow *base)
{
    FmWindow *window = FM_WINDOW(base);

    if (!window->may_close &&
        fm_live_run_is_active(fm_application_get_live_run(window->application))) {
        ask_before_close(window);
        return TRUE;
    }
    save_size(window);
    return GTK_WINDOW_CLASS(fm_window_parent_class)->close_request(base);
}

/* --- GObject ------------------------------------------------------------------------------- */

static void
fm_window_dispose(GObject *object)
{
    FmWindow *window = FM_WINDOW(object);

    g_clear_handle_id(&window->narrow_idle, g_source_remove);
    G_OBJECT_CLASS(fm_window_parent_class)->dispose(object);
}

static void
fm_window_class_init(FmWindowClass *class)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

    G_OBJECT_CLASS(class)->dispose = fm_window_dispose;
    widget_class->size_allocate = fm_window_size_allocate;
    GTK_WINDOW_CLASS(class)->close_request = fm_window_close_request;

    gtk_widget_class_set_template_from_resource(widget_class, FM_RESOURCE_PATH "/ui/window.ui");
    gtk_widget_class_bind_template_child(widget_class, FmWindow, tool_bar);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, sidebar_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, page_drop_down);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, target_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, target_label);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, run_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, stop_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, export_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, export_icon);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, export_label);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, menu_button);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, sidebar);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, sidebar_list);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, stack);
    gtk_widget_class_bind_template_child(widget_class, FmWindow, status_label);
}

/* Files dropped anywhere on the window are opened as by a double click. */
static gboolean
drop_cb(GtkDropTarget *target, const GValue *value, double x, double y, gpointer user_data)
{
    FmWindow *window = FM_WINDOW(user_data);
    const GSList *dropped = gdk_file_list_get_files(g_value_get_boxed(value));
    g_autoptr(GPtrArray) files = g_ptr_array_new();

    for (; dropped != NULL; dropped = dropped->next) {
        g_ptr_array_add(files, dropped->data);
    }
    if (files->len > 0) {
        g_application_open(G_APPLICATION(window->application), (GFile **)files->pdata,
                           (int)files->len, "");
    }
    return files->len > 0;
}

static void
fm_window_init(FmWindow *window)
{
    gtk_widget_init_template(GTK_WIDGET(window));
    gtk_widget_set_size_request(GTK_WIDGET(window), MIN_WIDTH, MIN_HEIGHT);
    GtkDropTarget *drop = gtk_drop_target_new(GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
    g_signal_connect(drop, "drop", G_CALLBACK(drop_cb), window);
    gtk_widget_add_controller(GTK_WIDGET(window), GTK_EVENT_CONTROLLER(drop));
}

static void
build_menus(FmWindow *window)
{
    GMenu *primary =
        gtk_application_get_menu_by_id(GTK_APPLICATION(window->application), "primary-menu");
    g_autoptr(GMenuModel) places =
        fm_target_menu_new(fm_application_get_drives(window->application));

    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(window->menu_button), G_MENU_MODEL(primary));
    gtk_menu_button_set_menu_model(GTK_MENU_BUTTON(window->target_button), places);
}

static void
restore_size(FmWindow *window)
{
    int width;
    int height;
    bool is_maximised;

    if (fm_settings_get_window(fm_application_get_settings(window->application), &width, &height,
                               &is_maximised)) {
        gtk_window_set_default_size(GTK_WINDOW(window), width, height);
        if (is_maximised) {
            gtk_window_maximize(GTK_WINDOW(window));
        }
    }
}

GtkWidget *
fm_window_new(FmApplication *application)
{
    FmWindow *window = g_object_new(FM_TYPE_WINDOW, "application", application, NULL);
    FmChoice *choice = fm_application_get_choice(application);
    FmDriveList *drives = fm_application_get_drives(application);
    FmLiveRun *live = fm_application_get_live_run(application);

    window->application = application;
    restore_size(window);
    add_actions(window);
    build_sidebar(window);
    build_menus(window);
    apply_layout(window);
    show_page(window, 0);
    g_signal_connect_object(choice, "changed", G_CALLBACK(choice_changed_cb), window, 0);
    g_signal_connect_object(live, "changed", G_CALLBACK(live_changed_cb), window, 0);
    g_signal_connect_object(drives, "changed", G_CALLBACK(drives_changed_cb), window, 0);
    g_signal_connect(window, "notify::is-active", G_CALLBACK(active_cb), NULL);
    choice_changed_cb(choice, window);
    drives_changed_cb(drives, window);
    live_changed_cb(live, window);
    return GTK_WIDGET(window);
}
