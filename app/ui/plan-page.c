/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of what will be done is only built anew when another plan came out of the
 * reader; everything else is a few labels.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/plan-page.h"

#include "base/message.h"
#include "base/text.h"
#include "ui/column.h"
#include "ui/notice.h"
#include "ui/option-form.h"
#include "ui/plan-browser.h"
#include "ui/plan-outline.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    DETAIL_WIDTH = 760,
    GAP = 12,
    SMALL_GAP = 6,
    SECTION_GAP = 18,
    INDENT = 18,
};

struct _FmPlanPage {
    GtkWidget parent_instance;
    FmApplication *application;
    GtkWidget *panes;
    GtkWidget *name;
    GtkWidget *summary;
    GtkWidget *cost;
    GtkWidget *notices;
    GtkWidget *options_head;
    GtkWidget *form;
    GtkWidget *outline_head;
    GtkWidget *outline;
    char *outlined_hash; /* of the plan whose outline is shown */
};

G_DEFINE_FINAL_TYPE(FmPlanPage, fm_plan_page, GTK_TYPE_WIDGET)

static GtkWidget *
build_label(const char *text, const char *css_class)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    if (css_class != NULL) {
        gtk_widget_add_css_class(label, css_class);
    }
    return label;
}

/* --- Outline -------------------------------------------------------------------------------- */

static void
add_outline_row(GtkWidget *grid, const FmOutlineRow *row, int index)
{
    GtkWidget *title = build_label(row->title, row->is_heading ? "heading" : NULL);
    GtkWidget *what = build_label(row->what, "muted");
    GtkWidget *time = build_label(row->time, "numeric");

    gtk_widget_set_margin_start(title, (int)row->depth * INDENT);
    gtk_widget_set_valign(title, GTK_ALIGN_BASELINE);
    gtk_widget_set_valign(what, GTK_ALIGN_BASELINE);
    gtk_widget_set_valign(time, GTK_ALIGN_BASELINE);
    gtk_widget_set_hexpand(what, TRUE);
    gtk_widget_add_css_class(what, "caption");
    gtk_widget_add_css_class(what, "numeric");
    gtk_label_set_xalign(GTK_LABEL(time), 1);
    gtk_label_set_wrap(GTK_LABEL(time), FALSE);
    gtk_grid_attach(GTK_GRID(grid), title, 0, index, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), what, 1, index, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), time, 2, index, 1, 1);
}

static void
update_outline(FmPlanPage *page, const FmPlan *plan)
{
    const char *hash = plan != NULL ? plan->hash : NULL;
    GtkWidget *child;

    gtk_widget_set_visible(page->outline_head, plan != NULL);
    if (g_strcmp0(hash, page->outlined_hash) == 0) {
        return;
    }
    g_free(page->outlined_hash);
    page->outlined_hash = g_strdup(hash);
    while ((child = gtk_widget_get_first_child(page->outline)) != NULL) {
        gtk_grid_remove(GTK_GRID(page->outline), child);
    }
    if (plan == NULL) {
        return;
    }
    g_autoptr(GPtrArray) rows = fm_plan_outline(plan);
    for (guint i = 0; i < rows->len; i++) {
        add_outline_row(page->outline, (const FmOutlineRow *)g_ptr_array_index(rows, i), (int)i);
    }
}

/* --- What stands in the way ------------------------------------------------------------------ */

static void
add_blocker(FmPlanPage *page, FmChoice *choice, const char *blocker)
{
    const FmTarget *target = fm_choice_get_target(choice);
    GtkWidget *notice = fm_notice_new(FM_NOTICE_ERROR, blocker);

    if (fm_choice_get_plan_error(choice) != NULL && fm_choice_has_options(choice)) {
        fm_notice_add_action(notice, _("_Defaults"), "app.reset-options");
    } else if (fm_choice_get_plan_error(choice) == NULL &&
               fm_choice_get_target_error(choice) != NULL) {
        fm_notice_add_action(notice, _("Choose _Folder…"), "app.choose-folder");
    } else if (target != NULL && target->verdict == FM_VERDICT_MEMORY &&
               !fm_choice_get_allow_buffered(choice)) {
        fm_notice_add_action(notice, _("Test It _Anyway"), "app.allow-buffered");
    }
    gtk_box_append(GTK_BOX(page->notices), notice);
}

static void
update_notices(FmPlanPage *page)
{
    FmChoice *choice = fm_application_get_choice(page->application);
    g_autofree char *blocker = fm_choice_dup_blocker(choice);
    g_auto(GStrv) warnings = fm_choice_dup_warnings(choice);
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child(page->notices)) != NULL) {
        gtk_box_remove(GTK_BOX(page->notices), child);
    }
    if (blocker != NULL && !fm_choice_is_busy(choice)) {
        add_blocker(page, choice, blocker);
    }
    for (char **warning = warnings; *warning != NULL; warning++) {
        gtk_box_append(GTK_BOX(page->notices), fm_notice_new(FM_NOTICE_WARNING, *warning));
    }
    gtk_widget_set_visible(page->notices, gtk_widget_get_first_child(page->notices) != NULL);
}

/* --- The plan ------------------------------------------------------------------------------- */

static void
update_text(FmPlanPage *page, const FmPlan *plan)
{
    FmChoice *choice = fm_application_get_choice(page->application);
    const char *id = fm_choice_get_plan_id(choice);
    g_autofree char *name =
        fm_text_dup_printable(plan != NULL ? fm_message_choose(plan->name, plan->name_ko) : id);
    const char *summary = plan != NULL ? fm_message_choose(plan->summary, plan->summary_ko) : NULL;
    g_autofree char *printable = fm_text_dup_printable(summary != NULL ? summary : "");
    FmPlanCost cost;

    gtk_label_set_label(GTK_LABEL(page->name), name);
    gtk_label_set_label(GTK_LABEL(page->summary), printable);
    gtk_widget_set_visible(page->summary, *printable != '\0');
    gtk_widget_set_visible(page->cost, plan != NULL);
    if (fm_choice_get_cost(choice, &cost)) {
        g_autofree char *line = fm_plan_cost_dup_line(&cost);
        gtk_label_set_label(GTK_LABEL(page->cost), line);
    }
}

static void
update(FmPlanPage *page)
{
    FmChoice *choice = fm_application_get_choice(page->application);
    const FmPlan *plan = fm_choice_get_plan(choice);

    update_notices(page);
    if (plan == NULL && fm_choice_is_busy(choice)) {
        return; /* what is shown stays for the moment that reading takes */
    }
    update_text(page, plan);
    bool has_options = fm_option_form_update(FM_OPTION_FORM(page->form));
    gtk_widget_set_visible(page->form, has_options);
    gtk_widget_set_visible(page->options_head, has_options);
    update_outline(page, plan);
}

static void
choice_changed_cb(FmChoice *choice, gpointer user_data)
{
    update(FM_PLAN_PAGE(user_data));
}

/* --- Widget --------------------------------------------------------------------------------- */

static GtkWidget *
build_options_head(void)
{
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    GtkWidget *title = build_label(_("Options"), "section-title");
    GtkWidget *button = gtk_button_new_with_mnemonic(_("_Defaults"));

    gtk_widget_set_hexpand(title, TRUE);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "app.reset-options");
    gtk_widget_set_tooltip_text(button, _("Set all options of this plan as they were at first"));
    gtk_box_append(GTK_BOX(head), title);
    gtk_box_append(GTK_BOX(head), button);
    return head;
}

static GtkWidget *
build_outline(void)
{
    GtkWidget *grid = gtk_grid_new();

    gtk_grid_set_row_spacing(GTK_GRID(grid), SMALL_GAP);
    gtk_grid_set_column_spacing(GTK_GRID(grid), SECTION_GAP);
    gtk_accessible_update_property(GTK_ACCESSIBLE(grid), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("What it does"), -1);
    return grid;
}

static GtkWidget *
build_detail(FmPlanPage *page, FmChoice *choice)
{
    GtkWidget *scroller = gtk_scrolled_window_new();
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);

    page->name = build_label(NULL, "page-title");
    page->cost = build_label(NULL, "cost");
    page->summary = build_label(NULL, NULL);
    page->notices = gtk_box_new(GTK_ORIENTATION_VERTICAL, SMALL_GAP);
    page->options_head = build_options_head();
    page->form = fm_option_form_new(choice);
    page->outline_head = build_label(_("What it does"), "section-title");
    page->outline = build_outline();
    gtk_widget_add_css_class(page->cost, "numeric");
    gtk_widget_add_css_class(content, "page");
    gtk_box_append(GTK_BOX(content), page->name);
    gtk_box_append(GTK_BOX(content), page->cost);
    gtk_box_append(GTK_BOX(content), page->notices);
    gtk_box_append(GTK_BOX(content), page->summary);
    gtk_box_append(GTK_BOX(content), page->options_head);
    gtk_box_append(GTK_BOX(content), page->form);
    gtk_box_append(GTK_BOX(content), page->outline_head);
    gtk_box_append(GTK_BOX(content), page->outline);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller),
                                  fm_column_new(DETAIL_WIDTH, content));
    gtk_widget_set_hexpand(scroller, TRUE);
    return scroller;
}

static void
fm_plan_page_dispose(GObject *object)
{
    FmPlanPage *page = FM_PLAN_PAGE(object);

    g_clear_pointer(&page->panes, gtk_widget_unparent);
    g_clear_pointer(&page->outlined_hash, g_free);
    G_OBJECT_CLASS(fm_plan_page_parent_class)->dispose(object);
}

static void
fm_plan_page_class_init(FmPlanPageClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_plan_page_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_plan_page_init(FmPlanPage *page)
{
    page->panes = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_set_parent(page->panes, GTK_WIDGET(page));
}

GtkWidget *
fm_plan_page_new(FmApplication *application)
{
    FmPlanPage *page = g_object_new(FM_TYPE_PLAN_PAGE, NULL);
    FmChoice *choice = fm_application_get_choice(application);

    page->application = application;
    gtk_box_append(GTK_BOX(page->panes), fm_plan_browser_new(choice));
    gtk_box_append(GTK_BOX(page->panes), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
    gtk_box_append(GTK_BOX(page->panes), build_detail(page, choice));
    g_signal_connect_object(choice, "changed", G_CALLBACK(choice_changed_cb), page, 0);
    update(page);
    return GTK_WIDGET(page);
}
