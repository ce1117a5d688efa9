/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A column in the middle of the page.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/state-page.h"

enum {
    SPACING = 18,
    ICON_SIZE = 64,
    SENTENCE_CHARS = 56, /* wraps here: a line that is easy to read */
};

struct _FmStatePage {
    GtkWidget parent_instance;
    GtkWidget *column;
    GtkWidget *icon;
    GtkWidget *sentence;
    GtkWidget *button;
};

G_DEFINE_FINAL_TYPE(FmStatePage, fm_state_page, GTK_TYPE_WIDGET)

static void
fm_state_page_dispose(GObject *object)
{
    g_clear_pointer(&FM_STATE_PAGE(object)->column, gtk_widget_unparent);
    G_OBJECT_CLASS(fm_state_page_parent_class)->dispose(object);
}

static void
fm_state_page_class_init(FmStatePageClass *class)
{
    G_OBJECT_CLASS(class)->dispose = fm_state_page_dispose;
    gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
fm_state_page_init(FmStatePage *page)
{
    page->column = gtk_box_new(GTK_ORIENTATION_VERTICAL, SPACING);
    page->icon = gtk_image_new();
    page->sentence = gtk_label_new(NULL);
    page->button = gtk_button_new();

    gtk_widget_set_halign(page->column, GTK_ALIGN_CENTER);
    gtk_widget_set_valign(page->column, GTK_ALIGN_CENTER);
    gtk_widget_set_margin_start(page->column, SPACING);
    gtk_widget_set_margin_end(page->column, SPACING);
    gtk_image_set_pixel_size(GTK_IMAGE(page->icon), ICON_SIZE);
    gtk_widget_add_css_class(page->icon, "state-icon");
    gtk_label_set_wrap(GTK_LABEL(page->sentence), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(page->sentence), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_justify(GTK_LABEL(page->sentence), GTK_JUSTIFY_CENTER);
    gtk_label_set_max_width_chars(GTK_LABEL(page->sentence), SENTENCE_CHARS);
    gtk_widget_set_halign(page->button, GTK_ALIGN_CENTER);
    gtk_button_set_use_underline(GTK_BUTTON(page->button), TRUE);
    gtk_widget_set_visible(page->button, FALSE);

    gtk_box_append(GTK_BOX(page->column), page->icon);
    gtk_box_append(GTK_BOX(page->column), page->sentence);
    gtk_box_append(GTK_BOX(page->column), page->button);
    gtk_widget_set_parent(page->column, GTK_WIDGET(page));
}

GtkWidget *
fm_state_page_new(void)
{
    return g_object_new(FM_TYPE_STATE_PAGE, NULL);
}

void
fm_state_page_set(FmStatePage *page, const char *icon, const char *sentence)
{
    gtk_image_set_from_icon_name(GTK_IMAGE(page->icon), icon);
    gtk_widget_set_visible(page->icon, icon != NULL);
    gtk_label_set_label(GTK_LABEL(page->sentence), sentence);
}

void
fm_state_page_set_action(FmStatePage *page, const char *label, const char *action)
{
    GtkActionable *button = GTK_ACTIONABLE(page->button);

    gtk_widget_set_visible(page->button, label != NULL);
    if (label == NULL) {
        return;
    }
    g_autofree char *name = NULL;
    g_autoptr(GVariant) target = NULL;
    bool is_well_formed = g_action_parse_detailed_name(action, &name, &target, NULL);
    g_return_if_fail(is_well_formed);

    gtk_button_set_label(GTK_BUTTON(page->button), label);
    /* The target first: GTK warns of an action that has to have one as long as it has none. */
    if (g_strcmp0(gtk_actionable_get_action_name(button), name) != 0) {
        gtk_actionable_set_action_name(button, NULL);
    }
    gtk_actionable_set_action_target_value(button, target);
    gtk_actionable_set_action_name(button, name);
}
