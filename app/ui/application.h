/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program with a window: one instance of each user, which owns what all pages share
 * (settings, what is to be run, the run that is watched).  A second start only brings its
 * files to the first.  Main thread.
 */
#pragma once

#include <gtk/gtk.h>

#include "ui/choice.h"
#include "ui/drive-list.h"
#include "ui/live-run.h"
#include "ui/settings.h"

G_BEGIN_DECLS

#define FM_APPLICATION_ID "io.github.fathom.Fathom"
#define FM_RESOURCE_PATH "/io/github/fathom/Fathom"

#define FM_TYPE_APPLICATION (fm_application_get_type())
G_DECLARE_FINAL_TYPE(FmApplication, fm_application, FM, APPLICATION, GtkApplication)

FmApplication *fm_application_new(void);

/* All of them live as long as @application. */
FmSettings *fm_application_get_settings(FmApplication *application);
FmChoice *fm_application_get_choice(FmApplication *application);
FmDriveList *fm_application_get_drives(FmApplication *application);
FmLiveRun *fm_application_get_live_run(FmApplication *application);

G_END_DECLS
