/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run may note thousands of failed I/Os: only the newest stay in the list, and the result
 * keeps them all.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/note-list.h"

#include "base/message.h"
#include "ui/list-focus.h"

#include <glib/gi18n.h>
#include <string.h>

enum {
    MAX_ROWS = 200,
    MAX_HEIGHT = 96,
    GAP = 6,
};

struct _FmNoteList {
    GtkWidget parent_instance;
    GtkWidget *scroller;
    GtkWidget *list;
    guint n_seen;
    guint n_rows;
};

G_DEFINE_FINAL_TYPE(FmNoteList, fm_note_list, GTK_TYPE_WIDGET)

static const struct {
    const char *kind;
    const char *icon;
    const char *title;
} note_kinds[] = {
    {"error", "dialog-error-symbolic", N_("Error")},
    {"warning", "dialog-warning-symbolic", N_("Warning")},
    {"fallback", "dialog-warning-symbolic", N_("Fallback")},
    {"decision", "dialog-information-symbolic", N_("Note")},
};

static void
add_note(FmNoteList *list, const FmRunNote *note)
{
    gsize kind = 0;
    while (kind < G_N_ELEMENTS(note_kinds) && g_strcmp0(note->kind, note_kinds[kind].kind) != 0) {
        kind++;
    }
    if (kind == G_N_ELEMENTS(note_kinds)) {
        return;
    }
    GtkWidget *row = gtk_list_box_row_new();
    GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, GAP);
    GtkWidget *icon = gtk_image_new_from_icon_name(note_kinds[kind].icon);
    g_autofree char *text = fm_message_dup_local(note->text);
    g_autofree char *spoken = g_strdup_printf("%s: %s", _(note_kinds[kind].title), text);
    GtkWidget *label = gtk_label_new(text);

    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_widget_set_valign(icon, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(box), icon);
    gtk_box_append(GTK_BOX(box), label);
    gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
    gtk_accessible_update_property(GTK_ACCESSIBLE(row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
    gtk_list_box_append(GTK_LIST_BOX(list->list), row);
    list->n_rows++;
}

/* The newest note is in sight. */
static void
scroll_to_end(FmNoteList *list)
{
    GtkAdjustment *adjustment =
        gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(list->scroller));

    gtk_adjustment_set_value(adjustment, gtk_adjustment_get_upper(adjustment));
}

static void
grown_cb(GtkAdjustment *adjustment, GParamSpec *property, gpointer user_data)
{
    scroll_to_end(FM_NOTE_LIST(user_data));
}

void
fm_note_list_update(FmNoteList *list, const FmRun *run)
{
    bool has_grown = list->n_seen < run->notes->len;

    for (; list->n_seen < run->notes->len; list->n_seen++) {
        add_note(list, (const FmRunNote *)run->notes->pdata[list->n_seen]);
    }
    for (; list->n_rows > MAX_ROWS; list->n_rows--) {
        GtkListBoxRow *oldest = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list->list), 0);
        gtk_list_box_remove(GTK_LIST_BOX(list->list), GTK_WIDGET(oldest));
    }
    if (has_grown) {
        gtk_widget_set_visible(list->scroller, list->n_rows > 0);
        fm_list_focus_update(GTK_LIST_BOX(list->list));
    }
}

void
fm_note_list_clear(FmNoteList *list)
{
    GtkListBoxRow *row;

    while ((row = gtk_list_box_get_row_at_index(GTK_LIST_BOX(list->list), 0)) != NULL) {
        gtk_list_box_remove(GTK_LIST_BOX(list->list), GTK_WIDGET(row));
    }
    list->n_seen = 0;
    list->n_rows = 0;
    gtk_widget_set_visible(list->scroller, FALSE);
}

static void
fm_note_list_dispose(GObject *object)
{
    g_clear_pointer(&FM_NOTE_LIST(object)->scroller, gtk_widget_unparent);
    G_OBJECT_CLASS(fm_note_list_parent_class)->dispose(object);
}

static void
fm_note_list_class_init(FmNoteListClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_note_list_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_note_list_init(FmNoteList *list)
{
    list->scroller = gtk_scrolled_window_new();
    list->list = gtk_list_box_new();
    gtk_list_box_set_selection_mode(GTK_LIST_BOX(list->list), GTK_SELECTION_NONE);
    gtk_widget_add_css_class(list->list, "note-list");
    gtk_accessible_update_property(GTK_ACCESSIBLE(list->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _("Notes"), -1);
    gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(list->scroller), GTK_POLICY_NEVER,
                                   GTK_POLICY_AUTOMATIC);
    gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(list->scroller), TRUE);
    gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(list->scroller), MAX_HEIGHT);
    gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(list->scroller), list->list);
    gtk_widget_set_visible(list->scroller, FALSE);
    gtk_widget_set_parent(list->scroller, GTK_WIDGET(list));
    g_signal_connect(gtk_scrolled_window_get_vadjustment(GTK_SCROLLED_WINDOW(list->scroller)),
                     "notify::upper", G_CALLBACK(grown_cb), list);
}

GtkWidget *
fm_note_list_new(void)
{
    return g_object_new(FM_TYPE_NOTE_LIST, NULL);
}
