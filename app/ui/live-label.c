/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A GtkInscription, whose size never depends on its text.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "ui/live-label.h"

#include <string.h>

GtkWidget *
fm_live_label_new(const char *text, const char *css_class)
{
    GtkWidget *label = gtk_inscription_new(text);

    gtk_inscription_set_text_overflow(GTK_INSCRIPTION(label),
                                      GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
    gtk_inscription_set_min_chars(GTK_INSCRIPTION(label), 0);
    gtk_inscription_set_nat_chars(GTK_INSCRIPTION(label), 0);
    gtk_widget_set_hexpand(label, TRUE);
    gtk_widget_add_css_class(label, css_class);
    return label;
}

bool
fm_live_label_set(GtkWidget *label, const char *text)
{
    const char *old = gtk_inscription_get_text(GTK_INSCRIPTION(label));

    if (old != NULL && strcmp(old, text) == 0) {
        return false;
    }
    gtk_inscription_set_text(GTK_INSCRIPTION(label), text);
    return true;
}
