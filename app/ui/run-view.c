/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is not looked at is not made: tables and facts are filled in when their tab is shown.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/run-view.h"

#include "base/error.h"
#include "ui/fact-list.h"
#include "ui/figure-list.h"
#include "ui/note-editor.h"
#include "ui/notice.h"
#include "ui/run-summary.h"
#include "ui/state-page.h"
#include "ui/step-list.h"
#include "ui/table-view.h"

#include <glib/gi18n.h>

enum { SMALL_SPACING = 6 };

struct _FmRunView {
    GtkWidget parent_instance;
    GtkWidget *remarks;
    GtkWidget *tabs; /* stack */
    GtkWidget *outer; /* stack: "run" or "state" */
    FmFigureList *figures;
    GtkWidget *steps;
    GtkWidget *facts;
    FmNoteEditor *note;
    FmStatePage *state;

    char *path;
    FmLoadedRun *loaded;
    GCancellable *cancellable;
};

enum { LOADED, NOTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE(FmRunView, fm_run_view, GTK_TYPE_WIDGET)

/* --- Tables ------------------------------------------------------------------------------ */

static char *
dup_step_cell(gpointer item, unsigned column)
{
    return g_strdup(fm_step_row_get_text(item, (FmStepColumn)column));
}

static char *
dup_fact_cell(gpointer item, unsigned column)
{
    return g_strdup(column == 0 ? fm_fact_row_get_name(item) : fm_fact_row_get_value(item));
}

static bool
is_fact_heading(gpointer item)
{
    return fm_fact_row_is_heading(item);
}

static GtkWidget *
new_steps(void)
{
    GtkWidget *scroll = fm_table_view_new(_("Steps of the run"));

    for (unsigned i = 0; i < FM_N_STEP_COLUMNS; i++) {
        const FmTextColumn column = {
            .title = fm_step_column_get_title((FmStepColumn)i),
            .text = dup_step_cell,
            .column = i,
            .is_number = !fm_step_column_is_text((FmStepColumn)i),
            .expands = i == FM_STEP_NAME,
            .width_chars = i == FM_STEP_NAME ? 16 : 0,
        };
        fm_table_view_add_column(fm_table_view_get(scroll), &column);
    }
    return scroll;
}

static GtkWidget *
new_facts(void)
{
    GtkWidget *scroll = fm_table_view_new(_("Facts of the run"));
    GtkColumnView *view = fm_table_view_get(scroll);
    GtkColumnViewColumn *name =
        fm_table_view_add_column(view, &(FmTextColumn){.title = _("Name"),
                                                       .text = dup_fact_cell,
                                                       .is_heading = is_fact_heading,
                                                       .width_chars = 24});

    gtk_column_view_column_set_fixed_width(name, 260);
    fm_table_view_add_column(
        view,
        &(FmTextColumn){.title = _("Value"), .text = dup_fact_cell, .column = 1, .expands = true});
    return scroll;
}

/* Takes @model. */
static void
show_rows(GtkWidget *scroll, GListModel *model)
{
    g_autoptr(GtkSelectionModel) selection =
        model != NULL ? GTK_SELECTION_MODEL(gtk_single_selection_new(model)) : NULL;

    gtk_column_view_set_model(fm_table_view_get(scroll), selection);
}

/* --- Tabs -------------------------------------------------------------------------------- */

static void
fill_tab_cb(FmRunView *view)
{
    GtkWidget *tab = gtk_stack_get_visible_child(GTK_STACK(view->tabs));
    GtkWidget *jump = fm_figure_list_get_jump(view->figures);

    gtk_widget_set_sensitive(jump, tab == GTK_WIDGET(view->figures));
    if (view->loaded == NULL) {
        return;
    }
    if (tab == view->steps && gtk_column_view_get_model(fm_table_view_get(view->steps)) == NULL) {
        show_rows(view->steps, fm_step_list_new(view->loaded));
    }
    if (tab == view->facts && gtk_column_view_get_model(fm_table_view_get(view->facts)) == NULL) {
        show_rows(view->facts, fm_fact_list_new(fm_loaded_run_get_run(view->loaded)));
    }
}

static void
add_tab(FmRunView *view, GtkWidget *child, const char *name, const char *title)
{
    gtk_stack_add_titled(GTK_STACK(view->tabs), child, name, title);
}

/* --- Showing a run ----------------------------------------------------------------------- */

static void
add_remark(FmRunView *view, const FmRunRemark *remark)
{
    FmNoticeKind kind = remark->is_serious ? FM_NOTICE_WARNING : FM_NOTICE_HINT;

    gtk_box_append(GTK_BOX(view->remarks), fm_notice_new(kind, remark->text));
}

static void
show_remarks(FmRunView *view)
{
    for (GtkWidget *child; (child = gtk_widget_get_first_child(view->remarks)) != NULL;) {
        gtk_box_remove(GTK_BOX(view->remarks), child);
    }
    g_autoptr(GPtrArray) remarks =
        view->loaded != NULL ? fm_run_summary_list_remarks(fm_loaded_run_get_run(view->loaded),
                                                           fm_loaded_run_is_busy(view->loaded))
                             : g_ptr_array_new();
    for (guint i = 0; i < remarks->len; i++) {
        add_remark(view, g_ptr_array_index(remarks, i));
    }
    gtk_widget_set_visible(view->remarks, remarks->len > 0);
}

static void
show_loaded(FmRunView *view)
{
    FmLoadedRun *loaded = view->loaded;

    show_remarks(view);
    fm_figure_list_set_run(view->figures, loaded);
    fm_note_editor_set_run(view->note, loaded);
    show_rows(view->steps, NULL);
    show_rows(view->facts, NULL);
    if (loaded == NULL) {
        return;
    }
    gtk_stack_set_visible_child_name(GTK_STACK(view->outer), "run");
    bool has_figures = fm_loaded_run_get_entries(loaded)->len > 0;
    gtk_stack_page_set_visible(gtk_stack_get_page(GTK_STACK(view->tabs), GTK_WIDGET(view->figures)),
                               has_figures);
    gtk_stack_set_visible_child(GTK_STACK(view->tabs),
                                has_figures ? GTK_WIDGET(view->figures) : view->steps);
    fill_tab_cb(view);
}

static void
show_state(FmRunView *view, const char *icon, const char *sentence)
{
    fm_state_page_set(view->state, icon, sentence);
    gtk_stack_set_visible_child_name(GTK_STACK(view->outer), "state");
}

static void
loaded_cb(GObject *source, GAsyncResult *result, gpointer user_data)
{
    g_autoptr(FmRunView) view = FM_RUN_VIEW(user_data);
    g_autoptr(GError) error = NULL;
    g_autoptr(FmLoadedRun) loaded = fm_loaded_run_read_finish(result, &error);

    if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
        return;
    }
    g_clear_object(&view->cancellable);
    if (loaded == NULL) {
        g_autofree char *sentence = fm_error_dup_local(error);
        show_state(view, "dialog-error-symbolic", sentence);
    } else {
        view->loaded = g_steal_pointer(&loaded);
        show_loaded(view);
    }
    g_signal_emit(view, signals[LOADED], 0);
}

/* --- Widget ------------------------------------------------------------------------------ */

static void
noted_cb(FmRunView *view, const char *path)
{
    g_signal_emit(view, signals[NOTED], 0, path);
}

static void
fm_run_view_dispose(GObject *object)
{
    FmRunView *view = FM_RUN_VIEW(object);

    g_cancellable_cancel(view->cancellable);
    g_clear_object(&view->cancellable);
    g_clear_pointer(&view->outer, gtk_widget_unparent);
    g_clear_pointer(&view->loaded, fm_loaded_run_unref);
    g_clear_pointer(&view->path, g_free);
    G_OBJECT_CLASS(fm_run_view_parent_class)->dispose(object);
}

static void
fm_run_view_class_init(FmRunViewClass *klass)
{
    GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(klass);

    G_OBJECT_CLASS(klass)->dispose = fm_run_view_dispose;
    signals[LOADED] = g_signal_new("loaded", FM_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                   NULL, G_TYPE_NONE, 0);
    signals[NOTED] = g_signal_new("noted", FM_TYPE_RUN_VIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
    gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_tabs(FmRunView *view, GtkWidget *box)
{
    GtkWidget *switcher = gtk_stack_switcher_new();
    GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SMALL_SPACING);

    view->tabs = gtk_stack_new();
    view->figures = FM_FIGURE_LIST(fm_figure_list_new());
    view->steps = new_steps();
    view->facts = new_facts();
    view->note = FM_NOTE_EDITOR(fm_note_editor_new());
    add_tab(view, GTK_WIDGET(view->figures), "figures", _("Figures"));
    add_tab(view, view->steps, "steps", _("Steps"));
    add_tab(view, view->facts, "facts", _("Facts"));
    add_tab(view, GTK_WIDGET(view->note), "note", _("Your note"));
    gtk_widget_add_css_class(switcher, "tabs");
    gtk_box_layout_set_homogeneous(GTK_BOX_LAYOUT(gtk_widget_get_layout_manager(switcher)), FALSE);
    gtk_stack_switcher_set_stack(GTK_STACK_SWITCHER(switcher), GTK_STACK(view->tabs));
    GtkWidget *jump = fm_figure_list_get_jump(view->figures);
    gtk_widget_set_hexpand(jump, TRUE);
    gtk_widget_set_halign(jump, GTK_ALIGN_END);
    gtk_widget_add_css_class(row, "page-row");
    gtk_box_append(GTK_BOX(row), switcher);
    gtk_box_append(GTK_BOX(row), jump);
    gtk_widget_set_vexpand(view->tabs, TRUE);
    gtk_box_append(GTK_BOX(box), row);
    gtk_box_append(GTK_BOX(box), view->tabs);
    g_signal_connect_swapped(view->tabs, "notify::visible-child", G_CALLBACK(fill_tab_cb), view);
    g_signal_connect_swapped(view->note, "saved", G_CALLBACK(noted_cb), view);
}

static void
fm_run_view_init(FmRunView *view)
{
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

    view->outer = gtk_stack_new();
    view->remarks = gtk_box_new(GTK_ORIENTATION_VERTICAL, SMALL_SPACING);
    gtk_widget_add_css_class(view->remarks, "remarks");
    gtk_box_append(GTK_BOX(box), view->remarks);
    add_tabs(view, box);
    view->state = FM_STATE_PAGE(fm_state_page_new());
    gtk_stack_add_named(GTK_STACK(view->outer), box, "run");
    gtk_stack_add_named(GTK_STACK(view->outer), GTK_WIDGET(view->state), "state");
    gtk_widget_set_parent(view->outer, GTK_WIDGET(view));
}

GtkWidget *
fm_run_view_new(void)
{
    return g_object_new(FM_TYPE_RUN_VIEW, NULL);
}

void
fm_run_view_open(FmRunView *view, const char *path)
{
    g_return_if_fail(FM_IS_RUN_VIEW(view));
    g_autofree char *own = g_strdup(path);

    g_cancellable_cancel(view->cancellable);
    g_clear_object(&view->cancellable);
    g_clear_pointer(&view->loaded, fm_loaded_run_unref);
    show_loaded(view);
    g_free(view->path);
    view->path = g_steal_pointer(&own);
    if (path == NULL) {
        return;
    }
    show_state(view, NULL, _("Reading the run…"));
    g_debug("reading %s", path);
    view->cancellable = g_cancellable_new();
    fm_loaded_run_read_async(view->path, view->cancellable, loaded_cb, g_object_ref(view));
}

const char *
fm_run_view_get_path(FmRunView *view)
{
    g_return_val_if_fail(FM_IS_RUN_VIEW(view), NULL);
    return view->path;
}

char *
fm_run_view_dup_subtitle(FmRunView *view)
{
    g_return_val_if_fail(FM_IS_RUN_VIEW(view), NULL);
    if (view->loaded == NULL) {
        return g_strdup("");
    }
    const FmRun *run = fm_loaded_run_get_run(view->loaded);
    bool is_busy = fm_loaded_run_is_busy(view->loaded);
    g_autofree char *date = fm_run_summary_dup_date(run->wall_us);
    g_autofree char *headline = fm_run_summary_dup_headline(run);
    const char *outcome = fm_run_summary_get_outcome(is_busy      ? "running"
                                                     : run->ended ? run->outcome
                                                                  : "cut off");
    return *headline != '\0' ? g_strdup_printf("%s · %s · %s", date, outcome, headline)
                             : g_strdup_printf("%s · %s", date, outcome);
}

FmLoadedRun *
fm_run_view_get_loaded(FmRunView *view)
{
    g_return_val_if_fail(FM_IS_RUN_VIEW(view), NULL);
    return view->loaded;
}
