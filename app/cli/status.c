/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * status: the runs in progress of this user and how far they are, read from their run
 * files so that asking costs a run nothing.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "cli/cli.h"
#include "cli/follow.h"
#include "host/session.h"
#include "store/run-file.h"

#include <glib/gi18n.h>

/* The run as far as it has been written, or NULL. */
static FmRun *
load_run(const FmSessionInfo *info)
{
    return fm_run_file_load(info->output, NULL);
}

static char *
dup_progress(const FmRun *run)
{
    g_autoptr(FmRunForecast) forecast = run != NULL ? fm_run_forecast_new(run) : NULL;

    return run != NULL ? fm_follow_dup_progress(run, forecast) : NULL;
}

static json_t *
to_json(gconstpointer item)
{
    const FmSessionInfo *info = (const FmSessionInfo *)item;
    g_autoptr(FmRun) run = load_run(info);
    g_autofree char *progress = dup_progress(run);
    json_t *object = json_object();

    json_object_set_new(object, "id", fm_cli_json_text(info->id));
    json_object_set_new(object, "plan", fm_cli_json_text(info->plan_id));
    json_object_set_new(object, "target", fm_cli_json_text(info->target));
    json_object_set_new(object, "output", fm_cli_json_text(info->output));
    json_object_set_new(object, "pid", json_integer((json_int_t)info->pid));
    json_object_set_new(object, "started-us", json_integer((json_int_t)info->wall_us));
    json_object_set_new(object, "progress", fm_cli_json_text(progress));
    json_object_set_new(object, "steps", run != NULL ? json_integer(run->steps->len) : json_null());
    return object;
}

static void
add_row(FmCliTable *table, gconstpointer item)
{
    const FmSessionInfo *info = (const FmSessionInfo *)item;
    g_autoptr(FmRun) run = load_run(info);
    g_autofree char *date = fm_cli_dup_date(info->wall_us);
    g_autofree char *progress = dup_progress(run);

    fm_cli_table_add(table, info->id);
    fm_cli_table_add(table, info->plan_id);
    fm_cli_table_add(table, info->target);
    fm_cli_table_add(table, date);
    fm_cli_table_add(table, progress);
}

static int
run_status(const FmCommand *command, int argc, char **argv)
{
    static const char *const headings[] = {N_("Id"),      N_("Plan"),     N_("Target"),
                                           N_("Started"), N_("Progress"), NULL};
    const FmListing listing = {
        .load = fm_session_list,
        .none = N_("No run is in progress."),
        .headings = headings,
        .elastic = 2,
        .add_row = add_row,
        .to_json = to_json,
    };

    return fm_cli_list(command, &listing, argc, argv);
}

const FmCommand fm_command_status = {
    .name = "status",
    .summary = N_("lists the runs in progress"),
    .examples = {{"status", N_("What is running, and how long it will take.")},
                 {"status --json", N_("The same for scripts.")}},
    .run = run_status,
};
