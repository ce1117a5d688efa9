/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selfcheck: proves on the user's own machine what no test of ours can.  The worker
 * does it, since it is the only one that does benchmark I/O; its lines become a table.
 */
#define G_LOG_DOMAIN "fathom"

#include "config.h"

#include "base/error.h"
#include "cli/cli.h"
#include "platform/platform.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

static const char *
get_result_title(const char *result)
{
    static const struct {
        const char *result;
        const char *title;
    } titles[] = {
        {"ok", N_("ok")},
        {"not-ok", N_("NOT OK")},
        {"not-possible", N_("not possible")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(titles); i++) {
        if (strcmp(result, titles[i].result) == 0) {
            return _(titles[i].title);
        }
    }
    return result;
}

#define REFUSED "refused"

enum { N_FIELDS = 4 };

static FmMessage *
parse_message(const char *text)
{
    g_autoptr(GVariant) variant = g_variant_parse(G_VARIANT_TYPE("av"), text, NULL, NULL, NULL);
    FmMessage *message = variant != NULL ? fm_message_from_variant(variant) : NULL;

    return message != NULL ? message : fm_message_new_verbatim(text);
}

/* @lines: "result TAB check TAB backend TAB message". */
static void
print_checks(const char *lines)
{
    g_autoptr(FmCliTable) table = fm_cli_table_new(N_FIELDS);
    g_auto(GStrv) rows = g_strsplit(lines, "\n", -1);

    if (rows[0] == NULL || g_str_has_prefix(rows[0], REFUSED)) {
        return;
    }
    fm_cli_table_add(table, _("Result"));
    fm_cli_table_add(table, _("Check"));
    fm_cli_table_add(table, _("Backend"));
    fm_cli_table_add(table, _("Finding"));
    for (char **row = rows; *row != NULL; row++) {
        g_auto(GStrv) fields = g_strsplit(*row, "\t", N_FIELDS);
        if (g_strv_length(fields) == N_FIELDS && strcmp(fields[0], REFUSED) != 0) {
            fm_cli_table_add(table, get_result_title(fields[0]));
            fm_cli_table_add(table, fields[1]);
            fm_cli_table_add(table, *fields[2] != '\0' ? fields[2] : NULL);
            g_autoptr(FmMessage) message = parse_message(fields[3]);
            g_autofree char *finding = fm_message_dup_local(message);
            fm_cli_table_add(table, finding);
        }
    }
    fm_cli_table_print(table);
}

/* A last line whose result is "refused" becomes @error, and then it returns false. */
static bool
find_refusal(const char *lines, GError **error)
{
    g_auto(GStrv) rows = g_strsplit(lines, "\n", -1);

    for (char **row = rows; *row != NULL; row++) {
        g_auto(GStrv) fields = g_strsplit(*row, "\t", N_FIELDS);
        if (g_strv_length(fields) == N_FIELDS && strcmp(fields[0], REFUSED) == 0) {
            g_autoptr(FmMessage) reason = parse_message(fields[3]);
            fm_error_set_message(error, FM_ERROR_UNSUPPORTED, reason);
            return false;
        }
    }
    return true;
}

/* Runs the worker; its lines, and its sentence as @error when it refused. */
static char *
run_worker(const char *target, int *exit_code, GError **error)
{
    g_autofree char *worker = plat_find_program("fathom-worker");
    g_autofree char *output = NULL;
    g_autofree char *errors = NULL;
    g_autoptr(GSubprocess) process =
        g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE, error,
                         worker, "--selfcheck", target, NULL);

    if (process == NULL ||
        !g_subprocess_communicate_utf8(process, NULL, NULL, &output, &errors, error)) {
        return NULL;
    }
    *exit_code = g_subprocess_get_if_exited(process) ? g_subprocess_get_exit_status(process)
                                                     : FM_EXIT_FAILED;
    if (*exit_code != FM_EXIT_OK && *output == '\0') {
        g_autoptr(FmMessage) reason = *errors != '\0'
                                          ? fm_message_new_verbatim(g_strchomp(errors))
                                          : fm_message_new("The worker ended without a word");
        fm_error_set_message(error, FM_ERROR_UNSUPPORTED, reason);
        return NULL;
    }
    return g_steal_pointer(&output);
}

static int
run_selfcheck(const FmCommand *command, int argc, char **argv)
{
    const GOptionEntry entries[] = {{NULL}};
    g_autoptr(GError) error = NULL;
    int exit_code;

    if (!fm_cli_parse(command, entries, &argc, &argv, &exit_code)) {
        return exit_code;
    }
    g_autofree char *target = g_canonicalize_filename(argv[1], NULL);
    g_autofree char *lines = run_worker(target, &exit_code, &error);
    if (lines == NULL) {
        return fm_cli_fail(error);
    }
    print_checks(lines);
    return find_refusal(lines, &error) ? exit_code : fm_cli_fail(error);
}

const FmCommand fm_command_selfcheck = {
    .name = "selfcheck",
    .arguments = N_("TARGET"),
    .min_arguments = 1,
    .max_arguments = 1,
    .summary = N_("proves on this machine that what Fathom relies on is true"),
    .details = N_("Checks on a small test file in the folder TARGET, which is removed again."),
    .examples = {{"selfcheck .", N_("Checks this folder and what is below it.")}},
    .run = run_selfcheck,
};
