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

static json_t *
to_json(gconstpointer item)
{
    const FmLibraryEntry *entry = (const FmLibraryEntry *)item;
    json_t *object = json_object();

    json_object_set_new(object, "path", fm_cli_json_text(entry->path));
    json_object_set_new(object, "plan", fm_cli_json_text(entry->plan_id));
    json_object_set_new(object, "plan-name", fm_cli_json_text(entry->plan_name));
    json_object_set_new(object, "target", fm_cli_json_text(entry->target_path));
    json_object_set_new(object, "drive", fm_cli_json_text(entry->drive));
    json_object_set_new(object, "outcome", fm_cli_json_text(entry->outcome));
    json_object_set_new(object, "started-us", json_integer((json_int_t)entry->wall_us));
    json_object_set_new(object, "size", json_integer((json_int_t)entry->size));
    return object;
}

static void
add_row(FmCliTable *table, gconstpointer item)
{
    const FmLibraryEntry *entry = (const FmLibraryEntry *)item;
    g_autofree char *date = fm_cli_dup_date(entry->wall_us);

    fm_cli_table_add(table, date);
    fm_cli_table_add(table, entry->plan_id);
    fm_cli_table_add(table, entry->drive != NULL ? entry->drive : entry->target_path);
    fm_cli_table_add(table, get_outcome_title(entry->outcome));
    fm_cli_table_add(table, entry->name);
}

static int
run_list(const FmCommand *command, int argc, char **argv)
{
    static const char *const headings[] = {N_("Started"), N_("Plan"), N_("Target"),
                                           N_("Outcome"), N_("File"), NULL};
    const FmListing listing = {
        .load = fm_library_list,
        .none = N_("No run is saved yet."),
        .headings = headings,
        .elastic = 2, /* paths of targets may be long; the name of the file is for copying */
        .add_row = add_row,
        .to_json = to_json,
    };

    return fm_cli_list(command, &listing, argc, argv);
}

const FmCommand fm_command_list = {
    .name = "list",
    .summary = N_("lists saved runs, the newest first"),
    .examples = {{"list", N_("The library of runs.")},
                 {"list --json", N_("The same for scripts.")}},
    .run = run_list,
};
