/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cards stay as long as their drive does; only what is new, gone or different is touched.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/drives-page.h"

#include "base/error.h"
#include "base/text.h"
#include "ui/column.h"
#include "ui/drive-card.h"
#include "ui/state-page.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    COLUMN_WIDTH = 760,
    GAP = 18,
    RADIO_WIDTH = 24, /* what stands below a radio button begins where its label does */
};

struct _FmDrivesPage {
    GtkWidget parent_instance;
    FmApplication *application;
    GtkWidget *stack; /* cards, or why there are none */
    GtkWidget *state;
    GtkWidget *card_box;
    GtkWidget *target_box; /* a target that is no place on a card */
    GtkWidget *target_button;
    GtkWidget *target_detail;
    GPtrArray *cards; /* of FmDriveCard, in order of the page */
};

G_DEFINE_FINAL_TYPE(FmDrivesPage, fm_drives_page, GTK_TYPE_WIDGET)

static FmDriveCard *
find_card(FmDrivesPage *page, const char *key)
{
    for (guint i = 0; i < page->cards->len; i++) {
        FmDriveCard *card = FM_DRIVE_CARD(g_ptr_array_index(page->cards, i));
        if (strcmp(fm_drive_card_get_key(card), key) == 0) {
            return card;
        }
    }
    return NULL;
}

static void
remove_gone(FmDrivesPage *page, GPtrArray *kept)
{
    for (guint i = 0; i < page->cards->len; i++) {
        GtkWidget *card = GTK_WIDGET(g_ptr_array_index(page->cards, i));
        if (!g_ptr_array_find(kept, card, NULL)) {
            gtk_box_remove(GTK_BOX(page->card_box), card);
        }
    }
}

static void
update_cards(FmDrivesPage *page, GPtrArray *rows)
{
    FmChoice *choice = fm_application_get_choice(page->application);
    GPtrArray *cards = g_ptr_array_new();
    GtkWidget *previous = NULL;

    for (guint i = 0; i < rows->len; i++) {
        const FmDriveRow *row = (const FmDriveRow *)g_ptr_array_index(rows, i);
        g_autofree char *key = fm_drive_row_dup_key(row);
        FmDriveCard *card = find_card(page, key);
        if (card == NULL) {
            card = FM_DRIVE_CARD(fm_drive_card_new(choice, GTK_CHECK_BUTTON(page->target_button)));
            gtk_box_append(GTK_BOX(page->card_box), GTK_WIDGET(card));
        }
        fm_drive_card_update(card, row);
        /* A card that is moved loses the focus. */
        if (gtk_widget_get_prev_sibling(GTK_WIDGET(card)) != previous) {
            gtk_box_reorder_child_after(GTK_BOX(page->card_box), GTK_WIDGET(card), previous);
        }
        previous = GTK_WIDGET(card);
        g_ptr_array_add(cards, card);
    }
    remove_gone(page, cards);
    g_ptr_array_unref(page->cards);
    page->cards = cards;
}

/* The chosen place where no card shows it: a folder, a simulated drive. */
static void
update_target(FmDrivesPage *page)
{
    FmChoice *choice = fm_application_get_choice(page->application);
    const GError *error = fm_choice_get_target_error(choice);
    g_autofree char *title = fm_choice_dup_target_title(choice);
    g_autofree char *reason = error != NULL ? fm_error_dup_local(error) : NULL;

    gtk_check_button_set_active(GTK_CHECK_BUTTON(page->target_button), TRUE);
    for (guint i = 0; i < page->cards->len; i++) {
        fm_drive_card_update_choice(FM_DRIVE_CARD(g_ptr_array_index(page->cards, i)));
    }
    bool is_elsewhere = gtk_check_button_get_active(GTK_CHECK_BUTTON(page->target_button));
    gtk_check_button_set_label(GTK_CHECK_BUTTON(page->target_button), title);
    gtk_label_set_label(GTK_LABEL(page->target_detail), reason != NULL ? reason : "");
    gtk_widget_set_visible(page->target_detail, reason != NULL);
    gtk_widget_set_visible(page->target_box, fm_choice_get_target_text(choice) != NULL &&
                                                 (is_elsewhere || reason != NULL));
}

static void
update(FmDrivesPage *page)
{
    GPtrArray *rows = fm_drive_list_get(fm_application_get_drives(page->application));

    if (rows == NULL) {
        return; /* being read; it takes a moment */
    }
    if (rows->len == 0) {
        fm_state_page_set(FM_STATE_PAGE(page->state), "drive-harddisk-solidstate-symbolic",
                          _("The system tells of no drive. A folder can be tested all the same."));
        fm_state_page_set_action(FM_STATE_PAGE(page->state), _("Choose _Folder…"),
                                 "app.choose-folder");
    }
    gtk_stack_set_visible_child_name(GTK_STACK(page->stack), rows->len > 0 ? "cards" : "state");
    update_cards(page, rows);
    update_target(page);
}

static void
drives_changed_cb(FmDriveList *list, gpointer user_data)
{
    update(FM_DRIVES_PAGE(user_data));
}

static void
choice_changed_cb(FmChoice *choice, gpointer user_data)
{
    update_target(FM_DRIVES_PAGE(user_data));
}

/* --- Widget -------------------------------------------------------------------------------- */

static GtkWidget *
build_head(void)
{
    GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    GtkWidget *title = gtk_label_new(_("Where to test"));
    GtkWidget *button = gtk_button_new_with_mnemonic(_("Choose _Folder…"));

    gtk_label_set_xalign(GTK_LABEL(title), 0);
    gtk_widget_set_hexpand(title, TRUE);
    gtk_widget_add_css_class(title, "page-title");
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "app.choose-folder");
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(head), title);
    gtk_box_append(GTK_BOX(head), button);
    return head;
}

static void
build_target(FmDrivesPage *page)
{
    page->target_box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    page->target_button = gtk_check_button_new_with_label("");
    page->target_detail = gtk_label_new(NULL);
    gtk_widget_set_margin_start(page->target_detail, RADIO_WIDTH);
    gtk_label_set_xalign(GTK_LABEL(page->target_detail), 0);
    gtk_label_set_wrap(GTK_LABEL(page->target_detail), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(page->target_detail), PANGO_WRAP_WORD_CHAR);
    gtk_widget_add_css_class(page->target_detail, "error-text");
    gtk_widget_add_css_class(page->target_box, "card");
    gtk_widget_set_visible(page->target_box, FALSE);
    gtk_box_append(GTK_BOX(page->target_box), page->target_button);
    gtk_box_append(GTK_BOX(page->target_box), page->target_detail);
}

static void
fm_drives_page_dispose(GObject *object)
{
    FmDrivesPage *page = FM_DRIVES_PAGE(object);

    g_clear_pointer(&page->stack, gtk_widget_unparent);
    g_clear_pointer(&page->cards, g_ptr_array_unref);
    G_OBJECT_CLASS(fm_drives_page_parent_class)->dispose(object);
}

static void
fm_drives_page_class_init(FmDrivesPageClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_drives_page_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_drives_page_init(FmDrivesPage *page)
{
    GtkWidget *scroller = gtk_scrolled_window_new();
    GtkWidget *content = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);

    page->cards = g_ptr_array_new();
    page->card_box = gtk_box_new(GTK_ORIENTATION_VERTICAL, GAP);
    page->stack = gtk_stack_new();
    page->state = fm_state_page_new();
    build_target(page);
    gtk_widget_add_css_class(content, "page");
    gtk_box_append(GTK_BOX(content), build_head());
    gtk_box_append(GTK_BOX(content), page->target_box);
    gtk_box_append(GTK_BOX(content), page->card_box);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller),
                                  fm_column_new(COLUMN_WIDTH, content));
    gtk_stack_add_named(GTK_STACK(page->stack), scroller, "cards");
    gtk_stack_add_named(GTK_STACK(page->stack), page->state, "state");
    gtk_widget_set_parent(page->stack, GTK_WIDGET(page));
}

GtkWidget *
fm_drives_page_new(FmApplication *application)
{
    FmDrivesPage *page = g_object_new(FM_TYPE_DRIVES_PAGE, NULL);
    FmDriveList *drives = fm_application_get_drives(application);
    FmChoice *choice = fm_application_get_choice(application);

    page->application = application;
    g_signal_connect_object(drives, "changed", G_CALLBACK(drives_changed_cb), page, 0);
    g_signal_connect_object(choice, "changed", G_CALLBACK(choice_changed_cb), page, 0);
    update(page);
    return GTK_WIDGET(page);
}
