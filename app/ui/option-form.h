/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of the chosen plan as a form: a control of the right kind for each, what is
 * possible beside it, and the plan reader's own words below it when what was typed makes
 * no sense.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/choice.h"

G_BEGIN_DECLS

#define FM_TYPE_OPTION_FORM (fm_option_form_get_type())
G_DECLARE_FINAL_TYPE(FmOptionForm, fm_option_form, FM, OPTION_FORM, GtkWidget)

GtkWidget *fm_option_form_new(FmChoice *choice);

/* Shows the options of the plan that is chosen now; what is typed stays while the plan is the
 * same.  False when it has none. */
bool fm_option_form_update(FmOptionForm *form);

/* "16 MiB to 64 GiB", "from 1"; "" = anything of its kind.  Caller frees. */
char *fm_option_dup_possible(const FmOption *option);

G_END_DECLS
