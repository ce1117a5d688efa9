/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fathom: finds its translations and fonts and hands over to the application.  Main thread.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "platform/platform.h"
#include "plot/text.h"
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

static void
set_up_fonts(void)
{
    g_autofree char *folder = plat_find_data_dir();

    fm_text_set_data_dir(folder);
}

int
main(int argc, char **argv)
{
    set_up_locale();
    set_up_fonts();
    g_set_application_name("Fathom");
    g_autoptr(FmApplication) application = fm_application_new();
    return g_application_run(G_APPLICATION(application), argc, argv);
}
