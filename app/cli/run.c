/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run: shows what is about to happen, starts a run host with it and follows the run.
 * The host owns the run: closing the terminal does not end it, Ctrl-C does.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/error.h"
#include "base/units.h"
#include "cli/card.h"
#include "cli/cli.h"
#include "cli/follow.h"
#include "host/request.h"
#include "store/export.h"
#include "store/plan-files.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
    GStrv settings;
    char *output;
    char *backend;
    char *backend_options;
    char *keep_free;
    gboolean is_json;
    gboolean is_detached;
    gboolean allow_buffered;
    gboolean allow_shared;
    gboolean is_dry;
} RunOptions;

static void
run_options_clear(RunOptions *options)
{
    g_strfreev(options->settings);
    g_free(options->output);
    g_free(options->backend);
    g_free(options->backend_options);
    g_free(options->keep_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunOptions, run_options_clear)

/* Results own standard output with --json; people read the rest on standard error. */
static void
say(const RunOptions *options, const char *text)
{
    if (options->is_json) {
        g_printerr("%s", text);
    } else {
        g_print("%s", text);
    }
}

/* What the worker would refuse as well, said before a host is started. */
static bool
check_consent(const FmTarget *target, const RunOptions *options, GError **error)
{
    if (target->verdict == FM_VERDICT_MEMORY && !options->allow_buffered) {
        fm_error_set(error, FM_ERROR_UNSAFE,
                     "“%s” is memory, not a drive; add --yes-cached to measure it nevertheless",
                     target->path);
        return false;
    }
    return true;
}

static void
show_card(const RunOptions *options, const FmPlan *plan, const FmTarget *target)
{
    g_autofree char *card = fm_card_dup(plan, target);

    say(options, card);
    say(options, "\n");
}

/* Two runs at once take time and bandwidth from each other, whatever they run on; of the
 * same drive the host lets only one have it. */
static void
warn_of_others(const char *own_id)
{
    g_autoptr(GPtrArray) runs = fm_session_list();

    for (guint i = 0; i < runs->len; i++) {
        const FmSessionInfo *info = (const FmSessionInfo *)g_ptr_array_index(runs, i);
        if (g_str_equal(info->id, own_id)) {
            continue;
        }
        g_printerr(_("Warning: the run “%s” (%s) is in progress; the two disturb each other, and "
                     "neither shows what the drive can do.\n"),
                   info->id, info->plan_id);
    }
}

static char *
dup_absolute(const char *path)
{
    return path != NULL ? g_canonicalize_filename(path, NULL) : NULL;
}

static FmSession *
start_session(const RunOptions *options, const FmPlan *plan, const FmTarget *target, GError **error)
{
    g_autoptr(FmSessionRequest) request = fm_request_new(plan, target);

    request->settings = g_strdupv(options->settings);
    request->backend = g_strdup(options->backend);
    request->backend_options = g_strdup(options->backend_options);
    request->output = dup_absolute(options->output);
    request->allow_buffered = options->allow_buffered;
    request->allow_shared = options->allow_shared;
    if (options->keep_free != NULL &&
        !fm_units_parse_size(options->keep_free, &request->keep_free, NULL, error)) {
        return NULL;
    }
    return fm_session_start(request, error);
}

static int
leave_detached(const RunOptions *options, FmSession *session)
{
    if (options->is_json) {
        fm_cli_print_json(json_pack("{s:s, s:s}", "id", fm_session_get_id(session), "output",
                                    fm_session_get_output(session)));
        return FM_EXIT_OK;
    }
    g_print(_("The run “%s” goes on in the background.\n"), fm_session_get_id(session));
    g_print(_("See it with “fathom-cli attach %s”; it is kept in “%s”.\n"),
            fm_session_get_id(session), fm_session_get_output(session));
    return FM_EXIT_OK;
}

static int
follow_session(const RunOptions *options, FmFollow *follow, FmSession *session)
{
    g_autoptr(GError) error = NULL;
    int exit_code = fm_follow_watch(follow, session);
    const FmRun *run = fm_follow_get_run(follow);

    if (fm_follow_has_left(follow)) {
        return exit_code;
    }
    if (options->is_json) {
        g_autofree char *json = fm_export_json(run, &error);
        if (json == NULL) {
            return fm_cli_fail(error);
        }
        fm_cli_print_raw(json);
    } else {
        fm_follow_show_result(session, run);
    }
    bool is_lost = fm_session_has_lost_place(session);
    return exit_code == FM_EXIT_OK && is_lost ? FM_EXIT_FAILED : exit_code;
}

static int
start_run(const RunOptions *options, const char *plan_name, const char *target_text)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(FmPlan) plan =
        fm_plan_files_load(plan_name, (const char *const *)options->settings, &error);
    if (plan == NULL || !fm_request_check_plan(plan, &error)) {
        return fm_cli_fail(error);
    }
    g_autoptr(FmTarget) target = fm_request_find_target(target_text, &error);
    if (target == NULL || !check_consent(target, options, &error)) {
        return fm_cli_fail(error);
    }
    show_card(options, plan, target);
    if (options->is_dry) {
        return FM_EXIT_OK;
    }
    g_autoptr(FmFollow) follow = fm_follow_new(FM_FOLLOW_STOP);
    g_autoptr(FmSession) session = start_session(options, plan, target, &error);
    if (session == NULL) {
        return fm_cli_fail(error);
    }
    warn_of_others(fm_session_get_id(session));
    return options->is_detached ? leave_detached(options, session)
                                : follow_session(options, follow, session);
}

static int
run_run(const FmCommand *command, int argc, char **argv)
{
    g_auto(RunOptions) options = {0};
    const GOptionEntry entries[] = {
        {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &options.settings,
         N_("Set an option of the plan; may be repeated"), N_("KEY=VALUE")},
        {"output", 'o', 0, G_OPTION_ARG_FILENAME, &options.output,
         N_("Keep the run in FILE instead of the library"), N_("FILE")},
        {"json", 0, 0, G_OPTION_ARG_NONE, &options.is_json,
         N_("Print the result as JSON, the rest to stderr"), NULL},
        {"detach", 'd', 0, G_OPTION_ARG_NONE, &options.is_detached,
         N_("Run in the background, also after logout"), NULL},
        {"dry-run", 'n', 0, G_OPTION_ARG_NONE, &options.is_dry,
         N_("Only show what would be done, and do nothing"), NULL},
        {"backend", 0, 0, G_OPTION_ARG_STRING, &options.backend,
         N_("How I/O is done: uring, aio, sync …"), N_("NAME")},
        {"backend-options", 0, 0, G_OPTION_ARG_STRING, &options.backend_options,
         N_("Options of the backend (sim, fault)"), N_("KEY=VALUE,…")},
        {"keep-free", 0, 0, G_OPTION_ARG_STRING, &options.keep_free,
         N_("Space that stays free instead of 1 GiB or 2 %"), N_("SIZE")},
        {"yes-cached", 0, 0, G_OPTION_ARG_NONE, &options.allow_buffered,
         N_("Also measure what may be cached or is memory"), NULL},
        {"allow-shared", 0, 0, G_OPTION_ARG_NONE, &options.allow_shared,
         N_("Also run while another run is on the same drive"), NULL},
        {NULL},
    };
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    return start_run(&options, argv[1], argv[2]);
}

const FmCommand fm_command_run = {
    .name = "run",
    .arguments = N_("PLAN TARGET"),
    .min_arguments = 2,
    .max_arguments = 2,
    .summary = N_("runs a benchmark on a folder and shows the result"),
    .details = N_("PLAN is a name from “plans” or a file. TARGET is a folder, one of our own test "
                  "files, “null” (what Fathom itself costs) or “sim:MODEL” (a simulated "
                  "drive: ideal, tlc or noisy).\n"
                  "Ctrl-C stops the run in order; pressed again it leaves the run to end by "
                  "itself. Closing the terminal does not end the run."),
    .examples = {{"run quick .", N_("The Quick plan in this folder, in under two minutes.")},
                 {"run cdm-default . --set size=64MiB --set count=2",
                  N_("CrystalDiskMark's rows with a small file and two repetitions.")},
                 {"run quick . --detach", N_("The same in the background.")},
                 {"run quick . --json --output r.fathom",
                  N_("The result for scripts, kept in “r.fathom”.")}},
    .run = run_run,
};
