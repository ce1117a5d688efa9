/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One sentence with a shape beside it and at most one button: a warning, an error, a hint,
 * in the place it belongs to.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum {
    FM_NOTICE_HINT,
    FM_NOTICE_WARNING,
    FM_NOTICE_ERROR,
} FmNoticeKind;

/* @sentence is plain text. */
GtkWidget *fm_notice_new(FmNoticeKind kind, const char *sentence);
/* A button that does @action. */
void fm_notice_add_action(GtkWidget *notice, const char *label, const char *action);

G_END_DECLS
