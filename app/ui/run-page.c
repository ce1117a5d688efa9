/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two states: a sentence where no run is watched, else the run.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/run-page.h"

#include "base/error.h"
#include "base/label.h"
#include "base/message.h"
#include "base/text.h"
#include "figures/figures.h"
#include "store/run-text.h"
#include "ui/figure-view.h"
#include "ui/live-label.h"
#include "ui/live-numbers.h"
#include "ui/live-strip.h"
#include "ui/loaded-run.h"
#include "ui/note-list.h"
#include "ui/notice.h"
#include "ui/state-page.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    GAP = 12,
    SMALL_GAP = 6,
    FIGURE_HEIGHT = 240, /* less is no figure to read */
    /* A figure costs about 7 ms to lay out and paint in software: four a second were 3 % of a
     * core, one is less than 1 %. */
    FIGURE_INTERVAL_US = G_USEC_PER_SEC,
};

typedef enum { CELL_DONE, CELL_NOW, CELL_NEXT, N_CELLS } Cell;

struct _FmRunPage {
    GtkWidget parent_instance;
    FmApplication *application;
    GtkWidget *stack;
    GtkWidget *state;
    GtkWidget *title;
    GtkWidget *place; /* what is tested, step and time left */
    GtkWidget *pause_button;
    GtkWidget *strip;
    GtkWidget *cells[N_CELLS];
    GtkWidget *detail;
    GtkWidget *numbers;
    GtkWidget *figure;
    GtkWidget *notes;
    GtkWidget *ending; /* box of one notice */
    FmLiveSequence *sequence;
    unsigned serial; /* of the run that is shown */
    FmLiveState shown_state;
    gint64 figure_us; /* when the figure was set last */
};

G_DEFINE_FINAL_TYPE(FmRunPage, fm_run_page, GTK_TYPE_WIDGET)

/* --- The run -------------------------------------------------------------------------------- */

static char *
dup_target(const FmRun *run)
{
    const char *model = fm_facts_get_string(run->drive, "drive.model");
    const char *path = run->target_path != NULL ? run->target_path : "";
    g_autofree char *all =
        model != NULL && *model != '\0' ? g_strjoin(" – ", model, path, NULL) : g_strdup(path);

    return fm_text_dup_printable(all);
}

/* "/data · step 3 of 24 · resting · 0:00:57 left". */
static char *
dup_place(FmRunPage *page, const FmRun *run, bool is_active)
{
    FmLiveRun *live = fm_application_get_live_run(page->application);
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
    char *activity = is_active ? fm_run_text_dup_activity(run) : NULL;
    gint64 left_ns = fm_live_run_get_left_ns(live);

    g_ptr_array_add(parts, dup_target(run));
    if (run->steps->len > 0) {
        g_ptr_array_add(parts, fm_run_text_dup_position(run));
    }
    if (activity != NULL) {
        g_ptr_array_add(parts, activity);
    }
    if (is_active && left_ns >= 0) {
        g_autofree char *left = fm_label_dup_clock(left_ns);
        g_ptr_array_add(parts, g_strdup_printf(_("%s left"), left));
    }
    g_ptr_array_add(parts, NULL);
    return g_strjoinv(" · ", (char **)parts->pdata);
}

static void
update_strip(FmRunPage *page, const FmRun *run, bool is_active)
{
    if (page->sequence == NULL) {
        page->sequence = fm_live_sequence_new(run);
    }
    g_auto(FmLiveStrip) strip = fm_live_strip_build(page->sequence, run);
    const char *texts[] = {
        [CELL_DONE] = strip.done,
        [CELL_NOW] = is_active ? strip.now : NULL,
        [CELL_NEXT] = is_active ? strip.next : NULL,
    };

    for (Cell cell = 0; cell < N_CELLS; cell++) {
        fm_live_label_set(page->cells[cell], texts[cell] != NULL ? texts[cell] : FM_LABEL_UNKNOWN);
    }
    fm_live_label_set(page->detail, is_active && strip.detail != NULL ? strip.detail : "");
}

static void
update_figure(FmRunPage *page, const FmRun *run, bool is_active)
{
    gint64 now_us = g_get_monotonic_time();

    if (is_active && now_us - page->figure_us < FIGURE_INTERVAL_US) {
        return;
    }
    page->figure_us = now_us;
    g_auto(FmFigureChoice) choice = fm_figure_choice_load();
    const FmFigureOptions options = {
        .language = choice.language, .is_review = choice.is_review, .is_live = true};
    FmFigure *figure = fm_figures_build_live(run, &options);

    if (figure != NULL) {
        fm_figure_view_set_figure(FM_FIGURE_VIEW(page->figure), figure);
        fm_figure_unref(figure);
    }
}

/* --- The end -------------------------------------------------------------------------------- */

/* What is left on the target. */
static const char *
describe_remains(const FmRun *run)
{
    if (run->test_file == NULL || *run->test_file == '\0') {
        return "";
    }
    return g_file_test(run->test_file, G_FILE_TEST_EXISTS)
               ? _("The test file is still there; the next start removes it.")
               : _("The test file was removed; nothing else was touched.");
}

static char *
dup_ending(const FmRun *run, const GError *error)
{
    g_autofree char *reason =
        error != NULL ? fm_error_dup_local(error) : fm_message_dup_local(run->reason);
    const char *remains = describe_remains(run);

    if (error == NULL && g_strcmp0(run->outcome, "complete") == 0) {
        return g_strjoin(" ", _("The run is complete."), remains, NULL);
    }
    if (error == NULL && g_strcmp0(run->outcome, "stopped") == 0) {
        return g_strjoin(" ", _("The run was stopped; what was measured until then is kept."),
                         remains, NULL);
    }
    g_autofree char *sentence =
        g_strdup_printf("%s%s", *reason != '\0' ? reason : _("The run did not come to its end"),
                        g_str_has_suffix(reason, ".") ? "" : ".");
    return g_strjoin(" ", sentence, remains, NULL);
}

static void
show_ending(FmRunPage *page, const FmRun *run)
{
    FmLiveRun *live = fm_application_get_live_run(page->application);
    const GError *error = fm_live_run_get_error(live);
    bool is_good = error == NULL && (g_strcmp0(run->outcome, "complete") == 0 ||
                                     g_strcmp0(run->outcome, "stopped") == 0);
    g_autofree char *sentence = dup_ending(run, error);
    GtkWidget *notice = fm_notice_new(is_good ? FM_NOTICE_HINT : FM_NOTICE_ERROR, sentence);

    fm_notice_add_action(notice, _("Show R_esult"), "app.show-result");
    gtk_box_append(GTK_BOX(page->ending), notice);
    gtk_widget_set_visible(page->ending, TRUE);
}

static void
clear_ending(FmRunPage *page)
{
    GtkWidget *child;

    while ((child = gtk_widget_get_first_child(page->ending)) != NULL) {
        gtk_box_remove(GTK_BOX(page->ending), child);
    }
    gtk_widget_set_visible(page->ending, FALSE);
}

/* --- Nothing to watch ------------------------------------------------------------------------ */

static void
show_state(FmRunPage *page)
{
    FmLiveRun *live = fm_application_get_live_run(page->application);
    const GError *error = fm_live_run_get_error(live);
    FmStatePage *state = FM_STATE_PAGE(page->state);

    if (fm_live_run_get_state(live) == FM_LIVE_ENDED) {
        /* Over before its first step. */
        g_autofree char *sentence = dup_ending(fm_live_run_get_run(live), error);
        fm_state_page_set(state, "dialog-error-symbolic", sentence);
        fm_state_page_set_action(state, _("_Try Again"), "app.run");
    } else if (fm_live_run_get_state(live) == FM_LIVE_STARTING) {
        fm_state_page_set(state, NULL, _("The run is being started."));
        fm_state_page_set_action(state, NULL, NULL);
    } else if (error != NULL) {
        g_autofree char *sentence = fm_error_dup_local(error);
        fm_state_page_set(state, "dialog-error-symbolic", sentence);
        fm_state_page_set_action(state, _("_Try Again"), "app.run");
    } else {
        fm_state_page_set(state, "media-playback-start-symbolic",
                          _("No run is in progress. Choose where and what to test, then run it."));
        fm_state_page_set_action(state, _("_Run"), "app.run");
    }
    gtk_stack_set_visible_child_name(GTK_STACK(page->stack), "state");
}

/* --- Following ------------------------------------------------------------------------------ */

/* Another run than the one that was shown. */
static void
begin_run(FmRunPage *page, unsigned serial)
{
    page->serial = serial;
    page->shown_state = FM_LIVE_NONE;
    page->figure_us = 0;
    g_clear_pointer(&page->sequence, fm_live_sequence_free);
    fm_note_list_clear(FM_NOTE_LIST(page->notes));
    fm_figure_view_set_figure(FM_FIGURE_VIEW(page->figure), NULL);
    gtk_label_set_label(GTK_LABEL(page->title), "");
    clear_ending(page);
}

static void
update_state(FmRunPage *page, const FmRun *run, FmLiveState state)
{
    if (state == page->shown_state) {
        return;
    }
    page->shown_state = state;
    gtk_button_set_label(GTK_BUTTON(page->pause_button),
                         state == FM_LIVE_PAUSED ? _("R_esume") : _("_Pause"));
    fm_figure_view_set_live(FM_FIGURE_VIEW(page->figure), state != FM_LIVE_ENDED);
    gtk_widget_set_visible(page->pause_button, state != FM_LIVE_ENDED);
    gtk_widget_set_visible(page->strip, state != FM_LIVE_ENDED);
    gtk_widget_set_visible(page->numbers, state != FM_LIVE_ENDED);
    clear_ending(page);
    if (state == FM_LIVE_ENDED) {
        show_ending(page, run);
    }
}

static void
update_run(FmRunPage *page, const FmRun *run)
{
    FmLiveRun *live = fm_application_get_live_run(page->application);
    FmLiveState state = fm_live_run_get_state(live);
    bool is_active = fm_live_run_is_active(live);

    if (fm_live_run_get_serial(live) != page->serial) {
        begin_run(page, fm_live_run_get_serial(live));
    }
    if (run->plan_text != NULL && *gtk_label_get_label(GTK_LABEL(page->title)) == '\0') {
        g_autofree char *name = fm_run_text_dup_plan(run);
        gtk_label_set_label(GTK_LABEL(page->title), name != NULL ? name : "");
    }
    g_autofree char *place = dup_place(page, run, is_active);
    fm_live_label_set(page->place, place);
    update_strip(page, run, is_active);
    fm_live_numbers_update(FM_LIVE_NUMBERS(page->numbers), run, is_active);
    fm_note_list_update(FM_NOTE_LIST(page->notes), run);
    update_figure(page, run, is_active);
    update_state(page, run, state);
    gtk_stack_set_visible_child_name(GTK_STACK(page->stack), "run");
}

static void
update(FmRunPage *page)
{
    FmLiveRun *live = fm_application_get_live_run(page->application);
    FmLiveState state = fm_live_run_get_state(live);
    const FmRun *run = fm_live_run_get_run(live);

    bool is_watched = state != FM_LIVE_NONE && state != FM_LIVE_STARTING && run != NULL;

    if (!is_watched || (state == FM_LIVE_ENDED && run->steps->len == 0)) {
        show_state(page);
    } else {
        update_run(page, run);
    }
}

/* What nobody sees is not drawn, and not worked out either. */
static void
live_changed_cb(FmLiveRun *live, gpointer user_data)
{
    FmRunPage *page = FM_RUN_PAGE(user_data);

    if (gtk_widget_get_mapped(GTK_WIDGET(page))) {
        update(page);
    }
}

static void
fm_run_page_map(GtkWidget *widget)
{
    GTK_WIDGET_CLASS(fm_run_page_parent_class)->map(widget);
    update(FM_RUN_PAGE(widget));
}

/* --- Widget --------------------------------------------------------------------------------- */

static GtkWidget *
build_label(const char *text, const char *css_class)
{
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
    gtk_widget_add_css_class(label, css_class);
    return label;
}

static GtkWidget *
build_head(FmRunPage *page)
{
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, SMALL_GAP);

    page->title = build_label("", "page-title");
    page->pause_button = gtk_button_new_with_mnemonic(_("_Pause"));
    gtk_widget_set_hexpand(page->title, TRUE);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(page->pause_button), "app.pause");
    gtk_widget_set_tooltip_text(page->pause_button,
                                _("Read and write nothing until resumed (Ctrl+Shift+R)"));
    gtk_box_append(GTK_BOX(head), page->title);
    gtk_box_append(GTK_BOX(head), page->pause_button);
    return head;
}

static GtkWidget *
build_strip(FmRunPage *page)
{
    static const char *const titles[] = {
        [CELL_DONE] = N_("Done"), [CELL_NOW] = N_("Now"), [CELL_NEXT] = N_("Next")};
    GtkWidget *strip = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);

    gtk_box_set_homogeneous(GTK_BOX(strip), TRUE);
    for (Cell cell = 0; cell < N_CELLS; cell++) {
        GtkWidget *column = g_object_new(GTK_TYPE_BOX, "orientation", GTK_ORIENTATION_VERTICAL,
                                         "accessible-role", GTK_ACCESSIBLE_ROLE_GROUP, NULL);
        GtkWidget *title = build_label(_(titles[cell]), "caption");
        page->cells[cell] =
            fm_live_label_new(FM_LABEL_UNKNOWN, cell == CELL_NOW ? "heading" : "step");
        gtk_widget_add_css_class(title, "muted");
        gtk_widget_add_css_class(column, cell == CELL_NOW ? "strip-now" : "strip-cell");
        gtk_box_append(GTK_BOX(column), title);
        gtk_box_append(GTK_BOX(column), page->cells[cell]);
        if (cell == CELL_NOW) {
            page->detail = fm_live_label_new("", "caption");
            gtk_widget_add_css_class(page->detail, "muted");
            gtk_box_append(GTK_BOX(column), page->detail);
        }
        gtk_accessible_update_property(GTK_ACCESSIBLE(column), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                       _(titles[cell]), -1);
        gtk_box_append(GTK_BOX(strip), column);
    }
    return strip;
}

static GtkWidget *
build_run(FmRunPage *page)
{
    GtkWidget *scroller = gtk_scrolled_window_new();
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);

    page->place = fm_live_label_new("", "muted");
    page->strip = build_strip(page);
    page->numbers = fm_live_numbers_new();
    page->figure = fm_figure_view_new();
    page->notes = fm_note_list_new();
    page->ending = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    gtk_widget_add_css_class(page->place, "numeric");
    gtk_widget_set_visible(page->ending, FALSE);
    gtk_widget_set_vexpand(page->figure, TRUE);
    gtk_widget_set_size_request(page->figure, -1, FIGURE_HEIGHT);
    fm_figure_view_set_fills(FM_FIGURE_VIEW(page->figure), true);
    gtk_widget_add_css_class(content, "page");
    gtk_box_append(GTK_BOX(content), build_head(page));
    gtk_box_append(GTK_BOX(content), page->place);
    gtk_box_append(GTK_BOX(content), page->ending);
    gtk_box_append(GTK_BOX(content), page->strip);
    gtk_box_append(GTK_BOX(content), page->numbers);
    gtk_box_append(GTK_BOX(content), page->figure);
    gtk_box_append(GTK_BOX(content), page->notes);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), content);
    return scroller;
}

static void
fm_run_page_dispose(GObject *object)
{
    FmRunPage *page = FM_RUN_PAGE(object);

    g_clear_pointer(&page->stack, gtk_widget_unparent);
    g_clear_pointer(&page->sequence, fm_live_sequence_free);
    G_OBJECT_CLASS(fm_run_page_parent_class)->dispose(object);
}

static void
fm_run_page_class_init(FmRunPageClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_run_page_dispose;
    GTK_WIDGET_CLASS(class)->map = fm_run_page_map;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_run_page_init(FmRunPage *page)
{
    page->stack = gtk_stack_new();
    page->state = fm_state_page_new();
    gtk_stack_add_named(GTK_STACK(page->stack), page->state, "state");
    gtk_stack_add_named(GTK_STACK(page->stack), build_run(page), "run");
    gtk_widget_set_parent(page->stack, GTK_WIDGET(page));
}

GtkWidget *
fm_run_page_new(FmApplication *application)
{
    FmRunPage *page = g_object_new(FM_TYPE_RUN_PAGE, NULL);
    FmLiveRun *live = fm_application_get_live_run(application);

    page->application = application;
    g_signal_connect_object(live, "changed", G_CALLBACK(live_changed_cb), page, 0);
    return GTK_WIDGET(page);
}
