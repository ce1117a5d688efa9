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
#include "model/run-progress.h"
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
    return run != NULL ? fm_follow_dup_progress(run, fm_run_get_expected_ns(run)) : NULL;
}

static void
print_json(GPtrArray *runs)
{
    json_t *array = json_array();

    for (guint i = 0; i < runs->len; i++) {
        const FmSessionInfo *info = (const FmSessionInfo *)g_ptr_array_index(runs, i);
        g_autoptr(FmRun) run = load_run(info);
        g_autofree char *progress = dup_progress(run);
        json_t *object =
            json_pack("{s:s, s:s, s:s, s:s, s:I, s:I}", "id", info->id, "plan", info->plan_id,
                      "target", info->target, "output", info->output, "pid", (json_int_t)info->pid,
                      "started-us", (json_int_t)info->wall_us);
        json_object_set_new(object, "progress",
                            progress != NULL ? json_string(progress) : json_null());
        json_object_set_new(object, "steps",
                            run != NULL ? json_integer(run->steps->len) : json_null());
        json_array_append_new(array, object);
    }
    fm_cli_print_json(array);
}

static void
print_table(GPtrArray *runs)
{
    static const char *const headings[] = {N_("Id"), N_("Plan"), N_("Target"), N_("Started"),
                                           N_("Progress")};
    g_autoptr(FmTable) table = fm_table_new(G_N_ELEMENTS(headings));

    for (gsize i = 0; i < G_N_ELEMENTS(headings); i++) {
        fm_table_add(table, _(headings[i]));
    }
    for (guint i = 0; i < runs->len; i++) {
        const FmSessionInfo *info = (const FmSessionInfo *)g_ptr_array_index(runs, i);
        g_autoptr(FmRun) run = load_run(info);
        g_autofree char *date = fm_cli_dup_date(info->wall_us);
        g_autofree char *progress = dup_progress(run);
        fm_table_add(table, info->id);
        fm_table_add(table, info->plan_id);
        fm_table_add(table, info->target);
        fm_table_add(table, date);
        fm_table_add(table, progress);
    }
    fm_table_print(table);
}

static int
run_status(const FmCommand *command, int argc, char **argv)
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
    g_autoptr(GPtrArray) runs = fm_session_list();
    if (is_json) {
        print_json(runs);
    } else if (runs->len == 0) {
        g_print("%s\n", _("No run is in progress."));
    } else {
        print_table(runs);
    }
    return FM_EXIT_OK;
}

const FmCommand fm_command_status = {
    .name = "status",
    .summary = N_("lists the runs in progress"),
    .examples = {{"status", N_("What is running, and how long it will take.")},
                 {"status --json", N_("The same for scripts.")}},
    .run = run_status,
};
