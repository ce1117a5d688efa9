/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A box; a screen reader hears what kind it is before the sentence.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/notice.h"

#include <glib/gi18n.h>

enum { GAP = 12 };

GtkWidget *
fm_notice_new(FmNoticeKind kind, const char *sentence)
{
    static const struct {
        const char *icon;
        const char *css_class;
        const char *name;
    } looks[] = {
        [FM_NOTICE_HINT] = {"dialog-information-symbolic", "hint", N_("Hint")},
        [FM_NOTICE_WARNING] = {"dialog-warning-symbolic", "warning", N_("Warning")},
        [FM_NOTICE_ERROR] = {"dialog-error-symbolic", "error", N_("Error")},
    };
    GtkWidget *notice = g_object_new(GTK_TYPE_BOX, "spacing", GAP, "accessible-role",
                                     GTK_ACCESSIBLE_ROLE_GROUP, NULL);
    /* In a box of its own: beside an image, GTK 4.8 measures a label that wraps in two ways. */
    GtkWidget *frame = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
    GtkWidget *label = gtk_label_new(sentence);

    gtk_widget_add_css_class(notice, "notice");
    gtk_widget_add_css_class(notice, looks[kind].css_class);
    gtk_box_append(GTK_BOX(frame), gtk_image_new_from_icon_name(looks[kind].icon));
    gtk_widget_set_valign(frame, GTK_ALIGN_CENTER);
    gtk_label_set_xalign(GTK_LABEL(label), 0);
    gtk_label_set_wrap(GTK_LABEL(label), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
    gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_box_append(GTK_BOX(notice), frame);
    gtk_box_append(GTK_BOX(notice), label);
    gtk_accessible_update_property(GTK_ACCESSIBLE(notice), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   _(looks[kind].name), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   sentence, -1);
    return notice;
}

void
fm_notice_add_action(GtkWidget *notice, const char *label, const char *action)
{
    GtkWidget *button = gtk_button_new_with_mnemonic(label);

    gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(button), action);
    gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
    gtk_box_append(GTK_BOX(notice), button);
}
