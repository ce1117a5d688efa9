/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom: finds its translations and hands over to the application.  Main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "platform/platform.h"
#include "ui/application.h"

#include <glib/gi18n.h>
#include <locale.h>

static void
set_up_locale(void)
{
    g_autofree char *folder = plat_find_locale_dir();

    setlocale(LC_ALL, "");
    bindtextdomain(GETTEXT_PACKAGE, folder);
    bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
    textdomain(GETTEXT_PACKAGE);
}

int
main(int argc, char **argv)
{
    set_up_locale();
    g_set_application_name("Fathom");
    g_autoptr(FmApplication) application = fm_application_new();
    return g_application_run(G_APPLICATION(application), argc, argv);
}
