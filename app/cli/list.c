/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list: the saved runs of this user.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/cli.h"
#include "store/library.h"

#include <glib/gi18n.h>

/* END's outcomes and what the library says about runs without one. */
static const char *
get_outcome_title(const char *outcome)
{
    static const struct {
        const char *outcome;
        const char *title;
    } titles[] = {
        {"complete", N_("complete")},     {"stopped", N_("stopped")}, {"failed", N_("failed")},
        {"refused", N_("refused")},       {"cut off", N_("cut off")}, {"running", N_("running")},
        {"unreadable", N_("unreadable")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(titles); i++) {
        if (g_strcmp0(outcome, titles[i].outcome) == 0) {
            return _(titles[i].title);
        }
    }
    return outcome;
}

static void
print_json(GPtrArray *runs)
{
    json_t *array = json_array();

    for (guint i = 0; i < runs->len; i++) {
        const FmLibraryEntry *entry = (const FmLibraryEntry *)g_ptr_array_index(runs, i);
        json_t *object =
            json_pack("{s:s?, s:s?, s:s?, s:s?, s:s?, s:s?, s:I, s:I}", "path", entry->path, "plan",
                      entry->plan_id, "plan-name", entry->plan_name, "target", entry->target_path,
                      "drive", entry->drive, "outcome", entry->outcome, "started-us",
                      (json_int_t)entry->wall_us, "size", (json_int_t)entry->size);
        if (object != NULL) {
            json_array_append_new(array, object);
        }
    }
    fm_cli_print_json(array);
}

static void
print_table(GPtrArray *runs)
{
    static const char *const headings[] = {N_("Started"), N_("Plan"), N_("Target"), N_("Outcome"),
                                           N_("File")};
    g_autoptr(FmTable) table = fm_table_new(G_N_ELEMENTS(headings));

    for (gsize i = 0; i < G_N_ELEMENTS(headings); i++) {
        fm_table_add(table, _(headings[i]));
    }
    for (guint i = 0; i < runs->len; i++) {
        const FmLibraryEntry *entry = (const FmLibraryEntry *)g_ptr_array_index(runs, i);
        g_autofree char *date = fm_cli_dup_date(entry->wall_us);
        fm_table_add(table, date);
        fm_table_add(table, entry->plan_id);
        fm_table_add(table, entry->drive != NULL ? entry->drive : entry->target_path);
        fm_table_add(table, get_outcome_title(entry->outcome));
        fm_table_add(table, entry->name);
    }
    fm_table_print(table);
}

static int
run_list(const FmCommand *command, int argc, char **argv)
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
    g_autoptr(GPtrArray) runs = fm_library_list();
    if (is_json) {
        print_json(runs);
    } else if (runs->len == 0) {
        g_print("%s\n", _("No run is saved yet."));
    } else {
        print_table(runs);
    }
    return FM_EXIT_OK;
}

const FmCommand fm_command_list = {
    .name = "list",
    .summary = N_("lists saved runs, the newest first"),
    .examples = {{"list", N_("The library of runs.")},
                 {"list --json", N_("The same for scripts.")}},
    .run = run_list,
};
