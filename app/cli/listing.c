/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands that list things: no arguments, a table or JSON.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/cli.h"

#include <glib/gi18n.h>

static void
print_json(const FmListing *listing, GPtrArray *items)
{
    json_t *array = json_array();

    for (guint i = 0; i < items->len; i++) {
        json_array_append_new(array, listing->to_json(g_ptr_array_index(items, i)));
    }
    fm_cli_print_json(array);
}

static void
print_table(const FmListing *listing, GPtrArray *items)
{
    g_autoptr(FmCliTable) table = fm_cli_table_new(g_strv_length((char **)listing->headings));

    fm_table_set_elastic(table, listing->elastic);
    for (const char *const *heading = listing->headings; *heading != NULL; heading++) {
        fm_cli_table_add(table, _(*heading));
    }
    for (guint i = 0; i < items->len; i++) {
        listing->add_row(table, g_ptr_array_index(items, i));
    }
    fm_cli_table_print(table);
}

int
fm_cli_list(const FmCommand *command, const FmListing *listing, int argc, char **argv)
{
    gboolean is_json = FALSE;
    const GOptionEntry entries[] = {
        {"json", 0, 0, G_OPTION_ARG_NONE, &is_json, N_("Print JSON"), NULL},
        {NULL},
    };
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autoptr(GPtrArray) items = listing->load();
    if (is_json) {
        print_json(listing, items);
    } else if (items->len == 0) {
        g_print("%s\n", _(listing->none));
    } else {
        print_table(listing, items);
    }
    return FM_EXIT_OK;
}
